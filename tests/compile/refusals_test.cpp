#include "compile/compiled.h"

// Models that MuJoCo 3.12.0 refuses too (oracle: check). Expected: the element and attribute at fault.

namespace sinew {
namespace {

using namespace testing_compile;

struct Refusal {
  const char* text;
  const char* element;
  const char* attribute;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.text; }

class RefusedInTheWorld : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedInTheWorld, NamesElementAttributeAndLine) {
  const Problem problem = refused("<mujoco>\n<worldbody>\n" + std::string(GetParam().text) + "</worldbody></mujoco>");
  EXPECT_EQ(problem.element, GetParam().element) << problem.text();
  EXPECT_EQ(problem.attribute, GetParam().attribute) << problem.text();
  EXPECT_EQ(problem.line, 3) << problem.text();
}

INSTANTIATE_TEST_SUITE_P(
    Tree, RefusedInTheWorld,
    testing::Values(
        Refusal{"<body><joint/><joint type='free'/><geom size='1'/></body>", "joint", "type"},
        Refusal{"<body><geom size='1'/><body><freejoint/><geom size='1'/></body></body>", "joint", "type"},
        Refusal{"<body><joint type='ball'/><joint/><geom size='1'/></body>", "joint", "type"},
        Refusal{"<body><joint type='slide'/><joint type='slide'/><joint type='slide'/><joint type='slide'/>"
                "<joint type='ball'/><geom size='1'/></body>",
                "body", ""},
        Refusal{"<body><joint/></body>", "body", ""}, Refusal{"<body><joint/><geom size='1e-5'/></body>", "body", ""},
        Refusal{"<body mocap='true'><joint/><geom size='1'/></body>", "body", "mocap"},
        Refusal{"<body><body mocap='true'/></body>", "body", "mocap"}, Refusal{"<body name='world'/>", "body", "name"},
        Refusal{"<geom name='a' size='1'/><geom name='a' size='1'/>", "geom", "name"},
        Refusal{"<geom size='1' condim='2'/>", "geom", "condim"}, Refusal{"<geom size='-1'/>", "geom", "size"},
        Refusal{"<geom type='capsule' size='1'/>", "geom", "size"},
        Refusal{"<geom type='plane' size='1 1 0'/>", "geom", "size"},
        Refusal{"<geom type='sphere' size='1' fromto='0 0 0 0 0 1'/>", "geom", "fromto"},
        Refusal{"<geom type='capsule' size='1' fromto='0 0 0 0 0 1' pos='1 0 0'/>", "geom", "fromto"},
        Refusal{"<geom type='capsule' size='1' fromto='0 0 0 0 0 1e-8'/>", "geom", "fromto"},
        Refusal{"<body><joint/><geom size='1'/><body><geom type='plane' size='1 1 1'/></body></body>", "geom", "type"},
        Refusal{"<geom size='1' material='none'/>", "geom", "material"},
        Refusal{"<body><geom size='1' mass='-1'/></body>", "geom", "mass"},
        Refusal{"<body><geom size='1' density='-1'/></body>", "geom", "density"},
        Refusal{"<body><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 5 0 0'/></body>", "inertial", "fullinertia"},
        Refusal{"<body><geom size='1'/><joint axis='0 0 1e-8'/></body>", "joint", "axis"},
        Refusal{"<body><geom size='1'/><joint limited='true' range='1 0'/></body>", "joint", "range"},
        Refusal{"<body><geom size='1'/><joint type='ball' limited='true' range='1 2'/></body>", "joint", "range"},
        Refusal{"<body><geom size='1'/><joint actuatorfrclimited='true'/></body>", "joint", "actuatorfrcrange"},
        Refusal{"<body><geom size='1'/><joint springdamper='1 0'/></body>", "joint", "springdamper"},
        Refusal{"<site type='plane' size='1 1 1'/>", "site", "type"}, Refusal{"<camera fovy='180'/>", "camera", "fovy"},
        Refusal{"<camera focal='1 1'/>", "camera", ""}, Refusal{"<camera target='nobody'/>", "camera", "target"},
        Refusal{"<light dir='0 0 0'/>", "light", "dir"}, Refusal{"<light softness='2'/>", "light", "softness"}));

class RefusedAfterTheWorld : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedAfterTheWorld, NamesElementAndAttribute) {
  const Problem problem = refused(R"(<mujoco><worldbody><site name="w"/><camera name="blind" resolution="0 0"/>
      <body name="r"><joint name="j" type="slide"/><geom name="g" size=".1"/><geom name="box" type="box" size=".1 .1 .1"/>
      <site name="s" pos="1 0 0"/><body pos="1 0 0"><joint name="ball" type="ball"/><geom size=".1"/></body></body></worldbody>)" +
                                  std::string(GetParam().text) + "</mujoco>");
  EXPECT_EQ(problem.element, GetParam().element) << problem.text();
  EXPECT_EQ(problem.attribute, GetParam().attribute) << problem.text();
}

