#pragma once

#include <array>
#include <cmath>

// Contact parameters from quantities that can be measured: stiffness, damping, depth of penetration.

namespace sinew {

/// solref and solimp of two geoms in contact.
struct ContactParameters {
  std::array<double, 2> solref{};
  std::array<double, 5> solimp{};
  double stiffness = 0;  // N/m of one contact
  double damping = 0;    // N s/m of one contact
};

/// For a contact that resists penetration like a spring and a damper, with an effective mass (kg): that of the free
/// body that lies on something static; m1 m2 / (m1 + m2) for two free bodies.
///
/// With a constant impedance d the force of a row is  f = m d / (1 - d) (b v + k d r)  at depth r and speed of
/// approach v while the body does not accelerate. In the direct form, solref = (-stiffness', -damping'), k = stiffness'
/// / d² and b = damping' / d, so that f = m / (1 - d) (damping' v + stiffness' r), and the numbers follow.
///
/// The impedance says how much of the acceleration the constraint takes over. The rest is left to other forces, so that
/// the body moves on its spring as if its mass were m / (1 - d). Several contacts share a load: divide stiffness and damping of the body by their number. Exact for
/// condim 1 and elliptic cones; pyramidal ones are softer, by their friction.
constexpr ContactParameters contact_parameters(double mass, double stiffness, double damping, double impedance = 0.9) {
  const double scale = (1 - impedance) / mass;
  return {.solref = {-stiffness * scale, -damping * scale},
          .solimp = {impedance, impedance, 0.001, 0.5, 2},
          .stiffness = stiffness,
          .damping = damping};
}

/// The same from the depth (m) at which a load (N) rests, and the damping ratio of the mass on that spring (1:
/// critical).
inline ContactParameters contact_parameters_for_depth(double mass, double load, double depth, double damping_ratio = 1,
                                                      double impedance = 0.9) {
  const double stiffness = load / depth;
  const double critical = 2 * std::sqrt(stiffness * mass / (1 - impedance));
  return contact_parameters(mass, stiffness, damping_ratio * critical, impedance);
}

}  // namespace sinew
