// Pictures: the class _Canvas, on which sinew/_render.py and sinew/renderer.py build MuJoCo's interface.

#include "args.h"
#include "batch_object.h"
#include "bind.h"
#include "call.h"
#include "scene_objects.h"
#ifdef SINEW_HAS_RENDER
#include "sinew/render.h"
#endif

namespace sinew::python {

#ifndef SINEW_HAS_RENDER
void bind_render(py::module_& module) { module.attr("_has_render") = false; }
#else

namespace {

/// A writable array of this type and size, as it lies in memory; empty for None.
template <class T>
std::span<T> target(const py::object& object, py::ssize_t size, const char* name) {
  if (object.is_none()) return {};
  if (!py::isinstance<py::array_t<T, py::array::c_style> >(object))
    throw py::type_error(
        fmt::format("{} must be a C-contiguous array of {}", name, std::string(py::str(py::dtype::of<T>()))));
  auto array = py::reinterpret_borrow<py::array>(object);
  if (!array.writeable()) throw py::type_error(fmt::format("{} must be writable", name));
  if (array.size() != size)
    throw py::type_error(fmt::format("{} has {} elements instead of {}", name, array.size(), size));
  return {static_cast<T*>(array.mutable_data()), static_cast<std::size_t>(size)};
}

/// A renderer; calls from several threads wait for one another.
struct Canvas {
  Canvas(PyModel& model, int threads, int samples) : renderer(sound(model), {.threads = threads, .samples = samples}) {}
  Renderer renderer;
  std::mutex mutex;

  template <class Work>
  void run(Work&& work) {
    const py::gil_scoped_release release;
    const std::lock_guard lock(mutex);
    work();
  }
};

void render(Canvas& canvas, const PyScene& scene, int width, int height, const py::object& rgb, const py::object& depth,
            const py::object& segment) {
  const py::ssize_t pixels = py::ssize_t{std::max(0, width)} * std::max(0, height);
  const Image image{width, height, target<std::uint8_t>(rgb, 3 * pixels, "rgb"), target<float>(depth, pixels, "depth"),
                    target<std::int32_t>(segment, pixels, "segment")};
  const std::shared_ptr<Scene> kept = scene.scene;
  canvas.run([&] { canvas.renderer.render(*kept, image); });
}

void render_batch(Canvas& canvas, const py::object& batch, const py::list& cameras, const PySceneOption& option,
                  int width, int height, const py::object& rgb, const py::object& depth, const py::object& objects,
                  const py::object& worlds) {
  const std::shared_ptr<Batch> shown = batch_of(batch);
  const std::vector<int> which = selected_worlds(worlds, shown->size());
  std::vector<SceneCamera> eyes;
  for (const py::handle camera : cameras) eyes.push_back(record_of<SceneCamera>(camera.cast<PySceneCamera&>()));
  const SceneOption kept = record_of<SceneOption>(option);
  const py::ssize_t pixels =
      py::ssize_t{std::max(0, width)} * std::max(0, height) * shown->size() * static_cast<py::ssize_t>(eyes.size());
  const BatchImage images{width, height, target<std::uint8_t>(rgb, 3 * pixels, "rgb"),
                          target<float>(depth, pixels, "depth"),
                          target<std::int32_t>(objects, 2 * pixels, "segmentation")};
  canvas.run([&] { canvas.renderer.render(*shown, eyes, kept, images, Worlds::list(which)); });
}

py::tuple cast(Canvas& canvas, const PyScene& scene, const In<float>& origins, const In<float>& directions) {
  if (origins.size != directions.size || origins.size % 3 != 0)
    throw py::type_error("origins and directions must have three numbers per ray");
  const py::ssize_t n = origins.size / 3;
  std::vector<SceneRayHit> hits(static_cast<std::size_t>(n));
  const auto size = static_cast<std::size_t>(origins.size);
  canvas.run([&] { canvas.renderer.cast(*scene.scene, {origins.data, size}, {directions.data, size}, hits); });
  py::array_t<float> distance(n), normal({n, py::ssize_t{3}});
  py::array_t<std::int32_t> segid(n);
  for (py::ssize_t i = 0; i < n; ++i) {
    const SceneRayHit& hit = hits[static_cast<std::size_t>(i)];
    distance.mutable_at(i) = hit.distance;
    segid.mutable_at(i) = hit.segid;
    for (py::ssize_t k = 0; k < 3; ++k) normal.mutable_at(i, k) = hit.normal[static_cast<std::size_t>(k)];
  }
  return py::make_tuple(distance, segid, normal);
}

template <void (Renderer::*Upload)(const Model&, int)>
void upload(Canvas& canvas, PyModel& model, int id) {
  const Model& m = sound(model);
  canvas.run([&] { (canvas.renderer.*Upload)(m, id); });
}

}  // namespace

void bind_render(py::module_& module) {
  module.attr("_has_render") = true;
  py::class_<Canvas> type(module, "_Canvas", "Draws scenes of one model.");
  type.def(py::init<PyModel&, int, int>(), py::arg("model"), py::arg("threads") = 1, py::arg("samples") = -1);
  type.def("render", &render, py::arg("scene"), py::arg("width"), py::arg("height"), py::arg("rgb") = py::none(),
           py::arg("depth") = py::none(), py::arg("segment") = py::none());
  type.def("render_batch", &render_batch, py::arg("batch"), py::arg("cameras"), py::arg("option"), py::arg("width"),
           py::arg("height"), py::arg("rgb") = py::none(), py::arg("depth") = py::none(),
           py::arg("segmentation") = py::none(), py::arg("worlds") = py::none());
  type.def("cast", &cast, py::arg("scene"), py::arg("origins"), py::arg("directions"));
  type.def("upload_texture", &upload<&Renderer::upload_texture>, py::arg("model"), py::arg("id"));
  type.def("upload_mesh", &upload<&Renderer::upload_mesh>, py::arg("model"), py::arg("id"));
  type.def("upload_hfield", &upload<&Renderer::upload_hfield>, py::arg("model"), py::arg("id"));
  type.def_property_readonly("warning", [](const Canvas& c) { return c.renderer.warning(); });
  module.def(
      "_draw_text",
      [](const py::object& rgb, int width, int height, int x, int y, const std::string& text, float scale) {
        const py::ssize_t pixels = py::ssize_t{std::max(0, width)} * std::max(0, height);
        draw_text({width, height, target<std::uint8_t>(rgb, 3 * pixels, "rgb"), {}, {}}, x, y, text, scale);
      },
      py::arg("rgb"), py::arg("width"), py::arg("height"), py::arg("x"), py::arg("y"), py::arg("text"),
      py::arg("scale"));
  module.def(
      "_text_size", [](const std::string& text, float scale) { return text_size(text, scale); }, py::arg("text"),
      py::arg("scale"));
}

#endif

}  // namespace sinew::python
