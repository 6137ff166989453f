#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "geometry/mesh_file.h"

namespace sinew {

/// Merges corners into vertices: the same three bit patterns are the same vertex. A hash table with linear probing.
class VertexMerger {
 public:
  VertexMerger(MeshSource& mesh, std::size_t triangles) : mesh_(mesh) {
    // a closed surface has half as many vertices as triangles
    mesh_.face.reserve(3 * triangles);
    mesh_.vertex.reserve(3 * (triangles / 2 + 4));
    table_.resize(std::bit_ceil(2 * (triangles / 2 + 4)), -1);
  }

  void corner(const std::array<float, 3>& p) {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash(p) & mask;
    while (table_[at] >= 0 && !holds(table_[at], p)) at = (at + 1) & mask;
    if (table_[at] < 0) {
      table_[at] = count_++;
      mesh_.vertex.insert(mesh_.vertex.end(), p.begin(), p.end());
    }
    mesh_.face.push_back(table_[at]);
    if (3 * static_cast<std::size_t>(count_) > 2 * table_.size()) grow();
  }

 private:
  bool holds(int vertex, const std::array<float, 3>& p) const {
    return std::memcmp(&mesh_.vertex[3 * static_cast<std::size_t>(vertex)], p.data(), sizeof p) == 0;
  }

  /// The three words, each rotated and multiplied; the high bits, where the product mixes best, are shifted down.
  static std::size_t hash(const std::array<float, 3>& p) {
    std::uint64_t first;
    std::memcpy(&first, p.data(), sizeof first);
    const std::uint64_t h = (first ^ (std::uint64_t{std::bit_cast<std::uint32_t>(p[2])} << 17)) * 0x9e3779b97f4a7c15ull;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }

  void grow() {
    table_.assign(2 * table_.size(), -1);
    const std::size_t mask = table_.size() - 1;
    for (std::size_t i = 0; i < mesh_.vertex.size(); i += 3) {
      std::size_t at = hash({mesh_.vertex[i], mesh_.vertex[i + 1], mesh_.vertex[i + 2]}) & mask;
      while (table_[at] >= 0) at = (at + 1) & mask;
      table_[at] = static_cast<int>(i / 3);
    }
  }

  MeshSource& mesh_;
  std::vector<int> table_;  // vertices, -1: free; a power of two, at most two thirds full
  int count_ = 0;
};

}  // namespace sinew
