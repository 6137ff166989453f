#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew::mjcf {

/// An element as it is to be written.
struct XmlElement {
  std::string name;
  std::string attributes;  // as they stand in the tag, each with a space before it
  int file = -1;           // index into Spec::files of the file that it came from, -1: none of its own
  std::vector<XmlElement> children;

  void add_attribute(std::string_view attribute, std::string_view value);
};

/// The text of an element and all below it, indented by depth.
std::string to_text(const XmlElement& element);

/// Builds a tree of elements, one after the other.
class XmlTree {
 public:
  void open(std::string_view name, int file = -1);
  /// Of the element that was opened last; before its children.
  void attribute(std::string_view name, std::string_view value) { open_.back().add_attribute(name, value); }
  void close();
  /// Closes an element that means nothing where it is empty: then it is left out.
  void close_section();

  XmlElement take() { return std::move(root_); }

 private:
  std::vector<XmlElement> open_;  // from the root inwards
  XmlElement root_;               // once it is closed
};

}  // namespace sinew::mjcf
