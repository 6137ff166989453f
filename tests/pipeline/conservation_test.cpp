#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "dynamics/subtree.h"
#include "sinew/sinew.h"

namespace sinew {
namespace {

/// A free chain of three bodies: free, ball and hinge joints with springs, no dampers, no contacts.
constexpr const char* kFreeChain = R"(
<mujoco>
  <option timestep="0.001" integrator="RK4"><flag energy="enable"/></option>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body pos="0 0 1">
      <freejoint/><geom type="box" size="0.2 0.1 0.05"/>
      <body pos="0.2 0 0">
        <joint type="ball" stiffness="2"/><geom type="capsule" size="0.04" fromto="0 0 0 0.3 0 0"/>
        <body pos="0.3 0 0">
          <joint axis="0 1 0" stiffness="1" springref="20"/><geom type="ellipsoid" size="0.1 0.05 0.03" pos="0.1 0 0"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)";

struct Chain {
  Model m = load_string(kFreeChain).value_or_throw();
  Data d{m};

  Chain() {
    reset(m, d);
    for (int i = 0; i < m.nv; ++i) d.qvel[i] = 0.3 * (i % 4) - 0.4;
  }
  void run(double seconds) {
    for (int i = 0; i < seconds / m.opt.timestep; ++i) step(m, d);
    forward(m, d);
  }
  double energy() {
    forward(m, d);
    return d.energy[0] + d.energy[1];
  }
  /// Total linear momentum, and total angular momentum about the center of mass.
  std::array<double, 6> momentum() {
    forward(m, d);
    subtree_velocity(m, d);
    std::array<double, 6> p;
    for (int k = 0; k < 3; ++k) {
      p[k] = m.body_subtreemass[1] * d.subtree_linvel[3 + k];
      p[3 + k] = d.subtree_angmom[3 + k];
    }
    return p;
  }
};

TEST(Energy, IsConservedWithoutDampers) {
  Chain chain;
  const double before = chain.energy();
  chain.run(2);
  EXPECT_NEAR(chain.energy(), before, 1e-6 * std::abs(before));
}

TEST(Energy, DecreasesWithDampers) {
  Chain chain;
  chain.m.opt.gravity = {0, 0, 0};
  std::ranges::fill(chain.m.dof_damping, 0.01);
  double last = chain.energy();
  for (int i = 0; i < 20; ++i) {
    chain.run(0.05);
    const double now = chain.energy();
    EXPECT_LT(now, last);
    last = now;
  }
}

TEST(Momentum, IsConservedWithoutGravity) {
  Chain chain;
  chain.m.opt.gravity = {0, 0, 0};
  const std::array<double, 6> before = chain.momentum();
  chain.run(2);
  const std::array<double, 6> after = chain.momentum();
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(after[k], before[k], 1e-6) << k;
}

TEST(Momentum, GrowsByTheImpulseOfGravity) {
  Chain chain;
  const std::array<double, 6> before = chain.momentum();
  chain.run(0.5);
  const std::array<double, 6> after = chain.momentum();
  const double impulse = -9.81 * 0.5 * chain.m.body_subtreemass[1];
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(after[k] - before[k], k == 2 ? impulse : 0, 1e-6) << k;
}

TEST(FreeFall, IsExactWithRk4) {
  Model m = load_string(R"(<mujoco><option timestep="0.01" integrator="RK4"/><worldbody>
    <body pos="0 0 10"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>)")
                .value_or_throw();
  Data d(m);
  reset(m, d);
  d.qvel[0] = 2;
  for (int i = 0; i < 100; ++i) step(m, d);
  EXPECT_NEAR(d.qpos[2], 10 - 0.5 * 9.81, 1e-12);
  EXPECT_NEAR(d.qpos[0], 2, 1e-12);
}

}  // namespace
}  // namespace sinew
