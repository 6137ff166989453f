#pragma once

#include "math/quat.h"

namespace sinew {

/// Eigenvalues of a symmetric matrix in descending order, and the frame in which it is diagonal.
struct PrincipalAxes {
  Vec3<double> moment;
  Quat<double> axes;  // A = R(axes) diag(moment) R(axes)ᵀ
};

/// Jacobi's method on a quaternion, with MuJoCo's absolute thresholds (1e-12): a matrix whose entries are smaller is
/// returned unchanged, neither rotated nor sorted. The order of operations decides the axes of symmetric bodies.
PrincipalAxes principal_axes(const Mat3<double>& a);

/// The compiler's normalization: below 1e-14 (squared norm) q is unchanged, within 1e-14 of 1 it is not divided.
Quat<double> compile_normalized(const Quat<double>& q);

}  // namespace sinew
