#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "constraint/world.h"
#include "dynamics/flex_metric.h"
#include "math/vec3.h"
#include "sinew/analytic.h"
#include "sinew/batch.h"
#include "sinew/derivatives.h"

namespace sinew::test {
namespace {

/// Σ x_i sin(1 + 0.7 i): every number counts.
double weighted(std::span<const double> x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * std::sin(1 + 0.7 * static_cast<double>(i));
  return sum;
}
double squares(std::span<const double> x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return sum;
}

/// qpos_i = 0.01 sin(i), qvel_i = 0.05 cos(i).
void displace(World& w) {
  for (std::size_t i = 0; i < w.d.qpos.size(); ++i) w.d.qpos[i] = 0.01 * std::sin(static_cast<double>(i));
  for (std::size_t i = 0; i < w.d.qvel.size(); ++i) w.d.qvel[i] = 0.05 * std::cos(static_cast<double>(i));
}

/// A model at the displaced state, with sums that MuJoCo 3.12.0 gives after mj_forward and mj_step.
struct Case {
  const char* name;
  const char* model;
  struct {
    double spring, damper, qacc_smooth, qacc, potential;  // weighted sums; the energy
    int nefc;
    double R, pos2, aref2;  // weighted sum; sums of squares, which do not depend on the basis of strain modes
    double next_qvel;       // weighted sum after one step
  } want;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const Case kCases[] = {
    {"Stretch",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" >
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" elastic2d="stretch"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
    </worldbody></mujoco>)",
     {0.0073035570086234002, 0, 0.010948769933712632, 0.010948769933712632, 0.0004512278410765423, 0, 0, 0, 0,
      -0.10070731075097243}},
    {"StretchPinnedHinge",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <body name="P" pos=".1 .2 .3" euler="20 30 40"><joint axis="0 1 1"/><geom size=".05" mass=".3" contype="0" conaffinity="0"/>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" >
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" elastic2d="stretch"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/><pin id="0 3"/></flexcomp></body>
    </worldbody></mujoco>)",
     {-0.32991188289616069, 0, -66.402964581903262, -66.402964581903262, 0.81310850589282624, 0, 0, 0, 0,
      -0.16080137000784192}},
    {"Stretch2d",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" dof="2d">
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" elastic2d="stretch"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
    </worldbody></mujoco>)",
     {0.064922688664997036, 0, 1.1129603771142351, 1.1129603771142351, 0, 0, 0, 0, 0, 0.082430510942195057}},
    {"Bend",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" >
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" elastic2d="bend"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
    </worldbody></mujoco>)",
     {-0.0021238640454779014, 0.00015638712111388684, -0.14798324034607802, -0.14798324034607802, 0.0004512278410765423,
      0, 0, 0, 0, -0.10102517477153194}},
    {"BendHinge",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <body name="P" pos=".1 .2 .3" euler="20 30 40"><joint axis="0 1 1"/><geom size=".05" mass=".3" contype="0" conaffinity="0"/>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" >
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" elastic2d="bend"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp></body>
    </worldbody></mujoco>)",
     {-0.00088659538999368535, 0.00019917651569685571, -0.18393767468524258, -0.18393767468524258, 0.89942518134698524,
      0, 0, 0, 0, -0.10670113237258211}},
    {"BothBox",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <flexcomp name="f" type="box" dim="2" count="3 4 3" spacing=".1 .12 .13" radius=".005" mass=".7" >
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" elastic2d="both"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
    </worldbody></mujoco>)",
     {-0.34276906364112103, 0.0037224049977400775, -14.417517786432299, -14.417517786432299, -0.016566615184530745, 0,
      0, 0, 0, -0.13105604523828718}},
    {"BothSpringsOff",
     R"(<mujoco><option gravity="0 0 -3"><flag spring="disable"/></option><worldbody>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" >
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" elastic2d="both"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
    </worldbody></mujoco>)",
     {0.0073035570086234002, 0.00015638712111388684, 0.01362969200994979, 0.01362969200994979, 0.0004512278410765423, 0,
      0, 0, 0, -0.10070194890681992}},
    {"Tetrahedra",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <body name="P" pos=".1 .2 .3" euler="20 30 40"><joint axis="0 1 1"/><geom size=".05" mass=".3" contype="0" conaffinity="0"/>
      <flexcomp name="f" type="grid" dim="3" count="3 2 3" spacing=".1 .12 .13" radius=".005" mass=".7" >
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" />
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp></body>
    </worldbody></mujoco>)",
     {-6.5556863345405771, 0, -168.77633621864544, -168.77633621864544, 0.90008400941146682, 0, 0, 0, 0,
      -0.44736731705654281}},
    {"Radial",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <flexcomp name="f" type="ellipsoid" dim="3" count="3 4 3" spacing=".1 .12 .13" radius=".005" mass=".7" dof="radial">
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" />
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
    </worldbody></mujoco>)",
     {-7.2169857520381608, 0, -354.28911429231812, -354.28911429231812, 2.110908455603324e-05, 0, 0, 0, 0,
      -0.80694216802598373}},
    {"Trilinear",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <body name="P" pos=".1 .2 .3" euler="20 30 40"><joint axis="0 1 1"/><geom size=".05" mass=".3" contype="0" conaffinity="0"/>
      <flexcomp name="f" type="grid" dim="3" count="3 2 3" spacing=".1 .12 .13" radius=".005" mass=".7" dof="trilinear" cellcount="2 1 3">
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" />
        <contact selfcollide="none" contype="0" conaffinity="0"/><pin id="0 3"/></flexcomp></body>
    </worldbody></mujoco>)",
     {-6.113425980649728, -0.29466121990428812, -171.57263097309561, -171.57263097309561, 0.90418276446111878, 0, 0, 0,
      0, -0.28727948481364751}},
    {"Quadratic",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <flexcomp name="f" type="grid" dim="3" count="3 2 3" spacing=".1 .12 .13" radius=".005" mass=".7" dof="quadratic" cellcount="2 1 1">
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" />
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
    </worldbody></mujoco>)",
     {1.7278366728992847, -0.14315755349658499, -24415.019957236807, -24415.019957236807, 0.0003832121256455639, 0, 0,
      0, 0, -48.838623243813515}},
    {"Shell",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <body name="P" pos=".1 .2 .3" euler="20 30 40"><joint axis="0 1 1"/><geom size=".05" mass=".3" contype="0" conaffinity="0"/>
      <flexcomp name="f" type="grid" dim="3" count="3 2 3" spacing=".1 .12 .13" radius=".005" mass=".7" dof="trilinear" cellcount="2 3 2">
        <elasticity young="3e3" poisson=".2" thickness=".02" damping="0" elastic2d="both"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp></body>
    </worldbody></mujoco>)",
     {-0.011732127406306591, 0, -4.293013888068371, -4.293013888068371, 0.90047348115179981, 0, 0, 0, 0,
      -0.047194474393966394}},
    {"Edges",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <body name="P" pos=".1 .2 .3" euler="20 30 40"><joint axis="0 1 1"/><geom size=".05" mass=".3" contype="0" conaffinity="0"/>
      <flexcomp name="f" type="grid" dim="1" count="5 1 1" spacing=".1 .1 .1" radius=".005" mass=".7" >
        <edge stiffness="200" damping="3"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp></body>
    </worldbody></mujoco>)",
     {2.2402930478819685, 0.46752343366178994, 22.07441998826156, 22.07441998826156, 0.97105964374733322, 0, 0, 0, 0,
      -0.036613107643728736}},
    {"EdgeDamping",
     R"(<mujoco><option gravity="0 0 -3" integrator="implicit"/><worldbody>
      <body name="P" pos=".1 .2 .3" euler="20 30 40"><joint axis="0 1 1"/><geom size=".05" mass=".3" contype="0" conaffinity="0"/>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" >
        <edge damping="3"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp></body>
    </worldbody></mujoco>)",
     {0, 0.7285526644081195, 12.351761559996685, 12.351761559996685, 0.89942518134698524, 0, 0, 0, 0,
      -0.091540551246751159}},
    {"EqualityEdges",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <body name="P" pos=".1 .2 .3" euler="20 30 40"><joint axis="0 1 1"/><geom size=".05" mass=".3" contype="0" conaffinity="0"/>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" >
        <edge equality="true" damping="1"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/><pin id="0 3"/></flexcomp></body>
    </worldbody></mujoco>)",
     {0, 0.058503696593038772, 16.303821840850308, -15.889541448460857, 0.81310850589282624, 22, 2.9217600378798863,
      0.0030678547862528715, 24457.235423199105, -0.059774523740957063}},
    {"EqualityVertices",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" >
        <edge equality="vert"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
    </worldbody></mujoco>)",
     {0, 0, -0.11425506449983747, 3.2923363826219392, 0.0004512278410765423, 24, 0.82316428356550608,
      0.062216437168899949, 439309.00449033431, -0.094144535525595943}},
    {"EqualityCells",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <body name="P" pos=".1 .2 .3" euler="20 30 40"><joint axis="0 1 1"/><geom size=".05" mass=".3" contype="0" conaffinity="0"/>
      <flexcomp name="f" type="grid" dim="3" count="3 2 3" spacing=".1 .12 .13" radius=".005" mass=".7" dof="trilinear" cellcount="2 1 2">
        <edge equality="strain" solimp=".95 .95 .001"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/><pin id="0 3"/></flexcomp></body>
    </worldbody></mujoco>)",
     {0, 0, -0.68928495614356278, -75.899261233886122, 0.92397649005623572, 72, 0.14586869318440859,
      0.0006511159614596806, 4744.046182353195, -0.11990551629414299}},
    {"EqualityQuadratic",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <flexcomp name="f" type="grid" dim="3" count="3 2 3" spacing=".1 .12 .13" radius=".005" mass=".7" dof="quadratic">
        <edge equality="strain" solimp=".95 .95 .001"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
    </worldbody></mujoco>)",
     {0, 0, -0.25869455908334626, -15.715936585063547, -0.00023172552847381105, 75, 17.615626259495276,
      0.17247436294909807, 1251011.1799078428, -0.098091416380388596}},
    {"EqualityShell",
     R"(<mujoco><option gravity="0 0 -3" /><worldbody>
      <flexcomp name="f" type="grid" dim="3" count="3 2 3" spacing=".1 .12 .13" radius=".005" mass=".7" dof="trilinear" cellcount="2 1 2">
        <edge equality="strain" solimp=".95 .95 .001"/>
        <elasticity thickness=".02" elastic2d="both"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
    </worldbody></mujoco>)",
     {0, 0, -0.17186359631605019, -44.594700326404691, 0.00078215169065644352, 96, 0.97699151222967839,
      0.00041602331857268235, 3133.7453552587608, -0.16203300353250455}},
    {"ImplicitStretch",
     R"(<mujoco><option gravity="0 0 -3" solver="CG" integrator="implicitfast"/><worldbody>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" >
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" elastic2d="stretch"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/><pin id="0 3"/></flexcomp>
    </worldbody></mujoco>)",
     {-0.30930994313212035, 0, -7.1805407011275051, -7.1805407011275051, 0.00023555082052184812, 0, 0, 0, 0,
      -0.042288255881718029}},
    {"ImplicitBend",
     R"(<mujoco><option gravity="0 0 -3" solver="CG" integrator="implicitfast"/><worldbody>
      <body name="P" pos=".1 .2 .3" euler="20 30 40"><joint axis="0 1 1"/><geom size=".05" mass=".3" contype="0" conaffinity="0"/>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" >
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" elastic2d="bend"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp></body>
    </worldbody></mujoco>)",
     {-0.00088659538999368535, 0.00019917651569685571, -0.1807433461818464, -0.1807433461818464, 0.89942518134698524, 0,
      0, 0, 0, -0.10669474371557534}},
    {"ImplicitBoth",
     R"(<mujoco><option gravity="0 0 -3" solver="CG" integrator="implicitfast"/><worldbody>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" >
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" elastic2d="both"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
    </worldbody></mujoco>)",
     {0.005179692963145504, 0.00015638712111388684, -0.077513429916529653, -0.077513429916529653, 0.0004512278410765423,
      0, 0, 0, 0, -0.10088423515067288}},
    {"ImplicitTetrahedra",
     R"(<mujoco><option gravity="0 0 -3" solver="CG" integrator="implicitfast"/><worldbody>
      <flexcomp name="f" type="grid" dim="3" count="3 2 3" spacing=".1 .12 .13" radius=".005" mass=".7" >
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" />
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
    </worldbody></mujoco>)",
     {-4.1179772791730702, 0, -84.525239460222068, -84.525239460222068, 0.00078215169065644352, 0, 0, 0, 0,
      -0.2418940818001393}},
    {"ImplicitTrilinear",
     R"(<mujoco><option gravity="0 0 -3" solver="CG" integrator="implicitfast" tolerance="1e-13"/><worldbody>
      <flexcomp name="f" type="grid" dim="3" count="3 2 3" spacing=".1 .12 .13" radius=".005" mass=".7" dof="trilinear" cellcount="2 1 1">
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" />
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
    </worldbody></mujoco>)",
     {0.13465458235084618, -0.017351201143335465, 1.0355685284736493, 1.0355685284736493, 0.00045122784107652636, 0, 0,
      0, 0, -0.098658071233892503}},
    {"ImplicitTrilinearHinge",
     R"(<mujoco><option gravity="0 0 -3" solver="CG" integrator="implicitfast" tolerance="1e-13"/><worldbody>
      <body name="P" pos=".1 .2 .3" euler="20 30 40"><joint axis="0 1 1"/><geom size=".05" mass=".3" contype="0" conaffinity="0"/>
      <flexcomp name="f" type="grid" dim="3" count="3 2 3" spacing=".1 .12 .13" radius=".005" mass=".7" dof="trilinear">
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" />
        <contact selfcollide="none" contype="0" conaffinity="0"/><pin id="0 3"/></flexcomp></body>
    </worldbody></mujoco>)",
     {-4.149580353497571, 0.092368154286499193, 0.63307215045995147, 0.63307215045995147, 0.88893638034938904, 0, 0, 0,
      0, -0.038482222824387471}},
    {"ImplicitEquality",
     R"(<mujoco><option gravity="0 0 -3" solver="CG" integrator="implicitfast" tolerance="1e-15" iterations="400" ls_tolerance="1e-8"/><worldbody>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" >
        <edge equality="true" damping="1"/>
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" elastic2d="bend"/>
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
    </worldbody></mujoco>)",
     {-0.0021238640454779014, -0.020604106274582562, -0.50345329951389561, -40.132214931874046, 0.0004512278410765423,
      23, 1.8042645095343299, 0.0027067000587625571, 17622.705647521347, -0.18099363815458783}},
    {"AdhesiveBelt",
     R"(<mujoco><option gravity="0 0 -3" tolerance="1e-14" iterations="200" ls_tolerance="1e-9"/><worldbody>
      <geom type="box" size="1 1 .1" pos="0 0 -.1" adhesion="2" surfacevel=".3 -.2 .4 .1 .2 .5"/>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" pos="0 0 .002">
        <edge equality="true"/><contact selfcollide="none" condim="4"/></flexcomp>
    </worldbody></mujoco>)",
     {0, 0, 155.900150921234, 4.3602110859375349, 0.0046512278410765417, 131, 0.83977307195171935, 0.017388689888612002,
      198669.13917945913, -0.092008786118964792}},
    {"CornerBeyondTheBallOfAGeom",
     R"(<mujoco><option gravity="0 0 -3" tolerance="1e-14" iterations="200" ls_tolerance="1e-9"/><worldbody>
      <geom type="box" size=".07 .06 .045" margin=".08"/>
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".016" mass=".7" pos=".28 .26 -.11">
        <edge equality="true"/><contact selfcollide="none"/></flexcomp>
    </worldbody></mujoco>)",
     {0, 0, -0.11425506449983747, -74.377234262023038, -0.23054877215892344, 31, 4.0768270643728597,
      0.044657821677814284, 20373.091317593146, -0.24948367681488592}},
    {"JointsOfADefaultClass",
     R"(<mujoco><default><joint armature=".1"/><default class="soft"><joint damping=".2" stiffness="3" springref=".1"/></default></default>
    <option gravity="0 0 -3"/><worldbody><body name="p" childclass="soft" pos="0 0 1">
      <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" mass=".7">
        <edge damping="1"/><contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp></body>
    </worldbody></mujoco>)",
     {-0.027457101179214183, -0.00061465173752876757, -0.21938925271094795, -0.21938925271094795, 2.6384865904582395, 0,
      0, 0, 0, -0.10116688109654205}},
    {"NoslipWithImplicitElasticity",
     R"(<mujoco><option gravity="0 0 -3" solver="CG" integrator="implicitfast" tolerance="1e-15" iterations="400" ls_tolerance="1e-9" noslip_iterations="3" noslip_tolerance="0"/><worldbody>
      <geom type="plane" size="1 1 .1"/>
      <flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" pos="0 0 .004">
        <elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" elastic2d="both"/>
        <contact selfcollide="none"/></flexcomp>
    </worldbody></mujoco>)",
     {0.17112098244502955, 3.6447486954745704e-05, 1.9840078156425682, -25.535902322601604, 0.01026254682385939, 16,
      0.1653351204983422, 0.0017412787052095808, 12969.283189766833, 0.0048718030131121616}},
    {"PassiveSegments",
     R"(<mujoco><option gravity="0 0 -3" solver="CG" integrator="implicitfast" tolerance="1e-14" jacobian="sparse"/><worldbody>
      <geom type="plane" size="1 1 .1"/>
      <flexcomp name="s" type="grid" dim="1" count="3 1 1" spacing=".1 .12 .1" radius=".005" mass=".7" pos="0 0 .003">
        <edge damping=".1" stiffness="5"/><contact selfcollide="none" passive="true"/></flexcomp>
    </worldbody></mujoco>)",
     {-132169.72657493321, 0.003900573416416496, -565055.25538001314, -565055.25538001314, 0.01292916811785642, 0, 0, 0,
      0, -1130.1104007906617}},
    {"PassiveSegmentsAndSheet",
     R"(<mujoco><option gravity="0 0 -3" solver="CG" integrator="implicitfast" tolerance="1e-14" jacobian="sparse"/><worldbody>
      <geom type="plane" size="1 1 .1"/>
      <flexcomp name="s" type="grid" dim="1" count="3 1 1" spacing=".1 .12 .1" radius=".005" mass=".7" pos="0 0 .003">
        <edge damping=".1" stiffness="5"/><contact selfcollide="none" passive="true"/></flexcomp>
      <flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".1 .12 .1" radius=".005" mass=".7" pos=".03 .02 .01">
        <contact selfcollide="none" passive="true"/></flexcomp>
    </worldbody></mujoco>)",
     {-164230.82997494415, 0.003900573416416496, -484553.22718634736, -484553.22718634736, 0.032338098642124655, 0, 0,
      0, 0, -969.20718358098554}},
    {"TetrahedraOnATurnedHeightField",
     R"(<mujoco><option gravity="0 0 -3" tolerance="1e-14" iterations="200" ls_tolerance="1e-9"/>
    <asset><hfield name="h" nrow="3" ncol="4" size=".5 .4 .2 .1" elevation="3 1 4 1 5 9 2 6 5 3 5 8"/></asset><worldbody>
      <geom type="hfield" hfield="h" pos=".1 .2 .3" euler="10 20 30"/>
      <flexcomp name="f" type="grid" dim="3" count="2 2 2" spacing=".1 .12 .1" radius=".02" mass=".7" pos=".1 .2 .45">
        <edge damping="1"/><contact selfcollide="none"/></flexcomp>
    </worldbody></mujoco>)",
     {0, 0.080206752215910976, 1.8610344948684006, -26.450157854607436, 0.94509364924433292, 72, 0.30997937051349256,
      0.10688078583158145, 733707.19247809902, 0.027304274478751597}},
};

