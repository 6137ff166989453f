// Models that must be refused: models/*.xml, and expected.json with the text that each error message must contain.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sinew/load.h"

namespace sinew {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(SINEW_SOURCE_DIR) / "tests/must_fail";

using Expected = std::map<std::string, std::vector<std::string>>;

const Expected& expected() {
  static const Expected table = [] {
    std::ifstream file(kFolder / "expected.json");
    return nlohmann::json::parse(file).get<Expected>();
  }();
  return table;
}

class MustFail : public testing::TestWithParam<std::string> {};

TEST_P(MustFail, WithTheExpectedMessage) {
  const std::string path = (kFolder / "models" / GetParam()).string();
  const Result<Model> result = load(path);
  ASSERT_FALSE(result) << "was accepted";
  for (const std::string& piece : expected().at(GetParam())) {
    EXPECT_THAT(result.error().text(), testing::HasSubstr(piece));
  }
}

TEST_P(MustFail, AlsoWhenAllProblemsAreCollected) {
  LoadOptions options;
  options.collect_all = true;
  const Result<Model> result = load((kFolder / "models" / GetParam()).string(), options);
  ASSERT_FALSE(result) << "was accepted";
  for (const std::string& piece : expected().at(GetParam())) {
    EXPECT_THAT(result.error().text(), testing::HasSubstr(piece));
  }
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& [name, pieces] : expected()) out.push_back(name);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Models, MustFail, testing::ValuesIn(names()),
                         [](const auto& info) { return std::filesystem::path(info.param).stem().string(); });

TEST(MustFailTable, NamesEveryModelOfTheFolder) {
  std::set<std::string> files, listed;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder / "models")) {
    if (entry.is_regular_file()) files.insert(entry.path().filename().string());
  }
  for (const auto& [name, pieces] : expected()) {
    listed.insert(name);
    EXPECT_FALSE(pieces.empty()) << name;
  }
  EXPECT_EQ(files, listed);
}

}  // namespace
}  // namespace sinew
