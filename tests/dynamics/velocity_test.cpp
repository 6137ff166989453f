#include "dynamics/velocity.h"

#include <gtest/gtest.h>

#include "dynamics/jacobian.h"
#include "dynamics/smooth_level.h"

namespace sinew {
namespace {

using namespace test;

/// Two trees with every kind of joint, several joints on one body, anchors and centers of mass off the frames.
const std::string kMixed = R"(<mujoco><worldbody>
  <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".05 0 0" mass="2"/>
    <body pos=".3 .1 0" euler="40 5 6"><joint type="ball" pos="0 .1 0"/><geom size=".1" pos=".1 .1 .2" mass=".5"/>
      <body pos=".1 0 .2"><joint type="slide" axis="1 1 0"/><joint axis="0 1 0" pos=".1 0 0" armature=".2"/>
        <joint axis="1 0 0" pos="0 .1 0"/><geom type="capsule" size=".07 .12" mass=".4"/></body></body></body>
  <body pos="2 0 0"><joint type="slide"/><joint axis="1 1 1" pos="0 0 .2"/>
    <geom size=".1" pos=".1 .1 .2" mass=".5"/></body></worldbody></mujoco>)";

/// A tendon with armature across the tree, with a configuration-dependent Jacobian.
const std::string kTendonArmature = R"(<mujoco><worldbody><site name="w" pos="0 .2 .5"/>
  <body><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
    <body pos=".5 0 0"><joint type="ball"/><geom type="box" size=".1 .2 .05" pos=".2 0 0"/>
      <site name="s" pos=".3 0 .1"/>
      <body pos=".2 .1 0"><joint axis="1 0 0"/><geom size=".1" pos="0 .1 .2"/><site name="r" pos=".1 .2 0"/></body>
    </body></body></worldbody>
  <tendon><spatial armature="3"><site site="w"/><site site="s"/><pulley divisor="2"/><site site="w"/><site site="s"/>
    <site site="r"/></spatial></tendon></mujoco>)";

class Velocity : public testing::TestWithParam<Golden> {};

TEST_P(Velocity, MatchesMuJoCo) {
  const Golden& golden = GetParam();
  const Model m = model_of(golden.model);
  Data d = golden_world(m, golden);
  kinetic_energy(m, d);
  potential_energy(m, d);
  subtree_velocity(m, d);
  applied_body_forces(m, d);
  body_accelerations(m, d);
  for (const auto& [name, values] : golden.out) expect_golden(name, field(d, name), values);
}

