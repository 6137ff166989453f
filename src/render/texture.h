#pragma once

#include <cstdint>
#include <vector>

#include "math/vec3.h"
#include "sinew/model.h"

namespace sinew::render {

using Vec = Vec3<float>;

/// Color and opacity, 0 to 1.
struct Rgba {
  Vec rgb;
  float alpha = 1;
};

/// An image with its halved copies, for trilinear lookup.
class Texture {
 public:
  Texture() = default;
  Texture(const Model& m, int id);

  bool is_cube() const { return cube_; }
  bool empty() const { return levels_.empty(); }

  /// At (u, v), repeating; du, dv: change from a pixel to its neighbors in x and y.
  Rgba at(float u, float v, float du_dx, float dv_dx, float du_dy, float dv_dy) const;
  /// In a direction of any length; dx, dy: its change to the neighboring pixels.
  Rgba at(const Vec& direction, const Vec& dx, const Vec& dy) const;

 private:
  struct Level {
    int width, height;
    std::vector<std::uint8_t> faces[6];  // rgba; a texture that is not a cube has the first only
  };
  Rgba bilinear(int face, const Level& level, float u, float v, bool repeat) const;
  Rgba trilinear(int face, float u, float v, float footprint, bool repeat) const;

  bool cube_ = false;
  int faces_ = 1;                 // distinct images
  const float* curve_ = nullptr;  // texel to intensity
  std::vector<Level> levels_;
};

}  // namespace sinew::render
