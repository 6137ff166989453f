#include "derivative/step.h"

#include <filesystem>
#include <random>

#include "derivative/difference.h"
#include "derivative/worlds.h"
#include "sim/world.h"
#include "sinew/analytic.h"
#include "sinew/error.h"

namespace sinew::test {
namespace {

/// Solver settings tight enough that differences of a step are those of the exact minimum.
void solve_tightly(Model& m) {
  m.opt.tolerance = 0;
  m.opt.ls_tolerance = 1e-10;
  m.opt.iterations = m.opt.ls_iterations = 100;
}

/// The state some steps after random velocities and controls.
void stir(const Model& m, Data& d, unsigned seed, int steps) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  for (double& x : d.qvel) x += 0.3 * normal(random);
  for (double& x : d.ctrl) x += 0.3 * normal(random);
  for (double& x : d.act) x = 0.3 + 0.05 * normal(random);
  for (int b = 1; b < m.nbody; b += 2)
    for (int k = 0; k < 6; ++k) d.xfrc_applied[6 * b + k] = 0.2 * normal(random);
  for (int i = 0; i < steps; ++i) step(m, d);
}

/// The largest error of the analytic columns against differences, relative to 1 + |value|.
struct ColumnError {
  double worst = 0;
  int row = 0, column = 0;
};

ColumnError column_error(const Model& m, const Data& d, const StepDerivative& derivative, double eps) {
  ColumnError error;
  for (int k = 0; k < derivative.columns().count(); ++k) {
    const std::vector<double> expected = step_column(m, d, k, eps);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double apart =
          std::abs(expected[i] - derivative.next()(static_cast<int>(i), k)) / (1 + std::abs(expected[i]));
      if (apart > error.worst) error = {apart, static_cast<int>(i), k};
    }
  }
  return error;
}

/// In a stiff scene differences with a small eps suffer from rounding: then a ten times larger one is used.
void expect_columns_of_the_step(const Model& m, const Data& d, double eps, const std::string& what) {
  StepDerivative derivative(m);
  derivative.compute(m, d);
  ColumnError error = column_error(m, d, derivative, eps);
  if (error.worst > 1e-6) error = column_error(m, d, derivative, 10 * eps);
  EXPECT_LT(error.worst, 1e-6) << what << ": row " << error.row << " column " << error.column << " of nv " << m.nv;
}

class EveryIntegrator : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Integrators, EveryIntegrator, testing::Values("Euler", "RK4", "implicit", "implicitfast"),
                         [](const auto& info) { return std::string(info.param); });

std::string integrator(const std::string& name) { return "integrator=\"" + name + "\""; }

TEST_P(EveryIntegrator, JointsSpringsDampersAndJointActuatorsHaveTheDerivativeOfTheStep) {
  World w(with(kJoints, integrator(GetParam())));
  for (const unsigned seed : {1u, 2u}) {
    reset(w.m, w.d);
    stir(w.m, w.d, seed, 30);
    expect_columns_of_the_step(w.m, w.d, 1e-4, "seed " + std::to_string(seed));
  }
}

TEST_P(EveryIntegrator, FluidTendonsAndAllTransmissionsHaveTheDerivativeOfTheStep) {
  World w(with(kForces, integrator(GetParam())));
  for (const unsigned seed : {1u, 2u}) {
    reset(w.m, w.d);
    stir(w.m, w.d, seed, 20);
    expect_columns_of_the_step(w.m, w.d, 1e-5, "seed " + std::to_string(seed));
  }
}

