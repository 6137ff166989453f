// sinew convert and sinew diff.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tools/shell.h"

namespace sinew::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string kRobot = R"(<robot name="arm">
  <link name="base"/>
  <link name="link"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="link"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/></joint>
</robot>
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

class Convert : public Shell {
 protected:
  void SetUp() override { write("m.xml", kPendulum); }
  json diff(const std::string& a, const std::string& b, const std::string& options = "") const {
    return json::parse(sinew("diff --json " + a + " " + b + " " + options).out);
  }
};

TEST_F(Convert, EveryFormatHoldsTheSameModel) {
  ASSERT_EQ(sinew("convert m.xml m.snw").code, 0);
  ASSERT_EQ(sinew("convert m.snw back.xml").code, 1);  // a binary model has no text to write
  ASSERT_EQ(sinew("convert m.xml copy.xml").code, 0);
  for (const char* other : {"m.snw", "copy.xml"}) {
    const Outcome same = sinew(std::string("diff m.xml ") + other);
    EXPECT_EQ(same.code, 0) << other << same.out;
    EXPECT_EQ(same.out, "");
  }
  ASSERT_EQ(sinew("convert m.snw m.json").code, 0);
  const json arrays = json::parse(read("m.json"));
  EXPECT_EQ(arrays["sizes"]["nv"], 1);
  EXPECT_EQ(arrays["options"]["timestep"], 0.01);
  EXPECT_EQ(arrays["fields"]["jnt_axis"], json({0, 1, 0}));
}

TEST_F(Convert, RobotDescriptionsBecomeMjcf) {
  write("arm.urdf", kRobot);
  ASSERT_EQ(sinew("convert arm.urdf arm.xml --fixed").code, 0);
  EXPECT_THAT(read("arm.xml"), testing::AllOf(HasSubstr("<mujoco"), HasSubstr("name=\"turn\"")));
  EXPECT_EQ(sinew("diff arm.urdf arm.xml --fixed --tolerance 1e-12").code, 0);
}

TEST_F(Convert, ManyModelsGoToAFolderUnderTheirNames) {
  write("n.xml", kPendulum);
  ASSERT_EQ(sinew("convert m.xml n.xml --to snw --folder binary").code, 0);
  EXPECT_EQ(sinew("diff binary/m.snw binary/n.snw").code, 0);
}

TEST_F(Convert, RefusesWhatItCannotDoAndLeavesFilesAlone) {
  EXPECT_EQ(sinew("convert m.xml").code, 1);
  EXPECT_EQ(sinew("convert m.xml --to pdf").code, 2);
  EXPECT_THAT(sinew("convert m.xml --to xml").err, HasSubstr("would replace itself"));
  EXPECT_EQ(read("m.xml"), kPendulum);
  write("bad.xml", "<mujoco><geom/></mujoco>");
  write("out.json", "before");
  EXPECT_EQ(sinew("convert bad.xml out.json").code, 1);
  EXPECT_EQ(read("out.json"), "before");
  EXPECT_EQ(sinew("convert m.xml none/out.json").code, 1);
}

TEST_F(Convert, DiffSaysWhatChangedByName) {
  write("n.xml",
        replaced(replaced(kPendulum, "damping=\"0.1\"", "damping=\"0.3\""), "timestep=\"0.01\"", "timestep=\"0.02\""));
  const Outcome text = sinew("diff m.xml n.xml");
  EXPECT_EQ(text.code, 3);
  EXPECT_THAT(text.out, HasSubstr("~ dof hinge\n    dof_damping: 0.1 -> 0.3\n"));
  EXPECT_THAT(text.out, HasSubstr("timestep: 0.01 -> 0.02"));
  const json found = diff("m.xml", "n.xml");
  EXPECT_EQ(found["same"], false);
  EXPECT_EQ(found["changed"], (json{{"dof", {{"hinge", {{"dof_damping", {0.1, 0.3}}}}}}}));
  EXPECT_EQ(found["options"], (json{{"timestep", {0.01, 0.02}}}));
  EXPECT_EQ(found["added"], json::object());
}

TEST_F(Convert, DiffNamesAddedAndRemovedElements) {
  write("n.xml", replaced(kPendulum, "<actuator><motor name=\"push\"", "<actuator><motor name=\"pull\""));
  const json found = diff("m.xml", "n.xml");
  EXPECT_EQ(found["removed"], (json{{"actuator", {"push"}}}));
  EXPECT_EQ(found["added"], (json{{"actuator", {"pull"}}}));
  const Outcome text = sinew("diff m.xml n.xml");
  EXPECT_THAT(text.out, testing::AllOf(HasSubstr("- actuator push\n"), HasSubstr("+ actuator pull\n")));
}

TEST_F(Convert, DiffIgnoresSmallNumbersAndDerivedConstantsOnRequest) {
  write("n.xml", replaced(kPendulum, "pos=\"0 0 1\"", "pos=\"0 0 1.001\""));
  EXPECT_EQ(sinew("diff m.xml n.xml --tolerance 1e-2").code, 0);
  EXPECT_EQ(diff("m.xml", "n.xml")["changed"]["body"]["arm"].size(), 1);
  write("heavy.xml", replaced(kPendulum, "name=\"rod\"", "name=\"rod\" mass=\"3\""));
  const json shown = diff("m.xml", "heavy.xml")["changed"], all = diff("m.xml", "heavy.xml", "--all")["changed"];
  EXPECT_FALSE(shown["body"]["arm"].contains("body_invweight0"));
  EXPECT_TRUE(all["body"]["arm"].contains("body_invweight0"));
}

TEST_F(Convert, DiffComparesNumbersThatBelongToNoElement) {
  const std::string field =
      R"(<mujoco><asset><hfield name="hills" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 0 1"/>
    </asset><worldbody><geom type="hfield" hfield="hills"/></worldbody></mujoco>)";
  write("a.xml", field);
  write("b.xml", replaced(field, "0 1 0 1", "0 1 0.5 1"));
  EXPECT_EQ(diff("a.xml", "b.xml")["arrays"]["hfield_data"], (json{{"differing", 1}, {"of", 4}, {"largest", 0.5}}));
}

}  // namespace
}  // namespace sinew::test
