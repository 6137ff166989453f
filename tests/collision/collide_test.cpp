#include "collision/collide.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "base/arena.h"
#include "collision/contact_params.h"
#include "collision/filter.h"
#include "collision/pair_table.h"
#include "collision/random_shape.h"
#include "dynamics/kinematics.h"
#include "sinew/load.h"

namespace sinew {
namespace {

Model load_xml(const std::string& xml) { return load_string(xml).value_or_throw(); }

Data placed(const Model& m) {
  Data d(m);
  reset(m, d);
  kinematics(m, d);
  return d;
}

using Pair = std::pair<int, int>;

std::vector<Pair> contact_pairs(const Data& d) {
  std::vector<Pair> out;
  for (int i = 0; i < d.ncon; ++i) out.emplace_back(d.contact[i].geom[0], d.contact[i].geom[1]);
  return out;
}

// MuJoCo 3.12.0, mj_forward on this model, flag midphase on and off.
TEST(Order, OfContactsBetweenTwoBodiesAscendsByTheirGeoms) {
  const std::string bodies = R"(<worldbody>
    <body><freejoint/><geom type="box" size=".1 .1 .1"/><geom size=".1" pos=".15 0 0"/></body>
    <body pos=".1 .01 .15"><freejoint/><geom size=".1"/><geom type="box" size=".1 .1 .1" pos=".02 0 0"/></body></worldbody>)";
  const Model with = load_xml("<mujoco>" + bodies + "</mujoco>");
  Data d = placed(with);
  collide(with, d);
  std::vector<Pair> found = contact_pairs(d);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  EXPECT_EQ(found, (std::vector<Pair>{{0, 3}, {1, 2}, {1, 3}, {2, 0}}));

  const Model without = load_xml("<mujoco><option><flag midphase='disable'/></option>" + bodies + "</mujoco>");
  Data e = placed(without);
  collide(without, e);
  found = contact_pairs(e);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  EXPECT_EQ(found, (std::vector<Pair>{{2, 0}, {0, 3}, {1, 2}, {1, 3}}));
}

TEST(Filter, UserCallbackReplacesTheMasksOfGeoms) {
  const Model m = load_xml(R"(<mujoco><worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 .05"><freejoint/><geom size=".1" contype="2" conaffinity="2"/></body>
    <body pos="0 0 .15"><freejoint/><geom size=".1" contype="3" conaffinity="3"/></body>
    </worldbody></mujoco>)");
  Data d = placed(m);
  collide(m, d);
  EXPECT_EQ(contact_pairs(d), (std::vector<Pair>{{1, 2}}));
  std::vector<Pair> asked;
  d.callbacks.contact_filter = [&](const Model&, Data&, int a, int b) {
    asked.emplace_back(a, b);
    return true;
  };
  collide(m, d);
  EXPECT_EQ(d.ncon, 0);
  EXPECT_EQ(asked, (std::vector<Pair>{{0, 2}, {1, 2}}));  // floor and low ball: their body masks do not match
}

struct ParamsGolden {
  int geom, dim, exclude;
  double margin, adhesion;
  std::array<double, 5> friction;
  std::array<double, 2> solref, solreffriction;
  std::array<double, 5> solimp;
};

void expect_params(const std::string& option, const std::vector<ParamsGolden>& goldens) {
  const Model m = load_xml("<mujoco>" + option + R"(<worldbody>
    <geom name="floor" type="plane" size="1 1 .1" friction=".5 .02 .003" solref=".03 .9" solimp=".8 .9 .002 .4 3"
          solmix="2" margin=".01" gap=".002" condim="1"/>
    <body pos="0 0 .099"><freejoint/><geom size=".1" friction=".7 .01 .004" solref=".01 1.1" solimp=".7 .95 .001 .5 2"
          solmix="1" condim="4" margin=".003" gap=".004"/></body>
    <body pos="1 0 .099"><freejoint/><geom size=".1" priority="1" friction=".2" solref="-1000 -10" condim="6" adhesion="3"/></body>
    <body pos="2 0 .099"><freejoint/><geom size=".1" solref="-500 -20" solmix="0"/></body>
    <body pos="3 0 .111"><freejoint/><geom size=".1" adhesion="2"/></body>
    <body pos="4 0 .111"><freejoint/><geom size=".1"/></body>
    <body pos="5 0 .099"><freejoint/><geom name="p" size=".1" friction=".9" margin=".5"/></body>
    </worldbody><contact><pair geom1="p" geom2="floor" solreffriction=".05 .7" friction="1e-9 .3 .2 .1 .05"/></contact></mujoco>)");
  Data d = placed(m);
  collide(m, d);
  ASSERT_EQ(d.ncon, static_cast<int>(goldens.size()));
  const auto near = [](const auto& a, const auto& b) {
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-15 * std::max(1.0, std::abs(b[i])));
  };
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& c = d.contact[i];
    const ParamsGolden& g = goldens[i];
    SCOPED_TRACE(i);
    EXPECT_EQ(c.geom[0], 0);
    EXPECT_EQ(c.geom[1], g.geom);
    EXPECT_EQ(c.dim, g.dim);
    EXPECT_EQ(c.exclude, g.exclude);
    EXPECT_NEAR(c.includemargin, g.margin, 1e-17);
    EXPECT_EQ(c.adhesion, g.adhesion);
    near(c.friction, g.friction);
    near(c.solref, g.solref);
    near(c.solreffriction, g.solreffriction);
    near(c.solimp, g.solimp);
  }
}

