#include <algorithm>
#include <array>
#include <cmath>

#include "math/elementary.h"
#include "plugin/first_party.h"
#include "sinew/constants.h"

// mujoco.sdf.*: shapes as distance fields. max(a, -b) subtracts b from a, min joins, max intersects.

namespace sinew {
namespace {

const double kDiagonal = std::sqrt(2.0) / 2;

double fract(double x) { return x - std::floor(x); }
/// x modulo y, with the sign of y.
double wrap(double x, double y) { return x - y * std::floor(x / y); }

struct Torus : SignedDistance {
  double r1, r2;

  explicit Torus(const double* p) : r1(p[0]), r2(p[1]) {}
  double distance(const double x[3]) const override {
    const double q = std::sqrt(x[0] * x[0] + x[1] * x[1]) - r1;
    return std::sqrt(q * q + x[2] * x[2]) - r2;
  }
  void gradient(const double x[3], double g[3]) const override {
    const double rho = std::sqrt(x[0] * x[0] + x[1] * x[1]), q = rho - r1;
    const double length = std::max(std::sqrt(q * q + x[2] * x[2]), kMinVal);
    g[0] = q * x[0] / std::max(rho, kMinVal) / length;
    g[1] = q * x[1] / std::max(rho, kMinVal) / length;
    g[2] = x[2] / length;
  }
  Box box() const override { return {{}, {r1 + r2, r1 + r2, r2}}; }
};

/// A part of a spherical shell below the height.
struct Bowl : SignedDistance {
  double height, radius, thickness, width;

  explicit Bowl(const double* p)
      : height(p[0]), radius(p[1]), thickness(p[2]), width(std::sqrt(radius * radius - height * height)) {}
  double distance(const double x[3]) const override {
    const double rho = std::sqrt(x[0] * x[0] + x[1] * x[1]), z = x[2];
    const double a = rho - width, b = z - height;
    const bool at_rim = height * rho < width * z;
    return (at_rim ? std::sqrt(a * a + b * b) : std::abs(std::sqrt(rho * rho + z * z) - radius)) - thickness;
  }
  Box box() const override {
    const double reach = radius + thickness;
    return {{}, {reach, reach, reach}};
  }
};

/// The thread of a screw, and the hexagonal head that bolt and nut have.
struct Screw : SignedDistance {
  double radius;

  explicit Screw(double r) : radius(r) {}
  double radial(const double x[3]) const { return std::sqrt(x[0] * x[0] + x[1] * x[1]) - radius; }
  double thread(const double x[3]) const {
    const double turn = elementary::atan2(x[1], x[0]) / 2 / kPi;
    return (radial(x) - std::abs(fract(x[2] * 12 - turn) - 0.5) / 12) * kDiagonal;
  }
  double head(const double x[3]) const {
    constexpr double k = 3 / kPi;
    const double angle = -std::floor(elementary::atan2(x[1], x[0]) * k + 0.5) / k;
    const double side = elementary::sin(angle + kPi / 2) * x[0] - elementary::sin(angle) * x[1];
    return std::max({side - 0.5, std::abs(x[2] + 0.25) - 0.25, (x[2] + radial(x) - 0.22) * kDiagonal});
  }
  Box box() const override { return {{}, {0.6, 0.6, 1}}; }
};

struct Bolt : Screw {
  explicit Bolt(const double* p) : Screw(p[0]) {}
  double distance(const double x[3]) const override {
    const double cone = (x[2] - radial(x)) * kDiagonal;
    double shaft = std::max(thread(x), -(0.5 - std::abs(x[2] + 0.5)));
    shaft = std::max(shaft, -(cone + kDiagonal));
    return std::min(shaft, head(x));
  }
};

struct Nut : Screw {
  explicit Nut(const double* p) : Screw(p[0]) {}
  double distance(const double x[3]) const override {
    const double cone = (x[2] - radial(x)) * kDiagonal;
    const double hole = std::min(std::max(thread(x), -(cone + 0.5 * kDiagonal)), -cone - 0.05 * kDiagonal);
    return std::max(head(x), -hole);
  }
};

/// An involute gear.
struct Gear : SignedDistance {
  double alpha, diameter, teeth, thickness, inner;

  explicit Gear(const double* p) : alpha(p[0]), diameter(p[1]), teeth(p[2]), thickness(p[3]), inner(p[4]) {}

