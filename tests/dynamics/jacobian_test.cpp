#include "dynamics/jacobian.h"

#include "dynamics/position_level.h"
#include "dynamics/velocity.h"
#include "sinew/support.h"

namespace sinew {
namespace {

using test::RandomForest;

std::vector<double> copy(const double* p, int n) { return {p, p + n}; }

TEST(Jacobian, IsTheDerivativeOfPositionAndRotation) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    std::mt19937 random(seed);
    const Model m = test::model_of(RandomForest(seed).text(7));
    Data d = test::world_of(m);
    test::displace(m, d, random);
    std::vector<double> jacp(3 * m.nv), jacr(3 * m.nv);
    for (int s = 0; s < m.nsite; ++s) {
      jac_site(m, d, jacp.data(), jacr.data(), s);
      const Mat3<double> here = Mat3<double>::load(&d.site_xmat[9 * s]);
      for (int i = 0; i < m.nv; ++i) {
        const auto moved = test::slope(m, d, i, [&] { return copy(&d.site_xpos[3 * s], 3); });
        const auto turned = test::slope(m, d, i, [&] { return copy(&d.site_xmat[9 * s], 9); });
        const Mat3<double> spin = Mat3<double>::load(turned.data()) * transpose(here);  // [w]×
        const double w[3] = {spin(2, 1), spin(0, 2), spin(1, 0)};
        for (int k = 0; k < 3; ++k) {
          EXPECT_NEAR(jacp[k * m.nv + i], moved[k], 1e-8) << "seed " << seed << " site " << s << " dof " << i;
          EXPECT_NEAR(jacr[k * m.nv + i], w[k], 1e-8) << "seed " << seed << " site " << s << " dof " << i;
        }
      }
    }
  }
}

TEST(Jacobian, RateIsItsDerivativeAlongTheMotion) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const Model m = test::model_of(RandomForest(seed).text(6));
    Data d = test::world_of(m);
    test::displace(m, d, random);
    for (double& v : d.qvel) v = uniform(random);
    com_velocity(m, d);
    const std::vector<double> qpos = copy(d.qpos.data(), static_cast<int>(m.nq));
    const std::size_t n = static_cast<std::size_t>(3 * m.nv);
    const double h = 1e-6;
    for (int s = 0; s < m.nsite; ++s) {
      std::vector<double> rate_p(n), rate_r(n), jacp(n), jacr(n), slope_p(n, 0.0), slope_r(n, 0.0);
      jac_dot(m, d, rate_p.data(), rate_r.data(), &d.site_xpos[3 * s], m.site_bodyid[s]);
      for (double side : {1.0, -1.0}) {
        Data moved = d;
        integrate_position(m, moved.qpos.data(), d.qvel.data(), side * h);
        test::positions(m, moved);
        jac_site(m, moved, jacp.data(), jacr.data(), s);
        for (std::size_t k = 0; k < n; ++k) {
          slope_p[k] += side * jacp[k] / (2 * h);
          slope_r[k] += side * jacr[k] / (2 * h);
        }
      }
      for (std::size_t k = 0; k < n; ++k) {
        EXPECT_NEAR(rate_p[k], slope_p[k], 1e-7) << "seed " << seed << " site " << s << " entry " << k;
        EXPECT_NEAR(rate_r[k], slope_r[k], 1e-7) << "seed " << seed << " site " << s << " entry " << k;
      }
    }
  }
}

TEST(Jacobian, OfSubtreeComIsTheDerivativeOfSubtreeCom) {
  std::mt19937 random(3);
  const Model m = test::model_of(RandomForest(11).text(7));
  Data d = test::world_of(m);
  test::displace(m, d, random);
  std::vector<double> jacp(3 * m.nv);
  for (int b = 0; b < m.nbody; ++b) {
    jac_subtree_com(m, d, jacp.data(), b);
    for (int i = 0; i < m.nv; ++i) {
      const auto moved = test::slope(m, d, i, [&] { return copy(&d.subtree_com[3 * b], 3); });
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(jacp[k * m.nv + i], moved[k], 1e-8);
    }
  }
}

TEST(Jacobian, AppliedForceIsItsTransposeTimesTheWrench) {
  std::mt19937 random(4);
  const Model m = test::model_of(RandomForest(5).text(7));
  Data d = test::world_of(m);
  test::displace(m, d, random);
  const double force[3] = {1, -2, 3}, torque[3] = {0.5, 0.25, -1};
  std::vector<double> jacp(3 * m.nv), jacr(3 * m.nv);
  for (int s = 0; s < m.nsite; ++s) {
    std::vector<double> qfrc(m.nv, 0.0);
    apply_ft(m, d, force, torque, &d.site_xpos[3 * s], m.site_bodyid[s], qfrc.data());
    jac_site(m, d, jacp.data(), jacr.data(), s);
    for (int i = 0; i < m.nv; ++i) {
      double expected = 0;
      for (int k = 0; k < 3; ++k) expected += jacp[k * m.nv + i] * force[k] + jacr[k * m.nv + i] * torque[k];
      EXPECT_NEAR(qfrc[i], expected, 1e-13);
    }
  }
}

TEST(Jacobian, TimesVelocityIsTheObjectVelocity) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Model m = test::model_of(RandomForest(7).text(7));
  Data d = test::world_of(m);
  test::displace(m, d, random);
  for (double& v : d.qvel) v = uniform(random);
  com_velocity(m, d);
  std::vector<double> jacp(3 * m.nv), jacr(3 * m.nv);
  for (int s = 0; s < m.nsite; ++s) {
    double world[6], local[6];
    object_velocity(m, d, ObjType::Site, s, world, false);
    object_velocity(m, d, ObjType::Site, s, local, true);
    jac_site(m, d, jacp.data(), jacr.data(), s);
    const Mat3<double> mat = Mat3<double>::load(&d.site_xmat[9 * s]);
    for (int k = 0; k < 3; ++k) {
      double w = 0, v = 0;
      for (int i = 0; i < m.nv; ++i) {
        w += jacr[k * m.nv + i] * d.qvel[i];
        v += jacp[k * m.nv + i] * d.qvel[i];
      }
      EXPECT_NEAR(world[k], w, 1e-13);
      EXPECT_NEAR(world[3 + k], v, 1e-13);
      EXPECT_NEAR(local[k], mul_transposed(mat, Vec3<double>::load(world))[k], 1e-15);
      EXPECT_NEAR(local[3 + k], mul_transposed(mat, Vec3<double>::load(world + 3))[k], 1e-15);
    }
  }
}

TEST(Jacobian, OfAPointAndAnAxisMatchesMuJoCo) {
  // MuJoCo 3.12.0: mj_jacPointAxis of body 1, point (0.3, 0.4, 0.5), axis (0.6, 0, 0.8), hinge about y at 0.3
  const Model m = test::model_of(R"(<mujoco><worldbody><body><joint axis="0 1 0"/>
    <inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body></worldbody></mujoco>)");
  const Data d = test::world_of(m, {0.3});
  const double point[3] = {0.3, 0.4, 0.5}, axis[3] = {0.6, 0, 0.8};
  double jac_point[3], jac_axis[3];
  jac_point_axis(m, d, jac_point, jac_axis, point, axis, 1);
  const double expected_point[3] = {0.5, 0, -0.3}, expected_axis[3] = {0.8, 0, -0.6};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(jac_point[k], expected_point[k], 1e-15);
    EXPECT_NEAR(jac_axis[k], expected_axis[k], 1e-15);
  }
}

}  // namespace
}  // namespace sinew
