#include "urdf/sdf_frames.h"

#include <fmt/format.h>

namespace sinew::urdf::sdf {

int Frames::add(const std::string& name, const XmlNode* node, const rigid::Pose& pose, int otherwise,
                const std::string& relative_to, const std::string& scope) {
  const int number = static_cast<int>(frames_.size());
  if (!by_name_.try_emplace(name, number).second) return -1;
  Frame& frame = frames_.emplace_back();
  frame.name = name;
  frame.node = node;
  frame.own = pose;
  frame.otherwise = otherwise;
  frame.relative_to = relative_to;
  frame.scope = scope;
  if (!node) frame.state = State::Known;
  return number;
}

int Frames::find(const std::string& name, const std::string& scope) const {
  if (name == "world") return kWorld;
  std::string full = scope + name;
  if (name == kModelFrame && !scope.empty()) full = scope.substr(0, scope.size() - 2);
  const auto found = by_name_.find(full);
  return found == by_name_.end() ? -1 : found->second;
}

int Frames::base_of(const Frame& frame) {
  if (frame.relative_to.empty()) return frame.otherwise;
  const int found = find(frame.relative_to, frame.scope);
  if (found < 0) in_.error({frame.node}, fmt::format("relative_to: there is no frame '{}'", frame.relative_to));
  return found;
}

const rigid::Pose& Frames::pose(int number) {
  // follows the references to a known frame, then composes back
  std::vector<int> open;
  for (int at = number;;) {
    Frame& frame = frames_[static_cast<std::size_t>(at)];
    if (frame.state == State::Known) break;
    if (frame.state == State::Resolving) {
      in_.error({frame.node}, fmt::format("the pose of '{}' is relative to itself, through a loop", frame.name));
      frame.state = State::Known;
      break;
    }
    frame.state = State::Resolving;
    open.push_back(at);
    const int base = base_of(frame);
    if (base < 0) {
      frame.state = State::Known;
      break;
    }
    at = base;
  }
  while (!open.empty()) {
    Frame& frame = frames_[static_cast<std::size_t>(open.back())];
    open.pop_back();
    if (frame.state == State::Known) continue;
    const int base = base_of(frame);
    frame.world = rigid::compose(frames_[static_cast<std::size_t>(std::max(base, 0))].world, frame.own);
    frame.state = State::Known;
  }
  return frames_[static_cast<std::size_t>(number)].world;
}

}  // namespace sinew::urdf::sdf
