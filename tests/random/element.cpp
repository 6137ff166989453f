#include "random/element.h"

#include <cctype>
#include <cstdio>

namespace random_worlds {

Element& Element::set(std::string attribute, std::string value) {
  for (auto& [key, old] : attributes) {
    if (key == attribute) {
      old = std::move(value);
      return *this;
    }
  }
  attributes.emplace_back(std::move(attribute), std::move(value));
  return *this;
}

const std::string* Element::find(std::string_view attribute) const {
  for (const auto& [key, value] : attributes) {
    if (key == attribute) return &value;
  }
  return nullptr;
}

Element& Element::add(Element child) {
  children.push_back(std::move(child));
  return children.back();
}

Element& Element::section(std::string_view child_name) {
  for (Element& child : children) {
    if (child.name == child_name) return child;
  }
  return add(Element(std::string(child_name)));
}

int Element::count() const {
  int n = 1;
  for (const Element& child : children) n += child.count();
  return n;
}

namespace {

void write(const Element& element, int depth, std::string& text) {
  text.append(static_cast<std::size_t>(2 * depth), ' ');
  text += "<" + element.name;
  for (const auto& [key, value] : element.attributes) text += " " + key + "=\"" + value + "\"";
  if (element.children.empty()) {
    text += "/>\n";
    return;
  }
  text += ">\n";
  for (const Element& child : element.children) write(child, depth + 1, text);
  text.append(static_cast<std::size_t>(2 * depth), ' ');
  text += "</" + element.name + ">\n";
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Element read() {
    skip();
    Element element;
    if (at_ >= text_.size() || text_[at_] != '<') return element;
    ++at_;
    element.name = word();
    for (;;) {
      space();
      if (at_ >= text_.size()) return element;
      if (text_[at_] == '/') {
        at_ += 2;
        return element;
      }
      if (text_[at_] == '>') break;
      std::string key = word();
      space();
      ++at_;  // =
      space();
      const char quote = at_ < text_.size() ? text_[at_] : '"';
      const std::size_t end = text_.find(quote, at_ + 1);
      if (end == std::string_view::npos || key.empty()) {
        at_ = text_.size();
        return element;
      }
      element.attributes.emplace_back(std::move(key), std::string(text_.substr(at_ + 1, end - at_ - 1)));
      at_ = end + 1;
    }
    ++at_;
    for (;;) {
      skip();
      if (at_ + 1 >= text_.size()) return element;
      if (text_[at_ + 1] == '/') {
        at_ = text_.find('>', at_);
        if (at_ != std::string_view::npos) ++at_;
        return element;
      }
      element.children.push_back(read());
    }
  }

 private:
  void space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  void skip() {
    for (;;) {
      while (at_ < text_.size() && text_[at_] != '<') ++at_;
      if (text_.substr(at_, 4) == "<!--") {
        const std::size_t end = text_.find("-->", at_);
        at_ = end == std::string_view::npos ? text_.size() : end + 3;
      } else if (text_.substr(at_, 2) == "<?") {
        const std::size_t end = text_.find("?>", at_);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }
  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string to_text(const Element& root) {
  std::string text;
  write(root, 0, text);
  return text;
}

Element from_text(std::string_view text) { return Reader(text).read(); }

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

}  // namespace random_worlds
