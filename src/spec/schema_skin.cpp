// skin: a surface that follows bodies, in asset or in deformable.

#include <filesystem>

#include "spec/reader.h"
#include "spec/schema_parts.h"
#include "spec/value.h"

namespace sinew::mjcf {
namespace {

using Bone = spec::Skin::Bone;

void read_skin(Reader& r, const XmlNode& node, const Element& element) {
  spec::Skin skin;
  r.attributes(node, element, &skin);
  if (skin.name.empty()) skin.name = std::filesystem::path(skin.file).stem().string();
  r.claim(ObjType::Skin, node, skin);
  for (const XmlNode& child : node.children) {
    const Element* known = element.child(child.name);
    if (!known) continue;
    Bone bone;
    bone.origin = {child.file, child.line};
    r.attributes(child, *known, &bone);
    skin.bones.push_back(std::move(bone));
  }
  r.spec.skins.add(std::move(skin));
}

const Element* bone_element(Schema& schema) {
  Table<Bone> t;
  t.at<&Bone::body>("body").need();
  t.at<&Bone::bindpos>("bindpos").need();
  t.at<&Bone::bindquat>("bindquat").need();
  t.at<&Bone::vertid>("vertid").need();
  t.at<&Bone::vertweight>("vertweight").need();
  // read by its skin
  return &schema.add(
      t.element("bone", "a body that vertices of a skin follow", [](Reader&, const XmlNode&, const Element&) {}));
}

}  // namespace

const Element* skin_element(Schema& schema) {
  using S = spec::Skin;
  Table<S> t;
  t.at<&S::name>("name");
  t.at<&S::file>("file").remark("SKN");
  t.at<&S::material>("material");
  t.at<&S::rgba>("rgba");
  t.at<&S::inflate>("inflate").remark("vertices move outward along their normals");
  t.at<&S::vertex>("vertex").remark("at the bind pose");
  t.at<&S::texcoord>("texcoord").remark("2 for each vertex");
  t.at<&S::face>("face");
  t.at<&S::group>("group").between(0, kNumGroup - 1);
  return &schema.add(t.element("skin", "a surface that follows bodies: from a file or inline", read_skin))
              .holds({bone_element(schema)});
}

}  // namespace sinew::mjcf
