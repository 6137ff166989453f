#include "spec_node.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "base/suggest.h"
#include "sinew/edit.h"
#include "spec/actuator_shortcuts.h"
#include "spec/references.h"
#include "spec_value.h"

namespace sinew::python {
namespace {

/// f(list of the body, record of a default class) for a kind of element in a body other than bodies and frames.
template <class F>
void with_part(Kind kind, F f) {
  using B = spec::Body;
  using D = spec::DefaultClass;
  switch (kind) {
    case Kind::Joint: return f(&B::joints, &D::joint);
    case Kind::Geom: return f(&B::geoms, &D::geom);
    case Kind::Site: return f(&B::sites, &D::site);
    case Kind::Camera: return f(&B::cameras, &D::camera);
    case Kind::Light: return f(&B::lights, &D::light);
    default: throw py::value_error(fmt::format("a body cannot contain a {}", info(kind).name));
  }
}

/// f(list of the tree, record of a default class or null) for a kind of element outside the body tree.
template <class F>
void with_list(Kind kind, F f) {
  using D = spec::DefaultClass;
  constexpr std::nullptr_t none = nullptr;
  switch (kind) {
    case Kind::Mesh: return f(&Spec::meshes, &D::mesh);
    case Kind::Hfield: return f(&Spec::hfields, none);
    case Kind::Texture: return f(&Spec::textures, none);
    case Kind::Material: return f(&Spec::materials, &D::material);
    case Kind::Pair: return f(&Spec::pairs, &D::pair);
    case Kind::Exclude: return f(&Spec::excludes, none);
    case Kind::Flex: return f(&Spec::flexes, none);
    case Kind::Equality: return f(&Spec::equalities, &D::equality);
    case Kind::Tendon: return f(&Spec::tendons, &D::tendon);
    case Kind::Actuator: return f(&Spec::actuators, &D::actuator);
    case Kind::Sensor: return f(&Spec::sensors, none);
    case Kind::Numeric: return f(&Spec::numerics, none);
    case Kind::Text: return f(&Spec::texts, none);
    case Kind::Tuple: return f(&Spec::tuples, none);
    case Kind::Key: return f(&Spec::keys, none);
    default: throw py::value_error(fmt::format("a {} must be added to a body", info(kind).name));
  }
}

bool is_element(Kind kind) { return kind <= Kind::Key; }
bool is_part(Kind kind) { return kind <= Kind::Light; }

spec::Orientation* orientation_of(Kind kind, void* object) {
  switch (kind) {
    case Kind::Body: return &static_cast<spec::Body*>(object)->alt;
    case Kind::Frame: return &static_cast<spec::Frame*>(object)->alt;
    case Kind::Geom: return &static_cast<spec::Geom*>(object)->alt;
    case Kind::Site: return &static_cast<spec::Site*>(object)->alt;
    case Kind::Camera: return &static_cast<spec::Camera*>(object)->alt;
    default: return nullptr;
  }
}

/// Parts of a body as spec::TreeElement; single inheritance, so the address is the same.
spec::TreeElement& tree_element(const Node& node) {
  if (!is_part(node.kind())) throw py::value_error(node.title() + " is not in a body");
  return static_cast<spec::TreeElement&>(node.element());
}

void collect(const NodePtr& body, Kind kind, std::vector<NodePtr>& out) {
  for (const NodePtr& child : body->children(kind)) {
    out.push_back(child);
    if (kind == Kind::Body) collect(child, kind, out);
  }
  if (kind == Kind::Body) return;
  for (const NodePtr& child : body->children(Kind::Body)) collect(child, kind, out);
}

/// MuJoCo uses NaN for values that are not given.
bool is_nan(py::handle value) {
  const py::array array = py::array::ensure(value);
  if (!array || array.size() == 0 || array.dtype().kind() != 'f') return false;
  const py::array_t<double, py::array::c_style | py::array::forcecast> numbers(array);
  return std::isnan(numbers.data()[0]);
}

}  // namespace

std::shared_ptr<ElementState> state_of(SpecCell& cell, const void* element) {
  std::shared_ptr<ElementState>& state = cell.states[element];
  if (!state) state = std::make_shared<ElementState>();
  return state;
}

Node::Node(std::shared_ptr<SpecCell> cell, Kind kind, void* object, NodePtr parent)
    : cell_(std::move(cell)),
      kind_(kind),
      object_(object),
      parent_(std::move(parent)),
      state_(state_of(*cell_, object_)) {}

Node::Node(const Node& dclass, Kind kind, void* object)
    : cell_(dclass.cell_), kind_(kind), object_(object), state_(dclass.state_) {}

Node::Node(std::shared_ptr<SpecCell> cell, Kind kind, void* object)
    : cell_(std::move(cell)), kind_(kind), object_(object), state_(std::make_shared<ElementState>()) {}

const Node& Node::follow() const {
  while (state_->moved_to) {
    const NodePtr now = state_->moved_to;
    cell_ = now->cell_;
    object_ = now->object_;
    parent_ = now->parent_;
    state_ = now->state_;
  }
  return *this;
}

void Node::check_alive() const {
  if (!alive()) throw py::value_error(fmt::format("this {} was deleted", info(kind_).name));
}

void Node::check_is(Kind kind) const {
  check_alive();
  if (kind_ != kind) throw py::value_error(fmt::format("a {} is not a {}", info(kind_).name, info(kind).name));
}

bool Node::is_record() const { return is_part(kind_) && !parent() && object_ != &cell_->spec.world; }

spec::Element& Node::element() const {
  check_alive();
  switch (kind_) {
    case Kind::Body: return as<spec::Body>();
    case Kind::Frame: return as<spec::Frame>();
    case Kind::Joint: return as<spec::Joint>();
    case Kind::Geom: return as<spec::Geom>();
    case Kind::Site: return as<spec::Site>();
    case Kind::Camera: return as<spec::Camera>();
    case Kind::Light: return as<spec::Light>();
    default: break;
  }
  if (!is_element(kind_)) throw py::value_error(fmt::format("the {} is not an element", info(kind_).name));
  spec::Element* found = nullptr;
  with_list(kind_, [&](auto list, auto) {
    using T = std::remove_cvref_t<decltype((std::declval<Spec&>().*list)[0])>;
    found = static_cast<T*>(object_);
  });
  return *found;
}

spec::Body& Node::body() const { return as<spec::Body>(); }

std::string Node::title() const {
  if (!alive()) return fmt::format("deleted {}", info(kind_).name);
  const std::string name = kind_ == Kind::Default ? as<spec::DefaultClass>().name
                           : is_element(kind_)    ? element().name
                                                  : "";
  return name.empty() ? std::string(info(kind_).name) : fmt::format("{} '{}'", info(kind_).name, name);
}

void Node::complain(std::string_view attribute, const std::string& message, const std::string& hint) const {
  throw py::value_error(
      fmt::format("{}: {}: {}{}", title(), attribute, message, hint.empty() ? "" : fmt::format(" ({})", hint)));
}

py::object Node::get(const std::string& name) const {
  check_alive();
  if (name == "name" && is_element(kind_)) return py::str(element().name);
  const SpecAttribute* row = info(kind_).find(name);
  if (!row) {
    std::vector<std::string_view> allowed;
    for (const SpecAttribute& known : info(kind_).attributes) allowed.push_back(known.name);
    const std::string hint = suggest(name, allowed);
    throw py::attribute_error(
        fmt::format("a {} has no attribute '{}'{}", info(kind_).name, name, hint.empty() ? "" : "; " + hint));
  }
  if (row->words) {
    const mjcf::ActuatorWords words(as<spec::Actuator>());
    return to_python(row->attribute, row->attribute.print(&words, row->attribute));
  }
  return to_python(row->attribute, row->attribute.print(object_, row->attribute));
}

/// Clears an optional attribute; false if it is not optional.
bool Node::clear(std::string_view name, py::handle value) const {
  if (!is_nan(value)) return false;
  if (kind_ == Kind::Geom && name == "mass") return as<spec::Geom>().mass.reset(), true;
  if (kind_ == Kind::Geom && name == "fromto") return as<spec::Geom>().fromto.reset(), true;
  if (kind_ == Kind::Site && name == "fromto") return as<spec::Site>().fromto.reset(), true;
  if (kind_ == Kind::Body && name == "fullinertia") {
    if (as<spec::Body>().inertial) as<spec::Body>().inertial->fullinertia.reset();
    return true;
  }
  if (kind_ != Kind::Statistic) return false;
  auto& statistic = as<spec::StatisticOverride>();
  if (name == "meaninertia") return statistic.meaninertia.reset(), true;
  if (name == "meanmass") return statistic.meanmass.reset(), true;
  if (name == "meansize") return statistic.meansize.reset(), true;
  if (name == "extent") return statistic.extent.reset(), true;
  return name == "center" ? (statistic.center.reset(), true) : false;
}

void Node::set(const std::string& name, py::handle value) {
  check_alive();
  if (name == "name" && is_element(kind_)) {
    if (!py::isinstance<py::str>(value)) throw py::type_error(title() + ": name: must be a str");
    element().name = value.cast<std::string>();
    return;
  }
  const SpecAttribute* row = info(kind_).find(name);
  if (!row) get(name);  // throws an error that lists the valid names
  if (clear(row->name, value)) return;
  std::string text;
  try {
    text = to_text(row->attribute, value);
  } catch (const py::type_error& e) {
    throw py::type_error(fmt::format("{}: {}: {}", title(), name, e.what()));
  } catch (const py::value_error& e) {
    complain(name, e.what(), "");
  }
  mjcf::Outcome bad;
  if (row->words) {
    mjcf::ActuatorWords words(as<spec::Actuator>());
    bad = row->attribute.read(&words, text, row->attribute);
    if (!bad) as<spec::Actuator>() = words;
  } else {
    bad = row->attribute.read(object_, text, row->attribute);
    spec::Orientation* alternative = orientation_of(kind_, object_);
    if (!bad && alternative && row->name == "quat") alternative->kind = spec::Orientation::Kind::None;
  }
  if (bad) complain(name, bad->message, bad->hint);
}

std::vector<std::string> Node::names() const {
  std::vector<std::string> out;
  if (is_element(kind_)) out.push_back("name");
  for (const SpecAttribute& row : info(kind_).attributes) out.emplace_back(row.name);
  return out;
}

std::vector<NodePtr> Node::children(Kind kind) {
  spec::Body& holder = body();
  std::vector<NodePtr> out;
  const auto add = [&](auto& list) {
    for (auto& item : list) out.push_back(std::make_shared<Node>(cell_, kind, &item, shared_from_this()));
  };
  if (kind == Kind::Body) {
    add(holder.bodies);
  } else if (kind == Kind::Frame) {
    add(holder.frames);
  } else {
    with_part(kind, [&](auto list, auto) { add(holder.*list); });
  }
  return out;
}

std::vector<NodePtr> Node::below(Kind kind) {
  std::vector<NodePtr> out;
  collect(shared_from_this(), kind, out);
  return out;
}

/// The class of a new element: the requested one, or the childclass of the nearest frame or body.
const spec::DefaultClass& Node::class_for(const Node* dclass, const Node* frame) const {
  const auto find = [&](const std::string& name) -> const spec::DefaultClass& {
    for (const spec::DefaultClass& record : cell_->spec.classes)
      if (record.name == name) return record;
    throw py::value_error(fmt::format("there is no default class '{}'", name));
  };
  if (dclass) {
    if (dclass->kind() != Kind::Default || dclass->cell() != cell_)
      throw py::value_error("default must be a default class of the same MjSpec");
    return dclass->as<spec::DefaultClass>();
  }
  int around = frame ? frame_index(frame) : -1;
  for (const Node* holder = this; holder; holder = holder->parent_.get()) {
    const spec::Body& body = holder->body();
    for (; around >= 0; around = body.frames[static_cast<std::size_t>(around)].frame) {
      const std::string& name = body.frames[static_cast<std::size_t>(around)].childclass;
      if (!name.empty()) return find(name);
    }
    if (!body.childclass.empty()) return find(body.childclass);
    around = body.frame;
  }
  return cell_->spec.classes[0];
}

NodePtr Node::add(Kind kind, const Node* dclass, const Node* frame) {
  spec::Body& holder = body();
  const int index = frame ? frame_index(frame) : -1;
  void* added = nullptr;
  if (kind == Kind::Body || kind == Kind::Frame) {
    const std::string childclass = dclass ? class_for(dclass, frame).name : "";
    const auto fill = [&](auto& item) {
      item.childclass = childclass;
      item.frame = index;
      added = &item;
    };
    if (kind == Kind::Body) {
      fill(holder.bodies.add());
    } else {
      fill(holder.frames.add());
    }
  } else {
    const spec::DefaultClass& start = class_for(dclass, frame);
    with_part(kind, [&](auto list, auto record) {
      auto& item = (holder.*list).add(start.*record);
      if (dclass) item.dclass = start.name;
      item.frame = index;
      added = &item;
    });
  }
  return std::make_shared<Node>(cell_, kind, added, shared_from_this());
}

NodePtr Node::add_freejoint() {
  spec::Joint& joint = body().joints.add();
  joint.type = JointType::Free;
  return std::make_shared<Node>(cell_, Kind::Joint, &joint, shared_from_this());
}

void Node::discard() {
  check_alive();
  if (!parent_ && is_part(kind_)) throw py::value_error(title() + " was not added");
  const auto erase = [&](auto& list) {
    for (std::size_t i = list.size(); i-- > 0;) {
      if (&list[i] == object_) return list.erase(i);
    }
  };
  if (!is_part(kind_)) {
    with_list(kind_, [&](auto list, auto) { erase(cell_->spec.*list); });
  } else if (kind_ == Kind::Body) {
    erase(parent_->body().bodies);
  } else if (kind_ == Kind::Frame) {
    erase(parent_->body().frames);
  } else {
    with_part(kind_, [&](auto list, auto) { erase(parent_->body().*list); });
  }
  bury(*cell_);
}

int Node::frame_index(const Node* frame) const {
  if (frame->kind() != Kind::Frame) throw py::value_error(frame->title() + " is not a frame");
  const spec::Body& holder = body();
  for (std::size_t i = 0; i < holder.frames.size(); ++i)
    if (&holder.frames[i] == frame->address()) return static_cast<int>(i);
  throw py::value_error(fmt::format("{} is not in {}", frame->title(), title()));
}

NodePtr Node::frame() const {
  const int index = tree_element(*this).frame;
  if (index < 0 || !parent_) return nullptr;
  return std::make_shared<Node>(cell_, Kind::Frame, &parent_->body().frames[static_cast<std::size_t>(index)], parent_);
}

void Node::set_frame(const Node* frame) {
  spec::TreeElement& element = tree_element(*this);
  if (!parent_) throw py::value_error("the world cannot be in a frame");
  const int index = frame ? parent_->frame_index(frame) : -1;
  // contents follow their frame
  if (kind_ == Kind::Frame && index >= parent_->frame_index(this))
    throw py::value_error(fmt::format("{} can only be in a frame added before it", title()));
  element.frame = index;
}

void Node::remove() {
  if (kind_ == Kind::Default) {
    const Result<bool> removed = remove_class(cell_->spec, as<spec::DefaultClass>().name);
    if (!removed) throw py::value_error(removed.error().text());
    return bury(*cell_);
  }
  spec::Element& target = element();
  if (is_record()) throw py::value_error(fmt::format("the {} of a default class cannot be deleted", title()));
  const std::string name = target.name;
  if (name.empty()) target.name = fmt::format("\x01{}", object_);  // the engine removes by name
  const Result<bool> removed = sinew::remove(cell_->spec, info(kind_).type, target.name, References::Remove);
  if (!removed) {
    target.name = name;
    throw py::value_error(removed.error().text());
  }
  bury(*cell_);
}

std::string Node::class_name() const {
  const std::string& written = element().dclass;
  if (!written.empty() || !is_part(kind_) || !parent_) return written.empty() ? cell_->spec.classes[0].name : written;
  const NodePtr around = frame();
  return parent_->class_for(nullptr, around.get()).name;
}

void Node::set_class_name(const std::string& name) {
  check_alive();
  for (const spec::DefaultClass& record : cell_->spec.classes) {
    if (record.name != name) continue;
    element().dclass = name;
    return;
  }
  throw py::value_error(fmt::format("there is no default class '{}'", name));
}

NodePtr Node::record(Kind kind) {
  auto& record = as<spec::DefaultClass>();
  void* object = nullptr;
  const auto take = [&](auto, auto member) {
    if constexpr (!std::is_same_v<decltype(member), std::nullptr_t>) object = &(record.*member);
  };
  if (is_part(kind)) {
    with_part(kind, take);
  } else {
    with_list(kind, take);
  }
  if (!object) throw py::value_error(fmt::format("a default class has no {}", info(kind).name));
  return std::make_shared<Node>(*this, kind, object);
}

NodePtr root_node(const std::shared_ptr<SpecCell>& cell, Kind kind, void* object) {
  return std::make_shared<Node>(cell, kind, object, nullptr);
}

NodePtr world_node(const std::shared_ptr<SpecCell>& cell) { return root_node(cell, Kind::Body, &cell->spec.world); }

std::vector<NodePtr> all_nodes(const std::shared_ptr<SpecCell>& cell, Kind kind) {
  std::vector<NodePtr> out;
  if (is_part(kind)) {
    const NodePtr world = world_node(cell);
    if (kind == Kind::Body) out.push_back(world);
    collect(world, kind, out);
  } else if (kind == Kind::Default) {
    for (spec::DefaultClass& record : cell->spec.classes) out.push_back(root_node(cell, kind, &record));
  } else {
    with_list(kind, [&](auto list, auto) {
      for (auto& item : cell->spec.*list) out.push_back(root_node(cell, kind, &item));
    });
  }
  return out;
}

NodePtr add_root(const std::shared_ptr<SpecCell>& cell, Kind kind, const Node* dclass) {
  NodePtr added;
  with_list(kind, [&](auto list, auto record) {
    using T = std::remove_cvref_t<decltype((cell->spec.*list)[0])>;
    T start;
    if (dclass && (dclass->kind() != Kind::Default || dclass->cell() != cell))
      throw py::value_error("default must be a default class of the same MjSpec");
    if constexpr (!std::is_same_v<decltype(record), std::nullptr_t>) {
      start = (dclass ? dclass->as<spec::DefaultClass>() : cell->spec.classes[0]).*record;
      if (dclass) start.dclass = dclass->as<spec::DefaultClass>().name;
    } else if (dclass) {
      throw py::value_error(fmt::format("a {} has no default class", info(kind).name));
    }
    added = root_node(cell, kind, &(cell->spec.*list).add(std::move(start)));
  });
  return added;
}

void bury(SpecCell& cell) {
  std::unordered_set<const void*> present = {&cell.spec.world};
  mjcf::for_each_below(cell.spec.world, [&](ObjType, auto& element) { present.insert(&element); });
  mjcf::for_each_list(cell.spec, [&](ObjType, auto& list) {
    for (auto& element : list) present.insert(&element);
  });
  for (const spec::DefaultClass& record : cell.spec.classes) present.insert(&record);
  std::erase_if(cell.states, [&](auto& entry) {
    if (present.contains(entry.first)) return false;
    entry.second->alive = false;
    return true;
  });
}

}  // namespace sinew::python
