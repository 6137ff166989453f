#include "random/laws.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "random/rng.h"
#include "random/start.h"
#include "sinew/analytic.h"
#include "sinew/batch.h"
#include "sinew/derivatives.h"
#include "sinew/error.h"
#include "sinew/load.h"
#include "sinew/model_file.h"
#include "sinew/query.h"
#include "sinew/state.h"
#include "sinew/step.h"
#include "sinew/support.h"
#include "sinew/transition.h"
#include "sinew/write.h"

namespace random_worlds {
namespace {

using sinew::Data;
using sinew::Model;

std::string text_of(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

bool finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

/// What a run leaves behind, by name, for comparing bits.
struct Trace {
  struct Part {
    const char* name;
    std::vector<double> values;
  };
  std::vector<Part> parts;

  void take(const Data& d) {
    add("time", std::span(&d.time, 1));
    add("qpos", d.qpos);
    add("qvel", d.qvel);
    add("act", d.act);
    add("history", d.history);
    add("qacc_warmstart", d.qacc_warmstart);
    add("qacc", d.qacc);
    add("actuator_force", d.actuator_force);
    add("sensordata", d.sensordata);
    add("qfrc_constraint", d.qfrc_constraint);
    const double counts[] = {static_cast<double>(d.ncon), static_cast<double>(d.nefc)};
    add("counts", counts);
  }
  void add(const char* name, std::span<const double> values) {
    parts.push_back({name, std::vector<double>(values.begin(), values.end())});
  }
  std::uint64_t hash() const {
    std::uint64_t h = 1;
    for (const Part& part : parts) {
      for (const double x : part.values) {
        // a NaN has many forms, of which no law says anything
        const std::uint64_t bits = std::isnan(x) ? 1 : std::bit_cast<std::uint64_t>(x);
        h = (h ^ bits) * 0x100000001b3ULL;
        h ^= h >> 29;
      }
    }
    return h;
  }
};

bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

Broken differs(const char* law, const Trace& a, const Trace& b) {
  if (a.parts.size() != b.parts.size()) return Failure{law, "steps", ""};
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    const auto& x = a.parts[i];
    const auto& y = b.parts[i];
    if (x.values.size() != y.values.size()) return Failure{law, std::string(x.name) + " size", ""};
    for (std::size_t k = 0; k < x.values.size(); ++k) {
      if (!same_bits(x.values[k], y.values[k])) {
        return Failure{law, x.name,
                       "[" + std::to_string(k) + "] " + text_of(x.values[k]) + " and " + text_of(y.values[k])};
      }
    }
  }
  return {};
}

/// max |a - b| over max(1, max |b|).
double error(std::span<const double> a, std::span<const double> b) {
  double scale = 1, worst = 0;
  for (const double x : b) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) != std::isnan(b[i])) return HUGE_VAL;
    worst = std::max(worst, std::abs(a[i] - b[i]));
  }
  return worst / scale;
}

int bad_numbers(const Data& d) {
  int n = 0;
  for (const auto w : {sinew::Warning::BadQpos, sinew::Warning::BadQvel, sinew::Warning::BadQacc,
                       sinew::Warning::BadCtrl, sinew::Warning::Inertia}) {
    n += d.warning[static_cast<std::size_t>(w)].number;
  }
  return n;
}

/// What the last step or forward pass cost, about in products of the solver: a number that every build computes alike.
double work(const Model& model, const Data& data) {
  const double iterations = 1 + *std::max_element(data.solver_niter.begin(), data.solver_niter.end());
  const double size = static_cast<double>(data.nefc) + static_cast<double>(model.nv);
  const bool rk4 = model.opt.integrator == static_cast<int>(sinew::Integrator::RK4);
  return (rk4 ? 4 : 1) * iterations * size * size;
}

/// Few worlds with many rows would take most of the time of all: a run ends early and a law of many steps is left out
/// where they cost more than this.
constexpr double kMostWork = 5e5;

/// Steps until the world's number of steps or kMostWork is reached; `after(is_last)` is called after each.
template <class After>
void run_steps(const World& world, const Model& model, Data& data, After&& after) {
  double done = 0;
  for (int i = 0; i < world.steps() && done < kMostWork; ++i) {
    sinew::step(model, data);
    done += work(model, data);
    if (!after(i + 1 == world.steps() || done >= kMostWork)) return;
  }
}

