#include "view/describe.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew::view {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

template <class T, std::size_t N>
Json list(const std::array<T, N>& values) {
  Json out = Json::array();
  for (const T& value : values) out.push_back(value);
  return out;
}
template <class T>
Json list(const T* values, int n) {
  Json out = Json::array();
  for (int i = 0; i < n; ++i) out.push_back(values[i]);
  return out;
}
template <class T>
Json value_of(const T& value) {
  return value;
}
template <class T, std::size_t N>
Json value_of(const std::array<T, N>& values) {
  return list(values);
}

template <class... Words>
std::string word(int index, Words... words) {
  const std::array<const char*, sizeof...(words)> all = {words...};
  return index >= 0 && at(index) < all.size() ? all[at(index)] : "";
}

/// A number of the type of a field; nothing if it is none or does not fit.
template <class T>
bool take(const Json& json, T& out) {
  if (!json.is_number() && !json.is_boolean()) return false;
  const double x = json.is_boolean() ? (json.get<bool>() ? 1 : 0) : json.get<double>();
  if (!std::isfinite(x) || std::abs(x) > 1e30) return false;
  if constexpr (std::is_integral_v<T>) {
    if (x != std::round(x) || std::abs(x) > 2e9) return false;
  }
  out = static_cast<T>(x);
  return true;
}
template <class T, std::size_t N>
bool take(const Json& json, std::array<T, N>& out) {
  if (!json.is_array() || json.size() != N) return false;
  std::array<T, N> values{};
  for (std::size_t i = 0; i < N; ++i)
    if (!take(json[i], values[i])) return false;
  out = values;
  return true;
}

