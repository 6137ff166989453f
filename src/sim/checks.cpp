#include "sim/checks.h"

#include <algorithm>
#include <span>

#include "sim/unchecked.h"

namespace sinew {
namespace {

bool is_bad(double x) { return !(x <= kMaxVal && x >= -kMaxVal); }

void count(Data& d, Warning kind, int index) {
  WarningStat& stat = d.warning[static_cast<std::size_t>(kind)];
  ++stat.number;
  stat.lastinfo = index;
}

/// Handles the first bad number of `values`; true if the world was reset.
bool handle_bad(const Model& m, Data& d, std::span<const double> values, Warning kind) {
  const auto bad = std::ranges::find_if(values, is_bad);
  if (bad == values.end()) return false;
  const int index = static_cast<int>(bad - values.begin());
  const bool autoreset = !m.opt.disabled(kDisableAutoreset);
  count(d, kind, index);
  if (autoreset) unchecked::reset(m, d);
  // again, because a reset clears the counts; without a reset MuJoCo counts each event twice, and so do we
  count(d, kind, index);
  return autoreset;
}

}  // namespace

void check_positions(const Model& m, Data& d) { handle_bad(m, d, d.qpos, Warning::BadQpos); }

void check_velocities(const Model& m, Data& d) { handle_bad(m, d, d.qvel, Warning::BadQvel); }

void check_accelerations(const Model& m, Data& d) {
  if (handle_bad(m, d, d.qacc, Warning::BadQacc)) unchecked::forward(m, d);
}

}  // namespace sinew
