// asset: meshes, height fields, skins, textures and materials.

#include <filesystem>

#include "base/limits.h"
#include "spec/keywords.h"
#include "spec/reader.h"
#include "spec/schema_parts.h"
#include "spec/value.h"

namespace sinew::mjcf {
namespace {

constexpr int kMinHullVertices = 4;
constexpr std::size_t kRgb = static_cast<std::size_t>(TextureRole::Rgb);

/// One <layer> of a material.
struct Layer {
  std::string texture;
  TextureRole role = TextureRole::Rgb;
};

/// An asset without a name is named after its file, without folder and extension.
void name_after_file(spec::Element& asset, const std::string& file) {
  if (asset.name.empty()) asset.name = std::filesystem::path(file).stem().string();
}

void read_texture(Reader& r, const XmlNode& node, const Element& element) {
  spec::Texture texture;
  r.attributes(node, element, &texture);
  name_after_file(texture, texture.file);
  r.claim(ObjType::Texture, node, texture);
  r.spec.textures.add(std::move(texture));
}

/// Attributes and layers, in a class or an element.
void fill_material(Reader& r, const XmlNode& node, const Element& element, spec::Material& material) {
  r.attributes(node, element, &material);
  for (const XmlNode& child : node.children) {
    const Element* layer_element = element.child(child.name);
    if (!layer_element) continue;
    if (node.attribute("texture")) {
      r.report.error({&child}, "a material with the attribute 'texture' cannot have layers",
                     "write the texture as a layer with role rgb");
      return;
    }
    Layer layer;
    r.attributes(child, *layer_element, &layer);
    material.textures[static_cast<std::size_t>(layer.role)] = layer.texture;
  }
}

void read_material(Reader& r, const XmlNode& node, const Element& element) {
  spec::Material material = r.class_for(node).material;
  fill_material(r, node, element, material);
  r.claim(ObjType::Material, node, material);
  r.spec.materials.add(std::move(material));
}

const Element* texture_element(Schema& schema) {
  using T = spec::Texture;
  Table<T> t;
  t.at<&T::name>("name");
  t.at<&T::type>("type").words(kTextureType);
  t.at<&T::colorspace>("colorspace").words(kColorSpace);
  t.at<&T::content_type>("content_type");
  t.at<&T::file>("file");
  t.at<&T::gridsize>("gridsize");
  t.add<std::string>(
       "gridlayout",
       [](void* object, std::string_view text, const Attribute&) -> Outcome {
         if (text.size() > limits::kGridLayout)
           return Complaint{fmt::format("has {} characters, takes at most {}", text.size(), limits::kGridLayout)};
         std::string& layout = static_cast<T*>(object)->gridlayout;
         std::copy(text.begin(), text.end(), layout.begin());
         return {};
       },
       [](const void* object, const Attribute&) {
         return static_cast<const T*>(object)->gridlayout.substr(0, limits::kGridLayout);
       })
      .remark("a letter of R L U D F B for each cell, or . for none");
  t.item<&T::cubefiles, 0>("fileright");
  t.item<&T::cubefiles, 1>("fileleft");
  t.item<&T::cubefiles, 2>("fileup");
  t.item<&T::cubefiles, 3>("filedown");
  t.item<&T::cubefiles, 4>("filefront");
  t.item<&T::cubefiles, 5>("fileback");
  t.at<&T::builtin>("builtin").words(kTextureBuiltin);
  t.at<&T::rgb1>("rgb1");
  t.at<&T::rgb2>("rgb2");
  t.at<&T::mark>("mark").words(kTextureMark);
  t.at<&T::markrgb>("markrgb");
  t.at<&T::random>("random");
  t.at<&T::width>("width").at_least(0);
  t.at<&T::height>("height").at_least(0);
  t.at<&T::nchannel>("nchannel").between(1, 4);
  t.at<&T::hflip>("hflip");
  t.at<&T::vflip>("vflip");
  return &schema.add(t.element("texture", "an image: generated, or read from one or six files", read_texture));
}

Element& material_element(Schema& schema) {
  Table<Layer> l;
  l.at<&Layer::texture>("texture").need();
  l.at<&Layer::role>("role").words(kTextureRole).need();
  // read by its material
  const Element& layer =
      schema.add(l.element("layer", "the texture of one role", [](Reader&, const XmlNode&, const Element&) {}));

  using M = spec::Material;
  Table<M> t;
  t.at<&M::name>("name").element_only();
  t.at<&M::dclass>("class").element_only();
  t.item<&M::textures, kRgb>("texture");
  t.at<&M::texrepeat>("texrepeat");
  t.at<&M::texuniform>("texuniform");
  t.at<&M::emission>("emission");
  t.at<&M::specular>("specular");
  t.at<&M::shininess>("shininess");
  t.at<&M::reflectance>("reflectance");
  t.at<&M::metallic>("metallic");
  t.at<&M::roughness>("roughness");
  t.at<&M::rgba>("rgba");
  return schema.add(t.element("material", "appearance of a surface", read_material)).holds({&layer});
}

/// Attributes of a mesh, in a class or an element.
void fill_mesh(Reader& r, const XmlNode& node, const Element& element, spec::Mesh& mesh) {
  r.attributes(node, element, &mesh);
  if (mesh.maxhullvert != -1 && mesh.maxhullvert < kMinHullVertices) {
    r.report.error({&node, "maxhullvert"},
                   fmt::format("is {}, must be -1 or at least {}", mesh.maxhullvert, kMinHullVertices));
  }
}

void read_mesh_asset(Reader& r, const XmlNode& node, const Element& element) {
  spec::Mesh mesh = r.class_for(node).mesh;
  fill_mesh(r, node, element, mesh);
  mesh.plugin = read_plugin_child(r, node, element);
  name_after_file(mesh, mesh.file);
  if (mesh.name.empty()) r.report.error({&node}, "needs a name or a file");
  if (mesh.file.empty() && mesh.builtin.empty() && mesh.vertex.empty() && !mesh.plugin) {
    r.report.error({&node}, "needs one of 'file', 'builtin', 'vertex' or a plugin");
  }
  r.claim(ObjType::Mesh, node, mesh);
  r.spec.meshes.add(std::move(mesh));
}

void read_hfield(Reader& r, const XmlNode& node, const Element& element) {
  spec::Hfield field;
  r.attributes(node, element, &field);
  name_after_file(field, field.file);
  if (field.name.empty()) r.report.error({&node}, "needs a name or a file");
  r.claim(ObjType::Hfield, node, field);
  r.spec.hfields.add(std::move(field));
}

/// The rows of <mesh>; a default class takes only those that do not define the shape.
Element& mesh_element(Schema& schema) {
  using M = spec::Mesh;
  Table<M> t;
  t.at<&M::name>("name").element_only();
  t.at<&M::dclass>("class").element_only();
  t.at<&M::content_type>("content_type").element_only();
  t.at<&M::file>("file").element_only();
  t.at<&M::builtin>("builtin").element_only().remark(
      "sphere, hemisphere, supersphere, supertorus, cone, wedge or plate");
  t.at<&M::params>("params").element_only();
  t.at<&M::vertex>("vertex").element_only();
  t.at<&M::normal>("normal").element_only();
  t.at<&M::texcoord>("texcoord").element_only();
  t.at<&M::face>("face").element_only();
  t.at<&M::scale>("scale");
  t.at<&M::maxhullvert>("maxhullvert").never_blank().remark("-1: unlimited, or at least 4");
  t.at<&M::inertia>("inertia").words(kMeshInertia);
  t.at<&M::smoothnormal>("smoothnormal").element_only();
  t.at<&M::refpos>("refpos").element_only();
  t.at<&M::refquat>("refquat").element_only();
  t.at<&M::material>("material").element_only();
  Element& mesh =
      schema.add(t.element("mesh", "a triangulated surface: from a file, generated, or inline", read_mesh_asset));
  mesh.exclusive({{"builtin"}, {"file"}}).exclusive({{"builtin"}, {"vertex"}});
  return mesh.holds({plugin_element(schema)});
}

const Element* hfield_element(Schema& schema) {
  using H = spec::Hfield;
  Table<H> t;
  t.at<&H::name>("name");
  t.at<&H::content_type>("content_type");
  t.at<&H::file>("file");
  t.at<&H::nrow>("nrow").at_least(0);
  t.at<&H::ncol>("ncol").at_least(0);
  t.at<&H::size>("size").positive().need();
  t.at<&H::elevation>("elevation");
  return &schema.add(t.element("hfield", "elevations on a grid: from a file or inline", read_hfield));
}

Element& mesh_default(Schema& schema, const Element& mesh) {
  Element& element = schema.default_form(mesh, "mesh", [](Reader& r, const XmlNode& n, const Element& e) {
    fill_mesh(r, n, e, r.spec.classes[static_cast<std::size_t>(r.scope.dclass)].mesh);
  });
  return element.once();
}

}  // namespace

void read_default_material(Reader& r, const XmlNode& node, const Element& element) {
  fill_material(r, node, element, r.spec.classes[static_cast<std::size_t>(r.scope.dclass)].material);
}

AssetElements asset_elements(Schema& schema) {
  Element& material = material_element(schema);
  Element& mesh = mesh_element(schema);
  Element asset;
  asset.name = "asset";
  asset.doc = "shared assets: textures, materials, meshes";
  asset.read = [](Reader& r, const XmlNode& n, const Element& e) { r.children(n, e); };
  asset.holds(
      {&mesh, hfield_element(schema), skin_element(schema), texture_element(schema), &material, model_element(schema)});
  return {&schema.add(std::move(asset)), &material, &mesh_default(schema, mesh)};
}

}  // namespace sinew::mjcf
