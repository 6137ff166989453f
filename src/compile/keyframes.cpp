#include <cmath>

#include "compile/assemble.h"
#include "compile/copy.h"
#include "model/joint_kinds.h"

namespace sinew::compiling {
namespace {

/// One array of a keyframe: the given values, completed from the reference. If nothing is given: `absent`.
struct KeyArray {
  const char* name;
  const std::vector<double>& given;
  const std::vector<double>& reference;
  const std::vector<double>& absent;
};

void fill(Context& context, const Place& where, const KeyArray& in, double* out) {
  const std::size_t size = in.reference.size();
  if (in.given.size() > size) {
    context.report.error(
        where, in.name,
        "has " + std::to_string(in.given.size()) + " numbers, at most " + std::to_string(size) + " are allowed");
    return;
  }
  const std::vector<double>& rest = in.given.empty() ? in.absent : in.reference;
  for (std::size_t i = 0; i < in.given.size(); ++i) out[i] = std::isnan(in.given[i]) ? in.absent[i] : in.given[i];
  std::copy(rest.begin() + static_cast<std::ptrdiff_t>(in.given.size()), rest.end(), out + in.given.size());
}

/// qpos that completes a keyframe that is too short: ref as written, angles not converted, and free bodies at the
/// origin, as in MuJoCo 3.12.0.
std::vector<double> short_key_reference(const Context& context) {
  const Model& m = context.model;
  std::vector<double> out(m.nq);
  for (int j = 0; j < m.njnt; ++j) {
    double* qpos = &out[m.jnt_qposadr[j]];
    const JointKind& kind = joint_kind(m, j);
    if (kind.has_quaternion())
      qpos[kind.translations] = 1;
    else
      qpos[0] = context.joints[j]->in->ref;
  }
  return out;
}

void normalize_quaternions(Model& m, int key) {
  for (int j = 0; j < m.njnt; ++j) {
    const int adr = quaternion_address(m, j);
    if (adr < 0) continue;
    Quat4 q = Quat4::load(&m.key_qpos[key * m.nq + adr]);
    normalize(q);
    q.store(&m.key_qpos[key * m.nq + adr]);
  }
  for (int k = 0; k < m.nmocap; ++k) {
    // unlike a joint's, a zero mocap quaternion is kept, as in MuJoCo 3.12.0
    Quat4 q = Quat4::load(&m.key_mquat[4 * (key * m.nmocap + k)]);
    if (unit(q) > 0) q.store(&m.key_mquat[4 * (key * m.nmocap + k)]);
  }
}

}  // namespace

void copy_keyframes(Context& context) {
  Model& m = context.model;
  if (m.nkey == 0) return;
  const std::vector<double> short_qpos = short_key_reference(context);
  const std::vector<double> no_qvel(m.nv), no_act(m.na), no_ctrl(m.nu);
  std::vector<double> mpos(3 * m.nmocap), mquat(4 * m.nmocap);
  for (int b = 0; b < m.nbody; ++b) {
    if (m.body_mocapid[b] < 0) continue;
    std::copy_n(&m.body_pos[3 * b], 3, &mpos[3 * m.body_mocapid[b]]);
    std::copy_n(&m.body_quat[4 * b], 4, &mquat[4 * m.body_mocapid[b]]);
  }
  const spec::Key empty;
  for (int k = 0; k < m.nkey; ++k) {
    const spec::Key& in = k < static_cast<int>(context.spec.keys.size()) ? context.spec.keys[k] : empty;
    const Place where = place("key", in);
    m.key_time[k] = in.time;
    fill(context, where, {"qpos", in.qpos, short_qpos, m.qpos0}, m.key_qpos.data() + k * m.nq);
    fill(context, where, {"qvel", in.qvel, no_qvel, no_qvel}, m.key_qvel.data() + k * m.nv);
    fill(context, where, {"act", in.act, no_act, no_act}, m.key_act.data() + k * m.na);
    fill(context, where, {"ctrl", in.ctrl, no_ctrl, no_ctrl}, m.key_ctrl.data() + k * m.nu);
    fill(context, where, {"mpos", in.mpos, mpos, mpos}, m.key_mpos.data() + 3 * k * m.nmocap);
    fill(context, where, {"mquat", in.mquat, mquat, mquat}, m.key_mquat.data() + 4 * k * m.nmocap);
    normalize_quaternions(m, k);
  }
}

}  // namespace sinew::compiling
