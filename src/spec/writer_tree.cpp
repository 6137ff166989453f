// The tree of bodies. A body keeps one list for each kind of element and a frame index in each element; the text has
// one order of all elements that preserves every list and keeps every frame contiguous.

#include <algorithm>
#include <array>
#include <functional>

#include "spec/writer.h"

namespace sinew::mjcf {

/// The contents of a body, in an order that preserves the order of each list.
class Writer::Contents {
 public:
  Contents(Writer& writer, const spec::Body& body) : writer_(writer), body_(body), inside_(body.frames.size() + 1) {
    parents_.reserve(body.frames.size());
    for (std::size_t i = 0; i < body.frames.size(); ++i) {
      const int parent = known(body.frames[i].frame, static_cast<int>(i));
      parents_.push_back(parent);
      inside_[static_cast<std::size_t>(parent + 1)].push_back(static_cast<int>(i));
    }
    left_.resize(body.frames.size());
    add(0, body.joints, [&](const spec::Joint& joint, int dclass) { writer_.joint(joint, dclass); });
    add(1, body.geoms, plain("geom", &spec::DefaultClass::geom));
    add(2, body.sites, plain("site", &spec::DefaultClass::site));
    add(3, body.cameras, plain("camera", &spec::DefaultClass::camera));
    add(4, body.lights, plain("light", &spec::DefaultClass::light));
    add(5, body.bodies, [&](const spec::Body& child, int dclass) { writer_.body(child, dclass); });
    opened_.resize(body.frames.size());
  }

  /// Everything in a frame, -1: in the body itself, as far as the order of the lists allows.
  void level(int frame, int dclass) {
    std::vector<int> pending = inside_[static_cast<std::size_t>(frame + 1)];
    for (;;) {
      for (Sequence& sequence : sequences_) {
        while (sequence.next < sequence.frames.size() && sequence.frames[sequence.next] == frame) {
          sequence.write(sequence.next, dclass);
          took(sequence);
        }
      }
      const auto chosen = choose(pending);
      if (chosen == pending.end()) return;
      const int child = *chosen;
      if (ready(child)) pending.erase(chosen);
      open(child, dclass);
    }
  }

 private:
  static constexpr std::size_t kKinds = 6;

  struct Sequence {
    std::size_t kind = 0;
    std::vector<int> frames;  // of each element
    std::size_t next = 0;     // the first not written yet
    std::function<void(std::size_t, int)> write;
  };

  int known(int frame, int count) {
    if (frame >= -1 && frame < count) return frame;
    writer_.fail(writer_.section("worldbody"), "frame", "an element is in a frame that does not exist");
    return -1;
  }

  template <class T>
  std::function<void(const T&, int)> plain(std::string_view name, T spec::DefaultClass::*record) {
    const Element& element = *writer_.section("worldbody").child(name);
    return [this, &element, record](const T& item, int dclass) {
      writer_.current_ = &item;
      const int own = writer_.class_index(item.dclass, dclass);
      writer_.open(element);
      writer_.around_ = dclass;
      writer_.attributes(element, &item, &(writer_.spec_.classes[static_cast<std::size_t>(own)].*record));
      writer_.around_ = 0;
      if constexpr (requires { item.plugin; }) writer_.plugin(item.plugin);
      writer_.xml_.close();
    };
  }

  template <class T, class Write>
  void add(std::size_t kind, const spec::List<T>& list, Write write) {
    Sequence& sequence = sequences_[kind];
    sequence.kind = kind;
    for (const T& item : list) {
      const int frame = known(item.frame, static_cast<int>(parents_.size()));
      sequence.frames.push_back(frame);
      for (int f = frame; f >= 0; f = parents_[static_cast<std::size_t>(f)]) ++left_[static_cast<std::size_t>(f)][kind];
    }
    sequence.write = [&list, write](std::size_t i, int dclass) { write(list[i], dclass); };
  }

  void took(Sequence& sequence) {
    for (int f = sequence.frames[sequence.next]; f >= 0; f = parents_[static_cast<std::size_t>(f)])
      --left_[static_cast<std::size_t>(f)][sequence.kind];
    ++sequence.next;
  }

