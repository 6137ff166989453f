// Random models and states against MuJoCo, teacher-forced: both engines get the same input, and what they compute is
// compared; then the peer's next state is the input of both. Tolerances: error max|a - b| / max(1, max|b|) of at most
// 1e-10 for smooth quantities and 1e-6 for what the solver or an iterative collision made, or 100 times what the peer
// itself moves when its state is moved by 1e-12.

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "random/driver.h"
#include "random/rng.h"
#include "random/start.h"
#include "sinew/load.h"
#include "sinew/step.h"

namespace random_worlds {
namespace {

jmp_buf on_error;
bool may_jump = false;
char error_text[1024];

void peer_error(const char* text) {
  std::snprintf(error_text, sizeof error_text, "%s", text);
  if (may_jump) std::longjmp(on_error, 1);
  std::_Exit(7);
}
void peer_warning(const char*) {}

/// Runs `work`, which calls the peer and owns nothing; false where the peer ended in an error.
template <class Work>
bool guarded(Work&& work) {
  may_jump = true;
  const bool ok = setjmp(on_error) == 0;
  if (ok) work();
  may_jump = false;
  return ok;
}

struct Deleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using PeerModel = std::unique_ptr<mjModel, Deleter>;
using PeerData = std::unique_ptr<mjData, Deleter>;

PeerModel load_peer(const std::string& text, std::string& why) {
  char error[1024] = "";
  mjSpec* volatile spec = nullptr;
  mjModel* volatile model = nullptr;
  const bool ok = guarded([&] {
    spec = mj_parseXMLString(text.c_str(), nullptr, error, sizeof error);
    if (spec == nullptr) return;
    model = mj_compile(spec, nullptr);
    if (model == nullptr) std::snprintf(error, sizeof error, "%s", mjs_getError(spec));
  });
  if (!ok) std::snprintf(error, sizeof error, "%s", error_text);
  if (spec != nullptr) mj_deleteSpec(spec);
  why = error;
  return PeerModel(ok ? model : nullptr);
}

enum class Kind { Exact, Smooth, Solver };

struct Part {
  const char* name;
  Kind kind;
  std::vector<double> values;
};

/// Everything that is compared, in the order in which a difference is looked for.
struct Snapshot {
  std::vector<Part> parts;
  std::vector<mjContact> contacts;
  std::array<int, 5> counts{};  // ncon, ne, nf, nl, nefc
  int blank_rows = 0;           // rows whose Jacobian is zero but for rounding

