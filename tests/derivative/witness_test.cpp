#include "derivative/witness.h"

#include "collision/convex.h"
#include "collision/frame.h"
#include "derivative/contact_convex.h"
#include "derivative/difference.h"
#include "derivative/frame_turn.h"
#include "sim/world.h"
#include "sinew/transition.h"

namespace sinew::test {
namespace {

using Vector = Vec3<double>;

struct CurvedPair {
  const char* name;
  std::string first, second;
};

/// Two free bodies with one geom each, within the margin.
World world_of_pair(const CurvedPair& pair, const char* options = "") {
  return World(std::string("<mujoco><option ") + options + R"(/><default><geom margin="0.05"/></default>
    <asset><mesh name="wedge" vertex="-.2 -.2 -.1  .2 -.2 -.1  .2 .2 -.1  -.2 .2 -.1  -.15 0 .1  .15 .02 .1"/></asset>
    <worldbody><body><freejoint/>)" +
               pair.first + R"(</body><body><freejoint/>)" + pair.second + R"(</body></worldbody></mujoco>)");
}

const std::string kEgg = R"(<geom type="ellipsoid" size=".1 .15 .2")", kRod = R"(<geom type="capsule" size=".05 .2")",
                  kCan = R"(<geom type="cylinder" size=".1 .2")", kBrick = R"(<geom type="box" size=".3 .2 .1")",
                  kWedge = R"(<geom type="mesh" mesh="wedge")", kBall = R"(<geom size=".1")";

class CurvedPairs : public testing::TestWithParam<CurvedPair> {};
INSTANTIATE_TEST_SUITE_P(
    Pairs, CurvedPairs,
    testing::Values(
        CurvedPair{"eggs", kEgg + "/>", kEgg + R"( pos=".1 .12 .29" euler="20 40 10"/>)"},
        CurvedPair{"deep_eggs", kEgg + "/>", kEgg + R"( pos=".1 .1 .2" euler="20 40 10"/>)"},
        CurvedPair{"ball_egg", kBall + "/>", kEgg + R"( pos=".05 .1 .22" euler="20 40 10"/>)"},
        CurvedPair{"rod_egg_side", kRod + R"( euler="0 90 0"/>)", kEgg + R"( pos=".05 .03 .2" euler="20 40 10"/>)"},
        CurvedPair{"rod_egg_end", kRod + "/>", kEgg + R"( pos=".03 .02 .4" euler="20 40 10"/>)"},
        CurvedPair{"egg_can_side", kEgg + "/>", kCan + R"( pos=".1 .03 .26" euler="20 80 10"/>)"},
        CurvedPair{"egg_can_rim", kEgg + "/>", kCan + R"( pos=".2 .1 .34" euler="20 30 10"/>)"},
        CurvedPair{"egg_can_end", kEgg + "/>", kCan + R"( pos=".01 .02 .39" euler="3 2 0"/>)"},
        CurvedPair{"egg_face", kEgg + R"( euler="20 30 0"/>)", kBrick + R"( pos=".02 .03 .27" euler="4 3 10"/>)"},
        CurvedPair{"egg_edge", kEgg + R"( euler="20 30 0"/>)", kBrick + R"( pos=".1 .02 .43" euler="4 50 10"/>)"},
        CurvedPair{"egg_corner", kEgg + R"( euler="20 30 0"/>)", kBrick + R"( pos=".03 .02 .53" euler="40 50 10"/>)"},
        CurvedPair{"egg_mesh_edge", kEgg + R"( euler="20 30 0"/>)", kWedge + R"( pos=".02 .0 .28" euler="184 3 10"/>)"},
        CurvedPair{"ball_mesh_face", kBall + "/>", kWedge + R"( pos=".03 .02 .18" euler="4 3 10"/>)"},
        CurvedPair{"cans_crossed", kCan + R"( euler="0 90 0"/>)", kCan + R"( pos=".05 .04 .19" euler="80 10 30"/>)"},
        CurvedPair{"can_rim_on_side", kCan + R"( euler="0 90 0"/>)", kCan + R"( pos=".05 .0 .33" euler="35 10 30"/>)"},
        CurvedPair{"rod_can", kRod + R"( euler="0 90 0"/>)", kCan + R"( pos=".05 .04 .14" euler="80 10 30"/>)"},
        CurvedPair{"can_rim_on_face", kCan + R"( euler="30 20 0"/>)", kBrick + R"( pos=".02 .03 .3" euler="4 3 0"/>)"},
        CurvedPair{"can_side_on_edge", kCan + R"( euler="90 0 5"/>)", kBrick + R"( pos=".0 .0 .39" euler="5 45 3"/>)"}),
    [](const auto& info) { return std::string(info.param.name); });

/// The nearest points of the first contact of a world.
Witness witness_of(const Model& m, Data& d) {
  forward(m, d);
  EXPECT_GT(d.ncon, 0);
  const Contact& contact = d.contact[0];
  ContactPoint point;
  point.dist = contact.dist;
  point.pos = Vector::load(contact.pos.data());
  point.normal = Vector::load(contact.frame.data());
  const auto found = polish_witness(m, shape_of(m, d, contact.geom[0]), shape_of(m, d, contact.geom[1]), point);
  EXPECT_TRUE(found.has_value());
  return found.value_or(Witness());
}

TEST_P(CurvedPairs, HaveTheirNearestPointsOnTheCommonNormalToRounding) {
  World w = world_of_pair(GetParam(), R"(ccd_tolerance="1e-10" ccd_iterations="200")");
  const Witness x = witness_of(w.m, w.d);
  const Contact& contact = w.d.contact[0];
  EXPECT_NEAR(norm(cross(x.x2 - x.x1, x.normal)), 0, 1e-14);
  EXPECT_NEAR(x.dist(), contact.dist, 2e-6);
  Convex a = convex_of(w.m, shape_of(w.m, w.d, contact.geom[0]), 0);
  Convex b = convex_of(w.m, shape_of(w.m, w.d, contact.geom[1]), 0);
  EXPECT_NEAR(dot(x.normal, a.support(x.normal) - x.x1), 0, 1e-11);
  EXPECT_NEAR(dot(x.normal, b.support(-x.normal) - x.x2), 0, 1e-11);
}

TEST_P(CurvedPairs, HaveTheDerivativeOfTheirNearestPoints) {
  World w = world_of_pair(GetParam(), R"(ccd_tolerance="1e-12" ccd_iterations="200")");
  forward(w.m, w.d);
  const Contact contact = w.d.contact[0];
  const Mat3<double> frame = contact_frame(witness_of(w.m, w.d).normal, {});
  std::vector<ContactRate> rates(w.d.ncon);
  ASSERT_TRUE(convex_rates(w.m, w.d, 0, w.d.ncon, rates.data()));
  constexpr double kEps = 1e-5;
  for (int dof = 0; dof < 12; ++dof) {
    Data plus = moved(w.m, w.d, dof, kEps), minus = moved(w.m, w.d, dof, -kEps);
    const Witness p = witness_of(w.m, plus), n = witness_of(w.m, minus);
    double jacp[36], jacr[36];
    const int body = dof < 6 ? 1 : 2, side = w.m.geom_bodyid[contact.geom[0]] == body ? 0 : 1;
    jac(w.m, w.d, jacp, jacr, contact.pos.data(), body);
    const Vector v = {jacp[dof], jacp[12 + dof], jacp[24 + dof]}, spin = {jacr[dof], jacr[12 + dof], jacr[24 + dof]};
    const ContactSideRate& s = rates[0].side[side];
    const Vector dx = s.x_w * spin + s.x_v * v, turn = s.t_w * spin + s.t_v * v;
    const Vector center_p = (p.x1 + p.x2) * 0.5, center_n = (n.x1 + n.x2) * 0.5;
    const Mat3<double> frame_p = contact_frame(p.normal, {}), frame_n = contact_frame(n.normal, {});
    EXPECT_NEAR(dot(s.dist_w, spin) + dot(s.dist_v, v), (p.dist() - n.dist()) / (2 * kEps), 1e-6) << dof;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(dx[k], (center_p[k] - center_n[k]) / (2 * kEps), 1e-6) << dof;
      const Vector rotated = cross(turn, frame.row(k));
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(rotated[i], (frame_p(k, i) - frame_n(k, i)) / (2 * kEps), 1e-6) << dof << " axis " << k;
    }
  }
}

