#include <algorithm>

#include "derivative/perturb.h"
#include "dynamics/actuation.h"
#include "sim/ready.h"
#include "sinew/derivatives.h"
#include "sinew/error.h"
#include "sinew/step.h"

// One-sided differences of inverse dynamics, in the order acceleration, velocity, position: each level keeps its
// unperturbed results until a perturbation changes it.

namespace sinew {
namespace {

struct Outcome {
  std::vector<double> force, sensordata, M;
};

class InverseDifferences {
 public:
  InverseDifferences(const Model& m, const Data& d, const InverseOptions& options)
      : m_(m), start_(d), options_(options), world_(d), center_(evaluate(Stage::None)) {}

  void by_acceleration(InverseDerivative& out) {
    for (int i = 0; i < m_.nv; ++i) {
      world_.qacc[i] += options_.eps;
      store(i, evaluate(Stage::Vel), out.DfDa, out.DsDa, nullptr);
      world_.qacc[i] = start_.qacc[i];
    }
  }
  void by_velocity(InverseDerivative& out) {
    for (int i = 0; i < m_.nv; ++i) {
      world_.qvel[i] += options_.eps;
      store(i, evaluate(Stage::Pos), out.DfDv, out.DsDv, nullptr);
      world_.qvel[i] = start_.qvel[i];
    }
  }
  void by_position(InverseDerivative& out) {
    for (int i = 0; i < m_.nv; ++i) {
      perturb_position(m_, world_, i, options_.eps);
      store(i, evaluate(Stage::None), out.DfDq, out.DsDq, options_.inertia ? &out.DmDq : nullptr);
      std::ranges::copy(start_.qpos, world_.qpos.begin());
    }
  }

 private:
  Outcome evaluate(Stage skip) {
    inverse_skip(m_, world_, skip, !options_.sensors);
    if (options_.actuation) actuation(m_, world_);
    Outcome f;
    f.force.assign(world_.qfrc_inverse.begin(), world_.qfrc_inverse.end());
    if (options_.actuation)
      for (std::size_t i = 0; i < f.force.size(); ++i) f.force[i] -= world_.qfrc_actuator[i];
    if (options_.sensors) f.sensordata.assign(world_.sensordata.begin(), world_.sensordata.end());
    if (options_.inertia) f.M.assign(world_.M.begin(), world_.M.end());
    return f;
  }

  void store(int row, const Outcome& f, std::vector<double>& force, std::vector<double>& sensed,
             std::vector<double>* inertia) const {
    const auto difference = [&](const std::vector<double>& to, const std::vector<double>& from,
                                std::vector<double>& matrix) {
      double* at = matrix.data() + static_cast<std::size_t>(row) * from.size();
      for (std::size_t i = 0; i < from.size(); ++i) at[i] = (to[i] - from[i]) / options_.eps;
    };
    difference(f.force, center_.force, force);
    if (options_.sensors) difference(f.sensordata, center_.sensordata, sensed);
    if (inertia) difference(f.M, center_.M, *inertia);
  }

  const Model& m_;
  const Data& start_;
  const InverseOptions& options_;
  Data world_;
  Outcome center_;
};

}  // namespace

void inverse_fd(const Model& m, const Data& d, const InverseOptions& options, InverseDerivative& out) {
  require_ready(m, d);
  if (m.opt.integrator == static_cast<int>(Integrator::RK4) && m.opt.enabled(kEnableInvdiscrete))
    throw Exception(Error::message("inverse_fd: RK4 has no inverse in discrete time (flag invdiscrete)"));
  const auto nv = static_cast<std::size_t>(m.nv);
  const std::size_t ns = options.sensors ? static_cast<std::size_t>(m.nsensordata) : 0;
  for (auto* matrix : {&out.DfDq, &out.DfDv, &out.DfDa}) matrix->assign(nv * nv, 0.0);
  for (auto* matrix : {&out.DsDq, &out.DsDv, &out.DsDa}) matrix->assign(nv * ns, 0.0);
  out.DmDq.assign(options.inertia ? nv * static_cast<std::size_t>(m.nC) : 0, 0.0);

  InverseDifferences differences(m, d, options);
  differences.by_acceleration(out);
  differences.by_velocity(out);
  differences.by_position(out);
}

}  // namespace sinew
