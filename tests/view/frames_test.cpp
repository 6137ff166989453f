#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <random>

#include "sinew/load.h"
#include "sinew/step.h"
#include "view/assets.h"
#include "view/client_frames.h"
#include "view/parts.h"
#include "view/simulation.h"
#include "view/wire.h"

namespace sinew::view {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::string hex(const std::string& bytes) {
  std::string out;
  for (const unsigned char c : bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    out += kDigits[c >> 4];
    out += kDigits[c & 15];
  }
  return out;
}

template <class T>
T number(const std::string& bytes, std::size_t at) {
  T value{};
  if (at + sizeof value > bytes.size()) throw std::runtime_error("too short");
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// The decoding that the protocol states.
std::array<double, 4> decode(const std::int16_t* v) {
  const int left_out = (v[0] & 1) | (v[1] & 1) << 1;
  std::array<double, 4> q{};
  double rest = 1;
  for (int i = 0, k = 0; i < 4; ++i) {
    if (i == left_out) continue;
    const double c = (v[k++] >> 1) / 16383.0 / std::sqrt(2.0);
    q[static_cast<std::size_t>(i)] = c;
    rest -= c * c;
  }
  q[static_cast<std::size_t>(left_out)] = std::sqrt(std::max(0.0, rest));
  return q;
}

struct World {
  explicit World(const std::string& text)
      : model(load_string(text).value_or_throw()), data(model), scene(model), parts(model) {
    camera = default_free_camera(model);
    look();
  }
  void look() {
    forward(model, data);
    update_scene(model, data, option, nullptr, camera, kSceneAll, scene);
    now = {};
    fill_snapshot(model, data, scene, parts, now);
    now.number = ++number;
  }
  Model model;
  Data data;
  SceneOption option;
  SceneCamera camera;
  Scene scene;
  PartTable parts;
  Snapshot now;
  std::uint64_t number = 0;
};

constexpr const char* kTwoBalls = R"(<mujoco><statistic extent="1"/><worldbody>
  <geom type="plane" size="0 1 .1"/>
  <body name="a" pos="0 0 1"><freejoint/><geom size=".1" pos=".5 0 0"/></body>
  <body name="b" pos="2 0 1"><freejoint/><geom size=".1"/><site name="s"/></body></worldbody></mujoco>)";

TEST(ViewerWire, NumbersLieLittleEndianWithoutPadding) {
  Bytes out;
  out.put(std::uint8_t{1}).put(std::uint16_t{0x0203}).put(std::uint32_t{0x04050607}).put(1.0f);
  out.set(1, std::uint16_t{0x1112});
  EXPECT_EQ(hex(std::move(out).take()),
            "011211"
            "07060504"
            "0000803f");
}

TEST(ViewerWire, HalfFloatsAreIeee) {
  const std::pair<float, int> cases[] = {
      {0, 0},          {1, 0x3c00},       {-2, 0xc000},  {65504, 0x7bff}, {65519, 0x7bff},
      {65520, 0x7c00}, {6.1e-5f, 0x03ff}, {0x1p-24f, 1}, {0x1p-26f, 0},   {1.0009765625f, 0x3c01}};
  for (const auto& [x, bits] : cases) EXPECT_EQ(half_float(x), bits) << x;
  EXPECT_EQ(half_float(std::numeric_limits<float>::infinity()), 0x7c00);
  EXPECT_EQ(half_float(std::nanf("")) & 0x7c00, 0x7c00);
  EXPECT_NE(half_float(std::nanf("")) & 0x3ff, 0);
}

TEST(ViewerWire, QuaternionsLoseLessThanTwoHundredthsOfADegree) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20000; ++i) {
    std::array<double, 4> q = {normal(random), normal(random), normal(random), normal(random)};
    const double n = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    std::array<float, 4> single{};
    for (std::size_t k = 0; k < 4; ++k) single[k] = static_cast<float>(q[k] /= n);
    const auto packed = smallest_three(single.data());
    const auto back = decode(packed.data());
    double same = 0, opposite = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      same += (back[k] - q[k]) * (back[k] - q[k]);
      opposite += (back[k] + q[k]) * (back[k] + q[k]);
    }
    const double angle = 4 * std::asin(std::sqrt(std::min(same, opposite)) / 2);
    ASSERT_LT(angle * 180 / kPi, 0.02);
  }
  const float identity[] = {1, 0, 0, 0}, turned[] = {0, 0, 0, -1};
  EXPECT_THAT(smallest_three(identity), ElementsAre(0, 0, 0));
  EXPECT_THAT(smallest_three(turned), ElementsAre(1, 1, 0));  // z left out: index 3
}

