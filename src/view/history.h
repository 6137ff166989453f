#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sinew/error.h"
#include "sinew/state.h"

namespace sinew::view {

/// A whole state of a world.
struct Moment {
  double time = 0;
  std::int64_t step = 0;  // since the model was loaded
  std::vector<double> state;
};

/// The last minutes, oldest first, within a bound of memory.
class History {
 public:
  static constexpr int kBits = kStateIntegration;
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;
  static constexpr std::size_t kMostMoments = 20000;

  void clear() { moments_.clear(); }
  void add(const Model& m, const Data& d, std::int64_t step);
  void add(Moment moment);
  /// Forgets what is later than the first n moments.
  void truncate(std::size_t n) { moments_.resize(std::min(n, moments_.size())); }
  std::size_t size() const { return moments_.size(); }
  bool empty() const { return moments_.empty(); }
  const Moment& operator[](std::size_t i) const { return moments_[i]; }
  /// The last moment that is not later; the first if all are.
  std::size_t at_time(double time) const;
  const std::deque<Moment>& moments() const { return moments_; }

 private:
  std::deque<Moment> moments_;
};

/// The moments of a recording: an .npz file (of sinew run --record, or of numpy.savez) with time and qpos, and where it
/// has them qvel, act, ctrl, mocap_pos, mocap_quat, eq_active and userdata. What it lacks is as after a reset.
Result<std::vector<Moment>> read_recording(const Model& m, const std::string& path);
/// The moments as such a file.
Result<std::string> write_recording(const Model& m, const std::deque<Moment>& moments);

}  // namespace sinew::view
