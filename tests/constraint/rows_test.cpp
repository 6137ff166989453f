#include "sinew/query.h"
#include "world.h"

// Constraint rows, their reference and their solution, against MuJoCo 3.12.0.

namespace sinew::test {
namespace {

std::string box_on_plane(const std::string& options) {
  return R"(<mujoco><option )" + options + R"(/>
    <worldbody>
      <geom type="plane" size="1 1 .1"/>
      <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>
    </worldbody></mujoco>)";
}

struct SlidingBox {
  std::string options;
  int rows;
  int niter;
  double qacc[3];  // x, z, rotation about y
};

class BoxSlidesOnPlane : public testing::TestWithParam<SlidingBox> {};

// MuJoCo 3.12.0: qvel = 1 .2 -.3 0 .5 .1, one forward pass; qacc[0], qacc[2], qacc[4]
TEST_P(BoxSlidesOnPlane, AsInMuJoCo) {
  World w(box_on_plane(GetParam().options));
  w.set_qvel({1, .2, -.3, 0, .5, .1});
  forward(w.m, w.d);
  EXPECT_EQ(w.d.nefc, GetParam().rows);
  EXPECT_EQ(w.d.solver_niter[0], GetParam().niter);
  const double qacc[3] = {w.d.qacc[0], w.d.qacc[2], w.d.qacc[4]};
  expect_near(qacc, {GetParam().qacc[0], GetParam().qacc[1], GetParam().qacc[2]}, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(
    Solvers, BoxSlidesOnPlane,
    testing::Values(
        SlidingBox{R"(solver="Newton")", 16, 4, {-70.9209867199, 61.1109867199, -5.31907400399}},
        SlidingBox{R"(solver="Newton" cone="elliptic")", 12, 4, {-72.3020222845, 63.8953300606, -26.4722683058}},
        SlidingBox{R"(solver="CG" iterations="3")", 16, 3, {-47.7509560301, 85.0877683046, 319.460182098}},
        SlidingBox{
            R"(solver="CG" cone="elliptic" iterations="3")", 12, 3, {-53.5931129389, 83.6980676093, 179.454891017}},
        SlidingBox{R"(solver="PGS")", 16, 11, {-70.9209910725, 61.1109910725, -5.31907433044}},
        SlidingBox{R"(solver="PGS" cone="elliptic")", 12, 30, {-72.3020187063, 63.8953263157, -26.4722655433}}));

TEST(Rows, OfAnEllipticContactHaveMuJoCosRegularizerAndReference) {
  World w(box_on_plane(R"(cone="elliptic")"));
  w.set_qvel({1, .2, -.3, 0, .5, .1});
  forward(w.m, w.d);
  expect_near(w.d.efc_R, {0.0526315789473685, 0.0526315789473685, 0.0526315789473685}, 1e-13);
  expect_near(w.d.efc_aref, {28.94736842105264, -20, 101.07894736842107}, 1e-13);
}

constexpr const char* kEqualities = R"(<mujoco>
  <worldbody>
    <body name="a" pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/>
      <body name="b" pos=".5 0 0"><joint name="j" axis="0 0 1"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0"/></body></body>
    <body name="c" pos=".9 0 1"><freejoint/><geom type="box" size=".1 .05 .02"/></body>
    <body name="s" pos="2 0 0"><joint name="s" type="slide" axis="0 0 1"/><geom size=".1"/></body>
  </worldbody>
  <equality>
    <connect body1="b" body2="c" anchor=".4 0 0"/>
    <weld body1="c" body2="s" torquescale=".5"/>
    <joint joint1="j" joint2="s" polycoef=".1 .5 .2 0 .3"/>
  </equality>
</mujoco>)";

// MuJoCo 3.12.0, oracle get efc_pos efc_aref efc_force qacc with this qpos and qvel
TEST(Rows, OfEqualitiesHaveMuJoCosResidualReferenceAndForce) {
  World w(kEqualities);
  w.set_qpos({.1, -.2, .95, .05, 1.02, .9, .1, .3, .3, .15});
  w.set_qvel({1, -2, .3, .2, .1, .5, -.4, .3, .7});
  forward(w.m, w.d);
  ASSERT_EQ(w.d.nefc, 10);
  expect_near(w.d.efc_pos,
              {-0.06242978648026054, -0.1294677323180245, -0.10905406632631642, -0.946, 0.7100000000000002,
               -0.4580000000000003, 0.05, 0.15, 0.15, -0.379651875},
              1e-14);
  expect_near(w.d.efc_aref,
              {224.30454834939408, 443.9712417258443, 388.7070400468768, 2444.9737368421047, -1984.2965789473687,
               1219.4983157894744, -148.94111842105264, -388.4023026315789, -396.82335526315785, 1251.1717763157894},
              1e-13);
  expect_near(w.d.efc_force,
              {-165.26191045056254, -1324.866512557414, 2598.3663146993003, -245.10886833314157, -1570.8895592064584,
               3156.8850654164644, 5.32135308553964, -2.612440203657406, -6.436247743845369, 681.0661474423613},
              1e-11);
  expect_near(w.d.qacc,
              {-1005.5638667619802, 594.1906475961965, -99.80869735321937, -307.52880831132774, 688.3384383964593,
               -1418.0299210011824, -982.9992297345316, -1146.656091820194, -855.1711312008672},
              1e-11);
}

TEST(Rows, OfAConnectHaveMuJoCosBiasForASlideAfterABall) {
  World w(
      R"(<mujoco><worldbody><body name="b"><joint type="ball"/><joint type="slide"/><geom size="1"/></body></worldbody>
    <equality><connect body1="world" anchor="0 1 0" body2="b"/></equality></mujoco>)");
  w.set_qvel({1, 2, 3, 4});
  forward(w.m, w.d);
  // J̇ v from MuJoCo 3.12.0 (native, mj_jacDot); the derivative of the Jacobian along the motion is (18, -18, 6)
  const double bias[] = {10, -14, 6};
  for (int r = 0; r < 3; ++r) EXPECT_NEAR(w.d.efc_aref[r] + w.d.efc_KBIP[4 * r + 1] * w.d.efc_vel[r], bias[r], 1e-9);
}

TEST(Rows, AnInactiveEqualityHasNone) {
  World w(kEqualities);
  w.d.eq_active[1] = 0;
  forward(w.m, w.d);
  EXPECT_EQ(w.d.ne, 4);
}

// residuals of a pure position constraint: J is the derivative of pos with respect to the velocity coordinates
TEST(Rows, TheJacobianIsTheDerivativeOfTheResidual) {
  World w(kEqualities);
  w.set_qpos({.1, -.2, .95, .05, 1.02, .9, .1, .3, .3, .15});
  forward(w.m, w.d);
  const int n = w.d.nefc;
  std::vector<double> J(n * w.m.nv, 0.0);
  for (int r = 0; r < n; ++r)
    for (int k = w.d.efc_J_rowadr[r]; k < w.d.efc_J_rowadr[r] + w.d.efc_J_rownnz[r]; ++k)
      J[r * w.m.nv + w.d.efc_J_colind[k]] = w.d.efc_J[k];
  constexpr double kStep = 1e-6;
  for (int i = 0; i < w.m.nv; ++i) {
    double pos[2][10];
    for (int side = 0; side < 2; ++side) {
      World moved(kEqualities);
      moved.set_qpos({.1, -.2, .95, .05, 1.02, .9, .1, .3, .3, .15});
      // without forces a step moves each coordinate along its own velocity
      moved.m.opt.timestep = kStep;
      moved.m.opt.disableflags |= kDisableGravity | kDisableConstraint;
      moved.d.qvel[i] = side == 0 ? 1 : -1;
      step(moved.m, moved.d);
      moved.m.opt.disableflags &= ~kDisableConstraint;
      forward(moved.m, moved.d);
      std::copy_n(moved.d.efc_pos.begin(), n, pos[side]);
    }
    for (int r = 0; r < n; ++r)
      EXPECT_NEAR((pos[0][r] - pos[1][r]) / (2 * kStep), J[r * w.m.nv + i], 1e-5) << "row " << r << ", dof " << i;
  }
}

TEST(Contacts, AtRestCarryTheWeightAndNothingElse) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    World w(box_on_plane("cone=\"" + std::string(cone) + "\""));
    w.steps(2000);
    double sum[3] = {};
    for (int c = 0; c < w.d.ncon; ++c) {
      const std::array<double, 6> f = contact_force(w.m, w.d, c);
      for (int k = 0; k < 3; ++k)
        for (int r = 0; r < 3; ++r) sum[k] += w.d.contact[c].frame[3 * r + k] * f[r];
    }
    EXPECT_NEAR(sum[2], 9.81, 1e-6);
    EXPECT_NEAR(sum[0], 0, 1e-6);
    EXPECT_NEAR(sum[1], 0, 1e-6);
  }
}

