#include "sensor/sensors.h"

#include <algorithm>
#include <utility>

#include "base/arena.h"
#include "dynamics/history.h"
#include "dynamics/plugins.h"
#include "dynamics/subtree.h"
#include "model/objects.h"
#include "model/sensor_kinds.h"
#include "sensor/frames.h"
#include "sensor/table.h"
#include "sinew/support.h"

namespace sinew {
namespace {

SensorType type_of(const Model& m, int i) { return static_cast<SensorType>(m.sensor_type[i]); }

/// Values come from the user's callback or a plugin.
bool is_foreign(const SensorMethod& method) {
  return method.type == SensorType::User || method.type == SensorType::Plugin;
}

bool is_user(const Model& m, int i) { return type_of(m, i) == SensorType::User; }

int samples(const Model& m, int i) { return m.sensor_history[2 * i]; }

void apply_cutoff(const Model& m, int i, double* out) {
  const double cutoff = m.sensor_cutoff[i];
  if (cutoff <= 0 || !sensor_kind(type_of(m, i)).clamped) return;
  const auto datatype = static_cast<DataType>(m.sensor_datatype[i]);
  for (int k = 0; k < m.sensor_dim[i]; ++k) {
    if (datatype == DataType::Real) out[k] = clip(out[k], -cutoff, cutoff);
    if (datatype == DataType::Positive) out[k] = std::min(out[k], cutoff);
  }
}

void evaluate(const Model& m, Data& d, int i, const SensorMethod& method, double* out) {
  if (!method.evaluate) return;
  method.evaluate(m, d, i, out);
  apply_cutoff(m, i, out);
}

/// Quantities shared by several sensors: computed for the first that needs them.
class SharedNeeds {
 public:
  void provide(const Model& m, Data& d, int i, const SensorMethod& method) {
    switch (need_of(m, i, method)) {
      case SensorNeed::Nothing: break;
      case SensorNeed::SubtreeVelocity:
        if (!std::exchange(has_subtree_, true)) subtree_velocity<double>(m, d);
        break;
      case SensorNeed::BodyForces:
        if (!std::exchange(has_forces_, true)) body_forces(m, d);
        break;
    }
  }
  /// Body forces computed for this sensor are reused for the others.
  void keep_forces_of(const Model& m, int i, const SensorMethod& method) {
    has_forces_ |= need_of(m, i, method) == SensorNeed::BodyForces;
  }

 private:
  static SensorNeed need_of(const Model& m, int i, const SensorMethod& method) {
    return method.evaluate ? method.need : callback_need(static_cast<Stage>(m.sensor_needstage[i]));
  }
  /// User code may need everything that its stage provides.
  static SensorNeed callback_need(Stage stage) {
    if (stage == Stage::Vel) return SensorNeed::SubtreeVelocity;
    return stage == Stage::Acc ? SensorNeed::BodyForces : SensorNeed::Nothing;
  }

