#include <algorithm>
#include <cmath>
#include <vector>

#include "math/elementary.h"
#include "model/transmission_kinds.h"
#include "scene/emitter.h"

// Spatial tendons: their path, or a catenary if the tendon hangs freely between two sites.

namespace sinew::scene {
namespace {

constexpr Float4 kUnset = {0.5f, 0.5f, 0.5f, 1};

/// The length of a tendon that hangs: it has two sites, nothing damps, brakes or drives it, and either a slack spring
/// or a slack limit bounds its length. 0: it is drawn straight.
double hanging_length(const Model& m, const Data& d, int i) {
  const Vec gravity = Vec::load(m.opt.gravity.data());
  if (m.opt.disabled(kDisableGravity) || !(norm(gravity) > kMinVal) || m.tendon_num[i] != 2) return 0;
  const auto any = [&](const auto& poly) { return poly[kNumPoly * i] != 0 || poly[kNumPoly * i + 1] != 0; };
  if (m.tendon_damping[i] != 0 || any(m.tendon_dampingpoly) || m.tendon_frictionloss[i] != 0) return 0;
  for (int a = 0; a < m.nactuator; ++a)
    if (drives_tendon(m, a) && m.actuator_trnid[2 * a] == i) return 0;
  const bool stiff = m.tendon_stiffness[i] != 0 || any(m.tendon_stiffnesspoly);
  const double* rest = &m.tendon_lengthspring[2 * i];
  const double* range = &m.tendon_range[2 * i];
  const bool spring = stiff && rest[0] == 0 && rest[1] > 0;
  const bool limit = !stiff && m.tendon_limited[i] && range[0] == 0 && d.ten_length[i] < range[1];
  return spring ? rest[1] : limit ? range[1] : 0;
}

/// b with 1/√(2 b sinh(1/(2b)) - 1) = target, by Newton's method. b is the ratio of the catenary's parameter to the
/// horizontal distance of its ends.
double catenary_parameter(double target) {
  const auto residual = [&](double b) { return 1 / std::sqrt(2 * b * elementary::sinh(0.5 / b) - 1) - target; };
  constexpr int kSteps = 50, kHalvings = 10;
  double b = target / std::sqrt(24.0), r = residual(b);
  for (int step = 0; step < kSteps && std::abs(r) > 1e-9; ++step) {
    const double u = 2 * b * elementary::sinh(0.5 / b) - 1;
    const double slope =
        -0.5 * elementary::pow(u, -1.5) * (2 * elementary::sinh(0.5 / b) - elementary::cosh(0.5 / b) / b);
    double change = -r / slope, next = residual(b + change);
    for (int k = 0; k < kHalvings && !(std::abs(next) < std::abs(r)); ++k) {
      change /= 2;
      next = residual(b + change);
    }
    b += change;
    r = next;
  }
  return b;
}

/// Points along a rope of length L that hangs between two points.
std::vector<Vec> catenary(const Model& m, const Vec& x0, const Vec& x1, double L) {
  constexpr int kMostPoints = 100;
  const Vec way = x1 - x0;
  if (norm(way) > L) return {x0, x1};
  Vec up = -Vec::load(m.opt.gravity.data());
  normalize(up);
  Vec across = way - up * dot(way, up);
  if (normalize(across) < kMinVal) across = {};
  const double h = dot(way, across), v = dot(way, up);
  if (L > 100 * h) {  // hangs almost straight down and up
    const double down = -0.5 * (std::sqrt(L * L - h * h) - v), side = h * down / (2 * down - v);
    return {x0, x0 + up * down + across * side, x1};
  }
  const double b = catenary_parameter(1 / std::sqrt(std::sqrt(L * L - v * v) / h - 1)) * h;
  const double h0 = -0.5 * (b * elementary::log((L + v) / (L - v)) - h), v0 = -b * elementary::cosh(h0 / b);
  const int n = std::clamp(m.vis.quality.numslices + 1, 2, kMostPoints);
  std::vector<Vec> points = {x0};
  for (int i = 1; i < n - 1; ++i) {
    const double t = i * h / n;  // n, not n - 1: MuJoCo's last segment is twice as wide
    points.push_back(x0 + across * t + up * (b * elementary::cosh((t - h0) / b) + v0));
  }
  points.push_back(x1);
  return points;
}

void emit_catenary(Emitter& e, int i, double length) {
  const Model& m = e.m;
  const int adr = m.tendon_adr[i];
  const Vec x0 = vec_at(e.d.site_xpos.data(), m.wrap_objid[adr]),
            x1 = vec_at(e.d.site_xpos.data(), m.wrap_objid[adr + 1]);
  const std::vector<Vec> points = catenary(m, x0, x1, length);
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    e.begin(ObjType::Tendon, i, kSceneDynamic);
    e.connector(static_cast<int>(GeomType::Capsule), m.tendon_width[i], points[k], points[k + 1]);
    e.material(m.tendon_matid[i], &m.tendon_rgba[4 * i]);
    e.label(kLabelTendon, ObjType::Tendon, i);
    e.finish();
  }
}

}  // namespace

void emit_tendon_path(Emitter& e, int tendon, ObjType objtype, int objid, int category, double width,
                      const Float4* paint) {
  constexpr int kPulley = -2;
  const Model& m = e.m;
  const auto i = static_cast<std::size_t>(tendon);
  const int first = e.d.ten_wrapadr[i], last = first + e.d.ten_wrapnum[i] - 1;
  if (first < 0 || last >= 2 * m.nwrap) return;
  Float4 rgba;
  std::copy_n(&m.tendon_rgba[4 * i], 4, rgba.begin());
  const int material = m.tendon_matid[i];
  if (material < 0 && rgba == kUnset)
    rgba = mix(rgba, m.vis.rgba.constraint, e.limit_impedance(ConstraintKind::LimitTendon, tendon), 3);
  for (int j = first; j < last; ++j) {
    const int a = e.d.wrap_obj[static_cast<std::size_t>(j)], b = e.d.wrap_obj[static_cast<std::size_t>(j) + 1];
    if (a == kPulley || b == kPulley) continue;
    const bool inside = a >= 0 && b >= 0;  // along a wrapping geom
    SceneGeom& g = e.begin(objtype, objid, category);
    e.connector(static_cast<int>(GeomType::Capsule), inside ? 0.5 * width : width, vec_at(e.d.wrap_xpos.data(), j),
                vec_at(e.d.wrap_xpos.data(), j + 1));
    e.material(material, rgba.data());
    if (paint) {
      e.color(*paint);
    } else if (e.on(kVisIsland)) {
      g.matid = -1;
      e.color(e.row_island_color(e.d.tendon_efcadr[i]));
    }
    if (j == first) e.label(objtype == ObjType::Tendon ? kLabelTendon : kLabelActuator, objtype, objid);
    e.finish();
  }
}

void emit_tendons(Emitter& e) {
  const Model& m = e.m;
  for (int i = 0; i < m.ntendon; ++i) {
    if (!Emitter::group_on(e.option.tendongroup, m.tendon_group[i])) continue;
    if (const double length = hanging_length(m, e.d, i); length > 0)
      emit_catenary(e, i, length);
    else
      emit_tendon_path(e, i, ObjType::Tendon, i, kSceneDynamic, m.tendon_width[i], nullptr);
  }
}

}  // namespace sinew::scene
