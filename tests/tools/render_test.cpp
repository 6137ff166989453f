#include <gmock/gmock.h>

#include <filesystem>

#include "tools/shell.h"

namespace sinew::test {
namespace {

using testing::HasSubstr;

using RenderCommand = Shell;

#ifdef SINEW_HAS_RENDER

TEST_F(RenderCommand, WritesPictures) {
  write("m.xml", kPendulum);
  const Outcome r = sinew("render m.xml --size 40x30 --time 0.1 -o a.png");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.err, HasSubstr("wrote a.png (40x30)"));
  EXPECT_EQ(read("a.png").substr(1, 3), "PNG");
  EXPECT_EQ(sinew("render m.xml --size 40x30 --key up --depth -o d.png").code, 0);
  EXPECT_THAT(read("d.png"), HasSubstr("millimeters"));
  EXPECT_EQ(sinew("render m.xml --size 40x30 --segment --show joint,com --labels body --frames world -o s.png").code,
            0);
}

TEST_F(RenderCommand, WritesNumberedFrames) {
  write("m.xml", kPendulum);
  // frames at 0, 0.1 and 0.2 s, at half speed
  ASSERT_EQ(sinew("render m.xml --size 16x16 --time 0.2 --fps 5 --speed 0.5 -o f_%03d.png").code, 0);
  for (const char* name : {"f_000.png", "f_001.png", "f_002.png"})
    EXPECT_TRUE(std::filesystem::exists(path(name))) << name;
  EXPECT_FALSE(std::filesystem::exists(path("f_003.png")));
  const Outcome r = sinew("run m.xml --steps 10 --video g%d.png --fps 50 --size 16x16");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.err, HasSubstr("wrote g%d.png (6 frames)"));
}

TEST_F(RenderCommand, RefusesWhatItCannotDraw) {
  write("m.xml", kPendulum);
  const auto expect = [&](const std::string& arguments, const char* text) {
    const Outcome r = sinew("render m.xml " + arguments);
    EXPECT_EQ(r.code, 1) << arguments;
    EXPECT_THAT(r.err, HasSubstr(text));
  };
  expect("-o a.jpg", "expected .png");
  expect("-o a.png --size 0x5", "expected WIDTHxHEIGHT");
  expect("-o a.png --size 99999x5", "1 to 16384");
  expect("-o a.png --size 16384x16385", "1 to 16384");
  expect("-o a.png --camera roof", "no camera \"roof\"");
  expect("-o a.png --show everything", "expected one of convexhull");
  expect("-o a.png --labels shoe", "expected one of none");
  expect("-o none/a.png", "cannot be written");
  expect("-o a%s.png", "frame_%06d.png");
  expect("-o a%d%d.png", "frame_%06d.png");
  // without ffmpeg in the path
  const Outcome r = [&] {
    const std::string before = std::getenv("PATH");
    setenv("PATH", "/nowhere", 1);
    Outcome out = sinew("render m.xml -o a.mp4");
    setenv("PATH", before.c_str(), 1);
    return out;
  }();
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.err, HasSubstr("apt install ffmpeg"));
  EXPECT_EQ(sinew("render m.xml -o a.png --depth --segment").code, 2);
}

#else

TEST_F(RenderCommand, SaysThatItIsMissing) {
  write("m.xml", kPendulum);
  const Outcome r = sinew("render m.xml -o a.png");
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.err, HasSubstr("libembree-dev"));
}

#endif

}  // namespace
}  // namespace sinew::test
