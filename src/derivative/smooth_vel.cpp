#include <algorithm>

#include "dynamics/actuation.h"
#include "dynamics/bias.h"
#include "dynamics/passive.h"
#include "dynamics/qderiv.h"
#include "dynamics/velocity.h"
#include "math/dual.h"
#include "sim/ready.h"
#include "sinew/derivatives.h"

namespace sinew {
namespace {

/// A copy of `d` in dual numbers with zero derivatives, without contacts and constraint rows.
void lift(Data& d, BasicData<Dual4>& dual) {
  std::vector<const void*> source;
  d.for_each_field([&](auto, auto& field, auto...) { source.push_back(field.data()); });
  std::size_t next = 0;
  dual.for_each_field([&](auto, auto& field, auto...) {
    using T = typename std::remove_reference_t<decltype(field)>::element_type;
    using From = std::conditional_t<std::is_same_v<T, Dual4>, double, T>;
    const auto* from = static_cast<const From*>(source[next++]);
    for (std::size_t i = 0; i < field.size(); ++i) field[i] = T(from[i]);
  });
  dual.time = d.time;
}

}  // namespace

void smooth_vel(const Model& m, Data& d, bool with_bias, std::vector<double>& dense) {
  require_ready(m, d);
  velocity_derivative(m, d, with_bias);
  dense.assign(static_cast<std::size_t>(m.nv * m.nv), 0.0);
  for (int i = 0; i < m.nv; ++i)
    for (int p = m.D_rowadr[i]; p < m.D_rowadr[i] + m.D_rownnz[i]; ++p)
      dense[static_cast<std::size_t>(i * m.nv + m.D_colind[p])] = d.qDeriv[p];
}

void smooth_vel_exact(const Model& m, const Data& d, std::vector<double>& dense) {
  require_ready(m, d);
  Data positions = d;
  BasicData<Dual4> dual(m, Blank{});
  lift(positions, dual);
  dense.assign(static_cast<std::size_t>(m.nv * m.nv), 0.0);
  for (int first = 0; first < m.nv; first += Dual4::directions) {
    const int count = std::min(Dual4::directions, int(m.nv) - first);
    for (int i = 0; i < m.nv; ++i) dual.qvel[i] = Dual4(d.qvel[i]);
    for (int k = 0; k < count; ++k) dual.qvel[first + k].slope[k] = 1;
    tendon_velocity(m, dual);
    actuator_velocity(m, dual);
    com_velocity(m, dual);
    passive_forces(m, dual);
    bias_forces(m, dual);
    actuation(m, dual);
    for (int i = 0; i < m.nv; ++i) {
      const Dual4 force = dual.qfrc_passive[i] + dual.qfrc_actuator[i] - dual.qfrc_bias[i];
      for (int k = 0; k < count; ++k) dense[static_cast<std::size_t>(i * m.nv + first + k)] = force.slope[k];
    }
  }
}

}  // namespace sinew
