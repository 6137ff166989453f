#include "spec/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

namespace sinew {
namespace mjcf {
namespace {

/// One attribute while it is decided whether it stands.
struct Line {
  const Attribute* row;
  std::string text;
  bool written;
};

Line* find(std::vector<Line>& lines, std::string_view name) {
  const auto it = std::find_if(lines.begin(), lines.end(), [&](const Line& line) { return line.row->name == name; });
  return it == lines.end() ? nullptr : &*it;
}

/// quat and fovy: what another attribute of their rule overrides, also where a default class gives it.
bool is_overridden(std::string_view attribute) { return attribute == "quat" || attribute == "fovy"; }

/// Of attributes that exclude one another only one may stand; nothing is to be said for the others.
void settle_exclusive(std::vector<Line>& lines, const Rule& rule) {
  const auto stands = [&](std::string_view name) {
    const Line* line = find(lines, name);
    return line && line->written && !line->text.empty();
  };
  const auto any = [&](const auto& group) { return std::any_of(group.begin(), group.end(), stands); };
  const auto count = std::count_if(rule.groups.begin(), rule.groups.end(), any);
  for (const auto& group : rule.groups) {
    for (const std::string_view name : group) {
      Line* line = find(lines, name);
      if (!line) continue;
      if (count >= 1 && line->text.empty()) line->written = false;
      if (count > 1 && is_overridden(name)) line->written = false;
    }
  }
}

/// Makes one of the groups stand that the rule asks for.
void settle_needs(std::vector<Line>& lines, const Rule& rule) {
  for (const auto& group : rule.groups) {
    const bool sayable = std::all_of(group.begin(), group.end(), [&](std::string_view name) {
      const Line* line = find(lines, name);
      return line && !line->text.empty();
    });
    if (!sayable) continue;
    for (const std::string_view name : group) find(lines, name)->written = true;
    return;
  }
}

}  // namespace

Writer::Writer(const Spec& spec) : spec_(spec) {
  for (std::size_t i = 0; i < spec.classes.size(); ++i) classes_.emplace(spec.classes[i].name, static_cast<int>(i));
}

Result<std::string> Writer::write() {
  const Element& root = schema().root();
  xml_.open(root.name);
  attributes(root, &spec_, root.blank.get());
  settings();
  default_class(0);
  custom();
  assets();
  xml_.open("worldbody");
  contents(spec_.world, 0);
  xml_.close_section();
  contact();
  equality();
  tendon();
  xml_.open("actuator");
  for (const spec::Actuator& own : spec_.actuators) actuator(own);
  xml_.close_section();
  sensors();
  keyframe();
  xml_.close();
  if (problem_) return Error(*problem_);
  return xml_.take();
}

void Writer::attributes(const Element& element, const void* object, const void* base, std::string_view forced) {
  std::vector<Line> lines;
  for (const Attribute& row : element.attributes) {
    if (!row.print) continue;
    Line line{&row, row.print(object, row), false};
    const void* usual = row.in_default ? base : element.blank.get();
    line.written = row.required || row.name == forced || line.text != row.print(usual, row);
    lines.push_back(std::move(line));
  }
  for (const Rule& rule : element.rules) {
    if (rule.kind == Rule::Kind::Needs) settle_needs(lines, rule);
    if (rule.kind == Rule::Kind::Exclusive) settle_exclusive(lines, rule);
  }
  for (const Line& line : lines) {
    if (!line.written) continue;
    // an empty text can be written; an empty list or keyword cannot, and leaving it out means the default
    if (line.text.empty() && line.row->type != ValueType::Text) {
      fail(element, line.row->name, "is not set, but its default class sets it: MJCF cannot say that");
    }
    xml_.attribute(line.row->name, line.text);
  }
}

void Writer::element(const Element& element, const void* object, const void* base, std::string_view forced) {
  xml_.open(element.name);
  attributes(element, object, base, forced);
  xml_.close();
}

void Writer::fail(const Element& element, std::string_view attribute, std::string message) {
  if (problem_) return;
  Problem problem;
  problem.element = element.name;
  if (current_) problem.name = current_->name;
  problem.attribute = attribute;
  problem.message = std::move(message);
  problem_ = std::move(problem);
}

int Writer::class_index(const std::string& name, int otherwise) {
  if (name.empty()) return otherwise;
  const auto found = classes_.find(name);
  if (found != classes_.end()) return found->second;
  fail(section("default"), "class", fmt::format("there is no default class '{}'", name));
  return 0;
}

const spec::DefaultClass& Writer::class_of(const spec::Element& element) {
  current_ = &element;
  return spec_.classes[static_cast<std::size_t>(class_index(element.dclass, 0))];
}

void Writer::settings() {
  const auto whole = [&](std::string_view name, const void* object, std::string_view child, const void* inner) {
    const Element& outside = section(name);
    xml_.open(name);
    attributes(outside, object, outside.blank.get());
    if (!child.empty()) {
      const Element& inside = *outside.child(child);
      xml_.open(child);
      attributes(inside, inner, inside.blank.get());
      xml_.close_section();
    }
    xml_.close_section();
  };
  whole("compiler", &spec_.compiler, "lengthrange", &spec_.compiler.lengthrange);
  whole("option", &spec_.option, "flag", &spec_.option);
  whole("size", &spec_.size, "", nullptr);
  whole("statistic", &spec_.statistic, "", nullptr);
  visual();
}

void Writer::visual() {
  const auto group = [&](std::string_view name, const void* object) {
    if (name == "global_") name = "global";  // a keyword of C++
    const Element& element = *section("visual").child(name);
    xml_.open(name);
    attributes(element, object, element.blank.get());
    xml_.close_section();
  };
  xml_.open("visual");
#define SINEW_VISUAL_BEGIN(name) group(#name, &spec_.visual.name);
#define SINEW_VISUAL(group, type, name, ...)
#define SINEW_VISUAL_END(name)
#include "sinew/visual_fields.def"
#undef SINEW_VISUAL_BEGIN
#undef SINEW_VISUAL
#undef SINEW_VISUAL_END
  xml_.close_section();
}

/// What a class changes against its parent, then the classes inside of it.
void Writer::default_class(int index) {
  const spec::DefaultClass& own = spec_.classes[static_cast<std::size_t>(index)];
  const bool root = index == 0;
  xml_.open("default");
  if (!root) xml_.attribute("class", own.name);
  default_records(own, root ? spec::DefaultClass() : spec_.classes[static_cast<std::size_t>(own.parent)]);
  for (int i = index + 1; i < static_cast<int>(spec_.classes.size()); ++i) {
    if (spec_.classes[static_cast<std::size_t>(i)].parent == index) default_class(i);
  }
  if (root) return xml_.close_section();
  xml_.close();
}

void Writer::default_records(const spec::DefaultClass& own, const spec::DefaultClass& parent) {
  const Element& forms = section("default");
  spec::Element shown;
  shown.name = own.name;
  current_ = &shown;
  const auto record = [&](std::string_view name, const void* object, const void* base) {
    xml_.open(name);
    attributes(*forms.child(name), object, base);
    xml_.close_section();
  };
  record("mesh", &own.mesh, &parent.mesh);
  xml_.open("material");
  material(*forms.child("material"), own.material, parent.material);
  xml_.close_section();
  record("joint", &own.joint, &parent.joint);
  record("geom", &own.geom, &parent.geom);
  record("site", &own.site, &parent.site);
  record("camera", &own.camera, &parent.camera);
  record("light", &own.light, &parent.light);
  record("pair", &own.pair, &parent.pair);
  record("equality", &own.equality, &parent.equality);
  record("tendon", &own.tendon, &parent.tendon);
  default_actuator(own.actuator, parent.actuator);
  current_ = nullptr;
}

/// <general> has no inheritrange: a <position> before it sets that, and <general> then mends what else it changed.
void Writer::default_actuator(const spec::Actuator& own, const spec::Actuator& parent) {
  const Element& forms = section("default");
  ActuatorWords before(parent);
  if (own.inheritrange != parent.inheritrange) {
    before.inheritrange = own.inheritrange;
    if (apply_shortcut(Shortcut::Position, before))
      fail(*forms.child("position"), "inheritrange", "is given together with ctrlrange");
    xml_.open("position");
    xml_.attribute("inheritrange", fmt::format("{}", own.inheritrange));
    xml_.close();
  }
  const ActuatorWords words(own);
  xml_.open("general");
  attributes(*forms.child("general"), &words, &before);
  xml_.close_section();
}

}  // namespace mjcf

namespace {

namespace fs = std::filesystem;

/// An asset of an included file may have been found beside that file: as the text has no includes, it is named from the
/// folder where the assets of the main file are.
void name_from_main_folder(const Spec& spec, const std::string& folder, const spec::Origin& origin, std::string& file) {
  const auto from = static_cast<std::size_t>(origin.file);
  if (file.empty() || origin.file < 0 || from >= spec.files.size() || spec.files[from].parent < 0) return;
  std::error_code ignored;
  const fs::path usual = fs::path(spec.directory) / folder;
  const fs::path beside = fs::path(spec.files[from].path).parent_path() / file;
  if (fs::exists(usual / file, ignored) || !fs::exists(beside, ignored)) return;
  file = beside.lexically_relative(usual).generic_string();
}

/// The tree as it can be written: all files named from the folders that the compiler settings give.
Spec without_includes(const Spec& spec) {
  Spec out = spec;
  const spec::Compiler& c = spec.compiler;
  if (c.strippath) return out;
  const std::string& meshes = c.meshdir.empty() ? c.assetdir : c.meshdir;
  const std::string& textures = c.texturedir.empty() ? c.assetdir : c.texturedir;
  for (spec::Mesh& mesh : out.meshes) name_from_main_folder(spec, meshes, mesh.origin, mesh.file);
  for (spec::Hfield& field : out.hfields) name_from_main_folder(spec, meshes, field.origin, field.file);
  for (spec::Texture& texture : out.textures) {
    name_from_main_folder(spec, textures, texture.origin, texture.file);
    for (std::string& file : texture.cubefiles) name_from_main_folder(spec, textures, texture.origin, file);
  }
  return out;
}

/// The folder `inside`, which is relative to `from`, as seen from `to`.
std::string moved_folder(const fs::path& from, const std::string& inside, const fs::path& to) {
  if (fs::path(inside).is_absolute()) return inside;
  const std::string moved = (from / inside).lexically_normal().lexically_relative(to).generic_string();
  return moved == "." ? "" : moved;
}

bool has_asset_files(const Spec& spec) {
  const auto named = [](const auto& asset) { return !asset.file.empty(); };
  const auto any = [&](const auto& list) {
    for (const auto& asset : list) {
      if (named(asset)) return true;
    }
    return false;
  };
  const auto cubes = [&] {
    for (const spec::Texture& texture : spec.textures) {
      for (const std::string& file : texture.cubefiles) {
        if (!file.empty()) return true;
      }
    }
    return false;
  };
  return any(spec.meshes) || any(spec.hfields) || any(spec.textures) || cubes();
}

bool same_settings(const spec::Compiler& a, const spec::Compiler& b) {
  return a.degree == b.degree && a.eulerseq == b.eulerseq && a.autolimits == b.autolimits && a.fitaabb == b.fitaabb &&
         a.balanceinertia == b.balanceinertia && a.alignfree == b.alignfree && a.boundmass == b.boundmass &&
         a.boundinertia == b.boundinertia && a.inertiafromgeom == b.inertiafromgeom &&
         a.inertiagrouprange == b.inertiagrouprange && a.strippath == b.strippath;
}

/// Why a model cannot be written; empty where it can.
std::string obstacle(const Spec& spec) {
  for (const Spec::Attached& other : spec.attached) {
    const spec::Compiler &a = other.compiler, &b = spec.compiler;
    const bool same_folders = other.directory == spec.directory && a.meshdir == b.meshdir &&
                              a.texturedir == b.texturedir && a.assetdir == b.assetdir;
    if (!same_settings(a, b) || (has_asset_files(spec) && !same_folders))
      return "not supported yet: writing a model with attached parts that have other compiler settings";
  }
  for (const spec::Key& key : spec.keys) {
    for (const auto* numbers : {&key.qpos, &key.qvel, &key.act, &key.ctrl, &key.mpos, &key.mquat}) {
      for (const double x : *numbers) {
        if (std::isnan(x)) return "not supported yet: writing keyframes that replicate or attach has made";
      }
    }
  }
  return {};
}

}  // namespace

Result<std::string> write_mjcf(const Spec& spec) {
  if (const std::string why = obstacle(spec); !why.empty()) return Error::message(why);
  const Spec written = without_includes(spec);
  return mjcf::Writer(written).write();
}

Result<bool> write_mjcf_file(const Spec& spec, const std::string& path) {
  if (const std::string why = obstacle(spec); !why.empty()) return Error::message(why);
  Spec moved = without_includes(spec);
  const fs::path here = fs::current_path();
  const fs::path from = (here / spec.directory / "").lexically_normal();
  const fs::path to = (here / fs::path(path).parent_path() / "").lexically_normal();
  if (has_asset_files(spec) && from != to) {
    spec::Compiler& c = moved.compiler;
    c.meshdir = moved_folder(from, c.meshdir.empty() ? c.assetdir : c.meshdir, to);
    c.texturedir = moved_folder(from, c.texturedir.empty() ? c.assetdir : c.texturedir, to);
    c.assetdir.clear();
  }
  const Result<std::string> text = mjcf::Writer(moved).write();
  if (!text) return text.error();
  std::ofstream stream(path, std::ios::binary);
  stream.write(text->data(), static_cast<std::streamsize>(text->size()));
  stream.close();
  if (!stream) return Error::message("cannot write \"" + path + "\"");
  return true;
}

}  // namespace sinew
