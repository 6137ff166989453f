#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "sinew/sinew.h"

// Recovers masses, damping and friction of a machine from a recording of its motion: the parameters for which the
// simulation reproduces it, by Gauss-Newton. The sensitivity S = dx/dθ of the state to the parameters evolves as
//   S(t+1) = A S(t) + ∂step/∂θ,
// with the exact derivatives of the step with respect to state and parameters.

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using sinew::Data;
using sinew::Model;

constexpr int kSteps = 400;
constexpr double kNoise = 1e-4;  // rad and m: measurement noise of the recording

struct Parameter {
  const char* name;
  double truth, guess;
};
const std::vector<Parameter> kParameters = {{"mass of the upper arm, kg", 1.4, 1.0},
                                            {"mass of the forearm, kg", 0.6, 1.0},
                                            {"damping of the elbow, N m s/rad", 0.12, 0.05},
                                            {"mass of the puck, kg", 0.8, 1.2},
                                            {"friction of the puck", 0.35, 0.2}};

/// A swinging two-link arm, and a puck sliding on the floor. Its contact is well damped (solref), because the
/// convex friction model would lift a fast puck off a stiff floor.
Model machine(const Vector& p) {
  char text[2000];
  std::snprintf(text, sizeof text, R"(<mujoco><option timestep=".005" cone="elliptic" tolerance="1e-12"/>
    <default><geom contype="0" conaffinity="0" solref=".1 .2"/></default><worldbody>
    <body name="upper arm" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping=".05"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".04" mass="%.17g"/>
      <body name="forearm" pos=".4 0 0"><joint name="elbow" axis="0 1 0" damping="%.17g"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="%.17g"/></body></body>
    <geom type="plane" size="3 3 .1" conaffinity="1" friction=".1"/>
    <body name="sled" pos="1 0 .05"><joint type="slide" axis="1 0 0"/><geom size=".02" mass=".1"/>
      <body name="puck"><joint type="slide" axis="0 0 1"/>
        <geom type="cylinder" size=".1 .05" mass="%.17g" friction="%.17g" contype="1"/></body></body></worldbody>
    <actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator></mujoco>)",
                p[0], p[2], p[1], p[3], p[4]);
  return sinew::load_string(text).value_or_throw();
}

/// The arm is horizontal, the puck has an initial velocity.
Data start(const Model& m) {
  Data d(m);
  sinew::reset(m, d);
  d.qvel[2] = 0.7;
  return d;
}

/// Torques of the arm and a force on the puck: known, and the same in every run. The force keeps the puck sliding:
/// when friction reverses, the discretized motion is a discontinuous function of the parameters.
void drive(Data& d, int step) {
  const double t = 0.005 * step;
  d.ctrl[0] = 6 * std::sin(3 * t);
  d.ctrl[1] = 2 * std::cos(5 * t);
  d.qfrc_applied[2] = 3 + 1.5 * std::sin(6 * t);
}

/// The recording: all positions after every step.
std::vector<Vector> record(const Model& m) {
  Data d = start(m);
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, kNoise);
  std::vector<Vector> positions;
  for (int t = 0; t < kSteps; ++t) {
    drive(d, t);
    sinew::step(m, d);
    positions.push_back(Eigen::Map<Vector>(d.qpos.data(), m.nq));
    for (double& x : positions.back()) x += noise(random);
  }
  return positions;
}

/// ∂step/∂θ. The inertia of a body is proportional to the mass of its geom.
class ParameterColumns {
 public:
  explicit ParameterColumns(const Model& m) {
    using Kind = sinew::ParameterKind;
    add_mass(m, 0, body(m, "upper arm"));
    add_mass(m, 1, body(m, "forearm"));
    add(2, {Kind::DofDamping, 1}, 1);
    add_mass(m, 3, body(m, "puck"));
    add(4, {Kind::GeomFriction, m.body_geomadr[body(m, "puck")]}, 1);
  }
  Matrix at(const Model& m, const Data& d, sinew::TransitionWorkspace& workspace) {
    sinew::transition_parameters(m, d, parameters_, columns_, workspace);
    const auto n = static_cast<Eigen::Index>(parameters_.size());
    return Eigen::Map<Matrix>(columns_.data(), 2 * m.nv, n) * weights_.topRows(n);
  }