class Flex : public testing::TestWithParam<Case> {};

TEST_P(Flex, MatchesMuJoCo) {
  World w(GetParam().model);
  w.m.opt.enableflags |= kEnableEnergy;
  displace(w);
  ASSERT_TRUE(forward(w.m, w.d));
  const auto& want = GetParam().want;
  const auto near = [](double got, double expected, double tolerance, const char* what) {
    EXPECT_NEAR(got, expected, tolerance * std::max(1.0, std::abs(expected))) << what;
  };
  near(weighted(w.d.qfrc_spring), want.spring, 1e-12, "qfrc_spring");
  near(weighted(w.d.qfrc_damper), want.damper, 1e-12, "qfrc_damper");
  near(weighted(w.d.qacc_smooth), want.qacc_smooth, 1e-10, "qacc_smooth");
  near(weighted(w.d.qacc), want.qacc, 1e-8, "qacc");
  near(w.d.energy[0], want.potential, 1e-12, "energy");
  ASSERT_EQ(w.d.nefc, want.nefc);
  const auto rows = [&](const std::vector<double>& x) {
    return std::span(x).first(static_cast<std::size_t>(w.d.nefc));
  };
  near(weighted(rows(w.d.efc_R)), want.R, 1e-10, "efc_R");
  near(squares(rows(w.d.efc_pos)), want.pos2, 1e-10, "efc_pos");
  near(squares(rows(w.d.efc_aref)), want.aref2, 1e-10, "efc_aref");
  std::ranges::fill(w.d.qacc_warmstart, 0.0);
  ASSERT_TRUE(step(w.m, w.d));
  near(weighted(w.d.qvel), want.next_qvel, 1e-9, "qvel");
}

