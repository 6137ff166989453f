#include "compile/constants.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "compile/articulated_weights.h"
#include "compile/statistics.h"
#include "dynamics/camera_light.h"
#include "dynamics/com.h"
#include "dynamics/flex.h"
#include "dynamics/inertia.h"
#include "dynamics/jacobian.h"
#include "dynamics/joint_table.h"
#include "dynamics/kinematics.h"
#include "dynamics/reflected.h"
#include "dynamics/tendon.h"
#include "dynamics/transmission.h"
#include "model/model_check.h"

namespace sinew {
namespace {

using Point = Vec3<double>;
using Turn = Quat<double>;

void set_subtree_masses(Model& m) {
  m.body_subtreemass = m.body_mass;
  for (int b = static_cast<int>(m.nbody) - 1; b > 0; --b)
    m.body_subtreemass[m.body_parentid[b]] += m.body_subtreemass[b];
}

/// The pose after a reset, with the given qpos: mocap bodies are at their pose in the model.
void set_pose(const Model& m, Data& d, const std::vector<double>& qpos) {
  std::copy(qpos.begin(), qpos.end(), d.qpos.begin());
  for (int b = 1; b < m.nbody; ++b) {
    const int mocap = m.body_mocapid[b];
    if (mocap < 0) continue;
    std::copy_n(&m.body_pos[3 * b], 3, &d.mocap_pos[3 * mocap]);
    std::copy_n(&m.body_quat[4 * b], 4, &d.mocap_quat[4 * mocap]);
  }
  kinematics(m, d);
  com_position(m, d);
  flex_positions(m, d);
  tendon_paths(m, d);
}

void set_dof_inertias(Model& m, Data& d) {
  subtree_inertia(m, d);
  for (int i = 0; i < m.nv; ++i) m.dof_M0[i] = dof_inertia(m, d, i);
}

/// j M⁻¹ jᵀ for a row j that is zero except at dof `last` and the dofs above it, where it is column(dof).
/// |D^-½ L⁻ᵀ jᵀ|², and L⁻ᵀ stays within the chain.
template <class Column>
double inverse_inertia(const Model& m, const Data& d, std::vector<double>& x, int last, Column&& column) {
  for (int i = last; i >= 0; i = m.dof_parentid[i]) x[i] = column(i);
  double sum = 0;
  for (int i = last; i >= 0; i = m.dof_parentid[i]) {
    for (int k = m.M_rowadr[i], n = m.M_rownnz[i] - 1; n > 0; --n, ++k) x[m.M_colind[k]] -= d.qLD[k] * x[i];
    sum += x[i] * x[i] * d.qLDiagInv[i];
  }
  return sum;
}

/// Above this many products (about a second), computing the rows of M⁻¹ one by one is too slow.
constexpr double kMostProducts = 2e8;

/// Deep trees, whose weights come from the articulated-body recursion. Their last digits differ from those of the
/// factored M, which all other models use.
bool is_deep(const Model& m) {
  for (int t = 0; t < m.ntendon; ++t)
    if (total_tendon_armature(m, t) != 0) return false;
  double products = 0;
  for (int b = 0; b < m.nbody; ++b) {
    const int last = last_dof(m, b);
    if (last >= 0) products += 3.0 * m.M_rownnz[last] * m.M_rownnz[last];
  }
  for (int i = 0; i < m.nv; ++i) products += 0.5 * m.M_rownnz[i] * m.M_rownnz[i];
  return products > kMostProducts;
}

/// Mean inverse inertia of a body's center of mass, and of its rotation. A body with only slide joints is a point mass.
void set_body_weights(Model& m, const Data& d, const ArticulatedWeights* articulated, Budget* budget) {
  std::vector<double> x(static_cast<std::size_t>(m.nv));
  for (int b = 0; b < m.nbody; ++b) {
    if (budget) budget->go_on();
    double* weight = &m.body_invweight0[2 * b];
    weight[0] = weight[1] = 0;
    const int last = last_dof(m, b);
    if (last < 0) continue;
    if (m.body_simple[b] == 2) {
      weight[0] = 1 / std::max(kMinVal, m.body_mass[b]);
      continue;
    }
    const Point offset = from_reference(m, d, Point::load(&d.xipos[3 * b]), b);
    for (int k = 0; k < 3 && articulated; ++k) {
      const Point axis = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
      weight[0] += articulated->of_body(b, {cross(offset, axis), axis}) / 3;
      weight[1] += articulated->of_body(b, {axis, {}}) / 3;
    }
    for (int k = 0; k < 3 && !articulated; ++k) {
      weight[0] += inverse_inertia(m, d, x, last, [&](int i) { return jacp_column(d, i, offset)[k]; }) / 3;
      weight[1] += inverse_inertia(m, d, x, last, [&](int i) { return jacr_column(d, i)[k]; }) / 3;
    }
  }
}

/// Diagonal of M⁻¹, averaged over the translations and over the rotations of a joint.
void set_dof_weights(Model& m, const Data& d, const ArticulatedWeights* articulated, Budget* budget) {
  std::vector<double> x(static_cast<std::size_t>(m.nv));
  for (int j = 0; j < m.njnt; ++j) {
    if (budget) budget->go_on();
    const int first = m.jnt_dofadr[j], count = joint_kind(m, j).nv, body = m.jnt_bodyid[j];
    const int group = std::min(count, 3);
    for (int start = first; start < first + count; start += group) {
      double sum = 0;
      for (int i = start; i < start + group; ++i)
        sum += articulated ? articulated->of_dof(i)
                           : inverse_inertia(m, d, x, i, [&](int k) { return k == i ? 1.0 : 0.0; });
      const double weight = m.body_simple[body] == 2 ? 1 / std::max(kMinVal, m.body_mass[body]) : sum / group;
      std::fill_n(&m.dof_invweight0[start], group, weight);
    }
  }
}

void set_tendon_weights(Model& m, const Data& d) {
  std::vector<double> x(static_cast<std::size_t>(m.nv));
  for (int t = 0; t < m.ntendon; ++t) {
    std::fill(x.begin(), x.end(), 0.0);
    const int adr = m.ten_J_rowadr[t], end = adr + m.ten_J_rownnz[t];
    for (int k = adr; k < end; ++k) x[m.ten_J_colind[k]] = d.ten_J[k];
    solve_inertia(m, d, x.data());
    m.tendon_invweight0[t] = 0;
    for (int k = adr; k < end; ++k) m.tendon_invweight0[t] += d.ten_J[k] * x[m.ten_J_colind[k]];
  }
}

/// Lengths of the edges of flexes at qpos0, and their inverse inertias J M⁻¹ Jᵀ. An edge between two bodies with only
/// slide joints joins two point masses.
void set_flex_constants(Model& m, Data& d) {
  std::vector<double> x(static_cast<std::size_t>(m.nv));
  for (int f = 0; f < m.nflex; ++f) {
    if (m.flex_interp[f] != 0) continue;
    for (int e = m.flex_edgeadr[f]; e < m.flex_edgeadr[f] + m.flex_edgenum[f]; ++e) {
      const int v1 = m.flex_vertadr[f] + m.flex_edge[2 * e], v2 = m.flex_vertadr[f] + m.flex_edge[2 * e + 1];
      m.flexedge_length0[e] = norm(Point::load(&d.flexvert_xpos[3 * v2]) - Point::load(&d.flexvert_xpos[3 * v1]));
      m.flexedge_invweight0[e] = 0;
      if (m.flexedge_rigid[e]) continue;
      const int b1 = m.flex_vertbodyid[v1], b2 = m.flex_vertbodyid[v2];
      if (m.body_simple[b1] == 2 && m.body_simple[b2] == 2) {
        m.flexedge_invweight0[e] = (1 / m.body_mass[b1] + 1 / m.body_mass[b2]) / 2;
        continue;
      }
      std::fill(x.begin(), x.end(), 0.0);
      const int adr = m.flexedge_J_rowadr[e], end = adr + m.flexedge_J_rownnz[e];
      if (adr == end) continue;
      for (int k = adr; k < end; ++k) x[m.flexedge_J_colind[k]] = d.flexedge_J[k];
      solve_inertia(m, d, x.data());
      for (int k = adr; k < end; ++k) m.flexedge_invweight0[e] += d.flexedge_J[k] * x[m.flexedge_J_colind[k]];
    }
  }
}

/// flex_vertmetric: the inverse of B = Σ w dx dxᵀ over the edges at a vertex, dx at rest in the plane of the surface, w
/// the mass of the neighbor.
void set_flex_metrics(Model& m) {
  for (int f = 0; f < m.nflex; ++f) {
    if (m.flex_edgeequality[f] != 2 || m.flex_rigid[f] || m.flex_interp[f] != 0 || m.flex_dim[f] != 2) continue;
    const int first = m.flex_vertadr[f];
    for (int v = first; v < first + m.flex_vertnum[f]; ++v) {
      double xx = 0, xy = 0, yy = 0;
      for (int k = m.flex_vertedgeadr[v]; k < m.flex_vertedgeadr[v] + m.flex_vertedgenum[v]; ++k) {
        const int e = m.flex_edgeadr[f] + m.flex_vertedge[k];
        const int v1 = first + m.flex_edge[2 * e], v2 = first + m.flex_edge[2 * e + 1];
        const double weight = std::max(m.body_mass[m.flex_vertbodyid[v1 == v ? v2 : v1]], kMinVal);
        const double x = (m.flex_vert0[3 * v2] - m.flex_vert0[3 * v1]) * 2 * m.flex_size[3 * f];
        const double y = (m.flex_vert0[3 * v2 + 1] - m.flex_vert0[3 * v1 + 1]) * 2 * m.flex_size[3 * f + 1];
        xx += weight * x * x;
        xy += weight * x * y;
        yy += weight * y * y;
      }
      const double det = xx * yy - xy * xy;
      const std::array<double, 4> inverse = std::abs(det) < kMinVal
                                                ? std::array<double, 4>{}
                                                : std::array<double, 4>{yy / det, -xy / det, -xy / det, xx / det};
      std::copy(inverse.begin(), inverse.end(), &m.flex_vertmetric[4 * v]);
    }
  }
}

/// acc0 = |M⁻¹ moment|: the acceleration caused by a unit force of the output.
void set_actuator_accelerations(Model& m, const Data& d) {
  std::vector<double> x(static_cast<std::size_t>(m.nv));
  for (int o = 0; o < m.nout; ++o) {
    std::fill(x.begin(), x.end(), 0.0);
    const int adr = d.moment_rowadr[o];
    for (int k = adr; k < adr + d.moment_rownnz[o]; ++k) x[d.moment_colind[k]] = d.actuator_moment[k];
    solve_inertia(m, d, x.data());
    double sum = 0;
    for (double v : x) sum += v * v;
    m.actuator_acc0[o] = std::sqrt(sum);
  }
}

/// The point p (frame of body 1), in the frame of body 2.
Point in_other_body(const Data& d, int body1, int body2, const Point& p) {
  const Point world = Mat3<double>::load(&d.xmat[9 * body1]) * p + Point::load(&d.xpos[3 * body1]);
  return mul_transposed(Mat3<double>::load(&d.xmat[9 * body2]), world - Point::load(&d.xpos[3 * body2]));
}

/// The pose-dependent data of connect and weld between bodies: the anchor in the other body, the relative pose.
void set_equality_data(Model& m, const Data& d) {
  for (int e = 0; e < m.neq; ++e) {
    if (static_cast<ObjType>(m.eq_objtype[e]) != ObjType::Body) continue;
    double* data = &m.eq_data[kNumEqData * e];
    const int body1 = m.eq_obj1id[e], body2 = m.eq_obj2id[e];
    switch (static_cast<EqualityType>(m.eq_type[e])) {
      case EqualityType::Connect: in_other_body(d, body1, body2, Point::load(data)).store(data + 3); break;
      case EqualityType::Weld: {
        Turn relative = Turn::load(data + 6);
        if (relative.w == 0 && relative.x == 0 && relative.y == 0 && relative.z == 0) {
          in_other_body(d, body2, body1, Point::load(data)).store(data + 3);
          relative = conjugate(Turn::load(&d.xquat[4 * body1])) * Turn::load(&d.xquat[4 * body2]);
        } else {
          normalize(relative);
        }
        relative.store(data + 6);
        break;
      }
      default: break;
    }
  }
}

/// Poses of cameras and lights at qpos0, relative to their body and to a center of mass, in world axes.
void set_camera_and_light_offsets(Model& m, Data& d) {
  // tracking needs the offsets computed here from the pose fixed to the body
  std::vector<int> cam_mode(m.cam_mode.size(), static_cast<int>(CamLightMode::Fixed)), light_mode(m.light_mode.size());
  m.cam_mode.swap(cam_mode);
  m.light_mode.swap(light_mode);
  camera_and_light_poses(m, d);
  m.cam_mode.swap(cam_mode);
  m.light_mode.swap(light_mode);

  const auto offsets = [&](const double* pos, int body, int target, double* pos0, double* poscom0) {
    const Point p = Point::load(pos);
    (p - Point::load(&d.xpos[3 * body])).store(pos0);
    (p - Point::load(&d.subtree_com[3 * (target >= 0 ? target : body)])).store(poscom0);
  };
  for (int c = 0; c < m.ncam; ++c) {
    offsets(&d.cam_xpos[3 * c], m.cam_bodyid[c], m.cam_targetbodyid[c], &m.cam_pos0[3 * c], &m.cam_poscom0[3 * c]);
    std::copy_n(&d.cam_xmat[9 * c], 9, &m.cam_mat0[9 * c]);
  }
  for (int l = 0; l < m.nlight; ++l) {
    offsets(&d.light_xpos[3 * l], m.light_bodyid[l], m.light_targetbodyid[l], &m.light_pos0[3 * l],
            &m.light_poscom0[3 * l]);
    std::copy_n(&d.light_xdir[3 * l], 3, &m.light_dir0[3 * l]);
  }
}

/// For a servo bias[2] > 0 is a damping ratio ζ: it becomes the damping 2 ζ √(kp m), stored negative, with m the
/// inertia seen by the first output. Servos are recognized by their parameters alone, whatever their types.
void set_servo_damping(Model& m, const Data& d) {
  for (int a = 0; a < m.nactuator; ++a) {
    double* bias = &m.actuator_biasprm[kNumBias * a];
    const bool pid = static_cast<GainType>(m.actuator_gaintype[a]) == GainType::Pid;
    const double kp = pid ? -bias[1] : m.actuator_gainprm[kNumGain * a];
    if (kp != -bias[1] || bias[2] <= 0) continue;
    const int output = m.actuator_outadr[a], adr = d.moment_rowadr[output];
    double inertia = 0;
    for (int k = adr; k < adr + d.moment_rownnz[output]; ++k) {
      const double moment2 = d.actuator_moment[k] * d.actuator_moment[k];
      if (moment2 > kMinVal) inertia += m.dof_M0[d.moment_colind[k]] / moment2;
    }
    bias[2] *= -2 * std::sqrt(kp * inertia);
  }
}

void set_spring_lengths(Model& m, Data& d) {
  set_pose(m, d, m.qpos_spring);
  for (int t = 0; t < m.ntendon; ++t) {
    double* spring = &m.tendon_lengthspring[2 * t];
    if (spring[0] == -1 && spring[1] == -1) spring[0] = spring[1] = d.ten_length[t];
  }
}

}  // namespace

void set_flags(Model& m) {
  const auto nonzero = [](double x) { return x != 0; };
  const auto any = [&](const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), nonzero);
  };
  // negative gravcomp does not count, as in MuJoCo: without a positive one nothing is compensated
  m.ngravcomp = std::count_if(m.body_gravcomp.begin(), m.body_gravcomp.end(), [](double x) { return x > 0; });
  m.flg_gravcomp = m.ngravcomp > 0;
  m.flg_surfacevel = any(m.geom_surfacevel);
  m.flg_adhesion = any(m.geom_adhesion) || any(m.pair_adhesion);
}