  /// Union of two fields, rounded over a width k.
  static double smooth_union(double a, double b, double k) {
    const double w = std::clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0);
    return b * (1 - w) + a * w - k * w * (1 - w);
  }
  static double smooth_intersection(double a, double b, double k) {
    return std::max(std::max(a, b), -smooth_union(std::max(a, -b), std::max(b, -a), k));
  }

  double in_plane(double x, double y) const {
    const double n = teeth, psi = 3.096e-5 * n * n - 6.557e-3 * n + 0.551, pitch_radius = diameter / 2;
    const double pitch = n / diameter, outer = diameter / 2 + 1 / pitch, depth = 2.2 / pitch;
    const double hole = inner >= 0 ? inner / 2 : outer - depth - 0.14 * diameter;
    const double rho = std::sqrt(x * x + y * y);
    if (hole - rho > 0) return hole - rho;
    if (outer - rho < -0.2) return rho - outer;

    const double base = diameter * elementary::cos(psi) / 2, fi = elementary::atan2(y, x) + alpha;
    const double tooth = kPi / pitch / pitch_radius, roll = elementary::acos(base / pitch_radius);
    const double gap = tooth / 2 - 2 * (elementary::tan(roll) - roll);
    const double fa = wrap(fi + gap / 2, tooth) - gap / 2, fb = wrap(-fi - gap + gap / 2, tooth) - gap / 2;
    double flank_a = -1e6, flank_b = -1e6;
    if (rho > base) {
      const double c = elementary::acos(base / rho), t = std::sqrt(rho * rho - base * base);
      flank_a = t - base * (fa + c);
      flank_b = t - base * (fb + c);
    }
    double cogs = std::max({fa - (tooth - gap), fb - (tooth - gap), flank_a, flank_b});
    cogs = smooth_intersection(rho - outer, cogs, 0.0035 * diameter);
    cogs = smooth_union(rho - (outer - depth), cogs, base - outer + depth);
    return std::max(cogs, -(rho - hole));
  }
  double distance(const double x[3]) const override {
    const double d = in_plane(x[0], x[1]), e = std::abs(x[2]) - thickness / 2;
    const double out_d = std::max(d, 0.0), out_e = std::max(e, 0.0);
    return std::min(std::max(d, e), 0.0) + std::sqrt(out_d * out_d + out_e * out_e);
  }
  Box box() const override {
    const double reach = 1.25 * diameter / 2;
    return {{}, {reach, reach, 1.1 * thickness / 2}};
  }
};

/// A shape and the numbers that describe it.
template <class Shape>
class ShapePlugin : public Plugin {
 public:
  struct Number {
    const char* name;
    double usual;
  };
  ShapePlugin(const char* name, std::vector<Number> numbers) : name_(name), numbers_(std::move(numbers)) {}

  std::string name() const override { return name_; }
  int capabilities() const override { return kPluginSdf; }
  std::vector<std::string> attributes() const override {
    std::vector<std::string> out;
    for (const Number& number : numbers_) out.emplace_back(number.name);
    return out;
  }
  Result<std::unique_ptr<SignedDistance>> shape(const PluginConfig& config) const override {
    std::array<double, 5> values{};
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const Result<double> value = config.number(numbers_[i].name, numbers_[i].usual);
      if (!value) return value.error();
      values[i] = *value;
    }
    return std::unique_ptr<SignedDistance>(std::make_unique<Shape>(values.data()));
  }

 private:
  const char* name_;
  std::vector<Number> numbers_;
};

template <class Shape>
std::shared_ptr<const Plugin> shape_plugin(const char* name, std::vector<typename ShapePlugin<Shape>::Number> numbers) {
  return std::make_shared<ShapePlugin<Shape>>(name, std::move(numbers));
}

}  // namespace

std::vector<std::shared_ptr<const Plugin>> sdf_plugins() {
  return {
      shape_plugin<Bolt>("mujoco.sdf.bolt", {{"radius", 0.26}}),
      shape_plugin<Bowl>("mujoco.sdf.bowl", {{"height", 0.4}, {"radius", 1}, {"thickness", 0.02}}),
      shape_plugin<Gear>("mujoco.sdf.gear",
                         {{"alpha", 0}, {"diameter", 2.8}, {"teeth", 25}, {"thickness", 0.2}, {"innerdiameter", -1}}),
      shape_plugin<Nut>("mujoco.sdf.nut", {{"radius", 0.26}}),
      shape_plugin<Torus>("mujoco.sdf.torus", {{"radius1", 0.35}, {"radius2", 0.15}})};
}

}  // namespace sinew
