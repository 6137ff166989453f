#include "sinew/render.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "sinew/sinew.h"
#include "temp_folder.h"

namespace sinew {
namespace {

/// A model in its initial state, its scene and one picture of it.
struct Studio {
  explicit Studio(const std::string& xml, const RenderOptions& options = {})
      : m(load_string(xml).value_or_throw()), d(m), scene(m), renderer(m, options) {
    EXPECT_TRUE(forward(m, d));
    camera = default_free_camera(m);
    if (m.ncam > 0) {
      camera.type = kCameraFixed;
      camera.fixedcamid = 0;
    }
  }

  void draw(int w, int h) {
    width = w;
    const auto pixels = static_cast<std::size_t>(w) * static_cast<std::size_t>(h);
    rgb.assign(3 * pixels, 7);
    depth.assign(pixels, -7);
    segment.assign(pixels, -7);
    const RenderFlags flags = scene.flags;
    ASSERT_TRUE(update_scene(m, d, option, nullptr, camera, kSceneAll, scene));
    scene.flags = flags;
    renderer.render(scene, {w, h, rgb, depth, segment});
  }

  std::size_t at(int x, int y) const { return static_cast<std::size_t>(y * width + x); }
  int red(int x, int y) const { return rgb[3 * at(x, y)]; }
  int green(int x, int y) const { return rgb[3 * at(x, y) + 1]; }
  int blue(int x, int y) const { return rgb[3 * at(x, y) + 2]; }
  /// Name of the geom at a pixel.
  std::string geom(int x, int y) const {
    const int id = segment[at(x, y)];
    if (id < 0) return "";
    return std::string(m.name(ObjType::Geom, scene.geoms[static_cast<std::size_t>(id)].objid));
  }