// MuJoCo 3.12.0, mj_forward: contact fields, geom[1] first. Mixing, priority, gap, adhesion in the gap, explicit pair.
TEST(Params, AreMixedAsInMuJoCo) {
  const double third = 0.026666666666666665, two = 0.9333333333333333;
  const std::array<double, 5> mixed = {0.8333333333333334, 0.9166666666666667, 0.0016666666666666666,
                                       0.43333333333333335, 2.666666666666667};
  expect_params(
      "", {
              {1,
               4,
               0,
               0.013000000000000001,
               0,
               {0.7, 0.7, 0.02, 0.004, 0.004},
               {0.02333333333333333, 0.9666666666666668},
               {0, 0},
               {0.7666666666666666, 0.9166666666666667, 0.0016666666666666666, 0.43333333333333335, 2.666666666666667}},
              {2, 6, 0, 0.01, 3, {0.2, 0.2, 0.005, 0.0001, 0.0001}, {-1000, -10}, {0, 0}, {0.9, 0.95, 0.001, 0.5, 2}},
              {3, 3, 0, 0.01, 0, {1, 1, 0.02, 0.003, 0.003}, {-500, -20}, {0, 0}, {0.8, 0.9, 0.002, 0.4, 3}},
              {4, 1, 0, 0.01, 2, {1, 1, 0.02, 0.003, 0.003}, {third, two}, {0, 0}, mixed},
              {5, 3, 1, 0.01, 0, {1, 1, 0.02, 0.003, 0.003}, {third, two}, {0, 0}, mixed},
              {6, 3, 0, 0, 0, {0.00001, 0.3, 0.2, 0.1, 0.05}, {0.02, 1}, {0.05, 0.7}, {0.9, 0.95, 0.001, 0.5, 2}},
          });
}

// MuJoCo 3.12.0, mj_forward with the flag override.
TEST(Params, OverrideReplacesThoseOfGeomsAndPairs) {
  std::vector<ParamsGolden> goldens;
  for (const auto& [geom, dim, adhesion] :
       {std::tuple{1, 4, 0.0}, {2, 6, 3.0}, {3, 3, 0.0}, {4, 3, 2.0}, {5, 3, 0.0}, {6, 3, 0.0}})
    goldens.push_back({geom,
                       dim,
                       0,
                       0.02,
                       adhesion,
                       {0.3, 0.4, 0.01, 0.02, 0.00001},
                       {0.05, 0.8},
                       {0.05, 0.8},
                       {0.7, 0.8, 0.003, 0.4, 1}});
  expect_params(R"(<option o_margin=".02" o_solref=".05 .8" o_solimp=".7 .8 .003 .4 1" o_friction=".3 .4 .01 .02 1e-9">
    <flag override="enable"/></option>)",
                goldens);
}

