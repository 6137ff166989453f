#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A model as a tree of elements that can be taken apart: the generator builds it, the shrinker removes from it.

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
  /// The child of this name, made where there is none.
  Element& section(std::string_view child_name);
  /// Elements of this tree, the root included.
  int count() const;
};

std::string to_text(const Element& root);
/// Reads what to_text writes (elements and attributes; comments and declarations are skipped). An empty name: no XML.
Element from_text(std::string_view text);

}  // namespace random_worlds
