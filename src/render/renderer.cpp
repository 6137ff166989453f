#include <algorithm>
#include <cmath>

#include "base/pool.h"
#include "render/frame.h"
#include "render/text.h"
#include "sinew/render.h"
#include "sinew/step.h"

namespace sinew {
namespace {

using render::Frame;
using render::Ray;
using render::Sample;
using render::Vec;

constexpr float kLabelScale = 1.5f;

[[noreturn]] void fail(std::string text) { throw Exception(Error::message(std::move(text))); }

/// Where the rays of a pixel go; four as graphics cards place them, others evenly.
std::array<float, 2> sample_place(int i, int n) {
  constexpr std::array<std::array<float, 2>, 4> kFour = {
      {{0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}}};
  if (n == 4) return kFour[static_cast<std::size_t>(i)];
  float inverse = 0, digit = 0.5f;
  for (int k = i; k > 0; k /= 2, digit /= 2) inverse += digit * static_cast<float>(k % 2);
  return {(static_cast<float>(i) + 0.5f) / static_cast<float>(n), inverse + 0.5f / static_cast<float>(n)};
}

float halton(int i, int base) {
  float out = 0, f = 1;
  for (; i > 0; i /= base) out += (f /= static_cast<float>(base)) * static_cast<float>(i % base);
  return out;
}

Vec segment_color(int segid, bool id_color) {
  if (segid < 0) return {};
  if (!id_color)
    return Vec{halton(segid + 10, 2), halton(segid + 10, 3), halton(segid + 10, 5)} * 0.8f + Vec{0.1f, 0.1f, 0.1f};
  const int id = segid + 1;
  return Vec{static_cast<float>(id & 255), static_cast<float>((id >> 8) & 255), static_cast<float>((id >> 16) & 255)} *
         (1 / 255.f);
}

void store(const Vec& color, std::uint8_t* out) {
  for (int k = 0; k < 3; ++k) out[k] = static_cast<std::uint8_t>(std::lround(std::clamp(color[k], 0.f, 1.f) * 255));
}

void check_size(int width, int height) {
  if (width < 1 || height < 1 || width > kMostImageSide || height > kMostImageSide ||
      std::int64_t{width} * height > kMostImagePixels)
    fail("a picture cannot have " + std::to_string(width) + " x " + std::to_string(height) +
         " pixels: each side must be 1 to " + std::to_string(kMostImageSide) + ", the product at most 2^28");
}

void check_room(std::size_t size, std::size_t needed, const char* name) {
  if (size != 0 && size != needed)
    fail(std::string(name) + " has " + std::to_string(size) + " elements, the picture needs " + std::to_string(needed));
}

void check(const Image& image) {
  check_size(image.width, image.height);
  const auto pixels = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  check_room(image.rgb.size(), 3 * pixels, "rgb");
  check_room(image.depth.size(), pixels, "depth");
  check_room(image.segment.size(), pixels, "segment");
}

void draw_border(const Image& image, const Scene& scene) {
  const int n = scene.framewidth;
  if (n <= 0 || image.rgb.empty()) return;
  const Vec color = Vec::load(scene.framergb.data());
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (x < n || y < n || x >= image.width - n || y >= image.height - n)
        store(color, &image.rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                     static_cast<std::size_t>(x))]);
}

/// The memory of one picture, kept for the next.
struct Canvas {
  explicit Canvas(const render::Assets& assets) : frame(assets) {}
  Frame frame;
  std::vector<Sample> samples;
  std::vector<Vec> colors;

  /// The whole picture, on this thread.
  void draw(const Scene& scene, const Image& image, int nsample);
  void begin(const Scene& scene, const Image& image);
  /// First pass: one ray through the middle of each pixel of a row.
  void row(const Image& image, int y);
  /// Second pass: more rays where neighbors differ.
  void refine(const Image& image, int y, int nsample);

  bool colored = false;  // rgb shows colors, not segments
  bool solid = false;    // depth and segments need rays of their own
};

