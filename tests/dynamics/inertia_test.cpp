#include "dynamics/inertia.h"

#include "dynamics/position_level.h"
#include "dynamics/subtree.h"
#include "dynamics/velocity.h"
#include "sinew/support.h"

namespace sinew {
namespace {

using test::RandomForest;

std::vector<double> full_inertia(const Model& m, const Data& d) {
  std::vector<double> full(static_cast<std::size_t>(m.nv * m.nv));
  full_m(m, d.M.data(), full.data());
  return full;
}

TEST(CompositeInertia, EqualsSumOfBodyInertiasThroughJacobians) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    const Model m = test::model_of(RandomForest(seed).text(9));
    Data d = test::world_of(m);
    test::displace(m, d, random);
    const int nv = static_cast<int>(m.nv);
    std::vector<double> expected(static_cast<std::size_t>(nv * nv), 0.0), jacp(3 * nv), jacr(3 * nv);
    for (int b = 1; b < m.nbody; ++b) {
      jac_body_com(m, d, jacp.data(), jacr.data(), b);
      const Mat3<double> ximat = Mat3<double>::load(&d.ximat[9 * b]);
      for (int i = 0; i < nv; ++i)
        for (int j = 0; j < nv; ++j) {
          const Vec3<double> wi = mul_transposed(ximat, Vec3<double>(jacr[i], jacr[nv + i], jacr[2 * nv + i]));
          const Vec3<double> wj = mul_transposed(ximat, Vec3<double>(jacr[j], jacr[nv + j], jacr[2 * nv + j]));
          for (int k = 0; k < 3; ++k)
            expected[i * nv + j] +=
                m.body_mass[b] * jacp[k * nv + i] * jacp[k * nv + j] + m.body_inertia[3 * b + k] * wi[k] * wj[k];
        }
    }
    for (int i = 0; i < nv; ++i) expected[i * nv + i] += m.dof_armature[i];
    const std::vector<double> full = full_inertia(m, d);
    for (int k = 0; k < nv * nv; ++k) EXPECT_NEAR(full[k], expected[k], 1e-12) << "seed " << seed;
  }
}

TEST(TreeSparse, SolveUndoesMultiplication) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const Model m = test::model_of(RandomForest(seed).text(12));
    Data d = test::world_of(m);
    test::displace(m, d, random);
    std::vector<double> x(2 * m.nv), y(2 * m.nv);
    for (double& v : x) v = uniform(random);
    mul_m(m, d, y.data(), x.data());
    mul_m(m, d, y.data() + m.nv, x.data() + m.nv);
    solve_m(m, d, y.data(), y.data(), 2);
    for (int i = 0; i < 2 * m.nv; ++i) EXPECT_NEAR(y[i], x[i], 1e-11) << "seed " << seed;
  }
}

TEST(TreeSparse, MultiplicationMatchesTheDenseMatrix) {
  std::mt19937 random(9);
  const Model m = test::model_of(RandomForest(9).text(12));
  Data d = test::world_of(m);
  test::displace(m, d, random);
  const std::vector<double> full = full_inertia(m, d);
  std::vector<double> x(m.nv), y(m.nv);
  for (int i = 0; i < m.nv; ++i) x[i] = 1.0 / (i + 1);
  mul_m(m, d, y.data(), x.data());
  for (int i = 0; i < m.nv; ++i) {
    double expected = 0;
    for (int j = 0; j < m.nv; ++j) expected += full[i * m.nv + j] * x[j];
    EXPECT_NEAR(y[i], expected, 1e-13);
  }
}

TEST(TreeSparse, HalfSolveGivesTheInverseNorm) {
  std::mt19937 random(10);
  const Model m = test::model_of(RandomForest(10).text(12));
  Data d = test::world_of(m);
  test::displace(m, d, random);
  std::vector<double> y(m.nv), half(m.nv), whole(m.nv);
  for (int i = 0; i < m.nv; ++i) y[i] = 1 - 0.3 * i;
  solve_m2(m, d, half.data(), y.data());
  solve_m(m, d, whole.data(), y.data());
  double half2 = 0, product = 0;
  for (int i = 0; i < m.nv; ++i) {
    half2 += half[i] * half[i];
    product += y[i] * whole[i];
  }
  EXPECT_NEAR(half2, product, 1e-12 * product);
}