/// Bodies of one to three random primitives or meshes each, crowded into a box, with `fixed` static geoms, and one body
/// of many geoms, which has a bounding volume tree.
std::string crowd(int bodies, int fixed, double room, unsigned seed) {
  RandomShapes random(seed);
  const auto numbers = [](const Vec3d& v) {
    return std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z);
  };
  std::string cloud;
  for (int i = 0; i < 30; ++i) cloud += numbers(random.unit() * .15) + " ";
  const std::string ends[2] = {"tet' vertex='0 0 0 .2 0 0 0 .2 0 0 0 .2'/>", "cloud' vertex='" + cloud + "'/>"};
  const auto geom = [&](double spread) {
    const int kind = static_cast<int>(random.uniform(0, 7));
    const Shape s = random.shape(kPrimitives[std::min(kind, 4)]);
    const std::string type = kind < 5    ? std::string(name_of(s.type)) + "' size='" + numbers(s.size)
                             : kind == 5 ? "mesh' mesh='tet"
                                         : "mesh' mesh='cloud";
    return "<geom type='" + type + "' pos='" + numbers(random.vector() * spread) + "' euler='" +
           numbers(random.vector() * 60) + "' margin='" + std::to_string(random.uniform(0, .02)) + "' gap='" +
           std::to_string(random.uniform(0, .01)) + "' contype='" +
           std::to_string(1 + static_cast<int>(random.uniform(0, 3))) + "' conaffinity='" +
           std::to_string(1 + static_cast<int>(random.uniform(0, 3))) + "'/>";
  };
  std::string xml = "<mujoco><asset><mesh name='" + ends[0] + "<mesh name='" + ends[1] +
                    "</asset><worldbody><geom type='plane' size='1 1 .1' pos='0 0 -1'/>";
  for (int i = 0; i < fixed; ++i) xml += geom(room);
  for (int i = 0; i < bodies; ++i) {
    xml += "<body name='b" + std::to_string(i) + "' pos='" + numbers(random.vector() * room) + "'><freejoint/>";
    const int geoms = 1 + static_cast<int>(random.uniform(0, 3));
    for (int k = 0; k < geoms; ++k) xml += geom(.1);
    xml += "</body>";
  }
  xml += "<body pos='.1 0 0'><freejoint/>";
  for (int k = 0; k < 30; ++k) xml += geom(room);
  xml += "</body>";
  return xml +
         "</worldbody><contact><exclude body1='b1' body2='b0'/><exclude body1='b2' body2='b5'/></contact></mujoco>";
}

/// Contacts of every geom pair that passes the filters, without boxes, trees or sweeps.
std::vector<Pair> exhaustive_pairs(const Model& m, Data& d) {
  std::vector<Pair> out;
  for (int a = 0; a < m.ngeom; ++a)
    for (int b = a + 1; b < m.ngeom; ++b) {
      const int body_a = m.geom_bodyid[a], body_b = m.geom_bodyid[b];
      if (!bodies_may_collide(BodyFilter(m, {}, body_a), BodyFilter(m, {}, body_b)) || !geoms_may_collide(m, a, b))
        continue;
      const int signature = (std::min(body_a, body_b) << 16) + std::max(body_a, body_b);
      if (std::count(m.exclude_signature.begin(), m.exclude_signature.end(), signature)) continue;
      const bool swap = m.geom_type[a] > m.geom_type[b];
      const Shape s = shape_of(m, d, swap ? b : a), t = shape_of(m, d, swap ? a : b);
      const PairFunction function = pair_row(s.type, t.type).contacts;
      if (!function) continue;
      ContactPoint found[kMaxContactsHfield];
      const int count = function({m, d.scratch()}, s, t, detection_margin(m, a, b, -1), found);
      for (int i = 0; i < count; ++i) out.emplace_back(s.geom, t.geom);
    }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Stage, FindsTheContactsOfAnExhaustiveSearch) {
  for (const auto& [bodies, fixed, room] : {std::tuple{6, 3, .15}, {20, 5, .3}, {60, 40, .5}, {300, 100, .9}}) {
    const Model m = load_xml(crowd(bodies, fixed, room, 11 + bodies));
    Data d = placed(m);
    collide(m, d);
    std::vector<Pair> found = contact_pairs(d);
    std::sort(found.begin(), found.end());
    EXPECT_GT(d.ncon, bodies / 2);
    EXPECT_EQ(found, exhaustive_pairs(m, d)) << bodies << " bodies";
  }
}

/// Contacts found through the bounding boxes: a user filter turns off the shortcut for few geoms.
std::vector<std::tuple<Pair, double>> contacts_by_boxes(const Model& m, Data& d) {
  d.callbacks.contact_filter = [](const Model& model, Data&, int a, int b) { return !geoms_may_collide(model, a, b); };
  collide(m, d);
  d.callbacks.contact_filter = nullptr;
  std::vector<std::tuple<Pair, double>> out;
  for (int i = 0; i < d.ncon; ++i) out.emplace_back(contact_pairs(d)[i], d.contact[i].dist);
  return out;
}

