#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <map>

#include "bind.h"
#include "compile/objects.h"
#include "compile/orientation.h"
#include "loading.h"
#include "model/sensor_kinds.h"
#include "objects.h"
#include "plugin.h"
#include "sinew/edit.h"
#include "sinew/load.h"
#include "sinew/urdf.h"
#include "sinew/write.h"
#include "spec/actuator_shortcuts.h"
#include "spec/asset_path.h"
#include "spec/references.h"
#include "spec_attach.h"
#include "spec_extras.h"
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

template <class T>
T one_of(const py::dict& words, const char* name, const std::map<std::string, T>& values) {
  const auto word = words[name].cast<std::string>();
  if (const auto found = values.find(word); found != values.end()) return found->second;
  std::string allowed;
  for (const auto& [key, value] : values) allowed += (allowed.empty() ? "'" : ", '") + key + "'";
  throw py::value_error(fmt::format("{} is '{}', must be one of {}", name, word, allowed));
}

UrdfOptions urdf_options(const py::dict& words) {
  using Base = UrdfOptions::Base;
  using Actuators = UrdfOptions::Actuators;
  UrdfOptions out;
  out.packages = words["packages"].cast<std::map<std::string, std::string>>();
  out.package_folders = words["package_folders"].cast<std::vector<std::string>>();
  out.base = one_of<Base>(words, "base",
                          {{"as_written", Base::AsWritten}, {"fixed", Base::Fixed}, {"floating", Base::Floating}});
  out.actuators = one_of<Actuators>(
      words, "actuators", {{"none", Actuators::None}, {"motor", Actuators::Motor}, {"position", Actuators::Position}});
  out.kp = words["kp"].cast<double>();
  out.kv = words["kv"].cast<double>();
  out.keep_fixed = words["keep_fixed"].cast<bool>();
  out.visuals = words["visuals"].cast<bool>();
  out.frames = words["frames"].cast<bool>();
  out.strict = words["strict"].cast<bool>();
  return out;
}

