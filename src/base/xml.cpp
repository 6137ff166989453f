#include "base/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/limits.h"

namespace sinew {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool continues_name(char c) { return starts_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }

/// Length of the UTF-8 sequence at the start of text, 0 if malformed (Unicode 15, table 3-7).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xED && byte(1) > 0x9F;
  const bool beyond = lead == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}

/// The start of a long text, cut at a character boundary.
std::string shown(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && end < limits::kShownBytes) end += std::max<std::size_t>(1, utf8_length(text.substr(end)));
  return end >= text.size() ? std::string(text) : std::string(text.substr(0, end)) + "…";
}

char* append_utf8(char* out, std::uint32_t code) {
  if (code < 0x80) {
    *out++ = static_cast<char>(code);
    return out;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static constexpr unsigned kLead[] = {0, 0xC0, 0xE0, 0xF0};
  *out++ = static_cast<char>(kLead[more] | (code >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) *out++ = static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3F));
  return out;
}

/// The character for an entity such as lt, #65 or #x41; 0 if there is none.
std::uint32_t entity_code(std::string_view name) {
  if (name == "lt") return '<';
  if (name == "gt") return '>';
  if (name == "amp") return '&';
  if (name == "quot") return '"';
  if (name == "apos") return '\'';
  if (name.size() < 2 || name[0] != '#') return 0;
  const bool hex = name[1] == 'x';
  const std::string_view digits = name.substr(hex ? 2 : 1);
  if (digits.empty() || digits.size() > 8) return 0;
  std::uint32_t code = 0;
  for (const char c : digits) {
    const bool decimal = c >= '0' && c <= '9';
    const char lower = static_cast<char>(c | 0x20);
    if (!decimal && !(hex && lower >= 'a' && lower <= 'f')) return 0;
    code = code * (hex ? 16 : 10) + static_cast<std::uint32_t>(decimal ? c - '0' : lower - 'a' + 10);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code > 0x10FFFF || surrogate ? 0 : code;
}

class Parser {
 public:
  Parser(std::string& text, Budget& budget) : text_(text), budget_(budget) {}

  std::variant<XmlNode, XmlFault> parse() {
    if (std::string_view(text_).starts_with("\xEF\xBB\xBF")) at_ = 3;  // byte order mark
    while (!fault_ && at_ < text_.size()) {
      if (text_[at_] == '<') {
        markup();
      } else {
        character_data();
      }
    }
    if (!fault_ && !open_.empty()) {
      fail(open_.back()->line, fmt::format("<{}> is never closed: the file ends before </{}>",
                                           shown(open_.back()->name), shown(open_.back()->name)));
    }
    if (!fault_ && !has_root_) fail(line_, "the file has no element");
    if (fault_) return std::move(*fault_);
    return std::move(root_);
  }

 private:
  void fail(int line, std::string message) {
    if (!fault_) fault_ = XmlFault{line, std::move(message)};
  }

  bool looking_at(std::string_view word) const { return std::string_view(text_).substr(at_).starts_with(word); }

  /// Advances by one character, which is validated.
  void advance() {
    const char c = text_[at_];
    if (c == '\n') ++line_;
    const std::size_t length = utf8_length(std::string_view(text_).substr(at_));
    if (length == 0) return fail(line_, "the text is not UTF-8");
    if (static_cast<unsigned char>(c) < 0x20 && !is_space(c)) {
      return fail(line_, fmt::format("the character with code {} is not allowed in XML; is this a binary file?",
                                     static_cast<int>(c)));
    }
    at_ += length;
  }

  void skip_space() {
    while (!fault_ && at_ < text_.size() && is_space(text_[at_])) advance();
  }

  /// Skips past the next `end`.
  void skip_past(std::string_view end, std::string_view what) {
    const int begun = line_;
    while (!fault_ && at_ < text_.size()) {
      if (looking_at(end)) {
        at_ += end.size();
        return;
      }
      advance();
    }
    fail(begun, fmt::format("{} is never closed: the file ends before {}", what, end));
  }

  /// Text between elements: MJCF has none, so the reader warns about it.
  void character_data() {
    if (is_space(text_[at_])) return advance();
    if (open_.empty())
      return fail(line_, has_root_ ? "text after the root element" : "the file does not begin with an element");
    XmlNode& node = *open_.back();
    const std::size_t begin = at_;
    const int line = line_;
    while (!fault_ && at_ < text_.size() && text_[at_] != '<') advance();
    if (node.text_line > 0) {
      node.text_goes_on = true;
      return;
    }
    node.text_line = line;
    node.text = std::string_view(text_).substr(begin, at_ - begin);
  }

  void markup() {
    if (looking_at("<!--")) return skip_past("-->", "a comment");
    if (looking_at("<![CDATA[")) return skip_past("]]>", "a CDATA section");
    if (looking_at("<?")) return skip_past("?>", "a declaration");
    if (looking_at("<!")) return declaration();
    if (looking_at("</")) return closing_tag();
    opening_tag();
  }

  /// <!DOCTYPE …>, with its internal subset in brackets; entities declared there are not supported.
  void declaration() {
    const int begun = line_;
    int brackets = 0;
    while (!fault_ && at_ < text_.size()) {
      const char c = text_[at_];
      advance();
      if (c == '[') ++brackets;
      if (c == ']') --brackets;
      if (c == '>' && brackets <= 0) return;
    }
    fail(begun, "a declaration is never closed: the file ends before >");
  }

  std::string_view name() {
    const std::size_t begin = at_;
    if (at_ < text_.size() && starts_name(text_[at_])) {
      while (!fault_ && at_ < text_.size() && continues_name(text_[at_])) advance();
    }
    return std::string_view(text_).substr(begin, at_ - begin);
  }

  void closing_tag() {
    const int line = line_;
    at_ += 2;
    const std::string_view closed = name();
    skip_space();
    if (fault_) return;
    if (at_ >= text_.size() || text_[at_] != '>')
      return fail(line, fmt::format("the closing tag </{} has no >", shown(closed)));
    ++at_;
    if (open_.empty()) return fail(line, fmt::format("</{}> closes nothing", shown(closed)));
    if (open_.back()->name != closed) {
      return fail(line, fmt::format("found </{}>, expected </{}>: <{}> was opened on line {}", shown(closed),
                                    shown(open_.back()->name), shown(open_.back()->name), open_.back()->line));
    }
    open_.pop_back();
  }

  void opening_tag() {
    const int line = line_;
    ++at_;
    XmlNode node;
    node.line = line;
    node.name = name();
    if (fault_) return;
    if (node.name.empty()) return fail(line, "< is not followed by the name of an element");
    if (open_.empty() && has_root_) return fail(line, fmt::format("a second root element <{}>", shown(node.name)));
    if (open_.size() >= limits::kDepth)
      return fail(line, fmt::format("elements are nested more than {} deep", limits::kDepth));
    while (attribute(node)) {
    }
    if (fault_) return;
    const bool closed = looking_at("/>");
    if (!closed && !looking_at(">")) {
      if (at_ >= text_.size())
        return fail(line, fmt::format("<{}> is never closed: the file ends inside its tag", shown(node.name)));
      const std::string_view rest = std::string_view(text_).substr(at_);
      return fail(line_,
                  fmt::format("unexpected '{}' in the tag <{}>", rest.substr(0, utf8_length(rest)), shown(node.name)));
    }
    at_ += closed ? 2 : 1;
    budget_.go_on();
    // twice: a growing list also holds its old copy
    const auto bytes = static_cast<double>(2 * (sizeof(XmlNode) + node.attributes.size() * sizeof(XmlAttribute)));
    if (!budget_.take(bytes)) {
      fault_ = XmlFault{line, "the tree of elements " + budget_.refusal(bytes), Budget::kHint};
      return;
    }
    XmlNode& placed = open_.empty() ? root_ = std::move(node) : open_.back()->children.emplace_back(std::move(node));
    has_root_ = true;
    if (!closed) open_.push_back(&placed);
  }

  /// One name="value"; false at the end of the tag.
  bool attribute(XmlNode& node) {
    const std::size_t before = at_;
    skip_space();
    if (fault_ || at_ >= text_.size() || !starts_name(text_[at_])) return false;
    XmlAttribute attribute;
    attribute.line = line_;
    if (before == at_) {
      fail(line_, fmt::format("attributes of <{}> must be separated by white space", shown(node.name)));
      return false;
    }
    attribute.name = name();
    skip_space();
    if (fault_) return false;
    if (!looking_at("=")) return complain(node, attribute, "has no value");
    ++at_;
    skip_space();
    if (fault_) return false;
    if (!looking_at("\"") && !looking_at("'")) return complain(node, attribute, "must have its value in quotes");
    if (node.attribute(attribute.name)) return complain(node, attribute, "is given twice");
    if (node.attributes.size() >= limits::kAttributes)
      return complain(node, attribute,
                      fmt::format("exceeds the limit: an element has at most {}", limits::kAttributes));
    if (!value(node, attribute)) return false;
    node.attributes.push_back(attribute);
    return true;
  }

  bool complain(const XmlNode& node, const XmlAttribute& attribute, std::string_view what) {
    fail(attribute.line, fmt::format("attribute {} of <{}> {}", shown(attribute.name), shown(node.name), what));
    return false;
  }

  /// The quoted value at the cursor. A resolved entity is never longer than its text, so it fits in place.
  bool value(const XmlNode& node, XmlAttribute& attribute) {
    const char quote = text_[at_++];
    const std::size_t begin = at_;
    char* out = text_.data() + at_;
    while (!fault_ && at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '<')
        return complain(node, attribute, "contains a '<' (is a quote missing? otherwise write &lt;)");
      if (text_[at_] == '&') {
        const std::size_t end = text_.find(';', at_);
        const std::string_view entity =
            end == std::string::npos ? std::string_view() : std::string_view(text_).substr(at_ + 1, end - at_ - 1);
        const std::uint32_t code = entity_code(entity);
        if (code == 0)
          return complain(node, attribute, "contains an & that does not start a known entity (write &amp;)");
        out = append_utf8(out, code);
        at_ = end + 1;
        continue;
      }
      const std::size_t character = at_;
      advance();
      if (!fault_)
        out = std::copy(text_.begin() + static_cast<std::ptrdiff_t>(character),
                        text_.begin() + static_cast<std::ptrdiff_t>(at_), out);
    }
    if (fault_) return false;
    if (at_ >= text_.size()) return complain(node, attribute, "has no closing quote");
    attribute.value = std::string_view(text_.data() + begin, static_cast<std::size_t>(out - (text_.data() + begin)));
    ++at_;
    return true;
  }

  std::string& text_;
  Budget& budget_;
  std::size_t at_ = 0;
  int line_ = 1;
  XmlNode root_;
  bool has_root_ = false;
  std::vector<XmlNode*> open_;  // a node does not move while it is open: only the last child list grows
  std::optional<XmlFault> fault_;
};

}  // namespace

std::string plain_text(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  std::string out(text);
  char* end = out.data();
  for (std::size_t at = 0; at < text.size();) {
    constexpr std::size_t kLongestEntity = 12;
    const std::size_t stop = text[at] == '&' ? text.substr(at, kLongestEntity).find(';') : std::string_view::npos;
    const std::uint32_t code = stop == std::string_view::npos ? 0 : entity_code(text.substr(at + 1, stop - 1));
    if (code == 0) {
      *end++ = text[at++];
    } else {
      end = append_utf8(end, code);
      at += stop + 1;
    }
  }
  out.resize(static_cast<std::size_t>(end - out.data()));
  return out;
}

std::variant<XmlNode, XmlFault> parse_xml(std::string& text, Budget& budget) { return Parser(text, budget).parse(); }

}  // namespace sinew
