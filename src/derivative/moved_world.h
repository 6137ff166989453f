#pragma once

#include <vector>

#include "derivative/contact_geometry.h"
#include "sinew/data.h"

namespace sinew {

/// The position level of a world that is moved a little, without collision: its contacts move as their rates say, and
/// its rows are those of the world that is moved, so that none appears, vanishes or becomes another.
class MovedWorld {
 public:
  /// `moved` is memory for it. Without rows the rates may be empty.
  MovedWorld(const Model& m, const Data& d, const std::vector<ContactRate>& rates, Data& moved)
      : m_(m), d_(d), rates_(rates), x_(moved) {}

  Data& world() { return x_; }

  /// `moved` is the world d with its positions changed by eps along a dof, and what follows from positions.
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