TEST_P(EveryIntegrator, PolynomialDampingInAFluidHasTheDerivativeOfTheStepEvenAtRest) {
  World w("<mujoco><option timestep=\".01\" density=\"100\" viscosity=\".1\" " + integrator(GetParam()) + R"(/>
    <worldbody><body pos="0 0 1"><joint axis="0 1 0" damping=".1 .5 .3"/><geom type="box" size=".1 .2 .3" pos=".3 0 0"/>
      <body pos=".6 0 0"><joint name="j" type="slide" axis="0 0 1" damping="0 .4 .1"/>
        <geom type="ellipsoid" size=".1 .2 .1" pos=".1 .1 0" fluidshape="ellipsoid"/></body></body>
      <body pos="0 3 1"><joint type="free" damping=".1 .2 0"/><geom type="box" size=".1 .2 .3" euler="10 20 30"/></body>
    </worldbody>
    <tendon><fixed name="t" damping=".2 .3 .1"><joint joint="j" coef="1"/></fixed></tendon></mujoco>)");
  expect_columns_of_the_step(w.m, w.d, 1e-4, "at rest");
  stir(w.m, w.d, 3, 20);
  expect_columns_of_the_step(w.m, w.d, 1e-5, "moving");
}

TEST_P(EveryIntegrator, EqualitiesDryFrictionAndLimitsHaveTheDerivativeOfTheStep) {
  World w(with(kHeld, integrator(GetParam())));
  solve_tightly(w.m);
  for (const unsigned seed : {1u, 2u}) {
    reset(w.m, w.d);
    stir(w.m, w.d, seed, 15);
    expect_columns_of_the_step(w.m, w.d, 1e-6, "seed " + std::to_string(seed));
  }
}

TEST_P(EveryIntegrator, ContactsHaveTheDerivativeOfTheStep) {
  for (const std::string cone : {"pyramidal", "elliptic"}) {
    World w(with(kTouching, integrator(GetParam()) + " cone=\"" + cone + "\" impratio=\"3\""));
    solve_tightly(w.m);
    for (const int steps : {2, 25}) {
      reset(w.m, w.d);
      stir(w.m, w.d, 5, steps);
      expect_columns_of_the_step(w.m, w.d, 1e-7, cone + ", " + std::to_string(steps) + " steps");
    }
  }
}

TEST_P(EveryIntegrator, BeltsAndAdhesionHaveTheDerivativeOfTheStep) {
  for (const std::string cone : {"pyramidal", "elliptic"}) {
    World w(with(kSticky, integrator(GetParam()) + " cone=\"" + cone + "\""));
    solve_tightly(w.m);
    w.d.ctrl[0] = 0.4;
    stir(w.m, w.d, 5, 10);
    w.d.ctrl[0] = 0.5;
    expect_columns_of_the_step(w.m, w.d, 1e-7, cone);
  }
}

TEST(AnalyticStep, EverySceneInTheModelsFolderHasTheDerivativeOfItsStep) {
  for (const auto& file : std::filesystem::directory_iterator(SINEW_SOURCE_DIR "/models")) {
    if (file.path().extension() != ".xml") continue;
    Model m = load(file.path().string()).value_or_throw();
    solve_tightly(m);
    for (const int steps : {3, 80}) {
      Data d(m);
      reset(m, d);
      stir(m, d, 3, steps);
      expect_columns_of_the_step(m, d, 3e-7, file.path().filename().string() + ", " + std::to_string(steps) + " steps");
    }
  }
}

TEST(AnalyticStep, TwoStepsHaveTheProductOfTheirDerivatives) {
  World w(with(kJoints, "integrator=\"implicit\""));
  stir(w.m, w.d, 4, 10);
  StepDerivative first(w.m), second(w.m);
  first.compute(w.m, w.d);
  const Data start = w.d;
  step(w.m, w.d);
  second.compute(w.m, w.d);
  const int nx = first.columns().state();
  constexpr double kEps = 1e-4;
  for (int k = 0; k < nx; ++k) {
    const auto twice = [&](double eps) {
      Data x = moved(w.m, start, k, eps);
      step(w.m, x);
      step(w.m, x);
      return x;
    };
    const std::vector<double> difference_of_two = difference(w.m, twice(-kEps), twice(kEps));
    for (int i = 0; i < nx; ++i) {
      double product = 0;
      for (int j = 0; j < nx; ++j) product += second.next()(i, j) * first.next()(j, k);
      EXPECT_NEAR(difference_of_two[i] / (2 * kEps), product, 1e-6 * (1 + std::abs(product))) << i << ", " << k;
    }
  }
}