  Model m;
  Data d;
  Scene scene;
  SceneOption option;
  SceneCamera camera;
  Renderer renderer;
  int width = 0;
  std::vector<std::uint8_t> rgb;
  std::vector<float> depth;
  std::vector<std::int32_t> segment;
};

/// A world seen from z = 5 m, looking down: x to the right, y up, 90 degrees.
std::string from_above(const std::string& inside, const std::string& head = "") {
  return "<mujoco>" + head + R"(<worldbody><camera pos="0 0 5" fovy="90"/>)" + inside + "</worldbody></mujoco>";
}

/// All light is even: the color of a surface is that of its material, whatever its normal.
const std::string kEvenLight =
    R"(<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/><global fovy="90"/></visual>)";

TEST(Render, SphereHasItsDepthAndArea) {
  Studio s(from_above(R"(<geom name="ball" size="1"/>)"));
  s.draw(201, 201);
  EXPECT_NEAR(s.depth[s.at(100, 100)], 4, 1e-5);
  EXPECT_EQ(s.geom(100, 100), "ball");
  EXPECT_EQ(s.geom(0, 0), "");
  EXPECT_FLOAT_EQ(s.depth[0], static_cast<float>(s.m.vis.map.zfar * s.m.stat.extent));
  // its outline is a cone of tan² = r²/(z² - r²)
  int inside = 0;
  for (const int id : s.segment) inside += id >= 0;
  EXPECT_NEAR(inside, std::numbers::pi / 24 * 100.5 * 100.5, 20);
}

TEST(Render, PlaneInAnOrthographicPicture) {
  Studio s(R"(<mujoco><worldbody><camera pos="0 0 5" projection="orthographic" fovy="4"/>
    <geom name="slope" type="plane" size="1 1 1" zaxis="1 0 1"/></worldbody></mujoco>)");
  s.draw(64, 64);
  // z = -x, a pixel is 1/16 m; the plane reaches to |x| = 0.707
  for (const int x : {22, 32, 41}) EXPECT_NEAR(s.depth[s.at(x, 30)], 5 + (x + 0.5) / 16 - 2, 1e-4) << x;
  EXPECT_EQ(s.geom(20, 30), "");
  EXPECT_EQ(s.geom(21, 30), "slope");
}

TEST(Render, IntrinsicsPlaceThePicture) {
  // the principal point is a quarter of the sensor to the left of its middle
  Studio s(R"(<mujoco><worldbody><camera pos="0 0 5" resolution="100 100" sensorsize="0.02 0.02" focal="0.02 0.02"
    principal="0.005 0"/><geom name="ball" size="0.2"/></worldbody></mujoco>)");
  s.draw(100, 100);
  double x = 0, n = 0;
  for (std::size_t i = 0; i < s.segment.size(); ++i)
    if (s.segment[i] >= 0) x += static_cast<double>(i % 100) + 0.5, ++n;
  const CameraFrustum f = [&] {
    CameraFrustum out;
    EXPECT_TRUE(camera_frustum(s.m, s.camera, out));
    return out;
  }();
  EXPECT_NEAR(x / n, 100 * f.left / (f.left + f.right), 0.2);
  EXPECT_NEAR(x / n, 25, 0.2);
}

TEST(Render, ShapesAreWhereTheyAre) {
  Studio s(from_above(R"(
    <geom name="box" type="box" size=".4 .4 .4" pos="-3 3 0" euler="0 0 30"/>
    <geom name="capsule" type="capsule" size=".3 .5" pos="0 3 0" euler="90 0 0"/>
    <geom name="cylinder" type="cylinder" size=".4 .2" pos="3 3 0"/>
    <geom name="ellipsoid" type="ellipsoid" size=".5 .3 .2" pos="-3 0 0"/>
    <geom name="mesh" type="mesh" mesh="wedge" pos="3 0 0"/>
    <geom name="hill" type="hfield" hfield="hill" pos="0 -3 0"/>)",
                      R"(<asset><mesh name="wedge" vertex="-.5 -.5 0  .5 -.5 0  0 .5 0  0 0 1"/>
      <hfield name="hill" nrow="2" ncol="2" elevation="0 0 1 1" size="1 1 .5 .1"/></asset>)"));
  s.draw(100, 100);
  const auto expect = [&](const char* name, double x, double y, double z) {
    const double height = 5 - z;
    const int i = static_cast<int>(50 + 50 * x / height), j = static_cast<int>(50 - 50 * y / height);
    EXPECT_EQ(s.geom(i, j), name);
    EXPECT_NEAR(s.depth[s.at(i, j)], height, 0.03) << name;
  };
  expect("box", -3, 3, 0.4);
  expect("capsule", 0, 3, 0.3);
  expect("capsule", 0, 3.4, 0.3);
  expect("cylinder", 3.2, 3, 0.2);
  expect("ellipsoid", -3, 0, 0.2);
  // the mesh frame is at its center of mass, 1/4 of its height
  EXPECT_EQ(s.geom(80, 50), "mesh");
  expect("hill", 0, -3.9, 0.48);  // the first row of an attribute is at +y
  expect("hill", 0, -2.1, 0.02);
}

TEST(Render, ColorsAreLitTexturedAndShadowed) {
  Studio s(from_above(
      R"(<light type="directional" pos="0 0 3" dir="0 0 -1" diffuse=".5 .5 .5" specular="0 0 0" ambient="0 0 0"/>
    <geom name="floor" type="plane" size="4 4 1" rgba="1 .5 0 1"/>
    <geom name="roof" type="box" size=".5 .5 .01" pos="0 0 1" rgba="0 0 1 1"/>)",
      R"(<visual><headlight ambient=".2 .2 .2" diffuse="0 0 0" specular="0 0 0"/></visual>)"));
  s.draw(101, 101);
  EXPECT_EQ(s.geom(10, 10), "floor");
  EXPECT_NEAR(s.red(10, 10), 255 * 0.7, 1);
  EXPECT_NEAR(s.green(10, 10), 255 * 0.35, 1);
  EXPECT_EQ(s.blue(10, 10), 0);
  EXPECT_NEAR(s.blue(50, 50), 255 * 0.7, 1);  // the roof

