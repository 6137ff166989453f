#include "sim/ready.h"

#include <string>
#include <utility>

#include "base/limits.h"
#include "dynamics/flex_metric.h"
#include "sim/unchecked.h"
#include "sinew/error.h"
#include "sinew/step.h"

namespace sinew {
namespace {

/// Ranges of the options that select a function or a memory size.
struct OptionRange {
  int Option::*value;
  int end;
  const char* problem;
};
constexpr OptionRange kRanges[] = {
    {&Option::integrator, 4, "opt.integrator: unknown integrator"},
    {&Option::cone, 2, "opt.cone: unknown friction cone"},
    {&Option::jacobian, 3, "opt.jacobian: unknown kind of Jacobian"},
    {&Option::solver, 3, "opt.solver: unknown solver"},
};

}  // namespace

Status options_exist(const Option& opt) {
  for (const OptionRange& range : kRanges)
    if (static_cast<unsigned>(opt.*range.value) >= static_cast<unsigned>(range.end)) return Status(range.problem);
  if (opt.sdf_initpoints > limits::kSdfPoints) return Status("opt.sdf_initpoints is more than 2^16");
  return {};
}

namespace {

bool has_passive_contacts(const Model& m) {
  for (int f = 0; f < m.nflex; ++f)
    if (m.flex_passive[f] && !m.flex_rigid[f]) return true;
  return false;
}

/// Runs `work` if the model may be simulated.
template <class Work>
Status checked(const Model& m, Data& d, Work&& work) {
  const Status status = ready(m, d);
  if (status) work();
  return status;
}

/// The same, refreshing the model first if it was edited.
template <class Work>
Status refreshed(Model& m, Work&& work) {
  const Status status = refresh(m);
  return status ? work(std::as_const(m)) : status;
}

}  // namespace

Status ready(const Model& m, const Data& d) {
  if (!m.is_fresh()) return Status("the model was edited since it was last checked: call refresh(model) first");
  if (m.layout() != d.layout()) return Status("the Data was made for a model of other sizes");
  if (const Status status = options_exist(m.opt); !status) return status;
  if (m.nflex > 0 && has_passive_contacts(m) && !uses_flex_metric(m))
    return Status("passive contacts of a flex need solver CG, an implicit integrator, pyramidal cones and no sleeping");
  return {};
}

void require_ready(const Model& m, const Data& d) {
  if (const Status status = ready(m, d); !status) throw Exception(Error::message(std::string(status.text())));
}

Status reset(const Model& m, Data& d) {
  return checked(m, d, [&] { unchecked::reset(m, d); });
}
Status reset_to_keyframe(const Model& m, Data& d, int key) {
  return checked(m, d, [&] { unchecked::reset_to_keyframe(m, d, key); });
}
Status step(const Model& m, Data& d) {
  return checked(m, d, [&] { unchecked::step(m, d); });
}
Status begin_step(const Model& m, Data& d) {
  return checked(m, d, [&] { unchecked::begin_step(m, d); });
}
Status finish_step(const Model& m, Data& d) {
  return checked(m, d, [&] { unchecked::finish_step(m, d); });
}
Status step1(const Model& m, Data& d) {
  return checked(m, d, [&] { unchecked::step1(m, d); });
}
Status step2(const Model& m, Data& d) {
  return checked(m, d, [&] { unchecked::step2(m, d); });
}
Status forward_skip(const Model& m, Data& d, Stage skip, bool skip_sensors) {
  return checked(m, d, [&] { unchecked::forward_skip(m, d, skip, skip_sensors); });
}
Status inverse_skip(const Model& m, Data& d, Stage skip, bool skip_sensors) {
  return checked(m, d, [&] { unchecked::inverse_skip(m, d, skip, skip_sensors); });
}
Status forward(const Model& m, Data& d) { return forward_skip(m, d, Stage::None, false); }
Status inverse(const Model& m, Data& d) { return inverse_skip(m, d, Stage::None, false); }

Status reset(Model& m, Data& d) {
  return refreshed(m, [&](const Model& fresh) { return reset(fresh, d); });
}
Status reset_to_keyframe(Model& m, Data& d, int key) {
  return refreshed(m, [&](const Model& fresh) { return reset_to_keyframe(fresh, d, key); });
}
Status step(Model& m, Data& d) {
  return refreshed(m, [&](const Model& fresh) { return step(fresh, d); });
}
Status begin_step(Model& m, Data& d) {
  return refreshed(m, [&](const Model& fresh) { return begin_step(fresh, d); });
}
Status finish_step(Model& m, Data& d) {
  return refreshed(m, [&](const Model& fresh) { return finish_step(fresh, d); });
}
Status step1(Model& m, Data& d) {
  return refreshed(m, [&](const Model& fresh) { return step1(fresh, d); });
}
Status step2(Model& m, Data& d) {
  return refreshed(m, [&](const Model& fresh) { return step2(fresh, d); });
}
Status forward_skip(Model& m, Data& d, Stage skip, bool skip_sensors) {
  return refreshed(m, [&](const Model& fresh) { return forward_skip(fresh, d, skip, skip_sensors); });
}
Status inverse_skip(Model& m, Data& d, Stage skip, bool skip_sensors) {
  return refreshed(m, [&](const Model& fresh) { return inverse_skip(fresh, d, skip, skip_sensors); });
}
Status forward(Model& m, Data& d) { return forward_skip(m, d, Stage::None, false); }
Status inverse(Model& m, Data& d) { return inverse_skip(m, d, Stage::None, false); }

}  // namespace sinew
