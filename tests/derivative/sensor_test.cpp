#include "derivative/difference.h"
#include "derivative/worlds.h"
#include "sim/world.h"
#include "sinew/analytic.h"

namespace sinew::test {
namespace {

/// d sensordata / d column by extrapolated centered differences of forward.
std::vector<double> sensor_column(const Model& m, const Data& d, int column, double eps) {
  const auto centered = [&](double h) {
    Data plus = moved(m, d, column, h), minus = moved(m, d, column, -h);
    forward(m, plus);
    forward(m, minus);
    std::vector<double> change(plus.sensordata.begin(), plus.sensordata.end());
    for (std::size_t i = 0; i < change.size(); ++i) change[i] = (change[i] - minus.sensordata[i]) / (2 * h);
    return change;
  };
  std::vector<double> coarse = centered(2 * eps), fine = centered(eps);
  for (std::size_t i = 0; i < fine.size(); ++i) fine[i] += (fine[i] - coarse[i]) / 3;
  return fine;
}

int sensor_of(const Model& m, int number) {
  int s = 0;
  while (s + 1 < m.nsensor && m.sensor_adr[s + 1] <= number) ++s;
  return s;
}

class EverySensor : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Options, EverySensor,
                         testing::Values("cone=\"pyramidal\"", "cone=\"elliptic\" integrator=\"implicitfast\"",
                                         "integrator=\"RK4\""));

TEST_P(EverySensor, has_the_derivative_of_its_value_by_state_and_control) {
  World w(with(kSensing, GetParam()));
  w.m.opt.tolerance = 0;
  w.m.opt.ls_tolerance = 1e-10;
  w.d.ctrl[0] = 0.3;
  w.d.ctrl[1] = 0.5;
  for (int i = 0; i < 40; ++i) step(w.m, w.d);
  forward(w.m, w.d);
  ASSERT_GE(w.d.ncon, 5);

  Transition out;
  TransitionOptions options;
  options.sensors = true;
  SwitchReport report;
  transition_analytic(w.m, w.d, options, out, report);
  const int nx = out.ndx;
  for (int k = 0; k < nx + out.nu; ++k) {
    const std::vector<double> expected = sensor_column(w.m, w.d, k, 1e-6);
    for (int i = 0; i < out.nsensordata; ++i) {
      const double actual = k < nx ? out.C[i * nx + k] : out.D[i * out.nu + k - nx];
      EXPECT_NEAR(actual, expected[i], 1e-6 * (1 + std::abs(expected[i])))
          << "number " << i << " (sensor " << sensor_of(w.m, i) << "), column " << k;
    }
  }
}

}  // namespace
}  // namespace sinew::test
