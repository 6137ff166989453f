#include "sinew/support.h"

#include <algorithm>

#include "dynamics/inertia.h"
#include "dynamics/jacobian.h"
#include "dynamics/joint_table.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;
using Matrix = Mat3<double>;

/// Bodies of a subtree are contiguous, the root first.
int subtree_end(const Model& m, int body) {
  int end = body + 1;
  while (end < m.nbody && m.body_parentid[end] >= body) ++end;
  return end;
}

/// Adds v to a column of a dense 3 x nv matrix.
void add_column(const Model& m, double* matrix, int column, const Vector& v) {
  for (int k = 0; k < 3; ++k) matrix[k * m.nv + column] += v[k];
}

}  // namespace

void jac(const Model& m, const Data& d, double* jacp, double* jacr, const double point[3], int body) {
  jacobian(m, d, jacp, jacr, Vector::load(point), body);
}

void jac_body(const Model& m, const Data& d, double* jacp, double* jacr, int body) {
  jac(m, d, jacp, jacr, &d.xpos[3 * body], body);
}

void jac_body_com(const Model& m, const Data& d, double* jacp, double* jacr, int body) {
  jac(m, d, jacp, jacr, &d.xipos[3 * body], body);
}

void jac_geom(const Model& m, const Data& d, double* jacp, double* jacr, int geom) {
  jac(m, d, jacp, jacr, &d.geom_xpos[3 * geom], m.geom_bodyid[geom]);
}

void jac_site(const Model& m, const Data& d, double* jacp, double* jacr, int site) {
  jac(m, d, jacp, jacr, &d.site_xpos[3 * site], m.site_bodyid[site]);
}

void jac_subtree_com(const Model& m, const Data& d, double* jacp, int body) {
  std::fill_n(jacp, 3 * m.nv, 0.0);
  const double mass = std::max(kMinVal, m.body_subtreemass[body]);
  for (int b = body, end = subtree_end(m, body); b < end; ++b) {
    const Vector offset = from_reference(m, d, Vector::load(&d.xipos[3 * b]), b);
    for (int i = last_dof(m, b); i >= 0; i = m.dof_parentid[i])
      add_column(m, jacp, i, jacp_column(d, i, offset) * (m.body_mass[b] / mass));
  }
}

void jac_point_axis(const Model& m, const Data& d, double* jac_point, double* jac_axis, const double point[3],
                    const double axis[3], int body) {
  if (jac_point) jacobian(m, d, jac_point, static_cast<double*>(nullptr), Vector::load(point), body);
  if (!jac_axis) return;
  std::fill_n(jac_axis, 3 * m.nv, 0.0);
  for (int i = last_dof(m, body); i >= 0; i = m.dof_parentid[i])
    add_column(m, jac_axis, i, cross(jacr_column(d, i), Vector::load(axis)));
}

void jac_dot(const Model& m, const Data& d, double* jacp, double* jacr, const double point[3], int body) {
  jacobian_dot(m, d, jacp, jacr, Vector::load(point), body);
}

void angmom_mat(const Model& m, const Data& d, double* mat, int body) {
  std::fill_n(mat, 3 * m.nv, 0.0);
  const Vector center = Vector::load(&d.subtree_com[3 * body]);
  for (int b = body, end = subtree_end(m, body); b < end; ++b) {
    const Vector xipos = Vector::load(&d.xipos[3 * b]), inertia = Vector::load(&m.body_inertia[3 * b]);
    const Vector offset = from_reference(m, d, xipos, b);
    const Matrix ximat = Matrix::load(&d.ximat[9 * b]);
    for (int i = last_dof(m, b); i >= 0; i = m.dof_parentid[i]) {
      const Vector w = mul_transposed(ximat, jacr_column(d, i));
      const Vector spin = ximat * Vector(inertia.x * w.x, inertia.y * w.y, inertia.z * w.z);
      add_column(m, mat, i, spin + cross(xipos - center, jacp_column(d, i, offset)) * m.body_mass[b]);
    }
  }
}

void apply_ft(const Model& m, const Data& d, const double* force, const double* torque, const double point[3], int body,
              double* qfrc) {
  const auto load = [](const double* v) { return v ? Vector::load(v) : Vector(); };
  apply_force(m, d, load(force), load(torque), Vector::load(point), body, qfrc);
}

void object_velocity(const Model& m, const Data& d, ObjType type, int id, double result[6], bool local) {
  object_velocity(m, d, frame_pose(m, d, type, id), local).store(result);
}

void object_acceleration(const Model& m, const Data& d, ObjType type, int id, double result[6], bool local) {
  object_acceleration(m, d, frame_pose(m, d, type, id), local).store(result);
}

void full_m(const Model& m, const double* sparse, double* full) {
  std::fill_n(full, m.nv * m.nv, 0.0);
  for (int i = 0; i < m.nv; ++i)
    for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k)
      full[i * m.nv + m.M_colind[k]] = full[m.M_colind[k] * m.nv + i] = sparse[k];
}

void mul_m(const Model& m, const Data& d, double* result, const double* vec) {
  mul_tree_sparse(m, d.M.data(), vec, result);
}

void solve_m(const Model& m, const Data& d, double* x, const double* y, int n) {
  if (x != y) std::copy_n(y, n * m.nv, x);
  solve_inertia(m, d, x, n);
}

void solve_m2(const Model& m, const Data& d, double* x, const double* y, int n) {
  if (x != y) std::copy_n(y, n * m.nv, x);
  half_solve_tree_sparse(m, d.qLD.data(), d.qLDiagInv.data(), x, n);
}

void local_to_global(const Data& d, double* xpos, double* xmat, const double* pos, const double* quat, int body) {
  if (xpos && pos) (Matrix::load(&d.xmat[9 * body]) * Vector::load(pos) + Vector::load(&d.xpos[3 * body])).store(xpos);
  if (xmat && quat) to_matrix(Quat<double>::load(&d.xquat[4 * body]) * Quat<double>::load(quat)).store(xmat);
}

void differentiate_pos(const Model& m, double* qvel, double h, const double* qpos1, const double* qpos2) {
  difference_position(m, qvel, h, qpos1, qpos2);
}

void integrate_pos(const Model& m, double* qpos, const double* qvel, double h) { integrate_position(m, qpos, qvel, h); }

}  // namespace sinew
