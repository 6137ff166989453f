#include "geometry/ray.h"

#include <algorithm>
#include <cmath>

#include "geometry/signed_distance.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

Vec unit(Vec v) {
  normalize(v);
  return v;
}

/// Roots of a x² + 2 b x + c, ascending; both -1 if there are none.
struct Roots {
  double x[2] = {-1, -1};

  Roots(double a, double b, double c) {
    const double det = b * b - a * c;
    if (!(det >= 0) || a < kMinVal) return;
    const double root = std::sqrt(det);
    x[0] = (-b - root) / a;
    x[1] = (-b + root) / a;
  }
  double first_ahead() const { return x[0] >= 0 ? x[0] : x[1] >= 0 ? x[1] : -1; }
};

Roots ball_roots(const Vec& center, double radius, const Ray& ray) {
  const Vec p = ray.point - center;
  return {dot(ray.dir, ray.dir), dot(ray.dir, p), dot(p, p) - radius * radius};
}

/// A cylinder's side without ends.
double side_root(double radius, const Ray& r) {
  return Roots(r.dir.x * r.dir.x + r.dir.y * r.dir.y, r.dir.x * r.point.x + r.dir.y * r.point.y,
               r.point.x * r.point.x + r.point.y * r.point.y - radius * radius)
      .first_ahead();
}

/// All six faces of a box: x of each, -1 where it is missed; 2 axis + (0: negative side, 1: positive).
struct BoxFaces {
  double x[6] = {-1, -1, -1, -1, -1, -1};

  BoxFaces(const Vec& size, const Ray& ray) {
    if (ray_ball(norm(size), ray) < 0) return;
    for (int axis = 0; axis < 3; ++axis) {
      if (!(std::abs(ray.dir[axis]) > kMinVal)) continue;
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (int side = 0; side < 2; ++side) {
        const double at = ((side ? 1 : -1) * size[axis] - ray.point[axis]) / ray.dir[axis];
        if (!(at >= 0)) continue;
        if (std::abs(ray.point[u] + at * ray.dir[u]) <= size[u] && std::abs(ray.point[v] + at * ray.dir[v]) <= size[v])
          x[2 * axis + side] = at;
      }
    }
  }
  RaySurface nearest() const {
    RaySurface out;
    for (int i = 0; i < 6; ++i) {
      Vec normal;
      normal[i / 2] = i & 1 ? 1 : -1;
      out.nearest(x[i], normal);
    }
    return out;
  }
};

/// Two unit vectors perpendicular to the ray.
struct AcrossRay {
  Vec b0, b1;

  explicit AcrossRay(const Vec& dir) {
    const double x = std::abs(dir.x), y = std::abs(dir.y), z = std::abs(dir.z);
    Vec start = {1, 1, 1};
    start[x >= y && x >= z ? 0 : y >= z ? 1 : 2] = 0;
    b1 = unit(start - dir * (dot(dir, start) / dot(dir, dir)));
    b0 = unit(cross(b1, dir));
  }
};

/// From both sides; x may be negative or, for a miss, -1.
void hit_triangle(const Vec& v0, const Vec& v1, const Vec& v2, const Ray& ray, const AcrossRay& across,
                  RaySurface& out) {
  // the corners seen along the ray
  double p[3][2];
  const Vec* v[3] = {&v0, &v1, &v2};
  for (int i = 0; i < 3; ++i) {
    const Vec offset = *v[i] - ray.point;
    p[i][0] = dot(across.b0, offset);
    p[i][1] = dot(across.b1, offset);
  }
  for (int k = 0; k < 2; ++k) {
    if (p[0][k] > 0 && p[1][k] > 0 && p[2][k] > 0) return;
    if (p[0][k] < 0 && p[1][k] < 0 && p[2][k] < 0) return;
  }
  const double a00 = p[0][0] - p[2][0], a01 = p[1][0] - p[2][0], a10 = p[0][1] - p[2][1], a11 = p[1][1] - p[2][1];
  const double det = a00 * a11 - a10 * a01;
  if (!(std::abs(det) >= kMinVal)) return;
  const double t0 = (a01 * p[2][1] - a11 * p[2][0]) / det, t1 = (a10 * p[2][0] - a00 * p[2][1]) / det;
  if (t0 < 0 || t1 < 0 || t0 + t1 > 1) return;
  const Vec normal = cross(v0 - v2, v1 - v2);
  const double along = dot(ray.dir, normal);
  if (std::abs(along) < kMinVal) return;
  out.nearest(dot(v2 - ray.point, normal) / along, unit(normal));
}

}  // namespace

bool ray_meets_box(const double* box, const Ray& ray, double limit) {
  constexpr double kHair = 1e-9;
  double from = 0, to = limit >= 0 ? limit : 1e300;
  for (int k = 0; k < 3; ++k) {
    const double half = box[3 + k] * (1 + kHair) + kMinVal;
    const double lo = box[k] - half - ray.point[k], hi = box[k] + half - ray.point[k];
    if (std::abs(ray.dir[k]) < kMinVal) {
      if (lo > 0 || hi < 0) return false;
      continue;
    }
    const double x0 = lo / ray.dir[k], x1 = hi / ray.dir[k];
    from = std::max(from, std::min(x0, x1));
    to = std::min(to, std::max(x0, x1));
    if (from > to * (1 + kHair)) return false;
  }
  return true;
}

