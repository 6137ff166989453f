#include "derivative/witness.h"

#include <algorithm>
#include <cmath>

#include "collision/convex.h"

namespace sinew {
namespace {

constexpr int kMostUnknowns = 4;
constexpr int kNewtonSteps = 30;
constexpr double kConverged = 1e-14;
constexpr double kOnFeature = 1e-4;  // relative to the shape's size: accuracy of the first guess's feature
constexpr double kMoved = 1e-2;      // in radians or sizes; beyond this it is a different contact
constexpr double kSupport = 1e-10;   // relative to the size: how far a point may be from the farthest along its normal
constexpr double kSingular = 1e-12;

/// The unknowns: the normal along two tangents, and how far the points slide along flat directions.
struct Unknowns {
  Vec3d tangent[2];
  const SurfacePatch* patch;
  int count;

  Unknowns(const Vec3d& normal, const SurfacePatch* patches)
      : patch(patches), count(2 + patches[0].nflat + patches[1].nflat) {
    tangent[0] = cross(normal, std::abs(normal.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0});
    normalize(tangent[0]);
    tangent[1] = cross(normal, tangent[0]);
  }
  const Vec3d& flat(int k) const { return k < patch[0].nflat ? patch[0].flat[k] : patch[1].flat[k - patch[0].nflat]; }
  int flats() const { return count - 2; }
  double side(int k) const { return k < patch[0].nflat ? 1 : -1; }
};

/// x := K⁻¹ x with K = [Tᵀ(R1 + R2 - g)T, ±TᵀF; FᵀT, 0]; false if K is singular: the points are not unique.
bool solve(const Unknowns& unknowns, const Mat3d& radii, double g, double* x) {
  const int n = unknowns.count;
  double K[kMostUnknowns][kMostUnknowns] = {};
  const Mat3d curvature = radii - Mat3d::identity() * g;
  double size = 0;
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 2; ++k) K[i][k] = dot(unknowns.tangent[i], curvature * unknowns.tangent[k]);
    for (int k = 0; k < unknowns.flats(); ++k) {
      K[2 + k][i] = dot(unknowns.flat(k), unknowns.tangent[i]);
      K[i][2 + k] = unknowns.side(k) * K[2 + k][i];
    }
    for (int k = 0; k < n; ++k) size = std::max(size, std::abs(K[i][k]));
  }
  for (int c = 0; c < n; ++c) {
    int pivot = c;
    for (int r = c + 1; r < n; ++r)
      if (std::abs(K[r][c]) > std::abs(K[pivot][c])) pivot = r;
    if (!(std::abs(K[pivot][c]) > kSingular * size)) return false;
    std::swap(K[c], K[pivot]);
    std::swap(x[c], x[pivot]);
    for (int r = c + 1; r < n; ++r) {
      const double factor = K[r][c] / K[c][c];
      for (int k = c; k < n; ++k) K[r][k] -= factor * K[c][k];
      x[r] -= factor * x[c];
    }
  }
  for (int r = n - 1; r >= 0; --r) {
    for (int k = r + 1; k < n; ++k) x[r] -= K[r][k] * x[k];
    x[r] /= K[r][r];
  }
  return true;
}

/// Corners, edges and faces: the corners on a supporting plane whose hull contains the point x.
bool flat_patch(const Vec3d* corners, int count, const Vec3d& x, double size, SurfacePatch& out) {
  const double near = kOnFeature * size;
  out.center = corners[0];
  for (int i = 0; i < count; ++i)
    if (norm(x - corners[i]) <= near) {
      out.center = corners[i];
      return true;
    }
  for (int i = 0; i < count; ++i)
    for (int k = i + 1; k < count; ++k) {
      Vec3d edge = corners[k] - corners[i];
      const double length = normalize(edge), along = dot(edge, x - corners[i]);
      if (along < 0 || along > length || norm(x - corners[i] - edge * along) > near) continue;
      out.center = corners[i];
      out.flat[out.nflat++] = edge;
      return true;
    }
  for (int i = 1; i < count && out.nflat < 2; ++i) {
    Vec3d edge = corners[i] - corners[0];
    for (int k = 0; k < out.nflat; ++k) edge -= out.flat[k] * dot(out.flat[k], edge);
    if (normalize(edge) > near) out.flat[out.nflat++] = edge;
  }
  return out.nflat == 2;
}

