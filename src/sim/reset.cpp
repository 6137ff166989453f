#include <algorithm>
#include <string>

#include "dynamics/history.h"
#include "sim/sleep.h"
#include "sim/unchecked.h"
#include "sinew/error.h"
#include "sinew/plugin.h"

namespace sinew {
namespace {

/// Zeros every array, number and count; callbacks stay.
void clear(Data& d) {
#define SINEW_SCALAR(name, doc, ...) d.name = {};
#include "sinew/data_scalars.def"
#undef SINEW_SCALAR
  d.for_each_field([](auto, auto& field, auto...) { std::ranges::fill(field, 0); });
}

void reset_mocap(const Model& m, Data& d) {
  for (int b = 0; b < m.nbody; ++b) {
    const int id = m.body_mocapid[b];
    if (id < 0) continue;
    std::copy_n(&m.body_pos[3 * b], 3, &d.mocap_pos[3 * id]);
    std::copy_n(&m.body_quat[4 * b], 4, &d.mocap_quat[4 * id]);
  }
}

/// Controls that are a quaternion start as the identity.
void reset_controls(const Model& m, Data& d) {
  for (int a = 0; a < m.nactuator; ++a) {
    const bool quaternion = static_cast<GainType>(m.actuator_gaintype[a]) == GainType::So3 &&
                            (m.actuator_ctrlspec[a] & kChartQuat) && m.actuator_ctrlnum[a] == 4;
    if (quaternion) d.ctrl[m.actuator_ctrladr[a]] = 1;
  }
}

/// Makes the plugin instances of a new world; those of an existing one are kept.
void reset_plugins(const Model& m, Data& d) {
  const auto count = static_cast<std::size_t>(m.plugins ? std::ssize(m.plugins->plugin) : 0);
  if (d.plugin_data.size() != count) {
    d.plugin_data.clear();
    for (std::size_t i = 0; i < count; ++i)
      d.plugin_data.push_back(m.plugins->plugin[i]->make(m, static_cast<int>(i)).value_or_throw());
  }
  for (const auto& instance : d.plugin_data)
    if (instance) instance->reset(m, d);
}

}  // namespace

const Model& refreshed_or_throw(Model& model) {
  if (const Status status = refresh(model); !status) throw Exception(Error::message(std::string(status.text())));
  return model;
}

namespace {

const Model& fresh_or_throw(const Model& model) {
  if (model.is_fresh()) return model;
  throw Exception(Error::message("the model was edited since it was last checked: call refresh(model) first"));
}

}  // namespace

// here and not in model/: initial sleep requires a simulation
template <>
BasicData<double>::BasicData(const Model& model) : BasicData(fresh_or_throw(model), Blank{}) {
  unchecked::reset(model, *this);
}

namespace unchecked {

void reset(const Model& m, Data& d) {
  clear(d);
  std::ranges::copy(m.qpos0, d.qpos.begin());
  std::ranges::copy(m.eq_active0, d.eq_active.begin());
  reset_mocap(m, d);
  reset_controls(m, d);
  reset_histories(m, d);
  if (m.nplugin > 0) reset_plugins(m, d);
  wake_all(m, d);
  put_initial_trees_to_sleep(m, d);
}

void reset_to_keyframe(const Model& m, Data& d, int key) {
  unchecked::reset(m, d);
  if (key < 0 || key >= m.nkey) return;
  const auto load = [&](const std::vector<double>& rows, std::span<double> values) {
    std::copy_n(rows.begin() + std::ssize(values) * key, values.size(), values.begin());
  };
  d.time = m.key_time[key];
  load(m.key_qpos, d.qpos);
  load(m.key_qvel, d.qvel);
  load(m.key_act, d.act);
  load(m.key_mpos, d.mocap_pos);
  load(m.key_mquat, d.mocap_quat);
  load(m.key_ctrl, d.ctrl);
}

}  // namespace unchecked
}  // namespace sinew