TEST(ViewerWire, Base64OfEveryRemainder) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(ViewerFrames, PartsHaveTheDocumentedLayout) {
  World world(kTwoBalls);
  ClientFrames client;
  const std::string bytes = client.parts(world.now);
  constexpr std::size_t kRecord = 4 + 2 + 1 + 1 + 2 + 2 + 5 * 4 + 3 * 4 + 12 * 4 + 4 * 4 + 4 * 4 + 2 * 4 + 1;
  ASSERT_EQ(bytes.size(), 12 + 4 * kRecord);
  EXPECT_EQ(hex(bytes.substr(0, 12)),
            "01010000"
            "00000000"
            "04000000");
  // the plane: slot 0, type 0, static, infinite in x, geom 0 of the world body
  EXPECT_EQ(hex(bytes.substr(12, 4 + 8 + 8)),
            "00000000"
            "0000"
            "01"
            "04"
            "0500"
            "0000"
            "00000000"
            "00000000");
  // the ball of body 1, in its frame
  const std::size_t ball = 12 + kRecord;
  EXPECT_EQ(number<std::uint32_t>(bytes, ball), 1u);
  EXPECT_EQ(number<std::uint16_t>(bytes, ball + 4), 2u);
  EXPECT_EQ(number<std::int32_t>(bytes, ball + 16), 1);
  EXPECT_FLOAT_EQ(number<float>(bytes, ball + 32), .1f);
  EXPECT_FLOAT_EQ(number<float>(bytes, ball + 44), .5f);
  EXPECT_FLOAT_EQ(number<float>(bytes, ball + 56), 1);
  EXPECT_EQ(client.parts(world.now), "");  // nothing changed
}

TEST(ViewerFrames, OnlyWhatMovedIsSent) {
  World world(kTwoBalls);
  ClientFrames client;
  client.parts(world.now);
  const std::string full = client.frame(world.now, 0);
  ASSERT_EQ(full.size(), 16 + 4 + 2 * 20 + 4 + 20);  // two bodies and the headlight
  EXPECT_EQ(hex(full.substr(0, 8)),
            "02030000"
            "01000000");
  EXPECT_EQ(hex(full.substr(16, 6)),
            "01000200"
            "0100");
  EXPECT_FLOAT_EQ(number<float>(full, 16 + 4 + 2 + 8), 1);
  world.look();
  EXPECT_THAT(client.frame(world.now, 0.1), SizeIs(16));  // nothing moved
  world.data.qpos[7] += .1;                               // the second ball
  world.look();
  const std::string moved = client.frame(world.now, 0.2);
  ASSERT_EQ(moved.size(), 16 + 4 + 20);
  EXPECT_EQ(number<std::uint16_t>(moved, 20), 2u);
  EXPECT_FLOAT_EQ(number<float>(moved, 22), 2.1f);
  world.look();
  EXPECT_EQ(number<std::uint8_t>(client.frame(world.now, 2.5), 1) & 1, 1);  // full every 2 s
}

TEST(ViewerFrames, SmallMotionsAddUpUntilTheyAreSent) {
  World world(kTwoBalls);
  ClientFrames client;
  client.parts(world.now);
  client.frame(world.now, 0);
  double told = 0;
  for (int i = 1; i <= 100; ++i) {
    world.data.qpos[2] += 0.3e-5;  // below the tolerance of 1e-5
    world.look();
    const std::string bytes = client.frame(world.now, 0.01);
    if (bytes.size() > 16) told = static_cast<double>(number<float>(bytes, 30));
    ASSERT_LT(std::abs((told == 0 ? 1 : told) - world.data.qpos[2]), 1.1e-5);
  }
  EXPECT_GT(told, 1.0002);
}