/// A setting by name, the world, or the main class.
NodePtr setting(const std::shared_ptr<SpecCell>& cell, const std::string& name) {
  Spec& spec = cell->spec;
  const Kind kind = kind_of(name);
  const auto node = [&](void* object) { return setting_node(cell, kind, object); };
  switch (kind) {
    case Kind::Body: return world_node(cell);
    case Kind::Default: return class_node(cell, 0);
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

/// In-memory files by name; later ones take precedence.
void add_files(const py::handle& files, Files& into) {
  for (const auto& [name, content] : files.cast<py::dict>()) {
    if (!py::isinstance<py::str>(name) || !(py::isinstance<py::bytes>(content) || py::isinstance<py::str>(content)))
      throw py::type_error("files in memory must be a dict of str to bytes");
    into[name.cast<std::string>()] = content.cast<std::string>();
  }
}

std::shared_ptr<const Spec> settled_copy(const SpecCell& cell) {
  const auto copy = std::make_shared<Spec>(cell.spec);
  settle_inertials(*copy);
  return copy;
}

std::unique_ptr<PyModel> compile_copy(SpecCell& cell, const py::object& vfs, std::optional<std::uint64_t> memory_limit,
                                      const py::object& plugins) {
  if (cell.is_attached)
    throw py::value_error("Error: this MjSpec was attached by reference to another one: compile that one");
  for (const auto& [address, weak] : cell.nodes)
    if (const NodePtr node = weak.lock()) node->check_written();
  Files files = cell.files();
  if (!vfs.is_none()) add_files(vfs, files);
  const auto copy = settled_copy(cell);  // another Python thread may edit the tree concurrently
  const PluginRegistry registry = registry_of(plugins);
  CompileTimes times;
  std::vector<Problem> warnings;
  Result<Model> model = load_unlocked(files, memory_limit, [&](LoadOptions options) {
    options.times = &times;
    options.plugins = &registry;
    options.warnings = &warnings;
    return compile(*copy, options);
  });
  if (!model) throw_refused("Error", model.error(), copy.get());
  report_compile_time(times.total);
  cell.timer = {times.total, times.assets, times.textures, times.meshes};
  for (const Problem& warning : warnings)
    if (PyErr_WarnEx(PyExc_UserWarning, warning.text().c_str(), 1) != 0) throw py::error_already_set();
  return std::make_unique<PyModel>(std::move(model).value(), copy);
}

std::pair<py::object, py::object> recompile(SpecCell& cell, PyData& data, const py::object& vfs,
                                            const py::object& plugins) {
  py::object model = py::cast(compile_copy(cell, vfs, std::nullopt, plugins));
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
  spec.classes.add(std::move(added));
  return class_node(cell, spec.classes.size() - 1);
}

/// A frame in the body of a site, with its pose.
NodePtr frame_at_site(const Node& node) {
  const spec::Site& site = node.as<spec::Site>();
  if (!node.parent()) throw py::value_error("the site of a default class has no body");
  spec::List<spec::Frame>& frames = node.parent()->body().frames;
  spec::Frame& frame = frames.add();
  frame.pos = site.pos;
  frame.quat = site.quat;
  frame.alt = site.alt;
  frame.frame = site.frame;
  frame.origin = site.origin;
  return node.cell()->node(Kind::Frame, frames.share(frames.size() - 1), node.parent(), &frame);
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

/// Numbers that a sensor measures, as far as the tree tells.
int sensor_size(const Node& node) {
  const auto& sensor = node.as<spec::Sensor>();
  const Spec& spec = node.cell()->spec;
  const int dim = sensor_kind(sensor.type).dim;
  if (dim >= 0) return dim;
  if (dim == kByContactData) return sensor.intprm[2] * compiling::selected_numbers(sensor);
  if (dim == kByUser) return sensor.dim;
  if (dim != kByRangeData) throw py::value_error(node.title() + ": its size is known when the model is compiled");
  int rays = 1;
  if (sensor.objtype == ObjType::Camera) {
    const auto* camera = find<spec::Camera>(spec, sensor.objname);
    rays = camera ? camera->resolution[0] * camera->resolution[1] : 0;
  }
  return rays * compiling::selected_numbers(sensor);
}

void bind_node(py::class_<Node, NodePtr>& node) {
  node.def("sensor_size", &sensor_size);
  node.def_property(
      "pixels",
      [](const Node& n) {
        const auto& data = n.as<spec::Texture>().data;
        return py::bytes(reinterpret_cast<const char*>(data.data()), data.size());
      },
      [](const Node& n, const py::bytes& content) {
        const std::string_view view = content;
        const auto* first = reinterpret_cast<const std::byte*>(view.data());
        n.as<spec::Texture>().data.assign(first, first + view.size());
      });
  node.def_property_readonly("kind", [](const Node& n) { return std::string(info(n.kind()).name); });
  node.def_property_readonly("alive", &Node::alive);
  node.def_property_readonly("parent", &Node::parent);
  node.def_property_readonly("address", [](const Node& n) { return reinterpret_cast<std::uintptr_t>(n.address()); });
  node.def_property_readonly("tree", &Node::cell);
  node.def("title", &Node::title);
  node.def("get", [](Node& n, const std::string& name) { return n.get(n.row(name)); });
  node.def("set", [](Node& n, const std::string& name, py::handle value) { n.set(n.row(name), value); });
  node.def("names", &Node::names);
  node.def("get_at", [](Node& n, std::size_t row) { return n.get(info(n.kind()).attributes.at(row)); });
  node.def("set_at",
           [](Node& n, std::size_t row, py::handle value) { n.set(info(n.kind()).attributes.at(row), value); });
  node.def_property("name", &Node::name, &Node::set_name);
  node.def_readwrite("wrapper", &Node::wrapper);
  node.def("compiler", &Node::compiler);
  node.def("to_frame", &Node::to_frame);
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
      throw py::value_error(
          fmt::format("textures must have exactly {} elements, got {}", textures.size(), names.size()));
    std::ranges::copy(names, textures.begin());
  });
}

/// The structure of a tree as a number: how many elements of each kind each body has, and how the bodies are nested.
std::uint64_t signature_of(const Spec& spec) {
  std::uint64_t hash = 1469598103934665603u;  // FNV-1a
  const auto mix = [&](std::size_t number) { hash = (hash ^ number) * 1099511628211u; };
  const auto mix_body = [&](const spec::Body& body) {
    mjcf::for_each_own_list([&](ObjType, const auto& list) { mix(list.size()); }, body);
    for (const spec::Joint& joint : body.joints) mix(static_cast<std::size_t>(joint.type));
  };
  mix_body(spec.world);
  mjcf::for_each_below(spec.world, [&](ObjType, const auto& element) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(element)>, spec::Body>) mix_body(element);
  });
  mjcf::for_each_list(spec, [&](ObjType, const auto& list) { mix(list.size()); });
  return hash;
}

/// Name and storage of the attributes of a kind, in the order of the table.
py::list fields_of(const std::string& kind) {
  py::list out;
  for (const SpecAttribute& row : info(kind_of(kind)).attributes) {
    const bool live = row.attribute.locate != nullptr;
    const bool list = row.attribute.most != 1 &&
                      (row.attribute.type == mjcf::ValueType::Real || row.attribute.type == mjcf::ValueType::Integer);
    out.append(py::make_tuple(row.name, row.mjcf, list, live));
  }
  return out;
}

