#include <algorithm>

#include "collision/ccd.h"
#include "collision/frame.h"
#include "collision/mpr.h"
#include "collision/pairs/pairs.h"
#include "math/quat.h"

// Convex shapes without a closed form. Both are inflated by half the margin, so that they penetrate within the margin.

namespace sinew {
namespace {

/// Contacts of one run; `margin` is the sum of the two inflations.
int contacts_of(const CcdResult& result, double margin, ContactPoint* out) {
  if (!(result.dist < 0)) return 0;
  for (int i = 0; i < result.count; ++i) {
    out[i].normal = result.x1[i] - result.x2[i];
    const double depth = result.count > 1 ? norm(out[i].normal) : -result.dist;
    normalize(out[i].normal);
    out[i].dist = margin - depth;
    out[i].pos = (result.x1[i] + result.x2[i]) * 0.5;
    out[i].tangent = {};
  }
  return result.count;
}

void rotate_about(const Vec3d& point, const Mat3d& turn, Convex& o) {
  const Vec3d arm = point - o.pos;
  o.mat = turn * o.mat;
  o.pos -= turn * arm - arm;
}

/// Two objects and the collision settings.
struct Problem {
  const PairContext& context;
  Convex o1, o2;
  CcdConfig config;
  double margin;
  bool native;  // flag nativeccd: GJK and EPA, else portal refinement

  int contacts(ContactPoint* out) {
    if (native) return contacts_of(convex_distance(context.model, o1, o2, config, context.scratch), margin, out);
    const Penetration found = portal_penetration(o1, o2, config.tolerance, config.iterations);
    if (!found.found || !(norm(found.dir) > 0)) return 0;
    *out = {margin - found.depth, found.pos, found.dir, {}};
    return 1;
  }
};

/// More contacts of smooth or inflated shapes: rotate both slightly against each other about the first contact, in both
/// directions about each tangent, and keep contacts farther than `apart` from the others.
int perturbed_contacts(Problem& problem, double apart, ContactPoint* out) {
  constexpr double kAngle = 1e-3;
  Vec3d normal = out[0].normal;
  normalize(normal);  // once more, as for the contact's own frame: the last digit affects where an iteration ends
  const Mat3d frame = contact_frame(normal, {});
  Convex &o1 = problem.o1, &o2 = problem.o2;
  const Vec3d pos1 = o1.pos, pos2 = o2.pos;
  const Mat3d mat1 = o1.mat, mat2 = o2.mat;
  int count = 1;
  for (int axis = 1; axis < 3; ++axis) {
    for (const double angle : {-kAngle, kAngle}) {
      const Mat3d turn = to_matrix(axis_angle(frame.row(axis), angle));
      rotate_about(out[0].pos, turn, o1);
      rotate_about(out[0].pos, transpose(turn), o2);
      ContactPoint found[kMaxWitness];
      const bool fresh = problem.contacts(found) && std::all_of(out, out + count, [&](const ContactPoint& old) {
                           return norm(old.pos - found[0].pos) > apart;
                         });
      if (fresh) {
        out[count] = found[0];
        out[count++].dist = out[0].dist;
      }
      o1.pos = pos1;
      o1.mat = mat1;
      o2.pos = pos2;
      o2.mat = mat2;
    }
  }
  return count;
}

}  // namespace

int collide_convex(const PairContext& context, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  constexpr double kApart = 1e-3;  // of the smaller bounding radius
  const Option& opt = context.model.opt;
  const bool several = !opt.disabled(kDisableMulticcd);
  const auto flat = [](GeomType type) { return type == GeomType::Box || type == GeomType::Mesh; };
  const auto smooth = [](GeomType type) { return type == GeomType::Sphere || type == GeomType::Ellipsoid; };

  CcdConfig config;
  config.tolerance = context.ccd_tolerance > 0 ? context.ccd_tolerance : opt.ccd_tolerance;
  config.iterations = context.ccd_iterations > 0 ? context.ccd_iterations : opt.ccd_iterations;
  const bool native = !opt.disabled(kDisableNativeccd);
  config.several = native && several && !(margin > 0) && flat(a.type) && flat(b.type);
  Problem problem = {context, convex_of(context.model, a, margin), convex_of(context.model, b, margin), config, margin,
                     native};
  int count = problem.contacts(out);
  if (!native && count > 0) mend_normal(a, b, out[0]);
  if (count == 1 && !config.several && several && !smooth(a.type) && !smooth(b.type))
    count = perturbed_contacts(problem, kApart * std::min(a.rbound, b.rbound), out);
  if (!native)
    for (int i = 1; i < count; ++i) mend_normal(a, b, out[i]);
  return count;
}

}  // namespace sinew