TEST(Contacts, FrictionStaysInsideTheCone) {
  World w(box_on_plane(R"(cone="elliptic")"));
  w.set_qvel({3, .2, 0, 1, 2, 3});
  for (int i = 0; i < 200; ++i) {
    step(w.m, w.d);
    for (int c = 0; c < w.d.ncon; ++c) {
      const std::array<double, 6> f = contact_force(w.m, w.d, c);
      EXPECT_GE(f[0], 0);
      EXPECT_LE(std::hypot(f[1] / w.d.contact[c].friction[0], f[2] / w.d.contact[c].friction[1]), f[0] + 1e-9);
    }
  }
}

// MuJoCo 3.12.0, native: R and qacc are NaN, and the step counts a bad acceleration; a solref falls back to the default
TEST(Rows, WhoseParametersOrInverseInertiaAreNoNumberMakeTheAccelerationNoNumber) {
  World w(R"(<mujoco><worldbody>
    <body name="a"><joint type="slide" axis="1 0 0" range="0 1" limited="true"/><geom size=".1" mass="1"/></body>
    <body name="b" pos="1 0 0"><freejoint/><geom size=".1" mass="1"/></body></worldbody>
    <equality><connect body1="b" anchor=".1 0 0"/></equality></mujoco>)");
  w.d.qpos[0] = -0.0003;
  const auto qacc_with = [&](double& number, int dof) {
    const double good = number;
    number = std::nan("");
    forward(w.m, w.d);
    number = good;
    return w.d.qacc[dof];
  };
  for (int k = 0; k < kNumImp; ++k) EXPECT_TRUE(std::isnan(qacc_with(w.m.jnt_solimp[k], 0))) << "solimp " << k;
  for (int k = 0; k < kNumRef; ++k) EXPECT_NEAR(qacc_with(w.m.jnt_solref[k], 0), 0.68666, 1e-5) << "solref " << k;
  EXPECT_TRUE(std::isnan(qacc_with(w.m.dof_invweight0[0], 0)));
  qacc_with(w.m.body_invweight0[4], 1);  // of body b: every row of its connect
  for (int row = 0; row < 3; ++row) EXPECT_TRUE(std::isnan(w.d.efc_R[row])) << "row " << row;
  EXPECT_TRUE(std::isnan(w.d.qacc[1]));

  w.m.dof_invweight0[0] = std::nan("");
  step(w.m, w.d);
  EXPECT_EQ(w.d.warning[static_cast<int>(Warning::BadQacc)].number, 1);
}

