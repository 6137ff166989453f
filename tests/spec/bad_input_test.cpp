// Any input gives a model or an error with location and cause, in bounded time and memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "sinew/load.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

std::string refusal(const std::string& text) {
  const Result<Spec> result = read_mjcf_string(text);
  EXPECT_FALSE(result) << "was accepted";
  return result ? "" : result.error().text();
}

std::string repeat(const std::string& part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

/// A folder removed at the end of the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("sinew_spec_" + std::to_string(std::random_device()()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

TEST(BadInput, TheFieldsOfAProblemGiveItsLocation) {
  const Result<Spec> result =
      read_mjcf_string("<mujoco>\n<worldbody>\n<geom name='ball' size='1'\n  pos='1 2'/></worldbody></mujoco>");
  ASSERT_FALSE(result);
  const Problem& problem = result.error().first();
  EXPECT_EQ(problem.file, "<string>");
  EXPECT_EQ(problem.line, 4);  // of the attribute, not of the tag
  EXPECT_EQ(problem.element, "geom");
  EXPECT_EQ(problem.name, "ball");
  EXPECT_EQ(problem.attribute, "pos");
  EXPECT_EQ(problem.message, "has 2 numbers, needs 3");
}

TEST(BadInput, CollectAllListsEveryProblemInOnePass) {
  LoadOptions options;
  options.collect_all = true;
  const Result<Spec> result = read_mjcf_string(R"(<mujoco>
    <option timestep="x"/>
    <worldbody><goem/><geom size="1" pos="1"/><body childclass="none"><joint axis="nan 0 0"/></body></worldbody>
    <include file="/no/such/file.xml"/>
    </mujoco>)",
                                               options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().problems().size(), 6u) << result.error().text();
}

TEST(BadInput, TheListOfProblemsIsBounded) {
  LoadOptions options;
  options.collect_all = true;
  const Result<Spec> result =
      read_mjcf_string("<mujoco><worldbody>" + repeat("<goem/>", 100000) + "</worldbody></mujoco>", options);
  ASSERT_FALSE(result);
  EXPECT_LE(result.error().problems().size(), 201u);
}

TEST(BadInput, AChainOfManyBodiesIsReadAndAMillionNestedElementsAreRefused) {
  const auto nested = [](int depth) {
    return "<mujoco><worldbody>" + repeat("<body>", depth) + repeat("</body>", depth) + "</worldbody></mujoco>";
  };
  EXPECT_TRUE(read_mjcf_string(nested(900)));
  EXPECT_THAT(refusal(nested(1000000)), HasSubstr("nested more than 1000 deep"));
  EXPECT_THAT(refusal(repeat("<mujoco>", 1000000)), HasSubstr("nested more than 1000 deep"));
}

TEST(BadInput, HugeFlatModelsAreReadInLinearTime) {
  const Result<Spec> result =
      read_mjcf_string("<mujoco><worldbody>" + repeat("<site/>", 100000) + "</worldbody></mujoco>");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->world.sites.size(), 100000u);
  EXPECT_THAT(refusal("<mujoco><default>" + repeat("<default class='a'/>", 2) + "</default></mujoco>"),
              HasSubstr("already exists"));
}

TEST(BadInput, TheNumberOfDefaultClassesIsBounded) {
  std::string classes;
  for (int i = 0; i < 20000; ++i) classes += "<default class='" + std::to_string(i) + "'/>";
  EXPECT_THAT(refusal("<mujoco><default>" + classes + "</default></mujoco>"),
              HasSubstr("more than 10000 default classes"));
}

TEST(BadInput, AttributesOfOneElementAreBounded) {
  std::string attributes;
  for (int i = 0; i < 200000; ++i) attributes += " a" + std::to_string(i) + "='1'";
  EXPECT_THAT(refusal("<mujoco" + attributes + "/>"), HasSubstr("exceeds the limit"));
}

TEST(BadInput, BytesThatAreNotTextAreRefused) {
  EXPECT_THAT(refusal(std::string("<mujoco>\n\0</mujoco>", 19)), HasSubstr("<string>:2"));
  EXPECT_THAT(refusal("<mujoco model='\xff'/>"), HasSubstr("not UTF-8"));
  EXPECT_THAT(refusal("<mujoco model='\xc0\xaf'/>"), HasSubstr("not UTF-8"));      // overlong
  EXPECT_THAT(refusal("<mujoco model='\xed\xa0\x80'/>"), HasSubstr("not UTF-8"));  // surrogate
  EXPECT_THAT(refusal("\xff\xfe<\0m\0"), HasSubstr("error"));                      // UTF-16
  EXPECT_THAT(refusal("\x7f"
                      "ELF\x02\x01\x01"),
              HasSubstr("error"));
  EXPECT_THAT(refusal(""), HasSubstr("the file has no element"));
}

