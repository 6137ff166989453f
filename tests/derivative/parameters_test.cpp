#include "derivative/parameters.h"

#include <functional>
#include <random>

#include "derivative/difference.h"
#include "derivative/worlds.h"
#include "sim/world.h"
#include "sinew/analytic.h"

namespace sinew::test {
namespace {

/// Disables compiled shortcuts that a change of mass would invalidate: frames that coincide with inertial frames, and
/// simple dofs.
void without_shortcuts(Model& m) {
  std::ranges::fill(m.body_sameframe.edit(), static_cast<std::uint8_t>(SameFrame::None));
  for (auto* frames : {&m.geom_sameframe, &m.site_sameframe})
    for (auto& frame : frames->edit())
      if (SameFrame(frame) == SameFrame::Inertia || SameFrame(frame) == SameFrame::InertiaRot)
        frame = static_cast<std::uint8_t>(SameFrame::None);
  ASSERT_TRUE(refresh(m));
}

std::vector<double> parameter_column(const Model& m, const Data& d, const Parameter& p, double eps) {
  const auto centered = [&](double h) {
    Model plus = m, minus = m;
    parameter_value(plus, p) += h;
    parameter_value(minus, p) -= h;
    Data x(plus), y(minus);
    std::vector<double> state(state_size(m, kStateIntegration));
    get_state(m, d, state, kStateIntegration);
    set_state(plus, x, state, kStateIntegration);
    set_state(minus, y, state, kStateIntegration);
    step(plus, x);
    step(minus, y);
    std::vector<double> change = difference(m, y, x);
    for (double& c : change) c /= 2 * h;
    return change;
  };
  std::vector<double> coarse = centered(2 * eps), fine = centered(eps);
  for (std::size_t i = 0; i < fine.size(); ++i) fine[i] += (fine[i] - coarse[i]) / 3;
  return fine;
}

void expect_parameter_columns(World& w, const std::vector<Parameter>& parameters, int steps, double eps) {
  w.m.opt.tolerance = 0;
  w.m.opt.ls_tolerance = 1e-10;
  without_shortcuts(w.m);
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (double& x : w.d.qvel) x += 0.3 * normal(random);
  for (double& x : w.d.ctrl) x += 0.3 * normal(random);
  for (double& x : w.d.act) x = 0.3;
  for (int k = 0; k < 6; ++k) w.d.xfrc_applied[6 + k] = 0.2 * normal(random);
  for (int i = 0; i < steps; ++i) step(w.m, w.d);
  TransitionWorkspace workspace(w.m);
  std::vector<double> out;
  transition_parameters(w.m, w.d, parameters, out, workspace);
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const std::vector<double> expected = parameter_column(w.m, w.d, parameters[k], eps);
    double size = 0;
    for (const double x : expected) size = std::max(size, std::abs(x));
    EXPECT_GT(size, 0) << "parameter " << k << " has no effect";
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(out[i * parameters.size() + k], expected[i], 1e-6 * (1 + size)) << "parameter " << k << " row " << i;
  }
}

using enum ParameterKind;

TEST(ParametersOfAStep, InertiaDampersSpringsGainsAndGravityHaveTheDerivativeOfTheStep) {
  for (const char* integrator : {"Euler", "RK4", "implicit", "implicitfast"}) {
    World w(with(kJoints, std::string("integrator=\"") + integrator + "\""));
    // inertia rows of simple bodies are compiled constants
    std::vector<Parameter> parameters;
    for (const int body : {1, 2, 3, 4, 5}) {
      parameters.push_back({BodyMass, body});
      for (const int k : {0, 1, 2}) {
        parameters.push_back({BodyCom, body, k});
        parameters.push_back({BodyInertia, body, k});
      }
    }
    for (const int dof : {0, 2, 4, 6}) {
      parameters.push_back({DofDamping, dof});
      parameters.push_back({DofArmature, dof});
    }
    for (const int jnt : {0, 1, 2, 3}) parameters.push_back({JointStiffness, jnt});
    for (const int k : {0, 1, 2}) {
      parameters.push_back({Gravity, 0, k});
      parameters.push_back({ActuatorGain, 1, k});
      parameters.push_back({ActuatorBias, 1, k});
    }
    parameters.push_back({ActuatorGain, 0, 0});
    expect_parameter_columns(w, parameters, 10, 1e-5);
  }
}

TEST(ParametersOfAStep, DryFrictionHasTheDerivativeOfTheStep) {
  World w(R"(
<mujoco>
  <worldbody>
    <body><joint axis="0 1 0" frictionloss="0.2"/><geom size="0.1" pos="0.3 0 0"/>
      <body pos="0.5 0 0"><joint axis="0 1 0" frictionloss="0.1"/><geom size="0.1" pos="0.3 0 0"/></body>
    </body>
  </worldbody>
</mujoco>)");
  expect_parameter_columns(w, {{DofFrictionloss, 0}, {DofFrictionloss, 1}}, 20, 1e-5);
}

TEST(ParametersOfAStep, ContactFrictionHasTheDerivativeOfTheStep) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    World w(with(kTouching, std::string("impratio=\"2\" cone=\"") + cone + "\""));
    // the contacts of the first shapes with the plane use the friction of the shape
    std::vector<Parameter> parameters;
    for (const int geom : {2, 3, 4}) {
      w.m.geom_friction[3 * geom] = 0.9;
      w.m.geom_friction[3 * geom + 1] = 0.03;
      w.m.geom_friction[3 * geom + 2] = 0.02;
      parameters.push_back({GeomFriction, geom, 0});
    }
    parameters.push_back({GeomFriction, 2, 1});
    parameters.push_back({GeomFriction, 2, 2});
    parameters.push_back({GeomFriction, 3, 1});
    expect_parameter_columns(w, parameters, 4, 1e-6);
  }
}

TEST(ParametersOfAStep, InertiaInAFluidAndGainsOfEveryKindHaveTheDerivativeOfTheStep) {
  for (const char* integrator : {"Euler", "RK4", "implicit", "implicitfast"}) {
    World w(with(kForces, std::string("integrator=\"") + integrator + "\""));
    std::vector<Parameter> parameters;
    for (const int body : {1, 2, 3}) {
      parameters.push_back({BodyMass, body});
      for (const int k : {0, 1, 2}) {
        parameters.push_back({BodyCom, body, k});
        parameters.push_back({BodyInertia, body, k});
      }
    }
    for (const int k : {2, 6, 8}) parameters.push_back({ActuatorGain, 0, k});  // force, vmax, fvmax of a muscle
    parameters.push_back({ActuatorGain, 1, 0});                                // on a tendon with a force limit
    parameters.push_back({ActuatorGain, 6, 2});
    parameters.push_back({ActuatorBias, 3, 1});
    expect_parameter_columns(w, parameters, 5, 1e-5);
  }
}

TEST(ParametersOfAStep, AnIndexOutOfRangeIsRefused) {
  World w(with(kJoints, ""));
  TransitionWorkspace workspace(w.m);
  std::vector<double> out;
  for (const Parameter& p : {Parameter{BodyMass, 99}, Parameter{BodyCom, 1, 3}, Parameter{DofDamping, -1}})
    EXPECT_THROW(transition_parameters(w.m, w.d, std::vector{p}, out, workspace), Exception);
  // the workspace is still usable
  transition_parameters(w.m, w.d, std::vector{Parameter{BodyMass, 1}}, out, workspace);
  EXPECT_EQ(out.size(), 2 * w.m.nv + w.m.na);
}

}  // namespace
}  // namespace sinew::test
