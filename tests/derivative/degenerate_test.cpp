#include "derivative/difference.h"
#include "sim/world.h"
#include "sinew/analytic.h"
#include "sinew/derivatives.h"

// Worlds with few dofs: none, static bodies, constraint rows without nonzeros, tendons without moment.

namespace sinew::test {
namespace {

struct Degenerate {
  const char* name;
  const char* text;  // of <mujoco>, after its option
};

constexpr const char* kSensors = R"(
    <frameangacc objtype="site" objname="s"/><framelinacc objtype="site" objname="s"/>
    <framepos objtype="site" objname="s"/><frameangvel objtype="site" objname="s"/><touch site="s"/>
    <accelerometer site="s"/><force site="s"/><torque site="s"/><velocimeter site="s"/>)";

constexpr Degenerate kDegenerate[] = {
    {"nothing", "<worldbody/>"},
    {"no_dofs", R"(<worldbody><body><geom name="a" size=".1"/><site name="s"/></body>
      <body pos="0 0 .15"><geom name="b" size=".1"/><site name="t"/></body></worldbody>
      <contact><pair geom1="a" geom2="b"/></contact>
      <tendon><spatial name="t" limited="true" range="0 .1" frictionloss="1"><site site="s"/><site site="t"/></spatial>
      </tendon>
      <actuator><general tendon="t" dyntype="integrator"/><general site="s" gear="1 0 0 0 0 0"/></actuator>
      <sensor>SENSORS<tendonpos tendon="t"/><tendonlimitfrc tendon="t"/></sensor>)"},
    {"static_pair", R"(<worldbody><body><geom name="a" size=".1"/><site name="s"/></body>
      <body pos="0 0 .15"><geom name="b" size=".1"/></body>
      <body pos="1 0 1"><joint axis="0 1 0" range="-1 1"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
      <contact><pair geom1="a" geom2="b"/></contact><sensor>SENSORS</sensor>)"},
    {"pair_on_one_body", R"(<worldbody><body pos="0 0 1"><freejoint/><geom name="a" size=".1"/><site name="s"/>
      <body pos="0 0 .15"><geom name="b" size=".1"/></body></body></worldbody>
      <contact><pair geom1="a" geom2="b"/></contact><sensor>SENSORS</sensor>)"},
    {"tendon_without_dofs", R"(<worldbody><site name="s"/><site name="t" pos="0 0 1"/>
      <body pos="1 0 1"><joint axis="0 1 0" range="-1 1"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
      <tendon><spatial name="t" limited="true" range="0 .1" frictionloss="1" stiffness="3" damping="1">
        <site site="s"/><site site="t"/></spatial></tendon>
      <actuator><position tendon="t" kp="3"/></actuator>
      <sensor>SENSORS<tendonlimitfrc tendon="t"/></sensor>)"},
    {"moment_vanishes", R"(<worldbody><site name="s" pos="1 0 1"/>
      <body pos="1 0 0"><joint axis="0 1 0" limited="true" range="-1 1"/><geom size=".1" pos=".1 0 0"/>
        <site name="t"/></body></worldbody>
      <tendon><spatial name="t" limited="true" range="0 .3" frictionloss="1"><site site="s"/><site site="t"/></spatial>
      </tendon><sensor>SENSORS<tendonlimitfrc tendon="t"/><tendonlimitvel tendon="t"/></sensor>)"},
    {"one_tree_of_two", R"(<worldbody>
      <body pos="5 5 5"><joint type="free" frictionloss=".1"/><geom name="w" size=".1"/></body>
      <body pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
        <body pos=".3 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
          <site name="s" pos=".3 0 0"/></body></body><site name="t" pos="1 0 1.5"/></worldbody>
      <tendon><spatial frictionloss="1"><site site="s"/><geom geom="w"/><site site="t"/></spatial></tendon>
      <sensor>SENSORS</sensor>)"},
    {"equalities_of_the_world", R"(<worldbody><body name="a"><geom size=".1"/><site name="s"/></body>
      <body name="b" pos="0 0 1"><geom size=".1"/></body><body name="m" mocap="true"/>
      <body name="c" pos="1 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
      <equality><weld body1="a" body2="b"/><connect body1="a" body2="b" anchor="0 0 0"/><weld body1="m" body2="a"/>
        <connect body1="m" body2="c" anchor="1 0 1"/></equality><sensor>SENSORS</sensor>)"},
};

std::string text_of(const Degenerate& world, const std::string& option) {
  std::string text = world.text;
  const std::string place = "SENSORS";
  if (const auto at = text.find(place); at != std::string::npos) text.replace(at, place.size(), kSensors);
  return "<mujoco><option " + option + "</option>" + text + "</mujoco>";
}

class DegenerateWorlds : public testing::TestWithParam<Degenerate> {};

TEST_P(DegenerateWorlds, HaveFiniteDerivativesThatMatchTheStep) {
  for (const std::string integrator : {"Euler", "RK4", "implicit", "implicitfast"}) {
    for (const std::string more :
         {"jacobian=\"dense\">", "jacobian=\"sparse\">", "cone=\"elliptic\" jacobian=\"dense\">",
          "jacobian=\"sparse\"><flag diagexact=\"enable\"/>"}) {
      SCOPED_TRACE(integrator + " " + more);
      World w(text_of(GetParam(), "tolerance=\"0\" ls_tolerance=\"1e-10\" integrator=\"" + integrator + "\" " + more));
      for (int i = 0; i < w.m.nv; ++i) w.d.qvel[i] = 0.1 * (i + 1);
      forward(w.m, w.d);
      Transition exact, differences;
      TransitionOptions options;
      options.sensors = true;
      SwitchReport report;
      transition_analytic(w.m, w.d, options, exact, report);
      transition_fd(w.m, w.d, options, differences);
      for (const auto* matrix : {&exact.A, &exact.B, &exact.C, &exact.D})
        for (const double x : *matrix) EXPECT_TRUE(std::isfinite(x));
      for (const auto* matrix : {&differences.A, &differences.B, &differences.C, &differences.D})
        for (const double x : *matrix) EXPECT_TRUE(std::isfinite(x));
      if (!report.at_switch()) {
        for (int k = 0; k < exact.ndx; ++k) {
          const std::vector<double> want = step_column(w.m, w.d, k, 1e-6);
          for (int i = 0; i < exact.ndx; ++i) EXPECT_NEAR(exact.A[i * exact.ndx + k], want[i], 1e-5) << i << ' ' << k;
        }
      }
      InverseDerivative inverse, inverse_differences;
      const InverseOptions inverse_options = {.sensors = true, .inertia = true};
      inverse_analytic(w.m, w.d, inverse_options, inverse);
      inverse_fd(w.m, w.d, inverse_options, inverse_differences);
      for (const InverseDerivative* x : {&inverse, &inverse_differences})
        for (const auto* matrix : {&x->DfDq, &x->DfDv, &x->DfDa, &x->DsDq, &x->DsDv, &x->DsDa, &x->DmDq})
          for (const double number : *matrix) EXPECT_TRUE(std::isfinite(number));
      std::vector<double> by_parameter;
      std::vector<Parameter> parameters = {{ParameterKind::Gravity, 0, 2}};
      if (w.m.nbody > 1) parameters.push_back({ParameterKind::BodyMass, 1, 0});
      if (w.m.ngeom > 0) parameters.push_back({ParameterKind::GeomFriction, 0, 0});
      TransitionWorkspace workspace(w.m);
      transition_parameters(w.m, w.d, parameters, by_parameter, workspace);
      for (const double x : by_parameter) EXPECT_TRUE(std::isfinite(x));
      std::vector<double> dense;
      smooth_vel(w.m, w.d, true, dense);
      smooth_vel_exact(w.m, w.d, dense);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Worlds, DegenerateWorlds, testing::ValuesIn(kDegenerate),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace sinew::test
