#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "sinew/sinew.h"

// Building and editing the tree in code; docs/spec.md shows the first of these.

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A cart on a rail with a pole, without any MJCF.
Spec cart_and_pole() {
  Spec spec;
  spec.modelname = "cart";
  spec.compiler.degree = false;
  spec.option.timestep = 0.01;
  spec.classes[0].geom.rgba = {0.2f, 0.4f, 0.6f, 1};

  spec::Body& cart = spec.world.bodies.add();
  cart.name = "cart";
  spec::Joint& slide = cart.joints.add();
  slide.name = "slide";
  slide.type = JointType::Slide;
  slide.axis = {1, 0, 0};
  spec::Geom& box = cart.geoms.add(spec.classes[0].geom);
  box.name = "box";
  box.type = GeomType::Box;
  box.size = {0.2, 0.1, 0.05};

  spec::Body& pole = cart.bodies.add();
  pole.name = "pole";
  pole.joints.add().name = "hinge";
  pole.joints[0].axis = {0, 1, 0};
  spec::Geom& rod = pole.geoms.add(spec.classes[0].geom);
  rod.type = GeomType::Capsule;
  rod.size = {0.02, 0, 0};
  rod.fromto = {0, 0, 0, 0, 0, 0.6};
  spec::Site& tip = pole.sites.add();
  tip.name = "tip";
  tip.pos = {0, 0, 0.6};

  spec::Actuator& push = spec.actuators.add();
  push.name = "push";
  push.trntype = TrnType::Joint;
  push.target = "slide";
  spec::Sensor& angle = spec.sensors.add();
  angle.name = "angle";
  angle.type = SensorType::JointPos;
  angle.objtype = ObjType::Joint;
  angle.objname = "hinge";
  return spec;
}

TEST(SpecApi, AModelBuiltInCodeCanBeSimulated) {
  const Spec spec = cart_and_pole();
  const Result<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.error().text();
  Data data(*model);
  reset(*model, data);
  data.ctrl[0] = 1;
  for (int i = 0; i < 10; ++i) step(*model, data);
  EXPECT_GT(data.qpos[0], 0);  // the cart is pushed forward
  EXPECT_LT(data.qpos[1], 0);  // and the pole tilts backward
}

TEST(SpecApi, AModelBuiltInCodeRoundTripsThroughMjcf) {
  const Spec spec = cart_and_pole();
  const Result<std::string> text = write_mjcf(spec);
  ASSERT_TRUE(text) << text.error().text();
  const Result<Model> again = load_string(*text);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_TRUE(save_model(*again) == save_model(*compile(spec))) << *text;
}

TEST(SpecApi, ACopyIsIndependent) {
  const Spec original = cart_and_pole();
  Spec copy = original;
  find<spec::Geom>(copy, "box")->size[0] = 9;
  EXPECT_EQ(find<spec::Geom>(original, "box")->size[0], 0.2);
}

TEST(SpecApi, FindSearchesTheWholeTreeByKind) {
  Spec spec = cart_and_pole();
  EXPECT_EQ(find<spec::Body>(spec, "world"), &spec.world);
  EXPECT_EQ(find<spec::Site>(spec, "tip"), &spec.world.bodies[0].bodies[0].sites[0]);
  EXPECT_EQ(find(spec, ObjType::Actuator, "push"), &spec.actuators[0]);
  EXPECT_EQ(find<spec::Geom>(spec, "tip"), nullptr);
  EXPECT_EQ(find<spec::Geom>(spec, ""), nullptr);
}

TEST(SpecApi, RemovingAReferencedElementIsRefusedNamingTheReference) {
  Spec spec = cart_and_pole();
  const Result<bool> removed = remove(spec, ObjType::Body, "pole");
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().first().name, "angle");
  EXPECT_THAT(removed.error().text(), HasSubstr("'hinge'"));
  EXPECT_NE(find<spec::Body>(spec, "pole"), nullptr);
  EXPECT_FALSE(remove(spec, ObjType::Body, "nobody"));
  EXPECT_FALSE(remove(spec, ObjType::Body, "world"));
}