  template <class T>
  void add(const char* name, Kind kind, const T* values, std::int64_t n) {
    parts.push_back({name, kind, std::vector<double>(values, values + n)});
  }
};

template <class T>
const T* start_of(std::span<T> values) {
  return values.data();
}
template <class T>
const T* start_of(const std::vector<T>& values) {
  return values.data();
}
template <class T>
const T* start_of(const T* values) {
  return values;
}

bool is_blank(const double* row, int n) {
  return std::all_of(row, row + n, [](double x) { return std::abs(x) < 1e-13; });
}
void counts(Snapshot& s, const sinew::Model&, const sinew::Data& d) {
  s.counts = {d.ncon, d.ne, d.nf, d.nl, d.nefc};
  for (std::size_t i = 0; i < static_cast<std::size_t>(d.nefc); ++i) {
    if (is_blank(d.efc_J.data() + d.efc_J_rowadr[i], d.efc_J_rownnz[i])) ++s.blank_rows;
  }
}
void counts(Snapshot& s, const mjModel& m, const mjData& d) {
  s.counts = {d.ncon, d.ne, d.nf, d.nl, d.nefc};
  const bool sparse = mj_isSparse(&m) != 0;
  for (int i = 0; i < d.nefc; ++i) {
    const double* row = d.efc_J + (sparse ? d.efc_J_rowadr[i] : i * m.nv);
    if (is_blank(row, sparse ? d.efc_J_rownnz[i] : m.nv)) ++s.blank_rows;
  }
}

void contacts(Snapshot& s, const sinew::Data& d) {
  for (int i = 0; i < d.ncon; ++i) {
    const sinew::Contact& c = d.contact[static_cast<std::size_t>(i)];
    mjContact copy{};
    copy.dist = c.dist;
    std::copy(c.pos.begin(), c.pos.end(), copy.pos);
    std::copy(c.frame.begin(), c.frame.end(), copy.frame);
    copy.includemargin = c.includemargin;
    std::copy(c.friction.begin(), c.friction.end(), copy.friction);
    copy.dim = c.dim;
    copy.geom[0] = c.geom[0];
    copy.geom[1] = c.geom[1];
    copy.exclude = c.exclude;
    copy.efc_address = c.efc_address;
    s.contacts.push_back(copy);
  }
}
void contacts(Snapshot& s, const mjData& d) { s.contacts.assign(d.contact, d.contact + d.ncon); }

/// Both engines have the same names, so one text reads both.
template <class SizesOf, class DataOf>
void take_forward(Snapshot& s, const SizesOf& m, const DataOf& d) {
  counts(s, m, d);
  contacts(s, d);
#define TAKE(kind, name, n) s.add(#name, Kind::kind, start_of(d.name), n)
  TAKE(Smooth, xpos, 3 * m.nbody);
  TAKE(Smooth, xmat, 9 * m.nbody);
  TAKE(Smooth, xipos, 3 * m.nbody);
  TAKE(Smooth, xanchor, 3 * m.njnt);
  TAKE(Smooth, xaxis, 3 * m.njnt);
  TAKE(Smooth, geom_xpos, 3 * m.ngeom);
  TAKE(Smooth, site_xpos, 3 * m.nsite);
  TAKE(Smooth, site_xmat, 9 * m.nsite);
  TAKE(Smooth, cam_xpos, 3 * m.ncam);
  TAKE(Smooth, cam_xmat, 9 * m.ncam);
  TAKE(Smooth, light_xdir, 3 * m.nlight);
  TAKE(Smooth, subtree_com, 3 * m.nbody);
  TAKE(Smooth, M, m.nC);
  TAKE(Smooth, ten_length, m.ntendon);
  TAKE(Smooth, ten_velocity, m.ntendon);
  TAKE(Smooth, actuator_length, m.nout);
  TAKE(Smooth, actuator_velocity, m.nout);
  TAKE(Smooth, cvel, 6 * m.nbody);
  TAKE(Smooth, qfrc_bias, m.nv);
  TAKE(Smooth, qfrc_spring, m.nv);
  TAKE(Smooth, qfrc_damper, m.nv);
  TAKE(Smooth, qfrc_gravcomp, m.nv);
  TAKE(Smooth, qfrc_fluid, m.nv);
  TAKE(Solver, qfrc_adhesion, m.nv);
  TAKE(Solver, qfrc_passive, m.nv);
  TAKE(Smooth, act_dot, m.na);
  TAKE(Solver, actuator_force, m.nout);
  TAKE(Solver, qfrc_actuator, m.nv);
  TAKE(Solver, qacc_smooth, m.nv);
  TAKE(Exact, efc_type, d.nefc);
  TAKE(Exact, efc_id, d.nefc);
  TAKE(Solver, efc_pos, d.nefc);
  TAKE(Solver, efc_margin, d.nefc);
  TAKE(Solver, efc_D, d.nefc);
  TAKE(Solver, efc_vel, d.nefc);
  TAKE(Solver, efc_aref, d.nefc);
  TAKE(Solver, efc_force, d.nefc);
  TAKE(Solver, qfrc_constraint, m.nv);
  TAKE(Solver, qacc, m.nv);
  TAKE(Solver, sensordata, m.nsensordata);
  if ((m.opt.enableflags & mjENBL_ENERGY) != 0) s.add("energy", Kind::Solver, &d.energy[0], 2);
#undef TAKE
}

template <class SizesOf, class DataOf>
void take_inverse(Snapshot& s, const SizesOf& m, const DataOf& d) {
  s.add("qfrc_inverse", Kind::Solver, start_of(d.qfrc_inverse), m.nv);
}

template <class SizesOf, class DataOf>
void take_next(Snapshot& s, const SizesOf& m, const DataOf& d) {
  std::array<int, 4> warnings{};
  for (std::size_t i = 0; i < 4; ++i) warnings[i] = d.warning[mjWARN_BADQPOS + i].number != 0 ? 1 : 0;
  s.add("next warnings", Kind::Exact, warnings.data(), 4);
  s.add("next time", Kind::Smooth, &d.time, 1);
  s.add("next qpos", Kind::Solver, start_of(d.qpos), m.nq);
  s.add("next qvel", Kind::Solver, start_of(d.qvel), m.nv);
  s.add("next act", Kind::Solver, start_of(d.act), m.na);
  s.add("next history", Kind::Solver, start_of(d.history), m.nhistory);
  s.add("next tree_asleep", Kind::Exact, start_of(d.tree_asleep), m.ntree);
}

double error_of(const std::vector<double>& out, const std::vector<double>& ref, std::size_t& where) {
  double scale = 1, worst = 0;
  for (const double x : ref) {
    if (std::isfinite(x)) scale = std::max(scale, std::abs(x));
  }
  for (std::size_t i = 0; i < ref.size(); ++i) {
    if (out[i] == ref[i] || (std::isnan(out[i]) && std::isnan(ref[i]))) continue;
    const double difference = std::abs(out[i] - ref[i]);
    if (!(difference <= worst)) {
      worst = std::isnan(difference) ? HUGE_VAL : difference;
      where = i;
    }
  }
  return worst / scale;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

/// The place of each of the peer's contacts among ours, by geoms and position; empty where they cannot be matched.
std::vector<int> match(const std::vector<mjContact>& ours, const std::vector<mjContact>& theirs) {
  std::vector<int> places;
  std::vector<bool> used(ours.size());
  for (const mjContact& c : theirs) {
    int best = -1;
    double nearest = HUGE_VAL;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (used[i] || ours[i].geom[0] != c.geom[0] || ours[i].geom[1] != c.geom[1]) continue;
      double distance = std::abs(ours[i].dist - c.dist);
      for (int k = 0; k < 3; ++k) distance += std::abs(ours[i].pos[k] - c.pos[k]);
      if (distance < nearest || best < 0) {
        nearest = distance;
        best = static_cast<int>(i);
      }
    }
    if (best < 0) return {};
    used[static_cast<std::size_t>(best)] = true;
    places.push_back(best);
  }
  return places;
}

/// Brings our contacts and rows into the peer's order. False where the sets differ.
bool reorder(Snapshot& ours, const Snapshot& theirs) {
  const std::vector<int> places = match(ours.contacts, theirs.contacts);
  if (places.size() != theirs.contacts.size()) return false;
  std::vector<mjContact> sorted;
  std::vector<int> row(static_cast<std::size_t>(ours.counts[4]));  // ours, for each row of theirs
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<int>(i);
  bool moved = false;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const mjContact& from = ours.contacts[static_cast<std::size_t>(places[i])];
    const mjContact& to = theirs.contacts[i];
    sorted.push_back(from);
    if (from.efc_address < 0 || to.efc_address < 0 || from.dim != to.dim) continue;
    int rows = from.dim;
    for (const Part& part : theirs.parts) {
      if (std::string_view(part.name) != "efc_type" || part.values.empty()) continue;
      if (static_cast<int>(part.values[static_cast<std::size_t>(to.efc_address)]) == mjCNSTR_CONTACT_PYRAMIDAL)
        rows = 2 * (from.dim - 1);
    }
    for (int k = 0; k < rows; ++k) {
      const auto at = static_cast<std::size_t>(to.efc_address + k);
      if (at < row.size()) row[at] = from.efc_address + k;
    }
    moved = moved || from.efc_address != to.efc_address || places[i] != static_cast<int>(i);
  }
  ours.contacts = sorted;
  if (!moved) return true;
  for (Part& part : ours.parts) {
    if (std::strncmp(part.name, "efc_", 4) != 0) continue;
    const std::vector<double> old = part.values;
    for (std::size_t i = 0; i < row.size(); ++i) part.values[i] = old[static_cast<std::size_t>(row[i])];
    if (std::string_view(part.name) == "efc_id") {
      for (std::size_t i = 0; i < row.size(); ++i) {
        const bool contact = static_cast<int>(i) >= ours.counts[1] + ours.counts[2] + ours.counts[3];
        for (std::size_t k = 0; contact && k < places.size(); ++k) {
          if (places[k] == static_cast<int>(part.values[i])) {
            part.values[i] = static_cast<double>(k);
            break;
          }
        }
      }
    }
  }
  return true;
}

/// Ours are theirs and some more, none of which penetrates.
bool has_more_in_the_margin(const std::vector<mjContact>& ours, const std::vector<mjContact>& theirs) {
  if (ours.size() <= theirs.size()) return false;
  std::vector<mjContact> rest = ours;
  for (const mjContact& c : theirs) {
    const auto same = std::find_if(rest.begin(), rest.end(), [&](const mjContact& o) {
      return o.geom[0] == c.geom[0] && o.geom[1] == c.geom[1] && std::abs(o.dist - c.dist) < 1e-6;
    });
    if (same == rest.end()) return false;
    rest.erase(same);
  }
  return std::all_of(rest.begin(), rest.end(), [](const mjContact& c) { return c.dist > 0; });
}

void contact_parts(Snapshot& s) {
  std::vector<double> exact, numbers;
  for (const mjContact& c : s.contacts) {
    exact.insert(exact.end(), {double(c.geom[0]), double(c.geom[1]), double(c.dim), double(c.exclude)});
    numbers.insert(numbers.end(),
                   {c.dist, c.pos[0], c.pos[1], c.pos[2], c.frame[0], c.frame[1], c.frame[2], c.includemargin});
    numbers.insert(numbers.end(), c.friction, c.friction + 5);
  }
  s.parts.insert(s.parts.begin(), {"contact geom, dim, exclude", Kind::Exact, exact});
  s.parts.insert(s.parts.begin() + 1, {"contact dist, pos, normal, margin, friction", Kind::Solver, numbers});
}

/// The input of a step, as arrays that both engines have.
struct Input {
  double time = 0;
  std::vector<double> qpos, qvel, act, history, warmstart, ctrl, qfrc, xfrc, mocap_pos, mocap_quat;
  std::vector<std::uint8_t> eq_active;
};

Input input_of(const sinew::Data& d) {
  const auto copy = [](std::span<const double> x) { return std::vector<double>(x.begin(), x.end()); };
  return {d.time,
          copy(d.qpos),
          copy(d.qvel),
          copy(d.act),
          copy(d.history),
          copy(d.qacc_warmstart),
          copy(d.ctrl),
          copy(d.qfrc_applied),
          copy(d.xfrc_applied),
          copy(d.mocap_pos),
          copy(d.mocap_quat),
          std::vector<std::uint8_t>(d.eq_active.begin(), d.eq_active.end())};
}

template <class To>
void put(const std::vector<double>& from, To&& to) {
  std::copy(from.begin(), from.end(), &to[0]);
}

template <class DataOf>
void set_input(const Input& in, DataOf& d) {
  d.time = in.time;
  if (!in.qpos.empty()) put(in.qpos, d.qpos);
  if (!in.qvel.empty()) put(in.qvel, d.qvel);
  if (!in.act.empty()) put(in.act, d.act);
  if (!in.history.empty()) put(in.history, d.history);
  if (!in.warmstart.empty()) put(in.warmstart, d.qacc_warmstart);
  if (!in.ctrl.empty()) put(in.ctrl, d.ctrl);
  if (!in.qfrc.empty()) put(in.qfrc, d.qfrc_applied);
  if (!in.xfrc.empty()) put(in.xfrc, d.xfrc_applied);
  if (!in.mocap_pos.empty()) put(in.mocap_pos, d.mocap_pos);
  if (!in.mocap_quat.empty()) put(in.mocap_quat, d.mocap_quat);
  for (std::size_t i = 0; i < in.eq_active.size(); ++i) d.eq_active[i] = in.eq_active[i];
}

void next_input(const mjModel& m, const mjData& d, Input& in) {
  in.time = d.time;
  in.qpos.assign(d.qpos, d.qpos + m.nq);
  in.qvel.assign(d.qvel, d.qvel + m.nv);
  in.act.assign(d.act, d.act + m.na);
  in.history.assign(d.history, d.history + m.nhistory);
  in.warmstart.assign(d.qacc_warmstart, d.qacc_warmstart + m.nv);
}

/// pattern 0: as it is; else moved by 1e-12.
Input moved(const Input& in, int pattern) {
  Input out = in;
  Rng r(static_cast<std::uint64_t>(pattern));
  for (std::vector<double>* list : {&out.qpos, &out.qvel}) {
    for (double& x : *list) {
      if (pattern > 0) x += (r.chance(0.5) ? 1e-12 : -1e-12) * std::max(1.0, std::abs(x));
    }
  }
  return out;
}

bool inverse_is_known(const sinew::Model& m) {
  return m.opt.integrator != static_cast<int>(sinew::Integrator::RK4) || !m.opt.enabled(sinew::kEnableInvdiscrete);
}

struct Peer {
  const mjModel& m;
  mjData& d;
  bool inverse, forward;