  bool is_inside(int frame, int outer) const {
    while (frame > outer) frame = parents_[static_cast<std::size_t>(frame)];
    return frame == outer;
  }

  /// Number of the next elements of a list that are in the frame.
  std::size_t run(const Sequence& sequence, int frame) const {
    std::size_t end = sequence.next;
    while (end < sequence.frames.size() && is_inside(sequence.frames[end], frame)) ++end;
    return end - sequence.next;
  }

  /// Whether all remaining elements of the frame come next in every list.
  bool ready(int frame) const {
    for (const Sequence& sequence : sequences_) {
      if (run(sequence, frame) != left_[static_cast<std::size_t>(frame)][sequence.kind]) return false;
    }
    return true;
  }

  /// The next frame to open: one that can be finished, or else one that can be begun. The latter happens only if a
  /// program has separated the elements of one frame; the frame is then written in parts.
  std::vector<int>::iterator choose(std::vector<int>& pending) const {
    const auto whole = std::find_if(pending.begin(), pending.end(), [&](int frame) { return ready(frame); });
    if (whole != pending.end()) return whole;
    return std::find_if(pending.begin(), pending.end(), [&](int frame) {
      return std::any_of(sequences_.begin(), sequences_.end(), [&](const Sequence& s) { return run(s, frame) > 0; });
    });
  }

  void open(int index, int dclass) {
    spec::Frame frame = body_.frames[static_cast<std::size_t>(index)];
    const int own = writer_.class_index(frame.childclass, dclass);
    if (opened_[static_cast<std::size_t>(index)]) frame.name.clear();  // a name is written only once
    opened_[static_cast<std::size_t>(index)] = true;
    const Element& element = *writer_.section("worldbody").child("frame");
    writer_.current_ = &frame;
    writer_.open(element);
    writer_.attributes(element, &frame, element.blank.get());
    level(index, own);
    writer_.xml_.close();
  }

  Writer& writer_;
  const spec::Body& body_;
  std::vector<int> parents_;                           // of each frame
  std::vector<std::vector<int>> inside_;               // frames directly in frame i-1
  std::vector<std::array<std::size_t, kKinds>> left_;  // elements of each kind in a frame, not written yet
  std::vector<bool> opened_;
  std::array<Sequence, kKinds> sequences_;
};

void Writer::contents(const spec::Body& body, int dclass) { Contents(*this, body).level(-1, dclass); }

void Writer::body(const spec::Body& body, int dclass) {
  const Element& element = *section("worldbody").child("body");
  current_ = &body;
  open(element);
  attributes(element, &body, element.blank.get());
  if (body.inertial) {
    const Element& inertial = *element.child("inertial");
    this->element(inertial, &*body.inertial, inertial.blank.get(), body.inertial->has_diaginertia ? "diaginertia" : "");
  }
  plugin(body.plugin);
  contents(body, class_index(body.childclass, dclass));
  xml_.close();
}

/// A free joint that no class could produce is a <freejoint>, the only one with align.
void Writer::joint(const spec::Joint& joint, int dclass) {
  const Element& world = section("worldbody");
  const Element& general = *world.child("joint");
  current_ = &joint;
  spec::Joint blank;
  blank.type = JointType::Free;
  blank.name = joint.name;
  blank.group = joint.group;
  const bool plain = std::all_of(general.attributes.begin(), general.attributes.end(), [&](const Attribute& row) {
    return row.print(&joint, row) == row.print(&blank, row);
  });
  if (plain) {
    const Element& free = *world.child("freejoint");
    return element(free, &joint, free.blank.get());
  }
  if (joint.align != spec::Tri::Auto)
    fail(general, "align", "MJCF can express this only for a <freejoint> without other attributes");
  const int own = class_index(joint.dclass, dclass);
  around_ = dclass;
  element(general, &joint, &spec_.classes[static_cast<std::size_t>(own)].joint);
  around_ = 0;
}

}  // namespace sinew::mjcf
