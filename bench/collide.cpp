// bench_collide MODELS: the collision stage alone, against the MuJoCo of the system in the same run.
//
// First single pairs of all types at random poses near contact, then scenes, then growing numbers of boxes at constant
// density. All positions are given: neither side simulates.

#include "collision/collide.h"

#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "dynamics/kinematics.h"
#include "scenes.h"
#include "sinew/load.h"
#include "sinew/step.h"
#include "timing.h"

namespace {

/// One model in both engines.
class Both {
 public:
  explicit Both(const std::string& xml) {
    auto loaded = sinew::load_string(xml);
    if (!loaded) throw std::runtime_error(loaded.error().first().text());
    model_ = std::make_unique<sinew::Model>(std::move(*loaded));
    data_ = std::make_unique<sinew::Data>(*model_);
    sinew::reset(*model_, *data_);
    const std::string path = std::filesystem::temp_directory_path() / "sinew_bench_collide.xml";
    std::ofstream(path) << xml;
    char error[1000] = "";
    peer_model_ = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
    if (!peer_model_) throw std::runtime_error(error);
#if mjVERSION_HEADER < 1000  // multiple contacts of convex shapes: on by default here and in the newest
    peer_model_->opt.enableflags |= mjENBL_MULTICCD;
#endif
    peer_data_ = mj_makeData(peer_model_);
    std::filesystem::remove(path);
  }
  ~Both() {
    mj_deleteData(peer_data_);
    mj_deleteModel(peer_model_);
  }

  const sinew::Model& model() const { return *model_; }
  sinew::Data& data() { return *data_; }

  /// Sets the poses of both from our qpos and mocap poses.
  void place() {
    std::copy(data_->qpos.begin(), data_->qpos.end(), peer_data_->qpos);
    std::copy(data_->mocap_pos.begin(), data_->mocap_pos.end(), peer_data_->mocap_pos);
    std::copy(data_->mocap_quat.begin(), data_->mocap_quat.end(), peer_data_->mocap_quat);
    sinew::kinematics(*model_, *data_);
    mj_kinematics(peer_model_, peer_data_);
    mj_comPos(peer_model_, peer_data_);
  }
  void collide() { sinew::collide(*model_, *data_); }
  void peer_collide() { mj_collision(peer_model_, peer_data_); }
  int contacts() const { return data_->ncon; }
  int peer_contacts() const { return peer_data_->ncon; }
  bool keeps_up() const { return peer_data_->warning[mjWARN_CONTACTFULL].number == 0; }

