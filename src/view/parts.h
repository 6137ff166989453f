#pragma once

#include <unordered_map>

#include "view/snapshot.h"

namespace sinew::view {

/// Gives the geoms of each scene the slots by which the page knows them, and notices what changed.
class PartTable {
 public:
  explicit PartTable(const Model& m);
  /// The parts of a scene of the model.
  std::vector<Part> update(const Model& m, const Scene& scene);

 private:
  struct Known {
    std::uint32_t version = 0;
    Part part;
    std::uint64_t seen = 0;
  };
  std::uint32_t world_slot(const SceneGeom& geom);

  std::uint32_t next_version_ = 1;
  std::uint64_t turn_ = 0;
  std::vector<Known> known_;  // by slot
  std::unordered_map<std::uint64_t, std::uint32_t> slots_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> used_;  // slots of the last scene that can be freed
  std::vector<std::uint32_t> free_;
  std::unordered_map<std::uint64_t, std::uint32_t> counts_;  // of this scene, by what a geom is
};

/// The rotation of a matrix whose columns are orthonormal.
Float4 quat_of(const Float9& mat);

}  // namespace sinew::view
