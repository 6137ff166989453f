#include "render/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "math/vec3.h"

namespace sinew {
namespace {

/// Characters 32 to 126: seven rows from the top, each five bits as a digit in base 32 (0 to v), the left bit highest.
constexpr std::string_view kGlyphs =
    "0000000"
    "4444404"
    "aaa0000"
    "aavavaa"
    "4fke5u4"
    "op248j3"
    "cik8lid"
    "4480000"  // space ! " # $ % & '
    "2488842"
    "8422248"
    "04lel40"
    "044v440"
    "0000448"
    "000v000"
    "00000cc"
    "01248g0"  // ( ) * + , - . /
    "ehjlphe"
    "4c4444e"
    "eh1248v"
    "v2421he"
    "26aiv22"
    "vgu11he"
    "68guhhe"
    "v124888"  // 0 to 7
    "ehhehhe"
    "ehhf12c"
    "0cc0cc0"
    "0cc0c48"
    "248g842"
    "00v0v00"
    "8421248"
    "eh12404"  // 8 9 : ; < = > ?
    "eh1dlle"
    "ehhvhhh"
    "uhhuhhu"
    "ehggghe"
    "sihhhis"
    "vgguggv"
    "vgguggg"
    "ehgnhhf"  // @ A to G
    "hhhvhhh"
    "e44444e"
    "72222ic"
    "hikokih"
    "ggggggv"
    "hrllhhh"
    "hhpljhh"
    "ehhhhhe"  // H to O
    "uhhuggg"
    "ehhhlid"
    "uhhukih"
    "fgge11u"
    "v444444"
    "hhhhhhe"
    "hhhhha4"
    "hhhllla"  // P to W
    "hha4ahh"
    "hha4444"
    "v1248gv"
    "e88888e"
    "0g84210"
    "e22222e"
    "4ah0000"
    "000000v"  // X Y Z [ \ ] ^ _
    "8420000"
    "00e1fhf"
    "ggmphhu"
    "00egghe"
    "11djhhf"
    "00ehvge"
    "698s888"
    "0fhhf1e"  // ` a to g
    "ggmphhh"
    "40c444e"
    "20622ic"
    "ggikoki"
    "c44444e"
    "00qllhh"
    "00mphhh"
    "00ehhhe"  // h to o
    "00uhugg"
    "00djf11"
    "00mpggg"
    "00ege1u"
    "88s8896"
    "00hhhjd"
    "00hhha4"
    "00hhlla"  // p to w
    "00ha4ah"
    "00hhf1e"
    "00v248v"
    "2448442"
    "4444444"
    "8442448"
    "008l200";  // x y z { | } ~
constexpr int kRows = 7, kColumns = 5, kAdvance = 6, kLine = 10;
static_assert(kGlyphs.size() == 95 * kRows);

bool dot_of(char character, int row, int column) {
  const int i = std::clamp(static_cast<int>(static_cast<unsigned char>(character)), 32, 127) - 32;
  if (row < 0 || row >= kRows || column < 0 || column >= kColumns) return false;
  // what has no glyph is a box
  if (i >= 95) return row == 0 || row == kRows - 1 || column == 0 || column == kColumns - 1;
  const char digit = kGlyphs[static_cast<std::size_t>(i * kRows + row)];
  const int bits = digit <= '9' ? digit - '0' : digit - 'a' + 10;
  return (bits >> (kColumns - 1 - column)) & 1;
}

int pixels_per_dot(float scale) { return std::clamp(static_cast<int>(std::lround(scale)), 1, 64); }

}  // namespace

std::array<int, 2> text_size(std::string_view text, float scale) {
  const int n = pixels_per_dot(scale);
  int columns = 0, lines = 1, longest = 0;
  for (const char c : text) {
    columns = c == '\n' ? 0 : columns + 1;
    lines += c == '\n';
    longest = std::max(longest, columns);
  }
  return {longest * kAdvance * n, lines * kLine * n};
}

void draw_text(const Image& image, int x, int y, std::string_view text, float scale) {
  if (image.rgb.size() != 3 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height)) return;
  const int n = pixels_per_dot(scale);
  const auto set = [&](int px, int py, std::uint8_t value) {
    if (px < 0 || py < 0 || px >= image.width || py >= image.height) return;
    const auto at =
        3 * (static_cast<std::size_t>(py) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(px));
    for (std::size_t k = 0; k < 3; ++k) image.rgb[at + k] = value;
  };
  // the outline first, so that it does not cover neighboring characters
  for (const bool outline : {true, false}) {
    int left = x, base = y;
    for (const char c : text) {
      if (c == '\n') {
        left = x;
        base += kLine * n;
        continue;
      }
      for (int row = 0; row < kRows; ++row)
        for (int column = 0; column < kColumns; ++column) {
          if (!dot_of(c, row, column)) continue;
          const int grow = outline ? 1 : 0;
          for (int dy = -grow; dy < n + grow; ++dy)
            for (int dx = -grow; dx < n + grow; ++dx)
              set(left + column * n + dx, base + (row - kRows) * n + dy, outline ? 25 : 255);
        }
      left += kAdvance * n;
    }
  }
}

void render::draw_labels(const Scene& scene, const Image& image, float scale) {
  const SceneView view = average_view(scene.camera[0], scene.camera[1]);
  const CameraFrame eye = camera_in_model(scene);
  using Vec = Vec3<double>;
  const Vec pos = Vec::load(eye.pos.data()), forward = Vec::load(eye.forward.data()), up = Vec::load(eye.up.data()),
            right = Vec::load(eye.right.data());
  const double height = static_cast<double>(view.frustum_top) - view.frustum_bottom;
  const double half = view.frustum_width != 0 ? view.frustum_width : height / 2 * image.width / image.height;
  for (int i = 0; i < scene.ngeom && static_cast<std::size_t>(i) < scene.geoms.size(); ++i) {
    const SceneGeom& g = scene.geoms[static_cast<std::size_t>(i)];
    if (g.label[0] == 0) continue;
    const Vec to = Vec::load(g.pos.data()) - pos;
    const double depth = dot(to, forward), near = view.frustum_near;
    if (!(depth > near)) continue;
    const double shrink = view.orthographic ? 1 : near / depth;
    const double x = (dot(to, right) * shrink - view.frustum_center + half) / (2 * half) * image.width;
    const double y = (1 - (dot(to, up) * shrink - view.frustum_bottom) / height) * image.height;
    if (!(std::fabs(x) < 2 * kMostImageSide && std::fabs(y) < 2 * kMostImageSide)) continue;
    const std::string_view text(g.label.data(), std::find(g.label.begin(), g.label.end(), '\0') - g.label.begin());
    draw_text(image, static_cast<int>(x), static_cast<int>(y), text, scale);
  }
}

}  // namespace sinew
