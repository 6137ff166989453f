#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sinew/derivatives.h"

// Exact derivatives of one step and of inverse dynamics; formulas: docs/derivatives.md. They are valid within one
// active set of the constraints; at a kink the one-sided derivative of the current set is returned and SwitchReport
// flags it.

namespace sinew {

/// An event at which the derivative of a step is discontinuous.
enum class SwitchKind {
  Row,           // id: a constraint row about to change state: force on or off, sliding or sticking
  Pair,          // id, other: geoms between which a contact appears or vanishes
  Feature,       // id: a contact whose points are about to change: a different corner or edge, one more or one fewer
  JointLimit,    // id: a limited joint at its margin, where its row appears
  TendonLimit,   // id: the same for a tendon
  Control,       // id: a control at the end of its range
  Activation,    // id: an actuator whose activation is at a bound, or a muscle's switches between rising and falling
  Force,         // id: an actuator whose force is at the end of forcerange
  JointForce,    // id: a joint whose actuator force is at the end of actuatorfrcrange
  TendonForce,   // id: the same for a tendon
  TendonSpring,  // id: a tendon whose spring begins to pull or to push
  TendonWrap     // id: a tendon that starts touching a geom; other: that geom
};
struct Switch {
  SwitchKind kind;
  int id;
  int other = -1;

  bool operator==(const Switch&) const = default;
};
/// "the force of actuator 3 is at the end of its range"
std::string describe(const Switch& s);

/// How near a step is to a kink of its derivative.
struct SwitchReport {
  std::string refusal;    // why `transition` fell back to differences; empty: it did not
  bool converged = true;  // rows and acceleration agree up to rounding
  /// Everything that switches, to first order, when one component of state or control changes by
  /// TransitionOptions::eps.
  std::vector<Switch> switches;
  std::vector<int> contacts;  // contacts that appear or vanish within a step: |dist - margin| <= |normal velocity| h
  std::vector<int> limits;    // limited joints that reach or leave their margin within a step
  /// Contacts of curved shapes that the step finds only within a tolerance. The derivative is that of the shapes'
  /// nearest points; differences of the step show the tolerance.
  std::vector<int> curved;
  /// The smallest |y / dy| over all rows and columns: to first order, a smaller change of any one component of state or
  /// control keeps the active set.
  double reach = std::numeric_limits<double>::infinity();

  /// The derivative is one-sided, or the solution is not the step's minimum.
  bool at_switch() const { return !converged || !switches.empty(); }
  bool names(SwitchKind kind, int id) const {
    return std::ranges::any_of(switches, [&](const Switch& s) { return s.kind == kind && s.id == id; });
  }
};

/// Memory for derivatives of one model, kept between calls: only the first call of each kind allocates.
class TransitionWorkspace {
 public:
  explicit TransitionWorkspace(const Model& model);
  TransitionWorkspace(TransitionWorkspace&&) noexcept;
  ~TransitionWorkspace();

  struct Parts;
  Parts& parts() { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

/// Why the derivative of a step of this world has no closed form here; empty if it has one.
std::string analytic_refusal(const Model& model, const Data& data);

/// A, B and, if options.sensors is set, C and D of one step from the state of `data`, which is not changed. The
/// solution of the constraints is polished first, so the result does not depend on the solver's tolerance or start. C
/// and D are centered differences of the sensors along the exact changes of state, acceleration and constraint forces.
/// Throws sinew::Exception if analytic_refusal gives a reason.
void transition_analytic(const Model& model, const Data& data, const TransitionOptions& options, Transition& out,
                         SwitchReport& report);
void transition_analytic(const Model& model, const Data& data, const TransitionOptions& options, Transition& out,
                         SwitchReport& report, TransitionWorkspace& workspace);
/// The same without a report, which saves the changes of all rows that carry no force.
void transition_analytic(const Model& model, const Data& data, const TransitionOptions& options, Transition& out,
                         TransitionWorkspace& workspace);

/// Exact derivatives of inverse dynamics at qpos, qvel and qacc of `data`, which is not changed, through the
/// constraints as well; layout as in inverse_fd. Ds* are centered differences of the sensors along the exact changes of
/// contacts and constraint forces; inverse dynamics has no actuators, so their forces do not change.
void inverse_analytic(const Model& model, const Data& data, const InverseOptions& options, InverseDerivative& out);

/// A model parameter with respect to which a step can be differentiated.
enum class ParameterKind {
  BodyMass,         // body_mass, with the center of mass and the inertia about it as they are
  BodyCom,          // body_ipos, component 0 … 2
  BodyInertia,      // body_inertia, component 0 … 2
  DofDamping,       // dof_damping
  DofArmature,      // dof_armature
  DofFrictionloss,  // dof_frictionloss
  JointStiffness,   // jnt_stiffness
  GeomFriction,     // geom_friction, component 0 … 2: sliding, spin, roll
  ActuatorGain,     // actuator_gainprm, component 0 … 9
  ActuatorBias,     // actuator_biasprm, component 0 … 9
  Gravity           // gravity, component 0 … 2; id is not used
};
struct Parameter {
  ParameterKind kind = ParameterKind::BodyMass;
  int id = 0;
  int component = 0;
};

/// d x_next/d parameter, ndx rows of parameters.size() numbers. The constants that the compiler derives from masses and
/// inertias (inverse weights, dof_M0, subtree masses …) are held fixed, as when a field of the model is edited. A
/// friction coefficient belongs to the geom from which the contact took it. Closed forms, except for inertial
/// parameters in a fluid and parameters of gains and biases that are neither fixed nor affine, where the force alone is
/// differenced. Throws sinew::Exception if analytic_refusal gives a reason.
void transition_parameters(const Model& model, const Data& data, std::span<const Parameter> parameters,
                           std::vector<double>& out, TransitionWorkspace& workspace);

}  // namespace sinew
