// asset: textures and materials; meshes, height fields, skins and models are not served yet.

#include "spec/keywords.h"
#include "spec/reader.h"
#include "spec/schema_parts.h"
#include "spec/value.h"

namespace sinew::mjcf {
namespace {

constexpr int kMaxTextureSide = 65536;
constexpr std::int64_t kMaxTextureBytes = std::int64_t{1} << 28;  // a builtin texture is memory that no file backs
constexpr std::size_t kMaxGridLayout = 12;  // 3 x 4 cells
constexpr int kMinHullVertices = 4;
constexpr std::size_t kRgb = static_cast<std::size_t>(TextureRole::Rgb);

/// One <layer> of a material.
struct Layer {
  std::string texture;
  TextureRole role = TextureRole::Rgb;
};

void read_texture(Reader& r, const XmlNode& node, const Element& element) {
  spec::Texture texture;
  r.attributes(node, element, &texture);
  const std::int64_t faces = texture.type == TextureType::Texture2D ? 1 : 6;
  const std::int64_t bytes = faces * texture.width * texture.width * texture.nchannel;
  const std::int64_t flat = std::int64_t{texture.width} * texture.height * texture.nchannel;
  if ((faces > 1 ? bytes : flat) > kMaxTextureBytes) {
    r.report.error({&node, "width"}, fmt::format("the texture would need more than {} bytes", kMaxTextureBytes));
  }
  r.claim(ObjType::Texture, node, texture);
  r.spec.textures.add(std::move(texture));
}

/// Attributes and layers, in a class or in an element.
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
         if (text.size() > kMaxGridLayout)
           return Complaint{fmt::format("has {} characters, takes at most {}", text.size(), kMaxGridLayout)};
         std::string& layout = static_cast<T*>(object)->gridlayout;
         std::copy(text.begin(), text.end(), layout.begin());
         return {};
       },
       [](const void* object, const Attribute&) { return static_cast<const T*>(object)->gridlayout; })
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
  t.at<&T::width>("width").between(0, kMaxTextureSide);
  t.at<&T::height>("height").between(0, kMaxTextureSide);
  t.at<&T::nchannel>("nchannel").between(1, 4);
  t.at<&T::hflip>("hflip");
  t.at<&T::vflip>("vflip");
  return &schema.add(t.element("texture", "an image: made of a pattern, or read from one file or six", read_texture));
}

Element& material_element(Schema& schema) {
  Table<Layer> l;
  l.at<&Layer::texture>("texture").need();
  l.at<&Layer::role>("role").words(kTextureRole).need();
  // read by the material that it belongs to
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
  return schema.add(t.element("material", "how a surface looks", read_material)).holds({&layer});
}

/// <mesh> in a default class: it is read now, so that a class which no mesh uses does no harm.
Element& mesh_default(Schema& schema) {
  using M = spec::Mesh;
  Table<M> t;
  t.at<&M::scale>("scale");
  t.at<&M::maxhullvert>("maxhullvert").remark("-1 for no bound, or at least 4");
  t.at<&M::inertia>("inertia").words(kMeshInertia);
  Element& element = schema.add(t.element("mesh", "a mesh", [](Reader& r, const XmlNode& n, const Element& e) {
    spec::Mesh& mesh = r.spec.classes[static_cast<std::size_t>(r.scope.dclass)].mesh;
    r.attributes(n, e, &mesh);
    if (mesh.maxhullvert != -1 && mesh.maxhullvert < kMinHullVertices) {
      r.report.error({&n, "maxhullvert"},
                     fmt::format("is {}, must be -1 or at least {}", mesh.maxhullvert, kMinHullVertices));
    }
  }));
  return element.once();
}

}  // namespace

void read_default_material(Reader& r, const XmlNode& node, const Element& element) {
  fill_material(r, node, element, r.spec.classes[static_cast<std::size_t>(r.scope.dclass)].material);
}

AssetElements asset_elements(Schema& schema) {
  Element& material = material_element(schema);
  Element& mesh = schema.refused(
      "mesh",
      "builtin class content_type face file inertia material maxhullvert name normal params refpos refquat "
      "scale smoothnormal texcoord vertex",
      "mesh assets");
  mesh.exclusive({{"builtin"}, {"file"}}).exclusive({{"builtin"}, {"vertex"}});
  Element& plugin = schema.refused("plugin", "instance plugin", "plugins");
  mesh.holds({&plugin.holds({&schema.refused("config", "key value", "plugins")})});
  Element& skin = schema.refused("skin", "face file group inflate material name rgba texcoord vertex", "skins");
  skin.holds({&schema.refused("bone", "bindpos bindquat body vertid vertweight", "skins")});
  Element asset;
  asset.name = "asset";
  asset.doc = "what elements share: textures, materials, meshes";
  asset.read = [](Reader& r, const XmlNode& n, const Element& e) { r.children(n, e); };
  asset.holds({&mesh,
               &schema.refused("hfield", "content_type elevation file name ncol nrow size", "height field assets"),
               &skin, texture_element(schema), &material,
               &schema.refused("model", "content_type file name", "models as assets, to attach")});
  return {&schema.add(std::move(asset)), &material, &mesh_default(schema)};
}

}  // namespace sinew::mjcf
