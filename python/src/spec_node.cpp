#include "spec_node.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>
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
    case Kind::Skin: return f(&Spec::skins, none);
    case Kind::Plugin: return f(&Spec::plugin_instances, none);
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

/// An object that belongs to the cell itself.
std::shared_ptr<void> inside(const std::shared_ptr<SpecCell>& cell, void* object) { return {cell, object}; }

void collect(const NodePtr& body, Kind kind, std::vector<NodePtr>& out) {
  for (const NodePtr& child : body->children(kind)) {
    out.push_back(child);
    if (kind == Kind::Body) collect(child, kind, out);
  }
  if (kind == Kind::Body) return;
  for (const NodePtr& child : body->children(Kind::Body)) collect(child, kind, out);
}

/// An element below a body, by name. Nodes are made only for it and the bodies around it.
NodePtr find_part(const NodePtr& body, Kind kind, const std::string& name) {
  std::vector<std::size_t> path;  // child body at each level
  std::size_t place = 0;
  const auto look = [&](const auto& list) {
    for (place = 0; place < list.size(); ++place)
      if (list[place].name == name) return true;
    return false;
  };
  const auto own = [&](const spec::Body& in) {
    bool found = false;
    if (kind == Kind::Body) return look(in.bodies);
    if (kind == Kind::Frame) return look(in.frames);
    with_part(kind, [&](auto list, auto) { found = look(in.*list); });
    return found;
  };
  const auto search = [&](auto& self, const spec::Body& in) -> bool {
    if (own(in)) return true;
    for (std::size_t i = 0; i < in.bodies.size(); ++i) {
      path.push_back(i);
      if (self(self, in.bodies[i])) return true;
      path.pop_back();
    }
    return false;
  };
  if (!search(search, body->body())) return nullptr;
  NodePtr holder = body;
  for (const std::size_t child : path) {
    spec::List<spec::Body>& bodies = holder->body().bodies;
    holder = body->cell()->node(Kind::Body, bodies.share(child), holder, &bodies[child]);
  }
  return holder->children(kind)[place];
}

/// MuJoCo uses NaN for values that are not given.
bool is_nan(py::handle value) {
  const py::array array = py::array::ensure(value);
  if (!array || array.size() == 0 || array.dtype().kind() != 'f') return false;
  const py::array_t<double, py::array::c_style | py::array::forcecast> numbers(array);
  return std::isnan(numbers.data()[0]);
}

}  // namespace

NodePtr SpecCell::node(Kind kind, std::shared_ptr<void> object, const NodePtr& parent, const void* anchor) {
  if (const auto found = moved.find(object.get()); found != moved.end()) return found->second;
  std::weak_ptr<Node>& known = nodes[object.get()];
  if (NodePtr node = known.lock(); node && node->kind_ == kind) return node;
  auto node = std::make_shared<Node>(shared_from_this(), kind, std::move(object), parent, anchor);
  known = node;
  return node;
}

std::map<std::string, std::string> SpecCell::files() const {
  std::map<std::string, std::string> out;
  for (const auto& [name, content] : assets) {
    if (!py::isinstance<py::str>(name) || !(py::isinstance<py::bytes>(content) || py::isinstance<py::str>(content)))
      throw py::type_error("files in memory must be a dict of str to bytes");
    out[name.cast<std::string>()] = content.cast<std::string>();
  }
  return out;
}

void SpecCell::claim(Kind kind, const std::string& old_name, const std::string& new_name) {
  if (old_name == new_name) return;
  const auto [place, fresh] = names.try_emplace(kind);
  NameCounts& counts = place->second;
  if (fresh) {
    const auto note = [&](ObjType type, const spec::Element& element) {
      if (type == info(kind).type && !element.name.empty()) ++counts[element.name];
    };
    note(ObjType::Body, spec.world);
    mjcf::for_each_below(spec.world, note);
    mjcf::for_each_list(spec, [&](ObjType type, const auto& list) {
      if (type != info(kind).type) return;
      for (const auto& element : list) note(type, element);
    });
  }
  if (!new_name.empty()) {
    int& count = counts[new_name];
    if (count > 0) throw py::value_error(fmt::format("Error: repeated name '{}' in {}", new_name, info(kind).name));
    ++count;
  }
  if (!old_name.empty()) --counts[old_name];
}

void SpecCell::bury() {
  names.clear();
  std::unordered_set<const void*> present = {&spec.world, nullptr};
  mjcf::for_each_below(spec.world, [&](ObjType, auto& element) { present.insert(&element); });
  mjcf::for_each_list(spec, [&](ObjType, auto& list) {
    for (auto& element : list) present.insert(&element);
  });
  for (const spec::DefaultClass& record : spec.classes) present.insert(&record);
  std::erase_if(nodes, [&](auto& entry) {
    const NodePtr node = entry.second.lock();
    if (!node) return true;
    if (present.contains(node->anchor_)) return false;
    node->alive_ = false;
    return true;
  });
}

