#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/arena.h"
#include "collision/ccd.h"
#include "collision/pair_table.h"
#include "collision/pairs/pairs.h"
#include "collision/random_shape.h"
#include "geometry/signed_distance.h"

namespace sinew {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The pair functions need only the options of a model.
const Model& no_assets() {
  static const Model m;
  return m;
}

double clamp(double x, double half) { return std::clamp(x, -half, half); }

/// The point of a shape nearest to p, in the shape's frame: an independent reference.
Vec3d nearest_point(const Shape& s, const Vec3d& p) {
  switch (s.type) {
    case GeomType::Sphere: return norm(p) <= s.size.x ? p : p * (s.size.x / norm(p));
    case GeomType::Capsule: {
      const Vec3d core = {0, 0, clamp(p.z, s.size.y)};
      const Vec3d off = p - core;
      return norm(off) <= s.size.x ? p : core + off * (s.size.x / norm(off));
    }
    case GeomType::Cylinder: {
      const double rho = std::hypot(p.x, p.y), k = rho > s.size.x ? s.size.x / rho : 1;
      return {k * p.x, k * p.y, clamp(p.z, s.size.y)};
    }
    case GeomType::Box: return {clamp(p.x, s.size.x), clamp(p.y, s.size.y), clamp(p.z, s.size.z)};
    default: {  // ellipsoid: x_i = s_i² p_i / (s_i² + t), t the root of sum (s_i p_i / (s_i² + t))² = 1
      const auto excess = [&](double t) {
        double sum = 0;
        for (int i = 0; i < 3; ++i) {
          const double c = s.size[i] * p[i] / (s.size[i] * s.size[i] + t);
          sum += c * c;
        }
        return sum - 1;
      };
      if (excess(0) <= 0) return p;
      double lo = 0, hi = 1;
      while (excess(hi) > 0) hi *= 2;
      for (int i = 0; i < 200; ++i) (excess(0.5 * (lo + hi)) > 0 ? lo : hi) = 0.5 * (lo + hi);
      Vec3d x;
      for (int i = 0; i < 3; ++i) x[i] = s.size[i] * s.size[i] * p[i] / (s.size[i] * s.size[i] + lo);
      return x;
    }
  }
}

Vec3d project(const Shape& s, const Vec3d& world) {
  return s.mat * nearest_point(s, mul_transposed(s.mat, world - s.pos)) + s.pos;
}

/// Distance of two separate shapes by alternating projections.
double projected_distance(const Shape& a, const Shape& b) {
  Vec3d x = project(a, b.pos), y = project(b, x);
  double before = kInfinity;
  for (int i = 0; i < 100000; ++i) {
    x = project(a, y);
    y = project(b, x);
    const double now = norm(x - y);
    if (before - now < 1e-16) break;
    before = now;
  }
  return norm(x - y);
}

/// Smallest translation that separates two shapes: sampled directions, refined around the best one.
double sampled_depth(const Shape& a, const Shape& b, RandomShapes& random) {
  Convex o1 = convex_of(no_assets(), a, 0), o2 = convex_of(no_assets(), b, 0);
  const auto width = [&](Vec3d d) {
    normalize(d);
    return dot(d, o1.support(d) - o2.support(-d));
  };
  Vec3d best = random.unit();
  double least = width(best);
  const auto try_direction = [&](const Vec3d& d) {
    const double w = width(d);
    if (w < least) {
      least = w;
      best = d;
      normalize(best);
    }
  };
  for (int i = 0; i < 3000; ++i) try_direction(random.unit());
  for (const Shape* s : {&a, &b})
    for (int k = 0; k < 3; ++k)
      for (const double side : {1.0, -1.0}) try_direction(s->mat.column(k) * side);
  for (double reach = 0.3; reach > 1e-9; reach *= 0.7)
    for (int i = 0; i < 100; ++i) try_direction(best + random.vector() * reach);
  return least;
}

/// Signed distance by the engine, as in geom_distance: GJK also for two separate boxes.
double engine_distance(const Shape& a, const Shape& b, double cutoff = 1e9) {
  static Arena arena;
  const PairContext context = {no_assets(), arena};
  const PairRow& row = pair_row(a.type, b.type);
  if (row.ccd != Ccd::None || (row.distance == DistanceBy::Ccd && cutoff > 0)) {
    Convex o1 = convex_of(no_assets(), a, 0), o2 = convex_of(no_assets(), b, 0);
    CcdConfig config;
    config.cutoff = cutoff;
    return convex_distance(no_assets(), o1, o2, config, arena).dist;
  }
  ContactPoint found[8];
  double least = kInfinity;
  const int count = row.contacts(context, a, b, cutoff, found);
  for (int i = 0; i < count; ++i) least = std::min(least, found[i].dist);
  return least;
}

/// Moves b away from a in a random direction until they overlap by `depth` along it.
void place_at_depth(const Shape& a, Shape& b, double depth, RandomShapes& random) {
  const Vec3d dir = random.unit();
  double lo = 0, hi = 2 * (a.rbound + b.rbound);
  for (int i = 0; i < 50; ++i) {
    const double mid = 0.5 * (lo + hi);
    b.pos = a.pos + dir * mid;
    (engine_distance(a, b) > 1e-6 ? hi : lo) = mid;
  }
  b.pos = a.pos + dir * (hi - depth);
}

TEST(Distance, OfSeparateShapesMatchesBruteForce) {
  RandomShapes random(1);
  for_all_pairs(kPrimitives, [&](GeomType ta, GeomType tb) {
    for (int i = 0; i < 40; ++i) {
      const Shape a = random.shape(ta);
      Shape b = random.shape(tb);
      b.pos = random.unit() * ((a.rbound + b.rbound) * random.uniform(1, 1.5));
      const double reference = projected_distance(a, b);
      if (reference < 1e-3) continue;
      EXPECT_NEAR(engine_distance(a, b), reference, 2e-6);
    }
  });
}

TEST(Depth, OfShallowPenetrationMatchesBruteForce) {
  RandomShapes random(2);
  for_all_pairs(kPrimitives, [&](GeomType ta, GeomType tb) {
    for (int i = 0; i < 8; ++i) {
      const Shape a = random.shape(ta);
      Shape b = random.shape(tb);
      place_at_depth(a, b, 0.004, random);
      const double reference = sampled_depth(a, b, random);
      // two boxes prefer a face to an edge that is up to 5 % better, and only corners over that face count
      const double allowed = ta == GeomType::Box && tb == GeomType::Box ? 0.15 * reference : 1e-5;
      EXPECT_NEAR(-engine_distance(a, b, 0), reference, allowed);
    }
  });
}

TEST(Contacts, DoNotDependOnTheOrderOfTwoShapesOfTheSameType) {
  RandomShapes random(3);
  Arena arena;
  Model model;
  model.opt.ccd_iterations = 200;  // so that the tolerance ends the iteration
  for (const GeomType type : kPrimitives) {
    SCOPED_TRACE(name_of(type));
    for (int i = 0; i < 50; ++i) {
      const Shape a = random.shape(type);
      Shape b = random.shape(type);
      b.pos = random.unit() * ((a.rbound + b.rbound) * random.uniform(.4, 1));
      ContactPoint ab[8], ba[8];
      const PairFunction function = pair_row(type, type).contacts;
      const int n = function({model, arena}, a, b, 0, ab), reverse = function({model, arena}, b, a, 0, ba);
      ASSERT_EQ(n > 0, reverse > 0);
      if (n == 0) continue;
      const auto deepest = [](const ContactPoint* c, int count) {
        return std::min_element(c, c + count, [](auto& x, auto& y) { return x.dist < y.dist; });
      };
      const ContactPoint &x = *deepest(ab, n), &y = *deepest(ba, reverse);
      EXPECT_NEAR(x.dist, y.dist, type == GeomType::Box ? 0.06 * std::abs(x.dist) + 1e-12 : 2e-6);
    }
  }
}

TEST(Contacts, MoveWithACommonRigidMotion) {
  RandomShapes random(4);
  Arena arena;
  for_all_pairs(kPrimitives, [&](GeomType ta, GeomType tb) {
    for (int i = 0; i < 30; ++i) {
      const Shape a = random.shape(ta);
      Shape b = random.shape(tb);
      b.pos = random.unit() * ((a.rbound + b.rbound) * random.uniform(.5, .9));
      const Mat3d turn = random.rotation();
      const Vec3d shift = random.vector();
      const auto moved = [&](Shape s) {
        s.pos = turn * s.pos + shift;
        s.mat = turn * s.mat;
        return s;
      };
      const PairRow& row = pair_row(ta, tb);
      ContactPoint here[8], there[8];
      const int n = row.contacts({no_assets(), arena}, a, b, 0, here);
      const int m = row.contacts({no_assets(), arena}, moved(a), moved(b), 0, there);
      ASSERT_EQ(n > 0, m > 0);
      if (n == 0) continue;
      const bool exact = row.ccd == Ccd::None;
      ASSERT_TRUE(n == m || !exact);
      EXPECT_NEAR(here[0].dist, there[0].dist, exact ? 1e-12 : 2e-6);
      if (!exact) continue;
      for (int c = 0; c < n; ++c) {
        EXPECT_LT(norm(turn * here[c].pos + shift - there[c].pos), 1e-12);
        EXPECT_LT(norm(turn * here[c].normal - there[c].normal), 1e-9);
      }
    }
  });
}

TEST(Contacts, LieBetweenTheTwoSurfaces) {
  RandomShapes random(5);
  Arena arena;
  for_all_pairs(kPrimitives, [&](GeomType ta, GeomType tb) {
    for (int i = 0; i < 30; ++i) {
      const Shape a = random.shape(ta);
      Shape b = random.shape(tb);
      place_at_depth(a, b, 0.01, random);
      ContactPoint found[8];
      const int n = pair_row(ta, tb).contacts({no_assets(), arena}, a, b, 0, found);
      EXPECT_GT(n, 0);
      for (int c = 0; c < n; ++c) {
        // at most half the depth from both shapes; a millimeter for contacts of perturbed poses
        const double allowed = 0.5 * std::abs(found[c].dist) + 1e-3;
        EXPECT_LT(norm(project(a, found[c].pos) - found[c].pos), allowed);
        EXPECT_LT(norm(project(b, found[c].pos) - found[c].pos), allowed);
        EXPECT_GT(dot(found[c].normal, b.pos - a.pos), 0);  // shallow: the normal points from a to b
      }
    }
  });
}

TEST(Contacts, AreFoundAtAnyScale) {
  RandomShapes random(6);
  Arena arena;
  for (const double scale : {1e-6, 1.0, 1e6}) {
    for_all_pairs(kPrimitives, [&](GeomType ta, GeomType tb) {
      for (int i = 0; i < 10; ++i) {
        const Shape a = random.shape(ta, scale);
        Shape b = random.shape(tb, scale);
        b.pos = random.unit() * ((a.rbound + b.rbound) * 1.1);
        const double reference = projected_distance(a, b);
        EXPECT_NEAR(engine_distance(a, b, 1e9), reference, 2e-6 * std::max(1.0, scale) + 2e-6) << scale;
        ContactPoint found[8];
        b.pos = random.unit() * (0.01 * a.rbound);
        const int n = pair_row(ta, tb).contacts({no_assets(), arena}, a, b, 0, found);
        for (int c = 0; c < n; ++c) {
          EXPECT_TRUE(std::isfinite(found[c].dist));
          EXPECT_LT(found[c].dist, 0);
          EXPECT_NEAR(norm(found[c].normal), 1, 1e-9);
        }
        EXPECT_TRUE(n > 0 || scale < 1);  // centers closer than the tolerance: no contact, as in MuJoCo
      }
    });
  }
}

TEST(Contacts, OfDegenerateShapesAndPosesAreFiniteAndFew) {
  RandomShapes random(7);
  Arena arena;
  for_all_pairs(kPrimitives, [&](GeomType ta, GeomType tb) {
    for (int i = 0; i < 40; ++i) {
      Shape a = random.shape(ta), b = random.shape(tb);
      switch (i % 5) {
        case 0: break;  // concentric
        case 1:
          a.mat = b.mat = Mat3d::identity();  // concentric and aligned
          break;
        case 2:
          a.mat = b.mat = Mat3d::identity();  // face to face
          b.pos = {0, 0, a.size.z + b.size.z};
          break;
        case 3:
          a.size = {1e-5, .2, 1e-5};  // a needle
          RandomShapes::set_rbound(a);
          b.pos = random.vector() * .05;
          break;
        case 4:
          a.mat = b.mat = Mat3d::identity();  // corner to corner
          b.pos = a.size + b.size;
          break;
      }
      for (const double margin : {0.0, 0.05}) {
        ContactPoint found[8];
        const int n = pair_row(ta, tb).contacts({no_assets(), arena}, a, b, margin, found);
        ASSERT_LE(n, pair_row(ta, tb).most(no_assets(), margin));
        for (int c = 0; c < n; ++c) {
          EXPECT_TRUE(std::isfinite(found[c].dist) && std::isfinite(norm(found[c].pos)));
          EXPECT_NEAR(norm(found[c].normal), 1, 1e-9);
        }
      }
    }
  });
}

TEST(Contacts, DoNotExistForNonFinitePoses) {
  RandomShapes random(8);
  Arena arena;
  for (const double bad : {double(NAN), kInfinity}) {
    for_all_pairs(kPrimitives, [&](GeomType ta, GeomType tb) {
      const Shape a = random.shape(ta);
      Shape b = random.shape(tb);
      b.pos = {bad, 0, 0};
      ContactPoint found[8];
      EXPECT_EQ(pair_row(ta, tb).contacts({no_assets(), arena}, a, b, 0, found), 0);
      Shape plane;
      plane.type = GeomType::Plane;
      plane.mat = Mat3d::identity();
      b.pos = {0, 0, bad};
      EXPECT_EQ(pair_row(GeomType::Plane, tb).contacts({no_assets(), arena}, plane, b, 0, found), 0);
    });
  }
}

TEST(Scratch, IsReleasedByEveryPairFunction) {
  RandomShapes random(9);
  Arena arena;
  for_all_pairs(kPrimitives, [&](GeomType ta, GeomType tb) {
    const Shape a = random.shape(ta);
    Shape b = random.shape(tb);
    b.pos = random.unit() * .05;
    ContactPoint found[8];
    pair_row(ta, tb).contacts({no_assets(), arena}, a, b, 0, found);
    EXPECT_EQ(arena.used(), 0u);
  });
}

}  // namespace
}  // namespace sinew
