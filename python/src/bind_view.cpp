// The viewer: the class _Viewer, on which sinew/viewer.py builds MuJoCo's interface.

#include "args.h"
#include "bind.h"
#include "call.h"
#include "scene_objects.h"
#ifdef SINEW_HAS_VIEW
#include "sinew/view.h"
#endif

namespace sinew::python {

#ifndef SINEW_HAS_VIEW
void bind_view(py::module_& module) { module.attr("_has_view") = false; }
#else

namespace {

/// A viewer, with the locks that Python holds.
struct PyViewer {
  PyViewer(const ViewOptions& options, py::object on_key) : key_callback(std::move(on_key)) {
    ViewOptions o = options;
    if (!key_callback.is_none())
      o.on_key = [this](int code) {
        const py::gil_scoped_acquire hold;
        if (key_callback.is_none()) return;
        try {
          key_callback(code);
        } catch (py::error_already_set& error) {
          error.discard_as_unraisable("the viewer's key_callback");
        }
      };
    viewer = std::make_shared<Viewer>(o);
  }
  ~PyViewer() { close(); }
  void close() {
    const py::gil_scoped_release release;  // its thread may be waiting for the GIL
    viewer->close();
  }

  py::object key_callback;
  std::shared_ptr<Viewer> viewer;
  std::vector<std::unique_lock<std::recursive_mutex> > locks;
};

std::unique_ptr<PyViewer> make(const std::string& host, int port, const std::string& token, bool with_token,
                               bool read_only, bool paused, double speed, double fps, bool show_left, bool show_right,
                               py::object on_key) {
  ViewOptions o;
  o.host = host;
  o.port = port;
  o.token = token;
  o.with_token = with_token;
  o.read_only = read_only;
  o.paused = paused;
  o.speed = speed;
  o.fps = fps;
  o.show_left = show_left;
  o.show_right = show_right;
  return std::make_unique<PyViewer>(o, std::move(on_key));
}

void sync(PyViewer& self, PyModel& model, PyData& data, bool state_only) {
  const Look look(model, data);
  settle(*data.cell);
  const py::gil_scoped_release release;
  self.viewer->sync(model.model(), look.d, state_only);
}

void open(PyViewer& self, const std::string& path) {
  const py::gil_scoped_release release;
  const Result<bool> opened = self.viewer->open(path);
  if (!opened) throw Exception(opened.error());
}

/// Additional geoms and the rendering flags: those of the scene, unless the page changed them since the last call.
void share_scene(PyViewer& self, PyScene& scene, bool flags_too) {
  const std::shared_ptr<Scene> kept = scene.scene;
  const py::gil_scoped_release release;
  const auto lock = self.viewer->lock();
  Viewer::Shown& shown = self.viewer->shown();
  shown.geoms.assign(kept->geoms.begin(),
                     kept->geoms.begin() + std::clamp(kept->ngeom, 0, static_cast<int>(kept->geoms.size())));
  if (flags_too)
    shown.flags = kept->flags;
  else
    kept->flags = shown.flags;
}

template <class Struct, auto Member>
Struct part(PyViewer& self) {
  return Struct(self.viewer, &(self.viewer->shown().*Member));
}

}  // namespace

void bind_view(py::module_& module) {
  module.attr("_has_view") = true;
  py::class_<PyViewer> type(module, "_Viewer", "A running simulation in a browser.");
  type.def(py::init(&make), py::kw_only(), py::arg("host") = "127.0.0.1", py::arg("port") = 7077, py::arg("token") = "",
           py::arg("with_token") = true, py::arg("read_only") = false, py::arg("paused") = false,
           py::arg("speed") = 1.0, py::arg("fps") = 60.0, py::arg("show_left") = true, py::arg("show_right") = true,
           py::arg("on_key") = py::none());
  type.def_property_readonly("address", [](const PyViewer& v) { return v.viewer->address(); });
  type.def_property_readonly("port", [](const PyViewer& v) { return v.viewer->port(); });
  type.def_property_readonly("clients", [](const PyViewer& v) { return v.viewer->clients(); });
  type.def_property_readonly("run", [](const PyViewer& v) { return v.viewer->run(); });
  type.def_property_readonly("viewport", [](const PyViewer& v) {
    const auto lock = v.viewer->lock();
    return py::make_tuple(v.viewer->shown().width, v.viewer->shown().height);
  });
  type.def_property_readonly("cam", &part<PySceneCamera, &Viewer::Shown::camera>);
  type.def_property_readonly("opt", &part<PySceneOption, &Viewer::Shown::option>);
  type.def_property_readonly("perturb", &part<PyPerturb, &Viewer::Shown::perturb>);
  type.def("is_running", [](const PyViewer& v) { return v.viewer->is_running(); });
  type.def("steps_requested", [](PyViewer& v) { return v.viewer->steps_requested(); });
  type.def("sync", &sync, py::arg("model"), py::arg("data"), py::arg("state_only") = false);
  type.def("open", &open, py::arg("path"));
  type.def("share_scene", &share_scene, py::arg("scene"), py::arg("flags_too"));
  type.def(
      "wait",
      [](PyViewer& v, double seconds) {
        const py::gil_scoped_release release;
        v.viewer->wait(seconds);
      },
      py::arg("seconds"));
  type.def("close", &PyViewer::close);
  type.def("acquire", [](PyViewer& v) {
    std::unique_lock<std::recursive_mutex> lock;
    {
      const py::gil_scoped_release release;
      lock = v.viewer->lock();
    }
    v.locks.push_back(std::move(lock));
  });
  type.def("release", [](PyViewer& v) {
    if (v.locks.empty()) throw std::runtime_error("the viewer is not locked");
    v.locks.pop_back();
  });
  type.def(
      "set_overlay",
      [](PyViewer& v, const std::string& json) {
        const py::gil_scoped_release release;
        v.viewer->set_overlay(json);
      },
      py::arg("json"));
  type.def(
      "plot",
      [](PyViewer& v, const std::string& name, double value) {
        const py::gil_scoped_release release;
        v.viewer->plot(name, value);
      },
      py::arg("name"), py::arg("value"));
  type.def(
      "update_assets",
      [](PyViewer& v, PyModel& model) {
        const Model& m = sound(model);
        const py::gil_scoped_release release;
        v.viewer->update_assets(m);
      },
      py::arg("model"));
}

#endif

}  // namespace sinew::python
