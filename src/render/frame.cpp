#include "render/frame.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sinew::render {
namespace {

constexpr float kOpaque = 0.995f;
constexpr float kFromBehind = 0.3f;  // opacity of a plane seen from its back
constexpr float kRadians = std::numbers::pi_v<float> / 180;

bool finite(const SceneGeom& g) {
  float sum = 0;
  for (const float x : g.size) sum += x * 0;
  for (const float x : g.pos) sum += x * 0;
  for (const float x : g.mat) sum += x * 0;
  for (const float x : g.rgba) sum += x * 0;
  return sum == 0;  // 0 times infinity or NaN is NaN
}

Vec vec(const Float3& v) { return Vec::load(v.data()); }

}  // namespace

Frame::Frame(const Assets& assets) : assets_(&assets) {
  opaque_.start(*this);
  clear_.start(*this);
}

void Frame::Group::start(const Frame& of) {
  frame = &of;
  const RTCDevice device = of.assets_->device.get();
  tree = Tree(rtcNewScene(device));
  rtcSetSceneBuildQuality(tree.get(), RTC_BUILD_QUALITY_LOW);
  geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserData(geometry, this);
  rtcSetGeometryBoundsFunction(geometry, bounds, this);
  rtcSetGeometryIntersectFunction(geometry, on_intersect);
  rtcSetGeometryOccludedFunction(geometry, on_occluded);
  rtcAttachGeometry(tree.get(), geometry);
  rtcReleaseGeometry(geometry);
}

void Frame::Group::build() {
  const float big = std::numeric_limits<float>::max();
  low = {big, big, big};
  high = -low;
  for (const int id : parts) {
    const Part& part = frame->parts_[index(id)];
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], part.low[k]);
      high[k] = std::max(high[k], part.high[k]);
    }
  }
  rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(parts.size()));
  rtcCommitGeometry(geometry);
  rtcCommitScene(tree.get());
}

void Frame::bounds(const RTCBoundsFunctionArguments* a) {
  const auto& group = *static_cast<const Group*>(a->geometryUserPtr);
  const Part& part = group.frame->parts_[index(group.parts[a->primID])];
  *a->bounds_o = {part.low.x, part.low.y, part.low.z, 0, part.high.x, part.high.y, part.high.z, 0};
}

bool Frame::wanted(const Part& part, Kind kind) { return kind < Kind::Caster || part.caster; }

bool Frame::Group::near(const RTCRay& r) const {
  if (parts.empty()) return false;
  const float o[3] = {r.org_x, r.org_y, r.org_z}, d[3] = {r.dir_x, r.dir_y, r.dir_z};
  float begin = r.tnear, end = r.tfar;
  for (int k = 0; k < 3; ++k) {
    if (d[k] == 0) {
      if (o[k] < low[k] || o[k] > high[k]) return false;
      continue;
    }
    const float inv = 1 / d[k], a = (low[k] - o[k]) * inv, b = (high[k] - o[k]) * inv;
    begin = std::max(begin, std::min(a, b));
    end = std::min(end, std::max(a, b));
  }
  // room for rounding
  return begin <= end + 1e-5f * std::fabs(end);
}

bool Frame::visit(Query& query, int id, float& tfar) {
  const Part& part = query.frame->parts_[index(id)];
  if (id == query.skip || !wanted(part, query.kind)) return false;
  Hit hit;
  hit.t = tfar;
  const bool cull = query.kind != Kind::Inside && query.frame->flags_[kRenderCullFace];
  // depths and segments show what is solid
  const Wire* wire = query.frame->wireframe_ && query.kind < Kind::All ? &query.frame->wire_ : nullptr;
  if (!intersect(part, *query.ray, cull, wire, hit)) return false;
  hit.part = id;
  if (query.kind == Kind::Transparent) {
    if (query.nlayer < kMostLayers) query.layers[query.nlayer++] = hit;
    return false;
  }
  query.hit = hit;
  tfar = hit.t;
  return true;
}

void Frame::on_intersect(const RTCIntersectFunctionNArguments* a) {
  if (!a->valid[0]) return;
  auto& query = *reinterpret_cast<Query*>(a->context);
  const int id = static_cast<const Group*>(a->geometryUserPtr)->parts[a->primID];
  auto& rayhit = *reinterpret_cast<RTCRayHit*>(a->rayhit);
  if (!visit(query, id, rayhit.ray.tfar)) return;
  rayhit.hit.geomID = a->geomID;
  rayhit.hit.primID = a->primID;
}

