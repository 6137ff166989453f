#include "solver/ray_cost.h"

#include <cmath>

#include "math/pack.h"

namespace sinew {
namespace {

enum Zone { kTop, kMiddle, kBottom };

SINEW_INLINE Zone zone_of(double N, double T, double mu) {
  if (T <= 0) return N < 0 ? kBottom : kTop;
  if (N >= mu * T) return kTop;
  return mu * N + T <= 0 ? kBottom : kMiddle;
}

template <int dim>
SINEW_INLINE ConeOnRay prepare_cone(const FrictionCone& cone, const double* D, const double* jar, const double* Jv) {
  ConeOnRay c{};
  c.mu = cone.mu;
  c.Dm = D[0] / (c.mu * c.mu * (1 + c.mu * c.mu));
  c.U0 = c.mu * jar[0];
  c.V0 = c.mu * Jv[0];
#pragma GCC unroll 6
  for (int j = 0; j < dim; ++j) {
    c.k0 += 0.5 * D[j] * jar[j] * jar[j];
    c.k1 += D[j] * jar[j] * Jv[j];
    c.k2 += 0.5 * D[j] * Jv[j] * Jv[j];
    if (j == 0) continue;
    const double u = cone.friction[j - 1] * jar[j], v = cone.friction[j - 1] * Jv[j];
    c.UU += u * u;
    c.UV += u * v;
    c.VV += v * v;
  }
  c.T0 = c.UU <= 0 ? 0.0 : std::sqrt(c.UU);
  c.zone0 = zone_of(c.U0, c.T0, c.mu);
  return c;
}
SINEW_INLINE ConeOnRay prepare_cone(const FrictionCone& cone, const double* D, const double* jar, const double* Jv) {
  if (cone.dim == 3) return prepare_cone<3>(cone, D, jar, Jv);
  if (cone.dim == 4) return prepare_cone<4>(cone, D, jar, Jv);
  return prepare_cone<6>(cone, D, jar, Jv);
}

/// phi of a cone for every transition between zones.
SINEW_INLINE double cone_difference(const ConeOnRay& c, double alpha, double N, double T, Zone zone) {
  const double mu = c.mu, e0 = c.U0 - mu * c.T0, e = N - mu * T;
  const double q = alpha * (alpha * c.k2 + c.k1);
  switch (c.zone0) {
    case kTop: return zone == kTop ? 0.0 : zone == kBottom ? q + c.k0 : 0.5 * c.Dm * e * e;
    case kBottom:
      if (zone == kTop) return -c.k0;
      return zone == kBottom ? q : q - 0.5 * c.Dm * (mu * N + T) * (mu * N + T);
    default:
      if (zone == kTop) return -0.5 * c.Dm * e0 * e0;
      if (zone == kBottom) return q + 0.5 * c.Dm * (mu * c.U0 + c.T0) * (mu * c.U0 + c.T0);
      const double de = alpha * c.V0 - mu * alpha * (2 * c.UV + alpha * c.VV) / (T + c.T0);
      return 0.5 * c.Dm * de * (2 * e0 + de);
  }
}

SINEW_INLINE void add_cone(const ConeOnRay& c, RayPoint& p) {
  const double N = c.U0 + p.alpha * c.V0;
  const double TT = c.UU + p.alpha * (2 * c.UV + p.alpha * c.VV);
  const double T = TT <= 0 ? 0.0 : std::sqrt(TT);
  const Zone zone = zone_of(N, T, c.mu);
  p.phi += cone_difference(c, p.alpha, N, T, zone);
  if (zone == kBottom) {
    p.d1 += 2 * p.alpha * c.k2 + c.k1;
    p.d2 += 2 * c.k2;
  } else if (zone == kMiddle) {
    const double e = N - c.mu * T, T1 = (c.UV + p.alpha * c.VV) / T;
    const double T2 = c.VV / T - (c.UV + p.alpha * c.VV) * T1 / (T * T);
    const double e1 = c.V0 - c.mu * T1;
    p.d1 += c.Dm * e * e1;
    p.d2 += c.Dm * (e1 * e1 - e * c.mu * T2);
  }
}

/// Dry friction of n rows: Huber cost, D x²/2 for |x| < R f and f (|x| - R f / 2) beyond, as differences between jar
/// and x = jar + alpha Jv.
struct FrictionRows {
  const double *D, *R, *loss, *jar, *Jv;
};
template <class T>
SINEW_INLINE void add_friction(const FrictionRows& r, int i, double alpha, T& phi, T& d1, T& d2) {
  const T D = load_as<T>(r.D + i), f = load_as<T>(r.loss + i), j = load_as<T>(r.jar + i), v = load_as<T>(r.Jv + i);
  const T zero = {}, half = zero + 0.5, bound = load_as<T>(r.R + i) * f, x = j + alpha * v;
  // -1, 0, 1: side of the row at 0 and at alpha
  const T side0 = j <= -bound ? zero - 1 : (j < bound ? zero : zero + 1);
  const T side = x <= -bound ? zero - 1 : (x < bound ? zero : zero + 1);
  const T inside = half * D * (x - j) * (x + j), outside = side * f * (x - j);
  const T cost0 = side0 == zero ? half * D * j * j : f * (side0 * j - half * bound);
  const T cost = side == zero ? half * D * x * x : f * (side * x - half * bound);
  phi += side != side0 ? cost - cost0 : (side == zero ? inside : outside);
  d1 += side == zero ? D * x * v : side * f * v;
  d2 += side == zero ? D * v * v : zero;
}
SINEW_INLINE void add_frictions(const FrictionRows& r, int n, RayPoint& p) {
  Pack phi = {}, d1 = {}, d2 = {};
  double phi_tail = 0, d1_tail = 0, d2_tail = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4) add_friction<Pack>(r, i, p.alpha, phi, d1, d2);
  for (; i < n; ++i) add_friction<double>(r, i, p.alpha, phi_tail, d1_tail, d2_tail);
  p.phi += lane_sum(phi) + phi_tail;
  p.d1 += lane_sum(d1) + d1_tail;
  p.d2 += lane_sum(d2) + d2_tail;
}

/// Half parabolas of n rows: D x²/2 if x < 0.
SINEW_INLINE void add_inequalities(const double* D, const double* jar, const double* Jv, int n, RayPoint& p) {
  const Pack zero = {};
  Pack phi = {}, d1 = {}, d2 = {};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const Pack j = load_pack(jar + i), v = load_pack(Jv + i), d = load_pack(D + i);
    const Pack y = j + p.alpha * v;
    const Pack x = y < zero ? y : zero, x0 = j < zero ? j : zero;
    const Pack dv = d * v;
    phi += d * (x - x0) * (x + x0);
    d1 += dv * x;
    d2 += y < zero ? dv * v : zero;
  }
  double phi_tail = 0, d1_tail = 0, d2_tail = 0;
  for (; i < n; ++i) {
    const double y = jar[i] + p.alpha * Jv[i], x = y < 0 ? y : 0.0, x0 = jar[i] < 0 ? jar[i] : 0.0;
    const double dv = D[i] * Jv[i];
    phi_tail += D[i] * (x - x0) * (x + x0);
    d1_tail += dv * x;
    d2_tail += y < 0 ? dv * Jv[i] : 0.0;
  }
  p.phi += 0.5 * (lane_sum(phi) + phi_tail);
  p.d1 += lane_sum(d1) + d1_tail;
  p.d2 += lane_sum(d2) + d2_tail;
}

