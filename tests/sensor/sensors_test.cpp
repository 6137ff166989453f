#include "sensor/sensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sinew/load.h"
#include "sinew/query.h"
#include "sinew/step.h"

namespace sinew {
namespace {

Model model_of(const char* text) {
  auto model = load_string(text);
  EXPECT_TRUE(model) << model.error().text();
  return std::move(*model);
}

void run(const Model& m, Data& d, int steps) {
  reset(m, d);
  for (int i = 0; i < steps; ++i) step(m, d);
  forward(m, d);
}

/// Largest error of each sensor, relative to the size of its values.
void expect_sensors(const Model& m, const Data& d, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(d.sensordata.size(), expected.size());
  for (int i = 0; i < m.nsensor; ++i)
    for (int k = m.sensor_adr[i]; k < m.sensor_adr[i] + m.sensor_dim[i]; ++k)
      EXPECT_NEAR(d.sensordata[k], expected[k], tolerance * std::max(1.0, std::abs(expected[k])))
          << "sensor " << i << " of type " << m.sensor_type[i] << ", number " << k - m.sensor_adr[i];
}

constexpr const char* kEverySensor = R"(<mujoco>
  <option timestep="0.005" magnetic="0.1 -0.5 0.3"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <site name="gate" type="box" size=".6 .6 .6" pos="0 0 .5"/>
    <camera name="eye" pos="0 -3 1" xyaxes="1 0 0 0 .2 1" resolution="3 2" fovy="50"/>
    <camera name="flat" pos="0 0 3" projection="orthographic" fovy="2" resolution="2 2"/>
    <body name="base" pos="0 0 .42" euler="5 10 0">
      <freejoint/>
      <geom name="trunk" type="box" size=".2 .15 .1" mass="3"/>
      <site name="imu" pos=".05 .02 .03" euler="0 20 30"/>
      <site name="belly" type="sphere" size=".5" pos="0 0 -.1"/>
      <body name="upper" pos=".25 0 0">
        <joint name="shoulder" axis="0 1 0" range="-20 30"/>
        <geom name="upper" type="capsule" fromto="0 0 0 .3 0 0" size=".04" mass=".8"/>
        <site name="mid" pos=".15 0 .04"/>
        <body name="lower" pos=".3 0 0">
          <joint name="wrist" type="ball" range="0 40"/>
          <geom name="lower" type="capsule" fromto="0 0 0 .2 0 0" size=".03" mass=".4"/>
          <site name="tip" pos=".2 0 0" euler="0 90 0"/>
        </body>
      </body>
    </body>
    <body name="ball" pos=".55 .1 .25"><joint name="slide" type="slide" axis="0 0 1" damping=".1"/><geom name="ball" size=".12" mass=".5"/></body>
  </worldbody>
  <tendon><spatial name="cord" limited="true" range="0 .34"><site site="imu"/><site site="mid"/></spatial></tendon>
  <actuator><position name="servo" joint="shoulder" kp="20" ctrlrange="-1 1"/><motor name="pull" tendon="cord" gear="2"/></actuator>
  <sensor>
    <touch site="belly"/><accelerometer site="imu"/><velocimeter site="imu"/><gyro site="imu"/><force site="mid"/><torque site="mid"/>
    <magnetometer site="imu"/><rangefinder site="tip"/><rangefinder site="imu" data="dist dir origin point normal depth"/>
    <rangefinder camera="eye" data="dist depth"/><rangefinder camera="flat" data="dist normal"/>
    <camprojection site="tip" camera="eye"/><jointpos joint="shoulder"/><jointvel joint="shoulder"/><tendonpos tendon="cord"/>
    <tendonvel tendon="cord"/><actuatorpos actuator="servo"/><actuatorvel actuator="servo"/><actuatorfrc actuator="servo"/>
    <jointactuatorfrc joint="shoulder"/><tendonactuatorfrc tendon="cord"/><ballquat joint="wrist"/><ballangvel joint="wrist"/>
    <jointlimitpos joint="shoulder"/><jointlimitvel joint="shoulder"/><jointlimitfrc joint="shoulder"/>
    <jointlimitpos joint="wrist"/><tendonlimitpos tendon="cord"/><tendonlimitvel tendon="cord"/><tendonlimitfrc tendon="cord"/>
    <framepos objtype="site" objname="tip" reftype="body" refname="base"/><framequat objtype="geom" objname="lower" reftype="xbody" refname="upper"/>
    <framexaxis objtype="camera" objname="eye"/><frameyaxis objtype="body" objname="lower"/><framezaxis objtype="site" objname="tip" reftype="site" refname="imu"/>
    <framelinvel objtype="site" objname="tip" reftype="body" refname="upper"/><frameangvel objtype="xbody" objname="lower" reftype="xbody" refname="base"/>
    <framelinacc objtype="site" objname="tip"/><frameangacc objtype="body" objname="lower"/>
    <subtreecom body="base"/><subtreelinvel body="base"/><subtreeangmom body="base"/>
    <insidesite site="gate" objtype="site" objname="tip"/><distance geom1="lower" geom2="ball" cutoff="1"/>
    <normal body1="lower" body2="ball" cutoff="1"/><fromto geom1="trunk" geom2="ball" cutoff="1"/>
    <contact geom1="floor" body2="base" num="2" data="found force torque dist pos normal tangent" reduce="mindist"/>
    <contact subtree1="base" data="found force torque pos" reduce="netforce"/><contact site="gate" num="3" data="found dist" reduce="maxforce"/>
    <e_potential/><e_kinetic/><clock/><accelerometer site="tip" cutoff="5"/>
  </sensor>
</mujoco>)";

TEST(Sensors, OfEveryKindMatchMuJoCo) {
  // MuJoCo 3.12.0, sensordata after 60 steps and one forward pass
  const std::vector<double> expected = {
      29.580673686878633,
      -1.8333605176199184,
      1.103820221707264,
      5.778199464952847,
      -0.19066273609337342,
      0.10731019432889316,
      -0.371317997576753,
      -1.216989036319461,
      -2.1200767803798457,
      0.012274545824673983,
      2.5417997120331224,
      -2.897716332056409,
      10.601622898533705,
      -0.023881737482892185,
      -1.7817618899894299,
      -0.9976638031879542,
      -0.18814983117489162,
      -0.4337066557976976,
      0.3556658231340714,
      0.0872543161888967,
      -1,
      0,
      0,
      0,
      0.03307533994373177,
      0.008828611284758304,
      0.1398394547978465,
      0,
      0,
      0,
      0,
      0,
      0,
      -1,
      -1,
      -1,
      -1,
      -1,
      -1,
      -1,
      -1,
      -1,
      -1,
      -1,
      -1,
      -1,
      -1,
      0,
      0,
      0,
      -1,
      0,
      0,
      0,
      -1,
      0,
      0,
      0,
      -1,
      0,
      0,
      0,
      1.9809344448056099,
      1.2572000601257758,
      -0.22449483648842994,
      -0.11871515961623541,
      0.3405719859883138,
      -0.006482678572611062,
      -0.22449483648842994,
      -0.11871515961623541,
      4.489896729768599,
      4.489896729768599,
      0,
      0.9315980123731079,
      -0.03321571873764308,
      0.301281283258222,
      0.2006276345110359,
      -10.581592266763975,
      2.738626499165553,
      -3.313597909858941,
      0,
      0,
      0,
      -0.045891619006327766,
      -0.0005719859883137612,
      0.006482678572611062,
      142.11053974554514,
      0.7119457967866397,
      0.07075881246879114,
      -0.012410682498152345,
      0.8717773103254072,
      0.11837810089479714,
      -0.4457012334524597,
      0.16535222081754208,
      1,
      0,
      0,
      -0.2050680462219307,
      0.9787407251120119,
      0.0036999224219861626,
      0.9837707582616331,
      -0.15945411783928776,
      -0.08227684664241824,
      -0.4861848519986604,
      -0.708018589204284,
      0.03916906220912589,
      -11.222188288118483,
      -1.9559566245446167,
      1.066365291893859,
      10.257748052606562,
      -17.21011125095834,
      27.022509164291044,
      430.6297895560876,
      13.727580208376764,
      -331.95104619783433,
      0.11110125999907743,
      -0.024223123615443983,
      0.1115625172584875,
      -0.28587967726667496,
      0.022994105665312296,
      -0.05716394454447461,
      -0.11828410634777613,
      -0.6054875890722156,
      -0.07380463005803434,
      0,
      0.04956096862308357,
      -0.1493851524585592,
      0.9828241685260013,
      0.1083546491208714,
      0.20749530986444722,
      0.10565232068765577,
      0.14862182032411497,
      0.4304442460511224,
      0.10197301666469456,
      0.12973938190056372,
      2,
      16.59251240483044,
      -2.8010289747403534,
      -6.639151171015628,
      0,
      0,
      0,
      -0.0025966966616415427,
      0.19473045826756366,
      0.10822461461043328,
      -0.0012983483308207713,
      0,
      0,
      1,
      0,
      1,
      0,
      2,
      12.988161282048193,
      -0.6695491170418322,
      3.708254953478656,
      0,
      0,
      0,
      -0.0024889890630424155,
      0.1342419633190922,
      -0.18561399819928884,
      -0.0012444945315212078,
      0,
      0,
      1,
      0,
      1,
      0,
      2,
      -2.930896217536972,
      3.4705780917821856,
      -29.580673686878633,
      0.09818123398338363,
      -0.019934952305921516,
      1.5073466476740172,
      0.16885436907874485,
      -0.017475225642829714,
      -0.0012753104669258378,
      3,
      -0.0025966966616415427,
      3,
      -0.0024889890630424155,
      3,
      -0.0003862737797607485,
      5.183304163194475,
      0.9458562074890705,
      0.30000000000000016,
      -5,
      -5,
      -5,
  };
  const Model m = model_of(kEverySensor);
  Data d(m);
  run(m, d, 60);
  expect_sensors(m, d, expected, 1e-7);
}

constexpr const char* kDelayed = R"(<mujoco>
  <option timestep="0.01"/>
  <worldbody><body><joint name="j" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/><site name="s" pos=".5 0 0"/></body></worldbody>
  <sensor>
    <jointpos joint="j" delay=".03" nsample="5"/><jointvel joint="j" delay=".025" nsample="6" interp="linear"/>
    <accelerometer site="s" delay=".025" nsample="6" interp="cubic"/><jointpos joint="j" nsample="2" interval=".05"/>
    <jointvel joint="j" nsample="4" interval=".03 -.01" delay=".02"/><gyro site="s" nsample="3"/>
  </sensor>
</mujoco>)";

