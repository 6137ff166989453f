#include "video.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "report.h"
#include "values.h"
#ifdef SINEW_HAS_RENDER
#include "sinew/render.h"
#endif

extern char** environ;

namespace sinew::tool {

#ifndef SINEW_HAS_RENDER

namespace {
[[noreturn]] void no_renderer() { throw BadValue("this build has no renderer: install libembree-dev and build again"); }
}  // namespace

struct Camera::Parts {};
struct Video::Parts {};
Camera::Camera(const Model&, const PictureOptions&) { no_renderer(); }
Camera::~Camera() = default;
int Camera::width() const { return 0; }
int Camera::height() const { return 0; }
std::span<const std::uint8_t> Camera::take(const Data&) { return {}; }
void Camera::save(const Data&, const std::string&) {}
bool Video::is_video(const std::string&) { return false; }
Video::Video(const Model&, const PictureOptions&, std::string) { no_renderer(); }
Video::~Video() = default;
void Video::look(const Data&) {}
void Video::close() {}

#else

namespace {

constexpr std::array<std::string_view, kNumVisFlag> kElements = {
    "convexhull",   "texture",      "joint",       "camera",      "actuator",  "activation", "light",        "tendon",
    "rangefinder",  "constraint",   "inertia",     "sclinertia",  "pertforce", "pertobj",    "contactpoint", "island",
    "contactforce", "contactsplit", "transparent", "autoconnect", "com",       "select",     "static",       "skin",
    "flexvert",     "flexedge",     "flexface",    "flexskin",    "bodybvh",   "meshbvh",    "sdfiter"};
constexpr std::array<std::string_view, 17> kLabels = {
    "none",       "body", "joint", "geom",      "site",   "camera",       "light",        "tendon", "actuator",
    "constraint", "flex", "skin",  "selection", "selpnt", "contactpoint", "contactforce", "island"};
constexpr std::array<std::string_view, 8> kFrames = {"none",   "body",  "geom",    "site",
                                                     "camera", "light", "contact", "world"};

int word_index(std::span<const std::string_view> words, const char* option, std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found != words.end()) return static_cast<int>(found - words.begin());
  std::string all;
  for (const std::string_view w : words) all += fmt::format("{}{}", all.empty() ? "" : ", ", w);
  throw BadValue(fmt::format("{} {}: expected one of {}", option, word, all));
}

void set_flags(SceneOption& option, const char* name, const std::string& list, std::uint8_t value) {
  for (std::size_t start = 0; start < list.size();) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    option.flags[static_cast<std::size_t>(
        word_index(kElements, name, std::string_view(list).substr(start, end - start)))] = value;
    start = end + 1;
  }
}

std::array<int, 2> size_of(const std::string& text) {
  const std::size_t x = text.find('x');
  std::array<int, 2> size{};
  const auto read = [&](std::size_t from, std::size_t to, int& out) {
    const auto [end, error] = std::from_chars(text.data() + from, text.data() + to, out);
    return error == std::errc() && end == text.data() + to && out >= 1 && out <= kMostImageSide;
  };
  if (x == std::string::npos || !read(0, x, size[0]) || !read(x + 1, text.size(), size[1]) ||
      std::int64_t{size[0]} * size[1] > kMostImagePixels)
    throw BadValue(
        fmt::format("--size {}: expected WIDTHxHEIGHT, each 1 to {}, together at most 2^28", text, kMostImageSide));
  return size;
}

std::string in_path(const char* program) {
  const char* path = std::getenv("PATH");
  for (std::string_view rest = path ? path : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    std::string file = fmt::format("{}/{}", rest.substr(0, end), program);
    if (::access(file.c_str(), X_OK) == 0) return file;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

}  // namespace

struct Camera::Parts {
  Parts(const Model& model, const PictureOptions& o)
      : m(model),
        options(o),
        size(size_of(o.size)),
        scene(model),
        renderer(model, {.threads = o.threads, .samples = -1}) {
    camera = default_free_camera(model);
    if (o.camera != "free") {
      camera.type = kCameraFixed;
      camera.fixedcamid = object_id(model, ObjType::Camera, "camera", o.camera);
    }
    set_flags(option, "--show", o.show, 1);
    set_flags(option, "--hide", o.hide, 0);
    if (!o.labels.empty()) option.label = word_index(kLabels, "--labels", o.labels);
    if (!o.frames.empty()) option.frame = word_index(kFrames, "--frames", o.frames);
    const auto pixels = static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]);
    rgb.resize(3 * pixels);
    if (o.depth) depth.resize(pixels);
  }

  void draw(const Data& d) {
    if (const Status status = update_scene(m, d, option, nullptr, camera, kSceneAll, scene); !status)
      throw BadValue(std::string(status.text()));
    scene.flags[kRenderSegment] = options.segment;
    Image image{size[0], size[1], {}, depth, {}};
    if (!options.depth) image.rgb = rgb;
    renderer.render(scene, image);
    if (!renderer.warning().empty() && !warned) note("warning: {}", renderer.warning());
    warned |= !renderer.warning().empty();
  }

  const Model& m;
  PictureOptions options;
  std::array<int, 2> size;
  Scene scene;
  SceneOption option;
  SceneCamera camera;
  Renderer renderer;
  std::vector<std::uint8_t> rgb;
  std::vector<float> depth;
  bool warned = false;
};

Camera::Camera(const Model& m, const PictureOptions& options) : parts_(std::make_unique<Parts>(m, options)) {}
Camera::~Camera() = default;
int Camera::width() const { return parts_->size[0]; }
int Camera::height() const { return parts_->size[1]; }

