// bench_peer MODELS: time of whole steps, against the peer's mj_step in the same run. Both start from the first
// keyframe, or else from the initial state, and take the same number of steps before they start again.

#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include "sinew/data.h"
#include "sinew/load.h"
#include "sinew/step.h"
#include "timing.h"

namespace {

constexpr int kSteps = 250;  // of one timed run

struct Peer {
  mjModel* model;
  mjData* data;
};

void run_ours(const sinew::Model& model, sinew::Data& data) {
  if (model.nkey > 0) {
    sinew::reset_to_keyframe(model, data, 0);
  } else {
    sinew::reset(model, data);
  }
  for (int i = 0; i < kSteps; ++i) sinew::step(model, data);
}

void run_peers(const Peer& peer) {
  if (peer.model->nkey > 0) {
    mj_resetDataKeyframe(peer.model, peer.data, 0);
  } else {
    mj_resetData(peer.model, peer.data);
  }
  for (int i = 0; i < kSteps; ++i) mj_step(peer.model, peer.data);
}

void compare(const std::string& file, const std::string& name) {
  const auto model = sinew::load(file);
  if (!model) {
    fmt::print("{:16}refused: {}\n", name, model.error().first().text());
    return;
  }
  char error[1000] = "";
  Peer peer{mj_loadXML(file.c_str(), nullptr, error, sizeof error), nullptr};
  if (!peer.model) {
    fmt::print("{:16}not comparable, the peer says: {}\n", name, error);
    return;
  }
  peer.data = mj_makeData(peer.model);
  sinew::Data data(*model);
  const auto result = bench::compare([&] { run_ours(*model, data); }, [&] { run_peers(peer); });
  fmt::print("{:16}{:10.2f}{:10.2f}{:12.2f}\n", name, 1e6 * result.ours / kSteps, 1e6 * result.peers / kSteps,
             result.ratio);
  mj_deleteData(peer.data);
  mj_deleteModel(peer.model);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_peer MODELS\n");
    return 2;
  }
  fmt::print("step: microseconds of one step, median; the peer is MuJoCo {}\n", mj_versionString());
  fmt::print("{:16}{:>10}{:>10}{:>12}\n", "model", "sinew", "peer", "peer/sinew");
  for (const auto& path : bench::models_in(argv[1])) compare(path.string(), path.stem().string());
}
