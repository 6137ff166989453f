#pragma once

#include <array>
#include <string>
#include <string_view>

#include "math/quat.h"
#include "sinew/scene.h"

// Building blocks of the scene's geoms, and the emitters that use them.

namespace sinew::scene {

using Vec = Vec3<double>;
using Matrix = Mat3<double>;
using Quaternion = Quat<double>;

inline Vec vec_at(const double* values, std::int64_t i) { return Vec::load(values + 3 * i); }
inline Matrix mat_at(const double* values, std::int64_t i) { return Matrix::load(values + 9 * i); }

/// The smallest rotation that takes z to the direction of v: no direction (shorter than kMinVal) gives the identity,
/// -z half a turn about x.
Matrix rotation_from_z(const Vec& v);

/// (1 - p) a + p b, for the first `channels` numbers.
Float4 mix(const Float4& a, const Float4& b, double p, int channels);

/// Appends geoms to a scene. One emitter is a function that takes this and adds the geoms of one kind.
class Emitter {
 public:
  Emitter(const Model& model, const Data& data, const SceneOption& options, const Perturb* perturbation, int categories,
          Scene& list);

  const Model& m;
  const Data& d;
  const SceneOption& option;
  const Perturb* perturb;  // may be null
  const int catmask;
  Scene& scene;
  const double scl;  // m, mean size of a body: decoration is drawn in this unit

  bool on(VisFlag flag) const { return option.flags[flag] != 0; }
  /// Numbers outside the range count as the nearest group.
  static bool group_on(const Groups& groups, int group);
  bool shows(int category) const { return (catmask & category) != 0; }
  /// Static if the body is welded to the world.
  int category_of(int body) const { return m.body_weldid[body] == 0 ? kSceneStatic : kSceneDynamic; }
  bool shows_body(int body) const { return shows(category_of(body)); }
  bool is_selected(int body) const { return perturb && perturb->select > 0 && perturb->select == body; }
  /// The selected body, 0: none.
  int selected() const { return perturb && perturb->select > 0 && perturb->select < m.nbody ? perturb->select : 0; }
  /// The selected point in the world.
  Vec selected_point() const;

  /// Starts a geom with default values. It is part of the list after finish(); if the list is full it never is.
  SceneGeom& begin(ObjType objtype, int objid, int category);
  SceneGeom& begin_decor(int objid) { return begin(ObjType::Unknown, objid, kSceneDecor); }
  void finish();

  // Parts of the geom that was begun.
  void shape(int type, const Vec& size, const Vec& pos, const Matrix& mat, const Float4& rgba);
  void material(int matid, const float* rgba);
  void connector(int type, double width, const Vec& from, const Vec& to);
  void color(const Float4& rgba) { geom().rgba = rgba; }
  void glow() { geom().emission += m.vis.global_.glow; }
  void label(std::string_view text);
  /// "name", or "kind 3" if it has none, if objects of this kind are labelled.
  void label(LabelKind kind, ObjType type, int id);

  // Whole geoms.
  void frame(int objid, const Vec& pos, const Matrix& mat, double length, double width);
  void triangle(ObjType objtype, int objid, const std::array<Vec, 3>& corner, const Float4& rgba);
  void line(ObjType objtype, int objid, const Vec& from, const Vec& to, const Float4& rgba);
  void line_box(int objid, const double aabb[6], const Vec& pos, const Matrix& mat, const Float4& rgba);

  // Islands: each has its own color, asleep a duller one.
  Float4 island_color(int dof, bool awake) const;
  Float4 body_island_color(int body) const;
  /// Color of the island of a constraint row.
  Float4 row_island_color(int row) const;
  /// Island of a body, -1: none.
  int body_island(int body) const;

  /// Impedance of the limit row of a joint or tendon, 0: not at its limit.
  double limit_impedance(ConstraintKind kind, int id) const;

 private:
  SceneGeom& geom() { return *current_; }

  SceneGeom* current_ = nullptr;
  SceneGeom spare_;  // stands in when the list is full
  bool full_ = false;
};

// In the order of the list.
void emit_flexes(Emitter& e);
void emit_skins(Emitter& e);
void emit_geoms(Emitter& e);
void emit_sites(Emitter& e);
void emit_tendons(Emitter& e);
void emit_slider_cranks(Emitter& e);
void emit_geom_frames(Emitter& e);
void emit_site_frames(Emitter& e);
void emit_body_volumes(Emitter& e);
void emit_flex_volumes(Emitter& e);
void emit_mesh_volumes(Emitter& e);
void emit_octrees(Emitter& e);
void emit_tactile_sensors(Emitter& e);
void emit_inertias(Emitter& e);
void emit_perturbation(Emitter& e);
void emit_body_frames(Emitter& e);
void emit_selected_point(Emitter& e);
void emit_body_labels(Emitter& e);
void emit_joints(Emitter& e);
void emit_actuators(Emitter& e);
void emit_island_labels(Emitter& e);
void emit_cameras(Emitter& e);
void emit_lights(Emitter& e);
void emit_centers_of_mass(Emitter& e);
void emit_connections(Emitter& e);
void emit_rangefinders(Emitter& e);
void emit_external_forces(Emitter& e);
void emit_constraints(Emitter& e);
void emit_contacts(Emitter& e);

/// Path of a tendon as capsules, in the colors of the tendon; `paint`, if given, replaces them and the width grows.
void emit_tendon_path(Emitter& e, int tendon, ObjType objtype, int objid, int category, double width,
                      const Float4* paint);

}  // namespace sinew::scene
