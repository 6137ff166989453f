#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sinew {

/// FNV-1a, eight bytes at a time: a checksum against damage, not against forgery.
class Checksum {
 public:
  void add(const void* data, std::size_t size) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (; size >= 8; p += 8, size -= 8) {
      std::uint64_t word;
      std::memcpy(&word, p, 8);
      value_ = (value_ ^ word) * 1099511628211ull;
      value_ ^= value_ >> 32;
    }
    for (; size > 0; ++p, --size) value_ = (value_ ^ *p) * 1099511628211ull;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 1469598103934665603ull;
};

}  // namespace sinew
