#include "spec/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "base/limits.h"
#include "base/suggest.h"
#include "spec/asset_path.h"
#include "spec/document.h"
#include "spec/graft.h"
#include "spec/read.h"
#include "spec/references.h"
#include "spec/value.h"

namespace sinew {
namespace mjcf {
namespace {

// Sections may appear in any order and be repeated; defaults come before what uses them, the tree of bodies last.
constexpr std::string_view kSections[] = {"compiler",  "option",   "size",   "visual",   "statistic",  "default",
                                          "extension", "custom",   "asset",  "contact",  "deformable", "equality",
                                          "tendon",    "actuator", "sensor", "keyframe", "worldbody"};

// A list has at least two characters per number of eight bytes; a name is stored in the element and in an index.
constexpr double kBytesPerCharacter = 4;

template <class Items, class Name>
std::vector<std::string_view> names_of(const Items& items, Name name) {
  std::vector<std::string_view> names;
  names.reserve(items.size());
  for (const auto& item : items) names.push_back(name(item));
  return names;
}

std::string quoted(const std::vector<std::string_view>& group) {
  std::string out;
  for (const std::string_view name : group) out += fmt::format("{}'{}'", out.empty() ? "" : " ", name);
  return group.size() > 1 ? "(" + out + ")" : out;
}

std::string quoted(const std::vector<std::vector<std::string_view>>& groups) {
  std::string out;
  for (const auto& group : groups) out += (out.empty() ? "" : ", ") + quoted(group);
  return out;
}

void note_authored(const XmlNode& node, const std::string& path, std::set<std::string>& into) {
  for (const XmlAttribute& attribute : node.attributes) into.insert(path + "/" + std::string(attribute.name));
  for (const XmlNode& child : node.children) note_authored(child, path + "/" + std::string(child.name), into);
}

}  // namespace

void Reader::read(const XmlNode& root) {
  const Element& language = schema().root();
  if (root.name != language.name) {
    if (session_.read_other && session_.read_other(root, spec, report, session_)) return adopt();
    report.error({&root}, "is not the root element of a model", fmt::format("MJCF begins with <{}>", language.name));
    throw Stop{};
  }
  classes_.emplace(spec.classes[0].name, 0);
  names_.emplace(Key{ObjType::Body, spec.world.name}, spec::Origin{root.file, root.line});
  validate(root, language);
  attributes(root, language, &spec);
  for (const XmlNode& node : root.children) {
    if (node.name == "compiler" || node.name == "option" || node.name == "size" || node.name == "visual")
      note_authored(node, std::string(node.name), spec.authored);
  }
  for (const std::string_view section : kSections) {
    for (const XmlNode& node : root.children) {
      if (node.name == section) language.child(section)->read(*this, node, *language.child(section));
    }
  }
  own_keys_ = spec.keys.size();
  // MuJoCo 3.12.0 puts the empty keyframes of <size nkey> before those copied by macros
  const std::size_t nkey = keys.any() ? static_cast<std::size_t>(spec.size.nkey) : 0;
  while (spec.keys.size() < nkey) spec.keys.add({});
  keys.put_together(spec, report);
}

void Reader::adopt() {
  for (std::size_t i = 0; i < spec.classes.size(); ++i) classes_.emplace(spec.classes[i].name, static_cast<int>(i));
  const auto note = [&](ObjType kind, const spec::Element& element) {
    if (!element.name.empty()) names_.try_emplace(Key{kind, element.name}, element.origin);
  };
  note(ObjType::Body, spec.world);
  for_each_below(spec.world, note);
  for_each_list(spec, [&](ObjType kind, const auto& list) {
    for (const auto& element : list) note(kind, element);
  });
}

void Reader::read_child(const XmlNode& node, const std::string& name, const std::string& path) {
  const std::string full = std::filesystem::path(path).lexically_normal().string();
  if (std::find(session_.open.begin(), session_.open.end(), full) != session_.open.end()) {
    report.error({&node, "file"}, fmt::format("\"{}\" contains itself", path));
    return;
  }
  session_.open.push_back(full);
  auto child = std::make_unique<Child>();
  child->spec.directory = std::filesystem::path(path).parent_path().string();
  session_.main.attached.add().directory = child->spec.directory;
  const std::size_t number = session_.main.attached.size();
  if (session_.open.size() > limits::kModelDepth || session_.main.files.size() >= limits::kModelFiles) {
    report.error({&node, "file"}, session_.open.size() > limits::kModelDepth
                                      ? fmt::format("model assets are nested more than {} deep", limits::kModelDepth)
                                      : fmt::format("a model may consist of at most {} files", limits::kModelFiles));
    throw Stop{};
  }
  Document document(session_.main.files, session_.disk, report, session_.budget);
  Reader reader(child->spec, report, session_);
  reader.read(document.read_model(path, node, static_cast<int>(number)));
  session_.main.attached[number - 1].compiler = child->spec.compiler;
  session_.open.pop_back();

  child->own_keys = reader.own_keys_;
  spec::Element named;
  named.name = name.empty() ? child->spec.modelname : name;
  claim(ObjType::Model, node, named);
  children_[named.name] = std::move(child);
}

Reader::Child* Reader::find_child(const XmlNode& node, const std::string& name) {
  const auto found = children_.find(name);
  if (found != children_.end()) return found->second.get();
  const auto allowed = names_of(children_, [](const auto& entry) { return std::string_view(entry.first); });
  report.error({&node, "model"}, fmt::format("there is no model named '{}' among the assets", name),
               suggest(name, allowed));
  return nullptr;
}

std::vector<const spec::Body*> Reader::roots() const {
  std::vector<const spec::Body*> out = {&spec.world};
  out.insert(out.end(), patterns.begin(), patterns.end());
  return out;
}

void Reader::validate(const XmlNode& node, const Element& element, Strictness strictness) {
  if (element.name == "frame" || element.name == "replicate") strictness = Strictness::Lenient;
  check_attributes(node, element, strictness);
  if (node.text_line > 0)
    report.warning({&node}, fmt::format("text on line {} is ignored: MJCF has only elements", node.text_line));
  for (const XmlNode& child : node.children) {
    const Element* known = element.child(child.name);
    if (!known) {
      const auto allowed = names_of(element.children, [](const Element* e) { return e->name; });
      report.error({&child}, fmt::format("unknown element in <{}>", element.name), suggest(child.name, allowed));
      continue;
    }
    if (!known->read) {
      check_attributes(child, *known, strictness);
      report.error({&child}, fmt::format("not supported yet: {}", known->doc));
      continue;
    }
    if (known->times == Times::Once) check_once(node, child, strictness);
    validate(child, *known, strictness);
  }
}

void Reader::check_once(const XmlNode& parent, const XmlNode& child, Strictness strictness) {
  const auto first = std::find_if(parent.children.begin(), parent.children.end(),
                                  [&](const XmlNode& n) { return n.name == child.name; });
  if (&*first == &child) return;
  const std::string message =
      fmt::format("may appear only once in <{}>; the first is on line {}", parent.name, first->line);
  if (strictness == Strictness::Strict)
    report.error({&child}, message);
  else
    report.warning({&child}, message + "; the last one is used, as in MuJoCo");
}

void Reader::check_attributes(const XmlNode& node, const Element& element, Strictness strictness) {
  for (const XmlAttribute& attribute : node.attributes) {
    if (element.attribute(attribute.name)) continue;
    const auto allowed = names_of(element.attributes, [](const Attribute& row) { return row.name; });
    const std::string message = fmt::format("<{}> has no attribute '{}'", element.name, attribute.name);
    const std::string hint = allowed.empty() ? "it has no attributes" : suggest(attribute.name, allowed);
    if (strictness == Strictness::Strict)
      report.error({&node, attribute.name}, message, hint);
    else
      report.warning({&node, attribute.name}, message + "; ignored, as in MuJoCo", hint);
  }
  for (const Attribute& row : element.attributes) {
    if (!row.required) continue;
    const XmlAttribute* found = node.attribute(row.name);
    const bool numbers = row.type == ValueType::Real || row.type == ValueType::Integer;
    if (!found || (numbers && blank(found->value)))
      report.error({&node}, fmt::format("needs the attribute '{}'", row.name));
  }
  for (const Rule& rule : element.rules) check_rule(node, rule);
}

void Reader::check_rule(const XmlNode& node, const Rule& rule) {
  const auto given = [&](std::string_view name) { return node.attribute(name) != nullptr; };
  const auto any = [&](const auto& group) { return std::any_of(group.begin(), group.end(), given); };
  const auto all = [&](const auto& group) { return std::all_of(group.begin(), group.end(), given); };
  switch (rule.kind) {
    case Rule::Kind::Exclusive:
      if (std::count_if(rule.groups.begin(), rule.groups.end(), any) > 1) {
        report.error({&node}, fmt::format("at most one of {} can be given", quoted(rule.groups)));
      }
      break;
    case Rule::Kind::Together:
      if (any(rule.groups[0]) && !all(rule.groups[0])) {
        report.error({&node}, fmt::format("{} must be given together", quoted(rule.groups[0])));
      }
      break;
    case Rule::Kind::Needs:
      if (std::none_of(rule.groups.begin(), rule.groups.end(), all)) {
        report.error({&node}, fmt::format("one of {} must be given", quoted(rule.groups)));
      }
      break;
  }
}

void Reader::attributes(const XmlNode& node, const Element& element, void* object) {
  double bytes = static_cast<double>(element.object_bytes);
  for (const XmlAttribute& attribute : node.attributes)
    bytes += kBytesPerCharacter * static_cast<double>(attribute.value.size());
  take({&node}, bytes);
  session_.budget.go_on();
  for (const XmlAttribute& attribute : node.attributes) {
    const Attribute* row = element.attribute(attribute.name);
    if (!row || !row->read) continue;
    // in most attributes an empty list counts as absent; an empty keyword or number is an error
    const bool list =
        row->type == ValueType::Real || row->type == ValueType::Integer || row->type == ValueType::KeywordList;
    if (list && row->may_be_blank && blank(attribute.value)) continue;
    if (const Outcome bad = row->read(object, attribute.value, *row)) {
      report.error({&node, attribute.name}, bad->message, bad->hint);
    }
  }
}

void Reader::children(const XmlNode& node, const Element& element) {
  for (const XmlNode& child : node.children) {
    const Element* known = element.child(child.name);
    if (known && known->read) known->read(*this, child, *known);
  }
}

void Reader::claim(ObjType kind, const XmlNode& node, spec::Element& element) {
  element.origin = {node.file, node.line};
  if (element.name.empty()) return;
  const auto [first, added] = names_.try_emplace({kind, element.name}, element.origin);
  if (added) return;
  report.error({&node, "name"}, fmt::format("the name '{}' is already used by another {}", element.name, node.name),
               "first used at " + report.where(first->second));
}

void Reader::claim_copy(ObjType kind, const XmlNode& macro, const spec::Element& copy) {
  if (copy.name.empty()) return;
  const auto [first, added] = names_.try_emplace({kind, copy.name}, copy.origin);
  if (added) return;
  // names that are not final may collide temporarily, as "a" copied twice and "a2" copied once: inside an outer
  // replicate, and with the pattern itself, which is removed after copying
  if (patterns.size() > 1 || (!patterns.empty() && holds_name(*patterns.back(), kind, copy.name))) return;
  report.error({&macro}, fmt::format("a copy would have the name '{}', which is already used", copy.name),
               "first used at " + report.where(first->second));
}

bool Reader::exists(ObjType kind, const std::string& name) const { return names_.contains({named_kind(kind), name}); }

void Reader::release(ObjType kind, const std::string& name) { names_.erase({kind, name}); }

void Reader::count_copies(const XmlNode& macro, std::size_t count, double bytes) {
  session_.budget.go_on();
  const std::string_view attribute = macro.attribute("count") ? "count" : "";
  if (count > limits::kCopies - session_.copies) {
    report.error({&macro, attribute},
                 fmt::format("makes {} copies of elements; with earlier copies more than {}", count, limits::kCopies));
    throw Stop{};
  }
  session_.copies += count;
  take({&macro, attribute}, bytes);
}

void Reader::check_depth(const XmlNode& node, std::size_t below) {
  if (static_cast<std::size_t>(scope.depth) + below <= limits::kBodyDepth) return;
  report.error({&node}, fmt::format("bodies would be nested {} deep, the maximum is {}",
                                    static_cast<std::size_t>(scope.depth) + below, limits::kBodyDepth));
  throw Stop{};
}

void Reader::take(Place place, double bytes) {
  if (session_.budget.take(bytes)) return;
  report.error(place, session_.budget.refusal(bytes), Budget::kHint);
  throw Stop{};
}

Result<std::string> Reader::read_asset(const XmlNode& node, const std::string& file) {
  const spec::Origin origin = {node.file, node.line};
  return session_.disk.read(asset_path(spec, session_.disk, {AssetKind::Mesh, file, origin}), session_.budget);
}

int Reader::find_class(std::string_view name) const {
  const auto found = classes_.find(std::string(name));
  return found == classes_.end() ? -1 : found->second;
}

int Reader::add_class(const XmlNode& node, std::string_view name, int parent) {
  const auto refuse = [&](std::string message, std::string hint = {}) {
    report.error({&node, "class"}, std::move(message), std::move(hint));
    return -1;
  };
  if (name.empty()) return refuse("a nested default class needs a name");
  if (const int known = find_class(name); known >= 0) {
    const spec::Origin& first = spec.classes[static_cast<std::size_t>(known)].origin;
    return refuse(fmt::format("the default class '{}' already exists", name),
                  first.file >= 0 ? "first at " + report.where(first) : "");
  }
  if (spec.classes.size() >= limits::kClasses)
    return refuse(fmt::format("more than {} default classes", limits::kClasses));
  take({&node}, sizeof(spec::DefaultClass));
  spec::DefaultClass added = spec.classes[static_cast<std::size_t>(parent)];
  added.name = name;
  added.parent = parent;
  added.origin = {node.file, node.line};
  spec.classes.add(std::move(added));
  const int index = static_cast<int>(spec.classes.size()) - 1;
  classes_.emplace(name, index);
  return index;
}

void Reader::add_class_copy(const XmlNode& macro, spec::DefaultClass copy) {
  if (spec.classes.size() >= limits::kClasses) {
    report.error({&macro}, fmt::format("more than {} default classes", limits::kClasses));
    throw Stop{};
  }
  take({&macro}, sizeof(spec::DefaultClass));
  if (!classes_.emplace(copy.name, static_cast<int>(spec.classes.size())).second) {
    report.error({&macro, "prefix"}, fmt::format("the default class '{}' already exists", copy.name),
                 "use another prefix");
  }
  spec.classes.add(std::move(copy));
}

const spec::DefaultClass& Reader::class_for(const XmlNode& node) {
  const XmlAttribute* wanted = node.attribute("class");
  const int found = wanted ? find_class(wanted->value) : scope.dclass;
  if (found < 0) unknown_class({&node, "class"}, wanted->value);
  return spec.classes[static_cast<std::size_t>(std::max(found, 0))];
}

void Reader::enter_childclass(const XmlNode& node) {
  const XmlAttribute* wanted = node.attribute("childclass");
  if (!wanted) return;
  const int found = find_class(wanted->value);
  if (found < 0) return unknown_class({&node, "childclass"}, wanted->value);
  scope.dclass = found;
}

void Reader::unknown_class(Place place, std::string_view wanted) {
  const auto allowed = names_of(spec.classes, [](const spec::DefaultClass& c) { return std::string_view(c.name); });
  report.error(place, fmt::format("unknown default class '{}'", wanted), suggest(wanted, allowed));
}

namespace {

template <class Begin>
Reading read_model(const std::string& path, const LoadOptions& options, OtherReader other, Begin begin) {
  Reading out;
  Spec& spec = out.spec.emplace();
  spec.directory = std::filesystem::path(path).parent_path().string();
  Report report(options, spec.files);
  Budget budget(options.memory_limit, options.interrupt);
  Document document(spec.files, Files(options.files, options.only_files), report, budget);
  bool stopped = false;
  try {
    Reader::Session session = {
        spec, Files(options.files, options.only_files), {std::filesystem::path(path).lexically_normal().string()}, budget, options, other};
    Reader(spec, report, session).read(begin(document));
  } catch (const Stop&) {
    stopped = true;
  } catch (const Interrupted&) {
    return {std::nullopt, interrupted()};
  } catch (const std::bad_alloc&) {
    return {std::nullopt, out_of_memory()};
  } catch (const std::length_error&) {
    return {std::nullopt, out_of_memory()};
  }
  if (report.failed()) {
    out.error = report.take();
  } else {
    report.hand_over_warnings();
  }
  if (stopped) out.spec.reset();
  return out;
}

}  // namespace

Result<Spec> whole(Reading reading) {
  if (reading.error) return std::move(*reading.error);
  return std::move(*reading.spec);
}

Reading read_file(const std::string& path, const LoadOptions& options, OtherReader other) {
  return read_model(path, options, other,
                    [&](Document& document) -> const XmlNode& { return document.read_file(path); });
}

Reading read_string(std::string_view text, const LoadOptions& options, OtherReader other) {
  return read_model("", options, other,
                    [&](Document& document) -> const XmlNode& { return document.read_text(text, "<string>"); });
}

}  // namespace mjcf

Result<Spec> read_mjcf_file(const std::string& path, const LoadOptions& options) {
  return mjcf::whole(mjcf::read_file(path, options));
}

Result<Spec> read_mjcf_string(std::string_view text, const LoadOptions& options) {
  return mjcf::whole(mjcf::read_string(text, options));
}

}  // namespace sinew
