#include "batch/misuse.h"
#include "sinew/batch.h"

namespace sinew {

Worlds Worlds::mask(std::span<const std::uint8_t> flags) {
  Worlds out;
  out.kind_ = Kind::Mask;
  out.flags_ = flags;
  return out;
}

Worlds Worlds::list(std::span<const int> indices) {
  Worlds out;
  out.kind_ = Kind::List;
  out.indices_ = indices;
  return out;
}

std::vector<int> Worlds::indices(int n) const {
  std::vector<int> out;
  if (kind_ == Kind::Mask) {
    if (flags_.size() != static_cast<std::size_t>(n))
      misuse("the mask has {} flags, but there are {} worlds", flags_.size(), n);
    for (int i = 0; i < n; ++i)
      if (flags_[static_cast<std::size_t>(i)]) out.push_back(i);
  } else if (kind_ == Kind::List) {
    std::vector<bool> seen(static_cast<std::size_t>(n));
    for (const int i : indices_) {
      if (i < 0 || i >= n) misuse("world {} does not exist: there are {}", i, n);
      if (seen[static_cast<std::size_t>(i)]) misuse("world {} is listed twice", i);
      seen[static_cast<std::size_t>(i)] = true;
    }
    out.assign(indices_.begin(), indices_.end());
  } else {
    for (int i = 0; i < n; ++i) out.push_back(i);
  }
  return out;
}

}  // namespace sinew
