#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "plot.h"
#include "sinew/sinew.h"

// A model built by a program: a chain of n links whose ends are held hangs like a catenary.
//
//   example_chain FOLDER      writes FOLDER/chain.svg and FOLDER/chain.xml

namespace {

constexpr int kLinks = 40;
constexpr double kLength = 1.5, kSpan = 1, kLink = kLength / kLinks;

/// Direction of a link that starts as part of an arc from +slope to -slope.
double direction(int link, double slope) { return slope * (1 - 2.0 * link / (kLinks - 1)); }

/// The slope at which the arc's ends are kSpan apart, by bisection.
double initial_slope() {
  double low = 0, high = 3;
  for (int i = 0; i < 60; ++i) {
    const double slope = 0.5 * (low + high);
    double span = 0;
    for (int k = 0; k < kLinks; ++k) span += kLink * std::cos(direction(k, slope));
    (span > kSpan ? low : high) = slope;
  }
  return low;
}

sinew::Spec chain() {
  sinew::Spec spec;
  spec.modelname = "chain";
  spec.option.integrator = static_cast<int>(sinew::Integrator::ImplicitFast);
  const double slope = initial_slope();
  sinew::spec::Body* parent = &spec.world;
  for (int i = 0; i < kLinks; ++i) {
    sinew::spec::Body& link = parent->bodies.add();
    link.name = "link" + std::to_string(i);
    link.pos = i == 0 ? std::array<double, 3>{0, 0, 0} : std::array<double, 3>{kLink, 0, 0};
    const double turn = direction(i, slope) - (i == 0 ? 0 : direction(i - 1, slope));
    link.quat = {std::cos(turn / 2), 0, std::sin(turn / 2), 0};  // about y: positive is downward
    sinew::spec::Joint& joint = link.joints.add();
    joint.axis = {0, 1, 0};
    joint.damping[0] = 5e-4;
    sinew::spec::Geom& geom = link.geoms.add();
    geom.type = sinew::GeomType::Capsule;
    geom.size = {0.005, 0, 0};
    geom.fromto = {0, 0, 0, kLink, 0, 0};
    geom.contype = geom.conaffinity = 0;
    parent = &link;
  }
  sinew::spec::Equality& held = spec.equalities.add();
  held.type = sinew::EqualityType::Connect;
  held.objtype = sinew::ObjType::Body;
  held.name1 = parent->name;
  held.data = {kLink, 0, 0};
  held.solref = {0.004, 1};  // stiff, so that the end does not sag
  return spec;
}

/// Depth of a catenary: 2 a sinh(span / 2a) = length, depth = a (cosh(span / 2a) - 1).
double catenary_depth() {
  double low = 0.01, high = 10;
  for (int i = 0; i < 100; ++i) {
    const double a = 0.5 * (low + high);
    (2 * a * std::sinh(kSpan / (2 * a)) > kLength ? low : high) = a;
  }
  return low * (std::cosh(kSpan / (2 * low)) - 1);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const sinew::Spec spec = chain();
  sinew::write_mjcf_file(spec, folder + "/chain.xml").value_or_throw();
  const sinew::Model model = sinew::compile(spec).value_or_throw();
  sinew::Data data(model);
  sinew::reset(model, data);
  while (data.time < 30) sinew::step(model, data);

  double depth = 0;
  std::vector<examples::Point> shape;
  for (std::size_t body = 1; body < static_cast<std::size_t>(model.nbody); ++body) {
    shape.push_back({data.xpos[3 * body], data.xpos[3 * body + 2]});
    depth = std::max(depth, -shape.back().y);
  }
  examples::write_points(folder + "/chain.svg", "a chain of 40 links at rest, m", shape, /*joined=*/true, true);
  std::printf("depth %.4f m, of a catenary %.4f m\n", depth, catenary_depth());
}
