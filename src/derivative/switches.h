#pragma once

#include "derivative/state.h"
#include "sinew/analytic.h"

namespace sinew {

/// The world whose switches are looked for, and how far one component of its state or controls may change.
struct SwitchSearch {
  const Model& m;
  Data& d;
  double eps;
  SwitchReport& report;

  /// A border at this distance, which a change of one component by 1 moves by at most `rate`.
  bool within(double distance, double rate) const { return (distance < 0 ? -distance : distance) <= eps * rate; }
  void add(SwitchKind kind, int id, int other = -1) const {
    const Switch found = {kind, id, other};
    if (report.switches.empty() || report.switches.back() != found) report.switches.push_back(found);
  }
};

/// The largest speed at a point of a body when one of its dofs moves by 1; `radius`: at any point this near to it.
double most_speed(const Model& m, const Data& d, int body, const Vec3<double>& point, double radius);

/// What is near a switch at the instant that was differentiated. dy: row_columns of the constraints.
void find_switches(const SwitchSearch& search, const DerivativeState& s, const Matrix& dy);

// its parts
void find_pair_switches(const SwitchSearch& search, const DerivativeState& s);
void find_actuator_switches(const SwitchSearch& search);
void find_tendon_switches(const SwitchSearch& search);

}  // namespace sinew