void Frame::on_occluded(const RTCOccludedFunctionNArguments* a) {
  if (!a->valid[0]) return;
  auto& query = *reinterpret_cast<Query*>(a->context);
  const int id = static_cast<const Group*>(a->geometryUserPtr)->parts[a->primID];
  const Part& part = query.frame->parts_[index(id)];
  if (id == query.skip || !wanted(part, query.kind)) return;
  if (blocks(part, *query.ray)) reinterpret_cast<RTCRay*>(a->ray)->tfar = -std::numeric_limits<float>::infinity();
}

void Frame::trace(Query& query) const {
  const Ray& ray = *query.ray;
  query.frame = this;
  query.hit = {};
  init_context(query.context);
  RTCRayHit r;
  r.ray = {ray.origin.x,
           ray.origin.y,
           ray.origin.z,
           ray.near,
           ray.direction.x,
           ray.direction.y,
           ray.direction.z,
           0,
           ray.far,
           ~0u,
           0,
           0};
  r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  if (!usable(r.ray)) return;
  if (query.kind != Kind::Transparent) trace(query, opaque_, r);
  if (query.kind != Kind::Opaque && has_transparent_) trace(query, clear_, r);
}

void Frame::trace(Query& query, const Group& group, RTCRayHit& ray) const {
  for (const int id : group.planes) visit(query, id, ray.ray.tfar);
  if (group.near(ray.ray)) render::intersect(group.tree.get(), query.context, ray);
}

bool Frame::blocked(Query& query, const Group& group, RTCRay& ray) const {
  for (const int id : group.planes) {
    const Part& part = parts_[index(id)];
    if (id != query.skip && wanted(part, query.kind) && blocks(part, *query.ray)) return true;
  }
  if (group.near(ray)) occluded(group.tree.get(), query.context, ray);
  return ray.tfar < 0;
}

Hit Frame::nearest(const Ray& ray) const {
  Query query;
  query.ray = &ray;
  query.kind = Kind::All;
  trace(query);
  return query.hit;
}

Hit Frame::cast(const Ray& ray) const {
  Query query;
  query.ray = &ray;
  query.kind = Kind::Inside;
  trace(query);
  return query.hit;
}

int Frame::segid(const Hit& hit) const { return hit.part < 0 ? -1 : parts_[index(hit.part)].geom->segid; }

void Frame::set_view(const Scene& scene, const SceneView& eye, int width, int height, View& view) {
  SceneView v = eye;
  scale_ = 1;
  if (scene.enabletransform && scene.scale > 0) {
    // the eye in the space of the model, where everything is larger by 1/scale
    double pos[3], quat[4];
    const double identity[4] = {1, 0, 0, 0}, from[3] = {v.pos[0], v.pos[1], v.pos[2]};
    room_to_model(scene, from, identity, pos, quat);
    Scene one;
    one.enabletransform = 1;
    one.rotate = scene.rotate;
    one.camera = {v, v};
    const CameraFrame turned = camera_in_model(one);
    for (std::size_t i = 0; i < 3; ++i) {
      v.pos[i] = static_cast<float>(pos[i]);
      v.forward[i] = static_cast<float>(turned.forward[i]);
      v.up[i] = static_cast<float>(turned.up[i]);
    }
    scale_ = scene.scale;
  }
  view.pos = vec(v.pos);
  view.forward = vec(v.forward);
  view.up = vec(v.up);
  view.right = cross(view.forward, view.up);
  orthographic_ = v.orthographic != 0;
  near_ = v.frustum_near / scale_;
  far_ = v.frustum_far / scale_;
  const float unit = orthographic_ ? 1 / scale_ : 1 / std::max(v.frustum_near, 1e-20f);
  view.height = (v.frustum_top - v.frustum_bottom) * unit;
  view.bottom = v.frustum_bottom * unit;
  const float half = v.frustum_width != 0
                         ? v.frustum_width * unit
                         : view.height / 2 * static_cast<float>(width) / static_cast<float>(std::max(1, height));
  view.left = v.frustum_center * unit - half;
  view.width = 2 * half;
}