  /// False where the peer ended in an error or ran out of memory.
  bool run(const Input& in, Snapshot& s) {
    const bool ok = guarded([&] {
      mj_resetData(&m, &d);
      set_input(in, d);
      if (forward) {
        mj_forward(&m, &d);
        take_forward(s, m, d);
        if (inverse) {
          mj_inverse(&m, &d);
          take_inverse(s, m, d);
        }
        mj_resetData(&m, &d);
        set_input(in, d);
      }
      mj_step(&m, &d);
      take_next(s, m, d);
    });
    return ok && d.warning[mjWARN_CONTACTFULL].number == 0 && d.warning[mjWARN_CNSTRFULL].number == 0;
  }
};

void run_ours(const sinew::Model& m, sinew::Data& d, const Input& in, bool inverse, bool forward, Snapshot& s) {
  sinew::reset(m, d);
  set_input(in, d);
  if (forward) {
    sinew::forward(m, d);
    take_forward(s, m, d);
    if (inverse) {
      sinew::inverse(m, d);
      take_inverse(s, m, d);
    }
    sinew::reset(m, d);
    set_input(in, d);
  }
  sinew::step(m, d);
  take_next(s, m, d);
}

constexpr const char* kLaw = "as the peer";

/// A mass matrix without a rank that rounding can tell: accelerations are whatever the order of operations makes them.
bool is_singular(const mjModel& m, const mjData& d) {
  for (int i = 0; i < m.nv; ++i) {
    const double diagonal = d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1];
    if (!(std::abs(d.qLDiagInv[i]) * diagonal < 1e10) || d.qLDiagInv[i] < 0) return true;
  }
  return false;
}

