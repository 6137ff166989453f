#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>

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

TEST(BuiltinTexture, CheckerAlternatesByQuadrant) {
  const Model m = texture("type='2d' builtin='checker' width='4' height='4' rgb1='0 .5 0' rgb2='1 1 1'");
  EXPECT_EQ(pixel(m, 0, 0), (Rgb{0, 127, 0}));
  EXPECT_EQ(pixel(m, 0, 3), (Rgb{255, 255, 255}));
  EXPECT_EQ(pixel(m, 3, 0), (Rgb{255, 255, 255}));
  EXPECT_EQ(pixel(m, 3, 3), (Rgb{0, 127, 0}));
}

TEST(BuiltinTexture, CubeAndSkyboxStackSixFacesVertically) {
  const Model m = texture("type='skybox' builtin='flat' width='2' height='99' rgb1='0 0 0' rgb2='1 1 1'");
  EXPECT_EQ(m.tex_width[0], 2);
  EXPECT_EQ(m.tex_height[0], 12);
  EXPECT_EQ(m.ntexdata, 2 * 12 * 3);
  EXPECT_EQ(pixel(m, 0, 0), (Rgb{0, 0, 0}));
  EXPECT_EQ(pixel(m, 6, 0), (Rgb{255, 255, 255}));  // the next face
}

/// The first channel of every pixel.
std::vector<int> reds(const Model& m) {
  std::vector<int> out;
  for (std::size_t i = 0; i < m.tex_data.size(); i += 3) out.push_back(m.tex_data[i]);
  return out;
}

// MuJoCo 3.12.0, tex_data of the same texture.
TEST(BuiltinTexture, GradientHasMuJoCosBytes) {
  const Model flat = texture("type='2d' builtin='gradient' width='7' height='5' rgb1='0 0 0' rgb2='1 1 1'");
  EXPECT_THAT(reds(flat), testing::ElementsAreArray({255, 255, 255, 255, 255, 255, 255,  //
                                                     255, 227, 163, 127, 163, 227, 255,  //
                                                     255, 184, 70,  0,   70,  184, 255,  //
                                                     255, 227, 163, 127, 163, 227, 255,  //
                                                     255, 255, 255, 255, 255, 255, 255}));
  const Model cube = texture("type='cube' builtin='gradient' width='3' rgb1='0 0 0' rgb2='1 1 1'");
  EXPECT_THAT(reds(cube), testing::ElementsAreArray(
                              {61, 46, 61, 127, 127, 127, 193, 208, 193, 61,  46,  61,  127, 127, 127, 193, 208, 193,
                               61, 46, 61, 46,  0,   46,  61,  46,  61,  193, 208, 193, 208, 255, 208, 193, 208, 193,
                               61, 46, 61, 127, 127, 127, 193, 208, 193, 61,  46,  61,  127, 127, 127, 193, 208, 193}));
}

// MuJoCo 3.12.0, FNV-1a over tex_data.
TEST(BuiltinTexture, EveryPatternWithMarksHasMuJoCosBytes) {
  struct Golden {
    const char* attributes;
    std::size_t bytes;
    std::uint64_t hash;
  };
  constexpr Golden kGoldens[] = {
      {"type='2d' builtin='gradient' width='17' height='11' rgb1='0.3 0.5 0.7' rgb2='0.9 0.35 0'", 561,
       0x15d21b328c426140ull},
      {"type='cube' builtin='gradient' width='13' rgb1='0.3 0.5 0.7' rgb2='0 0 0'", 3042, 0x6e10fe5e8236d2e2ull},
      {"type='2d' builtin='checker' width='7' height='5' mark='edge' rgb1='0.2 0.3 0.4' rgb2='0.1 0.2 0.3' "
       "markrgb='0.8 0.8 0.8'",
       105, 0xf9db39bc4815cb33ull},
      {"type='cube' builtin='checker' width='5' mark='random' random='0.2' rgb1='0.2 0.3 0.4' markrgb='1 1 1'", 450,
       0x53735b758ad9a363ull},
      {"type='skybox' builtin='flat' width='6' mark='cross' markrgb='1 0 0' rgb1='0 1 0'", 648, 0x13d8bacb8f9625edull}};
  for (const Golden& golden : kGoldens) {
    const Model m = texture(golden.attributes);
    std::uint64_t hash = 14695981039346656037ull;
    for (const std::uint8_t byte : m.tex_data) hash = (hash ^ byte) * 1099511628211ull;
    EXPECT_EQ(m.tex_data.size(), golden.bytes) << golden.attributes;
    EXPECT_EQ(hash, golden.hash) << golden.attributes;
  }
}