Status set_constants(Model& m) {
  const Status status = refresh(m);
  if (status) derive_constants(m);
  return status;
}

void derive_constants(Model& m, Budget* budget) {
  const bool fresh = m.is_fresh();
  set_subtree_masses(m);
  set_flags(m);

  set_flex_metrics(m);

  Data d(m, Blank{});
  set_pose(m, d, m.qpos0);
  set_dof_inertias(m, d);
  composite_inertia(m, d);
  std::optional<ArticulatedWeights> articulated;
  if (is_deep(m)) articulated.emplace(m, d);
  // tendons, flexes and actuators also need the factor of M
  if (!articulated || m.ntendon > 0 || m.nout > 0 || m.nJfe > 0) factor_inertia(m, d);
  transmission(m, d);
  std::copy(d.ten_length.begin(), d.ten_length.end(), m.tendon_length0.begin());
  std::copy(d.actuator_length.begin(), d.actuator_length.end(), m.actuator_length0.begin());
  const ArticulatedWeights* weights = articulated ? &*articulated : nullptr;
  set_body_weights(m, d, weights, budget);
  set_dof_weights(m, d, weights, budget);
  set_tendon_weights(m, d);
  set_flex_constants(m, d);
  set_actuator_accelerations(m, d);
  set_equality_data(m, d);
  set_camera_and_light_offsets(m, d);
  set_servo_damping(m, d);

  set_statistics(m, d);
  set_spring_lengths(m, d);
  if (fresh) ModelCheck::accept(m);  // only derived values were written
}

}  // namespace sinew
