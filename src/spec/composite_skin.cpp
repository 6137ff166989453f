#include "spec/composite_skin.h"

#include <vector>

namespace sinew::mjcf {
namespace {

/// Weight of one bone in a direction of the lattice.
struct BoneShare {
  int bone;
  double weight;
};

/// A lattice line x in cell i at t = x/(s+1) - i follows the bones by cubic Hermite interpolation: values at i and i+1,
/// slopes half the difference of the neighbors, one-sided at the ends.
std::vector<BoneShare> bone_shares(int x, int bones, int subgrid) {
  if (subgrid == 0) return {{x, 1}};
  const int i = std::min(x / (subgrid + 1), bones - 2);
  const double t = static_cast<double>(x) / (subgrid + 1) - i;
  const double slope0 = t * t * t - 2 * t * t + t, slope1 = t * t * t - t * t;
  std::array<double, 4> weight = {0, 2 * t * t * t - 3 * t * t + 1, -2 * t * t * t + 3 * t * t, 0};  // of i-1 … i+2
  if (i > 0) {
    weight[0] -= 0.5 * slope0;
    weight[2] += 0.5 * slope0;
  } else {
    weight[1] -= slope0;
    weight[2] += slope0;
  }
  if (i + 2 < bones) {
    weight[1] -= 0.5 * slope1;
    weight[3] += 0.5 * slope1;
  } else {
    weight[1] -= slope1;
    weight[2] += slope1;
  }
  std::vector<BoneShare> out;
  for (int k = 0; k < 4; ++k)
    if (weight[static_cast<std::size_t>(k)] != 0) out.push_back({i - 1 + k, weight[static_cast<std::size_t>(k)]});
  return out;
}

/// The vertices: two equal sides of nx x ny points.
struct Lattice {
  int nx, ny;

  int at(int side, int x, int y) const { return side * nx * ny + x * ny + y; }
};

int bones_across(const CableSkin& cable) { return cable.subgrid > 0 ? 3 : 2; }

Lattice lattice_of(const CableSkin& cable) {
  const auto lines = [&](int bones) { return bones + (bones - 1) * cable.subgrid; };
  return {lines(cable.points), lines(bones_across(cable))};
}

void add_faces(const Lattice& grid, std::vector<int>& face) {
  const auto add = [&](int a, int b, int c) { face.insert(face.end(), {a, b, c}); };
  for (int side = 0; side < 2; ++side) {
    for (int x = 0; x + 1 < grid.nx; ++x) {
      for (int y = 0; y + 1 < grid.ny; ++y) {
        const int a = grid.at(side, x, y), b = grid.at(side, x + 1, y), c = grid.at(side, x + 1, y + 1),
                  d = grid.at(side, x, y + 1);
        if (side == 0) {
          add(a, b, c);
          add(a, c, d);
        } else {
          add(a, c, b);
          add(a, d, c);
        }
      }
    }
  }
  // the rim joins the sides: p, q are neighbors on side 0, p2, q2 the same on side 1
  const auto close = [&](int p, int q, int p2, int q2, bool turned) {
    if (turned) {
      add(p, q2, q);
      add(p, p2, q2);
    } else {
      add(p, q, q2);
      add(p, q2, p2);
    }
  };
  const int last_x = grid.nx - 1, last_y = grid.ny - 1;
  for (const int y : {0, last_y})
    for (int x = 0; x < last_x; ++x)
      close(grid.at(0, x, y), grid.at(0, x + 1, y), grid.at(1, x, y), grid.at(1, x + 1, y), y == 0);
  for (const int x : {0, last_x})
    for (int y = 0; y < last_y; ++y)
      close(grid.at(0, x, y), grid.at(0, x, y + 1), grid.at(1, x, y), grid.at(1, x, y + 1), x == last_x);
}

}  // namespace

double bytes_of_cable_skin(const CableSkin& cable) {
  constexpr double kPerVertex = 3 * 4 + 6 * 4 + 16 * 8, kPerBone = sizeof(spec::Skin::Bone) + 64;
  const Lattice grid = lattice_of(cable);
  return 2.0 * kPerVertex * grid.nx * grid.ny + kPerBone * bones_across(cable) * cable.points;
}

spec::Skin make_cable_skin(const CableSkin& cable) {
  const int across = bones_across(cable), along = cable.points;
  const Lattice grid = lattice_of(cable);
  spec::Skin skin = cable.appearance;
  skin.name = cable.prefix + "Skin";
  skin.inflate = static_cast<float>(2 * cable.size[2]);
  skin.vertex.assign(static_cast<std::size_t>(6 * grid.nx * grid.ny), 0);
  for (int x = 0; x < along; ++x) {
    for (int y = 0; y < across; ++y) {
      spec::Skin::Bone& bone = skin.bones.emplace_back();
      const std::string place = x == 0 ? "first" : x >= along - 2 ? "last" : std::to_string(x);
      bone.body = cable.prefix + "B_" + place;
      const double side = y == 0 ? -cable.size[1] : y == across - 1 ? cable.size[1] : 0;
      // as in MuJoCo, the last row is 2 size[0] beyond the last body, although the segment has another length
      bone.bindpos = {x == along - 1 ? static_cast<float>(-2 * cable.size[0]) : 0, static_cast<float>(side), 0};
    }
  }
  // cell by cell: a cell has the lines from its first bone to the one before its second, the last cell all
  const int lines = cable.subgrid + 1, cells_x = cable.subgrid > 0 ? along - 1 : 1, cells_y = cable.subgrid > 0 ? 2 : 1;
  const auto add_vertex = [&](int x, int y) {
    for (const BoneShare& a : bone_shares(x, along, cable.subgrid)) {
      for (const BoneShare& b : bone_shares(y, across, cable.subgrid)) {
        spec::Skin::Bone& bone = skin.bones[static_cast<std::size_t>(a.bone * across + b.bone)];
        const auto weight = static_cast<float>(a.weight * b.weight);
        for (int side = 0; side < 2; ++side) {
          bone.vertid.push_back(grid.at(side, x, y));
          bone.vertweight.push_back(weight);
        }
      }
    }
  };
  for (int i = 0; i < cells_x; ++i)
    for (int j = 0; j < cells_y; ++j)
      for (int x = i * lines; x < (i + 1 == cells_x ? grid.nx : (i + 1) * lines); ++x)
        for (int y = j * lines; y < (j + 1 == cells_y ? grid.ny : (j + 1) * lines); ++y) add_vertex(x, y);
  add_faces(grid, skin.face);
  return skin;
}

}  // namespace sinew::mjcf
