#include "spec/references.h"

#include "model/objects.h"
#include "model/transmission_kinds.h"

namespace sinew::mjcf {
namespace {

/// Drops those that are empty or without a kind.
Link link(std::vector<Reference> references) {
  std::erase_if(references, [](const Reference& r) { return r.name->empty() || r.kind == ObjType::Unknown; });
  return references;
}

std::vector<Link> links(std::vector<Link> list) {
  std::erase_if(list, [](const Link& l) { return l.empty(); });
  return list;
}

}  // namespace

std::vector<Link> links_of(spec::Pair& p) {
  return links({link({{ObjType::Geom, &p.geom1}}), link({{ObjType::Geom, &p.geom2}})});
}

std::vector<Link> links_of(spec::Exclude& e) {
  return links({link({{ObjType::Body, &e.body1}}), link({{ObjType::Body, &e.body2}})});
}

std::vector<Link> links_of(spec::Flex& flex) {
  std::vector<Link> out;
  for (auto* names : {&flex.body, &flex.node})
    for (std::string& name : *names) out.push_back(link({{ObjType::Body, &name}}));
  return links(std::move(out));
}

std::vector<Link> links_of(spec::Equality& e) { return links({link({{e.objtype, &e.name1}, {e.objtype, &e.name2}})}); }

std::vector<Link> links_of(spec::Tendon& tendon) {
  std::vector<Link> out;
  for (spec::Wrap& wrap : tendon.path) {
    out.push_back(link({{wrapped_object(wrap.type), &wrap.target}, {ObjType::Site, &wrap.sidesite}}));
  }
  return links(std::move(out));
}

std::vector<Link> links_of(spec::Actuator& a) {
  const ObjType target = transmission_kind(a.trntype).target;
  return links({link({{target, &a.target}, {ObjType::Site, &a.slidersite}, {ObjType::Site, &a.refsite}})});
}

std::vector<Link> links_of(spec::Sensor& s) {
  return links({link({{s.objtype, &s.objname}}), link({{s.reftype, &s.refname}})});
}

std::vector<Link> links_of(spec::Tuple& tuple) {
  Link all;
  for (spec::Tuple::Item& item : tuple.items) all.push_back({item.objtype, &item.objname});
  return links({link(std::move(all))});
}

std::vector<std::string*> assets_of(spec::Material& material) {
  std::vector<std::string*> out;
  for (std::string& texture : material.textures) out.push_back(&texture);
  return out;
}

}  // namespace sinew::mjcf
