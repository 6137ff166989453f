#pragma once

#include <array>
#include <vector>

namespace fuzz {

struct Shape {
  std::vector<std::array<float, 3>> vertex;
  std::vector<std::array<int, 3>> face;  // counter-clockwise from outside
};

inline Shape tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

inline Shape cube() {
  Shape out;
  for (int i = 0; i < 8; ++i) out.vertex.push_back({float(i & 1), float((i >> 1) & 1), float((i >> 2) & 1)});
  out.face = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return out;
}

}  // namespace fuzz
