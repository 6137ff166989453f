#include "compile/simplify.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "compile/mass.h"
#include "geometry/shape_table.h"
#include "model/transmission_kinds.h"

namespace sinew::compiling {
namespace {

using NameSet = std::unordered_set<std::string_view>;

bool is_body(ObjType type) { return type == ObjType::Body || type == ObjType::XBody; }

/// Names of bodies referenced from outside the tree or by a camera or light.
NameSet referenced_bodies(const Context& context) {
  NameSet out;
  for (const CameraNode* camera : context.cameras) out.insert(camera->in->target);
  for (const LightNode* light : context.lights) out.insert(light->in->target);
  for (const spec::Exclude& exclude : context.spec.excludes) out.insert({exclude.body1, exclude.body2});
  for (const spec::Equality& equality : context.spec.equalities)
    if (equality.objtype == ObjType::Body) out.insert({equality.name1, equality.name2});
  for (const spec::Flex& flex : context.spec.flexes) {
    out.insert(flex.body.begin(), flex.body.end());
    out.insert(flex.node.begin(), flex.node.end());
  }
  for (const spec::Actuator& actuator : context.spec.actuators)
    if (transmission_kind(actuator.trntype).target == ObjType::Body) out.insert(actuator.target);
  for (const spec::Sensor& sensor : context.spec.sensors) {
    if (is_body(sensor.objtype)) out.insert(sensor.objname);
    if (is_body(sensor.reftype)) out.insert(sensor.refname);
  }
  for (const spec::Tuple& tuple : context.spec.tuples)
    for (const auto& item : tuple.items)
      if (is_body(item.objtype)) out.insert(item.objname);
  return out;
}

/// Sites that measure the force between their body and its parent.
NameSet force_sites(const Context& context) {
  NameSet out;
  for (const spec::Sensor& sensor : context.spec.sensors)
    if (sensor.type == SensorType::Force || sensor.type == SensorType::Torque) out.insert(sensor.objname);
  return out;
}

void fuse_into_parent(BodyNode& body) {
  BodyNode& parent = *body.parent;
  const Pose& pose = body.pose;
  if (!parent.is_world() && body.mass >= kMinVal) absorb_mass(parent, body, pose);
  for (BodyNode* child : body.children) {
    child->parent = &parent;
    child->pose = compose(pose, child->pose);
  }
  const auto at = std::find(parent.children.begin(), parent.children.end(), &body);
  parent.children.insert(parent.children.erase(at), body.children.begin(), body.children.end());
  for (GeomNode& geom : body.geoms) {
    geom.pose = compose(pose, geom.pose);
    parent.geoms.push_back(geom);
  }
  for (SiteNode& site : body.sites) {
    site.pose = compose(pose, site.pose);
    parent.sites.push_back(site);
  }
  // MuJoCo 3.12.0 leaves cameras and lights at their pose in the removed body; sensors see it, so we do the same
  parent.cameras.insert(parent.cameras.end(), body.cameras.begin(), body.cameras.end());
  parent.lights.insert(parent.lights.end(), body.lights.begin(), body.lights.end());
}

/// Removes meshes that are no longer used by a geom or sensor.
void discard_unused_meshes(Context& context) {
  std::vector<bool> used(context.meshes.size());
  for (const BodyNode* body : context.tree.bodies)
    for (const GeomNode& geom : body->geoms)
      if (geom.dataid >= 0 && shape_kind(geom.in->type).asset != GeomAsset::Hfield) used[geom.dataid] = true;
  for (const spec::Sensor& sensor : context.spec.sensors)
    if (const auto found = context.mesh_ids.find(sensor.objname);
        sensor.objtype == ObjType::Mesh && found != context.mesh_ids.end())
      used[found->second] = true;
  std::vector<int> new_id(used.size(), -1);
  std::vector<MeshNode> kept;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    new_id[i] = static_cast<int>(kept.size());
    kept.push_back(std::move(context.meshes[i]));
  }
  context.meshes = std::move(kept);
  for (BodyNode* body : context.tree.bodies)
    for (GeomNode& geom : body->geoms)
      if (geom.dataid >= 0 && shape_kind(geom.in->type).asset != GeomAsset::Hfield) geom.dataid = new_id[geom.dataid];
}

}  // namespace

void fuse_static_bodies(Context& context) {
  context.list_nodes();
  const NameSet named = referenced_bodies(context), measured = force_sites(context);
  const auto is_measured = [&](const SiteNode& site) {
    return !site.in->name.empty() && measured.contains(site.in->name);
  };
  std::vector<BodyNode*> kept;
  for (BodyNode* body : context.tree.bodies) {
    const bool stays = body->is_world() || body->movable() ||
                       (!body->in->name.empty() && named.contains(body->in->name)) ||
                       std::any_of(body->sites.begin(), body->sites.end(), is_measured);
    if (stays) {
      kept.push_back(body);
    } else {
      fuse_into_parent(*body);
    }
  }
  context.tree.bodies = std::move(kept);
  context.tree.number();
}

void discard_visual_geoms(Context& context) {
  NameSet named;
  for (const spec::Pair& pair : context.spec.pairs) named.insert({pair.geom1, pair.geom2});
  for (const spec::Tendon& tendon : context.spec.tendons)
    for (const spec::Wrap& wrap : tendon.path) named.insert(wrap.target);
  for (const spec::Sensor& sensor : context.spec.sensors) {
    if (sensor.objtype == ObjType::Geom) named.insert(sensor.objname);
    if (sensor.reftype == ObjType::Geom) named.insert(sensor.refname);
  }
  for (const spec::Tuple& tuple : context.spec.tuples)
    for (const auto& item : tuple.items)
      if (item.objtype == ObjType::Geom) named.insert(item.objname);
  for (BodyNode* body : context.tree.bodies) {
    std::erase_if(body->geoms, [&](const GeomNode& geom) {
      const bool visual = geom.in->contype == 0 && geom.in->conaffinity == 0 &&
                          (geom.in->name.empty() || !named.contains(geom.in->name));
      if (visual) body->visual_margin = std::max(body->visual_margin, geom.in->margin + geom.in->gap);
      return visual;
    });
  }
  discard_unused_meshes(context);
}

}  // namespace sinew::compiling