INSTANTIATE_TEST_SUITE_P(All, Flex, testing::ValuesIn(kCases), [](const auto& info) { return info.param.name; });

std::string cloth(const std::string& inside, const std::string& option = "", const std::string& attributes = "") {
  return "<mujoco><option gravity=\"0 0 -3\" " + option +
         R"(/><worldbody><flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005" )" +
         attributes + ">" + inside + "</flexcomp></worldbody></mujoco>";
}
const std::string kElastic =
    R"(<elasticity young="3e3" poisson=".2" thickness=".02" damping=".01" elastic2d="both"/><contact selfcollide="none"/>)";
const std::string kImplicit = R"(solver="CG" integrator="implicitfast" tolerance="1e-12")";

TEST(FlexForces, ElasticForcesHaveNoResultantAndNoMoment) {
  World w(cloth(kElastic));
  displace(w);
  ASSERT_TRUE(forward(w.m, w.d));
  Vec3<double> sum, moment;
  double largest = 0;
  for (int v = 0; v < w.m.nflexvert; ++v) {
    const int dof = w.m.body_dofadr[w.m.flex_vertbodyid[v]];
    const auto force = Vec3<double>::load(&w.d.qfrc_spring[dof]), x = Vec3<double>::load(&w.d.flexvert_xpos[3 * v]);
    sum += force;
    moment += cross(x, force);
    largest = std::max(largest, norm(force));
  }
  EXPECT_GT(largest, 0.1);
  EXPECT_LT(norm(sum), 1e-13 * largest);
  // stretching forces act along edges; bending is linear in the positions and turns with them
  EXPECT_LT(norm(moment), 1e-3 * largest);
}

