#pragma once

// The limits of one load: memory, and interruption by the caller.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "sinew/error.h"

namespace sinew {

/// Thrown when the caller asked to stop; caught where reading or compiling began, never seen by a user.
struct Interrupted {};

/// Errors: loading was interrupted; the system ran out of memory below the limit.
Error interrupted();
Error out_of_memory();

/// "3.2 GiB", "512 bytes".
std::string readable_bytes(double bytes);

/// Counts the bytes that a load is about to take against the caller's limit, and polls the caller for interruption.
/// Several threads may use it; the caller is polled only in the thread that created it, the others see the answer.
class Budget {
 public:
  /// interrupt may be empty.
  Budget(std::uint64_t memory_limit, std::function<bool()> interrupt)
      : limit_(memory_limit), interrupt_(std::move(interrupt)) {}

  /// Counts bytes that are about to be taken: false, without counting them, if they exceed the limit.
  [[nodiscard]] bool take(double bytes);
  void give_back(double bytes);
  /// The message if take failed, and the hint.
  std::string refusal(double bytes) const;
  static constexpr const char* kHint =
      "raise the limit if the model is meant to be this large: LoadOptions::memory_limit, --memory-limit of the "
      "command, "
      "memory_limit= in Python";

  /// Throws Interrupted if the caller wants to stop. For inner loops: the caller is not polled every time.
  void go_on() {
    if (interrupt_ && (calls_.fetch_add(1, std::memory_order_relaxed) & 63) == 0) ask();
    if (stopped_.load(std::memory_order_relaxed)) throw Interrupted{};
  }

 private:
  void ask();

  static constexpr std::chrono::milliseconds kPause{20};  // between two polls

  const std::uint64_t limit_;
  const std::function<bool()> interrupt_;
  std::atomic<std::uint64_t> taken_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<unsigned> calls_ = 0;
  const std::thread::id owner_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point asked_;
};

}  // namespace sinew