TEST(AnalyticStep, TwoStepsOfEverySceneHaveTheProductOfTheirDerivatives) {
  for (const auto& file : std::filesystem::directory_iterator(SINEW_SOURCE_DIR "/models")) {
    if (file.path().extension() != ".xml") continue;
    Model m = load(file.path().string()).value_or_throw();
    solve_tightly(m);
    Data d(m);
    reset(m, d);
    stir(m, d, 3, 3);
    StepDerivative first(m), second(m);
    first.compute(m, d);
    const Data start = d;
    step(m, d);
    second.compute(m, d);
    const int nx = first.columns().state();
    const auto worst_with = [&](double eps) {
      double worst = 0;
      for (int k = 0; k < nx; ++k) {
        const auto centered = [&](double h) {
          Data plus = moved(m, start, k, h), minus = moved(m, start, k, -h);
          for (Data* x : {&plus, &minus}) step(m, *x), step(m, *x);
          std::vector<double> change = difference(m, minus, plus);
          for (double& c : change) c /= 2 * h;
          return change;
        };
        const std::vector<double> fine = centered(eps), coarse = centered(2 * eps);
        for (int i = 0; i < nx; ++i) {
          const double expected = fine[i] + (fine[i] - coarse[i]) / 3;
          double product = 0;
          for (int j = 0; j < nx; ++j) product += second.next()(i, j) * first.next()(j, k);
          worst = std::max(worst, std::abs(product - expected) / (1 + std::abs(expected)));
        }
      }
      return worst;
    };
    // stiffness amplifies the rounding error of differences, and a near switch limits their step
    double worst = worst_with(3e-7);
    if (worst > 1e-6) worst = worst_with(3e-6);
    EXPECT_LT(worst, 1e-6) << file.path().filename();
  }
}

TEST(AnalyticStep, AControlOutOfRangeHasAZeroColumn) {
  World w(with(kJoints, ""));
  stir(w.m, w.d, 1, 5);
  StepDerivative derivative(w.m);
  w.d.ctrl[0] = 1.5;
  derivative.compute(w.m, w.d);
  for (int i = 0; i < derivative.columns().state(); ++i)
    EXPECT_EQ(derivative.next()(i, derivative.columns().ctrl()), 0);
}

TEST(AnalyticStep, DoesNotDependOnTheWarmStartOrIterationsOfTheSolver) {
  World w(with(kTouching, "cone=\"elliptic\""));
  stir(w.m, w.d, 5, 20);
  StepDerivative a(w.m), b(w.m);
  a.compute(w.m, w.d);
  std::ranges::fill(w.d.qacc_warmstart, 0.0);
  w.m.opt.iterations = 3;
  b.compute(w.m, w.d);
  for (int i = 0; i < a.columns().state(); ++i)
    for (int k = 0; k < a.columns().count(); ++k)
      EXPECT_NEAR(a.next()(i, k), b.next()(i, k), 1e-8 * (1 + std::abs(a.next()(i, k))));
}

TEST(AnalyticStep, RefusesUnsupportedOptionsByName) {
  World w(with(kJoints, ""));
  w.m.opt.noslip_iterations = 3;
  Transition out;
  TransitionWorkspace workspace(w.m);
  try {
    transition_analytic(w.m, w.d, {}, out, workspace);
    FAIL();
  } catch (const Exception& e) {
    EXPECT_NE(std::string(e.what()).find("noslip"), std::string::npos);
  }
}

TEST(AnalyticStep, TheExactDiagonalHasTheDerivativeOfTheStep) {
  for (const std::string& world : {kHeld, kTouching, kSticky})
    for (const std::string cone : {"pyramidal", "elliptic"}) {
      World w(with(world, "cone=\"" + cone + "\""));
      w.m.opt.enableflags |= kEnableDiagexact;
      solve_tightly(w.m);
      stir(w.m, w.d, 5, 10);
      expect_columns_of_the_step(w.m, w.d, 1e-6, cone);
    }
}

}  // namespace
}  // namespace sinew::test