TEST(BadInput, EveryPrefixOfAModelIsHandled) {
  const std::string model = R"(<?xml version="1.0"?><!-- c --><!DOCTYPE a [<!ENTITY b "c">]><mujoco model="a&amp;b">
    <worldbody><![CDATA[x]]><body name='b'><joint/><geom size="1"/></body></worldbody></mujoco>)";
  ASSERT_TRUE(read_mjcf_string(model));
  for (std::size_t length = 0; length < model.size(); ++length)
    EXPECT_FALSE(read_mjcf_string(model.substr(0, length))) << length;
}

TEST(Files, UnreadableOnesAreNamed) {
  const Folder folder;
  const auto refused = [](const std::string& path) { return read_mjcf_file(path).error().text(); };
  EXPECT_THAT(refused(folder.path("none.xml")), HasSubstr("there is no such file"));
  EXPECT_THAT(refused(folder.path("")), HasSubstr("it is a directory"));
  EXPECT_THAT(refused(""), HasSubstr("there is no such file"));
  EXPECT_THAT(refused("/dev/zero"), HasSubstr("it is not a regular file"));
}

TEST(Include, IsLookedUpFromTheMainModelThenFromTheIncludingFile) {
  const Folder folder;
  folder.write("parts/a.xml", "<mujoco><include file='b.xml'/><include file='c.xml'/></mujoco>");
  folder.write("parts/b.xml", "<any><option timestep='2'/></any>");  // there is another one next to the model
  folder.write("b.xml", "<mujoco><option timestep='3'/></mujoco>");
  folder.write("parts/c.xml", "<mujocoinclude><worldbody><geom size='1'/></worldbody></mujocoinclude>");
  const Result<Spec> spec =
      read_mjcf_file(folder.write("model.xml", "<mujoco>\n<include file='parts/a.xml'/>\n</mujoco>"));
  ASSERT_TRUE(spec) << spec.error().text();
  EXPECT_EQ(spec->option.timestep, 3);
  ASSERT_EQ(spec->world.geoms.size(), 1u);
  ASSERT_EQ(spec->files.size(), 4u);
  EXPECT_EQ(spec->world.geoms[0].origin.file, 3);
  EXPECT_EQ(spec->files[1].included_from, 2);
  EXPECT_EQ(spec->files[3].parent, 1);
  EXPECT_EQ(fs::path(spec->directory), fs::path(folder.path("model.xml")).parent_path());
}

TEST(Include, MayAppearInsideAnyElement) {
  const Folder folder;
  folder.write("limb.xml", "<mujoco><joint/><geom size='1'/></mujoco>");
  const Result<Spec> spec = read_mjcf_file(
      folder.write("m.xml", "<mujoco><worldbody><body><INCLUDE file='limb.xml'/></body></worldbody></mujoco>"));
  ASSERT_TRUE(spec) << spec.error().text();
  EXPECT_EQ(spec->world.bodies[0].joints.size(), 1u);
}

TEST(Include, ErrorsReportTheChainOfIncludes) {
  const Folder folder;
  const std::string inner = folder.write("inner.xml", "<mujoco>\n\n<option timestep='x'/></mujoco>");
  const std::string outer = folder.write("outer.xml", "<mujoco>\n<include file='inner.xml'/></mujoco>");
  const std::string main = folder.write("main.xml", "<mujoco><include file='outer.xml'/></mujoco>");
  const Result<Spec> spec = read_mjcf_file(main);
  ASSERT_FALSE(spec);
  const Problem& problem = spec.error().first();
  EXPECT_EQ(fs::path(problem.file), fs::path(inner));
  EXPECT_EQ(problem.line, 3);
  EXPECT_THAT(problem.included_from, ElementsAre(outer + ":2", main + ":1"));
}

TEST(Include, DepthIsBounded) {
  const Folder folder;
  for (int i = 0; i < 40; ++i) {
    folder.write(std::to_string(i) + ".xml", "<mujoco>" + repeat("<frame>", 30) + "<include file='" +
                                                 std::to_string(i + 1) + ".xml'/>" + repeat("</frame>", 30) +
                                                 "</mujoco>");
  }
  folder.write("40.xml", "<mujoco><geom size='1'/></mujoco>");
  const Result<Spec> spec =
      read_mjcf_file(folder.write("m.xml", "<mujoco><worldbody><include file='0.xml'/></worldbody></mujoco>"));
  ASSERT_FALSE(spec);
  EXPECT_THAT(spec.error().text(), HasSubstr("including includes"));
}

}  // namespace
}  // namespace sinew
