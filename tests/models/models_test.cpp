#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "sinew/sinew.h"

namespace sinew {
namespace {

const std::filesystem::path kSource = SINEW_SOURCE_DIR;

using Numbers = std::map<std::string, double>;

/// golden.txt: model, quantity, number.
std::map<std::string, Numbers> golden() {
  std::map<std::string, Numbers> models;
  std::ifstream file(kSource / "tests/models/golden.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string model, quantity;
    double value = 0;
    words >> model >> quantity >> value;
    models[model][quantity] = value;
  }
  return models;
}

std::set<std::string> scenes() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "models"))
    if (entry.path().extension() == ".xml") names.insert(entry.path().stem().string());
  return names;
}

Model load_scene(const std::string& name) { return load_or_throw((kSource / "models" / (name + ".xml")).string()); }

TEST(Scenes, EachHasGoldenNumbers) {
  std::set<std::string> with_numbers;
  for (const auto& [name, numbers] : golden()) with_numbers.insert(name);
  EXPECT_EQ(scenes(), with_numbers);
}

TEST(Scenes, HaveMuJoCosSizes) {
  for (const auto& [name, numbers] : golden()) {
    const Model model = load_scene(name);
    model.for_each_size([&, &expected = numbers, &scene = name](std::string_view size, std::int64_t value, auto) {
      const auto it = expected.find(std::string(size));
      EXPECT_EQ(value, it == expected.end() ? 0 : static_cast<std::int64_t>(it->second)) << scene << ' ' << size;
    });
    EXPECT_NEAR(model.body_subtreemass[0], numbers.at("mass"), 1e-9) << name;
  }
}

TEST(Scenes, LoadWithoutWarnings) {
  for (const std::string& name : scenes()) {
    std::vector<Problem> warnings;
    ASSERT_TRUE(load((kSource / "models" / (name + ".xml")).string(), {.warnings = &warnings})) << name;
    EXPECT_TRUE(warnings.empty()) << warnings.front().text();
  }
}

TEST(Scenes, HumanoidHasAtLeastTwentyHinges) {
  const Model model = load_scene("humanoid");
  EXPECT_GE(std::count(model.jnt_type.begin(), model.jnt_type.end(), static_cast<int>(JointType::Hinge)), 20);
}

}  // namespace
}  // namespace sinew
