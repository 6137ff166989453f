#pragma once

#include "collision/convex.h"

// Distance and penetration of two convex objects: GJK if separated, EPA if penetrating, face clipping for several
// contacts.

namespace sinew {

/// Maximum number of witness pairs: a larger contact polygon is reduced to a quadrilateral.
inline constexpr int kMaxWitness = 4;

struct CcdConfig {
  double tolerance = 1e-6;  // m
  int iterations = 35;
  bool several = false;  // several contacts for two penetrating boxes or meshes
  double cutoff = 0;     // m; 0: only test for contact, otherwise compute distances up to this
};

struct CcdResult {
  double dist = 0;  // m; negative: penetration; kNoDistance: beyond the cutoff
  int count = 0;    // witness pairs; x1 lies in the first object, x2 in the second
  Vec3d x1[kMaxWitness], x2[kMaxWitness];
};

inline constexpr double kNoDistance = 1.7976931348623157e308;

/// Distance of the two objects and their closest points; in penetration, the minimal translation that separates them.
/// Objects store their last support vertex.
CcdResult convex_distance(const Model& m, Convex& o1, Convex& o2, const CcdConfig& config, Arena& scratch);

/// True if both have no margin and finitely many support points with ids.
inline bool is_discrete(const Convex& o1, const Convex& o2) {
  const auto flat = [](const Convex& o) {
    return o.margin == 0 && (o.kind == ConvexKind::Box || o.kind == ConvexKind::Mesh || o.kind == ConvexKind::Prism);
  };
  return flat(o1) && flat(o2);
}

/// Result of GJK, the input of EPA.
struct GjkState {
  MinkowskiVertex simplex[4];
  int count = 0;
  bool separated = false;
  double dist = 0;
  Vec3d x1, x2;  // closest points
};

/// Starts from the centers in state.x1, state.x2.
void gjk(Convex& o1, Convex& o2, const CcdConfig& config, GjkState& state);

/// The face of the Minkowski difference nearest to the origin, as EPA found it.
struct EpaFace {
  MinkowskiVertex v[3];
};

/// Penetration of two objects whose difference contains the origin: from GJK's simplex to the nearest face of the
/// difference. Sets dist, x1, x2 of the state; false: no face (then dist is 0).
bool epa(Convex& o1, Convex& o2, const CcdConfig& config, GjkState& state, EpaFace& face, Arena& scratch);

/// Two boxes or meshes with the EPA face of their penetration.
struct Touch {
  const Convex& o1;
  const Convex& o2;
  const EpaFace& face;
};

/// Several contacts from one face: the corresponding faces or edges of both objects, clipped against each other. The
/// result is unchanged if there are no such features.
void clip_features(const Model& m, const Touch& touch, CcdResult& result, Arena& scratch);

}  // namespace sinew
