#include "bind.h"
#include "call.h"
#include "collision/collide.h"
#include "compile/constants.h"
#include "constraint/assemble.h"
#include "constraint/islands.h"
#include "constraint/reference.h"
#include "constraint/solve.h"
#include "dynamics/acceleration.h"
#include "dynamics/actuation.h"
#include "dynamics/camera_light.h"
#include "dynamics/com.h"
#include "dynamics/energy.h"
#include "dynamics/inertia.h"
#include "dynamics/kinematics.h"
#include "dynamics/passive.h"
#include "dynamics/subtree.h"
#include "dynamics/tendon.h"
#include "dynamics/transmission.h"
#include "dynamics/velocity.h"
#include "sensor/sensors.h"
#include "sim/checks.h"
#include "sim/forward.h"
#include "sim/forward_inverse.h"
#include "sim/integrator_table.h"
#include "sim/sleep.h"
#include "sim/unchecked.h"
#include "sinew/support.h"

namespace sinew::python {
namespace {

enum Timer : int { kStep, kForward, kInverse };

/// The names of MuJoCo's stages and the corresponding stages of the engine.
struct Named {
  const char* name;
  void (*run)(const Model&, Data&);
  const char* doc;
};

void make_inertia(const Model& m, Data& d) {
  composite_inertia(m, d);
  factor_inertia(m, d);
}

void kinematic_level(const Model& m, Data& d) {
  kinematics_and_waking(m, d);
  com_position(m, d);
  camera_and_light_poses(m, d);
  tendon_paths(m, d);
}

template <Waking W>
void position_level(const Model& m, Data& d) {
  position(m, d, W);
}

template <Stage S>
void sensors_of(const Model& m, Data& d) {
  sensors(m, d, S);
}

void runge_kutta(const Model& m, Data& d) { integrate_rk4(m, d); }

void inverse_dynamics(const Model& m, Data& d) { unchecked::inverse_skip(m, d, Stage::None, false); }

/// Nothing to compute: the engine has no flexes.
void nothing(const Model&, Data&) {}

constexpr Named kStages[] = {
    {"mj_kinematics", kinematics_and_waking, "Forward kinematics: xpos, xquat, xmat, geom_xpos, site_xpos …"},
    {"mj_comPos", com_position<double>, "Centers of mass and inertias: subtree_com, cdof, cinert."},
    {"mj_camlight", camera_and_light_poses<double>, "Poses of cameras and lights."},
    {"mj_flex", nothing, "Nothing: the engine has no flexes."},
    {"mj_tendon", tendon_paths<double>, "Lengths and Jacobian of tendons."},
    {"mj_transmission", transmission<double>, "Lengths and moments of actuators."},
    {"mj_makeM", make_inertia, "Inertia matrix M and its factor."},
    {"mj_crb", composite_inertia<double>, "Composite inertia and M."},
    {"mj_factorM", factor_inertia<double>, "Factor of M: qLD, qLDiagInv."},
    {"mj_fwdKinematics", kinematic_level, "Kinematics, centers of mass, cameras, lights and tendons."},
    {"mj_collision", collide_and_waking, "Finds contacts."},
    {"mj_makeConstraint", build_constraints, "Builds the constraint rows efc_*."},
    {"mj_island", find_islands, "Finds islands."},
    {"mj_projectConstraint", project_constraints, "Regularizers of the constraint rows."},
    {"mj_referenceConstraint", constraint_reference, "efc_vel and efc_aref."},
    {"mj_comVel", com_velocity<double>, "Velocities of bodies: cvel, cdof_dot."},
    {"mj_passive", passive_forces<double>, "qfrc_passive and its parts."},
    {"mj_subtreeVel", subtree_velocity<double>, "subtree_linvel, subtree_angmom."},
    {"mj_rnePostConstraint", body_forces, "cacc, cfrc_int, cfrc_ext with all forces."},
    {"mj_energyPos", potential_energy<double>, "Potential energy."},
    {"mj_energyVel", kinetic_energy<double>, "Kinetic energy."},
    {"mj_sensorPos", sensors_of<Stage::Pos>, "Sensors of the position level."},
    {"mj_sensorVel", sensors_of<Stage::Vel>, "Sensors of the velocity level."},
    {"mj_sensorAcc", sensors_of<Stage::Acc>, "Sensors of the acceleration level."},
    {"mj_fwdPosition", position_level<Waking::ByEverything>, "Everything that follows from qpos."},
    {"mj_fwdVelocity", velocity, "Everything that follows from qpos and qvel."},
    {"mj_fwdActuation", actuation<double>, "Actuator forces and act_dot."},
    {"mj_fwdAcceleration", smooth_acceleration<double>, "qacc_smooth."},
    {"mj_fwdConstraint", solve_constraints, "Constraint forces and qacc."},
    {"mj_invPosition", position_level<Waking::ByUser>, "The position level of inverse dynamics."},
    {"mj_invVelocity", velocity, "The velocity level of inverse dynamics."},
    {"mj_invConstraint", [](const Model& m, Data& d) { inverse_constraints(m, d, d.qacc.data()); },
     "Constraint forces for the given qacc."},
    {"mj_compareFwdInv", compare_forward_inverse, "solver_fwdinv: discrepancy of forward and inverse dynamics."},
    {"mj_checkPos", check_positions, "Checks qpos; counts invalid values and resets."},
    {"mj_checkVel", check_velocities, "Checks qvel; counts invalid values and resets."},
    {"mj_checkAcc", check_accelerations, "Checks qacc; counts invalid values and resets."},
    {"mj_Euler", integrate_euler, "Integrates with the semi-implicit Euler method."},
    {"mj_implicit",
     [](const Model& m, Data& d) {
       const bool fast = m.opt.integrator == static_cast<int>(Integrator::ImplicitFast);
       (fast ? integrate_implicitfast : integrate_implicit)(m, d);
     },
     "Integrates with the implicit-in-velocity method."},
    {"mj_step1", unchecked::step1, "First half of a step, before the controls are set."},
    {"mj_step2", unchecked::step2, "Second half of a step, after the controls are set."},
};

void mj_step(PyModel& model, PyData& data, int nstep) {
  Call call(model, data);
  Timed timed(data, kStep, std::max(0, nstep));
  call([nstep](const Model& m, Data& d) {
    for (int i = 0; i < nstep; ++i) unchecked::step(m, d);
  });
  timed.stop();
}

template <void (*Run)(const Model&, Data&), Timer T>
void timed_call(PyModel& model, PyData& data) {
  Call call(model, data);
  Timed timed(data, T);
  call(Run);
  timed.stop();
}

/// The level to skip: none, position or velocity.
Stage stage_of(int skip) {
  if (skip < 0 || skip > 3) throw py::value_error("skipstage is not a value of mjtStage");
  return static_cast<Stage>(skip);
}

}  // namespace

void bind_step(py::module_& module) {
  module.def("mj_step", &mj_step, py::arg("m"), py::arg("d"), py::arg("nstep") = 1,
             "Advances the simulation by opt.timestep. Optionally, repeat nstep times.");
  module.def("mj_forward", &timed_call<unchecked::forward, kForward>, py::arg("m"), py::arg("d"),
             "Computes everything that follows from state and inputs, up to qacc.");
  module.def("mj_inverse", &timed_call<inverse_dynamics, kInverse>, py::arg("m"), py::arg("d"),
             "qfrc_inverse: the force that produces qacc.");
  for (const Named& stage : kStages) {
    module.def(
        stage.name, [run = stage.run](PyModel& m, PyData& d) { Call(m, d)(run); }, py::arg("m"), py::arg("d"),
        stage.doc);
  }
  module.def(
      "mj_RungeKutta",
      [](PyModel& m, PyData& d, int n) {
        if (n != 4) throw py::value_error("mj_RungeKutta: only N = 4 is supported");
        Call(m, d)(runge_kutta);
      },
      py::arg("m"), py::arg("d"), py::arg("N"), "Integrates with the fourth-order Runge-Kutta method.");
  module.def(
      "mj_forwardSkip",
      [](PyModel& m, PyData& d, int skipstage, int skipsensor) {
        const Stage stage = stage_of(skipstage);
        Call(m,
             d)([=](const Model& model, Data& data) { unchecked::forward_skip(model, data, stage, skipsensor != 0); });
      },
      py::arg("m"), py::arg("d"), py::arg("skipstage"), py::arg("skipsensor"),
      "mj_forward without the levels up to skipstage, and without sensors if skipsensor.");
  module.def(
      "mj_inverseSkip",
      [](PyModel& m, PyData& d, int skipstage, int skipsensor) {
        const Stage stage = stage_of(skipstage);
        Call(m,
             d)([=](const Model& model, Data& data) { unchecked::inverse_skip(model, data, stage, skipsensor != 0); });
      },
      py::arg("m"), py::arg("d"), py::arg("skipstage"), py::arg("skipsensor"),
      "mj_inverse without the levels up to skipstage, and without sensors if skipsensor.");
  module.def(
      "mj_resetData",
      [](PyModel& m, PyData& d) {
        d.cell->reserved = 0;
        Call(m, d)(unchecked::reset);
        d.cell->timer = {};
      },
      py::arg("m"), py::arg("d"), "Resets to the initial state of the model.");
  module.def(
      "mj_resetDataKeyframe",
      [](PyModel& m, PyData& d, int key) {
        d.cell->reserved = 0;
        Call(m, d)([key](const Model& model, Data& data) { unchecked::reset_to_keyframe(model, data, key); });
        d.cell->timer = {};
      },
      py::arg("m"), py::arg("d"), py::arg("key"), "Resets to the initial state, then to a keyframe.");
}

}  // namespace sinew::python
