#include "math/dual.h"

#include <gtest/gtest.h>

#include <bit>
#include <span>

#include "dynamics/acceleration.h"
#include "dynamics/smooth_level.h"

// The smooth stages with dual numbers, against hand-written derivatives and against differences of the stages.

namespace sinew {
namespace {

using namespace test;
using DualData = BasicData<Dual4>;

/// Dual data with the state and inputs of `d` and zero derivatives.
DualData lifted(const Model& m, Data& d) {
  DualData dual(m);
  std::copy(d.qpos.begin(), d.qpos.end(), dual.qpos.begin());
  std::copy(d.qvel.begin(), d.qvel.end(), dual.qvel.begin());
  std::copy(d.act.begin(), d.act.end(), dual.act.begin());
  std::copy(d.ctrl.begin(), d.ctrl.end(), dual.ctrl.begin());
  std::copy(d.qfrc_applied.begin(), d.qfrc_applied.end(), dual.qfrc_applied.begin());
  std::copy(d.xfrc_applied.begin(), d.xfrc_applied.end(), dual.xfrc_applied.begin());
  dual.time = d.time;
  return dual;
}

template <class Real>
void smooth_stages(const Model& m, BasicData<Real>& d) {
  kinematics(m, d);
  com_position(m, d);
  camera_and_light_poses(m, d);
  tendon_paths(m, d);
  composite_inertia(m, d);
  factor_inertia(m, d);
  transmission(m, d);
  tendon_velocity(m, d);
  actuator_velocity(m, d);
  com_velocity(m, d);
  passive_forces(m, d);
  bias_forces(m, d);
  actuation(m, d);
  smooth_acceleration(m, d);
}

/// A chain of n joints of changing kinds, of which every fourth body carries a side branch.
std::string chain(int n, bool is_free) {
  static constexpr const char* kJoints[] = {R"(axis="0 1 0.2")", R"(type="slide" axis="1 0 0.5")", R"(type="ball")"};
  std::string head, tail;
  for (int i = 0; i < n; ++i) {
    const std::string joint = is_free && i == 0 ? R"(type="free")" : kJoints[i % 3];
    head += R"(<body pos="0.1 0.02 0.3" euler="5 10 20"><joint )" + joint +
            R"(/><geom type="box" size="0.1 0.05 0.15" pos="0.02 0 0.1"/>)";
    if (i % 4 == 3) head += R"(<body pos="0 0.2 0"><joint axis="1 1 0"/><geom size="0.05" pos="0 0.1 0"/></body>)";
    tail += "</body>";
  }
  return "<mujoco><worldbody>" + head + tail + "</worldbody></mujoco>";
}

/// The plain text of a stage is its template on the scalar, run here with dual numbers; the kernel is what double runs.
TEST(Kernels, GiveTheBitsOfThePlainTextForEverySize) {
  std::mt19937 random(5);
  for (const bool is_free : {false, true}) {
    for (int n = 0; n < 40; ++n) {
      SCOPED_TRACE(n);
      const Model m = load_string(chain(n, is_free)).value_or_throw();
      Data d(m);
      std::uniform_real_distribution<double> uniform(-1, 1);
      for (double& x : d.qpos) x = uniform(random);
      for (double& x : d.qvel) x = uniform(random);
      for (double& x : d.xfrc_applied) x = uniform(random);
      DualData plain = lifted(m, d);
      smooth_stages(m, d);
      smooth_stages(m, plain);
      body_accelerations(m, d);
      body_accelerations(m, plain);
      const auto expect_same = [](const char* name, std::span<const double> kernel, std::span<const Dual4> text) {
        for (std::size_t i = 0; i < kernel.size(); ++i)
          ASSERT_EQ(std::bit_cast<std::uint64_t>(kernel[i]), std::bit_cast<std::uint64_t>(text[i].value))
              << name << "[" << i << "]: " << kernel[i] << " and " << text[i].value;
      };
#define EXPECT_SAME(name) expect_same(#name, d.name, plain.name)
      EXPECT_SAME(xpos);
      EXPECT_SAME(xmat);
      EXPECT_SAME(ximat);
      EXPECT_SAME(subtree_com);
      EXPECT_SAME(cdof);
      EXPECT_SAME(cinert);
      EXPECT_SAME(crb);
      EXPECT_SAME(M);
      EXPECT_SAME(qLD);
      EXPECT_SAME(qLDiagInv);
      EXPECT_SAME(cvel);
      EXPECT_SAME(cdof_dot);
      EXPECT_SAME(qfrc_bias);
      EXPECT_SAME(qacc_smooth);
      EXPECT_SAME(cacc);
      EXPECT_SAME(cfrc_int);
#undef EXPECT_SAME
    }
  }
}

using Matrix = std::vector<double>;  // nv x nv, row-major

/// ∂(passive + actuator - bias)/∂qvel by dual numbers.
Matrix dual_velocity_derivative(const Model& m, Data& d) {
  Matrix D(std::size_t(m.nv * m.nv));
  for (int first = 0; first < m.nv; first += Dual4::directions) {
    DualData dual = lifted(m, d);
    const int count = std::min<int>(Dual4::directions, int(m.nv) - first);
    for (int k = 0; k < count; ++k) dual.qvel[first + k].slope[k] = 1;
    smooth_stages(m, dual);
    for (int i = 0; i < m.nv; ++i) {
      const Dual4 force = dual.qfrc_passive[i] + dual.qfrc_actuator[i] - dual.qfrc_bias[i];
      for (int k = 0; k < count; ++k) D[std::size_t(i * m.nv + first + k)] = force.slope[k];
    }
  }
  return D;
}

/// Every entry stored in qDeriv, to 1e-12 of the largest; with `dense`, all others are zero.
void expect_equal_to_the_recursion(const Model& m, Data& d, bool dense) {
  smooth_stages(m, d);
  velocity_derivative(m, d, true);
  Matrix D = dual_velocity_derivative(m, d);
  double scale = 1;
  for (double x : D) scale = std::max(scale, std::abs(x));
  for (int i = 0; i < m.nv; ++i) {
    for (int p = m.D_rowadr[i]; p < m.D_rowadr[i] + m.D_rownnz[i]; ++p) {
      double& entry = D[std::size_t(i * m.nv + m.D_colind[p])];
      EXPECT_NEAR(d.qDeriv[p], entry, 1e-12 * scale) << i << ", " << m.D_colind[p];
      entry = 0;
    }
  }
  if (!dense) return;
  for (double x : D) EXPECT_NEAR(x, 0, 1e-12 * scale);
}

struct Machine {
  std::string name, model;
  bool dense = true;  // D has no entries outside its stored pattern
};
void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.name; }

const std::vector<Machine> kMachines = {
    {"Springs",
     R"(<mujoco><worldbody><body><joint type="ball" stiffness="3" damping=".4"/><geom size=".1" pos=".2 0 0"/>
      <body pos=".4 0 0"><joint axis="0 1 0" stiffness="5 1 2" damping=".3 .2 .1" springref="20"/>
        <geom type="box" size=".1 .2 .3"/>
      <body pos="0 0 .4"><joint type="slide" axis="1 2 3" stiffness="7" damping="1 .5"/><geom size=".1"/></body></body>
      </body></worldbody></mujoco>)"},
    {"FreeAndBall", R"(<mujoco><worldbody><body euler="10 20 30"><freejoint/>
      <geom type="box" size=".1 .2 .3" pos=".05 .1 .2"/>
      <body pos=".3 0 .1"><joint type="ball" pos="0 .1 0"/><geom type="capsule" size=".05 .2"/>
      <body pos="0 0 .4"><joint axis="1 1 0"/><joint axis="0 1 1" pos=".1 0 0"/><geom size=".1" pos=".1 0 0"/></body>
      </body></body></worldbody></mujoco>)"},
    {"Tendons", R"(<mujoco><worldbody><site name="w" pos="0 .3 .6"/><geom name="pulley" type="sphere" size=".08"
        pos="0 0 .3" contype="0" conaffinity="0"/>
      <body pos="0 0 .5"><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".04"/>
        <site name="p" pos=".2 .05 .05"/>
      <body pos=".4 0 0"><joint name="b" axis="0 1 .3"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".04"/>
        <site name="q" pos=".2 .05 0"/></body></body></worldbody>
      <tendon><spatial stiffness="20 3" damping="2 .7 .3" springlength=".2"><site site="w"/><site site="p"/>
        <site site="q"/></spatial>
      <spatial stiffness="5" damping="1"><site site="w"/><geom geom="pulley"/><site site="q"/></spatial>
      <fixed stiffness="3" damping=".6"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon>
      </mujoco>)"},
    {"MusclesAndServos", R"(<mujoco><worldbody>
      <body><joint name="a" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/><site name="s" pos=".1 .1 .1"/>
        <body pos=".5 0 0"><joint name="b" axis="0 1 1"/><geom size=".1" pos=".2 0 0"/></body></body></worldbody>
      <actuator><muscle joint="a" lengthrange="-1 1" force="20" vmax="3"/>
        <muscle joint="b" lengthrange="-1 1" force="30" gear="-1" vmax="6"/>
        <position joint="a" kp="5" kv=".7"/><velocity joint="b" kv="2"/><damper joint="a" kv="3" ctrlrange="0 1"/>
        <general joint="b" gaintype="affine" gainprm="2 .3 -.4" biastype="affine" biasprm=".5 -1 .2"/>
        <motor site="s" gear="1 2 3 4 5 6"/></actuator></mujoco>)"},
    {"InertiaBoxInFluid", R"(<mujoco><option density="1.2" viscosity=".8" wind="3 -1 2"/><worldbody>
      <body euler="10 20 30"><freejoint/><geom type="box" size=".1 .2 .3" pos=".05 0 0" mass="2"/>
      <body pos=".3 .1 0" euler="40 5 6"><joint axis="1 2 3" pos=".1 0 0"/><geom type="ellipsoid" size=".05 .1 .2"
        mass=".5"/></body></body></worldbody></mujoco>)"},
    {"EllipsoidsInFluid", R"(<mujoco><option density="1.2" viscosity=".8" wind="3 -1 2"/>
      <default><geom fluidshape="ellipsoid"/></default><worldbody>
      <body euler="10 20 30"><freejoint/><geom type="box" size=".1 .2 .3" pos=".05 0 0" mass="2"/>
      <body pos=".3 .1 0" euler="40 5 6"><joint axis="1 2 3" pos=".1 0 0"/><geom type="ellipsoid" size=".05 .1 .2"
        mass=".5" fluidcoef=".3 .2 1.1 .9 .8"/>
      <body pos=".1 0 .2"><joint type="ball" pos="0 .1 0"/><geom type="capsule" size=".07 .12" mass=".4"/></body></body>
      </body></worldbody></mujoco>)"},
    // a tendon between branches couples dofs that have no entry in qDeriv, as in MuJoCo
    {"TendonBetweenBranches", R"(<mujoco><worldbody>
      <body><joint name="a" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>
      <body><joint name="b" axis="0 1 1"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
      <tendon><fixed damping=".6"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon></mujoco>)",
     false},
};

