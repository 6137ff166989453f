#pragma once

#include <cstdint>

// Written by tools/elementary_constants.py: do not edit.

namespace sinew::elementary::detail {

/// sin x = x - x³/6 + x⁵ P(x²), |x| ≤ π/4; error 2^-64 of the leading term
inline constexpr double kSine[] = {
    0x1.1111111111111p-7, -0x1.a01a01a019ed6p-13, 0x1.71de3a550ca29p-19, -0x1.ae645533efd62p-26, 0x1.61225b0525a0fp-33,
    -0x1.ab93d49f91603p-41};

/// cos x = 1 - x²/2 + x⁴ P(x²), |x| ≤ π/4; error 2^-59 of the leading term
inline constexpr double kCosine[] = {
    0x1.5555555555555p-5, -0x1.6c16c16c16966p-10, 0x1.a01a019f4e867p-16, -0x1.27e4fa17a41b4p-22, 0x1.1eeb68b109173p-29,
    -0x1.907d7aebd5e3dp-37};

/// exp x = 1 + x + x² P(x), |x| ≤ ln(2)/2; error 2^-61 of the leading term
inline constexpr double kExponential[] = {
    0x1p-1, 0x1.5555555555557p-3, 0x1.5555555555556p-5, 0x1.11111111100dcp-7, 0x1.6c16c16c162d4p-10,
    0x1.a01a01abe7fe1p-13, 0x1.a01a01a6d889cp-16, 0x1.71de0231960ebp-19, 0x1.27e4db646b17ep-22, 0x1.af4de97ca4194p-26,
    0x1.1f730349868cep-29};

/// ln((1 + s)/(1 - s)) = 2 s + 2/3 s³ + 2/5 s⁵ + s⁷ P(s²), |s| ≤ (√2 - 1)/(√2 + 1); error 2^-72 of the leading term
inline constexpr double kLogarithm[] = {
    0x1.2492492492492p-2, 0x1.c71c71c71c822p-3, 0x1.745d1745a3ef0p-3, 0x1.3b13b16b4b833p-3, 0x1.1110f80547523p-3,
    0x1.e1effabc4b093p-4, 0x1.acf8448fda674p-4, 0x1.b2e0d3d38f395p-4};

/// atan x = x + x³ P(x²), |x| ≤ 1/16; error 2^-63 of the leading term
inline constexpr double kArctangent[] = {
    -0x1.5555555555555p-2, 0x1.999999999994dp-3, -0x1.249249245a9f8p-3, 0x1.c71c6fec5ab77p-4, -0x1.745983b02a76bp-4,
    0x1.37e4f32d0fd67p-4};

/// asin x = x + x³ P(x²), |x| ≤ 1/2; error 2^-58 of the leading term
inline constexpr double kArcsine[] = {
    0x1.5555555555555p-3, 0x1.3333333333388p-4, 0x1.6db6db6dac1e0p-5, 0x1.f1c71c7a52ba3p-6, 0x1.6e8ba123e494cp-6,
    0x1.1c4efce23019fp-6, 0x1.c990ad3d8fdcap-7, 0x1.7b027ee1dd585p-7, 0x1.3b49de7121487p-7, 0x1.31622469ce5adp-7,
    0x1.8f193743418ffp-9, 0x1.406192d124629p-6, -0x1.3b416bb7d9257p-6, 0x1.e529c6fce9bb4p-6};

/// sinh x = x + x³ P(x²), |x| ≤ 0.35; error 2^-59 of the leading term
inline constexpr double kHyperbolicSine[] = {
    0x1.5555555555555p-3, 0x1.1111111111111p-7, 0x1.a01a01a01a01bp-13, 0x1.71de3a556c077p-19, 0x1.ae6456843c150p-26,
    0x1.612443e3fa65dp-33, 0x1.af2d3c8a20120p-41};

/// π/2 in parts of 33 bits
inline constexpr double kHalfPi[] = {
    0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e000000p-69, 0x1.b839a252049c1p-104};

/// ln 2 in parts of 40 bits
inline constexpr double kLog2[] = {
    0x1.62e42fefa2000p-1, 0x1.9ef35793c6000p-41, 0x1.673007e5ed5e8p-81};

inline constexpr double kPiParts[] = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
inline constexpr double kHalfPiParts[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
inline constexpr double kQuarterPiParts[] = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
inline constexpr double kInverseLog10[] = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
inline constexpr double kInverseLog2[] = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
inline constexpr double kSixth[] = {0x1.5555555555555p-3, 0x1.5555555555555p-57};
inline constexpr double kTwoThirds[] = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
inline constexpr double kTwoFifths[] = {0x1.999999999999ap-2, -0x1.999999999999ap-56};
inline constexpr double kTwoOverPiRounded = 0x1.45f306dc9c883p-1, kOneOverLog2 = 0x1.71547652b82fep+0;

/// atan(k/8), k = 0 … 8, each in two parts
inline constexpr double kAngles[] = {
    0x0.0p+0, 0x0.0p+0, 0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59, 0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57,
    0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56, 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56, 0x1.1e00babdefeb4p-1,
    -0x1.928df287a668fp-58, 0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56, 0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56,
    0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};

/// 64 zero bits, then the bits of 2/π behind the point
inline constexpr std::uint32_t kTwoOverPi[] = {
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
    0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b,
    0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea,
    0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

}  // namespace sinew::elementary::detail
