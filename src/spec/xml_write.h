#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew::mjcf {

/// Builds XML text: elements with attributes, indented by their depth.
class XmlText {
 public:
  void open(std::string_view name);
  /// Of the element that was opened last; before its children.
  void attribute(std::string_view name, std::string_view value);
  void close();
  /// Closes an element that means nothing where it is empty: then it is taken out again.
  void close_section();

  std::string take() { return std::move(text_); }

 private:
  struct Open {
    std::string name;
    std::size_t start = 0;  // of the element in the text
    bool has_children = false;
    bool has_attributes = false;
  };
  void finish_tag();

  std::string text_;
  std::vector<Open> open_;
};

}  // namespace sinew::mjcf
