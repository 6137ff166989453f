#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sinew/batch.h"
#include "sinew/error.h"
#include "sinew/model.h"
#include "sinew/scene.h"

// Pictures of a scene, by ray casting on the CPU (library sinew::render, which needs Embree; the engine does not). No
// display, driver or GPU is involved, and no thread owns anything: renderers may be used from any thread, one call at a
// time each. Misuse throws sinew::Exception.

namespace sinew {

inline constexpr int kMostImageSide = 16384;
inline constexpr std::int64_t kMostImagePixels = std::int64_t{1} << 28;

struct RenderOptions {
  int threads = 1;   // 0: one per hardware thread; pixels do not depend on it
  int samples = -1;  // rays per pixel at edges: 1, 2, 4, 8 or 16; -1: vis.quality.offsamples of the model
};

/// Where a picture goes: rows from the top, width x height elements (rgb: three each). What is empty is not made.
struct Image {
  int width = 0;
  int height = 0;
  std::span<std::uint8_t> rgb;
  std::span<float> depth;           // m along the axis of view; background: the far plane
  std::span<std::int32_t> segment;  // segid: index in the scene's list of geoms; background: -1
};

/// One of several pictures.
struct RenderJob {
  const Scene* scene = nullptr;
  Image image;
};

/// Where pictures of the worlds of a batch go: for each world, for each camera, one as in Image.
struct BatchImage {
  int width = 0;
  int height = 0;
  std::span<std::uint8_t> rgb;
  std::span<float> depth;
  std::span<std::int32_t> objects;  // 2 per pixel: id and ObjType of what is seen; background: -1, -1
};

/// A straight line to follow until it meets something.
struct SceneRayHit {
  float distance = -1;  // in lengths of the direction; -1: nothing
  int segid = -1;       // geom of the scene
  Float3 normal{};      // unit length, towards the origin of the ray
};

/// Draws scenes of one model. Meshes, height fields and textures are copied when it is made, together with
/// vis and stat, so the model may change or go; upload_* copies an edited one again.
class Renderer {
 public:
  explicit Renderer(const Model& model, const RenderOptions& options = {});
  ~Renderer();
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;

  /// The scene's flags choose shadows, reflection, sky, fog, haze, and in rgb the colors of segments. Depth and
  /// segments show transparent geoms as solid. Allocates nothing if a picture of this size and scene was made before.
  void render(const Scene& scene, const Image& image);
  /// Several cameras or worlds in one call, divided among the threads.
  void render(std::span<const RenderJob> jobs);
  /// Worlds of a batch, each seen by every camera, divided among the threads. Pictures of other worlds stay as they
  /// are. Worlds with their own values of model fields (Batch::vary) cost a model each.
  void render(const Batch& batch, std::span<const SceneCamera> cameras, const SceneOption& option,
              const BatchImage& images, const Worlds& which = {});
  /// Where rays meet the scene's geoms (decoration and lines left out), for lidars and point clouds. Origins and
  /// directions have three numbers per ray.
  void cast(const Scene& scene, std::span<const float> origins, std::span<const float> directions,
            std::span<SceneRayHit> hits);

  void upload_texture(const Model& model, int id);
  void upload_mesh(const Model& model, int id);
  void upload_hfield(const Model& model, int id);

  /// Of the last call: geoms that were not drawn because their numbers are not finite; empty if there were none.
  const std::string& warning() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Text on a picture, white on a dark outline; x, y is the left end of its baseline, in pixels from the top left.
void draw_text(const Image& image, int x, int y, std::string_view text, float scale = 1);
/// Width and height of a text in pixels.
std::array<int, 2> text_size(std::string_view text, float scale = 1);

/// 8-bit RGB, rows from the top.
Result<bool> write_png(const std::string& path, int width, int height, std::span<const std::uint8_t> rgb);
/// 16-bit gray: millimeters, at most 65.534 m; 65535: farther, or background.
Result<bool> write_depth_png(const std::string& path, int width, int height, std::span<const float> depth);

}  // namespace sinew
