#include "base/arena.h"

#include <algorithm>
#include <cstdint>
#include <new>

namespace sinew {
namespace {

/// Footer at the end of an array's red zone when no sanitizer guards it: describes the array.
struct Footer {
  std::uint64_t untouched;  // kGarbage
  std::size_t bytes;        // requested
  std::size_t rounded;      // from the start of the array to the end of its red zone
  CodePlace place;
};

bool is_garbage(std::byte byte, std::size_t offset) {
  return byte == static_cast<std::byte>(kGarbage >> 8 * (offset % sizeof kGarbage));
}

/// Checks that nothing was written past the end of the array whose red zone ends here.
const Footer& check_red_zone(const std::byte* end) {
  const Footer& footer = *std::launder(reinterpret_cast<const Footer*>(end - sizeof(Footer)));
  if (footer.untouched != kGarbage)
    end_checked(CodePlace::current(), "something wrote far past the end of an arena array", footer.untouched, kGarbage);
  const std::byte* begin = end - footer.rounded;
  for (std::size_t i = footer.bytes; i < footer.rounded - sizeof(Footer); ++i)
    if (!is_garbage(begin[i], i))
      end_checked(footer.place, "something wrote past the end of an arena array (byte, size)", i, footer.bytes);
  return footer;
}

}  // namespace

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
  if constexpr (kChecked) {
    fill_with_garbage(chunks_.back().begin, size);
    forbid(chunks_.back().begin, size);
  }
}

void Arena::hand_out(std::byte* memory, std::size_t bytes, std::size_t rounded, const CodePlace& place) {
  permit(memory, bytes);
  if constexpr (!kAddressSanitizer) new (memory + rounded - sizeof(Footer)) Footer{kGarbage, bytes, rounded, place};
}

void Arena::take_back(const Mark& mark) {
  if (chunks_.empty()) return;
  for (std::size_t i = mark.chunk; i <= current_; ++i) {
    std::byte* const begin = i == mark.chunk && mark.top ? mark.top : chunks_[i].begin;
    std::byte* const end = i == current_ ? top_ : chunks_[i].top;
    if constexpr (!kAddressSanitizer)
      for (const std::byte* p = end; p > begin;) p -= check_red_zone(p).rounded;
    permit(begin, static_cast<std::size_t>(end - begin));
    fill_with_garbage(begin, static_cast<std::size_t>(end - begin));
    forbid(begin, static_cast<std::size_t>(end - begin));
  }
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
    // several chunks were needed: replace them by one of their total size
    const std::size_t size = total_;
    chunks_.clear();
    total_ = 0;
    grow(size);
    top_ = bottom_;
  }
  end_ = chunks_[current_].end;
}

}  // namespace sinew
