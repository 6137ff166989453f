#pragma once

// XML text to a tree of elements. A custom parser, because common libraries refuse more than 100 nested elements and
// kinematic chains are longer; it does not recurse, so deep nesting cannot exhaust the stack.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/budget.h"

namespace sinew {

struct XmlAttribute {
  std::string_view name;
  std::string_view value;  // entities resolved
  int line = 0;
};

/// One element. The views point into the text that was parsed.
struct XmlNode {
  std::string_view name;
  int file = 0;               // index into Spec::files
  int line = 0;               // of its opening tag
  int text_line = 0;          // of the first text between its children, 0: none
  std::string_view text;      // that text up to the next markup, entities not resolved
  bool text_goes_on = false;  // after a comment or a child
  std::vector<XmlAttribute> attributes;
  std::vector<XmlNode> children;

  const XmlAttribute* attribute(std::string_view wanted) const {
    for (const XmlAttribute& attribute : attributes) {
      if (attribute.name == wanted) return &attribute;
    }
    return nullptr;
  }
  /// The value of an attribute, empty if absent.
  std::string_view value(std::string_view wanted) const {
    const XmlAttribute* found = attribute(wanted);
    return found ? found->value : std::string_view();
  }
};

/// Text between tags with its entities resolved and without surrounding white space. An unknown entity is kept.
std::string plain_text(std::string_view text);

/// The text is not XML, or too large.
struct XmlFault {
  int line = 0;
  std::string message;
  std::string hint = {};
};

/// The root element of the text. Resolves entities in place, so the text must outlive the tree and is changed. The
/// tree's memory is charged to the budget.
std::variant<XmlNode, XmlFault> parse_xml(std::string& text, Budget& budget);

}  // namespace sinew
