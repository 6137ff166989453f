#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <map>

#include "bind.h"
#include "spec/asset_path.h"
#include "loading.h"
#include "objects.h"
#include "sinew/edit.h"
#include "sinew/load.h"
#include "sinew/write.h"
#include "spec/actuator_shortcuts.h"
#include "spec_attach.h"
#include "spec_value.h"

// The compiled part of sinew/spec.py: trees and their nodes. The user-facing classes are defined there.

namespace sinew::python {
namespace {

using Files = std::map<std::string, std::string>;

template <class T>
T checked(Result<T> result) {
  if (!result) throw py::value_error(result.error().text());
  return std::move(result).value();
}

std::shared_ptr<SpecCell> make_cell(Result<Spec> result) {
  if (!result) throw_refused("XML Error", result.error());
  return std::make_shared<SpecCell>(std::move(result).value());
}

/// A setting by name, the world, or the main class.
NodePtr setting(const std::shared_ptr<SpecCell>& cell, const std::string& name) {
  Spec& spec = cell->spec;
  const Kind kind = kind_of(name);
  const auto node = [&](void* object) { return std::make_shared<Node>(cell, kind, object); };
  switch (kind) {
    case Kind::Body: return world_node(cell);
    case Kind::Default: return root_node(cell, kind, &spec.classes[0]);
    case Kind::Compiler: return node(&spec.compiler);
    case Kind::LengthRange: return node(&spec.compiler.lengthrange);
    case Kind::Option: return node(&spec.option);
    case Kind::Size: return node(&spec.size);
    case Kind::Statistic: return node(&spec.statistic);
    case Kind::VisualGlobal: return node(&spec.visual.global_);
    case Kind::VisualQuality: return node(&spec.visual.quality);
    case Kind::VisualHeadlight: return node(&spec.visual.headlight);
    case Kind::VisualMap: return node(&spec.visual.map);
    case Kind::VisualScale: return node(&spec.visual.scale);
    case Kind::VisualRgba: return node(&spec.visual.rgba);
    default: throw py::value_error(name + " is not a setting");
  }
}

std::unique_ptr<PyModel> compile_copy(const SpecCell& cell, std::optional<std::uint64_t> memory_limit) {
  if (cell.is_attached)
    throw py::value_error("Error: this MjSpec was attached by reference to another one: compile that one");
  const auto files = cell.assets.cast<Files>();
  const auto copy = std::make_shared<const Spec>(cell.spec);  // another Python thread may edit the tree concurrently
  Result<Model> model =
      load_unlocked(files, memory_limit, [&](const LoadOptions& options) { return compile(*copy, options); });
  if (!model) throw_refused("Error", model.error());
  return std::make_unique<PyModel>(std::move(model).value(), copy);
}

std::pair<py::object, py::object> recompile(const SpecCell& cell, PyData& data) {
  py::object model = py::cast(compile_copy(cell, std::nullopt));
  auto next = std::make_unique<PyData>(model);
  {
    const Hold hold(*data.cell);
    carry_state(data.data(), next->data());
  }
  return {model, py::cast(std::move(next))};
}

/// The files that a tree was read from and those of its assets, whether they exist or not.
std::vector<std::string> files_of(const SpecCell& cell) {
  const Spec& spec = cell.spec;
  std::vector<std::string> out;
  for (const Spec::File& file : spec.files) out.push_back(file.path);
  const auto add = [&](AssetKind kind, const std::string& file, const spec::Element& element) {
    if (!file.empty()) out.push_back(asset_path(spec, sinew::Files(nullptr), {kind, file, element.origin}));
  };
  for (const spec::Mesh& mesh : spec.meshes) add(AssetKind::Mesh, mesh.file, mesh);
  for (const spec::Hfield& field : spec.hfields) add(AssetKind::Mesh, field.file, field);
  for (const spec::Texture& texture : spec.textures) {
    add(AssetKind::Texture, texture.file, texture);
    for (const std::string& side : texture.cubefiles) add(AssetKind::Texture, side, texture);
  }
  std::ranges::sort(out);
  const auto repeated = std::ranges::unique(out);
  out.erase(repeated.begin(), repeated.end());
  return out;
}

NodePtr add_class(const std::shared_ptr<SpecCell>& cell, const std::string& name, const Node* parent) {
  Spec& spec = cell->spec;
  int place = 0;
  for (std::size_t i = 0; i < spec.classes.size(); ++i) {
    if (spec.classes[i].name == name) throw py::value_error("the default class '" + name + "' already exists");
    if (parent && parent->address() == &spec.classes[i]) place = static_cast<int>(i);
  }
  if (name.empty()) throw py::value_error("a default class needs a name");
  spec::DefaultClass added = spec.classes[static_cast<std::size_t>(place)];
  added.name = name;
  added.parent = place;
  added.origin = {};
  return root_node(cell, Kind::Default, &spec.classes.add(std::move(added)));
}

/// A frame in the body of a site, with its pose.
NodePtr frame_at_site(const Node& node) {
  const spec::Site& site = node.as<spec::Site>();
  if (!node.parent()) throw py::value_error("the site of a default class has no body");
  spec::Frame& frame = node.parent()->body().frames.add();
  frame.pos = site.pos;
  frame.quat = site.quat;
  frame.alt = site.alt;
  frame.frame = site.frame;
  frame.origin = site.origin;
  return std::make_shared<Node>(node.cell(), Kind::Frame, &frame, node.parent());
}

/// Sets an actuator to one of MJCF's shortcuts, from the attributes of that shortcut.
void set_shortcut(Node& node, const std::string& name, const py::dict& words) {
  const mjcf::Element* element = mjcf::schema().root().child("actuator")->child(name);
  if (!element || !element->read) throw py::value_error("there is no actuator called '" + name + "'");
  auto& actuator = node.as<spec::Actuator>();
  mjcf::ActuatorWords values(actuator);
  for (const auto& [key, value] : words) {
    const auto word = key.cast<std::string>();
    const mjcf::Attribute* row = element->attribute(word);
    if (!row) throw py::type_error(fmt::format("a {} actuator has no '{}'", name, word));
    if (const mjcf::Outcome bad = row->read(&values, to_text(*row, value), *row))
      throw py::value_error(fmt::format("{}: {}: {}", node.title(), word, bad->message));
  }
  if (const mjcf::Outcome bad = mjcf::apply_shortcut(static_cast<mjcf::Shortcut>(element->tag), values))
    throw py::value_error(fmt::format("{}: {}", node.title(), bad->message));
  actuator = values;
}

std::vector<std::tuple<int, std::string, std::string, double>> path_of(const Node& node) {
  std::vector<std::tuple<int, std::string, std::string, double>> out;
  for (const spec::Wrap& wrap : node.as<spec::Tendon>().path)
    out.emplace_back(static_cast<int>(wrap.type), wrap.target, wrap.sidesite, wrap.prm);
  return out;
}

void add_wrap(Node& node, int type, const std::string& target, const std::string& sidesite, double prm) {
  auto& tendon = node.as<spec::Tendon>();
  const auto kind = static_cast<WrapType>(type);
  const bool fixed = kind == WrapType::Joint;
  if (!tendon.path.empty() && tendon.spatial == fixed)
    throw py::value_error(node.title() + ": a fixed tendon wraps joints only, a spatial one everything else");
  tendon.spatial = !fixed;
  tendon.path.push_back({{}, kind, target, sidesite, prm});
}

std::vector<std::tuple<int, std::string, double>> items_of(const Node& node) {
  std::vector<std::tuple<int, std::string, double>> out;
  for (const spec::Tuple::Item& item : node.as<spec::Tuple>().items)
    out.emplace_back(static_cast<int>(item.objtype), item.objname, item.prm);
  return out;
}

void set_items(Node& node, const std::vector<std::tuple<int, std::string, double>>& items) {
  auto& tuple = node.as<spec::Tuple>();
  tuple.items.clear();
  for (const auto& [type, name, prm] : items) tuple.items.push_back({{}, static_cast<ObjType>(type), name, prm});
}

void bind_node(py::class_<Node, NodePtr>& node) {
  node.def_property_readonly("kind", [](const Node& n) { return std::string(info(n.kind()).name); });
  node.def_property_readonly("alive", &Node::alive);
  node.def_property_readonly("parent", &Node::parent);
  node.def_property_readonly("address", [](const Node& n) { return reinterpret_cast<std::uintptr_t>(n.address()); });
  node.def_property_readonly("tree", &Node::cell);
  node.def("title", &Node::title);
  node.def("get", &Node::get);
  node.def("set", &Node::set);
  node.def("names", &Node::names);
  node.def("children", [](Node& n, const std::string& kind) { return n.children(kind_of(kind)); });
  node.def("below", [](Node& n, const std::string& kind) { return n.below(kind_of(kind)); });
  node.def("add", [](Node& n, const std::string& kind, const Node* dclass, const Node* frame) {
    return n.add(kind_of(kind), dclass, frame);
  });
  node.def("frame", &Node::frame);
  node.def("set_frame", &Node::set_frame, py::arg("frame").none(true));
  node.def("add_freejoint", &Node::add_freejoint);
  node.def("discard", &Node::discard);
  node.def("remove", &Node::remove);
  node.def_property("class_name", &Node::class_name, &Node::set_class_name);
  node.def("record", [](Node& n, const std::string& kind) { return n.record(kind_of(kind)); });
  node.def("attach", &attach_part, py::arg("part").none(true), py::arg("source"), py::arg("prefix"), py::arg("suffix"));
  node.def("frame_at_site", &frame_at_site);
  node.def("set_shortcut", &set_shortcut);
  node.def("path", &path_of);
  node.def("add_wrap", &add_wrap);
  node.def("items", &items_of);
  node.def("set_items", &set_items);
  node.def("textures", [](const Node& n) {
    const auto& names = n.as<spec::Material>().textures;
    return std::vector<std::string>(names.begin(), names.end());
  });
  node.def("set_textures", [](Node& n, const std::vector<std::string>& names) {
    auto& textures = n.as<spec::Material>().textures;
    if (names.size() != textures.size())
      throw py::value_error(fmt::format("a material has {} texture roles, not {}", textures.size(), names.size()));
    std::ranges::copy(names, textures.begin());
  });
}

}  // namespace

void bind_spec(py::module_& module) {
  py::class_<SpecCell, std::shared_ptr<SpecCell>> spec(module, "_SpecTree", "The tree behind sinew.MjSpec.");
  py::class_<Node, NodePtr> node(module, "_SpecNode", "An element, a setting or a default class of a tree.");
  bind_node(node);
  spec.def(py::init([] { return std::make_shared<SpecCell>(Spec()); }));
  using MemoryLimit = std::optional<std::uint64_t>;
  spec.def_static("from_string", [](const std::string& xml, const Files& files, MemoryLimit memory_limit) {
    return make_cell(
        load_unlocked(files, memory_limit, [&](const LoadOptions& options) { return read_mjcf_string(xml, options); }));
  });
  spec.def_static("from_file", [](const std::string& path, const Files& files, MemoryLimit memory_limit) {
    return make_cell(
        load_unlocked(files, memory_limit, [&](const LoadOptions& options) { return read_mjcf_file(path, options); }));
  });
  spec.def("copy", [](const SpecCell& cell) {
    auto copy = std::make_shared<SpecCell>(Spec(cell.spec));
    copy->assets = cell.assets.attr("copy")();
    copy->copy_during_attach = cell.copy_during_attach;
    return copy;
  });
  spec.def_readwrite("assets", &SpecCell::assets);
  spec.def_readwrite("copy_during_attach", &SpecCell::copy_during_attach);
  spec.def("compile", &compile_copy);
  spec.def("recompile", &recompile);
  spec.def("to_xml", [](const SpecCell& cell) { return checked(write_mjcf(cell.spec)); });
  spec.def("to_file", [](const SpecCell& cell, const std::string& path) { checked(write_mjcf_file(cell.spec, path)); });
  spec.def("files", &files_of);
  spec.def("setting", &setting);
  spec.def("list", [](const std::shared_ptr<SpecCell>& cell, const std::string& kind) {
    return all_nodes(cell, kind_of(kind));
  });
  spec.def("add", [](const std::shared_ptr<SpecCell>& cell, const std::string& kind, const Node* dclass) {
    return add_root(cell, kind_of(kind), dclass);
  });
  spec.def("add_class", &add_class, py::arg("name"), py::arg("parent").none(true));
  spec.def_property(
      "modelname", [](const SpecCell& cell) { return cell.spec.modelname; },
      [](SpecCell& cell, const std::string& name) { cell.spec.modelname = name; });
  spec.def_property(
      "directory", [](const SpecCell& cell) { return cell.spec.directory; },
      [](SpecCell& cell, const std::string& path) { cell.spec.directory = path; });
}

}  // namespace sinew::python