// MuJoCo 3.12.0: inputs written into mjData, mj_forward with the energy flag; then mj_subtreeVel, mj_rnePostConstraint.
INSTANTIATE_TEST_SUITE_P(
    Golden, Velocity,
    testing::ValuesIn(std::vector<Golden>{
        {"VelocitiesOfAMixedTree",
         kMixed,
         {{"qpos", {0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.6, 0.7, 0.1, 0.7, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7}},
          {"qvel", {1, -2, 0.5, 0.7, 1.5, -0.8, 2.5, -1.5, 0.4, 0.8, -1.2, 0.6, 0.9, -0.7}}},
         {{"cvel",
           {0,
            0,
            0,
            0,
            0,
            0,
            -0.9972972972972973,
            0.47297297297297297,
            1.4702702702702704,
            0.7847425744345173,
            -2.0033683458747196,
            0.35507255605590593,
            -3.864543819829186,
            -0.10771833661384217,
            1.1513737635488253,
            0.8158398509179822,
            -2.2809715459219686,
            0.5809709475563982,
            -4.720143870646623,
            -0.7616531949713172,
            0.35117519190164487,
            0.6271642223759194,
            -2.8494283618257934,
            1.704902779837432,
            -0.40414518843273806,
            -0.40414518843273806,
            -0.40414518843273806,
            0.045942475025685846,
            -0.01587898295459367,
            0.8699365079289079}},
          {"cdof_dot",
           {0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            -0.6756756756756757,
            -0.13963963963963963,
            0.7927927927927928,
            0,
            0,
            0,
            -1.9324324324324327,
            -1.0360360360360361,
            -0.27927927927927926,
            0,
            0,
            0,
            -0.2432432432432433,
            0.3963963963963964,
            2.0720720720720722,
            0.5391222233449819,
            -0.8554608206887693,
            0.6408855588875606,
            -0.5562366743516018,
            -0.4864121801167185,
            -1.8289900406502226,
            0.04413442967286724,
            1.4363953120813986,
            -0.43213892475175864,
            -1.8254586685220633,
            -0.49419956764555323,
            0.9587716475108052,
            -1.4466504350452192,
            -0.601042310103197,
            -0.7879257468081367,
            0.031134909063201432,
            -0.055221326760792694,
            0.18233301603389848,
            0,
            0,
            0,
            -0.123948336091735,
            3.20410992717853,
            -0.11626318818074978,
            -0.39191014431701876,
            3.8753930870437703,
            -0.9528643641366401,
            -2.796788232023078,
            -0.46539168121242425,
            -0.5269449726169709,
            -0.14072019567431648,
            1.8861249827831799,
            2.1993397255123512,
            -0.4737158443044004,
            0.16444583760028153,
            -1.1327222717790404,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            -0.5196152422706632,
            0.5196152422706632,
            0}},
          {"qfrc_bias",
           {-1.3152010710445738, -2.400440274423115, 27.442762590449345, 0.7698157041783467, 0.3710879124317329,
            5.198551847326225, -1.3767965887033133, 1.5370431452843547, 0.8118967111458251, 3.099429463462151,
            0.1878582077384784, -0.11901575183532931, 4.917492422392313, 0.21065918372672449}},
          {"energy", {15.373118513768807, 6.988927986573637}}}},
        {"SubtreeMomenta",
         kMixed,
         {{"qpos", {0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.6, 0.7, 0.1, 0.7, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7}},
          {"qvel", {1, -2, 0.5, 0.7, 1.5, -0.8, 2.5, -1.5, 0.4, 0.8, -1.2, 0.6, 0.9, -0.7}}},
         {{"subtree_linvel",
           {0.6587489634834514, -1.622587621488637, 0.33202824710879625, 0.7644052545968593, -1.8996063522703688,
            0.23928544351912187, 0.39801853308037005, -1.670303151109426, -0.23547563294489166, 0.26905513527384534,
            -1.4082880157573991, 0.017205934529964884, 0.045942475025685846, -0.01587898295459367, 0.8699365079289079}},
          {"subtree_angmom",
           {-0.7260777894669448, -0.8141189484146405, 1.7301777240968714, -0.32411864772558696, -0.14125752775558598,
            0.18059947804049756, -0.041811706689859895, 0.0016051690166716927, -0.015109330258840982,
            -0.01852149134425561, -0.006797224111805927, -0.0005338472635679848, -0.0008082903768654762,
            -0.0008082903768654765, -0.0008082903768654765}}}},
        {"AccelerationsAndInteractionForces",
         kMixed,
         {{"qpos", {0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.6, 0.7, 0.1, 0.7, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7}},
          {"qvel", {1, -2, 0.5, 0.7, 1.5, -0.8, 2.5, -1.5, 0.4, 0.8, -1.2, 0.6, 0.9, -0.7}},
          {"xfrc_applied",
           {0, 0, 0, 0, 0, 0, 1, 2, 3, 0.4, 0.5, 0.6, 0, 0, 0, 0, 0, 0, -1, 0, 2, 0, 0.3, 0, 0, 0, 0, 0, 0, 0}},
          {"qacc",
           {1.1496150893236121, 1.6156242996015682, -9.009914578094651, 7.292124825817233, 6.888258352031204,
            4.12444980557132, 12.093123762534256, -1.039367473439718, 15.672475285688947, 1.3761350113286328,
            0.07233574004252949, -32.2723012337884, -9.84020862658289, 0.12163082219910137}}},
         {{"cacc",
           {0,
            0,
            0,
            0,
            0,
            9.81,
            2.7440857838607537,
            6.9153818650744645,
            7.891879412999003,
            -2.746307664544119,
            -1.1789964363933603,
            0.2519651063495214,
            -12.426618108025421,
            14.07040454317476,
            11.913365166217407,
            -2.4320864458596905,
            -3.5572977084402955,
            -3.101688495719487,
            10.001959026013422,
            29.15991682000004,
            -0.09273747025103418,
            -11.780040697428607,
            5.824567385237305,
            -12.093523113167267,
            0.0702235879384067,
            0.0702235879384067,
            0.0702235879384067,
            0.3557477824305559,
            -0.3609715642288175,
            -0.024984844784627924}},
          {"cfrc_ext", {0, 0, 0, 0, 0, 0, 0.2036437695706978, 0.20979090210547374, 0.8589248087394515, 1,  2, 3,
                        0, 0, 0, 0, 0, 0, 0.6347250926630136, 0.47427971394420154, 0.3173625463315068, -1, 0, 2,
                        0, 0, 0, 0, 0, 0}},
          {"cfrc_int",
           {0.00014044717587648038, 0.00014044717587625833,  0.0001404471758765914,   -0.0011251430245989291,
            -0.013979170266848306,  -9.06739960893077e-15,   -3.3306690738754696e-16, -5.551115123125783e-16,
            -2.220446049250313e-16, -1.3322676295501878e-15, -1.7763568394002505e-15, -8.43769498715119e-15,
            0.1838780759563945,     -0.14628868349922658,    -0.0213118190997601,     -0.5431374608281758,
            -0.8264724448053031,    0.9868934474140687,      -0.2656668179308813,     -0.13054027701187576,
            -0.3757943248482388,    0.2696792753143451,      1.1137034876534067,      0.07825684606003991,
            0.00014044717587681344, 0.00014044717587681344,  0.00014044717587681344,  -0.0011251430245975969,
            -0.01397917026684653,   -6.29704621779581e-16}}}},
    }),
    golden_name);