TEST(ViewerFrames, DecorationHasSlotsThatAreRemoved) {
  World world(kTwoBalls);
  ClientFrames client;
  client.parts(world.now);
  world.option.frame = kFrameBody;
  world.look();
  const std::string added = client.parts(world.now);
  EXPECT_EQ(number<std::uint32_t>(added, 4), 0u);
  const auto count = number<std::uint32_t>(added, 8);
  EXPECT_GE(count, 6u);  // three axes of two bodies
  world.option.frame = kFrameNone;
  world.look();
  const std::string removed = client.parts(world.now);
  EXPECT_EQ(number<std::uint32_t>(removed, 4), count);
  EXPECT_EQ(number<std::uint32_t>(removed, 8), 0u);
}

TEST(ViewerFrames, WhatAClientHasIsWhatTheSceneShows) {
  // whatever appears, moves and vanishes, and however many frames a client does not get
  World world(R"(<mujoco><option timestep=".01"/><worldbody><geom type="plane" size="2 2 .1"/>
    <body name="a" pos="0 0 .3"><freejoint/><geom name="ga" size=".1"/><site name="s1"/></body>
    <body name="b" pos=".15 0 .6"><freejoint/><geom size=".1 .1 .1" type="box"/><site name="s2"/></body>
    </worldbody><tendon><spatial><site site="s1"/><site site="s2"/></spatial></tendon></mujoco>)");
  std::mt19937 random(1);
  ClientFrames client;
  std::map<std::uint32_t, int> types;
  std::map<int, Float3> bodies;
  for (int turn = 0; turn < 400; ++turn) {
    for (int i = 0; i < 3; ++i) step(world.model, world.data);
    world.option.flags[kVisContactPoint] = random() % 3 == 0;
    world.option.flags[kVisContactForce] = random() % 3 == 0;
    world.option.frame = static_cast<int>(random() % 8);
    world.option.geomgroup[0] = random() % 8 != 0;
    world.look();
    if (random() % 2) continue;  // a slow client
    const std::string parts = client.parts(world.now);
    if (!parts.empty()) {
      if (parts[1] & 1) types.clear();
      std::size_t at = 12;
      for (auto n = number<std::uint32_t>(parts, 4); n > 0; --n, at += 4) types.erase(number<std::uint32_t>(parts, at));
      for (auto n = number<std::uint32_t>(parts, 8); n > 0; --n) {
        types[number<std::uint32_t>(parts, at)] = number<std::uint16_t>(parts, at + 4);
        at += 132;
        at += 1 + number<std::uint8_t>(parts, at);
      }
      ASSERT_EQ(at, parts.size());
    }
    const std::string frame = client.frame(world.now, 0.01 * turn);
    for (std::size_t at = 16; at < frame.size();) {
      const int tag = frame[at], count = number<std::uint16_t>(frame, at + 2);
      at += 4;
      for (int i = 0; i < count; ++i) {
        if (tag == 1) bodies[number<std::uint16_t>(frame, at)] = number<Float3>(frame, at + 2);
        if (tag == 2) {
          ASSERT_TRUE(types.contains(number<std::uint32_t>(frame, at)));
        }
        at += tag == 2 ? 28 : tag == 5 ? 12 : 20;
      }
    }
    std::multiset<int> shown, told;
    for (const Part& part : world.now.parts) shown.insert(part.geom.type);
    for (const auto& [slot, type] : types) told.insert(type);
    ASSERT_EQ(shown, told) << "turn " << turn;
    for (const auto& [body, pos] : bodies)
      for (std::size_t k = 0; k < 3; ++k)
        ASSERT_NEAR(pos[k], world.data.xpos[3 * static_cast<std::size_t>(body) + k], 2 * world.now.tolerance);
  }
}

TEST(ViewerFrames, ManyBodiesComeInSeveralBlocks) {
  Snapshot now;
  now.number = 1;
  now.bodies.resize(3);
  for (std::uint32_t i = 0; i < 70000; ++i) {
    Part part;
    part.slot = i;
    part.version = 1;
    now.parts.push_back(part);
  }
  ClientFrames client;
  client.parts(now);
  const std::string frame = client.frame(now, 0);
  std::size_t at = 16 + 4 + 2 * 20;
  EXPECT_EQ(number<std::uint16_t>(frame, at + 2), 65535u);
  at += 4 + 65535 * 28;
  EXPECT_EQ(number<std::uint8_t>(frame, at), 2u);
  EXPECT_EQ(number<std::uint16_t>(frame, at + 2), 70000u - 65535u);
}

