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

TEST_P(EverySensor, HasTheDerivativeOfItsValueByStateAndControl) {
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

/// A static body, and a chain of three hinges whose last two may be limited.
std::string limited_chain(const std::string& limited, const std::string& flags = "") {
  const std::string range = " range=\"-40 10\" limited=\"" + limited + "\"";
  return "<mujoco><option>" + flags + R"(</option><worldbody>
    <body><geom size=".1" contype="0" conaffinity="0"/><site name="fixed" pos="1 0 0"/></body>
    <body pos="0 0 1"><joint name="a" axis="0 1 0" range="-10 10" limited="true"/><geom size=".1" pos=".2 0 0"/>
      <body pos=".3 0 0"><joint name="b" axis="0 1 0")" +
         range + R"(/><geom size=".1" pos=".2 0 0"/>
        <body pos=".3 0 0"><joint name="c" axis="1 0 0")" +
         range + R"(/><geom size=".1" pos="0 .2 0"/></body></body></body>
  </worldbody><sensor><frameangacc objtype="site" objname="fixed"/><jointlimitfrc joint="a"/><jointlimitpos joint="a"/>
    <jointlimitvel joint="a"/></sensor></mujoco>)";
}

TEST(SensorDerivatives, IgnoreRowsThatAPerturbationAdds) {
  // two hinges are at the end of their range: a small motion adds rows for them
  for (const char* flags : {"", "<flag diagexact=\"enable\"/>"}) {
    Transition border, apart;
    InverseDerivative border_inverse, apart_inverse;
    double upper = 0;
    for (const bool limited : {true, false}) {
      World w(limited_chain(limited ? "true" : "false", flags));
      w.d.qpos[0] = 0.3;
      if (limited) upper = w.m.jnt_range[3];
      w.d.qpos[1] = w.d.qpos[2] = upper;
      w.d.qvel[0] = 0.5;
      forward(w.m, w.d);
      ASSERT_EQ(w.d.nefc, 1);
      TransitionOptions options;
      options.sensors = true;
      SwitchReport report;
      transition_analytic(w.m, w.d, options, limited ? border : apart, report);
      InverseOptions inverse_options;
      inverse_options.sensors = true;
      inverse_analytic(w.m, w.d, inverse_options, limited ? border_inverse : apart_inverse);
    }
    const auto expect_same = [](const std::vector<double>& got, const std::vector<double>& want) {
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-9 * (1 + std::abs(want[i]))) << i;
    };
    expect_same(border.A, apart.A);
    expect_same(border.C, apart.C);
    expect_same(border_inverse.DsDq, apart_inverse.DsDq);
    expect_same(border_inverse.DsDv, apart_inverse.DsDv);
  }
}

TEST(SensorDerivatives, IncludeRowsThatAPerturbationRemoves) {
  // closer to the end of the margin than the finite-difference step: the limit's force and distance are continued
  for (const double inside : {1e-7, 1e-3}) {
    World w(limited_chain("false"));
    w.d.qpos[0] = w.m.jnt_range[1] + inside;
    w.d.qvel[0] = 0.5;
    forward(w.m, w.d);
    ASSERT_EQ(w.d.nefc, 1);
    Transition out;
    TransitionOptions options;
    options.sensors = true;
    SwitchReport report;
    transition_analytic(w.m, w.d, options, out, report);
    EXPECT_NEAR(out.C[4 * out.ndx], -1, 1e-6) << inside;  // limitpos by the position of its joint
    EXPECT_NEAR(out.C[5 * out.ndx + 3], -1, 1e-6) << inside;
    EXPECT_LT(std::abs(out.C[3 * out.ndx]), 1e6) << inside;
  }
}

}  // namespace
}  // namespace sinew::test
