// The muscle model on its own, for given lengths and parameters.

#include <algorithm>

#include "args.h"
#include "bind.h"
#include "dynamics/muscle.h"

namespace sinew::python {
namespace {

/// Parameters of a muscle: range(2), force, scale, lmin, lmax, vmax, fpmax, fvmax.
struct Muscle {
  Muscle(const Numbers& lengthrange, double acc0, const Numbers& prm) : p(prm.data) {
    need_size(lengthrange, 2, "lengthrange");
    need(prm.size >= 9, fmt::format("prm has {} numbers, a muscle needs 9", prm.size));
    start = lengthrange.data[0];
    force = p[2] >= 0 ? p[2] : p[3] / std::max(kMinVal, acc0);
    optimal = (lengthrange.data[1] - lengthrange.data[0]) / std::max(kMinVal, p[1] - p[0]);
  }
  /// In units of the optimal length.
  double length(double len) const { return p[0] + (len - start) / std::max(kMinVal, optimal); }
  double velocity(double vel) const { return vel / std::max(kMinVal, optimal * p[6]); }

  const double* p;
  double start = 0, force = 0, optimal = 0;
};

/// act_dot of a muscle, computed by the engine for a minimal model with one actuator.
double rate(double ctrl, double act, const Numbers& prm) {
  need(prm.size >= 2,
       fmt::format("prm has {} numbers, the dynamics of a muscle need 2, and a third for smoothing", prm.size));
  Model m;
  m.na = m.nactuator = 1;
  m.allocate();
  std::copy_n(prm.data, std::min<py::ssize_t>(3, prm.size), m.actuator_dynprm.begin());
  m.actuator_actnum[0] = 1;
  Data d(m, Blank{});  // the model has no transmission and cannot be simulated
  d.act[0] = act;
  double act_dot = 0;
  muscle_rate(Actuator<double>{m, d, 0, &ctrl}, &act_dot);
  return act_dot;
}

}  // namespace

void bind_muscle(py::module_& module) {
  module.def(
      "mju_muscleGain",
      [](double len, double vel, const Numbers& lengthrange, double acc0, const Numbers& prm) {
        const Muscle muscle(lengthrange, acc0, prm);
        return -muscle.force * muscle_force_length(muscle.length(len), prm.data[4], prm.data[5]) *
               muscle_force_velocity(muscle.velocity(vel), prm.data[8]);
      },
      py::arg("len"), py::arg("vel"), py::arg("lengthrange"), py::arg("acc0"), py::arg("prm"),
      "Active force of a fully activated muscle.");
  module.def(
      "mju_muscleBias",
      [](double len, const Numbers& lengthrange, double acc0, const Numbers& prm) {
        const Muscle muscle(lengthrange, acc0, prm);
        return -muscle.force * prm.data[7] * muscle_passive(muscle.length(len), prm.data[5]);
      },
      py::arg("len"), py::arg("lengthrange"), py::arg("acc0"), py::arg("prm"), "Passive force of a muscle.");
  module.def("mju_muscleDynamics", &rate, py::arg("ctrl"), py::arg("act"), py::arg("prm"),
             "Time derivative of a muscle's activation; prm: two time constants and the width of the switch.");
}

}  // namespace sinew::python
