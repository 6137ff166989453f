#include "scene/emitter.h"
#include "sim/ready.h"

namespace sinew {
namespace {

using namespace scene;

/// One kind of geoms in the list: when it is there, and what adds it. Decoration is left out as a whole if the mask has
/// no such bit.
struct Kind {
  void (*emit)(Emitter& e);
  bool decor;
  bool (*wanted)(const Emitter& e);
};

template <VisFlag... flag>
bool any(const Emitter& e) {
  return (e.on(flag) || ...);
}
template <VisFlag... flag>
bool moving(const Emitter& e) {
  return e.shows(kSceneDynamic) && any<flag...>(e);
}
template <FrameKind... kind>
bool framed(const Emitter& e) {
  return ((e.option.frame == kind) || ...);
}
bool always(const Emitter&) { return true; }

constexpr Kind kKinds[] = {
    {emit_flexes, false, moving<kVisFlexVert, kVisFlexEdge, kVisFlexFace, kVisFlexSkin>},
    {emit_skins, false, moving<kVisSkin>},
    {emit_geoms, false, always},
    {emit_sites, false, always},
    {emit_tendons, false, moving<kVisTendon>},
    {emit_slider_cranks, false, [](const Emitter& e) { return e.shows(kSceneDynamic); }},
    {emit_geom_frames, true, framed<kFrameGeom>},
    {emit_site_frames, true, framed<kFrameSite>},
    {emit_body_volumes, true, any<kVisBodyBvh>},
    {emit_flex_volumes, true, any<kVisMeshBvh>},
    {emit_mesh_volumes, true, any<kVisMeshBvh>},
    {emit_octrees, true, any<kVisMeshBvh>},
    {emit_tactile_sensors, true, any<kVisContactPoint>},
    {emit_inertias, true, any<kVisInertia>},
    {emit_perturbation, true, any<kVisPertObj>},
    {emit_body_frames, true, framed<kFrameBody, kFrameWorld>},
    {emit_selected_point, true, any<kVisSelect>},
    {emit_body_labels, true,
     [](const Emitter& e) {
       return (e.option.label == kLabelBody || e.option.label == kLabelSelection) && !e.on(kVisInertia);
     }},
    {emit_joints, true, any<kVisJoint>},
    {emit_actuators, true, any<kVisActuator>},
    {emit_island_labels, true, [](const Emitter& e) { return e.option.label == kLabelIsland && e.d.nisland > 0; }},
    {emit_cameras, true, any<kVisCamera>},
    {emit_lights, true, any<kVisLight>},
    {emit_centers_of_mass, true, any<kVisCom>},
    {emit_connections, true, any<kVisAutoConnect>},
    {emit_rangefinders, true, any<kVisRangefinder>},
    {emit_external_forces, true, any<kVisPertForce>},
    {emit_constraints, true, any<kVisConstraint>},
    {emit_contacts, true,
     [](const Emitter& e) { return any<kVisContactPoint, kVisContactForce>(e) || framed<kFrameContact>(e); }},
};

}  // namespace

Status add_geoms(const Model& m, const Data& d, const SceneOption& option, const Perturb* perturb, int catmask,
                 Scene& list) {
  if (const Status status = ready(m, d); !status) return status;
  Emitter e(m, d, option, perturb, catmask, list);
  for (const Kind& kind : kKinds)
    if ((!kind.decor || e.shows(kSceneDecor)) && kind.wanted(e)) kind.emit(e);
  return {};
}

Status update_scene(const Model& m, const Data& d, const SceneOption& option, const Perturb* perturb,
                    SceneCamera& camera, int catmask, Scene& list) {
  if (const Status status = ready(m, d); !status) return status;
  if (const Status status = update_camera(m, d, camera, list); !status) return status;
  list.ngeom = 0;
  add_geoms(m, d, option, perturb, catmask, list);
  make_lights(m, d, list);
  const auto on = [&](VisFlag flag) { return option.flags[flag] != 0; };
  if (m.nflex > 0 && (on(kVisFlexVert) || on(kVisFlexEdge) || on(kVisFlexFace) || on(kVisFlexSkin)))
    update_flexes(m, d, option, list);
  if (m.nskin > 0 && on(kVisSkin)) update_skins(m, d, &option.skingroup, list);
  return {};
}

}  // namespace sinew
