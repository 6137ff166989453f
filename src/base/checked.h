#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>

// Memory checks of the checked build (SINEW_CHECKED, and every build with the address sanitizer) for memory that we
// suballocate ourselves. In other builds all of it is empty.

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

/// Source location of a request: known in the checked build only.
#if defined(SINEW_CHECKED) || defined(SINEW_ASAN)
using CodePlace = std::source_location;
#else
struct CodePlace {
  static constexpr CodePlace current() { return {}; }
  static constexpr const char* file_name() { return ""; }
  static constexpr unsigned line() { return 0; }
};
#endif

/// Prints the location, the message and two numbers that explain it, and aborts.
[[noreturn]] void end_checked(const CodePlace& place, const char* what, std::size_t value, std::size_t limit);

/// Bytes between two arrays that share an allocation: must not be accessed.
inline constexpr std::size_t kRedZone = kChecked ? 64 : 0;

/// From now on, the sanitizer reports accesses here.
inline void forbid([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(SINEW_ASAN)
  ASAN_POISON_MEMORY_REGION(memory, bytes);
#endif
}
/// … and no longer does.
inline void permit([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(SINEW_ASAN)
  ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
#endif
}

/// Fill pattern for uninitialized memory: a signaling NaN as a double, out of range as an index, invalid as a bool.
inline constexpr std::uint64_t kGarbage = 0x7ff5555555555555;
inline void fill_with_garbage(void* memory, std::size_t bytes) {
  auto* to = static_cast<std::byte*>(memory);
  for (std::size_t i = 0; i < bytes; i += sizeof kGarbage)
    std::memcpy(to + i, &kGarbage, bytes - i < sizeof kGarbage ? bytes - i : sizeof kGarbage);
}

}  // namespace sinew