TEST(DistanceSensor, OfAHeightFieldGeomIsRefusedButThatOfItsBodyUsesContacts) {
  const std::string world = R"(<asset>
      <hfield name="hill" nrow="3" ncol="3" size="1 1 .5 .1" elevation="0 1 0 1 2 1 0 1 .5"/></asset><worldbody>
    <body name="land"><geom name="land" type="hfield" hfield="hill"/></body>
    <body name="ball" pos=".3 .2 .55"><geom name="ball" size=".1"/></body></worldbody>)";
  for (const char* kind : {"distance", "normal", "fromto"}) {
    for (const char* pair : {"geom1='land' geom2='ball'", "geom1='ball' geom2='land'", "body1='ball' geom2='land'"}) {
      const Result<Model> m =
          load_string("<mujoco>" + world + "<sensor><" + kind + " " + pair + "/></sensor></mujoco>");
      ASSERT_FALSE(m) << kind << " " << pair;
      EXPECT_EQ(m.error().first().attribute, pair[4] == '1' && pair[7] == 'l' ? "geom1" : "geom2");
    }
  }
  const Result<Model> m = load_string("<mujoco>" + world + R"(<sensor>
      <distance body1="land" body2="ball" cutoff=".4"/><normal body1="land" geom2="ball" cutoff=".4"/>
      <fromto geom1="ball" body2="land" cutoff=".4"/><distance geom1="ball" body2="land"/></sensor></mujoco>)");
  ASSERT_TRUE(m) << m.error().text();
  Data d(*m);
  run(*m, d, 0);
  // MuJoCo 3.12.0, native
  expect_sensors(
      *m, d,
      {-0.37071043417436217, 0.70710630001169872, -0.70710726236106891, -5.1637915515323104e-09, 0.51211250029019484,
       -0.012151223432285391, 0.55015181822197889, 0.24998081680543119, 0.24998081680543113, 0.5501518201362503, 0},
      1e-10);
}