  // the shadow is under the roof: look from the side
  Studio side(R"(<mujoco><visual><headlight ambient=".2 .2 .2" diffuse="0 0 0" specular="0 0 0"/></visual><worldbody>
    <camera pos="0 -5 1" xyaxes="1 0 0 0 .3 1" fovy="60"/>
    <light type="directional" pos="0 0 3" dir="0 0 -1" diffuse=".5 .5 .5" specular="0 0 0" ambient="0 0 0"/>
    <geom name="floor" type="plane" size="4 4 1" rgba="1 1 1 1"/>
    <geom name="roof" type="box" size=".5 .5 .01" pos="0 0 1.5"/></worldbody></mujoco>)");
  const auto floor_at = [&](double y, bool shadow) {
    // projection of (0, y, 0): forward is (0, 1, -.3) and up (0, .3, 1), both over their length
    const double up = std::sqrt(1 + 0.09);
    const double forward = ((y + 5) * 1 + 1 * 0.3) / up, above = ((y + 5) * 0.3 - 1) / up;
    const int j = static_cast<int>(100 * (1 - above / forward / std::tan(std::numbers::pi / 6)));
    side.scene.flags[kRenderShadow] = shadow;
    side.draw(201, 201);
    EXPECT_EQ(side.geom(100, j), "floor");
    return side.red(100, j);
  };
  EXPECT_NEAR(floor_at(0, true), 255 * 0.2, 1);
  EXPECT_NEAR(floor_at(0, false), 255 * 0.7, 1);
  EXPECT_NEAR(floor_at(-1, true), 255 * 0.7, 1);
}

TEST(Render, TexturesAreTheRightWayUp) {
  // one texel of four is red: row 0, column 0 of the image, which is at the lower left of a plane's own (u, 1 - v)
  Model m =
      load_string(from_above(R"(<geom type="plane" size="2 2 1" material="four"/>)",
                             kEvenLight + R"(<asset><texture name="four" type="2d" builtin="flat" width="2" height="2"
      rgb1="0 1 0"/><material name="four" texture="four"/></asset>)"))
          .value_or_throw();
  m.tex_data[0] = 255;
  m.tex_data[1] = 0;
  Data d(m);
  ASSERT_TRUE(forward(m, d));
  Scene scene(m);
  SceneCamera camera;
  camera.type = kCameraFixed;
  camera.fixedcamid = 0;
  ASSERT_TRUE(update_scene(m, d, {}, nullptr, camera, kSceneAll, scene));
  std::vector<std::uint8_t> rgb(3 * 100 * 100);
  Renderer renderer(m);
  renderer.render(scene, {100, 100, rgb, {}, {}});
  const auto red = [&](int x, int y) { return rgb[static_cast<std::size_t>(3 * (100 * y + x))] > 128; };
  // the plane covers pixels 30 to 70; u = (x + 2)/4, v = 1 - (y + 2)/4, so v = 0 is at the top
  EXPECT_TRUE(red(40, 40));
  EXPECT_FALSE(red(60, 40));
  EXPECT_FALSE(red(40, 60));
  EXPECT_FALSE(red(60, 60));

  // an edited texture is drawn after its upload
  m.tex_data[1] = 255;
  m.tex_data[0] = 0;
  renderer.render(scene, {100, 100, rgb, {}, {}});
  EXPECT_TRUE(red(40, 40));
  renderer.upload_texture(m, 0);
  renderer.render(scene, {100, 100, rgb, {}, {}});
  EXPECT_FALSE(red(40, 40));
  EXPECT_THROW(renderer.upload_texture(m, 1), Exception);
  EXPECT_THROW(renderer.upload_mesh(m, 0), Exception);
  EXPECT_THROW(renderer.upload_hfield(m, -1), Exception);
}

TEST(Render, TransparencyCoversAsInMujoco) {
  Studio s(from_above(R"(<geom type="plane" size="2 2 1" rgba="1 0 0 1"/>
    <geom name="glass" size=".5" pos="0 0 2" rgba="0 1 0 .5"/>)",
                      kEvenLight));
  s.draw(101, 101);
  // drawn twice: 1 - (1 - 0.5)² = 3/4
  EXPECT_NEAR(s.red(50, 50), 255 * 0.25, 1);
  EXPECT_NEAR(s.green(50, 50), 255 * 0.75, 1);
  EXPECT_EQ(s.geom(50, 50), "glass");  // solid in depth and segments
  EXPECT_NEAR(s.depth[s.at(50, 50)], 2.5, 1e-4);
  s.scene.flags[kRenderAdditive] = 1;
  s.draw(101, 101);
  EXPECT_EQ(s.red(50, 50), 255);
  EXPECT_NEAR(s.green(50, 50), 127, 1);
}

TEST(Render, TheFirstMirrorReflects) {
  // from above, the mirror shows the ball's underside where the ball itself is not seen
  Studio s(R"(<mujoco>)" + kEvenLight +
           R"(<asset><material name="mirror" rgba="0 0 1 1" reflectance=".5"/></asset><worldbody>
    <camera pos="0 -3 2" xyaxes="1 0 0 0 2 3" fovy="60"/>
    <geom name="mirror" type="plane" size="5 5 1" material="mirror"/>
    <geom name="ball" size=".3" pos="0 0 .6" rgba="1 0 0 1"/></worldbody></mujoco>)");
  s.draw(101, 101);
  int mirrored = 0;
  for (int y = 0; y < 101; ++y)
    if (s.geom(50, y) == "mirror" && s.red(50, y) > 100) ++mirrored;
  EXPECT_GT(mirrored, 5);
  s.scene.flags[kRenderReflection] = 0;
  s.draw(101, 101);
  int left = 0;
  for (int y = 10; y < 91; ++y)
    if (s.geom(50, y) == "mirror" && s.geom(50, y - 2) == "mirror" && s.geom(50, y + 2) == "mirror")
      left += s.red(50, y) > 0;
  EXPECT_EQ(left, 0);
}

TEST(Render, SkyFogAndSegmentColors) {
  Studio s(
      R"(<mujoco><asset><texture type="skybox" builtin="gradient" rgb1="0 0 1" rgb2="1 0 0" width="32" height="32"/></asset>
    <worldbody><camera pos="0 -5 0" xyaxes="1 0 0 0 0 1"/><geom size="1"/></worldbody></mujoco>)");
  s.draw(60, 60);
  EXPECT_GT(s.blue(1, 1), s.blue(1, 58));  // rgb1 is above
  s.scene.flags[kRenderSkybox] = 0;
  s.draw(60, 60);
  EXPECT_EQ(s.blue(1, 1), 0);
  s.scene.flags[kRenderFog] = 1;
  s.m.vis.map.fogstart = 0;
  s.m.vis.map.fogend = 0.001f;
  s.m.vis.rgba.fog = {0, 1, 0, 1};
  s.renderer = Renderer(s.m);
  s.draw(60, 60);
  EXPECT_EQ(s.green(30, 30), 255);
  s.scene.flags[kRenderSegment] = s.scene.flags[kRenderIdColor] = 1;
  s.draw(60, 60);
  EXPECT_EQ(s.red(30, 30), 1);  // segid + 1
  EXPECT_EQ(s.red(1, 1), 0);
}

TEST(Render, EdgesAreSmooth) {
  const std::string xml = from_above(R"(<geom type="box" size="1 1 1" euler="0 0 20" rgba="1 1 1 1"/>)", kEvenLight);
  const auto shades = [&](int samples) {
    Studio s(xml, {.threads = 1, .samples = samples});
    s.draw(64, 64);
    int between = 0;
    for (const std::uint8_t x : s.rgb) between += x != 0 && x != 255;
    return between;
  };
  EXPECT_EQ(shades(1), 0);
  EXPECT_GT(shades(4), 100);
}

constexpr const char* kRoom = R"(<mujoco><asset>
    <texture name="t" type="2d" builtin="checker" width="64" height="64" rgb1=".2 .3 .4" rgb2=".5 .4 .3"/>
    <texture type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="64" height="64"/>
    <texture name="c" type="cube" builtin="flat" mark="cross" rgb1=".8 .6 .4" markrgb="1 1 1" width="32" height="32"/>
    <material name="floor" texture="t" texrepeat="2 2" texuniform="true" reflectance=".3"/>
    <material name="cross" texture="c"/>
    <mesh name="wedge" vertex="-.5 -.5 0  .5 -.5 0  0 .5 0  0 0 1"/></asset>
  <worldbody><light pos="1 1 4" dir="-.2 -.2 -1"/><geom type="plane" size="0 0 1" material="floor"/>
    <body pos="0 0 1"><freejoint/><geom type="capsule" size=".2 .4" material="cross"/>
      <geom type="mesh" mesh="wedge" pos="1 0 0"/><geom size=".3" pos="-1 0 0" rgba="0 1 0 .4"/></body>
  </worldbody></mujoco>)";

