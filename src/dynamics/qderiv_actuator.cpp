#include "dynamics/actuator_table.h"
#include "dynamics/qderiv_parts.h"
#include "math/dual.h"
#include "math/vec3.h"

namespace sinew::detail {
namespace {

/// The force is at its limit: it does not change with velocity.
template <class Real>
bool is_saturated(const Model& m, const BasicData<Real>& d, int actuator) {
  if (!m.actuator_forcelimited[actuator]) return false;
  const Real* force = &d.actuator_force[m.actuator_outadr[actuator]];
  const double lo = m.actuator_forcerange[2 * actuator], hi = m.actuator_forcerange[2 * actuator + 1];
  // the force was scaled to the length hi, so without the allowance rounding would decide
  if (GainType(m.actuator_gaintype[actuator]) == GainType::So3)
    return norm(Vec3<Real>::load(force)) >= hi * (1 - 1e-12);
  return force[0] <= lo || force[0] >= hi;
}

}  // namespace

template <class Real>
void add_actuator_derivative(const Model& m, BasicData<Real>& d) {
  if (m.opt.disabled(kDisableActuation)) return;
  for (int i = 0; i < m.nactuator; ++i) {
    const auto gain_slope = gain_row<Real>(m, i).slope;
    const auto bias_slope = bias_row<Real>(m, i).slope;
    if ((!gain_slope && !bias_slope) || is_disabled(m, i) || is_saturated(m, d, i)) continue;
    // the user's controls, neither clamped nor delayed, as in MuJoCo
    const Actuator<Real> a = {m, d, i, d.ctrl.data() + m.actuator_ctrladr[i]};
    Real slope(0);
    if (bias_slope) slope += bias_slope(a);
    if (gain_slope) slope += gain_slope(a);
    if (slope == Real(0)) continue;
    for (int out = a.out(); out < a.out() + a.outputs(); ++out) {
      const int adr = d.moment_rowadr[out];
      add_outer_product(m, d, slope, d.moment_rownnz[out], d.moment_colind.data() + adr,
                        d.actuator_moment.data() + adr);
    }
  }
}

template void add_actuator_derivative(const Model&, BasicData<double>&);
template void add_actuator_derivative(const Model&, BasicData<Dual4>&);

}  // namespace sinew::detail
