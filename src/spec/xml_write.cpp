#include "spec/xml_write.h"

#include <fmt/format.h>

#include <iterator>

namespace sinew::mjcf {
namespace {

/// Escapes whatever XML would not read back unchanged, including line ends and tabs.
void append_escaped(std::string& out, std::string_view value) {
  for (const char c : value) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          fmt::format_to(std::back_inserter(out), "&#{};", static_cast<int>(c));
        } else {
          out += c;
        }
    }
  }
}

void append_element(std::string& out, const XmlElement& element, std::size_t depth) {
  out.append(2 * depth, ' ');
  out += '<' + element.name + element.attributes;
  if (element.children.empty()) {
    out += "/>\n";
    return;
  }
  out += ">\n";
  for (const XmlElement& child : element.children) {
    if (element.name == "mujoco" && &child != &element.children.front()) out += '\n';
    append_element(out, child, depth + 1);
  }
  out.append(2 * depth, ' ');
  out += "</" + element.name + ">\n";
}

}  // namespace

void XmlElement::add_attribute(std::string_view attribute, std::string_view value) {
  attributes += ' ';
  attributes += attribute;
  attributes += "=\"";
  append_escaped(attributes, value);
  attributes += '"';
}

std::string to_text(const XmlElement& element) {
  std::string out;
  append_element(out, element, 0);
  return out;
}

void XmlTree::open(std::string_view name, int file) { open_.push_back({std::string(name), {}, file, {}}); }

void XmlTree::close() {
  XmlElement closed = std::move(open_.back());
  open_.pop_back();
  (open_.empty() ? root_ : open_.back().children.emplace_back()) = std::move(closed);
}

void XmlTree::close_section() {
  if (!open_.back().children.empty() || !open_.back().attributes.empty()) return close();
  open_.pop_back();
}

}  // namespace sinew::mjcf
