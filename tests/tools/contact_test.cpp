// sinew contact and sinew/contact_parameters.h: the stiffness, damping and depth asked for are those of a simulation.

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/contact_parameters.h"
#include "sinew/sinew.h"
#include "tools/shell.h"

namespace sinew::test {
namespace {

using nlohmann::json;

std::string numbers(const auto& values) {
  std::string out;
  for (const double x : values) out += std::to_string(x) + " ";
  return out;
}

/// A body on a plane; its geom has the parameters and counts alone.
Model body_on_floor(const std::string& geom, const auto& solref, const auto& solimp, const std::string& pos,
                    const std::string& condim = "1") {
  return load_string(
             "<mujoco><option cone=\"elliptic\" tolerance=\"1e-12\"/><worldbody><geom type=\"plane\" size=\"1 1 "
             "1\"/><body pos=\"" +
             pos + "\"><freejoint/><geom " + geom + " mass=\"2\" priority=\"1\" condim=\"" + condim + "\" solref=\"" +
             numbers(solref) + "\" solimp=\"" + numbers(solimp) + "\"/></body></worldbody></mujoco>")
      .value_or_throw();
}

double settled_depth(const Model& m, double height) {
  Data d(m);
  reset(m, d);
  while (d.time < 5) step(m, d);
  return height - d.qpos[2];
}

TEST(ContactParameters, ABallRestsAtTheDepthOfItsSpring) {
  for (const double impedance : {0.5, 0.9, 0.95})
    for (const double stiffness : {2e3, 2e4}) {
      const ContactParameters p =
          contact_parameters(2, stiffness, 2 * std::sqrt(stiffness * 2 / (1 - impedance)), impedance);
      const double depth = settled_depth(body_on_floor("size=\"0.1\"", p.solref, p.solimp, "0 0 0.1"), 0.1);
      EXPECT_NEAR(depth, 2 * 9.81 / stiffness, 1e-4 * depth) << impedance << " " << stiffness;
    }
}

TEST(ContactParameters, TheDepthAskedForIsReached) {
  const ContactParameters p = contact_parameters_for_depth(2, 2 * 9.81, 0.001);
  EXPECT_NEAR(settled_depth(body_on_floor("size=\"0.1\"", p.solref, p.solimp, "0 0 0.1", "3"), 0.1), 0.001, 1e-6);
}

TEST(ContactParameters, ForceFollowsSpeedOfApproach) {
  // the force at rest relative to the velocity: f = damping v + stiffness r if the body is held (its acceleration is 0)
  const double stiffness = 5e3, damping = 300, impedance = 0.9, depth = 0.002, speed = 0.01;
  const ContactParameters p = contact_parameters(2, stiffness, damping, impedance);
  const Model m = body_on_floor("size=\"0.1\"", p.solref, p.solimp, "0 0 0.1");
  Data d(m);
  reset(m, d);
  d.qpos[2] = 0.1 - depth;
  d.qvel[2] = -speed;
  d.qfrc_applied[2] = 2 * 9.81 - (damping * speed + stiffness * depth);  // so that it does not accelerate
  forward(m, d);
  EXPECT_NEAR(d.qacc[2], 0, 1e-6);
  EXPECT_NEAR(contact_force(m, d, 0)[0], damping * speed + stiffness * depth, 1e-6);
}

using ContactCommand = Shell;

TEST_F(ContactCommand, CornersShareTheLoad) {
  const json p = json::parse(sinew("contact --mass 2 --depth 0.0005 --contacts 4 --json").out);
  const Model m = body_on_floor("type=\"box\" size=\"0.1 0.1 0.05\"", p["solref"].get<std::vector<double>>(),
                                p["solimp"].get<std::vector<double>>(), "0 0 0.05", "3");
  EXPECT_NEAR(settled_depth(m, 0.05), 0.0005, 2e-6);
  EXPECT_NEAR(p["depth"].get<double>(), 0.0005, 1e-12);
}

TEST_F(ContactCommand, PrintsAttributesAndRefusesContradictions) {
  const Outcome r = sinew("contact --mass 2 --stiffness 1e5 --damping 100");
  EXPECT_EQ(r.code, 0);
  EXPECT_THAT(r.out, testing::HasSubstr("solref=\"-5000 -5\" solimp=\"0.9 0.9 0.001\""));
  EXPECT_EQ(sinew("contact --mass 2").code, 1);
  EXPECT_EQ(sinew("contact --mass 2 --stiffness 1 --depth 1").code, 1);
  EXPECT_EQ(sinew("contact --mass 0 --stiffness 1").code, 2);
}

}  // namespace
}  // namespace sinew::test
