#include "render/texture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace sinew::render {
namespace {

using Curve = std::array<float, 256>;

/// Texel values as intensities: as they are, or sRGB decoded.
const Curve& curve_of(bool srgb) {
  static const std::array<Curve, 2> curves = [] {
    std::array<Curve, 2> both{};
    for (int i = 0; i < 256; ++i) {
      const double x = i / 255.0;
      both[0][static_cast<std::size_t>(i)] = static_cast<float>(x);
      both[1][static_cast<std::size_t>(i)] =
          static_cast<float>(x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4));
    }
    return both;
  }();
  return curves[srgb ? 1 : 0];
}

std::vector<std::uint8_t> to_rgba(std::span<const std::uint8_t> pixels, int channels) {
  const std::size_t n = pixels.size() / static_cast<std::size_t>(channels);
  std::vector<std::uint8_t> out(4 * n, 255);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint8_t* in = &pixels[i * static_cast<std::size_t>(channels)];
    for (std::size_t c = 0; c < 3; ++c) out[4 * i + c] = in[channels >= 3 ? c : 0];
    if (channels == 4) out[4 * i + 3] = in[3];
    if (channels == 2) out[4 * i + 3] = in[1];
  }
  return out;
}

std::vector<std::uint8_t> halved(const std::vector<std::uint8_t>& in, int width, int height, int half_width,
                                 int half_height) {
  std::vector<std::uint8_t> out(static_cast<std::size_t>(half_width) * static_cast<std::size_t>(half_height) * 4);
  const auto texel = [&](int x, int y, int c) {
    return static_cast<int>(in[(static_cast<std::size_t>(std::min(y, height - 1)) * static_cast<std::size_t>(width) +
                                static_cast<std::size_t>(std::min(x, width - 1))) *
                                   4 +
                               static_cast<std::size_t>(c)]);
  };
  std::size_t k = 0;
  for (int y = 0; y < half_height; ++y)
    for (int x = 0; x < half_width; ++x)
      for (int c = 0; c < 4; ++c)
        out[k++] = static_cast<std::uint8_t>((texel(2 * x, 2 * y, c) + texel(2 * x + 1, 2 * y, c) +
                                              texel(2 * x, 2 * y + 1, c) + texel(2 * x + 1, 2 * y + 1, c) + 2) /
                                             4);
  return out;
}

float length(float x, float y) { return std::sqrt(x * x + y * y); }

/// Face of a cube that a direction meets, in the order right left up down front back, and the axes of its image: with
/// a = direction[major], u = (1 + s/|a|)/2, v = (1 + t/|a|)/2.
struct CubeFace {
  int face, major;
  int s_axis, t_axis;
  float s_sign, t_sign;
};

CubeFace face_of(const Vec& d) {
  const float x = std::fabs(d.x), y = std::fabs(d.y), z = std::fabs(d.z);
  if (x >= y && x >= z) return d.x > 0 ? CubeFace{0, 0, 2, 1, -1, -1} : CubeFace{1, 0, 2, 1, 1, -1};
  if (y >= z) return d.y > 0 ? CubeFace{2, 1, 0, 2, 1, 1} : CubeFace{3, 1, 0, 2, 1, -1};
  return d.z > 0 ? CubeFace{4, 2, 0, 1, 1, -1} : CubeFace{5, 2, 0, 1, -1, -1};
}

}  // namespace

Texture::Texture(const Model& m, int id) {
  const auto i = static_cast<std::size_t>(id);
  const int width = m.tex_width[i], channels = m.tex_nchannel[i];
  int height = m.tex_height[i];
  if (width < 1 || height < 1 || channels < 1 || channels > 4) return;
  cube_ = m.tex_type[i] != static_cast<int>(TextureType::Texture2D);
  if (cube_ && height == 6 * width) faces_ = 6;
  height /= faces_;
  curve_ = curve_of(m.tex_colorspace[i] == static_cast<int>(ColorSpace::Srgb)).data();
  const std::size_t bytes =
      static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * static_cast<std::size_t>(channels);
  const auto start = static_cast<std::size_t>(m.tex_adr[i]);
  if (start + bytes * static_cast<std::size_t>(faces_) > m.tex_data.size()) return;
  Level first{width, height, {}};
  for (int f = 0; f < faces_; ++f)
    first.faces[f] = to_rgba({m.tex_data.data() + start + bytes * static_cast<std::size_t>(f), bytes}, channels);
  levels_.push_back(std::move(first));
  while (levels_.back().width > 1 || levels_.back().height > 1) {
    const Level& large = levels_.back();
    Level small{std::max(1, large.width / 2), std::max(1, large.height / 2), {}};
    for (int f = 0; f < faces_; ++f)
      small.faces[f] = halved(large.faces[f], large.width, large.height, small.width, small.height);
    levels_.push_back(std::move(small));
  }
}

