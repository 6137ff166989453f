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

/// What a geom or a flex contributes to the parameters of its contacts.
struct Surface {
  int condim, priority;
  const double *friction, *solref, *solimp;
  double solmix, adhesion;
};

Surface of_geom(const Model& m, int g) {
  return {m.geom_condim[g],      m.geom_priority[g], &m.geom_friction[3 * g], &m.geom_solref[2 * g],
          &m.geom_solimp[5 * g], m.geom_solmix[g],   m.geom_adhesion[g]};
}
Surface of_flex(const Model& m, int f) {
  return {m.flex_condim[f],
          m.flex_priority[f],
          &m.flex_friction[3 * f],
          &m.flex_solref[2 * f],
          &m.flex_solimp[5 * f],
          m.flex_solmix[f],
          0};
}

/// The one with the higher priority decides.
void take_one(const Surface& s, ContactParams& p) {
  p.dim = s.condim;
  set_friction(s.friction[0], s.friction[1], s.friction[2], p);
  std::copy_n(s.solref, 2, p.solref.data());
  std::copy_n(s.solimp, 5, p.solimp.data());
  p.adhesion = s.adhesion;
}

[[gnu::always_inline]] inline void mix(const Surface& a, const Surface& b, ContactParams& p) {
  p.dim = std::max(a.condim, b.condim);
  p.adhesion = a.adhesion + b.adhesion;
  set_friction(std::max(a.friction[0], b.friction[0]), std::max(a.friction[1], b.friction[1]),
               std::max(a.friction[2], b.friction[2]), p);
  const double w = mix_weight(a.solmix, b.solmix);
  mix_solref(w, a.solref, b.solref, p.solref.data());
  mix_solimp(w, a.solimp, b.solimp, p.solimp.data());
}

[[gnu::always_inline]] inline void combine(const Surface& a, const Surface& b, ContactParams& p) {
  p.solreffriction = {0, 0};
  if (a.priority == b.priority)
    mix(a, b, p);
  else
    take_one(a.priority > b.priority ? a : b, p);
}

/// The flag override, and the least friction.
void finish(const Model& m, ContactParams& p) {
  if (m.opt.enabled(kEnableOverride)) {
    p.margin = m.opt.o_margin;
    p.friction = m.opt.o_friction;
    p.solref = p.solreffriction = m.opt.o_solref;
    p.solimp = m.opt.o_solimp;
  }
  for (double& f : p.friction) f = std::max(kMinMu, f);
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
    combine(of_geom(m, geom1), of_geom(m, geom2), p);
  }
  finish(m, p);
  return p;
}

ContactParams flex_contact_params(const Model& m, int geom, int flex1, int flex2) {
  ContactParams p;
  p.margin = (geom >= 0 ? m.geom_margin[geom] : m.flex_margin[flex1]) + m.flex_margin[flex2];
  combine(geom >= 0 ? of_geom(m, geom) : of_flex(m, flex1), of_flex(m, flex2), p);
  finish(m, p);
  if (flex1 == flex2) p.margin = 0;
  return p;
}

}  // namespace sinew
