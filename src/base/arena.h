#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace sinew {

/// Scratch memory of one world: taken and given back in LIFO order through Scratch marks.
///
/// Memory comes in chunks that never move, so what was handed out stays valid while it is used. When a mark at the
/// bottom is released and more than one chunk was needed, they are replaced by one that is large enough: after the
/// first step of each kind nothing is allocated any more, and taking memory is moving a pointer.
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
    std::byte* top = nullptr;  // where it was left for the next chunk
  };
  struct Mark {
    std::size_t chunk;
    std::byte* top;  // null: the bottom, wherever the first chunk will be
  };

  void* take(std::size_t bytes) {
    const std::size_t rounded = (bytes + kAlign - 1) & ~(kAlign - 1);
    if (rounded > static_cast<std::size_t>(end_ - top_)) [[unlikely]]
      enter_larger_chunk(rounded);
    std::byte* result = top_;
    top_ += rounded;
    return result;
  }
  Mark mark() const { return {current_, top_ == bottom_ ? nullptr : top_}; }
  void release(const Mark& mark) {
    if (chunks_.size() == 1) [[likely]]
      top_ = mark.top ? mark.top : bottom_;
    else
      release_chunks(mark);
  }
  void enter_larger_chunk(std::size_t bytes);
  void release_chunks(const Mark& mark);
  void grow(std::size_t bytes);

  std::vector<Chunk> chunks_;
  std::size_t current_ = 0;
  std::byte* bottom_ = nullptr;  // of the first chunk
  std::byte* top_ = nullptr;     // of the current chunk
  std::byte* end_ = nullptr;
  std::size_t total_ = 0;
};

/// A mark in the arena: everything taken through it is given back when it goes out of scope.
class Scratch {
 public:
  explicit Scratch(Arena& arena) : arena_(arena), mark_(arena.mark()) {}
  ~Scratch() { arena_.release(mark_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// n uninitialized values, 64-byte aligned.
  template <class T>
  T* take(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(arena_.take(n * sizeof(T)));
  }
  /// n zeros.
  template <class T>
  T* zeros(std::size_t n) {
    T* p = take<T>(n);
    for (std::size_t i = 0; i < n; ++i) p[i] = T(0);
    return p;
  }

 private:
  Arena& arena_;
  Arena::Mark mark_;
};

}  // namespace sinew