class DualStages : public testing::TestWithParam<Machine> {};

TEST_P(DualStages, DerivativeByVelocityMatchesTheRecursion) {
  const Model m = model_of(GetParam().model);
  std::mt19937 random(21);
  Data d = world_of(m);
  for (int trial = 0; trial < 4; ++trial) {
    displace(m, d, random, 0.4);
    random_velocity(d, random, 0.8);
    for (double& u : d.ctrl) u = 0.6;
    for (double& a : d.act) a = 0.7;
    expect_equal_to_the_recursion(m, d, GetParam().dense);
  }
}

TEST_P(DualStages, ValuesMatchThoseOfDouble) {
  const Model m = model_of(GetParam().model);
  std::mt19937 random(22);
  Data d = world_of(m);
  displace(m, d, random, 0.4);
  random_velocity(d, random);
  DualData dual = lifted(m, d);
  smooth_stages(m, d);
  smooth_stages(m, dual);
  for (int i = 0; i < m.nv; ++i)
    EXPECT_NEAR(dual.qacc_smooth[i].value, d.qacc_smooth[i], 1e-12 * (1 + std::abs(d.qacc_smooth[i])));
}

/// ∂qacc_smooth/∂q along the tangent of the positions, by integrating a dual displacement, against extrapolated
/// differences with an error of order h⁴.
void expect_position_derivative(const Model& m, Data& d) {
  const auto acceleration = [&] {
    smooth_stages(m, d);
    return std::vector<double>(d.qacc_smooth.begin(), d.qacc_smooth.end());
  };
  for (int j = 0; j < m.nv; ++j) {
    DualData dual = lifted(m, d);
    std::vector<Dual4> move(std::size_t(m.nv), Dual4(0));
    move[std::size_t(j)].slope[0] = 1;
    integrate_position(m, dual.qpos.data(), move.data(), 1);
    smooth_stages(m, dual);
    const std::vector<double> fine = slope(m, d, j, acceleration, 1e-3), rough = slope(m, d, j, acceleration, 2e-3);
    double scale = 1;
    for (double x : fine) scale = std::max(scale, std::abs(x));
    for (int i = 0; i < m.nv; ++i) {
      const auto k = std::size_t(i);
      EXPECT_NEAR(dual.qacc_smooth[i].slope[0], (4 * fine[k] - rough[k]) / 3, 1e-7 * scale) << i << ", " << j;
    }
  }
}