TEST(FlexMetric, AccelerationSolvesTheImplicitEquation) {
  World w(cloth(kElastic, kImplicit));
  displace(w);
  ASSERT_TRUE(forward(w.m, w.d));
  ASSERT_EQ(w.d.efm_active, 1);
  const StiffnessMatrix K = stiffness_matrix(w.m, w.d);
  std::vector<double> force(w.m.nv);
  for (int i = 0; i < w.m.nv; ++i) force[i] = w.d.M[w.m.M_rowadr[i]] * w.d.qacc_smooth[i];  // M is diagonal here
  add_product(K, w.d.qacc_smooth.data(), force.data());
  for (int i = 0; i < w.m.nv; ++i) EXPECT_NEAR(force[i], w.d.qfrc_smooth[i] + w.d.efm_c[i], 1e-11);
}

TEST(FlexMetric, InverseFindsNoAppliedForce) {
  World w(cloth(kElastic, kImplicit));
  displace(w);
  ASSERT_TRUE(forward(w.m, w.d));
  ASSERT_TRUE(inverse(w.m, w.d));
  for (const double f : w.d.qfrc_inverse) EXPECT_NEAR(f, 0, 1e-11);
}

TEST(FlexMetric, IsOffForOtherSolversAndIntegrators) {
  for (const char* option : {R"(solver="Newton" integrator="implicit")", R"(solver="CG" integrator="Euler")",
                             R"(solver="CG" integrator="implicit" cone="elliptic")"}) {
    World w(cloth(kElastic, option));
    ASSERT_TRUE(forward(w.m, w.d));
    EXPECT_EQ(w.d.efm_active, 0) << option;
    EXPECT_EQ(w.d.nefmK, 0) << option;
  }
}

