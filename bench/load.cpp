// bench_load MODELS: time from file to compiled model, against the peer's mj_loadXML in the same run.

#include "sinew/load.h"

#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include <optional>

#include "timing.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_load MODELS\n");
    return 2;
  }
  fmt::print("load: milliseconds from file to model, median; the peer is MuJoCo {}\n", mj_versionString());
  fmt::print("{:16}{:>10}{:>10}{:>12}\n", "model", "sinew", "peer", "peer/sinew");
  for (const auto& path : bench::models_in(argv[1])) {
    const std::string file = path.string(), name = path.stem().string();
    const auto loads = sinew::load(file);
    if (!loads) {
      fmt::print("{:16}refused: {}\n", name, loads.error().first().text());
      continue;
    }
    char error[1000] = "";
    mjModel* peer = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
    if (!peer) {
      fmt::print("{:16}not comparable, the peer says: {}\n", name, error);
      continue;
    }
    mj_deleteModel(peer);

    std::optional<sinew::Result<sinew::Model>> ours;
    peer = nullptr;
    const auto result = bench::compare(
        [&] {
          ours.reset();
          ours.emplace(sinew::load(file));
        },
        [&] {
          mj_deleteModel(peer);
          peer = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
        });
    mj_deleteModel(peer);
    fmt::print("{:16}{:10.3f}{:10.3f}{:12.2f}\n", name, 1e3 * result.ours, 1e3 * result.peers, result.ratio);
  }
}
