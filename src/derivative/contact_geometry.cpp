#include "derivative/contact_geometry.h"

#include <algorithm>

#include "base/arena.h"
#include "collision/contact_params.h"
#include "collision/frame.h"
#include "collision/pair_table.h"
#include "math/quat.h"

namespace sinew {
namespace {

/// Pairs differ in their curvature by no more than the smallest radius of a model; a step of 1e-6 m or rad loses half
/// the digits in neither direction.
constexpr double kStep = 1e-6;

constexpr double kAlong = 1e-9;

/// Farther than this (m, or in the normal) a contact does not move within the step: it is another one.
constexpr double kNear = 1e-3;

int explicit_pair(const Model& m, int geom1, int geom2) {
  for (int p = 0; p < m.npair; ++p) {
    const int a = m.pair_geom1[p], b = m.pair_geom2[p];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return p;
  }
  return -1;
}

/// The shape after turning by w about a point and moving by v.
Shape moved(const Shape& s, const Vec3d& about, const Vec3d& w, const Vec3d& v) {
  Shape out = s;
  const Mat3d R = to_matrix(exp(w));
  out.pos = about + R * (s.pos - about) + v;
  out.mat = R * s.mat;
  return out;
}

Mat3d frame_of(const ContactPoint& p) {
  Vec3d normal = p.normal;
  normalize(normal);
  return contact_frame(normal, p.tangent);
}

void set_column(Mat3d& a, int k, const Vec3d& v) {
  for (int i = 0; i < 3; ++i) a(i, k) = v[i];
}

/// Differences of one pair function: centered, or to the one side on which the contacts are still the same ones.
class PairDifference {
 public:
  PairDifference(const Model& m, Data& d, int geom1, int geom2, int count)
      : context_{m, d.scratch()},
        scratch_(d.scratch()),
        a_(shape_of(m, d, geom1)),
        b_(shape_of(m, d, geom2)),
        function_(pair_function(a_.type, b_.type)),
        margin_(detection_margin(m, geom1, geom2, explicit_pair(m, geom1, geom2))),
        count_(count) {
    const int room = std::max(m.opt.sdf_initpoints, kMaxContactsHfield);
    for (ContactPoint** points : {&middle_, &plus_, &minus_}) *points = scratch_.take<ContactPoint>(room);
    sides_ = scratch_.take<int>(count);
    known_ = function_(context_, a_, b_, margin_, middle_) == count_;
  }

  /// Contacts with one of the shapes moved by ± the step.
  void move(bool second, const Vec3d& about, const Vec3d& w, const Vec3d& v) {
    const auto run = [&](double sign, ContactPoint* out) {
      const Vec3d dw = w * (sign * kStep), dv = v * (sign * kStep);
      const Shape a = second ? a_ : moved(a_, about, dw, dv), b = second ? moved(b_, about, dw, dv) : b_;
      return known_ && function_(context_, a, b, margin_, out) == count_;
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

  Vec3d position(int i) const { return (plus_[i].pos - minus_[i].pos) * scale(i); }
  double dist(int i) const { return (plus_[i].dist - minus_[i].dist) * scale(i); }
  /// Rotation vector of the frame, per unit: ½ Σ f × df over its axes.
  Vec3d turn(int i, const Mat3d& frame) const {
    const Mat3d p = frame_of(plus_[i]), n = frame_of(minus_[i]);
    Vec3d sum;
    for (int r = 0; r < 3; ++r) sum += cross(frame.row(r), p.row(r) - n.row(r));
    return sum * (0.5 * scale(i));
  }

 private:
  /// The same contact, a little later.
  static bool near(const ContactPoint& a, const ContactPoint& b) {
    const Vec3d x = a.pos - b.pos, n = a.normal - b.normal;
    return dot(x, x) < kNear * kNear && dot(n, n) < kNear * kNear;
  }
  double scale(int i) const { return sides_[i] == 0 ? 0 : 1 / (sides_[i] * kStep); }

  PairContext context_;
  Scratch scratch_;
  Shape a_, b_;
  PairFunction function_;
  double margin_;
  int count_;
  bool known_ = false, smooth_ = true;
  int* sides_;  // on how many sides each contact is the same
  ContactPoint *middle_, *plus_, *minus_;
};

Vec3d unit(int k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

/// The rates of contacts as one motion of a geom gives them: w about a common point, or v.
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
  PairDifference pair(m, d, one.geom[0], one.geom[1], count);
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
    out[c].smooth = pair.smooth();
    // a turn about the contact itself is one about the common point with the velocity w × (about - x)
    const Mat3d arm = cross_matrix(about - Vec3d::load(d.contact[first + c].pos.data()));
    for (ContactSideRate* rate : {&a, &b}) {
      rate->x_w = rate->x_w - rate->x_v * arm;
      rate->t_w = rate->t_w - rate->t_v * arm;
      rate->dist_w = rate->dist_w - mul_transposed(arm, rate->dist_v);
    }
  }
}

/// The frame's turn as a linear function of the changes of the normal n and of the wish e for the tangent:
/// θ = n × dn + n (t2·de - (n·e) t2·dn) / |e - n (n·e)|.
struct FrameTurn {
  Mat3d by_normal, by_wish;

