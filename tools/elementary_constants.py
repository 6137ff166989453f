#!/usr/bin/env python3
"""Writes src/math/elementary_constants.h: polynomials and constants of the elementary functions (needs python3-mpmath).

A polynomial interpolates its function at the Chebyshev nodes of the interval, computed with 60 digits, which comes
within a small factor of the least maximal error; its coefficients are then rounded to double.

    tools/elementary_constants.py > src/math/elementary_constants.h
"""
import sys

from mpmath import mp, mpf, matrix, lu_solve, cos, sin, log, atan, asin, sinh, sqrt, pi, floor, factorial

mp.dps = 60


def nodes(low, high, count):
    return [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * k + 1) / (2 * count)) for k in range(count)]


def polynomial(function, low, high, degree):
    """Coefficients as doubles, and the largest error on a grid."""
    x = nodes(mpf(low), mpf(high), degree + 1)
    powers = matrix([[v**k for k in range(len(x))] for v in x])
    coefficients = [mpf(float(c)) for c in lu_solve(powers, matrix([function(v) for v in x]))]
    grid = [mpf(low) + (mpf(high) - low) * k / 400 for k in range(401)]
    error = max(abs(function(v) - sum(c * v**k for k, c in enumerate(coefficients))) for v in grid if abs(v) > 1e-12)
    return coefficients, error


def literal(value):
    return float(value).hex().replace("0x1.0000000000000p", "0x1p")


def two(value):
    """A constant as a sum of two doubles."""
    high = mpf(float(value))
    return literal(high), literal(value - high)


def leading(value, bits):
    """The part of a value that has this many bits."""
    unit = mpf(2) ** (int(floor(log(abs(value), 2))) + 1 - bits)
    return floor(value / unit) * unit


def array(name, comment, values):
    lines, line = [], " "
    for value in values:
        item = f" {value},"
        if len(line) + len(item) > 118:
            lines.append(line)
            line = " "
        line += item
    lines.append(line.rstrip(","))
    kind = "std::uint32_t" if name == "kTwoOverPi" else "double"
    return f"/// {comment}\ninline constexpr {kind} {name}[] = {{\n" + "\n".join("  " + l for l in lines) + "};\n"


def polynomials():
    quarter = (pi / 4 * mpf("1.0001")) ** 2
    half_log2 = log(2) / 2 * mpf("1.0001")
    log_end = ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2 * mpf("1.0001")

    def series(terms):
        return lambda v: sum(terms(k) * v**k for k in range(60))

    yield ("kSine", "sin x = x - x³/6 + x⁵ P(x²), |x| ≤ π/4", lambda z: (sin(sqrt(z)) / sqrt(z) - 1 + z / 6) / z**2, 0, quarter, 5,
           quarter**2)
    yield ("kCosine", "cos x = 1 - x²/2 + x⁴ P(x²), |x| ≤ π/4", lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, 0, quarter, 5,
           quarter**2)
    yield ("kExponential", "exp x = 1 + x + x² P(x), |x| ≤ ln(2)/2", series(lambda k: 1 / factorial(k + 2)), -half_log2, half_log2, 10, half_log2**2)
    yield ("kLogarithm", "ln((1 + s)/(1 - s)) = 2 s + 2/3 s³ + 2/5 s⁵ + s⁷ P(s²), |s| ≤ (√2 - 1)/(√2 + 1)",
           series(lambda k: mpf(2) / (2 * k + 7)), 0, log_end, 7, log_end**3 / 2)
    yield ("kArctangent", "atan x = x + x³ P(x²), |x| ≤ 1/16", lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, 0,
           mpf("1.001") / 256, 5, mpf(1) / 256)
    yield "kArcsine", "asin x = x + x³ P(x²), |x| ≤ 1/2", lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, 0, mpf(1) / 4, 13, mpf(1) / 4
    yield ("kHyperbolicSine", "sinh x = x + x³ P(x²), |x| ≤ 0.35", lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, 0,
           mpf("0.1226"), 6, mpf("0.1226"))


def pieces(name, value, count, bits, comment):
    """A constant as a sum of doubles, of which all but the last have few bits, so that products with integers are exact."""
    out, rest = [], value
    for _ in range(count - 1):
        out.append(leading(rest, bits))
        rest -= out[-1]
    return array(name, comment, [literal(v) for v in out + [rest]])


def main():
    print("#pragma once\n\n#include <cstdint>\n")
    print("// Written by tools/elementary_constants.py: do not edit.\n")
    print("namespace sinew::elementary::detail {\n")
    for name, comment, function, low, high, degree, scale in polynomials():
        coefficients, error = polynomial(function, low, high, degree)
        bits = int(floor(-log(error * scale, 2)))
        print(f"{name}: error 2^-{bits}", file=sys.stderr)
        print(array(name, f"{comment}; error 2^-{bits} of the leading term", [literal(c) for c in coefficients]))
    print(pieces("kHalfPi", pi / 2, 4, 33, "π/2 in parts of 33 bits"))
    print(pieces("kLog2", log(2), 3, 40, "ln 2 in parts of 40 bits"))
    for name, value in (("kPiParts", pi), ("kHalfPiParts", pi / 2), ("kQuarterPiParts", pi / 4),
                        ("kInverseLog10", 1 / log(10)),
                        ("kInverseLog2", 1 / log(2)), ("kSixth", mpf(1) / 6), ("kTwoThirds", mpf(2) / 3), ("kTwoFifths", mpf(2) / 5)):
        print(f"inline constexpr double {name}[] = {{{', '.join(two(value))}}};")
    print(f"inline constexpr double kTwoOverPiRounded = {literal(2 / pi)}, kOneOverLog2 = {literal(1 / log(2))};\n")
    angles = [two(atan(mpf(k) / 8)) for k in range(9)]
    print(array("kAngles", "atan(k/8), k = 0 … 8, each in two parts", [part for angle in angles for part in angle]))
    mp.dps = 420
    digits = int(floor(2 / pi * mpf(2) ** 1216))
    words = [0, 0] + [digits >> 32 * (37 - k) & 0xFFFFFFFF for k in range(38)]
    print(array("kTwoOverPi", "64 zero bits, then the bits of 2/π behind the point", [f"0x{word:08x}" for word in words]))
    print("}  // namespace sinew::elementary::detail")


main()