void run(const World& world, const Model& model, Data& data, Trace& trace) {
  start(world, model, data);
  sinew::forward(model, data);
  trace.take(data);
  int steps = 0;
  run_steps(world, model, data, [&](bool is_last) {
    if (++steps <= 3 || is_last) trace.take(data);
    return true;
  });
}

/// A step looks at what it is given and at its own acceleration. What the later stages of RK4 or the integration itself
/// make of them is looked at by the next step, as in MuJoCo.
Broken finite_or_warned(const World& world, const Model& model) {
  if ((world.start & kNotFinite) != 0) return {};
  Data data(model);
  start(world, model, data);
  const char* broken = nullptr;
  run_steps(world, model, data, [&](bool) {
    if (bad_numbers(data) != 0) return false;
    if (!finite(data.act)) broken = "act";
    if (!finite(data.qvel)) broken = "qvel";
    if (!finite(data.qpos)) broken = "qpos";
    return broken == nullptr;
  });
  if (broken == nullptr) return {};
  sinew::step(model, data);
  if (bad_numbers(data) != 0) return {};
  return Failure{"finite input gives finite output or a warning by the next step", broken, ""};
}

Broken saved_and_restored(const World& world, const Model& model) {
  constexpr const char* kLaw = "saved and restored";
  if (model.opt.enabled(sinew::kEnableSleep)) return {};  // who sleeps is no part of the state
  Data data(model);
  start(world, model, data);
  sinew::step(model, data);
  if (3 * work(model, data) > kMostWork) return {};
  std::vector<double> state(static_cast<std::size_t>(sinew::state_size(model, sinew::kStateIntegration)));
  sinew::get_state(model, data, state, sinew::kStateIntegration);
  Data other(model);
  sinew::reset(model, other);
  sinew::set_state(model, other, state, sinew::kStateIntegration);
  Data copy(data);
  Trace a, b, c;
  sinew::step(model, data);
  sinew::step(model, other);
  sinew::step(model, copy);
  a.take(data);
  b.take(other);
  c.take(copy);
  if (Broken broken = differs("copied", a, c)) return broken;
  return differs(kLaw, a, b);
}

Broken repeated(const World& world, const Model& model) {
  Data data(model);
  Trace a, b;
  run(world, model, data, a);
  run(world, model, data, b);  // in memory that holds the end of the first run
  return differs("a second run in the same memory", a, b);
}

Broken halves(const World& world, const Model& model) {
  if (model.opt.integrator == static_cast<int>(sinew::Integrator::RK4)) return {};
  Data whole(model), half(model);
  start(world, model, whole);
  start(world, model, half);
  sinew::step(model, whole);
  sinew::step1(model, half);
  sinew::step2(model, half);
  Trace a, b;
  a.take(whole);
  b.take(half);
  return differs("two halves make a step", a, b);
}

/// Laws that take long are checked with some of the seeds, and with every world of a file.
bool is_turn(const World& world, unsigned of, unsigned turn) { return world.is_of_file || world.seed % of == turn; }

Broken files(const World& world, const Model& model, const sinew::Spec& spec) {
  const auto bytes = sinew::save_model(model);
  const auto loaded = sinew::load_model(bytes);
  if (!loaded) return Failure{"a saved model loads", "refused", loaded.error().text()};
  if (sinew::save_model(*loaded) != bytes) return Failure{"a saved model loads", "other bytes", ""};
  if (!is_turn(world, model.noct > 0 ? 16 : 2, 0)) return {};  // octrees take most of the time of loading
  const auto text = sinew::write_mjcf(spec);
  if (!text) return Failure{"a written model reads", "not written", text.error().text()};
  const auto again = sinew::load_string(*text);
  if (!again) return Failure{"a written model reads", "refused", again.error().text()};
  if (sinew::save_model(*again) == bytes) return {};
  // the instance of a macro is written as a declared one, and those are counted before the elements' own
  const std::string source = to_text(world.root);
  const auto uses = [&](const char* what) { return source.find(what) != std::string::npos; };
  if (uses("<composite") && (uses("mujoco.pid") || uses("mujoco.sensor.touch_grid"))) return {};
  std::string field = "bytes";
  std::vector<std::string> names;
  model.for_each_field([&](std::string_view name, const auto&, std::int64_t, std::int64_t, std::string_view) {
    names.emplace_back(name);
  });
#define SINEW_FIELD(type, name, rows, cols, doc)                                                         \
  if (field == "bytes" && (model.name.size() != again->name.size() ||                                    \
                           (!model.name.empty() && std::memcmp(model.name.data(), again->name.data(),    \
                                                               model.name.size() * sizeof(type)) != 0))) \
    field = #name;
#include "sinew/model_fields.def"
#undef SINEW_FIELD
  return Failure{"a written model reads", field, ""};
}

