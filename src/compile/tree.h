#pragma once

#include <array>
#include <deque>
#include <vector>

#include "geometry/shape_table.h"
#include "math/rigid.h"
#include "sinew/constants.h"
#include "sinew/spec.h"

namespace sinew::compiling {

using namespace rigid;  // the compiler uses no other frames and rotations

// The kinematic tree during compilation: frames are resolved, poses are relative to the body, angles are in radians.
// Every node points to the Spec element it came from.

struct JointNode {
  const spec::Joint* in = nullptr;
  Vec pos;
  Vec axis;
  bool limited = false;
  bool actfrclimited = false;
  std::array<double, 2> range{};
  double ref = 0;
  double springref = 0;
};

struct GeomNode {
  const spec::Geom* in = nullptr;
  int dataid = -1;  // mesh or height field
  Pose pose;
  Size3 size{};
  double mass = 0;  // 0 if the geom does not contribute to its body
  Vec inertia;
  Vec box_center;
  Vec box_half;
  double rbound = 0;
  std::array<double, kNumFluid> fluid{};
  std::array<double, 6> surfacevel{};
};

struct SiteNode {
  const spec::Site* in = nullptr;
  Pose pose;
  Size3 size{};
};

struct CameraNode {
  const spec::Camera* in = nullptr;
  Pose pose;
  double fovy = 0;
  std::array<float, 4> intrinsic{};
};

struct LightNode {
  const spec::Light* in = nullptr;
  Vec pos;
  Vec dir;
};

struct BodyNode {
  const spec::Body* in = nullptr;
  BodyNode* parent = nullptr;
  std::vector<BodyNode*> children;

  std::vector<Pose> frames;  // of the Spec's frames in this body
  Pose pose;                 // in the parent body
  Pose inertial;
  double mass = 0;
  Vec inertia;
  double visual_margin = 0;  // largest margin + gap of the geoms that discardvisual removed; body_margin counts it

  std::vector<JointNode> joints;
  std::vector<GeomNode> geoms;
  std::vector<SiteNode> sites;
  std::vector<CameraNode> cameras;
  std::vector<LightNode> lights;

  int id = 0;
  const BodyNode* weld = nullptr;  // the body that this one is rigidly attached to; itself if it can move

  bool is_world() const { return parent == nullptr; }
  bool movable() const { return !joints.empty() || in->mocap; }
};

/// Owns the nodes; `bodies` is their order in the model: depth first, children in the order of the document.
struct Tree {
  std::deque<BodyNode> storage;
  std::vector<BodyNode*> bodies;

  /// Sets ids and weld bodies from the order of `bodies`.
  void number();
};

class Context;

/// One node per body of the Spec, holding only its place in the tree.
void plant_tree(const Spec& spec, Tree& tree);

/// Poses, geoms, mass, joints and the rest of every body, parents first. Reports invalid elements.
void compile_tree(Context& context);

/// Free joints must be in children of the world, or of a body that was fused with the world.
void check_free_joints(Context& context);

}  // namespace sinew::compiling
