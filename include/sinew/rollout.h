#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/data.h"
#include "sinew/model.h"

// Open-loop simulation from many initial states. Misuse throws sinew::Exception.

namespace sinew {

/// What to simulate, and where the results go. Arrays are row-major, one block per rollout.
struct RolloutTask {
  std::span<const Model* const> models;         // one for all, or one for each; all of the same sizes
  int nroll = 0;                                // number of rollouts
  int nstep = 0;                                // steps of each
  std::span<const double> initial_state;        // nroll x nstate, the parts kStateFullPhysics
  std::span<const double> initial_warmstart{};  // nroll x nv; empty: zero
  std::span<const double> control{};            // nroll x nstep x state_size(control_spec); empty: as after a reset
  int control_spec = kStateCtrl;                // parts of kStateUser that are set before each step
  std::span<double> state{};                    // nroll x nstep x nstate, after each step; empty: not wanted
  std::span<double> sensordata{};               // nroll x nstep x nsensordata; empty: not wanted
};

/// Rollouts on a private thread pool.
///
/// A rollout depends on nothing but its inputs: everything else is as after a reset. One that raises a warning (bad
/// qpos, qvel or qacc) ends there: its remaining rows repeat the last one. Others are not affected, and results are
/// bitwise independent of the number of threads.
class Rollout {
 public:
  /// 0: one per hardware thread.
  explicit Rollout(int threads = 0);
  ~Rollout();
  Rollout(const Rollout&) = delete;
  Rollout& operator=(const Rollout&) = delete;

  int threads() const;

  /// One Data for each thread to compute in; their contents afterwards are unspecified. Threads take `chunk` rollouts
  /// at a time, 0: a tenth of a thread's share. Returns, for each rollout, the step that diverged, or -1.
  std::vector<int> run(const RolloutTask& task, std::span<Data* const> workers, int chunk = 0);
  /// The same with internal Data.
  std::vector<int> run(const RolloutTask& task);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew
