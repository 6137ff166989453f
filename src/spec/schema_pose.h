#pragma once

// Rows of a pose: a position, and an orientation in one of five forms.

#include <algorithm>
#include <span>

#include "sinew/spec.h"
#include "spec/schema.h"
#include "spec/value.h"

namespace sinew::mjcf {

template <class T, spec::Orientation::Kind Kind, std::size_t Count>
void add_alternative(Table<T>& t, std::string_view name) {
  t.template add<std::array<double, Count>>(
      name,
      [](void* object, std::string_view text, const Attribute& row) -> Outcome {
        std::array<double, Count> values{};
        if (Outcome bad = parse_value(text, values, row)) return bad;
        spec::Orientation& alt = static_cast<T*>(object)->alt;
        alt.kind = Kind;
        alt.value = {};
        std::copy(values.begin(), values.end(), alt.value.begin());
        return {};
      },
      [](const void* object, const Attribute&) {
        const spec::Orientation& alt = static_cast<const T*>(object)->alt;
        return alt.kind == Kind ? print_numbers(std::span(alt.value).first(Count)) : std::string();
      });
}

/// pos, quat and the other forms of an orientation. If one of these is set, even by a class, it overrides quat.
template <class T>
void add_pose(Table<T>& t) {
  t.template at<&T::pos>("pos");
  t.template add<spec::Reals<4>>(
      "quat",
      [](void* object, std::string_view text, const Attribute& row) -> Outcome {
        spec::Reals<4> quat{};
        if (Outcome bad = parse_value(text, quat, row)) return bad;
        if (quat == spec::Reals<4>{}) return Complaint{"0 0 0 0 is not an orientation", "1 0 0 0 is the identity"};
        static_cast<T*>(object)->quat = quat;
        return {};
      },
      [](const void* object, const Attribute& row) { return print_value(static_cast<const T*>(object)->quat, row); });
  add_alternative<T, spec::Orientation::Kind::AxisAngle, 4>(t, "axisangle");
  add_alternative<T, spec::Orientation::Kind::XyAxes, 6>(t, "xyaxes");
  add_alternative<T, spec::Orientation::Kind::ZAxis, 3>(t, "zaxis");
  add_alternative<T, spec::Orientation::Kind::Euler, 3>(t, "euler");
}

inline Element& one_orientation(Element& element) {
  return element.exclusive({{"quat"}, {"axisangle"}, {"xyaxes"}, {"zaxis"}, {"euler"}});
}

}  // namespace sinew::mjcf
