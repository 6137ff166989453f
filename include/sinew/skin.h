#pragma once

#include <span>

#include "sinew/data.h"

// Skins for viewers: the engine stores them and moves them only here.

namespace sinew {

/// The vertices of a skin at the poses of its bodies, and their normals: 3 numbers for each of its skin_vertnum
/// vertices, in the order of skin_vert. Needs xpos and xquat (forward, or step1). Throws Exception if the skin does not
/// exist or a span has another length.
///
/// A bone with body b moves a vertex v to R (v - bindpos) + xpos_b, R = R(xquat_b conj(bindquat)); the result is the
/// weighted mean over the bones of the vertex. Normals are the means of the faces' by area; `inflate` moves the
/// vertices along them.
void skin_vertices(const Model& m, const Data& d, int skin, std::span<float> vert, std::span<float> normal);

}  // namespace sinew
