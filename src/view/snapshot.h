#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/scene.h"

namespace sinew::view {

/// A geom of the scene as the page keeps it. Parts of a body have their pose in its frame and move with it.
struct Part {
  std::uint32_t slot = 0;
  std::uint32_t version = 0;  // changes with everything but the pose and size of a world part
  int body = -1;              // -1: world part
  Float3 pos{};
  Float4 quat{1, 0, 0, 0};
  std::uint8_t infinite = 0;  // bits: in x, in y
  SceneGeom geom;             // pos and mat as the page gets them
};

struct Pose {
  Float3 pos{};
  Float4 quat{1, 0, 0, 0};
};

struct LightPose {
  Float3 pos{}, dir{};
};

struct FlexPoints {
  int flex = 0;
  std::vector<float> vert;  // 3 per vertex
};

/// Poses of the bodies that move, of all worlds.
struct WorldPoses {
  std::uint64_t number = 0;
  int worlds = 0;
  std::vector<std::uint16_t> bodies;
  std::vector<Pose> poses;  // worlds x bodies
};

/// A message in JSON that a client must have before it can read the frames; a new version replaces the old one.
struct Text {
  std::uint32_t version = 0;  // 0: there is none
  std::shared_ptr<const std::string> json;
};

/// What clients are told of the model, in the order in which they are told. `model` is no_model if there is none.
enum TextKind : std::uint8_t { kTextModel, kTextSettings, kTextProblems, kTextKeys, kTextLights, kNumTexts };
using Texts = std::array<Text, kNumTexts>;

/// What is seen at one moment. Made by the simulation, never changed after, read by the network.
struct Snapshot {
  std::uint64_t number = 0;
  Texts texts;
  std::uint32_t jumps = 0;  // counts resets, seeks and single steps
  double time = 0;
  bool running = false;
  float tolerance = 0;  // m, smaller motions are not sent
  std::vector<Pose> bodies, cameras;
  std::vector<Float3> subtree_com;
  std::vector<Part> parts;
  std::vector<LightPose> light_poses;
  std::vector<FlexPoints> flexes;
  std::uint64_t flex_number = 0;  // of the positions in flexes
  std::shared_ptr<const WorldPoses> worlds;
};

}  // namespace sinew::view