void expect_the_same_both_ways(const Model& m, Data& d) {
  const auto expected = contacts_by_boxes(m, d);
  collide(m, d);
  ASSERT_EQ(static_cast<std::size_t>(d.ncon), expected.size());
  for (int i = 0; i < d.ncon; ++i) EXPECT_EQ(std::tuple(contact_pairs(d)[i], d.contact[i].dist), expected[i]);
}

// MuJoCo 3.12.0, native, finds the first of these contacts only if the two bodies are alone or the large sphere is
// elsewhere (its sweep along rotated axes is too narrow), and the second only without the override.
TEST(Stage, FindsContactsInTheMarginOrGapRegardlessOfOtherBodies) {
  const Model boxes = load_xml(R"(<mujoco><worldbody><body><geom size="0.1"/>
      <body><geom type="box" size="0.07 0.133 0.0354" pos="-0.18 -0.04 0.131"/>
        <body pos="0 0.113 -0.24"><joint axis="-0.1 0.7 0.6" pos="0.2 0 0"/><geom size="1"/>
          <body pos="0 0.185 0.05" quat="1 1 0 0"><joint type="slide" axis="0.2 -0.9 0.453"/>
            <body pos="-0.06 -0.3 0"><geom type="box" size="0.1 0.2 0.133" margin="0.143"/></body></body></body></body>
      </body></worldbody></mujoco>)");
  Data d(boxes);
  reset(boxes, d);
  d.qpos[0] = 0.258, d.qpos[1] = -0.257;
  kinematics(boxes, d);
  collide(boxes, d);
  ASSERT_EQ(contact_pairs(d), (std::vector<Pair>{{0, 2}, {2, 1}, {1, 3}}));
  EXPECT_NEAR(d.contact[2].dist, 0.12773969184559852, 1e-14);

  const Model gap = load_xml(R"(<mujoco><option o_margin=".05"><flag override="enable"/></option><worldbody>
      <body><geom size=".1"/></body><body pos="0 0 .5"><freejoint/><geom size=".1" gap="1"/></body></worldbody></mujoco>)");
  Data apart = placed(gap);
  collide(gap, apart);
  ASSERT_EQ(apart.ncon, 1);
  EXPECT_NEAR(apart.contact[0].dist, 0.3, 1e-15);
  EXPECT_EQ(apart.contact[0].exclude, 1);
}

TEST(Stage, ShortcutForFewGeomsFindsTheSameContactsInTheSameOrder) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    Model m = load_xml(crowd(6 + seed % 7, seed % 4, .15, seed));
    ASSERT_LE(m.ngeom, 64);
    for (bool midphase : {true, false}) {
      if (!midphase) m.opt.disableflags |= kDisableMidphase;
      Data d = placed(m);
      expect_the_same_both_ways(m, d);
      EXPECT_GT(d.ncon, 5);
    }
  }
}

/// One body of `many` spheres, five of one each and a world of `fixed` ones.
std::string one_large_body(int many, int fixed) {
  RandomShapes random(static_cast<unsigned>(many + fixed));
  const auto sphere = [&] {
    const Vec3d p = random.vector() * .1;
    return "<geom size='.05' pos='" + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) +
           "'/>";
  };
  std::string xml = "<mujoco><worldbody>";
  for (int i = 0; i < fixed; ++i) xml += sphere();
  for (int b = 0; b < 6; ++b) {
    xml += "<body><freejoint/>";
    for (int i = 0; i < (b == 0 ? many : 1); ++i) xml += sphere();
    xml += "</body>";
  }
  return xml + "</worldbody></mujoco>";
}

// Spheres up to 64 geoms, else the sweep; the tree of a body from 129 geoms on, that of the world from 17 on.
TEST(Stage, FindsTheSameContactsOnBothSidesOfEveryThreshold) {
  for (const auto& [many, fixed] : {std::pair{57, 1},
                                    {58, 1},
                                    {59, 1},
                                    {60, 1},
                                    {40, 15},
                                    {40, 16},
                                    {40, 17},
                                    {40, 18},
                                    {127, 3},
                                    {128, 3},
                                    {129, 3},
                                    {130, 20}}) {
    const Model m = load_xml(one_large_body(many, fixed));
    Data d = placed(m);
    collide(m, d);
    std::vector<Pair> found = contact_pairs(d);
    std::sort(found.begin(), found.end());
    EXPECT_GT(d.ncon, 10);
    EXPECT_EQ(found, exhaustive_pairs(m, d)) << many << " geoms of a body, " << fixed << " of the world";
    expect_the_same_both_ways(m, d);
  }
}

