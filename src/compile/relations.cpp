#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/limits.h"
#include "compile/objects.h"
#include "geometry/shape_table.h"
#include "model/equality_kinds.h"
#include "model/joint_kinds.h"

// Contact pairs, excluded body pairs, equality constraints and custom data: elements that name others.

namespace sinew::compiling {
namespace {

int signature(int body1, int body2) { return (body1 << 16) + body2; }

/// Sorts by signature, keeping document order among equals, and updates the name table.
template <class Node>
void sort_by_signature(Context& context, ObjType type, std::vector<Node>& nodes) {
  std::vector<int> order(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](int i) -> Node& { return nodes[i]; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return at(a).signature < at(b).signature; });
  std::vector<Node> sorted;
  sorted.reserve(nodes.size());
  for (const int i : order) sorted.push_back(at(i));
  nodes = std::move(sorted);
  context.names.reorder(type, order);
}

}  // namespace

const std::string& material_of(const Context& context, const GeomNode& geom) {
  const bool from_mesh =
      geom.in->material.empty() && geom.dataid >= 0 && shape_kind(geom.in->type).asset != GeomAsset::Hfield;
  return from_mesh ? context.meshes[geom.dataid].in->material : geom.in->material;
}

void check_tree_references(Context& context) {
  const bool materials = !context.spec.compiler.discardvisual;
  const auto check = [&](std::string_view element, const spec::Element& in, std::string_view attribute,
                         auto reference) {
    if (!reference.second.empty()) context.resolve(place(element, in), attribute, reference.first, reference.second);
  };
  for (const GeomNode* node : context.geoms) {
    if (materials) check("geom", *node->in, "material", std::pair(ObjType::Material, material_of(context, *node)));
  }
  for (const SiteNode* node : context.sites)
    if (materials) check("site", *node->in, "material", std::pair(ObjType::Material, node->in->material));
  const auto check_target = [&](std::string_view element, const auto& in) {
    const bool needed = in.mode == CamLightMode::TargetBody || in.mode == CamLightMode::TargetBodyCom;
    if (needed && in.target.empty())
      context.report.warning(place(element, in), "target", "is missing, so it stays fixed despite its mode");
    check(element, in, "target", std::pair(ObjType::Body, in.target));
  };
  for (const CameraNode* node : context.cameras) check_target("camera", *node->in);
  for (const LightNode* node : context.lights) {
    check_target("light", *node->in);
    if (materials) check("light", *node->in, "texture", std::pair(ObjType::Texture, node->in->texture));
  }
}

void compile_pairs(Context& context) {
  for (const spec::Pair& in : context.spec.pairs) {
    const Place where = place("pair", in);
    PairNode node;
    node.in = &in;
    node.geom = {context.resolve(where, "geom1", ObjType::Geom, in.geom1),
                 context.resolve(where, "geom2", ObjType::Geom, in.geom2)};
    if (in.condim != 1 && in.condim != 3 && in.condim != 4 && in.condim != 6)
      context.report.error(where, "condim", "is " + std::to_string(in.condim) + ", must be 1, 3, 4 or 6");
    if (node.geom[0] >= 0 && node.geom[1] >= 0) {
      const auto body = [&](int i) { return context.geom_body[node.geom[static_cast<std::size_t>(i)]]->id; };
      if (body(0) > body(1)) std::swap(node.geom[0], node.geom[1]);
      node.signature = signature(body(0), body(1));
    }
    context.pairs.push_back(node);
  }
  sort_by_signature(context, ObjType::Pair, context.pairs);
}

void compile_excludes(Context& context) {
  for (const spec::Exclude& in : context.spec.excludes) {
    const Place where = place("exclude", in);
    int body1 = context.resolve(where, "body1", ObjType::Body, in.body1);
    int body2 = context.resolve(where, "body2", ObjType::Body, in.body2);
    if (body1 > body2) std::swap(body1, body2);
    context.excludes.push_back({&in, body1 < 0 ? 0 : signature(body1, body2)});
  }
  sort_by_signature(context, ObjType::Exclude, context.excludes);
}