TEST(SpecApi, RemovingWithReferencesRemovesAllDependentElements) {
  Spec spec = cart_and_pole();
  spec::Tendon& tendon = spec.tendons.add();
  tendon.name = "t";
  tendon.spatial = false;
  tendon.path.push_back({{}, WrapType::Joint, "hinge", "", 1});
  spec::Actuator& winch = spec.actuators.add();
  winch.name = "winch";
  winch.trntype = TrnType::Tendon;
  winch.target = "t";
  spec::Sensor& force = spec.sensors.add();
  force.type = SensorType::ActuatorFrc;
  force.objtype = ObjType::Actuator;
  force.objname = "winch";
  spec::Tuple& tuple = spec.tuples.add();
  tuple.name = "pair";
  tuple.items.push_back({{}, ObjType::Body, "cart", 0});
  tuple.items.push_back({{}, ObjType::Body, "pole", 0});
  const spec::Geom* box = find<spec::Geom>(spec, "box");

  const Result<bool> removed = remove(spec, ObjType::Body, "pole", References::Remove);
  ASSERT_TRUE(removed) << removed.error().text();
  EXPECT_TRUE(spec.tendons.empty());
  EXPECT_TRUE(spec.sensors.empty());
  ASSERT_EQ(spec.actuators.size(), 1u);
  EXPECT_EQ(spec.actuators[0].name, "push");
  ASSERT_EQ(spec.tuples[0].items.size(), 1u);
  EXPECT_EQ(spec.tuples[0].items[0].objname, "cart");
  EXPECT_EQ(find<spec::Geom>(spec, "box"), box);  // remaining elements keep their address
  const Result<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->nv, 1);
}

TEST(SpecApi, RemovingAFrameRemovesItsContentsAndKeepsOtherFrames) {
  Spec spec = read_mjcf_string(R"(<mujoco><worldbody><body name="a">
      <frame name="first" pos="1 0 0"><geom name="g1" size="1"/></frame>
      <frame name="second" pos="0 2 0"><joint name="j"/><geom name="g2" size="1"/><body name="b"><geom size="1"/></body>
        <frame name="inner"><site name="s"/></frame></frame>
      <frame name="third" pos="0 0 3"><geom name="g3" size="1"/><frame pos="1 0 0"><geom name="g4" size="1"/></frame></frame>
    </body></worldbody><actuator><motor joint="j"/></actuator></mujoco>)")
                  .value_or_throw();
  EXPECT_FALSE(remove(spec, ObjType::Frame, "second"));  // the motor refers to a joint in it
  ASSERT_TRUE(remove(spec, ObjType::Frame, "second", References::Remove));
  const Model m = compile(spec).value_or_throw();
  EXPECT_EQ(m.nbody, 2);
  EXPECT_EQ(m.njnt + m.nsite + m.nu, 0);
  EXPECT_THAT(m.geom_pos, testing::ElementsAre(1, 0, 0, 0, 0, 3, 1, 0, 3));
}

TEST(SpecApi, RemovingADefaultClassRemovesItsSubclassesAndElementsKeepTheirValues) {
  Spec spec = read_mjcf_string(R"(<mujoco><default>
      <default class="one"><geom size="1"/><default class="two"><geom density="7"/></default></default>
      <default class="three"><geom size="3"/><default class="four"/></default>
    </default><worldbody><body childclass="two"><geom/></body><geom class="four"/></worldbody></mujoco>)")
                  .value_or_throw();
  const Model before = compile(spec).value_or_throw();
  EXPECT_FALSE(remove_class(spec, "main"));
  EXPECT_FALSE(remove_class(spec, "nothing"));
  ASSERT_TRUE(remove_class(spec, "one"));
  EXPECT_EQ(spec.classes.size(), 3u);
  EXPECT_EQ(spec.classes[2].parent, 1);
  const Model after = compile(spec).value_or_throw();
  EXPECT_EQ(after.geom_size, before.geom_size);
  EXPECT_EQ(after.body_mass, before.body_mass);
  const Model written = load_string(write_mjcf(spec).value_or_throw()).value_or_throw();
  EXPECT_EQ(written.geom_size, before.geom_size);
  EXPECT_EQ(written.body_mass, before.body_mass);
}