Ray Frame::ray(float x, float y) const {
  const bool second = nview_ == 2 && x >= static_cast<float>(width_);
  const View& view = views_[second ? 1 : 0];
  if (second) x -= static_cast<float>(width_);
  const float across = view.left + view.width * (x / static_cast<float>(width_));
  const float up = view.bottom + view.height * (1 - y / static_cast<float>(height_));
  const Vec offset = view.right * across + view.up * up;
  Ray ray;
  ray.orthographic = orthographic_;
  ray.origin = orthographic_ ? view.pos + offset : view.pos;
  ray.direction = orthographic_ ? view.forward : view.forward + offset;
  ray.dx = view.right * (view.width / static_cast<float>(width_));
  ray.dy = view.up * (view.height / static_cast<float>(height_));
  ray.near = near_;
  ray.far = far_;
  ray.eye = view.pos;
  ray.pixel = view.height / static_cast<float>(height_);
  return ray;
}

void Frame::prepare(const Scene& scene, int width, int height) {
  flags_ = scene.flags;
  wireframe_ = flags_[kRenderWireframe] != 0;
  const auto& quality = assets_->vis.quality;
  wire_ = {static_cast<float>(quality.numslices), static_cast<float>(quality.numstacks),
           static_cast<float>(quality.numquads), assets_->vis.global_.linewidth};
  nview_ = scene.stereo != 0 && width > 1 ? 2 : 1;
  width_ = width / nview_;
  height_ = height;
  if (nview_ == 2) {
    set_view(scene, scene.camera[1], width_, height, views_[1]);
    set_view(scene, scene.camera[0], width_, height, views_[0]);
  } else {
    set_view(scene, average_view(scene.camera[0], scene.camera[1]), width_, height, views_[0]);
  }
  head_ = views_[0].pos;
  add_parts(scene);
  set_lights(scene);
  build();
}

void Frame::prepare_for_rays(const Scene& scene) {
  prepare(scene, 1, 1);
  wireframe_ = false;
  for (Part& part : parts_)
    if (part.line > 0) part.caster = false;
}

void Frame::build() {
  for (Group* group : {&opaque_, &clear_}) {
    group->planes.clear();
    group->parts.clear();
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Group& group = parts_[i].opaque ? opaque_ : clear_;
    const bool plane = parts_[i].type == static_cast<int>(GeomType::Plane);
    (plane ? group.planes : group.parts).push_back(static_cast<int>(i));
  }
  opaque_.build();
  if (has_transparent_) clear_.build();
}

void Frame::add_parts(const Scene& scene) {
  parts_.clear();
  nmoving_ = 0;
  mirror_ = -1;
  haze_ = plane_seen_ = false;
  has_transparent_ = false;
  warning_.clear();
  sky_ = flags_[kRenderSkybox] && assets_->sky >= 0 && !flags_[kRenderSegment];
  const auto n = std::min(static_cast<std::size_t>(std::max(0, scene.ngeom)), scene.geoms.size());
  for (std::size_t i = 0; i < n; ++i) {
    const SceneGeom& g = scene.geoms[i];
    if (g.segid < 0 || g.type == kSceneLabel || g.type == kSceneNone) continue;
    if (!finite(g)) {
      if (warning_.empty())
        warning_ = "geom " + std::to_string(i) + " of the scene (object " + std::to_string(g.objid) + " of type " +
                   std::to_string(g.objtype) + ") is not drawn: its pose, size or color is not finite";
      continue;
    }
    add_geom(scene, g);
  }
}

Mesh& Frame::moving_mesh() {
  if (nmoving_ == moving_.size()) moving_.push_back(std::make_unique<Mesh>());
  return *moving_[nmoving_++];
}

