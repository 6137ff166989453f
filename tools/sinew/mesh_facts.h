#pragma once

#include <array>
#include <string>
#include <vector>

#include "sinew/model.h"

// What `sinew info` tells about the meshes of a model, found from the compiled model alone.

namespace sinew::tool {

struct MeshFacts {
  std::string name;
  int vertices = 0;
  int faces = 0;
  int hull_vertices = 0;  // 0: no geom needs a hull
  int hull_faces = 0;
  double volume = 0;                // m³, signed: negative where the faces look inwards
  double hull_volume = 0;           // m³
  std::array<double, 3> inertia{};  // kg m² about the mesh's axes, at 1000 kg/m³
  int open_edges = 0;               // sides of triangles without a neighbour
  int turned_edges = 0;             // sides along which two triangles run the same way
};

std::vector<MeshFacts> mesh_facts(const Model& m);

/// What users trip over: holes, faces that look inwards, hulls that are expensive or far from the mesh, meshes that are
/// meant to be seen and collide.
std::vector<std::string> mesh_warnings(const Model& m, const std::vector<MeshFacts>& meshes);

}  // namespace sinew::tool
