#pragma once

// The MJCF language as one table: every element, with its attributes, children and presence rules. The reader, its
// checks, the writer and the reference page are derived from it; a new attribute is just a new row.

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/xml.h"

namespace sinew::mjcf {

class Reader;

/// What is wrong with a value, and how to fix it.
struct Complaint {
  std::string message;
  std::string hint = {};
  std::string_view attribute = {};  // if it is not the one being read
};
using Outcome = std::optional<Complaint>;  // empty: success

struct Keyword {
  std::string_view word;
  int value;
};
using Keywords = std::span<const Keyword>;

enum class ValueType { Real, Integer, Keyword, KeywordList, Text, Other };

/// Numbers of an attribute in memory.
struct Numbers {
  enum class Type : std::uint8_t { Double, Float, Int };
  void* first = nullptr;
  Type type = Type::Double;
  int count = 1;
};

/// One attribute: how it is written, what is allowed, and the field that it fills. The field's type decides most of it.
struct Attribute {
  std::string_view name;
  ValueType type = ValueType::Text;
  int least = 1;  // numbers of the list
  int most = 1;   // 0: any number
  Keywords keywords;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool above_lower = false;  // the lower bound itself is not allowed
  bool required = false;
  bool in_default = true;      // allowed in a default class too
  bool nan_inherits = false;   // NaN as first number means: not given
  bool may_be_blank = true;    // a list without numbers counts as absent
  bool ordered = false;        // keywords of a list must come in the order of the table
  std::string_view note = {};  // for the reference page

  Outcome (*read)(void* object, std::string_view text, const Attribute& row) = nullptr;
  std::string (*print)(const void* object, const Attribute& row) = nullptr;  // empty: nothing to write
  Numbers (*locate)(void* object) = nullptr;  // null: not stored as the numbers that are written

  /// 1 to `most` numbers; the others keep their values.
  Attribute& partial() {
    least = 1;
    return *this;
  }
  Attribute& words(Keywords list) {
    type = ValueType::Keyword;
    keywords = list;
    return *this;
  }
  Attribute& word_list(Keywords list) {
    type = ValueType::KeywordList;
    keywords = list;
    return *this;
  }
  Attribute& never_blank() {
    may_be_blank = false;
    return *this;
  }
  Attribute& at_least(double bound) {
    lower = bound;
    return *this;
  }
  Attribute& at_most(double bound) {
    upper = bound;
    return *this;
  }
  Attribute& between(double low, double high) {
    lower = low;
    upper = high;
    return *this;
  }
  Attribute& positive() {
    lower = 0;
    above_lower = true;
    return *this;
  }
  Attribute& need() {
    required = true;
    return *this;
  }
  Attribute& element_only() {
    in_default = false;
    return *this;
  }
  Attribute& nan_means_inherited() {
    nan_inherits = true;
    return *this;
  }
  Attribute& in_order() {
    ordered = true;
    return *this;
  }
  Attribute& remark(std::string_view text) {
    note = text;
    return *this;
  }
};

/// Which attributes go together.
struct Rule {
  enum class Kind {
    Exclusive,  // attributes of at most one group
    Together,   // all attributes of the (only) group, or none
    Needs       // all attributes of at least one group
  };
  Kind kind;
  std::vector<std::vector<std::string_view>> groups;
};

enum class Times { Any, Once };

struct Element;
using Handler = void (*)(Reader&, const XmlNode&, const Element&);

/// One element in its place: <geom> in a body is not <geom> in a tendon.
struct Element {
  std::string_view name;
  std::string_view doc;  // one line for the reference page
  Times times = Times::Any;
  std::vector<Attribute> attributes;
  std::vector<const Element*> children;
  std::vector<Rule> rules;
  Handler read = nullptr;             // null: not supported yet, refused
  const Element* form_of = nullptr;   // in a default class: the element that these rows belong to
  int tag = 0;                        // the kind of sensor, actuator, … that the element stands for
  std::shared_ptr<const void> blank;  // an object with the built-in defaults, to print them
  std::size_t object_bytes = 0;       // of such an object

  const Attribute* attribute(std::string_view wanted) const {
    for (const Attribute& row : attributes) {
      if (row.name == wanted) return &row;
    }
    return nullptr;
  }
  const Element* child(std::string_view wanted) const {
    for (const Element* element : children) {
      if (element->name == wanted) return element;
    }
    return nullptr;
  }

  Element& once() {
    times = Times::Once;
    return *this;
  }
  Element& tagged(int value) {
    tag = value;
    return *this;
  }
  Element& exclusive(std::vector<std::vector<std::string_view>> groups) {
    rules.push_back({Rule::Kind::Exclusive, std::move(groups)});
    return *this;
  }
  Element& together(std::vector<std::string_view> group) {
    rules.push_back({Rule::Kind::Together, {std::move(group)}});
    return *this;
  }
  Element& needs(std::vector<std::vector<std::string_view>> groups) {
    rules.push_back({Rule::Kind::Needs, std::move(groups)});
    return *this;
  }
  Element& holds(std::vector<const Element*> list) {
    children.insert(children.end(), list.begin(), list.end());
    return *this;
  }
};

/// Owns the elements of the table.
class Schema {
 public:
  Schema();

  const Element& root() const { return *root_; }
  Element& add(Element element) { return elements_.emplace_back(std::move(element)); }
  /// An element that is not supported yet: its attributes by name only.
  Element& refused(std::string_view name, std::string_view attributes, std::string_view doc);
  /// The form of an element inside a default class: without what only an element can have.
  Element& default_form(const Element& element, std::string_view name, Handler read);

 private:
  std::deque<Element> elements_;
  const Element* root_ = nullptr;
};

/// The table, built once.
const Schema& schema();

}  // namespace sinew::mjcf
