#pragma once

#include <type_traits>

#include "math/scalar.h"

// Four doubles at a time. The lanes are part of the result: a sum over n numbers is four partial sums, then pairs. The
// compiler maps a Pack to two SSE2 or one AVX register, and both give the same bits (no fused instruction is used).
// A number times a pack is written x * v: GCC would build a Pack{x, x, x, x} that a function returns in halves.

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi"  // packs never cross a function boundary that is not inlined
#endif

// Kernels with this mark are compiled twice, and the better version for the machine is chosen at program start. GCC
// only: Clang (14) gives the clones of an exported function a name that other translation units cannot link to.
#if defined(__x86_64__) && !defined(__clang__) && !defined(SINEW_PORTABLE)
#define SINEW_KERNEL __attribute__((target_clones("default", "avx2")))
// A kernel into which every callee is inlined: a call left over would be compiled for the baseline machine only.
#define SINEW_FLAT_KERNEL __attribute__((flatten)) SINEW_KERNEL
#else
#define SINEW_KERNEL
#define SINEW_FLAT_KERNEL
#endif

namespace sinew {

using Pack = double __attribute__((vector_size(32)));

// Four doubles anywhere in memory. Not memcpy: GCC splits that into halves before it knows that a clone has wide
// registers. The alignment belongs on the typedef: Clang ignores it inside the vector attribute.
using UnalignedPack __attribute__((aligned(8), may_alias)) = Pack;

SINEW_INLINE Pack load_pack(const double* p) { return *reinterpret_cast<const UnalignedPack*>(p); }
SINEW_INLINE void store_pack(double* p, const Pack& v) { *reinterpret_cast<UnalignedPack*>(p) = v; }

// The same for two doubles: the ends of rows.
using Pair = double __attribute__((vector_size(16)));
using UnalignedPair __attribute__((aligned(8), may_alias)) = Pair;

SINEW_INLINE Pair load_pair(const double* p) { return *reinterpret_cast<const UnalignedPair*>(p); }
SINEW_INLINE void store_pair(double* p, const Pair& v) { *reinterpret_cast<UnalignedPair*>(p) = v; }

/// One number or four, for code that handles both.
template <class T>
SINEW_INLINE T load_as(const double* p) {
  if constexpr (std::is_same_v<T, Pack>)
    return load_pack(p);
  else
    return *p;
}
SINEW_INLINE void store_as(double* p, const Pack& v) { store_pack(p, v); }
SINEW_INLINE void store_as(double* p, double v) { *p = v; }

/// f<Pack>(i) on whole packs of n numbers, f<double>(i) on the rest. The lambda is marked SINEW_INLINED: what is
/// inlined into a kernel is compiled for its machine.
#define SINEW_INLINED __attribute__((always_inline))
template <class Function>
SINEW_INLINE void in_packs(int n, const Function& f) {
  int i = 0;
  for (; i + 4 <= n; i += 4) f.template operator()<Pack>(i);
  for (; i < n; ++i) f.template operator()<double>(i);
}
SINEW_INLINE void copy_numbers(const double* from, int n, double* to) {
  in_packs(n, [&]<class T>(int i) SINEW_INLINED { store_as(to + i, load_as<T>(from + i)); });
}

/// The same for a few numbers that do not overlap, without a loop over the rest.
SINEW_INLINE void copy_few(const double* from, int n, double* to) {
  if (n >= 4) {
    for (int i = 0; i + 4 < n; i += 4) store_pack(to + i, load_pack(from + i));
    return store_pack(to + n - 4, load_pack(from + n - 4));
  }
  for (int i = 0; i < n; ++i) to[i] = from[i];
}

/// n rounded up to whole packs.
constexpr int padded(int n) { return (n + 3) / 4 * 4; }

SINEW_INLINE double lane_sum(const Pack& v) { return (v[0] + v[1]) + (v[2] + v[3]); }

/// The sums of four packs, each as `lane_sum` does it.
SINEW_INLINE Pack lane_sums(const Pack& a, const Pack& b, const Pack& c, const Pack& d) {
  const Pack ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Pack cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

SINEW_INLINE double dot(const double* a, const double* b, int n) {
  Pack s = {};
  int i = 0;
  for (; i + 4 <= n; i += 4) s += load_pack(a + i) * load_pack(b + i);
  double tail = 0;
  for (; i < n; ++i) tail += a[i] * b[i];
  return lane_sum(s) + tail;
}

/// y += c x
SINEW_INLINE void add_scaled(double* y, const double* x, double c, int n) {
  in_packs(n, [&]<class T>(int i) SINEW_INLINED { store_as(y + i, load_as<T>(y + i) + c * load_as<T>(x + i)); });
}

/// y[0..n) -= sum over k < rank of coef[k] * x[k * stride + 0..n), for a rank known at compile time.
template <int rank>
SINEW_INLINE void subtract_combination(double* y, const double* x, int stride, const double* coef, int n) {
  double c[rank];  // y may alias coef
  for (int k = 0; k < rank; ++k) c[k] = coef[k];
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    Pack v = load_pack(y + i);
    for (int k = 0; k < rank; ++k) v -= c[k] * load_pack(x + k * stride + i);
    store_pack(y + i, v);
  }
  for (; i < n; ++i) {
    double v = y[i];
    for (int k = 0; k < rank; ++k) v -= c[k] * x[k * stride + i];
    y[i] = v;
  }
}

/// The same for a rank of at most four.
SINEW_INLINE void subtract_combination(double* y, const double* x, int stride, const double* coef, int rank, int n) {
  switch (rank) {
    case 1: return subtract_combination<1>(y, x, stride, coef, n);
    case 2: return subtract_combination<2>(y, x, stride, coef, n);
    case 3: return subtract_combination<3>(y, x, stride, coef, n);
    case 4: return subtract_combination<4>(y, x, stride, coef, n);
  }
}

}  // namespace sinew
