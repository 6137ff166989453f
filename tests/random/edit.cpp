#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "random/rng.h"
#include "random/start.h"
#include "sinew/model.h"

// All random edits of a Model.

namespace random_worlds {
namespace {

template <class T>
T other_value(Rng& r, T old) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    switch (r.below(8)) {
      case 0: return T(0);
      case 1: return -old;
      case 2: return old * T(1e6);
      case 3: return std::numeric_limits<T>::quiet_NaN();
      case 4: return T(r.in(-1, 1));
      default: return old * T(r.in(0.5, 2));
    }
  } else {
    switch (r.below(6)) {
      case 0: return T(0);
      case 1: return T(old + 1);
      case 2: return T(old - 1);
      case 3: return T(99);
      case 4: return T(r.below(1 << 20));
      default: return T(r.below(8));
    }
  }
}

}  // namespace

void edit(const World& world, int round, sinew::Model& m) {
  Rng r(mix(world.seed, "edit" + std::to_string(round)));
  const int count = r.from(1, 3);
  for (int k = 0; k < count; ++k) {
    int choice = r.below(500);  // more than there are fields: often none, so that edits also occur alone
    const std::uint64_t place = r.next();
    const std::uint64_t value = r.next();
#define SINEW_FIELD(type, name, rows, cols, doc)  \
  if (choice-- == 0 && !m.name.empty()) {         \
    Rng number(value);                            \
    const std::size_t at = place % m.name.size(); \
    const type old = m.name[at];                  \
    m.name[at] = other_value<type>(number, old);  \
  }
#include "sinew/model_fields.def"
#undef SINEW_FIELD
    if (r.chance(0.2)) {
      Rng number(value);
      switch (r.below(8)) {
        case 0: m.opt.integrator = other_value(number, m.opt.integrator); break;
        case 1: m.opt.solver = other_value(number, m.opt.solver); break;
        case 2: m.opt.cone = other_value(number, m.opt.cone); break;
        case 3: m.opt.jacobian = other_value(number, m.opt.jacobian); break;
        case 4: m.opt.disableflags ^= 1 << number.below(20); break;
        case 5: m.opt.enableflags ^= 1 << number.below(6); break;
        case 6: m.opt.timestep = other_value(number, m.opt.timestep); break;
        // of numbers that are not finite the solver does all it may: a million iterations would pass for a hang
        default: m.opt.iterations = std::min(other_value(number, m.opt.iterations), 1000);
      }
    }
    if (r.chance(0.2)) {
      for (int i = 0; i < m.ngeom; ++i) m.geom_contype[static_cast<std::size_t>(i)] = r.below(4);
      for (int i = 0; i < m.ngeom; ++i) m.geom_conaffinity[static_cast<std::size_t>(i)] = r.below(4);
    }
  }
}

}  // namespace random_worlds