TEST(Render, ThreadsAndJobsDoNotChangePixels) {
  Studio one(kRoom), many(kRoom, {.threads = 4, .samples = -1});
  one.draw(123, 77);
  many.draw(123, 77);
  EXPECT_EQ(one.rgb, many.rgb);
  EXPECT_EQ(one.depth, many.depth);
  EXPECT_EQ(one.segment, many.segment);
  // several scenes at once, the second with another camera
  std::vector<std::uint8_t> a(one.rgb.size()), b(3 * 20 * 30), c(3 * 20 * 30);
  Scene second(many.m);
  SceneCamera camera = default_free_camera(many.m);
  camera.azimuth = 10;
  ASSERT_TRUE(update_scene(many.m, many.d, {}, nullptr, camera, kSceneAll, second));
  const RenderJob jobs[] = {{&many.scene, {123, 77, a, {}, {}}}, {&second, {20, 30, b, {}, {}}}};
  many.renderer.render(jobs);
  one.renderer.render(second, {20, 30, c, {}, {}});
  EXPECT_EQ(a, one.rgb);
  EXPECT_EQ(b, c);
}

TEST(Render, WorldsOfABatchAreDrawnAsAlone) {
  const Model m = load_string(R"(<mujoco><worldbody><camera name="up" pos="0 0 5" fovy="90"/>
    <camera pos="0 -5 .5" xyaxes="1 0 0 0 0 1"/><light pos="0 0 4"/><geom type="plane" size="3 3 1"/>
    <body pos="0 0 .5"><joint type="slide" axis="1 0 0"/><geom name="ball" size=".4"/></body></worldbody></mujoco>)")
                      .value_or_throw();
  Batch batch(m, 3);
  for (std::size_t i = 0; i < 3; ++i) batch.qpos[i] = static_cast<double>(i) - 1;
  constexpr int kSide = 24;
  constexpr std::size_t kPixels = kSide * kSide;
  std::vector<SceneCamera> cameras(2);
  for (int c = 0; c < 2; ++c) cameras[static_cast<std::size_t>(c)].type = kCameraFixed;
  cameras[0].fixedcamid = 0;
  cameras[1].fixedcamid = 1;
  const auto draw = [&](int threads, const Worlds& which, std::vector<std::uint8_t>& rgb) {
    std::vector<float> depth(6 * kPixels);
    std::vector<std::int32_t> objects(12 * kPixels, 7);
    Renderer renderer(m, {.threads = threads, .samples = -1});
    renderer.render(batch, cameras, {}, {kSide, kSide, rgb, depth, objects}, which);
    return std::pair(depth, objects);
  };
  std::vector<std::uint8_t> rgb(18 * kPixels, 7), again = rgb, one = rgb;
  const auto [depth, objects] = draw(1, {}, rgb);
  draw(3, {}, again);
  EXPECT_EQ(rgb, again);
  const std::vector<int> last = {2};
  draw(2, Worlds::list(last), one);
  EXPECT_EQ(one[0], 7);  // the others keep their pictures
  EXPECT_EQ(one[12 * kPixels - 1], 7);
  EXPECT_TRUE(std::equal(one.begin() + 12 * kPixels, one.end(), rgb.begin() + 12 * kPixels));

  Renderer renderer(m);
  Scene scene(m);
  Data d(m);
  for (std::size_t k = 0; k < 6; ++k) {
    d.qpos[0] = static_cast<double>(k / 2) - 1;
    ASSERT_TRUE(forward(m, d));
    ASSERT_TRUE(update_scene(m, d, {}, nullptr, cameras[k % 2], kSceneAll, scene));
    std::vector<std::uint8_t> alone(3 * kPixels);
    std::vector<float> alone_depth(kPixels);
    renderer.render(scene, {kSide, kSide, alone, alone_depth, {}});
    const auto at = static_cast<std::ptrdiff_t>(k * kPixels);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), rgb.begin() + 3 * at)) << k;
    EXPECT_TRUE(std::equal(alone_depth.begin(), alone_depth.end(), depth.begin() + at)) << k;
  }
  // the ball is left of, under and right of the first camera: pixel 12 + 24 x / (2 (5 - .5 - .4)) or so
  for (std::size_t world = 0; world < 3; ++world) {
    const std::size_t pixel = 2 * world * kPixels + 12 * kSide + std::array<std::size_t, 3>{9, 12, 14}[world];
    EXPECT_EQ(objects[2 * pixel], m.id(ObjType::Geom, "ball")) << world;
    EXPECT_EQ(objects[2 * pixel + 1], static_cast<int>(ObjType::Geom));
  }

  // a world with a mass of its own has a model of its own; wrong sizes are refused
  batch.vary("geom_size");
  std::get<std::span<double>>(batch.varied()[0].values)[3] = 0.8;  // the ball of world 0
  draw(2, {}, again);
  EXPECT_NE(rgb, again);
  EXPECT_TRUE(std::equal(again.begin() + 6 * kPixels, again.end(), rgb.begin() + 6 * kPixels));
  again.pop_back();
  EXPECT_THROW(draw(1, {}, again), Exception);
}

