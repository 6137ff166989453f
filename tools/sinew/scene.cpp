#include "sinew/scene.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

#include "ask.h"
#include "command.h"
#include "json.h"
#include "sinew/step.h"

namespace sinew::tool {
namespace {

void check(const Status& status) {
  if (!status) throw BadAsk(std::string(status.text()));
}

template <class Out>
void read_numbers(const Json& object, const char* key, Out&& out) {
  const auto found = object.find(key);
  if (found == object.end()) return;
  if (!found->is_array() || found->size() != out.size())
    throw BadAsk(fmt::format("\"{}\" needs {} values", key, out.size()));
  std::ranges::transform(*found, out.begin(), [](const Json& x) {
    return static_cast<std::remove_reference_t<decltype(*out.begin())>>(to_double(x));
  });
}

void set_world(Data& d, const Json& in) {
  if (in.contains("time")) d.time = to_double(in["time"]);
  for (const auto& [key, values] : in.items())
    d.for_each_field([&](std::string_view name, auto& field, auto...) {
      if (name == key && values.is_array()) read_numbers(in, key.c_str(), field);
    });
  if (const auto pull = in.find("xfrc_applied"); pull != in.end() && pull->is_object()) {
    const int body = pull->value("body", 0);
    if (body < 0 || body >= d.model().nbody) throw BadAsk("\"xfrc_applied\" has no such body");
    read_numbers(*pull, "value", d.xfrc_applied.subspan(static_cast<std::size_t>(6 * body), 6));
  }
}

SceneOption option_of(const Json& ask) {
  SceneOption option;
  option.label = ask.value("label", option.label);
  option.frame = ask.value("frame", option.frame);
  option.bvh_depth = ask.value("bvh_depth", option.bvh_depth);
  option.flex_layer = ask.value("flex_layer", option.flex_layer);
  read_numbers(ask, "flags", option.flags);
  read_numbers(ask, "geomgroup", option.geomgroup);
  read_numbers(ask, "sitegroup", option.sitegroup);
  read_numbers(ask, "jointgroup", option.jointgroup);
  read_numbers(ask, "tendongroup", option.tendongroup);
  read_numbers(ask, "actuatorgroup", option.actuatorgroup);
  read_numbers(ask, "flexgroup", option.flexgroup);
  read_numbers(ask, "skingroup", option.skingroup);
  return option;
}

SceneCamera camera_of(const Json& ask) {
  SceneCamera camera;
  camera.type = ask.value("type", camera.type);
  camera.fixedcamid = ask.value("fixedcamid", camera.fixedcamid);
  camera.trackbodyid = ask.value("trackbodyid", camera.trackbodyid);
  read_numbers(ask, "lookat", camera.lookat);
  camera.distance = ask.value("distance", camera.distance);
  camera.azimuth = ask.value("azimuth", camera.azimuth);
  camera.elevation = ask.value("elevation", camera.elevation);
  return camera;
}

Json geom_row(const SceneGeom& g) {
  const std::string label(g.label.data());
  return {{g.type, g.dataid, g.objtype, g.objid, g.category, g.matid, g.texid, g.texuniform, g.texcoord, g.segid},
          numbers(g.size),
          numbers(g.pos),
          numbers(g.mat),
          numbers(g.rgba),
          {number(g.emission), number(g.specular), number(g.shininess), number(g.reflectance), number(g.texrepeat[0]),
           number(g.texrepeat[1])},
          label};
}

Json view_row(const SceneView& v) {
  return {{"pos", numbers(v.pos)},
          {"forward", numbers(v.forward)},
          {"up", numbers(v.up)},
          {"frustum",
           {number(v.frustum_center), number(v.frustum_width), number(v.frustum_bottom), number(v.frustum_top),
            number(v.frustum_near), number(v.frustum_far)}},
          {"orthographic", v.orthographic}};
}

Json light_row(const SceneLight& l) {
  return {{"id", l.id},
          {"type", l.type},
          {"texid", l.texid},
          {"headlight", l.headlight},
          {"castshadow", l.castshadow},
          {"pos", numbers(l.pos)},
          {"dir", numbers(l.dir)},
          {"attenuation", numbers(l.attenuation)},
          {"ambient", numbers(l.ambient)},
          {"diffuse", numbers(l.diffuse)},
          {"specular", numbers(l.specular)},
          {"cutoff_exponent_bulb_intensity_range_softness",
           {number(l.cutoff), number(l.exponent), number(l.bulbradius), number(l.intensity), number(l.range),
            number(l.softness)}}};
}

Json perturb_row(const Model& m, Data& d, const Perturb& p) {
  Json xfrc = Json::array();
  if (p.select >= 0 && p.select < m.nbody) {
    const std::span<double> row = d.xfrc_applied.subspan(static_cast<std::size_t>(6 * p.select), 6);
    const std::vector<double> before(row.begin(), row.end());
    apply_perturb_force(m, d, p);
    xfrc = numbers(row);
    std::ranges::copy(before, row.begin());
  }
  return {{"select", p.select},
          {"active", p.active},
          {"localpos", numbers(p.localpos)},
          {"refpos", numbers(p.refpos)},
          {"refquat", numbers(p.refquat)},
          {"refselpos", numbers(p.refselpos)},
          {"localmass", number(p.localmass)},
          {"scale", number(p.scale)},
          {"xfrc", xfrc}};
}

/// Numbers in short: how many, sums, the first and the last.
template <class Values>
Json digest(const Values& values) {
  double sum = 0, absolute = 0;
  for (const float x : values) sum += double{x}, absolute += std::fabs(double{x});
  const std::size_t n = values.size(), some = std::min<std::size_t>(n, 9);
  const std::span<const float> all(values.data(), n);
  return {{"n", n},
          {"sum", number(sum)},
          {"abs", number(absolute)},
          {"head", numbers(all.first(some))},
          {"tail", numbers(all.last(some))}};
}

Json flex_row(const SceneFlexes& flex) {
  Json per = Json::array();
  for (std::size_t i = 0; i < flex.size(); ++i) {
    const auto start = static_cast<std::size_t>(flex.faceadr[i]), used = static_cast<std::size_t>(flex.faceused[i]);
    const auto part = [&](const std::vector<float>& values, std::size_t width) {
      return digest(std::span<const float>(values).subspan(width * start, width * used));
    };
    per.push_back(
        {{"face", part(flex.face, 9)}, {"normal", part(flex.normal, 9)}, {"texcoord", part(flex.texcoord, 6)}});
  }
  return {{"faceused", flex.faceused},
          {"opt", {flex.vertopt, flex.edgeopt, flex.faceopt, flex.skinopt}},
          {"vert", digest(flex.vert)},
          {"per", per}};
}

Json picks(const Model& m, const Data& d, const SceneOption& option, const Scene& scene, const Json& ask) {
  const double aspect = to_double(ask.at("aspect"));
  const int columns = ask.at("grid").at(0), rows = ask.at("grid").at(1);
  Json hits = Json::array();
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const ScenePick hit = pick(m, d, option, aspect, (i + 0.5) / columns, (j + 0.5) / rows, scene);
      hits.push_back(
          {hit.body, hit.geom, hit.flex, hit.skin, number(hit.point[0]), number(hit.point[1]), number(hit.point[2])});
    }
  return {{"aspect", aspect}, {"hits", hits}};
}

Json tour(const Model& m, SceneCamera camera, const Json& ask) {
  Json out = Json::array();
  for (const Json& move : ask) {
    const int action = move.at(0);
    const double dx = to_double(move.at(1)), dy = to_double(move.at(2));
    move_camera(m, action, dx, dy, camera);
    out.push_back({action, dx, dy, number(camera.lookat[0]), number(camera.lookat[1]), number(camera.lookat[2]),
                   number(camera.distance), number(camera.azimuth), number(camera.elevation)});
  }
  return out;
}

Json answer(const Model& m, Data& d, const Json& ask) {
  const SceneOption option = option_of(ask.value("option", Json::object()));
  SceneCamera camera = camera_of(ask.value("cam", Json::object()));
  const int catmask = ask.value("catmask", static_cast<int>(kSceneAll));
  Scene scene(m);
  Perturb perturb;
  check(update_scene(m, d, option, &perturb, camera, catmask, scene));
  Json out;
  out["set"] = ask.value("set", "");
  if (const auto asked = ask.find("perturb"); asked != ask.end()) {
    perturb.select = asked->value("select", 0);
    read_numbers(*asked, "localpos", perturb.localpos);
    init_perturb(m, d, scene, perturb);
    perturb.active = asked->value("active", 0);
    move_perturb(m, d, kMouseMoveV, 0.05, 0.1, scene, perturb);
    move_perturb(m, d, kMouseRotateH, 0.03, -0.04, scene, perturb);
    check(update_scene(m, d, option, &perturb, camera, catmask, scene));
    out["perturb"] = perturb_row(m, d, perturb);
  }
  out["ngeom"] = scene.ngeom;
  out["geoms"] = Json::array();
  for (int i = 0; i < scene.ngeom; ++i) out["geoms"].push_back(geom_row(scene.geoms[static_cast<std::size_t>(i)]));
  out["camera"] = {view_row(scene.camera[0]), view_row(scene.camera[1])};
  out["lights"] = Json::array();
  for (int i = 0; i < scene.nlight; ++i) out["lights"].push_back(light_row(scene.lights[static_cast<std::size_t>(i)]));
  if (m.nflex > 0) out["flex"] = flex_row(scene.flex);
  if (m.nskin > 0) out["skin"] = {{"vert", digest(scene.skin.vert)}, {"normal", digest(scene.skin.normal)}};
  if (ask.contains("select")) out["select"] = picks(m, d, option, scene, ask["select"]);
  if (ask.contains("tour")) out["tour"] = tour(m, camera, ask["tour"]);
  return out;
}

Json scene_answers(const Model& m, const Json& ask) {
  Data d(m);
  set_world(d, ask.value("in", Json::object()));
  check(forward(m, d));
  Json out;
  out["scenes"] = Json::array();
  for (const Json& scene : ask.value("scenes", Json::array())) out["scenes"].push_back(answer(m, d, scene));
  return out;
}

}  // namespace

void add_scene(CLI::App& app, Action& action) {
  struct Options {
    std::string model, ask;
  };
  CLI::App* sub = app.add_subcommand("scene", "List what is drawn at a recorded state for conformance tests, as JSON");
  const auto options = std::make_shared<Options>();
  sub->add_option("MODEL", options->model, "MJCF, URDF or SDFormat file")->required();
  sub->add_option("ASK", options->ask, "JSON with the state \"in\" and the options of each of \"scenes\"")->required();
  sub->footer("Example:\n  sinew scene arm.xml ask.json > answer.json");
  sub->callback(
      [&action, options] { action = [options] { return answer_ask(options->model, options->ask, scene_answers); }; });
}

}  // namespace sinew::tool
