#pragma once

#include <array>
#include <string>

#include "sinew/spec.h"

namespace sinew::mjcf {

/// The skin of a cable of boxes: two rows of bones along its edges, with a finer lattice of vertices between them.
struct CableSkin {
  std::string prefix;
  int points = 0;                   // of the cable
  int subgrid = 0;                  // vertices between two bones
  spec::Reals<3> size{};            // of the geom, as written
  spec::Skin appearance = white();  // group, material, rgba

  static spec::Skin white() {
    spec::Skin skin;
    skin.rgba = {1, 1, 1, 1};
    return skin;
  }
};

/// Bytes that it will take.
double bytes_of_cable_skin(const CableSkin& cable);
spec::Skin make_cable_skin(const CableSkin& cable);

}  // namespace sinew::mjcf
