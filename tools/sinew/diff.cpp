#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <span>

#include "command.h"
#include "json.h"
#include "number.h"
#include "report.h"
#include "words.h"

namespace sinew::tool {
namespace {

struct DiffOptions {
  std::string first, second;
  double tolerance = 0;
  bool json = false, all = false;
};

/// Elements of a kind have the fields with its prefix and one row each.
struct ElementKind {
  std::string_view word, prefix;
  ObjType type;
};
constexpr ElementKind kElementKinds[] = {{"body", "body_", ObjType::Body},
                                         {"joint", "jnt_", ObjType::Joint},
                                         {"dof", "dof_", ObjType::Dof},
                                         {"geom", "geom_", ObjType::Geom},
                                         {"site", "site_", ObjType::Site},
                                         {"camera", "cam_", ObjType::Camera},
                                         {"light", "light_", ObjType::Light},
                                         {"flex", "flex_", ObjType::Flex},
                                         {"mesh", "mesh_", ObjType::Mesh},
                                         {"skin", "skin_", ObjType::Skin},
                                         {"hfield", "hfield_", ObjType::Hfield},
                                         {"texture", "tex_", ObjType::Texture},
                                         {"material", "mat_", ObjType::Material},
                                         {"pair", "pair_", ObjType::Pair},
                                         {"exclude", "exclude_", ObjType::Exclude},
                                         {"equality", "eq_", ObjType::Equality},
                                         {"tendon", "tendon_", ObjType::Tendon},
                                         {"actuator", "actuator_", ObjType::Actuator},
                                         {"sensor", "sensor_", ObjType::Sensor},
                                         {"numeric", "numeric_", ObjType::Numeric},
                                         {"text", "text_", ObjType::Text},
                                         {"tuple", "tuple_", ObjType::Tuple},
                                         {"key", "key_", ObjType::Key}};

/// Fields that hold the number of another element, which is compared by name.
struct Reference {
  std::string_view field;
  ObjType type;
};
constexpr Reference kReferences[] = {
    {"body_parentid", ObjType::Body},  {"jnt_bodyid", ObjType::Body},         {"geom_bodyid", ObjType::Body},
    {"site_bodyid", ObjType::Body},    {"cam_bodyid", ObjType::Body},         {"cam_targetbodyid", ObjType::Body},
    {"light_bodyid", ObjType::Body},   {"light_targetbodyid", ObjType::Body}, {"geom_matid", ObjType::Material},
    {"site_matid", ObjType::Material}, {"flex_matid", ObjType::Material},     {"tendon_matid", ObjType::Material},
    {"skin_matid", ObjType::Material}, {"mat_texid", ObjType::Texture},       {"pair_geom1", ObjType::Geom},
    {"pair_geom2", ObjType::Geom},     {"dof_bodyid", ObjType::Body},         {"dof_jntid", ObjType::Joint}};

/// Places in arrays, numbers of elements that are no names, and constants that follow from the rest.
bool is_bookkeeping(std::string_view field) {
  constexpr std::string_view kEndings[] = {"adr",     "treeid",    "rootid",  "weldid",
                                           "mocapid", "signature", "_plugin", "dof_parentid"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return field.ends_with(ending); });
}
bool is_derived(std::string_view field) {
  constexpr std::string_view kDerived[] = {
      "body_subtreemass", "body_invweight0",  "body_bvhnum",    "body_simple",       "body_margin",
      "body_contype",     "body_conaffinity", "body_jntnum",    "body_dofnum",       "body_geomnum",
      "dof_invweight0",   "dof_M0",           "tendon_length0", "tendon_invweight0", "actuator_acc0",
      "actuator_length0", "geom_rbound",      "geom_aabb",      "cam_poscom0",       "cam_pos0",
      "cam_mat0",         "light_poscom0",    "light_pos0",     "light_dir0",        "dof_length",
      "dof_simplenum",    "body_sameframe",   "geom_sameframe", "site_sameframe",    "tendon_treenum"};
  return std::ranges::find(kDerived, field) != std::end(kDerived);
}

/// Names of the elements of a kind; those without one are numbered. Dofs have the name of their joint, with a number if
/// it has several.
std::vector<std::string> titles(const Model& m, ObjType type) {
  std::vector<std::string> out;
  if (type == ObjType::Dof) {
    const std::vector<std::string> joints = titles(m, ObjType::Joint);
    for (std::int64_t i = 0; i < m.nv; ++i) {
      const auto joint = static_cast<std::size_t>(m.dof_jntid[i]);
      const auto kind = static_cast<JointType>(m.jnt_type[joint]);
      const bool alone = kind == JointType::Hinge || kind == JointType::Slide;
      out.push_back(alone ? joints[joint] : fmt::format("{}[{}]", joints[joint], i - m.jnt_dofadr[joint]));
    }
    return out;
  }
  int unnamed = 0;
  for (std::int64_t i = 0; i < m.count(type); ++i) {
    const std::string_view name = m.name(type, i);
    out.push_back(name.empty() ? fmt::format("#{}", unnamed++) : std::string(name));
  }
  return out;
}

bool close_enough(const Json& a, const Json& b, double tolerance) {
  if (a.is_array() && b.is_array()) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!close_enough(a[i], b[i], tolerance)) return false;
    return true;
  }
  if (a == b) return true;
  if (!a.is_number() || !b.is_number()) return false;
  const double x = a.get<double>(), y = b.get<double>();
  return std::abs(x - y) <= tolerance * std::max({1.0, std::abs(x), std::abs(y)});
}

