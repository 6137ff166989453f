#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "sinew/error.h"

namespace sinew {

/// Elevations on a grid, scaled to 0..1; row 0 is at -y.
struct HeightGrid {
  int nrow = 0;
  int ncol = 0;
  std::vector<float> elevation;
};

/// Bytes of the unpacked rows of a PNG, before they become pixels; slightly more if interlaced.
std::size_t png_bytes(std::size_t width, std::size_t height, std::size_t bits_per_pixel);

/// A PNG (8-bit gray, the image's top at +y) or MuJoCo's binary: int32 nrow, int32 ncol, then the rows from -y.
Result<HeightGrid> read_height_file(std::span<const std::byte> bytes, std::string_view filename,
                                    std::string_view content_type, Budget& budget);

/// Elevations from an attribute: first row at +y. None: flat.
Result<HeightGrid> make_height_grid(int nrow, int ncol, std::span<const float> elevation, Budget& budget);

}  // namespace sinew