TEST(Stage, ShortcutForFewGeomsAppliesTheBodyFilters) {
  constexpr const char* kTree = R"(<mujoco><option><flag FLAG/></option><worldbody>
    <geom type="plane" size="1 1 1" pos="0 0 -.05"/><geom name="rock" size=".1"/>
    <body name="post" pos=".05 0 0"><geom size=".1"/>
      <body name="gate"><joint/><geom name="gate" size=".1" pos=".05 0 0"/><geom type="box" size=".1 .1 .1"/></body></body>
    <body name="hand" mocap="true"><geom size=".1"/><body name="nail" pos="0 .05 0"><geom size=".1"/></body></body>
    <body name="arm"><freejoint/><geom type="capsule" size=".1 .1"/>
      <body name="cuff" pos="0 .05 0"><geom size=".1"/><body name="finger"><joint/><geom size=".1" contype="2"/>
        <body name="tip"><joint axis="1 0 0"/><geom size=".1"/></body></body></body></body>
    <body name="ball"><freejoint/><geom name="ball" size=".1" conaffinity="3"/></body></worldbody>
    <contact><exclude body1="ball" body2="gate"/><pair geom1="ball" geom2="rock"/><pair geom1="gate" geom2="rock"/></contact>
    </mujoco>)";
  for (const char* flag :
       {"filterparent=\"enable\"", "filterparent=\"disable\"", "sleep=\"enable\"", "override=\"enable\""}) {
    std::string xml = kTree;
    xml.replace(xml.find("FLAG"), 4, flag);
    Model m = load_xml(xml);
    Data d = placed(m);
    expect_the_same_both_ways(m, d);
    EXPECT_GT(d.ncon, 15) << flag;
    if (m.opt.enabled(kEnableSleep)) {  // one tree asleep: it can only collide with awake or mocap bodies
      const int tree = m.body_treeid[m.nbody - 1];
      d.tree_asleep[tree] = tree;
      d.body_awake[m.nbody - 1] = 0;
      expect_the_same_both_ways(m, d);
    }
    // mask bits of a geom that its body does not have are ignored
    m.geom_contype[m.ngeom - 1] = m.geom_conaffinity[m.ngeom - 1] = 4;
    m.geom_contype[0] = 4;
    expect_the_same_both_ways(m, d);
  }
}

// Bodies keep their compiled masks, as in MuJoCo 3.12.0, so many of them may have no colliding geom left. New bits
// count only if the bodies match without them.
TEST(Stage, FindsEveryContactAfterAnyEditOfTheMasks) {
  std::string xml =
      "<mujoco><default><geom size='.1' contype='3' conaffinity='3'/></default><worldbody>"
      "<geom type='plane' size='1 1 1' pos='0 0 -.08'/>";
  for (int i = 0; i < 120; ++i)
    xml += "<body pos='" + std::to_string(.15 * i) + " 0 0'><freejoint/><geom/><geom pos='0 .1 0'/></body>";
  Model m = load_xml(xml + "</worldbody></mujoco>");
  Data d = placed(m);
  RandomShapes random(5);
  for (int k = 0; k < 300; ++k) {
    const double share = random.uniform(0, 1) * random.uniform(0, 1);  // of colliding geoms
    const int most = k % 5 == 0 ? 7 : 3;                               // the bodies have two bits
    const auto mask = [&] { return random.uniform(0, 1) < share ? static_cast<int>(random.uniform(1, most + 1)) : 0; };
    for (int g = 0; g < m.ngeom; ++g) {
      m.geom_contype[g] = mask();
      m.geom_conaffinity[g] = mask();
    }
    collide(m, d);
    std::vector<Pair> found = contact_pairs(d);
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, exhaustive_pairs(m, d)) << "masks " << k;
  }
}

