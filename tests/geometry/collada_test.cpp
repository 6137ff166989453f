#include "geometry/collada.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sinew/load.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kSource =
    R"(<source id="s"><float_array id="f">0 0 0 1 0 0 1 1 0 0 1 0</float_array><technique_common><accessor source="#f" count="4" stride="3"/></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>)";
const std::string kInput =
    R"(<input semantic="VERTEX" source="#v" offset="1"/><input semantic="NORMAL" source="#n" offset="0"/>)";

std::string file(const std::string& primitives,
                 const std::string& nodes = "<node><instance_geometry url=\"#g\"/></node>",
                 const std::string& asset = {}) {
  return "<COLLADA>" + asset + "<library_geometries><geometry id=\"g\"><mesh>" + kSource + primitives +
         "</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"x\">" + nodes +
         "</visual_scene></library_visual_scenes></COLLADA>";
}

Result<MeshSource> read(const std::string& text) {
  const LoadOptions options;
  Budget budget(options.memory_limit, options.interrupt);
  return read_collada({reinterpret_cast<const std::byte*>(text.data()), text.size()}, budget);
}

std::string refusal(const std::string& text) {
  const Result<MeshSource> mesh = read(text);
  EXPECT_FALSE(mesh) << text;
  return mesh ? std::string() : mesh.error().text();
}

const std::string kSquare = "<polylist>" + kInput + "<vcount>4</vcount><p>9 0 9 1 9 2 9 3</p></polylist>";

TEST(Collada, PolygonsAreFansAndOnlyVertexIndicesCount) {
  for (const std::string& text : {kSquare, "<polygons>" + kInput + "<p>9 0 9 1 9 2 9 3</p></polygons>",
                                  "<lines>" + kInput + "<p>0 0 0 1</p></lines><triangles>" + kInput +
                                      "<p>9 0 9 1 9 2 9 0 9 2 9 3</p></triangles>"}) {
    const Result<MeshSource> mesh = read(file(text));
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_THAT(mesh->face, ElementsAre(0, 1, 2, 0, 2, 3));
    EXPECT_THAT(mesh->vertex, ElementsAre(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0));
  }
}

TEST(Collada, TransformationsInOrderThenTheUnit) {
  const Result<MeshSource> mesh = read(file(
      kSquare,
      R"(<node><translate>1 0 0</translate><rotate>0 0 2 90</rotate><node><scale>2 1 1</scale><matrix>1 0 0 1 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
           <instance_geometry url="#g"/></node></node>)",
      R"(<asset><unit meter="0.5"/><up_axis>Y_UP</up_axis></asset>)"));
  ASSERT_TRUE(mesh) << mesh.error().text();
  // x -> 2 (x + 1), y; a quarter turn: (-y, 2 (x + 1)); shifted by 1; halved
  const float expected[] = {0.5f, 1, 0, 0.5f, 2, 0, 0, 2, 0, 0, 1, 0};
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(mesh->vertex[i], expected[i], 1e-7) << i;
}

TEST(Collada, RefusalsGiveTheLine) {
  EXPECT_THAT(refusal("<COLLADA>\n<scene><instance_visual_scene url=\"#q\"/></scene></COLLADA>"),
              HasSubstr("line 2: <instance_visual_scene>: there is no visual_scene 'q'"));
  EXPECT_THAT(refusal(file(kSquare, "<node><instance_geometry url=\"other.dae#g\"/></node>")),
              HasSubstr("is in another file"));
  EXPECT_THAT(refusal(file("<triangles>" + kInput + "<p>0 0 0 1 0 4</p></triangles>")),
              HasSubstr("index 4 is not below the 4 positions"));
  EXPECT_THAT(refusal(file("<triangles>" + kInput + "<p>0 0 0 1 0 -1</p></triangles>")), HasSubstr("index -1"));
  EXPECT_THAT(refusal(file("<triangles>" + kInput + "<p>0 0 0 1</p></triangles>")),
              HasSubstr("2 corners do not make triangles"));
  EXPECT_THAT(refusal(file("<triangles>" + kInput + "<p>0 0 0</p></triangles>")),
              HasSubstr("do not make corners of 2"));
  EXPECT_THAT(refusal(file("<polylist>" + kInput + "<vcount>5</vcount><p>0 0 0 1 0 2</p></polylist>")),
              HasSubstr("a polygon of 5 corners, but 3 are left"));
  EXPECT_THAT(refusal(file("<tristrips>" + kInput + "<p>0 0 0 1 0 2</p></tristrips>")), HasSubstr("is not supported"));
  EXPECT_THAT(refusal(file(kSquare, "<node><skew>1</skew></node>")), HasSubstr("<skew>: is not supported"));
  EXPECT_THAT(refusal(file(kSquare, "<node/>")), HasSubstr("the scene has no triangles"));
  EXPECT_THAT(refusal(file(kSquare, "<node><translate>1 two 3</translate></node>")),
              HasSubstr("'two' is not a number"));
  EXPECT_THAT(refusal("<COLLADA>"), HasSubstr("is never closed"));
}

TEST(Collada, NodesThatInstanceThemselvesOrEachOtherEnd) {
  EXPECT_THAT(refusal(file(kSquare, "<node id=\"n\"><instance_node url=\"#n\"/></node>")),
              HasSubstr("instance themselves"));
  std::string bomb = "<node id=\"n0\"/>";
  for (int i = 1; i < 40; ++i) {
    const std::string below = "<instance_node url=\"#n" + std::to_string(i - 1) + "\"/>";
    bomb += "<node id=\"n" + std::to_string(i) + "\">" + below + below + "</node>";
  }
  EXPECT_THAT(refusal(file(kSquare, bomb)), HasSubstr("more than 1000000 nodes"));
}

}  // namespace
}  // namespace sinew
