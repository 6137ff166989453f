// bench_load MODELS: CPU time from file to compiled model, against the peer's mj_loadXML in the same run; for the
// models of the folder, and for generated models with large meshes. Also the peak memory of loading each once.

#include "sinew/load.h"

#include <fmt/core.h>
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <optional>

#include "timing.h"

namespace {

namespace fs = std::filesystem;

/// A bumpy torus with 2 n² triangles: closed and not convex.
struct Surface {
  std::vector<std::array<float, 3>> vertex;
  std::vector<std::array<int, 3>> face;

  Surface(int n, double tube) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const double u = 2 * M_PI * i / n, v = 2 * M_PI * j / n, r = tube * (1 + 0.05 * std::sin(5 * u + 3 * v));
        vertex.push_back({static_cast<float>((0.5 + r * std::cos(v)) * std::cos(u)),
                          static_cast<float>((0.5 + r * std::cos(v)) * std::sin(u)),
                          static_cast<float>(r * std::sin(v))});
        const int a = i * n + j, b = (i + 1) % n * n + j, c = (i + 1) % n * n + (j + 1) % n, d = i * n + (j + 1) % n;
        face.push_back({a, b, c});
        face.push_back({a, c, d});
      }
    }
  }
};

void write_stl(const Surface& surface, const fs::path& path) {
  std::ofstream out(path, std::ios::binary);
  const auto put = [&](const auto& value) { out.write(reinterpret_cast<const char*>(&value), sizeof value); };
  put(std::array<char, 80>{});
  put(static_cast<std::uint32_t>(surface.face.size()));
  for (const auto& face : surface.face) {
    put(std::array<float, 3>{});
    for (const int corner : face) put(surface.vertex[static_cast<std::size_t>(corner)]);
    put(std::uint16_t{0});
  }
}

void write_obj(const Surface& surface, const fs::path& path) {
  std::ofstream out(path);
  for (const auto& v : surface.vertex) out << fmt::format("v {} {} {}\n", v[0], v[1], v[2]);
  for (const auto& f : surface.face) out << fmt::format("f {} {} {}\n", f[0] + 1, f[1] + 1, f[2] + 1);
}

/// A model with `count` different meshes of this kind, each on its own body.
void write_model(const fs::path& folder, const std::string& name, const char* ending, int count, int n, bool collide) {
  std::string assets, bodies;
  for (int i = 0; i < count; ++i) {
    const std::string mesh = fmt::format("{}{}", name, i);
    const Surface surface(n, 0.15 + 0.01 * i);
    if (std::string(ending) == "stl") {
      write_stl(surface, folder / (mesh + ".stl"));
    } else {
      write_obj(surface, folder / (mesh + ".obj"));
    }
    assets += fmt::format("<mesh name=\"{0}\" file=\"{0}.{1}\"/>\n", mesh, ending);
    bodies += fmt::format(
        "<body pos=\"0 0 {}\"><freejoint/><geom type=\"mesh\" mesh=\"{}\" contype=\"{}\" conaffinity=\"{}\"/></body>\n",
        i, mesh, collide ? 1 : 0, collide ? 1 : 0);
  }
  std::ofstream(folder / (name + ".xml")) << "<mujoco><asset>\n"
                                          << assets << "</asset><worldbody>\n"
                                          << bodies << "</worldbody></mujoco>\n";
}

/// Models with visual parts, with colliding parts, with one large scan, and with parts in text files.
void write_mesh_models(const fs::path& folder) {
  write_model(folder, "visual_parts", "stl", 20, 60, false);
  write_model(folder, "hull_parts", "stl", 20, 60, true);
  write_model(folder, "one_scan", "stl", 1, 150, true);
  write_model(folder, "text_parts", "obj", 8, 80, true);
}

mjModel* load_peer(const std::string& file) {
  char error[1000] = "";
  return mj_loadXML(file.c_str(), nullptr, error, sizeof error);
}

/// Peak memory in MB of a new process of this program that loads one model: it prints its own high-water mark.
double peak_memory(const std::string& loader, const std::string& file) {
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  FILE* child = popen(fmt::format("'{}' {} '{}'", self, loader, file).c_str(), "r");
  double megabytes = 0;
  if (!child || fscanf(child, "%lf", &megabytes) != 1) megabytes = 0;
  if (child) pclose(child);
  return megabytes;
}

void print_peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) fmt::print("{}\n", std::stod(line.substr(6)) / 1024);
}

void compare(const fs::path& path) {
  const std::string file = path.string(), name = path.stem().string();
  if (const auto loads = sinew::load(file); !loads) {
    fmt::print("{:16}rejected: {}\n", name, loads.error().first().text());
    return;
  }
  char error[1000] = "";
  mjModel* peer = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
  if (!peer) {
    fmt::print("{:16}not comparable, rejected by the peer: {}\n", name, error);
    return;
  }
  mj_deleteModel(peer);

  std::optional<sinew::Result<sinew::Model>> ours;
  peer = nullptr;
  const auto load_ours = [&] {
    ours.reset();
    ours.emplace(sinew::load(file));
  };
  const auto load_peers = [&] {
    mj_deleteModel(peer);
    peer = load_peer(file);
  };
  const auto result = bench::compare(load_ours, load_peers, bench::Clock::Process);
  const auto elapsed = bench::compare(load_ours, load_peers, bench::Clock::Wall);
  mj_deleteModel(peer);
  ours.reset();
  const double our_memory = peak_memory("--sinew", file);
  const double peer_memory = peak_memory("--peer", file);
  fmt::print("{:16}{:10.3f}{:10.3f}{:12.2f}{:12.2f}{:12.1f}{:10.1f}\n", name, 1e3 * result.ours, 1e3 * result.peers,
             result.ratio, elapsed.ratio, our_memory, peer_memory);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) {  // one load, for peak_memory
    if (std::string(argv[1]) == "--sinew") {
      const auto model = sinew::load(argv[2]);
      print_peak_memory();
    } else {
      mjModel* model = load_peer(argv[2]);
      print_peak_memory();
      mj_deleteModel(model);
    }
    return 0;
  }
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_load MODELS\n");
    return 2;
  }
  fmt::print(
      "load: milliseconds of CPU time (all threads) from file to model, median; ratios of CPU time and of\n"
      "elapsed time; peak MB of a process that loads the model once. The peer is MuJoCo {}\n",
      mj_versionString());
  fmt::print("{:16}{:>10}{:>10}{:>12}{:>12}{:>12}{:>10}\n", "model", "sinew", "peer", "peer/sinew", "elapsed",
             "sinew MB", "peer MB");
  for (const auto& path : bench::models_in(argv[1])) compare(path);

  std::string made = (fs::temp_directory_path() / "sinew-bench-XXXXXX").string();
  if (!mkdtemp(made.data())) return 1;
  write_mesh_models(made);
  for (const auto& path : bench::models_in(made)) compare(path);
  fs::remove_all(made);
}
