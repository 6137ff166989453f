#include <memory>
#include <string>

#include "command.h"
#include "json.h"
#include "mesh_facts.h"
#include "report.h"
#include "sinew/data.h"
#include "words.h"

namespace sinew::tool {
namespace {

struct NamedKind {
  const char* word;
  ObjType type;
};
constexpr NamedKind kKinds[] = {
    {"body", ObjType::Body},         {"joint", ObjType::Joint},     {"geom", ObjType::Geom},
    {"site", ObjType::Site},         {"camera", ObjType::Camera},   {"light", ObjType::Light},
    {"mesh", ObjType::Mesh},         {"hfield", ObjType::Hfield},   {"texture", ObjType::Texture},
    {"material", ObjType::Material}, {"pair", ObjType::Pair},       {"exclude", ObjType::Exclude},
    {"equality", ObjType::Equality}, {"tendon", ObjType::Tendon},   {"actuator", ObjType::Actuator},
    {"sensor", ObjType::Sensor},     {"numeric", ObjType::Numeric}, {"text", ObjType::Text},
    {"tuple", ObjType::Tuple},       {"key", ObjType::Key}};

Json describe_meshes(const std::vector<MeshFacts>& meshes) {
  Json out = Json::array();
  for (const MeshFacts& mesh : meshes) {
    Json row = {{"name", mesh.name},
                {"vertices", mesh.vertices},
                {"faces", mesh.faces},
                {"volume", number(mesh.volume)},
                {"inertia", {number(mesh.inertia[0]), number(mesh.inertia[1]), number(mesh.inertia[2])}},
                {"watertight", mesh.open_edges == 0}};
    if (mesh.hull_vertices > 0) row["hull"] = {{"vertices", mesh.hull_vertices}, {"faces", mesh.hull_faces}};
    out.push_back(std::move(row));
  }
  return out;
}

/// Everything info reports, in one object: printed as JSON or as text.
Json describe(const std::string& path, const Model& m, const std::vector<Problem>& warnings) {
  Json out;
  out["file"] = path;
  out["model"] = m.modelname;
  m.for_each_size([&](std::string_view name, std::int64_t size, auto) {
    if (size) out["sizes"][std::string(name)] = size;
  });
  out["options"] = changed_options(m.opt);

  Json bodies = Json::array();
  for (int b = 0; b < m.nbody; ++b) {
    Json joints = Json::array();
    for (int j = m.body_jntadr[b]; j >= 0 && j < m.body_jntadr[b] + m.body_jntnum[b]; ++j)
      joints.push_back({{"name", m.name(ObjType::Joint, j)}, {"type", joint_word(m.jnt_type[j])}});
    bodies.push_back({{"id", b},
                      {"name", m.name(ObjType::Body, b)},
                      {"parent", m.body_parentid[b]},
                      {"mass", number(m.body_mass[b])},
                      {"geoms", m.body_geomnum[b]},
                      {"joints", joints}});
  }
  out["bodies"] = bodies;

  for (const NamedKind& kind : kKinds) {
    if (m.count(kind.type) == 0) continue;
    Json names = Json::array();
    for (int i = 0; i < m.count(kind.type); ++i) names.push_back(m.name(kind.type, i));
    out["elements"][kind.word] = names;
  }
  out["bytes"] = {{"model", m.bytes()}, {"data", Data(m).bytes()}};
  out["warnings"] = Json::array();
  for (const Problem& problem : warnings) out["warnings"].push_back(problem.text());
  const std::vector<MeshFacts> meshes = mesh_facts(m);
  if (!meshes.empty()) out["meshes"] = describe_meshes(meshes);
  for (const std::string& warning : mesh_warnings(m, meshes)) out["warnings"].push_back("warning: " + warning);
  return out;
}

std::string title(const Json& object, const char* kind) {
  const std::string name = object["name"];
  return name.empty() ? fmt::format("({})", kind) : name;
}

void print_sizes(const Json& info) {
  fmt::print("\nsizes\n");
  std::string line;
  for (const auto& [name, size] : info["sizes"].items()) {
    const std::string item = fmt::format("{} {}", name, size.get<std::int64_t>());
    if (!line.empty() && line.size() + item.size() > 96) {
      fmt::print("  {}\n", line);
      line.clear();
    }
    line += line.empty() ? item : "  " + item;
  }
  if (!line.empty()) fmt::print("  {}\n", line);
}

void print_options(const Json& info) {
  fmt::print("\noptions that differ from the defaults\n");
  if (info["options"].empty()) fmt::print("  none\n");
  for (const auto& [name, value] : info["options"].items()) {
    std::string text;
    if (value.is_array()) {
      for (const Json& x : value) text += (text.empty() ? "" : " ") + (x.is_string() ? x.get<std::string>() : x.dump());
    } else {
      text = value.is_string() ? value.get<std::string>() : value.dump();
    }
    fmt::print("  {:<18} {}\n", name, text);
  }
}

void print_tree(const Json& info) {
  fmt::print("\ntree\n");
  std::vector<int> depth;
  for (const Json& body : info["bodies"]) {
    const int id = body["id"];
    depth.push_back(id == 0 ? 0 : depth[body["parent"].get<std::size_t>()] + 1);
    // keeps a chain of thousands of bodies readable
    const int indent = 2 + 2 * std::min(depth.back(), 24);
    std::string joints;
    for (const Json& joint : body["joints"])
      joints += fmt::format("  {} {}", joint["type"].get<std::string>(), title(joint, "unnamed"));
    fmt::print("{:{}}{}  {:.4g} kg{}\n", "", indent, title(body, "body"), to_double(body["mass"]), joints);
  }
}

void print_elements(const Json& info) {
  fmt::print("\nelements\n");
  for (const auto& [kind, names] : info["elements"].items()) {
    std::string listed;
    for (const Json& name : names) {
      const auto& text = name.get_ref<const std::string&>();
      if (text.empty()) continue;
      if (listed.size() + text.size() > 80) {
        listed += " …";
        break;
      }
      listed += (listed.empty() ? "" : " ") + text;
    }
    fmt::print("  {:<10}{:>6}  {}\n", kind, names.size(), listed);
  }
}

void print_meshes(const Json& info) {
  if (!info.contains("meshes")) return;
  std::size_t width = 4;
  for (const Json& mesh : info["meshes"])
    width = std::max(width, std::min<std::size_t>(40, title(mesh, "mesh").size()));
  fmt::print("\nmeshes; inertia at 1000 kg/m3\n  {:<{}}{:>9}{:>9}{:>14}{:>12}  inertia kg m2\n", "name", width,
             "vertices", "faces", "hull v/f", "volume m3");
  for (const Json& mesh : info["meshes"]) {
    const std::string hull = mesh.contains("hull") ? fmt::format("{}/{}", mesh["hull"]["vertices"].get<int>(),
                                                                 mesh["hull"]["faces"].get<int>())
                                                   : "-";
    fmt::print("  {:<{}}{:>9}{:>9}{:>14}{:>12.4g}  {:.4g} {:.4g} {:.4g}\n", title(mesh, "mesh"), width,
               mesh["vertices"].get<int>(), mesh["faces"].get<int>(), hull, to_double(mesh["volume"]),
               to_double(mesh["inertia"][0]), to_double(mesh["inertia"][1]), to_double(mesh["inertia"][2]));
  }
}

void print_text(const Json& info) {
  fmt::print("{}: model \"{}\"\n", info["file"].get<std::string>(), info["model"].get<std::string>());
  print_sizes(info);
  print_options(info);
  print_tree(info);
  print_elements(info);
  print_meshes(info);
  fmt::print("\nmemory\n  model {}, data of one world {}\n", human_bytes(info["bytes"]["model"].get<std::size_t>()),
             human_bytes(info["bytes"]["data"].get<std::size_t>()));
  if (info["warnings"].empty()) return;
  fmt::print("\nwarnings\n");
  for (const Json& warning : info["warnings"]) fmt::print("  {}\n", warning.get<std::string>());
}

int info(const std::string& path, bool as_json) {
  std::vector<Problem> warnings;
  const std::optional<Model> model = load_and_report(path, &warnings);
  if (!model) return kRefused;
  const Json description = describe(path, *model, warnings);
  if (as_json) {
    fmt::print("{}\n", description.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    print_text(description);
  }
  return kDone;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  struct Options {
    std::string model;
    bool json = false;
  };
  CLI::App* sub =
      app.add_subcommand("info", "Describe a model: sizes, options, tree, elements, meshes, warnings, memory");
  const auto options = std::make_shared<Options>();
  sub->add_option("MODEL", options->model, "MJCF, URDF or SDFormat file")->required();
  sub->add_flag("--json", options->json, "as JSON");
  sub->footer("Examples:\n  sinew info models/humanoid.xml\n  sinew info --json models/humanoid.xml | jq .sizes");
  sub->callback([&action, options] { action = [options] { return info(options->model, options->json); }; });
}

}  // namespace sinew::tool
