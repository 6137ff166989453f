// bench_peer MODELS: time of whole steps, against the peer's mj_step in the same run. Both start from a keyframe, or
// else from the initial state, and restart after the same number of steps.

#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include <fstream>

#include "scenes.h"
#include "sinew/data.h"
#include "sinew/load.h"
#include "sinew/step.h"
#include "timing.h"

namespace {

constexpr int kSteps = 250;     // of one timed run
constexpr int kHeapSteps = 10;  // of the large scene

struct Peer {
  mjModel* model;
  mjData* data;
};

void run_ours(const sinew::Model& model, sinew::Data& data, int key, int steps) {
  if (key >= 0) {
    sinew::reset_to_keyframe(model, data, key);
  } else {
    sinew::reset(model, data);
  }
  for (int i = 0; i < steps; ++i) sinew::step(model, data);
}

void run_peers(const Peer& peer, int key, int steps) {
  if (key >= 0) {
    mj_resetDataKeyframe(peer.model, peer.data, key);
  } else {
    mj_resetData(peer.model, peer.data);
  }
  for (int i = 0; i < steps; ++i) mj_step(peer.model, peer.data);
}

void compare(const std::string& file, const std::string& name, int steps) {
  const auto model = sinew::load(file);
  if (!model) {
    fmt::print("{:22}rejected: {}\n", name, model.error().first().text());
    return;
  }
  char error[1000] = "";
  Peer peer{mj_loadXML(file.c_str(), nullptr, error, sizeof error), nullptr};
  if (!peer.model) {
    fmt::print("{:22}not comparable, rejected by the peer: {}\n", name, error);
    return;
  }
  peer.data = mj_makeData(peer.model);
  sinew::Data data(*model);
  const int nkey = static_cast<int>(model->nkey);
  for (int key = nkey > 0 ? 0 : -1; key < nkey; ++key) {
    const auto result =
        bench::compare([&] { run_ours(*model, data, key, steps); }, [&] { run_peers(peer, key, steps); });
    const std::string label = nkey > 1 ? fmt::format("{}, key {}", name, key) : name;
    fmt::print("{:22}{:10.2f}{:10.2f}{:12.2f}\n", label, 1e6 * result.ours / steps, 1e6 * result.peers / steps,
               result.ratio);
  }
  mj_deleteData(peer.data);
  mj_deleteModel(peer.model);
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_peer MODELS\n");
    return 2;
  }
  fmt::print("step: microseconds per step, median; the peer is MuJoCo {}\n", mj_versionString());
  fmt::print("{:22}{:>10}{:>10}{:>12}\n", "model", "sinew", "peer", "peer/sinew");
  for (const auto& path : bench::models_in(argv[1])) compare(path.string(), path.stem().string(), kSteps);

  std::mt19937 random(7);
  const auto heap = std::filesystem::temp_directory_path() / "sinew_bench_heap.xml";
  std::ofstream(heap) << bench::heap("type='capsule' size='.05 .1'", 100, .2, random);
  compare(heap.string(), "heap of 100 capsules", kHeapSteps);
  std::filesystem::remove(heap);
}
