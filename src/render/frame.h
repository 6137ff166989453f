#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "render/shapes.h"
#include "sinew/render.h"

namespace sinew::render {

/// What is seen along one ray.
struct Sample {
  Hit hit;              // of the nearest opaque part
  Vec normal;           // of its shading, if it was hit
  unsigned layers = 0;  // which transparent parts are in front of it
  bool same_as(const Sample& other) const;
};

/// One picture in the making: the scene as parts in a tree, the camera, the lights. Tracing is const: threads share it.
class Frame {
 public:
  explicit Frame(const Assets& assets);
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  /// `flags`: those of the scene.
  void prepare(const Scene& scene, int width, int height);
  /// As prepare, for rays that do not come from the camera: everything is solid.
  void prepare_for_rays(const Scene& scene);

  /// Ray through a point of the image, in pixels from the top left. Stereo: halves for two eyes.
  Ray ray(float x, float y) const;

  /// The nearest part, of whatever kind.
  Hit nearest(const Ray& ray) const;
  /// The nearest part from inside or outside, for rays that do not come from the camera.
  Hit cast(const Ray& ray) const;
  /// Geometry first, then the color of what was found.
  Sample look(const Ray& ray) const;
  Vec color(const Ray& ray, const Sample& sample) const;

  int segid(const Hit& hit) const;
  Vec normal(const Hit& hit, const Vec& point) const { return normals_at(parts_[index(hit.part)], hit, point).surface; }
  float far() const { return far_; }
  float scale() const { return scale_; }
  bool has_transparent() const { return has_transparent_; }
  const RenderFlags& flags() const { return flags_; }
  const std::string& warning() const { return warning_; }

 private:
  enum class Kind : std::uint8_t { Opaque, Transparent, All, Caster, Inside };
  static constexpr int kMostLayers = 64;
  struct Query {
    QueryContext context;
    const Frame* frame;
    const Ray* ray;
    Kind kind;
    int skip = -1;  // part
    Hit hit;
    Hit* layers = nullptr;  // kMostLayers, if transparent parts are asked for
    int nlayer = 0;
  };
  /// Parts with a tree of their own: rays that look for opaque ones do not visit the others. Planes are tested one by
  /// one, since a tree with a plane in it is as large as the world.
  struct Group {
    const Frame* frame = nullptr;
    std::vector<int> planes;
    std::vector<int> parts;  // of the tree
    Tree tree;
    RTCGeometry geometry = nullptr;  // owned by the tree
    Vec low, high;                   // bounds of the tree
    void start(const Frame& frame);
    void build();
    /// Whether the ray meets the bounds of the tree.
    bool near(const RTCRay& ray) const;
  };
  /// Room for hits, without the cost of initial values.
  struct Layers {
    Layers() {}
    union {
      Hit hits[kMostLayers];
    };
  };
  struct View {
    Vec pos, forward, right, up;
    float left = 0, bottom = 0, width = 0, height = 0;  // of the image at depth 1; orthographic: at any depth
  };
  struct Light {
    Vec pos, dir, ambient, diffuse, specular, attenuation;
    Vec side, over;  // across dir: the axes of the range of shadows
    bool directional = false, shadow = false;
    float cos_cutoff = -1, exponent = 0;
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static void bounds(const RTCBoundsFunctionArguments* arguments);
  static void on_intersect(const RTCIntersectFunctionNArguments* arguments);
  static void on_occluded(const RTCOccludedFunctionNArguments* arguments);

  void set_view(const Scene& scene, const SceneView& eye, int width, int height, View& view);
  void add_parts(const Scene& scene);
  void add_geom(const Scene& scene, const SceneGeom& g);
  void add_flex(const Scene& scene, const SceneGeom& g, Part part);
  Mesh& moving_mesh();
  void finish_part(Part part);
  void set_lights(const Scene& scene);
  void build();

  static bool wanted(const Part& part, Kind kind);
  /// Tests one part, and notes it if it is nearer than `tfar`, which becomes its distance.
  static bool visit(Query& query, int id, float& tfar);
  void trace(Query& query) const;
  void trace(Query& query, const Group& group, RTCRayHit& ray) const;
  bool blocked(Query& query, const Group& group, RTCRay& ray) const;
  bool shadowed(const Light& light, const Part& part, int self, const Vec& point, const Vec& surface) const;
  Rgba shade(const Ray& ray, const Hit& hit, bool mirrored, Vec* normal) const;
  Vec reflection(const Ray& ray, const Hit& hit) const;
  Vec background(const Ray& ray) const;
  void blend_layers(const Ray& ray, float until, bool mirrored, Vec& color) const;
  void blend_haze(const Ray& ray, float until, Vec& color) const;
  float sky_distance(const Ray& ray) const;

  const Assets* assets_;
  Group opaque_, clear_;
  std::vector<Part> parts_;
  std::vector<std::unique_ptr<Mesh>> moving_;  // flexes and skins
  std::size_t nmoving_ = 0;
  std::vector<Light> lights_;
  std::array<View, 2> views_;
  Vec head_;
  int nview_ = 1, width_ = 1, height_ = 1;
  bool orthographic_ = false;
  float near_ = 0, far_ = 1, scale_ = 1;
  float glow_ = 0;   // light from nowhere, if there are no lights
  int mirror_ = -1;  // part
  bool has_transparent_ = false;
  bool sky_ = false;
  bool plane_seen_ = false;
  bool haze_ = false;  // over the ground
  Vec ground_pos_;
  Mat ground_mat_;
  float haze_at_ = 0.5f;
  RenderFlags flags_{};
  Wire wire_;
  bool wireframe_ = false;
  std::string warning_;
};

}  // namespace sinew::render