TEST(FlexMetric, UnfinishedIterationsAreCounted) {
  World w(cloth(kElastic, R"(solver="CG" integrator="implicit" tolerance="1e-14" iterations="1")"));
  displace(w);
  ASSERT_TRUE(forward(w.m, w.d));
  EXPECT_EQ(w.d.warning[static_cast<std::size_t>(Warning::Inertia)].number, 1);
}

// MuJoCo 3.12.0 gives the vertex of a static body no inverse weight, and fails to factor the Hessian.
TEST(FlexEquality, PinnedVerticesAreHeld) {
  World w(cloth(R"(<edge equality="vert"/><contact selfcollide="none"/><pin id="0 2"/>)"));
  w.steps(200);
  for (const double x : w.d.qpos) ASSERT_TRUE(std::isfinite(x));
  for (int i = 0; i < w.d.nefc; ++i) {
    EXPECT_GT(w.d.efc_R[i], 1e-12);
    EXPECT_LT(std::abs(w.d.efc_pos[i]), 0.1);
  }
}

TEST(FlexEquality, InactiveEqualityHasNoRows) {
  World w(cloth(R"(<edge equality="true"/><contact selfcollide="none"/>)"));
  w.d.eq_active[0] = 0;
  ASSERT_TRUE(forward(w.m, w.d));
  EXPECT_EQ(w.d.nefc, 0);
}

