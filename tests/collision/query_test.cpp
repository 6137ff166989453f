#include "sinew/query.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/load.h"
#include "sinew/step.h"

namespace sinew {
namespace {

using nlohmann::json;

/// Scene, poses and answers of MuJoCo 3.12.0: mj_ray, mj_geomDistance, mj_maxContact (make_query_goldens.mjs).
class Queries : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(SINEW_SOURCE_DIR "/tests/collision/queries.json");
    ASSERT_TRUE(file);
    goldens_ = json::parse(file);
    Result<Model> model = load_string(goldens_["xml"].get<std::string>());
    ASSERT_TRUE(model) << model.error().text();
    model_ = std::move(*model);
  }

  Data at(const json& pose) const {
    Data d(model_);
    reset(model_, d);
    for (std::size_t i = 0; i < d.mocap_pos.size(); ++i) d.mocap_pos[i] = pose["mocap_pos"][i];
    for (std::size_t i = 0; i < d.mocap_quat.size(); ++i) d.mocap_quat[i] = pose["mocap_quat"][i];
    forward(model_, d);
    return d;
  }

  json goldens_;
  Model model_;
};

std::vector<double> numbers(const json& j) { return j.get<std::vector<double>>(); }

RayFilter filter_of(const json& ray) {
  RayFilter filter;
  for (int g = 0; g < kNumGroup; ++g) filter.group[g] = ray["groups"][g] != 0;
  filter.with_static = ray["static"] != 0;
  filter.exclude_body = ray["exclude"];
  return filter;
}

TEST_F(Queries, RaysMatchMuJoCo) {
  int hits = 0;
  for (const json& pose : goldens_["poses"]) {
    const Data d = at(pose);
    for (const json& r : pose["rays"]) {
      const RayHit hit = ray(model_, d, numbers(r["point"]).data(), numbers(r["vec"]).data(), filter_of(r));
      ASSERT_EQ(hit.geom, r["geom"].get<int>());
      EXPECT_NEAR(hit.dist, r["dist"].get<double>(), 1e-12);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(hit.normal[i], r["normal"][i].get<double>(), 1e-9);
      hits += hit.dist >= 0;
    }
  }
  EXPECT_GT(hits, 200);
}

TEST_F(Queries, ABatchOfRaysMatchesSingleRays) {
  const json& pose = goldens_["poses"][0];
  const Data d = at(pose);
  const double point[3] = {1.2, 0.1, 0.3};
  std::vector<double> vec;
  for (const json& r : pose["rays"])
    for (int i = 0; i < 3; ++i) vec.push_back(r["vec"][i]);
  std::vector<RayHit> hits(vec.size() / 3);
  multi_ray(model_, d, point, vec, hits);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const RayHit alone = ray(model_, d, point, &vec[3 * i]);
    EXPECT_EQ(hits[i].dist, alone.dist);
    EXPECT_EQ(hits[i].geom, alone.geom);
    EXPECT_EQ(hits[i].normal, alone.normal);
  }
}

TEST_F(Queries, RaysHitNothingBeyondTheCutoff) {
  const Data d = at(goldens_["poses"][0]);
  const double point[3] = {20, 0, 0}, vec[3] = {-1, 0, 0};
  RayHit hit;
  multi_ray(model_, d, point, {vec, 3}, {&hit, 1}, {}, 5.0);
  EXPECT_EQ(hit.geom, -1);
  EXPECT_EQ(hit.dist, -1);
}

TEST_F(Queries, DistancesAndNearestPointsMatchMuJoCo) {
  for (const json& pose : goldens_["poses"]) {
    Data d = at(pose);
    for (const json& q : pose["distances"]) {
      const GeomDistance got = geom_distance(model_, d, q["geom"][0], q["geom"][1], q["distmax"]);
      EXPECT_NEAR(got.dist, q["dist"].get<double>(), 1e-9) << q["geom"];
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(got.from[i], q["fromto"][i].get<double>(), 1e-7) << q["geom"];
        EXPECT_NEAR(got.to[i], q["fromto"][3 + i].get<double>(), 1e-7) << q["geom"];
      }
      EXPECT_EQ(max_contacts(model_, q["geom"][0], q["geom"][1]), q["most"].get<int>()) << q["geom"];
    }
  }
}

TEST_F(Queries, NaNPosesAndRaysHitNothing) {
  Data d = at(goldens_["poses"][0]);
  const double point[3] = {NAN, 0, 0}, vec[3] = {-1, 0, 0};
  EXPECT_EQ(ray(model_, d, point, vec).geom, -1);
  for (double& x : d.geom_xpos) x = NAN;
  for (int g = 0; g < model_.ngeom; ++g)
    for (int h = 0; h < model_.ngeom; ++h)
      EXPECT_EQ(g == h ? 1 : geom_distance(model_, d, g, h, 1).dist, 1) << g << " " << h;
}

// MuJoCo 3.12.0, native. A height field of one row has no cells, but walls
TEST(Rays, MeetTheWallsOfAHeightFieldOfOneRow) {
  const auto model = load_string(R"(<mujoco><asset><hfield name="h" nrow="1" ncol="3" elevation="1 2 3" size="1 1 1 1"/>
    </asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>)");
  ASSERT_TRUE(model);
  Data d(*model);
  forward(*model, d);
  const double along_x[3] = {1, 0.1, -0.01}, along_y[3] = {0.1, 1, -0.01};
  for (const double height : {0.2, 0.5, 0.8}) {
    const double from_left[3] = {-3, 0, height}, from_front[3] = {0.2, -3, height};
    EXPECT_NEAR(ray(*model, d, from_left, along_x).dist, 4, 1e-12);
    EXPECT_NEAR(ray(*model, d, from_front, along_y).dist, height < 0.7 ? 2 : 4, 1e-12) << height;
  }
}