TEST(Render, WireframesShowEdgesAndWhatIsBehind) {
  // a plane of 4 x 4 quads in front of a wall: lines at x = -2 -1 0 1 2, 10 pixels apart
  Studio s(from_above(
               R"(<geom name="front" type="plane" size="2 2 1" rgba="1 0 0 1"/>
    <geom name="wall" type="mesh" mesh="wall" pos="0 0 -1"/>)",
               kEvenLight +
                   R"(<asset><mesh name="wall" vertex="-4.05 -4.05 0  4.05 -4.05 0  4.05 4.05 0  -4.05 4.05 0  0 0 -1"
                      face="0 1 2  0 2 3  1 0 4  2 1 4  3 2 4  0 3 4"/></asset>)"),
           {.threads = 1, .samples = 1});
  s.scene.flags[kRenderWireframe] = 1;
  s.draw(101, 101);
  const auto seen = [&](int x, int y) { return s.red(x, y) == 0 ? ' ' : s.green(x, y) == 0 ? 'f' : 'w'; };
  EXPECT_EQ(seen(50, 35), 'f');  // the line x = 0
  EXPECT_EQ(seen(60, 35), 'f');
  EXPECT_EQ(seen(55, 32), ' ');        // neither a line of the plane nor the diagonal of the wall
  EXPECT_EQ(s.geom(55, 32), "front");  // segments are solid
  EXPECT_NEAR(s.depth[s.at(55, 32)], 5, 1e-4);
  int front = 0, wall = 0;
  for (int y = 0; y < 101; ++y)
    for (int x = 0; x < 101; ++x) front += seen(x, y) == 'f', wall += seen(x, y) == 'w';
  EXPECT_NEAR(front, 10 * 40, 60);     // 5 lines each way, 40 pixels long
  EXPECT_NEAR(wall, 4 * 68 + 68, 80);  // four sides and the diagonal, which covers one pixel per row
  s.scene.flags[kRenderWireframe] = 0;
  s.draw(101, 101);
  EXPECT_EQ(seen(55, 32), 'f');
}

