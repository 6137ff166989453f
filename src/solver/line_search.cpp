#include "solver/line_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/pack.h"

namespace sinew {
namespace {

constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

using Candidates = std::array<RayPoint, 3>;

/// Moves a bracket end to candidates on its side of the minimum with a flatter slope.
bool tighten(RayPoint& end, const Candidates& candidates) {
  bool moved = false;
  for (const RayPoint& c : candidates) {
    const bool below = end.d1 < 0 && c.d1 < 0 && end.d1 < c.d1;
    const bool above = end.d1 > 0 && c.d1 > 0 && end.d1 > c.d1;
    if (below || above) {
      end = c;
      moved = true;
    }
  }
  return moved;
}

/// The minimizing point; `flat` is the slope that counts as zero, at least what rounding leaves of the one at the
/// start.
RayPoint minimize(RayCost& cost, double flat, int limit) {
  RayPoint p2 = cost.at(0);
  flat = std::max(flat, kRounding * std::abs(p2.d1));
  RayPoint p1 = cost.newton(p2);
  if (std::abs(p1.d1) < flat && (p1.alpha == 0 || p1.phi < 0)) return p1;

  const double dir = p1.d1 < 0 ? 1 : -1;
  while (p1.d1 * dir <= -flat && cost.neval < limit) {
    p2 = p1;
    p1 = cost.newton(p1);
    if (std::abs(p1.d1) < flat && p1.phi < 0) return p1;
  }
  if (cost.neval >= limit) return p1;

  RayPoint p2next = p1, p1next = cost.newton(p1);
  while (cost.neval < limit) {
    const RayPoint mid = cost.at(0.5 * (p1.alpha + p2.alpha));
    const Candidates candidates = {p1next, p2next, mid};
    const RayPoint* best = nullptr;
    for (const RayPoint& c : candidates)
      if (std::abs(c.d1) < flat && (!best || c.phi < best->phi)) best = &c;
    if (best) return *best;
    const bool moved1 = tighten(p1, candidates);
    if (moved1) p1next = cost.newton(p1);
    const bool moved2 = tighten(p2, candidates);
    if (moved2) p2next = cost.newton(p2);
    if (!moved1 && !moved2) return mid;
  }
  if (p1.phi <= p2.phi && p1.phi < 0) return p1;
  if (p2.phi <= p1.phi && p2.phi < 0) return p2;
  return RayPoint{};
}

}  // namespace

Step line_search(const ConstraintProblem& p, const SolverOptions& options, const SearchRay& ray, Arena& arena) {
  Step step;
  const double length = std::sqrt(dot(ray.search, ray.search, p.M.n));
  if (length < kMinVal) return step;
  Scratch scratch(arena);
  RayCost cost(p, ray, scratch);
  const double flat = options.tolerance * options.ls_tolerance * length / p.scale;
  const RayPoint best = minimize(cost, flat, options.ls_iterations);
  step.alpha = best.alpha;
  step.decrease = -best.phi;
  step.slope = best.alpha == 0 ? 1.0 : std::abs(best.d1) * p.scale / length;
  step.neval = cost.neval;
  step.lost_precision = cost.lost_precision;
  return step;
}

}  // namespace sinew
