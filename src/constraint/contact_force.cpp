#include <algorithm>

#include "sinew/query.h"

namespace sinew {

std::array<double, 6> contact_force(const Model& m, const Data& d, int contact) {
  std::array<double, 6> out{};
  const Contact& c = d.contact[contact];
  if (c.efc_address < 0) return out;
  const double* force = d.efc_force.data() + c.efc_address;
  if (c.dim == 1 || m.opt.cone == static_cast<int>(Cone::Elliptic)) {
    std::copy_n(force, c.dim, out.begin());
  } else {
    // pyramid: pairs of edges normal ± friction · tangent
    for (int k = 1; k < c.dim; ++k) {
      out[0] += force[2 * k - 2] + force[2 * k - 1];
      out[k] = (force[2 * k - 2] - force[2 * k - 1]) * c.friction[k - 1];
    }
  }
  out[0] -= c.adhesion;
  return out;
}

}  // namespace sinew
