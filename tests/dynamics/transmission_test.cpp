#include "dynamics/transmission.h"

#include "dynamics/position_level.h"

namespace sinew {
namespace {

using test::moment_row;

constexpr const char* kSites = R"(
    <mujoco><compiler angle="radian"/><worldbody><site name="ref" pos="0.1 0.2 0.3" euler="0.3 0.5 0.7"/><body>
    <joint axis="0 1 0"/><inertial pos="0.1 0 0" mass="1" diaginertia="0.1 0.2 0.25"/>
    <site name="base" pos="0.05 0 0.1" euler="0.1 0.2 0.3"/><body pos="0.3 0 0"><joint axis="0 0 1"/>
    <inertial pos="0 0.1 0" mass="1" diaginertia="0.1 0.2 0.25"/><body pos="0 0.2 0"><joint type="ball"/>
    <inertial pos="0 0 0.1" mass="1" diaginertia="0.1 0.2 0.25"/>
    <site name="tip" pos="0.1 0.1 0.1" euler="0.4 -0.2 0.6"/></body></body></body></worldbody><actuator>
    <general site="tip" gear="1 2 3 0.4 0.5 0.6"/><general site="tip" refsite="ref" gear="1 2 3 0.4 0.5 0.6"/>
    <general site="tip" refsite="base" gear="1 2 3 0.4 0.5 0.6"/><orientation site="tip" refsite="base" kp="10"/>
    </actuator></mujoco>)";

TEST(Transmission, OfSitesMatchesMuJoCo) {
  // MuJoCo 3.12.0, forward at this qpos: wrench, wrench against a fixed and a moving site, orientation
  const Model m = test::model_of(kSites);
  const Data d = test::world_of(m, {0.3, -0.4, 0.8, 0.2, 0.4, 0.4});
  const std::vector<double> length = {
      0, -0.26142246674518366, 1.7363962905487624, 0.32828472684528254, 0.35446837045524365, 0.8837452316878579};
  const std::vector<int> rownnz = {5, 5, 4, 4, 4, 4};
  const std::vector<int> colind = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4};
  const std::vector<double> moment = {
      -1.4382643132332718, 0.03374408443400878, 0.18727652503175096,  -0.08547903438674981, 0.9803115739069077,
      -1.301521583261895,  1.0077720022822212,  -0.20326640541245056, 0.5336794064497123,   0.7676238415578205,
      0.6973363150331744,  0.13588298936626042, 0.5411229212341491,   0.7385566368671229,   0.12625954256757768,
      0.8088838516750256,  0.45621767058313456, 0.37090747033063964,  0.9109488643892248,   -0.5533872166040866,
      0.8038682786649276,  0.2180788367895161,  0.39272215926607457,  -0.19866933079506136, -0.3816559020950484,
      0.9027010963754601};
  const std::vector<double> acc0 = {4.4378249378180925, 6.524284407634288, 5.804393008893529,
                                    8.077257525239716,  7.403049509196311, 4.874285720253174};
  ASSERT_EQ(m.nout, 6);
  for (int o = 0; o < 6; ++o) {
    EXPECT_NEAR(d.actuator_length[o], length[o], 1e-14);
    EXPECT_EQ(d.moment_rownnz[o], rownnz[o]);
    EXPECT_NEAR(m.actuator_acc0[o], acc0[o], 1e-13);
  }
  for (std::size_t k = 0; k < moment.size(); ++k) {
    EXPECT_EQ(d.moment_colind[k], colind[k]);
    EXPECT_NEAR(d.actuator_moment[k], moment[k], 1e-14);
  }
}

/// A hinge about y with a crank site, and a slider site fixed in the world.
std::string slider_crank(const std::string& body_pos, const std::string& crank, const std::string& actuator) {
  return "<mujoco><worldbody><site name='slider'/><body pos='" + body_pos +
         "'><joint axis='0 1 0'/><inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/><site name='crank' pos='" +
         crank + "'/></body></worldbody><actuator><general cranksite='crank' slidersite='slider' " + actuator +
         "/></actuator></mujoco>";
}

