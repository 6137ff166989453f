#include "spec/conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "spec/schema.h"

namespace sinew::mjcf {
namespace {

using Conflict = spec::Compiler::Conflict;

constexpr std::string_view kTakeLess[] = {"timestep",      "tolerance",       "ls_tolerance", "noslip_tolerance",
                                          "ccd_tolerance", "sleep_tolerance", "znear",        "realtime"};
constexpr std::string_view kTakeMore[] = {"iterations",     "ls_iterations",  "noslip_iterations",
                                          "ccd_iterations", "sdf_iterations", "sdf_initpoints",
                                          "zfar",           "memory",         "njmax",
                                          "nconmax",        "nuserdata",      "nkey",
                                          "nuser_body",     "nuser_jnt",      "nuser_geom",
                                          "nuser_site",     "nuser_cam",      "nuser_tendon",
                                          "nuser_actuator", "nuser_sensor"};

/// The object that the rows of a settings element fill; null if there is none.
void* object_of(Spec& spec, std::string_view element) {
  if (element == "option" || element == "flag") return &spec.option;
  if (element == "size") return &spec.size;
  if (element == "global") return &spec.visual.global_;
  if (element == "quality") return &spec.visual.quality;
  if (element == "headlight") return &spec.visual.headlight;
  if (element == "map") return &spec.visual.map;
  if (element == "scale") return &spec.visual.scale;
  if (element == "rgba") return &spec.visual.rgba;
  return nullptr;
}

/// One setting in both models, as written.
struct Setting {
  const Element& element;
  const Attribute& row;
  std::string parent;
  std::string child;
};

bool listed(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The merged value of a setting that both models give; nothing if it cannot be merged.
std::optional<std::string> combined(const Setting& s) {
  if (s.element.name == "flag") {  // the value that differs from the default, in either model
    const std::string usual = s.row.print(s.element.blank.get(), s.row);
    return s.parent == usual ? s.child : s.parent;
  }
  if (s.row.name == "actuatorgroupdisable") return s.parent + " " + s.child;
  const bool child_is_less = std::strtod(s.child.c_str(), nullptr) < std::strtod(s.parent.c_str(), nullptr);
  if (listed(kTakeLess, s.row.name)) return child_is_less ? s.child : s.parent;
  if (listed(kTakeMore, s.row.name)) return child_is_less ? s.parent : s.child;
  return std::nullopt;
}

/// Walks the settings whose value in the child differs.
class Settling {
 public:
  Settling(Reader& reader, const XmlNode& macro, Spec& child, Given given)
      : reader_(reader), macro_(macro), child_(child), given_(given) {}

  void walk(const Element& element, const std::string& path) {
    if (void* own = object_of(reader_.spec, element.name)) {
      for (const Attribute& row : element.attributes) {
        const std::string name = path + "/" + std::string(row.name);
        if (!row.print) continue;
        const Setting setting = {element, row, row.print(own, row), row.print(object_of(child_, element.name), row)};
        if (setting.parent != setting.child && is_given(child_, setting.child, setting, name))
          settle(setting, name, own);
      }
    }
    for (const Element* inner : element.children) walk(*inner, path + "/" + std::string(inner->name));
  }

 private:
  bool is_given(const Spec& spec, const std::string& value, const Setting& s, const std::string& name) const {
    if (spec.authored.contains(name)) return true;
    return given_ == Given::OrChanged && value != s.row.print(s.element.blank.get(), s.row);
  }

  void settle(const Setting& s, const std::string& name, void* own) {
    const Conflict policy = reader_.spec.compiler.conflict;
    const bool both = is_given(reader_.spec, s.parent, s, name);
    const std::string what = fmt::format("{} is '{}' in the attached model and '{}' here", name, s.child, s.parent);
    if (both && policy == Conflict::Error) {
      reader_.report.error({&macro_}, what, "the compiler has conflict=\"error\"");
      return;
    }
    if (policy != Conflict::Merge) {
      reader_.report.warning({&macro_}, what + "; the value here is used");
      return;
    }
    const std::optional<std::string> value = both ? combined(s) : s.child;
    if (!value) {
      reader_.report.error({&macro_}, what + "; they cannot be merged");
      return;
    }
    s.row.read(own, *value, s.row);
    if (!both) {
      reader_.spec.authored.insert(name);
      reader_.report.warning({&macro_}, what + "; the value of the attached model is used");
    }
  }

  Reader& reader_;
  const XmlNode& macro_;
  Spec& child_;
  Given given_;
};

}  // namespace

void settle_conflicts(Reader& reader, const XmlNode& macro, Spec& child, Given given) {
  Settling settling(reader, macro, child, given);
  const Element& language = schema().root();
  for (const std::string_view section : {"option", "size", "visual"}) {
    settling.walk(*language.child(section), std::string(section));
  }
}

}  // namespace sinew::mjcf
