#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/arena.h"
#include "collision/plain_kernels.h"
#include "collision/random_shape.h"
#include "dynamics/kinematics.h"
#include "sinew/load.h"

// Each kernel of src/collision against its plain text, for every size up to and past its thresholds.

namespace sinew {
namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// Candidates of bodies with one to three geoms, crowded; one in eight geoms is a plane or has no bound.
SphereCandidates random_candidates(int count, RandomShapes& random) {
  const auto integer = [&](int end) { return static_cast<int>(random.uniform(0, end)); };
  SphereCandidates c;
  int left = 0;
  for (int i = 0; i < count; ++i) {
    if (left-- == 0) {
      left = integer(3);
      if (i > 0) c.end[c.nbody++] = i;
    }
    const Vec3d pos = random.vector();
    c.x[i] = pos.x, c.y[i] = pos.y, c.z[i] = pos.z;
    c.radius[i] = integer(8) == 0 ? std::numeric_limits<double>::infinity() : random.uniform(.1, 1);
    c.reach[i] = random.uniform(0, .1);
    c.contype[i] = integer(4), c.conaffinity[i] = integer(4);
    c.weld[i] = integer(9), c.parent[i] = integer(9) - 1, c.moves[i] = -integer(2);
    c.geom[i] = i, c.type[i] = integer(8) == 0 ? static_cast<int>(GeomType::Plane) : static_cast<int>(GeomType::Box);
    c.body[i] = c.nbody;
  }
  c.count = count;
  if (count > 0) c.end[c.nbody++] = count;
  if (count > 0 && integer(3) == 0) c.y[integer(count)] = std::numeric_limits<double>::quiet_NaN();
  c.pad();
  return c;
}

TEST(Kernel, NearPairsAreThoseOfThePlainTextForEveryNumberOfGeoms) {
  RandomShapes random(1);
  std::vector<double> mat;
  for (int i = 0; i < kFewGeoms; ++i) {
    const Mat3d turn = random.rotation();
    mat.insert(mat.end(), turn.m, turn.m + 9);
  }
  std::size_t total = 0;
  for (int count = 0; count <= kFewGeoms; ++count)
    for (int repeat = 0; repeat < 20; ++repeat) {
      const SphereCandidates c = random_candidates(count, random);
      std::vector<int> near(static_cast<std::size_t>(count) * count / 2 + 4);
      near.resize(static_cast<std::size_t>(near_pairs(c, mat.data(), near.data())));
      ASSERT_EQ(near, plain::near_pairs(c, mat.data())) << count << " geoms";
      total += near.size();
    }
  EXPECT_GT(total, 10000u);
}

/// Boxes of 0.05 to 0.2 half side in a cube at constant density, every twentieth one ten times as large.
Model scattered(int bodies) {
  RandomShapes random(7);
  const double room = .25 * std::cbrt(bodies);
  std::string xml = "<mujoco><worldbody><geom type='plane' size='1 1 1'/>";
  for (int i = 0; i < bodies; ++i) {
    const auto three = [&](double lo, double hi) {
      return std::to_string(random.uniform(lo, hi)) + " " + std::to_string(random.uniform(lo, hi)) + " " +
             std::to_string(random.uniform(lo, hi));
    };
    const double scale = i % 20 == 0 ? 10 : 1;
    xml += "<body pos='" + three(0, room) + "'><freejoint/><geom type='box' size='" + three(.05 * scale, .2 * scale) +
           "' euler='" + three(0, 360) + "'/></body>";
  }
  return load_string(xml + "</worldbody></mujoco>").value_or_throw();
}

// All numbers past the one up to which every two bodies are compared (128), then those around the one up to which they
// are sorted by comparing (1,000).
TEST(Kernel, BodyPairsAreThoseOfThePlainTextForEveryNumberOfBodies) {
  const Model m = scattered(1200);
  Data d(m);
  reset(m, d);
  kinematics(m, d);
  std::vector<int> numbers;
  for (int n = 0; n <= 135; ++n) numbers.push_back(n);
  numbers.insert(numbers.end(), {400, 999, 1000, 1001, 1002, 1200});
  for (const int n : numbers) {
    Scratch scratch(d.scratch());
    Bounds bounds = compute_bounds(m, d, scratch);
    for (int b = n + 1; b < m.nbody; ++b) bounds.body[b] = Box::empty();  // takes no part
    const BodyPairs found = body_pairs(m, d, bounds, scratch);
    const std::vector<BodyPair> expected = plain::body_pairs(m, d, bounds);
    ASSERT_EQ(found.count, expected.size()) << n << " bodies";
    for (std::size_t i = 0; i < found.count; ++i) {
      ASSERT_EQ(found.pair[i].first, expected[i].first) << n << " bodies";
      ASSERT_EQ(found.pair[i].second, expected[i].second) << n << " bodies";
    }
    EXPECT_GE(found.count, static_cast<std::size_t>(n));  // the plane meets all of them
  }
}

/// A corner of the Minkowski difference, sometimes on an axis or the same as another one.
Vec3d corner(RandomShapes& random, const Vec3d& other) {
  Vec3d v = random.vector();
  const double kind = random.uniform(0, 1);
  if (kind < .05) return other;
  if (kind < .1) v.x = 0;
  if (kind < .15) v.y = other.y;
  return v * (random.uniform(0, 1) < .1 ? 1e-7 : 1);
}

TEST(Kernel, SignedAreasAreThoseOfThePlainText) {
  RandomShapes random(2);
  for (int i = 0; i < 20000; ++i) {
    const Vec3d a = corner(random, {}), b = corner(random, a), c = corner(random, b), p = random.vector();
    double found[3], expected[3];
    ASSERT_TRUE(same_bits(signed_areas(a, b, c, p, found), plain::signed_areas(a, b, c, p, expected)));
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(same_bits(found[k], expected[k]));
  }
}

TEST(Kernel, OutwardProjectionsAreThoseOfThePlainText) {
  RandomShapes random(3);
  int proper = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec3d apex = corner(random, {}), arm = random.vector();
    const Vec3d second[2] = {corner(random, apex), corner(random, apex)};
    const Vec3d third[2] = {corner(random, second[0]), corner(random, second[1])};
    Vec3d q[2], expected[2];
    double d2[2], expected_d2[2];
    const Vec3d* const two[2] = {&second[0], &second[1]};
    const Vec3d* const three[2] = {&third[0], &third[1]};
    Vec3d* const to_q[2] = {&q[0], &q[1]};
    double* const to_d2[2] = {&d2[0], &d2[1]};
    const bool found = outward_projections(apex, arm, two, three, to_q, to_d2);
    bool both = true;
    for (const int k : {0, 1})
      both &= plain::outward_projection(apex, arm, second[k], third[k], expected[k], expected_d2[k]);
    ASSERT_EQ(found, both);
    if (!found) continue;
    ++proper;
    for (const int k : {0, 1}) {
      ASSERT_TRUE(same_bits(d2[k], expected_d2[k]));
      for (int axis = 0; axis < 3; ++axis) ASSERT_TRUE(same_bits(q[k][axis], expected[k][axis]));
    }
  }
  EXPECT_GT(proper, 10000);
}

}  // namespace
}  // namespace sinew