TEST(Render, ShadowsOfSpotsFallInASquare) {
  // a spot above the middle, shadows within tan(27 deg) of its height: a square with corners beyond that of a cone
  Studio s(from_above(R"(<light pos="0 0 4" dir="0 0 -1" diffuse=".8 .8 .8" ambient="0 0 0" specular="0 0 0"/>
    <geom name="floor" type="plane" size="4 4 1"/>
    <geom name="tile" type="box" size=".1 .1 .01" pos=".8 .8 2"/>
    <geom name="far" type="box" size=".1 .1 .01" pos="1.2 0 2"/>)",
                      R"(<visual><headlight active="0"/></visual><statistic extent="5"/>)"));
  s.draw(101, 101);
  const auto floor_at = [&](double x, double y) {
    const int i = static_cast<int>(50.5 + 10.1 * x), j = static_cast<int>(50.5 - 10.1 * y);
    EXPECT_EQ(s.geom(i, j), "floor");
    return s.red(i, j);
  };
  EXPECT_EQ(floor_at(1.65, 1.65), 0);   // shadow of the tile; the square reaches to 2.04
  EXPECT_GT(floor_at(1.65, -1.65), 0);  // nothing there
  EXPECT_GT(floor_at(2.45, 0), 0);      // behind the other one
}