 private:
  std::unique_ptr<sinew::Model> model_;
  std::unique_ptr<sinew::Data> data_;
  mjModel* peer_model_ = nullptr;
  mjData* peer_data_ = nullptr;
};

struct Kind {
  const char* name;
  const char* geom;
  double radius;  // approximate
};
constexpr Kind kKinds[] = {
    {"plane", "type='plane' size='1 1 .1'", 0},        {"sphere", "type='sphere' size='.1'", .1},
    {"capsule", "type='capsule' size='.05 .1'", .1},   {"ellipsoid", "type='ellipsoid' size='.08 .1 .12'", .1},
    {"cylinder", "type='cylinder' size='.1 .1'", .12}, {"box", "type='box' size='.1 .08 .06'", .1},
    {"mesh", "type='mesh' mesh='ball'", .1},
};

void pairs(std::mt19937& random) {
  constexpr int kPoses = 200;
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const std::string assets = bench::mesh_asset(random);
  fmt::print("pairs: whole stage with one pair, million per second\n{:22}{:>10}{:>10}{:>8}{:>10}{:>10}\n", "", "ours",
             "peer", "ratio", "contacts", "peer's");
  for (const Kind& a : kKinds) {
    for (const Kind* b = std::max(&a, &kKinds[1]); b != std::end(kKinds); ++b) {
      const bool with_mesh = std::string(b->name) == "mesh";
      Both both(
          fmt::format("<mujoco>{}<worldbody><body mocap='true'><geom {}/></body><body><freejoint/><geom {}/></body>"
                      "</worldbody></mujoco>",
                      with_mesh ? assets : "", a.geom, b->geom));
      long contacts = 0, peers = 0;
      double ours = 0, theirs = 0;
      for (int pose = 0; pose < kPoses; ++pose) {
        auto& d = both.data();
        for (double& q : d.mocap_quat) q = normal(random);
        for (int i = 3; i < 7; ++i) d.qpos[i] = normal(random);
        double dir[3] = {normal(random), normal(random), normal(random)};
        if (a.radius == 0) {
          std::copy_n(std::vector<double>{1, 0, 0, 0}.begin(), 4, d.mocap_quat.begin());
          dir[0] = dir[1] = 0;
        }
        const double n = std::sqrt(dir[0] * dir[0] + dir[1] * dir[1] + dir[2] * dir[2]);
        const double gap = (.6 + .6 * uniform(random)) * (a.radius + b->radius);
        for (int i = 0; i < 3; ++i) d.qpos[i] = gap * (a.radius == 0 ? std::abs(dir[i]) : dir[i]) / n;
        both.place();
        constexpr int kRepeat = 50;
        ours += bench::seconds([&] {
                  for (int i = 0; i < kRepeat; ++i) both.collide();
                }) /
                kRepeat;
        theirs += bench::seconds([&] {
                    for (int i = 0; i < kRepeat; ++i) both.peer_collide();
                  }) /
                  kRepeat;
        contacts += both.contacts();
        peers += both.peer_contacts();
      }
      fmt::print("{:22}{:10.2f}{:10.2f}{:8.2f}{:10}{:10}\n", fmt::format("{} {}", a.name, b->name),
                 kPoses / ours * 1e-6, kPoses / theirs * 1e-6, theirs / ours, contacts, peers);
    }
  }
}

void time_scene(const std::string& name, Both& both) {
  both.place();
  both.collide();
  both.peer_collide();
  std::vector<double> ours, peers, ratios;
  for (int i = 0; i < 101; ++i) {
    ours.push_back(bench::seconds([&] {
                     for (int k = 0; k < 10; ++k) both.collide();
                   }) /
                   10);
    peers.push_back(bench::seconds([&] {
                      for (int k = 0; k < 10; ++k) both.peer_collide();
                    }) /
                    10);
    ratios.push_back(peers.back() / ours.back());
  }
  fmt::print("{:22}{:10.4f}{:10.4f}{:8.2f}{:10}{:10}\n", name, 1e3 * bench::median(ours), 1e3 * bench::median(peers),
             bench::median(ratios), both.contacts(), both.peer_contacts());
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_collide MODELS\n");
    return 2;
  }
  std::mt19937 random(7);
  pairs(random);
  fmt::print("\nscenes: one collision stage, ms\n{:22}{:>10}{:>10}{:>8}{:>10}{:>10}\n", "", "ours", "peer", "ratio",
             "contacts", "peer's");
  for (const auto& [name, geom, n] : {std::tuple{"100 capsules", "type='capsule' size='.05 .1'", 100},
                                      {"1000 boxes", "type='box' size='.1 .1 .1'", 1000}}) {
    Both both(bench::heap(geom, n, .2, random));
    time_scene(name, both);
  }
  {
    Both both(bench::mesh_robot(6, 7, random));
    time_scene("mesh robot, 43 hulls", both);
  }
  for (const auto& path : bench::models_in(argv[1])) {
    std::ifstream file(path);
    try {
      Both both({std::istreambuf_iterator<char>(file), {}});
      time_scene(path.stem().string(), both);
    } catch (const std::runtime_error& error) {
      fmt::print("{:22}skipped: {}\n", path.stem().string(), error.what());
    }
  }
  fmt::print("\nboxes at constant density: one collision stage\n{:>8}{:>12}{:>12}{:>14}\n", "boxes", "ours, ms",
             "peer, ms", "ours, us/box");
  constexpr int kMostForPeer = 1000;  // it rejects more with its default memory size
  for (const int n : {125, 250, 500, 1000, 2000, 4000, 8000}) {
    const std::string xml = bench::heap("type='box' size='.1 .1 .1'", n, .2, random);
    std::vector<double> peers;
    if (n <= kMostForPeer) {
      Both both(xml);
      both.place();
      for (int i = 0; i < 5; ++i) peers.push_back(bench::seconds([&] { both.peer_collide(); }));
    }
    const auto model = sinew::load_string(xml);
    sinew::Data d(*model);
    sinew::reset(*model, d);
    sinew::kinematics(*model, d);
    std::vector<double> ours;
    for (int i = 0; i < 11; ++i) ours.push_back(bench::seconds([&] { sinew::collide(*model, d); }));
    fmt::print("{:8}{:12.3f}{:>12}{:14.3f}\n", n, 1e3 * bench::median(ours),
               peers.empty() ? "-" : fmt::format("{:.3f}", 1e3 * bench::median(peers)), 1e6 * bench::median(ours) / n);
  }
}