RaySurface ray_triangle(const Vec& v0, const Vec& v1, const Vec& v2, const Ray& ray) {
  RaySurface out;
  hit_triangle(v0, v1, v2, ray, AcrossRay(ray.dir), out);
  return out;
}

double ray_ball(double radius, const Ray& ray) { return ball_roots({}, radius, ray).first_ahead(); }

RaySurface rays::plane(const RayTarget& target, const Ray& ray) {
  const Vec& size = target.size;
  RaySurface out;
  if (ray.dir.z > -kMinVal) return out;
  const double x = -ray.point.z / ray.dir.z;
  if (!(x >= 0)) return out;
  const Vec p = ray.at(x);
  if ((size.x <= 0 || std::abs(p.x) <= size.x) && (size.y <= 0 || std::abs(p.y) <= size.y)) out.nearest(x, {0, 0, 1});
  return out;
}

RaySurface rays::sphere(const RayTarget& target, const Ray& ray) {
  const Vec& size = target.size;
  RaySurface out;
  const double x = ray_ball(size.x, ray);
  if (x >= 0) out.nearest(x, unit(ray.at(x)));
  return out;
}

RaySurface rays::ellipsoid(const RayTarget& target, const Ray& ray) {
  const Vec& size = target.size;
  RaySurface out;
  const Vec w = {1 / (size.x * size.x), 1 / (size.y * size.y), 1 / (size.z * size.z)};
  const Vec &p = ray.point, &v = ray.dir;
  const double x =
      Roots(w.x * v.x * v.x + w.y * v.y * v.y + w.z * v.z * v.z, w.x * v.x * p.x + w.y * v.y * p.y + w.z * v.z * p.z,
            w.x * p.x * p.x + w.y * p.y * p.y + w.z * p.z * p.z - 1)
          .first_ahead();
  if (x < 0) return out;
  const Vec q = ray.at(x);
  out.nearest(x, unit({w.x * q.x, w.y * q.y, w.z * q.z}));
  return out;
}

RaySurface rays::capsule(const RayTarget& target, const Ray& ray) {
  const Vec& size = target.size;
  RaySurface out;
  const double radius = size.x, half = size.y;
  if (ray_ball(radius + half, ray) < 0) return out;
  const double x = side_root(radius, ray);
  if (x >= 0) {
    const Vec p = ray.at(x);
    if (std::abs(p.z) <= half) out.nearest(x, unit({p.x, p.y, 0}));
  }
  for (const double end : {1.0, -1.0}) {
    const Vec center = {0, 0, end * half};
    for (const double root : ball_roots(center, radius, ray).x) {
      if (!(root >= 0)) continue;
      const Vec p = ray.at(root);
      if (end * p.z >= half) out.nearest(root, unit(p - center));
    }
  }
  return out;
}

RaySurface rays::cylinder(const RayTarget& target, const Ray& ray) {
  const Vec& size = target.size;
  RaySurface out;
  const double radius = size.x, half = size.y;
  if (ray_ball(std::sqrt(radius * radius + half * half), ray) < 0) return out;
  if (std::abs(ray.dir.z) > kMinVal) {
    for (const double end : {-1.0, 1.0}) {
      const double x = (end * half - ray.point.z) / ray.dir.z;
      if (!(x >= 0)) continue;
      const Vec p = ray.at(x);
      if (p.x * p.x + p.y * p.y <= radius * radius) out.nearest(x, {0, 0, end});
    }
  }
  const double x = side_root(radius, ray);
  if (x >= 0) {
    const Vec p = ray.at(x);
    if (std::abs(p.z) <= half) out.nearest(x, unit({p.x, p.y, 0}));
  }
  return out;
}

RaySurface rays::box(const RayTarget& target, const Ray& ray) { return BoxFaces(target.size, ray).nearest(); }

RaySurface rays::mesh(const RayTarget& target, const Ray& ray) {
  const Model& m = *target.model;
  const int mesh = target.data;
  constexpr int kDeepest = 128;
  RaySurface out;
  if (!BoxFaces(target.size, ray).nearest().hit() || m.mesh_bvhnum[mesh] == 0) return out;
  const AcrossRay across(ray.dir);
  const float* vert = m.mesh_vert.data() + 3 * static_cast<std::size_t>(m.mesh_vertadr[mesh]);
  const int* face = m.mesh_face.data() + 3 * static_cast<std::size_t>(m.mesh_faceadr[mesh]);
  const int root = m.mesh_bvhadr[mesh];
  int stack[kDeepest], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const int node = root + stack[--depth];
    if (!ray_meets_box(&m.bvh_aabb[6 * static_cast<std::size_t>(node)], ray, out.x)) continue;
    const int id = m.bvh_nodeid[node];
    if (id >= 0) {
      const int* corner = face + 3 * static_cast<std::size_t>(id);
      hit_triangle(Vec::load(vert + 3 * corner[0]), Vec::load(vert + 3 * corner[1]), Vec::load(vert + 3 * corner[2]),
                   ray, across, out);
      continue;
    }
    for (int side = 0; side < 2; ++side)
      if (m.bvh_child[2 * node + side] >= 0 && depth < kDeepest) stack[depth++] = m.bvh_child[2 * node + side];
  }
  return out;
}