TEST(Transmission, SliderCrankMatchesMuJoCo) {
  // MuJoCo 3.12.0, forward
  {
    const Model m = test::model_of(slider_crank("0 0 0", "0 0 1", "cranklength='0.5' gear='2'"));
    const Data colinear = test::world_of(m, {0}), turned = test::world_of(m, {0.3});
    EXPECT_EQ(colinear.actuator_length[0], 1);
    EXPECT_EQ(colinear.moment_rownnz[0], 0);  // the moment is exactly zero and dropped
    EXPECT_NEAR(turned.actuator_length[0], 1.1040310317722573, 1e-15);
    EXPECT_NEAR(moment_row(m, turned, 0)[0], 0.8089425056409009, 1e-15);
  }
  {
    const Model m = test::model_of(slider_crank("0 0 0", "0.5 0 0.5", "cranklength='0.6'"));
    const Data d = test::world_of(m);
    EXPECT_NEAR(d.actuator_length[0], 0.16833752096446003, 1e-15);
    EXPECT_NEAR(moment_row(m, d, 0)[0], 0.25377836144440913, 1e-15);
    EXPECT_NEAR(m.actuator_acc0[0], 2.5377836144440913, 1e-14);
  }
  {  // the rod does not reach the axis
    const Model m = test::model_of(slider_crank("1 0 0", "0 0 0", "cranklength='0.5'"));
    const Data d = test::world_of(m);
    EXPECT_EQ(d.actuator_length[0], 0);
    EXPECT_EQ(d.moment_rownnz[0], 0);
  }
}

constexpr const char* kMovingSlider = R"(
    <mujoco><worldbody><body><joint axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>
    <site name="slider" pos="0.1 0 0" euler="10 20 0"/></body><body pos="0.3 0.1 0.2"><joint axis="0 1 0"/>
    <inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/><site name="crank" pos="0.1 0 0.2"/></body></worldbody>
    <actuator><general cranksite="crank" slidersite="slider" cranklength="0.6" gear="1.5"/></actuator></mujoco>)";

TEST(Transmission, SliderCrankOnAMovingSliderMatchesMuJoCo) {
  // MuJoCo 3.12.0, forward at qpos (0.2, -0.3)
  const Model m = test::model_of(kMovingSlider);
  const Data d = test::world_of(m, {0.2, -0.3});
  EXPECT_NEAR(d.actuator_length[0], -0.14180307789272706, 1e-15);
  EXPECT_NEAR(moment_row(m, d, 0)[0], 0.14159558953417087, 1e-15);
  EXPECT_NEAR(moment_row(m, d, 0)[1], 0.116761665558065, 1e-15);
  EXPECT_NEAR(m.actuator_acc0[0], 1.768754049971242, 1e-14);
}

TEST(Transmission, MomentIsTheDerivativeOfLengthWithoutTruncation) {
  const char* models[] = {
      kMovingSlider,
      // joint, jointinparent on a slide, tendon with gear, site against a site that does not rotate
      R"(<mujoco><worldbody><site name="ref" pos="0.1 0 0" euler="10 20 30"/><body><joint name="h" axis="0 1 0"/>
      <inertial pos="0.1 0 0" mass="1" diaginertia="0.1 0.1 0.1"/><body pos="0.2 0 0"><joint name="s" type="slide"
      axis="0 1 1"/><joint axis="1 0 0"/><inertial pos="0.1 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>
      <site name="tip" pos="0.1 0.2 0.3"/></body></body></worldbody>
      <tendon><spatial name="t"><site site="ref"/><site site="tip"/></spatial></tendon><actuator>
      <motor joint="h" gear="-3"/><general jointinparent="s" gear="2"/><motor tendon="t" gear="4"/>
      <motor site="tip" refsite="ref" gear="1 -2 3 0 0 0"/></actuator></mujoco>)"};
  for (const char* text : models) {
    const Model m = test::model_of(text);
    for (unsigned seed = 1; seed <= 5; ++seed) {
      std::mt19937 random(seed);
      Data d = test::world_of(m);
      test::displace(m, d, random, 0.3);
      for (int o = 0; o < m.nout; ++o)
        for (int i = 0; i < m.nv; ++i)
          EXPECT_NEAR(moment_row(m, d, o)[i],
                      test::slope(m, d, i, [&] { return std::vector<double>{d.actuator_length[o]}; })[0], 1e-8)
              << "output " << o << " dof " << i;
    }
  }
}

std::string on_joint(const std::string& joint, const std::string& actuator) {
  return "<mujoco><worldbody><body>" + joint +
         "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.2 0.3'/></body></worldbody><actuator>" + actuator +
         "</actuator></mujoco>";
}