// A range that an edit turned around: -loss is then the upper end. MuJoCo 3.12.0, native: a force of 3 on 1 kg at 0.1
// m/s
TEST(DryFriction, OfANegativeLossIsMuJoCosWithEverySolver) {
  struct {
    SolverKind solver;
    int noslip_iterations;
    double qacc;
  } cases[] = {{SolverKind::PGS, 0, 3}, {SolverKind::PGS, 3, 4},    {SolverKind::CG, 0, 4},
               {SolverKind::CG, 3, 4},  {SolverKind::Newton, 0, 4}, {SolverKind::Newton, 3, 4}};
  for (const auto& c : cases) {
    SCOPED_TRACE(static_cast<int>(c.solver) * 10 + c.noslip_iterations);
    World w(R"(<mujoco><worldbody><body><joint type="slide" axis="1 0 0" frictionloss="1"/><geom size=".1" mass="1"/>
      </body></worldbody></mujoco>)");
    w.m.dof_frictionloss[0] = -1;
    w.m.opt.solver = static_cast<int>(c.solver);
    w.m.opt.noslip_iterations = c.noslip_iterations;
    w.d.qvel[0] = 0.1;
    w.d.qfrc_applied[0] = 3;
    forward(w.m, w.d);
    EXPECT_NEAR(w.d.qacc[0], c.qacc, 1e-12);
  }
}

}  // namespace
}  // namespace sinew::test
