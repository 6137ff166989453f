#include "base/budget.h"

#include <fmt/format.h>

#include <iterator>

namespace sinew {

std::string readable_bytes(double bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1024;
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

Error interrupted() { return Error::message("loading was interrupted"); }

Error out_of_memory() {
  Problem problem;
  problem.message = "the system has no memory left for this model";
  problem.hint = "with a lower memory limit the error names what needs it";
  return Error(std::move(problem));
}

bool Budget::take(double bytes) {
  std::uint64_t taken = taken_.load(std::memory_order_relaxed);
  do {
    if (!(bytes <= static_cast<double>(limit_ - taken))) return false;
  } while (!taken_.compare_exchange_weak(taken, taken + static_cast<std::uint64_t>(bytes)));
  return true;
}

void Budget::give_back(double bytes) { taken_ -= static_cast<std::uint64_t>(bytes); }

std::string Budget::refusal(double bytes) const {
  return fmt::format("needs {} of memory, {} are in use, and the limit is {}", readable_bytes(bytes),
                     readable_bytes(static_cast<double>(taken_.load())), readable_bytes(static_cast<double>(limit_)));
}

void Budget::ask() {
  if (std::this_thread::get_id() != owner_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - asked_ < kPause) return;
  asked_ = now;
  if (interrupt_()) stopped_ = true;
}

}  // namespace sinew
