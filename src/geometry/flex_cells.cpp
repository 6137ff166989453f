#include "geometry/flex_cells.h"

#include <algorithm>
#include <cstddef>

namespace sinew {
namespace {

using Cell = std::array<int, 3>;

struct Cells {
  const std::array<int, 3>& n;
  std::size_t size() const {
    return static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]);
  }
  std::size_t at(const Cell& c) const {
    const auto wide = [](int x) { return static_cast<std::size_t>(x); };
    return (wide(c[0]) * wide(n[1]) + wide(c[1])) * wide(n[2]) + wide(c[2]);
  }
  bool holds(const Cell& c, int axis) const { return c[axis] >= 0 && c[axis] < n[axis]; }
};

/// Marks the cells that the box of each element reaches into.
std::vector<bool> touched_cells(const FlexMesh& mesh, const Cells& cells) {
  std::vector<bool> out(cells.size());
  const auto corners = static_cast<std::size_t>(mesh.dim) + 1;
  for (std::size_t e = 0; e + corners <= mesh.element.size(); e += corners) {
    Cell first, last;
    for (int k = 0; k < 3; ++k) {
      double low = mesh.point[3 * mesh.element[e] + k], high = low;
      for (std::size_t c = 1; c < corners; ++c) {
        low = std::min(low, mesh.point[3 * mesh.element[e + c] + k]);
        high = std::max(high, mesh.point[3 * mesh.element[e + c] + k]);
      }
      const double extent = mesh.hi[k] - mesh.lo[k];
      const auto cell = [&](double x) {
        return extent > 0 ? static_cast<int>(std::clamp((x - mesh.lo[k]) / extent * cells.n[k], 0.0, cells.n[k] - 1.0))
                          : 0;
      };
      first[k] = cell(low);
      last[k] = cell(high);
    }
    for (int i = first[0]; i <= last[0]; ++i)
      for (int j = first[1]; j <= last[1]; ++j)
        for (int k = first[2]; k <= last[2]; ++k) out[cells.at({i, j, k})] = true;
  }
  return out;
}

/// The cells without content that are connected to the outside through others.
std::vector<bool> outer_cells(const std::vector<bool>& touched, const Cells& cells) {
  std::vector<bool> out(cells.size());
  std::vector<Cell> open;
  const auto enter = [&](const Cell& c) {
    if (touched[cells.at(c)] || out[cells.at(c)]) return;
    out[cells.at(c)] = true;
    open.push_back(c);
  };
  const auto& n = cells.n;
  for (int i = 0; i < n[0]; ++i)
    for (int j = 0; j < n[1]; ++j)
      for (int k = 0; k < n[2]; ++k)
        if (i == 0 || j == 0 || k == 0 || i == n[0] - 1 || j == n[1] - 1 || k == n[2] - 1) enter({i, j, k});
  while (!open.empty()) {
    const Cell c = open.back();
    open.pop_back();
    for (int axis = 0; axis < 3; ++axis) {
      for (const int step : {-1, 1}) {
        Cell next = c;
        next[axis] += step;
        if (cells.holds(next, axis)) enter(next);
      }
    }
  }
  return out;
}

}  // namespace

void bound_points(FlexMesh& mesh) {
  if (mesh.point.size() < 3) return;
  mesh.lo = mesh.hi = Vec3<double>::load(mesh.point.data());
  for (std::size_t v = 3; v + 2 < mesh.point.size(); v += 3) {
    for (int k = 0; k < 3; ++k) {
      mesh.lo[k] = std::min(mesh.lo[k], mesh.point[v + k]);
      mesh.hi[k] = std::max(mesh.hi[k], mesh.point[v + k]);
    }
  }
}

std::vector<bool> empty_cells(const FlexMesh& mesh, const std::array<int, 3>& count) {
  const Cells cells{count};
  std::vector<bool> touched = touched_cells(mesh, cells);
  if (mesh.dim == 2) return outer_cells(touched, cells);
  touched.flip();
  return touched;
}

}  // namespace sinew
