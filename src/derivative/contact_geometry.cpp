#include "derivative/contact_geometry.h"

#include <algorithm>
#include <cmath>

#include "base/arena.h"
#include "collision/contact_params.h"
#include "collision/frame.h"
#include "collision/pair_table.h"
#include "derivative/contact_convex.h"
#include "derivative/frame_turn.h"
#include "math/quat.h"

namespace sinew {
namespace {

/// Radii of curvature are far larger than 1e-6 m, so that truncation and rounding each cost at most half the digits.
constexpr double kStep = 1e-6;

/// The iteration for curved shapes stops at a tolerance, and its normal is accurate to the square root of that only:
/// where convex_rates fails, a tighter tolerance and a long step give three or four digits.
constexpr double kCurvedStep = 1e-3;
constexpr double kCurvedTolerance = 1e-12;
constexpr int kCurvedIterations = 200;

constexpr double kTooNear = 1e-9;   // m, between the points that define a normal
constexpr double kParallel = 1e-9;  // sin² of the angle between two capsules
constexpr double kEnd = 1e-12;      // of a segment, relative

/// A contact that moves farther within the step (m, or change of the normal) is a different one.
constexpr double kNear = 1e-3;
constexpr double kNearSteps = 50;
/// Cosine: a tangent that rotates more has jumped, as for a capsule whose axis is the normal.
constexpr double kSameTangent = 0.8;

Mat3d frame_of(const ContactPoint& p) {
  Vec3d normal = p.normal;
  normalize(normal);
  return contact_frame(normal, p.tangent);
}

void set_column(Mat3d& a, int k, const Vec3d& v) {
  for (int i = 0; i < 3; ++i) a(i, k) = v[i];
}

/// Differences of one pair function: centered, or one-sided if the contacts stay the same on one side only.
class PairDifference {
 public:
  PairDifference(const Model& m, Data& d, int geom1, int geom2, int count, double step)
      : context_{m, d.scratch()},
        scratch_(d.scratch()),
        a_(shape_of(m, d, geom1)),
        b_(shape_of(m, d, geom2)),
        row_(pair_row(a_.type, b_.type)),
        curved_(is_curved(m)),
        step_(curved_ ? kCurvedStep : step),
        margin_(detection_margin(m, geom1, geom2, explicit_pair(m, geom1, geom2))),
        count_(count) {
    if (curved_) {
      context_.ccd_tolerance = kCurvedTolerance;
      context_.ccd_iterations = kCurvedIterations;
    }
    const int room = most_contacts_of_a_pair(m);
    for (ContactPoint** points : {&middle_, &plus_, &minus_}) *points = scratch_.take<ContactPoint>(room);
    sides_ = scratch_.take<int>(count);
    known_ = row_.contacts(context_, a_, b_, margin_, middle_) == count_;
  }

  /// Contacts with one of the shapes moved by ± the step.
  void move(bool second, const Vec3d& about, const Vec3d& w, const Vec3d& v) {
    const auto run = [&](double sign, ContactPoint* out) {
      const Vec3d dw = w * (sign * step_), dv = v * (sign * step_);
      const Shape a = second ? a_ : moved(a_, about, dw, dv), b = second ? moved(b_, about, dw, dv) : b_;
      return known_ && row_.contacts(context_, a, b, margin_, out) == count_;
    };
    const bool up = run(1, plus_), down = run(-1, minus_);
    for (int i = 0; i < count_; ++i) {
      const bool same_up = up && near(plus_[i], middle_[i]), same_down = down && near(minus_[i], middle_[i]);
      smooth_ &= same_up && same_down;
      if (!same_up) plus_[i] = middle_[i];
      if (!same_down) minus_[i] = middle_[i];
      sides_[i] = int{same_up} + int{same_down};
    }
  }
  bool smooth() const { return smooth_; }
  bool curved() const { return curved_; }

  Vec3d position(int i) const { return (plus_[i].pos - minus_[i].pos) * scale(i); }
  double dist(int i) const { return (plus_[i].dist - minus_[i].dist) * scale(i); }
  /// Rotation vector of the frame per unit of motion: ½ Σ f × df over its axes.
  Vec3d turn(int i, const Mat3d& frame) const {
    const Mat3d p = frame_of(plus_[i]), n = frame_of(minus_[i]);
    Vec3d sum;
    for (int r = 0; r < 3; ++r) sum += cross(frame.row(r), p.row(r) - n.row(r));
    return sum * (0.5 * scale(i));
  }