bool box_patch(const Shape& s, const Vec3d& u, const Vec3d& x, double size, SurfacePatch& out) {
  const Vec3d local = mul_transposed(s.mat, u);
  Vec3d corners[4];
  int count = 0;
  const auto both = [&](double c) { return std::abs(c) <= kOnFeature; };
  for (int i = 0; i < 8; ++i) {
    Vec3d corner = s.size;
    bool on = true;
    for (int k = 0; k < 3; ++k) {
      const bool upper = (i >> k & 1) != 0;
      corner[k] *= upper ? 1 : -1;
      on &= both(local[k]) || upper == (local[k] > 0);
    }
    if (on && count < 4) corners[count++] = s.pos + s.mat * corner;
  }
  return flat_patch(corners, count, x, size, out);
}

bool mesh_patch(const Model& m, const Shape& s, const Vec3d& u, const Vec3d& x, double size, SurfacePatch& out) {
  constexpr int kMostCorners = 64;
  const HullView hull = hull_of(m, s.data);
  const Vec3d local = mul_transposed(s.mat, u);
  double most = -1e300;
  for (int i = 0; i < hull.nvert; ++i) most = std::max(most, hull.along(local, i));
  Vec3d corners[kMostCorners];
  int count = 0;
  for (int i = 0; i < hull.nvert && count < kMostCorners; ++i)
    if (hull.along(local, i) >= most - kOnFeature * size) corners[count++] = s.pos + s.mat * hull.vertex(i);
  return count < kMostCorners && flat_patch(corners, count, x, size, out);
}

/// The side, the rim or an end of a cylinder.
void cylinder_patch(const Shape& s, const Vec3d& u, const Vec3d& x, double size, SurfacePatch& out) {
  const Vec3d axis = s.mat.column(2);
  const double height = dot(axis, x - s.pos), out_of_axis = norm(x - s.pos - axis * height);
  const double end = (dot(axis, u) > 0 ? 1 : -1) * s.size.y, near = kOnFeature * size;
  out.axis = axis;
  if (std::abs(height) < s.size.y - near) {
    out.kind = SurfacePatch::Kind::Ring;
    out.center = s.pos;
    out.radius = s.size.x;
    out.flat[out.nflat++] = axis;
  } else if (out_of_axis < s.size.x - near) {
    out.center = s.pos + axis * end;
    out.flat[out.nflat++] = s.mat.column(0);
    out.flat[out.nflat++] = s.mat.column(1);
  } else {
    out.kind = SurfacePatch::Kind::Ring;
    out.center = s.pos + axis * end;
    out.radius = s.size.x;
  }
}

/// The patch of a shape that contains x, with the outward normal u.
bool patch_of(const Model& m, const Shape& s, const Vec3d& u, const Vec3d& x, SurfacePatch& out) {
  const double size = s.rbound;
  switch (s.type) {
    case GeomType::Sphere:
      out.center = s.pos;
      out.radius = s.size.x;
      return true;
    case GeomType::Capsule: {
      const Vec3d axis = s.mat.column(2);
      const double height = dot(axis, x - u * s.size.x - s.pos);
      out.radius = s.size.x;
      out.center = s.pos + axis * (height > 0 ? s.size.y : -s.size.y);
      if (std::abs(height) < s.size.y - kOnFeature * size) out.flat[out.nflat++] = axis;
      return true;
    }
    case GeomType::Ellipsoid: {
      out.kind = SurfacePatch::Kind::Ellipsoid;
      out.center = s.pos;
      for (int k = 0; k < 3; ++k) out.E += outer(s.mat.column(k), s.mat.column(k)) * (s.size[k] * s.size[k]);
      return true;
    }
    case GeomType::Cylinder: cylinder_patch(s, u, x, size, out); return true;
    case GeomType::Box: return box_patch(s, u, x, size, out);
    case GeomType::Mesh: return mesh_patch(m, s, u, x, size, out);
    default: return false;
  }
}

/// No point of the shape is farther along u than x.
bool is_support(const Model& m, const Shape& s, const Vec3d& u, const Vec3d& x) {
  Convex o = convex_of(m, s, 0);
  return dot(u, o.support(u) - x) <= kSupport * s.rbound;
}

}  // namespace

Vec3d SurfacePatch::point(const Vec3d& u) const {
  switch (kind) {
    case Kind::Ball: return center + u * radius;
    case Kind::Ring: {
      const Vec3d across = u - axis * dot(axis, u);
      return center + across * (radius / norm(across));
    }
    default: return center + E * u * (1 / std::sqrt(dot(u, E * u)));
  }
}

Mat3d SurfacePatch::radii(const Vec3d& u) const {
  switch (kind) {
    case Kind::Ball: return Mat3d::identity() * radius;
    case Kind::Ring: {
      const Vec3d along = cross(axis, u);  // the ring's tangent, times |u⊥|
      const double length = norm(along);
      return outer(along, along) * (radius / (length * length * length));
    }
    default: {
      const Vec3d Eu = E * u;
      const double h = std::sqrt(dot(u, Eu));
      return (E - outer(Eu, Eu) * (1 / (h * h))) * (1 / h);
    }
  }
}