TEST(Render, RaysMeetWhatIsThere) {
  Studio s(kRoom);
  s.draw(8, 8);
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> from = {-1, 0, 5, 0, 0, 1, 0, 0, 5, 0, 0, 0, 0, 0, 0};
  const std::vector<float> to = {0, 0, -1, 0, 0, -2, 0, 0, 1, 0, 0, 0, inf, 0, 1};
  std::vector<SceneRayHit> hits(5);
  s.renderer.cast(s.scene, from, to, hits);
  EXPECT_NEAR(hits[0].distance, 3.7, 1e-5);  // the transparent ball
  EXPECT_NEAR(hits[0].normal[2], 1, 1e-5);
  EXPECT_NEAR(hits[1].distance, 0.3, 1e-5);  // from inside the capsule, in lengths of the direction
  EXPECT_NEAR(hits[1].normal[2], 1, 1e-5);   // towards the origin
  for (const std::size_t i : {2u, 3u, 4u}) EXPECT_EQ(hits[i].segid, -1) << i;
  EXPECT_THROW(s.renderer.cast(s.scene, from, to, std::span(hits).first(2)), Exception);
}

TEST(Render, NonsenseGivesAPictureOrAnError) {
  Studio s(kRoom);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::ranges::fill(s.d.geom_xpos, nan);
  s.draw(10, 10);
  EXPECT_NE(s.renderer.warning(), "");
  std::ranges::fill(s.d.geom_xpos, 1e30);
  s.draw(10, 10);
  std::ranges::fill(s.d.geom_xmat, 0);
  s.draw(10, 10);
  std::ranges::fill(s.d.geom_xpos, 0);
  s.camera = {};
  s.camera.distance = nan;
  s.draw(10, 10);
  s.camera.distance = 0;
  s.camera.lookat = {1e300, nan, 0};
  s.draw(10, 10);
  for (SceneGeom& g : s.scene.geoms) {
    g.dataid = 1000000;
    g.texid = g.matid = 1000000;
    g.size = {0, -1, 1e30f};
    g.objid = -5;
  }
  for (const bool wireframe : {false, true}) {
    s.scene.flags[kRenderWireframe] = wireframe;
    for (int type = -3; type < 120; ++type) {
      for (SceneGeom& g : s.scene.geoms) g.type = type;
      s.renderer.render(s.scene, {10, 10, s.rgb, s.depth, s.segment});
    }
  }
  s.scene.ngeom = 1 << 30;
  s.scene.nlight = 1 << 30;
  s.renderer.render(s.scene, {10, 10, s.rgb, s.depth, s.segment});

  for (const auto& [w, h] : {std::pair{0, 0}, {-1, 5}, {5, 0}, {1 << 30, 1}, {16384, 16385}})
    EXPECT_THROW(s.renderer.render(s.scene, {w, h, {}, {}, {}}), Exception) << w;
  EXPECT_THROW(s.renderer.render(s.scene, {10, 11, s.rgb, {}, {}}), Exception);
  EXPECT_THROW(s.renderer.render(s.scene, {11, 10, {}, s.depth, {}}), Exception);
  EXPECT_THROW(Renderer(s.m, {.threads = -1, .samples = -1}), Exception);
  const RenderJob job;
  EXPECT_THROW(s.renderer.render({&job, 1}), Exception);

  Studio empty("<mujoco/>");
  empty.draw(5, 4);
  EXPECT_EQ(empty.segment, std::vector<std::int32_t>(20, -1));
  Scene nothing;
  empty.renderer.render(nothing, {5, 4, empty.rgb, empty.depth, empty.segment});
}

