#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <string>

#include "sinew/sinew.h"

// Derivatives and control: the exact A and B of a step at the upright equilibrium of a cart with a pole give the
// optimal linear feedback u = -K x (discrete Riccati equation), which catches the pole at 20 degrees.
//
//   example_balance FOLDER      writes FOLDER/balance.svg

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// P = Q + Aᵀ P (A - B K),  K = (R + Bᵀ P B)⁻¹ Bᵀ P A, iterated to its fixed point.
Matrix optimal_gain(const Matrix& A, const Matrix& B, const Matrix& Q, const Matrix& R) {
  Matrix P = Q, K;
  for (int i = 0; i < 20000; ++i) {
    K = (R + B.transpose() * P * B).ldlt().solve(B.transpose() * P * A);
    const Matrix next = Q + A.transpose() * P * (A - B * K);
    const bool settled = (next - P).cwiseAbs().maxCoeff() < 1e-10 * P.cwiseAbs().maxCoeff();
    P = next;
    if (settled) break;
  }
  return K;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const sinew::Model model = sinew::load_string(R"(<mujoco><option timestep="0.005"/>
    <worldbody><body><joint name="cart" type="slide" axis="1 0 0"/><geom type="box" size="0.2 0.1 0.05" mass="1"/>
      <body name="pole"><joint name="pole" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 1" size="0.02" mass="0.2" contype="0"/></body></body></worldbody>
    <actuator><motor joint="cart" ctrlrange="-20 20"/></actuator></mujoco>)")
                                 .value_or_throw();
  sinew::Data data(model);
  sinew::reset(model, data);
  sinew::forward(model, data);
  sinew::Transition t;
  sinew::SwitchReport report;
  sinew::transition(model, data, {}, t, report);
  const Matrix A = Eigen::Map<const Matrix>(t.A.data(), t.ndx, t.ndx),
               B = Eigen::Map<const Matrix>(t.B.data(), t.ndx, t.nu);
  Eigen::Vector4d weights(1, 1, 0.1, 0.1);  // cart, pole, and their velocities
  const Matrix K = optimal_gain(A, B, Matrix(weights.asDiagonal()), Matrix::Constant(1, 1, 0.01));
  const double stability = Matrix(A - B * K).eigenvalues().cwiseAbs().maxCoeff();

  sinew::Recorder recorder =
      sinew::Recorder::open(model, folder + "/balance.svg", {.signals = {"qpos", "ctrl"}, .title = "a pole is caught"})
          .value_or_throw();
  data.qpos[1] = 20 * M_PI / 180;
  while (data.time < 6) {
    const Eigen::Vector4d x(data.qpos[0], data.qpos[1], data.qvel[0], data.qvel[1]);
    data.ctrl[0] = -(K * x)(0);
    sinew::begin_step(model, data);
    recorder.sample(data);
    sinew::finish_step(model, data);
  }
  recorder.close().value_or_throw();
  std::printf("largest eigenvalue without control %.4f, with %.4f\n", A.eigenvalues().cwiseAbs().maxCoeff(), stability);
  std::printf("after 6 s: cart at %.1e m, pole at %.1e rad\n", data.qpos[0], data.qpos[1]);
}
