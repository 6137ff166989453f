// replicate: copies of its contents, each further rotated and translated.

#include <cmath>

#include "math/rigid.h"
#include "spec/graft.h"
#include "spec/schema_parts.h"
#include "spec/value.h"

namespace sinew::mjcf {
namespace {

using rigid::Quat4;
using rigid::Vec;

struct Replicate {
  std::string childclass;
  int count = 1;
  spec::Reals<3> euler{};
  spec::Reals<3> offset{};
  std::string sep;
};

/// Number i with as many digits as the count has.
std::string suffix_of(const Replicate& wanted, int i) {
  const std::size_t digits = std::to_string(wanted.count).size();
  return fmt::format("{}{:0{}}", wanted.sep, i, digits);
}

/// The rotation of copy i: i times each angle, not i rotations.
Quat4 rotation_of(const Replicate& wanted, const spec::Compiler& compiler, int i) {
  Vec angles;
  for (int k = 0; k < 3; ++k) {
    const double angle = i * wanted.euler[static_cast<std::size_t>(k)];
    angles[k] = compiler.degree ? angle / 180 * kPi : angle;
  }
  return rigid::euler_rotation(compiler.eulerseq, angles);
}

void read_replicate(Reader& r, const XmlNode& node, const Element& element) {
  Replicate wanted;
  r.attributes(node, element, &wanted);

  spec::Body prototype;
  const Reader::Scope outside = r.scope;
  r.patterns.push_back(&prototype);
  r.scope.body = &prototype;
  r.scope.frame = -1;
  r.enter_childclass(node);
  r.children(node, element);
  r.scope = outside;
  if (prototype.inertial) r.report.warning({&node}, "an inertial directly inside it has no effect");

  const std::size_t elements = 1 + count_below(prototype);
  const double name_bytes = 3.0 * static_cast<double>(elements * suffix_of(wanted, wanted.count).size());
  r.count_copies(node, static_cast<std::size_t>(wanted.count) * elements,
                 wanted.count * (sizeof(spec::Frame) + bytes_below(prototype) + name_bytes));
  Graft graft(r, node, r.spec);
  const KeyStates::Parts keys = r.keys.take_apart(r.spec, r.roots(), node, r.report);
  Vec pos;
  for (int i = 0; i < wanted.count; ++i) {
    const Quat4 quat = rotation_of(wanted, r.spec.compiler, i);
    spec::Frame frame;
    frame.origin = {node.file, node.line};
    frame.frame = r.scope.frame;
    frame.pos = {pos.x, pos.y, pos.z};
    frame.quat = {quat.w, quat.x, quat.y, quat.z};
    r.scope.body->frames.add(std::move(frame));
    pos += to_matrix(quat) * Vec::load(wanted.offset.data());

    const Renaming names = {"", suffix_of(wanted, i)};
    graft.copy_keys(keys, names);
    graft.hang(prototype, *r.scope.body, static_cast<int>(r.scope.body->frames.size()) - 1, names);
    graft.copy_relations(names);
  }
  // the keyframes themselves keep the numbers of elements outside
  r.keys.forget_actuators(r.spec);
  r.keys.keep(keys, {});
  r.spec.keys.clear();
  graft.remove(prototype);
  r.patterns.pop_back();
}

}  // namespace

Element& replicate_element(Schema& schema) {
  using R = Replicate;
  Table<R> t;
  t.at<&R::childclass>("childclass");
  t.at<&R::count>("count").at_least(0).need();
  t.at<&R::euler>("euler").remark("copy i is rotated by i times these angles");
  t.at<&R::offset>("offset").remark("from one copy to the next, in the rotated frame");
  t.at<&R::sep>("sep").remark("separates a name and the number of the copy");
  return schema.add(t.element("replicate", "copies of its contents", read_replicate));
}

}  // namespace sinew::mjcf
