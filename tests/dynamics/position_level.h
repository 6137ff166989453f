#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "dynamics/camera_light.h"
#include "dynamics/com.h"
#include "dynamics/inertia.h"
#include "dynamics/joint_table.h"
#include "dynamics/kinematics.h"
#include "dynamics/tendon.h"
#include "dynamics/transmission.h"
#include "sinew/data.h"
#include "sinew/load.h"

// Helpers for the tests of the position level.

namespace sinew::test {

/// The model of a valid MJCF text.
inline Model model_of(const std::string& text) {
  Result<Model> model = load_string(text);
  if (!model) {
    ADD_FAILURE() << model.error().text();
    return {};
  }
  return std::move(model).value();
}

/// A world at qpos0 with its position level computed.
inline void positions(const Model& m, Data& d) {
  kinematics(m, d);
  com_position(m, d);
  camera_and_light_poses(m, d);
  tendon_paths(m, d);
  composite_inertia(m, d);
  factor_inertia(m, d);
  transmission(m, d);
}

inline Data world_of(const Model& m, const std::vector<double>& qpos = {}) {
  Data d(m);
  reset(m, d);
  std::copy(qpos.begin(), qpos.end(), d.qpos.begin());
  positions(m, d);
  return d;
}

/// qpos0 moved by a random velocity: every joint is displaced, quaternions keep unit length.
inline void displace(const Model& m, Data& d, std::mt19937& random, double amount = 1) {
  std::uniform_real_distribution<double> uniform(-amount, amount);
  std::vector<double> v(static_cast<std::size_t>(m.nv));
  for (double& x : v) x = uniform(random);
  integrate_position(m, d.qpos.data(), v.data(), 1.0);
  positions(m, d);
}

/// Central difference of f along dof `dof`; restores the world.
inline std::vector<double> slope(const Model& m, Data& d, int dof, const std::function<std::vector<double>()>& f,
                                 double h = 1e-6) {
  const std::vector<double> qpos(d.qpos.begin(), d.qpos.end());
  std::vector<double> v(static_cast<std::size_t>(m.nv), 0.0), result;
  v[dof] = 1;
  for (double side : {1.0, -1.0}) {
    std::copy(qpos.begin(), qpos.end(), d.qpos.begin());
    integrate_position(m, d.qpos.data(), v.data(), side * h);
    positions(m, d);
    const std::vector<double> value = f();
    result.resize(value.size(), 0.0);
    for (std::size_t i = 0; i < value.size(); ++i) result[i] += side * value[i] / (2 * h);
  }
  std::copy(qpos.begin(), qpos.end(), d.qpos.begin());
  positions(m, d);
  return result;
}

/// A moment row of the transmission, dense.
inline std::vector<double> moment_row(const Model& m, const Data& d, int output) {
  std::vector<double> row(static_cast<std::size_t>(m.nv), 0.0);
  for (int k = d.moment_rowadr[output]; k < d.moment_rowadr[output] + d.moment_rownnz[output]; ++k)
    row[d.moment_colind[k]] += d.actuator_moment[k];
  return row;
}

/// MJCF of a random forest: joints of every kind, bodies without joints, offset and rotated inertias, a site per body.
class RandomForest {
 public:
  explicit RandomForest(unsigned seed) : random_(seed) {}

  std::string text(int nbody) {
    std::vector<std::string> open;  // closing tags of the open bodies
    std::string out = "<mujoco><compiler angle=\"radian\" balanceinertia=\"true\"/><worldbody>";
    for (int b = 0; b < nbody; ++b) {
      while (!open.empty() && uniform(0, 1) < 0.35) {
        out += open.back();
        open.pop_back();
      }
      out += "<body pos=\"" + numbers(3) + "\" euler=\"" + numbers(3) + "\"><inertial pos=\"" + numbers(3, 0.2) +
             "\" euler=\"" + numbers(3) + "\" mass=\"" + number(0.5, 2) + "\" diaginertia=\"" + number(0.3, 0.4) + " " +
             number(0.3, 0.4) + " " + number(0.3, 0.4) + "\"/>" + joints(open.empty()) + "<site name=\"s" +
             std::to_string(b) + "\" pos=\"" + numbers(3, 0.3) + "\" euler=\"" + numbers(3) + "\"/>";
      open.push_back("</body>");
    }
    for (const std::string& tag : open) out += tag;
    return out + "</worldbody></mujoco>";
  }

 private:
  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random_); }
  std::string number(double lo, double hi) { return std::to_string(uniform(lo, hi)); }
  std::string numbers(int n, double size = 0.5) {
    std::string out;
    for (int i = 0; i < n; ++i) out += (i ? " " : "") + number(-size, size);
    return out;
  }
  std::string joints(bool root) {
    const double kind = uniform(0, 1);
    if (root && kind < 0.4) return "<freejoint/>";
    if (kind < 0.1) return "";
    if (kind < 0.3) return "<joint type=\"ball\" pos=\"" + numbers(3, 0.2) + "\"/>";
    std::string out;
    for (int n = 1 + static_cast<int>(uniform(0, 2.99)); n > 0; --n)
      out += std::string("<joint type=\"") + (uniform(0, 1) < 0.3 ? "slide" : "hinge") + "\" axis=\"" + numbers(3) +
             "\" pos=\"" + numbers(3, 0.2) + "\" armature=\"" + number(0, 0.1) + "\"/>";
    return out;
  }

  std::mt19937 random_;
};

}  // namespace sinew::test