/// Rows so stiff that the rounding of an acceleration is a force: D |aref| times the unit roundoff.
bool is_stiff(const mjData& d) {
  for (int i = 0; i < d.nefc; ++i) {
    if (std::abs(d.efc_force[i]) > 1e12) return true;
    if (d.efc_D[i] * std::abs(d.efc_aref[i]) * 1e-15 > 1e-7 * std::max(1.0, std::abs(d.efc_force[i]))) return true;
  }
  return false;
}

/// Numbers that no engine computes twice alike: the next steps overflow.
bool is_beyond(const Snapshot& s) {
  for (const Part& part : s.parts) {
    if (std::strcmp(part.name, "qacc") != 0 && std::strcmp(part.name, "next qvel") != 0) continue;
    for (const double x : part.values) {
      if (std::abs(x) > 1e10) return true;
    }
  }
  return false;
}

/// What differs beyond the tolerance, and whether the peer itself stands on an edge there.
Broken compare(Snapshot& ours, Snapshot& theirs, Peer& peer, const Input& in, Note note) {
  std::vector<Snapshot> near;
  const auto sensitivity = [&](std::size_t part) -> double {
    if (near.empty()) {
      for (int pattern = 1; pattern <= 3; ++pattern) {
        note("peer sensitivity");
        Snapshot s;
        if (!peer.run(moved(in, pattern), s)) continue;
        if (s.counts != theirs.counts || !reorder(s, theirs)) return HUGE_VAL;
        contact_parts(s);
        near.push_back(std::move(s));
      }
      note("compare");
    }
    double most = 0;
    std::size_t where = 0;
    for (const Snapshot& s : near) {
      if (s.parts[part].values.size() != theirs.parts[part].values.size()) return HUGE_VAL;
      most = std::max(most, error_of(s.parts[part].values, theirs.parts[part].values, where));
    }
    return most;
  };
  if (ours.counts != theirs.counts && ours.counts[0] == theirs.counts[0] &&
      std::abs(ours.counts[4] - theirs.counts[4]) <= ours.blank_rows + theirs.blank_rows) {
    note("knife edge");  // rows whose Jacobian is zero but for rounding are there or not
    return {};
  }
  if (has_more_in_the_margin(ours.contacts, theirs.contacts)) {
    note("deliberate: its sweep loses contacts of boxes in the margin");
    return {};
  }
  static constexpr const char* kCounts[] = {"ncon", "ne", "nf", "nl", "nefc"};
  if (ours.counts != theirs.counts || !reorder(ours, theirs)) {
    for (std::size_t i = 0; i < 5; ++i) {
      if (ours.counts[i] == theirs.counts[i]) continue;
      for (int pattern = 1; pattern <= 3; ++pattern) {
        note("peer sensitivity");
        Snapshot s;
        if (peer.run(moved(in, pattern), s) && s.counts != theirs.counts) {
          note("knife edge");
          return {};
        }
      }
      note("compare");
      return Failure{kLaw, kCounts[i],
                     std::to_string(ours.counts[i]) + " instead of " + std::to_string(theirs.counts[i])};
    }
    return Failure{kLaw, "contact geoms", ""};
  }
  double force = 1;
  for (const Part& part : theirs.parts) {
    for (const char* name : {"qfrc_bias", "qfrc_passive", "qfrc_constraint", "efc_force"}) {
      if (std::strcmp(part.name, name) == 0) force = std::max(force, largest(part.values));
    }
  }
  contact_parts(ours);
  contact_parts(theirs);
  for (std::size_t i = 0; i < theirs.parts.size(); ++i) {
    const Part& part = theirs.parts[i];
    if (ours.parts[i].values.size() != part.values.size()) return Failure{kLaw, std::string(part.name) + " size", ""};
    std::size_t where = 0;
    const double error = error_of(ours.parts[i].values, part.values, where);
    const double tolerance = part.kind == Kind::Exact ? 0 : part.kind == Kind::Smooth ? 1e-10 : 1e-6;
    if (error <= tolerance) continue;
    if (std::strcmp(part.name, "qfrc_inverse") == 0 || std::strcmp(part.name, "qfrc_constraint") == 0) {
      // sums of large forces that cancel: the error is measured by what is summed
      if (error * std::max(1.0, largest(part.values)) <= 1e-6 * force) continue;
    }
    const double moves = sensitivity(i);
    if (error <= 100 * moves) {
      note("knife edge");
      return {};
    }
    char text[160];
    std::snprintf(text, sizeof text, "[%zu of %zu] %.12g instead of %.12g (error %.2g, sensitivity %.1g)", where,
                  part.values.size(), ours.parts[i].values[where], part.values[where], error, moves);
    return Failure{kLaw, part.name, text};
  }
  return {};
}

