#include "urdf/inertia.h"

#include <fmt/format.h>

#include <algorithm>

#include "geometry/principal_axes.h"

namespace sinew::urdf {
namespace {

using rigid::Matrix3;
using rigid::Pose;
using rigid::Vec;

Matrix3 matrix_of(const spec::Reals<6>& full) {
  Matrix3 a;
  for (int i = 0; i < 3; ++i) a(i, i) = full[static_cast<std::size_t>(i)];
  a(0, 1) = a(1, 0) = full[3];
  a(0, 2) = a(2, 0) = full[4];
  a(1, 2) = a(2, 1) = full[5];
  return a;
}

spec::Reals<6> six_numbers(const Matrix3& a) { return {a(0, 0), a(1, 1), a(2, 2), a(0, 1), a(0, 2), a(1, 2)}; }

/// R A Rᵀ.
Matrix3 turned(const Matrix3& r, const Matrix3& a) {
  Matrix3 half, out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) half(i, j) = r(i, 0) * a(0, j) + r(i, 1) * a(1, j) + r(i, 2) * a(2, j);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      out(i, j) = out(j, i) = half(i, 0) * r(j, 0) + half(i, 1) * r(j, 1) + half(i, 2) * r(j, 2);
  return out;
}

bool is_identity(const rigid::Quat4& q) { return q.x == 0 && q.y == 0 && q.z == 0; }

/// Why no body can have this matrix; empty if one can. The tests are the compiler's, with its settings.
std::string impossible(const spec::Reals<6>& full, const spec::Compiler& settings) {
  const PrincipalAxes axes = principal_axes(matrix_of(full));
  Vec m = axes.moment;
  if (m.z < kCompileEps)
    return fmt::format("its principal moments {:.6g} {:.6g} {:.6g} must be positive", m.x, m.y, m.z);
  for (int k = 0; k < 3; ++k) m[k] = std::max(m[k], settings.boundinertia);
  const bool violates = m.x + m.y < m.z || m.x + m.z < m.y || m.y + m.z < m.x;
  if (violates && !settings.balanceinertia)
    return fmt::format("its principal moments {:.6g} {:.6g} {:.6g} violate A + B >= C", m.x, m.y, m.z);
  return {};
}

std::string problem_of(const Matter& link, const spec::Compiler& settings) {
  if (!link.body || !link.body->inertial || !link.body->inertial->fullinertia) return {};
  return impossible(*link.body->inertial->fullinertia, settings);
}

void clear_matrix(spec::Inertial& inertial) { inertial.fullinertia.reset(); }

/// Mass, center and matrix of several parts about the common center, in the frame that their poses refer to.
struct Sum {
  double mass = 0;
  Vec center;
  Matrix3 matrix;
};

struct Part {
  std::size_t link;
  Pose pose;  // in the first link of the group
};

Sum sum_of(const std::vector<Part>& parts, const std::vector<Matter>& links) {
  Sum sum;
  Vec moment;
  const auto center = [&](const Part& part) {
    return rigid::compose(part.pose, {Vec::load(links[part.link].body->inertial->pos.data()), {}}).pos;
  };
  for (const Part& part : parts) {
    const double mass = links[part.link].body->inertial->mass;
    sum.mass += mass;
    moment += mass * center(part);
  }
  if (sum.mass == 0) return sum;
  sum.center = {moment.x / sum.mass, moment.y / sum.mass, moment.z / sum.mass};
  for (const Part& part : parts) {
    const spec::Inertial& inertial = *links[part.link].body->inertial;
    const Vec d = center(part) - sum.center;
    const Matrix3 own = turned(to_matrix(part.pose.quat), matrix_of(inertial.fullinertia.value_or(spec::Reals<6>{})));
    const double square = dot(d, d);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) sum.matrix(i, j) += own(i, j) + inertial.mass * ((i == j ? square : 0) - d[i] * d[j]);
  }
  return sum;
}

