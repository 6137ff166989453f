#include "geometry/hfield.h"

#include <fmt/format.h>
#include <lodepng.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/limits.h"

namespace sinew {
namespace {

/// Counts the bytes that the grid will take, here and in the model.
Result<bool> check_size(std::int64_t nrow, std::int64_t ncol, Budget& budget) {
  if (nrow < 1 || ncol < 1 || nrow > limits::kHeightPoints || ncol > limits::kHeightPoints ||
      nrow * ncol > limits::kHeightPoints)
    return Error::message(fmt::format("height field of {} x {} points: must be at least 1 x 1 and at most {} in total",
                                      nrow, ncol, limits::kHeightPoints));
  const double bytes = 2.0 * sizeof(float) * static_cast<double>(nrow * ncol);
  if (!budget.take(bytes)) {
    Problem problem;
    problem.message = fmt::format("height field of {} x {} points: {}", nrow, ncol, budget.refusal(bytes));
    problem.hint = Budget::kHint;
    return Error(std::move(problem));
  }
  return true;
}

/// Smallest to 0, largest to 1; a flat field to 0.
void scale_to_unit(HeightGrid& grid) {
  const auto [lo, hi] = std::minmax_element(grid.elevation.begin(), grid.elevation.end());
  const float low = *lo, span = *hi - *lo;
  for (float& e : grid.elevation) {
    e -= low;
    if (span > 1e-14f) e /= span;
  }
}

void flip_rows(HeightGrid& grid) {
  const auto width = static_cast<std::ptrdiff_t>(grid.ncol);
  for (std::ptrdiff_t low = 0, high = grid.nrow - 1; low < high; ++low, --high)
    std::swap_ranges(grid.elevation.begin() + low * width, grid.elevation.begin() + (low + 1) * width,
                     grid.elevation.begin() + high * width);
}

Result<bool> check_finite(const HeightGrid& grid) {
  if (std::all_of(grid.elevation.begin(), grid.elevation.end(), [](float e) { return std::isfinite(e); })) return true;
  return Error::message("height field: an elevation is not finite");
}

Result<HeightGrid> read_png(std::span<const std::byte> bytes, Budget& budget) {
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  lodepng::State state;
  unsigned width = 0, height = 0;
  unsigned failure = lodepng_inspect(&width, &height, &state, data, bytes.size());
  if (!failure)
    if (Result<bool> ok = check_size(height, width, budget); !ok) return ok.error();
  std::vector<unsigned char> pixels;
  if (!failure) {
    state.decoder.zlibsettings.max_output_size = png_bytes(width, height, lodepng_get_bpp(&state.info_png.color));
    state.decoder.read_text_chunks = 0;
    state.info_raw.colortype = LCT_GREY;
    state.info_raw.bitdepth = 8;
    failure = lodepng::decode(pixels, width, height, state, data, bytes.size());
  }
  if (failure) return Error::message(fmt::format("height field: not a readable PNG: {}", lodepng_error_text(failure)));
  HeightGrid grid{static_cast<int>(height), static_cast<int>(width), {pixels.begin(), pixels.end()}};
  flip_rows(grid);
  scale_to_unit(grid);
  return grid;
}

Result<HeightGrid> read_binary(std::span<const std::byte> bytes, Budget& budget) {
  std::int32_t head[2] = {};
  if (bytes.size() < sizeof(head)) return Error::message("height field: the file is too short for its header");
  std::memcpy(head, bytes.data(), sizeof(head));
  if (Result<bool> ok = check_size(head[0], head[1], budget); !ok) return ok.error();
  HeightGrid grid{head[0], head[1], {}};
  const std::size_t count = static_cast<std::size_t>(head[0]) * static_cast<std::size_t>(head[1]);
  if (bytes.size() - sizeof(head) != count * sizeof(float))
    return Error::message(fmt::format("height field: {} x {} points need {} bytes after the header, found {}", head[0],
                                      head[1], count * sizeof(float), bytes.size() - sizeof(head)));
  grid.elevation.resize(count);
  std::memcpy(grid.elevation.data(), bytes.data() + sizeof(head), count * sizeof(float));
  if (Result<bool> ok = check_finite(grid); !ok) return ok.error();
  scale_to_unit(grid);
  return grid;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

}  // namespace

std::size_t png_bytes(std::size_t width, std::size_t height, std::size_t bits_per_pixel) {
  // each row begins with its filter type; the seven passes of an interlaced image have at most two rows for each
  return 2 * height + ((width + 8) * bits_per_pixel / 8 + 1) * (height + 8);
}

Result<HeightGrid> read_height_file(std::span<const std::byte> bytes, std::string_view filename,
                                    std::string_view content_type, Budget& budget) {
  const std::string type = lower(content_type.substr(0, content_type.find(';')));
  const std::string name = lower(filename);
  if (type == "image/png" || (type.empty() && name.ends_with(".png"))) return read_png(bytes, budget);
  for (const char* mesh : {".stl", ".obj", ".msh", ".ply", ".ktx"})
    if (type.empty() && name.ends_with(mesh))
      return Error::message(
          fmt::format("height field: '{}' is not a height file; use .png or MuJoCo's binary format", mesh));
  return read_binary(bytes, budget);
}

Result<HeightGrid> make_height_grid(int nrow, int ncol, std::span<const float> elevation, Budget& budget) {
  if (Result<bool> ok = check_size(nrow, ncol, budget); !ok) return ok.error();
  HeightGrid grid{nrow, ncol, {elevation.begin(), elevation.end()}};
  const std::size_t count = static_cast<std::size_t>(nrow) * static_cast<std::size_t>(ncol);
  if (grid.elevation.empty()) grid.elevation.assign(count, 0.f);
  if (grid.elevation.size() != count)
    return Error::message(fmt::format("elevation has {} numbers, needs {} x {}", elevation.size(), nrow, ncol));
  if (Result<bool> ok = check_finite(grid); !ok) return ok.error();
  flip_rows(grid);
  scale_to_unit(grid);
  return grid;
}

}  // namespace sinew
