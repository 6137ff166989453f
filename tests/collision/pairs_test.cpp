#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/arena.h"
#include "collision/frame.h"
#include "collision/pair_table.h"
#include "collision/random_shape.h"

namespace sinew {
namespace {

using nlohmann::json;

template <class T, bool Counted>
void fill(Field<T, Counted>& out, const json& in) {
  out.clear();
  for (const auto& x : in) out.push_back(x.get<T>());
}

/// The mesh and height field arrays of the golden file.
Model asset_model(const json& j) {
  Model m;
#define TAKE(name) fill(m.name, j.at(#name))
  TAKE(mesh_vertadr);
  TAKE(mesh_vertnum);
  TAKE(mesh_graphadr);
  TAKE(mesh_extrema);
  TAKE(mesh_vert);
  TAKE(mesh_graph);
  TAKE(mesh_polynum);
  TAKE(mesh_polyadr);
  TAKE(mesh_polynormal);
  TAKE(mesh_polyvertadr);
  TAKE(mesh_polyvertnum);
  TAKE(mesh_polyvert);
  TAKE(mesh_polymapadr);
  TAKE(mesh_polymapnum);
  TAKE(mesh_polymap);
  TAKE(hfield_size);
  TAKE(hfield_nrow);
  TAKE(hfield_ncol);
  TAKE(hfield_adr);
  TAKE(hfield_data);
#undef TAKE
  m.npolygonmax = j.at("npolygonmax");
  m.nmeshdegmax = j.at("nmeshdegmax");
  return m;
}

Shape shape_from(const json& item, int which) {
  Shape s;
  s.type = static_cast<GeomType>(item["type"][which].get<int>());
  s.data = item["data"][which];
  s.rbound = item["rbound"][which];
  for (int i = 0; i < 3; ++i) {
    s.size[i] = item["size"][3 * which + i];
    s.pos[i] = item["pos"][3 * which + i];
  }
  for (int i = 0; i < 9; ++i) s.mat.m[i] = item["mat"][9 * which + i];
  return s;
}

/// Largest deviation of position, distance and frame; infinite if the number of contacts differs.
double deviation(const json& golden, const ContactPoint* found, int count) {
  if (static_cast<int>(golden.size()) != count) return INFINITY;
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    worst = std::max(worst, std::abs(golden[i]["dist"].get<double>() - found[i].dist));
    const Mat3d frame = contact_frame(found[i].normal, found[i].tangent);
    for (int k = 0; k < 3; ++k) worst = std::max(worst, std::abs(golden[i]["pos"][k].get<double>() - found[i].pos[k]));
    for (int k = 0; k < 9; ++k) worst = std::max(worst, std::abs(golden[i]["frame"][k].get<double>() - frame.m[k]));
  }
  return worst;
}

void expect_goldens(const char* name, int disableflags, double tolerance) {
  std::ifstream file(std::string(SINEW_SOURCE_DIR "/tests/collision/") + name);
  ASSERT_TRUE(file);
  const json goldens = json::parse(file);
  Model m = asset_model(goldens["model"]);
  m.opt.disableflags = disableflags;
  Arena arena;
  for (const json& item : goldens["pairs"]) {
    const Shape a = shape_from(item, 0), b = shape_from(item, 1);
    const double margin = item["margin"];
    ContactPoint found[kMaxContactsHfield];
    const bool near = a.type == GeomType::Plane || norm(b.pos - a.pos) <= a.rbound + b.rbound + margin;
    const int count = near ? pair_row(a.type, b.type).contacts({m, arena}, a, b, margin, found) : 0;
    EXPECT_LT(deviation(item["contacts"], found, count), tolerance)
        << name_of(a.type) << " and " << name_of(b.type) << ", margin " << margin;
    EXPECT_LE(count, pair_row(a.type, b.type).most(m, margin));
  }
}

// MuJoCo 3.12.0, mj_collision on two geoms at given poses (make_goldens.mjs).
TEST(Pairs, GiveMuJoCosContactsInItsOrder) { expect_goldens("pairs.json", 0, 1e-11); }

// MuJoCo 3.12.0, the same with the flag nativeccd off (make_goldens.mjs portal).
TEST(Pairs, GiveMuJoCosContactsByPortalRefinement) { expect_goldens("portal_pairs.json", kDisableNativeccd, 1e-11); }

}  // namespace
}  // namespace sinew
