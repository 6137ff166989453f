#include <cmath>
#include <memory>

#include "command.h"
#include "interruption.h"
#include "number.h"
#include "progress.h"
#include "report.h"
#include "sinew/step.h"
#include "values.h"
#include "video.h"

namespace sinew::tool {
namespace {

struct RenderCommand {
  std::string model, out;
  std::string key;
  double time = 0;  // s
  std::vector<std::string> ctrl;
  PictureOptions picture;
};

int render_model(const RenderCommand& options) {
  const bool moving = Video::is_video(options.out);
  if (!moving && !options.out.ends_with(".png"))
    return refuse(fmt::format("-o {}: expected .png, or .mp4, .webm, .gif, frame_%06d.png for a video", options.out));
  std::optional<Model> model = load_and_report(options.model);
  if (!model) return kRefused;
  const Model& m = *model;
  Data d(m);
  reset_to_keyframe(m, d, options.key.empty() ? -1 : object_id(m, ObjType::Key, "keyframe", options.key));
  for (const std::string& assignment : options.ctrl) set_control(m, d, assignment);
  const double wanted = std::round(options.time / m.opt.timestep);
  if (wanted > 1e12) throw BadValue(fmt::format("--time {}: too many steps", options.time));

  std::optional<Video> video;
  std::optional<Camera> camera;
  if (moving) {
    video.emplace(m, options.picture, options.out);
  } else {
    camera.emplace(m, options.picture);
  }
  Progress progress;
  const Interruption interruption;
  const auto look = [&] {
    if (const Status status = forward(m, d); !status) throw BadValue(std::string(status.text()));
    if (video) video->look(d);
  };
  look();
  const auto steps = static_cast<std::int64_t>(wanted);
  for (std::int64_t i = 0; i < steps && !interruption.signal(); ++i) {
    if (!video) {
      step(m, d);
    } else {
      begin_step(m, d);
      video->look(d);
      finish_step(m, d);
    }
    progress.update(static_cast<double>(i) / static_cast<double>(steps), fmt::format("{:.2f} s simulated", d.time));
  }
  if (steps > 0) look();
  progress.finish();
  if (video) {
    video->close();
  } else {
    camera->save(d, options.out);
    note("wrote {} ({})", options.out, options.picture.size);
  }
  return interruption.signal() ? kSignalled + interruption.signal() : kDone;
}

}  // namespace

void add_picture_options(CLI::App& sub, PictureOptions& options) {
  sub.add_option("--camera", options.camera, "name or number of a camera of the model, or free (free)");
  sub.add_option("--size", options.size, "WIDTHxHEIGHT in pixels (640x480)");
  sub.add_option("--fps", options.fps, "frames per second of a video (30)")->check(number(0.01, 10000.0));
  sub.add_option("--speed", options.speed, "seconds of simulation per second of a video (1)")->check(number(1e-6, 1e6));
  sub.add_option("--show", options.show, "also draw these: contactpoint,contactforce,joint,com,inertia,…");
  sub.add_option("--hide", options.hide, "do not draw these: texture,tendon,static,…");
  sub.add_option("--labels", options.labels, "write the names of: body, joint, geom, site, …");
  sub.add_option("--frames", options.frames, "draw the frames of: body, geom, site, camera, light, contact, world");
  sub.add_option("--threads", options.threads, "threads for drawing (0: all); the picture does not depend on it")
      ->check(number(0, 1024));
}

void add_render(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("render", "Draw a model as picture or video");
  const auto options = std::make_shared<RenderCommand>();
  sub->add_option("MODEL", options->model, "MJCF file")->required();
  sub->add_option("-o,--out", options->out, "x.png; a video: x.mp4, x.webm, x.gif (with ffmpeg) or frame_%06d.png")
      ->required();
  sub->add_option("--key", options->key, "keyframe (name or number) instead of qpos0");
  sub->add_option("--time", options->time, "seconds to simulate before the picture, or during the video (0)")
      ->check(not_negative<double>());
  sub->add_option("--ctrl", options->ctrl, "NAME=VALUE: constant control of an actuator; NAME=A,B,C for several");
  auto* depth = sub->add_flag("--depth", options->picture.depth, "distances: 16-bit gray in millimeters");
  sub->add_flag("--segment", options->picture.segment, "one color per geom")->excludes(depth);
  add_picture_options(*sub, options->picture);
  sub->footer(
      "Examples:\n"
      "  sinew render models/humanoid.xml -o humanoid.png\n"
      "  sinew render models/humanoid.xml --time 1 --camera free --size 320x240 --depth -o depth.png\n"
      "  sinew render models/humanoid.xml --time 5 --show contactpoint,contactforce -o fall.mp4");
  sub->callback([&action, options] {
    action = [options] {
      try {
        return render_model(*options);
      } catch (const BadValue& e) {
        return refuse(e.what());
      }
    };
  });
}

}  // namespace sinew::tool