/// The quaternion of an orientation given in another form: mjtOrientation and its numbers.
std::array<double, 4> resolve_orientation(bool degree, const std::string& sequence, int form,
                                          const std::vector<double>& numbers) {
  if (sequence.size() != 3) throw py::value_error("the sequence of Euler angles must have three letters");
  spec::Orientation alternative;
  alternative.kind = static_cast<spec::Orientation::Kind>(form);
  std::copy_n(numbers.begin(), std::min(numbers.size(), alternative.value.size()), alternative.value.begin());
  Spec spec;
  spec.compiler.degree = degree;
  spec.compiler.eulerseq = sequence;
  const LoadOptions options;
  Problems problems;
  compiling::Context context(spec, options, problems);
  const auto quat = compiling::resolve_orientation(context, {}, {1, 0, 0, 0}, alternative);
  if (problems.failed()) throw py::value_error(Error(problems.take()).first().message);
  return {quat.w, quat.x, quat.y, quat.z};
}

}  // namespace

void bind_spec(py::module_& module) {
  module.def("_resolve_orientation", &resolve_orientation);
  module.def("_spec_fields", &fields_of);
  module.def("_model_signature", [](const PyModel& model) {
    return model.cell->source ? py::cast(signature_of(*model.cell->source)) : py::none();
  });
  py::class_<SpecCell, std::shared_ptr<SpecCell>> spec(module, "_SpecTree", "The tree behind sinew.MjSpec.");
  py::class_<Node, NodePtr> node(module, "_SpecNode", "An element, a setting or a default class of a tree.");
  bind_node(node);
  bind_spec_extras(node);
  spec.def(py::init([] { return std::make_shared<SpecCell>(Spec()); }));
  using MemoryLimit = std::optional<std::uint64_t>;
  spec.def_static("from_string", [](const std::string& xml, const py::dict& given, MemoryLimit memory_limit) {
    Files files;
    add_files(given, files);
    return make_cell(load_unlocked(files, memory_limit,
                                   [&](const LoadOptions& options) { return read_model_string(xml, options); }));
  });
  spec.def_static("from_file", [](const std::string& path, const py::dict& given, MemoryLimit memory_limit) {
    Files files;
    add_files(given, files);
    return make_cell(
        load_unlocked(files, memory_limit, [&](const LoadOptions& options) { return read_model_file(path, options); }));
  });
  spec.def_static("from_urdf",
                  [](const std::string& path, const py::dict& given, MemoryLimit memory_limit, const py::dict& words) {
                    Files files;
                    add_files(given, files);
                    const UrdfOptions urdf = urdf_options(words);
                    std::vector<Problem> warnings;
                    auto cell = make_cell(load_unlocked(files, memory_limit, [&](const LoadOptions& options) {
                      LoadOptions reporting = options;
                      reporting.warnings = &warnings;
                      return read_urdf_file(path, urdf, reporting);
                    }));
                    std::vector<std::string> texts;
                    for (const Problem& warning : warnings) texts.push_back(warning.text());
                    return std::pair(cell, texts);
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
  spec.def("to_xml", [](const SpecCell& cell) {
    const Files files = cell.files();
    return checked(write_mjcf(*settled_copy(cell), {.files = &files, .like_mujoco = true}));
  });
  spec.def("to_file", [](const SpecCell& cell, const std::string& path) {
    const Files files = cell.files();
    checked(write_mjcf_file(*settled_copy(cell), path, {.files = &files, .like_mujoco = true}));
  });
  spec.def("files", &files_of);
  spec.def("setting", &setting);
  spec.def("find", [](const std::shared_ptr<SpecCell>& cell, const std::string& kind, const std::string& name) {
    return find_node(cell, kind_of(kind), name);
  });
  spec.def_property_readonly("signature", [](const SpecCell& cell) { return signature_of(cell.spec); });
  spec.def_readonly("timer", &SpecCell::timer);
  spec.def("authored", [](const SpecCell& cell) { return cell.spec.authored; });
  spec.def_property(
      "comment", [](const SpecCell& cell) { return cell.spec.comment; },
      [](SpecCell& cell, const std::string& text) { cell.spec.comment = text; });
  spec.def_property_readonly("parent", [](const SpecCell& cell) { return cell.parent.lock(); });
  spec.def_readwrite("override_assets", &SpecCell::override_assets);
  spec.def_readonly("is_attached", &SpecCell::is_attached);
  spec.def_property_readonly("address",
                             [](const SpecCell& cell) { return reinterpret_cast<std::uintptr_t>(&cell.spec); });
  spec.def("list", [](const std::shared_ptr<SpecCell>& cell, const std::string& kind) {
    return all_nodes(cell, kind_of(kind));
  });
  spec.def("add", [](const std::shared_ptr<SpecCell>& cell, const std::string& kind, const Node* dclass) {
    return add_root(cell, kind_of(kind), dclass);
  });
  spec.def("activate_plugin", [](SpecCell& cell, const std::string& name) {
    if (name.empty()) throw py::value_error("a plugin has a name");
    if (mjcf::activates(cell.spec, name)) return;
    spec::Plugin plugin;
    plugin.name = name;
    cell.spec.plugins.add(std::move(plugin));
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
