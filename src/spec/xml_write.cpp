#include "spec/xml_write.h"

#include <fmt/format.h>

#include <iterator>

namespace sinew::mjcf {
namespace {

/// Whatever XML would read otherwise than it is written, line ends and tabs too.
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

}  // namespace

/// The tag of the innermost open element ends where its first child begins.
void XmlText::finish_tag() {
  if (open_.empty() || open_.back().has_children) return;
  open_.back().has_children = true;
  text_ += ">\n";
}

void XmlText::open(std::string_view name) {
  // the start is that of the text without the end of the parent's tag, which goes with an empty section
  const std::size_t start = text_.size();
  const bool first = !open_.empty() && !open_.back().has_children;
  finish_tag();
  open_.push_back({std::string(name), first ? start : text_.size(), false, false});
  text_.append(2 * (open_.size() - 1), ' ');
  text_ += '<';
  text_ += name;
}

void XmlText::attribute(std::string_view name, std::string_view value) {
  open_.back().has_attributes = true;
  text_ += ' ';
  text_ += name;
  text_ += "=\"";
  append_escaped(text_, value);
  text_ += '"';
}

void XmlText::close() {
  const Open closed = std::move(open_.back());
  open_.pop_back();
  if (closed.has_children) {
    text_.append(2 * open_.size(), ' ');
    text_ += "</" + closed.name + ">\n";
  } else {
    text_ += "/>\n";
  }
}

void XmlText::close_section() {
  const Open& section = open_.back();
  if (section.has_children || section.has_attributes) return close();
  text_.resize(section.start);
  open_.pop_back();
  if (!open_.empty() && !text_.ends_with('\n')) open_.back().has_children = false;
}

}  // namespace sinew::mjcf
