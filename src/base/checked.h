#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>

// What the checked build (SINEW_CHECKED, and every build with the address sanitizer) does about memory that we share
// out ourselves. In other builds all of it is empty.

#if defined(__SANITIZE_ADDRESS__)
#define SINEW_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SINEW_ASAN 1
#endif
#endif
#if defined(SINEW_ASAN)
#include <sanitizer/asan_interface.h>
#endif

#if defined(__SANITIZE_THREAD__)
#define SINEW_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SINEW_TSAN 1
#endif
#endif

namespace sinew {

#if defined(SINEW_ASAN)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif
#if defined(SINEW_TSAN)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif
inline constexpr bool kSanitized = kAddressSanitizer || kThreadSanitizer;
#if defined(SINEW_CHECKED)
inline constexpr bool kChecked = true;
#else
inline constexpr bool kChecked = kAddressSanitizer;
#endif

/// Where in the text something was asked for: known in the checked build alone.
#if defined(SINEW_CHECKED) || defined(SINEW_ASAN)
using CodePlace = std::source_location;
#else
struct CodePlace {
  static constexpr CodePlace current() { return {}; }
  static constexpr const char* file_name() { return ""; }
  static constexpr unsigned line() { return 0; }
};
#endif

/// Tells where and what, with two numbers that show why, and ends the program.
[[noreturn]] void end_checked(const CodePlace& place, const char* what, std::size_t value, std::size_t limit);

/// Bytes between two arrays that share an allocation: nobody may touch them.
inline constexpr std::size_t kRedZone = kChecked ? 64 : 0;

/// Reading or writing here is a finding from now on.
inline void forbid([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(SINEW_ASAN)
  ASAN_POISON_MEMORY_REGION(memory, bytes);
#endif
}
/// … and is none any more.
inline void permit([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(SINEW_ASAN)
  ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
#endif
}

/// What nobody has written yet: a signalling NaN as a double, out of range as an index, no value of a bool.
inline constexpr std::uint64_t kGarbage = 0x7ff5555555555555;
inline void fill_with_garbage(void* memory, std::size_t bytes) {
  auto* to = static_cast<std::byte*>(memory);
  for (std::size_t i = 0; i < bytes; i += sizeof kGarbage)
    std::memcpy(to + i, &kGarbage, bytes - i < sizeof kGarbage ? bytes - i : sizeof kGarbage);
}

}  // namespace sinew
