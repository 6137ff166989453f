#include <lodepng.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/render.h"

namespace sinew {
namespace {

Result<bool> write(const std::string& path, const std::vector<unsigned char>& bytes, unsigned error) {
  if (error == 0) error = lodepng::save_file(bytes, path);
  if (error != 0) return Error::message(path + ": cannot be written: " + lodepng_error_text(error));
  return true;
}

bool fits(int width, int height, std::size_t channels, std::size_t size) {
  return width > 0 && height > 0 &&
         static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * channels == size;
}

}  // namespace

Result<bool> write_png(const std::string& path, int width, int height, std::span<const std::uint8_t> rgb) {
  if (!fits(width, height, 3, rgb.size())) return Error::message(path + ": the picture has the wrong size");
  lodepng::State state;
  state.info_raw.colortype = state.info_png.color.colortype = LCT_RGB;
  state.encoder.auto_convert = 0;  // readers of frames expect one type
  std::vector<unsigned char> bytes;
  const unsigned error =
      lodepng::encode(bytes, rgb.data(), static_cast<unsigned>(width), static_cast<unsigned>(height), state);
  return write(path, bytes, error);
}

Result<bool> write_depth_png(const std::string& path, int width, int height, std::span<const float> depth) {
  if (!fits(width, height, 1, depth.size())) return Error::message(path + ": the picture has the wrong size");
  std::vector<unsigned char> gray(2 * depth.size());
  for (std::size_t i = 0; i < depth.size(); ++i) {
    const float mm = depth[i] * 1000;
    const unsigned value = mm < 65534.5f ? static_cast<unsigned>(std::lround(std::max(0.f, mm))) : 65535u;
    gray[2 * i] = static_cast<unsigned char>(value >> 8);
    gray[2 * i + 1] = static_cast<unsigned char>(value & 255);
  }
  lodepng::State state;
  state.info_raw.colortype = state.info_png.color.colortype = LCT_GREY;
  state.info_raw.bitdepth = state.info_png.color.bitdepth = 16;
  state.encoder.auto_convert = 0;
  state.encoder.text_compression = 0;
  lodepng_add_text(&state.info_png, "Description", "depth in millimeters; 65535: 65.535 m or more, or background");
  std::vector<unsigned char> bytes;
  const unsigned error =
      lodepng::encode(bytes, gray, static_cast<unsigned>(width), static_cast<unsigned>(height), state);
  return write(path, bytes, error);
}

}  // namespace sinew
