#include "urdf/input.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/suggest.h"
#include "spec/value.h"

namespace sinew::urdf {
namespace {

bool has_prefix(std::string_view name) { return name.find(':') != std::string_view::npos; }

bool is_xacro(std::string_view text) {
  return text.find("${") != std::string_view::npos || text.find("$(") != std::string_view::npos;
}

constexpr std::string_view kExpandXacro =
    "this is xacro, which must be expanded first: xacro FILE > robot.urdf (part of ROS, or pip install xacro)";

const UrdfOptions& options_of(const mjcf::Reader::Session& session) {
  static const UrdfOptions defaults;
  return session.options.urdf ? *session.options.urdf : defaults;
}

std::string allowed_children(std::string_view found, const Element& element) {
  std::vector<std::string_view> names;
  for (const Element* child : element.children) names.push_back(child->name);
  return suggest(found, names);
}

}  // namespace

Input::Input(Spec& spec, mjcf::Report& report, mjcf::Reader::Session& session)
    : spec(spec), report(report), session(session), options(options_of(session)) {}

void Input::warn(Place place, std::string message, std::string hint) {
  if (options.strict)
    report.error(place, std::move(message), std::move(hint));
  else
    report.warning(place, std::move(message), std::move(hint));
}

void Input::note_unused(const std::string& what, Place place) {
  const auto known = std::find_if(unused_.begin(), unused_.end(), [&](const Unused& u) { return u.what == what; });
  if (known != unused_.end()) {
    ++known->count;
  } else if (constexpr std::size_t kKinds = 50; unused_.size() < kKinds) {
    unused_.push_back({what, 1, place});
  }
}

void Input::report_unused() {
  for (const Unused& u : unused_) {
    const std::string times = u.count > 1 ? fmt::format("; {} of them, the first here", u.count) : "";
    report.warning(u.first, fmt::format("{} is not used{}", u.what, times));
  }
}

void Input::check(const XmlNode& node, const Element& element) {
  check_attributes(node, element);
  if (element.tag == kOpen) return;
  for (const XmlNode& below : node.children) {
    if (skips_visuals && element.name == "visual" && below.name != "material" && element.child(below.name)) continue;
    if (check_child(node, element, below)) check(below, *element.child(below.name));
  }
}

/// Whether the child is in the table and to be read.
bool Input::check_child(const XmlNode& node, const Element& element, const XmlNode& found) {
  if (found.name.starts_with("xacro:")) {
    error({&found}, std::string(kExpandXacro));
    return false;
  }
  const Element* known = element.child(found.name);
  if (!known) {
    if (has_prefix(found.name))
      note_unused(fmt::format("<{}>", found.name), {&found});
    else
      warn({&found}, fmt::format("unknown element in <{}>; ignored", element.name),
           allowed_children(found.name, element));
    return false;
  }
  if (known->tag == kUnused) {
    note_unused(fmt::format("<{}>", found.name), {&found});
    return false;
  }
  if (known->times == mjcf::Times::Any) return true;
  const XmlNode& first = *child(node, found.name);
  if (&first == &found) return true;
  if (known->tag == kFirstCounts)
    warn({&found}, fmt::format("is repeated; the first one, on line {}, is used", first.line));
  else
    error({&found}, fmt::format("may appear only once in <{}>; the first is on line {}", node.name, first.line));
  return false;
}

void Input::check_attributes(const XmlNode& node, const Element& element) {
  for (const XmlAttribute& attribute : node.attributes) {
    if (element.attribute(attribute.name)) {
      if (is_xacro(attribute.value)) error({&node, attribute.name}, std::string(kExpandXacro));
      continue;
    }
    if (has_prefix(attribute.name) || attribute.name == "xmlns" || element.tag == kOpen) continue;
    std::vector<std::string_view> names;
    for (const mjcf::Attribute& row : element.attributes) names.push_back(row.name);
    warn({&node, attribute.name}, fmt::format("<{}> has no attribute '{}'; ignored", element.name, attribute.name),
         names.empty() ? "it has no attributes" : suggest(attribute.name, names));
  }
  for (const mjcf::Attribute& row : element.attributes) {
    if (!row.required) continue;
    const XmlAttribute* found = node.attribute(row.name);
    if (!found || mjcf::blank(found->value))
      error({&node, row.name}, found ? fmt::format("the attribute '{}' is empty", row.name)
                                     : fmt::format("needs the attribute '{}'", row.name));
  }
}

void Input::fill(const XmlNode& node, const Element& element, void* object) {
  session.budget.go_on();
  for (const XmlAttribute& attribute : node.attributes) {
    const mjcf::Attribute* row = element.attribute(attribute.name);
    if (!row || !row->read || is_xacro(attribute.value)) continue;
    const bool number = row->type == mjcf::ValueType::Real || row->type == mjcf::ValueType::Integer;
    if (number && mjcf::blank(attribute.value)) continue;
    if (const mjcf::Outcome bad = row->read(object, attribute.value, *row))
      error({&node, attribute.name}, bad->message, bad->hint);
  }
}

void Input::fill_texts(const XmlNode& node, const Element& element, void* object) {
  session.budget.go_on();
  for (const XmlNode& leaf : node.children) {
    const Element* known = element.child(leaf.name);
    if (!known || known->tag != kLeaf) continue;
    const mjcf::Attribute& row = *known->attribute("");
    const std::string text = plain_text(leaf.text);
    if (leaf.text_goes_on) error({&leaf}, "its text must not be interrupted");
    const bool number = row.type == mjcf::ValueType::Real || row.type == mjcf::ValueType::Integer;
    if (number && text.empty()) continue;
    if (const mjcf::Outcome bad = row.read(object, text, row)) error({&leaf}, bad->message, bad->hint);
  }
}

const XmlNode* Input::child(const XmlNode& node, std::string_view name) {
  const auto found =
      std::find_if(node.children.begin(), node.children.end(), [&](const XmlNode& c) { return c.name == name; });
  return found == node.children.end() ? nullptr : &*found;
}

const XmlNode* Input::need_child(const XmlNode& node, std::string_view name) {
  const XmlNode* found = child(node, name);
  if (!found) error({&node}, fmt::format("needs a <{}>", name));
  return found;
}

void Input::take(const XmlNode& node, double bytes) {
  if (session.budget.take(bytes)) return;
  error({&node}, session.budget.refusal(bytes), Budget::kHint);
  throw mjcf::Stop{};
}

}  // namespace sinew::urdf