/// The nearest points after rotating the pair by ± an angle about a tangent of its first contact, as collide_convex
/// does to find more contacts; starts from contact `index`.
std::optional<Witness> rotated_witness(const Model& m, Data& d, int index, int axis, double angle) {
  const Witness first = witness_of(m, d);
  const Contact& contact = d.contact[index];
  const Vector w = contact_frame(first.normal, {}).row(axis) * angle, about = (first.x1 + first.x2) * 0.5;
  const Shape a = moved(shape_of(m, d, contact.geom[0]), about, w, {});
  const Shape b = moved(shape_of(m, d, contact.geom[1]), about, -w, {});
  ContactPoint guess;
  guess.pos = Vector::load(contact.pos.data());
  guess.normal = Vector::load(contact.frame.data());
  Convex o1 = convex_of(m, a, 0), o2 = convex_of(m, b, 0);  // all contacts store the distance of the first
  guess.dist = dot(guess.normal, o2.support(-guess.normal) - o1.support(guess.normal));
  return polish_witness(m, a, b, guess);
}

TEST(CurvedPairs, HaveMoreContactsWithTheDerivativeOfTheRotatedPair) {
  // a cylinder on a box, tilted by less than the rotation that finds the other end
  World w(R"(<mujoco><option ccd_tolerance="1e-12" ccd_iterations="200"/><worldbody>
    <body pos=".2 -.1 .099" euler="90.02 0 0"><freejoint/><geom type="cylinder" size=".1 .2"/></body>
    <body pos="0 0 -.1"><freejoint/><geom type="box" size="1 1 .1"/></body></worldbody></mujoco>)");
  forward(w.m, w.d);
  ASSERT_GE(w.d.ncon, 2);
  std::vector<ContactRate> rates(w.d.ncon);
  ASSERT_TRUE(convex_rates(w.m, w.d, 0, w.d.ncon, rates.data()));
  int axis = 0;
  double angle = 0;
  for (const int k : {1, 2})
    for (const double turn : {-1e-3, 1e-3})
      if (axis == 0 && rotated_witness(w.m, w.d, 1, k, turn)) axis = k, angle = turn;
  ASSERT_NE(axis, 0);
  const Contact contact = w.d.contact[1];
  const Witness middle = *rotated_witness(w.m, w.d, 1, axis, angle);
  const Mat3<double> frame = contact_frame(middle.normal, {});
  constexpr double kEps = 1e-5;
  for (int dof = 0; dof < 12; ++dof) {
    Data plus = moved(w.m, w.d, dof, kEps), minus = moved(w.m, w.d, dof, -kEps);
    const Witness p = *rotated_witness(w.m, plus, 1, axis, angle), n = *rotated_witness(w.m, minus, 1, axis, angle);
    double jacp[36], jacr[36];
    const int body = dof < 6 ? 1 : 2, side = w.m.geom_bodyid[contact.geom[0]] == body ? 0 : 1;
    jac(w.m, w.d, jacp, jacr, contact.pos.data(), body);
    const Vector v = {jacp[dof], jacp[12 + dof], jacp[24 + dof]}, spin = {jacr[dof], jacr[12 + dof], jacr[24 + dof]};
    const ContactSideRate& s = rates[1].side[side];
    const Vector dx = s.x_w * spin + s.x_v * v, turn = s.t_w * spin + s.t_v * v;
    const Vector change = (p.x1 + p.x2 - n.x1 - n.x2) * (0.25 / kEps);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(dx[k], change[k], 1e-6) << dof;
      const Vector rotated = cross(turn, frame.row(k));
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(rotated[i], (contact_frame(p.normal, {})(k, i) - contact_frame(n.normal, {})(k, i)) / (2 * kEps),
                    1e-6)
            << dof << " axis " << k;
    }
  }
}