TEST(Stage, FindsTheSameContactsWithoutTheMidphase) {
  Model m = load_xml(crowd(40, 30, .4, 5));
  Data d = placed(m);
  collide(m, d);
  std::vector<std::tuple<Pair, double>> with, without;
  for (int i = 0; i < d.ncon; ++i) with.emplace_back(contact_pairs(d)[i], d.contact[i].dist);
  m.opt.disableflags |= kDisableMidphase;
  collide(m, d);
  for (int i = 0; i < d.ncon; ++i) without.emplace_back(contact_pairs(d)[i], d.contact[i].dist);
  EXPECT_TRUE(std::is_permutation(with.begin(), with.end(), without.begin(), without.end()));
}

TEST(Stage, ListsBodyPairsInAscendingOrder) {
  const Model m = load_xml(crowd(60, 20, .4, 3));
  Data d = placed(m);
  collide(m, d);
  std::vector<Pair> bodies;
  for (const auto& [a, b] : contact_pairs(d)) bodies.emplace_back(std::minmax(m.geom_bodyid[a], m.geom_bodyid[b]));
  EXPECT_TRUE(std::is_sorted(bodies.begin(), bodies.end()));
}

TEST(Stage, SkipsBodiesWhosePoseIsNaN) {
  const Model m = load_xml(crowd(40, 10, .4, 9));
  Data d = placed(m);
  collide(m, d);
  std::vector<Pair> expected = contact_pairs(d);
  const int bad = m.body_geomadr[7];
  std::erase_if(expected, [&](const Pair& p) { return m.geom_bodyid[p.first] == 7 || m.geom_bodyid[p.second] == 7; });
  for (int g = bad; g < bad + m.body_geomnum[7]; ++g)
    for (int i = 0; i < 3; ++i) d.geom_xpos[3 * g + i] = NAN;
  collide(m, d);
  EXPECT_EQ(contact_pairs(d), expected);
}

TEST(Stage, StopsAllocatingOnceItsBuffersAreLargeEnough) {
  const Model m = load_xml(crowd(60, 20, .4, 4));
  Data d = placed(m);
  collide(m, d);
  collide(m, d);
  const std::size_t scratch = d.scratch().capacity(), contacts = d.contact.capacity();
  for (int i = 0; i < 5; ++i) collide(m, d);
  EXPECT_EQ(d.scratch().capacity(), scratch);
  EXPECT_EQ(d.contact.capacity(), contacts);
  EXPECT_EQ(d.scratch().used(), 0u);
}

TEST(Stage, HasNoContactsIfTheyAreDisabled) {
  for (const char* flag : {"contact", "constraint"}) {
    const Model m = load_xml(std::string("<mujoco><option><flag ") + flag + R"(="disable"/></option><worldbody>
      <geom type="plane" size="1 1 1"/><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>)");
    Data d = placed(m);
    collide(m, d);
    EXPECT_EQ(d.ncon, 0) << flag;
  }
}

// A flat height field acts like the top of a box: shapes that penetrate it by 1 cm have contacts of that depth.
TEST(Stage, FlatHeightFieldsCarryEveryShape) {
  const Model m = load_xml(R"(<mujoco><asset><hfield name="flat" nrow="4" ncol="4" size="2 2 .1 .5"/>
    <mesh name="tet" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/></asset><worldbody>
    <geom type="hfield" hfield="flat"/>
    <body pos="-1 0 .09"><freejoint/><geom type="sphere" size=".1"/></body>
    <body pos="-.5 .1 .09"><freejoint/><geom type="capsule" size=".1 .1" euler="0 90 0"/></body>
    <body pos="0 .1 .09"><freejoint/><geom type="ellipsoid" size=".2 .15 .1"/></body>
    <body pos=".5 .1 .09"><freejoint/><geom type="cylinder" size=".1 .1"/></body>
    <body pos="1 .1 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="1.5 .1 -.01"><freejoint/><geom type="mesh" mesh="tet"/></body></worldbody></mujoco>)");
  Data d = placed(m);
  collide(m, d);
  std::vector<double> deepest(m.ngeom, 0);
  for (int i = 0; i < d.ncon; ++i) {
    EXPECT_EQ(d.contact[i].geom[0], 0);
    deepest[d.contact[i].geom[1]] = std::min(deepest[d.contact[i].geom[1]], d.contact[i].dist);
  }
  for (int g = 1; g < m.ngeom; ++g) EXPECT_NEAR(deepest[g], -0.01, 1e-5) << g;
}

