#pragma once

#include <vector>

#include "math/spatial.h"
#include "sinew/data.h"

namespace sinew {

/// Inverse inertias of every body and dof of a rigid-body tree, in a time that is linear in the number of dofs; those
/// of rows that follow from the factored M take the square of the depth each. Motions are those of the whole tree's
/// reference point, so nothing is transformed between bodies. With U = I_A S and D = S·U + armature of a dof with the
/// axis S, I_A the inertia of all that hangs behind it with its joints free:
///   leaf to root  I_A of what comes before the dof += I_A - U Uᵀ/D
///   root to leaf  Λ⁻¹ behind it = S Sᵀ/D + (1 - S gᵀ) Λ⁻¹ (1 - g Sᵀ),  g = U/D,  (M⁻¹)_ii = 1/D + gᵀ Λ⁻¹ g
/// (Featherstone 2008, ch. 7). M must have no entries but those of bodies and dofs: no armature of tendons.
class ArticulatedWeights {
 public:
  /// Uses cdof and cinert.
  ArticulatedWeights(const Model& m, const Data& d);

  /// r J M⁻¹ Jᵀ rᵀ of a body's motion J qvel, seen along r.
  double of_body(int body, const Force<double>& r) const;
  /// Diagonal of M⁻¹.
  double of_dof(int dof) const { return of_dof_[static_cast<std::size_t>(dof)]; }

 private:
  /// Symmetric 6 x 6, rotation first.
  struct Block {
    double a[6][6] = {};
  };
  std::vector<Block> inverse_;  // Λ⁻¹, by body
  std::vector<double> of_dof_;
};

}  // namespace sinew
