#pragma once

#include <array>
#include <string>
#include <vector>

#include "sinew/model.h"

// What `sinew info` reports about the meshes of a model, computed from the compiled model alone.

namespace sinew::tool {

struct MeshFacts {
  std::string name;
  int vertices = 0;
  int faces = 0;
  int hull_vertices = 0;  // 0: no geom needs a hull
  int hull_faces = 0;
  double volume = 0;                // m³, signed: negative if the faces point inward
  double hull_volume = 0;           // m³
  std::array<double, 3> inertia{};  // kg m² about the mesh's axes, at 1000 kg/m³
  int open_edges = 0;               // edges that belong to one triangle
  int turned_edges = 0;             // edges with the same direction in two triangles
};

std::vector<MeshFacts> mesh_facts(const Model& m);

/// Common mistakes: holes, faces that point inward, hulls that are expensive or far from the mesh, visual meshes that
/// collide.
std::vector<std::string> mesh_warnings(const Model& m, const std::vector<MeshFacts>& meshes);

}  // namespace sinew::tool
