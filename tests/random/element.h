#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A model as a tree of XML elements: the generator builds it, the shrinker removes parts of it.

namespace random_worlds {

struct Element {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Element> children;

  Element() = default;
  explicit Element(std::string element_name) : name(std::move(element_name)) {}

  Element& set(std::string attribute, std::string value);
  const std::string* find(std::string_view attribute) const;
  Element& add(Element child);
  /// The child of this name, created if missing.
  Element& section(std::string_view child_name);
  /// Number of elements in this tree, including the root.
  int count() const;
};

std::string to_text(const Element& root);
/// Reads the output of to_text (elements and attributes; comments and declarations are skipped). An empty name: not
/// XML.
Element from_text(std::string_view text);

/// A number in three digits, so that a model stays readable.
std::string number(double value);

}  // namespace random_worlds
