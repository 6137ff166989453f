#include "base/arena.h"

#include <algorithm>
#include <cstdint>

namespace sinew {

void Arena::grow(std::size_t bytes) {
  const std::size_t size = std::max<std::size_t>({bytes, 2 * total_, 4096});
  Chunk chunk;
  chunk.memory = std::make_unique<std::byte[]>(size + kAlign);
  const auto address = reinterpret_cast<std::uintptr_t>(chunk.memory.get());
  chunk.begin = chunk.memory.get() + (kAlign - address % kAlign) % kAlign;
  chunk.size = size;
  chunks_.push_back(std::move(chunk));
  total_ += size;
}

void* Arena::take(std::size_t bytes) {
  const std::size_t rounded = (bytes + kAlign - 1) / kAlign * kAlign;
  while (current_ < chunks_.size() && chunks_[current_].size - chunks_[current_].top < rounded) ++current_;
  if (current_ == chunks_.size()) grow(rounded);
  Chunk& chunk = chunks_[current_];
  void* result = chunk.begin + chunk.top;
  chunk.top += rounded;
  used_ += rounded;
  high_water_ = std::max(high_water_, used_);
  return result;
}

void Arena::release(std::size_t chunk, std::size_t top, std::size_t used) {
  for (std::size_t i = chunk + 1; i < chunks_.size(); ++i) chunks_[i].top = 0;
  if (chunk < chunks_.size()) chunks_[chunk].top = top;
  current_ = chunk;
  used_ = used;
  if (used_ == 0 && chunks_.size() > 1) {
    // several chunks were needed: one of their joint size serves from now on
    const std::size_t size = total_;
    chunks_.clear();
    total_ = 0;
    grow(size);
    current_ = 0;
  }
}

Scratch::Scratch(Arena& arena)
    : arena_(arena),
      chunk_(arena.current_),
      top_(arena.current_ < arena.chunks_.size() ? arena.chunks_[arena.current_].top : 0),
      used_(arena.used_) {}

Scratch::~Scratch() { arena_.release(chunk_, top_, used_); }

}  // namespace sinew
