// The schema table: it can print what it reads, and the reference page is generated from it.

#include "spec/schema.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>

#include "base/suggest.h"
#include "sinew/spec.h"
#include "spec/reference.h"

namespace sinew::mjcf {
namespace {

void for_each_element(const std::function<void(const Element&)>& visit) {
  std::set<const Element*> seen;
  const std::function<void(const Element&)> walk = [&](const Element& element) {
    if (!seen.insert(&element).second) return;
    visit(element);
    for (const Element* child : element.children) walk(*child);
  };
  walk(schema().root());
}

TEST(Schema, HasNoDuplicateAttributesOrChildren) {
  for_each_element([](const Element& element) {
    std::set<std::string_view> attributes, children;
    for (const Attribute& row : element.attributes)
      EXPECT_TRUE(attributes.insert(row.name).second) << element.name << " " << row.name;
    for (const Element* child : element.children)
      EXPECT_TRUE(children.insert(child->name).second) << element.name << " " << child->name;
  });
}

TEST(Schema, EveryAttributeOfASupportedElementHasAField) {
  for_each_element([](const Element& element) {
    if (!element.read) return;
    for (const Attribute& row : element.attributes)
      EXPECT_TRUE(row.read && row.print) << element.name << " " << row.name;
  });
}

TEST(Schema, RulesReferToExistingAttributes) {
  for_each_element([](const Element& element) {
    for (const Rule& rule : element.rules) {
      for (const auto& group : rule.groups) {
        for (const std::string_view name : group)
          EXPECT_NE(element.attribute(name), nullptr) << element.name << " " << name;
      }
    }
  });
}

TEST(Schema, PrintsWhatItReads) {
  const auto check = [](const char* element_name, auto object, const char* attribute, const char* text) {
    bool found = false;
    for_each_element([&](const Element& element) {
      if (element.name != element_name || element.form_of || !element.read) return;
      const Attribute* row = element.attribute(attribute);
      if (!row || found) return;
      found = true;
      ASSERT_FALSE(row->read(&object, text, *row)) << element_name << " " << attribute;
      EXPECT_EQ(row->print(&object, *row), text) << element_name << " " << attribute;
    });
    EXPECT_TRUE(found) << element_name << " " << attribute;
  };
  check("compiler", spec::Compiler(), "angle", "radian");
  check("compiler", spec::Compiler(), "eulerseq", "ZYX");
  check("option", Option(), "solver", "PGS");
  check("option", Option(), "actuatorgroupdisable", "1 4 30");
  check("flag", Option(), "contact", "disable");
  check("flag", Option(), "energy", "enable");
  check("size", spec::Sizes(), "nuserdata", "7");
  check("body", spec::Body(), "simple", "false");
  check("body", spec::Body(), "user", "1 2.5 -3");
  check("joint", spec::Joint(), "limited", "auto");
  check("geom", spec::Geom(), "type", "capsule");
  check("geom", spec::Geom(), "size", "1 2 3");
  check("geom", spec::Geom(), "mass", "0.1");
  check("geom", spec::Geom(), "rgba", "0.1 0.2 0.3 0.4");
  check("geom", spec::Geom(), "axisangle", "1 0 0 90");
  check("geom", spec::Geom(), "quat", "0 1 0 0");
  check("camera", spec::Camera(), "output", "depth normal");
  check("texture", spec::Texture(), "fileup", "a.png");
  check("weld", spec::Equality(), "relpose", "1 2 3 4 5 6 7");
  check("connect", spec::Equality(), "site2", "s");
  check("contact", spec::Sensor(), "data", "found dist");
  check("framepos", spec::Sensor(), "objtype", "xbody");
  check("spatial", spec::Tendon(), "springlength", "1 2");
}

TEST(Suggest, GivesTheNearestWordOrAShortList) {
  EXPECT_EQ(suggest("condm", {"condim", "contype"}), "did you mean 'condim'?");
  EXPECT_EQ(suggest("goem", {"geom", "site"}), "did you mean 'geom'?");
  EXPECT_EQ(suggest("EULER", {"Euler", "RK4"}), "did you mean 'Euler'?");
  EXPECT_EQ(suggest("xyz", {"alpha", "beta"}), "allowed: alpha beta");
  EXPECT_EQ(suggest(std::string(100000, 'x'), std::vector<std::string_view>(50, "word")), "");
}

TEST(Reference, TheCommittedPageIsUpToDate) {
  std::ifstream file(std::string(SINEW_SOURCE_DIR) + "/docs/mjcf.md", std::ios::binary);
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_TRUE(page == schema_reference()) << "regenerate it: build/sinew schema > docs/mjcf.md";
}

}  // namespace
}  // namespace sinew::mjcf
