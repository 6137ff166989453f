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
#include <map>
#include <memory>
#include <set>
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
bool peer_is_unstable = false;
void peer_warning(const char* text) { peer_is_unstable |= std::strstr(text, "unstable") != nullptr; }

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
  std::vector<bool> is_blank_row;

  /// Rounding decides on the force of a row that moves nothing.
  void forget_blank_forces() {
    for (Part& part : parts) {
      for (std::size_t i = 0; i < is_blank_row.size() && std::strcmp(part.name, "efc_force") == 0; ++i)
        if (is_blank_row[i]) part.values[i] = 0;
    }
  }

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
    s.is_blank_row.push_back(is_blank(d.efc_J.data() + d.efc_J_rowadr[i], d.efc_J_rownnz[i]));
    s.blank_rows += s.is_blank_row.back();
  }
}
void counts(Snapshot& s, const mjModel& m, const mjData& d) {
  s.counts = {d.ncon, d.ne, d.nf, d.nl, d.nefc};
  const bool sparse = mj_isSparse(&m) != 0;
  for (int i = 0; i < d.nefc; ++i) {
    const double* row = d.efc_J + (sparse ? d.efc_J_rowadr[i] : i * m.nv);
    s.is_blank_row.push_back(is_blank(row, sparse ? d.efc_J_rownnz[i] : static_cast<int>(m.nv)));
    s.blank_rows += s.is_blank_row.back();
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
    std::copy(c.flex.begin(), c.flex.end(), copy.flex);
    std::copy(c.elem.begin(), c.elem.end(), copy.elem);
    std::copy(c.vert.begin(), c.vert.end(), copy.vert);
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
  TAKE(Smooth, flexvert_xpos, 3 * m.nflexvert);
  TAKE(Smooth, flexelem_aabb, 6 * m.nflexelem);
  TAKE(Smooth, flexedge_length, m.nflexedge);
  TAKE(Smooth, flexedge_J, m.nJfe);
  TAKE(Smooth, flexedge_velocity, m.nflexedge);
  TAKE(Smooth, flexvert_length, 2 * m.nflexvert);
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
  s.forget_blank_forces();
}

template <class SizesOf, class DataOf>
void take_inverse(Snapshot& s, const SizesOf& m, const DataOf& d) {
  s.add("qfrc_inverse", Kind::Solver, start_of(d.qfrc_inverse), m.nv);
}

/// For trees that sleep the peer leaves the bias out and adds the rest to what the last call left there; Peer::run has
/// it start at zero.
void complete_inverse(Snapshot& s, const mjModel& m, const mjData& d) {
  for (int i = 0; i < m.nv; ++i) {
    if (d.tree_asleep[m.dof_treeid[i]] >= 0) s.parts.back().values[static_cast<std::size_t>(i)] += d.qfrc_bias[i];
  }
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
    if (out[i] == ref[i] || (!std::isfinite(out[i]) && !std::isfinite(ref[i]))) continue;
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

/// The place of each of the peer's contacts among ours, by geoms, parts of flexes and position; empty where they cannot
/// be matched.
std::vector<int> match(const std::vector<mjContact>& ours, const std::vector<mjContact>& theirs) {
  std::vector<int> places;
  std::vector<bool> used(ours.size());
  for (const mjContact& c : theirs) {
    int best = -1;
    double nearest = HUGE_VAL;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (used[i] || ours[i].geom[0] != c.geom[0] || ours[i].geom[1] != c.geom[1]) continue;
      if (!std::equal(c.elem, c.elem + 2, ours[i].elem) || !std::equal(c.vert, c.vert + 2, ours[i].vert)) continue;
      if (!std::equal(c.flex, c.flex + 2, ours[i].flex)) continue;
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

void contact_parts(Snapshot& s) {
  std::vector<double> exact, numbers;
  for (const mjContact& c : s.contacts) {
    exact.insert(exact.end(), {double(c.geom[0]), double(c.geom[1]), double(c.dim), double(c.exclude)});
    exact.insert(exact.end(), {double(c.flex[0]), double(c.flex[1]), double(c.elem[0]), double(c.elem[1]),
                               double(c.vert[0]), double(c.vert[1])});
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
  for (std::vector<double>* list : {&out.qpos, &out.qvel, &out.act}) {
    for (double& x : *list) {
      if (pattern > 0) x += (r.chance(0.5) ? 1e-12 : -1e-12) * std::max(1.0, std::abs(x));
    }
  }
  return out;
}

bool inverse_is_known(const sinew::Model& m) {
  // the peer counts the implicit elasticity of flexes twice
  if (m.nflex > 0 && m.opt.enabled(sinew::kEnableInvdiscrete)) return false;
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
          mju_zero(d.qfrc_inverse, m.nv);
          mj_inverse(&m, &d);
          take_inverse(s, m, d);
          complete_inverse(s, m, d);
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

/// The peer's model, changed by `edit`.
template <class Edit>
PeerModel varied(const mjModel& m, Edit&& edit) {
  PeerModel copy(mj_copyModel(nullptr, &m));
  edit(*copy);
  return copy;
}

/// Runs the peer with an edited model, from the same input; false where it gave up.
template <class Edit>
bool run_varied(const Peer& peer, const Input& in, Snapshot& s, Edit&& edit) {
  const PeerModel m = varied(peer.m, edit);
  const PeerData d(mj_makeData(m.get()));
  return Peer{*m, *d, peer.inverse, peer.forward}.run(in, s);
}

/// As many iterations as it takes, where that is no matter of minutes.
void converge(mjModel& m) {
  m.opt.tolerance = 0;
  m.opt.iterations = std::max(200, 30000 / (static_cast<int>(m.nv) + 1));
  m.opt.ls_iterations = 200;
  if (m.opt.noslip_iterations > 0) {
    m.opt.noslip_tolerance = 0;
    m.opt.noslip_iterations = m.opt.iterations;
  }
}

bool is_reset(const mjModel& m, const mjData& d) {
  if ((m.opt.disableflags & mjDSBL_AUTORESET) != 0) return false;
  return d.warning[mjWARN_BADQPOS].number + d.warning[mjWARN_BADQVEL].number + d.warning[mjWARN_BADQACC].number > 0;
}

/// The input after a reset, which is what a step goes on with that met a number that is not finite.
Input fresh_input(const mjModel& m, mjData& d, const Input& in) {
  mj_resetData(&m, &d);
  Input out = in;
  next_input(m, d, out);
  out.ctrl.assign(d.ctrl, d.ctrl + m.nu);
  out.qfrc.assign(d.qfrc_applied, d.qfrc_applied + m.nv);
  out.xfrc.assign(d.xfrc_applied, d.xfrc_applied + 6 * m.nbody);
  out.mocap_pos.assign(d.mocap_pos, d.mocap_pos + 3 * m.nmocap);
  out.mocap_quat.assign(d.mocap_quat, d.mocap_quat + 4 * m.nmocap);
  out.eq_active.assign(d.eq_active, d.eq_active + m.neq);
  return out;
}

using GeomIds = std::array<int, 2>;

/// Contacts by their geoms, distances only.
std::map<GeomIds, std::vector<double>> distances(const std::vector<mjContact>& contacts) {
  std::map<GeomIds, std::vector<double>> out;
  for (const mjContact& c : contacts) out[{c.geom[0], c.geom[1]}].push_back(c.dist);
  for (auto& [geoms, list] : out) std::sort(list.begin(), list.end());
  return out;
}

bool alike(const std::vector<double>& a, const std::vector<double>& b) {
  std::size_t where = 0;
  return a.size() == b.size() && error_of(a, b, where) < 1e-6;
}

const mjModel* true_model = nullptr;
mjfCollision true_function = nullptr;
int collide_true_geoms(const mjModel*, mjData* d, mjPreContact* out, int g1, int g2, mjtNum margin) {
  return true_function(true_model, d, out, g1, g2, margin);
}

/// What the peer finds between two geoms where its boxes cannot separate them and nothing else collides: its filters
/// and its pair function stay as they are.
std::vector<double> found_without_boxes(Peer& peer, const Input& in, const GeomIds& geoms) {
  PeerModel roomy(mj_copyModel(nullptr, &peer.m));
  constexpr double kRoom = 100;
  const auto is_of_pair = [&](int g) { return g == geoms[0] || g == geoms[1]; };
  for (int g = 0; g < roomy->ngeom; ++g) {
    if (!is_of_pair(g)) {
      roomy->geom_contype[g] = roomy->geom_conaffinity[g] = 0;
    } else if (roomy->geom_rbound[g] > 0) {
      roomy->geom_rbound[g] += kRoom;
      for (int k = 3; k < 6; ++k) roomy->geom_aabb[6 * g + k] += kRoom;
    }
  }
  for (int b = 0; b < roomy->nbody; ++b) {
    roomy->body_contype[b] = roomy->body_conaffinity[b] = 0;
    for (int g = roomy->body_geomadr[b]; g < roomy->body_geomadr[b] + roomy->body_geomnum[b]; ++g) {
      roomy->body_contype[b] |= roomy->geom_contype[g];
      roomy->body_conaffinity[b] |= roomy->geom_conaffinity[g];
    }
  }
  roomy->opt.disableflags |= mjDSBL_MIDPHASE;
  mjfCollision& entry = mjCOLLISIONFUNC[peer.m.geom_type[geoms[0]]][peer.m.geom_type[geoms[1]]];
  true_model = &peer.m;
  true_function = entry;
  if (entry != nullptr) entry = collide_true_geoms;
  std::vector<mjContact> contacts;
  guarded([&] {
    mj_resetData(&peer.m, &peer.d);
    set_input(in, peer.d);
    mj_fwdPosition(roomy.get(), &peer.d);
    contacts.assign(peer.d.contact, peer.d.contact + peer.d.ncon);
  });
  entry = true_function;
  return distances(contacts)[geoms];
}

/// Whether the peer's pair function itself finds other contacts when both geoms are turned together.
bool turns_into_others(Peer& peer, const Input& in, const GeomIds& geoms) {
  const mjModel& m = peer.m;
  const mjfCollision function = mjCOLLISIONFUNC[m.geom_type[geoms[0]]][m.geom_type[geoms[1]]];
  if (function == nullptr) return false;
  std::vector<double> first, list;
  std::vector<mjPreContact> found(1000);
  bool differs = false;
  guarded([&] {
    mj_resetData(&m, &peer.d);
    set_input(in, peer.d);
    mj_kinematics(&m, &peer.d);
    Rng r(1);
    for (int pose = 0; pose < 16 && !differs; ++pose) {
      std::array<double, 9> turn{};
      std::array<double, 4> quat{};
      for (double& q : quat) q = r.in(-1, 1);
      mju_normalize4(quat.data());
      mju_quat2Mat(turn.data(), quat.data());
      for (const int g : geoms) {
        std::array<double, 9> mat{};
        std::array<double, 3> pos{};
        mju_mulMatMat(mat.data(), turn.data(), peer.d.geom_xmat + 9 * g, 3, 3, 3);
        mju_mulMatVec3(pos.data(), turn.data(), peer.d.geom_xpos + 3 * g);
        std::copy(mat.begin(), mat.end(), peer.d.geom_xmat + 9 * g);
        std::copy(pos.begin(), pos.end(), peer.d.geom_xpos + 3 * g);
      }
      const int count = function(&m, &peer.d, found.data(), geoms[0], geoms[1], 0);
      list.clear();
      for (int i = 0; i < count; ++i) list.push_back(found[static_cast<std::size_t>(i)].dist);
      std::sort(list.begin(), list.end());
      if (pose == 0) first = list;
      differs = !alike(list, first);
    }
  });
  return differs;
}

/// Why the peer has other contacts, as the peer itself shows; null where it does not.
const char* why_contacts_differ(const std::vector<mjContact>& ours, const std::vector<mjContact>& theirs, Peer& peer,
                                const Input& in) {
  auto a = distances(ours), b = distances(theirs);
  std::set<GeomIds> all;
  for (const auto& [geoms, list] : a) all.insert(geoms);
  for (const auto& [geoms, list] : b) all.insert(geoms);
  const char* reason = nullptr;
  for (const GeomIds& geoms : all) {
    if (alike(a[geoms], b[geoms])) continue;
    const bool has_field = peer.m.geom_type[geoms[0]] == mjGEOM_SDF || peer.m.geom_type[geoms[1]] == mjGEOM_SDF;
    if (b[geoms].empty() && alike(a[geoms], found_without_boxes(peer, in, geoms))) {
      reason = "deliberate: its boxes lose contacts that its pair function finds";
    } else if (has_field && geoms[0] == geoms[1]) {
      reason = "knife edge: every point of a surface is one where the geom touches itself";
    } else if (has_field && turns_into_others(peer, in, geoms)) {
      reason = "knife edge: its descent in an sdf field ends elsewhere when both geoms are turned together";
    } else {
      return nullptr;
    }
  }
  return reason;
}

/// Whether the contacts, matched, differ in normals of the other sign alone, and the peer has ours where it clips no
/// faces (flag multiccd off).
bool its_clipping_reverses_normals(const std::vector<mjContact>& ours, const std::vector<mjContact>& theirs, Peer& peer,
                                   const Input& in) {
  const auto along = [](const mjContact& a, const mjContact& b) { return mju_dot3(a.frame, b.frame); };
  std::vector<mjContact> unclipped;
  bool any = false;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const mjContact &a = ours[i], &b = theirs[i];
    if (std::abs(a.dist - b.dist) > 1e-6 || mju_dist3(a.pos, b.pos) > 1e-6) return false;
    if (along(a, b) > 1 - 1e-9) continue;
    if (along(a, b) > -1 + 1e-9) return false;
    if (!any) {
      PeerModel plain(mj_copyModel(nullptr, &peer.m));
      plain->opt.disableflags |= mjDSBL_MULTICCD;
      guarded([&] {
        mj_resetData(&peer.m, &peer.d);
        set_input(in, peer.d);
        mj_fwdPosition(plain.get(), &peer.d);
        unclipped.assign(peer.d.contact, peer.d.contact + peer.d.ncon);
      });
    }
    any = true;
    const bool shown = std::any_of(unclipped.begin(), unclipped.end(), [&](const mjContact& c) {
      return c.geom[0] == a.geom[0] && c.geom[1] == a.geom[1] && along(a, c) > 1 - 1e-6;
    });
    if (!shown) return false;
  }
  return any;
}

/// A mass matrix without a rank that rounding can tell: accelerations are whatever the order of operations makes them.
bool is_singular(const mjModel& m, const mjData& d) {
  for (int i = 0; i < m.nv; ++i) {
    const double diagonal = d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1];
    if (!(std::abs(d.qLDiagInv[i]) * diagonal < 1e10) || d.qLDiagInv[i] < 0) return true;
  }
  return false;
}

/// Rows so stiff that the rounding of an acceleration is a force: D |aref| times the unit roundoff, or D times that of
/// the products in J qacc, where it shows in qfrc_constraint.
bool is_stiff(const mjModel& m, const mjData& d) {
  double force = 1;
  for (int i = 0; i < m.nv; ++i) force = std::max(force, std::abs(d.qfrc_constraint[i]));
  const bool sparse = mj_isSparse(&m) != 0;
  for (int i = 0; i < d.nefc; ++i) {
    if (std::abs(d.efc_force[i]) > 1e12) return true;
    if (d.efc_D[i] * std::abs(d.efc_aref[i]) * 1e-15 > 1e-7 * std::max(1.0, std::abs(d.efc_force[i]))) return true;
    const int start = sparse ? d.efc_J_rowadr[i] : i * static_cast<int>(m.nv);
    double products = 0, entry = 0;
    for (int k = 0; k < (sparse ? d.efc_J_rownnz[i] : static_cast<int>(m.nv)); ++k) {
      const double x = std::abs(d.efc_J[start + k]);
      products += x * std::abs(d.qacc[sparse ? d.efc_J_colind[start + k] : k]);
      entry = std::max(entry, x);
    }
    if (d.efc_D[i] * products * 1e-16 * entry > 1e-6 * force) return true;
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

/// How far the peer's numbers are from those at which its own solvers end when nothing stops them: the minimum that
/// they look for is the same.
double distance_to_minimum(const Peer& peer, const Input& in, const Snapshot& theirs, std::size_t part, Note note) {
  double most = 0;
  for (const int solver : {peer.m.opt.solver, static_cast<int>(mjSOL_NEWTON)}) {
    note("peer convergence");
    Snapshot s;
    const bool ok = run_varied(peer, in, s, [&](mjModel& m) {
      m.opt.solver = solver;
      converge(m);
    });
    note("compare");
    if (!ok || s.counts != theirs.counts || !reorder(s, theirs)) continue;
    contact_parts(s);
    std::size_t where = 0;
    most = std::max(most, error_of(theirs.parts[part].values, s.parts[part].values, where));
  }
  return most;
}

/// Whether rounding decides: of many states 1e-12 beside, one leads the peer to our numbers. So it is where the force
/// of an orientation actuator is scaled to its limit and then asked whether it has reached it, and where small terms
/// are lost in large ones.
bool is_reached_beside(Peer& peer, const Input& in, const Snapshot& ours, const Snapshot& theirs, std::size_t part,
                       double tolerance, Note note) {
  bool reached = false;
  for (int pattern = 4; pattern < 200 && !reached; ++pattern) {
    note("peer sensitivity");
    Snapshot s;
    if (!peer.run(moved(in, pattern), s) || s.counts != theirs.counts || !reorder(s, theirs)) continue;
    contact_parts(s);
    const std::vector<double>&a = ours.parts[part].values, &b = s.parts[part].values;
    std::size_t where = 0;
    reached = a.size() == b.size() && error_of(a, b, where) <= tolerance;
  }
  note("compare");
  return reached;
}

/// The size of terms that cancel in a result: centrifugal and gyroscopic ones in qfrc_bias, and the current of a motor
/// in the force that it has a step later.
double cancelled_terms(const Peer& peer, std::string_view part) {
  const mjModel& m = peer.m;
  const mjData& d = peer.d;
  double terms = 0;
  if (part == "actuator_force") {
    for (int i = 0; i < m.na; ++i) terms = std::max(terms, std::abs(d.act[i]));
  } else if (part == "qfrc_bias") {
    double columns = 0;
    for (int i = 0; i < m.nv; ++i) columns = std::max(columns, mju_norm(d.cdof + 6 * i, 6));
    for (int b = 1; b < m.nbody; ++b) {
      const double speed = mju_norm(d.cvel + 6 * b, 6);
      terms += columns * mju_norm(d.cinert + 10 * b, 10) * speed * speed;
    }
  }
  return terms;
}

/// Whether a flex may have had more contacts than the 50 that are kept of two objects.
bool is_reduced(const std::vector<mjContact>& contacts) {
  std::map<int, int> of_flex;
  return std::any_of(contacts.begin(), contacts.end(),
                     [&](const mjContact& c) { return c.flex[1] >= 0 && ++of_flex[c.flex[1]] >= 50; });
}

/// What differs beyond the tolerance, and whether the peer itself stands on an edge there.
Broken compare(Snapshot& ours, Snapshot& theirs, Peer& peer, const Input& in, Note note) {
  const bool was_reset = is_reset(peer.m, peer.d);
  std::vector<Snapshot> near;
  const auto sensitivity = [&](std::size_t part) -> double {
    if (near.empty()) {
      // a reset forgets what was moved: what it leads to is moved instead, but says nothing about the warnings
      const bool warns = std::strcmp(theirs.parts[part].name, "next warnings") == 0;
      const Input from = was_reset && !warns ? fresh_input(peer.m, peer.d, in) : in;
      for (int pattern = 1; pattern <= 3; ++pattern) {
        note("peer sensitivity");
        Snapshot s;
        if (!peer.run(moved(from, pattern), s)) continue;
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
  if (is_reduced(theirs.contacts)) {
    note("knife edge: rounding decides which 50 contacts of a flex remain");
    return {};
  }
  note("peer alone");
  const char* lost = why_contacts_differ(ours.contacts, theirs.contacts, peer, in);
  note("compare");
  if (lost != nullptr) {
    note(lost);
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
  note("peer unclipped");
  const bool reversed = its_clipping_reverses_normals(ours.contacts, theirs.contacts, peer, in);
  note("compare");
  if (reversed) {
    note("deliberate: its clipping reverses a normal");
    return {};
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
    if (error * std::max(1.0, largest(part.values)) <= cancelled_terms(peer, part.name) * 1e-14) {
      note("cancellation");
      continue;
    }
    const double moves = sensitivity(i);
    if (error <= 100 * moves) {
      note("knife edge");
      return {};
    }
    if (is_reached_beside(peer, in, ours, theirs, i, tolerance, note)) {
      note("knife edge: it has these numbers for a state 1e-12 beside");
      return {};
    }
    if (part.kind == Kind::Solver && error <= 10 * distance_to_minimum(peer, in, theirs, i, note)) {
      note("its solver stops before it has converged");
      return {};
    }
    char text[160];
    std::snprintf(text, sizeof text, "[%zu of %zu] %.12g instead of %.12g (error %.2g, sensitivity %.1g)", where,
                  part.values.size(), ours.parts[i].values[where], part.values[where], error, moves);
    return Failure{kLaw, part.name, text};
  }
  return {};
}

/// The inputs of the second to the fourth stage of RK4, by the peer.
std::vector<Input> later_stages(Peer& peer, const Input& in) {
  const mjModel& m = peer.m;
  mjData& d = peer.d;
  std::vector<Input> stages;
  std::vector<double> velocity = in.qvel;
  guarded([&] {
    Input at = in;
    for (const double share : {0.5, 0.5, 1.0}) {
      mj_resetData(&m, &d);
      set_input(at, d);
      mj_forward(&m, &d);
      const double h = share * m.opt.timestep;
      at.time = in.time + h;
      at.qpos = in.qpos;
      mj_integratePos(&m, at.qpos.data(), velocity.data(), h);
      for (std::size_t i = 0; i < at.qvel.size(); ++i) at.qvel[i] = in.qvel[i] + h * d.qacc[i];
      for (std::size_t i = 0; i < at.act.size(); ++i) at.act[i] = in.act[i] + h * d.act_dot[i];
      velocity = at.qvel;
      stages.push_back(at);
    }
  });
  return stages;
}

bool is_close(const Snapshot& ours, const Snapshot& theirs) {
  if (ours.counts != theirs.counts || ours.parts.size() != theirs.parts.size()) return false;
  for (std::size_t i = 0; i < ours.parts.size(); ++i) {
    const std::vector<double>&a = ours.parts[i].values, &b = theirs.parts[i].values;
    std::size_t where = 0;
    if (a.size() != b.size() || error_of(a, b, where) > 1e-6) return false;
  }
  return true;
}

/// Sleeping is no part of the state that a step is given, so it is compared in a run: after each step the same trees
/// sleep and wake, and the state is the peer's. Then ours goes on from the peer's numbers, so that rounding does not
/// grow into other contacts. Where the peer differs from a step that started 1e-12 beside, nothing is known.
Broken fall_asleep(const World& world, const sinew::Model& ours, const mjModel& theirs, mjData& data, Note note) {
  constexpr const char* kAsleep = "asleep as in the peer";
  sinew::Data mine(ours);
  start(world, ours, mine);
  const Input in = input_of(mine);
  const PeerData beside(mj_makeData(&theirs)), minimum(mj_makeData(&theirs));
  const PeerModel converging = varied(theirs, converge);
  note("peer sleep");
  if (!guarded([&] {
        mj_resetData(&theirs, &data);
        set_input(in, data);
      })) {
    return {};
  }
  Input before = in;
  for (int i = 0; i < 40; ++i) {
    note("peer sleep");
    if (!guarded([&] {
          mj_copyData(beside.get(), &theirs, &data);
          mj_copyData(minimum.get(), &theirs, &data);
          next_input(theirs, data, before);
          const Input at = moved(before, i + 1);
          for (int dof = 0; dof < theirs.nv; ++dof) {  // who sleeps would wake
            if (data.tree_asleep[theirs.dof_treeid[dof]] < 0)
              beside->qvel[dof] = at.qvel[static_cast<std::size_t>(dof)];
          }
          mj_step(&theirs, &data);
          mj_step(&theirs, beside.get());
        })) {
      return {};
    }
    note("sleep");
    sinew::step(ours, mine);
    const std::string when = "after step " + std::to_string(i);
    for (int tree = 0; tree < theirs.ntree; ++tree) {
      if (beside->tree_asleep[tree] != data.tree_asleep[tree]) return {};
      const int state = mine.tree_asleep[static_cast<std::size_t>(tree)];
      if (state == data.tree_asleep[tree]) continue;
      return Failure{kAsleep, "tree_asleep",
                     std::to_string(state) + " instead of " + std::to_string(data.tree_asleep[tree]) + " " + when};
    }
    const std::vector<double> a(mine.qpos.begin(), mine.qpos.end()), b(data.qpos, data.qpos + theirs.nq),
        c(beside->qpos, beside->qpos + theirs.nq);
    std::size_t where = 0;
    const double moves = error_of(c, b, where), error = error_of(a, b, where);
    if (data.warning[mjWARN_CONTACTFULL].number + data.warning[mjWARN_CNSTRFULL].number > 0) return {};
    if (data.nefc != beside->nefc || is_singular(theirs, data) || is_stiff(theirs, data)) return {};
    if (error > 1e-6 && error > 100 * moves) {
      note("peer sleep");
      if (!guarded([&] { mj_step(converging.get(), minimum.get()); })) return {};
      note("sleep");
      const std::vector<double> at_minimum(minimum->qpos, minimum->qpos + theirs.nq);
      std::size_t there = 0;
      if (error <= 10 * error_of(b, at_minimum, there)) {
        note("its solver stops before it has converged");
        return {};
      }
      // a difference that is there among trees that are all awake is another one
      note("peer step");
      Peer peer{theirs, *beside, inverse_is_known(ours), true};
      Snapshot awake, expected;
      if (peer.run(before, expected)) {
        run_ours(ours, mine, before, peer.inverse, peer.forward, awake);
        note("compare");
        if (Broken broken = compare(awake, expected, peer, before, note)) return broken;
        if (!is_close(awake, expected)) return {};
      }
      char numbers[160];
      std::snprintf(numbers, sizeof numbers, "[%zu of %zu] %.12g instead of %.12g (error %.2g, sensitivity %.1g) %s",
                    where, b.size(), a[where], b[where], error, moves, when.c_str());
      return Failure{kAsleep, "qpos", numbers};
    }
    if (is_reset(theirs, data)) return {};
    next_input(theirs, data, before);
    set_input(before, mine);
  }
  return {};
}

/// Geoms that this input puts at a pose that is not finite.
std::vector<int> lost_geoms(Peer& peer, const Input& in) {
  const mjModel& m = peer.m;
  mjData& d = peer.d;
  mj_resetData(&m, &d);
  set_input(in, d);
  mj_kinematics(&m, &d);
  const auto is_finite = [](const double* x, int n) {
    return std::all_of(x, x + n, [](double value) { return std::isfinite(value); });
  };
  std::vector<int> geoms;
  for (int g = 0; g < m.ngeom; ++g) {
    if (!is_finite(d.geom_xpos + 3 * g, 3) || !is_finite(d.geom_xmat + 9 * g, 9)) geoms.push_back(g);
  }
  return geoms;
}

/// Mocap bodies whose pose is not finite far away instead, where explicit pairs find no contact either.
Input without_lost_mocap(const Input& in) {
  Input out = in;
  for (std::size_t i = 0; 3 * i < in.mocap_pos.size(); ++i) {
    double* pos = out.mocap_pos.data() + 3 * i;
    double* quat = out.mocap_quat.data() + 4 * i;
    const auto is_finite = [](double x) { return std::isfinite(x); };
    if (std::all_of(pos, pos + 3, is_finite) && std::all_of(quat, quat + 4, is_finite)) continue;
    std::fill_n(pos, 3, 1e6 * static_cast<double>(i + 1));
    std::fill_n(quat, 4, 0.5);
  }
  return out;
}

/// Looks for the cause of a difference by running the peer in another way; nothing where that is one of its own.
Broken explain(const Failure& failure, const sinew::Model& m, sinew::Data& d, Peer& peer, const Input& in, Note note) {
  const bool is_next = failure.what.rfind("next ", 0) == 0;
  if (!peer.forward) {  // 0 · NaN
    note("peer step");
    Snapshot ours, theirs;
    const PeerModel model =
        varied(peer.m, [](mjModel& copy) { copy.opt.jacobian = mj_isSparse(&copy) != 0 ? mjJAC_DENSE : mjJAC_SPARSE; });
    const PeerData data(mj_makeData(model.get()));
    Peer other{*model, *data, peer.inverse, peer.forward};
    if (!other.run(in, theirs)) {
      note("peer gave up");
      return {};
    }
    run_ours(m, d, in, peer.inverse, peer.forward, ours);
    note("compare");
    if (!compare(ours, theirs, other, in, note)) {
      note("deliberate: what is not finite meets zeros of dense matrices that sparse ones do not have");
      return {};
    }
  }
  const auto agrees_from = [&](const Input& other) {  // all but warnings, which say what was bad about the input
    note("peer step");
    Snapshot ours, theirs;
    if (!peer.run(other, theirs)) return false;
    run_ours(m, d, in, peer.inverse, peer.forward, ours);
    note("compare");
    for (Snapshot* s : {&ours, &theirs})
      std::erase_if(s->parts, [](const Part& part) { return std::strcmp(part.name, "next warnings") == 0; });
    return !compare(ours, theirs, peer, other, note);
  };
  const auto is_finite = [](const std::vector<double>& x) {
    return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
  };
  if (Input other = in; !is_finite(in.warmstart)) {
    std::fill(other.warmstart.begin(), other.warmstart.end(), 0.0);
    if (agrees_from(other)) {
      note("deliberate: a warm start that is not finite is not used");
      return {};
    }
  }
  if (Input other = in; !is_finite(in.ctrl)) {
    std::fill(other.ctrl.begin(), other.ctrl.end(), 0.0);
    if (agrees_from(other)) {
      note("deliberate: its implicit integrators read bad controls that its forces do not");
      return {};
    }
  }
  const auto agrees_with = [&](auto&& change, bool only_warnings) {  // with the peer after a change of its model
    const PeerModel model = varied(peer.m, change);
    const PeerData data(mj_makeData(model.get()));
    Peer other{*model, *data, peer.inverse, peer.forward};
    note("peer step");
    Snapshot ours, theirs;
    if (!other.run(in, theirs)) return false;
    run_ours(m, d, in, peer.inverse, peer.forward, ours);
    note("compare");
    for (Snapshot* s : {&ours, &theirs}) {
      std::erase_if(s->parts,
                    [&](const Part& part) { return only_warnings && std::strcmp(part.name, "next warnings") != 0; });
    }
    return !compare(ours, theirs, other, in, note);
  };
  const bool warns = failure.what == "next warnings";
  if (warns && agrees_with([](mjModel& copy) { copy.opt.disableflags |= mjDSBL_WARMSTART; }, false)) {
    note("deliberate: a warm start does not take the place of an acceleration that is not finite");
    return {};
  }
  if (warns && !is_finite(in.qvel) && (m.opt.enableflags & sinew::kEnableSleep) != 0 &&
      agrees_with([](mjModel& copy) { copy.opt.enableflags &= ~mjENBL_SLEEP; }, true)) {
    note("deliberate: a velocity that is not finite is noticed in trees that sleep too");
    return {};
  }
  if (failure.what == "sensordata" || failure.what == "next history") {
    const bool agrees = agrees_with(
        [](mjModel& copy) {
          for (int node = 0; node < copy.nbvhstatic; ++node)
            for (int k = 3; k < 6; ++k) copy.bvh_aabb[6 * node + k] += 1000;
        },
        false);
    if (agrees) {
      note("deliberate: the rays of its cameras lose geoms outside of boxes that it puts elsewhere");
      return {};
    }
  }
  // after scaling a force to its limit the peer asks whether it reaches it, which rounding decides
  const auto is_scaled = [&](int a) {
    return peer.m.actuator_gaintype[a] == mjGAIN_SO3 && peer.m.actuator_forcelimited[a];
  };
  bool scales = false;
  for (int a = 0; a < peer.m.nactuator; ++a) scales = scales || is_scaled(a);
  for (int variant = 1; scales && variant <= 20; ++variant) {
    const bool agrees = agrees_with(
        [&](mjModel& copy) {
          for (int a = 0; a < copy.nactuator; ++a)
            if (is_scaled(a)) copy.actuator_forcerange[2 * a + 1] *= 1 + variant * 1e-13;
        },
        false);
    if (!agrees) continue;
    note("knife edge: whether the force of an orientation actuator, scaled to its limit, has reached it");
    return {};
  }
  if (const std::vector<int> lost = lost_geoms(peer, in); !lost.empty()) {
    note("peer step");
    Snapshot ours, theirs;
    const PeerModel model = varied(peer.m, [&](mjModel& copy) {
      for (const int g : lost) copy.geom_contype[g] = copy.geom_conaffinity[g] = 0;
    });
    const PeerData data(mj_makeData(model.get()));
    Peer other{*model, *data, peer.inverse, peer.forward};
    if (other.run(without_lost_mocap(in), theirs)) {
      run_ours(m, d, in, peer.inverse, peer.forward, ours);
      note("compare");
      if (!compare(ours, theirs, other, in, note)) {
        note("deliberate: a geom whose pose is not finite touches nothing");
        return {};
      }
    }
    note("compare");
  }
  if (Peer whole{peer.m, peer.d, peer.inverse, true}; !peer.forward && is_next) {
    // after a reset the step goes on from the start, which is as good as any other state to look at the contacts
    note("peer step");
    Snapshot ours, theirs;
    const Input fresh = fresh_input(peer.m, peer.d, in);
    if (!whole.run(fresh, theirs)) return {};
    run_ours(m, d, fresh, whole.inverse, whole.forward, ours);
    note("compare");
    if (Broken broken = compare(ours, theirs, whole, fresh, note)) return broken;
    if (!is_close(ours, theirs)) return {};  // for a reason that is one of its own or an edge
  }
  if (is_next && peer.forward && peer.m.opt.integrator == mjINT_RK4) {
    note("peer step");
    for (const Input& stage : later_stages(peer, in)) {
      Snapshot ours, theirs;
      note("peer step");
      if (!peer.run(stage, theirs)) return {};
      run_ours(m, d, stage, peer.inverse, peer.forward, ours);
      const auto forward_only = [](Snapshot& s) {
        std::erase_if(s.parts, [](const Part& part) { return std::strncmp(part.name, "next ", 5) == 0; });
      };
      forward_only(ours);
      forward_only(theirs);
      note("compare");
      if (Broken broken = compare(ours, theirs, peer, stage, note)) {
        broken->numbers += " in a stage of RK4";
        return broken;
      }
      if (!is_close(ours, theirs)) return {};  // the peer stands on an edge there
    }
  }
  return failure;
}

/// Fields whose content is a convention or has another layout, with the reason.
bool is_compared(std::string_view name) {
  for (const std::string_view other : {
           "names_map",  // another hash
           "paths",
           "plugin",                                                       // slots of registration
           "flexvert_J_rownnz", "flexvert_J_rowadr", "flexvert_J_colind",  // it keeps room for flexes that use none
       }) {
    if (name == other) return false;
  }
  for (const std::string_view prefix : {"efm0_", "mesh_", "bvh_", "oct_", "name_", "tex_", "mat_"}) {
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

constexpr const char* kMisreadLengthRanges =
    "deliberate: it finds length ranges with the data of other outputs and joints";

/// Length ranges that the peer finds with the data of something else: it looks outputs up by the index of the actuator,
/// and with uselimit the target of actuator i in trnid[i] instead of trnid[2 i].
bool misreads_length_ranges(const sinew::Model& m) {
  using sinew::LengthRangeMode;
  for (std::size_t a = 0; a < static_cast<std::size_t>(m.nactuator); ++a) {
    const bool muscle = m.actuator_gaintype[a] == mjGAIN_MUSCLE || m.actuator_biastype[a] == mjBIAS_MUSCLE;
    if (m.lropt.mode == LengthRangeMode::None || (m.lropt.mode != LengthRangeMode::All && !muscle)) continue;
    const int type = m.actuator_trntype[a];
    const bool may_be_limited = type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT || type == mjTRN_TENDON;
    if (m.lropt.uselimit && a > 0 && may_be_limited) return true;
    if (m.actuator_outadr[a] != static_cast<int>(a) || m.actuator_outnum[a] != 1) return true;
  }
  return false;
}

/// The peer's constants that follow from the inertia at qpos0, or its length ranges, when bodies are moved by 1e-12 or,
/// with kConverged, when its solver converges in the simulation that finds them.
constexpr int kConverged = 0;
PeerModel moved_constants(const sinew::Model& ours, const mjModel& theirs, int pattern, bool length_ranges) {
  PeerModel m = varied(theirs, [&](mjModel& copy) {
    if (pattern == kConverged) {
      copy.opt.solver = mjSOL_NEWTON;
      return converge(copy);
    }
    Rng r(static_cast<std::uint64_t>(pattern));
    const auto move = [&](double* x, int n) {
      for (int i = 0; i < n; ++i) x[i] += (r.chance(0.5) ? 1e-12 : -1e-12) * x[i];
    };
    move(copy.site_pos, 3 * copy.nsite);
    move(copy.body_pos, 3 * copy.nbody);
    move(copy.body_ipos, 3 * copy.nbody);
    move(copy.body_mass, copy.nbody);
    move(copy.body_inertia, 3 * copy.nbody);
  });
  const PeerData d(mj_makeData(m.get()));
  const bool ok = guarded([&] {
    if (!length_ranges) return mj_setConst(m.get(), d.get());
    const mjOption option = m->opt;
    if (ours.lropt.timestep > 0) m->opt.timestep = ours.lropt.timestep;
    m->opt.disableflags = mjDSBL_FRICTIONLOSS | mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_GRAVITY |
                          mjDSBL_ACTUATION | mjDSBL_SENSOR;
    mjLROpt how;
    mj_defaultLROpt(&how);
    how.mode = static_cast<int>(ours.lropt.mode);
    how.useexisting = 0;
    how.uselimit = ours.lropt.uselimit ? 1 : 0;
    how.accel = ours.lropt.accel;
    how.maxforce = ours.lropt.maxforce;
    how.timeconst = ours.lropt.timeconst;
    how.timestep = ours.lropt.timestep;
    how.inttotal = ours.lropt.inttotal;
    how.interval = ours.lropt.interval;
    how.tolrange = ours.lropt.tolrange;
    char error[200];
    for (int i = 0; i < m->nactuator; ++i) mj_setLengthRange(m.get(), d.get(), i, &how, error, sizeof error);
    m->opt = option;
  });
  return ok ? std::move(m) : nullptr;
}

/// Whether a field of the compiled model differs by no more than 100 times what the peer's own moves.
template <class Field>
bool is_sensitive(const sinew::Model& ours, const mjModel& theirs, std::string_view name,
                  const std::vector<double>& values, Field&& field) {
  const bool length_ranges = name == "actuator_lengthrange";
  const bool constant = name.ends_with("invweight0") || name.ends_with("acc0") || name.ends_with("length0");
  if (!length_ranges && !constant) return false;
  const std::vector<double> expected(field(theirs), field(theirs) + values.size());
  double most = 0;
  std::size_t where = 0;
  for (int pattern = 1; pattern <= 3; ++pattern) {
    const PeerModel near = moved_constants(ours, theirs, pattern, length_ranges);
    if (near != nullptr) most = std::max(most, error_of({field(*near), field(*near) + values.size()}, expected, where));
  }
  const double error = error_of(values, expected, where);
  if (error <= 100 * most) return true;
  const PeerModel converged = length_ranges ? moved_constants(ours, theirs, kConverged, true) : nullptr;
  return converged != nullptr &&
         error <= 10 * error_of({field(*converged), field(*converged) + values.size()}, expected, where);
}

/// The peer does not set the lengths of the edges of rigid flexes.
void set_lengths_of_rigid_flexes(const sinew::Model& ours, mjModel& theirs) {
  for (int f = 0; f < theirs.nflex; ++f) {
    if (!theirs.flex_rigid[f]) continue;
    for (int e = theirs.flex_edgeadr[f]; e < theirs.flex_edgeadr[f] + theirs.flex_edgenum[f]; ++e)
      theirs.flexedge_length0[e] = ours.flexedge_length0[static_cast<std::size_t>(e)];
  }
}

/// The peer's model becomes ours in fields that differ for a reason of its own.
Broken compare_models(const sinew::Model& ours, mjModel& theirs, Note note) {
#define SINEW_SIZE(name, doc)                                                                            \
  if (const std::string_view size = #name; size != "nnames_map" && size != "npaths" && size != "nJfv" && \
                                           ours.name != static_cast<std::int64_t>(theirs.name))          \
    return Failure{"compiled as by the peer", #name,                                                     \
                   std::to_string(std::int64_t{ours.name}) + " instead of " + std::to_string(theirs.name)};
#include "sinew/model_sizes.def"
#undef SINEW_SIZE
  Broken first;
  set_lengths_of_rigid_flexes(ours, theirs);
  const mjModel& m = theirs;
  const auto nq = m.nq, nv = m.nv, na = m.na, nu = m.nu;
  (void)nq, (void)nv, (void)na, (void)nu;
  const auto has_reason = [&](const char* name, const auto& values, auto&& field) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(values[0])>, double>) {
      return false;
    } else {
      note("peer sensitivity");
      const bool misread = std::strcmp(name, "actuator_lengthrange") == 0 && misreads_length_ranges(ours);
      const bool has = misread || is_sensitive(ours, theirs, name, values, field);
      note(!has ? "compare" : misread ? kMisreadLengthRanges : "knife edge");
      if (has) std::copy(values.begin(), values.end(), field(theirs));
      return has;
    }
  };
#define SINEW_FIELD(type, name, rows, cols, doc)                                                               \
  if (!first) {                                                                                                \
    first = compare_field<type>(#name, ours.name, theirs.name, static_cast<std::int64_t>(ours.name.size()));   \
    if (first && has_reason(#name, ours.name, [](const mjModel& model) { return model.name; })) first.reset(); \
  }
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
      {"is between two static bodies", "with sleep it counts a pair of geoms that cannot move among those that do"},
      {"expected at most", "it allows a pair of geoms fewer contacts than it finds"},
      {"flex vertices are not in the same plane", "it wants the plane of a flexvert to be horizontal"},
      {"not found in bodypair", "a cable of three points, the second body of which it calls by another name"},
      {"no tree found for constraint", "a contact of a static flex and a static geom"},
      {"tendon equality does not yet support sleeping", "trees that it couples sleep and wake together"},
  };
  return std::any_of(std::begin(kKnown), std::end(kKnown),
                     [&](const Known& k) { return theirs.find(k.text) != std::string::npos; });
}

bool has_static_vertex(const sinew::Model& m, std::size_t f) {
  const int first = m.flex_vertadr[f];
  for (int v = first; v < first + m.flex_vertnum[f]; ++v) {
    const int body = m.flex_vertbodyid[static_cast<std::size_t>(v)];
    if (body >= 0 && m.body_weldid[static_cast<std::size_t>(body)] == 0) return true;
  }
  return false;
}

bool has_vertex_of_few_dofs(const sinew::Model& m, std::size_t f) {
  const int first = m.flex_vertadr[f];
  for (int v = first; v < first + m.flex_vertnum[f]; ++v) {
    const int body = m.flex_vertbodyid[static_cast<std::size_t>(v)];
    const int dofs = body >= 0 ? m.body_dofnum[static_cast<std::size_t>(body)] : 0;
    if (dofs == 1 || dofs == 2) return true;
  }
  return false;
}

/// Whether the Jacobian of the edges is used, and one of them is between vertices of the same body, which moves.
bool measures_rigid_edges(const sinew::Model& m, std::size_t f) {
  if (m.flex_interp[f] != 0) return false;
  if (m.flex_edgeequality[f] == 0 && m.flex_edgestiffness[f] == 0 && m.flex_edgedamping[f] == 0 &&
      m.flex_damping[f] == 0)
    return false;
  const int first = m.flex_edgeadr[f];
  for (int e = first; e < first + m.flex_edgenum[f]; ++e) {
    const int vertex = m.flex_vertadr[f] + m.flex_edge[static_cast<std::size_t>(2 * e)];
    const int body = m.flex_vertbodyid[static_cast<std::size_t>(vertex)];
    if (m.flexedge_rigid[static_cast<std::size_t>(e)] && m.body_weldid[static_cast<std::size_t>(body)] != 0)
      return true;
  }
  return false;
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
  const std::string text = to_text(world.root);
  const auto has = [&](const char* what) { return text.find(what) != std::string::npos; };
  if (m.nflex > 0 && (has("mujoco.sensor.touch_grid") || has("<tactile")))
    return "deliberate: its touch_grid and tactile read outside of the geoms at contacts of flexes";
  if (has("actuatorgroupdisable") && has("mujoco.pid")) return "deliberate: disabled actuators of plugins act";
  if (m.nflex > 0 && has("midphase=\"disable\"") && has("type=\"sdf\""))
    return "deliberate: without midphase it has no boxes of triangles for signed distance fields";
  if (has("mujoco.pid") && m.nu + m.nout > 2 * m.nactuator)
    return "deliberate: its pid looks inputs up by the index of the actuator";
  for (std::size_t f = 0; f < static_cast<std::size_t>(m.nflex); ++f) {
    if (m.flex_edgeequality[f] == 2 && m.flex_dim[f] == 2 && has_static_vertex(m, f))
      return "deliberate: its flexvert gives vertices of static bodies no inverse weight";
    if (m.opt.solver == static_cast<int>(sinew::SolverKind::CG) && has_vertex_of_few_dofs(m, f))
      return "deliberate: its implicit elasticity reads the velocities of the next bodies";
    if (measures_rigid_edges(m, f)) return "deliberate: it writes the Jacobian of a rigid edge outside of its row";
  }
  for (const Element& section : world.root.children) {
    const std::string* fuse = section.name == "compiler" ? section.find("fusestatic") : nullptr;
    if (fuse != nullptr && *fuse == "true") return "deliberate: it looks names up by ids from before fusing";
  }
  return nullptr;
}

/// A pair of geoms of one body has rows that name each of its dofs twice in the peer's sparse Jacobian.
bool overflows_rows(const sinew::Model& m) {
  const bool sparse = m.opt.jacobian == mjJAC_SPARSE || (m.opt.jacobian == mjJAC_AUTO && m.nv >= 60);
  for (std::size_t i = 0; sparse && i < static_cast<std::size_t>(m.npair); ++i) {
    const auto body = [&](int geom) { return m.geom_bodyid[static_cast<std::size_t>(geom)]; };
    if (body(m.pair_geom1[i]) == body(m.pair_geom2[i])) return true;
  }
  return false;
}

bool has_lost_cursor(const sinew::Model& m, const Input& in) {
  const auto lost = [&](int buffer) {
    return buffer >= 0 && !std::isfinite(in.history[static_cast<std::size_t>(buffer) + 1]);
  };
  return std::any_of(m.actuator_historyadr.begin(), m.actuator_historyadr.end(), lost) ||
         std::any_of(m.sensor_historyadr.begin(), m.sensor_historyadr.end(), lost);
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

void remove_mocap(Element& element) {
  std::erase_if(element.attributes, [](const auto& attribute) { return attribute.first == "mocap"; });
  for (Element& child : element.children) remove_mocap(child);
}

/// Whether trees with sleep="init" can sleep the peer judges with all mocap bodies at the origin. Without the attribute
/// they stay where they are, and the peer says what sinew said.
bool judges_sleep_at_the_origin(const World& world, bool accepted, Note note) {
  Element root = world.root;
  remove_mocap(root);
  const std::string text = to_text(root);
  if (text == to_text(world.root) || text.find("sleep=\"init\"") == std::string::npos) return false;
  std::string why;
  const bool theirs = load_peer(text, why) != nullptr;
  if (theirs != accepted || (!theirs && why.find("sleep='init'") == std::string::npos)) return false;
  note("deliberate: trees that sleep at the start it judges with mocap bodies at the origin");
  return true;
}

std::vector<Failure> check_peer(const World& world, Note note) {
  std::vector<Failure> failures;
  const std::string text = to_text(world.root);
  mju_user_error = peer_error;
  mju_user_warning = peer_warning;
  note("load");
  const auto ours = sinew::load_string(text);
  if (ours && overflows_rows(*ours)) {
    note("deliberate: in its sparse Jacobian a body that touches itself by a pair overwrites memory");
    return failures;
  }
  note("peer load");
  std::string why;
  peer_is_unstable = false;
  const PeerModel theirs = load_peer(text, why);
  note("compare");
  if (static_cast<bool>(ours) != (theirs != nullptr)) {
    const std::string our_reason = ours ? "" : ours.error().text();
    const bool fused = ours && deliberate_difference(*ours, world) != nullptr;
    if (judges_sleep_at_the_origin(world, static_cast<bool>(ours), note)) return failures;
    const bool misread = ours && why.find("engthrange") != std::string::npos && misreads_length_ranges(*ours);
    if (misread) note(kMisreadLengthRanges);
    if (theirs != nullptr && peer_is_unstable && our_reason.find("to its limits diverges") != std::string::npos) {
      note("deliberate: it resets the simulation of a length range that diverges and goes on");
      return failures;
    }
    if (!ours || (!is_deliberate(why) && !fused && !misread)) {
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
  if (Broken broken = compare_models(*ours, *theirs, note)) {
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
  if (!is_finite && has_lost_cursor(*ours, in)) {
    note("deliberate: it reads outside of a delay buffer whose cursor is not finite");
    return failures;
  }
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
    if (is_stiff(*theirs, *data)) {
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
      if (broken = explain(*broken, *ours, mine, peer, in, note)) {
        broken->numbers += " at step " + std::to_string(i);
        failures.push_back(*broken);
      }
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
  for (const char* library : {"actuator", "elasticity", "sdf_plugin", "sensor"}) {
    const std::string path = std::string(SINEW_PEER_LIBRARIES "/lib") + library + ".so";
    mj_loadPluginLibrary(path.c_str());
  }
  return random_worlds::drive({"random_peer", random_worlds::check_peer, nullptr}, argc, argv);
}