void Frame::add_geom(const Scene& scene, const SceneGeom& g) {
  Part part;
  part.geom = &g;
  part.type = g.type;
  part.pos = vec(g.pos);
  part.size = vec(g.size);
  part.mat = Mat::load(g.mat.data());
  part.alpha = g.rgba[3];
  part.caster = !(g.category & kSceneDecor);
  if (g.matid >= 0 && g.texid >= 0 && index(g.texid) < assets_->textures.size() &&
      !assets_->textures[index(g.texid)].empty())
    part.texture = &assets_->textures[index(g.texid)];

  const bool is_mesh = g.type == static_cast<int>(GeomType::Mesh) || g.type == static_cast<int>(GeomType::Sdf);
  if (is_mesh) {
    if (g.dataid < 0 || index(g.dataid) >= assets_->meshes.size()) return;
    part.mesh = &assets_->meshes[index(g.dataid)];
  } else if (g.type == static_cast<int>(GeomType::Hfield)) {
    if (g.dataid < 0 || index(g.dataid) >= assets_->hfields.size()) return;
    part.mesh = &assets_->hfields[index(g.dataid)];
  } else if (g.type == static_cast<int>(GeomType::Plane)) {
    for (int k = 0; k < 2; ++k) {
      if (part.size[k] > 0) continue;
      part.infinite[k] = true;
      const float zfar = assets_->vis.map.zfar * assets_->extent;
      const float repeat = g.texrepeat[index(k)];
      const float tile = repeat > 0 ? 2 / repeat : 2.1f * zfar / 198;
      part.size[k] = (2.1f * zfar + 2 * tile) / 2;
    }
    const Vec up = part.mat.column(2);
    if (dot(head_ - part.pos, up) < 0) part.alpha *= kFromBehind;
    if (!plane_seen_) {
      haze_ = part.infinite[0] && part.infinite[1] && sky_ && flags_[kRenderHaze];
      ground_pos_ = part.pos;
      ground_mat_ = part.mat;
    }
    plane_seen_ = true;
    part.closed = false;
  } else if (g.type == kSceneLine || g.type == kSceneLineBox) {
    part.line = assets_->vis.global_.linewidth * (g.type == kSceneLine ? g.size[0] : 1.5f);
    if (!(part.line > 0)) return;
    part.lit = part.caster = false;
  } else if (g.type == kSceneTriangle) {
    part.closed = false;
  } else if (g.type == kSceneFlex) {
    return add_flex(scene, g, part);
  } else if (g.type == kSceneSkin) {
    if (g.objid < 0 || index(g.objid) >= assets_->skins.size() || index(g.objid) >= scene.skin.size()) return;
    const Assets::Skin& skin = assets_->skins[index(g.objid)];
    const auto first = 3 * static_cast<std::size_t>(scene.skin.vertadr[index(g.objid)]);
    if (first + 3 * skin.vertnum > scene.skin.vert.size()) return;
    Mesh& mesh = moving_mesh();
    const auto start = static_cast<std::ptrdiff_t>(first), end = start + static_cast<std::ptrdiff_t>(3 * skin.vertnum);
    mesh.vert.assign(scene.skin.vert.begin() + start, scene.skin.vert.begin() + end);
    mesh.face = skin.face;
    mesh.texcoord = skin.texcoord;
    mesh.normal.clear();
    for (const std::uint32_t v : skin.face)
      for (std::size_t k = 0; k < 3; ++k) mesh.normal.push_back(scene.skin.normal[first + 3 * v + k]);
    mesh.commit(assets_->device.get(), true);
    part.mesh = &mesh;
    part.pos = {};
    part.mat = Mat::identity();
  } else {
    const bool known = (g.type >= static_cast<int>(GeomType::Sphere) && g.type <= static_cast<int>(GeomType::Box)) ||
                       (g.type >= kSceneArrow && g.type <= kSceneArrow2);
    if (!known) return;
    const bool flat = !(part.size.x > 0 && part.size.y > 0 && part.size.z > 0);
    if (flat) return;
  }
  part.convex = !part.mesh && !(g.type >= kSceneArrow && g.type <= kSceneArrow2);
  finish_part(part);
}