TEST(CurvedPairs, SphericalEllipsoidsHaveTheDerivativeOfAStepWithSpheres) {
  const auto derivative = [](const std::string& shape, const std::string& size) {
    World w(R"(<mujoco><option ccd_tolerance="1e-14" ccd_iterations="300"/><default><geom friction=".7" type=")" +
            shape + R"("/></default><worldbody>
      <body><freejoint/><geom size=".1)" +
            size + R"("/></body>
      <body pos=".05 .08 .17"><freejoint/><geom size=".1)" +
            size + R"("/></body></worldbody></mujoco>)");
    w.d.qvel[1] = 0.4;
    w.d.qvel[8] = -0.5;
    w.d.qvel[10] = 0.7;
    Transition out;
    SwitchReport report;
    transition_analytic(w.m, w.d, {}, out, report);
    EXPECT_EQ(w.m.nv, 12);
    EXPECT_FALSE(report.at_switch());
    EXPECT_EQ(report.curved.size(), shape == "ellipsoid" ? 1u : 0u);
    return out;
  };
  const Transition balls = derivative("sphere", ""), eggs = derivative("ellipsoid", " .1 .1");
  // the contact frame, which the rows use, is accurate to 1e-7, the square root of the tolerance
  EXPECT_LT(matrix_error(eggs.A, balls.A, balls.ndx).error, 1e-5);
}

}  // namespace
}  // namespace sinew::test