Rgba Texture::bilinear(int face, const Level& level, float u, float v, bool repeat) const {
  const auto floor_of = [](float x) {  // without a call; the numbers are small
    const int i = static_cast<int>(x);
    return i - (static_cast<float>(i) > x ? 1 : 0);
  };
  const auto place = [&](float x, int n, int& a, int& b) {
    x = (repeat ? x - std::floor(x) : x) * static_cast<float>(n) - 0.5f;
    a = floor_of(x);
    const float part = x - static_cast<float>(a);
    b = a + 1;
    if (repeat) {
      if (a < 0) a += n;
      if (b >= n) b -= n;
    }
    a = std::clamp(a, 0, n - 1);
    b = std::clamp(b, 0, n - 1);
    return part;
  };
  int x0, x1, y0, y1;
  const float fx = place(u, level.width, x0, x1), fy = place(v, level.height, y0, y1);
  const std::uint8_t* texels = level.faces[face].data();
  const auto at = [&](int x, int y) { return texels + 4 * (std::ptrdiff_t{y} * level.width + x); };
  const std::uint8_t *a = at(x0, y0), *b = at(x1, y0), *c = at(x0, y1), *d = at(x1, y1);
  const float wa = (1 - fx) * (1 - fy), wb = fx * (1 - fy), wc = (1 - fx) * fy, wd = fx * fy;
  const float* curve = curve_;
  const auto channel = [&](int k) { return curve[a[k]] * wa + curve[b[k]] * wb + curve[c[k]] * wc + curve[d[k]] * wd; };
  const float alpha = static_cast<float>(a[3]) * wa + static_cast<float>(b[3]) * wb + static_cast<float>(c[3]) * wc +
                      static_cast<float>(d[3]) * wd;
  return {{channel(0), channel(1), channel(2)}, alpha * (1 / 255.f)};
}

Rgba Texture::trilinear(int face, float u, float v, float footprint, bool repeat) const {
  const float top = static_cast<float>(levels_.size() - 1);
  const float level = footprint > 1 ? std::min(std::log2(footprint), top) : 0;
  const auto low = static_cast<std::size_t>(level);
  const Rgba fine = bilinear(face, levels_[low], u, v, repeat);
  const float part = level - static_cast<float>(low);
  if (part == 0) return fine;
  const Rgba coarse = bilinear(face, levels_[low + 1], u, v, repeat);
  return {fine.rgb * (1 - part) + coarse.rgb * part, fine.alpha * (1 - part) + coarse.alpha * part};
}

Rgba Texture::at(float u, float v, float du_dx, float dv_dx, float du_dy, float dv_dy) const {
  if (empty() || !std::isfinite(u) || !std::isfinite(v)) return {{1, 1, 1}, 1};
  const auto w = static_cast<float>(levels_[0].width), h = static_cast<float>(levels_[0].height);
  const float x = length(du_dx * w, dv_dx * h), y = length(du_dy * w, dv_dy * h);
  return trilinear(0, u, v, std::max(x, y), true);
}

Rgba Texture::at(const Vec& direction, const Vec& dx, const Vec& dy) const {
  if (empty() || !std::isfinite(direction.x + direction.y + direction.z)) return {{1, 1, 1}, 1};
  const CubeFace f = face_of(direction);
  const float major = std::fabs(direction[f.major]);
  if (!(major > 0)) return {{1, 1, 1}, 1};
  const float side = direction[f.major] > 0 ? 1.f : -1.f;
  const float s = f.s_sign * direction[f.s_axis] / major, t = f.t_sign * direction[f.t_axis] / major;
  // quotient rule; the image spans -1 … 1
  const auto change = [&](const Vec& d) {
    const float grow = side * d[f.major];
    const float ds = (f.s_sign * d[f.s_axis] - s * grow) / major, dt = (f.t_sign * d[f.t_axis] - t * grow) / major;
    return length(ds, dt) / 2 * static_cast<float>(levels_[0].width);
  };
  return trilinear(faces_ == 6 ? f.face : 0, (1 + s) / 2, (1 + t) / 2, std::max(change(dx), change(dy)), false);
}

}  // namespace sinew::render