void Canvas::begin(const Scene& scene, const Image& image) {
  frame.prepare(scene, image.width, image.height);
  colored = !image.rgb.empty() && !frame.flags()[kRenderSegment];
  const bool exact = !image.depth.empty() || !image.segment.empty() || (!image.rgb.empty() && !colored);
  const RenderFlags& flags = frame.flags();
  solid = exact && (!colored || frame.has_transparent() || flags[kRenderSkybox] || flags[kRenderWireframe]);
  const auto pixels = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  if (colored) {
    samples.resize(pixels);
    colors.resize(pixels);
  }
}

void Canvas::draw(const Scene& scene, const Image& image, int nsample) {
  begin(scene, image);
  for (int y = 0; y < image.height; ++y) row(image, y);
  if (colored) {
    for (int y = 0; y < image.height; ++y) refine(image, y, nsample);
    render::draw_labels(scene, image, kLabelScale);
  }
  draw_border(image, scene);
}

void Canvas::row(const Image& image, int y) {
  const auto width = static_cast<std::size_t>(image.width), start = static_cast<std::size_t>(y) * width;
  for (std::size_t x = 0; x < width; ++x) {
    const Ray ray = frame.ray(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
    const std::size_t at = start + x;
    render::Hit hit;
    if (colored) {
      samples[at] = frame.look(ray);
      colors[at] = frame.color(ray, samples[at]);
      hit = samples[at].hit;
    }
    if (solid) hit = frame.nearest(ray);
    if (!image.depth.empty()) image.depth[at] = (hit.part < 0 ? frame.far() : hit.t) * frame.scale();
    if (!image.segment.empty()) image.segment[at] = frame.segid(hit);
    if (!image.rgb.empty() && !colored)
      store(segment_color(frame.segid(hit), frame.flags()[kRenderIdColor] != 0), &image.rgb[3 * at]);
  }
}

void Canvas::refine(const Image& image, int y, int nsample) {
  const int width = image.width, height = image.height;
  const auto at = [&](int i, int j) {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(width) + static_cast<std::size_t>(i);
  };
  for (int x = 0; x < width; ++x) {
    const std::size_t here = at(x, y);
    const Sample& middle = samples[here];
    const bool edge = nsample > 1 && ((x > 0 && !middle.same_as(samples[at(x - 1, y)])) ||
                                      (x + 1 < width && !middle.same_as(samples[at(x + 1, y)])) ||
                                      (y > 0 && !middle.same_as(samples[at(x, y - 1)])) ||
                                      (y + 1 < height && !middle.same_as(samples[at(x, y + 1)])));
    Vec color = colors[here];
    if (edge) {
      // one color per surface and pixel: only the coverage is sampled
      std::array<Sample, 4> known = {middle};
      std::array<Vec, 4> known_color = {color};
      std::size_t nknown = 1;
      Vec sum;
      for (int k = 0; k < nsample; ++k) {
        const auto [dx, dy] = sample_place(k, nsample);
        const Ray ray = frame.ray(static_cast<float>(x) + dx, static_cast<float>(y) + dy);
        const Sample sample = frame.look(ray);
        std::size_t i = 0;
        while (i < nknown && !known[i].same_as(sample)) ++i;
        if (i < nknown) {
          sum += known_color[i];
          continue;
        }
        const Vec found = frame.color(ray, sample);
        if (nknown < known.size()) known[nknown] = sample, known_color[nknown++] = found;
        sum += found;
      }
      color = sum * (1 / static_cast<float>(nsample));
    }
    store(color, &image.rgb[3 * here]);
  }
}

/// What a thread needs to show worlds of a batch.
struct Showing {
  explicit Showing(const Model& m) : data(m), scene(m) {}
  Data data;
  Scene scene;
  std::vector<std::int32_t> segment;
};

void show(const Model& m, const Batch& batch, int world, Showing& showing) {
  batch.copy_world(world, showing.data);
  if (const Status status = forward(m, showing.data); !status)
    fail("world " + std::to_string(world) + ": " + std::string(status.text()));
}

/// Indices of geoms of the scene to the objects that they stand for.
void name_objects(const Scene& scene, std::span<const std::int32_t> segment, std::span<std::int32_t> objects) {
  std::vector<std::array<std::int32_t, 2>> table(scene.geoms.size() + 1, {-1, -1});
  for (std::size_t i = 0; i < static_cast<std::size_t>(scene.ngeom); ++i) {
    const SceneGeom& g = scene.geoms[i];
    if (g.segid >= 0 && g.segid < scene.ngeom) table[static_cast<std::size_t>(g.segid) + 1] = {g.objid, g.objtype};
  }
  for (std::size_t i = 0; i < segment.size(); ++i) {
    const auto& object = table[static_cast<std::size_t>(segment[i] + 1)];
    objects[2 * i] = object[0];
    objects[2 * i + 1] = object[1];
  }
}

template <class T>
std::span<T> nth(std::span<T> all, std::size_t size, std::size_t i) {
  return all.empty() ? all : all.subspan(i * size, size);
}

}  // namespace