/// search·(M a - f) and ½ search·M search
SINEW_INLINE void add_smooth_part(const ConstraintProblem& p, const SearchRay& ray, double& linear, double& quadratic) {
  Pack s1 = {}, s2 = {};
  double t1 = 0, t2 = 0;
  int i = 0;
  for (; i + 4 <= p.M.n; i += 4) {
    const Pack v = load_pack(ray.search + i);
    s1 += v * (load_pack(ray.Ma + i) - load_pack(p.frc_smooth + i));
    s2 += v * load_pack(ray.Mv + i);
  }
  for (; i < p.M.n; ++i) {
    t1 += ray.search[i] * (ray.Ma[i] - p.frc_smooth[i]);
    t2 += ray.search[i] * ray.Mv[i];
  }
  linear += lane_sum(s1) + t1;
  quadratic += 0.5 * (lane_sum(s2) + t2);
}

}  // namespace

RayCost::RayCost(const ConstraintProblem& p, const SearchRay& ray, Scratch& scratch) : p_(p), ray_(ray) {
  prepare(scratch);
}

SINEW_KERNEL void RayCost::prepare(Scratch& scratch) {
  const ConstraintProblem& p = p_;
  const SearchRay& ray = ray_;
  add_smooth_part(p, ray, linear_, quadratic_);
  for (int i = 0; i < p.ne; ++i) {
    linear_ += p.D[i] * ray.Jv[i] * ray.jar[i];
    quadratic_ += 0.5 * p.D[i] * ray.Jv[i] * ray.Jv[i];
  }
  D_ = p.D;
  ninequality_ = p.nefc - p.ne - p.nf;
  if (!p.elliptic || p.cones.empty()) return;
  cones_ = scratch.take<ConeOnRay>(p.cones.size());
  int nrow = 0;
  for (const FrictionCone& cone : p.cones) {
    nrow += cone.dim;
    cones_[ncone_++] = prepare_cone(cone, p.D + cone.row, ray.jar + cone.row, ray.Jv + cone.row);
  }
  ninequality_ -= nrow;
  if (ninequality_ == 0) return;
  // rows of cones are not half parabolas: a zero weight excludes them from that sum
  const int begin = p.ne + p.nf;
  double* D = scratch.take<double>(p.nefc);
  copy_numbers(p.D + begin, p.nefc - begin, D + begin);
  for (const FrictionCone& cone : p.cones)
    for (int j = 0; j < cone.dim; ++j) D[cone.row + j] = 0;
  D_ = D;
}

SINEW_KERNEL RayPoint RayCost::at(double alpha) {
  ++neval;
  RayPoint x;
  x.alpha = alpha;
  x.phi = alpha * (linear_ + alpha * quadratic_);
  x.d1 = linear_ + 2 * alpha * quadratic_;
  x.d2 = 2 * quadratic_;
  const int begin = p_.ne + p_.nf;
  if (p_.nf > 0)
    add_frictions({p_.D + p_.ne, p_.R + p_.ne, p_.frictionloss + p_.ne, ray_.jar + p_.ne, ray_.Jv + p_.ne}, p_.nf, x);
  if (ninequality_ > 0) add_inequalities(D_ + begin, ray_.jar + begin, ray_.Jv + begin, p_.nefc - begin, x);
  for (int i = 0; i < ncone_; ++i) add_cone(cones_[i], x);
  if (x.d2 <= 0) {
    lost_precision = true;
    x.d2 = kMinVal;
  }
  return x;
}
}  // namespace sinew
