#pragma once

#include "derivative/state.h"
#include "sinew/analytic.h"

namespace sinew {

/// The world to search for switches, and how far one component of its state or controls may change.
struct SwitchSearch {
  const Model& m;
  Data& d;
  double eps;
  SwitchReport& report;

  /// A boundary at this distance that a unit change of one component moves by at most `rate`.
  bool within(double distance, double rate) const { return (distance < 0 ? -distance : distance) <= eps * rate; }
  void add(SwitchKind kind, int id, int other = -1) const {
    const Switch found = {kind, id, other};
    if (report.switches.empty() || report.switches.back() != found) report.switches.push_back(found);
  }
};

/// Largest speed at a point of a body per unit motion of one of its dofs; `radius`: maximum within this distance.
double most_speed(const Model& m, const Data& d, int body, const Vec3<double>& point, double radius);

/// Finds everything near a switch at the differentiated instant. dy: row_columns of the constraints.
void find_switches(const SwitchSearch& search, const DerivativeState& s, const Matrix& dy);

// parts of it
void find_pair_switches(const SwitchSearch& search, const DerivativeState& s);
void find_actuator_switches(const SwitchSearch& search);
void find_tendon_switches(const SwitchSearch& search);

}  // namespace sinew