// As in MuJoCo, the trees of an elastic flex form an island even if no row touches them.
TEST(FlexIslands, ElasticFlexWithoutRowsMovesFreely) {
  World w(R"(<mujoco><option gravity="0 0 -3"/><worldbody>
    <body pos="1 0 0"><joint axis="0 1 0" limited="true" range="10 20"/><geom size=".03" pos=".1 0 0" contype="0" conaffinity="0"/></body>
    <flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".1 .12 .1" radius=".005">)" +
          kElastic + "</flexcomp></worldbody></mujoco>");
  for (std::size_t i = 1; i < w.d.qpos.size(); ++i) w.d.qpos[i] = 0.01 * std::sin(static_cast<double>(i));
  std::ranges::fill(w.d.qacc_warmstart, 7.0);
  ASSERT_TRUE(forward(w.m, w.d));
  EXPECT_EQ(w.d.nefc, 1);
  EXPECT_EQ(w.d.nisland, 2);
  for (int i = 1; i < w.m.nv; ++i) EXPECT_EQ(w.d.qacc[i], w.d.qacc_smooth[i]);
}

std::string passive_sheet(const std::string& option) {
  return "<mujoco><option " + option + R"(/><worldbody><geom type="plane" size="1 1 .1"/>
    <flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" radius=".005" pos="0 0 .004">
      <elasticity young="3e3" poisson=".2" thickness=".02" elastic2d="both"/><contact selfcollide="none" passive="true"/>
    </flexcomp></worldbody></mujoco>)";
}

