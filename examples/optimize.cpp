#include "optimize.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace examples {

using sinew::Data;

constexpr double kMaxDamping = 1e6;

Ilqr::Ilqr(const Task& task)
    : task_(task),
      m_(sinew::load_string(task.mjcf).value_or_throw()),
      workspace_(m_),
      ndx_(static_cast<int>(2 * m_.nv + m_.na)),
      nu_(static_cast<int>(m_.nu)) {}

double Ilqr::cost(const Point& point, bool last) const {
  const Residual residual = task_.residual(m_, point.world, last);
  return 0.5 * residual.r.squaredNorm() + (last ? 0 : 0.5 * task_.control_weight * point.u.squaredNorm());
}

double Ilqr::trajectory_cost(const std::vector<Point>& points) const {
  double sum = 0;
  for (const Point& point : points) sum += cost(point, &point == &points.back());
  return sum;
}

Vector Ilqr::state_change(const Data& from, const Data& to) const {
  Vector dx(ndx_);
  sinew::differentiate_pos(m_, dx.data(), 1, from.qpos.data(), to.qpos.data());
  for (int i = 0; i < m_.nv; ++i) dx[m_.nv + i] = to.qvel[i] - from.qvel[i];
  for (int i = 0; i < m_.na; ++i) dx[2 * m_.nv + i] = to.act[i] - from.act[i];
  return dx;
}

Vector Ilqr::clamped(Vector u) const {
  for (int i = 0; i < nu_; ++i)
    if (m_.actuator_ctrllimited[i])
      u[i] = std::clamp(u[i], m_.actuator_ctrlrange[2 * i], m_.actuator_ctrlrange[2 * i + 1]);
  return u;
}

std::vector<Ilqr::Point> Ilqr::initial() const {
  Data d(m_);
  sinew::reset(m_, d);
  std::vector<Point> points;
  Vector u = Vector::Zero(nu_);
  for (int t = 0; t <= task_.horizon; ++t) {
    sinew::forward(m_, d);
    task_.guess(t, u);
    std::copy_n(u.data(), nu_, d.ctrl.begin());
    points.push_back({d, u});
    sinew::step(m_, d);
  }
  return points;
}

void Ilqr::expand() {
  expansions_.resize(points_.size());
  sinew::Transition t;
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const bool last = k + 1 == points_.size();
    Expansion& e = expansions_[k];
    const Residual residual = task_.residual(m_, points_[k].world, last);
    e.cost_x = residual.J.transpose() * residual.r;
    e.cost_xx = residual.J.transpose() * residual.J;  // Gauss-Newton: neglects the curvature of the residual
    if (last) break;
    sinew::transition_analytic(m_, points_[k].world, {}, t, workspace_);
    e.A = Eigen::Map<Matrix>(t.A.data(), ndx_, ndx_);
    e.B = Eigen::Map<Matrix>(t.B.data(), ndx_, nu_);
  }
}

bool Ilqr::solve_backward(double damping) {
  // backward recursion of the value function ½ dxᵀ V dx + vᵀ dx
  Matrix V = expansions_.back().cost_xx;
  Vector v = expansions_.back().cost_x;
  const int steps = task_.horizon;
  policy_.assign(static_cast<std::size_t>(steps), {});
  for (int t = steps - 1; t >= 0; --t) {
    const Expansion& e = expansions_[static_cast<std::size_t>(t)];
    const Vector& u = points_[static_cast<std::size_t>(t)].u;
    const Vector Qx = e.cost_x + e.A.transpose() * v;
    const Vector Qu = task_.control_weight * u + e.B.transpose() * v;
    const Matrix Qxx = e.cost_xx + e.A.transpose() * V * e.A;
    const Matrix Qux = e.B.transpose() * V * e.A;
    Matrix Quu = e.B.transpose() * V * e.B;
    Quu.diagonal().array() += task_.control_weight;
    const Eigen::LLT<Eigen::MatrixXd> factor(Quu + damping * Matrix::Identity(nu_, nu_));
    if (factor.info() != Eigen::Success) return false;

    Policy& p = policy_[static_cast<std::size_t>(t)];
    p.feedforward = -factor.solve(Qu);
    p.feedback = -factor.solve(Qux);
    v = Qx + p.feedback.transpose() * (Quu * p.feedforward + Qu) + Qux.transpose() * p.feedforward;
    V = Qxx + p.feedback.transpose() * Quu * p.feedback + p.feedback.transpose() * Qux + Qux.transpose() * p.feedback;
    V = 0.5 * (V + Matrix(V.transpose()));
  }
  return true;
}

std::vector<Ilqr::Point> Ilqr::follow(double step_size) const {
  Data d = points_.front().world;
  std::vector<Point> points;
  for (int t = 0; t <= task_.horizon; ++t) {
    const Point& old = points_[static_cast<std::size_t>(t)];
    Vector u = old.u;
    if (t < task_.horizon) {
      const Policy& p = policy_[static_cast<std::size_t>(t)];
      u = clamped(u + step_size * p.feedforward + p.feedback * state_change(old.world, d));
    }
    std::copy_n(u.data(), nu_, d.ctrl.begin());
    sinew::forward(m_, d);
    points.push_back({d, u});
    sinew::step(m_, d);
  }
  return points;
}

bool Ilqr::improve(double& now, double& damping, int iteration) {
  while (damping < kMaxDamping) {
    const bool convex = solve_backward(damping);
    for (double size = 1; convex && size > 1e-3; size *= 0.5) {
      std::vector<Point> next = follow(size);
      const double then = trajectory_cost(next);
      if (!(then < now)) continue;
      points_ = std::move(next);
      std::printf("  %9d  %12.6g  %8.1e  %9.4g  %9.1e  %8.2e\n", iteration, then, now - then, size, damping,
                  task_.miss(m_, points_.back().world));
      now = then;
      damping = std::max(damping / 5, 1e-9);
      return true;
    }
    damping *= 10;
  }
  return false;
}

bool Ilqr::run() {
  std::printf("%s: %d dofs, %d controls, %d steps of %g s\n", task_.name.c_str(), static_cast<int>(m_.nv), nu_,
              task_.horizon, m_.opt.timestep);
  std::printf("  iteration          cost    gained  step size    damping      miss\n");
  points_ = initial();
  double now = trajectory_cost(points_), before = 2 * now, damping = 1e-6;
  for (int i = 1; i <= task_.iterations && before - now > 1e-6 * now; ++i) {
    before = now;
    expand();
    if (!improve(now, damping, i)) break;
  }
  const double miss = task_.miss(m_, points_.back().world);
  const bool arrived = miss < task_.tolerance;
  std::printf("  %s: cost %.6g, miss %.2e (at most %.2e)\n\n", arrived ? "target reached" : "target not reached", now,
              miss, task_.tolerance);
  return arrived;
}

}  // namespace examples
