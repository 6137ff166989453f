// Derivatives: finite differences of a step and of inverse dynamics, derivatives of quaternion operations.

#include "args.h"
#include "bind.h"
#include "call.h"
#include "sinew/derivatives.h"

namespace sinew::python {
namespace {

void store(const MaybeTarget& target, std::span<const double> values) {
  if (target) std::ranges::copy(values, target->data);
}

void mjd_transitionFD(PyModel& m, PyData& d, double eps, bool flg_centered, const MaybeTarget& A, const MaybeTarget& B,
                      const MaybeTarget& C, const MaybeTarget& D) {
  Call call(m, d);
  const std::int64_t ndx = 2 * call.m.nv + call.m.na, nu = call.m.nu, ns = call.m.nsensordata;
  need_shape(A, ndx, ndx, "A", "(2*nv+na, 2*nv+na)");
  need_shape(B, ndx, nu, "B", "(2*nv+na, nu)");
  need_shape(C, ns, ndx, "C", "(nsensordata, 2*nv+na)");
  need_shape(D, ns, nu, "D", "(nsensordata, nu)");
  Transition out;
  const TransitionOptions options{.eps = eps, .centered = flg_centered, .sensors = C || D, .compatible = true};
  call([&](const Model& model, Data& data) { transition_fd(model, data, options, out); });
  store(A, out.A);
  store(B, out.B);
  store(C, out.C);
  store(D, out.D);
}

void mjd_inverseFD(PyModel& m, PyData& d, double eps, bool flg_actuation, const MaybeTarget& DfDq,
                   const MaybeTarget& DfDv, const MaybeTarget& DfDa, const MaybeTarget& DsDq, const MaybeTarget& DsDv,
                   const MaybeTarget& DsDa, const MaybeTarget& DmDq) {
  Call call(m, d);
  const std::int64_t nv = call.m.nv, ns = call.m.nsensordata;
  need_shape(DfDq, nv, nv, "DfDq", "(nv, nv)");
  need_shape(DfDv, nv, nv, "DfDv", "(nv, nv)");
  need_shape(DfDa, nv, nv, "DfDa", "(nv, nv)");
  need_shape(DsDq, nv, ns, "DsDq", "(nv, nsensordata)");
  need_shape(DsDv, nv, ns, "DsDv", "(nv, nsensordata)");
  need_shape(DsDa, nv, ns, "DsDa", "(nv, nsensordata)");
  need_shape(DmDq, nv, call.m.nC, "DmDq", "(nv, nC)");
  InverseDerivative out;
  const InverseOptions options{
      .eps = eps, .actuation = flg_actuation, .sensors = DsDq || DsDv || DsDa, .inertia = DmDq.has_value()};
  call([&](const Model& model, Data& data) { inverse_fd(model, data, options, out); });
  store(DfDq, out.DfDq);
  store(DfDv, out.DfDv);
  store(DfDa, out.DfDa);
  store(DsDq, out.DsDq);
  store(DsDv, out.DsDv);
  store(DsDa, out.DsDa);
  store(DmDq, out.DmDq);
}

void mjd_subQuat(const Numbers& qa, const Numbers& qb, const MaybeTarget& Da, const MaybeTarget& Db) {
  need_size(qa, 4, "qa");
  need_size(qb, 4, "qb");
  need_size(Da, 9, "Da");
  need_size(Db, 9, "Db");
  const SubQuatDerivative out =
      d_sub_quat(std::span<const double, 4>(qa.data, 4), std::span<const double, 4>(qb.data, 4));
  store(Da, out.by_a);
  store(Db, out.by_b);
}

void mjd_quatIntegrate(const Numbers& vel, double scale, const MaybeTarget& Dquat, const MaybeTarget& Dvel,
                       const MaybeTarget& Dscale) {
  need_size(vel, 3, "vel");
  need_size(Dquat, 9, "Dquat");
  need_size(Dvel, 9, "Dvel");
  need_size(Dscale, 3, "Dscale");
  const QuatIntegrateDerivative out = d_quat_integrate(std::span<const double, 3>(vel.data, 3), scale);
  store(Dquat, out.by_quat);
  store(Dvel, out.by_vel);
  store(Dscale, out.by_scale);
}

}  // namespace

void bind_derivatives(py::module_& module) {
  const auto maybe = [](const char* name) { return py::arg(name) = py::none(); };
  module.def("mjd_transitionFD", &mjd_transitionFD, py::arg("m"), py::arg("d"), py::arg("eps"), py::arg("flg_centered"),
             maybe("A"), maybe("B"), maybe("C"), maybe("D"),
             "Finite differences of a step: dx_next = A dx + B dctrl, dsensordata = C dx + D dctrl.");
  module.def("mjd_inverseFD", &mjd_inverseFD, py::arg("m"), py::arg("d"), py::arg("eps"), py::arg("flg_actuation"),
             maybe("DfDq"), maybe("DfDv"), maybe("DfDa"), maybe("DsDq"), maybe("DsDv"), maybe("DsDa"), maybe("DmDq"),
             "Finite differences of inverse dynamics; row i is the derivative w.r.t. component i of the argument.");
  module.def("mjd_subQuat", &mjd_subQuat, py::arg("qa"), py::arg("qb"), maybe("Da"), maybe("Db"),
             "Derivatives (3, 3) of mju_subQuat w.r.t. its arguments.");
  module.def("mjd_quatIntegrate", &mjd_quatIntegrate, py::arg("vel"), py::arg("scale"), maybe("Dquat"), maybe("Dvel"),
             maybe("Dscale"), "Derivatives of mju_quatIntegrate w.r.t. quaternion, scaled velocity and scale.");
}

}  // namespace sinew::python