TEST(Sensors, WithDelayAndIntervalReadTheirHistory) {
  // MuJoCo 3.12.0, sensordata after 23 steps and one forward pass
  const std::vector<double> expected = {
      0.5661007629222997,  5.407225263332497,
      -20.110240837431608, 0,
      -3.1618148905562986, 0.5661007629222997,
      5.292239831561228,   0,
      5.955848283322636,   0,
  };
  const Model m = model_of(kDelayed);
  Data d(m);
  run(m, d, 23);
  expect_sensors(m, d, expected, 1e-10);
}

TEST(Sensors, ADelayOfKStepsIsTheValueKStepsAgo) {
  const Model m = model_of(kDelayed);
  Data d(m);
  reset(m, d);
  std::vector<double> qpos;
  for (int i = 0; i < 30; ++i) {
    qpos.push_back(d.qpos[0]);
    step(m, d);
    if (i >= 3) {
      EXPECT_EQ(d.sensordata[0], qpos[static_cast<std::size_t>(i - 3)]) << i;
    }
  }
}

TEST(Sensors, WithDelayRecordTheBodyForcesOfTheFirstPassIfAnotherSensorNeedsThem) {
  // MuJoCo 3.12.0, native: with RK4 the poses are always those of the last pass
  for (const bool other : {true, false}) {
    const std::string text = R"(<mujoco><option integrator="RK4"/><worldbody>
      <body><body><geom size="1"/><site name="s"/><site name="t"/></body>
        <body><joint axis="1 0 0"/><geom size="1" pos="0 1 0"/></body></body></worldbody>
      <sensor>)" + std::string(other ? R"(<force site="s"/>)" : "") +
                             R"(<torque site="t" nsample="1" delay="1"/></sensor></mujoco>)";
    const Model m = model_of(text.c_str());
    Data d(m);
    reset(m, d);
    d.qpos[0] = 1;
    d.qvel[0] = 3;
    step(m, d);
    EXPECT_NEAR(d.history[3] / (other ? -4022010.0348377586 : -1329510.576710542), 1, 1e-9);
  }
}

