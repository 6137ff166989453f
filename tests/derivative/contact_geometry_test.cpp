#include "derivative/contact_geometry.h"

#include "derivative/difference.h"
#include "sim/world.h"

namespace sinew::test {
namespace {

using Vector = Vec3<double>;

/// Two free bodies with one geom each, in contact.
std::string pair_of(const std::string& first, const std::string& second) {
  return R"(<mujoco><default><geom margin="0.1"/></default><worldbody>
    <body><freejoint/>)" +
         first + R"(</body><body><freejoint/>)" + second + R"(</body></worldbody></mujoco>)";
}

struct Motionless {
  const char* name;
  std::string first, second;
};

class ContactGeometry : public testing::TestWithParam<Motionless> {};
INSTANTIATE_TEST_SUITE_P(
    Pairs, ContactGeometry,
    testing::Values(Motionless{"sphere_sphere", R"(<geom size="0.1"/>)", R"(<geom size="0.2" pos="0.1 0.15 0.2"/>)"},
                    Motionless{"sphere_capsule_side", R"(<geom size="0.1"/>)",
                               R"(<geom type="capsule" size="0.1 0.3" pos="0.15 0.05 0.1" euler="20 10 0"/>)"},
                    Motionless{"sphere_capsule_end", R"(<geom size="0.1"/>)",
                               R"(<geom type="capsule" size="0.1 0.3" pos="0.05 0.08 0.45" euler="10 5 0"/>)"},
                    Motionless{"capsules_crossed", R"(<geom type="capsule" size="0.1 0.3" euler="0 90 0"/>)",
                               R"(<geom type="capsule" size="0.08 0.4" pos="0.1 0.05 0.17" euler="80 10 30"/>)"},
                    Motionless{"capsule_end_on_side", R"(<geom type="capsule" size="0.1 0.3" euler="0 90 0"/>)",
                               R"(<geom type="capsule" size="0.08 0.2" pos="0.1 0.02 0.37" euler="10 5 0"/>)"},
                    Motionless{"capsule_side_on_end", R"(<geom type="capsule" size="0.1 0.2" euler="10 5 0"/>)",
                               R"(<geom type="capsule" size="0.1 0.4" pos="0.05 0.1 0.39" euler="0 85 20"/>)"},
                    Motionless{"capsule_ends", R"(<geom type="capsule" size="0.1 0.2"/>)",
                               R"(<geom type="capsule" size="0.1 0.2" pos="0.05 0.1 0.56" euler="10 20 0"/>)"},
                    Motionless{"sphere_box_face", R"(<geom size="0.1"/>)",
                               R"(<geom type="box" size="0.2 0.3 0.1" pos="0.05 0.1 0.19" euler="5 3 20"/>)"},
                    Motionless{"sphere_box_edge", R"(<geom size="0.1"/>)",
                               R"(<geom type="box" size="0.2 0.3 0.1" pos="0.26 0.1 0.16" euler="5 3 2"/>)"},
                    Motionless{"sphere_box_corner", R"(<geom size="0.1"/>)",
                               R"(<geom type="box" size="0.2 0.3 0.1" pos="0.25 0.35 0.15" euler="1 3 2"/>)"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(ContactGeometry, ClosedFormsAreTheDerivativeOfTheContact) {
  World w(pair_of(GetParam().first, GetParam().second));
  forward(w.m, w.d);
  ASSERT_EQ(w.d.ncon, 1);
  ContactRate rate;
  contact_rates(w.m, w.d, 0, 1, &rate);
  const Contact contact = w.d.contact[0];
  constexpr double kEps = 1e-6;
  for (int dof = 0; dof < 12; ++dof) {
    Data plus = moved(w.m, w.d, dof, kEps), minus = moved(w.m, w.d, dof, -kEps);
    forward(w.m, plus);
    forward(w.m, minus);
    ASSERT_EQ(plus.ncon + minus.ncon, 2);
    const Contact &p = plus.contact[0], &n = minus.contact[0];
    // the body's velocity at the contact along this dof
    double jacp[36], jacr[36];
    const int side = w.m.geom_bodyid[contact.geom[0]] == (dof < 6 ? 1 : 2) ? 0 : 1;
    jac(w.m, w.d, jacp, jacr, contact.pos.data(), dof < 6 ? 1 : 2);
    const Vector v = {jacp[dof], jacp[12 + dof], jacp[24 + dof]}, spin = {jacr[dof], jacr[12 + dof], jacr[24 + dof]};
    const ContactSideRate& s = rate.side[side];
    const Vector dx = s.x_w * spin + s.x_v * v, turn = s.t_w * spin + s.t_v * v;
    EXPECT_NEAR(dot(s.dist_w, spin) + dot(s.dist_v, v), (p.dist - n.dist) / (2 * kEps), 1e-8) << dof;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(dx[k], (p.pos[k] - n.pos[k]) / (2 * kEps), 1e-8) << dof;
      const Vector axis = Vector::load(&contact.frame[3 * k]), rotated = cross(turn, axis);
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(rotated[i], (p.frame[3 * k + i] - n.frame[3 * k + i]) / (2 * kEps), 1e-8) << dof << " axis " << k;
    }
  }
}

}  // namespace
}  // namespace sinew::test
