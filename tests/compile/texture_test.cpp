#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "compile/compiled.h"

namespace sinew {
namespace {

using namespace testing_compile;
using testing::ElementsAre;
using testing::HasSubstr;

using Rgb = std::array<int, 3>;

Rgb pixel(const Model& m, int row, int column) {
  const std::size_t at = 3 * (static_cast<std::size_t>(row) * m.tex_width[0] + column);
  return {m.tex_data[at], m.tex_data[at + 1], m.tex_data[at + 2]};
}

Model texture(const std::string& attributes) {
  return compiled("<mujoco><asset><texture name='t' " + attributes + "/></asset></mujoco>");
}

TEST(BuiltinTexture, CheckerAlternatesByQuarters) {
  const Model m = texture("type='2d' builtin='checker' width='4' height='4' rgb1='0 .5 0' rgb2='1 1 1'");
  EXPECT_EQ(pixel(m, 0, 0), (Rgb{0, 127, 0}));
  EXPECT_EQ(pixel(m, 0, 3), (Rgb{255, 255, 255}));
  EXPECT_EQ(pixel(m, 3, 0), (Rgb{255, 255, 255}));
  EXPECT_EQ(pixel(m, 3, 3), (Rgb{0, 127, 0}));
}

TEST(BuiltinTexture, CubeAndSkyboxHaveSixFacesBelowOneAnother) {
  const Model m = texture("type='skybox' builtin='flat' width='2' height='99' rgb1='0 0 0' rgb2='1 1 1'");
  EXPECT_EQ(m.tex_width[0], 2);
  EXPECT_EQ(m.tex_height[0], 12);
  EXPECT_EQ(m.ntexdata, 2 * 12 * 3);
  EXPECT_EQ(pixel(m, 0, 0), (Rgb{0, 0, 0}));
  EXPECT_EQ(pixel(m, 6, 0), (Rgb{255, 255, 255}));  // the face below
}

TEST(BuiltinTexture, GradientLeadsFromTheMiddleOrTheTopToTheOtherEnd) {
  const Model flat = texture("type='2d' builtin='gradient' width='5' height='5' rgb1='0 0 0' rgb2='1 1 1'");
  EXPECT_EQ(pixel(flat, 2, 2), (Rgb{0, 0, 0}));
  EXPECT_EQ(pixel(flat, 2, 1), (Rgb{127, 127, 127}));
  EXPECT_EQ(pixel(flat, 0, 0), (Rgb{255, 255, 255}));
  const Model cube = texture("type='cube' builtin='gradient' width='4' rgb1='0 0 0' rgb2='1 1 1'");
  const Rgb top = pixel(cube, 9, 1), side_high = pixel(cube, 0, 1), side_low = pixel(cube, 3, 1),
            bottom = pixel(cube, 13, 1);
  EXPECT_LT(top[0], side_high[0]);
  EXPECT_LT(side_high[0], side_low[0]);
  EXPECT_LT(side_low[0], bottom[0]);
}

TEST(BuiltinTexture, MarksAreDrawnOverThePattern) {
  const Model edge = texture("type='2d' builtin='flat' width='5' height='5' rgb1='0 0 0' mark='edge' markrgb='1 0 0'");
  EXPECT_EQ(pixel(edge, 0, 2), (Rgb{255, 0, 0}));
  EXPECT_EQ(pixel(edge, 2, 2), (Rgb{0, 0, 0}));
  const Model cross =
      texture("type='2d' builtin='flat' width='5' height='5' rgb1='0 0 0' mark='cross' markrgb='1 0 0'");
  EXPECT_EQ(pixel(cross, 0, 2), (Rgb{255, 0, 0}));
  EXPECT_EQ(pixel(cross, 0, 0), (Rgb{0, 0, 0}));
  const Model dots = texture(
      "type='2d' builtin='flat' width='100' height='100' rgb1='0 0 0' mark='random' random='.2' markrgb='1 0 0'");
  const auto red = std::count(dots.tex_data.begin(), dots.tex_data.end(), 255);
  EXPECT_NEAR(red, 2000, 200);
}

TEST(BuiltinTexture, AbsurdSizesAreRefused) {
  for (const char* size : {"width='1000000' height='2'", "width='0' height='2'", "width='2'"}) {
    const Problem problem = refused("<mujoco><asset><texture name='t' type='2d' builtin='flat' " + std::string(size) +
                                    "/></asset></mujoco>");
    EXPECT_EQ(problem.element, "texture");
  }
}

/// A PNG of 2 x 1 pixels, red and green, made with Python's zlib.
constexpr unsigned char kPng[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
    0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x7b, 0x40, 0xe8, 0xdd, 0x00, 0x00, 0x00,
    0x0f, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xc0, 0xf0, 0x9f, 0x01, 0x00, 0x07, 0xff,
    0x01, 0xff, 0x01, 0x7f, 0x89, 0xa7, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
};

class PngTexture : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "two.png", std::ios::binary).write(reinterpret_cast<const char*>(kPng), sizeof(kPng));
    std::ofstream(folder_ / "broken.png", std::ios::binary)
        .write(reinterpret_cast<const char*>(kPng), sizeof(kPng) / 2);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string mjcf(const std::string& attributes) const {
    return "<mujoco><compiler texturedir='" + folder_.string() + "'/><asset><texture name='t' " + attributes +
           "/></asset></mujoco>";
  }
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("sinew_texture_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(PngTexture, IsReadFromTheTextureFolderAndFlipped) {
  const Model plain = compiled(mjcf("type='2d' file='two.png'"));
  EXPECT_EQ(plain.tex_width[0], 2);
  EXPECT_EQ(plain.tex_height[0], 1);
  EXPECT_EQ(pixel(plain, 0, 0), (Rgb{255, 0, 0}));
  EXPECT_EQ(plain.tex_colorspace[0], static_cast<int>(ColorSpace::Linear));
  const Model flipped = compiled(mjcf("type='2d' file='two.png' hflip='true'"));
  EXPECT_EQ(pixel(flipped, 0, 0), (Rgb{0, 255, 0}));
}

TEST_F(PngTexture, IsCutIntoFacesByTheGrid) {
  const Model cube = compiled(mjcf("type='cube' file='two.png' gridsize='1 2' gridlayout='UD'"));
  EXPECT_EQ(cube.tex_width[0], 1);
  EXPECT_EQ(cube.tex_height[0], 6);
  EXPECT_EQ(pixel(cube, 2, 0), (Rgb{255, 0, 0}));
  EXPECT_EQ(pixel(cube, 3, 0), (Rgb{0, 255, 0}));
}

TEST_F(PngTexture, ThatIsMissingBrokenOrOfAnotherKindIsRefused) {
  EXPECT_THAT(refused(mjcf("type='2d' file='none.png'")).message, HasSubstr("none.png"));
  EXPECT_THAT(refused(mjcf("type='2d' file='broken.png'")).message, HasSubstr("no valid PNG"));
  EXPECT_THAT(refused(mjcf("type='2d' file='sky.ktx'")).message, HasSubstr("not a PNG"));
  EXPECT_EQ(refused(mjcf("type='cube' file='two.png'")).attribute, "gridsize");
}

}  // namespace
}  // namespace sinew