/// Sleeping is no part of the state that a step is given, so it is compared in a run: after each step the same trees
/// sleep and wake, until the peer itself differs from a run that started 1e-12 beside.
Broken fall_asleep(const World& world, const sinew::Model& ours, const mjModel& theirs, mjData& data, Note note) {
  sinew::Data mine(ours);
  start(world, ours, mine);
  const Input in = input_of(mine);
  const PeerData beside(mj_makeData(&theirs));
  note("peer sleep");
  if (!guarded([&] {
        mj_resetData(&theirs, &data);
        mj_resetData(&theirs, beside.get());
        set_input(in, data);
        set_input(moved(in, 1), *beside);
      })) {
    return {};
  }
  for (int i = 0; i < 40; ++i) {
    note("peer sleep");
    if (!guarded([&] {
          mj_step(&theirs, &data);
          mj_step(&theirs, beside.get());
        })) {
      return {};
    }
    note("sleep");
    sinew::step(ours, mine);
    std::vector<double> a(mine.qpos.begin(), mine.qpos.end()), b(data.qpos, data.qpos + theirs.nq),
        c(beside->qpos, beside->qpos + theirs.nq);
    std::size_t where = 0;
    const double moves = error_of(c, b, where);
    if (!(moves < 1e-9) || data.nefc != beside->nefc) return {};
    for (int tree = 0; tree < theirs.ntree; ++tree) {
      if (beside->tree_asleep[tree] != data.tree_asleep[tree]) return {};
      if (mine.tree_asleep[static_cast<std::size_t>(tree)] == data.tree_asleep[tree]) continue;
      return Failure{"asleep as in the peer", "tree_asleep",
                     std::to_string(mine.tree_asleep[static_cast<std::size_t>(tree)]) + " instead of " +
                         std::to_string(data.tree_asleep[tree]) + " after step " + std::to_string(i)};
    }
    if (const double error = error_of(a, b, where); error > 1e-6 && error > 1e4 * moves) {
      return Failure{"asleep as in the peer", "qpos", "after step " + std::to_string(i)};
    }
  }
  return {};
}