namespace {

/// How the names of an equality are resolved, and the default for a missing second name.
struct EqualityNames {
  ObjType type;
  const char* attribute1;
  const char* attribute2;
  int absent;
};

EqualityNames equality_names(const spec::Equality& in) {
  if (in.objtype == ObjType::Site) return {ObjType::Site, "site1", "site2", -1};
  switch (equality_kind(in.type).objects) {
    case EqualityObjects::Joints: return {ObjType::Joint, "joint1", "joint2", -1};
    case EqualityObjects::Tendons: return {ObjType::Tendon, "tendon1", "tendon2", -1};
    case EqualityObjects::Flexes: return {ObjType::Flex, "flex", "", -1};
    case EqualityObjects::Frames: break;
  }
  return {ObjType::Body, "body1", "body2", 0};
}

void check_flex_equality(Context& context, const spec::Equality& in, int flex) {
  const Place where = place(equality_kind(in.type).element, in);
  if (context.flexes[flex].rigid) context.report.error(where, "flex", "the flex '" + in.name1 + "' is rigid");
  if (in.type != EqualityType::FlexStrain) return;
  const spec::Flex& of = context.spec.flexes[flex];
  if (of.order() == 0) return;
  const auto& n = of.cellcount;
  const bool shell = of.elasticity.elastic2d != spec::FlexElastic2d::None;
  const double faces = 2.0 * (1.0 * n[1] * n[2] + 1.0 * n[0] * n[2] + 1.0 * n[0] * n[1]);
  for (std::size_t k = 0; k < (shell ? 1 : 3); ++k) {  // of a shell only the first number counts
    const double most = shell ? faces : n[k];
    if (in.data[k] == std::floor(in.data[k]) && in.data[k] >= 0 && in.data[k] < most) continue;
    context.report.error(where, "cell", shell ? "is not a face element of the shell" : "is not a cell of the grid");
    return;
  }
}

}  // namespace

void compile_equalities(Context& context) {
  for (const spec::Equality& in : context.spec.equalities) {
    const EqualityKind& kind = equality_kind(in.type);
    const Place where = place(kind.element, in);
    EqualityNode node;
    const EqualityNames names = equality_names(in);
    node.obj[0] = context.resolve(where, names.attribute1, names.type, in.name1);
    node.obj[1] = names.absent;
    if (!in.name2.empty()) {
      node.obj[1] = context.resolve(where, names.attribute2, names.type, in.name2);
    } else if (names.type == ObjType::Site) {
      context.report.error(where, "site2", "is missing");
    }
    if (kind.objects == EqualityObjects::Flexes && node.obj[0] >= 0) check_flex_equality(context, in, node.obj[0]);
    if (node.obj[0] >= 0 && node.obj[0] == node.obj[1])
      context.report.error(where, names.attribute2, "names the same object as " + std::string(names.attribute1));
    if (kind.objects == EqualityObjects::Joints) {
      for (const int joint : node.obj) {
        if (joint < 0) continue;
        if (!joint_kind(context.joints[joint]->in->type).is_scalar())
          context.report.error(where, joint == node.obj[0] ? "joint1" : "joint2", "must be a hinge or a slide");
      }
    }
    context.equalities.push_back(node);
  }
}

void compile_custom(Context& context) {
  for (const spec::Numeric& in : context.spec.numerics) {
    const Place where = place("numeric", in);
    const bool given = in.size.has_value();
    if (given && (*in.size < 1 || *in.size > static_cast<int>(limits::kNumericNumbers)))
      context.report.error(where, "size", "is " + std::to_string(*in.size) + ", must be from 1 to 500");
    else if (given && in.data.size() > static_cast<std::size_t>(*in.size))
      context.report.error(where, "data", "has more numbers than size");
    else if (!given && (in.data.empty() || in.data.size() > limits::kNumericNumbers))
      context.report.error(where, "data", "must have from 1 to 500 numbers, or size must be given");
  }
  for (const spec::Text& in : context.spec.texts)
    if (in.data.empty()) context.report.error(place("text", in), "data", "is empty");
  for (const spec::Tuple& in : context.spec.tuples) {
    if (in.items.empty()) context.report.error(place("tuple", in), "", "has no elements");
    for (const spec::Tuple::Item& item : in.items) {
      const Place where = {"element", in.name, item.origin};
      context.tuple_items.push_back({context.resolve(where, "objname", item.objtype, item.objname)});
    }
  }
}

void check_materials(Context& context) {
  for (const spec::Material& in : context.spec.materials) {
    const Place where = place("material", in);
    if (in.name.empty()) context.report.error(where, "name", "a material needs a name");
    for (const std::string& texture : in.textures)
      if (!texture.empty()) context.resolve(where, "texture", ObjType::Texture, texture);
  }
}

}  // namespace sinew::compiling