TEST_P(DualStages, DerivativeByPositionMatchesDifferences) {
  const Model m = model_of(GetParam().model);
  std::mt19937 random(23);
  Data d = world_of(m);
  displace(m, d, random, 0.3);
  random_velocity(d, random, 0.5);
  for (double& u : d.ctrl) u = 0.6;
  expect_position_derivative(m, d);
}

TEST_P(DualStages, DerivativeByPositionHoldsAtTheReferencePose) {
  // rotation vectors are exactly zero here
  const Model m = model_of(GetParam().model);
  Data d = world_of(m);
  std::mt19937 random(24);
  random_velocity(d, random, 0.5);
  expect_position_derivative(m, d);
}

INSTANTIATE_TEST_SUITE_P(All, DualStages, testing::ValuesIn(kMachines),
                         [](const auto& info) { return info.param.name; });

TEST(Dual, FollowsTheRulesOfDifferentiation) {
  Dual<1> x(0.4);
  x.slope[0] = 1;
  const auto expect = [](const Dual<1>& y, double value, double slope) {
    EXPECT_DOUBLE_EQ(y.value, value);
    EXPECT_NEAR(y.slope[0], slope, 1e-15);
  };
  expect(x * x * x, 0.064, 0.48);
  expect(2.0 / x, 5, -12.5);
  expect(sin(x) * cos(x), std::sin(0.8) / 2, std::cos(0.8));
  expect(exp(-x), std::exp(-0.4), -std::exp(-0.4));
  expect(sqrt(x), std::sqrt(0.4), 0.5 / std::sqrt(0.4));
  expect(pow(x, 3), 0.4 * 0.4 * 0.4, 0.48);
  expect(abs(-x), 0.4, 1);
  expect(asin(x) + acos(x), kPi / 2, 0);
  expect(atan2(x, Dual<1>(1)), std::atan(0.4), 1 / 1.16);
  expect(tanh(x), std::tanh(0.4), 1 - std::tanh(0.4) * std::tanh(0.4));
  expect(log(x), std::log(0.4), 2.5);
}

TEST(Dual, EqualityComparesTheDerivatives) {
  Dual4 x(0.0);
  EXPECT_TRUE(x == Dual4(0));
  x.slope[2] = 1;
  EXPECT_FALSE(x == Dual4(0));
  EXPECT_FALSE(x < Dual4(0) || x > Dual4(0));
}

TEST(Dual, RotationVectorsAreDifferentiableAtZero) {
  for (double size : {0.0, 1e-9, 1e-4, 0.9e-3, 1.1e-3, 0.3}) {
    Vec3<Dual<3>> v = {Dual<3>(0.6 * size), Dual<3>(-0.8 * size), Dual<3>(0)};
    for (int k = 0; k < 3; ++k) v[k].slope[k] = 1;
    const Vec3<Dual<3>> back = log(exp(v));
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(back[i].value, v[i].value, 1e-15);
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(back[i].slope[k], i == k ? 1 : 0, 1e-13) << size;
    }
  }
}

}  // namespace
}  // namespace sinew