TEST(SpecApi, RemovingAMaterialKeepsTheGeomsThatUseIt) {
  Spec spec = cart_and_pole();
  spec.materials.add().name = "steel";
  find<spec::Geom>(spec, "box")->material = "steel";
  EXPECT_FALSE(remove(spec, ObjType::Material, "steel"));
  ASSERT_TRUE(remove(spec, ObjType::Material, "steel", References::Remove));
  ASSERT_NE(find<spec::Geom>(spec, "box"), nullptr);
  EXPECT_EQ(find<spec::Geom>(spec, "box")->material, "");
}

TEST(SpecApi, KeyframesLoseTheValuesOfRemovedJoints) {
  Spec spec = cart_and_pole();
  spec::Body& ball = spec.world.bodies.add();
  ball.name = "ball";
  ball.joints.add().type = JointType::Free;
  ball.geoms.add().size = {0.1, 0, 0};
  spec::Key& key = spec.keys.add();
  key.name = "k";
  key.qpos = {0.1, 0.2, 1, 2, 3, 1, 0, 0, 0};
  key.ctrl = {0.5};
  const Result<bool> removed = remove(spec, ObjType::Body, "pole", References::Remove);
  ASSERT_TRUE(removed) << removed.error().text();
  EXPECT_THAT(spec.keys[0].qpos, ElementsAre(0.1, 1, 2, 3, 1, 0, 0, 0));
  EXPECT_THAT(spec.keys[0].qvel, ElementsAre());
  EXPECT_THAT(spec.keys[0].ctrl, ElementsAre(0.5));
}

TEST(SpecApi, RecompilingKeepsTheStateOfRemainingElements) {
  Spec spec = cart_and_pole();
  spec::Body& ball = spec.world.bodies.add();  // its joint has no name
  ball.name = "ball";
  ball.pos = {0, 0, 5};
  ball.joints.add().type = JointType::Free;
  ball.geoms.add().size = {0.1, 0, 0};
  const Result<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.error().text();
  Data data(*model);
  reset(*model, data);
  data.ctrl[0] = 1;
  for (int i = 0; i < 10; ++i) step(*model, data);

  ASSERT_TRUE(remove(spec, ObjType::Body, "pole", References::Remove));
  spec::Body first;
  first.name = "first";
  first.joints.add().name = "new";
  first.geoms.add().size = {0.1, 0, 0};
  spec.world.bodies.insert(0, first);
  Result<Recompiled> next = recompile(spec, *model, data);
  ASSERT_TRUE(next) << next.error().text();
  const Recompiled world = std::move(next).value();
  ASSERT_EQ(world.model->nq, 9);
  EXPECT_EQ(&world.data.model(), world.model.get());
  EXPECT_EQ(world.data.time, data.time);
  EXPECT_EQ(world.data.qpos[0], 0);
  EXPECT_EQ(world.data.qpos[1], data.qpos[0]);
  EXPECT_EQ(world.data.qvel[1], data.qvel[0]);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(world.data.qpos[2 + i], data.qpos[2 + i]);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(world.data.qvel[2 + i], data.qvel[2 + i]);
  EXPECT_EQ(world.data.ctrl[0], 1);
}

