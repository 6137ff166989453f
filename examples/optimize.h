#pragma once

#include <Eigen/Dense>
#include <functional>
#include <string>
#include <vector>

#include "sinew/sinew.h"

// iLQR (Tassa, Erez, Todorov 2012): improves a sequence of controls by repeatedly solving the linear-quadratic problem
// around the current trajectory. It needs the derivative of every step.

namespace examples {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

/// Residual of a task at one instant: cost = ½ |r|², r a function of the state with dr = J dx.
struct Residual {
  Vector r;
  Matrix J;  // r.size() x ndx

  Residual(int size, int ndx) : r(Vector::Zero(size)), J(Matrix::Zero(size, ndx)) {}
};

struct Task {
  std::string name;
  std::string mjcf;
  int horizon;            // steps
  double control_weight;  // cost ½ w u² per step
  /// The residual of a state whose positions are evaluated; `last`: at the end of the horizon.
  std::function<Residual(const sinew::Model&, const sinew::Data&, bool last)> residual;
  /// Initial guess of the controls at a step.
  std::function<void(int step, Vector& u)> guess;
  /// Distance of the end of the trajectory from its target, and its tolerance.
  std::function<double(const sinew::Model&, const sinew::Data&)> miss;
  double tolerance;
  int iterations = 300;
};

class Ilqr {
 public:
  explicit Ilqr(const Task& task);

  /// Improves the controls until the relative decrease of the cost is below 1e-6, and prints each iteration. True
  /// if the end of the trajectory is within the task's tolerance.
  bool run();

 private:
  struct Point {  // one instant of the trajectory
    sinew::Data world;
    Vector u;
  };
  struct Expansion {  // the problem around it
    Matrix A, B;
    Vector cost_x;
    Matrix cost_xx;
  };
  struct Policy {
    Vector feedforward;
    Matrix feedback;
  };

  double cost(const Point& point, bool last) const;
  double trajectory_cost(const std::vector<Point>& points) const;
  Vector state_change(const sinew::Data& from, const sinew::Data& to) const;
  Vector clamped(Vector u) const;

  std::vector<Point> initial() const;
  void expand();
  /// False if the quadratic model is not positive definite; then the damping must be increased.
  bool solve_backward(double damping);
  std::vector<Point> follow(double step_size) const;
  /// A better trajectory, with the largest step and smallest damping that give one. False if there is none.
  bool improve(double& cost, double& damping, int iteration);

  const Task& task_;
  sinew::Model m_;
  sinew::TransitionWorkspace workspace_;
  int ndx_, nu_;
  std::vector<Point> points_;
  std::vector<Expansion> expansions_;
  std::vector<Policy> policy_;
};

}  // namespace examples
