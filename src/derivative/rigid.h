#pragma once

#include <vector>

#include "derivative/matrix.h"
#include "math/spatial.h"
#include "sinew/data.h"

// Hand-written derivatives of the rigid-body stages. A change of dof k moves everything behind it as one rigid body
// with the twist cdof_k; expressed at a point fixed in space, this is the only effect of positions:
//   ∂S_i/∂q_k = S_k ×m S_i   if k comes before i, or both belong to the three axes of one ball or free rotation.

namespace sinew {

/// First of the dofs whose axes rotate together with that of `dof`: the three of a ball or of a free joint's rotation;
/// every other dof is its own group.
void axis_groups(const Model& m, std::vector<int>& group);

/// Σ S_i x_i over the dofs that move a body, and over the dofs before a dof's group.
struct CarriedMotion {
  std::vector<Motion<double>> body;    // by body
  std::vector<Motion<double>> before;  // by dof

  void compute(const Model& m, const Data& d, const std::vector<int>& group, const double* x);
};

/// Inputs of inverse dynamics; null: zero.
struct MotionCase {
  const double* qvel = nullptr;
  const double* qacc = nullptr;
  bool gravity = false;  // if the options enable it
};

/// One recursive Newton-Euler sweep with everything its derivatives need:
///   velocity V, acceleration A before each dof's group;  ψ = V ×m S,  α = -S ×m A - ψ ×m V,
///   and after the group V⁺:  β = ψ + V⁺ ×m S;
/// for each subtree the force F = Σ f and the coupling B s = Σ I (s ×m v) + s ×f (I v) + v ×f (I s).
/// Then with I the composite inertia of the subtree of the dof farther from the root
///   ∂ID_i/∂q_k = S_i · (I α_k + B ψ_k)               k before i or in its group
///   ∂ID_i/∂q_k = S_i · (I α_k + B ψ_k + S_k ×f F)    i before k
///   ∂ID_i/∂v_k = S_i · (I β_k + B S_k)
/// (Carpentier and Mansard 2018; Singh, Russell and Wensing 2022.) Only pairs on one chain: O(nv depth).
class RigidSweep {
 public:
  void compute(const Model& m, const Data& d, const std::vector<int>& group, const MotionCase& motion);

  /// A wrench on a body (at its tree's reference point, in world axes) as an external force: the sweep's forces are
  /// then those of inverse dynamics minus the wrenches. Derivatives do not include changes of the wrench itself.
  void apply(int body, const Force<double>& wrench) { external_[body] += wrench; }
  void clear_external() { std::fill(external_.begin(), external_.end(), Force<double>{}); }

  /// out(i, first + k) += scale ∂ID_i/∂q_k; wrenches stay fixed, but are projected on rotating axes.
  void add_position_derivative(const Model& m, const Data& d, double scale, Matrix& out, int first);
  /// out(i, first + k) += scale ∂ID_i/∂v_k.
  void add_velocity_derivative(const Model& m, const Data& d, double scale, Matrix& out, int first);

  const std::vector<Motion<double>>& velocity() const { return velocity_; }
  const std::vector<Motion<double>>& acceleration() const { return acceleration_; }  // by body, -gravity included
  /// By dof: ψ, α + S ×m A …, the terms of a body's velocity and acceleration derivatives.
  const std::vector<Motion<double>>& axis_rate() const { return psi_; }
  const std::vector<Motion<double>>& position_rate() const { return alpha_; }
  const std::vector<Motion<double>>& velocity_rate() const { return beta_; }

 private:
  /// B depends only on the angular part of s: B s = [turn s_w; -2 momentum × s_w].
  struct Coupling {
    Mat3<double> turn;
    Vec3<double> momentum;
  };

  void carry_motion(const Model& m, const Data& d, const MotionCase& motion);
  void sum_forces(const Model& m, const Data& d);

  const std::vector<int>* group_ = nullptr;
  bool moving_ = false;                                  // some velocity is nonzero
  std::vector<Motion<double>> velocity_, acceleration_;  // by body
  std::vector<Motion<double>> psi_, alpha_, beta_;       // by dof
  std::vector<Force<double>> force_, external_;          // by body; forces of subtrees
  std::vector<Coupling> coupling_;                       // by body, of subtrees
};

}  // namespace sinew