/// The name of a group of <visual>, as in MJCF: "global", not "global_".
std::string_view group_name(std::string_view field) {
  return field.ends_with('_') ? field.substr(0, field.size() - 1) : field;
}

}  // namespace

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json describe_model(const Model& m, const Data& d, const AssetNames& assets, const ModelFacts& facts) {
  const auto name = [&](ObjType type, std::int64_t i) { return std::string(m.name(type, i)); };
  Json out = {{"op", "model"}, {"generation", facts.generation}, {"name", m.modelname}, {"file", facts.file}};
  Json& sizes = out["sizes"];
  m.for_each_size([&](std::string_view size, std::int64_t n, std::string_view) {
    for (const std::string_view wanted :
         {"nq",   "nv",      "nu",        "na",      "nbody", "njnt",   "ngeom",    "nsite",
          "ncam", "nlight",  "nmesh",     "nhfield", "ntex",  "nmat",   "nflex",    "nskin",
          "neq",  "ntendon", "nactuator", "nsensor", "nkey",  "nmocap", "nuserdata"})
      if (size == wanted) sizes[std::string(size)] = n;
  });
  const auto objects = [&](const char* kind, std::int64_t n, auto&& make) {
    Json& all = out[kind] = Json::array();
    for (std::int64_t i = 0; i < n; ++i) all.push_back(make(at(i)));
  };
  objects("bodies", m.nbody, [&](std::size_t i) {
    const bool moves = m.body_weldid[i] != 0 || m.body_mocapid[i] >= 0;
    return Json{{"name", name(ObjType::Body, i)},
                {"parent", m.body_parentid[i]},
                {"mass", m.body_mass[i]},
                {"mocap", m.body_mocapid[i] >= 0},
                {"moves", moves},
                {"joint", {m.body_jntadr[i], m.body_jntnum[i]}},
                {"geom", {m.body_geomadr[i], m.body_geomnum[i]}}};
  });
  objects("joints", m.njnt, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Joint, i)},
                {"type", word(m.jnt_type[i], "free", "ball", "slide", "hinge")},
                {"body", m.jnt_bodyid[i]},
                {"qpos", m.jnt_qposadr[i]},
                {"dof", m.jnt_dofadr[i]},
                {"limited", m.jnt_limited[i] != 0},
                {"range", list(&m.jnt_range[2 * i], 2)},
                {"group", m.jnt_group[i]}};
  });
  objects("geoms", m.ngeom, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Geom, i)},
                {"type", m.geom_type[i]},
                {"body", m.geom_bodyid[i]},
                {"group", m.geom_group[i]}};
  });
  objects("sites", m.nsite, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Site, i)}, {"body", m.site_bodyid[i]}, {"group", m.site_group[i]}};
  });
  std::vector<std::pair<int, std::string>> controls(at(m.nu));
  for (int a = 0; a < m.nactuator; ++a)
    for (int k = 0; k < m.actuator_ctrlnum[at(a)]; ++k) {
      const std::string given = name(ObjType::Actuator, a);
      controls[at(m.actuator_ctrladr[at(a)] + k)] = {
          a, m.actuator_ctrlnum[at(a)] > 1 && !given.empty() ? fmt::format("{}.{}", given, k) : given};
    }
  objects("controls", m.nu, [&](std::size_t i) {
    return Json{{"name", controls[i].second},
                {"actuator", controls[i].first},
                {"limited", m.actuator_ctrllimited[i] != 0},
                {"range", list(&m.actuator_ctrlrange[2 * i], 2)},
                {"group", m.actuator_group[at(controls[i].first)]}};
  });
  objects("actuators", m.nactuator, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Actuator, i)}, {"group", m.actuator_group[i]}};
  });
  objects("equalities", m.neq, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Equality, i)},
                {"type", word(m.eq_type[i], "connect", "weld", "joint", "tendon", "flex", "flexvert", "flexstrain")}};
  });
  objects("tendons", m.ntendon, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Tendon, i)},
                {"group", m.tendon_group[i]},
                {"limited", m.tendon_limited[i] != 0},
                {"range", list(&m.tendon_range[2 * i], 2)}};
  });
  objects("sensors", m.nsensor, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Sensor, i)},
                {"type", m.sensor_type[i]},
                {"adr", m.sensor_adr[i]},
                {"dim", m.sensor_dim[i]}};
  });
  objects("cameras", m.ncam, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Camera, i)},
                {"body", m.cam_bodyid[i]},
                {"mode", word(m.cam_mode[i], "fixed", "track", "trackcom", "targetbody", "targetbodycom")},
                {"pos", list(&m.cam_pos[3 * i], 3)},
                {"quat", list(&m.cam_quat[4 * i], 4)},
                {"orthographic", m.cam_projection[i] == static_cast<int>(Projection::Orthographic)},
                {"fovy", m.cam_fovy[i]},
                {"resolution", {m.cam_resolution[2 * i], m.cam_resolution[2 * i + 1]}},
                {"sensorsize", list(&m.cam_sensorsize[2 * i], 2)},
                {"intrinsic", list(&m.cam_intrinsic[4 * i], 4)},
                {"ipd", m.cam_ipd[i]}};
  });
  objects("lights", m.nlight, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Light, i)}, {"body", m.light_bodyid[i]}};
  });
  objects("materials", m.nmat, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Material, i)}, {"rgba", list(&m.mat_rgba[4 * i], 4)}};
  });
  objects("textures", m.ntex, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Texture, i)},
                {"asset", assets.textures[i]},
                {"type", word(m.tex_type[i], "2d", "cube", "skybox")},
                {"width", m.tex_width[i]},
                {"height", m.tex_height[i]},
                {"channels", m.tex_nchannel[i]},
                {"srgb", m.tex_colorspace[i] == static_cast<int>(ColorSpace::Srgb)}};
  });
  objects("meshes", m.nmesh, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Mesh, i)}, {"asset", assets.meshes[i]}, {"hull", assets.hulls[i]}};
  });
  objects("hfields", m.nhfield, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Hfield, i)}, {"asset", assets.hfields[i]}};
  });
  objects("flexes", m.nflex, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Flex, i)},
                {"asset", assets.flexes[i]},
                {"dim", m.flex_dim[i]},
                {"group", m.flex_group[i]}};
  });
  objects("skins", m.nskin, [&](std::size_t i) {
    return Json{{"name", name(ObjType::Skin, i)}, {"asset", assets.skins[i]}, {"group", m.skin_group[i]}};
  });
  out["stat"] = {{"extent", m.stat.extent},
                 {"center", list(m.stat.center)},
                 {"meansize", m.stat.meansize},
                 {"meanmass", m.stat.meanmass}};
  SceneCamera camera = default_free_camera(m);
  const int fixed = m.vis.global_.cameraid;
  if (fixed >= 0 && fixed < m.ncam) {
    camera.type = kCameraFixed;
    camera.fixedcamid = fixed;
  }
  static_cast<void>(d);
  out["camera"] = {
      {"type", camera.type},           {"fixedcamid", camera.fixedcamid}, {"trackbodyid", camera.trackbodyid},
      {"lookat", list(camera.lookat)}, {"distance", camera.distance},     {"azimuth", camera.azimuth},
      {"elevation", camera.elevation}};
  out["worlds"] = {{"n", facts.worlds}, {"spacing", facts.spacing}};
  return out;
}

