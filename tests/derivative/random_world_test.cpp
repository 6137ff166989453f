#include "derivative/difference.h"
#include "sim/world.h"
#include "sinew/analytic.h"

// Worlds in which random models showed an exact derivative that was not that of the step.

namespace sinew::test {
namespace {

/// The exact derivative is that of differences, with a solver and a collision that are converged.
void expect_derivative_of_the_step(World& w, double tolerance) {
  w.m.opt.tolerance = 0;
  w.m.opt.iterations = w.m.opt.ls_iterations = w.m.opt.ccd_iterations = 200;
  w.m.opt.ccd_tolerance = 1e-12;
  forward(w.m, w.d);
  Transition exact;
  SwitchReport report;
  transition_analytic(w.m, w.d, {}, exact, report);
  for (int k = 0; k < exact.ndx; ++k) {
    const std::vector<double> want = step_column(w.m, w.d, k, 1e-4);
    for (int i = 0; i < exact.ndx; ++i)
      EXPECT_NEAR(exact.A[i * exact.ndx + k], want[i], tolerance * std::max(1.0, std::abs(want[i]))) << i << ' ' << k;
  }
}

TEST(ExactDerivative, a_tendon_with_one_rest_length_has_its_stiffness_there) {
  World w(R"(<mujoco><worldbody><body><joint name="j"/><geom size=".08" pos=".1 0 0"/></body></worldbody>
    <tendon><fixed stiffness="3"><joint joint="j" coef="1"/></fixed></tendon></mujoco>)");
  ASSERT_EQ(w.m.tendon_lengthspring[0], w.m.tendon_lengthspring[1]);
  forward(w.m, w.d);
  ASSERT_EQ(w.d.ten_length[0], w.m.tendon_lengthspring[0]);
  expect_derivative_of_the_step(w, 1e-8);
}

TEST(ExactDerivative, joints_behind_a_ball_in_the_same_body_turn_its_axes_in_the_rows_of_connect_and_weld) {
  for (const char* equality : {R"(<weld body1="a" body2="world"/>)", R"(<connect body1="a" anchor=".1 0 .2"/>)",
                               R"(<weld body1="b" body2="c"/>)", R"(<connect body1="b" body2="c" anchor="0 .1 0"/>)"}) {
    SCOPED_TRACE(equality);
    World w(std::string(R"(<mujoco><worldbody>
      <body name="a"><joint type="ball"/><joint type="slide" axis="1 0 1"/><joint type="slide" axis="0 1 .5"/><geom size=".3"/>
        <body name="b" pos="0 .4 0"><joint axis="1 0 0"/><geom size=".1 .1 .2" type="box" contype="0"/></body></body>
      <body name="c" pos="0 .5 0"><joint type="slide" axis="0 0 1"/><joint type="ball"/><joint type="slide" axis="1 1 0"/>
        <geom size=".1 .2 .1" type="box" contype="0" conaffinity="0"/></body></worldbody><equality>)") +
            equality + "</equality></mujoco>");
    for (int i = 0; i < w.m.nv; ++i) w.d.qvel[i] = 0.7 * std::cos(2 * i);
    std::vector<double> turn(w.m.nv);
    for (int i = 0; i < w.m.nv; ++i) turn[i] = 0.3 * std::sin(3 * i + 1);
    integrate_pos(w.m, w.d.qpos.data(), turn.data(), 1);
    expect_derivative_of_the_step(w, 1e-7);
  }
}

TEST(ExactDerivative, each_contact_of_a_turned_pair_follows_its_own_turn) {
  World w(R"(<mujoco><worldbody>
    <body pos="0 0 .2"><freejoint/><geom type="capsule" size=".09" fromto="0 0 .115 0 -.1 .142"/></body>
    <body pos="-.132 0 .37"><geom type="cylinder" size=".08 .05"/></body></worldbody></mujoco>)");
  forward(w.m, w.d);
  ASSERT_EQ(w.d.ncon, 3);
  expect_derivative_of_the_step(w, 3e-5);
}

TEST(ExactDerivative, a_contact_inside_of_one_rigid_piece_adds_nothing_however_large_its_force) {
  World w(R"(<mujoco><option><flag diagexact="enable"/></option><worldbody>
    <body gravcomp="1"><freejoint/><geom name="a" size=".2"/>
      <body><geom name="b" size=".2" pos="0 0 .1"/></body></body></worldbody>
    <contact><pair geom1="a" geom2="b"/></contact></mujoco>)");
  forward(w.m, w.d);
  ASSERT_GT(w.d.efc_force[0], 1e12);
  expect_derivative_of_the_step(w, 1e-8);
}

TEST(ExactDerivative, contacts_of_portal_refinement_move_as_it_finds_them_and_not_as_the_nearest_points) {
  World w(R"(<mujoco><option><flag nativeccd="disable"/></option><asset>
    <mesh name="m" vertex="0 0 0 -.07 0 .2 .126 0 .152 0 0 -.1 0 .192 1 -.09 0 -.2"/></asset><worldbody>
    <body><geom mesh="m" type="mesh"/></body><body><joint/><geom size=".2" pos="0 .2 0"/></body></worldbody></mujoco>)");
  forward(w.m, w.d);
  ASSERT_EQ(w.d.ncon, 1);
  expect_derivative_of_the_step(w, 1e-4);
}

TEST(SwitchReport, a_capsule_that_stands_upright_on_a_plane_is_named_as_its_axis_wishes_no_tangent) {
  World w(R"(<mujoco><worldbody><geom type="plane" size="3 3 1"/>
    <body><joint axis="0 1 -.2"/><geom type="capsule" size=".07 .2" pos=".1 0 0"/></body></worldbody></mujoco>)");
  Transition out;
  SwitchReport report;
  transition_analytic(w.m, w.d, {}, out, report);
  EXPECT_TRUE(report.names(SwitchKind::Feature, 0));
  w.d.qpos[0] = 0.01;
  transition_analytic(w.m, w.d, {}, out, report);
  EXPECT_FALSE(report.names(SwitchKind::Feature, 0));
}

}  // namespace
}  // namespace sinew::test
