#pragma once

#include <vector>

#include "derivative/contact_geometry.h"
#include "sinew/data.h"

namespace sinew {

/// The position level of a slightly moved world, without collision detection: its contacts move by their rates, and its
/// rows are those of the original world, so that none appears, vanishes or changes identity.
class MovedWorld {
 public:
  /// `moved` provides the memory. Without rows the rates may be empty.
  MovedWorld(const Model& m, const Data& d, const std::vector<ContactRate>& rates, Data& moved)
      : m_(m), d_(d), rates_(rates), x_(moved) {}

  Data& world() { return x_; }

  /// Sets `moved` to d with its positions changed by eps along a dof, and everything that depends on positions.
  void move(int dof, double eps);

 private:
  void move_contact(int c, int dof, double eps);
  void keep_rows(int dof, double eps);

  const Model& m_;
  const Data& d_;
  const std::vector<ContactRate>& rates_;
  Data& x_;
};

}  // namespace sinew