Json describe_settings(const Model& m, const Drawing& drawing) {
  const SceneOption& o = drawing.option;
  Json out = {{"op", "settings"},
              {"option",
               {{"label", o.label},
                {"frame", o.frame},
                {"geomgroup", list(o.geomgroup)},
                {"sitegroup", list(o.sitegroup)},
                {"jointgroup", list(o.jointgroup)},
                {"tendongroup", list(o.tendongroup)},
                {"actuatorgroup", list(o.actuatorgroup)},
                {"flexgroup", list(o.flexgroup)},
                {"skingroup", list(o.skingroup)},
                {"flags", list(o.flags)},
                {"bvh_depth", o.bvh_depth},
                {"flex_layer", o.flex_layer}}},
              {"flags", list(drawing.flags)}};
  Json& vis = out["vis"];
#define SINEW_VISUAL_BEGIN(group)
#define SINEW_VISUAL(group, type, field, ...) \
  vis[std::string(group_name(#group))][#field] = value_of(m.vis.group.field);
#define SINEW_VISUAL_END(group)
#include "sinew/visual_fields.def"
#undef SINEW_VISUAL_BEGIN
#undef SINEW_VISUAL
#undef SINEW_VISUAL_END
  Json& opt = out["opt"];
#define SINEW_OPTION(type, field, value, doc) opt[#field] = value_of(m.opt.field);
#define SINEW_OPTION_ARRAY(type, field, count, doc, ...) opt[#field] = value_of(m.opt.field);
#include "sinew/option_fields.def"
#undef SINEW_OPTION
#undef SINEW_OPTION_ARRAY
  out["world"] = drawing.focus;
  out["layout"] = drawing.overlay ? "overlay" : "grid";
  return out;
}

Json describe_lights(const Scene& scene) {
  Json all = Json::array();
  for (int i = 0; i < scene.nlight; ++i) {
    const SceneLight& light = scene.lights[at(i)];
    all.push_back({{"id", light.id},
                   {"type", light.type},
                   {"headlight", light.headlight != 0},
                   {"castshadow", light.castshadow != 0},
                   {"pos", list(light.pos)},
                   {"dir", list(light.dir)},
                   {"attenuation", list(light.attenuation)},
                   {"cutoff", light.cutoff},
                   {"exponent", light.exponent},
                   {"ambient", list(light.ambient)},
                   {"diffuse", list(light.diffuse)},
                   {"specular", list(light.specular)},
                   {"bulbradius", light.bulbradius},
                   {"intensity", light.intensity},
                   {"range", light.range},
                   {"softness", light.softness},
                   {"texid", light.texid}});
  }
  return {{"op", "lights"}, {"lights", std::move(all)}};
}

Json describe_problems(const std::string& title, const std::vector<Problem>& problems) {
  Json all = Json::array();
  for (const Problem& problem : problems)
    all.push_back({{"severity", problem.severity == Severity::Error ? "error" : "warning"},
                   {"file", problem.file},
                   {"line", problem.line},
                   {"text", problem.text()}});
  return {{"op", "problems"}, {"title", title}, {"problems", std::move(all)}};
}

std::optional<std::string> assign_visual(Visual& vis, std::string_view path, const Json& value) {
#define SINEW_VISUAL_BEGIN(group)
#define SINEW_VISUAL(group, type, field, ...)                                                                     \
  if (path.size() == group_name(#group).size() + 1 + std::string_view(#field).size() &&                           \
      path.starts_with(group_name(#group)) && path[group_name(#group).size()] == '.' && path.ends_with(#field)) { \
    if (take(value, vis.group.field)) return std::nullopt;                                                        \
    return fmt::format("{}: not a value of its kind", path);                                                      \
  }
#define SINEW_VISUAL_END(group)
#include "sinew/visual_fields.def"
#undef SINEW_VISUAL_BEGIN
#undef SINEW_VISUAL
#undef SINEW_VISUAL_END
  return fmt::format("there is no visual setting '{}'", path);
}

std::optional<std::string> assign_option(Option& opt, std::string_view path, const Json& value) {
#define SINEW_OPTION(type, field, value_, doc)               \
  if (path == #field) {                                      \
    if (take(value, opt.field)) return std::nullopt;         \
    return fmt::format("{}: not a value of its kind", path); \
  }
#define SINEW_OPTION_ARRAY(type, field, count, doc, ...) SINEW_OPTION(type, field, 0, doc)
#include "sinew/option_fields.def"
#undef SINEW_OPTION
#undef SINEW_OPTION_ARRAY
  return fmt::format("there is no option '{}'", path);
}

}  // namespace sinew::view
