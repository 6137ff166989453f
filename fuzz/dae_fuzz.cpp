// Fuzz target for COLLADA files: dae_fuzz RUNS

#include "asset.h"
#include "shapes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::load_with(R"(<mujoco><asset><mesh name="thing" file="thing.dae"/></asset>
    <worldbody><body><freejoint/><geom type="mesh" mesh="thing"/></body></worldbody></mujoco>)",
                  "thing.dae", {reinterpret_cast<const char*>(data), size});
  return 0;
}

#ifndef SINEW_LIBFUZZER

namespace {

/// The shape as triangles, as a polylist or as polygons; the scene instances a node.
std::string collada(const fuzz::Shape& shape, const std::string& kind) {
  std::string positions, corners, sizes, polygons;
  for (const auto& vertex : shape.vertex)
    for (const float x : vertex) positions += std::to_string(x) + " ";
  for (const auto& face : shape.face) {
    sizes += "3 ";
    std::string polygon;
    for (const int corner : face) polygon += std::to_string(corner) + " 0 ";
    corners += polygon;
    polygons += "<p>" + polygon + "</p>";
  }
  const std::string count = std::to_string(shape.vertex.size());
  return R"(<?xml version="1.0"?><COLLADA><asset><unit meter="0.1"/></asset><library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="f" count="9">)" +
         positions + R"(</float_array><technique_common><accessor source="#f" stride="3" count=")" + count +
         R"("/></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices><)" +
         kind +
         R"(><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>)" +
         (kind == "polylist" ? "<vcount>" + sizes + "</vcount>" : "") +
         (kind == "polygons" ? polygons : "<p>" + corners + "</p>") + "</" + kind +
         R"(></mesh></geometry></library_geometries><library_nodes><node id="n"><rotate>1 2 3 40</rotate><scale>1 2 3</scale>
<instance_geometry url="#g"/></node></library_nodes><library_visual_scenes><visual_scene id="x"><node><matrix>1 0 0 2 0 1 0 3 0 0 1 4 0 0 0 1</matrix>
<instance_node url="#n"/><node><translate>9 9 9</translate><instance_node url="#n"/></node></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#x"/></scene></COLLADA>)";
}

}  // namespace

int main(int argc, char** argv) {
  using fuzz::cube, fuzz::tetrahedron;
  return fuzz::run_on_seeds(
      argc, argv, {collada(tetrahedron(), "triangles"), collada(cube(), "polylist"), collada(cube(), "polygons")});
}

#endif
