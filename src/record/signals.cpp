#include "record/signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/suggest.h"
#include "model/joint_kinds.h"

namespace sinew {
namespace {

/// Everything that can be recorded: a quantity with the names of its numbers.
struct Quantity {
  std::string_view name;
  std::string_view unit;
  std::string_view rows;  // the model size that counts its rows; empty: names are given below
  int cols = 1;
  std::function<double(const Data&, std::size_t)> number;
  std::vector<std::string> names;
};

constexpr std::pair<std::string_view, std::string_view> kUnits[] = {
    {"qpos", "m or rad"},
    {"qvel", "m/s or rad/s"},
    {"qacc", "m/s² or rad/s²"},
    {"actuator_force", "N or N m"},
    {"actuator_length", "m or rad"},
    {"actuator_velocity", "m/s or rad/s"},
    {"ten_length", "m or rad"},
    {"ten_velocity", "m/s or rad/s"},
    {"xpos", "m"},
    {"xipos", "m"},
    {"geom_xpos", "m"},
    {"site_xpos", "m"},
    {"cam_xpos", "m"},
    {"light_xpos", "m"},
    {"subtree_com", "m"},
    {"mocap_pos", "m"},
    {"subtree_linvel", "m/s"},
    {"energy", "J"},
};

std::string_view unit_of(std::string_view name) {
  const auto* found = std::ranges::find(kUnits, name, [](const auto& row) { return row.first; });
  if (found != std::end(kUnits)) return found->second;
  return name.starts_with("qfrc_") ? "N or N m" : "";
}

std::vector<Quantity> all_quantities() {
  std::vector<Quantity> all;
#define SINEW_DATA(group, type, field, rows, cols, writer, doc)                                \
  all.push_back({#field,                                                                       \
                 unit_of(#field),                                                              \
                 #rows,                                                                        \
                 cols,                                                                         \
                 [](const Data& d, std::size_t i) { return static_cast<double>(d.field[i]); }, \
                 {}});
#include "sinew/data_fields.def"
#undef SINEW_DATA
  const auto count = [&](std::string_view name, int Data::*member) {
    all.push_back({name, "", "", 1, [member](const Data& d, std::size_t) { return d.*member; }, {""}});
  };
  all.push_back(
      {"energy", "J", "", 1, [](const Data& d, std::size_t i) { return d.energy[i]; }, {"potential", "kinetic"}});
  count("ncon", &Data::ncon);
  count("nefc", &Data::nefc);
  count("nisland", &Data::nisland);
  const auto iterations = [](const Data& d, std::size_t) {
    return static_cast<double>(std::accumulate(d.solver_niter.begin(), d.solver_niter.end(), 0));
  };
  all.push_back({"niter", "", "", 1, iterations, {""}});
  return all;
}

int one(const Model&, int) { return 1; }

/// The objects that the rows of an array belong to, by the model size that counts them, and how many rows each has.
struct RowOwner {
  std::string_view size;
  ObjType type;
  int (*count)(const Model& m, int id);
};
constexpr RowOwner kRowOwners[] = {
    {"nq", ObjType::Joint, [](const Model& m, int j) { return joint_kind(m, j).nq; }},
    {"nv", ObjType::Joint, [](const Model& m, int j) { return joint_kind(m, j).nv; }},
    {"nu", ObjType::Actuator, [](const Model& m, int i) { return m.actuator_ctrlnum[i]; }},
    {"nout", ObjType::Actuator, [](const Model& m, int i) { return m.actuator_outnum[i]; }},
    {"na", ObjType::Actuator, [](const Model& m, int i) { return m.actuator_actnum[i]; }},
    {"nsensordata", ObjType::Sensor, [](const Model& m, int i) { return m.sensor_dim[i]; }},
    {"nmocap", ObjType::Body, [](const Model& m, int i) { return m.body_mocapid[i] >= 0 ? 1 : 0; }},
    {"nbody", ObjType::Body, one},
    {"njnt", ObjType::Joint, one},
    {"ngeom", ObjType::Geom, one},
    {"nsite", ObjType::Site, one},
    {"ncam", ObjType::Camera, one},
    {"nlight", ObjType::Light, one},
    {"ntendon", ObjType::Tendon, one},
    {"neq", ObjType::Equality, one},
};

/// Names for the rows of an array: those of the objects they belong to, numbered if an object has several, or plain
/// numbers.
std::vector<std::string> row_names(const Model& m, std::string_view rows) {
  std::vector<std::string> names;
  const auto* owner = std::ranges::find(kRowOwners, rows, &RowOwner::size);
  if (owner == std::end(kRowOwners)) {
    m.for_each_size([&](std::string_view size, std::int64_t n, std::string_view) {
      for (std::int64_t i = 0; size == rows && i < n; ++i) names.push_back(fmt::format("{}", i));
    });
    return names;
  }
  for (int id = 0; id < static_cast<int>(m.count(owner->type)); ++id) {
    const std::string_view given = m.name(owner->type, id);
    const std::string name = given.empty() ? fmt::format("{}", id) : std::string(given);
    const int n = owner->count(m, id);
    for (int i = 0; i < n; ++i) names.push_back(n == 1 ? name : fmt::format("{}.{}", name, i));
  }
  return names;
}

/// * matches any characters.
bool fits(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

/// The number itself, or the object or the quantity that it belongs to.
bool chooses(const std::string& pattern, std::string_view column) {
  return fits(pattern, column) || fits(pattern + ".*", column);
}

Error unknown_signal(const std::string& pattern, const std::vector<Quantity>& all, const Model& m) {
  const std::string quantity = pattern.substr(0, pattern.find('.'));
  std::vector<std::string_view> words;
  words.reserve(all.size());
  for (const Quantity& q : all) words.push_back(q.name);
  const auto known = std::ranges::find(all, quantity, &Quantity::name);
  std::string hint;
  std::vector<std::string> names;  // of the objects, if the quantity is known
  if (known != all.end() && !known->rows.empty()) {
    names = row_names(m, known->rows);
    words.assign(names.begin(), names.end());
    const std::size_t dot = pattern.find('.');
    hint = words.empty() ? fmt::format("the model has no {}", quantity)
                         : suggest(dot == std::string::npos ? "" : pattern.substr(dot + 1), words);
  } else {
    hint = suggest(quantity, words);
  }
  Problem problem;
  problem.message = fmt::format("no signal '{}' in this model", pattern);
  problem.hint = hint;
  return Error(std::move(problem));
}

}  // namespace

Result<Signals> Signals::choose(const Model& m, const std::vector<std::string>& patterns) {
  // a model may lack parts of the default selection; requested signals must exist
  static const std::vector<std::string> kUsual = {"qpos", "qvel", "energy", "actuator_force", "sensordata"};
  const std::vector<std::string>& wanted = patterns.empty() ? kUsual : patterns;
  const std::vector<Quantity> all = all_quantities();
  Signals out;
  out.columns_.emplace_back("time");
  std::vector<bool> found(wanted.size(), patterns.empty());
  // quantities in the order of the first patterns that match them
  std::vector<std::size_t> order(all.size()), rank(all.size(), wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t q = 0; q < all.size(); ++q)
    for (std::size_t w = wanted.size(); w-- > 0;)
      if (fits(wanted[w].substr(0, wanted[w].find('.')), all[q].name)) rank[q] = w;
  std::ranges::stable_sort(order, {}, [&](std::size_t q) { return rank[q]; });

  for (const std::size_t q : order) {
    if (rank[q] == wanted.size()) continue;
    const Quantity& quantity = all[q];
    const std::vector<std::string> rows = quantity.rows.empty() ? quantity.names : row_names(m, quantity.rows);
    Source source{quantity.number, {}};
    const std::size_t first = out.columns_.size();
    for (std::size_t i = 0; i < rows.size() * static_cast<std::size_t>(quantity.cols); ++i) {
      const std::size_t row = i / static_cast<std::size_t>(quantity.cols);
      std::string column(quantity.name);
      if (!rows[row].empty()) column += "." + rows[row];
      if (quantity.cols > 1) column += fmt::format(".{}", i % static_cast<std::size_t>(quantity.cols));
      bool chosen = false;
      for (std::size_t w = 0; w < wanted.size(); ++w) {
        if (!chooses(wanted[w], column)) continue;
        chosen = found[w] = true;
      }
      if (!chosen) continue;
      source.picked.push_back(i);
      out.columns_.push_back(std::move(column));
    }
    if (source.picked.empty()) continue;
    out.quantities_.push_back({std::string(quantity.name), std::string(quantity.unit), first, source.picked.size()});
    out.sources_.push_back(std::move(source));
  }
  for (std::size_t w = 0; w < wanted.size(); ++w)
    if (!found[w] && wanted[w] != "time") return unknown_signal(wanted[w], all, m);
  return out;
}

bool Signals::has(std::string_view quantity) const {
  return std::ranges::find(quantities_, quantity, &RecordQuantity::name) != quantities_.end();
}

void Signals::read(const Data& d, std::span<double> row) const {
  std::size_t next = 0;
  row[next++] = d.time;
  for (const Source& source : sources_)
    for (const std::size_t i : source.picked) row[next++] = source.number(d, i);
}

}  // namespace sinew
