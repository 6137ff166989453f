#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "model/equality_kinds.h"
#include "model/joint_kinds.h"
#include "model/sensor_kinds.h"
#include "model/transmission_kinds.h"
#include "sinew/sinew.h"

// What the tables of kinds say against what reader, compiler and stages make of each kind.

namespace sinew {
namespace {

Model model_of(const std::string& inside) {
  Result<Model> model = load_string("<mujoco>" + inside + "</mujoco>");
  if (model) return std::move(*model);
  ADD_FAILURE() << model.error().text();
  return {};
}

TEST(JointKinds, AreReadByTheirWordAndCompiledWithTheirSizes) {
  for (const JointKind& kind : kJointKinds) {
    const Model m =
        model_of("<worldbody><body><joint type='" + std::string(kind.word) + "'/><geom size='1'/></body></worldbody>");
    ASSERT_EQ(m.njnt, 1) << kind.word;
    EXPECT_EQ(m.jnt_type[0], static_cast<int>(kind.type));
    EXPECT_EQ(m.nq, kind.nq);
    EXPECT_EQ(m.nv, kind.nv);
  }
}

TEST(JointKinds, HaveAQuaternionBehindTheirTranslations) {
  for (const JointKind& kind : kJointKinds) {
    EXPECT_EQ(kind.nq, kind.nv + (kind.has_quaternion() ? 1 : 0)) << kind.word;
    EXPECT_EQ(kind.has_quaternion(), kind.rotations() == 3) << kind.word;
    const Model m =
        model_of("<worldbody><body><joint type='" + std::string(kind.word) + "'/><geom size='1'/></body></worldbody>");
    EXPECT_EQ(quaternion_address(m, 0), kind.has_quaternion() ? kind.translations : -1);
    for (int dof = 0; dof < kind.nv; ++dof)
      EXPECT_EQ(turns_quaternion(m, dof), kind.has_quaternion() && dof >= kind.translations) << kind.word << dof;
  }
}

TEST(JointKinds, WithoutALimitHaveNoRowBeyondTheirRange) {
  for (const JointKind& kind : kJointKinds) {
    const Model m = model_of("<compiler angle='radian'/><worldbody><body><joint type='" + std::string(kind.word) +
                             "' limited='true' range='0 0.1'/><geom size='1' contype='0'/></body></worldbody>");
    Data d(m);
    if (kind.has_quaternion()) {  // turned by 1 rad
      d.qpos[kind.translations] = std::cos(0.5);
      d.qpos[kind.translations + 1] = std::sin(0.5);
    } else {
      d.qpos[0] = 1;
    }
    forward(m, d);
    EXPECT_EQ(d.nl, kind.limit == JointLimit::None ? 0 : 1) << kind.word;
  }
}

/// One equality of each kind, and those of frames between sites as well.
constexpr const char* kEqualities = R"(
  <worldbody>
    <body name='a'><joint name='j' axis='0 1 0'/><geom size='0.1'/><site name='s' pos='0.1 0 0.2'/></body>
    <body name='b' pos='1 0 0'><joint name='k' axis='0 1 0'/><geom size='0.1'/><site name='t' pos='0 0 0.3'/></body>
  </worldbody>
  <tendon>
    <fixed name='x'><joint joint='j' coef='1'/></fixed>
    <fixed name='y'><joint joint='k' coef='1'/></fixed>
  </tendon>
  <equality>
    <connect body1='a' body2='b' anchor='0 0 0.5'/>
    <connect site1='s' site2='t'/>
    <weld body1='a' body2='b'/>
    <weld site1='s' site2='t'/>
    <joint joint1='j' joint2='k'/>
    <tendon tendon1='x' tendon2='y'/>
    <tendon tendon1='x'/>
  </equality>)";

TEST(EqualityKinds, HaveTheRowsAndBodiesThatTheTableSays) {
  const Model m = model_of(kEqualities);
  Data d(m);
  forward(m, d);
  std::set<int> seen;
  std::int64_t reserved = 0;
  for (int eq = 0; eq < m.neq; ++eq) {
    const EqualityKind& kind = equality_kind(m, eq);
    seen.insert(m.eq_type[eq]);
    reserved += kind.reserved;
    int rows = 0;
    for (int row = 0; row < d.ne; ++row) rows += d.efc_id[row] == eq;
    EXPECT_EQ(rows, kind.rows) << kind.element;
    const bool tendons = kind.objects == EqualityObjects::Tendons;
    EXPECT_EQ(equality_body(m, eq, 0), tendons ? -1 : 1) << kind.element;
    EXPECT_EQ(equality_body(m, eq, 1), tendons ? -1 : 2) << kind.element;
  }
  EXPECT_EQ(m.nemax, reserved);
  for (const EqualityKind& kind : kEqualityKinds)
    EXPECT_EQ(seen.count(static_cast<int>(kind.type)), kind.objects != EqualityObjects::Flexes) << kind.element;
}

TEST(TransmissionKinds, HaveTheTargetsAndOutputsThatTheTableSays) {
  const Model m = model_of(R"(
    <worldbody>
      <site name='ground'/>
      <body name='a'><joint name='j' axis='0 1 0'/><geom size='0.1'/><site name='s' pos='0.1 0 0.2'/></body>
      <body name='b' pos='1 0 0'><joint name='q' type='ball'/><geom size='0.1'/></body>
    </worldbody>
    <tendon><fixed name='x'><joint joint='j' coef='1'/></fixed></tendon>
    <actuator>
      <motor joint='j'/>
      <motor jointinparent='j'/>
      <motor cranksite='s' slidersite='ground' cranklength='1'/>
      <motor tendon='x'/>
      <motor site='s'/>
      <adhesion body='b' ctrlrange='0 1'/>
      <orientation joint='q'/>
      <motor site='s' refsite='ground'/>
      <orientation site='s' refsite='ground'/>
    </actuator>)");
  std::set<int> seen;
  for (int a = 0; a < m.nactuator; ++a) {
    const TransmissionKind& kind = transmission_kind(m, a);
    const bool paired = m.actuator_trnid[2 * a + 1] >= 0;
    seen.insert(m.actuator_trntype[a]);
    EXPECT_EQ(m.actuator_outnum[a], kind.outputs) << a;
    EXPECT_EQ(actuator_target(m, a), paired ? kind.target_with_site : kind.target) << a;
    EXPECT_TRUE(!paired || kind.second != SecondSite::None) << a;
  }
  EXPECT_EQ(seen.size(), std::size(kTransmissionKinds));
  EXPECT_EQ(actuator_target(m, 6), ObjType::Joint);
  EXPECT_EQ(actuator_target(m, 8), ObjType::Site);
}

TEST(SensorKinds, HaveAnElementOfTheLanguageEach) {
  std::set<std::string_view> elements;
  for (const SensorKind& kind : sensor_kinds()) {
    EXPECT_TRUE(elements.insert(kind.element).second) << kind.element;
    if (kind.target == SensorTarget::Unsupported) continue;
    // an element that MJCF does not have is told as such; one that it has lacks its object, or is complete
    const Result<Model> model =
        load_string("<mujoco><sensor><" + std::string(kind.element) + " nonsense='1'/></sensor></mujoco>");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().first().attribute, "nonsense") << model.error().text();
  }
}

}  // namespace
}  // namespace sinew
