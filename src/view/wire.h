#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

// Building blocks of the messages in docs/viewer_protocol.md.

namespace sinew::view {

static_assert(std::endian::native == std::endian::little, "messages are copied from memory as they are");

using Json = nlohmann::ordered_json;

enum class Kind : std::uint8_t { Parts = 1, Frame, Flex, Samples, Values, Worlds, Picture };

/// A binary message that grows at its end.
class Bytes {
 public:
  template <class T>
  Bytes& put(T value) {
    static_assert(std::is_arithmetic_v<T>);
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  template <class Range>
  Bytes& put_all(const Range& values) {
    for (const auto& value : values) put(value);
    return *this;
  }
  Bytes& put_text(std::string_view text) {
    out_ += text;
    return *this;
  }
  /// Overwrites a number that was put earlier.
  template <class T>
  void set(std::size_t at, T value) {
    std::memcpy(&out_[at], &value, sizeof value);
  }
  std::size_t size() const { return out_.size(); }
  std::string take() && { return std::move(out_); }

 private:
  std::string out_;
};

inline std::uint16_t half_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const float magnitude = std::abs(value);
  if (!(magnitude < 65520.f)) return static_cast<std::uint16_t>(sign | (std::isnan(value) ? 0x7e00u : 0x7c00u));
  if (magnitude < 0x1p-14f)  // subnormal
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::lround(magnitude * 0x1p24f)));
  const std::uint32_t rounded = (bits & 0x7fffffffu) + 0xfffu + (bits >> 13 & 1u);
  return static_cast<std::uint16_t>(sign | ((rounded >> 13) - (112u << 10)));
}

/// A unit quaternion without its largest component.
inline std::array<std::int16_t, 3> smallest_three(const float* quat) {
  int largest = 0;
  for (int i = 1; i < 4; ++i)
    if (std::abs(quat[i]) > std::abs(quat[largest])) largest = i;
  const float sign = quat[largest] < 0 ? -1.f : 1.f;
  std::array<std::int16_t, 3> out{};
  for (int i = 0, k = 0; i < 4; ++i) {
    if (i == largest) continue;
    const float scaled = sign * quat[i] * 1.41421356f * 16383.f;
    const auto number =
        std::isfinite(scaled) ? static_cast<int>(std::lround(std::fmin(std::fmax(scaled, -16383.f), 16383.f))) : 0;
    out[static_cast<std::size_t>(k++)] = static_cast<std::int16_t>(2 * number);
  }
  out[0] = static_cast<std::int16_t>(out[0] | (largest & 1));
  out[1] = static_cast<std::int16_t>(out[1] | (largest >> 1));
  return out;
}

/// pose18 of the protocol.
inline void put_pose(Bytes& out, const float* pos, const float* quat) {
  out.put_all(std::span(pos, 3)).put_all(smallest_three(quat));
}

inline std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : kDigits[word >> (18 - 6 * k) & 63u];
  }
  return out;
}

}  // namespace sinew::view
