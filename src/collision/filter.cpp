#include "collision/filter.h"

#include <algorithm>

namespace sinew {

SleepView sleep_view(const Model& m, const Data& d) {
  const bool some =
      m.opt.enabled(kEnableSleep) && std::ranges::any_of(d.tree_asleep, [](int next) { return next >= 0; });
  return {some ? d.body_awake.data() : nullptr};
}

}  // namespace sinew