Broken batches(const World& world, const Model& model) {
  if ((world.start & kLong) != 0 || model.nv > 60) return {};
  constexpr int kWorlds = 3;
  Data single(model);
  start(world, model, single);
  sinew::step(model, single);
  if (3 * kWorlds * work(model, single) > kMostWork) return {};
  Trace expected;
  const auto take = [&](Trace& trace, std::span<const double> qpos, std::span<const double> qvel,
                        std::span<const double> qacc, std::span<const double> sensordata) {
    trace.add("qpos", qpos);
    trace.add("qvel", qvel);
    trace.add("qacc", qacc);
    trace.add("sensordata", sensordata);
  };
  take(expected, single.qpos, single.qvel, single.qacc, single.sensordata);
  for (const int threads : {1, 2, 8}) {
    sinew::BatchOptions options;
    options.threads = threads;
    sinew::Batch batch(model, kWorlds, options);
    Data first(model);
    start(world, model, first);
    std::vector<double> state(static_cast<std::size_t>(sinew::state_size(model, sinew::kStateIntegration)));
    sinew::get_state(model, first, state, sinew::kStateIntegration);
    batch.reset_to_state(state, sinew::kStateIntegration);
    batch.step();
    for (int w = 0; w < kWorlds; ++w) {
      const auto row = [&](std::span<double> all, std::int64_t n) {
        return all.subspan(static_cast<std::size_t>(w * n), static_cast<std::size_t>(n));
      };
      Trace got;
      take(got, row(batch.qpos, model.nq), row(batch.qvel, model.nv), row(batch.qacc, model.nv),
           row(batch.sensordata, model.nsensordata));
      if (Broken broken = differs("batch and single", expected, got)) return broken;
    }
  }
  return {};
}

/// Why rounding moves the minimum that the solver looks for by more than is compared; null where it does not.
const char* ill_conditioned(const Model& m, const Data& d) {
  constexpr double kMost = 1e10;
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.nv); ++i) {
    const double diagonal = d.M[static_cast<std::size_t>(m.M_rowadr[i] + m.M_rownnz[i] - 1)];
    if (!(d.qLDiagInv[i] >= 0 && d.qLDiagInv[i] * diagonal < kMost)) return "inertia is singular";
  }
  std::vector<double> row(static_cast<std::size_t>(m.nv)), solved(row.size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(d.nefc); ++i) {
    if (std::isnan(d.efc_D[i])) return "inertia is singular in the reference pose";
    std::fill(row.begin(), row.end(), 0.0);
    const auto begin = static_cast<std::size_t>(d.efc_J_rowadr[i]);
    const auto end = begin + static_cast<std::size_t>(d.efc_J_rownnz[i]);
    for (std::size_t k = begin; k < end; ++k) row[static_cast<std::size_t>(d.efc_J_colind[k])] = d.efc_J[k];
    if (begin != end) sinew::solve_m(m, d, solved.data(), row.data());
    double inverse_inertia = 0;  // J M⁻¹ Jᵀ
    for (std::size_t k = 0; k < row.size() && begin != end; ++k) inverse_inertia += row[k] * solved[k];
    if (!(d.efc_D[i] * inverse_inertia < kMost)) return "a row is stiffer than its inertia";
  }
  return nullptr;
}

/// A contact that no dof moves has rows only where the Jacobian is dense, and adhesion shares its force among the
/// contacts that have rows, as in MuJoCo.
bool shares_adhesion_otherwise(const Model& m, const Data& a, const Data& b) {
  return a.nefc != b.nefc && std::any_of(m.actuator_trntype.begin(), m.actuator_trntype.end(),
                                         [](int type) { return type == static_cast<int>(sinew::TrnType::Body); });
}