TEST(BuiltinTexture, AbsurdSizesAreRefused) {
  for (const char* size :
       {"width='1000000' height='2'", "width='0' height='2'", "width='2'", "width='16000' height='16000'"}) {
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

TEST_F(PngTexture, IsSplitIntoFacesByTheGrid) {
  const Model cube = compiled(mjcf("type='cube' file='two.png' gridsize='1 2' gridlayout='UD'"));
  EXPECT_EQ(cube.tex_width[0], 1);
  EXPECT_EQ(cube.tex_height[0], 6);
  EXPECT_EQ(pixel(cube, 2, 0), (Rgb{255, 0, 0}));
  EXPECT_EQ(pixel(cube, 3, 0), (Rgb{0, 255, 0}));
}

TEST_F(PngTexture, MissingBrokenOrUnsupportedFilesAreRefused) {
  EXPECT_THAT(refused(mjcf("type='2d' file='none.png'")).message, HasSubstr("none.png"));
  EXPECT_THAT(refused(mjcf("type='2d' file='broken.png'")).message, HasSubstr("not a valid PNG"));
  EXPECT_THAT(refused(mjcf("type='2d' file='sky.bmp'")).message, HasSubstr("neither a PNG nor a KTX file"));
  EXPECT_EQ(refused(mjcf("type='2d' file='two.png' content_type='image/gif'")).attribute, "content_type");
  EXPECT_EQ(refused(mjcf("type='cube' file='two.png'")).attribute, "gridsize");
}

/// Loads a texture whose file is given here.
Result<Model> with_file(const std::string& attributes, const std::string& content) {
  const std::map<std::string, std::string> files = {{"sky.ktx", content}};
  LoadOptions options;
  options.files = &files;
  return load_string("<mujoco><asset><texture name='t' file='sky.ktx' " + attributes + "/></asset></mujoco>", options);
}

TEST(KtxTexture, KeepsTheBytesOfTheFile) {
  const std::string content("\xabKTX 20\xbb\0\x01", 10);
  const Model m = with_file("type='2d'", content).value_or_throw();
  EXPECT_EQ(m.tex_width[0], 10);
  EXPECT_EQ(m.tex_height[0], 1);
  EXPECT_EQ(m.tex_nchannel[0], 1);
  EXPECT_EQ(m.tex_colorspace[0], static_cast<int>(ColorSpace::Linear));
  EXPECT_EQ(std::string(m.tex_data.begin(), m.tex_data.end()), content);
  EXPECT_TRUE(with_file("type='2d' content_type='image/ktx' nchannel='4'", content));
}

TEST(KtxTexture, IsRefusedWhereItsPixelsAreNeeded) {
  const auto message = [](const char* attributes, const char* content) {
    const Result<Model> model = with_file(attributes, content);
    return model ? std::string("accepted") : model.error().text();
  };
  EXPECT_THAT(message("type='2d' hflip='true'", "x"), HasSubstr("cannot be flipped"));
  EXPECT_THAT(message("type='2d' vflip='true'", "x"), HasSubstr("cannot be flipped"));
  EXPECT_THAT(message("type='2d'", ""), HasSubstr("is empty"));
  EXPECT_THAT(message("type='cube'", "x"), HasSubstr("faces of a cube"));
  EXPECT_THAT(message("type='skybox'", "x"), HasSubstr("faces of a cube"));
  EXPECT_THAT(message("type='2d' content_type='image/png'", "x"), HasSubstr("not a valid PNG"));
  EXPECT_THAT(message("type='2d' content_type='image/gif'", "x"), HasSubstr("unsupported content type 'image/gif'"));
}

}  // namespace
}  // namespace sinew
