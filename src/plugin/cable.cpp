#include <cmath>

#include "dynamics/awake.h"
#include "dynamics/jacobian.h"
#include "dynamics/kinematics.h"
#include "math/elementary.h"
#include "math/quat.h"
#include "model/joint_kinds.h"
#include "plugin/first_party.h"

// mujoco.elasticity.cable: a chain of bodies that resists bending and twisting like a rod. Between consecutive bodies
// k-1 and k the moment is t = -s (w - w0) / l: s the stiffness of the section, w the rotation vector from one to the
// other, w0 that of the shape without stress, l their distance.

namespace sinew {
namespace {

using Vec = Vec3<double>;
using Quaternion = Quat<double>;

/// One body and its link to the previous one.
struct Segment {
  Vec stiffness;  // about x (twist), y, z
  Vec rest;       // w0
  double length = 0;
  int quat = -1;  // of its ball joint in qpos, -1: fixed to its parent
};

/// Torsion and bending stiffness of the section of a geom, for a modulus of one each.
Vec section_of(const Model& m, int geom) {
  const double* size = &m.geom_size[3 * geom];
  switch (static_cast<GeomType>(m.geom_type[geom])) {
    case GeomType::Capsule:
    case GeomType::Cylinder: {
      const double r4 = elementary::pow(size[0], 4);
      return {kPi * r4 / 2, kPi * r4 / 4, kPi * r4 / 4};
    }
    case GeomType::Box: {
      const double h = size[1], w = size[2], a = std::max(h, w), b = std::min(h, w);
      const double twist = a * elementary::pow(b, 3) *
                           (16.0 / 3 - 3.36 * b / a * (1 - elementary::pow(b, 4) / elementary::pow(a, 4) / 12));
      return {twist, elementary::pow(2 * w, 3) * 2 * h / 12, elementary::pow(2 * h, 3) * 2 * w / 12};
    }
    default: return {};
  }
}

class Cable : public CopiedInstance<Cable> {
 public:
  Cable(int first, std::vector<Segment> segments) : first_(first), segments_(std::move(segments)) {}

  void add_passive_force(const Model& m, Data& d) override {
    const Awake awake(m, d);
    const int count = static_cast<int>(segments_.size());
    Vec stress = {};  // of the link to the previous body
    Quaternion turn;
    for (int k = 0; k < count; ++k) {
      const int body = first_ + k;
      Vec next = {};
      Quaternion next_turn;
      if (k + 1 < count) next = moment(m, d, k + 1, next_turn);
      const Vec& s = segments_[static_cast<std::size_t>(k)].stiffness;
      if ((s.x != 0 || s.y != 0 || s.z != 0) && awake.body(body)) {
        Vec torque = {};
        if (k > 0) torque += rotate(conjugate(turn), stress);
        if (k + 1 < count) torque -= next;
        apply_force<double>(m, d, {}, rotate(Quaternion::load(&d.xquat[4 * body]), torque),
                            Vec::load(&d.xpos[3 * body]), body, d.qfrc_passive.data());
      }
      stress = next;
      turn = next_turn;
    }
  }

 private:
  /// The moment in the link between the bodies k-1 and k, and the rotation between them.
  Vec moment(const Model& m, const Data& d, int k, Quaternion& turn) const {
    const Segment& segment = segments_[static_cast<std::size_t>(k)];
    turn = Quaternion::load(&m.body_quat[4 * (first_ + k)]);
    if (segment.quat >= 0) turn = turn * Quaternion::load(&d.qpos[segment.quat]);
    const Vec bend = log(turn) - segment.rest;
    const Vec& s = segment.stiffness;
    return {-s.x * bend.x / segment.length, -s.y * bend.y / segment.length, -s.z * bend.z / segment.length};
  }

  int first_;
  std::vector<Segment> segments_;
};

/// Address of the quaternion of the body's last joint; -1: it has none.
int quaternion_of(const Model& m, int body) {
  if (m.body_jntnum[body] == 0) return -1;
  const int joint = m.body_jntadr[body] + m.body_jntnum[body] - 1;
  const JointKind& kind = joint_kind(m, joint);
  return kind.nv < 3 ? -1 : m.jnt_qposadr[joint] + kind.nq - 4;
}

class CablePlugin : public Plugin {
 public:
  std::string name() const override { return "mujoco.elasticity.cable"; }
  int capabilities() const override { return kPluginPassive; }
  std::vector<std::string> attributes() const override { return {"twist", "bend", "flat", "vmax"}; }

  Result<std::unique_ptr<PluginInstance>> make(const Model& m, int instance) const override {
    const PluginConfig config = plugin_config(m, instance);
    const Result<double> twist = config.number("twist", 0), bend = config.number("bend", 0),
                         vmax = config.number("vmax", 0);
    for (const Result<double>* number : {&twist, &bend, &vmax})
      if (!*number) return number->error();
    const bool flat = config.text("flat") == "true";

    int first = -1, count = 0;
    for (int b = 0; b < m.nbody; ++b) {
      if (m.body_plugin[b] != instance) continue;
      if (first < 0) first = b;
      if (b != first + count) return Error::message("the bodies of a cable must be consecutive");
      ++count;
    }
    if (count == 0) return std::unique_ptr<PluginInstance>();
    if (first == 0) return Error::message("the world cannot be part of a cable");

    Data rest(m, Blank{});
    std::copy(m.qpos0.begin(), m.qpos0.end(), rest.qpos.begin());
    for (int b = 0; b < m.nbody; ++b) {
      if (m.body_mocapid[b] < 0) continue;
      std::copy_n(&m.body_pos[3 * b], 3, &rest.mocap_pos[3 * m.body_mocapid[b]]);
      std::copy_n(&m.body_quat[4 * b], 4, &rest.mocap_quat[4 * m.body_mocapid[b]]);
    }
    kinematics<double>(m, rest);

    std::vector<Segment> segments(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) {
      Segment& segment = segments[static_cast<std::size_t>(k)];
      const int body = first + k;
      segment.quat = quaternion_of(m, body);
      if (m.body_geomnum[body] == 0)
        return Error::message("body " + std::to_string(body) + " of the cable has no geom");
      const Vec section = section_of(m, m.body_geomadr[body]);
      segment.stiffness = {section.x * *twist, section.y * *bend, section.z * *bend};
      if (k == 0) continue;
      if (segment.quat < 0) return Error::message("body " + std::to_string(body) + " of the cable needs a ball joint");
      segment.length = norm(Vec::load(&rest.xpos[3 * body]) - Vec::load(&rest.xpos[3 * (body - 1)]));
      if (!flat)
        segment.rest = subtract(Quaternion::load(&m.body_quat[4 * body]), Quaternion::load(&m.qpos0[segment.quat]));
    }
    return std::unique_ptr<PluginInstance>(std::make_unique<Cable>(first, std::move(segments)));
  }
};

}  // namespace

std::shared_ptr<const Plugin> cable_plugin() { return std::make_shared<CablePlugin>(); }

}  // namespace sinew
