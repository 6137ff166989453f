#include <gtest/gtest.h>

#include <filesystem>

#include "derivative/fixtures.h"
#include "dynamics/bias.h"
#include "dynamics/com.h"
#include "dynamics/energy.h"
#include "dynamics/inertia.h"
#include "dynamics/joint_table.h"
#include "dynamics/kinematics.h"
#include "dynamics/passive.h"
#include "dynamics/tendon.h"
#include "dynamics/velocity.h"
#include "math/dual.h"

// Laws of mechanics for derivatives, with dual numbers: no differences, so they hold to rounding.

namespace sinew {
namespace {

using namespace test;
using DualData = BasicData<Dual4>;

/// Joint and tendon springs, gravity, all kinds of joints.
const std::string kSprung = R"(<mujoco><worldbody><site name="w" pos=".1 .3 .6"/>
  <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".05 .1 .2"/><site name="p" pos=".2 .05 .05"/>
    <body pos=".3 0 .1"><joint name="b" type="ball" stiffness="3"/><geom type="capsule" size=".05 .2"/>
      <body pos="0 0 .4"><joint name="h" axis="1 1 0" stiffness="5 1 2" springref="20"/>
        <joint name="s" type="slide" axis="0 1 1" stiffness="7"/><geom size=".1" pos=".1 0 0"/>
        <site name="q" pos=".2 .05 0"/></body></body></body></worldbody>
  <tendon><spatial stiffness="20" springlength=".2"><site site="w"/><site site="p"/><site site="q"/></spatial>
    <fixed stiffness="3"><joint joint="h" coef="1"/><joint joint="s" coef="-2"/></fixed></tendon></mujoco>)";

/// Scalar joints only: dq/dt = v, so that the positions are generalized coordinates.
const std::string kScalars = R"(<mujoco><worldbody>
  <body pos="0 0 1"><joint axis="0 1 0"/><joint axis="1 0 0" pos=".1 0 0"/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/>
    <body pos=".3 0 .1"><joint axis="0 1 1"/><geom type="capsule" size=".05 .2" pos="0 .1 0"/>
      <body pos="0 0 .4"><joint axis="1 1 0"/><joint type="slide" axis="0 1 1" armature=".3"/>
        <geom size=".1" pos=".1 0 0"/></body></body>
    <body pos="-.2 0 0"><joint axis="0 0 1"/><geom size=".1" pos=".1 .2 0"/></body></body></worldbody></mujoco>)";

/// The state of `d` with unit derivative along dof `dof` in the first direction, and its position level.
DualData moving(const Model& m, const Data& d, int dof) {
  DualData x(m);
  std::copy(d.qpos.begin(), d.qpos.end(), x.qpos.begin());
  std::vector<Dual4> along(std::size_t(m.nv), Dual4(0));
  along[std::size_t(dof)].slope[0] = 1;
  integrate_position(m, x.qpos.data(), along.data(), 1);
  std::copy(d.qvel.begin(), d.qvel.end(), x.qvel.begin());
  kinematics(m, x);
  com_position(m, x);
  tendon_paths(m, x);
  composite_inertia(m, x);
  return x;
}

/// Random positions and velocities, with everything computed from them.
Data stirred(const Model& m, unsigned seed, double speed) {
  std::mt19937 random(seed);
  Data d = world_of(m);
  displace(m, d, random, 0.6);
  random_velocity(d, random, speed);
  forward(m, d);
  return d;
}

TEST(Law, GradientOfThePotentialEnergyIsMinusTheConservativeForce) {
  const Model m = model_of(kSprung);
  for (unsigned seed : {1u, 2u, 3u}) {
    const Data d = stirred(m, seed, 0);
    for (int i = 0; i < m.nv; ++i) {
      DualData x = moving(m, d, i);
      potential_energy(m, x);
      // at rest the bias is gravity alone
      EXPECT_NEAR(x.energy[0].slope[0], d.qfrc_bias[i] - d.qfrc_passive[i], 1e-10) << i;
    }
  }
}

TEST(Law, ConservativeForceHasASymmetricDerivative) {
  Model m = model_of(kScalars);
  const Data d = stirred(m, 4, 0);
  const auto n = std::size_t(m.nv);
  std::vector<double> K(n * n);
  for (int k = 0; k < m.nv; ++k) {
    DualData x = moving(m, d, k);
    com_velocity(m, x);
    bias_forces(m, x);
    for (int i = 0; i < m.nv; ++i) K[std::size_t(i * m.nv + k)] = x.qfrc_bias[i].slope[0];
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) EXPECT_NEAR(K[i * n + k], K[k * n + i], 1e-12) << i << ", " << k;
}

