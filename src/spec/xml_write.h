#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew::mjcf {

/// An element to be written.
struct XmlElement {
  std::string name;
  std::string attributes;  // as in the tag, each preceded by a space
  int file = -1;           // index into Spec::files of its file, -1: that of its parent
  std::vector<XmlElement> children;

  void add_attribute(std::string_view attribute, std::string_view value);
};

/// The text of an element and its subtree, indented by depth, with empty lines between the sections of a model.
std::string to_text(const XmlElement& element);

/// Builds a tree of elements, one after the other.
class XmlTree {
 public:
  void open(std::string_view name, int file = -1);
  /// Of the last opened element; before its children.
  void attribute(std::string_view name, std::string_view value) { open_.back().add_attribute(name, value); }
  void close();
  /// Closes an element that is omitted if empty.
  void close_section();

  XmlElement take() { return std::move(root_); }

 private:
  std::vector<XmlElement> open_;  // from the root inward
  XmlElement root_;               // once it is closed
};

}  // namespace sinew::mjcf
