#include "edit/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "model/equality_kinds.h"
#include "model/joint_kinds.h"
#include "model/transmission_kinds.h"

namespace sinew::compiling {
namespace {

using Keys = std::vector<std::string>;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// One key for each object of a kind: its name, or else its position among the unnamed ones of the same group.
template <class Company>
Keys keys_of(const Model& m, ObjType kind, Company company) {
  Keys keys;
  std::map<std::string, int> unnamed;
  for (std::int64_t i = 0; i < m.count(kind); ++i) {
    const std::string_view name = m.name(kind, i);
    if (!name.empty()) {
      keys.push_back(fmt::format("={}", name));
      continue;
    }
    const std::string with = company(i, keys);
    keys.push_back(fmt::format("{}/{}", with, unnamed[with]++));
  }
  return keys;
}

Keys body_keys(const Model& m) {
  return keys_of(m, ObjType::Body, [&](std::int64_t i, const Keys& keys) { return keys[at(m.body_parentid[at(i)])]; });
}

Keys joint_keys(const Model& m, const Keys& bodies) {
  return keys_of(m, ObjType::Joint, [&](std::int64_t i, const Keys&) { return bodies[at(m.jnt_bodyid[at(i)])]; });
}

/// Objects that others refer to have a name, so the target's name identifies the group.
std::string named(const Model& m, ObjType kind, int id) {
  return fmt::format("{}:{}", static_cast<int>(kind), m.name(kind, id));
}

Keys actuator_keys(const Model& m) {
  return keys_of(m, ObjType::Actuator, [&](std::int64_t i, const Keys&) {
    return named(m, actuator_target(m, static_cast<int>(i)), m.actuator_trnid[at(2 * i)]);
  });
}

Keys equality_keys(const Model& m) {
  return keys_of(m, ObjType::Equality, [&](std::int64_t i, const Keys&) {
    const ObjType kind = equality_object(m, static_cast<int>(i));
    return fmt::format("{} {} {}", m.eq_type[at(i)], named(m, kind, m.eq_obj1id[at(i)]),
                       named(m, kind, m.eq_obj2id[at(i)]));
  });
}

Keys sensor_keys(const Model& m) {
  return keys_of(m, ObjType::Sensor, [&](std::int64_t i, const Keys&) {
    return fmt::format("{} {} {}", m.sensor_type[at(i)],
                       named(m, static_cast<ObjType>(m.sensor_objtype[at(i)]), m.sensor_objid[at(i)]),
                       named(m, static_cast<ObjType>(m.sensor_reftype[at(i)]), m.sensor_refid[at(i)]));
  });
}

/// both(i, j) for each object i of the first model that is j of the second.
template <class Both>
void for_each_common(const Keys& from, const Keys& to, Both both) {
  std::unordered_map<std::string, int> second;
  for (std::size_t j = 0; j < to.size(); ++j) second.emplace(to[j], static_cast<int>(j));
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (const auto found = second.find(from[i]); found != second.end()) both(static_cast<int>(i), found->second);
  }
}

/// Delay buffers are consecutive: one ends where the next begins.
int history_size(const Model& m, int start) {
  std::int64_t end = m.nhistory;
  for (const Field<int>* starts : {&m.actuator_historyadr, &m.sensor_historyadr}) {
    for (const int other : *starts) {
      if (other > start) end = std::min<std::int64_t>(end, other);
    }
  }
  return static_cast<int>(end) - start;
}

void add_history(Match& out, const Model& from, int i, const Model& to, int j) {
  if (i < 0 || j < 0) return;
  const int count = history_size(from, i);
  if (count == history_size(to, j)) out.history.push_back({i, j, count});
}

}  // namespace

Match match(const Model& from, const Model& to) {
  Match out;
  const Keys bodies = body_keys(from), bodies_to = body_keys(to);
  for_each_common(bodies, bodies_to, [&](int i, int j) {
    out.body.push_back({i, j, 1});
    const int a = from.body_mocapid[at(i)], b = to.body_mocapid[at(j)];
    if (a >= 0 && b >= 0) out.mocap.push_back({a, b, 1});
  });
  for_each_common(joint_keys(from, bodies), joint_keys(to, bodies_to), [&](int i, int j) {
    if (from.jnt_type[at(i)] != to.jnt_type[at(j)]) return;
    const JointKind& kind = joint_kind(from, i);
    out.qpos.push_back({from.jnt_qposadr[at(i)], to.jnt_qposadr[at(j)], kind.nq});
    out.dof.push_back({from.jnt_dofadr[at(i)], to.jnt_dofadr[at(j)], kind.nv});
  });
  for_each_common(actuator_keys(from), actuator_keys(to), [&](int i, int j) {
    const int inputs = from.actuator_ctrlnum[at(i)], states = from.actuator_actnum[at(i)];
    if (inputs != to.actuator_ctrlnum[at(j)] || states != to.actuator_actnum[at(j)]) return;
    out.ctrl.push_back({from.actuator_ctrladr[at(i)], to.actuator_ctrladr[at(j)], inputs});
    if (states > 0) out.act.push_back({from.actuator_actadr[at(i)], to.actuator_actadr[at(j)], states});
    add_history(out, from, from.actuator_historyadr[at(i)], to, to.actuator_historyadr[at(j)]);
  });
  for_each_common(sensor_keys(from), sensor_keys(to), [&](int i, int j) {
    add_history(out, from, from.sensor_historyadr[at(i)], to, to.sensor_historyadr[at(j)]);
  });
  for_each_common(equality_keys(from), equality_keys(to), [&](int i, int j) {
    if (from.eq_type[at(i)] == to.eq_type[at(j)]) out.equality.push_back({i, j, 1});
  });
  return out;
}

}  // namespace sinew::compiling