TEST(Velocity, BodyVelocityIsItsJacobianTimesQvel) {
  std::mt19937 random(5);
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Model m = model_of(RandomForest(seed).text(8));
    Data d = world_of(m);
    displace(m, d, random);
    random_velocity(d, random);
    smooth_forces(m, d);
    std::vector<double> jacp(std::size_t(3 * m.nv)), jacr(jacp);
    for (int body = 1; body < m.nbody; ++body) {
      const FramePose<double> frame = frame_pose(m, d, ObjType::Body, body);
      jacobian(m, d, jacp.data(), jacr.data(), frame.pos, body);
      const Motion<double> v = object_velocity(m, d, frame, false);
      for (int k = 0; k < 3; ++k) {
        double w = 0, u = 0;
        for (int dof = 0; dof < m.nv; ++dof) {
          w += jacr[std::size_t(k * m.nv + dof)] * d.qvel[dof];
          u += jacp[std::size_t(k * m.nv + dof)] * d.qvel[dof];
        }
        EXPECT_NEAR(v.w[k], w, 1e-13);
        EXPECT_NEAR(v.v[k], u, 1e-13);
      }
    }
  }
}

TEST(Bias, NewtonEulerWithAccelerationIsInertiaTimesAccelerationPlusBias) {
  std::mt19937 random(6);
  for (unsigned seed = 0; seed < 10; ++seed) {
    Model m = model_of(RandomForest(seed).text(8));
    Data d = world_of(m);
    displace(m, d, random);
    random_velocity(d, random);
    smooth_forces(m, d);
    std::vector<double> qacc(std::size_t(m.nv)), force(qacc), inertial(qacc);
    for (double& x : qacc) x = std::uniform_real_distribution<double>(-1, 1)(random);
    rne(m, d, qacc.data(), force.data());
    mul_tree_sparse(m, d.M.data(), qacc.data(), inertial.data());
    for (int i = 0; i < m.nv; ++i) {
      const double expected = inertial[std::size_t(i)] - m.dof_armature[i] * qacc[std::size_t(i)] + d.qfrc_bias[i];
      EXPECT_NEAR(force[std::size_t(i)], expected, 1e-12) << "seed " << seed << " dof " << i;
    }
  }
}

