#include "dynamics/added_mass.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"

namespace sinew {
namespace {

// Nodes l, Jacobians d and weights w of a 15-point quadrature over [0, inf). The digits are part of the model format:
// more accurate ones would change the constants of existing models.
constexpr int kPoints = 15;
constexpr double kNode[kPoints] = {
    7.865151709349917e-08, 1.7347976913907274e-05, 0.0003548008144506193, 0.002846636252924549,
    0.014094260903596077,  0.053063261727396636,   0.17041978741317773,   0.5,
    1.4036301548686991,    3.9353484827022642,     11.644841677041734,    39.53187807410903,
    177.5711362220801,     1429.4772912937397,     54087.416549217705};
constexpr double kJacobian[kPoints] = {
    5.538677720489877e-05, 0.002080868285293228, 0.016514126520723166, 0.07261900344370877,
    0.23985243401862602,   0.6868318249020725,   1.8551129519182894,   5.0,
    14.060031152313941,    43.28941239611009,    156.58546376397112,   747.9826085305024,
    5827.4042950027115,    116754.0197944512,    25482945.327264845};
constexpr double kWeight[kPoints] = {0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236,
                                     0.09517529, 0.10221647, 0.10474107, 0.10221647, 0.09517529,
                                     0.08450236, 0.07032663, 0.05239501, 0.03154605, 0.01146766};

/// Integral of 1 / ((1+l/dx²) sqrt((1+l/dx²)(1+l/dy²)(1+l/dz²))) dl / dx², scaled by S = (dx³ dy dz)^0.4.
double kappa(double dx, double dy, double dz) {
  const double scale = elementary::pow(dx * dx * dx * dy * dz, 0.4);
  double sum = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double l = scale * kNode[i];
    const double x = 1 + l / (dx * dx), y = 1 + l / (dy * dy), z = 1 + l / (dz * dz);
    sum += scale * kJacobian[i] / (x * std::sqrt(x * y * z)) * kWeight[i];
  }
  return sum / (dx * dx);
}

/// Added inertia about one axis: V/5 (b²-c²)² |k_c - k_b| / |2 (b²-c²) + (b²+c²)(k_b - k_c)|, b and c the other two.
double added_inertia(double volume, double b, double c, double kb, double kc) {
  const double difference = b * b - c * c, sum = b * b + c * c;
  const double denominator = std::abs(2 * difference + sum * (kb - kc));
  return volume * difference * difference * std::abs(kc - kb) / std::max(kCompileEps, denominator) / 5;
}

}  // namespace

AddedMass added_mass(const Vec3<double>& d) {
  const double volume = 4 * kPi * d.x * d.y * d.z / 3;
  const double kx = kappa(d.x, d.y, d.z), ky = kappa(d.y, d.z, d.x), kz = kappa(d.z, d.x, d.y);
  const auto mass = [volume](double k) { return volume * k / std::max(kCompileEps, 2 - k); };
  return {{mass(kx), mass(ky), mass(kz)},
          {added_inertia(volume, d.y, d.z, ky, kz), added_inertia(volume, d.z, d.x, kz, kx),
           added_inertia(volume, d.x, d.y, kx, ky)}};
}

}  // namespace sinew
