#pragma once

#include <string>
#include <vector>

#include "view/snapshot.h"

namespace sinew::view {

/// What one client already has of the pictures, and the messages that bring it up to a snapshot.
class ClientFrames {
 public:
  /// Forgets what was sent: the next messages are complete.
  void restart();
  /// The next frame is complete.
  void complete() { full_ = true; }
  /// The cameras whose poses it wants, and the body that its camera tracks (-1: none).
  std::vector<int> cameras;
  int tracked = -1;

  /// Changed parts; empty if there are none.
  std::string parts(const Snapshot& now);
  /// What moved since the last frame; empty if nothing did and nothing else is to be told. `seconds`: any clock.
  std::string frame(const Snapshot& now, double seconds);
  /// Positions of flex k of the snapshot.
  static std::string flex(const FlexPoints& points);
  static std::string worlds(const WorldPoses& poses);

 private:
  struct Sent {
    std::uint32_t version = 0;
    std::uint64_t turn = 0;
    Pose pose;
    Float3 size{};
  };
  bool fresh_ = true;  // no parts were sent yet
  bool full_ = true;   // the next frame is complete
  double full_at_ = 0;
  std::uint64_t turn_ = 0;
  std::uint32_t jumps_ = 0;
  std::uint64_t number_ = 0;
  bool running_ = false;
  std::vector<Sent> slots_;
  std::vector<std::uint32_t> shown_;
  std::vector<Pose> bodies_, cameras_;
  std::vector<LightPose> lights_;
  Float3 lookat_{};
};

}  // namespace sinew::view
