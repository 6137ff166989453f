#include "collision/contact_params.h"

#include <algorithm>

#include "model/solver_mix.h"

namespace sinew {
namespace {

/// Element i of a field with N numbers each.
template <std::size_t N>
std::array<double, N> row(const std::vector<double>& field, int i) {
  std::array<double, N> out;
  for (std::size_t k = 0; k < N; ++k) out[k] = field[N * i + k];
  return out;
}

void set_friction(double slide, double spin, double roll, ContactParams& p) {
  p.friction = {slide, slide, spin, roll, roll};
}

/// The geom with the higher priority decides.
void take_one(const Model& m, int geom, ContactParams& p) {
  const double* friction = &m.geom_friction[3 * geom];
  p.dim = m.geom_condim[geom];
  set_friction(friction[0], friction[1], friction[2], p);
  p.solref = row<2>(m.geom_solref, geom);
  p.solimp = row<5>(m.geom_solimp, geom);
  p.adhesion = m.geom_adhesion[geom];
}

void mix(const Model& m, int geom1, int geom2, ContactParams& p) {
  p.dim = std::max(m.geom_condim[geom1], m.geom_condim[geom2]);
  p.adhesion = m.geom_adhesion[geom1] + m.geom_adhesion[geom2];
  const double *friction1 = &m.geom_friction[3 * geom1], *friction2 = &m.geom_friction[3 * geom2];
  set_friction(std::max(friction1[0], friction2[0]), std::max(friction1[1], friction2[1]),
               std::max(friction1[2], friction2[2]), p);

  const double w = mix_weight(m.geom_solmix[geom1], m.geom_solmix[geom2]);
  mix_solref(w, &m.geom_solref[2 * geom1], &m.geom_solref[2 * geom2], p.solref.data());
  mix_solimp(w, &m.geom_solimp[5 * geom1], &m.geom_solimp[5 * geom2], p.solimp.data());
}

}  // namespace

ContactParams contact_params(const Model& m, int geom1, int geom2, int pair) {
  ContactParams p;
  if (pair >= 0) {
    p.dim = m.pair_dim[pair];
    p.margin = m.pair_margin[pair];
    p.adhesion = m.pair_adhesion[pair];
    p.friction = row<5>(m.pair_friction, pair);
    p.solref = row<2>(m.pair_solref, pair);
    p.solreffriction = row<2>(m.pair_solreffriction, pair);
    p.solimp = row<5>(m.pair_solimp, pair);
  } else {
    p.margin = m.geom_margin[geom1] + m.geom_margin[geom2];
    p.solreffriction = {0, 0};
    const int priority1 = m.geom_priority[geom1], priority2 = m.geom_priority[geom2];
    if (priority1 == priority2)
      mix(m, geom1, geom2, p);
    else
      take_one(m, priority1 > priority2 ? geom1 : geom2, p);
  }
  if (m.opt.enabled(kEnableOverride)) {
    p.margin = m.opt.o_margin;
    p.friction = m.opt.o_friction;
    p.solref = p.solreffriction = m.opt.o_solref;
    p.solimp = m.opt.o_solimp;
  }
  for (double& f : p.friction) f = std::max(kMinMu, f);
  return p;
}

}  // namespace sinew
