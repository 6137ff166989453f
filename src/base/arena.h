#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/checked.h"

namespace sinew {

/// Scratch memory of one world: allocated and released in LIFO order through Scratch marks.
///
/// Memory comes in chunks that never move, so arrays stay valid while in use. When the bottom mark is released and more
/// than one chunk was needed, they are replaced by one that is large enough: after the first step of each kind there
/// are no heap allocations, and taking memory is a pointer bump.
///
/// In the checked build each array is followed by a red zone and starts as garbage; a write into the red zone aborts
/// the program when the array is released. The address sanitizer catches accesses to red zones and released arrays
/// immediately.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::size_t capacity() const { return total_; }
  /// Bytes in use; zero between two steps.
  std::size_t used() const;

 private:
  friend class Scratch;
  static constexpr std::size_t kAlign = 64;
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::byte* begin = nullptr;
    std::byte* end = nullptr;
    std::byte* top = nullptr;  // where it ended when the next chunk began
  };
  struct Mark {
    std::size_t chunk;
    std::byte* top;  // null: the bottom, before the first chunk exists
  };

  void* take(std::size_t bytes, [[maybe_unused]] const CodePlace& place) {
    const std::size_t rounded = ((bytes + kAlign - 1) & ~(kAlign - 1)) + kRedZone;
    if (rounded > static_cast<std::size_t>(end_ - top_)) [[unlikely]]
      enter_larger_chunk(rounded);
    std::byte* result = top_;
    top_ += rounded;
    if constexpr (kChecked) hand_out(result, bytes, rounded, place);
    return result;
  }
  Mark mark() const { return {current_, top_ == bottom_ ? nullptr : top_}; }
  void release(const Mark& mark) {
    if constexpr (kChecked) take_back(mark);
    if (chunks_.size() == 1) [[likely]]
      top_ = mark.top ? mark.top : bottom_;
    else
      release_chunks(mark);
  }
  void enter_larger_chunk(std::size_t bytes);
  void release_chunks(const Mark& mark);
  void grow(std::size_t bytes);
  // only in the checked build
  void hand_out(std::byte* memory, std::size_t bytes, std::size_t rounded, const CodePlace& place);
  void take_back(const Mark& mark);

  std::vector<Chunk> chunks_;
  std::size_t current_ = 0;
  std::byte* bottom_ = nullptr;  // of the first chunk
  std::byte* top_ = nullptr;     // of the current chunk
  std::byte* end_ = nullptr;
  std::size_t total_ = 0;
};

/// A mark in the arena: everything taken through it is released when it goes out of scope.
class Scratch {
 public:
  explicit Scratch(Arena& arena) : arena_(arena), mark_(arena.mark()) {}
  ~Scratch() { arena_.release(mark_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// n uninitialized values, 64-byte aligned.
  template <class T>
  T* take(std::size_t n, CodePlace place = CodePlace::current()) {
    static_assert(std::is_trivially_destructible_v<T>);
    if constexpr (kChecked)
      if (n > kMostNumbers) end_checked(place, "implausibly large request to the arena", n, kMostNumbers);
    return static_cast<T*>(arena_.take(n * sizeof(T), place));
  }
  /// n zeros.
  template <class T>
  T* zeros(std::size_t n, CodePlace place = CodePlace::current()) {
    T* p = take<T>(n, place);
    for (std::size_t i = 0; i < n; ++i) p[i] = T(0);
    return p;
  }

 private:
  static constexpr std::size_t kMostNumbers = std::size_t(1) << 40;  // a negative count converts to more
  Arena& arena_;
  Arena::Mark mark_;
};

}  // namespace sinew
