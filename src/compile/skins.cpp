#include "compile/skins.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "compile/asset_files.h"
#include "compile/copy.h"
#include "compile/objects.h"
#include "geometry/skin_file.h"

namespace sinew::compiling {
namespace {

using Bone = spec::Skin::Bone;

bool has_data(const spec::Skin& in) {
  return !in.vertex.empty() || !in.texcoord.empty() || !in.face.empty() || !in.bones.empty();
}

/// The skin with the content of its file; false after an error was reported.
bool read_file(Context& context, const Place& where, const spec::Skin& in, spec::Skin& out) {
  if (has_data(in)) {
    context.report.error(where, "file", "is given together with vertices, texture coordinates, faces or bones");
    return false;
  }
  std::string extension = std::filesystem::path(in.file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (extension != ".skn") {
    context.report.error(where, "file", "'" + in.file + "' is not a SKN file", "its name must end in .skn");
    return false;
  }
  const std::string* content = read_asset(context, AssetKind::Mesh, where, in.file);
  if (!content) return false;
  Result<spec::Skin> read = read_skn({reinterpret_cast<const std::byte*>(content->data()), content->size()});
  if (!read) {
    context.report.error(where, "file", "'" + in.file + "': " + read.error().first().message);
    return false;
  }
  out.vertex = std::move(read->vertex);
  out.texcoord = std::move(read->texcoord);
  out.face = std::move(read->face);
  out.bones = std::move(read->bones);
  return true;
}

/// Checks one skin, resolves its names and normalizes its weights. Reports the first problem.
class SkinCheck {
 public:
  SkinCheck(Context& context, const Place& where, spec::Skin& skin, SkinNode& node)
      : context_(context), where_(where), skin_(skin), node_(node), vertices_(skin.vertex.size() / 3) {}

  bool run() { return surface() && names() && bones() && weights(); }

 private:
  /// What a file contains has no place of its own.
  bool fail_in_file(std::string_view part, const std::string& message) {
    context_.report.error(where_, "file", "'" + skin_.file + "': " + std::string(part) + ": " + message);
    return false;
  }
  bool fail(std::string_view attribute, const std::string& message, std::string hint = {}) {
    if (!skin_.file.empty()) return fail_in_file(attribute.empty() ? "bones" : attribute, message);
    context_.report.error(where_, attribute, message, std::move(hint));
    return false;
  }
  bool fail(const Bone& bone, std::string_view attribute, const std::string& message) {
    if (!skin_.file.empty()) return fail_in_file("bone of '" + bone.body + "'", message);
    context_.report.error({"bone", {}, bone.origin}, attribute, message);
    return false;
  }

  bool surface() {
    if (skin_.vertex.empty()) return fail("vertex", "the skin has no vertices");
    if (skin_.face.empty()) return fail("face", "the skin has no faces");
    if (skin_.bones.empty()) return fail("", "the skin has no bones");
    if (skin_.vertex.size() % 3 != 0) return fail("vertex", "the number of coordinates must be a multiple of 3");
    if (skin_.face.size() % 3 != 0) return fail("face", "the number of indices must be a multiple of 3");
    if (!skin_.texcoord.empty() && skin_.texcoord.size() != 2 * vertices_)
      return fail("texcoord", "has " + std::to_string(skin_.texcoord.size()) + " numbers, needs 2 for each of the " +
                                  std::to_string(vertices_) + " vertices");
    for (const int index : skin_.face)
      if (index < 0 || static_cast<std::size_t>(index) >= vertices_)
        return fail("face",
                    "refers to vertex " + std::to_string(index) + ", but there are " + std::to_string(vertices_));
    return true;
  }

  bool names() {
    node_.material = -1;
    for (const Bone& bone : skin_.bones) {
      node_.body.push_back(context_.names.find(ObjType::Body, bone.body));
      if (node_.body.back() >= 0) continue;
      if (!skin_.file.empty()) return fail(bone, "", "there is no such body");
      context_.resolve({"bone", {}, bone.origin}, "body", ObjType::Body, bone.body);  // reports it
      return false;
    }
    if (skin_.material.empty() || context_.spec.compiler.discardvisual) return true;
    node_.material = context_.resolve(where_, "material", ObjType::Material, skin_.material);
    return node_.material >= 0;
  }

  bool bones() {
    for (Bone& bone : skin_.bones) {
      if (bone.vertid.empty() || bone.vertid.size() != bone.vertweight.size())
        return fail(bone, "vertweight",
                    "has " + std::to_string(bone.vertweight.size()) + " numbers, vertid has " +
                        std::to_string(bone.vertid.size()));
      for (const int index : bone.vertid)
        if (index < 0 || static_cast<std::size_t>(index) >= vertices_)
          return fail(bone, "vertid",
                      "refers to vertex " + std::to_string(index) + ", but the skin has " + std::to_string(vertices_));
      double norm = 0;
      for (const float x : bone.bindquat) norm += static_cast<double>(x) * static_cast<double>(x);
      norm = std::sqrt(norm);
      if (!(norm > kMinVal)) return fail(bone, "bindquat", "must not be zero");
      for (float& x : bone.bindquat) x = static_cast<float>(static_cast<double>(x) / norm);
    }
    return true;
  }

  /// The weights of each vertex add up to 1, in single precision.
  bool weights() {
    std::vector<float> total(vertices_);
    for (const Bone& bone : skin_.bones)
      for (std::size_t i = 0; i < bone.vertid.size(); ++i)
        total[static_cast<std::size_t>(bone.vertid[i])] += bone.vertweight[i];
    for (std::size_t v = 0; v < vertices_; ++v)
      if (!(total[v] > static_cast<float>(kMinVal)))
        return fail("vertex", "vertex " + std::to_string(v) + " has no positive total weight",
                    "some bone must list it in vertid with a positive vertweight");
    for (Bone& bone : skin_.bones)
      for (std::size_t i = 0; i < bone.vertid.size(); ++i)
        bone.vertweight[i] /= total[static_cast<std::size_t>(bone.vertid[i])];
    return true;
  }

  Context& context_;
  const Place& where_;
  spec::Skin& skin_;
  SkinNode& node_;
  std::size_t vertices_;
};

}  // namespace

void compile_skins(Context& context) {
  for (const spec::Skin& in : context.spec.skins) {
    const Place where = place("skin", in);
    SkinNode& node = context.skins.emplace_back();
    node.skin = in;
    if (in.group < 0 || in.group >= kNumGroup) {
      context.report.error(where, "group",
                           "is " + std::to_string(in.group) + ", must be 0 to " + std::to_string(kNumGroup - 1));
      continue;
    }
    if (!in.file.empty() && !read_file(context, where, in, node.skin)) continue;
    SkinCheck(context, where, node.skin, node).run();
  }
}

void add_skin_sizes(const Context& context, Model& m) {
  const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  m.nskin = count(context.skins);
  for (const SkinNode& node : context.skins) {
    m.nskinvert += count(node.skin.vertex) / 3;
    m.nskintexvert += count(node.skin.texcoord) / 2;
    m.nskinface += count(node.skin.face) / 3;
    m.nskinbone += count(node.skin.bones);
    for (const Bone& bone : node.skin.bones) m.nskinbonevert += count(bone.vertid);
  }
}

void copy_skins(const Context& context, Model& m) {
  std::size_t vert = 0, texcoord = 0, face = 0, bone = 0, bonevert = 0;
  const auto append = [](auto& field, std::size_t at, const auto& values) {
    std::copy(values.begin(), values.end(), field.edit().begin() + static_cast<std::ptrdiff_t>(at));
  };
  for (std::size_t i = 0; i < context.skins.size(); ++i) {
    const auto& [skin, body, material] = context.skins[i];
    m.skin_matid[i] = material;
    m.skin_group[i] = skin.group;
    put(m.skin_rgba, static_cast<std::int64_t>(i), skin.rgba);
    m.skin_inflate[i] = skin.inflate;
    m.skin_vertadr[i] = static_cast<int>(vert);
    m.skin_vertnum[i] = static_cast<int>(skin.vertex.size() / 3);
    m.skin_texcoordadr[i] = skin.texcoord.empty() ? -1 : static_cast<int>(texcoord);
    m.skin_faceadr[i] = static_cast<int>(face);
    m.skin_facenum[i] = static_cast<int>(skin.face.size() / 3);
    m.skin_boneadr[i] = static_cast<int>(bone);
    m.skin_bonenum[i] = static_cast<int>(skin.bones.size());
    append(m.skin_vert, 3 * vert, skin.vertex);
    append(m.skin_texcoord, 2 * texcoord, skin.texcoord);
    append(m.skin_face, 3 * face, skin.face);
    for (std::size_t b = 0; b < skin.bones.size(); ++b, ++bone) {
      m.skin_bonevertadr[bone] = static_cast<int>(bonevert);
      m.skin_bonevertnum[bone] = static_cast<int>(skin.bones[b].vertid.size());
      put(m.skin_bonebindpos, static_cast<std::int64_t>(bone), skin.bones[b].bindpos);
      put(m.skin_bonebindquat, static_cast<std::int64_t>(bone), skin.bones[b].bindquat);
      m.skin_bonebodyid[bone] = body[b];
      append(m.skin_bonevertid, bonevert, skin.bones[b].vertid);
      append(m.skin_bonevertweight, bonevert, skin.bones[b].vertweight);
      bonevert += skin.bones[b].vertid.size();
    }
    vert += skin.vertex.size() / 3;
    texcoord += skin.texcoord.size() / 2;
    face += skin.face.size() / 3;
  }
}

}  // namespace sinew::compiling
