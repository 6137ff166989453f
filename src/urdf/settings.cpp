#include "urdf/settings.h"

#include <fmt/format.h>

namespace sinew::urdf {
namespace {

constexpr std::string_view kSections[] = {"compiler", "option", "size"};

void read_extension(Input& in, const XmlNode& extension) {
  mjcf::Reader reader(in.spec, in.report, in.session);
  const Element& language = mjcf::schema().root();
  for (const XmlNode& node : extension.children) {
    if (std::find(std::begin(kSections), std::end(kSections), node.name) == std::end(kSections)) {
      in.warn({&node}, "is not read here: <mujoco> in URDF may have compiler, option and size",
              "convert the robot with sinew compile, and put it into the MJCF file");
      continue;
    }
    if (const XmlNode* first = Input::child(extension, node.name); first != &node) {
      in.error({&node}, fmt::format("may appear only once in <mujoco>; the first is on line {}", first->line));
      continue;
    }
    const Element& element = *language.child(node.name);
    in.check(node, element);
    element.read(reader, node, element);
  }
}

}  // namespace

void read_settings(Input& in, const XmlNode& root) {
  spec::Compiler& settings = in.spec.compiler;
  settings.fusestatic = !in.options.keep_fixed;
  settings.discardvisual = !in.options.visuals;
  if (const XmlNode* extension = Input::child(root, "mujoco")) read_extension(in, *extension);
  settings.degree = false;
  settings.eulerseq = kEulerSequence;
}

void use_resolved_paths(Spec& spec) {
  spec.compiler.meshdir.clear();
  spec.compiler.assetdir.clear();
  spec.compiler.strippath = false;
}

}  // namespace sinew::urdf
