#include "random/start.h"

#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "random/rng.h"
#include "sinew/enums.h"

namespace random_worlds {
namespace {

using sinew::ObjType;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A few digits, so that a failing state is readable.
double coarse(double value) { return std::round(value * 1000) / 1000; }

void joints(const World& world, const sinew::Model& m, sinew::Data& d) {
  const unsigned start = world.start;
  for (int j = 0; j < m.njnt; ++j) {
    Rng r(mix(world.seed, std::string(m.name(ObjType::Joint, j)) + "/joint"));
    const auto type = static_cast<sinew::JointType>(m.jnt_type[static_cast<std::size_t>(j)]);
    double* q = d.qpos.data() + m.jnt_qposadr[static_cast<std::size_t>(j)];
    double* v = d.qvel.data() + m.jnt_dofadr[static_cast<std::size_t>(j)];
    const bool free = type == sinew::JointType::Free, ball = type == sinew::JointType::Ball;
    const int translations = free ? 3 : ball ? 0 : 1, dofs = free ? 6 : ball ? 3 : 1;
    const double scale = (start & kFar) != 0 ? std::pow(10, r.in(2, 6)) : (start & kPose) != 0 ? 0.4 : 0;
    for (int i = 0; i < translations; ++i) q[i] += coarse(scale * r.in(-1, 1));
    if (free || ball) {
      double* quat = q + (free ? 3 : 0);
      for (int i = 0; i < 4; ++i) {
        const double value = coarse(r.in(-1, 1));
        if ((start & kPose) != 0) quat[i] = value;
      }
      if ((start & kZeroQuat) != 0 && r.chance(0.7)) {
        for (int i = 0; i < 4; ++i) quat[i] = 0;
      }
    }
    const double speed = (start & kFast) != 0 ? std::pow(10, r.in(1, 3)) : (start & kMove) != 0 ? 2 : 0;
    for (int i = 0; i < dofs; ++i) v[i] += coarse(speed * r.in(-1, 1));
  }
}

/// Writes a non-finite value somewhere into the input.
void spoil(Rng& r, sinew::Data& d, double value) {
  const std::span<double> places[] = {d.qpos,         d.qvel,      d.act,        d.ctrl,    d.qfrc_applied,
                                      d.xfrc_applied, d.mocap_pos, d.mocap_quat, d.history, d.qacc_warmstart};
  for (int tries = 0; tries < 20; ++tries) {
    const std::span<double> place = places[r.below(static_cast<int>(std::size(places)))];
    if (place.empty()) continue;
    place[static_cast<std::size_t>(r.below(static_cast<int>(place.size())))] = value;
    return;
  }
}

}  // namespace

void start(const World& world, const sinew::Model& m, sinew::Data& d) {
  if ((world.start & kKey) != 0 && m.nkey > 0) {
    sinew::reset_to_keyframe(m, d, 0);
  } else {
    sinew::reset(m, d);
  }
  joints(world, m, d);
  Rng r(mix(world.seed, "inputs"));
  if ((world.start & kControl) != 0) {
    for (double& u : d.ctrl) u = coarse(r.chance(0.1) ? r.in(-100, 100) : r.in(-1.5, 1.5));
    for (double& a : d.act) a = coarse(r.in(-0.2, 1.2));
  }
  if ((world.start & kForce) != 0) {
    for (double& f : d.qfrc_applied) f = r.chance(0.5) ? 0 : coarse(r.in(-5, 5));
    for (double& f : d.xfrc_applied) f = r.chance(0.7) ? 0 : coarse(r.in(-5, 5));
  }
  if ((world.start & kMocap) != 0) {
    for (double& x : d.mocap_pos) x += coarse(r.in(-0.3, 0.3));
    for (double& x : d.mocap_quat) x = coarse(r.in(-1, 1));
  }
  if ((world.start & kZeroQuat) != 0) {
    for (double& x : d.mocap_quat) x = 0;
  }
  if ((world.start & kEquality) != 0) {
    for (std::uint8_t& on : d.eq_active) on = r.chance(0.5) ? 1 : 0;
  }
  if ((world.start & kWarmBad) != 0) {
    for (double& a : d.qacc_warmstart) a = coarse(r.in(-1, 1)) * 1e12;
  }
  if ((world.start & kWarmNan) != 0) {
    for (double& a : d.qacc_warmstart) a = r.chance(0.5) ? std::nan("") : kInfinity;
  }
  if ((world.start & kNan) != 0) spoil(r, d, std::nan(""));
  if ((world.start & kInf) != 0) spoil(r, d, r.chance(0.5) ? kInfinity : -kInfinity);
}

}  // namespace random_worlds
