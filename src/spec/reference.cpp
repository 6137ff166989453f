#include "spec/reference.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "spec/schema.h"

namespace sinew {
namespace mjcf {
namespace {

constexpr std::string_view kIntroduction = R"(# The MJCF language

Generated from the reader's table (`src/spec/schema*.cpp`); a test keeps this page up to date.

- Numbers are separated by spaces and follow C (`1e-3`, `0x1p-2`); NaN and infinity are refused.
- "1 to n reals": missing numbers keep the value of the default class. An empty list counts as absent.
- Keywords are case-sensitive.
- Elements may appear any number of times unless marked *once*. Sections may appear in any order and be repeated.
- `<include file="…"/>` may appear anywhere: the children of the included file's root replace it. The path is
  looked up in the folder of the main model, then in that of the including file; no file is included twice.
- An element starts as a copy of its default class: `class`, or else the `childclass` of the nearest enclosing body or
  frame, or else `main`.
)";

std::string count_text(const Attribute& row, std::string_view one, std::string_view many) {
  if (row.most == 0) return std::string(many);
  if (row.least != row.most) return fmt::format("{} to {} {}", row.least, row.most, many);
  return row.most == 1 ? std::string(one) : fmt::format("{} {}", row.most, many);
}

std::string words_text(const Attribute& row) {
  std::string out;
  for (const Keyword& keyword : row.keywords) out += fmt::format("{}`{}`", out.empty() ? "" : " ", keyword.word);
  return out;
}

std::string type_text(const Attribute& row) {
  switch (row.type) {
    case ValueType::Real: return count_text(row, "real", "reals");
    case ValueType::Integer: return count_text(row, "integer", "integers");
    case ValueType::Keyword: return words_text(row);
    case ValueType::KeywordList: return "any of " + words_text(row);
    case ValueType::Text: return "text";
    case ValueType::Other: return "";
  }
  return "";
}

std::string default_text(const Element& element, const Attribute& row) {
  if (row.required) return "*required*";
  if (!row.print || !element.blank) return "";
  const std::string text = row.print(element.blank.get(), row);
  return text.empty() || text.find("nan") != std::string::npos ? "" : "`" + text + "`";
}

std::string note_text(const Attribute& row) {
  std::string out;
  const auto add = [&](const std::string& part) { out += (out.empty() ? "" : "; ") + part; };
  const bool low = row.lower > -std::numeric_limits<double>::infinity();
  const bool high = row.upper < std::numeric_limits<double>::infinity();
  if (low) add(fmt::format("{} {}", row.above_lower ? "greater than" : "at least", row.lower));
  if (high) add(fmt::format("at most {}", row.upper));
  if (row.nan_inherits) add("NaN as first number: taken from the geoms");
  if (row.ordered) add("in this order");
  if (!row.note.empty()) add(std::string(row.note));
  return out;
}

class Page {
 public:
  explicit Page(const Element& root) {
    out_ = kIntroduction;
    done_.insert(&root);
    section(root, "");
  }
  std::string take() { return std::move(out_); }

 private:
  /// One element and then, each under its own heading, its children. An element that appears in several places is
  /// described where it is nearest to the root.
  void section(const Element& element, const std::string& parent) {
    const std::string path = parent.empty() ? std::string(element.name) : fmt::format("{}/{}", parent, element.name);
    out_ += fmt::format("\n## {}\n\n", path);
    out_ += capital(element.doc) + ".";
    if (element.times == Times::Once) out_ += " *Once.*";
    if (!element.read) out_ += " **Not supported yet**: a model that uses it is refused.";
    out_ += "\n";
    attributes(element, path);
    rules(element);
    children(element);
    std::vector<const Element*> own;
    for (const Element* child : element.children) {
      if (done_.insert(child).second) own.push_back(child);
    }
    for (const Element* child : own) section(*child, path);
  }

  static std::string capital(std::string_view text) {
    std::string out(text);
    if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
    return out;
  }

  void attributes(const Element& element, const std::string& path) {
    if (element.attributes.empty()) return;
    if (!element.read || element.form_of) {
      out_ += element.form_of ? fmt::format("\nAttributes, as in {}:", element.form_of->name)
                              : std::string("\nAttributes:");
      for (const Attribute& row : element.attributes) out_ += fmt::format(" `{}`", row.name);
      out_ += "\n";
      return;
    }
    std::string table = "\n| attribute | value | default | |\n|---|---|---|---|\n";
    for (const Attribute& row : element.attributes) {
      table += fmt::format("| `{}` | {} | {} | {} |\n", row.name, type_text(row), default_text(element, row),
                           note_text(row));
    }
    const auto [first, added] = tables_.try_emplace(table, path);
    out_ += added ? table : fmt::format("\nAttributes: same as {}.\n", first->second);
  }

  void rules(const Element& element) {
    for (const Rule& rule : element.rules) {
      std::string groups;
      for (const auto& group : rule.groups) {
        std::string names;
        for (const std::string_view name : group) names += fmt::format("{}`{}`", names.empty() ? "" : " with ", name);
        groups += (groups.empty() ? "" : ", ") + names;
      }
      switch (rule.kind) {
        case Rule::Kind::Exclusive: out_ += fmt::format("\nAt most one of: {}.\n", groups); break;
        case Rule::Kind::Together: out_ += fmt::format("\nOnly together: {}.\n", groups); break;
        case Rule::Kind::Needs: out_ += fmt::format("\nRequired, one of: {}.\n", groups); break;
      }
    }
  }

  void children(const Element& element) {
    if (element.children.empty()) return;
    out_ += "\nChildren:";
    for (const Element* child : element.children) out_ += fmt::format(" `{}`", child->name);
    out_ += "\n";
  }

  std::string out_;
  std::set<const Element*> done_;
  std::map<std::string, std::string> tables_;  // to the path where each was first printed
};

}  // namespace
}  // namespace mjcf

std::string schema_reference() { return mjcf::Page(mjcf::schema().root()).take(); }

}  // namespace sinew
