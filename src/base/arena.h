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
/// first step of each kind nothing is allocated any more.
class Arena {
 public:
  explicit Arena(std::size_t initial_bytes = 0) {
    if (initial_bytes) grow(initial_bytes);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::size_t capacity() const { return total_; }
  /// Bytes in use; zero between two steps.
  std::size_t used() const { return used_; }
  /// Largest number of bytes ever in use at once.
  std::size_t high_water() const { return high_water_; }

 private:
  friend class Scratch;
  static constexpr std::size_t kAlign = 64;
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::byte* begin = nullptr;
    std::size_t size = 0;
    std::size_t top = 0;
  };

  void* take(std::size_t bytes);
  void grow(std::size_t bytes);
  void release(std::size_t chunk, std::size_t top, std::size_t used);

  std::vector<Chunk> chunks_;
  std::size_t current_ = 0;
  std::size_t total_ = 0;
  std::size_t used_ = 0;
  std::size_t high_water_ = 0;
};

/// A mark in the arena: everything taken through it is given back when it goes out of scope.
class Scratch {
 public:
  explicit Scratch(Arena& arena);
  ~Scratch();
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
  std::size_t chunk_;
  std::size_t top_;
  std::size_t used_;
};

}  // namespace sinew