using Row = std::map<std::string, Json>;  // field to value

/// Every element of a kind with the values of its fields.
std::map<std::string, Row> rows_of(const Model& m, const ElementKind& kind, bool all) {
  const std::vector<std::string> names = titles(m, kind.type);
  std::map<std::string, Row> out;
  for (const std::string& name : names) out[name];
  m.for_each_field([&](std::string_view field, const auto& values, std::int64_t rows, std::int64_t cols, auto) {
    if (!field.starts_with(kind.prefix) || rows != static_cast<std::int64_t>(names.size()) || is_bookkeeping(field) ||
        (!all && is_derived(field)))
      return;
    const auto reference = std::ranges::find(kReferences, field, &Reference::field);
    for (std::int64_t r = 0; r < rows; ++r) {
      Json row = Json::array();
      for (std::int64_t c = 0; c < cols; ++c) {
        const auto value = values[static_cast<std::size_t>(r * cols + c)];
        if (reference != std::end(kReferences)) {
          const auto id = static_cast<std::int64_t>(value);
          row.push_back(id < 0 ? "none" : std::string(m.name(reference->type, id)));
        } else if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(value)>>) {
          row.push_back(number(static_cast<double>(value)));
        } else {
          row.push_back(static_cast<std::int64_t>(value));
        }
      }
      out[names[static_cast<std::size_t>(r)]][std::string(field)] = cols == 1 ? row[0] : row;
    }
  });
  return out;
}

Json changes(const Json& a, const Json& b, double tolerance) {
  Json out = Json::object();
  for (const auto& [key, value] : a.items())
    if (const Json other = b.value(key, Json()); !close_enough(value, other, tolerance)) out[key] = {value, other};
  for (const auto& [key, value] : b.items())
    if (!a.contains(key)) out[key] = {nullptr, value};
  return out;
}

Json sizes_of(const Model& m) {
  Json out = Json::object();
  m.for_each_size([&](std::string_view name, std::int64_t size, auto) { out[std::string(name)] = size; });
  return out;
}

/// Arrays that belong to no single element: vertices, pixels, initial positions.
Json array_changes(const Model& a, const Model& b, const DiffOptions& options) {
  Json out = Json::object();
  std::map<std::string_view, std::vector<double>> first;
  const auto belongs_to_elements = [](const Model& m, std::string_view field, std::int64_t rows) {
    return std::ranges::any_of(kElementKinds, [&](const ElementKind& kind) {
      return field.starts_with(kind.prefix) && rows == m.count(kind.type);
    });
  };
  const auto counts = [](std::string_view field) {
    constexpr std::string_view kPrefixes[] = {"qpos",      "mesh_vert",   "mesh_normal",  "mesh_texcoord",
                                              "tex_data",  "hfield_data", "numeric_data", "text_data",
                                              "flex_vert", "wrap_prm"};
    return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return field.starts_with(prefix); });
  };
  const auto visit = [&](const Model& m, auto&& use) {
    m.for_each_field([&](std::string_view field, const auto& values, std::int64_t rows, std::int64_t, auto) {
      if (!counts(field) || is_bookkeeping(field) || (!options.all && is_derived(field)) || field.ends_with("id") ||
          belongs_to_elements(m, field, rows))
        return;
      std::vector<double> numbers;
      for (const auto& x : values) numbers.push_back(static_cast<double>(x));
      use(field, std::move(numbers));
    });
  };
  visit(a, [&](std::string_view field, std::vector<double> values) { first[field] = std::move(values); });
  visit(b, [&](std::string_view field, const std::vector<double>& values) {
    const auto found = first.find(field);
    if (found == first.end() || found->second.size() != values.size()) return;  // the sizes tell
    std::size_t differing = 0;
    double most = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (close_enough(number(found->second[i]), number(values[i]), options.tolerance)) continue;
      ++differing;
      most = std::max(most, std::abs(found->second[i] - values[i]));
    }
    if (differing > 0)
      out[std::string(field)] = {{"differing", differing}, {"of", values.size()}, {"largest", number(most)}};
  });
  return out;
}