// A tetrahedron, the smallest hull, and a mesh with duplicate points: contacts are found and finite.
TEST(Stage, SmallMeshesAndMeshesWithDuplicatePointsCollide) {
  const Model m = load_xml(R"(<mujoco><asset>
    <mesh name="tet" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/>
    <mesh name="twice" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2 0 0 0 .2 0 0 0 .2 0 0 0 .2 0 0 0 .2 0 0 0 .2 0 0 0 .2"/>
    </asset><worldbody>
    <body><freejoint/><geom type="mesh" mesh="tet"/></body>
    <body pos=".05 .01 .02"><freejoint/><geom type="mesh" mesh="twice"/></body>
    <body pos=".02 .04 .05"><freejoint/><geom type="box" size=".05 .05 .05"/></body></worldbody></mujoco>)");
  Data d = placed(m);
  collide(m, d);
  EXPECT_GE(d.ncon, 3);
  for (int i = 0; i < d.ncon; ++i) {
    EXPECT_LT(d.contact[i].dist, 0);
    EXPECT_TRUE(std::isfinite(d.contact[i].dist));
  }
}

TEST(Stage, SmallMeshesCollideWithVerticesOutsideTheirBoundedHull) {
  const Model m = load_xml(R"(<mujoco><asset>
    <mesh name="m" vertex="0 0 0 0 .137 -.1 0 -.2 -.2 1 -.2 0 .09 .113 .163 0 0 0" maxhullvert="4"/></asset>
    <worldbody><body pos=".14 -.06 .3"><geom mesh="m"/></body>
    <body zaxis=".07 -.2 -.5"><body pos=".05 .162 -.248"><joint/><geom type="mesh" mesh="m"/></body></body></worldbody></mujoco>)");
  Data d = placed(m);
  collide(m, d);
  ASSERT_EQ(d.ncon, 1);
  EXPECT_NEAR(d.contact[0].dist, -0.015686120187982655, 1e-9);  // MuJoCo 3.12.0, native
}

// MuJoCo 3.12.0, native. Corner to corner the boxes are 0.1776 apart along the world's y axis, but no more than the
// margin along any of their own 15 axes.
TEST(Stage, BoxesWithoutTreesHaveContactsInTheMarginOfTheirOwnAxes) {
  const std::string box = R"(<geom type="box" size=".1 .1 .1" margin=".15" quat="0.89 0.06 -0.65 0.94"/>)";
  std::string far_away;
  for (int i = 0; i < 80; ++i) far_away += "<geom size='.01' pos='0 9 " + std::to_string(i) + "'/>";
  const auto contacts = [](const std::string& first) {
    const Model m = load_xml("<mujoco><worldbody>" + first + R"(<body pos="-0.11 -0.48 -0.02"
      quat="-0.14 0.77 0.32 -0.43"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>)");
    Data d = placed(m);
    collide(m, d);
    return d;
  };
  for (const std::string& others : {std::string(), far_away}) {  // both broadphases
    const Data d = contacts("<body>" + box + "</body>" + others);
    ASSERT_EQ(d.ncon, 1);
    EXPECT_NEAR(d.contact[0].dist, 0.14970667532163, 1e-12);
  }
  EXPECT_EQ(contacts(box + "<geom size='.01' pos='0 9 0'/>").ncon, 0);
  EXPECT_EQ(contacts(box + far_away).ncon, 0);
}

// MuJoCo 3.12.0, native: the field of this sliver is negative at places outside of it, which makes contacts with a copy
// that is 5 cm away. Trees of boxes, which bodies of several geoms have, drop them.
TEST(Stage, ContactsThatAWrongSignOfAnSdfFieldMakesAreDroppedByTheTreesOfBodiesAlone) {
  const auto contacts = [](const std::string& second, const std::string& flags) {
    const Model m = load_xml("<mujoco><option>" + flags +
                             R"(</option><asset><mesh name="sliver" vertex="0 0 -.1 -.2 .2 .2 1 0 0 0 .2 .2"/></asset>
      <worldbody><body><geom mesh="sliver" type="sdf"/></body>
      <body><joint/><geom mesh="sliver" type="mesh" pos="0 0 -.05"/>)" +
                             second + "</body></worldbody></mujoco>");
    Data d = placed(m);
    collide(m, d);
    return d;
  };
  const Data only = contacts("", "");
  ASSERT_EQ(only.ncon, 2);
  EXPECT_NEAR(only.contact[0].dist, -0.0347319373844454, 1e-14);
  EXPECT_NEAR(only.contact[1].dist, -0.0323544385191856, 1e-14);
  EXPECT_NEAR(only.contact[1].pos[2], -0.0541220611001, 1e-12);
  const std::string far_away = "<geom size='.01' pos='0 0 9'/>";
  EXPECT_EQ(contacts(far_away, "").ncon, 0);
  EXPECT_EQ(contacts(far_away, "<flag midphase='disable'/>").ncon, 2);
}

