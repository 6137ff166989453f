#include "dynamics/tendon.h"

#include "dynamics/position_level.h"
#include "dynamics/wrap.h"

namespace sinew {
namespace {

constexpr const char* kWraps = R"(
    <mujoco><compiler angle="radian"/><worldbody><site name="a" pos="0.5 -0.1 0"/>
    <geom name="ball" type="sphere" size="0.12" pos="0.1 0.02 0.03"/><site name="over" pos="0.1 0 0.4"/>
    <site name="under" pos="0.1 0 -0.4"/><geom name="ring" type="sphere" size="0.3" pos="0 0 0.5"/>
    <site name="inring" pos="0 0.05 0.5"/>
    <geom name="drum" type="cylinder" size="0.1 0.3" pos="0 0 0.05" euler="1.5 0.1 0"/>
    <site name="hole" pos="0 0 -0.4"/>
    <geom name="pipe" type="cylinder" size="0.1 0.3" pos="0 0 -0.4" euler="1.5 0.1 0"/><body pos="-0.3 0 0">
    <joint axis="0 1 0"/><joint axis="0 0 1"/><geom size="0.05" mass="1"/><site name="b" pos="-0.2 0.2 0.02"/>
    <body pos="0 0 -0.3"><joint axis="1 0 0"/><geom size="0.05" mass="1"/><site name="c" pos="-0.1 0.04 -0.2"/>
    <geom name="roll" type="cylinder" size="0.06 0.1" pos="-0.1 0.1 0" euler="0.1 0 0.2"/></body></body></worldbody>
    <tendon><spatial><site site="a"/><geom geom="ball"/><site site="b"/></spatial><spatial><site site="a"/>
    <geom geom="ball" sidesite="under"/><site site="b"/></spatial><spatial><site site="a"/>
    <geom geom="ring" sidesite="inring"/><site site="b"/></spatial><spatial><site site="a"/><geom geom="drum"/>
    <site site="b"/></spatial><spatial><site site="a"/><geom geom="drum" sidesite="over"/><site site="b"/></spatial>
    <spatial><site site="a"/><geom geom="pipe" sidesite="hole"/><site site="b"/></spatial><spatial><site site="a"/>
    <geom geom="ball"/><site site="b"/><geom geom="roll"/><site site="c"/><pulley divisor="2"/><site site="a"/>
    <site site="b"/><pulley divisor="3"/><site site="b"/><site site="c"/></spatial></tendon></mujoco>)";

TEST(TendonPaths, AroundSpheresAndCylindersMatchMuJoCo) {
  // MuJoCo 3.12.0, forward at qpos (0.2, -0.3, 0.4): outside, forced side, inside, helix, pulleys
  const Model m = test::model_of(kWraps);
  const Data d = test::world_of(m, {0.2, -0.3, 0.4});
  const std::vector<double> length = {1.0068956930148245, 1.0068956930148245, 1.0564071764181846, 1.00425666950579,
                                      1.019095263098719,  1.189266418031763,  2.184283920958564};
  const std::vector<double> jacobian = {
      -0.03214664660020875, 0.2153896821793946,    -0.03214664660020875, 0.2153896821793946,   -0.07903429583683105,
      0.1440997147727668,   -0.012490530019349418, 0.1847609045442765,   -0.06978416644034681, 0.17196509033967072,
      0.04099393802637876,  0.16377587947803254,   -0.05065054319510811, 0.30774651093605837,  -0.17546428939189163};
  const std::vector<int> wrapnum = {4, 4, 4, 4, 4, 4, 13};
  const std::vector<int> obj = {-1, 0,  0, -1, -1, 0,  0, -1, -1, 1, 1, -1, -1, 2,  2,  -1, -1, 2, 2,
                                -1, -1, 3, 3,  -1, -1, 0, 0,  -1, 6, 6, -1, -2, -1, -1, -2, -1, -1};
  const std::vector<Vec3<double>> last_path = {{0.5, -0.1, 0},
                                               {0.1612687635203214, 0.11455411483475679, -0.011299612401408407},
                                               {0.12021221165249507, 0.13142424552996573, -0.009700176425208283},
                                               {-0.4253593905758355, 0.25017133915738915, 0.04581838341379702},
                                               {-0.4807459728529413, 0.16561551164646893, -0.3110084552590626},
                                               {-0.4762694279649588, 0.1520452965311075, -0.37145360620242146},
                                               {-0.45350476780400295, 0.13915405810583617, -0.44705001223471114},
                                               {0, 0, 0},
                                               {0.5, -0.1, 0},
                                               {-0.4253593905758355, 0.25017133915738915, 0.04581838341379702},
                                               {0, 0, 0},
                                               {-0.4253593905758355, 0.25017133915738915, 0.04581838341379702},
                                               {-0.45350476780400295, 0.13915405810583617, -0.44705001223471114}};
  for (int t = 0; t < m.ntendon; ++t) {
    EXPECT_NEAR(d.ten_length[t], length[t], 1e-14) << "tendon " << t;
    EXPECT_EQ(d.ten_wrapnum[t], wrapnum[t]) << "tendon " << t;
  }
  ASSERT_EQ(d.ten_J.size(), jacobian.size());
  for (std::size_t k = 0; k < jacobian.size(); ++k) EXPECT_NEAR(d.ten_J[k], jacobian[k], 1e-14) << "entry " << k;
  for (std::size_t k = 0; k < obj.size(); ++k) EXPECT_EQ(d.wrap_obj[k], obj[k]) << "point " << k;
  const int first = d.ten_wrapadr[6];
  for (std::size_t k = 0; k < last_path.size(); ++k)
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(d.wrap_xpos[3 * (first + k) + i], last_path[k][i], 1e-14) << "point " << k;
}

TEST(TendonPaths, JacobianIsTheDerivativeOfLength) {
  const Model m = test::model_of(kWraps);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    Data d = test::world_of(m);
    test::displace(m, d, random, 0.6);
    for (int t = 0; t < m.ntendon; ++t) {
      // for inside wrapping the contact point is only accurate to 1e-6, and the length is stationary in it
      const double tolerance = t == 2 || t == 5 ? 1e-4 : 1e-7;
      std::vector<double> row(m.nv, 0.0);
      for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k)
        row[m.ten_J_colind[k]] = d.ten_J[k];
      for (int i = 0; i < m.nv; ++i)
        EXPECT_NEAR(row[i], test::slope(m, d, i, [&] { return std::vector<double>{d.ten_length[t]}; })[0], tolerance)
            << "seed " << seed << " tendon " << t << " dof " << i;
    }
  }
}