RaySurface rays::hfield(const RayTarget& target, const Ray& ray) {
  const Model& m = *target.model;
  const int hfield = target.data;
  const double* size = &m.hfield_size[4 * static_cast<std::size_t>(hfield)];
  const double sx = size[0], sy = size[1], sz = size[2], base = size[3];
  const int nrow = m.hfield_nrow[hfield], ncol = m.hfield_ncol[hfield];
  const float* data = m.hfield_data.data() + m.hfield_adr[hfield];
  const double dx = 2 * sx / (ncol - 1), dy = 2 * sy / (nrow - 1);
  const auto shifted = [&](double z) { return Ray{{ray.point.x, ray.point.y, ray.point.z - z}, ray.dir}; };

  RaySurface out = BoxFaces({sx, sy, 0.5 * base}, shifted(-0.5 * base)).nearest();
  const BoxFaces top({sx, sy, 0.5 * sz}, shifted(0.5 * sz));
  double first = -1, last = -1;
  int hits = 0;
  for (const double x : top.x) {
    if (x < 0) continue;
    ++hits;
    first = first < 0 ? x : std::min(first, x);
    last = std::max(last, x);
  }
  if (hits == 0) return out;
  if (hits == 1) first = 0;

  // the cells under the part of the ray that is in the top box, and one more on each side
  const auto cells = [](double a, double b, double half, double step, int count, int& lo, int& hi) {
    lo = std::max(0, static_cast<int>(std::floor((std::min(a, b) + half) / step)) - 1);
    hi = std::min(count - 1, static_cast<int>(std::ceil((std::max(a, b) + half) / step)) + 1);
  };
  const Vec from = ray.at(first), to = ray.at(last);
  int cmin, cmax, rmin, rmax;
  cells(from.x, to.x, sx, dx, ncol, cmin, cmax);
  cells(from.y, to.y, sy, dy, nrow, rmin, rmax);
  const auto vertex = [&](int r, int c) { return Vec{dx * c - sx, dy * r - sy, data[r * ncol + c] * sz}; };
  const AcrossRay across(ray.dir);
  for (int r = rmin; r < rmax; ++r)
    for (int c = cmin; c < cmax; ++c) {
      hit_triangle(vertex(r, c), vertex(r, c + 1), vertex(r + 1, c + 1), ray, across, out);
      hit_triangle(vertex(r, c), vertex(r + 1, c + 1), vertex(r + 1, c), ray, across, out);
    }

  // side walls extend up to the edge of the surface
  for (int side = 0; side < 4; ++side) {
    const double x = top.x[side];
    if (x < 0) continue;
    const Vec p = ray.at(x);
    const bool along_y = side < 2;  // walls at -x, +x, -y, +y
    const double t = along_y ? (p.y + sy) / dy : (p.x + sx) / dx;
    // a field of one row or column has one height all along
    const int count = along_y ? nrow : ncol, low = std::max(0, std::min(static_cast<int>(std::floor(t)), count - 2));
    const int high = std::min(low + 1, count - 1);
    const auto border = [&](int i) {
      const int fixed = side & 1 ? (along_y ? ncol : nrow) - 1 : 0;
      return along_y ? data[i * ncol + fixed] : data[fixed * ncol + i];
    };
    Vec normal;
    normal[side / 2] = side & 1 ? 1 : -1;
    if (p.z / sz < border(low) * (low + 1 - t) + border(high) * (t - low)) out.nearest(x, normal);
  }
  return out;
}

RaySurface rays::sdf(const RayTarget& target, const Ray& ray) {
  constexpr int kSteps = 40;
  constexpr double kOnSurface = 1e-7, kTooFar = 1e6;
  RaySurface out;
  if (!BoxFaces(target.size, ray).nearest().hit()) return out;
  const DistanceField field{GeomType::Sdf, target.size, target.model, target.data,
                            plugin_shape(*target.model, target.geom)};
  const Ray straight = {ray.point, unit(ray.dir)};
  double travelled = 0;
  for (int i = 0; i < kSteps; ++i) {
    const Vec p = straight.at(travelled);
    const double distance = field.value(p);
    travelled += std::abs(distance);  // also forward from inside, as in MuJoCo: out of the surface
    if (std::abs(distance) < kOnSurface) {
      out.nearest(travelled, unit(field.gradient(straight.at(travelled))));
      return out;
    }
    if (!(travelled <= kTooFar)) return out;
  }
  return out;
}

}  // namespace sinew
