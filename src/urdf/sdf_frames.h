#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "math/rigid.h"
#include "urdf/input.h"

namespace sinew::urdf::sdf {

/// The frames of an SDFormat file: the world, models, links, joints and frames, each with a pose relative to another.
/// Names are full names, MODEL::NESTED::LINK; the frame of a model has the name of the model.
class Frames {
 public:
  explicit Frames(Input& in) : in_(in) { add({}, nullptr, {}, -1, {}); }

  static constexpr int kWorld = 0;
  /// What a model calls its own frame; the full name of the frame of a model without a scope.
  static constexpr std::string_view kModelFrame = "__model__";

  /// Adds a frame whose pose is relative to that called `relative_to` as seen from `scope`, or to `otherwise` if that
  /// is empty. A scope is a prefix such as "MODEL::". Returns its number, -1 if the name is taken.
  int add(const std::string& name, const XmlNode* node, const rigid::Pose& pose, int otherwise,
          const std::string& relative_to, const std::string& scope = {});

  /// The number of a frame as seen from a scope; -1 if there is none.
  int find(const std::string& name, const std::string& scope) const;

  /// The pose in the world. A chain of references that does not end is an error.
  const rigid::Pose& pose(int frame);

  /// A joint's or frame's `attached_to`: the frame that it moves with.
  void attach(int frame, int to) { frames_[static_cast<std::size_t>(frame)].attached_to = to; }
  int attached_to(int frame) const { return frames_[static_cast<std::size_t>(frame)].attached_to; }
  void set_otherwise(int frame, int otherwise) { frames_[static_cast<std::size_t>(frame)].otherwise = otherwise; }

 private:
  enum class State { Open, Resolving, Known };
  struct Frame {
    std::string name;
    const XmlNode* node = nullptr;
    rigid::Pose own;
    int otherwise = -1;
    std::string relative_to, scope;
    int attached_to = -1;
    State state = State::Open;
    rigid::Pose world;
  };
  int base_of(const Frame& frame);

  Input& in_;
  std::vector<Frame> frames_;
  std::unordered_map<std::string, int> by_name_;
};

}  // namespace sinew::urdf::sdf