std::optional<Witness> polish_witness(const Model& m, const Shape& a, const Shape& b, const ContactPoint& contact) {
  Witness w;
  w.normal = contact.normal;
  normalize(w.normal);
  const Vec3d start = w.normal, half = w.normal * (0.5 * contact.dist);
  const Vec3d x1 = contact.pos - half, x2 = contact.pos + half;
  if (!patch_of(m, a, w.normal, x1, w.patch[0]) || !patch_of(m, b, -w.normal, x2, w.patch[1])) return {};
  const SurfacePatch &p = w.patch[0], &q = w.patch[1];
  if (p.nflat + q.nflat > 2) return {};
  Vec3d slide[2];  // along flat directions
  for (int k = 0; k < p.nflat; ++k) slide[0] += p.flat[k] * dot(p.flat[k], x1 - p.center);
  for (int k = 0; k < q.nflat; ++k) slide[1] += q.flat[k] * dot(q.flat[k], x2 - q.center);
  const double size = std::min(a.rbound, b.rbound);
  bool converged = false;
  for (int i = 0; i < kNewtonSteps && !converged; ++i) {
    const Unknowns unknowns(w.normal, w.patch);
    const Vec3d apart = p.point(w.normal) + slide[0] - q.point(-w.normal) - slide[1];
    double x[kMostUnknowns];
    for (int k = 0; k < 2; ++k) x[k] = -dot(unknowns.tangent[k], apart);
    for (int k = 0; k < unknowns.flats(); ++k) x[2 + k] = -dot(unknowns.flat(k), w.normal);
    if (!solve(unknowns, p.radii(w.normal) + q.radii(-w.normal), dot(w.normal, apart), x)) return {};
    w.normal += unknowns.tangent[0] * x[0] + unknowns.tangent[1] * x[1];
    normalize(w.normal);
    for (int k = 0; k < p.nflat; ++k) slide[0] += p.flat[k] * x[2 + k];
    for (int k = 0; k < q.nflat; ++k) slide[1] += q.flat[k] * x[2 + p.nflat + k];
    converged = std::abs(x[0]) + std::abs(x[1]) <= kConverged;
  }
  w.x1 = p.point(w.normal) + slide[0];
  w.x2 = q.point(-w.normal) + slide[1];
  const bool same = norm(w.normal - start) <= kMoved && norm(w.x1 - x1) + norm(w.x2 - x2) <= kMoved * size;
  if (!same || !is_support(m, a, w.normal, w.x1) || !is_support(m, b, -w.normal, w.x2)) return {};
  return w;
}

WitnessDerivative::WitnessDerivative(const Witness& witness, const Vec3d& about)
    : witness_(witness),
      about_(about),
      radii_{witness.patch[0].radii(witness.normal), witness.patch[1].radii(-witness.normal)} {}

/// Under rigid motions a patch's point moves with the body, plus R (du - w × u) and its sliding:
///   dx1 - dx2 = dg n + g dn,   f_i·dn = f_i·(w × n).
WitnessRate WitnessDerivative::along(const PairMotion& motion) const {
  const Vec3d& n = witness_.normal;
  const SurfacePatch &p = witness_.patch[0], &q = witness_.patch[1];
  const Unknowns unknowns(n, witness_.patch);
  const Vec3d x[2] = {witness_.x1, witness_.x2};
  Vec3d carried[2], turned[2];
  for (const int side : {0, 1}) {
    turned[side] = cross(motion.w[side], n);
    carried[side] = motion.v[side] + cross(motion.w[side], x[side] - about_);
  }
  const Vec3d apart = carried[0] - radii_[0] * turned[0] - carried[1] - radii_[1] * turned[1];
  double z[kMostUnknowns];
  for (int k = 0; k < 2; ++k) z[k] = -dot(unknowns.tangent[k], apart);
  for (int k = 0; k < unknowns.flats(); ++k) z[2 + k] = dot(unknowns.flat(k), turned[k < p.nflat ? 0 : 1]);
  solve(unknowns, radii_[0] + radii_[1], -witness_.dist(), z);
  WitnessRate rate;
  rate.normal = unknowns.tangent[0] * z[0] + unknowns.tangent[1] * z[1];
  rate.x1 = carried[0] + radii_[0] * (rate.normal - turned[0]);
  rate.x2 = carried[1] - radii_[1] * (rate.normal - turned[1]);
  for (int k = 0; k < p.nflat; ++k) rate.x1 += p.flat[k] * z[2 + k];
  for (int k = 0; k < q.nflat; ++k) rate.x2 += q.flat[k] * z[2 + p.nflat + k];
  return rate;
}

}  // namespace sinew
