#include "collision/pair_table.h"

#include "collision/pairs/pairs.h"

namespace sinew {
namespace {

// first \ second   plane hfield sphere capsule ellipsoid cylinder box mesh sdf
constexpr PairFunction kPairs[kNumGeomType][kNumGeomType] = {
    {nullptr, nullptr, collide_plane_sphere, collide_plane_capsule, collide_plane_ellipsoid, collide_plane_cylinder,
     collide_plane_box, collide_plane_mesh, collide_plane_mesh},
    {nullptr, nullptr, collide_hfield, collide_hfield, collide_hfield, collide_hfield, collide_hfield, collide_hfield,
     nullptr},
    {nullptr, nullptr, collide_sphere_sphere, collide_sphere_capsule, collide_convex, collide_sphere_cylinder,
     collide_sphere_box, collide_convex, collide_sdf},
    {nullptr, nullptr, nullptr, collide_capsule_capsule, collide_convex, collide_convex, collide_capsule_box,
     collide_convex, collide_sdf},
    {nullptr, nullptr, nullptr, nullptr, collide_convex, collide_convex, collide_convex, collide_convex, collide_sdf},
    {nullptr, nullptr, nullptr, nullptr, nullptr, collide_convex, collide_convex, collide_convex, collide_sdf},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, collide_box_box, collide_convex, collide_sdf},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, collide_convex, collide_mesh_sdf},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, collide_sdf},
};

}  // namespace

PairFunction pair_function(GeomType a, GeomType b) { return kPairs[static_cast<int>(a)][static_cast<int>(b)]; }

int max_contacts(const Model& m, GeomType a, GeomType b, double margin) {
  const PairFunction function = pair_function(a, b);
  if (!function) return 0;
  if (function == collide_hfield || function == collide_mesh_sdf) return kMaxContactsHfield;
  if (function == collide_sdf) return m.opt.sdf_initpoints;
  if (a == GeomType::Plane) {
    switch (b) {
      case GeomType::Capsule: return 2;
      case GeomType::Cylinder:
      case GeomType::Box: return 4;
      case GeomType::Mesh:
      case GeomType::Sdf: return 3;
      default: return 1;
    }
  }
  const auto either = [&](GeomType type) { return a == type || b == type; };
  if (either(GeomType::Sphere) || either(GeomType::Ellipsoid)) return 1;
  if (function == collide_box_box) return 8;
  if (function == collide_capsule_capsule) return 2;
  if (function == collide_capsule_box) return 4;  // two in fact
  if (m.opt.disabled(kDisableMulticcd)) return 1;
  const bool clipped = !either(GeomType::Capsule) && !either(GeomType::Cylinder) && !(margin > 0);
  return clipped && !m.opt.disabled(kDisableNativeccd) ? 4 : 5;
}

}  // namespace sinew