Node::Node(std::shared_ptr<SpecCell> cell, Kind kind, std::shared_ptr<void> object, NodePtr parent, const void* anchor)
    : cell_(std::move(cell)), kind_(kind), object_(std::move(object)), parent_(std::move(parent)), anchor_(anchor) {}

void Node::check_alive() const {
  if (!alive()) throw py::value_error(fmt::format("this {} was deleted", info(kind_).name));
}

void Node::check_is(Kind kind) const {
  check_alive();
  if (kind_ != kind) throw py::value_error(fmt::format("a {} is not a {}", info(kind_).name, info(kind).name));
}

bool Node::is_record() const { return is_element(kind_) && anchor_ != address(); }

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
    found = static_cast<T*>(object_.get());
  });
  return *found;
}

spec::Body& Node::body() const { return as<spec::Body>(); }

std::string Node::title() const {
  if (!alive()) return fmt::format("deleted {}", info(kind_).name);
  const std::string name = kind_ == Kind::Default || is_element(kind_) ? this->name() : "";
  return name.empty() ? std::string(info(kind_).name) : fmt::format("{} '{}'", info(kind_).name, name);
}

void Node::complain(std::string_view attribute, const std::string& message, const std::string& hint) const {
  throw py::value_error(
      fmt::format("{}: {}: {}{}", title(), attribute, message, hint.empty() ? "" : fmt::format(" ({})", hint)));
}

const SpecAttribute& Node::row(const std::string& name) const {
  if (const SpecAttribute* row = info(kind_).find(name)) return *row;
  std::vector<std::string_view> allowed;
  for (const SpecAttribute& known : info(kind_).attributes) allowed.push_back(known.name);
  const std::string hint = suggest(name, allowed);
  throw py::attribute_error(
      fmt::format("a {} has no attribute '{}'{}", info(kind_).name, name, hint.empty() ? "" : "; " + hint));
}

/// The numbers as an array over the memory of the element; the same array as long as Python holds it.
py::object Node::array_of(const SpecAttribute& row, const mjcf::Numbers& numbers) {
  py::object& weak = arrays_[&row];
  if (weak) {
    if (py::object array = weak(); !array.is_none()) return array;
  }
  static const char* const kFormats[] = {"d", "f", "i"};
  const py::array array(py::dtype(kFormats[static_cast<int>(numbers.type)]), std::vector<py::ssize_t>{numbers.count},
                        numbers.first, py::cast(shared_from_this()));
  weak = py::weakref(py::handle(array));
  return array;
}

py::object Node::get(const SpecAttribute& row) {
  check_alive();
  if (row.attribute.locate) {
    const mjcf::Numbers numbers = row.attribute.locate(object_.get());
    if (numbers.count > 1) return array_of(row, numbers);
    if (numbers.type == mjcf::Numbers::Type::Double) return py::float_(*static_cast<const double*>(numbers.first));
    if (numbers.type == mjcf::Numbers::Type::Float) return py::float_(*static_cast<const float*>(numbers.first));
    return py::int_(*static_cast<const int*>(numbers.first));
  }
  if (row.words) {
    const mjcf::ActuatorWords words(as<spec::Actuator>());
    return to_python(row.attribute, row.attribute.print(&words, row.attribute));
  }
  return to_python(row.attribute, row.attribute.print(object_.get(), row.attribute));
}

std::string Node::name() const {
  check_alive();
  return kind_ == Kind::Default ? as<spec::DefaultClass>().name : element().name;
}

void Node::set_name(const std::string& name) {
  check_alive();
  if (kind_ == Kind::Default) {
    as<spec::DefaultClass>().name = name;
    return;
  }
  if (!is_record()) cell_->claim(kind_, element().name, name);
  element().name = name;
}

void Node::check_written() const {
  if (!alive_) return;
  for (const auto& [row, weak] : arrays_) {
    mjcf::ActuatorWords words;
    void* object = object_.get();
    if (row->words) {
      words = mjcf::ActuatorWords(as<spec::Actuator>());
      object = &words;
    }
    const std::string text = row->attribute.print(object, row->attribute);
    if (const mjcf::Outcome bad = row->attribute.read(object, text, row->attribute))
      complain(row->name, bad->message, bad->hint);
  }
}

