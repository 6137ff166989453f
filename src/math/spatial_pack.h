#pragma once

#include "math/pack.h"

namespace sinew {

/// The six numbers of a motion or force, for plain sums and products: for double in two registers.
template <class Real>
class SpatialPack {
 public:
  explicit SpatialPack(const Real* p) {
    for (int k = 0; k < 6; ++k) number_[k] = p[k];
  }
  void add_scaled(const Real* p, const Real& scale) {
    for (int k = 0; k < 6; ++k) number_[k] += p[k] * scale;
  }
  /// Sums even and odd numbers separately, like the two lanes of the kernel: same bits.
  Real dot(const Real* p) const {
    const auto lane = [&](int k) { return number_[k] * p[k] + number_[k + 2] * p[k + 2] + number_[k + 4] * p[k + 4]; };
    return lane(0) + lane(1);
  }
  void store(Real* p) const {
    for (int k = 0; k < 6; ++k) p[k] = number_[k];
  }
  void add_to(Real* p) const {
    for (int k = 0; k < 6; ++k) p[k] += number_[k];
  }

 private:
  Real number_[6];
};

template <>
class SpatialPack<double> {
 public:
  SINEW_INLINE explicit SpatialPack(const double* p) : first_(load_pack(p)), last_(load_pair(p + 4)) {}
  SINEW_INLINE void add_scaled(const double* p, double scale) {
    first_ += load_pack(p) * scale;
    last_ += load_pair(p + 4) * scale;
  }
  SINEW_INLINE double dot(const double* p) const {
    const Pack product = first_ * load_pack(p);
    const Pair sum = __builtin_shufflevector(product, product, 0, 1) + __builtin_shufflevector(product, product, 2, 3) +
                     last_ * load_pair(p + 4);
    return sum[0] + sum[1];
  }
  SINEW_INLINE void store(double* p) const {
    store_pack(p, first_);
    store_pair(p + 4, last_);
  }
  SINEW_INLINE void add_to(double* p) const {
    store_pack(p, load_pack(p) + first_);
    store_pair(p + 4, load_pair(p + 4) + last_);
  }

 private:
  Pack first_;
  Pair last_;
};

}  // namespace sinew
