// MuJoCo's support functions: Jacobians, products with M and J, poses, velocities of objects.

#include <algorithm>
#include <cmath>

#include "args.h"
#include "bind.h"
#include "call.h"
#include "dynamics/bias.h"
#include "dynamics/contact_bodies.h"
#include "dynamics/jacobian.h"
#include "model/joint_kinds.h"
#include "sinew/support.h"

namespace sinew::python {
namespace {

void need_id(int id, std::int64_t count, const char* what) {
  if (id < 0 || id >= count)
    throw py::value_error(std::string(what) + " " + std::to_string(id) + " is not in the model: there are " +
                          std::to_string(count));
}

/// res = D^1/2 L vec with the factor of M, whose rows end at the diagonal.
void mul_sqrt_m(const Model& m, const Data& d, double* res, const double* vec) {
  for (int i = 0; i < m.nv; ++i) {
    const int start = m.M_rowadr[i], diagonal = start + m.M_rownnz[i] - 1;
    double sum = vec[i];
    for (int k = start; k < diagonal; ++k) sum += d.qLD[k] * vec[m.M_colind[k]];
    res[i] = std::sqrt(d.qLD[diagonal]) * sum;
  }
}

/// A sparse matrix of nv rows to which M is added in place: rows keep their start and may grow up to the next one.
struct SparseTarget {
  Target values;
  Out<std::int32_t> rownnz, rowadr, colind;

  void check(std::int64_t nv) const {
    need_size(rownnz, nv, "rownnz", "nv");
    need_size(rowadr, nv, "rowadr", "nv");
    need_size(colind, values.size, "colind", "the size of dst");
    for (std::int64_t i = 0; i < nv; ++i) {
      const std::int64_t start = rowadr.data[i], count = rownnz.data[i];
      need(start >= 0 && count >= 0 && start + count <= values.size, "rownnz and rowadr point outside dst");
    }
  }

