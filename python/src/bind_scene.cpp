// The abstract scene: MjvScene, its records, and the functions mjv_*.

#include "args.h"
#include "bind.h"
#include "call.h"
#include "scene_objects.h"
#include "struct_kind.h"

namespace sinew::python {
namespace {

using Floats = std::optional<In<float>>;
using Float32Target = Out<float>;
using Id = Out<std::int32_t>;

#define SINEW_SCENE_BEGIN(record, python, doc) constexpr StructField k##record##Fields[] = {
#define SINEW_SCENE(record, type, name, doc, ...) \
  {#name, offsetof(record, name), StructKind<type>::number, StructKind<type>::count, doc},
#define SINEW_SCENE_END(record) \
  }                             \
  ;
#include "sinew/scene_fields.def"
#undef SINEW_SCENE_BEGIN
#undef SINEW_SCENE
#undef SINEW_SCENE_END

}  // namespace

#define SINEW_SCENE_BEGIN(record, python, doc) \
  const StructInfo k##record##Info = {python, doc, sizeof(record), k##record##Fields, fill_struct<record>};
#define SINEW_SCENE(...)
#define SINEW_SCENE_END(record)
#include "sinew/scene_fields.def"
#undef SINEW_SCENE_BEGIN
#undef SINEW_SCENE
#undef SINEW_SCENE_END

namespace {

void require(const Status& status) {
  if (!status) throw py::value_error(std::string(status.text()));
}

template <class... A>
void need_three(const A&... arrays) {
  (need_size(arrays, 3, "a position or direction"), ...);
}

PyScene new_scene(PyModel* model, int maxgeom) {
  if (maxgeom < 0) throw py::value_error("maxgeom must not be negative");
  return {model ? std::make_shared<Scene>(sound(*model), maxgeom) : std::make_shared<Scene>(Model(), 0)};
}

PyScene copy_scene(const PyScene& from) {
  auto copy = std::make_shared<Scene>(*from.scene);
  copy->geoms.resize(static_cast<std::size_t>(copy->ngeom));
  copy->maxgeom = copy->ngeom;
  return {copy};
}

/// The record of an MjvPerturb, or null for None.
Perturb* perturb_of(const std::optional<PyPerturb>& pert) { return pert ? &record_of<Perturb>(*pert) : nullptr; }

void mjv_updateScene(PyModel& m, PyData& d, const PySceneOption& opt, const std::optional<PyPerturb>& pert,
                     const PySceneCamera& cam, int catmask, PyScene& scn) {
  const Look look(m, d);
  require(update_scene(look.m, look.d, record_of<SceneOption>(opt), perturb_of(pert), record_of<SceneCamera>(cam),
                       catmask, *scn.scene));
}

void mjv_addGeoms(PyModel& m, PyData& d, const PySceneOption& opt, const std::optional<PyPerturb>& pert, int catmask,
                  PyScene& scn) {
  const Look look(m, d);
  require(add_geoms(look.m, look.d, record_of<SceneOption>(opt), perturb_of(pert), catmask, *scn.scene));
}

int mjv_select(PyModel& m, PyData& d, const PySceneOption& vopt, double aspectratio, double relx, double rely,
               const PyScene& scn, const Target& selpnt, const Id& geomid, const Id& flexid, const Id& skinid) {
  const Look look(m, d);
  need_three(selpnt);
  for (const Id* id : {&geomid, &flexid, &skinid}) need_size(*id, 1, "an id");
  const ScenePick hit = pick(look.m, look.d, record_of<SceneOption>(vopt), aspectratio, relx, rely, *scn.scene);
  std::ranges::copy(hit.point, selpnt.data);
  *geomid.data = hit.geom;
  *flexid.data = hit.flex;
  *skinid.data = hit.skin;
  return hit.body;
}

void mjv_initGeom(const PySceneGeom& geom, int type, const MaybeNumbers& size, const MaybeNumbers& pos,
                  const MaybeNumbers& mat, const Floats& rgba) {
  need_size(size, 3, "size");
  need_size(pos, 3, "pos");
  need_size(mat, 9, "mat");
  need_size(rgba, 4, "rgba");
  init_geom(record_of<SceneGeom>(geom), type, data_of(size), data_of(pos), data_of(mat), data_of(rgba));
}

void mjv_connector(const PySceneGeom& geom, int type, double width, const Numbers& from, const Numbers& to) {
  need_three(from, to);
  require(connect_geom(record_of<SceneGeom>(geom), type, width, from.data, to.data));
}

void store(const Double3& from, const Target& to) { std::ranges::copy(from, to.data); }

void camera_of_scene(const CameraFrame& frame, const Target& headpos, const Target& forward, const Target& up) {
  need_three(headpos, forward, up);
  store(frame.pos, headpos);
  store(frame.forward, forward);
  store(frame.up, up);
}

void mjv_cameraFrame(const Target& headpos, const Target& forward, const Target& up, const Target& right, PyData& d,
                     const PySceneCamera& cam) {
  const Look look(d.model(), d);
  need_three(right);
  CameraFrame frame;
  require(camera_frame(look.m, look.d, record_of<SceneCamera>(cam), frame));
  camera_of_scene(frame, headpos, forward, up);
  store(frame.right, right);
}

void mjv_cameraFrustum(const Float32Target& zver, const Float32Target& zhor, const Float32Target& zclip, PyModel& m,
                       const PySceneCamera& cam) {
  for (const Float32Target* pair : {&zver, &zhor, &zclip}) need_size(*pair, 2, "an argument");
  CameraFrustum f;
  require(camera_frustum(sound(m), record_of<SceneCamera>(cam), f));
  zver.data[0] = f.top, zver.data[1] = f.bottom;
  zhor.data[0] = f.left, zhor.data[1] = f.right;
  zclip.data[0] = f.znear, zclip.data[1] = f.zfar;
}

template <void (*Move)(const Scene&, const double*, const double*, double*, double*)>
void move_pose(const Target& pos, const Target& quat, const Numbers& frompos, const Numbers& fromquat,
               const PyScene& scn) {
  need_three(pos, frompos);
  need_size(quat, 4, "a quaternion");
  need_size(fromquat, 4, "a quaternion");
  Move(*scn.scene, frompos.data, fromquat.data, pos.data, quat.data);
}

PySceneView view_object(const SceneView& view) {
  PySceneView out;
  record_of<SceneView>(out) = view;
  return out;
}

void bind_geom(py::module_& module) {
  py::class_<PySceneGeom, Struct> type(module, kSceneGeomInfo.name, kSceneGeomInfo.doc);
  type.def(py::init<>());
  add_properties(type, struct_properties(kSceneGeomInfo));
  const auto mat = [](const PySceneGeom& g) {
    return array_over(Number::Float32, {3, 3}, record_of<SceneGeom>(g).mat.data(), g.owner);
  };
  type.def_property(
      "mat", mat,
      [mat](const PySceneGeom& g, py::object value) {
        if (py::array any = py::array::ensure(value); any && any.size() == 9) value = any.attr("reshape")(3, 3);
        PyErr_Clear();
        assign(mat(g), value);
      },
      "(3, 3) orientation");
  type.def_property(
      "label", [](const PySceneGeom& g) { return py::str(std::string(record_of<SceneGeom>(g).label.data())); },
      [](const PySceneGeom& g, const std::string& text) {
        SceneLabel& label = record_of<SceneGeom>(g).label;
        if (text.size() >= label.size())
          throw py::value_error("label must have less than " + std::to_string(label.size()) + " bytes");
        label.fill(0);
        std::ranges::copy(text, label.begin());
      },
      "text drawn beside it");
}

template <class T>
py::array numbers_of(const PyScene& self, std::vector<T>& values, py::ssize_t cols) {
  std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(values.size())};
  if (cols > 1) shape = {shape[0] / cols, cols};
  return array_over(StructKind<T>::number, shape, values.data(), self.scene);
}

void bind_scene_type(py::module_& module) {
  bind_list_type<kSceneGeomInfo>(module, "_MjvGeomList");
  bind_list_type<kSceneLightInfo>(module, "_MjvLightList");
  bind_list_type<kSceneViewInfo>(module, "_MjvGLCameraList");
  py::class_<PyScene> type(module, "MjvScene", "What is seen of a world: geoms, lights and two eyes.");
  type.def(py::init([] { return new_scene(nullptr, 0); }));
  type.def(py::init([](PyModel& model, int maxgeom) { return new_scene(&model, maxgeom); }), py::arg("model"),
           py::arg("maxgeom"));
  type.def("__copy__", &copy_scene);
  type.def("__deepcopy__", [](const PyScene& s, py::handle) { return copy_scene(s); });
  type.def_property_readonly("maxgeom", [](const PyScene& s) { return s.scene->maxgeom; });
  type.def_property(
      "ngeom", [](const PyScene& s) { return s.scene->ngeom; },
      [](PyScene& s, int n) {
        if (n < 0 || n > s.scene->maxgeom)
          throw py::value_error("ngeom must be 0 to maxgeom = " + std::to_string(s.scene->maxgeom));
        s.scene->ngeom = n;
      });
  type.def_property_readonly("geoms", [](const PyScene& s) {
    return SceneGeomList(s.scene, s.scene->geoms.data(), static_cast<std::size_t>(s.scene->maxgeom));
  });
  type.def_property_readonly("lights", [](const PyScene& s) {
    return SceneLightList(s.scene, s.scene->lights.data(), s.scene->lights.size());
  });
  type.def_property_readonly("camera", [](const PyScene& s) {
    return SceneViewList(s.scene, s.scene->camera.data(), s.scene->camera.size());
  });
  const auto count = [&](const char* name, int Scene::*member) {
    type.def_property(
        name, [member](const PyScene& s) { return (*s.scene).*member; },
        [member](PyScene& s, int value) { (*s.scene).*member = value; });
  };
  type.def_property(
      "nlight", [](const PyScene& s) { return s.scene->nlight; },
      [](PyScene& s, int n) {
        if (n < 0 || n > kMaxSceneLight) throw py::value_error("nlight must be 0 to " + std::to_string(kMaxSceneLight));
        s.scene->nlight = n;
      });
  count("stereo", &Scene::stereo);
  count("framewidth", &Scene::framewidth);
  count("status", &Scene::status);
  type.def_property(
      "enabletransform", [](const PyScene& s) { return static_cast<int>(s.scene->enabletransform); },
      [](PyScene& s, int value) { s.scene->enabletransform = value != 0; });
  type.def_property(
      "scale", [](const PyScene& s) { return s.scene->scale; },
      [](PyScene& s, float value) { s.scene->scale = value; });
  const auto array = [&](const char* name, auto Scene::*member) {
    const auto get = [member](const PyScene& s) {
      auto& values = (*s.scene).*member;
      using T = typename std::remove_reference_t<decltype(values)>::value_type;
      return array_over(StructKind<T>::number, {static_cast<py::ssize_t>(values.size())}, values.data(), s.scene);
    };
    type.def_property(name, get, [get](const PyScene& s, py::object value) { assign(get(s), value); });
  };
  array("flags", &Scene::flags);
  array("translate", &Scene::translate);
  array("rotate", &Scene::rotate);
  array("framergb", &Scene::framergb);
  type.def_property_readonly("nflex", [](const PyScene& s) { return s.scene->flex.size(); });
  type.def_property_readonly("nskin", [](const PyScene& s) { return s.scene->skin.size(); });
  const auto flex = [&](const char* name, auto SceneFlexes::*member, int cols) {
    type.def_property_readonly(name,
                               [member, cols](const PyScene& s) { return numbers_of(s, s.scene->flex.*member, cols); });
  };
  flex("flexedgeadr", &SceneFlexes::edgeadr, 1);
  flex("flexedgenum", &SceneFlexes::edgenum, 1);
  flex("flexvertadr", &SceneFlexes::vertadr, 1);
  flex("flexvertnum", &SceneFlexes::vertnum, 1);
  flex("flexfaceadr", &SceneFlexes::faceadr, 1);
  flex("flexfacenum", &SceneFlexes::facenum, 1);
  flex("flexfaceused", &SceneFlexes::faceused, 1);
  flex("flexedge", &SceneFlexes::edge, 2);
  flex("flexvert", &SceneFlexes::vert, 3);
  flex("flexface", &SceneFlexes::face, 9);
  flex("flexnormal", &SceneFlexes::normal, 9);
  flex("flextexcoord", &SceneFlexes::texcoord, 6);
  const auto flex_flag = [&](const char* name, std::uint8_t SceneFlexes::*member) {
    type.def_property_readonly(name, [member](const PyScene& s) { return static_cast<int>(s.scene->flex.*member); });
  };
  flex_flag("flexvertopt", &SceneFlexes::vertopt);
  flex_flag("flexedgeopt", &SceneFlexes::edgeopt);
  flex_flag("flexfaceopt", &SceneFlexes::faceopt);
  flex_flag("flexskinopt", &SceneFlexes::skinopt);
  const auto skin = [&](const char* name, auto SceneSkins::*member, int cols) {
    type.def_property_readonly(name,
                               [member, cols](const PyScene& s) { return numbers_of(s, s.scene->skin.*member, cols); });
  };
  skin("skinfacenum", &SceneSkins::facenum, 1);
  skin("skinvertadr", &SceneSkins::vertadr, 1);
  skin("skinvertnum", &SceneSkins::vertnum, 1);
  skin("skinvert", &SceneSkins::vert, 3);
  skin("skinnormal", &SceneSkins::normal, 3);
}

/// Sets a record to its defaults.
template <class Object, class Record>
void reset_record(Object& object) {
  record_of<Record>(object) = Record();
}

}  // namespace