// With so few dofs MuJoCo 3.12.0 uses dense rows and crashes at the first passive contact.
TEST(PassiveContacts, HoldASheetOnThePlaneWithoutRows) {
  World w(passive_sheet(kImplicit));
  ASSERT_TRUE(forward(w.m, w.d));
  ASSERT_EQ(w.d.ncon, 9);
  EXPECT_EQ(w.d.nefc, 0);
  for (int i = 0; i < w.d.ncon; ++i) EXPECT_EQ(w.d.contact[i].exclude, 4);
  w.steps(100);
  for (int v = 0; v < w.m.nflexvert; ++v) EXPECT_NEAR(w.d.flexvert_xpos[3 * v + 2], 0.005, 1e-3);
}

TEST(PassiveContacts, AreRefusedWithoutTheMetric) {
  World w(passive_sheet(kImplicit));
  w.m.opt.solver = static_cast<int>(SolverKind::Newton);
  const Status status = step(w.m, w.d);
  EXPECT_FALSE(status);
  EXPECT_NE(status.text().find("passive contacts"), std::string_view::npos) << status.text();
}

/// Edits of doubles are not counted, so the step itself checks those that say where to read.
TEST(FlexEdits, NumbersThatSayWhereToReadAreChecked) {
  const double bad[] = {1e300, -1e300, std::nan(""), 1e6, -1};
  const char* part = R"(<contact selfcollide="none"/><elasticity young="100" elastic2d="both" thickness=".01"/>)";
  const auto grid = [](const std::string& inside) {
    return R"(<mujoco><worldbody><flexcomp name="f" type="grid" dim="3" count="2 2 2" spacing=".1 .1 .1" radius=".01"
      dof="trilinear">)" +
           inside + "</flexcomp></worldbody></mujoco>";
  };
  for (const double value : bad) {
    for (const std::size_t at : {0, 1, 2}) {  // the number of pairs of faces, and the first pair
      World shell(grid(part).c_str());
      ASSERT_GE(shell.m.flex_bendingadr[0], 0);
      shell.m.flex_bending[at] = value;
      EXPECT_TRUE(step(shell.m, shell.d));
    }
    World strain(grid(R"(<contact selfcollide="none"/><edge equality="strain"/>)").c_str());
    strain.m.flex_stiffness[0] = value;
    EXPECT_TRUE(step(strain.m, strain.d));
    EXPECT_LT(strain.d.nefc, 24);
    strain.m.eq_data[1] = value;
    EXPECT_TRUE(step(strain.m, strain.d));
    EXPECT_EQ(strain.d.nefc, 0);
  }
}