/// The same with another setting of the solver: the minimum that it looks for is the same.
Broken other_setting(const World& world, const Model& model, const char* law, void (*change)(Model&), Note note) {
  if ((world.start & (kExtreme | kLong)) != 0) return {};
  if (model.opt.solver != static_cast<int>(sinew::SolverKind::Newton)) return {};
  if (model.opt.noslip_iterations > 0) return {};
  Model base = model;
  base.opt.iterations = 200;
  base.opt.ls_iterations = 200;
  base.opt.tolerance = 1e-14;
  base.opt.enableflags &= ~sinew::kEnableSleep;
  Model other = base;
  change(other);
  Data a(base), b(other);
  start(world, base, a);
  start(world, other, b);
  sinew::forward(base, a);
  sinew::forward(other, b);
  const double difference = error(a.qacc, b.qacc);
  if (difference <= 1e-6) return {};
  const char* reason = ill_conditioned(base, a);
  if (reason == nullptr && shares_adhesion_otherwise(base, a, b)) reason = "adhesion is shared otherwise";
  if (reason == nullptr) return Failure{law, "qacc", text_of(difference)};
  note(reason);
  return {};
}

/// The inverse of a forward pass is what was applied, but for the slope at which the solver stopped:
/// qfrc_inverse = applied + (M qacc - qfrc_smooth - qfrc_constraint), plus K qacc - c of implicit flexes.
Broken forward_and_inverse(const World& world, const Model& model) {
  constexpr const char* kLaw = "forward and inverse agree";
  if ((world.start & (kExtreme | kLong)) != 0) return {};
  // the forces of PGS and of the noslip pass are not those that follow from the acceleration
  if (model.opt.solver == static_cast<int>(sinew::SolverKind::PGS) || model.opt.noslip_iterations > 0) return {};
  Model m = model;
  m.opt.enableflags &= ~(sinew::kEnableSleep | sinew::kEnableInvdiscrete);
  Data d(m);
  start(world, m, d);
  sinew::forward(m, d);
  // without iterations the acceleration is finite even where the forces of a singular inertia are not
  if (!finite(d.qacc) || !finite(d.qfrc_constraint)) return {};
  std::vector<double> applied(d.qfrc_applied.begin(), d.qfrc_applied.end());
  for (int b = 1; b < m.nbody; ++b) {
    const double* f = d.xfrc_applied.data() + 6 * b;
    sinew::apply_ft(m, d, f, f + 3, d.xipos.data() + 3 * b, b, applied.data());
  }
  std::vector<double> momentum(applied.size());
  if (m.nv > 0) sinew::mul_m(m, d, momentum.data(), d.qacc.data());
  for (std::size_t i = 0; i < momentum.size() && d.efm_active; ++i) {
    const auto first = static_cast<std::size_t>(d.efm_K_rowadr[i]);
    for (std::size_t k = first; k < first + static_cast<std::size_t>(d.efm_K_rownnz[i]); ++k)
      momentum[i] += d.efm_K_val[k] * d.qacc[static_cast<std::size_t>(d.efm_K_colind[k])];
    momentum[i] -= d.efm_c[i];
  }
  double scale = 1;
  for (std::size_t i = 0; i < applied.size(); ++i) {
    applied[i] += d.qfrc_actuator[i] + momentum[i] - d.qfrc_smooth[i] - d.qfrc_constraint[i];
    for (const double x : {momentum[i], d.qfrc_smooth[i], d.qfrc_constraint[i]}) scale = std::max(scale, std::abs(x));
  }
  // a force is D times a difference of accelerations, which the solver carries along from where it starts
  double rounding = 0;
  for (int i = 0; i < d.nefc; ++i) {
    const auto row = static_cast<std::size_t>(i);
    scale = std::max(scale, std::abs(d.efc_force[row]));
    double acceleration = std::abs(d.efc_aref[row]);
    for (int k = 0; k < d.efc_J_rownnz[row]; ++k) {
      const auto at = static_cast<std::size_t>(d.efc_J_rowadr[row] + k);
      const auto dof = static_cast<std::size_t>(d.efc_J_colind[at]);
      acceleration += std::abs(d.efc_J[at]) * std::max(std::abs(d.qacc[dof]), std::abs(d.qacc_smooth[dof]));
    }
    rounding += 1e-14 * d.efc_D[row] * acceleration;
  }
  sinew::inverse(m, d);
  double worst = 0;
  for (std::size_t i = 0; i < applied.size(); ++i) worst = std::max(worst, std::abs(d.qfrc_inverse[i] - applied[i]));
  if (!(worst <= 1e-8 * scale + rounding)) return Failure{kLaw, "qfrc_inverse", text_of(worst / scale)};
  return {};
}