// An edit may leave a height field without extent: the quotient of its middle is 0 / 0
TEST(Contacts, WithAHeightFieldWithoutExtentReadNothingOutsideOfIt) {
  auto model = load_string(R"(<mujoco><asset><hfield name="h" nrow="2" ncol="2" elevation="1 2 3 4" size="1 1 1 1"/>
    </asset><worldbody><geom type="hfield" hfield="h"/>
    <body pos=".5 .5 .5"><freejoint/><geom type="box" size=".5 .5 .5"/></body></worldbody></mujoco>)");
  ASSERT_TRUE(model);
  model->hfield_size[0] = model->hfield_size[1] = 0;
  Data d(*model);
  forward(*model, d);
  for (int c = 0; c < d.ncon; ++c) EXPECT_FALSE(std::isinf(d.contact[c].dist));
}

// MuJoCo 3.12.0, native, mj_ray; the last ray comes from outside.
TEST(Rays, FromInsideOfASignedDistanceFieldMeetItsSurfaceAhead) {
  const Result<Model> m = load_string(R"(<mujoco><asset><mesh name="cone" builtin="cone" params="9 0.3"/></asset>
    <worldbody><geom mesh="cone" type="sdf"/></worldbody></mujoco>)");
  ASSERT_TRUE(m) << m.error().text();
  Data d(*m);
  forward(*m, d);
  const struct {
    double point[3], vec[3], dist, normal[3];
  } rays[] = {
      {{0.1, 0.05, 0.1}, {1, 0, 0}, 0.496801484162, {0.8884664339, 0.3283639091, 0.3206314691}},
      {{0.2, -0.1, -0.3}, {0, -0.6, 0.8}, 0.668002909891, {0.4686384058, -0.8242275044, 0.3178475509}},
      {{0, 0, 0.2}, {0, 0, -2}, 1.2, {0, 0, -1}},
      {{2, 0.1, 0}, {-1, 0, 0}, 1.3863970093, {0.8884664339, 0.3283639091, 0.3206314691}},
  };
  for (const auto& r : rays) {
    const RayHit hit = ray(*m, d, r.point, r.vec);
    EXPECT_EQ(hit.geom, 0);
    EXPECT_NEAR(hit.dist, r.dist, 1e-9);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(hit.normal[i], r.normal[i], 1e-8);
  }
}

// MuJoCo 3.12.0, native, mj_ray
TEST(Rays, FromInsideOfAnSdfBoxMeetTheFaceAhead) {
  const Result<Model> m =
      load_string(R"(<mujoco><asset><mesh name="m" vertex="-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1
    -.1 -.1 .1 .1 -.1 .1 -.1 .1 .1 .1 .1 .1"/></asset><worldbody><geom type="sdf" mesh="m"/></worldbody></mujoco>)");
  ASSERT_TRUE(m) << m.error().text();
  Data d(*m);
  reset(*m, d);
  forward(*m, d);
  const double length = std::sqrt(1.05), point[3] = {.01, .02, .03}, dir[3] = {1 / length, .2 / length, .1 / length};
  const RayHit hit = ray(*m, d, point, dir);
  EXPECT_EQ(hit.geom, 0);
  EXPECT_NEAR(hit.dist, 0.0922225582398866, 1e-12);
  EXPECT_NEAR(hit.normal[0], 1, 1e-12);
}

// MuJoCo 3.12.0, native, mj_ray: near an edge the direction of the field changes within the last step along the ray.
TEST(Rays, GetTheNormalOfASignedDistanceFieldWhereTheyEnd) {
  const Result<Model> m = load_string(R"(<mujoco><asset><mesh name="m" vertex="-0.105 -0.12 -0.0133
    0.146 -0.138 0.151 -0.132 0.12 -0.041 0.164 -0.163 0.103"/></asset>
    <worldbody><geom type="sdf" mesh="m"/></worldbody></mujoco>)");
  ASSERT_TRUE(m) << m.error().text();
  Data d(*m);
  forward(*m, d);
  const double point[3] = {0, 0, 0}, dir[3] = {0, 0, 1};
  const RayHit hit = ray(*m, d, point, dir);
  EXPECT_NEAR(hit.dist, 0.055362532304268706, 1e-15);
  EXPECT_NEAR(hit.normal[0], 0.75215646204876341, 1e-14);
  EXPECT_NEAR(hit.normal[1], 0.65516760813360775, 1e-14);
  EXPECT_NEAR(hit.normal[2], 0.070824161490146156, 1e-14);
}

// MuJoCo 3.12.0, mj_contactForce: a box of 1 kg at rest puts 9.81 N on its four contacts.
TEST(ContactForce, OfABoxAtRestCarriesItsWeight) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    const Result<Model> m = load_string(std::string("<mujoco><option cone=\"") + cone + R"("/><worldbody>
      <geom type="plane" size="1 1 .1"/>
      <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body></worldbody></mujoco>)");
    ASSERT_TRUE(m) << m.error().text();
    Data d(*m);
    reset(*m, d);
    for (int i = 0; i < 1000; ++i) step(*m, d);
    forward(*m, d);
    ASSERT_EQ(d.ncon, 4);
    double normal = 0;
    for (int c = 0; c < d.ncon; ++c) normal += contact_force(*m, d, c)[0];
    EXPECT_NEAR(normal, 9.81, 1e-6) << cone;
  }
}

}  // namespace
}  // namespace sinew
