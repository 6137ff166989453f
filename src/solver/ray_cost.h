#pragma once

#include "base/arena.h"
#include "solver/problem.h"

namespace sinew {

/// The point and the direction along which the cost is minimized, with their known products.
struct SearchRay {
  const double* acc = nullptr;
  const double* search = nullptr;
  const double* Ma = nullptr;   // M acc
  const double* Mv = nullptr;   // M search
  const double* jar = nullptr;  // J acc - aref
  const double* Jv = nullptr;   // J search
};

struct RayPoint {
  double alpha = 0;
  double phi = 0;  // cost(alpha) - cost(0), summed as differences so that it does not cancel near the optimum
  double d1 = 0;   // dcost/dalpha
  double d2 = 0;
};

/// An elliptic contact along the ray: N(α) = U₀ + α V₀, T²(α) = UU + α (2 UV + α VV), and its quadratic form.
struct ConeOnRay {
  double U0, V0, UU, UV, VV;
  double k0, k1, k2;  // ½ Σ D jar², Σ D jar Jv, ½ Σ D Jv²
  double Dm, mu;
  double T0;  // T at 0
  int zone0;  // zone at 0
};

/// The cost along one ray, and its first two derivatives.
class RayCost {
 public:
  RayCost(const ConstraintProblem& p, const SearchRay& ray, Scratch& scratch);

  RayPoint at(double alpha);
  RayPoint newton(const RayPoint& from) { return at(from.alpha - from.d1 / from.d2); }

  int neval = 0;
  bool lost_precision = false;  // the second derivative was not positive somewhere

 private:
  void prepare(Scratch& scratch);

  const ConstraintProblem& p_;
  const SearchRay& ray_;
  double linear_ = 0, quadratic_ = 0;
  const double* D_ = nullptr;
  int ninequality_ = 0;  // rows that are half parabolas
  ConeOnRay* cones_ = nullptr;
  int ncone_ = 0;
};

}  // namespace sinew