  FrameTurn(const Mat3d& frame, const Vec3d& wish) {
    const Vec3d n = frame.row(0), t2 = frame.row(2);
    const double along = dot(n, wish), length = norm(wish - n * along);
    // a wish along the normal leaves the tangents undecided: they are taken to follow the normal
    if (length > kAlong) by_wish = outer(n, t2 * (1 / length));
    by_normal = cross_matrix(n) - by_wish * along;
  }
};

/// What contact_frame takes where nobody wishes.
Vec3d default_wish(const Vec3d& normal) { return normal.y < 0.5 && normal.y > -0.5 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1}; }

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

/// Two balls: dn = (1 - n nᵀ)(dp2 - dp1)/L, dx = dp1 + h1 dn + ½ n ddist with dp = v + w × ρ, ρ1 = -n h1, ρ2 = n h2.
void two_balls(const Contact& contact, double radius1, double radius2, ContactRate& out) {
  const Mat3d frame = Mat3d::load(contact.frame.data());
  const Vec3d n = frame.row(0);
  const double h[2] = {radius1 + 0.5 * contact.dist, radius2 + 0.5 * contact.dist};
  const Mat3d nn = outer(n, n), across = (Mat3d::identity() - nn) * (1 / (h[0] + h[1]));
  const FrameTurn turn(frame, default_wish(n));
  out = {};
  for (const int side : {0, 1}) {
    const double sign = side == 0 ? -1 : 1;
    const Mat3d arm = cross_matrix(n * (sign * h[side])) * -1.0;  // dp = v + arm w
    const Mat3d dn = across * sign;
    ContactSideRate& s = out.side[side];
    s.x_v = (side == 0 ? Mat3d::identity() : Mat3d()) + dn * h[0] + nn * (0.5 * sign);
    s.x_w = s.x_v * arm;
    s.t_v = turn.by_normal * dn;
    s.t_w = s.t_v * arm;
    s.dist_v = n * sign;
  }
}

}  // namespace

void contact_rates(const Model& m, Data& d, int first, int count, ContactRate* out) {
  const Contact& one = d.contact[first];
  const auto type1 = static_cast<GeomType>(m.geom_type[one.geom[0]]);
  const auto type2 = static_cast<GeomType>(m.geom_type[one.geom[1]]);
  const double* size1 = &m.geom_size[3 * one.geom[0]];
  const double* size2 = &m.geom_size[3 * one.geom[1]];
  const bool plane = type1 == GeomType::Plane;
  if (plane &&
      (type2 == GeomType::Sphere || type2 == GeomType::Capsule || type2 == GeomType::Box || type2 == GeomType::Mesh)) {
    const bool round = type2 == GeomType::Sphere || type2 == GeomType::Capsule;
    const Vec3d axis = Mat3d::load(&d.geom_xmat[9 * one.geom[1]]).column(2);
    const Vec3d normal = Vec3d::load(one.frame.data());
    // a capsule wishes its axis as the tangent
    const bool capsule = type2 == GeomType::Capsule;
    for (int c = 0; c < count; ++c)
      plane_point(d.contact[first + c], round ? size2[0] : 0, capsule ? axis : default_wish(normal), capsule, out[c]);
    return;
  }
  const double reach = one.dist + size1[0] + size2[0];
  if (type1 == GeomType::Sphere && type2 == GeomType::Sphere && reach > kMinVal)
    return two_balls(one, size1[0], size2[0], out[0]);
  difference_pair(m, d, first, count, out);
}

}  // namespace sinew