  bool has_subtree_ = false, has_forces_ = false;
};

/// The next tick of a sensor with a sampling period has come.
bool is_due(const Model& m, HistoryBuffer<double>& buffer, int i, double time) {
  const double period = m.sensor_interval[2 * i];
  return period <= 0 || buffer.user() + period <= time;
}

/// Whether the body of an object is awake: -1 static, 0 asleep, 1 awake.
int awake(const Model& m, const Data& d, ObjType type, int id) {
  const auto tree = [&](int t) { return t < 0 ? -1 : d.tree_awake[t] ? 1 : 0; };
  if (type == ObjType::Tendon) {
    const int first = tree(m.tendon_treeid[2 * id]), second = tree(m.tendon_treeid[2 * id + 1]);
    return m.tendon_treenum[id] > 2 ? 1 : std::max(first, second);
  }
  const int body = body_of(m, type, id);
  return body < 0 ? 1 : tree(m.body_treeid[body]);
}

/// A sensor whose objects are asleep keeps its values.
bool is_asleep(const Model& m, const Data& d, int i) {
  const SensorTarget target = sensor_kind(type_of(m, i)).target;
  const auto object = static_cast<ObjType>(m.sensor_objtype[i]), reference = static_cast<ObjType>(m.sensor_reftype[i]);
  const bool has_object = m.sensor_objid[i] >= 0;
  // a ray can hit anything, and anything may touch inside a site
  if (target == SensorTarget::SiteOrCamera || (target == SensorTarget::Contact && object == ObjType::Site))
    return false;
  if (!has_object && !has_reference(m, i)) return false;
  const int first = has_object ? awake(m, d, object, m.sensor_objid[i]) : -1;
  const int second = has_reference(m, i) ? awake(m, d, reference, m.sensor_refid[i]) : -1;
  if (has_object && has_reference(m, i)) return first <= 0 && second <= 0;
  return (has_object ? first : second) == 0;
}

/// The sensor outputs a recorded value: delayed, or held until its next tick.
bool is_recorded(const Model& m, Data& d, int i) {
  if (samples(m, i) <= 0) return false;
  HistoryBuffer<double> buffer = sensor_history(m, d, i);
  return m.sensor_delay[i] > 0 || !is_due(m, buffer, i, d.time);
}

void read_recorded(const Model& m, Data& d, int i) {
  // sensor_history: number of samples, interpolation
  sensor_history(m, d, i).read(d.time - std::max(m.sensor_delay[i], 0.0),
                               static_cast<Interp>(m.sensor_history[2 * i + 1]), &d.sensordata[m.sensor_adr[i]]);
}

/// The sample of a delayed sensor. With the energy flag, energies of the last pass are not recomputed, as in MuJoCo:
/// with RK4 that pass was at another state.
void evaluate_sample(const Model& m, Data& d, int i, const SensorMethod& method, double* out) {
  const bool kinetic = method.type == SensorType::EKinetic;
  if (!m.opt.enabled(kEnableEnergy) || (!kinetic && method.type != SensorType::EPotential))
    return evaluate(m, d, i, method, out);
  out[0] = d.energy[kinetic ? 1 : 0];
  apply_cutoff(m, i, out);
}

bool some_sleep(const Model& m, const Data& d) {
  return m.opt.enabled(kEnableSleep) && std::ranges::count(d.tree_awake, 0) > 0;
}

void user_sensors(const Model& m, Data& d, Stage stage) {
  const auto for_each = [&](auto&& visit) {
    for (int i = 0; i < m.nsensor; ++i)
      if (is_user(m, i) && m.sensor_needstage[i] == static_cast<int>(stage)) visit(i, &d.sensordata[m.sensor_adr[i]]);
  };
  for_each([&](int i, double* out) { std::fill_n(out, m.sensor_dim[i], 0.0); });
  if (d.callbacks.sensor) d.callbacks.sensor(m, d, stage);
  for_each([&](int i, double* out) { apply_cutoff(m, i, out); });
}

void plugin_sensors(const Model& m, Data& d, Stage stage) {
  for_each_plugin(m, d, kPluginSensor, [&](PluginInstance& plugin, int instance) {
    const auto for_each = [&](auto&& visit) {
      for (int i = 0; i < m.nsensor; ++i)
        if (m.sensor_plugin[i] == instance) visit(i, &d.sensordata[m.sensor_adr[i]]);
    };
    if (m.plugins->stage[static_cast<std::size_t>(instance)] != stage) return;
    for_each([&](int i, double* out) { std::fill_n(out, m.sensor_dim[i], 0.0); });
    plugin.compute_sensors(m, d);
    for_each([&](int i, double* out) { apply_cutoff(m, i, out); });
  });
}

}  // namespace

void sensors(const Model& m, Data& d, Stage stage) {
  if (m.nsensor == 0 || m.opt.disabled(kDisableSensor)) return;
  SharedNeeds needs;
  bool any_user = false, any_plugin = false;
  const bool sleeping = some_sleep(m, d);
  for (int i = 0; i < m.nsensor; ++i) {
    if (m.sensor_needstage[i] != static_cast<int>(stage)) continue;
    const SensorMethod& method = sensor_method(type_of(m, i));
    if (is_foreign(method)) {
      needs.provide(m, d, i, method);
      (method.type == SensorType::User ? any_user : any_plugin) = true;
    } else if (sleeping && is_asleep(m, d, i)) {
      continue;
    } else if (is_recorded(m, d, i)) {
      read_recorded(m, d, i);
    } else {
      needs.provide(m, d, i, method);
      evaluate(m, d, i, method, &d.sensordata[m.sensor_adr[i]]);
    }
  }
  if (any_user) user_sensors(m, d, stage);
  if (any_plugin) plugin_sensors(m, d, stage);
}

void record_sensors(const Model& m, Data& d) {
  if (m.nhistory == 0) return;
  // Body forces computed for sensors in this step's first pass are not recomputed, as in MuJoCo: with RK4, whose last
  // pass has no sensors, a delayed sensor uses those of the first pass if another one needed them.
  SharedNeeds needs;
  const bool sleeping = some_sleep(m, d);
  for (int i = 0; i < m.nsensor && !m.opt.disabled(kDisableSensor); ++i) {
    const SensorMethod& method = sensor_method(type_of(m, i));
    if (is_foreign(method) || (!(sleeping && is_asleep(m, d, i)) && !is_recorded(m, d, i)))
      needs.keep_forces_of(m, i, method);
  }
  Scratch scratch(d.scratch());
  for (int i = 0; i < m.nsensor; ++i) {
    if (samples(m, i) <= 0) continue;
    HistoryBuffer<double> buffer = sensor_history(m, d, i);
    if (!is_due(m, buffer, i, d.time)) continue;
    const double period = m.sensor_interval[2 * i];
    if (period > 0) buffer.user() += period;
    const double* values = &d.sensordata[m.sensor_adr[i]];
    if (m.sensor_delay[i] > 0) {
      // sensordata holds the delayed value: the fresh one is computed now
      const SensorMethod& method = sensor_method(type_of(m, i));
      needs.provide(m, d, i, method);
      double* fresh = scratch.take<double>(static_cast<std::size_t>(m.sensor_dim[i]));
      evaluate_sample(m, d, i, method, fresh);
      values = fresh;
    }
    buffer.insert(d.time, values);
  }
}

}  // namespace sinew