TEST(Render, TheModelMayGo) {
  auto m = std::make_unique<Model>(load_string(kRoom).value_or_throw());
  Scene scene(*m);
  Renderer renderer(*m);
  {
    Data d(*m);
    ASSERT_TRUE(forward(*m, d));
    SceneCamera camera = default_free_camera(*m);
    ASSERT_TRUE(update_scene(*m, d, {}, nullptr, camera, kSceneAll, scene));
  }
  std::vector<std::uint8_t> before(3 * 40 * 30), after(before);
  renderer.render(scene, {40, 30, before, {}, {}});
  m.reset();
  renderer.render(scene, {40, 30, after, {}, {}});
  EXPECT_EQ(before, after);
  const Renderer moved = std::move(renderer);
}

TEST(Render, LabelsAndBordersAreDrawn) {
  Studio s(from_above(R"(<geom name="I" size=".01"/>)"));
  s.option.label = kLabelGeom;
  s.draw(60, 60);
  int white = 0;
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 60; ++x) white += s.red(x, y) == 255 && s.blue(x, y) == 255;
  EXPECT_EQ(white, 4 * 11);  // 11 dots of 2 x 2 pixels
  EXPECT_EQ(text_size("ab\nc", 1), (std::array<int, 2>{12, 20}));
  s.scene.framewidth = 2;
  s.scene.framergb = {0, 1, 0};
  s.draw(60, 60);
  EXPECT_EQ(s.green(1, 58), 255);
  EXPECT_EQ(s.green(2, 2), 0);
}

TEST(Render, PicturesAreWritten) {
  const test::TempFolder folder;
  Studio s(kRoom);
  s.draw(12, 8);
  EXPECT_TRUE(write_png(folder.path("a.png"), 12, 8, s.rgb));
  EXPECT_TRUE(write_depth_png(folder.path("b.png"), 12, 8, s.depth));
  EXPECT_FALSE(write_png(folder.path("none/a.png"), 12, 8, s.rgb));
  EXPECT_FALSE(write_png(folder.path("a.png"), 11, 8, s.rgb));
}

}  // namespace
}  // namespace sinew
