#include "derivative/contact_convex.h"

#include <algorithm>

#include "base/arena.h"
#include "collision/ccd.h"
#include "collision/frame.h"
#include "derivative/frame_turn.h"
#include "derivative/witness.h"

namespace sinew {
namespace {

/// For the first guess of the nearest points.
constexpr double kTolerance = 1e-12;
constexpr int kIterations = 200;
/// Further contacts of a pair are those of the shapes rotated relative to each other by this angle about the tangents
/// of the first one (collide_convex).
constexpr double kTurn = 1e-3;

/// One contact: the nearest points of the shapes, which may be rotated about the first contact.
struct TouchPoint {
  Witness witness;
  Mat3d turn[2] = {Mat3d::identity(), Mat3d::identity()};
};

class ConvexPair {
 public:
  ConvexPair(const Model& m, Data& d, int first) : m_(m), d_(d), first_(first) {
    const Contact& contact = d.contact[first];
    shape_[0] = shape_of(m, d, contact.geom[0]);
    shape_[1] = shape_of(m, d, contact.geom[1]);
  }

  /// The first contact, followed by the others.
  bool find(int count, TouchPoint* touch) {
    const std::optional<Witness> witness = polish_witness(m_, shape_[0], shape_[1], first_guess());
    if (!witness) return false;
    touch[0].witness = *witness;
    pivot_ = (witness->x1 + witness->x2) * 0.5;
    const Mat3d frame = contact_frame(witness->normal, {});
    for (int c = 1; c < count; ++c)
      if (!find_turned(d_.contact[first_ + c], frame, touch[c])) return false;
    return true;
  }

  void rates(int count, const TouchPoint* touch, ContactRate* out) const {
    for (int c = 0; c < count; ++c) {
      out[c] = {};
      out[c].curved = true;
    }
    for (const int side : {0, 1})
      for (int k = 0; k < 6; ++k) add_column(count, touch, side, k, out);
  }

 private:
  /// What the pair function would find with a small tolerance, but only one contact.
  ContactPoint first_guess() {
    CcdConfig config;
    config.tolerance = kTolerance;
    config.iterations = kIterations;
    config.cutoff = kNoDistance;
    Convex a = convex_of(m_, shape_[0], 0), b = convex_of(m_, shape_[1], 0);
    const CcdResult found = convex_distance(m_, a, b, config, d_.scratch());
    ContactPoint point;
    point.dist = found.dist;
    point.pos = (found.x1[0] + found.x2[0]) * 0.5;
    point.normal = (found.x2[0] - found.x1[0]) * (found.dist < 0 ? -1 : 1);
    return point;
  }

  /// A contact that a rotation about some tangent has produced: the rotation whose nearest points are closest to it.
  /// The angles are small, so a contact of one rotation is a fair guess for another.
  bool find_turned(const Contact& contact, const Mat3d& frame, TouchPoint& touch) const {
    const double size = std::min(shape_[0].rbound, shape_[1].rbound);
    double nearest = kNoDistance;
    for (const int axis : {1, 2})
      for (const double angle : {-kTurn, kTurn}) {
        const Vec3d w = frame.row(axis) * angle;
        const Shape a = moved(shape_[0], pivot_, w, {}), b = moved(shape_[1], pivot_, -w, {});
        ContactPoint guess;
        guess.pos = Vec3d::load(contact.pos.data());
        guess.normal = Vec3d::load(contact.frame.data());
        Convex o1 = convex_of(m_, a, 0), o2 = convex_of(m_, b, 0);
        guess.dist = dot(guess.normal, o2.support(-guess.normal) - o1.support(guess.normal));
        const std::optional<Witness> witness = polish_witness(m_, a, b, guess);
        if (!witness) continue;
        const double apart =
            norm(witness->normal - guess.normal) * size + norm((witness->x1 + witness->x2) * 0.5 - guess.pos);
        if (!(apart < nearest)) continue;
        nearest = apart;
        touch = {*witness, {to_matrix(exp(w)), to_matrix(exp(-w))}};
      }
    return nearest < kNoDistance;
  }

  /// One motion of one geom: k < 3 rotates about each contact, otherwise translates.
  void add_column(int count, const TouchPoint* touch, int side, int k, ContactRate* out) const {
    PairMotion unit;
    (k < 3 ? unit.w[side] : unit.v[side])[k % 3] = 1;
    const Vec3d pos = Vec3d::load(d_.contact[first_].pos.data());
    const WitnessDerivative first(touch[0].witness, pos);
    for (int c = 0; c < count; ++c) {
      // the same motion, with its velocities at the first contact
      PairMotion motion = unit;
      const Vec3d at = Vec3d::load(d_.contact[first_ + c].pos.data());
      motion.v[side] += cross(unit.w[side], pos - at);
      WitnessRate rate = first.along(motion);
      const double dist = dot(touch[0].witness.normal, rate.x2 - rate.x1);
      if (c > 0) rate = turned_rate(touch[0].witness, touch[c], motion, rate, pos);
      const Mat3d frame = contact_frame(touch[c].witness.normal, {});
      const Vec3d x = (rate.x1 + rate.x2) * 0.5;
      const Vec3d turn = FrameTurn(frame, default_wish(touch[c].witness.normal)).by_normal * rate.normal;
      ContactSideRate& to = out[c].side[side];
      for (int i = 0; i < 3; ++i) {
        (k < 3 ? to.x_w : to.x_v)(i, k % 3) = x[i];
        (k < 3 ? to.t_w : to.t_v)(i, k % 3) = turn[i];
      }
      (k < 3 ? to.dist_w : to.dist_v)[k % 3] = dist;
    }
  }

  /// With the first contact at p and its frame rotating by θ, a shape rotated by T about p has angular velocity
  /// w' = θ + T (w - θ) and velocity v' = dp + T (v - dp) at p.
  WitnessRate turned_rate(const Witness& first, const TouchPoint& touch, const PairMotion& motion,
                          const WitnessRate& rate, const Vec3d& pos) const {
    const Vec3d dp = (rate.x1 + rate.x2) * 0.5;
    const Vec3d theta = FrameTurn(contact_frame(first.normal, {}), default_wish(first.normal)).by_normal * rate.normal;
    PairMotion carried;
    for (const int side : {0, 1}) {
      const Vec3d v = motion.v[side] + cross(motion.w[side], pivot_ - pos);
      carried.w[side] = theta + touch.turn[side] * (motion.w[side] - theta);
      carried.v[side] = dp + touch.turn[side] * (v - dp);
    }
    return WitnessDerivative(touch.witness, pivot_).along(carried);
  }

  const Model& m_;
  Data& d_;
  int first_;
  Shape shape_[2];
  Vec3d pivot_;
};

}  // namespace

bool convex_rates(const Model& m, Data& d, int first, int count, ContactRate* out) {
  constexpr int kMost = 5;
  if (count > kMost) return false;
  if (m.opt.disabled(kDisableNativeccd)) return false;  // MPR finds a way out of penetration, not the shortest
  ConvexPair pair(m, d, first);
  TouchPoint touch[kMost];
  if (!pair.find(count, touch)) return false;
  pair.rates(count, touch, out);
  return true;
}

}  // namespace sinew