TEST(ViewerAssets, EqualAssetsHaveOneNameAndOthersHaveOthers) {
  EXPECT_EQ(content_hash("a").size(), 32u);
  EXPECT_EQ(content_hash("abc"), content_hash("abc"));
  std::set<std::string> hashes;
  std::string bytes(64, '\0');
  for (std::size_t i = 0; i < 512; ++i) {
    std::string changed = bytes;
    changed[i / 8] = static_cast<char>(1 << i % 8);
    hashes.insert(content_hash(changed));
  }
  for (std::size_t n = 0; n < 64; ++n) hashes.insert(content_hash(bytes.substr(0, n)));
  EXPECT_EQ(hashes.size(), 512u + 64u);
}

TEST(ViewerAssets, AMeshIsReadyToDraw) {
  // a cube: eight corners, each with three normals since its edges are sharp
  const Model m =
      load_string(R"(<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1"/></asset>
    <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>)")
          .value_or_throw();
  AssetStore store;
  const AssetNames names = store_assets(m, store);
  const std::string& bytes = *store.at(names.meshes[0]);
  EXPECT_EQ(bytes.substr(0, 4), "MSH1");
  const auto vertices = number<std::uint32_t>(bytes, 4), triangles = number<std::uint32_t>(bytes, 8);
  EXPECT_EQ(vertices, 24u);
  EXPECT_EQ(triangles, 12u);
  EXPECT_EQ(number<std::uint32_t>(bytes, 12), 0u);
  ASSERT_EQ(bytes.size(), 16 + vertices * (12 + 4) + triangles * 6);
  for (std::uint32_t i = 0; i < 3 * triangles; ++i)
    EXPECT_LT(number<std::uint16_t>(bytes, 16 + vertices * 16 + 2 * i), vertices);
  // the normals are those of the faces: along an axis, so one or both coordinates are at an end, or both are 0
  for (std::uint32_t i = 0; i < vertices; ++i) {
    const auto x = number<std::int16_t>(bytes, 16 + vertices * 12 + 4 * i),
               y = number<std::int16_t>(bytes, 16 + vertices * 12 + 4 * i + 2);
    EXPECT_TRUE((std::abs(x) == 32767) || (std::abs(y) == 32767) || (x == 0 && y == 0)) << x << " " << y;
  }
}

TEST(ViewerAssets, FlexesHeightFieldsAndTextures) {
  const Model m = load_string(R"(<mujoco><asset>
      <hfield name="h" nrow="2" ncol="3" size="1 2 .5 .1" elevation="0 1 2 3 4 5"/>
      <texture name="t" type="2d" builtin="checker" width="4" height="8" rgb1="1 0 0" rgb2="0 0 1"/></asset>
    <worldbody><geom type="hfield" hfield="h"/>
    <flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" radius=".01" dim="2"/></worldbody></mujoco>)")
                      .value_or_throw();
  AssetStore store;
  const AssetNames names = store_assets(m, store);
  const std::string& field = *store.at(names.hfields[0]);
  ASSERT_EQ(field.size(), 4 + 8 + 16 + 6 * 4);
  EXPECT_EQ(number<std::uint32_t>(field, 4), 2u);
  EXPECT_EQ(number<std::uint32_t>(field, 8), 3u);
  EXPECT_FLOAT_EQ(number<float>(field, 28 + 4 * 2), 1);
  EXPECT_EQ(store.at(names.textures[0])->substr(1, 3), "PNG");
  const std::string& flex = *store.at(names.flexes[0]);
  const auto edges = number<std::uint32_t>(flex, 12), skin = number<std::uint32_t>(flex, 16),
             faces = number<std::uint32_t>(flex, 20), normals = number<std::uint32_t>(flex, 24),
             flags = number<std::uint32_t>(flex, 28);
  EXPECT_EQ(number<std::uint32_t>(flex, 4), 2u);
  EXPECT_EQ(number<std::uint32_t>(flex, 8), 9u);
  EXPECT_EQ(edges, 16u);
  EXPECT_EQ(normals, 8u);
  EXPECT_EQ(faces, 16u);
  EXPECT_EQ(skin, 2 * 8u + 2 * 8u);  // both sides, and two triangles for each edge of the rim
  const std::size_t uv = flags & 1 ? 24 : 0;
  EXPECT_EQ(flex.size(), 36 + 8 * edges + 12 * normals + skin * (12 + uv) + faces * (16 + uv));
}

}  // namespace
}  // namespace sinew::view
