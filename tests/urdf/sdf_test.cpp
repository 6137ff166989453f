// SDFormat. MuJoCo has no reader of it: the numbers follow from the format's definition, by hand.

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <numbers>

#include "robots.h"

namespace sinew {
namespace {

using test::load_robot;
using test::refusal;
using testing::HasSubstr;

std::string model(const std::string& parts, const std::string& version = "1.9") {
  return "<sdf version=\"" + version + "\"><model name=\"m\">\n" + parts + "\n</model></sdf>";
}
std::string link(const std::string& name, const std::string& parts = {}) {
  return "<link name=\"" + name +
         "\"><inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>" + parts +
         "</link>\n";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& parts = {}) {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent>" + parent + "</parent><child>" + child +
         "</child>" + parts + "</joint>\n";
}

void expect_near(const double* found, std::initializer_list<double> expected) {
  int i = 0;
  for (const double x : expected) EXPECT_NEAR(found[i++], x, 1e-14) << i;
}

TEST(Sdf, AModelIsFreeUnlessItIsStaticOrJoinedToTheWorld) {
  EXPECT_EQ(load_robot(model(link("a"))).model.name(ObjType::Joint, 0), "a_free_joint");
  EXPECT_EQ(load_robot(model("<static>true</static>" + link("a"))).model.nv, 0);
  EXPECT_EQ(load_robot(model(link("a") + joint("j", "fixed", "world", "a"))).model.nv, 0);
  UrdfOptions fixed;
  fixed.base = UrdfOptions::Base::Fixed;
  EXPECT_EQ(load_robot(model(link("a")), fixed).model.nv, 0);
}

TEST(Sdf, PosesAreResolvedAsAGraph) {
  const Model m =
      load_robot(model("<pose>0 0 10 0 0 0</pose>" + link("a", "<pose>1 0 0 0 0 0</pose>") +
                       "<frame name=\"f\" attached_to=\"a\"><pose degrees=\"true\">0 1 0 0 0 90</pose></frame>" +
                       link("b", "<pose relative_to=\"f\">1 0 0 0 0 0</pose>") + joint("j", "revolute", "a", "b")))
          .model;
  expect_near(m.body_pos.data() + 3, {1, 0, 10});
  // in a: f is at y = 1, turned by a quarter; its x is a's y
  expect_near(m.body_pos.data() + 6, {0, 2, 0});
  expect_near(m.body_quat.data() + 8, {std::sqrt(0.5), 0, 0, std::sqrt(0.5)});
}

TEST(Sdf, AnAxisIsInTheFrameOfTheJointOrAsItSays) {
  const std::string links = link("a") + link("b", "<pose>0 0 0 0 0 1.5707963267948966</pose>");
  const auto axis = [&](const std::string& parts, const std::string& version = "1.9") {
    return load_robot(
               model(links + joint("w", "fixed", "world", "a") + joint("j", "revolute", "a", "b", parts), version))
        .model;
  };
  expect_near(axis("<axis><xyz>1 0 0</xyz></axis>").jnt_axis.data(), {1, 0, 0});
  expect_near(axis("<axis><xyz expressed_in=\"__model__\">1 0 0</xyz></axis>").jnt_axis.data(), {0, -1, 0});
  expect_near(
      axis("<axis><xyz>1 0 0</xyz><use_parent_model_frame>true</use_parent_model_frame></axis>", "1.6").jnt_axis.data(),
      {0, -1, 0});
  expect_near(axis("<axis><xyz>1 0 0</xyz></axis>", "1.4").jnt_axis.data(), {0, -1, 0});
  expect_near(axis("<pose>1 2 3 0 0 0</pose>").jnt_pos.data(), {1, 2, 3});
  expect_near(axis("").jnt_axis.data(), {0, 0, 1});
}

TEST(Sdf, JointTypes) {
  const auto of = [&](const std::string& type, const std::string& parts = {}) {
    return load_robot(
               model(link("a") + link("b") + joint("w", "fixed", "world", "a") + joint("j", type, "a", "b", parts)))
        .model;
  };
  EXPECT_EQ(of("ball").nv, 3);
  EXPECT_EQ(of("prismatic").jnt_type[0], static_cast<int>(JointType::Slide));
  const Model universal = of("universal", "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>");
  EXPECT_EQ(universal.name(ObjType::Joint, 1), "j_2");
  const Model screw = of("screw", "<screw_thread_pitch>0.5</screw_thread_pitch>");
  ASSERT_EQ(screw.neq, 1);
  EXPECT_EQ(screw.nv, 2);
  EXPECT_NEAR(screw.eq_data[1], 0.5 / (2 * std::numbers::pi), 1e-16);
  const Model limited = of("revolute", R"(<axis><limit><lower>-1</lower><upper>2</upper><effort>5</effort></limit>
    <dynamics><damping>1</damping><friction>2</friction><spring_stiffness>3</spring_stiffness><spring_reference>4</spring_reference></dynamics></axis>)");
  expect_near(limited.jnt_range.data(), {-1, 2});
  expect_near(limited.jnt_actfrcrange.data(), {-5, 5});
  EXPECT_EQ(limited.dof_damping[0], 1);
  EXPECT_EQ(limited.dof_frictionloss[0], 2);
  EXPECT_EQ(limited.jnt_stiffness[0], 3);
  EXPECT_EQ(limited.qpos_spring[0], 4);
  EXPECT_FALSE(of("revolute", "<axis><limit><lower>-1e16</lower><upper>inf</upper><effort>-1</effort></limit></axis>")
                   .jnt_limited[0]);
}

TEST(Sdf, MimicHasAReference) {
  const Model m = load_robot(model(link("a") + link("b") + link("c") + joint("p", "prismatic", "a", "b") +
                                       joint("q", "prismatic", "a", "c",
                                             "<axis><mimic "
                                             "joint=\"p\"><multiplier>2</multiplier><offset>1</offset><reference>0.25</"
                                             "reference></mimic></axis>"),
                                   "1.11"))
                      .model;
  ASSERT_EQ(m.neq, 1);
  EXPECT_EQ(m.eq_data[0], 0.5);
  EXPECT_EQ(m.eq_data[1], 2);
}

TEST(Sdf, LinksOfAModelCollideOnlyOnRequest) {
  const std::string links = link("a") + link("b") + link("c");
  EXPECT_EQ(load_robot(model(links)).model.nexclude, 3);
  EXPECT_EQ(load_robot(model("<self_collide>true</self_collide>" + links)).model.nexclude, 0);
}

TEST(Sdf, ShapesAndFriction) {
  const Model m = load_robot(model(R"(<static>1</static><link name="a">
    <collision name="p"><geometry><plane><normal>1 0 0</normal><size>4 6</size></plane></geometry></collision>
    <collision name="e"><geometry><ellipsoid><radii>1 2 3</radii></ellipsoid></geometry><surface><friction><ode><mu>0.4</mu><mu2>0.6</mu2></ode></friction></surface></collision>
    <collision name="c"><geometry><cylinder><radius>1</radius><length>4</length></cylinder></geometry></collision></link>)"))
                      .model;
  expect_near(m.geom_size.data(), {2, 3, 1});
  expect_near(m.geom_quat.data(), {std::sqrt(0.5), 0, std::sqrt(0.5), 0});
  expect_near(m.geom_size.data() + 3, {1, 2, 3});
  EXPECT_EQ(m.geom_friction[3], 0.4);
  expect_near(m.geom_size.data() + 6, {1, 2});
}

TEST(Sdf, AWorldHasSettingsAndIncludesModelsUnderTheirNames) {
  const std::map<std::string, std::string> files = {
      {"part.sdf", model(link("a") + "<frame name=\"tip\"><pose>0 0 1 0 0 0</pose></frame>")}};
  LoadOptions options;
  options.files = &files;
  const Model m =
      load_string(
          R"(<sdf version="1.8"><world name="w"><physics type="ode"><max_step_size>0.005</max_step_size></physics>
    <include><uri>part.sdf</uri><name>x</name><pose>1 0 0 0 0 0</pose></include><include><uri>part.sdf</uri><name>y</name><static>true</static></include></world></sdf>)",
          options)
          .value_or_throw();
  EXPECT_EQ(m.opt.timestep, 0.005);
  EXPECT_EQ(m.opt.gravity[2], -9.8);
  EXPECT_EQ(m.name(ObjType::Body, 1), "x::a");
  EXPECT_EQ(m.name(ObjType::Body, 2), "y::a");
  EXPECT_EQ(m.njnt, 1);
  expect_near(m.body_pos.data() + 3, {1, 0, 0});
}

TEST(Sdf, JointsMayNameFramesAndNestedModels) {
  const Model m = load_robot(model(link("a") + "<frame name=\"f\" attached_to=\"a\"><pose>0 0 1 0 0 0</pose></frame>" +
                                   "<model name=\"in\"><pose>2 0 0 0 0 0</pose>" + link("b") + "</model>" +
                                   joint("j", "revolute", "f", "in::b")))
                      .model;
  EXPECT_EQ(m.name(ObjType::Body, 2), "in::b");
  EXPECT_EQ(m.body_parentid[2], 1);
  expect_near(m.body_pos.data() + 6, {2, 0, 0});
}

TEST(Sdf, WhatIsLeftOutIsAWarning) {
  const auto [m, warnings] =
      load_robot(model("<plugin name=\"p\"/>" + link("a", "<sensor name=\"s\"/><sensor name=\"t\"/><colision/>")));
  EXPECT_THAT(warnings, HasSubstr("<plugin> is not used"));
  EXPECT_THAT(warnings, HasSubstr("<sensor> is not used; 2 of them"));
  EXPECT_THAT(warnings, HasSubstr("did you mean 'collision'?"));
}

TEST(Sdf, Refusals) {
  EXPECT_THAT(refusal(model(link("a"), "1.3")), HasSubstr("version '1.3' is not read"));
  EXPECT_THAT(refusal(model(link("a", "<pose relative_to=\"b\"/>") + link("b", "<pose relative_to=\"a\"/>"))),
              HasSubstr("through a loop"));
  EXPECT_THAT(refusal(model(link("a", "<pose relative_to=\"c\"/>"))), HasSubstr("there is no frame 'c'"));
  EXPECT_THAT(refusal(model(link("a", "<pose>1 2 3</pose>"))), HasSubstr("has 3 numbers, needs 6"));
  EXPECT_THAT(refusal(model(link("a") + joint("j", "revolute", "a", "x"))), HasSubstr("there is no link or frame 'x'"));
  EXPECT_THAT(refusal(model(link("a") + link("b") + joint("j", "gearbox", "a", "b"))),
              HasSubstr("'gearbox' is not supported"));
  EXPECT_THAT(refusal(model(link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "b", "a"))),
              HasSubstr("loop"));
  EXPECT_THAT(refusal(model("<include><uri>model://nowhere</uri></include>")),
              HasSubstr("there is no model 'model://nowhere'; tried"));
  EXPECT_THAT(refusal(model("<include merge=\"true\"><uri>x</uri></include>")), HasSubstr("merge"));
  EXPECT_THAT(refusal(model("<link name=\"a\"><inertial><mass>-1</mass></inertial></link>")),
              HasSubstr("must not be negative"));
}

}  // namespace
}  // namespace sinew