  void add(std::int64_t row, int column, double value) {
    std::int32_t* const first = colind.data + rowadr.data[row];
    std::int32_t* const last = first + rownnz.data[row];
    std::int32_t* const at = std::lower_bound(first, last, column);
    double* const number = values.data + (at - colind.data);
    if (at != last && *at == column) {
      *number += value;
      return;
    }
    const bool is_last_row = row + 1 == rownnz.size;
    const std::int64_t end = is_last_row ? values.size : rowadr.data[row + 1];
    need(rowadr.data[row] + rownnz.data[row] < end, "dst has no room for all entries of M");
    std::copy_backward(at, last, last + 1);
    std::copy_backward(number, number + (last - at), number + (last - at) + 1);
    *at = column;
    *number = value;
    ++rownnz.data[row];
  }
};

void add_m(PyModel& m, PyData& d, const Target& dst, const Out<std::int32_t>& rownnz, const Out<std::int32_t>& rowadr,
           const Out<std::int32_t>& colind) {
  const Look look(m, d);
  SparseTarget target{dst, rownnz, rowadr, colind};
  target.check(look.m.nv);
  for (int i = 0; i < look.m.nv; ++i) {
    const int start = look.m.M_rowadr[i];
    for (int k = start; k < start + look.m.M_rownnz[i]; ++k) target.add(i, look.m.M_colind[k], look.d.M[k]);
  }
}

/// Appends a contact to the world.
int add_contact(PyModel& m, PyData& d, const PyContact& con) {
  const Hold hold(*d.cell);
  require_fit(m, d);
  settle(*d.cell);
  const auto& contact = *reinterpret_cast<const Contact*>(con.at);
  Data& data = d.data();
  const bool dim = contact.dim == 1 || contact.dim == 3 || contact.dim == 4 || contact.dim == 6;
  if (!side_exists(data.model(), contact, 0) || !side_exists(data.model(), contact, 1) || !dim)
    throw py::value_error(
        "con must have two geoms of the model, or elements or vertices of flexes, and dim 1, 3, 4 or 6");
  const auto place = static_cast<std::size_t>(data.ncon);
  if (place == data.contact.size()) data.contact.resize(place + 1);
  data.contact[place] = contact;
  data.contact[place].efc_address = -1;
  ++data.ncon;
  return 0;
}

void need_jacobians(const Model& m, const MaybeTarget& jacp, const MaybeTarget& jacr) {
  need_shape(jacp, 3, m.nv, "jacp", "(3, nv)");
  need_shape(jacr, 3, m.nv, "jacr", "(3, nv)");
}

using Jacobian = void (*)(const Model&, const Data&, double*, double*, int);

/// A Jacobian at an object: body, center of mass of a body, geom or site.
struct NamedJacobian {
  const char* name;
  Jacobian run;
  const char* argument;
  FieldSize Model::*count;
  const char* doc;
};
constexpr NamedJacobian kJacobians[] = {
    {"mj_jacBody", jac_body, "body", &Model::nbody, "Jacobian (3, nv) of the body frame: position, rotation."},
    {"mj_jacBodyCom", jac_body_com, "body", &Model::nbody, "Jacobian (3, nv) of the body's center of mass."},
    {"mj_jacGeom", jac_geom, "geom", &Model::ngeom, "Jacobian (3, nv) of a geom."},
    {"mj_jacSite", jac_site, "site", &Model::nsite, "Jacobian (3, nv) of a site."},
};

void bind_jacobians(py::module_& module) {
  for (const NamedJacobian& j : kJacobians) {
    module.def(
        j.name,
        [j](PyModel& m, PyData& d, const MaybeTarget& jacp, const MaybeTarget& jacr, int id) {
          const Look look(m, d);
          need_jacobians(look.m, jacp, jacr);
          need_id(id, look.m.*j.count, j.argument);
          j.run(look.m, look.d, data_of(jacp), data_of(jacr), id);
        },
        py::arg("m"), py::arg("d"), py::arg("jacp").none(true), py::arg("jacr").none(true), py::arg(j.argument), j.doc);
  }
  const auto at_point = [](auto run) {
    return
        [run](PyModel& m, PyData& d, const MaybeTarget& jacp, const MaybeTarget& jacr, const Numbers& point, int body) {
          const Look look(m, d);
          need_jacobians(look.m, jacp, jacr);
          need_size(point, 3, "point");
          need_id(body, look.m.nbody, "body");
          run(look.m, look.d, data_of(jacp), data_of(jacr), point.data, body);
        };
  };
  module.def("mj_jac", at_point(jac), py::arg("m"), py::arg("d"), py::arg("jacp"), py::arg("jacr"), py::arg("point"),
             py::arg("body"), "Jacobian (3, nv) of a point that moves with a body.");
  module.def("mj_jacDot", at_point(jac_dot), py::arg("m"), py::arg("d"), py::arg("jacp"), py::arg("jacr"),
             py::arg("point"), py::arg("body"), "Time derivative of mj_jac.");
  module.def(
      "mj_jacSubtreeCom",
      [](PyModel& m, PyData& d, const MaybeTarget& jacp, int body) {
        const Look look(m, d);
        need_shape(jacp, 3, look.m.nv, "jacp", "(3, nv)");
        need_id(body, look.m.nbody, "body");
        if (jacp) jac_subtree_com(look.m, look.d, jacp->data, body);
      },
      py::arg("m"), py::arg("d"), py::arg("jacp"), py::arg("body"), "Jacobian (3, nv) of a subtree's center of mass.");
  module.def(
      "mj_jacPointAxis",
      [](PyModel& m, PyData& d, const MaybeTarget& jacPoint, const MaybeTarget& jacAxis, const Numbers& point,
         const Numbers& axis, int body) {
        const Look look(m, d);
        need_shape(jacPoint, 3, look.m.nv, "jacPoint", "(3, nv)");
        need_shape(jacAxis, 3, look.m.nv, "jacAxis", "(3, nv)");
        need_size(point, 3, "point");
        need_size(axis, 3, "axis");
        need_id(body, look.m.nbody, "body");
        std::vector<double> spare(static_cast<std::size_t>(3 * look.m.nv));
        jac_point_axis(look.m, look.d, jacPoint ? jacPoint->data : spare.data(), jacAxis ? jacAxis->data : spare.data(),
                       point.data, axis.data, body);
      },
      py::arg("m"), py::arg("d"), py::arg("jacPoint"), py::arg("jacAxis"), py::arg("point"), py::arg("axis"),
      py::arg("body"), "Jacobians (3, nv) of a point and an axis fixed to a body.");
  module.def(
      "mj_angmomMat",
      [](PyModel& m, PyData& d, const Target& mat, int body) {
        const Look look(m, d);
        need_shape(mat, 3, look.m.nv, "mat", "(3, nv)");
        need_id(body, look.m.nbody, "body");
        angmom_mat(look.m, look.d, mat.data, body);
      },
      py::arg("m"), py::arg("d"), py::arg("mat"), py::arg("body"), "Angular momentum of a subtree, per unit qvel.");
}

/// Both forms: (m, d, dst), and (m, dst, M) as in releases before 3.10.
void mj_fullM(PyModel& model, py::handle second, py::handle third) {
  const bool modern = py::isinstance<PyData>(second);
  const Model& m = sound(model);
  Target dst;
  try {
    dst = (modern ? third : second).cast<Target>();
  } catch (const py::cast_error&) {
    throw py::type_error("dst must be a writable C-contiguous array of float64");
  }
  need_shape(dst, m.nv, m.nv, "dst", "(nv, nv)");
  if (modern) {
    const Look look(model, second.cast<PyData&>());
    return full_m(look.m, look.d.M.data(), dst.data);
  }
  Numbers sparse;
  try {
    sparse = third.cast<Numbers>();
  } catch (const py::cast_error&) {
    throw py::type_error("M must be an array of numbers");
  }
  need_size(sparse, m.nC, "M", "nC");
  full_m(m, sparse.data, dst.data);
}

/// res = J vec or res = Jᵀ vec with the constraint Jacobian of the world.
void multiply_jacobian(const Data& d, double* res, const double* vec, bool transposed) {
  for (int i = 0; i < d.nefc; ++i) {
    double sum = 0;
    for (int k = d.efc_J_rowadr[i]; k < d.efc_J_rowadr[i] + d.efc_J_rownnz[i]; ++k) {
      if (transposed)
        res[d.efc_J_colind[k]] += d.efc_J[k] * vec[i];
      else
        sum += d.efc_J[k] * vec[d.efc_J_colind[k]];
    }
    if (!transposed) res[i] = sum;
  }
}

void bind_products(py::module_& module) {
  module.def(
      "mj_fullM", &mj_fullM, py::arg("m"), py::arg("d"), py::arg("dst"),
      "The inertia matrix as a dense array (nv, nv): mj_fullM(m, d, dst), or mj_fullM(m, dst, M) as before 3.10.");
  module.def(
      "mj_fullM", [](PyModel& m, py::handle dst, py::handle M) { mj_fullM(m, dst, M); }, py::arg("m"), py::arg("dst"),
      py::arg("M"));
  const auto square = [&](const char* name, auto run, const char* doc) {
    module.def(
        name,
        [run](PyModel& m, PyData& d, const Target& res, const Numbers& vec) {
          const Look look(m, d);
          need_size(res, look.m.nv, "res", "nv");
          need_size(vec, look.m.nv, "vec", "nv");
          const auto input = vec.copy();
          run(look.m, look.d, res.data, input.data());
        },
        py::arg("m"), py::arg("d"), py::arg("res"), py::arg("vec"), doc);
  };
  square("mj_mulM", mul_m, "res = M vec.");
  square("mj_mulM2", mul_sqrt_m, "res = D^1/2 L vec with M = L^T D L, so that |res|^2 = vec^T M vec.");
  const auto solve = [&](const char* name, auto run, const char* doc) {
    module.def(
        name,
        [run](PyModel& m, PyData& d, const Target& x, const Numbers& y) {
          const Look look(m, d);
          const py::ssize_t n = x.ndim() == 2 ? x.rows() : 1;
          need_size(x, n * look.m.nv, "x", "nv for each row");
          need_size(y, x.size, "y", "the size of x");
          run(look.m, look.d, x.data, y.data, static_cast<int>(n));
        },
        py::arg("m"), py::arg("d"), py::arg("x"), py::arg("y"), doc);
  };
  solve("mj_solveM", solve_m, "x = M^-1 y for one vector (nv,) or n rows (n, nv).");
  module.def(
      "mj_solveM2",
      [](PyModel& m, PyData& d, const Target& x, const Numbers& y, const MaybeNumbers& sqrtInvD) {
        const Look look(m, d);
        const py::ssize_t n = x.ndim() == 2 ? x.rows() : 1;
        need_size(x, n * look.m.nv, "x", "nv for each row");
        need_size(y, x.size, "y", "the size of x");
        need_size(sqrtInvD, look.m.nv, "sqrtInvD", "nv");
        solve_m2(look.m, look.d, x.data, y.data, static_cast<int>(n));
      },
      py::arg("m"), py::arg("d"), py::arg("x"), py::arg("y"), py::arg("sqrtInvD") = py::none(),
      "x = D^-1/2 L^-T y with M = L^T D L.");
  module.def("mj_addM", &add_m, py::arg("m"), py::arg("d"), py::arg("dst"), py::arg("rownnz"), py::arg("rowadr"),
             py::arg("colind"), "Adds the lower triangle of M to a sparse matrix; rows grow if there is room.");
  module.def("mj_addContact", &add_contact, py::arg("m"), py::arg("d"), py::arg("con"),
             "Appends a contact to the world; mj_makeConstraint makes its rows. Returns 0.");
  module.def(
      "mj_mulJacVec",
      [](PyModel& m, PyData& d, const Target& res, const Numbers& vec) {
        const Look look(m, d);
        need_size(res, look.d.nefc, "res", "nefc");
        need_size(vec, look.m.nv, "vec", "nv");
        multiply_jacobian(look.d, res.data, vec.copy().data(), false);
      },
      py::arg("m"), py::arg("d"), py::arg("res"), py::arg("vec"), "res = J vec with the constraint Jacobian.");
  module.def(
      "mj_mulJacTVec",
      [](PyModel& m, PyData& d, const Target& res, const Numbers& vec) {
        const Look look(m, d);
        need_size(res, look.m.nv, "res", "nv");
        need_size(vec, look.d.nefc, "vec", "nefc");
        const auto input = vec.copy();
        std::fill_n(res.data, res.size, 0.0);
        multiply_jacobian(look.d, res.data, input.data(), true);
      },
      py::arg("m"), py::arg("d"), py::arg("res"), py::arg("vec"), "res = J^T vec with the constraint Jacobian.");
  module.def(
      "mj_rne",
      [](PyModel& m, PyData& d, int flg_acc, const Target& result) {
        Look look(m, d);
        need_size(result, look.m.nv, "result", "nv");
        rne(look.m, look.d, flg_acc ? look.d.qacc.data() : nullptr, result.data);
      },
      py::arg("m"), py::arg("d"), py::arg("flg_acc"), py::arg("result"), "Newton-Euler: M qacc + bias, or bias alone.");
}

using ObjectMotion = void (*)(const Model&, const Data&, ObjType, int, double*, bool);

void bind_objects(py::module_& module) {
  const auto motion = [&](const char* name, ObjectMotion run, const char* doc) {
    module.def(
        name,
        [run](PyModel& m, PyData& d, int objtype, int objid, const Target& res, int flg_local) {
          const Look look(m, d);
          need_size(res, 6, "res");
          const auto type = static_cast<ObjType>(objtype);
          const bool spatial = type == ObjType::Body || type == ObjType::XBody || type == ObjType::Geom ||
                               type == ObjType::Site || type == ObjType::Camera;
          if (!spatial) throw py::value_error("objtype must be a body, xbody, geom, site or camera");
          need_id(objid, look.m.count(type == ObjType::XBody ? ObjType::Body : type), "objid");
          run(look.m, look.d, type, objid, res.data, flg_local != 0);
        },
        py::arg("m"), py::arg("d"), py::arg("objtype"), py::arg("objid"), py::arg("res"), py::arg("flg_local"), doc);
  };
  motion("mj_objectVelocity", object_velocity,
         "(6,) velocity of an object (rotation, translation), in the world or local frame.");
  motion("mj_objectAcceleration", object_acceleration, "(6,) acceleration of an object; needs mj_rnePostConstraint.");
  module.def(
      "mj_applyFT",
      [](PyModel& m, PyData& d, const MaybeNumbers& force, const MaybeNumbers& torque, const Numbers& point, int body,
         const Target& qfrc_target) {
        const Look look(m, d);
        need_size(force, 3, "force");
        need_size(torque, 3, "torque");
        need_size(point, 3, "point");
        need_size(qfrc_target, look.m.nv, "qfrc_target", "nv");
        need_id(body, look.m.nbody, "body");
        apply_ft(look.m, look.d, data_of(force), data_of(torque), point.data, body, qfrc_target.data);
      },
      py::arg("m"), py::arg("d"), py::arg("force"), py::arg("torque"), py::arg("point"), py::arg("body"),
      py::arg("qfrc_target"), "Adds the joint-space force of a force and torque applied at a point of a body.");
  module.def(
      "mj_local2Global",
      [](PyData& d, const MaybeTarget& xpos, const MaybeTarget& xmat, const MaybeNumbers& pos, const MaybeNumbers& quat,
         int body, int) {
        const Hold hold(*d.cell);
        need_size(xpos, 3, "xpos");
        need_size(xmat, 9, "xmat");
        need_size(pos, 3, "pos");
        need_size(quat, 4, "quat");
        need(xpos.has_value() == pos.has_value() && xmat.has_value() == quat.has_value(),
             "xpos requires pos, xmat requires quat");
        need_id(body, d.data().model().nbody, "body");
        local_to_global(d.data(), data_of(xpos), data_of(xmat), data_of(pos), data_of(quat), body);
      },
      py::arg("d"), py::arg("xpos"), py::arg("xmat"), py::arg("pos"), py::arg("quat"), py::arg("body"),
      py::arg("sameframe") = 0, "World pose of a pose in the frame of a body.");
}

void bind_positions(py::module_& module) {
  module.def(
      "mj_differentiatePos",
      [](PyModel& m, const Target& qvel, double dt, const Numbers& qpos1, const Numbers& qpos2) {
        const Model& model = sound(m);
        need_size(qvel, model.nv, "qvel", "nv");
        need_size(qpos1, model.nq, "qpos1", "nq");
        need_size(qpos2, model.nq, "qpos2", "nq");
        differentiate_pos(model, qvel.data, dt, qpos1.copy().data(), qpos2.copy().data());
      },
      py::arg("m"), py::arg("qvel"), py::arg("dt"), py::arg("qpos1"), py::arg("qpos2"),
      "qvel that moves qpos1 to qpos2 in a time dt.");
  module.def(
      "mj_integratePos",
      [](PyModel& m, const Target& qpos, const Numbers& qvel, double dt) {
        const Model& model = sound(m);
        need_size(qpos, model.nq, "qpos", "nq");
        need_size(qvel, model.nv, "qvel", "nv");
        integrate_pos(model, qpos.data, qvel.copy().data(), dt);
      },
      py::arg("m"), py::arg("qpos"), py::arg("qvel"), py::arg("dt"),
      "Integrates qpos, in place, with qvel for a time dt.");
  module.def(
      "mj_normalizeQuat",
      [](PyModel& m, const Target& qpos) {
        const Model& model = sound(m);
        need_size(qpos, model.nq, "qpos", "nq");
        for (int j = 0; j < model.njnt; ++j) {
          const int adr = quaternion_address(model, j);
          if (adr >= 0) normalized(Quat<double>::load(qpos.data + adr)).store(qpos.data + adr);
        }
      },
      py::arg("m"), py::arg("qpos"), "Normalizes the quaternions in qpos.");
}

}  // namespace

void bind_support(py::module_& module) {
  bind_jacobians(module);
  bind_products(module);
  bind_objects(module);
  bind_positions(module);
}

}  // namespace sinew::python