Broken derivatives(const World& world, const Model& model) {
  if (model.nv > 20 || model.nhistory > 0) return {};
  Data data(model);
  start(world, model, data);
  sinew::forward(model, data);
  const double columns = static_cast<double>(2 * model.nv + model.na + model.nu);
  if (columns * work(model, data) > kMostWork) return {};
  sinew::TransitionOptions options;
  options.sensors = true;
  sinew::Transition one, two, best;
  sinew::transition_fd(model, data, options, one);
  options.threads = 2;
  sinew::transition_fd(model, data, options, two);
  Trace a, b;
  for (auto [t, trace] : {std::pair{&one, &a}, std::pair{&two, &b}}) {
    trace->add("A", t->A);
    trace->add("B", t->B);
    trace->add("C", t->C);
    trace->add("D", t->D);
  }
  if (Broken broken = differs("threads of transition_fd", a, b)) return broken;
  options.threads = 1;
  sinew::SwitchReport report;
  sinew::transition(model, data, options, best, report);
  if (model.opt.integrator != static_cast<int>(sinew::Integrator::RK4) ||
      !model.opt.enabled(sinew::kEnableInvdiscrete)) {
    sinew::InverseOptions inverse;
    inverse.sensors = true;
    inverse.inertia = true;
    sinew::InverseDerivative d1, d2;
    sinew::inverse_fd(model, data, inverse, d1);
    try {
      sinew::inverse_analytic(model, data, inverse, d2);
    } catch (const sinew::Exception&) {  // says which models it does not know
    }
  }
  std::vector<double> dense;
  sinew::smooth_vel_exact(model, data, dense);
  return {};
}

/// The matrix of an implicit integrator has the slope of a muscle's force-velocity curve, whose own slope jumps between
/// the pieces of the curve; the report does not name this.
bool has_unnamed_kinks(const Model& m) {
  const auto integrator = static_cast<sinew::Integrator>(m.opt.integrator);
  if (integrator != sinew::Integrator::Implicit && integrator != sinew::Integrator::ImplicitFast) return false;
  return std::any_of(m.actuator_gaintype.begin(), m.actuator_gaintype.end(),
                     [](int type) { return type == static_cast<int>(sinew::GainType::Muscle); });
}

/// Exact derivatives are those of differences, where no switch is near and differences with two perturbations agree.
Broken exact_derivatives(const World& world, const Model& model) {
  if (model.opt.solver != static_cast<int>(sinew::SolverKind::Newton)) return {};  // the others do not converge
  if (has_unnamed_kinks(model)) return {};
  if (model.nv > 12 || model.nv == 0 || model.nhistory > 0 || (world.start & (kExtreme | kLong)) != 0) return {};
  Model m = model;
  m.opt.tolerance = 0;
  m.opt.iterations = 200;
  m.opt.ls_iterations = 200;
  // the exact derivative of a curved contact is that of the nearest points, which a step finds to this tolerance
  m.opt.ccd_iterations = 200;
  m.opt.ccd_tolerance = 1e-12;
  Data data(m);
  start(world, m, data);
  for (std::size_t k = 0; k < data.ctrl.size(); ++k) {  // outside of their ranges differences have zero columns
    if (m.actuator_ctrllimited[k] != 0)
      data.ctrl[k] = std::clamp(data.ctrl[k], m.actuator_ctrlrange[2 * k], m.actuator_ctrlrange[2 * k + 1]);
  }
  sinew::forward(m, data);
  if (!finite(data.qacc) || !sinew::analytic_refusal(m, data).empty()) return {};
  for (const double a : data.qacc) {
    if (std::abs(a) > 1e5) return {};
  }
  const double columns = static_cast<double>(2 * m.nv + m.na + m.nu);
  if (columns * work(m, data) > 6 * kMostWork) return {};
  sinew::TransitionOptions options;
  options.eps = 1e-4;  // the report has to name what the coarse differences meet
  sinew::Transition exact, fine, coarse;
  sinew::SwitchReport report;
  sinew::transition_analytic(m, data, options, exact, report);
  if (report.at_switch() || report.reach < 1e-3) return {};
  options.eps = 1e-5;
  sinew::transition_fd(m, data, options, fine);
  options.eps = 1e-4;
  sinew::transition_fd(m, data, options, coarse);
  const double noise = sinew::transition_error(fine, coarse).worst();
  const double worst = sinew::transition_error(exact, fine).worst();
  if (noise < 1e-4 && worst > std::max(1e-3, 100 * noise)) {
    return Failure{"exact derivatives are those of differences", "A or B", text_of(worst)};
  }
  return {};
}

