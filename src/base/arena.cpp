#include "base/arena.h"

#include <algorithm>
#include <cstdint>

namespace sinew {

std::size_t Arena::used() const {
  if (chunks_.empty()) return 0;
  std::size_t bytes = static_cast<std::size_t>(top_ - chunks_[current_].begin);
  for (std::size_t i = 0; i < current_; ++i) bytes += static_cast<std::size_t>(chunks_[i].top - chunks_[i].begin);
  return bytes;
}

void Arena::grow(std::size_t bytes) {
  const std::size_t size = std::max<std::size_t>({bytes, 2 * total_, 4096});
  Chunk chunk;
  chunk.memory = std::make_unique<std::byte[]>(size + kAlign);
  const auto address = reinterpret_cast<std::uintptr_t>(chunk.memory.get());
  chunk.begin = chunk.top = chunk.memory.get() + (kAlign - address % kAlign) % kAlign;
  chunk.end = chunk.begin + size;
  chunks_.push_back(std::move(chunk));
  total_ += size;
  bottom_ = chunks_[0].begin;
}

void Arena::enter_larger_chunk(std::size_t bytes) {
  if (!chunks_.empty()) chunks_[current_++].top = top_;
  for (; current_ < chunks_.size(); ++current_) {
    Chunk& chunk = chunks_[current_];
    chunk.top = chunk.begin;
    if (static_cast<std::size_t>(chunk.end - chunk.begin) >= bytes) break;
  }
  if (current_ == chunks_.size()) grow(bytes);
  top_ = chunks_[current_].begin;
  end_ = chunks_[current_].end;
}

void Arena::release_chunks(const Mark& mark) {
  if (chunks_.empty()) return;
  current_ = mark.chunk;
  top_ = mark.top ? mark.top : bottom_;
  if (chunks_.size() > 1 && !mark.top) {
    // several chunks were needed: one of their joint size serves from now on
    const std::size_t size = total_;
    chunks_.clear();
    total_ = 0;
    grow(size);
    top_ = bottom_;
  }
  end_ = chunks_[current_].end;
}

}  // namespace sinew