constexpr const char* kRemedy =
    "correct the numbers, or let <mujoco><compiler balanceinertia=\"true\"/></mujoco> replace the moments by their "
    "mean";

/// The links that fixed joints hold to one that moves, in the frame of that one.
std::vector<Part> group_of(std::size_t first, const std::vector<Matter>& links,
                           const std::vector<std::vector<std::size_t>>& fixed_to) {
  std::vector<Part> group = {{first, {}}};
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Part part = group[i];
    for (const std::size_t below : fixed_to[part.link])
      group.push_back({below, rigid::compose(part.pose, links[below].pose)});
  }
  return group;
}

/// One of the group is impossible by itself: the sum goes to the first that has an inertia, the others keep none.
void sum_group(Input& in, std::vector<Matter>& links, std::vector<Part> group) {
  std::erase_if(group, [&](const Part& p) { return !links[p.link].body->inertial; });
  const auto wrong = std::find_if(group.begin(), group.end(),
                                  [&](const Part& p) { return !problem_of(links[p.link], in.spec.compiler).empty(); });
  if (wrong == group.end()) return;
  Matter& culprit = links[wrong->link];
  const std::string alone = problem_of(culprit, in.spec.compiler);
  if (group.size() == 1) {
    in.error({culprit.moments}, fmt::format("link '{}': {}", culprit.link, alone), kRemedy);
    return;
  }
  const Sum sum = sum_of(group, links);
  const Pose back = rigid::inverse(group[0].pose);
  Matter& carrier = links[group[0].link];
  const spec::Reals<6> full = six_numbers(turned(to_matrix(back.quat), sum.matrix));
  if (const std::string why = impossible(full, in.spec.compiler); !why.empty()) {
    in.error({culprit.moments},
             fmt::format("link '{}': {}; nor is the sum of the links fixed to '{}' possible: {}", culprit.link, alone,
                         carrier.link, why),
             kRemedy);
    return;
  }
  in.warn({culprit.moments}, fmt::format("link '{}': {}; summed with the links that it is fixed to, which is possible",
                                         culprit.link, alone));
  for (const Part& part : group) {
    spec::Inertial& inertial = *links[part.link].body->inertial;
    const spec::Origin origin = inertial.origin;
    inertial = {};
    inertial.origin = origin;
  }
  spec::Inertial& inertial = *carrier.body->inertial;
  inertial.mass = sum.mass;
  rigid::compose(back, {sum.center, {}}).pos.store(inertial.pos.data());
  inertial.fullinertia = full;
}

}  // namespace

spec::Inertial make_inertial(double mass, const spec::Reals<6>& moments, const Pose& frame) {
  spec::Inertial out;
  out.mass = mass;
  frame.pos.store(out.pos.data());
  const bool has_matrix = std::any_of(moments.begin(), moments.end(), [](double x) { return x != 0; });
  if (mass == 0 || !has_matrix) {
    frame.quat.store(out.quat.data());
  } else if (is_identity(frame.quat)) {
    out.fullinertia = moments;
  } else {
    out.fullinertia = six_numbers(turned(to_matrix(frame.quat), matrix_of(moments)));
  }
  return out;
}

void judge_inertias(Input& in, std::vector<Matter>& links, bool fuses) {
  std::vector<std::vector<std::size_t>> fixed_to(links.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    Matter& link = links[i];
    const bool is_first = link.parent < 0 || !fuses;
    if (!is_first) fixed_to[static_cast<std::size_t>(link.parent)].push_back(i);
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    Matter& link = links[i];
    if (!link.body) continue;
    if (link.can_move) {
      if (link.parent < 0 || !fuses) sum_group(in, links, group_of(i, links, fixed_to));
    } else if (const std::string why = problem_of(link, in.spec.compiler); !why.empty()) {
      in.warn({link.moments}, fmt::format("link '{}': {}; taken as zero, since it does not move", link.link, why));
      clear_matrix(*link.body->inertial);
    }
  }
}

}  // namespace sinew::urdf