TEST(SpecApi, RecompilingAnUnchangedTreeContinuesExactly) {
  const Spec spec = cart_and_pole();
  const Result<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.error().text();
  Data data(*model);
  reset(*model, data);
  for (int i = 0; i < 10; ++i) step(*model, data);
  Result<Recompiled> next = recompile(spec, *model, data);
  ASSERT_TRUE(next) << next.error().text();
  for (int i = 0; i < 10; ++i) {
    step(*model, data);
    step(*next->model, next->data);
  }
  EXPECT_TRUE(std::equal(data.qpos.begin(), data.qpos.end(), next->data.qpos.begin()));
  EXPECT_TRUE(std::equal(data.qvel.begin(), data.qvel.end(), next->data.qvel.begin()));
  EXPECT_EQ(data.time, next->data.time);
}

TEST(CarryState, FindsEqualitiesOfJointsByTheirJoints) {
  const auto coupled = [](const std::string& equalities) {
    const std::string body = " axis='0 1 0'/><geom size='0.1'/></body>";
    return load_string("<mujoco><worldbody><body><joint name='a'" + body + "<body><joint name='b'" + body +
                       "<body><joint name='c'" + body + "</worldbody><equality>" + equalities + "</equality></mujoco>")
        .value_or_throw();
  };
  const std::string kept = "<joint joint1='b' joint2='c'/>";
  const Model both = coupled("<joint joint1='a' joint2='b'/>" + kept), one = coupled(kept);
  Data from(both), to(one);
  from.eq_active[1] = 0;
  carry_state(from, to);
  EXPECT_EQ(to.eq_active[0], 0);
}

TEST(CarryState, FindsOrientationServosByTheirBallJoints) {
  const auto driven = [](const std::string& servos) {
    const std::string body = " type='ball'/><geom size='0.1'/></body>";
    return load_string("<mujoco><worldbody><body><joint name='a'" + body + "<body><joint name='b'" + body +
                       "</worldbody><actuator>" + servos + "</actuator></mujoco>")
        .value_or_throw();
  };
  const std::string kept = "<orientation joint='b'/>";
  const Model both = driven("<orientation joint='a'/>" + kept), one = driven(kept);
  Data from(both), to(one);
  for (std::size_t i = 0; i < from.ctrl.size(); ++i) from.ctrl[i] = 0.1 * static_cast<double>(i);
  carry_state(from, to);
  EXPECT_THAT(to.ctrl, ElementsAre(from.ctrl[3], from.ctrl[4], from.ctrl[5]));
}

TEST(SpecApi, EditingContinuesTheSimulation) {
  Spec spec = cart_and_pole();
  const Result<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.error().text();
  Data data(*model);
  reset(*model, data);
  find<spec::Geom>(spec, "box")->size[0] = 0.3;                              // by name, in the whole tree
  remove(spec, ObjType::Body, "pole", References::Remove).value_or_throw();  // with its sensor
  Recompiled next = recompile(spec, *model, data).value_or_throw();          // the cart keeps its state
  step(*next.model, next.data);
  EXPECT_EQ(next.model->nv, 1);
}

TEST(SpecApi, TheCodeInTheDocumentationIsTakenFromThisFile) {
  const auto read = [](const char* name) {
    std::ifstream file(std::string(SINEW_SOURCE_DIR "/") + name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  };
  const std::string page = read("docs/spec.md"), tests = read("tests/spec/spec_api_test.cpp");
  const std::string begin = "```cpp\n", end = "```\n";
  int blocks = 0;
  for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at + 1)) {
    const std::size_t from = at + begin.size();
    EXPECT_THAT(tests, HasSubstr(page.substr(from, page.find(end, from) - from)));
    ++blocks;
  }
  EXPECT_EQ(blocks, 2);
}

TEST(SpecApi, AWorldOfAnotherModelIsRefused) {
  const Spec spec = cart_and_pole();
  const Result<Model> a = compile(spec), b = compile(spec);
  const Data data(*a);
  EXPECT_FALSE(recompile(spec, *b, data));
}

}  // namespace
}  // namespace sinew