TEST(Sensors, WithDelayRecordTheEnergiesOfTheLastPassWhereTheFlagEnergyIsSet) {
  // MuJoCo 3.12.0, native: with RK4 the last pass is the one at the end of the step
  const Model m = model_of(R"(<mujoco><option integrator="RK4"><flag energy="enable"/></option><worldbody>
      <body><joint axis="0 1 0" stiffness="50" springref="30"/><geom size="0.1" pos="0.5 0 0"/></body></worldbody>
    <sensor><e_kinetic nsample="2" delay="0.002"/><e_potential nsample="2" delay="0.002"/></sensor></mujoco>)");
  Data d(m);
  reset(m, d);
  step(m, d);
  step(m, d);
  EXPECT_NEAR(d.sensordata[0], 0.00410377193699, 1e-12);
  EXPECT_NEAR(d.sensordata[1], 6.8497879804, 1e-9);
}

TEST(Sensors, KeepTheirOldValuesIfDisabled) {
  Model m = model_of(kEverySensor);
  Data d(m);
  run(m, d, 10);
  const std::vector<double> before(d.sensordata.begin(), d.sensordata.end());
  m.opt.disableflags |= kDisableSensor;
  for (int i = 0; i < 5; ++i) step(m, d);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), d.sensordata.begin()));
}

TEST(Sensors, ForwardDoesNotAdvanceTheHistory) {
  const Model m = model_of(kDelayed);
  Data d(m);
  run(m, d, 12);
  const std::vector<double> history(d.history.begin(), d.history.end()),
      values(d.sensordata.begin(), d.sensordata.end());
  forward(m, d);
  forward(m, d);
  EXPECT_TRUE(std::equal(history.begin(), history.end(), d.history.begin()));
  EXPECT_TRUE(std::equal(values.begin(), values.end(), d.sensordata.begin()));
}

TEST(UserSensor, IsFilledByTheCallbackOfItsWorldAndClippedByItsCutoff) {
  const Model m = model_of(R"(<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody>
      <sensor><user dim="2" needstage="vel" cutoff="3"/><clock/></sensor></mujoco>)");
  Data d(m);
  reset(m, d);
  d.callbacks.sensor = [](const Model&, Data& world, Stage stage) {
    if (stage != Stage::Vel) return;
    world.sensordata[0] = 7;
    world.sensordata[1] = -2;
  };
  forward(m, d);
  EXPECT_EQ(d.sensordata[0], 3);
  EXPECT_EQ(d.sensordata[1], -2);
  Data other(m);
  reset(m, other);
  forward(m, other);
  EXPECT_EQ(other.sensordata[0], 0);
}

// MuJoCo 3.12.0: the whole normal force in the first geom's site, 0 in the second geom's
TEST(TouchSensor, OfAContactOfItsBodyWithItselfLooksAlongTheNormalOfTheSecondGeom) {
  const Model m = model_of(R"(<mujoco><worldbody><body><joint/><geom name="a" size="1" pos="0 1 0"/>
      <geom name="b" size="1"/><site name="at_a" pos="0 1 0"/><site name="at_b"/></body></worldbody>
      <contact><pair geom1="a" geom2="b"/></contact>
      <sensor><touch site="at_a"/><touch site="at_b"/></sensor></mujoco>)");
  Data d(m);
  forward(m, d);
  ASSERT_EQ(d.ncon, 1);
  EXPECT_EQ(d.sensordata[0], contact_force(m, d, 0)[0]);
  EXPECT_EQ(d.sensordata[1], 0);
}

TEST(ForceSensor, MeasuresTheForceExertedByTheParent) {
  // MuJoCo 3.12.0: 2 kg at 0.3 m along x on a static child, site rotated by 90 degrees about z
  const Model m = model_of(R"(<mujoco><worldbody><body><body><geom pos=".3 0 0" size=".01" mass="2"/>
      <site name="s" euler="0 0 90"/></body></body></worldbody><sensor><force site="s"/><torque site="s"/></sensor></mujoco>)");
  Data d(m);
  reset(m, d);
  forward(m, d);
  const double expected[6] = {0, 0, 19.62, -5.886, 0, 0};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(d.sensordata[k], expected[k], 1e-12) << k;
}

}  // namespace
}  // namespace sinew
