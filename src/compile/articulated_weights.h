#pragma once

#include <vector>

#include "math/spatial.h"
#include "sinew/data.h"

namespace sinew {

/// Inverse inertias of every body and dof of a rigid-body tree in time linear in the number of dofs; computed from the
/// factored M, each row would take the square of the depth. Motions refer to the whole tree's reference point, so
/// nothing is transformed between bodies. With U = I_A S and D = S·U + armature of a dof with the axis S, I_A the
/// articulated inertia of its descendants:
///   leaf to root  I_A above the dof += I_A - U Uᵀ/D
///   root to leaf  Λ⁻¹ below it = S Sᵀ/D + (1 - S gᵀ) Λ⁻¹ (1 - g Sᵀ),  g = U/D,  (M⁻¹)_ii = 1/D + gᵀ Λ⁻¹ g
/// (Featherstone 2008, ch. 7). M must only have the entries of bodies and dofs: no tendon armature.
class ArticulatedWeights {
 public:
  /// Reads cdof and cinert.
  ArticulatedWeights(const Model& m, const Data& d);

  /// r J M⁻¹ Jᵀ rᵀ of a body's motion J qvel, projected on r.
  double of_body(int body, const Force<double>& r) const;
  /// Diagonal of M⁻¹.
  double of_dof(int dof) const { return of_dof_[static_cast<std::size_t>(dof)]; }

 private:
  /// Symmetric 6 x 6, rotation first.
  struct Block {
    double a[6][6] = {};
  };
  std::vector<Block> inverse_;  // Λ⁻¹, per body
  std::vector<double> of_dof_;
};

}  // namespace sinew