/// Conjugate gradients that no tolerance ends, and forces that are not finite.
TEST(FlexMetric, EndsWhereTheResidualUnderflows) {
  World w(cloth(kElastic, R"(solver="CG" integrator="implicitfast" tolerance="0" iterations="1000")"));
  displace(w);
  ASSERT_TRUE(step(w.m, w.d));
  for (const double x : w.d.qpos) EXPECT_TRUE(std::isfinite(x));
  w.d.qfrc_applied[0] = std::nan("");
  ASSERT_TRUE(forward(w.m, w.d));
  EXPECT_TRUE(std::isnan(w.d.qacc_smooth[0]));
}

TEST(FlexDerivatives, AreRefusedByName) {
  World w(cloth(kElastic));
  EXPECT_NE(analytic_refusal(w.m, w.d).find("flex"), std::string::npos);
}

TEST(FlexWorlds, CopiesContinueWithTheSameBits) {
  for (const std::string& option : {std::string(), kImplicit}) {
    World w(cloth(kElastic, option));
    displace(w);
    w.steps(3);
    Data copy = w.d;
    w.steps(3);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(step(w.m, copy));
    EXPECT_TRUE(std::ranges::equal(copy.qpos, w.d.qpos));
    EXPECT_TRUE(std::ranges::equal(copy.qvel, w.d.qvel));
  }
}

}  // namespace
}  // namespace sinew::test