void Frame::add_flex(const Scene& scene, const SceneGeom& g, Part part) {
  const SceneFlexes& flex = scene.flex;
  if (g.objid < 0 || index(g.objid) >= flex.size()) return;
  const std::size_t i = index(g.objid);
  const float radius = g.size[0];
  part.mat = Mat::identity();
  const auto used = index(flex.faceused[i]);
  if (!(flex.skinopt && used > 0) && radius > 0) {
    Part round = part;
    round.texture = nullptr;
    const auto vertex = [&](int k) { return Vec::load(&flex.vert[3 * index(flex.vertadr[i] + k)]); };
    if (flex.vertopt)
      for (int k = 0; k < flex.vertnum[i]; ++k) {
        round.type = static_cast<int>(GeomType::Sphere);
        round.pos = vertex(k);
        round.size = {radius, radius, radius};
        finish_part(round);
      }
    if (flex.edgeopt)
      for (int k = 0; k < flex.edgenum[i]; ++k) {
        const int* edge = &flex.edge[2 * index(flex.edgeadr[i] + k)];
        const Vec a = vertex(edge[0]), b = vertex(edge[1]);
        const double from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
        SceneGeom tube;
        if (!connect_geom(tube, static_cast<int>(GeomType::Cylinder), radius, from, to)) continue;
        round.type = tube.type;
        round.pos = vec(tube.pos);
        round.size = vec(tube.size);
        round.mat = Mat::load(tube.mat.data());
        if (round.size.z > 0) finish_part(round);
      }
  }
  if (used == 0 || !(flex.faceopt || flex.skinopt)) return;
  Mesh& mesh = moving_mesh();
  const auto first = static_cast<std::ptrdiff_t>(flex.faceadr[i]), n = static_cast<std::ptrdiff_t>(used);
  mesh.vert.assign(flex.face.begin() + 9 * first, flex.face.begin() + 9 * (first + n));
  mesh.normal.assign(flex.normal.begin() + 9 * first, flex.normal.begin() + 9 * (first + n));
  mesh.texcoord.clear();
  if (g.texcoord) mesh.texcoord.assign(flex.texcoord.begin() + 6 * first, flex.texcoord.begin() + 6 * (first + n));
  mesh.face.resize(3 * used);
  for (std::size_t k = 0; k < mesh.face.size(); ++k) mesh.face[k] = static_cast<std::uint32_t>(k);
  mesh.commit(assets_->device.get(), true);
  part.mesh = &mesh;
  part.pos = {};
  part.convex = false;
  finish_part(part);
}

void Frame::finish_part(Part part) {
  const SceneGeom& g = *part.geom;
  part.opaque = !(part.alpha < kOpaque);
  has_transparent_ |= !part.opaque;
  float width = 0;
  if (part.line > 0) {
    // as wide as its farther end is, seen from the head
    const float reach = norm(part.pos - head_) + 2 * norm(part.size);
    width = 0.5f * part.line * (orthographic_ ? 1 : reach) * views_[0].height / static_cast<float>(height_);
  }
  set_bounds(part, width);
  if (!(norm(part.low) + norm(part.high) < 1e17f)) return;  // too far away to be seen
  const bool flat = part.type == static_cast<int>(GeomType::Plane) || part.type == static_cast<int>(GeomType::Box);
  if (mirror_ < 0 && flat && part.opaque && g.reflectance > 0 && flags_[kRenderReflection] && !flags_[kRenderDepth] &&
      !wireframe_) {
    mirror_ = static_cast<int>(parts_.size());
    part.reflectance = std::min(1.f, g.reflectance);
  }
  parts_.push_back(part);
}

void Frame::set_lights(const Scene& scene) {
  lights_.clear();
  const float clip = assets_->vis.map.shadowclip * assets_->extent;
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::clamp(scene.nlight, 0, kMaxSceneLight)); ++i) {
    const SceneLight& l = scene.lights[i];
    const bool directional = l.type == static_cast<int>(LightType::Directional);
    // MuJoCo's renderer does not draw the others
    if (!directional && l.type != static_cast<int>(LightType::Spot)) continue;
    Light light;
    light.directional = directional;
    light.pos = vec(l.pos);
    light.dir = vec(l.dir);
    normalize(light.dir);
    light.ambient = vec(l.ambient);
    light.diffuse = vec(l.diffuse);
    light.specular = vec(l.specular);
    light.attenuation = vec(l.attenuation);
    light.cos_cutoff = std::cos(std::clamp(l.cutoff, 0.f, 180.f) * kRadians);
    light.exponent = l.exponent;
    light.shadow = l.castshadow && flags_[kRenderShadow];
    // shadows fall in a square about the light's axis, at depth 1 for spots; its half side is 1 in these units
    const float cone = std::min(2 * l.cutoff * assets_->vis.map.shadowscale, 160.f);
    const float half = directional ? clip : std::tan(cone / 2 * kRadians);
    Vec side = std::fabs(light.dir.z) < 0.9f ? cross(light.dir, {0, 0, 1}) : cross(light.dir, {0, 1, 0});
    normalize(side);
    light.side = side * (1 / std::max(half, 1e-20f));
    light.over = cross(light.dir, light.side);
    lights_.push_back(light);
  }
  glow_ = lights_.empty() ? 0.3f : 0;

  // where the haze is densest, between the ground and the horizon
  const float r = assets_->vis.map.haze;
  const float a = std::atan2(1.f, r);
  haze_at_ = std::sqrt(0.5f) * r * std::sin(a) / std::sin(0.75f * std::numbers::pi_v<float> - a);
}

}  // namespace sinew::render