 private:
  static int body(const Model& m, const char* name) { return m.id(sinew::ObjType::Body, name); }
  void add(int column, sinew::Parameter parameter, double weight) {
    weights_(static_cast<Eigen::Index>(parameters_.size()), column) = weight;
    parameters_.push_back(parameter);
  }
  void add_mass(const Model& m, int column, int body) {
    add(column, {sinew::ParameterKind::BodyMass, body}, 1);
    for (int k = 0; k < 3; ++k)
      add(column, {sinew::ParameterKind::BodyInertia, body, k}, m.body_inertia[3 * body + k] / m.body_mass[body]);
  }

  std::vector<sinew::Parameter> parameters_;
  Matrix weights_ = Matrix::Zero(20, static_cast<Eigen::Index>(kParameters.size()));
  std::vector<double> columns_;
};

/// The normal equations JᵀJ Δθ = -Jᵀr of the whole recording, and its mean error.
struct Fit {
  Matrix JJ;
  Vector Jr;
  double error = 0;
};

Fit compare(const Vector& p, const std::vector<Vector>& recording) {
  const Model m = machine(p);
  ParameterColumns parameters(m);
  Data d = start(m);
  const auto np = p.size();
  Matrix S = Matrix::Zero(2 * m.nv, np);
  Fit fit{Matrix::Zero(np, np), Vector::Zero(np)};
  sinew::Transition t;
  sinew::TransitionWorkspace workspace(m);
  for (int k = 0; k < kSteps; ++k) {
    drive(d, k);
    sinew::transition_analytic(m, d, {}, t, workspace);
    S = Eigen::Map<Matrix>(t.A.data(), t.ndx, t.ndx) * S + parameters.at(m, d, workspace);
    sinew::step(m, d);
    const Vector r = Eigen::Map<Vector>(d.qpos.data(), m.nq) - recording[static_cast<std::size_t>(k)];
    const Matrix J = S.topRows(m.nv);
    fit.JJ += J.transpose() * J;
    fit.Jr += J.transpose() * r;
    fit.error += r.squaredNorm();
  }
  fit.error = std::sqrt(fit.error / (kSteps * static_cast<double>(m.nq)));
  return fit;
}

}  // namespace

int main() {
  const auto n = static_cast<Eigen::Index>(kParameters.size());
  Vector truth(n), p(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    truth[k] = kParameters[static_cast<std::size_t>(k)].truth;
    p[k] = kParameters[static_cast<std::size_t>(k)].guess;
  }
  const std::vector<Vector> recording = record(machine(truth));

  std::printf("%d positions, noise %g\n  iteration  mean error   parameters\n", kSteps * 4, kNoise);
  double damping = 1e-3;
  Fit fit = compare(p, recording);
  for (int iteration = 0; iteration < 40; ++iteration) {
    std::printf("  %9d  %10.3e  ", iteration, fit.error);
    for (const double x : p) std::printf(" %9.6f", x);
    std::printf("\n");
    // Levenberg-Marquardt in the logarithms of the parameters, which are all positive
    const Matrix scale = p.asDiagonal();
    Matrix JJ = scale * fit.JJ * scale;
    JJ.diagonal() *= 1 + damping;
    const Vector change = (-JJ.llt().solve(scale * fit.Jr)).cwiseMax(-0.5).cwiseMin(0.5);
    if (change.cwiseAbs().maxCoeff() < 1e-7) break;
    const Vector next = p.array() * change.array().exp();
    const Fit better = compare(next, recording);
    damping = better.error < fit.error ? damping / 10 : damping * 10;
    if (better.error >= fit.error) continue;
    p = next;
    fit = better;
  }

  bool good = true;
  for (Eigen::Index k = 0; k < n; ++k) {
    const double wrong = std::abs(p[k] / truth[k] - 1);
    std::printf("  %-34s %9.5f  true %9.5f  %.2f %% off\n", kParameters[static_cast<std::size_t>(k)].name, p[k],
                truth[k], 100 * wrong);
    good = good && wrong < 0.01;
  }
  return good ? 0 : 1;
}
