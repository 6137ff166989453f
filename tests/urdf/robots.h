#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/load.h"
#include "sinew/urdf.h"

// Small robots as text, and the ways to load them.

namespace sinew::test {

inline const std::string kMatter =
    R"(<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial>)";

/// <link name>, with an inertia and what `parts` adds.
inline std::string link(const std::string& name, const std::string& parts = {}) {
  return "<link name=\"" + name + "\">\n" + kMatter + parts + "</link>\n";
}

inline std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                         const std::string& child, const std::string& parts = {}) {
  return "<joint name=\"" + name + "\" type=\"" + type + "\">\n<parent link=\"" + parent + "\"/>\n<child link=\"" +
         child + "\"/>\n" + parts + "</joint>\n";
}

inline std::string robot(const std::string& parts) { return "<robot name=\"r\">\n" + parts + "</robot>\n"; }

/// A model, with the warnings as one text.
struct Loaded {
  Model model;
  std::string warnings;
};

inline Loaded load_robot(const std::string& text, const UrdfOptions& urdf = {}) {
  std::vector<Problem> warnings;
  LoadOptions options;
  options.warnings = &warnings;
  options.urdf = &urdf;
  Loaded out{load_string(text, options).value_or_throw(), {}};
  for (const Problem& problem : warnings) out.warnings += problem.text() + "\n";
  return out;
}

/// The message of a refusal; fails the test if the text is accepted.
inline std::string refusal(const std::string& text, const UrdfOptions& urdf = {}) {
  LoadOptions options;
  options.urdf = &urdf;
  const Result<Model> model = load_string(text, options);
  EXPECT_FALSE(model) << text;
  return model ? std::string() : model.error().text();
}

}  // namespace sinew::test
