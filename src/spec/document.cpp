#include "spec/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/limits.h"

namespace sinew::mjcf {
namespace {

namespace fs = std::filesystem;

bool is_include(std::string_view name) {
  static constexpr std::string_view kInclude = "include";
  return name.size() == kInclude.size() && std::equal(name.begin(), name.end(), kInclude.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
         });
}

std::string canonical(const std::string& path) {
  std::error_code ignored;
  const fs::path resolved = fs::weakly_canonical(path, ignored);
  return ignored ? path : resolved.string();
}

}  // namespace

const XmlNode& Document::read_file(const std::string& path) {
  files_.push_back({path, -1, 0});
  seen_.insert(canonical(path));
  std::optional<std::string> text = load(path, nullptr);
  return begin(text ? parse(std::move(*text), 0) : std::nullopt);
}

const XmlNode& Document::read_model(const std::string& path, const XmlNode& node, int model) {
  std::optional<std::string> text = load(path, &node);
  files_.push_back({path, node.file, node.line, model});
  seen_.insert(canonical(path));
  return begin(text ? parse(std::move(*text), static_cast<int>(main_)) : std::nullopt);
}

const XmlNode& Document::read_text(std::string_view text, const std::string& name) {
  files_.push_back({name, -1, 0});
  if (const auto bytes = static_cast<double>(text.size()); !budget_.take(bytes)) {
    report_.error_at(0, 0, "the text " + budget_.refusal(bytes), Budget::kHint);
    throw Stop{};
  }
  return begin(parse(std::string(text), 0));
}

const XmlNode& Document::begin(std::optional<XmlNode> root) {
  if (!root) throw Stop{};
  root_ = std::move(*root);
  if (root_.name == kMjcfRoot) {
    expand(root_, 1);
  } else {
    set_file(root_);
  }
  return root_;
}

std::optional<std::string> Document::load(const std::string& path, const XmlNode* included_by) {
  Result<std::string> text = disk_.read(path, budget_);
  if (text) return std::move(*text);
  const std::string& message = text.error().first().message;
  if (included_by) {
    report_.error({included_by, "file"}, message);
  } else {
    report_.error_at(0, 0, message);
  }
  return std::nullopt;
}

std::optional<XmlNode> Document::parse(std::string text, int file) {
  texts_.push_back(std::make_unique<std::string>(std::move(text)));
  auto parsed = parse_xml(*texts_.back(), budget_);
  if (const XmlFault* fault = std::get_if<XmlFault>(&parsed)) {
    report_.error_at(file, fault->line, (fault->hint.empty() ? "XML syntax: " : "") + fault->message, fault->hint);
    return std::nullopt;
  }
  XmlNode& root = std::get<XmlNode>(parsed);
  root.file = file;
  return std::move(root);
}

/// In other languages <include> is not what it is in MJCF.
void Document::set_file(XmlNode& node) {
  for (XmlNode& child : node.children) {
    child.file = node.file;
    set_file(child);
  }
}

/// Sets the file of a node and everything below, and replaces the includes below it.
void Document::expand(XmlNode& node, int depth) {
  if (depth > limits::kDepth) {
    report_.error({&node}, fmt::format("elements are nested more than {} deep, including includes", limits::kDepth));
    node.children.clear();
  }
  const bool any =
      std::any_of(node.children.begin(), node.children.end(), [](const XmlNode& c) { return is_include(c.name); });
  if (any) {
    std::vector<XmlNode> children = std::move(node.children);
    node.children.clear();
    for (XmlNode& child : children) {
      child.file = node.file;
      if (is_include(child.name)) {
        include(child, depth, node.children);
      } else {
        expand(child, depth + 1);
        node.children.push_back(std::move(child));
      }
    }
    return;
  }
  for (XmlNode& child : node.children) {
    child.file = node.file;
    expand(child, depth + 1);
  }
}

bool Document::check_include(const XmlNode& node) {
  const std::size_t unknown = static_cast<std::size_t>(std::count_if(
      node.attributes.begin(), node.attributes.end(), [](const XmlAttribute& a) { return a.name != "file"; }));
  for (const XmlAttribute& attribute : node.attributes) {
    if (attribute.name != "file")
      report_.error({&node, attribute.name}, "is not an attribute of include", "it has only 'file'");
  }
  if (!node.children.empty())
    report_.error({&node}, "must not have children, found <" + std::string(node.children[0].name) + ">");
  if (node.value("file").empty()) report_.error({&node}, "needs the attribute 'file'");
  return unknown == 0 && node.children.empty() && !node.value("file").empty();
}

/// The file of an include: relative to the main model's folder, or else to the folder of the including file.
std::string Document::find_included(const XmlNode& node) const {
  const fs::path wanted = std::string(node.value("file"));
  const fs::path from_main = fs::path(files_[main_].path).parent_path() / wanted;
  if (disk_.exists(from_main.string())) return from_main.string();
  const fs::path from_here = fs::path(files_[static_cast<std::size_t>(node.file)].path).parent_path() / wanted;
  return disk_.exists(from_here.string()) ? from_here.string() : from_main.string();
}

void Document::include(const XmlNode& node, int depth, std::vector<XmlNode>& into) {
  if (!check_include(node)) return;
  const std::string path = find_included(node);
  std::optional<std::string> text = load(path, &node);
  if (!text) return;
  if (!seen_.insert(canonical(path)).second) {
    report_.error({&node, "file"},
                  fmt::format("\"{}\" is already part of this model: a file may be included only once", path));
    return;
  }
  if (files_.size() >= limits::kModelFiles) {
    report_.error({&node, "file"}, fmt::format("a model may consist of at most {} files", limits::kModelFiles));
    throw Stop{};
  }
  files_.push_back({path, node.file, node.line, files_[main_].model});
  std::optional<XmlNode> root = parse(std::move(*text), static_cast<int>(files_.size()) - 1);
  if (!root) return;
  if (root->children.empty()) {
    report_.error({&*root}, "the included file has no elements below its root");
    return;
  }
  expand(*root, depth);
  std::move(root->children.begin(), root->children.end(), std::back_inserter(into));
}

}  // namespace sinew::mjcf
