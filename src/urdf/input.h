#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sinew/urdf.h"
#include "spec/reader.h"
#include "spec/report.h"
#include "spec/schema.h"

namespace sinew::urdf {

using mjcf::Element;
using mjcf::Place;

/// How an element of the table is treated, in Element::tag.
enum Treatment : int {
  kRead = 0,
  kUnused,       // has no meaning for a simulation: skipped with its contents, with one warning for all of its kind
  kFirstCounts,  // read; a repetition is skipped with a warning
  kOpen,         // read, but what it contains is not checked against the table
  kLeaf,         // its text is a value of the element around it, by the row without a name
};

/// The file being read, and how its problems are reported. Common to URDF and SDFormat.
class Input {
 public:
  Input(Spec& spec, mjcf::Report& report, mjcf::Reader::Session& session);

  void error(Place place, std::string message, std::string hint = {}) {
    report.error(place, std::move(message), std::move(hint));
  }
  /// Something in the file is used otherwise than written; an error in strict mode.
  void warn(Place place, std::string message, std::string hint = {});
  /// Something has no effect here. Counted: there is one warning for each `what`, at its first place.
  void note_unused(const std::string& what, Place place);
  void report_unused();

  /// Compares a node and everything below it with the table: unknown names, repeated elements, missing attributes.
  void check(const XmlNode& node, const Element& element);
  /// Reads the attributes of a node into the object that the rows of the table belong to.
  void fill(const XmlNode& node, const Element& element, void* object);
  /// Reads the texts of the leaves of a node into the object that the node describes.
  void fill_texts(const XmlNode& node, const Element& element, void* object);
  /// The child of this name, or null; need_child reports an error if there is none.
  static const XmlNode* child(const XmlNode& node, std::string_view name);
  const XmlNode* need_child(const XmlNode& node, std::string_view name);
  /// Accounts for memory; ends the reading if there is not enough.
  void take(const XmlNode& node, double bytes);

  Spec& spec;
  mjcf::Report& report;
  mjcf::Reader::Session& session;
  const UrdfOptions& options;
  bool skips_visuals = false;  // visuals make no geoms: only their materials are read

 private:
  void check_attributes(const XmlNode& node, const Element& element);
  bool check_child(const XmlNode& node, const Element& element, const XmlNode& child);

  struct Unused {
    std::string what;
    int count = 0;
    Place first;
  };
  std::vector<Unused> unused_;
};

inline spec::Origin origin_of(const XmlNode& node) { return {node.file, node.line}; }

}  // namespace sinew::urdf