INSTANTIATE_TEST_SUITE_P(
    Relations, RefusedAfterTheWorld,
    testing::Values(Refusal{"<contact><pair geom1='g' geom2='nobody'/></contact>", "pair", "geom2"},
                    Refusal{"<contact><pair geom1='g' geom2='box' condim='2'/></contact>", "pair", "condim"},
                    Refusal{"<contact><exclude body1='r' body2='nobody'/></contact>", "exclude", "body2"},
                    Refusal{"<equality><weld body1='r' body2='r'/></equality>", "weld", "body2"},
                    Refusal{"<equality><connect body1='world' anchor='0 0 0'/></equality>", "connect", "body2"},
                    Refusal{"<equality><joint joint1='ball'/></equality>", "joint", "joint1"},
                    Refusal{"<equality><tendon tendon1='nobody'/></equality>", "tendon", "tendon1"},
                    Refusal{"<asset><mesh name='m' material='none' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
                            "<worldbody><geom type='mesh' mesh='m'/></worldbody>",
                            "geom", "material"},
                    Refusal{"<custom><tuple name='t'/></custom>", "tuple", ""},
                    Refusal{"<custom><tuple name='t'><element objtype='body' objname='nobody'/></tuple></custom>",
                            "element", "objname"},
                    Refusal{"<keyframe><key qpos='0 0 0 0 0 0'/></keyframe>", "key", "qpos"},
                    Refusal{"<keyframe><key ctrl='1'/></keyframe>", "key", "ctrl"}));

INSTANTIATE_TEST_SUITE_P(
    Tendons, RefusedAfterTheWorld,
    testing::Values(
        Refusal{"<tendon><spatial/></tendon>", "spatial", ""},
        Refusal{"<tendon><spatial><site site='s'/></spatial></tendon>", "spatial", ""},
        Refusal{"<tendon><spatial width='0'><site site='s'/><site site='w'/></spatial></tendon>", "spatial", "width"},
        Refusal{"<tendon><spatial springlength='2 1'><site site='s'/><site site='w'/></spatial></tendon>", "spatial",
                "springlength"},
        Refusal{"<tendon><spatial><site site='s'/><site site='s'/></spatial></tendon>", "site", "site"},
        Refusal{"<tendon><spatial><site site='s'/><geom geom='box'/><site site='w'/></spatial></tendon>", "geom",
                "geom"},
        Refusal{"<tendon><spatial><geom geom='g'/><site site='w'/></spatial></tendon>", "geom", ""},
        Refusal{"<tendon><spatial><site site='s'/><site site='w'/><pulley divisor='1'/></spatial></tendon>", "pulley",
                ""},
        Refusal{"<tendon><spatial><site site='s'/><pulley divisor='1'/><site site='w'/></spatial></tendon>", "site",
                ""},
        Refusal{"<tendon><spatial armature='-1'><site site='s'/><site site='w'/></spatial></tendon>", "spatial",
                "armature"},
        Refusal{"<tendon><spatial armature='1'><site site='s'/><geom geom='g'/><site site='w'/></spatial></tendon>",
                "geom", ""},
        Refusal{"<tendon><spatial limited='true'><site site='s'/><site site='w'/></spatial></tendon>", "spatial",
                "range"},
        Refusal{"<tendon><spatial actuatorfrclimited='true' actuatorfrcrange='1 2'><site site='s'/><site "
                "site='w'/></spatial></tendon>",
                "spatial", "actuatorfrcrange"},
        Refusal{"<tendon><fixed><joint joint='nobody' coef='1'/></fixed></tendon>", "joint", "joint"}));