/// No law but that they end well.
void questions(const World& world, const Model& model) {
  Data d(model);
  start(world, model, d);
  sinew::forward(model, d);
  Rng r(mix(world.seed, "questions"));
  for (int i = 0; i < 4 && model.ngeom > 0; ++i) {
    const double from[3] = {r.in(-1, 1), r.in(-1, 1), r.in(-1, 1)}, along[3] = {r.in(-1, 1), r.in(-1, 1), r.in(-1, 1)};
    sinew::ray(model, d, from, along);
    const int n = static_cast<int>(model.ngeom), g1 = r.below(n), g2 = r.below(n);
    if (sinew::max_contacts(model, g1, g2) > 0) sinew::geom_distance(model, d, g1, g2, r.in(0, 1));
  }
  for (int c = 0; c < d.ncon; ++c) sinew::contact_force(model, d, c);
  sinew::body_forces(model, d);
  std::vector<double> jacobian(static_cast<std::size_t>(3 * model.nv));
  for (int b = 0; b < model.nbody; ++b) {
    sinew::jac_body(model, d, jacobian.data(), nullptr, b);
    sinew::jac_subtree_com(model, d, jacobian.data(), b);
  }
  sinew::inverse(model, d);
}

/// A step follows any edit of the model or says what is wrong with it; then the world stays as it was.
Broken edited(const World& world, const Model& model) {
  if ((world.start & kEdit) == 0) return {};
  Model changed = model;
  Data data(changed);
  start(world, changed, data);
  for (int round = 0; round < 4; ++round) {
    const Model before = changed;
    const std::vector<double> qpos(data.qpos.begin(), data.qpos.end());
    edit(world, round, changed);
    const sinew::Status status = sinew::step(changed, data);
    if (status) continue;
    if (status.text().empty()) return Failure{"a refused edit is explained", "no text", ""};
    if (std::memcmp(qpos.data(), data.qpos.data(), qpos.size() * sizeof(double)) != 0)
      return Failure{"a refused step leaves the world alone", std::string(status.text()), ""};
    changed = before;
  }
  return {};
}

}  // namespace

std::vector<Failure> check_laws(const World& world, Note note) {
  std::vector<Failure> failures;
  const std::string text = to_text(world.root);
  note("load");
  const auto spec = sinew::read_mjcf_string(text);
  if (!spec) return failures;
  const auto model = sinew::compile(*spec);
  if (!model) {
    note("refused");
    return failures;
  }
  const auto law = [&](const char* name, auto&& check) {
    note(name);
    try {
      if (Broken broken = check()) failures.push_back(*broken);
    } catch (const std::exception& e) {
      failures.push_back({"no exception", name, e.what()});
    }
  };
  const Model& m = *model;
  law("validate", [&]() -> Broken {
    const auto valid = sinew::validate(m);
    if (!valid) return Failure{"a compiled model is valid", valid.error().first().message, ""};
    return {};
  });
  law("finite", [&] { return finite_or_warned(world, m); });
  law("repeat", [&] { return repeated(world, m); });
  law("save", [&] { return saved_and_restored(world, m); });
  law("halves", [&] { return halves(world, m); });
  law("inverse", [&] { return forward_and_inverse(world, m); });
  law("islands", [&] {
    return other_setting(
        world, m, "islands on and off agree", [](Model& o) { o.opt.disableflags ^= sinew::kDisableIsland; }, note);
  });
  law("sparsity", [&] {
    return other_setting(
        world, m, "sparse and dense agree", [](Model& o) { o.opt.jacobian = o.opt.jacobian == 0 ? 1 : 0; }, note);
  });
  law("questions", [&]() -> Broken {
    questions(world, m);
    return {};
  });
  law("files", [&] { return files(world, m, *spec); });
  if (is_turn(world, 4, 0)) law("batch", [&] { return batches(world, m); });
  if (is_turn(world, 4, 1)) law("derivatives", [&] { return derivatives(world, m); });
  if (is_turn(world, 8, 2)) law("exact derivatives", [&] { return exact_derivatives(world, m); });
  law("edit", [&] { return edited(world, m); });
  note("done");
  return failures;
}

std::uint64_t run_hash(const World& world) {
  const auto model = sinew::load_string(to_text(world.root));
  if (!model) return 0;
  Data data(*model);
  Trace trace;
  run(world, *model, data, trace);
  return trace.hash();
}

}  // namespace random_worlds