struct Renderer::Parts {
  Parts(const Model& m, const RenderOptions& options) : assets(m), pool(options.threads) {
    samples = options.samples < 0 ? m.vis.quality.offsamples : options.samples;
    samples = std::clamp(samples, 1, 16);
    for (int i = 0; i < pool.threads(); ++i) canvases.push_back(std::make_unique<Canvas>(assets));
  }
  render::Assets assets;
  Pool pool;
  int samples = 4;
  std::vector<std::unique_ptr<Canvas>> canvases;  // one per thread
  std::string warning;
};

Renderer::Renderer(const Model& model, const RenderOptions& options) {
  if (options.threads < 0 || options.threads > kMostThreads)
    fail("threads must be 0 (all) to " + std::to_string(kMostThreads));
  parts_ = std::make_unique<Parts>(model, options);
}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

void Renderer::render(const Scene& scene, const Image& image) {
  check(image);
  Canvas& canvas = *parts_->canvases[0];
  canvas.begin(scene, image);
  parts_->warning = canvas.frame.warning();
  parts_->pool.run(image.height, [&](int, int y) { canvas.row(image, y); });
  if (canvas.colored) parts_->pool.run(image.height, [&](int, int y) { canvas.refine(image, y, parts_->samples); });
  if (canvas.colored) render::draw_labels(scene, image, kLabelScale);
  draw_border(image, scene);
}

void Renderer::render(std::span<const RenderJob> jobs) {
  for (const RenderJob& job : jobs) {
    if (!job.scene) fail("a picture has no scene");
    check(job.image);
  }
  if (jobs.size() == 1) return render(*jobs[0].scene, jobs[0].image);
  parts_->pool.run(
      static_cast<int>(jobs.size()),
      [&](int thread, int i) {
        const RenderJob& job = jobs[static_cast<std::size_t>(i)];
        Canvas& canvas = *parts_->canvases[static_cast<std::size_t>(thread)];
        canvas.draw(*job.scene, job.image, parts_->samples);
      },
      1);
  parts_->warning.clear();
}

