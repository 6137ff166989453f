#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "compile/assemble.h"
#include "compile/constants.h"
#include "edit/check_structure.h"
#include "model/model_check.h"

// Fields and sizes derived from others that may be edited. All of it is cheap; what needs a simulation (inverse
// weights, lengths at qpos0, statistics …) is in set_constants, which the caller must call, as in MuJoCo.

namespace sinew {
namespace {

bool collides(const Model& m, int geom) { return (m.geom_contype[geom] | m.geom_conaffinity[geom]) != 0; }

/// Collision masks of bodies, which are tested first.
void collect_masks(Model& m) {
  const Model& in = m;
  for (int b = 0; b < in.nbody; ++b) {
    int contype = 0, conaffinity = 0;
    for (int g = in.body_geomadr[b], end = g + in.body_geomnum[b]; g < end; ++g) {
      contype |= in.geom_contype[g];
      conaffinity |= in.geom_conaffinity[g];
    }
    m.body_contype[b] = contype;
    m.body_conaffinity[b] = conaffinity;
  }
}

/// The bounding-volume tree of a body holds the geoms that could collide when it was built. If it lacks one that can
/// now, all geoms of the body are tested instead.
void drop_incomplete_trees(Model& m) {
  const Model& in = m;
  for (int b = 0; b < in.nbody; ++b) {
    const int first = in.body_bvhadr[b], nodes = in.body_bvhnum[b];
    if (nodes == 0) continue;
    int wanted = 0, held = 0;
    for (int g = in.body_geomadr[b], end = g + in.body_geomnum[b]; g < end; ++g) wanted += collides(in, g);
    for (int n = first; n < first + nodes; ++n) held += in.bvh_nodeid[n] >= 0 && collides(in, in.bvh_nodeid[n]);
    if (held == wanted) continue;
    m.body_bvhadr[b] = -1;
    m.body_bvhnum[b] = 0;
  }
}

void sign_pairs(Model& m) {
  for (int i = 0; i < m.npair; ++i) {
    const int a = m.geom_bodyid[m.pair_geom1[i]], b = m.geom_bodyid[m.pair_geom2[i]];
    m.pair_signature[i] = static_cast<int>(static_cast<unsigned>(std::min(a, b)) << 16) + std::max(a, b);
  }
}

}  // namespace

Status refresh(Model& model) {
  if (model.is_fresh()) return {};
  if (!ModelCheck::is_refused(model)) {
    std::string problem = compiling::find_problem(model, !ModelCheck::assets_are_known(model));
    if (problem.empty()) {
      collect_masks(model);
      drop_incomplete_trees(model);
      sign_pairs(model);
      compiling::count_equality_rows(model);
      compiling::link_actuators(model);
      set_flags(model);
      ModelCheck::accept(model);
      return {};
    }
    ModelCheck::refuse(model, "the edited model is invalid: " + problem);
  }
  return Status(ModelCheck::problem(model).c_str());
}

}  // namespace sinew