Json differences(const Model& a, const Model& b, const DiffOptions& options) {
  Json out = {{"sizes", changes(sizes_of(a), sizes_of(b), 0)},
              {"options", changes(all_options(a.opt), all_options(b.opt), options.tolerance)},
              {"removed", Json::object()},
              {"added", Json::object()},
              {"changed", Json::object()}};
  for (const ElementKind& kind : kElementKinds) {
    const std::string word(kind.word);
    const auto first = rows_of(a, kind, options.all), second = rows_of(b, kind, options.all);
    for (const auto& [name, row] : first) {
      const auto other = second.find(name);
      if (other == second.end()) {
        out["removed"][word].push_back(name);
        continue;
      }
      Json fields = changes(Json(row), Json(other->second), options.tolerance);
      if (!fields.empty()) out["changed"][word][name] = std::move(fields);
    }
    for (const auto& [name, row] : second)
      if (!first.contains(name)) out["added"][word].push_back(name);
  }
  out["arrays"] = array_changes(a, b, options);
  out["same"] = std::ranges::all_of(out, [](const Json& part) { return part.empty(); });
  return out;
}

std::string value_text(const Json& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  if (!value.is_array()) return value.dump();
  constexpr std::size_t kShown = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(value.size(), kShown); ++i) out += (i ? " " : "") + value_text(value[i]);
  return value.size() > kShown ? out + " …" : out;
}

void print_changes(const char* indent, const Json& fields) {
  for (const auto& [field, pair] : fields.items())
    fmt::print("{}{}: {} -> {}\n", indent, field, value_text(pair[0]), value_text(pair[1]));
}

void print_differences(const Json& found) {
  for (const char* part : {"sizes", "options"}) {
    if (found[part].empty()) continue;
    fmt::print("{}\n", part);
    print_changes("  ", found[part]);
  }
  for (const auto& [part, sign] : {std::pair{"removed", '-'}, std::pair{"added", '+'}})
    for (const auto& [kind, names] : found[part].items())
      for (const Json& name : names) fmt::print("{} {} {}\n", sign, kind, name.get<std::string>());
  for (const auto& [kind, elements] : found["changed"].items())
    for (const auto& [name, fields] : elements.items()) {
      fmt::print("~ {} {}\n", kind, name);
      print_changes("    ", fields);
    }
  for (const auto& [field, counts] : found["arrays"].items())
    fmt::print("~ {}: {} of {} numbers, by up to {}\n", field, counts["differing"].get<std::size_t>(),
               counts["of"].get<std::size_t>(), value_text(counts["largest"]));
}

int diff_models(const DiffOptions& options) {
  const std::optional<Model> a = load_and_report(options.first), b = load_and_report(options.second);
  if (!a || !b) return kRefused;
  const Json found = differences(*a, *b, options);
  if (options.json) {
    fmt::print("{}\n", found.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    print_differences(found);
  }
  return found["same"].get<bool>() ? kDone : kDiffer;
}

}  // namespace

void add_diff(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("diff", "Show what differs between two compiled models");
  const auto options = std::make_shared<DiffOptions>();
  sub->add_option("A", options->first, "MJCF, URDF, SDFormat or binary model")->required();
  sub->add_option("B", options->second, "the other model")->required();
  sub->add_option("--tolerance", options->tolerance, "relative difference of numbers that is ignored (0)")
      ->check(not_negative<double>());
  sub->add_flag("--all", options->all, "also constants that follow from others, such as inverse weights");
  sub->add_flag("--json", options->json, "as JSON");
  sub->footer(
      "Elements are matched by name, those without one by their order. Order and formatting of the files do not\n"
      "matter: the compiled models are compared.\n\n"
      "Exit code 0: no difference, 3: the models differ.\n\n"
      "Examples:\n  sinew diff robot.xml robot_new.xml\n  sinew diff robot.urdf robot.xml --tolerance 1e-6 --json");
  sub->callback([&action, options] { action = [options] { return diff_models(*options); }; });
}

}  // namespace sinew::tool
