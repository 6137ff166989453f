#pragma once

#include <cstddef>
#include <iterator>

namespace sinew {

/// Tables of kinds are indexed by the enumeration value: every row has a member `type`, equal to its index.
template <class Table>
constexpr bool rows_stand_at_their_type(const Table& table) {
  for (std::size_t i = 0; i < std::size(table); ++i)
    if (static_cast<std::size_t>(table[i].type) != i) return false;
  return true;
}

}  // namespace sinew
