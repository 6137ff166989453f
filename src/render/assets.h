#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "render/embree.h"
#include "render/texture.h"
#include "sinew/model.h"

namespace sinew::render {

/// Triangles with their own tree: built once, or moved and refitted.
struct Mesh {
  std::vector<float> vert;          // 3 per vertex
  std::vector<std::uint32_t> face;  // 3 per triangle
  std::vector<float> normal;        // 9 per triangle: of the corners; empty: flat
  std::vector<float> texcoord;      // 6 per triangle; empty: none
  Tree tree;
  Vec low, high;  // bounds
  // of a mesh that moves: what the tree was made for
  std::size_t committed_vert = 0;
  std::vector<std::uint32_t> committed_face;

  std::size_t nface() const { return face.size() / 3; }
  Vec corner(std::size_t triangle, std::size_t i) const { return Vec::load(&vert[3 * face[3 * triangle + i]]); }
  std::array<Vec, 3> corners(std::size_t triangle) const {
    return {corner(triangle, 0), corner(triangle, 1), corner(triangle, 2)};
  }
  /// Not normalized; counterclockwise corners are seen from its side.
  Vec face_normal(std::size_t triangle) const {
    const Vec a = corner(triangle, 0);
    return cross(corner(triangle, 1) - a, corner(triangle, 2) - a);
  }
  /// Makes the tree for what is in the arrays. `moves`: it will be made again, and is refitted if only vertices moved.
  void commit(RTCDevice device, bool moves);
};

struct Ray;

/// What a query into a mesh needs to know. Embree passes the context back to the filter.
struct MeshQuery {
  QueryContext context;
  bool cull = false;          // ignore triangles seen from behind
  const Ray* wire = nullptr;  // the ray in the frame of the mesh, if only edges are drawn
  float width = 0;            // of edges, in pixels
};

/// Copies of what a model's pictures need, so that the model may change or go.
struct Assets {
  explicit Assets(const Model& m);

  Device device;
  std::vector<Mesh> meshes;  // 2 per mesh: itself, its convex hull (empty until asked for)
  std::vector<Mesh> hfields;
  std::vector<Texture> textures;
  std::vector<int> texture_of_material;
  int sky = -1;  // texture

  struct Skin {
    std::vector<std::uint32_t> face;
    std::vector<float> texcoord;  // 6 per triangle
    std::size_t vertnum = 0;
  };
  std::vector<Skin> skins;

  Visual vis;
  float extent = 1;

  void load_mesh(const Model& m, int id);
  void load_hfield(const Model& m, int id);
  void load_texture(const Model& m, int id);
};

}  // namespace sinew::render
