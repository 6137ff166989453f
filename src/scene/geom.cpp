#include <algorithm>

#include "scene/emitter.h"

namespace sinew {

using scene::Matrix;
using scene::Vec;

void init_geom(SceneGeom& geom, int type, const double* size, const double* pos, const double* mat, const float* rgba) {
  const SceneGeom fresh;
  const auto kept = geom;
  geom = fresh;
  geom.type = type;
  geom.objtype = kept.objtype;
  geom.objid = kept.objid;
  geom.category = kept.category;
  geom.segid = kept.segid;
  geom.camdist = kept.camdist;
  geom.transparent = kept.transparent;
  if (size) {
    const auto x = static_cast<float>(size[0]), y = static_cast<float>(size[1]), z = static_cast<float>(size[2]);
    switch (static_cast<GeomType>(type)) {
      case GeomType::Sphere: geom.size = {x, x, x}; break;
      case GeomType::Capsule:
      case GeomType::Cylinder: geom.size = {x, x, y}; break;
      default: geom.size = {x, y, z};
    }
  }
  if (pos) std::transform(pos, pos + 3, geom.pos.begin(), [](double x) { return static_cast<float>(x); });
  if (mat) std::transform(mat, mat + 9, geom.mat.begin(), [](double x) { return static_cast<float>(x); });
  if (rgba) std::copy_n(rgba, 4, geom.rgba.begin());
}

Status connect_geom(SceneGeom& geom, int type, double width, const double from[3], const double to[3]) {
  const bool has_middle = type == static_cast<int>(GeomType::Capsule) || type == static_cast<int>(GeomType::Cylinder);
  if (!has_middle && !(type >= kSceneArrow && type <= kSceneLine))
    return Status("a connector is a capsule, a cylinder, an arrow or a line");
  const Vec start = Vec::load(from), way = Vec::load(to) - start;
  const double length = norm(way);
  const Vec pos = has_middle ? start + way * 0.5 : start;
  geom.type = type;
  geom.size = {static_cast<float>(width), static_cast<float>(width),
               static_cast<float>(has_middle ? 0.5 * length : length)};
  geom.pos = {static_cast<float>(pos.x), static_cast<float>(pos.y), static_cast<float>(pos.z)};
  const Matrix mat = scene::rotation_from_z(way);
  std::transform(mat.m, mat.m + 9, geom.mat.begin(), [](double x) { return static_cast<float>(x); });
  return {};
}

Scene::Scene(const Model&, int limit) : maxgeom(limit) {
  if (limit != kUnlimited) geoms.resize(static_cast<std::size_t>(std::max(0, limit)));
}

SceneGeom* Scene::append() {
  if (maxgeom != kUnlimited && ngeom >= maxgeom) {
    status = 1;
    return nullptr;
  }
  if (static_cast<std::size_t>(ngeom) >= geoms.size()) geoms.resize(std::max<std::size_t>(64, 2 * geoms.size()));
  SceneGeom& geom = geoms[static_cast<std::size_t>(ngeom)];
  geom = SceneGeom();
  geom.segid = ngeom++;
  return &geom;
}

SceneCamera default_free_camera(const Model& m) {
  SceneCamera camera;
  camera.lookat = m.stat.center;
  camera.distance = 1.5 * m.stat.extent;
  camera.azimuth = m.vis.global_.azimuth;
  camera.elevation = m.vis.global_.elevation;
  camera.orthographic = m.vis.global_.orthographic;
  return camera;
}

}  // namespace sinew
