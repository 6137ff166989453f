#include "collision/contact_params.h"

#include <algorithm>

namespace sinew {
namespace {

template <std::size_t N>
std::array<double, N> row(const std::vector<double>& field, int i) {
  std::array<double, N> out;
  std::copy_n(field.begin() + static_cast<std::ptrdiff_t>(N) * i, N, out.begin());
  return out;
}

/// Weight of the first geom where two sets of solver parameters are mixed.
double mix_weight(double solmix1, double solmix2) {
  if (solmix1 >= kMinVal && solmix2 >= kMinVal) return solmix1 / (solmix1 + solmix2);
  if (solmix1 < kMinVal && solmix2 < kMinVal) return 0.5;
  return solmix1 < kMinVal ? 0 : 1;
}

std::array<double, 5> five_frictions(const std::array<double, 3>& f) { return {f[0], f[0], f[1], f[2], f[2]}; }

/// The geom with the higher priority decides.
void take_one(const Model& m, int geom, ContactParams& p) {
  p.dim = m.geom_condim[geom];
  p.friction = five_frictions(row<3>(m.geom_friction, geom));
  p.solref = row<2>(m.geom_solref, geom);
  p.solimp = row<5>(m.geom_solimp, geom);
  p.adhesion = m.geom_adhesion[geom];
}

void mix(const Model& m, int geom1, int geom2, ContactParams& p) {
  p.dim = std::max(m.geom_condim[geom1], m.geom_condim[geom2]);
  p.adhesion = m.geom_adhesion[geom1] + m.geom_adhesion[geom2];
  const auto friction1 = row<3>(m.geom_friction, geom1), friction2 = row<3>(m.geom_friction, geom2);
  std::array<double, 3> friction;
  for (int i = 0; i < 3; ++i) friction[i] = std::max(friction1[i], friction2[i]);
  p.friction = five_frictions(friction);

  const double w = mix_weight(m.geom_solmix[geom1], m.geom_solmix[geom2]);
  const auto ref1 = row<2>(m.geom_solref, geom1), ref2 = row<2>(m.geom_solref, geom2);
  const bool standard = ref1[0] > 0 && ref2[0] > 0;  // else stiffness and damping, negated: the stiffer
  for (int i = 0; i < 2; ++i) p.solref[i] = standard ? w * ref1[i] + (1 - w) * ref2[i] : std::min(ref1[i], ref2[i]);
  const auto imp1 = row<5>(m.geom_solimp, geom1), imp2 = row<5>(m.geom_solimp, geom2);
  for (int i = 0; i < 5; ++i) p.solimp[i] = w * imp1[i] + (1 - w) * imp2[i];
}

}  // namespace

double detection_margin(const Model& m, int geom1, int geom2, int pair) {
  const double gap = pair >= 0 ? m.pair_gap[pair] : m.geom_gap[geom1] + m.geom_gap[geom2];
  if (m.opt.enabled(kEnableOverride)) return m.opt.o_margin + gap;
  return (pair >= 0 ? m.pair_margin[pair] : m.geom_margin[geom1] + m.geom_margin[geom2]) + gap;
}

ContactParams contact_params(const Model& m, int geom1, int geom2, int pair) {
  ContactParams p;
  if (pair >= 0) {
    p.dim = m.pair_dim[pair];
    p.margin = m.pair_margin[pair];
    p.gap = m.pair_gap[pair];
    p.adhesion = m.pair_adhesion[pair];
    p.friction = row<5>(m.pair_friction, pair);
    p.solref = row<2>(m.pair_solref, pair);
    p.solreffriction = row<2>(m.pair_solreffriction, pair);
    p.solimp = row<5>(m.pair_solimp, pair);
  } else {
    p.margin = m.geom_margin[geom1] + m.geom_margin[geom2];
    p.gap = m.geom_gap[geom1] + m.geom_gap[geom2];
    const int priority1 = m.geom_priority[geom1], priority2 = m.geom_priority[geom2];
    if (priority1 == priority2) {
      mix(m, geom1, geom2, p);
    } else {
      take_one(m, priority1 > priority2 ? geom1 : geom2, p);
    }
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