void bind_scene(py::module_& module) {
  bind_geom(module);
  bind_struct_type<kSceneLightInfo>(module);
  bind_struct_type<kSceneViewInfo>(module);
  bind_struct_type<kSceneCameraInfo>(module);
  bind_struct_type<kSceneOptionInfo>(module);
  bind_struct_type<kPerturbInfo>(module);
  bind_scene_type(module);

  module.def("mjv_defaultCamera", &reset_record<PySceneCamera, SceneCamera>, py::arg("cam"));
  module.def("mjv_defaultOption", &reset_record<PySceneOption, SceneOption>, py::arg("opt"));
  module.def("mjv_defaultPerturb", &reset_record<PyPerturb, Perturb>, py::arg("pert"));
  module.def(
      "mjv_defaultFreeCamera",
      [](PyModel& m, PySceneCamera& cam) { record_of<SceneCamera>(cam) = default_free_camera(sound(m)); }, py::arg("m"),
      py::arg("cam"));
  module.def("mjv_updateScene", &mjv_updateScene, py::arg("m"), py::arg("d"), py::arg("opt"),
             py::arg("pert").none(true), py::arg("cam"), py::arg("catmask"), py::arg("scn"));
  module.def("mjv_addGeoms", &mjv_addGeoms, py::arg("m"), py::arg("d"), py::arg("opt"), py::arg("pert").none(true),
             py::arg("catmask"), py::arg("scn"));
  module.def(
      "mjv_makeLights",
      [](PyModel& m, PyData& d, PyScene& scn) {
        const Look look(m, d);
        require(make_lights(look.m, look.d, *scn.scene));
      },
      py::arg("m"), py::arg("d"), py::arg("scn"));
  module.def(
      "mjv_updateCamera",
      [](PyModel& m, PyData& d, PySceneCamera& cam, PyScene& scn) {
        const Look look(m, d);
        require(update_camera(look.m, look.d, record_of<SceneCamera>(cam), *scn.scene));
      },
      py::arg("m"), py::arg("d"), py::arg("cam"), py::arg("scn"));
  module.def(
      "mjv_updateSkin",
      [](PyModel& m, PyData& d, PyScene& scn) {
        const Look look(m, d);
        require(update_skins(look.m, look.d, nullptr, *scn.scene));
      },
      py::arg("m"), py::arg("d"), py::arg("scn"));
  module.def("mjv_initGeom", &mjv_initGeom, py::arg("geom"), py::arg("type"), py::arg("size").none(true),
             py::arg("pos").none(true), py::arg("mat").none(true), py::arg("rgba").none(true));
  module.def("mjv_connector", &mjv_connector, py::arg("geom"), py::arg("type"), py::arg("width"), py::arg("from_"),
             py::arg("to"));
  module.def("mjv_select", &mjv_select, py::arg("m"), py::arg("d"), py::arg("vopt"), py::arg("aspectratio"),
             py::arg("relx"), py::arg("rely"), py::arg("scn"), py::arg("selpnt"), py::arg("geomid"), py::arg("flexid"),
             py::arg("skinid"));
  module.def("mjv_room2model", &move_pose<room_to_model>, py::arg("modelpos"), py::arg("modelquat"), py::arg("roompos"),
             py::arg("roomquat"), py::arg("scn"));
  module.def("mjv_model2room", &move_pose<model_to_room>, py::arg("roompos"), py::arg("roomquat"), py::arg("modelpos"),
             py::arg("modelquat"), py::arg("scn"));
  module.def(
      "mjv_cameraInModel",
      [](const Target& headpos, const Target& forward, const Target& up, const PyScene& scn) {
        camera_of_scene(camera_in_model(*scn.scene), headpos, forward, up);
      },
      py::arg("headpos"), py::arg("forward"), py::arg("up"), py::arg("scn"));
  module.def(
      "mjv_cameraInRoom",
      [](const Target& headpos, const Target& forward, const Target& up, const PyScene& scn) {
        camera_of_scene(camera_in_room(*scn.scene), headpos, forward, up);
      },
      py::arg("headpos"), py::arg("forward"), py::arg("up"), py::arg("scn"));
  module.def("mjv_cameraFrame", &mjv_cameraFrame, py::arg("headpos"), py::arg("forward"), py::arg("up"),
             py::arg("right"), py::arg("d"), py::arg("cam"));
  module.def("mjv_cameraFrustum", &mjv_cameraFrustum, py::arg("zver"), py::arg("zhor"), py::arg("zclip"), py::arg("m"),
             py::arg("cam"));
  module.def(
      "mjv_frustumHeight", [](const PyScene& scn) { return frustum_height(*scn.scene); }, py::arg("scn"));
  module.def(
      "mjv_alignToCamera",
      [](const Target& res, const Numbers& vec, const Numbers& forward) {
        need_three(res, vec, forward);
        store(align_to_camera({vec.data[0], vec.data[1], vec.data[2]},
                              {forward.data[0], forward.data[1], forward.data[2]}),
              res);
      },
      py::arg("res"), py::arg("vec"), py::arg("forward"));
  module.def(
      "mjv_moveCamera",
      [](PyModel& m, int action, double reldx, double reldy, PySceneCamera& cam) {
        move_camera(sound(m), action, reldx, reldy, record_of<SceneCamera>(cam));
      },
      py::arg("m"), py::arg("action"), py::arg("reldx"), py::arg("reldy"), py::arg("cam"));
  module.def(
      "mjv_moveModel",
      [](PyModel& m, int action, double reldx, double reldy, const Numbers& roomup, PyScene& scn) {
        need_three(roomup);
        move_model(sound(m), action, reldx, reldy, roomup.data, *scn.scene);
      },
      py::arg("m"), py::arg("action"), py::arg("reldx"), py::arg("reldy"), py::arg("roomup"), py::arg("scn"));
  module.def(
      "mjv_movePerturb",
      [](PyModel& m, PyData& d, int action, double reldx, double reldy, const PyScene& scn, PyPerturb& pert) {
        const Look look(m, d);
        move_perturb(look.m, look.d, action, reldx, reldy, *scn.scene, record_of<Perturb>(pert));
      },
      py::arg("m"), py::arg("d"), py::arg("action"), py::arg("reldx"), py::arg("reldy"), py::arg("scn"),
      py::arg("pert"));
  module.def(
      "mjv_initPerturb",
      [](PyModel& m, PyData& d, const PyScene& scn, PyPerturb& pert) {
        const Look look(m, d);
        init_perturb(look.m, look.d, *scn.scene, record_of<Perturb>(pert));
      },
      py::arg("m"), py::arg("d"), py::arg("scn"), py::arg("pert"));
  module.def(
      "mjv_applyPerturbPose",
      [](PyModel& m, PyData& d, const PyPerturb& pert, int flg_paused) {
        const Look look(m, d);
        apply_perturb_pose(look.m, look.d, record_of<Perturb>(pert), flg_paused != 0);
      },
      py::arg("m"), py::arg("d"), py::arg("pert"), py::arg("flg_paused"));
  module.def(
      "mjv_applyPerturbForce",
      [](PyModel& m, PyData& d, const PyPerturb& pert) {
        const Look look(m, d);
        apply_perturb_force(look.m, look.d, record_of<Perturb>(pert));
      },
      py::arg("m"), py::arg("d"), py::arg("pert"));
  module.def(
      "mjv_averageCamera",
      [](const PySceneView& a, const PySceneView& b) {
        return view_object(average_view(record_of<SceneView>(a), record_of<SceneView>(b)));
      },
      py::arg("cam1"), py::arg("cam2"));
  module.def(
      "mjv_camera2GLCamera",
      [](PyModel& m, PyData& d, const PySceneCamera& cam) {
        const Look look(m, d);
        SceneView view;
        require(camera_view(look.m, look.d, record_of<SceneCamera>(cam), view));
        return view_object(view);
      },
      py::arg("model"), py::arg("data"), py::arg("mjv_camera"));
}

}  // namespace sinew::python