/// Clears an optional attribute; false if it is not optional.
bool Node::clear(std::string_view name, py::handle value) const {
  if (!is_nan(value)) return false;
  if (kind_ == Kind::Geom && name == "mass") return as<spec::Geom>().mass.reset(), true;
  if (kind_ == Kind::Geom && name == "fromto") return as<spec::Geom>().fromto.reset(), true;
  if (kind_ == Kind::Site && name == "fromto") return as<spec::Site>().fromto.reset(), true;
  if (kind_ == Kind::Body && name == "ipos") {
    spec::Body& body = as<spec::Body>();
    if (body.inertial) body.inertial->pos.fill(std::numeric_limits<double>::quiet_NaN());
    return true;
  }
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

void Node::set(const SpecAttribute& row, py::handle value) {
  check_alive();
  if (clear(row.name, value)) return;
  std::string text;
  try {
    text = to_text(row, value);
  } catch (const py::type_error& e) {
    throw py::type_error(fmt::format("{}: {}: {}", title(), row.name, e.what()));
  }
  mjcf::Outcome bad;
  if (row.words) {
    mjcf::ActuatorWords words(as<spec::Actuator>());
    bad = row.attribute.read(&words, text, row.attribute);
    if (!bad) as<spec::Actuator>() = words;
  } else {
    bad = row.attribute.read(object_.get(), text, row.attribute);
    spec::Orientation* alternative = orientation_of(kind_, object_.get());
    if (!bad && alternative && row.name == "quat") alternative->kind = spec::Orientation::Kind::None;
  }
  if (bad) complain(row.name, bad->message, bad->hint);
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
    for (std::size_t i = 0; i < list.size(); ++i)
      out.push_back(cell_->node(kind, list.share(i), shared_from_this(), &list[i]));
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
  std::shared_ptr<void> added;
  if (kind == Kind::Body || kind == Kind::Frame) {
    const std::string childclass = dclass ? class_for(dclass, frame).name : "";
    const auto fill = [&](auto& list) {
      auto& item = list.add();
      item.childclass = childclass;
      item.frame = index;
      added = list.share(list.size() - 1);
    };
    if (kind == Kind::Body) {
      fill(holder.bodies);
    } else {
      fill(holder.frames);
    }
  } else {
    const spec::DefaultClass& start = class_for(dclass, frame);
    with_part(kind, [&](auto list, auto record) {
      auto& item = (holder.*list).add(start.*record);
      if (dclass) item.dclass = start.name;
      item.frame = index;
      added = (holder.*list).share((holder.*list).size() - 1);
    });
  }
  const void* const anchor = added.get();
  return cell_->node(kind, std::move(added), shared_from_this(), anchor);
}

NodePtr Node::add_freejoint() {
  spec::List<spec::Joint>& joints = body().joints;
  spec::Joint& joint = joints.add();
  joint.type = JointType::Free;
  return cell_->node(Kind::Joint, joints.share(joints.size() - 1), shared_from_this(), &joint);
}

void Node::discard() {
  check_alive();
  if (!parent_ && is_part(kind_)) throw py::value_error(title() + " was not added");
  const auto erase = [&](auto& list) {
    for (std::size_t i = list.size(); i-- > 0;) {
      if (&list[i] == object_.get()) return list.erase(i);
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
  cell_->bury();
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
  const spec::List<spec::Frame>& frames = parent_->body().frames;
  const auto at = static_cast<std::size_t>(index);
  return cell_->node(Kind::Frame, frames.share(at), parent_, &frames[at]);
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
    return cell_->bury();
  }
  spec::Element& target = element();
  if (is_record()) throw py::value_error(fmt::format("the {} of a default class cannot be deleted", title()));
  const std::string name = target.name;
  if (name.empty()) target.name = fmt::format("\x01{}", object_.get());  // the engine removes by name
  const bool with_others = kind_ == Kind::Body || kind_ == Kind::Frame;
  Spec& spec = cell_->spec;
  const std::map<std::string, std::string> files = cell_->files();
  LoadOptions options;
  options.files = &files;
  const auto take_out = [&] {
    return sinew::remove(spec, info(kind_).type, target.name, with_others ? References::Remove : References::Refuse,
                         options);
  };
  Result<bool> removed = take_out();
  if (!removed && with_others && parent_ && !spec.keys.empty()) {
    // a tree that does not compile yet cannot tell which numbers of its keyframes go
    spec::List<spec::Key> keys;
    keys.take(spec.keys);
    removed = take_out();
    spec.keys.take(keys);
  }
  if (!removed) {
    target.name = name;
    if (with_others || !(parent_ || !is_part(kind_))) throw py::value_error(removed.error().text());
    return discard();  // what refers to it stays
  }
  cell_->bury();
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
  return cell_->node(kind, std::shared_ptr<void>(object_, object), nullptr, address());
}

NodePtr Node::compiler() const {
  Spec& spec = cell_->spec;
  const spec::Compiler& used = spec.compiler_of(element().origin);
  for (std::size_t i = 0; i < spec.attached.size(); ++i) {
    if (&spec.attached[i].compiler != &used) continue;
    const std::shared_ptr<void> object(spec.attached.share(i), &spec.attached[i].compiler);
    return cell_->node(Kind::Compiler, object, nullptr, nullptr);
  }
  return setting_node(cell_, Kind::Compiler, &spec.compiler);
}

NodePtr Node::to_frame() {
  spec::Body& from = body();
  if (!parent_) throw py::value_error("the world cannot be a frame");
  spec::Body& host = parent_->body();
  spec::Frame frame;
  frame.pos = from.pos;
  frame.quat = from.quat;
  frame.alt = from.alt;
  frame.frame = from.frame;
  frame.childclass = from.childclass;
  frame.origin = from.origin;
  const int outer = static_cast<int>(host.frames.size());
  host.frames.add(std::move(frame));
  const auto move_all = [&](ObjType, auto& list, auto& into) {
    for (auto& item : list) {
      item.frame += outer + 1;  // -1: directly in the body, now in the new frame
      if (const auto node = cell_->nodes.find(&item); node != cell_->nodes.end())
        if (const NodePtr known = node->second.lock()) known->parent_ = parent_;
    }
    into.take(list);
  };
  mjcf::for_each_own_list(move_all, from, host);
  for (std::size_t i = 0; i < host.bodies.size(); ++i) {
    if (&host.bodies[i] != &from) continue;
    host.bodies.erase(i);
    break;
  }
  const auto place = static_cast<std::size_t>(outer);
  const NodePtr added = cell_->node(Kind::Frame, host.frames.share(place), parent_, &host.frames[place]);
  cell_->bury();
  return added;
}

NodePtr setting_node(const std::shared_ptr<SpecCell>& cell, Kind kind, void* object) {
  return cell->node(kind, inside(cell, object), nullptr, nullptr);
}

NodePtr class_node(const std::shared_ptr<SpecCell>& cell, std::size_t index) {
  return cell->node(Kind::Default, cell->spec.classes.share(index), nullptr, &cell->spec.classes[index]);
}

NodePtr world_node(const std::shared_ptr<SpecCell>& cell) {
  return cell->node(Kind::Body, inside(cell, &cell->spec.world), nullptr, &cell->spec.world);
}

std::vector<NodePtr> all_nodes(const std::shared_ptr<SpecCell>& cell, Kind kind) {
  std::vector<NodePtr> out;
  if (is_part(kind)) {
    const NodePtr world = world_node(cell);
    if (kind == Kind::Body) out.push_back(world);
    collect(world, kind, out);
  } else if (kind == Kind::Default) {
    for (std::size_t i = 0; i < cell->spec.classes.size(); ++i) out.push_back(class_node(cell, i));
  } else {
    with_list(kind, [&](auto list, auto) {
      const auto& items = cell->spec.*list;
      for (std::size_t i = 0; i < items.size(); ++i)
        out.push_back(cell->node(kind, items.share(i), nullptr, &items[i]));
    });
  }
  return out;
}

NodePtr find_node(const std::shared_ptr<SpecCell>& cell, Kind kind, const std::string& name) {
  if (!cell->moved.empty() || kind == Kind::Default) {  // elements that are now in another tree have other names there
    for (const NodePtr& node : all_nodes(cell, kind))
      if (node->name() == name) return node;
    return nullptr;
  }
  if (is_part(kind)) {
    if (kind == Kind::Body && name == cell->spec.world.name) return world_node(cell);
    return find_part(world_node(cell), kind, name);
  }
  NodePtr found;
  with_list(kind, [&](auto list, auto) {
    const auto& items = cell->spec.*list;
    const auto look = [&](auto called) {
      for (std::size_t i = 0; i < items.size() && !found; ++i)
        if (called(items[i]) == name) found = cell->node(kind, items.share(i), nullptr, &items[i]);
    };
    look([](const auto& item) -> const std::string& { return item.name; });
    if constexpr (requires { items[0].file; }) {
      look([](const auto& item) { return item.name.empty() ? std::filesystem::path(item.file).stem().string() : ""; });
    }
  });
  return found;
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
    auto& items = cell->spec.*list;
    items.add(std::move(start));
    added = cell->node(kind, items.share(items.size() - 1), nullptr, &items.back());
  });
  return added;
}

}  // namespace sinew::python
