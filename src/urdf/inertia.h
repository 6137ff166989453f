#pragma once

// Inertias as robot descriptions give them: a matrix in a frame of its own, checked link by link or, where fixed joints
// hold links together, as their sum.

#include <string>
#include <vector>

#include "math/rigid.h"
#include "urdf/input.h"

namespace sinew::urdf {

/// One link as far as its inertia is concerned.
struct Matter {
  spec::Body* body = nullptr;        // its inertial is adjusted; null: the world, which has none
  std::string link;                  // name, for messages
  const XmlNode* moments = nullptr;  // the element with the matrix
  int parent = -1;                   // index of the link that it is fixed to; -1: a joint or nothing is above it
  rigid::Pose pose;                  // in that link
  bool can_move = false;             // some joint is above it
};

/// The inertial that a mass and a matrix (xx yy zz xy xz yz) in a frame of the link make: the matrix is turned into the
/// directions of the link, R I Rᵀ. Without mass there is no matrix.
spec::Inertial make_inertial(double mass, const spec::Reals<6>& moments, const rigid::Pose& frame);

/// Refuses impossible inertias of links that move. One of a static link is taken as zero. With `fuses` the links that
/// fixed joints hold together are summed if one of them alone is impossible, and only the sum has to be possible.
void judge_inertias(Input& in, std::vector<Matter>& links, bool fuses);

}  // namespace sinew::urdf
