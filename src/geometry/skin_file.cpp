#include "geometry/skin_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

// Little-endian, in units of four bytes: the numbers of vertices, texture coordinates, faces and bones; vertices (3
// float32), texture coordinates (2), faces (3 int32). Each bone: name (40 characters, zero-padded), position (3
// float32), orientation (4), a count n, n vertex indices, n weights.

namespace sinew {
namespace {

constexpr std::size_t kWord = 4;
constexpr std::size_t kNameBytes = 40;

class Words {
 public:
  explicit Words(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::size_t left() const { return bytes_.size() / kWord; }
  bool empty() const { return bytes_.empty(); }
  /// As many as there are: the caller has compared with left().
  template <class T>
  std::vector<T> take(std::size_t count) {
    static_assert(sizeof(T) == kWord);
    std::vector<T> out(count);
    if (count > 0) std::memcpy(out.data(), bytes_.data(), count * kWord);
    bytes_ = bytes_.subspan(count * kWord);
    return out;
  }
  std::string take_name() {
    const char* text = reinterpret_cast<const char*>(bytes_.data());
    const std::string name(text, std::find(text, text + kNameBytes - 1, '\0'));
    bytes_ = bytes_.subspan(kNameBytes);
    return name;
  }

 private:
  std::span<const std::byte> bytes_;
};

Error wrong_size() { return Error::message("is not a SKN file: its size does not match its counts"); }

bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
}

Result<spec::Skin::Bone> read_bone(Words& words) {
  constexpr std::size_t kHeader = kNameBytes / kWord + 3 + 4 + 1;
  if (words.left() < kHeader) return wrong_size();
  spec::Skin::Bone bone;
  bone.body = words.take_name();
  std::ranges::copy(words.take<float>(3), bone.bindpos.begin());
  std::ranges::copy(words.take<float>(4), bone.bindquat.begin());
  const std::int32_t count = words.take<std::int32_t>(1)[0];
  if (count < 1) return Error::message(fmt::format("a bone has {} vertices, needs at least 1", count));
  const auto n = static_cast<std::size_t>(count);
  if (n > words.left() / 2) return wrong_size();
  bone.vertid = words.take<std::int32_t>(n);
  bone.vertweight = words.take<float>(n);
  return bone;
}

}  // namespace

Result<spec::Skin> read_skn(std::span<const std::byte> bytes) {
  Words words(bytes);
  std::array<std::int32_t, 4> count{};
  if (words.left() < count.size()) return Error::message("is not a SKN file: it has no header");
  std::ranges::copy(words.take<std::int32_t>(count.size()), count.begin());
  for (const std::int32_t n : count)
    if (n < 0) return Error::message(fmt::format("its header has the negative count {}", n));
  const auto size = [&](std::size_t i, std::size_t width) { return width * static_cast<std::size_t>(count[i]); };
  if (size(0, 3) + size(1, 2) + size(2, 3) > words.left()) return wrong_size();

  spec::Skin skin;
  skin.vertex = words.take<float>(size(0, 3));
  skin.texcoord = words.take<float>(size(1, 2));
  skin.face = words.take<std::int32_t>(size(2, 3));
  for (std::int32_t i = 0; i < count[3]; ++i) {
    Result<spec::Skin::Bone> bone = read_bone(words);
    if (!bone) return bone.error();
    skin.bones.push_back(std::move(*bone));
  }
  if (!words.empty()) return wrong_size();
  bool finite = all_finite(skin.vertex) && all_finite(skin.texcoord);
  for (const spec::Skin::Bone& bone : skin.bones) {
    finite = finite && all_finite(bone.vertweight) && all_finite({bone.bindpos.begin(), bone.bindpos.end()}) &&
             all_finite({bone.bindquat.begin(), bone.bindquat.end()});
  }
  if (!finite) return Error::message("has a number that is not finite");
  return skin;
}

}  // namespace sinew
