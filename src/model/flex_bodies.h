#pragma once

#include "sinew/model.h"

namespace sinew {

/// Whether test(body) holds for some body of a flex: those of its vertices, or of its nodes if it is interpolated. Ends
/// at the first one.
template <class Test>
bool some_flex_body(const Model& m, int flex, Test&& test) {
  const bool nodes = m.flex_interp[flex] != 0;
  const int begin = nodes ? m.flex_nodeadr[flex] : m.flex_vertadr[flex];
  const int end = begin + (nodes ? m.flex_nodenum[flex] : m.flex_vertnum[flex]);
  for (int i = begin; i < end; ++i)
    if (test(nodes ? m.flex_nodebodyid[i] : m.flex_vertbodyid[i])) return true;
  return false;
}

}  // namespace sinew