/// Fields whose content is a convention or has another layout, with the reason.
bool is_compared(std::string_view name) {
  for (const std::string_view other : {
           "names_map",  // another hash
           "paths",
       }) {
    if (name == other) return false;
  }
  for (const std::string_view prefix : {"mesh_", "bvh_", "oct_", "name_", "tex_", "mat_"}) {
    if (name.rfind(prefix, 0) == 0) return false;  // orders of hulls and trees; checked by what collides
  }
  return true;
}

template <class Ours, class Theirs>
Broken compare_field(const char* name, const std::vector<Ours>& ours, const Theirs* theirs, std::int64_t n) {
  if (!is_compared(name)) return {};
  std::vector<double> a(ours.begin(), ours.end()), b(theirs, theirs + n);
  if (a.size() != b.size()) return Failure{"compiled as by the peer", std::string(name) + " size", ""};
  const std::string_view text = name;
  if (text.find("quat") != std::string_view::npos && n % 4 == 0) {  // q and -q are the same
    for (std::size_t i = 0; i < a.size(); i += 4) {
      if (a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2] + a[i + 3] * b[i + 3] < 0) {
        for (std::size_t k = i; k < i + 4; ++k) a[k] = -a[k];
      }
    }
  }
  std::size_t where = 0;
  const double error = error_of(a, b, where);
  const double tolerance = std::is_same_v<Ours, float> ? 1e-6 : std::is_same_v<Ours, double> ? 1e-10 : 0;
  if (error <= tolerance) return {};
  char numbers[120];
  std::snprintf(numbers, sizeof numbers, "[%zu of %zu] %.12g instead of %.12g", where, b.size(), a[where], b[where]);
  return Failure{"compiled as by the peer", name, numbers};
}

