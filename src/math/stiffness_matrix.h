#pragma once

#include <cstddef>
#include <span>

namespace sinew {

/// A symmetric matrix K in sparse rows, which is added to the inertia M, with approximate inverses of M + K: 3 x 3
/// blocks of the diagonal, and on some dofs possibly a sparse factor.
struct StiffnessMatrix {
  int n = 0;
  const int* rownnz = nullptr;
  const int* rowadr = nullptr;
  const int* colind = nullptr;  // ascending within a row
  const double* value = nullptr;

  std::span<const int> block;       // first of three consecutive dofs, whose rows have the same columns
  const double* inverse = nullptr;  // 9 numbers per block

  /// M + K ≈ Lᵀ L on the dofs `factored`, ascending, all of them in blocks; the diagonal is last in each row of L. May
  /// be empty.
  std::span<const int> factored;
  const int* L_rownnz = nullptr;
  const int* L_rowadr = nullptr;
  const int* L_colind = nullptr;
  const double* L = nullptr;
};

/// y += K x
void add_product(const StiffnessMatrix& K, const double* x, double* y);

namespace detail {
/// Applies the blocks' inverses and the factor to r, and sets r to zero there.
void invert_covered(const StiffnessMatrix& K, double* r, double* z, double* room);
}  // namespace detail

/// Numbers of `room` that precondition needs.
inline std::size_t room_to_precondition(const StiffnessMatrix& K) { return K.n + K.factored.size(); }

/// x := an approximation of (M + K)⁻¹ x: with the blocks and the factor where K has them, elsewhere solve_inertia(x),
/// which multiplies by M⁻¹. Symmetric, as conjugate gradients need it.
template <class Solve>
void precondition(const StiffnessMatrix& K, double* x, double* room, Solve&& solve_inertia) {
  double* z = room;
  detail::invert_covered(K, x, z, room + K.n);
  if (static_cast<int>(3 * K.block.size()) < K.n) solve_inertia(x);
  for (const int i : K.block)
    for (int k = i; k < i + 3; ++k) x[k] = z[k];
}

}  // namespace sinew
