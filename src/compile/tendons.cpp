#include "compile/objects.h"

namespace sinew::compiling {
namespace {

Place wrap_place(const spec::Tendon& tendon, const spec::Wrap& in) {
  static constexpr std::string_view kElements[] = {"", "joint", "pulley", "site", "geom", "geom"};
  return {kElements[static_cast<std::size_t>(in.type)], tendon.name, in.origin};
}

WrapNode compile_geom_wrap(Context& context, const Place& where, const spec::Wrap& in) {
  WrapNode out;
  out.type = WrapType::Sphere;
  out.prm = -1;
  out.objid = context.resolve(where, "geom", ObjType::Geom, in.target);
  if (!in.sidesite.empty()) out.prm = context.resolve(where, "sidesite", ObjType::Site, in.sidesite);
  if (out.objid < 0) return out;
  const GeomType type = context.geoms[out.objid]->in->type;
  if (type == GeomType::Cylinder) out.type = WrapType::Cylinder;
  if (type != GeomType::Sphere && type != GeomType::Cylinder)
    context.report.error(
        where, "geom", "a tendon can wrap around a sphere or a cylinder, not a " + std::string(shape_kind(type).name));
  return out;
}

WrapNode compile_wrap(Context& context, const spec::Tendon& tendon, const spec::Wrap& in) {
  const Place where = wrap_place(tendon, in);
  WrapNode out;
  out.type = in.type;
  switch (in.type) {
    case WrapType::Joint:
      out.objid = context.resolve(where, "joint", ObjType::Joint, in.target);
      out.prm = in.prm;
      break;
    case WrapType::Pulley:
      out.prm = in.prm;
      if (in.prm < 0) context.report.error(where, "divisor", "must not be negative");
      break;
    case WrapType::Site: out.objid = context.resolve(where, "site", ObjType::Site, in.target); break;
    case WrapType::Sphere:
    case WrapType::Cylinder: return compile_geom_wrap(context, where, in);
    case WrapType::None: context.report.error(where, "", "an element of a tendon's path has no type"); break;
  }
  return out;
}

/// A spatial path: sites joined by straight segments, geoms between two sites, pulleys that start a new branch.
void check_spatial_path(Context& context, const spec::Tendon& in, const TendonNode& node) {
  const std::vector<WrapNode>& path = node.path;
  if (path.size() < 2) context.report.error(place("spatial", in), "", "its path needs at least two elements");
  const auto type = [&](std::size_t i) { return i < path.size() ? path[i].type : WrapType::Pulley; };
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Place where = wrap_place(in, in.path[i]);
    const WrapType before = i > 0 ? type(i - 1) : WrapType::Pulley, after = type(i + 1);
    switch (path[i].type) {
      case WrapType::Pulley:
        if (i > 0 && before == WrapType::Pulley) context.report.error(where, "", "follows another pulley");
        if (i + 1 == path.size()) context.report.error(where, "", "is the last element of the path");
        break;
      case WrapType::Site:
        if (before == WrapType::Pulley && after == WrapType::Pulley)
          context.report.error(where, "", "must be next to an element that is not a pulley");
        if (i > 0 && before == WrapType::Site && path[i].objid >= 0 && path[i].objid == path[i - 1].objid)
          context.report.error(where, "site", "is the same site twice in a row");
        break;
      case WrapType::Sphere:
      case WrapType::Cylinder:
        if (before != WrapType::Site || after != WrapType::Site)
          context.report.error(where, "", "needs a site before it and a site after it");
        if (in.armature > 0) context.report.error(where, "", "a tendon with armature cannot wrap around geoms");
        break;
      default: context.report.error(where, "", "belongs in a fixed tendon");
    }
  }
}

void check_fixed_path(Context& context, const spec::Tendon& in, const TendonNode& node) {
  for (std::size_t i = 0; i < node.path.size(); ++i)
    if (node.path[i].type != WrapType::Joint)
      context.report.error(wrap_place(in, in.path[i]), "", "belongs in a spatial tendon");
}

void check_tendon(Context& context, const Place& where, const spec::Tendon& in) {
  check_user(context, where, in.user, {context.spec.size.nuser_tendon, "nuser_tendon"});
  if (in.path.empty()) context.report.error(where, "", "its path is empty");
  if (in.springlength[0] > in.springlength[1])
    context.report.error(where, "springlength", "the first number must not exceed the second");
  if (in.spatial && !(in.width > 0)) context.report.error(where, "width", "must be positive");
  if (in.spatial && in.armature < 0) context.report.error(where, "armature", "must not be negative");
  if (!in.material.empty() && !context.spec.compiler.discardvisual)
    context.resolve(where, "material", ObjType::Material, in.material);
}

}  // namespace

void compile_tendons(Context& context) {
  for (const spec::Tendon& in : context.spec.tendons) {
    const Place where = place(in.spatial ? "spatial" : "fixed", in);
    check_tendon(context, where, in);
    TendonNode node;
    for (const spec::Wrap& wrap : in.path) node.path.push_back(compile_wrap(context, in, wrap));
    if (in.spatial && !in.path.empty()) check_spatial_path(context, in, node);
    if (!in.spatial) check_fixed_path(context, in, node);
    node.limited = is_limited_and_valid(context, where, {"limited", "range", in.limited, in.range});
    node.actfrclimited = is_limited_and_valid(
        context, where, {"actuatorfrclimited", "actuatorfrcrange", in.actuatorfrclimited, in.actuatorfrcrange});
    if (node.actfrclimited && (in.actuatorfrcrange[0] > 0 || in.actuatorfrcrange[1] < 0))
      context.report.error(where, "actuatorfrcrange", "must contain 0");
    context.tendons.push_back(std::move(node));
  }
}

}  // namespace sinew::compiling