std::span<const std::uint8_t> Camera::take(const Data& d) {
  parts_->draw(d);
  if (parts_->options.depth) {
    // nearest white, farthest black
    const auto [low, high] = std::ranges::minmax(parts_->depth);
    for (std::size_t i = 0; i < parts_->depth.size(); ++i) {
      const float part = high > low ? (high - parts_->depth[i]) / (high - low) : 0;
      std::fill_n(&parts_->rgb[3 * i], 3, static_cast<std::uint8_t>(std::lround(255 * part)));
    }
  }
  return parts_->rgb;
}

void Camera::save(const Data& d, const std::string& path) {
  parts_->draw(d);
  const Result<bool> done = parts_->options.depth ? write_depth_png(path, width(), height(), parts_->depth)
                                                  : write_png(path, width(), height(), parts_->rgb);
  if (!done) throw BadValue(plain(done.error()));
}

struct Video::Parts {
  Parts(const Model& m, const PictureOptions& o, std::string to)
      : camera(m, o), path(std::move(to)), step(o.speed / o.fps) {}
  Camera camera;
  std::string path;
  double step;  // s between frames
  double start = 0;
  std::int64_t frames = 0;
  // numbered pictures
  std::string before, after;
  int digits = -1;
  // ffmpeg
  int pipe = -1;
  pid_t process = -1;

  void start_ffmpeg(double fps);
  void write(std::span<const std::uint8_t> rgb);
};

bool Video::is_video(const std::string& path) {
  const auto ends = [&](const char* ending) { return path.ends_with(ending); };
  return ends(".mp4") || ends(".gif") || ends(".webm") || (ends(".png") && path.find('%') != std::string::npos);
}

void Video::Parts::start_ffmpeg(double fps) {
  const std::string program = in_path("ffmpeg");
  if (program.empty())
    throw BadValue(
        fmt::format("{}: ffmpeg is not installed (Debian: apt install ffmpeg); numbered pictures need nothing: "
                    "-o frame_%06d.png",
                    path));
  std::vector<std::string> words = {program,     "-y",
                                    "-loglevel", "error",
                                    "-f",        "rawvideo",
                                    "-pix_fmt",  "rgb24",
                                    "-s",        fmt::format("{}x{}", camera.width(), camera.height()),
                                    "-r",        fmt::format("{}", fps),
                                    "-i",        "-",
                                    "-an"};
  if (path.ends_with(".gif")) {
    words.insert(words.end(), {"-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse"});
  } else {  // players expect chroma at half the resolution, so sides must be even
    words.insert(words.end(), {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"});
  }
  words.push_back(path);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw BadValue(fmt::format("{}: {}", path, std::strerror(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  const int error = posix_spawn(&process, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  pipe = ends[1];
  if (error != 0) {
    process = -1;
    throw BadValue(fmt::format("{}: ffmpeg cannot be started: {}", path, std::strerror(error)));
  }
  std::signal(SIGPIPE, SIG_IGN);  // if ffmpeg ends early, the write fails
}

void Video::Parts::write(std::span<const std::uint8_t> rgb) {
  while (!rgb.empty()) {
    const ssize_t n = ::write(pipe, rgb.data(), rgb.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw BadValue(fmt::format("{}: ffmpeg stopped reading frames", path));
    rgb = rgb.subspan(static_cast<std::size_t>(n));
  }
}

Video::Video(const Model& m, const PictureOptions& options, std::string path) {
  parts_ = std::make_unique<Parts>(m, options, path);
  if (!path.ends_with(".png")) {
    if (!is_video(path)) throw BadValue(fmt::format("{}: a video is .mp4, .webm, .gif or frame_%06d.png", path));
    parts_->start_ffmpeg(options.fps);
    return;
  }
  const std::size_t start = path.find('%'), end = path.find('d', start);
  const std::string digits =
      start == std::string::npos || end == std::string::npos ? "?" : path.substr(start + 1, end - start - 1);
  parts_->digits = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), parts_->digits);
  const bool plain_number = digits.empty() || (error == std::errc() && stop == digits.data() + digits.size());
  if (!plain_number || parts_->digits < 0 || parts_->digits > 12 || path.find('%', start + 1) != std::string::npos)
    throw BadValue(fmt::format("{}: numbered pictures need one number, such as frame_%06d.png", path));
  parts_->before = path.substr(0, start);
  parts_->after = path.substr(end + 1);
}

Video::~Video() {
  if (!parts_) return;
  if (parts_->pipe >= 0) ::close(parts_->pipe);
  if (parts_->process > 0) ::waitpid(parts_->process, nullptr, 0);
}

void Video::look(const Data& d) {
  if (parts_->frames == 0) parts_->start = d.time;
  // a hundredth of a frame for the rounding of the clock
  while (d.time >= parts_->start + (static_cast<double>(parts_->frames) - 0.01) * parts_->step) {
    if (parts_->digits >= 0) {
      parts_->camera.save(d, fmt::format("{}{:0{}}{}", parts_->before, parts_->frames, parts_->digits, parts_->after));
    } else {
      parts_->write(parts_->camera.take(d));
    }
    ++parts_->frames;
  }
}

void Video::close() {
  if (parts_->pipe >= 0) {
    ::close(parts_->pipe);
    parts_->pipe = -1;
    int status = 0;
    ::waitpid(parts_->process, &status, 0);
    parts_->process = -1;
    if (status != 0) throw BadValue(fmt::format("{}: ffmpeg failed", parts_->path));
  }
  note("wrote {} ({} frames)", parts_->path, parts_->frames);
}

#endif

}  // namespace sinew::tool
