#include <fmt/format.h>
#include <lodepng.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/limits.h"
#include "compile/asset_files.h"
#include "compile/objects.h"
#include "geometry/hfield.h"
#include "math/elementary.h"

// Textures: generated here, or read from PNG files; KTX files are kept as they are. They are kept for a viewer; the
// simulation does not use them.

namespace sinew::compiling {
namespace {

constexpr int kFaces = 6;
constexpr char kFaceLetters[] = "RLUDFB";  // right, left, up, down, front, back: the order in the texture
constexpr int kDown = 3;

struct Image {
  int width = 0;
  int height = 0;
  int nchannel = 0;  // 0: as the texture says
  ColorSpace colorspace = ColorSpace::Auto;
  std::vector<std::uint8_t> pixel;  // row by row from the top, nchannel bytes each
};

std::uint8_t to_byte(double x) { return static_cast<std::uint8_t>(std::clamp(255 * x, 0.0, 255.0)); }

class Painter {
 public:
  Painter(Image& image, int nchannel) : image_(image), nchannel_(nchannel) {}

  void set(int row, int column, const spec::Reals<3>& rgb) {
    std::uint8_t* p = &image_.pixel[nchannel_ * (static_cast<std::size_t>(row) * image_.width + column)];
    for (int k = 0; k < nchannel_; ++k) p[k] = k < 3 ? to_byte(rgb[k]) : 255;
  }

  /// Columns in [first, end).
  void fill(int row, int first, int end, const spec::Reals<3>& rgb) {
    if (first == end) return;
    set(row, first, rgb);
    const std::size_t bytes = static_cast<std::size_t>(nchannel_) * (end - first);
    std::uint8_t* p = &image_.pixel[nchannel_ * (static_cast<std::size_t>(row) * image_.width + first)];
    for (std::size_t done = nchannel_; done < bytes; done *= 2) std::copy_n(p, std::min(done, bytes - done), p + done);
  }

