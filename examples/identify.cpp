#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "sinew/sinew.h"

// Recovers masses, damping and friction of a machine from a recording of its motion: the parameters for which the
// simulation repeats it, by Gauss-Newton. The sensitivity S = dx/dθ of the state to the parameters follows the motion,
//   S(t+1) = A S(t) + ∂step/∂θ,
// with A the derivative of the step by the state.

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using sinew::Data;
using sinew::Model;

constexpr int kSteps = 400;
constexpr double kNoise = 1e-4;  // rad and m: what the recording's instruments get wrong

struct Parameter {
  const char* name;
  double truth, guess;
};
const std::vector<Parameter> kParameters = {{"mass of the upper arm, kg", 1.4, 1.0},
                                            {"mass of the forearm, kg", 0.6, 1.0},
                                            {"damping of the elbow, N m s/rad", 0.12, 0.05},
                                            {"mass of the puck, kg", 0.8, 1.2},
                                            {"friction of the puck", 0.35, 0.6}};

/// A two-link arm that swings, and a puck that slides over the floor (hard friction, impratio: soft friction would lift
/// a fast puck off the floor).
Model machine(const Vector& p) {
  char text[2000];
  std::snprintf(text, sizeof text, R"(<mujoco><option timestep=".005" cone="elliptic" impratio="20" tolerance="1e-12"/>
    <default><geom contype="0" conaffinity="0"/></default><worldbody>
    <body pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping=".05"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".04" mass="%.17g"/>
      <body pos=".4 0 0"><joint name="elbow" axis="0 1 0" damping="%.17g"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="%.17g"/></body></body>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="puck" pos="1 0 .05"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
      <geom name="puck" type="cylinder" size=".1 .05" mass="%.17g"/></body></worldbody>
    <contact><pair geom1="floor" geom2="puck" friction="%.17g %.17g .005 .0001 .0001"/></contact>
    <actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator></mujoco>)",
                p[0], p[2], p[1], p[3], p[4], p[4]);
  return sinew::load_string(text).value_or_throw();
}

/// The arm hangs out to the side, the puck was pushed.
Data start(const Model& m) {
  Data d(m);
  sinew::reset(m, d);
  d.qvel[2] = 3;
  return d;
}

/// Torques of the arm and a force on the puck: known, and the same in every run. The force keeps the puck sliding:
/// where friction reverses, a motion in time steps depends on its parameters in jumps.
void drive(Data& d, int step) {
  const double t = 0.005 * step;
  d.ctrl[0] = 6 * std::sin(3 * t);
  d.ctrl[1] = 2 * std::cos(5 * t);
  d.qfrc_applied[2] = 3 + 3 * std::sin(6 * t);
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

Vector state_of(const Model& m, const Data& d) {
  Vector x(2 * m.nv);
  for (int i = 0; i < m.nv; ++i) x[i] = d.qpos[i];  // every joint is a scalar
  for (int i = 0; i < m.nv; ++i) x[m.nv + i] = d.qvel[i];
  return x;
}

/// ∂step/∂θ at one state: differences of single steps of machines that differ in one parameter.
class ParameterColumns {
 public:
  explicit ParameterColumns(const Vector& p) {
    for (int k = 0; k < p.size(); ++k) {
      for (const double side : {kEps, -kEps}) {
        Vector q = p;
        q[k] += side;
        models_.push_back(std::make_unique<Model>(machine(q)));
        worlds_.push_back(std::make_unique<Data>(*models_.back()));
      }
    }
  }
  Matrix at(const Data& d) {
    const Model& m = d.model();
    Matrix columns(2 * m.nv, static_cast<Eigen::Index>(models_.size() / 2));
    std::vector<double> state(static_cast<std::size_t>(sinew::state_size(m, sinew::kStateIntegration)));
    sinew::get_state(m, d, state, sinew::kStateIntegration);
    for (std::size_t k = 0; k < models_.size(); k += 2) {
      for (const std::size_t i : {k, k + 1}) {
        sinew::set_state(*models_[i], *worlds_[i], state, sinew::kStateIntegration);
        sinew::step(*models_[i], *worlds_[i]);
      }
      columns.col(static_cast<Eigen::Index>(k / 2)) =
          (state_of(m, *worlds_[k]) - state_of(m, *worlds_[k + 1])) / (2 * kEps);
    }
    return columns;
  }

 private:
  static constexpr double kEps = 1e-6;
  std::vector<std::unique_ptr<Model>> models_;
  std::vector<std::unique_ptr<Data>> worlds_;
};

/// The normal equations JᵀJ Δθ = -Jᵀr of the whole recording, and its mean error.
struct Fit {
  Matrix JJ;
  Vector Jr;
  double error = 0;
};

Fit compare(const Vector& p, const std::vector<Vector>& recording) {
  const Model m = machine(p);
  ParameterColumns parameters(p);
  Data d = start(m);
  const auto np = p.size();
  Matrix S = Matrix::Zero(2 * m.nv, np);
  Fit fit{Matrix::Zero(np, np), Vector::Zero(np)};
  sinew::Transition t;
  sinew::TransitionWorkspace workspace(m);
  for (int k = 0; k < kSteps; ++k) {
    drive(d, k);
    sinew::transition_analytic(m, d, {}, t, workspace);
    S = Eigen::Map<Matrix>(t.A.data(), t.ndx, t.ndx) * S + parameters.at(d);
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
