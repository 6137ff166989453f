#include "scene/emitter.h"

#include <algorithm>
#include <cmath>

#include "collision/halton.h"
#include "math/elementary.h"

namespace sinew::scene {
namespace {

/// MuJoCo's words for the kinds of objects that are labelled.
std::string_view word_of(ObjType type) {
  switch (type) {
    case ObjType::Body: return "body";
    case ObjType::Joint: return "joint";
    case ObjType::Geom: return "geom";
    case ObjType::Site: return "site";
    case ObjType::Camera: return "camera";
    case ObjType::Light: return "light";
    case ObjType::Flex: return "flex";
    case ObjType::Skin: return "skin";
    case ObjType::Equality: return "equality";
    case ObjType::Tendon: return "tendon";
    case ObjType::Actuator: return "actuator";
    default: return "";
  }
}

/// Hue, saturation and value from 0 to 1.
Float4 rgb_of(double hue, double saturation, double value) {
  const double sector = hue * 6;
  const int i = static_cast<int>(sector);
  const double f = sector - i;
  const auto v = static_cast<float>(value), p = static_cast<float>(value * (1 - saturation)),
             q = static_cast<float>(value * (1 - f * saturation)),
             t = static_cast<float>(value * (1 - (1 - f) * saturation));
  switch (i) {
    case 0: return {v, t, p, 1};
    case 1: return {q, v, p, 1};
    case 2: return {p, v, t, 1};
    case 3: return {p, q, v, 1};
    case 4: return {t, p, v, 1};
    default: return {v, p, q, 1};
  }
}

}  // namespace

Matrix rotation_from_z(const Vec& v) {
  Vec way = v;
  if (!(normalize(way) >= kMinVal)) return Matrix::identity();
  Vec axis = {-way.y, way.x, 0};  // z x way
  const double s = normalize(axis);
  if (s < kMinVal) return way.z < 0 ? diagonal(Vec(1, -1, -1)) : Matrix::identity();
  return to_matrix(axis_angle(axis, elementary::atan2(s, way.z)));
}

Float4 mix(const Float4& a, const Float4& b, double p, int channels) {
  Float4 out = a;
  for (std::size_t k = 0; k < static_cast<std::size_t>(channels); ++k)
    out[k] = static_cast<float>((1 - p) * a[k] + p * b[k]);
  return out;
}

Emitter::Emitter(const Model& model, const Data& data, const SceneOption& options, const Perturb* perturbation,
                 int categories, Scene& list)
    : m(model),
      d(data),
      option(options),
      perturb(perturbation),
      catmask(options.flags[kVisStatic] ? categories : categories & ~kSceneStatic),
      scene(list),
      scl(static_cast<float>(model.stat.meansize)) {}

bool Emitter::group_on(const Groups& groups, int group) {
  return groups[static_cast<std::size_t>(std::clamp(group, 0, kNumGroup - 1))] != 0;
}

Vec Emitter::selected_point() const {
  const int body = selected();
  return vec_at(d.xpos.data(), body) + mat_at(d.xmat.data(), body) * Vec::load(perturb->localpos.data());
}

SceneGeom& Emitter::begin(ObjType objtype, int objid, int category) {
  current_ = scene.append();
  full_ = current_ == nullptr;
  if (full_) {
    spare_ = SceneGeom();
    current_ = &spare_;
  } else {
    --scene.ngeom;  // until finish()
  }
  current_->objtype = static_cast<int>(objtype);
  current_->objid = objid;
  current_->category = category;
  return *current_;
}

void Emitter::finish() {
  if (!full_) ++scene.ngeom;
}

void Emitter::shape(int type, const Vec& size, const Vec& pos, const Matrix& mat, const Float4& rgba) {
  const double sizes[3] = {size.x, size.y, size.z}, place[3] = {pos.x, pos.y, pos.z};
  init_geom(geom(), type, sizes, place, mat.m, rgba.data());
}

void Emitter::material(int matid, const float* rgba) {
  SceneGeom& g = geom();
  if (matid >= 0) {
    std::copy_n(&m.mat_rgba[4 * matid], 4, g.rgba.begin());
    g.emission = m.mat_emission[matid];
    g.specular = m.mat_specular[matid];
    g.shininess = m.mat_shininess[matid];
    g.reflectance = m.mat_reflectance[matid];
  }
  constexpr Float4 kUnset = {0.5f, 0.5f, 0.5f, 1};
  if (matid < 0 || !std::equal(kUnset.begin(), kUnset.end(), rgba)) std::copy_n(rgba, 4, g.rgba.begin());
  if (matid >= 0 && on(kVisTexture)) {
    g.matid = matid;
    g.texid = m.mat_texid[kNumTexRole * matid + static_cast<int>(TextureRole::Rgb)];
    g.texuniform = m.mat_texuniform[matid];
    g.texrepeat = {m.mat_texrepeat[2 * matid], m.mat_texrepeat[2 * matid + 1]};
  }
  if (on(kVisTransparent) && g.category == kSceneDynamic) g.rgba[3] *= m.vis.map.alpha;
}

void Emitter::connector(int type, double width, const Vec& from, const Vec& to) {
  const double start[3] = {from.x, from.y, from.z}, end[3] = {to.x, to.y, to.z};
  connect_geom(geom(), type, width, start, end);
}

void Emitter::label(std::string_view text) {
  SceneLabel& label = geom().label;
  label.fill(0);
  std::copy_n(text.begin(), std::min(text.size(), label.size() - 1), label.begin());
}

void Emitter::label(LabelKind kind, ObjType type, int id) {
  if (option.label != kind) return;
  const std::string_view name = m.name(type, id);
  if (name.empty())
    label(std::string(word_of(type)) + ' ' + std::to_string(id));
  else
    label(name);
}

void Emitter::frame(int objid, const Vec& pos, const Matrix& mat, double length, double width) {
  for (int k = 0; k < 3; ++k) {
    begin_decor(objid);
    connector(static_cast<int>(GeomType::Cylinder), width, pos, pos + mat.column(k) * length);
    Float4 rgba = {0, 0, 0, 1};
    rgba[static_cast<std::size_t>(k)] = 0.9f;
    color(rgba);
    finish();
  }
}

void Emitter::triangle(ObjType objtype, int objid, const std::array<Vec, 3>& corner, const Float4& rgba) {
  Vec e1 = corner[1] - corner[0], e2 = corner[2] - corner[0], normal = cross(e1, e2);
  begin(objtype, objid, kSceneDecor);
  const double area2 = normalize(normal), length1 = normalize(e1), length2 = normalize(e2);
  shape(kSceneTriangle, {length1, length2, area2}, corner[0], Matrix::from_columns(e1, e2, normal), rgba);
  finish();
}

void Emitter::line(ObjType objtype, int objid, const Vec& from, const Vec& to, const Float4& rgba) {
  constexpr double kPixels = 3;
  begin(objtype, objid, kSceneDecor);
  connector(kSceneLine, kPixels, from, to);
  color(rgba);
  finish();
}

void Emitter::line_box(int objid, const double aabb[6], const Vec& pos, const Matrix& mat, const Float4& rgba) {
  begin_decor(objid);
  shape(kSceneLineBox, Vec::load(aabb + 3), pos + mat * Vec::load(aabb), mat, rgba);
  finish();
}

Float4 Emitter::island_color(int dof, bool awake) const {
  if (dof < 0) return {0.7f, 0.7f, 0.7f, 1};
  const double hue = radical_inverse(dof + 1, 7);
  double saturation = 0.5 + 0.5 * radical_inverse(dof + 1, 3), value = 0.6 + 0.4 * radical_inverse(dof + 1, 5);
  if (!awake) {
    value *= 0.6;
    saturation *= 0.7;
  }
  return rgb_of(hue, saturation, value);
}

int Emitter::body_island(int body) const {
  const int dof = m.body_dofadr[m.body_weldid[body]];
  if (dof < 0 || d.nisland <= 0) return -1;
  const int island = d.dof_island[static_cast<std::size_t>(dof)];
  return island < d.nisland ? island : -1;
}

/// The key of the color is the first dof of the body's island or, if it has none and the model sleeps, of its tree;
/// trees that sleep together share that of their smallest one.
Float4 Emitter::body_island_color(int body) const {
  const int dof = m.body_dofadr[m.body_weldid[body]], island = body_island(body);
  int key = island >= 0 ? d.island_dofadr[static_cast<std::size_t>(island)] : -1;
  if (key < 0 && dof >= 0 && m.opt.enabled(kEnableSleep)) {
    const int first = m.dof_treeid[dof];
    int tree = first;
    std::int64_t steps = 0;
    for (int next = d.tree_asleep[first]; next >= 0 && next < m.ntree && next != first && steps < m.ntree; ++steps) {
      tree = std::min(tree, next);
      next = d.tree_asleep[next];
    }
    key = m.tree_dofadr[tree];
  }
  return island_color(key, d.body_awake[static_cast<std::size_t>(body)] != 0);
}

Float4 Emitter::row_island_color(int row) const {
  const int island = d.nisland > 0 && row >= 0 && row < d.nefc ? d.efc_island[static_cast<std::size_t>(row)] : -1;
  const bool known = island >= 0 && island < d.nisland;
  return island_color(known ? d.island_dofadr[static_cast<std::size_t>(island)] : -1, true);
}

double Emitter::limit_impedance(ConstraintKind kind, int id) const {
  for (int row = std::min(d.ne + d.nf + d.nl, d.nefc) - 1; row >= d.ne + d.nf; --row) {
    const auto r = static_cast<std::size_t>(row);
    if (d.efc_type[r] == static_cast<int>(kind) && d.efc_id[r] == id) return d.efc_KBIP[4 * r + 2];
  }
  return 0;
}

}  // namespace sinew::scene