Broken compare_models(const sinew::Model& ours, const mjModel& theirs) {
#define SINEW_SIZE(name, doc)                                                                          \
  if (const std::string_view size = #name;                                                             \
      size != "nnames_map" && size != "npaths" && ours.name != static_cast<std::int64_t>(theirs.name)) \
    return Failure{"compiled as by the peer", #name,                                                   \
                   std::to_string(std::int64_t{ours.name}) + " instead of " + std::to_string(theirs.name)};
#include "sinew/model_sizes.def"
#undef SINEW_SIZE
  Broken first;
  const mjModel& m = theirs;
  const auto nq = m.nq, nv = m.nv, na = m.na, nu = m.nu;
  (void)nq, (void)nv, (void)na, (void)nu;
#define SINEW_FIELD(type, name, rows, cols, doc) \
  if (!first) first = compare_field<type>(#name, ours.name, theirs.name, static_cast<std::int64_t>(ours.name.size()));
#include "sinew/model_fields.def"
#undef SINEW_FIELD
  return first;
}

/// What the peer refuses and sinew accepts on purpose, each with its reason.
bool is_deliberate(const std::string& theirs) {
  struct Known {
    const char* text;
    const char* reason;
  };
  static constexpr Known kKnown[] = {
      {"pre and post-count of Y_rownnz", "its PGS counts the rows of a ball joint's friction in two ways"},
      {"discrete inverse dynamics is not supported by RK", "there is no such inverse: qfrc_inverse is NaN"},
      {"diagonal element too small", "an inertia that is not positive: counted in a warning"},
      {"rank-deficient sparse Hessian", "an inertia that is not positive: counted in a warning"},
      {"actdim > 1 is only allowed", "its pid counts two states of its own, of ki and slewmax, as the user's"},
      {"expected at most", "it allows a pair of geoms fewer contacts than it finds"},
  };
  return std::any_of(std::begin(kKnown), std::end(kKnown),
                     [&](const Known& k) { return theirs.find(k.text) != std::string::npos; });
}

/// Why the numbers of this model are meant to differ from the peer's; null where they are not.
const char* deliberate_difference(const sinew::Model& m, const World& world) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.nactuator); ++i) {
    if (m.actuator_ctrlnum[i] > 1 && m.actuator_historyadr[i] >= 0) {
      return "deliberate: of several delayed controls it reads all but the first from memory that nobody wrote";
    }
    if (m.actuator_trntype[i] == static_cast<int>(sinew::TrnType::SliderCrank) &&
        m.actuator_outadr[i] != static_cast<int>(i)) {
      return "deliberate: it reads the crank's length by the index of the output";
    }
  }
  for (const Element& section : world.root.children) {
    const std::string* fuse = section.name == "compiler" ? section.find("fusestatic") : nullptr;
    if (fuse != nullptr && *fuse == "true") return "deliberate: it looks names up by ids from before fusing";
  }
  return nullptr;
}