void Renderer::render(const Batch& batch, std::span<const SceneCamera> cameras, const SceneOption& option,
                      const BatchImage& images, const Worlds& which) {
  check_size(images.width, images.height);
  const auto pixels = static_cast<std::size_t>(images.width) * static_cast<std::size_t>(images.height);
  const std::size_t all = pixels * cameras.size() * static_cast<std::size_t>(batch.size());
  check_room(images.rgb.size(), 3 * all, "rgb");
  check_room(images.depth.size(), all, "depth");
  check_room(images.objects.size(), 2 * all, "objects");
  const std::vector<int> worlds = which.indices(batch.size());
  const Model& model = batch.model();
  const bool varied = !batch.varied().empty();
  std::vector<std::unique_ptr<Showing>> showings(parts_->canvases.size());  // one per thread

  const auto draw = [&](const Model& m, Showing& showing, Canvas& canvas, int world) {
    show(m, batch, world, showing);
    for (std::size_t c = 0; c < cameras.size(); ++c) {
      const std::size_t k = static_cast<std::size_t>(world) * cameras.size() + c;
      SceneCamera camera = cameras[c];
      if (const Status status = update_scene(m, showing.data, option, nullptr, camera, kSceneAll, showing.scene);
          !status)
        fail("camera " + std::to_string(c) + ": " + std::string(status.text()));
      showing.segment.resize(images.objects.empty() ? 0 : pixels);
      canvas.draw(
          showing.scene,
          {images.width, images.height, nth(images.rgb, 3 * pixels, k), nth(images.depth, pixels, k), showing.segment},
          parts_->samples);
      if (!images.objects.empty()) name_objects(showing.scene, showing.segment, nth(images.objects, 2 * pixels, k));
    }
  };
  parts_->pool.run(
      static_cast<int>(worlds.size()),
      [&](int thread, int i) {
        const auto t = static_cast<std::size_t>(thread);
        const int world = worlds[static_cast<std::size_t>(i)];
        Canvas& canvas = *parts_->canvases[t];
        if (varied) {
          const Model own = batch.world_model(world);
          Showing showing(own);
          return draw(own, showing, canvas, world);
        }
        if (!showings[t]) showings[t] = std::make_unique<Showing>(model);
        draw(model, *showings[t], canvas, world);
      },
      1);
  parts_->warning.clear();
}

void Renderer::cast(const Scene& scene, std::span<const float> origins, std::span<const float> directions,
                    std::span<SceneRayHit> hits) {
  if (origins.size() != 3 * hits.size() || directions.size() != 3 * hits.size())
    fail("origins and directions need three numbers per ray");
  Frame& frame = parts_->canvases[0]->frame;
  frame.prepare_for_rays(scene);
  parts_->warning = frame.warning();
  parts_->pool.run(static_cast<int>(hits.size()), [&](int, int i) {
    const auto k = static_cast<std::size_t>(i);
    Ray ray;
    ray.origin = Vec::load(&origins[3 * k]);
    ray.direction = Vec::load(&directions[3 * k]);
    ray.far = std::numeric_limits<float>::max();
    hits[k] = {};
    const bool usable = std::isfinite(dot(ray.origin, ray.origin)) && dot(ray.direction, ray.direction) > 0 &&
                        std::isfinite(dot(ray.direction, ray.direction));
    if (!usable) return;
    const render::Hit hit = frame.cast(ray);
    if (hit.part < 0) return;
    Vec n = frame.normal(hit, ray.at(hit.t));
    if (dot(n, ray.direction) > 0) n = -n;
    hits[k] = {hit.t, frame.segid(hit), {n.x, n.y, n.z}};
  });
}

void Renderer::upload_texture(const Model& model, int id) {
  if (id < 0 || id >= model.ntex || static_cast<std::size_t>(id) >= parts_->assets.textures.size())
    fail("there is no texture " + std::to_string(id));
  parts_->assets.load_texture(model, id);
}
void Renderer::upload_mesh(const Model& model, int id) {
  if (id < 0 || id >= model.nmesh || static_cast<std::size_t>(2 * id) >= parts_->assets.meshes.size())
    fail("there is no mesh " + std::to_string(id));
  parts_->assets.load_mesh(model, id);
}
void Renderer::upload_hfield(const Model& model, int id) {
  if (id < 0 || id >= model.nhfield || static_cast<std::size_t>(id) >= parts_->assets.hfields.size())
    fail("there is no height field " + std::to_string(id));
  parts_->assets.load_hfield(model, id);
}

const std::string& Renderer::warning() const { return parts_->warning; }

}  // namespace sinew
