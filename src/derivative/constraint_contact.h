#pragma once

#include "derivative/constraint.h"

namespace sinew {

/// Rows of contacts. In the contact frame F with x the contact point, a row is F_r (v2(x) - v1(x)) or F_r (w2 - w1); a
/// pyramid's edges are sums of two of them.
class ContactColumns {
 public:
  ContactColumns(const Model& m, Data& d, DerivativeState& s, ConstraintColumns& rows);

  void add(int row, int nrow);

  /// Force of an adhesion actuator on a contact, along the normal: adds everything except the rotation of the dofs'
  /// axes.
  void add_pull(int contact, double force);

 private:
  /// Relative motion of the bodies at the contact.
  struct Relative {
    Vec3<double> v, w;
  };
  struct Change;  // derivatives along one dof

  Relative relative(const CarriedMotion& x) const;
  void locate(int contact);
  Motion<double> surface(int side) const;
  Relative surface_change(const Change& c) const;
  void add_wrench_change(int k, const Vec3<double>& force, const Vec3<double>& torque);
  Relative change(const CarriedMotion& x, const Change& c) const;
  void in_frame(const Relative& r, double* six) const;
  Change along(int dof, bool moves1, bool moves2) const;
  void row_changes(const Change& c, double* dy) const;
  void contact_forces(const double* rows, double* six) const;
  void begin(int row, int nrow);

  const Model& m_;
  Data& d_;
  DerivativeState& s_;
  ConstraintColumns& rows_;

  // the current contact
  int row_ = 0, nrow_ = 0, body_[2] = {};
  const Contact* contact_ = nullptr;
  const ContactRate* rate_ = nullptr;
  bool pyramid_ = false;
  Mat3<double> frame_;
  Vec3<double> offset_[2];       // from the reference point of each body's tree to the contact
  Relative acc_, vel_;           // of a and v
  bool surface_moves_ = false;   // one of the geoms has a moving surface
  Relative surface_;             // relative velocity of the moving surfaces
  Vec3<double> force_, torque_;  // on the second body, world axes
};

}  // namespace sinew
