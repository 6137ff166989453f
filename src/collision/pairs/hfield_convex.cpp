#include <algorithm>
#include <cmath>

#include "collision/ccd.h"
#include "collision/mpr.h"
#include "collision/pair_table.h"
#include "collision/pairs/flex_element.h"
#include "collision/pairs/pairs.h"

// A height field against a convex shape: every triangle of the grid under the shape's box is the top of a prism that
// reaches down to the base, and each prism is a convex object. All in the height field's frame.
//
// The prism's top is raised by the margin and the shape is inflated by half of it, and the depth is reported unchanged:
// within a margin m the distance is biased by -1.5 m, as in MuJoCo.

namespace sinew {
namespace {

/// Extent of a shape along the axes of its frame, by its support function without margin.
struct Extent {
  Vec3d lo, hi;
};

Extent extent_of(Convex& o) {
  const double margin = o.margin;
  o.margin = 0;
  Extent e;
  for (int i = 0; i < 3; ++i) {
    Vec3d dir;
    dir[i] = 1;
    e.hi[i] = o.support(dir)[i];
    e.lo[i] = o.support(-dir)[i];
  }
  o.margin = margin;
  return e;
}

/// A height field's grid: V(r, c) is vertex c of row r, raised by `lift`.
struct Grid {
  const float* data;
  int nrow, ncol;
  double sx, sy, sz, base;
  double dx, dy, lift;

  Grid(const Model& m, int hfield, double margin) {
    const double* size = &m.hfield_size[4 * static_cast<std::size_t>(hfield)];
    sx = size[0];
    sy = size[1];
    sz = size[2];
    base = size[3];
    nrow = m.hfield_nrow[hfield];
    ncol = m.hfield_ncol[hfield];
    data = m.hfield_data.data() + m.hfield_adr[hfield];
    dx = 2 * sx / (ncol - 1);
    dy = 2 * sy / (nrow - 1);
    lift = margin;
  }
  Vec3d vertex(int r, int c) const { return {dx * c - sx, dy * r - sy, data[r * ncol + c] * sz + lift}; }
};

/// Rows and columns of the grid below an interval.
struct Range {
  int lo, hi;
};

/// Handles non-finite quotients: an edit may leave a size of zero.
Range grid_range(double lo, double hi, double half, int count) {
  const double last = count - 1;
  const auto cell = [last](double x) { return static_cast<int>(x > 0 ? std::min(x, last) : 0.0); };
  return {cell(std::floor((lo + half) / (2 * half) * last)), cell(std::ceil((hi + half) / (2 * half) * last))};
}

/// The last three vertices of the strip, as a prism: 3 bottom points, 3 top points.
struct Prism {
  Vec3d point[6];

  void push(const Vec3d& top, double base) {
    for (int i = 0; i < 2; ++i) {
      point[i] = point[i + 1];
      point[3 + i] = point[4 + i];
    }
    point[2] = {top.x, top.y, -base};
    point[5] = top;
  }
  bool below(double z) const { return point[3].z < z && point[4].z < z && point[5].z < z; }
};

/// By GJK and EPA, or by portal refinement if the flag nativeccd is off.
Penetration penetration(const Model& m, Convex& o1, Convex& o2, Arena& scratch) {
  if (m.opt.disabled(kDisableNativeccd)) {
    Penetration found = portal_penetration(o1, o2, m.opt.ccd_tolerance, m.opt.ccd_iterations);
    found.found &= norm(found.dir) > 0;
    return found;
  }
  CcdConfig config;
  config.tolerance = m.opt.ccd_tolerance;
  config.iterations = m.opt.ccd_iterations;
  const CcdResult result = convex_distance(m, o1, o2, config, scratch);
  Vec3d normal = result.x1[0] - result.x2[0];
  normalize(normal);
  return {result.dist < 0, -result.dist, normal, (result.x1[0] + result.x2[0]) * 0.5};
}

/// Contacts of the prisms under an object, given in the height field's frame with its extent.
int collide_prisms(const PairContext& context, const Shape& field, const Grid& grid, Convex& o2, const Extent& e,
                   double margin, ContactPoint* out) {
  if (!(e.lo.x - margin <= grid.sx && e.hi.x + margin >= -grid.sx && e.lo.y - margin <= grid.sy &&
        e.hi.y + margin >= -grid.sy && e.lo.z - margin <= grid.sz && e.hi.z + margin >= -grid.base))
    return 0;
  const Range columns = grid_range(e.lo.x, e.hi.x, grid.sx, grid.ncol),
              rows = grid_range(e.lo.y, e.hi.y, grid.sy, grid.nrow);

  Prism prism;
  Convex o1;
  o1.kind = ConvexKind::Prism;
  o1.prism = prism.point;
  int count = 0;
  for (int r = rows.lo; r < rows.hi; ++r) {
    prism.push(grid.vertex(r + 1, columns.lo), grid.base);
    prism.push(grid.vertex(r, columns.lo), grid.base);
    for (int c = columns.lo + 1; c <= columns.hi; ++c) {
      for (const int row : {r + 1, r}) {
        prism.push(grid.vertex(row, c), grid.base);
        if (prism.below(e.lo.z)) continue;
        const Penetration result = penetration(context.model, o1, o2, context.scratch);
        if (!result.found) continue;
        out[count] = {-result.depth, field.mat * result.pos + field.pos, field.mat * result.dir, {}};
        if (++count == kMaxContactsHfield) return count;
      }
    }
  }
  return count;
}

}  // namespace

int collide_hfield(const PairContext& context, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  const Model& m = context.model;
  const Grid grid(m, a.data, margin);
  Shape local = b;
  local.pos = mul_transposed(a.mat, b.pos - a.pos);
  const Vec3d& p = local.pos;
  const double reach = b.rbound + margin;
  if (!(grid.sx >= p.x - reach && -grid.sx <= p.x + reach && grid.sy >= p.y - reach && -grid.sy <= p.y + reach &&
        grid.sz >= p.z - reach && -grid.base <= p.z + reach))
    return 0;

  local.mat = transpose(a.mat) * b.mat;
  Convex o2 = convex_of(m, local, margin);
  const Extent e = extent_of(o2);
  const int count = collide_prisms(context, a, grid, o2, e, margin, out);
  if (m.opt.disabled(kDisableNativeccd))
    for (int i = 0; i < count; ++i) mend_normal(a, b, out[i]);
  return count;
}

int collide_hfield_element(const PairContext& context, const Shape& a, const FlexElement& element, double margin,
                           ContactPoint* out) {
  FlexElement local = element;
  Extent e;
  for (int k = 0; k <= element.dim; ++k) {
    local.corner[k] = mul_transposed(a.mat, element.corner[k] - a.pos);
    for (int i = 0; i < 3; ++i) {
      e.lo[i] = k == 0 ? local.corner[k][i] : std::min(e.lo[i], local.corner[k][i]);
      e.hi[i] = k == 0 ? local.corner[k][i] : std::max(e.hi[i], local.corner[k][i]);
    }
  }
  local.center = mul_transposed(a.mat, element.center - a.pos);
  Convex o2 = convex_of(local, margin);
  return collide_prisms(context, a, Grid(context.model, a.data, margin), o2, e, margin, out);
}

}  // namespace sinew