TEST(CompositeInertia, OfASimpleBodyMatchesTheGeneralAlgorithm) {
  const auto text = [](const char* simple) {
    return std::string("<mujoco><worldbody><body simple=\"") + simple +
           R"("><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1" armature="0.3"/><joint axis="0 1 0"/>
             <inertial pos="0 0 0" mass="2" diaginertia="0.1 0.2 0.25"/></body>
             <body simple=")" +
           simple + R"("><freejoint/><geom size="0.1 0.2 0.3" type="box"/></body></worldbody></mujoco>)";
  };
  const Model simple = test::model_of(text("auto")), general = test::model_of(text("false"));
  ASSERT_EQ(simple.body_simple[1], 1);
  ASSERT_EQ(general.body_simple[1], 0);
  std::mt19937 random(2);
  Data a = test::world_of(simple), b = test::world_of(general);
  test::displace(simple, a, random);
  std::copy(a.qpos.begin(), a.qpos.end(), b.qpos.begin());
  test::positions(general, b);
  const std::vector<double> full_a = full_inertia(simple, a), full_b = full_inertia(general, b);
  for (std::size_t k = 0; k < full_a.size(); ++k) EXPECT_NEAR(full_a[k], full_b[k], 1e-14);
}

TEST(CompositeInertia, IncludesArmatureOfTendonsAndTheirActuators) {
  // MuJoCo 3.12.0, forward at qpos0: M
  const Model m = test::model_of(R"(<mujoco><worldbody><body><joint name="a" axis="0 1 0" armature="0.02"/>
    <inertial pos="0 0 -0.2" mass="2" diaginertia="0.2 0.2 0.2"/><body pos="0 0 -0.4"><joint name="b" axis="0 1 0"/>
    <inertial pos="0 0 -0.1" mass="1" diaginertia="0.1 0.1 0.1"/></body></body></worldbody>
    <tendon><fixed name="t" armature="0.5"><joint joint="a" coef="2"/><joint joint="b" coef="-0.5"/></fixed></tendon>
    </mujoco>)");
  const Data d = test::world_of(m);
  const std::vector<double> full = full_inertia(m, d);
  EXPECT_NEAR(full[0], 2.65, 1e-14);
  EXPECT_NEAR(full[3], 0.235, 1e-15);
  EXPECT_NEAR(m.dof_M0[0], 0.65, 1e-15);
  EXPECT_NEAR(m.dof_M0[1], 0.11, 1e-15);
}

TEST(CompositeInertia, DropsTendonArmatureBetweenBranches) {
  // MuJoCo 3.12.0: two slides of a simple body, mass 2, armature 0.5, fixed tendon: diag(2.5, 2.5); with simple="false"
  // the off-diagonal entry is 0.5
  const auto inertia = [](const char* simple) {
    const Model m = test::model_of(std::string("<mujoco><worldbody><body simple=\"") + simple + R"("><joint name="a"
      type="slide" axis="1 0 0"/><joint name="b" type="slide" axis="0 1 0"/><inertial pos="0 0 0" mass="2"
      diaginertia="0.1 0.1 0.1"/></body></worldbody><tendon><fixed armature="0.5"><joint joint="a" coef="1"/>
      <joint joint="b" coef="1"/></fixed></tendon></mujoco>)");
    return full_inertia(m, test::world_of(m));
  };
  const std::vector<double> simple = inertia("auto"), general = inertia("false");
  const double expected_simple[] = {2.5, 0, 0, 2.5}, expected_general[] = {2.5, 0.5, 0.5, 2.5};
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(simple[k], expected_simple[k]);
    EXPECT_NEAR(general[k], expected_general[k], 1e-15);
  }
}

TEST(AngularMomentum, MatrixTimesVelocityIsTheMomentumOfTheSubtree) {
  std::mt19937 random(12);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Model m = test::model_of(RandomForest(12).text(8));
  Data d = test::world_of(m);
  test::displace(m, d, random);
  for (double& v : d.qvel) v = uniform(random);
  com_velocity(m, d);
  subtree_velocity(m, d);
  std::vector<double> mat(3 * m.nv);
  for (int b = 0; b < m.nbody; ++b) {
    angmom_mat(m, d, mat.data(), b);
    for (int k = 0; k < 3; ++k) {
      double sum = 0;
      for (int i = 0; i < m.nv; ++i) sum += mat[k * m.nv + i] * d.qvel[i];
      EXPECT_NEAR(sum, d.subtree_angmom[3 * b + k], 1e-12);
    }
  }
}

}  // namespace
}  // namespace sinew
