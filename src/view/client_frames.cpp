#include "view/client_frames.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "view/wire.h"

namespace sinew::view {
namespace {

constexpr double kFullEvery = 2;                    // s
constexpr float kTurn = 0.02f * 3.14159265f / 180;  // rad, smaller rotations are not sent

bool differs(const Float3& a, const Float3& b, float tolerance) {
  for (std::size_t k = 0; k < 3; ++k)
    if (!(std::abs(a[k] - b[k]) <= tolerance)) return true;
  return false;
}

bool moved(const Pose& a, const Pose& b, float tolerance) {
  if (differs(a.pos, b.pos, tolerance)) return true;
  float dot = 0;
  for (std::size_t k = 0; k < 4; ++k) dot += a.quat[k] * b.quat[k];
  const float sign = dot < 0 ? -1.f : 1.f;
  for (std::size_t k = 0; k < 4; ++k)
    if (!(std::abs(a.quat[k] - sign * b.quat[k]) <= kTurn / 2)) return true;
  return false;
}

/// A block of a frame; blocks that would be longer than a u16 can count are split.
class Block {
 public:
  Block(Bytes& out, std::uint8_t tag) : out_(out), tag_(tag) {}
  void next() {
    if (count_ == 0 || count_ == std::numeric_limits<std::uint16_t>::max()) {
      count_ = 0;
      at_ = out_.size() + 2;
      out_.put(tag_).put(std::uint8_t{0}).put(std::uint16_t{0});
    }
    out_.set(at_, ++count_);
  }