/// Length of the string from x0 to x1 around the obstacle.
double string_length(const WrapObstacle<double>& obstacle, const Vec3<double>& x0, const Vec3<double>& x1) {
  WrapContact<double> c;
  if (!wrap_string(obstacle, x0, x1, c)) return norm(x1 - x0);
  return norm(c.enter - x0) + c.arc + norm(x1 - c.leave);
}

TEST(Wrap, LengthIsContinuousWhenTheStringLeavesTheObstacle) {
  for (bool cylinder : {false, true}) {
    const double pos[] = {0.1, -0.1, 0.05};
    const Mat3<double> mat = to_matrix(exp(Vec3<double>(0.3, 0.2, -0.1)));
    const WrapObstacle<double> obstacle{cylinder, 0.2, pos, mat.m, nullptr};
    const Vec3<double> x0(-1, 0.1, 0.2);
    const auto end_at = [](double y) { return Vec3<double>(1, y, 0.1); };
    int changes = 0;
    bool wrapped = false;
    double before = 0;
    const double h = 1e-4;
    for (int i = 0; i <= 20000; ++i) {
      const double y = -1 + i * h;
      WrapContact<double> contact;
      const bool wraps = wrap_string(obstacle, x0, end_at(y), contact);
      const double length = string_length(obstacle, x0, end_at(y));
      if (i > 0) {
        EXPECT_LE(std::abs(length - before), h * (1 + 1e-9))
            << "y " << y;  // the length changes no faster than the end moves
        changes += wraps != wrapped;
      }
      wrapped = wraps;
      before = length;
    }
    EXPECT_EQ(changes, 2) << "the path must touch the obstacle and leave it again";
  }
}

TEST(Wrap, StringIsTangentToTheObstacle) {
  const double pos[] = {0, 0, 0};
  const Mat3<double> mat = Mat3<double>::identity();
  const WrapObstacle<double> sphere{false, 0.3, pos, mat.m, nullptr};
  WrapContact<double> c;
  const Vec3<double> x0(-1, 0.05, 0.1), x1(0.8, 0, 0.15);
  ASSERT_TRUE(wrap_string(sphere, x0, x1, c));
  EXPECT_NEAR(norm(c.enter), 0.3, 1e-15);
  EXPECT_NEAR(norm(c.leave), 0.3, 1e-15);
  EXPECT_NEAR(dot(c.enter, c.enter - x0), 0, 1e-15);
  EXPECT_NEAR(dot(c.leave, c.leave - x1), 0, 1e-15);
  EXPECT_NEAR(c.arc, 0.3 * std::acos(dot(c.enter, c.leave) / 0.09), 1e-14);
}

TEST(Wrap, AnEndInsideTheObstaclePreventsWrapping) {
  const double pos[] = {0, 0, 0};
  const Mat3<double> mat = Mat3<double>::identity();
  const WrapObstacle<double> sphere{false, 0.3, pos, mat.m, nullptr};
  WrapContact<double> c;
  EXPECT_FALSE(wrap_string(sphere, Vec3<double>(-1, 0, 0.1), Vec3<double>(0.1, 0, 0.1), c));
  EXPECT_FALSE(wrap_string(sphere, Vec3<double>(-1, 0, 0.1), Vec3<double>(0, 0, 0), c));
  EXPECT_FALSE(wrap_string(sphere, Vec3<double>(-1, 0, 0.31), Vec3<double>(1, 0, 0.31), c));
}

TEST(TendonPaths, FixedTendonIsLinearInThePositions) {
  const Model m = test::model_of(R"(<mujoco><worldbody>
    <body><joint name="a" type="slide"/><geom size="0.1"/><body><joint name="b"/><geom size="0.1"/></body></body>
    </worldbody><tendon><fixed><joint joint="b" coef="-2"/><joint joint="a" coef="3"/></fixed></tendon></mujoco>)");
  const Data d = test::world_of(m, {0.5, 0.25});
  EXPECT_EQ(d.ten_length[0], 3 * 0.5 - 2 * 0.25);
  EXPECT_EQ(d.ten_J[0], 3);
  EXPECT_EQ(d.ten_J[1], -2);
  EXPECT_EQ(d.ten_wrapnum[0], 0);
}

}  // namespace
}  // namespace sinew