TEST(Transmission, OfBallAndFreeJointsMatchesMuJoCo) {
  // MuJoCo 3.12.0, forward at the quaternion (0.8, 0.2, 0.4, 0.4), gear 1 2 3 4 5 6
  struct Case {
    const char* joint;
    const char* target;
    double length, acc0;
    std::vector<double> moment;
  };
  const Case cases[] = {
      {"<joint name='q' type='ball'/>", "joint", 4.719008131150753, 17.320508075688775, {1, 2, 3}},
      {"<joint name='q' type='ball'/>", "jointinparent", 4.719008131150752, 17.320508075688775, {0.52, 2.64, 2.6}},
      {"<joint name='q' type='free'/>", "joint", 0, 51.37119815616529, {1, 2, 3, 4, 5, 6}},
      {"<joint name='q' type='free'/>", "jointinparent", 0, 51.37119815616529, {1, 2, 3, 2.56, 4.92, 6.8}}};
  for (const Case& c : cases) {
    const Model m =
        test::model_of(on_joint(c.joint, std::string("<general gear='1 2 3 4 5 6' ") + c.target + "='q'/>"));
    std::vector<double> qpos = {0.8, 0.2, 0.4, 0.4};
    if (m.nq == 7) qpos.insert(qpos.begin(), {0.1, 0.2, 0.3});
    const Data d = test::world_of(m, qpos);
    EXPECT_NEAR(d.actuator_length[0], c.length, 1e-14);
    EXPECT_NEAR(m.actuator_acc0[0], c.acc0, 1e-13);
    for (std::size_t k = 0; k < c.moment.size(); ++k) EXPECT_NEAR(moment_row(m, d, 0)[k], c.moment[k], 1e-14);
  }
}

TEST(Transmission, JointinparentEqualsJointOnHingesAndSlides) {
  for (const char* type : {"hinge", "slide"}) {
    const std::string joint = std::string("<joint name='q' axis='0 1 0' type='") + type + "'/>";
    const Model a = test::model_of(on_joint(joint, "<motor joint='q' gear='5'/>"));
    const Model b = test::model_of(on_joint(joint, "<general jointinparent='q' gear='5'/>"));
    EXPECT_EQ(a.actuator_trntype[0], 0);
    EXPECT_EQ(b.actuator_trntype[0], 1);
    EXPECT_EQ(test::world_of(a, {0.4}).actuator_length[0], 2);
    EXPECT_EQ(test::world_of(b, {0.4}).actuator_length[0], 2);
    EXPECT_EQ(moment_row(b, test::world_of(b, {0.4}), 0), std::vector<double>{5});
  }
}

TEST(Transmission, SliderCrankUsesItsOwnRodAfterAnOrientationActuator) {
  // MuJoCo 3.12.0 reads the rod at the output address (length 2); the actuator's own gives 1 in either order
  const std::string bodies = R"(<mujoco><worldbody><site name="slider"/><body><joint axis="0 1 0"/>
    <inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/><site name="crank" pos="0 0 1"/></body>
    <body><joint name="ball" type="ball"/><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body>
    </worldbody><actuator>)";
  const std::string crank = "<motor cranksite='crank' slidersite='slider' cranklength='0.5' gear='2'/>";
  const std::string orientation = "<orientation joint='ball' kp='10'/>";
  const Model before = test::model_of(bodies + crank + orientation + "</actuator></mujoco>");
  const Model behind = test::model_of(bodies + orientation + crank + "</actuator></mujoco>");
  ASSERT_EQ(behind.actuator_outadr[1], 3);
  EXPECT_EQ(test::world_of(before).actuator_length[0], 1);
  EXPECT_EQ(test::world_of(behind).actuator_length[3], 1);
}

TEST(Transmission, OrientationOfABallJointIsItsRotationVector) {
  const Model m = test::model_of(on_joint("<joint name='q' type='ball'/>", "<orientation joint='q' kp='10'/>"));
  const Vec3<double> turn(0.3, -0.5, 0.7);
  double quat[4];
  exp(turn).store(quat);
  const Data d = test::world_of(m, {quat, quat + 4});
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(d.actuator_length[k], turn[k], 1e-15);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(moment_row(m, d, k)[i], i == k);
  }
}

TEST(Transmission, OfABodyDistributesTheForceOverItsContacts) {
  const Model m =
      test::model_of(R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="b" pos="0 0 0.1"><freejoint/>
    <geom size="0.1"/></body></worldbody><actuator><adhesion body="b" ctrlrange="0 1"/></actuator></mujoco>)");
  Data d = test::world_of(m);
  EXPECT_EQ(d.moment_rownnz[0], 0);  // no contacts
  const auto touch = [&](double x, int exclude) {
    Contact c;
    c.geom = {0, 1};
    c.pos = {x, 0, 0};
    c.frame = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    c.exclude = exclude;
    d.contact.push_back(c);
    d.ncon = static_cast<int>(d.contact.size());
  };
  touch(0.05, 0);
  touch(-0.02, 1);  // in the gap: counts
  touch(0.5, 2);    // fused: does not
  transmission(m, d);
  // moment = -(1/n) Σ normal · J: the body translates along z, and rotates about y with lever arm -x
  const std::vector<double> row = moment_row(m, d, 0);
  const double expected[6] = {0, 0, -1, 0, 0.5 * (0.05 - 0.02), 0};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(row[i], expected[i], 1e-15) << "dof " << i;
  EXPECT_EQ(d.actuator_length[0], 0);
}

}  // namespace
}  // namespace sinew
