// The reader as a user sees it: MJCF text in, typed tree out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sinew/load.h"

namespace sinew {
namespace {

using testing::ElementsAre;

Spec read(const std::string& text) {
  Result<Spec> result = read_mjcf_string(text);
  EXPECT_TRUE(result) << result.error().text();
  return result ? std::move(*result) : Spec();
}

TEST(Reader, AnEmptyModelHasTheBuiltInDefaults) {
  const Spec spec = read("<mujoco/>");
  EXPECT_EQ(spec.modelname, "MuJoCo Model");
  EXPECT_EQ(spec.option.timestep, 0.002);
  EXPECT_EQ(spec.classes.size(), 1u);
  EXPECT_TRUE(spec.compiler.degree);
}

TEST(Reader, ElementsAreKeptInDocumentOrderAndRememberTheirLine) {
  const Spec spec = read(R"(<mujoco model="two">
  <worldbody>
    <geom name="a" size="1"/>
    <frame pos="1 0 0"><geom name="b" size="2"/></frame>
    <body name="c"><joint/><geom size="3"/></body>
  </worldbody>
</mujoco>)");
  EXPECT_EQ(spec.modelname, "two");
  ASSERT_EQ(spec.world.geoms.size(), 2u);
  EXPECT_EQ(spec.world.geoms[1].name, "b");
  EXPECT_EQ(spec.world.geoms[1].frame, 0);
  EXPECT_EQ(spec.world.geoms[1].origin.line, 4);
  ASSERT_EQ(spec.world.bodies.size(), 1u);
  EXPECT_EQ(spec.world.bodies[0].joints.size(), 1u);
}

TEST(Reader, SectionsMayBeRepeatedAndComeInAnyOrder) {
  const Spec spec = read(R"(<mujoco>
  <worldbody><body><joint/><geom class="big"/></body></worldbody>
  <option timestep="1"/><option gravity="0 0 0"/>
  <default><default class="big"><geom size="7"/></default></default>
</mujoco>)");
  EXPECT_EQ(spec.option.timestep, 1);
  EXPECT_THAT(spec.option.gravity, ElementsAre(0, 0, 0));
  EXPECT_EQ(spec.world.bodies[0].geoms[0].size[0], 7);
}

}  // namespace
}  // namespace sinew