 private:
  Bytes& out_;
  std::uint8_t tag_;
  std::uint16_t count_ = 0;
  std::size_t at_ = 0;
};

void put_part(Bytes& out, const Part& part) {
  const SceneGeom& g = part.geom;
  const std::size_t label = std::min(std::strlen(g.label.data()), std::size_t{99});
  out.put(part.slot)
      .put(static_cast<std::uint16_t>(g.type))
      .put(static_cast<std::uint8_t>(g.category))
      .put(static_cast<std::uint8_t>((g.texcoord ? 1 : 0) | (g.texuniform ? 2 : 0) | part.infinite << 2))
      .put(static_cast<std::uint16_t>(g.objtype))
      .put(std::uint16_t{0})
      .put(std::int32_t{g.objid})
      .put(std::int32_t{part.body})
      .put(std::int32_t{g.dataid})
      .put(std::int32_t{g.matid})
      .put(std::int32_t{g.texid})
      .put_all(g.size)
      .put_all(g.pos)
      .put_all(g.mat)
      .put_all(g.rgba)
      .put(g.emission)
      .put(g.specular)
      .put(g.shininess)
      .put(g.reflectance)
      .put_all(g.texrepeat)
      .put(static_cast<std::uint8_t>(label))
      .put_text({g.label.data(), label});
}

}  // namespace

void ClientFrames::restart() {
  fresh_ = full_ = true;
  slots_.clear();
  shown_.clear();
}

std::string ClientFrames::parts(const Snapshot& now) {
  ++turn_;
  std::vector<std::uint32_t> removed, shown;
  std::vector<const Part*> changed;
  for (const Part& part : now.parts) {
    if (part.slot >= slots_.size()) slots_.resize(part.slot + 1);
    Sent& sent = slots_[part.slot];
    sent.turn = turn_;
    shown.push_back(part.slot);
    if (sent.version == part.version) continue;  // versions start at 1
    sent.version = part.version;
    sent.pose = {part.pos, part.quat};
    sent.size = part.geom.size;
    changed.push_back(&part);
  }
  for (const std::uint32_t slot : shown_)
    if (slots_[slot].turn != turn_) {
      slots_[slot].version = 0;
      removed.push_back(slot);
    }
  shown_ = std::move(shown);
  if (changed.empty() && removed.empty() && !fresh_) return {};
  Bytes out;
  out.put(static_cast<std::uint8_t>(Kind::Parts))
      .put(static_cast<std::uint8_t>(fresh_ ? 1 : 0))
      .put(std::uint16_t{0})
      .put(static_cast<std::uint32_t>(removed.size()))
      .put(static_cast<std::uint32_t>(changed.size()))
      .put_all(removed);
  for (const Part* part : changed) put_part(out, *part);
  fresh_ = false;
  return std::move(out).take();
}

std::string ClientFrames::frame(const Snapshot& now, double seconds) {
  const bool full = full_ || seconds - full_at_ >= kFullEvery;
  const bool jump = full_ || jumps_ != now.jumps;
  if (!full && !jump && number_ == now.number && running_ == now.running) return {};
  if (full) full_at_ = seconds;
  full_ = false;
  jumps_ = now.jumps;
  number_ = now.number;
  running_ = now.running;

  Bytes out;
  out.put(static_cast<std::uint8_t>(Kind::Frame))
      .put(static_cast<std::uint8_t>((full ? 1 : 0) | (jump ? 2 : 0) | (now.running ? 4 : 0)))
      .put(std::uint16_t{0})
      .put(static_cast<std::uint32_t>(now.number))
      .put(now.time);
  bodies_.resize(now.bodies.size());
  Block bodies(out, 1);
  for (std::size_t i = 1; i < now.bodies.size() && i <= 0xffff; ++i) {
    if (!full && !moved(now.bodies[i], bodies_[i], now.tolerance)) continue;
    bodies_[i] = now.bodies[i];
    bodies.next();
    out.put(static_cast<std::uint16_t>(i));
    put_pose(out, bodies_[i].pos.data(), bodies_[i].quat.data());
  }
  Block parts(out, 2);
  for (const Part& part : now.parts) {
    if (part.body >= 0 || part.geom.type == kSceneTriangle || part.slot >= slots_.size()) continue;
    Sent& sent = slots_[part.slot];
    if (sent.version != part.version) continue;  // the page does not know it yet
    const Pose pose = {part.pos, part.quat};
    if (!full && !moved(pose, sent.pose, now.tolerance) && !differs(part.geom.size, sent.size, now.tolerance)) continue;
    sent.pose = pose;
    sent.size = part.geom.size;
    parts.next();
    out.put(part.slot);
    put_pose(out, pose.pos.data(), pose.quat.data());
    for (const float x : part.geom.size) out.put(half_float(x));
  }
  lights_.resize(now.light_poses.size());
  Block block(out, 3);
  for (std::size_t i = 0; i < lights_.size(); ++i) {
    const LightPose& pose = now.light_poses[i];
    if (!full && !differs(pose.pos, lights_[i].pos, now.tolerance) && !differs(pose.dir, lights_[i].dir, kTurn))
      continue;
    lights_[i] = pose;
    block.next();
    out.put(static_cast<std::uint16_t>(i)).put_all(pose.pos);
    for (const float x : pose.dir)
      out.put(static_cast<std::int16_t>(std::isfinite(x) ? std::lround(std::clamp(x, -1.f, 1.f) * 32767) : 0));
  }
  cameras_.resize(now.cameras.size());
  Block cameras(out, 4);
  for (const int id : this->cameras) {
    const auto i = static_cast<std::size_t>(id);
    if (i >= now.cameras.size() || (!full && !moved(now.cameras[i], cameras_[i], now.tolerance))) continue;
    cameras_[i] = now.cameras[i];
    cameras.next();
    out.put(static_cast<std::uint16_t>(i));
    put_pose(out, cameras_[i].pos.data(), cameras_[i].quat.data());
  }
  if (tracked >= 0 && static_cast<std::size_t>(tracked) < now.subtree_com.size()) {
    const Float3& lookat = now.subtree_com[static_cast<std::size_t>(tracked)];
    if (full || differs(lookat, lookat_, now.tolerance)) {
      lookat_ = lookat;
      Block(out, 5).next();
      out.put_all(lookat);
    }
  }
  return std::move(out).take();
}

std::string ClientFrames::flex(const FlexPoints& points) {
  Float3 low{}, high{};
  for (std::size_t i = 0; i < points.vert.size(); ++i) {
    const float x = std::isfinite(points.vert[i]) ? points.vert[i] : 0;
    low[i % 3] = i < 3 ? x : std::min(low[i % 3], x);
    high[i % 3] = i < 3 ? x : std::max(high[i % 3], x);
  }
  Bytes out;
  out.put(static_cast<std::uint8_t>(Kind::Flex))
      .put(std::uint8_t{0})
      .put(static_cast<std::uint16_t>(points.flex))
      .put(static_cast<std::uint32_t>(points.vert.size() / 3))
      .put_all(low);
  for (std::size_t k = 0; k < 3; ++k) out.put(high[k] - low[k]);
  for (std::size_t i = 0; i < points.vert.size(); ++i) {
    const float size = high[i % 3] - low[i % 3];
    const float x = std::isfinite(points.vert[i]) ? points.vert[i] : 0;
    out.put(static_cast<std::uint16_t>(size > 0 ? std::lround((x - low[i % 3]) / size * 65535) : 0));
  }
  return std::move(out).take();
}

std::string ClientFrames::worlds(const WorldPoses& poses) {
  Bytes out;
  out.put(static_cast<std::uint8_t>(Kind::Worlds))
      .put(std::uint8_t{0})
      .put(static_cast<std::uint16_t>(poses.bodies.size()))
      .put(std::uint32_t{0})
      .put(static_cast<std::uint32_t>(poses.worlds))
      .put_all(poses.bodies);
  for (const Pose& pose : poses.poses) put_pose(out, pose.pos.data(), pose.quat.data());
  return std::move(out).take();
}

}  // namespace sinew::view