INSTANTIATE_TEST_SUITE_P(
    Actuators, RefusedAfterTheWorld,
    testing::Values(
        Refusal{"<actuator><motor/></actuator>", "motor", ""},
        Refusal{"<actuator><motor tendon='nobody'/></actuator>", "motor", "tendon"},
        Refusal{"<actuator><motor joint='j' ctrllimited='true'/></actuator>", "motor", "ctrlrange"},
        Refusal{"<actuator><motor joint='j' forcelimited='true' forcerange='1 0'/></actuator>", "motor", "forcerange"},
        Refusal{"<actuator><general joint='j' actrange='0 1'/></actuator>", "general", "actrange"},
        Refusal{"<actuator><general joint='j' actdim='1'/></actuator>", "general", "actdim"},
        Refusal{"<actuator><general joint='j' dyntype='filter' actdim='2'/></actuator>", "general", "actdim"},
        Refusal{"<actuator><general joint='j' dyntype='user' actdim='0'/></actuator>", "general", "actdim"},
        Refusal{"<actuator><general joint='j' gaintype='muscle'/></actuator>", "general", "gainprm"},
        Refusal{"<actuator><general joint='j' biastype='muscle'/></actuator>", "general", "biasprm"},
        Refusal{"<actuator><muscle joint='j' lengthrange='0 1' lmin='1'/></actuator>", "muscle", "gainprm"},
        Refusal{"<actuator><general site='s' damping='1'/></actuator>", "general", "damping"},
        Refusal{"<actuator><general site='s' armature='1'/></actuator>", "general", "armature"},
        Refusal{"<actuator><motor joint='j' delay='.1'/></actuator>", "motor", "delay"},
        Refusal{"<actuator><motor joint='j' nsample='99999999'/></actuator>", "motor", "nsample"},
        Refusal{"<actuator><position joint='ball' inheritrange='1'/></actuator>", "position", "inheritrange"},
        Refusal{"<actuator><position site='s' inheritrange='1'/></actuator>", "position", "inheritrange"},
        Refusal{"<actuator><position joint='j' inheritrange='1'/></actuator>", "position", "inheritrange"},
        Refusal{"<actuator><general joint='j' input='pos'/></actuator>", "general", "input"},
        Refusal{"<actuator><general joint='j' gaintype='so3' biastype='so3' gainprm='1' biasprm='0 -1'/></actuator>",
                "general", "joint"},
        Refusal{"<actuator><general joint='ball' gaintype='so3' gainprm='1'/></actuator>", "general", "gaintype"},
        Refusal{"<actuator><general joint='ball' gaintype='so3' biastype='so3' gainprm='1' biasprm='0 -2'/></actuator>",
                "general", "biasprm"},
        Refusal{"<actuator><orientation joint='ball' forcerange='-1 1'/></actuator>", "orientation", "forcerange"},
        Refusal{"<actuator><general joint='j' gaintype='pid' biastype='none' gainprm='0'/></actuator>", "general",
                "biastype"},
        Refusal{"<actuator><general joint='j' gaintype='pid' biastype='affine'/></actuator>", "general", "gainprm"},
        Refusal{"<actuator><general joint='j' dyntype='pid'/></actuator>", "general", "dyntype"},
        Refusal{"<actuator><dcmotor joint='j' motorconst='1' resistance='1' input='none' nsample='2'/></actuator>",
                "dcmotor", "nsample"},
        Refusal{"<actuator><dcmotor joint='j' motorconst='1' resistance='1' controller='1'/></actuator>", "dcmotor",
                "input"},
        Refusal{"<actuator><dcmotor joint='j' motorconst='1' resistance='1' input='vel' controller='1 1'/></actuator>",
                "dcmotor", "input"},
        Refusal{"<actuator><general joint='j' dyntype='dcmotor' actearly='false'/></actuator>", "general",
                "actearly"}));

INSTANTIATE_TEST_SUITE_P(
    Sensors, RefusedAfterTheWorld,
    testing::Values(Refusal{"<sensor><jointpos joint='ball'/></sensor>", "jointpos", "joint"},
                    Refusal{"<sensor><ballquat joint='j'/></sensor>", "ballquat", "joint"},
                    Refusal{"<sensor><jointlimitpos joint='ball'/></sensor>", "jointlimitpos", "joint"},
                    Refusal{"<sensor><ballquat joint='ball' cutoff='1'/></sensor>", "ballquat", "cutoff"},
                    Refusal{"<sensor><touch site='s' cutoff='-1'/></sensor>", "touch", "cutoff"},
                    Refusal{"<sensor><touch site='s' noise='-1'/></sensor>", "touch", "noise"},
                    Refusal{"<sensor><distance geom1='g' geom2='g'/></sensor>", "distance", ""},
                    Refusal{"<sensor><camprojection site='s' camera='blind'/></sensor>", "camprojection", "camera"},
                    Refusal{"<sensor><user dim='2' datatype='axis'/></sensor>", "user", "dim"},
                    Refusal{"<sensor><user dim='-1'/></sensor>", "user", "dim"},
                    Refusal{"<sensor><jointpos joint='j' interval='.1 -.1'/></sensor>", "jointpos", "interval"},
                    Refusal{"<sensor><jointpos joint='j' interval='.1 .1'/></sensor>", "jointpos", "interval"},
                    Refusal{"<sensor><user dim='1' objtype='key' objname='nobody'/></sensor>", "user", "objname"}));

TEST(Limits, WithoutAutolimitsARangeNeedsItsFlag) {
  const Problem problem = refused(R"(<mujoco><compiler autolimits="false"/><worldbody><body><joint range="0 1"/>
      <geom size="1"/></body></worldbody></mujoco>)");
  EXPECT_EQ(problem.attribute, "limited");
}

TEST(UnknownNames, AreReportedWithTheNearestOne) {
  const Problem problem =
      refused(R"(<mujoco><worldbody><body name="torso"><joint name="shoulder"/><geom size="1"/></body></worldbody>
      <actuator><motor name="m" joint="sholder"/></actuator></mujoco>)");
  EXPECT_EQ(problem.name, "m");
  EXPECT_EQ(problem.hint, "did you mean 'shoulder'?");
}

TEST(CollectAll, ListsProblemsOfTheTreeAndOfEverythingElse) {
  LoadOptions options;
  options.collect_all = true;
  const Result<Model> model = load_string(R"(<mujoco><worldbody><geom size="-1"/><camera fovy="200"/></worldbody>
      <sensor><touch site="nobody"/></sensor><equality><weld body1="nobody"/></equality></mujoco>)",
                                          options);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().problems().size(), 4u) << model.error().text();
}

}  // namespace
}  // namespace sinew
