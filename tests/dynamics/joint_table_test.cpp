#include "dynamics/joint_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace sinew {
namespace {

/// A valid position of a joint: components in (-1, 1), unit quaternions.
std::vector<double> random_position(const JointKind& row, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> q(row.nq);
  for (double& x : q) x = uniform(random);
  if (row.has_quaternion()) {
    double* quat = q.data() + row.translations;
    normalized(Quat<double>::load(quat)).store(quat);
  }
  return q;
}

TEST(JointTable, MechanicsHaveTheSizesOfTheirRow) {
  constexpr double kUntouched = 17;
  const auto written = [&](const std::vector<double>& x) {
    return std::ssize(x) - std::count(x.begin(), x.end(), kUntouched);
  };
  for (const JointKind& row : kJointKinds)
    visit_joint(row.type, [&](auto kind) {
      const std::vector<double> v(8, 0.3), q1 = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
      std::vector<double> q(8, kUntouched), back(8, kUntouched), force(8, kUntouched), axes(48, kUntouched);
      std::copy_n(q1.begin(), row.nq, q.begin());
      kind.integrate(q.data(), v.data(), 0.5);
      kind.difference(back.data(), q1.data(), q.data(), 0.5);
      kind.spring(force.data(), SpringLaw{1, 0, 0}, q.data(), q1.data());
      kind.axes(axes.data(), Vec3<double>(1, 0, 0), Vec3<double>(0, 1, 0), Mat3<double>::identity().m);
      EXPECT_EQ(written(q), row.nq) << row.word;
      EXPECT_EQ(written(back), row.nv) << row.word;
      EXPECT_EQ(written(force), row.nv) << row.word;
      EXPECT_EQ(written(axes), 6 * row.nv) << row.word;
    });
}

TEST(JointTable, DifferenceUndoesIntegration) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const JointKind& row : kJointKinds)
    visit_joint(row.type, [&](auto kind) {
      for (int trial = 0; trial < 50; ++trial) {
        const std::vector<double> q1 = random_position(row, random);
        std::vector<double> q2 = q1, v(row.nv), back(row.nv);
        for (double& x : v) x = uniform(random);
        kind.integrate(q2.data(), v.data(), 0.3);
        kind.difference(back.data(), q1.data(), q2.data(), 0.3);
        for (int k = 0; k < row.nv; ++k) EXPECT_NEAR(back[k], v[k], 1e-14);
      }
    });
}

TEST(JointTable, AxesAreTheDerivativeOfTheMovedFrame) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double h = 1e-6;
  for (const JointKind& row : kJointKinds)
    visit_joint(row.type, [&](auto kind) {
      for (int trial = 0; trial < 20; ++trial) {
        Vec3<double> axis(uniform(random), uniform(random), uniform(random));
        normalize(axis);
        const Vec3<double> pos(uniform(random), uniform(random), uniform(random));
        const Vec3<double> c(uniform(random), uniform(random), uniform(random));
        const MovingFrame<double> before{{uniform(random), uniform(random), uniform(random)},
                                         exp(Vec3<double>(uniform(random), uniform(random), uniform(random)))};
        const std::vector<double> q = random_position(row, random), q0(row.nq, 0.0);
        const bool free = row.floating;
        JointPose<double> joint{axis, free ? Vec3<double>() : pos, rotate(before.quat, axis),
                                rotate(before.quat, pos) + before.pos};
        const auto frame_at = [&](const std::vector<double>& position) {
          MovingFrame<double> frame = before;
          kind.move(frame, joint, position.data(), q0.data());
          return frame;
        };
        const MovingFrame<double> here = frame_at(q);
        const Vec3<double> anchor = free ? here.pos : joint.xanchor;
        double cdof[36];
        kind.axes(cdof, joint.xaxis, c - anchor, to_matrix(here.quat).m);
        for (int k = 0; k < row.nv; ++k) {
          std::vector<double> v(row.nv, 0.0), plus = q, minus = q;
          v[k] = 1;
          kind.integrate(plus.data(), v.data(), h);
          kind.integrate(minus.data(), v.data(), -h);
          const MovingFrame<double> ahead = frame_at(plus), behind = frame_at(minus);
          const Motion<double> s = Motion<double>::load(cdof + 6 * k);
          // the velocity of the frame's origin, and the rotation between the two frames in world axes
          const Vec3<double> origin = s.v + cross(s.w, here.pos - c);
          const Vec3<double> moved = (ahead.pos - behind.pos) * (0.5 / h);
          const Vec3<double> turned = rotate(here.quat, subtract(ahead.quat, behind.quat)) * (0.5 / h);
          for (int i = 0; i < 3; ++i) {
            EXPECT_NEAR(moved[i], origin[i], 1e-9);
            EXPECT_NEAR(turned[i], s.w[i], 1e-9);
          }
        }
      }
    });
}

TEST(JointTable, SpringForceIsMinusTheDerivativeOfItsEnergy) {
  std::mt19937 random(3);
  const SpringLaw law{10, 3, 2};
  const double h = 1e-6;
  for (const JointKind& row : kJointKinds)
    visit_joint(row.type, [&](auto kind) {
      for (int trial = 0; trial < 20; ++trial) {
        const std::vector<double> q = random_position(row, random), rest = random_position(row, random);
        std::vector<double> force(row.nv);
        kind.spring(force.data(), law, q.data(), rest.data());
        for (int k = 0; k < row.nv; ++k) {
          std::vector<double> v(row.nv, 0.0), plus = q, minus = q;
          v[k] = 1;
          kind.integrate(plus.data(), v.data(), h);
          kind.integrate(minus.data(), v.data(), -h);
          const double slope =
              (kind.spring_energy(law, plus.data(), rest.data()) - kind.spring_energy(law, minus.data(), rest.data())) /
              (2 * h);
          EXPECT_NEAR(force[k], -slope, 1e-6);
        }
      }
    });
}

TEST(JointTable, PolynomialHingeSpringMatchesMuJoCo) {
  // MuJoCo 3.12.0, hinge with stiffness "10 3 2" at 0.3: qfrc_spring
  const double q = 0.3, rest = 0;
  double force = 0;
  HingeJoint::spring(&force, SpringLaw{10, 3, 2}, &q, &rest);
  EXPECT_NEAR(force, -3.324, 1e-15);
}

}  // namespace
}  // namespace sinew
