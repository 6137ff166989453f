#include <random>

#include "derivative/difference.h"
#include "derivative/worlds.h"
#include "sim/world.h"
#include "sinew/analytic.h"

namespace sinew::test {
namespace {

std::vector<double> inverse_force(const Model& m, Data x, bool actuation) {
  inverse(m, x);
  std::vector<double> force(x.qfrc_inverse.begin(), x.qfrc_inverse.end());
  if (!actuation) return force;
  forward_skip(m, x, Stage::Vel, true);
  for (int i = 0; i < m.nv; ++i) force[i] -= x.qfrc_actuator[i];
  return force;
}

/// Column k of (q, v, a), by extrapolated differences.
std::vector<double> inverse_column(const Model& m, const Data& d, int k, double eps, bool actuation) {
  const auto at = [&](double h) {
    Data x = k < 2 * m.nv ? moved(m, d, k, h) : d;
    if (k >= 2 * m.nv) x.qacc[k - 2 * m.nv] += h;
    return inverse_force(m, x, actuation);
  };
  const auto centered = [&](double h) {
    std::vector<double> plus = at(h), minus = at(-h);
    for (std::size_t i = 0; i < plus.size(); ++i) plus[i] = (plus[i] - minus[i]) / (2 * h);
    return plus;
  };
  std::vector<double> coarse = centered(2 * eps), fine = centered(eps);
  for (std::size_t i = 0; i < fine.size(); ++i) fine[i] += (fine[i] - coarse[i]) / 3;
  return fine;
}

void expect_inverse_derivative(const Model& m, Data& d, bool actuation) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (double& x : d.qvel) x += 0.3 * normal(random);
  for (double& x : d.ctrl) x += 0.3 * normal(random);
  for (double& x : d.act) x = 0.4;
  for (int i = 0; i < 10; ++i) step(m, d);
  forward(m, d);
  for (double& x : d.qacc) x += normal(random);
  InverseDerivative out;
  InverseOptions options;
  options.actuation = actuation;
  inverse_analytic(m, d, options, out);
  const int nv = static_cast<int>(m.nv);
  const double eps = d.ncon > 0 ? 1e-6 : 1e-5;  // contact features change within a small distance
  for (int k = 0; k < 3 * nv; ++k) {
    const std::vector<double>& block = k < nv ? out.DfDq : k < 2 * nv ? out.DfDv : out.DfDa;
    const std::vector<double> expected = inverse_column(m, d, k, eps, actuation);
    double size = 1;
    for (const double x : expected) size = std::max(size, std::abs(x));
    for (int i = 0; i < nv; ++i)
      EXPECT_NEAR(block[(k % nv) * nv + i], expected[i], 1e-6 * size) << "row " << i << " column " << k;
  }
}

class InverseOf : public testing::TestWithParam<std::pair<const std::string*, std::string>> {};
INSTANTIATE_TEST_SUITE_P(Worlds, InverseOf,
                         testing::Values(std::pair{&kJoints, ""}, std::pair{&kForces, ""}, std::pair{&kHeld, ""},
                                         std::pair{&kTouching, "cone=\"elliptic\""}, std::pair{&kTouching, ""}));

TEST_P(InverseOf, DynamicsHasTheDerivativeOfQfrcInverse) {
  World w(with(*GetParam().first, GetParam().second));
  expect_inverse_derivative(w.m, w.d, false);
}

TEST(InverseOf, DynamicsMinusActuationHasItsDerivative) {
  World w(with(kJoints, ""));
  expect_inverse_derivative(w.m, w.d, true);
}

TEST(InverseOf, DiscreteDynamicsHasTheDerivativeOfQfrcInverse) {
  for (const char* integrator : {"Euler", "implicit", "implicitfast"}) {
    World w(with(kJoints, std::string("integrator=\"") + integrator + "\""));
    w.m.opt.enableflags |= kEnableInvdiscrete;
    expect_inverse_derivative(w.m, w.d, false);
  }
}

/// Sensors of inverse dynamics, which does not compute actuation: actuator forces stay unchanged.
std::vector<double> inverse_sensors(const Model& m, Data x) {
  inverse(m, x);
  return {x.sensordata.begin(), x.sensordata.end()};
}

class InverseSensors : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Options, InverseSensors, testing::Values("cone=\"pyramidal\"", "cone=\"elliptic\""));

TEST_P(InverseSensors, HaveTheDerivativeOfTheirValuesByPositionVelocityAndAcceleration) {
  for (const bool discrete : {false, true}) {
    World w(with(kSensing, GetParam() + (discrete ? " integrator=\"implicitfast\"" : "")));
    if (discrete) w.m.opt.enableflags |= kEnableInvdiscrete;
    w.d.ctrl[0] = 0.3;
    for (int i = 0; i < 40; ++i) step(w.m, w.d);
    forward(w.m, w.d);
    ASSERT_GE(w.d.ncon, 5);
    for (int i = 0; i < w.m.nv; ++i) w.d.qacc[i] += 0.1 * (i % 3);
    InverseDerivative out;
    inverse_analytic(w.m, w.d, {.sensors = true}, out);
    const int nv = static_cast<int>(w.m.nv), ns = static_cast<int>(w.m.nsensordata);
    const auto centered = [&](int k, double h) {
      Data plus = k < 2 * nv ? moved(w.m, w.d, k, h) : w.d, minus = k < 2 * nv ? moved(w.m, w.d, k, -h) : w.d;
      if (k >= 2 * nv) plus.qacc[k - 2 * nv] += h, minus.qacc[k - 2 * nv] -= h;
      std::vector<double> change = inverse_sensors(w.m, plus);
      const std::vector<double> low = inverse_sensors(w.m, minus);
      for (int i = 0; i < ns; ++i) change[i] = (change[i] - low[i]) / (2 * h);
      return change;
    };
    for (int k = 0; k < 3 * nv; ++k) {
      const std::vector<double>& block = k < nv ? out.DsDq : k < 2 * nv ? out.DsDv : out.DsDa;
      std::vector<double> expected = centered(k, 1e-6);
      const std::vector<double> coarse = centered(k, 2e-6);
      for (int i = 0; i < ns; ++i) {
        expected[i] += (expected[i] - coarse[i]) / 3;
        EXPECT_NEAR(block[(k % nv) * ns + i], expected[i], 2e-6 * (1 + std::abs(expected[i])))
            << "number " << i << " column " << k << (discrete ? " discrete" : "");
      }
    }
  }
}

TEST(InverseOf, InertiaHasASymmetricDerivative) {
  // M is symmetric and block diagonal in q of different trees; ∂M_ij/∂q_k against differences of M
  World w(with(kJoints, ""));
  for (int i = 0; i < 5; ++i) step(w.m, w.d);
  InverseDerivative out;
  InverseOptions options;
  options.inertia = true;
  inverse_analytic(w.m, w.d, options, out);
  for (int k = 0; k < w.m.nv; ++k) {
    Data plus = moved(w.m, w.d, k, 1e-5), minus = moved(w.m, w.d, k, -1e-5);
    forward(w.m, plus);
    forward(w.m, minus);
    for (int i = 0; i < w.m.nC; ++i) EXPECT_NEAR(out.DmDq[k * w.m.nC + i], (plus.M[i] - minus.M[i]) / 2e-5, 1e-8);
  }
}

}  // namespace
}  // namespace sinew::test
