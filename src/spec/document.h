#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/xml.h"
#include "sinew/spec.h"
#include "spec/report.h"

namespace sinew::mjcf {

inline constexpr std::string_view kMjcfRoot = "mujoco";

/// The XML of a model, with each <include> replaced by its contents.
class Document {
 public:
  Document(std::vector<Spec::File>& files, const Files& disk, Report& report, Budget& budget)
      : files_(files), disk_(disk), report_(report), budget_(budget), main_(files.size()) {}

  /// The main file, or a text that is called `name` in messages. Throws Stop if there is no tree.
  const XmlNode& read_file(const std::string& path);
  const XmlNode& read_text(std::string_view text, const std::string& name);
  /// The file of another model that `node` names; its files are marked with the number of that model.
  const XmlNode& read_model(const std::string& path, const XmlNode& node, int model);

 private:
  const XmlNode& begin(std::optional<XmlNode> root);
  void expand(XmlNode& node, int depth);
  static void set_file(XmlNode& node);
  void include(const XmlNode& node, int depth, std::vector<XmlNode>& into);
  bool check_include(const XmlNode& node);
  std::string find_included(const XmlNode& node) const;
  std::optional<XmlNode> parse(std::string text, int file);
  std::optional<std::string> load(const std::string& path, const XmlNode* included_by);

  std::vector<Spec::File>& files_;
  Files disk_;
  Report& report_;
  Budget& budget_;
  std::vector<std::unique_ptr<std::string>> texts_;  // the nodes point into them
  std::set<std::string> seen_;                       // canonical paths
  std::size_t main_;                                 // index of the main file
  XmlNode root_;
};

}  // namespace sinew::mjcf
