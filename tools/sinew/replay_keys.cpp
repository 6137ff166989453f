#include "replay_keys.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "sinew/version.h"
#include "words.h"

namespace sinew::tool {
namespace {

struct MetaKey {
  std::string_view name;
  Json (*value)(const Model& m);
};
constexpr MetaKey kMetaKeys[] = {
    {"mujoco", [](const Model&) -> Json { return kMujocoVersion; }},
    {"format", [](const Model&) -> Json { return 1; }},
    {"integrator", [](const Model& m) -> Json { return integrator_word(m.opt.integrator); }},
    {"solver", [](const Model& m) -> Json { return solver_word(m.opt.solver); }},
    {"cone", [](const Model& m) -> Json { return cone_word(m.opt.cone); }},
    {"timestep", [](const Model& m) -> Json { return number(m.opt.timestep); }},
    {"start_key", [](const Model& m) -> Json { return m.nkey > 0 ? 0 : -1; }},
};

struct NameKind {
  std::string_view name;
  ObjType type;
};
constexpr NameKind kNameKinds[] = {
    {"body", ObjType::Body},     {"joint", ObjType::Joint},       {"geom", ObjType::Geom},    {"site", ObjType::Site},
    {"tendon", ObjType::Tendon}, {"actuator", ObjType::Actuator}, {"sensor", ObjType::Sensor}};

Json statistic(const Statistic& stat) {
  return {{"meaninertia", number(stat.meaninertia)},
          {"meanmass", number(stat.meanmass)},
          {"meansize", number(stat.meansize)},
          {"extent", number(stat.extent)},
          {"center", numbers(stat.center)}};
}

Json names_of(const Model& m, const Json& asked) {
  Json out = Json::object();
  for (const NameKind& kind : kNameKinds) {
    if (!asked.contains(kind.name)) continue;
    Json names = Json::array();
    for (std::int64_t i = 0; i < m.count(kind.type); ++i) names.push_back(m.name(kind.type, i));
    out[std::string(kind.name)] = std::move(names);
  }
  return out;
}

/// Lower triangle of the inertia matrix, row by row, with zeros outside the sparsity pattern.
Json inertia_triangle(const Model& m, Data& d) {
  std::vector<double> triangle(static_cast<std::size_t>(m.nv * (m.nv + 1) / 2), 0.0);
  for (int i = 0; i < m.nv; ++i)
    for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k)
      triangle[static_cast<std::size_t>(i) * (i + 1) / 2 + m.M_colind[k]] = d.M[k];
  return numbers(triangle);
}

Json contacts(const Model&, Data& d) {
  constexpr int kListed = 64;
  Json out = Json::array();
  for (int i = 0; i < std::min(d.ncon, kListed); ++i) {
    const Contact& c = d.contact[static_cast<std::size_t>(i)];
    Json contact = {{"geom1", c.geom[0]},
                    {"geom2", c.geom[1]},
                    {"dim", c.dim},
                    {"exclude", c.exclude},
                    {"efc_address", c.efc_address},
                    {"dist", number(c.dist)},
                    {"includemargin", number(c.includemargin)},
                    {"pos", numbers(c.pos)},
                    {"frame", numbers(c.frame)},
                    {"friction", numbers(c.friction)}};
    if (c.flex[0] >= 0 || c.flex[1] >= 0) {
      contact["flex"] = numbers(c.flex);
      contact["elem"] = numbers(c.elem);
      contact["vert"] = numbers(c.vert);
    }
    out.push_back(std::move(contact));
  }
  return out;
}

Json solver_iterations(const Model&, Data& d) {
  const auto solved = std::min<std::size_t>(d.solver_niter.size(), static_cast<std::size_t>(std::max(1, d.nisland)));
  return numbers(std::span(d.solver_niter).first(solved));
}

template <int Data::*count>
Json count_of(const Model&, Data& d) {
  return d.*count;
}

struct DataKey {
  std::string_view name;
  Json (*value)(const Model& m, Data& d);
};
/// Keys that are not simply arrays of Data with the same name.
constexpr DataKey kDataKeys[] = {
    {"time", [](const Model&, Data& d) -> Json { return number(d.time); }},
    {"energy", [](const Model&, Data& d) -> Json { return numbers(d.energy); }},
    {"M", inertia_triangle},
    {"contacts", contacts},
    {"ncon", count_of<&Data::ncon>},
    {"nefc", count_of<&Data::nefc>},
    {"ne", count_of<&Data::ne>},
    {"nf", count_of<&Data::nf>},
    {"nl", count_of<&Data::nl>},
    {"nisland", count_of<&Data::nisland>},
    {"solver_niter", solver_iterations},
};

}  // namespace

Json meta_value(const Model& m, const std::string& key) {
  Json value;
  m.for_each_size([&](std::string_view name, std::int64_t size, auto) {
    if (name == key) value = size;
  });
  for (const MetaKey& entry : kMetaKeys)
    if (entry.name == key) value = entry.value(m);
  return value;
}

Json model_value(const Model& m, const std::string& key, const Json& asked) {
  if (key == "opt") return all_options(m.opt);
  if (key == "stat") return statistic(m.stat);
  if (key == "names") return names_of(m, asked);
  Json value;
  m.for_each_field([&](std::string_view name, const auto& field, auto...) {
    if (name == key) value = numbers(field);
  });
  return value;
}

Json data_value(const Model& m, Data& d, const std::string& key) {
  for (const DataKey& entry : kDataKeys)
    if (entry.name == key) return entry.value(m, d);
  Json value;
  d.for_each_field([&](std::string_view name, const auto& field, auto...) {
    if (name == key) value = numbers(field);
  });
  d.for_each_row_field([&](std::string_view name, const auto& field, std::int64_t rows, std::int64_t cols, auto...) {
    if (name == key) value = numbers(std::span(field).first(static_cast<std::size_t>(rows * cols)));
  });
  return value;
}

}  // namespace sinew::tool