/// What identifies a refusal: its words without names and numbers.
std::string words(const std::string& text) {
  std::string out;
  for (const char c : text.substr(0, 160)) {
    if (c == '\n') break;
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) out += c;
  }
  return out;
}

std::vector<Failure> check_peer(const World& world, Note note) {
  std::vector<Failure> failures;
  const std::string text = to_text(world.root);
  mju_user_error = peer_error;
  mju_user_warning = peer_warning;
  note("load");
  const auto ours = sinew::load_string(text);
  note("peer load");
  std::string why;
  const PeerModel theirs = load_peer(text, why);
  note("compare");
  if (static_cast<bool>(ours) != (theirs != nullptr)) {
    const std::string our_reason = ours ? "" : ours.error().text();
    const bool fused = ours && deliberate_difference(*ours, world) != nullptr;
    if (!ours || (!is_deliberate(why) && !fused)) {
      failures.push_back(ours ? Failure{"refused as by the peer", words(why), ""}
                              : Failure{"accepted as by the peer", ours.error().first().message, our_reason});
    }
    return failures;
  }
  if (!ours) {
    note("both refuse");
    return failures;
  }
  if (const char* reason = deliberate_difference(*ours, world)) {
    note(reason);
    return failures;
  }
  note("peer data");
  const PeerData data(mj_makeData(theirs.get()));
  if (!guarded([&] {
        mj_resetData(theirs.get(), data.get());
        mj_forward(theirs.get(), data.get());
      }) ||
      is_singular(*theirs, *data)) {
    note("singular at the start");
    return failures;
  }
  note("compare");
  if (Broken broken = compare_models(*ours, *theirs)) {
    failures.push_back(*broken);
    return failures;  // what follows from another model is no news
  }
  if (ours->nq != theirs->nq || ours->nv != theirs->nv || ours->nu != theirs->nu ||
      ours->nsensordata != theirs->nsensordata)
    return failures;
  note("start");
  sinew::Data mine(*ours);
  start(world, *ours, mine);
  Input in = input_of(mine);
  const bool is_finite = (world.start & kNotFinite) == 0;
  Peer peer{*theirs, *data, inverse_is_known(*ours), is_finite};
  const int steps = (world.start & kLong) != 0 ? 12 : 2;
  for (int i = 0; i < steps; ++i) {
    note("peer step");
    Snapshot a, b;
    if (!peer.run(in, b)) {
      note("peer gave up");
      return failures;
    }
    if (is_singular(*theirs, *data)) {
      note("singular inertia");
      return failures;
    }
    if (is_stiff(*data)) {
      note("stiff rows");
      return failures;
    }
    if (is_finite && is_beyond(b)) {
      note("beyond 1e10");
      return failures;
    }
    Input next = in;
    next_input(*theirs, *data, next);
    note("step");
    run_ours(*ours, mine, in, peer.inverse, peer.forward, a);
    note("compare");
    if (Broken broken = compare(a, b, peer, in, note)) {
      broken->numbers += " at step " + std::to_string(i);
      failures.push_back(*broken);
      return failures;
    }
    in = next;
    if (i > 0 && b.parts.empty()) break;
  }
  if (ours->opt.enabled(sinew::kEnableSleep) && (world.start & kExtreme) == 0) {
    if (Broken broken = fall_asleep(world, *ours, *theirs, *data, note)) failures.push_back(*broken);
  }
  note("agree");
  return failures;
}

}  // namespace
}  // namespace random_worlds

int main(int argc, char** argv) {
  return random_worlds::drive({"random_peer", random_worlds::check_peer, nullptr}, argc, argv);
}
