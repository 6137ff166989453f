#include <pybind11/stl.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include "bind.h"
#include "call.h"
#include "compile/report.h"
#include "loading.h"
#include "objects.h"
#include "plugin.h"
#include "sinew/load.h"
#include "sinew/model_file.h"
#include "spec/references.h"

namespace sinew::python {
namespace {

constexpr FieldInfo kFields[] = {
#define SINEW_FIELD(type, name, rows, cols, doc) {#name, #type, #rows, #cols, doc},
#include "sinew/model_fields.def"
#undef SINEW_FIELD
};

struct Size {
  const char* name;
  FieldSize Model::*member;
  const char* doc;
};
constexpr Size kSizes[] = {
#define SINEW_SIZE(name, doc) {#name, &Model::name, doc},
#include "sinew/model_sizes.def"
#undef SINEW_SIZE
};

/// Python writes there without updating the model's edit counters; require_sound does that.
std::vector<FieldPlace> places(const Model& model) {
  std::vector<FieldPlace> result;
  result.reserve(std::size(kFields));
  model.for_each_field([&](auto, const auto& array, std::int64_t rows, std::int64_t cols, auto) {
    using T = typename std::remove_cvref_t<decltype(array)>::value_type;
    result.push_back({const_cast<T*>(array.data()), rows, cols});
  });
  return result;
}

constexpr py::ssize_t kMostWatched = 1 << 16;  // bytes; larger tables, such as mesh faces, are read-only

/// Whether the engine trusts the numbers of a field: those whose edits are counted in C++, except pixels and
/// characters.
bool is_trusted(const FieldInfo& info) {
  const Number number = info.number();
  if (number == Number::Float64) return is_counted<double>(info.name);
  return (number == Number::Int32 || number == Number::UInt8 || number == Number::Int64) &&
         info.name != std::string_view("tex_data");
}

/// The array of a field. An integer array is watched from now on: see ModelCell.
py::object field_array(PyModel& self, std::size_t field) {
  const bool made = self.views.has(field);
  const py::object object = self.views.get(field);
  if ((*self.watched)[field] || !is_trusted(self.views.info(field))) return object;
  const auto array = py::reinterpret_borrow<py::array>(object);
  if (array.nbytes() > kMostWatched) {
    if (!made) object.attr("setflags")(py::arg("write") = false);
  } else {
    const auto* data = static_cast<const std::byte*>(self.views.place(field).data);
    self.cell->watched.push_back({py::weakref(object), data, {data, data + array.nbytes()}, self.watched, field});
    (*self.watched)[field] = true;
  }
  return object;
}

PyObject* get_field(PyObject* self, void* field) {
  return guarded_get([&] { return field_array(self_of<PyModel>(self), index_of(field)); });
}

int set_field(PyObject* self, PyObject* value, void* field) {
  return guarded_set(value, [&] { assign(field_array(self_of<PyModel>(self), index_of(field)), value); });
}

PyObject* get_size(PyObject* self, void* size) {
  return guarded_get(
      [&] { return py::int_(std::int64_t{self_of<PyModel>(self).model().*kSizes[index_of(size)].member}); });
}

std::vector<Property> properties() {
  std::vector<Property> result;
  for (std::size_t i = 0; i < std::size(kSizes); ++i)
    result.push_back({kSizes[i].name, std::string("number of ") + kSizes[i].doc, get_size, nullptr, closure_of(i)});
  for (std::size_t i = 0; i < std::size(kFields); ++i)
    result.push_back({kFields[i].name, kFields[i].text(), get_field, set_field, closure_of(i)});
  return result;
}

using Files = std::map<std::string, std::string>;

std::string last_part(const std::string& path) {
  const auto slash = path.find_last_of("/\\");
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// Files by the last part of their path, as in MuJoCo's virtual file system.
Files files_of(const py::object& assets) {
  Files files;
  if (assets.is_none()) return files;
  if (!py::isinstance<py::dict>(assets)) throw py::type_error("assets must be a dict of str to bytes");
  for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(assets)) {
    if (!py::isinstance<py::str>(key) || !(py::isinstance<py::bytes>(value) || py::isinstance<py::str>(value)))
      throw py::type_error("assets must be a dict of str to bytes");
    const std::string name = last_part(key.cast<std::string>());
    if (!files.emplace(name, value.cast<std::string>()).second)
      throw py::value_error("Repeated file name (folders are ignored): " + name);
  }
  return files;
}

Files files_of(const py::object& assets, const py::object& vfs) {
  if (vfs.is_none()) return files_of(assets);
  if (!assets.is_none()) throw py::value_error("pass assets or vfs, not both");
  return files_of(vfs.attr("files"));
}

using MemoryLimit = std::optional<std::uint64_t>;

template <class Read>
PyModel from_xml(const Files& files, MemoryLimit memory_limit, const py::object& plugins, Read&& read) {
  const PluginRegistry registry = registry_of(plugins);
  auto spec = load_unlocked(files, memory_limit, read);
  if (!spec) throw_refused("XML Error", spec.error());
  CompileTimes times;
  auto model = load_unlocked(files, memory_limit, [&](const LoadOptions& options) {
    LoadOptions own = options;
    own.plugins = &registry;
    own.times = &times;
    return compile(*spec, own);
  });
  if (!model) throw_refused("Error", model.error(), &*spec);
  report_compile_time(times.total);
  return PyModel(std::move(model).value(), std::make_shared<const Spec>(std::move(spec).value()));
}

PyModel from_xml_string(const std::string& xml, const py::object& assets, const py::object& vfs,
                        MemoryLimit memory_limit, const py::object& plugins) {
  return from_xml(files_of(assets, vfs), memory_limit, plugins,
                  [&](const LoadOptions& options) { return read_model_string(xml, options); });
}

PyModel from_xml_path(const std::string& path, const py::object& assets, const py::object& vfs,
                      MemoryLimit memory_limit, const py::object& plugins) {
  return from_xml(files_of(assets, vfs), memory_limit, plugins,
                  [&](const LoadOptions& options) { return read_model_file(path, options); });
}

Result<Model> model_of(const std::string& bytes, const PluginRegistry* plugins = nullptr) {
  return load_model(std::span(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()),
                    LoadOptions::kDefaultMemoryLimit, plugins);
}

PyModel from_binary_path(const std::string& path, const py::object& assets, const py::object& vfs,
                         const py::object& plugins) {
  const Files files = files_of(assets, vfs);
  const auto file = files.find(last_part(path));
  std::string bytes;
  if (file != files.end()) {
    bytes = file->second;
  } else {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw py::value_error("cannot read model file '" + path + "'");
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const PluginRegistry registry = registry_of(plugins);
  auto model = model_of(bytes, &registry);
  if (!model) throw py::value_error("not a model saved by sinew: " + model.error().text());
  return PyModel(std::move(model).value());
}

constexpr char kPickleVersion = 1;

py::bytes to_bytes(const PyModel& model) {
  const std::vector<std::byte> bytes = save_model(model.model());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

PyModel from_state(const std::string& state) {
  if (state.empty() || state[0] != kPickleVersion)
    throw py::value_error("the model was saved by another version of sinew");
  auto model = model_of(state.substr(1));
  if (!model) throw py::value_error("the saved model is damaged: " + model.error().text());
  return PyModel(std::move(model).value());
}

/// The object, made on first access.
template <class Make>
py::object kept(py::object& object, Make&& make) {
  if (!object) object = py::cast(make());
  return object;
}

void bind_members(py::class_<PyModel>& type) {
  type.def_property(
      "opt", [](PyModel& m) { return kept(m.opt, [&] { return PyOption(m.cell, &m.model().opt); }); },
      [](PyModel& m, const PyOption& value) {
        std::memcpy(static_cast<void*>(&m.model().opt), value.at, sizeof(Option));
      },
      "Physics options, live.");
  type.def_property(
      "stat", [](PyModel& m) { return kept(m.stat, [&] { return PyStatistic(m.cell, &m.model().stat); }); },
      [](PyModel& m, const PyStatistic& value) {
        std::memcpy(static_cast<void*>(&m.model().stat), value.at, sizeof(Statistic));
      },
      "Scales of the model, live.");
  type.def_property(
      "vis", [](PyModel& m) { return kept(m.vis, [&] { return PyVisual(m.cell, m.model().vis); }); },
      [](PyModel& m, const PyVisual& value) { m.model().vis = *value.visual; }, "Visualization settings, live.");
  const auto flag = [&](const char* name, bool Model::*member, const char* doc) {
    type.def_property(
        name, [member](const PyModel& m) { return m.model().*member; },
        [member](PyModel& m, bool value) { m.model().*member = value; }, doc);
  };
  flag("flg_gravcomp", &Model::flg_gravcomp, "some body has gravity compensation");
  type.def_property_readonly(
      "ngravcomp", [](const PyModel& m) { return m.model().flg_gravcomp ? 1 : 0; }, "the old name of flg_gravcomp");
  type.def_property_readonly("_address", [](const PyModel& m) { return reinterpret_cast<std::uintptr_t>(&m.model()); });
  flag("flg_surfacevel", &Model::flg_surfacevel, "some geom has a surface velocity");
  flag("flg_adhesion", &Model::flg_adhesion, "some geom or pair is adhesive");
  type.def_property_readonly(
      "nbuffer", [](const PyModel& m) { return m.model().bytes(); }, "bytes of all arrays");
  type.def_property_readonly(
      "narena", [](const PyModel&) { return 0; }, "0: there is no fixed-size arena");
  type.def_property_readonly("_modelname", [](const PyModel& m) { return m.model().modelname; });
  type.def_property_readonly("_named", [](const PyModel& m) { return m.named; });
  // the same model as another object, for views by name: avoids a reference cycle
  type.def("_alias", [](const PyModel& m) { return PyModel(m.cell); });
}

/// The function that asked for compile times; never destroyed: the interpreter may already have been finalized.
py::object& time_listener() {
  static auto* listener = new py::object(py::none());
  return *listener;
}

}  // namespace

void report_compile_time(double seconds) {
  if (const py::object listener = time_listener(); !listener.is_none()) listener(seconds);
}

py::object absent_array(const FieldInfo& info, const Model& model) {
  if (info.number() == Number::Char) return py::bytes();
  std::int64_t rows = 0;
  for (const Size& size : kSizes)
    if (std::strcmp(size.name, info.rows) == 0) rows = model.*size.member;
  std::vector<py::ssize_t> shape = {rows};
  if (!info.one_column()) shape.push_back(std::atoi(info.cols));
  const py::object numpy = py::module_::import("numpy");
  // ids of missing objects are -1
  const int fill = info.number() == Number::Int32 ? -1 : 0;
  py::array array = numpy.attr("full")(shape, fill, dtype_of(info.number()));
  if (array.size() > 0) array.attr("setflags")(py::arg("write") = false);
  return array;
}

namespace {

/// The index of the element of a problem among those of its kind; -1 if it is not an element of a kind.
int id_of(const Problem& problem, const Spec& spec) {
  const auto has_many_names = [](ObjType kind) {  // <motor>, <framepos>, <weld>, <spatial> …
    return kind == ObjType::Actuator || kind == ObjType::Sensor || kind == ObjType::Equality || kind == ObjType::Tendon;
  };
  int found = -1;
  std::map<ObjType, int> count{{ObjType::Body, 1}};  // after the world
  const auto look = [&](ObjType kind, const spec::Element& element) {
    const int id = count[kind]++;
    if (found >= 0 || element.name != problem.name || element.origin.line != problem.line) return;
    if (has_many_names(kind) || compiling::element_name(kind) == problem.element) found = id;
  };
  mjcf::for_each_below(spec.world, look);
  mjcf::for_each_list(spec, [&](ObjType kind, const auto& list) {
    for (const auto& element : list) look(kind, element);
  });
  return found;
}

}  // namespace

void throw_refused(const char* kind, const Error& error, const Spec* spec) {
  const Problem& problem = error.first();
  const std::string whole = error.text();  // file:line: error: <element>: message (hint), for every problem
  const std::size_t start = problem.element.empty() ? std::string::npos : whole.find(": " + problem.message);
  if (start == std::string::npos) throw py::value_error(std::string(kind) + ": " + whole);
  const std::size_t end = std::min(whole.find('\n', start), whole.size());
  std::string text = std::string(kind) + whole.substr(start, end - start);
  const int id = spec ? id_of(problem, *spec) : -1;
  const bool named = id >= 0 || !problem.name.empty();
  text += named ? "\nElement name '" + problem.name + "'" : "\nElement '" + problem.element + "'";
  if (id >= 0) text += ", id " + std::to_string(id);
  if (problem.line > 0) text += ", line " + std::to_string(problem.line);
  throw py::value_error(text + "\n" + whole.substr(0, start) + whole.substr(end));
}

PyModel::PyModel(Model&& model, std::shared_ptr<const Spec> source)
    : PyModel(std::make_shared<ModelCell>(std::move(model), std::move(source))) {}
PyModel::PyModel(std::shared_ptr<ModelCell> shared)
    : cell(std::move(shared)),
      views(kFields, places(cell->model), cell),
      watched(std::make_shared<std::vector<bool>>(std::size(kFields))) {}

void bind_model(py::module_& module) {
  py::class_<PyModel> type(module, "MjModel", "A compiled model: the constants of a simulation.");
  add_properties(type, properties());
  bind_members(type);
  const auto load = [&](const char* name, auto function, const char* first, const char* doc, auto... more) {
    type.def_static(name, function, py::arg(first), py::arg("assets") = py::none(), py::arg("vfs") = py::none(),
                    more..., doc);
  };
  const py::arg_v limit = py::arg("memory_limit") = py::none();
  const py::arg_v plugins = py::arg("plugins") = py::none();
  load("from_xml_string", &from_xml_string, "xml",
       "Reads and compiles MJCF text; assets: file names to bytes; memory_limit: in bytes (default 4 GiB); plugins: a "
       "list of sinew.Plugin objects.",
       py::kw_only(), limit, plugins);
  load("from_xml_path", &from_xml_path, "filename",
       "Reads and compiles an MJCF file; assets take precedence over the disk; memory_limit: in bytes (default 4 GiB); "
       "plugins: a list of sinew.Plugin objects.",
       py::kw_only(), limit, plugins);
  load("from_binary_path", &from_binary_path, "filename", "Reads a model written by mj_saveModel.", py::kw_only(),
       plugins);
  const auto copy = [](const PyModel& m) {
    require_sound(*m.cell);
    return PyModel(std::make_shared<ModelCell>(Model(m.model()), m.cell->source));
  };
  type.def("__copy__", copy);
  type.def("__deepcopy__", [copy](const PyModel& m, py::handle) { return copy(m); });
  type.def(
      py::pickle([](const PyModel& m) { return py::bytes(std::string(1, kPickleVersion) + std::string(to_bytes(m))); },
                 [](const py::bytes& state) { return from_state(state); }));
  type.def("_to_bytes", &to_bytes);
  type.def("__repr__", [](const PyModel& m) {
    const Model& x = m.model();
    return "<MjModel '" + x.modelname + "': " + std::to_string(x.nbody) + " bodies, " + std::to_string(x.njnt) +
           " joints, " + std::to_string(x.ngeom) + " geoms, nq=" + std::to_string(x.nq) +
           " nv=" + std::to_string(x.nv) + " nu=" + std::to_string(x.nu) + ">";
  });
  module.def("_report_compile_time", [](py::object listener) { time_listener() = std::move(listener); });
  module.attr("_model_fields") = table_as_tuples(kFields);
  py::list sizes;
  for (const Size& size : kSizes) sizes.append(py::make_tuple(size.name, size.doc));
  module.attr("_model_sizes") = py::tuple(sizes);
}

}  // namespace sinew::python