// MuJoCo 3.12.0, native. The boxes of the two meshes are apart.
TEST(Stage, SdfGeomsMeetWhereTheirFieldsOverlapOutsideOfTheirBoxes) {
  const Model m = load_xml(R"(<mujoco><asset>
    <mesh name="m" vertex="-.108 0 0 0 0 0 .109 0 0 0 1 .2 .1 1 -.08 -.06 0 .117 0 0 0 .01 -.155 0"/></asset><worldbody>
    <body pos=".3 .156 .261"><geom mesh="m" type="sdf"/></body>
    <body pos=".0422 -.236 .0678" quat="-.971 -.145 .129 .879"><freejoint/><geom mesh="m" type="sdf"/></body>
    </worldbody></mujoco>)");
  Data d = placed(m);
  collide(m, d);
  ASSERT_EQ(d.ncon, 2);
  EXPECT_NEAR(d.contact[0].dist, -0.0120303038120338, 1e-9);
  EXPECT_NEAR(d.contact[1].dist, -0.0140535949775278, 1e-9);
}

// An edge of three triangles, a duplicate triangle, an unused vertex: the hull does not depend on the faces.
TEST(Stage, NonManifoldMeshesCollideAsTheirHull) {
  for (const char* faces :
       {"0 1 2 0 2 3 0 3 1 1 3 2 0 1 4", "0 2 1 0 1 3 0 3 2 1 2 3 0 2 1", "0 2 1 0 1 3 0 3 2 1 2 3"}) {
    SCOPED_TRACE(faces);
    const Model m = load_xml(std::string(R"(<mujoco><asset><mesh name="odd" inertia="convex"
      vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2 .15 .15 .15" face=")") +
                             faces + R"("/></asset><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 .05"><freejoint/><geom type="mesh" mesh="odd"/></body>
      <body pos=".1 .1 .1"><freejoint/><geom type="box" size=".05 .05 .05"/></body></worldbody></mujoco>)");
    Data d = placed(m);
    collide(m, d);
    EXPECT_GE(d.ncon, 1);
    for (int i = 0; i < d.ncon; ++i)
      EXPECT_TRUE(std::isfinite(d.contact[i].dist) && std::isfinite(d.contact[i].pos[0]));
  }
}

TEST(Stage, MeshesWithoutVolumeAreRefusedByName) {
  for (const char* vertices :
       {"0 0 0 1 0 0 0 1 0", "0 0 0 1 0 0 0 1 0 1 1 0", "0 0 0 0 0 0 0 0 0 0 0 0", "0 0 0 1 0 0 2 0 0 3 0 0"}) {
    const Result<Model> m = load_string(std::string("<mujoco><asset><mesh name='flat' vertex='") + vertices +
                                        "'/></asset><worldbody><geom type='mesh' mesh='flat'/></worldbody></mujoco>");
    ASSERT_FALSE(m) << vertices;
    EXPECT_NE(m.error().text().find("flat"), std::string::npos) << m.error().text();
  }
}

// MuJoCo 3.12.0: spheres that touch exactly along the sweep axis have no contact.
TEST(Stage, DropsBodiesThatOnlyTouchAlongTheSweepAxis) {
  const Model m = load_xml(R"(<mujoco><worldbody>
    <body pos="-.3 0 .1"><joint type="slide"/><geom size=".1"/></body><body pos="-.1 0 .1"><joint type="slide"/><geom size=".1"/></body>
    <body pos=".1 0 .1"><joint type="slide"/><geom size=".1"/></body><body pos=".3 0 .1"><joint type="slide"/><geom size=".1"/></body>
    </worldbody></mujoco>)");
  Data d = placed(m);
  collide(m, d);
  EXPECT_EQ(d.ncon, 0);
}

}  // namespace
}  // namespace sinew