/// The world a time h later (or earlier) on its motion with acceleration qacc, with all stages computed.
Data moved_world(const Model& m, const Data& start, const std::vector<double>& qacc, double h) {
  Data d = start;
  integrate_position(m, d.qpos.data(), start.qvel.data(), h);
  for (int i = 0; i < m.nv; ++i) d.qvel[i] += h * qacc[std::size_t(i)];
  positions(m, d);
  smooth_forces(m, d);
  potential_energy(m, d);
  kinetic_energy(m, d);
  subtree_velocity(m, d);
  return d;
}

/// M⁻¹ (passive - bias).
std::vector<double> free_acceleration(const Model& m, const Data& d) {
  std::vector<double> qacc(std::size_t(m.nv));
  for (int i = 0; i < m.nv; ++i) qacc[std::size_t(i)] = d.qfrc_passive[i] - d.qfrc_bias[i];
  solve_inertia(m, d, qacc.data());
  return qacc;
}

TEST(Bias, MotionWithoutDissipationConservesEnergy) {
  std::mt19937 random(7);
  std::vector<std::string> texts = {kMixed, kTendonArmature};
  for (unsigned seed = 0; seed < 6; ++seed) texts.push_back(RandomForest(seed).text(7));
  for (const std::string& text : texts) {
    const Model m = model_of(text);
    Data d = world_of(m);
    displace(m, d, random, 0.5);
    random_velocity(d, random);
    smooth_forces(m, d);
    const std::vector<double> qacc = free_acceleration(m, d);
    const double h = 1e-5;
    const Data after = moved_world(m, d, qacc, h), before = moved_world(m, d, qacc, -h);
    const double rate = (after.energy[0] + after.energy[1] - before.energy[0] - before.energy[1]) / (2 * h);
    EXPECT_NEAR(rate, 0, 1e-7 * (1 + std::abs(after.energy[1]))) << text;
  }
}

TEST(Bias, AFloatingTreeConservesItsMomenta) {
  Model m = model_of(kMixed);
  m.opt.disableflags |= kDisableGravity;
  std::mt19937 random(8);
  Data d = world_of(m);
  displace(m, d, random);
  random_velocity(d, random);
  // armature is not part of any body, so without it the momentum is that of the bodies
  std::fill(m.dof_armature.begin(), m.dof_armature.end(), 0.0);
  positions(m, d);
  smooth_forces(m, d);
  const std::vector<double> qacc = free_acceleration(m, d);
  const double h = 1e-5;
  const Data after = moved_world(m, d, qacc, h), before = moved_world(m, d, qacc, -h);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(after.subtree_linvel[3 + k], before.subtree_linvel[3 + k], 2 * h * 1e-7);
    EXPECT_NEAR(after.subtree_angmom[3 + k], before.subtree_angmom[3 + k], 2 * h * 1e-7);
  }
}

TEST(BodyAccelerations, TheRootTransmitsTheLoadOfTheTree) {
  // at rest a fixed base carries the total weight, reduced by external forces
  const Model m = model_of(R"(<mujoco><worldbody><body><geom size=".1" mass="2"/>
    <body pos="1 0 0"><joint axis="0 1 0"/><geom size=".1" mass="3" pos=".5 0 0"/></body></body>
    </worldbody></mujoco>)");
  Data d = world_of(m);
  d.xfrc_applied[12 + 2] = 4;
  smooth_forces(m, d);
  applied_body_forces(m, d);
  body_accelerations(m, d);
  EXPECT_NEAR(d.cfrc_int[6 + 5], 5 * 9.81 - 4, 1e-12);
  EXPECT_NEAR(d.cfrc_int[5], 5 * 9.81 - 4, 1e-12);
  // qacc is zero here: the hinge's part of the moment about the tree's center of mass is the bias force
  EXPECT_NEAR(d.qfrc_bias[0], -3 * 9.81 * 0.5, 1e-12);
}

}  // namespace
}  // namespace sinew