 private:
  /// Both are the same contact, slightly moved.
  bool near(const ContactPoint& a, const ContactPoint& b) const {
    const Vec3d x = a.pos - b.pos, n = a.normal - b.normal;
    const double most = std::max(kNear, kNearSteps * step_);
    return dot(x, x) < most * most && dot(n, n) < most * most &&
           dot(frame_of(a).row(1), frame_of(b).row(1)) > kSameTangent;
  }
  /// The pair function stops at a tolerance. MPR uses the surfaces of spheres and capsules, GJK and EPA the points and
  /// segments that are inflated to them.
  bool is_curved(const Model& m) const {
    const auto round = [](GeomType type) { return type == GeomType::Sphere || type == GeomType::Capsule; };
    if (row_.ccd == Ccd::Exact && m.opt.disabled(kDisableNativeccd)) return round(a_.type) || round(b_.type);
    return row_.ccd == Ccd::Curved;
  }
  double scale(int i) const { return sides_[i] == 0 ? 0 : 1 / (sides_[i] * step_); }

  PairContext context_;
  Scratch scratch_;
  Shape a_, b_;
  const PairRow& row_;
  bool curved_;
  double step_;
  double margin_;
  int count_;
  bool known_ = false, smooth_ = true;
  int* sides_;  // number of sides on which each contact is the same
  ContactPoint *middle_, *plus_, *minus_;
};

Vec3d unit(int k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

/// Rates of contacts under one motion of a geom: w about a common point, or v.
void take_motion(const PairDifference& pair, const Data& d, int first, int count, int side, bool turns, int k,
                 ContactRate* out) {
  for (int c = 0; c < count; ++c) {
    ContactSideRate& rate = out[c].side[side];
    set_column(turns ? rate.x_w : rate.x_v, k, pair.position(c));
    set_column(turns ? rate.t_w : rate.t_v, k, pair.turn(c, Mat3d::load(d.contact[first + c].frame.data())));
    (turns ? rate.dist_w : rate.dist_v)[k] = pair.dist(c);
  }
}

void difference_pair(const Model& m, Data& d, int first, int count, ContactRate* out) {
  const Contact& one = d.contact[first];
  PairDifference pair(m, d, one.geom[0], one.geom[1], count, kStep);
  const Vec3d about = Vec3d::load(one.pos.data());
  for (int k = 0; k < 3; ++k) {
    for (const int side : {0, 1}) {
      pair.move(side == 1, about, unit(k), {});
      take_motion(pair, d, first, count, side, true, k, out);
    }
    pair.move(true, about, {}, unit(k));
    take_motion(pair, d, first, count, 1, false, k, out);
  }
  for (int c = 0; c < count; ++c) {
    ContactSideRate &a = out[c].side[0], &b = out[c].side[1];
    a.x_v = Mat3d::identity() - b.x_v;
    a.t_v = b.t_v * -1.0;
    a.dist_v = -b.dist_v;
    // curved shapes get here if their nearest points are not unique
    out[c].smooth = pair.smooth() && !pair.curved();
    out[c].curved = pair.curved();
    // a rotation about the contact itself is one about the common point plus the velocity w × (about - x)
    const Mat3d arm = cross_matrix(about - Vec3d::load(d.contact[first + c].pos.data()));
    for (ContactSideRate* rate : {&a, &b}) {
      rate->x_w = rate->x_w - rate->x_v * arm;
      rate->t_w = rate->t_w - rate->t_v * arm;
      rate->dist_w = rate->dist_w - mul_transposed(arm, rate->dist_v);
    }
  }
}

/// A plane (geom 0) and a point of the other body at ρ = n h from the contact, h half the distance and the radius of
/// the ball about the point: dn = w1 × n, dx = v2 + (w2 - w1) × ρ - ½ n n·(v2 - v1).
void plane_point(const Contact& contact, double radius, const Vec3d& wish, bool wish_moves, ContactRate& out) {
  const Mat3d frame = Mat3d::load(contact.frame.data());
  const Vec3d n = frame.row(0);
  const Mat3d rho = cross_matrix(n * (radius + 0.5 * contact.dist)), nn = outer(n, n) * 0.5, N = cross_matrix(n);
  const FrameTurn turn(frame, wish);
  out = {};
  out.side[0].x_w = rho;
  out.side[1].x_w = rho * -1.0;
  out.side[0].x_v = nn;
  out.side[1].x_v = Mat3d::identity() - nn;
  out.side[0].t_w = turn.by_normal * N * -1.0;
  if (wish_moves) out.side[1].t_w = turn.by_wish * cross_matrix(wish) * -1.0;
  out.side[0].dist_v = -n;
  out.side[1].dist_v = n;
}

/// A point that moves with the geoms: dp = Σ over the geoms of w-map w + v-map v.
struct PointRate {
  Mat3d w[2], v[2];
};

/// A point fixed to one of the geoms, at ρ from the contact: dp = v + w × ρ.
PointRate fixed_point(int side, const Vec3d& rho) {
  PointRate p;
  p.w[side] = cross_matrix(rho) * -1.0;
  p.v[side] = Mat3d::identity();
  return p;
}

/// Nearest points p1, p2 with the normal between them, at h1 and h2 (may be negative) from the contact:
/// dn = (1 - n nᵀ)(dp2 - dp1)/L, L = h1 + h2;  dx = dp1 + h1 dn + ½ n n·(dp2 - dp1).
void nearest_points(const Contact& contact, double h1, double h2, const PointRate& p1, const PointRate& p2,
                    ContactRate& out) {
  const Mat3d frame = Mat3d::load(contact.frame.data());
  const Vec3d n = frame.row(0);
  const Mat3d nn = outer(n, n), across = (Mat3d::identity() - nn) * (1 / (h1 + h2)), half = nn * 0.5;
  const FrameTurn turn(frame, default_wish(n));
  const Mat3d apart = across * h1 + half, turned = turn.by_normal * across;
  for (const int side : {0, 1}) {
    ContactSideRate& s = out.side[side];
    const Mat3d w = p2.w[side] - p1.w[side], v = p2.v[side] - p1.v[side];
    s.x_w = p1.w[side] + apart * w;
    s.x_v = p1.v[side] + apart * v;
    s.t_w = turned * w;
    s.t_v = turned * v;
    s.dist_w = mul_transposed(w, n);
    s.dist_v = mul_transposed(v, n);
  }
  out.smooth = true;
}

/// A segment with a radius: a capsule, or a sphere with half length 0.
struct Rod {
  Vec3d axis, center;
  double half = 0, radius = 0;

  Rod(const Model& m, const Data& d, int geom)
      : axis(Mat3d::load(&d.geom_xmat[9 * geom]).column(2)),
        center(Vec3d::load(&d.geom_xpos[3 * geom])),
        half(static_cast<GeomType>(m.geom_type[geom]) == GeomType::Capsule ? m.geom_size[3 * geom + 1] : 0),
        radius(m.geom_size[3 * geom]) {}
  /// The point is not an end of the segment.
  bool inside(const Vec3d& point) const { return std::abs(dot(axis, point - center)) < half * (1 - kEnd); }
};

/// Two rods, not parallel. A nearest point inside its segment slides along the axis u to keep u · (p2 - p1) = 0.
bool two_rods(const Model& m, const Data& d, const Contact& contact, ContactRate& out) {
  const Rod rod[2] = {Rod(m, d, contact.geom[0]), Rod(m, d, contact.geom[1])};
  const Vec3d n = Vec3d::load(contact.frame.data()), x = Vec3d::load(contact.pos.data());
  const double h[2] = {rod[0].radius + 0.5 * contact.dist, rod[1].radius + 0.5 * contact.dist};
  const double length = h[0] + h[1];
  const Vec3d rho[2] = {n * -h[0], n * h[1]};
  const bool slides[2] = {rod[0].inside(x + rho[0]), rod[1].inside(x + rho[1])};
  const double c = dot(rod[0].axis, rod[1].axis);
  if (length < kTooNear || (slides[0] && slides[1] && 1 - c * c < kParallel)) return false;
  PointRate p[2] = {fixed_point(0, rho[0]), fixed_point(1, rho[1])};
  // e = d(u · (p2 - p1)) without sliding, as vectors to be multiplied with w and v of either geom
  Vec3d e_w[2][2], e_v[2][2];
  for (const int k : {0, 1}) {
    const Vec3d& u = rod[k].axis;
    for (const int side : {0, 1}) {
      const double sign = side == 1 ? 1 : -1;
      e_v[k][side] = u * sign;
      e_w[k][side] = cross(rho[side], u) * sign;
      if (k == side) e_w[k][side] += cross(u, n * length);
    }
  }
  const auto slide = [&](int k, const Vec3d& by_w, const Vec3d& by_v, int side) {
    p[k].w[side] += outer(rod[k].axis, by_w);
    p[k].v[side] += outer(rod[k].axis, by_v);
  };
  for (const int side : {0, 1}) {
    if (slides[0] && slides[1]) {
      const double inv = 1 / (1 - c * c);
      const Vec3d t_w = (e_w[0][side] * c - e_w[1][side]) * inv, t_v = (e_v[0][side] * c - e_v[1][side]) * inv;
      slide(1, t_w, t_v, side);
      slide(0, e_w[0][side] + t_w * c, e_v[0][side] + t_v * c, side);
    } else if (slides[0]) {
      slide(0, e_w[0][side], e_v[0][side], side);
    } else if (slides[1]) {
      slide(1, -e_w[1][side], -e_v[1][side], side);
    }
  }
  nearest_points(contact, h[0], h[1], p[0], p[1], out);
  return true;
}

/// A sphere (geom 0) outside a box: the box's nearest point follows the center along axes where no face holds it.
bool sphere_box(const Model& m, const Data& d, const Contact& contact, ContactRate& out) {
  const double radius = m.geom_size[3 * contact.geom[0]], h1 = radius + 0.5 * contact.dist, h2 = 0.5 * contact.dist;
  if (h1 + h2 < kTooNear) return false;  // the center is inside
  const Vec3d n = Vec3d::load(contact.frame.data());
  const Mat3d box = Mat3d::load(&d.geom_xmat[9 * contact.geom[1]]);
  const Vec3d size = Vec3d::load(&m.geom_size[3 * contact.geom[1]]);
  const Vec3d center = mul_transposed(
      box, Vec3d::load(&d.geom_xpos[3 * contact.geom[0]]) - Vec3d::load(&d.geom_xpos[3 * contact.geom[1]]));
  Mat3d follows;  // Σ a aᵀ over the axes on which the point is free
  for (int k = 0; k < 3; ++k)
    if (std::abs(center[k]) < size[k]) follows += outer(box.column(k), box.column(k));
  const PointRate sphere = fixed_point(0, n * -h1);
  PointRate point = fixed_point(1, n * h2);
  const PointRate carried = fixed_point(1, n * -h1);  // the box's own motion at the sphere's center
  for (const int side : {0, 1}) {
    point.w[side] += follows * (sphere.w[side] - carried.w[side]);
    point.v[side] += follows * (sphere.v[side] - carried.v[side]);
  }
  nearest_points(contact, h1, h2, sphere, point, out);
  return true;
}

}  // namespace

int explicit_pair(const Model& m, int geom1, int geom2) {
  for (int p = 0; p < m.npair; ++p) {
    const int a = m.pair_geom1[p], b = m.pair_geom2[p];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return p;
  }
  return -1;
}

bool has_closed_form(const Model& m, int geom1, int geom2) {
  switch (pair_row(m, {geom1, geom2}).motion) {
    case ContactMotion::PlaneVertex:
    case ContactMotion::PlaneBall:
    case ContactMotion::PlaneCapsule:
    case ContactMotion::Rods:
    case ContactMotion::SphereBox: return true;
    case ContactMotion::NearestPoints:
    case ContactMotion::Differences: return false;
  }
  return false;
}

bool contacts_stay(const Model& m, Data& d, int first, int count, double step) {
  const Contact& one = d.contact[first];
  PairDifference pair(m, d, one.geom[0], one.geom[1], count, step);
  const Vec3d about = Vec3d::load(one.pos.data());
  for (int k = 0; k < 3; ++k) {
    for (const bool second : {false, true}) pair.move(second, about, unit(k), {});
    pair.move(true, about, {}, unit(k));
  }
  return pair.smooth();
}

void contact_rates(const Model& m, Data& d, int first, int count, ContactRate* out) {
  const Contact& one = d.contact[first];
  const int second = one.geom[1];
  const double radius = m.geom_size[3 * second];
  const auto on_plane = [&](double ball, const Vec3d& wish, bool wish_moves) {
    for (int c = 0; c < count; ++c) plane_point(d.contact[first + c], ball, wish, wish_moves, out[c]);
  };
  // poses that the equations do not cover: finite differences of the pair function
  switch (pair_row(m, {one.geom[0], second}).motion) {
    case ContactMotion::PlaneVertex: return on_plane(0, default_wish(Vec3d::load(one.frame.data())), false);
    case ContactMotion::PlaneBall: return on_plane(radius, default_wish(Vec3d::load(one.frame.data())), false);
    case ContactMotion::PlaneCapsule: return on_plane(radius, Mat3d::load(&d.geom_xmat[9 * second]).column(2), true);
    case ContactMotion::Rods:
      if (count == 1 && two_rods(m, d, one, out[0])) return;
      break;
    case ContactMotion::SphereBox:
      if (sphere_box(m, d, one, out[0])) return;
      break;
    case ContactMotion::NearestPoints:
      if (convex_rates(m, d, first, count, out)) return;
      break;
    case ContactMotion::Differences: break;
  }
  difference_pair(m, d, first, count, out);
}

}  // namespace sinew
