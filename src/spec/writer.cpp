#include "spec/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace sinew::mjcf {
namespace {

/// One attribute while deciding whether to write it.
struct Line {
  const Attribute* row;
  std::string text;
  bool written;
};

Line* find(std::vector<Line>& lines, std::string_view name) {
  const auto it = std::find_if(lines.begin(), lines.end(), [&](const Line& line) { return line.row->name == name; });
  return it == lines.end() ? nullptr : &*it;
}

/// quat and fovy: overridden by another attribute of their rule, even one from a default class.
bool is_overridden(std::string_view attribute) { return attribute == "quat" || attribute == "fovy"; }

/// Of mutually exclusive attributes only one may be written; the others are not needed.
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

/// Writes one of the groups that the rule requires.
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

Writer::Writer(const Spec& spec, bool named) : spec_(spec), named_(named) {
  for (std::size_t i = 0; i < spec.classes.size(); ++i) classes_.emplace(spec.classes[i].name, static_cast<int>(i));
}

Result<XmlElement> Writer::write() {
  const Element& root = schema().root();
  xml_.open(root.name);
  attributes(root, &spec_, root.blank.get(), named_ ? "model" : "");
  settings();
  default_class(0);
  extension();
  custom();
  assets();
  skins();
  xml_.open("worldbody");
  plugin(spec_.world.plugin);
  contents(spec_.world, 0);
  xml_.close_section();
  contact();
  deformable();
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
    // an element is of the class main unless a body around it says otherwise
    if (row.name == "class" && around_ == 0 && line.text == spec_.classes[0].name) line.written = false;
    lines.push_back(std::move(line));
  }
  for (const Rule& rule : element.rules) {
    if (rule.kind == Rule::Kind::Needs) settle_needs(lines, rule);
    if (rule.kind == Rule::Kind::Exclusive) settle_exclusive(lines, rule);
  }
  for (const Line& line : lines) {
    if (!line.written) continue;
    // an empty text can be written; an empty list or keyword cannot, and omitting it means the default
    if (line.text.empty() && line.row->type != ValueType::Text) {
      if (!problem_) unsayable_ = line.row->name;
      fail(element, line.row->name, "is not set, but its default class sets it: MJCF cannot express that");
    }
    xml_.attribute(line.row->name, line.text);
  }
}

void Writer::element(const Element& element, const void* object, const void* base, std::string_view forced) {
  open(element);
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

/// What a class changes relative to its parent, then its subclasses.
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

/// <general> has no inheritrange: a <position> before it sets that, and <general> then restores what else it changed.
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

}  // namespace sinew::mjcf