/// ∂M/∂q_k, dense.
std::vector<double> inertia_slope(const Model& m, const Data& d, int k) {
  const DualData x = moving(m, d, k);
  std::vector<double> slope(std::size_t(m.nv * m.nv));
  for (int i = 0; i < m.nv; ++i)
    for (int p = m.M_rowadr[i]; p < m.M_rowadr[i] + m.M_rownnz[i]; ++p)
      slope[std::size_t(i * m.nv + m.M_colind[p])] = slope[std::size_t(m.M_colind[p] * m.nv + i)] = x.M[p].slope[0];
  return slope;
}

/// Without gravity c_i = Σ_jk Γ_ijk v_j v_k, Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j - ∂M_jk/∂q_i), symmetric in j and k.
void expect_christoffel_symbols(const Model& m, const Data& d, const std::string& name) {
  const auto n = std::size_t(m.nv);
  std::vector<std::vector<double>> dM;
  for (int k = 0; k < m.nv; ++k) dM.push_back(inertia_slope(m, d, k));
  for (std::size_t i = 0; i < n; ++i) {
    double force = 0;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        force += 0.5 * (dM[k][i * n + j] + dM[j][i * n + k] - dM[i][j * n + k]) * d.qvel[j] * d.qvel[k];
    EXPECT_NEAR(force, d.qfrc_bias[i], 1e-11 * (1 + std::abs(force))) << name << ", dof " << i;
  }
}

TEST(Law, VelocityForcesAreTheChristoffelSymbolsOfTheInertia) {
  Model m = model_of(kScalars);
  m.opt.gravity = {};
  expect_christoffel_symbols(m, stirred(m, 5, 2), "scalars");
}

TEST(Law, InertiaDoesNotDependOnTheTranslationOfTheWholeTree) {
  const Model m = model_of(kSprung);
  const Data d = stirred(m, 6, 0);
  for (int k = 0; k < 3; ++k)
    for (double x : inertia_slope(m, d, k)) EXPECT_NEAR(x, 0, 1e-12);
}

TEST(Law, DifferencesOfTheInertiaAreItsDerivative) {
  const Model m = model_of(kSprung);
  const Data d = stirred(m, 7, 1);
  InverseDerivative out;
  inverse_fd(m, d, {.inertia = true}, out);
  for (int k = 0; k < m.nv; ++k) {
    const DualData x = moving(m, d, k);
    for (int p = 0; p < m.nC; ++p) EXPECT_NEAR(out.DmDq[std::size_t(k * m.nC + p)], x.M[p].slope[0], 2e-5);
  }
}

/// visit(name, model) for every scene of the models folder.
template <class Visit>
void for_each_scene(Visit&& visit) {
  for (const auto& file : std::filesystem::directory_iterator(SINEW_SOURCE_DIR "/models"))
    if (file.path().extension() == ".xml")
      visit(file.path().stem().string(), load(file.path().string()).value_or_throw());
}

TEST(Law, GradientOfThePotentialEnergyIsMinusTheConservativeForceInEveryScene) {
  for_each_scene([](const std::string& name, const Model& m) {
    const Data d = stirred(m, 8, 0);
    for (int i = 0; i < m.nv; ++i) {
      DualData x = moving(m, d, i);
      potential_energy(m, x);
      const double force = d.qfrc_bias[i] - d.qfrc_spring[i];
      EXPECT_NEAR(x.energy[0].slope[0], force, 1e-9 * (1 + std::abs(force))) << name << ", dof " << i;
    }
  });
}

TEST(Law, VelocityForcesAreTheChristoffelSymbolsOfTheInertiaInEverySceneWithScalarJoints) {
  int scenes = 0;
  for_each_scene([&](const std::string& name, Model m) {
    if (m.nq != m.nv || !std::ranges::all_of(m.tendon_armature, [](double a) { return a == 0; })) return;
    ++scenes;
    m.opt.gravity = {};
    expect_christoffel_symbols(m, stirred(m, 9, 1), name);
  });
  EXPECT_GE(scenes, 3);
}

}  // namespace
}  // namespace sinew
