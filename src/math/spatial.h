#pragma once

#include "math/mat3.h"

namespace sinew {

// Spatial vectors: rotation first, then translation, in world axes, referred to the point c = subtree_com[body_rootid]
// of the kinematic tree. Motion and force are different types: a transform of the wrong kind does not compile.

/// [w; v]: angular velocity, and velocity of the body-fixed point that coincides with the reference point.
template <class Real>
struct Motion {
  Vec3<Real> w, v;

  template <class Source>
  static Motion load(const Source* p) {
    return {Vec3<Real>::load(p), Vec3<Real>::load(p + 3)};
  }
  void store(Real* p) const {
    w.store(p);
    v.store(p + 3);
  }
  Motion& operator+=(const Motion& b) {
    w += b.w;
    v += b.v;
    return *this;
  }
  friend Motion operator+(const Motion& a, const Motion& b) { return {a.w + b.w, a.v + b.v}; }
  friend Motion operator*(const Motion& a, const Real& s) { return {a.w * s, a.v * s}; }
};

/// [t; f]: moment about the reference point, and force.
template <class Real>
struct Force {
  Vec3<Real> t, f;

  template <class Source>
  static Force load(const Source* p) {
    return {Vec3<Real>::load(p), Vec3<Real>::load(p + 3)};
  }
  void store(Real* p) const {
    t.store(p);
    f.store(p + 3);
  }
  Force& operator+=(const Force& b) {
    t += b.t;
    f += b.f;
    return *this;
  }
  Force& operator-=(const Force& b) {
    t -= b.t;
    f -= b.f;
    return *this;
  }
  friend Force operator+(const Force& a, const Force& b) { return {a.t + b.t, a.f + b.f}; }
};

/// Power: motion paired with force.
template <class Real>
SINEW_INLINE Real dot(const Motion<Real>& a, const Force<Real>& b) {
  return a.w.x * b.t.x + a.w.y * b.t.y + a.w.z * b.t.z + a.v.x * b.f.x + a.v.y * b.f.y + a.v.z * b.f.z;
}

/// Rate of a motion vector s that moves with velocity a: [w×s_w; w×s_v + v×s_w].
template <class Real>
SINEW_INLINE Motion<Real> cross_motion(const Motion<Real>& a, const Motion<Real>& s) {
  return {cross(a.w, s.w), cross(a.w, s.v) + cross(a.v, s.w)};
}

/// Rate of a force vector that moves along: [w×t + v×f; w×f].
template <class Real>
SINEW_INLINE Force<Real> cross_force(const Motion<Real>& a, const Force<Real>& b) {
  return {cross(a.w, b.t) + cross(a.v, b.f), cross(a.w, b.f)};
}

/// Velocity at p_to of a motion that is referred to p_from: v - (p_to - p_from) × w.
template <class Real>
Motion<Real> move_motion(const Motion<Real>& a, const Vec3<Real>& p_from, const Vec3<Real>& p_to) {
  return {a.w, a.v - cross(p_to - p_from, a.w)};
}

/// Moment about p_to of a force that is referred to p_from: t - (p_to - p_from) × f.
template <class Real>
Force<Real> move_force(const Force<Real>& a, const Vec3<Real>& p_from, const Vec3<Real>& p_to) {
  return {a.t - cross(p_to - p_from, a.f), a.f};
}

/// Ten numbers of an inertia at the reference point: Ixx Iyy Izz Ixy Ixz Iyz, m r, m.
/// Applied to a motion: [I w + (m r)×v; m v - (m r)×w].
template <class Real>
SINEW_INLINE Force<Real> mul_inertia(const Real* i, const Motion<Real>& s) {
  return {{i[0] * s.w.x + i[3] * s.w.y + i[4] * s.w.z - i[8] * s.v.y + i[7] * s.v.z,
           i[3] * s.w.x + i[1] * s.w.y + i[5] * s.w.z + i[8] * s.v.x - i[6] * s.v.z,
           i[4] * s.w.x + i[5] * s.w.y + i[2] * s.w.z - i[7] * s.v.x + i[6] * s.v.y},
          {i[8] * s.w.y - i[7] * s.w.z + i[9] * s.v.x, i[6] * s.w.z - i[8] * s.w.x + i[9] * s.v.y,
           i[7] * s.w.x - i[6] * s.w.y + i[9] * s.v.z}};
}

}  // namespace sinew
