// Names, states, keyframes, histories, saving and other queries of a model.

#include <cstring>

#include "args.h"
#include "bind.h"
#include "call.h"
#include "compile/constants.h"
#include "compile/length_range.h"
#include "dynamics/history.h"
#include "sinew/load.h"
#include "sinew/model_file.h"
#include "sinew/state.h"
#include "sinew/version.h"
#include "sinew/write.h"
#include "spec/schema.h"

namespace sinew::python {
namespace {

constexpr int kStateBits = 14;     // mjNSTATE
constexpr int kVersion = 3012000;  // mjVERSION_HEADER of the compatible MuJoCo

[[noreturn]] void fail(const std::string& text) { throw Exception(Error::message(text)); }

/// The parts of the state supported by the engine.
int parts(const char* function, int sig) {
  if (sig < 0) fail(std::string(function) + ": invalid state signature " + std::to_string(sig) + " < 0");
  if (sig >= 1 << kStateBits)
    fail(std::string(function) + ": invalid state signature " + std::to_string(sig) + " >= 2^mjNSTATE");
  return sig;
}

constexpr const char* kStateSize = "state size should equal mj_stateSize(m, sig)";

int mj_stateSize(PyModel& m, int sig) { return state_size(m.model(), parts("mj_stateSize", sig)); }

void mj_getState(PyModel& m, PyData& d, const Target& state, int sig) {
  const Look look(m, d);
  const int bits = parts("mj_getState", sig);
  need(state.size == state_size(look.m, bits), kStateSize);
  get_state(look.m, look.d, {state.data, static_cast<std::size_t>(state.size)}, bits);
}

void mj_setState(PyModel& m, PyData& d, const Numbers& state, int sig) {
  Look look(m, d);
  const int bits = parts("mj_setState", sig);
  need(state.size == state_size(look.m, bits), kStateSize);
  set_state(look.m, look.d, {state.data, static_cast<std::size_t>(state.size)}, bits);
}

void bind_states(py::module_& module) {
  // releases name the last argument spec or sig
  for (const char* name : {"sig", "spec"}) {
    module.def("mj_stateSize", &mj_stateSize, py::arg("m"), py::arg(name),
               "Number of values in the given parts of the state (bits of mjtState).");
    module.def("mj_getState", &mj_getState, py::arg("m"), py::arg("d"), py::arg("state"), py::arg(name),
               "Copies the given parts of the state (bits of mjtState) to an array.");
    module.def("mj_setState", &mj_setState, py::arg("m"), py::arg("d"), py::arg("state"), py::arg(name),
               "Sets the given parts of the state (bits of mjtState).");
  }
  module.def(
      "mj_extractState",
      [](PyModel& m, const Numbers& src, int srcsig, const Target& dst, int dstsig) {
        const int from = parts("mj_extractState", srcsig), to = parts("mj_extractState", dstsig);
        if ((from & to) != to) fail("mj_extractState: dstsig has parts of the state that srcsig does not have");
        need_size(src, state_size(m.model(), from), "src", "mj_stateSize(m, srcsig)");
        need_size(dst, state_size(m.model(), to), "dst", "mj_stateSize(m, dstsig)");
        extract_state(m.model(), {src.data, static_cast<std::size_t>(src.size)}, from,
                      {dst.data, static_cast<std::size_t>(dst.size)}, to);
      },
      py::arg("m"), py::arg("src"), py::arg("srcsig"), py::arg("dst"), py::arg("dstsig"), "Extracts parts of a state.");
  module.def(
      "mj_copyState",
      [](PyModel& m, PyData& src, PyData& dst, int sig) {
        const int bits = parts("mj_copyState", sig);
        std::vector<double> state(static_cast<std::size_t>(state_size(m.model(), bits)));
        {
          const Look look(m, src);
          get_state(look.m, look.d, state, bits);
        }
        const Look look(m, dst);
        set_state(look.m, look.d, state, bits);
      },
      py::arg("m"), py::arg("src"), py::arg("dst"), py::arg("sig"), "Copies parts of the state between worlds.");
  module.def(
      "mj_copyData",
      [](PyData& dest, PyModel& m, PyData& src) {
        if (&dest == &src) return;
        auto from = [&] {
          const Look look(m, src);
          return Data(look.d);
        }();
        Call(m, dest)([&](const Model&, Data& d) { copy_world(from, d); });
        dest.cell->timer = src.cell->timer;
      },
      py::arg("dest"), py::arg("m"), py::arg("src"), "Copies a whole world.");
  module.def(
      "mj_setKeyframe",
      [](PyModel& m, PyData& d, int k) {
        const Look look(m, d);
        if (k >= m.model().nkey)
          fail("mj_setKeyframe: index must be smaller than " + std::to_string(m.model().nkey) +
               " (keyframes allocated in model)");
        if (k < 0) fail("mj_setKeyframe: keyframe index cannot be negative");
        set_keyframe(m.model(), look.d, k);
      },
      py::arg("m"), py::arg("d"), py::arg("k"), "Writes the state into a keyframe of the model.");
  module.def(
      "mj_resetCtrl",
      [](PyModel& m, PyData& d) {
        Look look(m, d);
        std::ranges::fill(look.d.ctrl, 0.0);
      },
      py::arg("m"), py::arg("d"), "Sets ctrl to zero.");
}

/// The object types with names; their counts are in the model.
void bind_names(py::module_& module) {
  module.def(
      "mj_name2id",
      [](PyModel& m, int type, const std::string& name) { return sound(m).id(static_cast<ObjType>(type), name); },
      py::arg("m"), py::arg("type"), py::arg("name"), "The id of a named object, or -1.");
  module.def(
      "mj_id2name",
      [](PyModel& m, int type, int id) -> py::object {
        const std::string_view name = sound(m).name(static_cast<ObjType>(type), id);
        if (name.empty()) return py::none();
        return py::str(name.data(), name.size());
      },
      py::arg("m"), py::arg("type"), py::arg("id"), "The name of an object, or None.");
}

int interpolation(int interp, int own) {
  if (interp < -1 || interp > 2) throw py::value_error("interp must be -1 (as in the model), 0, 1 or 2");
  return interp < 0 ? own : interp;
}

void need_index(int id, std::int64_t count, const char* what) {
  if (id < 0 || id >= count) throw py::value_error(std::string(what) + " is not in the model");
}

/// [user, cursor, times(n), values(n dim)]: sets times (if given) and values, oldest first.
void init_history(double* memory, int n, int dim, const MaybeNumbers& times, const Numbers& values) {
  need_size(times, n, "times", "nsample");
  need_size(values, static_cast<py::ssize_t>(n) * dim, "values", "nsample * dim");
  if (times) {
    for (int k = 1; k < n; ++k)
      if (times->data[k] <= times->data[k - 1]) throw py::value_error("times must be increasing");
  } else {
    // the samples keep their times; sort them
    std::vector<double> old(memory + 2, memory + 2 + n);
    std::ranges::sort(old);
    std::ranges::copy(old, memory + 2);
  }
  memory[1] = n - 1;
  if (times) std::copy_n(times->data, n, memory + 2);
  std::copy_n(values.data, n * dim, memory + 2 + n);
}

void bind_histories(py::module_& module) {
  module.def(
      "mj_readCtrl",
      [](PyModel& m, PyData& d, int id, double time, int interp) {
        Look look(m, d);
        need_index(id, look.m.nactuator, "actuator");
        const int own = look.m.actuator_history[2 * id + 1], samples = look.m.actuator_history[2 * id];
        const int way = interpolation(interp, own);
        if (samples == 0) return look.d.ctrl[look.m.actuator_ctrladr[id]];
        std::vector<double> value(static_cast<std::size_t>(look.m.actuator_ctrlnum[id]));
        actuator_history(look.m, look.d, id)
            .read(time - look.m.actuator_delay[id], static_cast<Interp>(way), value.data());
        return value[0];
      },
      py::arg("m"), py::arg("d"), py::arg("id"), py::arg("time"), py::arg("interp"),
      "The delayed control of an actuator at a time.");
  module.def(
      "mj_readSensor",
      [](PyModel& m, PyData& d, int id, double time, const Target& result, int interp) {
        Look look(m, d);
        need_index(id, look.m.nsensor, "sensor");
        need_size(result, look.m.sensor_dim[id], "result", "sensor_dim[id]");
        const int own = look.m.sensor_history[2 * id + 1], samples = look.m.sensor_history[2 * id];
        const int way = interpolation(interp, own);
        if (samples == 0)
          std::copy_n(&look.d.sensordata[look.m.sensor_adr[id]], result.size, result.data);
        else
          sensor_history(look.m, look.d, id)
              .read(time - look.m.sensor_delay[id], static_cast<Interp>(way), result.data);
        return result.owner;
      },
      py::arg("m"), py::arg("d"), py::arg("id"), py::arg("time"), py::arg("result"), py::arg("interp"),
      "The delayed value of a sensor at a time; result is filled and returned.");
  module.def(
      "mj_initCtrlHistory",
      [](PyModel& m, PyData& d, int id, const MaybeNumbers& times, const Numbers& values) {
        Look look(m, d);
        need_index(id, look.m.nactuator, "actuator");
        const int n = look.m.actuator_history[2 * id];
        if (n == 0) fail(fmt::format("mj_initCtrlHistory: actuator {} has no history because it has no delay", id));
        init_history(&look.d.history[look.m.actuator_historyadr[id]], n, look.m.actuator_ctrlnum[id], times, values);
      },
      py::arg("m"), py::arg("d"), py::arg("id"), py::arg("times"), py::arg("values"),
      "Fills an actuator's delay buffer.");
  module.def(
      "mj_initSensorHistory",
      [](PyModel& m, PyData& d, int id, const MaybeNumbers& times, const Numbers& values, double phase) {
        Look look(m, d);
        need_index(id, look.m.nsensor, "sensor");
        const int n = look.m.sensor_history[2 * id];
        if (n == 0)
          fail(fmt::format("mj_initSensorHistory: sensor {} has no history because it has neither delay nor interval",
                           id));
        double* memory = &look.d.history[look.m.sensor_historyadr[id]];
        init_history(memory, n, look.m.sensor_dim[id], times, values);
        memory[0] = phase;
      },
      py::arg("m"), py::arg("d"), py::arg("id"), py::arg("times"), py::arg("values"), py::arg("phase"),
      "Fills a sensor's delay buffer.");
}

void mj_saveModel(PyModel& m, const std::optional<std::string>& filename,
                  const std::optional<Out<std::uint8_t>>& buffer) {
  if (filename) {
    const auto saved = save_model(m.model(), *filename);
    if (!saved) fail("mj_saveModel: " + saved.error().text());
    return;
  }
  if (!buffer) throw py::type_error("mj_saveModel needs a filename or a buffer");
  const auto bytes = save_model(m.model());
  if (static_cast<std::size_t>(buffer->size) < bytes.size())
    fail(fmt::format("mj_saveModel: the model needs {} bytes, the buffer has {}", bytes.size(), buffer->size));
  std::memcpy(buffer->data, bytes.data(), bytes.size());
}

void mj_saveLastXML(const std::string& filename, PyModel& m) {
  if (!m.cell->source) fail("mj_saveLastXML: the model was not compiled from XML");
  const auto written = write_mjcf_file(*m.cell->source, filename);
  if (!written) fail("mj_saveLastXML: " + written.error().text());
}

/// An element with its attributes, its children indented below it; recursive elements, such as body, are not repeated.
void print_element(const mjcf::Element& element, std::vector<const mjcf::Element*>& path, std::string& text) {
  const std::string indent(3 * path.size(), ' ');
  text += indent + std::string(element.name) + (element.times == mjcf::Times::Once ? " (?)" : " (*)");
  for (const mjcf::Attribute& attribute : element.attributes) text += " " + std::string(attribute.name);
  text += "\n";
  path.push_back(&element);
  for (const mjcf::Element* child : element.children)
    if (std::ranges::find(path, child) == path.end()) print_element(*child, path, text);
  path.pop_back();
}

std::string mj_printSchema(bool, bool) {
  std::vector<const mjcf::Element*> path;
  std::string text;
  print_element(mjcf::schema().root(), path, text);
  return text;
}

void bind_files(py::module_& module) {
  module.def("mj_printSchema", &mj_printSchema, py::arg("flg_html"), py::arg("flg_pad"),
             "The elements of MJCF with their attributes, as text.");
  module.def("mj_saveModel", &mj_saveModel, py::arg("m"), py::arg("filename") = py::none(),
             py::arg("buffer") = py::none(), "Saves the compiled model, in sinew's own format, to a file or a buffer.");
  module.def(
      "mj_sizeModel", [](PyModel& m) { return save_model(m.model()).size(); }, py::arg("m"),
      "Number of bytes written by mj_saveModel.");
  module.def("mj_saveLastXML", &mj_saveLastXML, py::arg("filename"), py::arg("m"),
             "Writes the MJCF from which the model was compiled.");
}

double total_mass(const Model& m) {
  double sum = 0;
  for (double mass : m.body_mass) sum += mass;
  return sum;
}

void bind_questions(py::module_& module) {
  module.def(
      "mj_version", [] { return kVersion; }, "3012000: the version of MuJoCo with which sinew is compatible.");
  module.def(
      "mj_versionString", [] { return kMujocoVersion; },
      "3.12.0: the version of MuJoCo with which sinew is compatible.");
  module.attr("mjVERSION_HEADER") = kVersion;
  module.def(
      "mj_isSparse", [](PyModel& m) { return is_sparse(m.model()) ? 1 : 0; }, py::arg("m"), "Whether efc_J is sparse.");
  module.def(
      "mj_isPyramidal", [](PyModel& m) { return m.model().opt.cone == static_cast<int>(Cone::Pyramidal) ? 1 : 0; },
      py::arg("m"), "1 if friction cones are pyramidal.");
  module.def(
      "mj_isDual",
      [](PyModel& m) {
        const Option& opt = m.model().opt;
        return opt.solver == static_cast<int>(SolverKind::PGS) || opt.noslip_iterations > 0 ? 1 : 0;
      },
      py::arg("m"), "1 if the solver is dual: PGS, or noslip.");
  module.def(
      "mj_getTotalmass", [](PyModel& m) { return total_mass(m.model()); }, py::arg("m"), "kg");
  module.def(
      "mj_setTotalmass",
      [](PyModel& m, double newmass) {
        Model& model = m.model();
        const double scale = std::max(kMinVal, newmass) / std::max(kMinVal, total_mass(model));
        for (double& mass : model.body_mass) mass *= scale;
        for (double& inertia : model.body_inertia) inertia *= scale;
        set_constants(model);
      },
      py::arg("m"), py::arg("newmass"), "Scales all masses and inertias to a total mass, kg.");
  module.def(
      "mj_setConst",
      [](PyModel& m, PyData& d) {
        const Look look(m, d);
        set_constants(m.model());
      },
      py::arg("m"), py::arg("d"), "Recomputes the constants derived from masses, poses and gears.");
  module.def(
      "mj_setLengthRange",
      [](PyModel& m, PyData& d, int index, const PyLengthRange& opt) {
        const Look look(m, d);
        need_index(index, look.m.nactuator, "actuator");
        Model copy = m.model();
        std::memcpy(static_cast<void*>(&copy.lropt), opt.at, sizeof copy.lropt);
        Budget budget(LoadOptions::kDefaultMemoryLimit, [] { return PyErr_CheckSignals() != 0; });
        const auto problems = [&] {
          try {
            return compute_length_ranges(copy, &budget);
          } catch (const Interrupted&) {
            throw py::error_already_set();
          }
        }();
        if (!problems.empty()) fail("mj_setLengthRange: " + problems.front().message);
        const auto out = static_cast<std::size_t>(2 * look.m.actuator_outadr[index]);
        std::copy_n(&copy.actuator_lengthrange[out], 2, &m.model().actuator_lengthrange[out]);
        return 1;
      },
      py::arg("m"), py::arg("d"), py::arg("index"), py::arg("opt"), "Computes the length range of an actuator.");
  module.def(
      "mj_defaultLROpt", [](PyLengthRange& opt) { opt.info->fill(opt.at); }, py::arg("opt"), "Default values.");
  module.def(
      "mj_defaultOption", [](PyOption& opt) { opt.info->fill(opt.at); }, py::arg("opt"), "Default values.");
  module.def(
      "mj_defaultVisual", [](PyVisual& vis) { *vis.visual = Visual(); }, py::arg("vis"), "Default values.");
  module.def(
      "mj_defaultSolRefImp",
      [](const Target& solref, const Target& solimp) {
        need_size(solref, kNumRef, "solref", "mjNREF");
        need_size(solimp, kNumImp, "solimp", "mjNIMP");
        std::ranges::copy(spec::kSolref, solref.data);
        std::ranges::copy(spec::kSolimp, solimp.data);
      },
      py::arg("solref"), py::arg("solimp"), "Default solref (2,) and solimp (5,).");
}

}  // namespace

void bind_state(py::module_& module) {
  bind_states(module);
  bind_names(module);
  bind_histories(module);
  bind_files(module);
  bind_questions(module);
}

}  // namespace sinew::python
