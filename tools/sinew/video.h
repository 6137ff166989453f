#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sinew/model.h"
#include "sinew/scene.h"

// Pictures and videos of a world, for sinew render and sinew run --video.

namespace sinew::tool {

/// What of a world is shown, and how large.
struct PictureOptions {
  std::string camera = "free";  // name or number of a camera of the model, or free
  std::string size = "640x480";
  std::string show, hide;      // elements, separated by commas
  std::string labels, frames;  // what is labelled, whose frames are drawn
  double fps = 30;
  double speed = 1;  // seconds of simulation per second of video
  int threads = 0;
  bool depth = false, segment = false;
};

/// Draws worlds of one model with the same options. Throws BadValue if they do not fit the model.
class Camera {
 public:
  Camera(const Model& m, const PictureOptions& options);
  ~Camera();
  int width() const;
  int height() const;
  /// rgb, or what depth and segment ask for as gray values, rows from the top.
  std::span<const std::uint8_t> take(const Data& d);
  /// The picture as PNG: depth as 16-bit millimeters.
  void save(const Data& d, const std::string& path);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The options above on the command line of a subcommand.
void add_picture_options(CLI::App& sub, PictureOptions& options);

/// Frames of a video: .mp4, .webm or .gif through ffmpeg, or numbered pictures for a name with a number such as
/// frame_%06d.png.
class Video {
 public:
  static bool is_video(const std::string& path);

  Video(const Model& m, const PictureOptions& options, std::string path);
  ~Video();
  /// Adds the frames that are due until d.time.
  void look(const Data& d);
  /// Completes the file.
  void close();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sinew::tool