 private:
  Image& image_;
  int nchannel_;
};

/// From rgb1 at -1 to rgb2 at 1, steepest in the middle.
spec::Reals<3> blend(const spec::Texture& in, double position) {
  const double s = 0.5 * (1 + position / std::sqrt(1 + position * position) * std::sqrt(2.0));
  const double second = std::clamp(s, 0.0, 1.0);
  spec::Reals<3> out;
  for (std::size_t k = 0; k < 3; ++k) out[k] = second * in.rgb2[k] + (1 - second) * in.rgb1[k];
  return out;
}

/// From -1 at the first of n pixels to 1 at the last.
double across(int i, int n) { return 2.0 * i / (n - 1) - 1; }

/// Elevation of the pixel's direction on the cube: -1 at the top, 1 at the bottom.
double descent(int face, double x, double y) {
  const double up = kFaceLetters[face] == 'U' ? 1 : face == kDown ? -1 : -y;
  return -elementary::asin(up / std::sqrt(1 + x * x + y * y)) / (0.5 * kPi);
}

/// Color of a pixel of a cube face or of a 2d texture; a checker has 2 x 2 squares.
spec::Reals<3> pattern_at(const spec::Texture& in, const Image& image, int row, int c) {
  const bool flat2d = in.type == TextureType::Texture2D;
  const int side = flat2d ? image.height : image.width;
  const int face = flat2d ? 0 : row / side, r = flat2d ? row : row % side;
  switch (in.builtin) {
    case spec::TextureBuiltin::Gradient: {
      const double x = across(c, image.width), y = across(r, side);
      return blend(in, flat2d ? 2 * std::sqrt(x * x + y * y) - 1 : descent(face, x, y));
    }
    case spec::TextureBuiltin::Checker: {
      // front and back start with the other color, so that the pattern continues across the edges
      const bool odd = (r >= side / 2) != (c >= image.width / 2);
      return odd != (face >= 4) ? in.rgb2 : in.rgb1;
    }
    default: return face == kDown ? in.rgb2 : in.rgb1;
  }
}

void paint_pattern(const spec::Texture& in, Image& image) {
  Painter painter(image, in.nchannel);
  const int half = image.width / 2;
  for (int row = 0; row < image.height; ++row) {
    if (in.builtin == spec::TextureBuiltin::Gradient) {
      for (int c = 0; c < image.width; ++c) painter.set(row, c, pattern_at(in, image, row, c));
    } else {  // all others have one color in each half of a row
      painter.fill(row, 0, half, pattern_at(in, image, row, 0));
      painter.fill(row, half, image.width, pattern_at(in, image, row, half));
    }
  }
}

void paint_marks(const spec::Texture& in, Image& image) {
  if (in.mark == spec::TextureMark::None) return;
  Painter painter(image, in.nchannel);
  const int side = in.type == TextureType::Texture2D ? image.height : image.width;
  std::mt19937_64 random(42);  // MuJoCo's dots: the same on every machine
  const auto is_marked = [&](int r, int c) {
    switch (in.mark) {
      case spec::TextureMark::Edge: return r == 0 || c == 0 || r == side - 1 || c == image.width - 1;
      case spec::TextureMark::Cross: return r == side / 2 || c == image.width / 2;
      case spec::TextureMark::Random: return static_cast<double>(random()) * 0x1p-64 < in.random;
      case spec::TextureMark::None: break;
    }
    return false;
  };
  for (int row = 0; row < image.height; ++row)
    for (int c = 0; c < image.width; ++c)
      if (is_marked(row % side, c)) painter.set(row, c, in.markrgb);
}

bool check_side(Context& context, const Place& where, const char* attribute, int pixels) {
  if (pixels >= 1 && pixels <= limits::kTextureSide) return true;
  context.report.error(where, attribute,
                       "is " + std::to_string(pixels) + ", must be from 1 to " + std::to_string(limits::kTextureSide));
  return false;
}

/// Bytes of the pixels and of the model's copy.
double image_bytes(const Image& image, int nchannel) { return 2.0 * image.width * image.height * nchannel; }

Image paint_builtin(Context& context, const Place& where, const spec::Texture& in) {
  Image out;
  const bool flat2d = in.type == TextureType::Texture2D;
  if (!check_side(context, where, "width", in.width)) return out;
  if (flat2d && !check_side(context, where, "height", in.height)) return out;
  out.width = in.width;
  out.height = flat2d ? in.height : kFaces * in.width;
  if (std::int64_t{out.width} * out.height > limits::kTexturePixels) {
    context.report.error(where, "width",
                         "requests " + std::to_string(std::int64_t{out.width} * out.height) + " pixels, at most " +
                             std::to_string(limits::kTexturePixels) + " are allowed");
    return {};
  }
  context.builtin_pixels += std::int64_t{out.width} * out.height;
  if (context.builtin_pixels > limits::kBuiltinPixels) {
    context.report.error(where, "width",
                         "the builtin textures up to this one have " + std::to_string(context.builtin_pixels) +
                             " pixels, at most " + std::to_string(limits::kBuiltinPixels) + " are allowed");
    return {};
  }
  if (!context.take(where, "width", image_bytes(out, in.nchannel))) return {};
  out.pixel.resize(static_cast<std::size_t>(out.width) * out.height * in.nchannel);
  paint_pattern(in, out);
  paint_marks(in, out);
  return out;
}

void flip(const spec::Texture& in, Image& image) {
  const std::size_t n = in.nchannel, w = image.width, h = image.height;
  const Image original = image;
  for (std::size_t r = 0; r < h; ++r)
    for (std::size_t c = 0; c < w; ++c)
      std::copy_n(&original.pixel[n * ((in.vflip ? h - 1 - r : r) * w + (in.hflip ? w - 1 - c : c))], n,
                  &image.pixel[n * (r * w + c)]);
}

/// Whether a file is of this format: "png" or "ktx". A content type counts more than the name.
bool is_image(const spec::Texture& in, const std::string& file, std::string_view format) {
  if (!in.content_type.empty()) return in.content_type == "image/" + std::string(format);
  std::string extension = std::filesystem::path(file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension == "." + std::string(format);
}

/// The bytes of the file as a row of pixels with one channel, for a renderer that can read the format.
Image read_ktx(Context& context, const Place& where, const spec::Texture& in, const std::string& file) {
  Image out;
  if (in.hflip || in.vflip) {
    context.report.error(where, in.hflip ? "hflip" : "vflip", "'" + file + "' cannot be flipped");
    return out;
  }
  if (in.type != TextureType::Texture2D) {
    context.report.error(where, "type", "'" + file + "' cannot be divided into the faces of a cube",
                         "type 2d keeps it as it is");
    return out;
  }
  const std::string* content = read_asset(context, AssetKind::Texture, where, file);
  if (!content) return out;
  if (content->empty()) {
    context.report.error(where, "file", "'" + file + "' is empty");
    return out;
  }
  if (!context.take(where, "file", 2 * static_cast<double>(content->size()))) return out;
  out.width = static_cast<int>(content->size());  // a file has at most 2^30 bytes
  out.height = 1;
  out.nchannel = 1;
  out.colorspace = ColorSpace::Linear;
  out.pixel.assign(content->begin(), content->end());
  return out;
}

Image read_image(Context& context, const Place& where, const spec::Texture& in, const std::string& file) {
  Image out;
  if (is_image(in, file, "ktx")) return read_ktx(context, where, in, file);
  if (!is_image(in, file, "png")) {
    if (in.content_type.empty())
      context.report.error(where, "file", "'" + file + "' is neither a PNG nor a KTX file",
                           "other formats are not supported");
    else
      context.report.error(where, "content_type", "unsupported content type '" + in.content_type + "'",
                           "image/png or image/ktx");
    return out;
  }
  const std::string* content = read_asset(context, AssetKind::Texture, where, file);
  if (!content) return out;
  const std::vector<unsigned char> bytes(content->begin(), content->end());
  lodepng::State state;
  unsigned width = 0, height = 0;
  unsigned failure = lodepng_inspect(&width, &height, &state, bytes.data(), bytes.size());
  if (failure == 0 && (width > limits::kTextureSide || height > limits::kTextureSide)) {
    context.report.error(where, "file",
                         "'" + file + "' is " + std::to_string(width) + " x " + std::to_string(height) +
                             " pixels; a side may have at most " + std::to_string(limits::kTextureSide));
    return out;
  }
  if (failure == 0 && std::int64_t{width} * height > limits::kTexturePixels) {
    context.report.error(where, "file",
                         "'" + file + "' is " + std::to_string(width) + " x " + std::to_string(height) +
                             " pixels, at most " + std::to_string(limits::kTexturePixels) + " are allowed");
    return out;
  }
  out.width = static_cast<int>(width);
  out.height = static_cast<int>(height);
  if (failure == 0) {
    // the packed and unpacked image, and the requested channels; an image that unpacks to more is rejected
    const std::size_t unpacked = png_bytes(width, height, lodepng_get_bpp(&state.info_png.color));
    const double bytes = static_cast<double>(2 * unpacked) + image_bytes(out, in.nchannel);
    if (!context.take(where, "file", bytes)) return {};
    context.budget.give_back(static_cast<double>(2 * unpacked));  // as soon as the image is decoded
    state.decoder.zlibsettings.max_output_size = unpacked;
    state.decoder.read_text_chunks = 0;
  }
  state.info_raw.colortype = in.nchannel == 1 ? LCT_GREY : in.nchannel == 4 ? LCT_RGBA : LCT_RGB;
  state.info_raw.bitdepth = 8;
  if (failure == 0) failure = lodepng::decode(out.pixel, width, height, state, bytes);
  if (failure != 0) {
    context.report.error(where, "file", "'" + file + "' is not a valid PNG file: " + lodepng_error_text(failure));
    return {};
  }
  out.colorspace = state.info_png.srgb_defined ? ColorSpace::Srgb : ColorSpace::Linear;
  if (in.hflip || in.vflip) flip(in, out);
  return out;
}

/// Copies a square of `source` whose top left corner is (row, column) to face `face` of the cube.
void copy_face(const Image& source, int row, int column, int face, Image& cube, int nchannel) {
  const std::size_t n = nchannel, w = cube.width;
  for (std::size_t r = 0; r < w; ++r)
    std::copy_n(&source.pixel[n * ((row + r) * source.width + column)], n * w, &cube.pixel[n * (face * w + r) * w]);
}

Image empty_cube(int side, int nchannel) {
  Image cube;
  cube.width = side;
  cube.height = kFaces * side;
  cube.pixel.assign(static_cast<std::size_t>(side) * cube.height * nchannel, 0);
  return cube;
}

/// One square used for all faces, or a grid of faces whose letters are given by gridlayout.
Image cube_from_grid(Context& context, const Place& where, const spec::Texture& in, const Image& image) {
  const auto [rows, columns] = in.gridsize;
  if (rows < 1 || columns < 1 || rows * columns > 12 || image.height % rows || image.width % columns ||
      image.height / rows != image.width / columns) {
    context.report.error(where, "gridsize", "does not divide the image into at most 12 squares");
    return {};
  }
  if (rows * columns == 1) return image;
  const int side = image.width / columns;
  Image cube = empty_cube(side, in.nchannel);
  cube.colorspace = image.colorspace;
  for (int i = 0; i < rows * columns && i < static_cast<int>(in.gridlayout.size()); ++i) {
    if (in.gridlayout[i] == '.') continue;
    const std::size_t face = std::string_view(kFaceLetters).find(in.gridlayout[i]);
    if (face == std::string_view::npos) {
      context.report.error(where, "gridlayout", "may contain only the letters R L U D F B and dots");
      return {};
    }
    copy_face(image, i / columns * side, i % columns * side, static_cast<int>(face), cube, in.nchannel);
  }
  return cube;
}

Image cube_from_files(Context& context, const Place& where, const spec::Texture& in) {
  Image cube;
  for (int face = 0; face < kFaces; ++face) {
    if (in.cubefiles[face].empty()) continue;
    const Image image = read_image(context, where, in, in.cubefiles[face]);
    if (image.pixel.empty()) return {};
    if (cube.pixel.empty()) cube = empty_cube(image.width, in.nchannel);
    cube.colorspace = image.colorspace;
    if (image.width != image.height || image.width != cube.width) {
      context.report.error(where, "", "the images of a cube must be squares of the same size");
      return {};
    }
    copy_face(image, 0, 0, face, cube, in.nchannel);
  }
  return cube;
}

/// Pixels that the program gives; a cube has its faces below each other.
Image image_of_program(Context& context, const Place& where, const spec::Texture& in) {
  Image image;
  image.width = in.width;
  image.height = in.height;
  const double needed = static_cast<double>(in.width) * in.height * in.nchannel;
  if (in.width < 1 || in.height < 1 || static_cast<double>(in.data.size()) != needed) {
    context.report.error(where, "data",
                         fmt::format("has {} bytes, but width x height x nchannel is {} x {} x {}", in.data.size(),
                                     in.width, in.height, in.nchannel));
    return {};
  }
  if (!context.take(where, "data", image_bytes(image, in.nchannel))) return {};
  const auto* first = reinterpret_cast<const unsigned char*>(in.data.data());
  image.pixel.assign(first, first + in.data.size());
  return image;
}

Image make_texture(Context& context, const Place& where, const spec::Texture& in) {
  if (in.nchannel < 1 || in.nchannel > 4) {
    context.report.error(where, "nchannel", "must be from 1 to 4");
    return {};
  }
  if (in.builtin != spec::TextureBuiltin::None) return paint_builtin(context, where, in);
  const bool flat2d = in.type == TextureType::Texture2D;
  if (!in.file.empty()) {
    if (in.nchannel == 2) context.report.error(where, "nchannel", "must be 1, 3 or 4 for a file");
    Image image = read_image(context, where, in, in.file);
    return flat2d || image.pixel.empty() ? image : cube_from_grid(context, where, in, image);
  }
  if (!in.data.empty()) return image_of_program(context, where, in);
  Image cube = flat2d ? Image() : cube_from_files(context, where, in);
  if (cube.pixel.empty() && !context.report.failed())
    context.report.error(where, "", "needs a file or a builtin pattern");
  return cube;
}

}  // namespace

void compile_textures(Context& context) {
  for (const spec::Texture& in : context.spec.textures) {
    const Place where = place("texture", in);
    if (in.name.empty() && in.type != TextureType::Skybox)
      context.report.error(where, "name", "a texture needs a name, unless it is the skybox");
    Image image = make_texture(context, where, in);
    const ColorSpace colorspace = in.colorspace == ColorSpace::Auto ? image.colorspace : in.colorspace;
    const int nchannel = image.nchannel > 0 ? image.nchannel : in.nchannel;
    context.textures.push_back({image.width, image.height, nchannel, colorspace, std::move(image.pixel)});
  }
}

}  // namespace sinew::compiling
