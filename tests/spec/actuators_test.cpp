// Parameters set by each actuator element. Golden values: MuJoCo 3.12.0, actuator_gainprm, biasprm, dynprm, dyntype,
// gaintype, biastype, actnum and forcerange of the same elements on a hinge.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/load.h"

namespace sinew {
namespace {

using testing::DoubleNear;

spec::Actuator read(const std::string& element, const std::string& defaults = "") {
  const Result<Spec> spec =
      read_mjcf_string("<mujoco><default>" + defaults + "</default><actuator>" + element + "</actuator></mujoco>");
  EXPECT_TRUE(spec) << spec.error().text();
  return spec ? spec->actuators[0] : spec::Actuator();
}

struct Types {
  DynType dyn;
  GainType gain;
  BiasType bias;
};

void expect(const spec::Actuator& a, Types types, const std::vector<double>& gain, const std::vector<double>& bias,
            const std::vector<double>& dyn) {
  EXPECT_EQ(a.dyntype, types.dyn);
  EXPECT_EQ(a.gaintype, types.gain);
  EXPECT_EQ(a.biastype, types.bias);
  const auto same = [](const auto& array, const std::vector<double>& wanted, const char* what) {
    for (std::size_t i = 0; i < array.size(); ++i) {
      EXPECT_NEAR(array[i], i < wanted.size() ? wanted[i] : 0, 1e-15) << what << "[" << i << "]";
    }
  };
  same(a.gainprm, gain, "gainprm");
  same(a.biasprm, bias, "biasprm");
  same(a.dynprm, dyn, "dynprm");
}

constexpr Types kServo = {DynType::None, GainType::Fixed, BiasType::Affine};
constexpr Types kMuscle = {DynType::Muscle, GainType::Muscle, BiasType::Muscle};
constexpr Types kDcMotor = {DynType::DcMotor, GainType::DcMotor, BiasType::DcMotor};

TEST(Motor, HasAGainOfOneRegardlessOfItsClass) {
  expect(read(R"(<motor joint="j"/>)"), {DynType::None, GainType::Fixed, BiasType::None}, {1}, {}, {1});
  expect(read(R"(<motor joint="j"/>)", R"(<pid kp="1"/>)"), {DynType::None, GainType::Fixed, BiasType::None}, {1},
         {0, -1}, {1});
}

TEST(Position, IsASpringWithDamping) {
  expect(read(R"(<position joint="j" kp="-3"/>)"), kServo, {-3}, {0, 3}, {1});
  expect(read(R"(<position joint="j" kv="2"/>)", R"(<position dampratio="1"/>)"), kServo, {1}, {0, -1, -2}, {1});
  expect(read(R"(<position joint="j" dampratio="0.5"/>)"), kServo, {1}, {0, -1, 0.5}, {1});
}

TEST(Position, TimeconstEnablesOrDisablesAFilter) {
  const Types filtered = {DynType::FilterExact, GainType::Fixed, BiasType::Affine};
  expect(read(R"(<position joint="j"/>)", R"(<position timeconst=".3"/>)"), filtered, {1}, {0, -1}, {0.3});
  expect(read(R"(<position joint="j" timeconst="0"/>)", R"(<position timeconst=".3"/>)"), kServo, {1}, {0, -1}, {0});
}

TEST(Velocity, InheritsTheGainOfAnyShortcut) {
  expect(read(R"(<velocity joint="j"/>)", R"(<position kp="50"/>)"), kServo, {50}, {0, 0, -50}, {1});
  expect(read(R"(<velocity joint="j" kv="-2"/>)"), kServo, {-2}, {0, 0, 2}, {1});
}

// a defect of MuJoCo that models may rely on: the error of the servo is ignored, and the types remain those of the
// class
TEST(IntVelocity, KeepsTheTypesOfTheClassIfTheServoIsInvalid) {
  expect(read(R"(<intvelocity joint="j" kp="3" kv="1"/>)"), {DynType::Integrator, GainType::Fixed, BiasType::Affine},
         {3}, {0, -3, -1}, {1});
  const Types dropped = {DynType::Integrator, GainType::Fixed, BiasType::None};
  expect(read(R"(<intvelocity joint="j" kp="3" kv="1" dampratio="1"/>)"), dropped, {3}, {0, -3}, {1});
  expect(read(R"(<intvelocity joint="j" kp="3" kv="-1"/>)"), dropped, {3}, {0, -3}, {1});
  expect(read(R"(<intvelocity joint="j" kp="3" inheritrange="1" ctrlrange="0 1"/>)"), dropped, {3}, {0, -3}, {1});
}

TEST(Orientation, IsAServoOnRotations) {
  const spec::Actuator a = read(R"(<orientation site="s" refsite="w" kp="2" input="quat"/>)");
  expect(a, {DynType::None, GainType::So3, BiasType::So3}, {2}, {0, -2}, {1});
  EXPECT_EQ(a.input, kChartQuat);
}

TEST(Pid, HasStateOnlyWithIntegralOrSlewLimit) {
  const Types stateless = {DynType::None, GainType::Pid, BiasType::Affine};
  const Types stateful = {DynType::Pid, GainType::Pid, BiasType::Affine};
  expect(read(R"(<pid joint="j" kp="2" imax="5"/>)"), stateless, {}, {0, -2}, {1});
  expect(read(R"(<pid joint="j" kp="2" ki="1" imax="5"/>)"), stateful, {1}, {0, -2}, {5});
  expect(read(R"(<pid joint="j" kp="2" ki="1"/>)"), stateful, {1}, {0, -2}, {0});
  expect(read(R"(<pid joint="j" kp="2" slewmax="3"/>)"), stateful, {}, {0, -2}, {1, 3});
  expect(read(R"(<pid joint="j" kp="2"/>)", R"(<pid ki="3" imax="4"/>)"), stateful, {3}, {0, -2}, {4});
  expect(read(R"(<pid joint="j" kp="2" ki="0"/>)", R"(<pid ki="3" imax="4"/>)"), stateless, {}, {0, -2}, {4});
  expect(read(R"(<pid joint="j" kp="2" slewmax="3"/>)", R"(<general dynprm="6 7 8"/>)"), stateful, {}, {0, -2},
         {6, 3, 8});
  EXPECT_EQ(read(R"(<pid joint="j"/>)", R"(<pid kp="1" input="pos ff"/>)").input, kInputPos | kInputFf);
  EXPECT_THAT(read(R"(<pid joint="j" posrange="-1 1" ctrlrange="-3 3"/>)").ctrlrange, testing::ElementsAre(-1, 1));
}

TEST(Damper, HasANegativeVelocityGainAndALimitedControl) {
  const Types types = {DynType::None, GainType::Affine, BiasType::None};
  const spec::Actuator a = read(R"(<damper joint="j" kv="2" ctrlrange="0 1"/>)");
  expect(a, types, {0, 0, -2}, {}, {1});
  EXPECT_EQ(a.ctrllimited, spec::Tri::True);
  expect(read(R"(<damper joint="j" ctrlrange="0 1"/>)", R"(<damper kv="3"/>)"), types, {0, 0, -3}, {}, {1});
  expect(read(R"(<damper joint="j" ctrlrange="0 1"/>)", R"(<general gainprm="1 2 -3"/>)"), types, {}, {}, {1});
}

TEST(Cylinder, ComputesItsAreaFromTheDiameter) {
  const Types types = {DynType::Filter, GainType::Fixed, BiasType::Affine};
  expect(read(R"(<cylinder joint="j" timeconst=".2" diameter="2" bias="1 2 3"/>)"), types, {3.141592653589793},
         {1, 2, 3}, {0.2});
  expect(read(R"(<cylinder joint="j" timeconst=".2" diameter="-1" area="3"/>)"), types, {3}, {}, {0.2});
}

TEST(Muscle, ReplacesTheDefaultsOfAGeneralActuator) {
  const std::vector<double> own = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
  expect(read(R"(<muscle joint="j"/>)"), kMuscle, own, own, {0.01, 0.04});
  const std::vector<double> mixed = {0.75, 1, 1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
  expect(read(R"(<muscle joint="j"/>)", R"(<general gainprm="1 1 1" dynprm="1 1"/>)"), kMuscle, mixed, mixed,
         {0.01, 1});
  const std::vector<double> ignored = {0.75, 2, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
  expect(read(R"(<muscle joint="j" timeconst="-1 .5" force="-3" range="-1 2" scale="-1"/>)"), kMuscle, ignored, ignored,
         {0.01, 0.5});
  const std::vector<double> inherited = {0.75, 1.05, 4, 3, 0.1, 1.6, 1.5, 1.3, 1.2};
  expect(read(R"(<muscle joint="j" force="4"/>)", R"(<muscle scale="3" lmin=".1" timeconst=".1 .2"/>)"), kMuscle,
         inherited, inherited, {0.1, 0.2});
}

TEST(Adhesion, KeepsTheDynamicsOfItsClass) {
  expect(
      read(R"(<adhesion body="b" ctrlrange="0 1"/>)", R"(<general dyntype="filter" gainprm="7" biastype="affine"/>)"),
      {DynType::Filter, GainType::Fixed, BiasType::None}, {7}, {}, {1});
}

TEST(DcMotor, DerivesItsConstants) {
  expect(read(R"(<dcmotor joint="j" nominal="12 2 100"/>)"), kDcMotor, {0.72, 0.12}, {}, {});
  expect(read(R"(<dcmotor joint="j" nominal="12 2 100" damping=".001"/>)"), kDcMotor,
         {0.6839999999999999, 0.11399999999999999}, {}, {});
  expect(read(R"(<dcmotor joint="j" nominal="12 2 100" damping=".001" resistance="1.5"/>)"), kDcMotor,
         {1.5, 0.10582575694955838}, {}, {});
  expect(read(R"(<dcmotor joint="j" nominal="12 2 100" damping="1" resistance="1.5"/>)"), kDcMotor, {1.5, 0.12}, {},
         {});
  expect(read(R"(<dcmotor joint="j" nominal="12 2 100" damping="1"/>)"), kDcMotor, {0.72, 0.12}, {}, {});
  const std::string known = R"(<dcmotor motorconst="2 3" resistance="4"/>)";
  expect(read(R"(<dcmotor joint="j" nominal="12 2 100"/>)", known), kDcMotor, {4, 0.5421612021659068}, {}, {});
}

constexpr const char* kFullMotor =
    R"(motorconst="2 3" resistance="4" saturation="1 2 3" inductance=".1 .2" cogging="1 2 3"
  thermal="1 2 0 4 5 6" lugre="1 2 3 4 5" controller="1 2 3 4 5 6" input="pos vel ff")";

TEST(DcMotor, MapsItsAttributesToTheParameters) {
  const std::vector<double> gain = {4, 2.449489742783178, 4, 5, 1, 2, 3, 6}, bias = {1, 2, 3, 3, 4, 5},
                            dyn = {0.025, 3, 1, 2, 6, 1, 2, 4, 5};
  for (const spec::Actuator& a : {read(std::string("<dcmotor joint='j' ") + kFullMotor + "/>"),
                                  read("<dcmotor joint='j'/>", std::string("<dcmotor ") + kFullMotor + "/>")}) {
    expect(a, kDcMotor, gain, bias, dyn);
    EXPECT_EQ(a.actdim, 5);
    EXPECT_EQ(a.input, kInputPos | kInputVel | kInputFf);
    EXPECT_THAT(a.forcerange, testing::ElementsAre(-1, 1));
    EXPECT_EQ(a.forcelimited, spec::Tri::True);
    EXPECT_TRUE(a.actearly);
  }
}

TEST(DcMotor, CompletesTheThermalConstants) {
  const auto thermal = [](const std::string& numbers) {
    return read("<dcmotor joint='j' motorconst='2 3' resistance='4' thermal='" + numbers + "'/>");
  };
  expect(thermal("1 0 8"), kDcMotor, {4, 2.449489742783178}, {}, {0, 0, 1, 8});
  expect(thermal("0 2 3"), kDcMotor, {4, 2.449489742783178}, {}, {0, 0, 1.5, 2});
  expect(thermal("1 2 3"), kDcMotor, {4, 2.449489742783178}, {}, {0, 0, 1, 2});
  expect(thermal("0 0 0 4 5 6"), kDcMotor, {4, 2.449489742783178}, {}, {});
  EXPECT_EQ(thermal("0 0 0 4 5 6").actdim, 0);
}

TEST(DcMotor, LimitsItsForceByTheCurrentIfNoTorqueIsGiven) {
  const spec::Actuator a = read(R"(<dcmotor joint="j" motorconst="2 3" resistance="4" saturation="0 2 0"/>)");
  EXPECT_THAT(a.forcerange,
              testing::ElementsAre(DoubleNear(-4.898979485566356, 1e-14), DoubleNear(4.898979485566356, 1e-14)));
}

TEST(Transmission, TheLastTargetInAFixedOrderIsUsed) {
  EXPECT_EQ(read(R"(<motor tendon="t" joint="j"/>)").trntype, TrnType::Tendon);
  EXPECT_EQ(read(R"(<motor site="s" joint="j"/>)").target, "s");
  EXPECT_EQ(read(R"(<motor cranksite="s" tendon="t"/>)").trntype, TrnType::SliderCrank);
  EXPECT_EQ(read(R"(<motor/>)").trntype, TrnType::Undefined);
}

TEST(Shortcut, MessagesNameTheElementAsWritten) {
  for (const char* name : {"general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder"}) {
    const std::string text = std::string("<mujoco><default><position kp='3'/></default><actuator><") + name +
                             " name='a' joint='gone'/></actuator></mujoco>";
    const Result<Model> model = load_string(text);
    ASSERT_FALSE(model) << name;
    EXPECT_THAT(model.error().text(), testing::HasSubstr(std::string("<") + name + " name=\"a\" joint>")) << name;
  }
}

}  // namespace
}  // namespace sinew
