#include "compile/flex_elasticity.h"

#include <array>
#include <cmath>

namespace sinew::compiling {
namespace {

using rigid::Vec;

constexpr std::size_t kPerElement = 21, kPerEdge = 17;

/// Gradients of the shape functions of a triangle in its plane, and its area.
double triangle_gradients(const Vec* x, Vec* gradient) {
  const Vec normal = cross(x[1] - x[0], x[2] - x[0]);
  const double twice = norm(normal);
  for (int i = 0; i < 3; ++i) {
    const Vec edge = x[(i + 2) % 3] - x[(i + 1) % 3];
    gradient[i] = cross(normal, edge) * (1 / (twice * twice));
  }
  return twice / 2;
}

/// The same in a tetrahedron, and its volume.
double tetrahedron_gradients(const Vec* x, Vec* gradient) {
  const Vec a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
  const double six = dot(cross(a, b), c);
  gradient[1] = cross(b, c) * (1 / six);
  gradient[2] = cross(c, a) * (1 / six);
  gradient[3] = cross(a, b) * (1 / six);
  gradient[0] = (gradient[1] + gradient[2] + gradient[3]) * -1.0;
  return std::abs(six) / 6;
}

double cotangent(const Vec& a, const Vec& b, const Vec& c) { return dot(b - a, c - a) / norm(cross(b - a, c - a)); }

double area(const Vec& a, const Vec& b, const Vec& c) { return norm(cross(b - a, c - a)) / 2; }

}  // namespace

std::vector<double> element_stiffness(const spec::Flex& in, std::span<const Vec> vertex, std::span<const int> element) {
  const auto corners = static_cast<std::size_t>(in.dim) + 1;
  const std::size_t elements = element.size() / corners;
  std::vector<double> out(kPerElement * elements);
  const spec::Flex::Elasticity& law = in.elasticity;
  const bool stretches = law.elastic2d == spec::FlexElastic2d::Stretch || law.elastic2d == spec::FlexElastic2d::Both;
  if (in.dim == 1 || (in.dim == 2 && !stretches)) return out;
  const auto edges = element_edges(in.dim);
  for (std::size_t e = 0; e < elements; ++e) {
    std::array<Vec, 4> x, gradient;
    for (std::size_t c = 0; c < corners; ++c) x[c] = vertex[static_cast<std::size_t>(element[corners * e + c])];
    const double volume =
        in.dim == 2 ? triangle_gradients(x.data(), gradient.data()) : tetrahedron_gradients(x.data(), gradient.data());
    // MuJoCo 3.12.0's law: a tetrahedron has twice the λ, a triangle a quarter of the stiffness and the λ of a solid
    const double amount = volume * (in.dim == 2 ? law.thickness : 4) / 4;
    const double mu = law.young / (2 * (1 + law.poisson)) * amount;
    const double lambda = law.young * law.poisson / ((1 + law.poisson) * (1 - 2 * law.poisson)) * amount;
    const auto product = [&](int i, int j) {
      return dot(gradient[static_cast<std::size_t>(i)], gradient[static_cast<std::size_t>(j)]);
    };
    double* k = &out[kPerElement * e];
    for (std::size_t i = 0; i < edges.size(); ++i) {
      for (std::size_t j = i; j < edges.size(); ++j) {
        const auto [a, b] = edges[i];
        const auto [c, d] = edges[j];
        const double trace = (product(a, c) * product(b, d) + product(a, d) * product(b, c)) / 2;
        *k++ = mu * trace + lambda * product(a, b) * product(c, d);
      }
    }
  }
  return out;
}

std::vector<double> edge_bending(const spec::Flex& in, std::span<const Vec> vertex, const FlexTopology& topology) {
  std::vector<double> out(kPerEdge * topology.edge.size());
  const double t = in.elasticity.thickness, mu = in.elasticity.young / (2 * (1 + in.elasticity.poisson));
  for (std::size_t e = 0; e < topology.flap.size(); ++e) {
    if (topology.flap[e][3] < 0) continue;
    // MuJoCo 3.12.0 takes the edge as the first triangle has it, and later applies the numbers to the sorted edge
    const auto at = [&](std::size_t i) { return vertex[static_cast<std::size_t>(topology.flap[e][i])]; };
    const Vec v0 = at(0), v1 = at(1), v2 = at(2), v3 = at(3);
    const double a1 = cotangent(v0, v1, v2), a2 = cotangent(v0, v3, v1);
    const double a3 = cotangent(v1, v2, v0), a4 = cotangent(v1, v0, v3);
    const double c[4] = {a3 + a4, a1 + a2, -(a1 + a3), -(a2 + a4)};
    const double stiffness = 3 * mu * (t * t * t) / (24 * (area(v0, v1, v2) + area(v1, v0, v3)));
    const Vec e0 = v1 - v0, e1 = v2 - v0, e2 = v3 - v0, e3 = v2 - v1, e4 = v3 - v1;
    const Vec t0 = (e1 * a3 + e3 * a1) * -1.0, t1 = (e2 * a4 + e4 * a2) * -1.0;
    const double square = dot(e0, e0), length = std::sqrt(square);
    const double cosine = -dot(t0, t1) / square;
    double* b = &out[kPerEdge * e];
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) b[4 * i + j] = c[i] * c[j] * cosine * stiffness;
    b[16] = dot(cross(e0, e1), e2) * (a1 - a3) * (a4 - a2) * stiffness / (length * length * length);
  }
  return out;
}

}  // namespace sinew::compiling
