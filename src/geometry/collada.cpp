#include "geometry/collada.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/limits.h"
#include "base/xml.h"
#include "geometry/vertex_merger.h"
#include "math/elementary.h"
#include "math/rigid.h"

namespace sinew {
namespace {

/// What is wrong, at a line of the file; caught where reading began.
struct Fault {
  int line;
  std::string message;
};

[[noreturn]] void fail(const XmlNode& node, const std::string& message) {
  throw Fault{node.line, fmt::format("<{}>: {}", node.name.substr(0, limits::kShownBytes), message)};
}

std::string_view shown(std::string_view text) { return text.substr(0, limits::kShownBytes); }

const XmlNode* child(const XmlNode& node, std::string_view name) {
  for (const XmlNode& below : node.children)
    if (below.name == name) return &below;
  return nullptr;
}

/// The words of an element's text as numbers.
template <class Number>
std::vector<Number> numbers(const XmlNode& node, Budget& budget) {
  if (node.text_goes_on) fail(node, "its text must not be interrupted");
  std::vector<Number> out;
  std::string_view text = node.text;
  // at least two characters for each number
  const double bytes = static_cast<double>(text.size() / 2 + 1) * sizeof(Number);
  if (!budget.take(bytes)) fail(node, budget.refusal(bytes));
  const auto skip = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size())); };
  for (skip(); !text.empty(); skip()) {
    if (out.size() % 65536 == 0) budget.go_on();
    Number value{};
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    const auto length = static_cast<std::size_t>(end - text.data());
    const bool ends = length == text.size() || std::string_view(" \t\r\n").find(text[length]) != std::string_view::npos;
    if (status != std::errc() || !ends)
      fail(node, fmt::format("'{}' is not a number",
                             text.substr(0, std::min<std::size_t>(text.find_first_of(" \t\r\n"), 20))));
    out.push_back(value);
    text.remove_prefix(length);
  }
  return out;
}

std::size_t count_of(const XmlNode& node, std::string_view attribute, std::size_t otherwise) {
  const XmlAttribute* found = node.attribute(attribute);
  if (!found) return otherwise;
  std::size_t value = 0;
  const auto [end, status] = std::from_chars(found->value.data(), found->value.data() + found->value.size(), value);
  constexpr std::size_t kMost = std::size_t{1} << 31;
  if (status != std::errc() || end != found->value.data() + found->value.size() || value > kMost)
    fail(node, fmt::format("{}=\"{}\" is not a count", attribute, shown(found->value)));
  return value;
}

using Vec = rigid::Vec;

/// x -> A x + b.
struct Affine {
  rigid::Matrix3 a = rigid::Matrix3::identity();
  Vec b;

  Vec operator()(const Vec& x) const {
    return {dot(a.row(0), x) + b.x, dot(a.row(1), x) + b.y, dot(a.row(2), x) + b.z};
  }
  /// This after `first`.
  Affine after(const Affine& first) const {
    Affine out;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out.a(i, j) = dot(a.row(i), first.a.column(j));
    out.b = (*this)(first.b);
    return out;
  }
};

/// The corners of a primitive: positions, and for each corner the place of its index in the list of indices.
struct Corners {
  const std::vector<double>* positions = nullptr;
  std::size_t first = 0, stride = 3, count = 0;  // of the accessor
  std::size_t offset = 0, inputs = 1;            // of the VERTEX input among the indices of a corner
};

class Reader {
 public:
  Reader(const XmlNode& root, Budget& budget) : root_(root), budget_(budget), merge_(mesh_, 0) {}

  MeshSource read() {
    if (root_.name != "COLLADA") fail(root_, "is not the root element of a COLLADA file");
    index(root_);
    if (const XmlNode* asset = child(root_, "asset"))
      if (const XmlNode* unit = child(*asset, "unit")) read_unit(*unit);
    visit(scene(), {}, 0);
    if (mesh_.face.empty()) fail(root_, "the scene has no triangles");
    return std::move(mesh_);
  }

 private:
  void index(const XmlNode& node) {
    if (const XmlAttribute* id = node.attribute("id")) ids_.try_emplace(id->value, &node);
    for (const XmlNode& below : node.children) index(below);
  }

  /// The element that a reference "#id" names.
  const XmlNode& target(const XmlNode& node, std::string_view attribute, std::string_view kind) const {
    const std::string_view url = node.value(attribute);
    if (url.empty()) fail(node, fmt::format("needs the attribute '{}'", attribute));
    if (url[0] != '#') fail(node, fmt::format("'{}' is in another file, which is not read", shown(url)));
    const auto found = ids_.find(url.substr(1));
    if (found == ids_.end() || found->second->name != kind)
      fail(node, fmt::format("there is no {} '{}'", kind, shown(url.substr(1))));
    return *found->second;
  }

  void read_unit(const XmlNode& unit) {
    const XmlAttribute* meter = unit.attribute("meter");
    if (!meter) return;
    const auto [end, status] = std::from_chars(meter->value.data(), meter->value.data() + meter->value.size(), meter_);
    const bool whole = end == meter->value.data() + meter->value.size();
    if (status != std::errc() || !whole || !(meter_ > 0) || !std::isfinite(meter_))
      fail(unit, fmt::format("meter=\"{}\" is not a positive number", shown(meter->value)));
  }

  const XmlNode& scene() const {
    if (const XmlNode* scene = child(root_, "scene"))
      if (const XmlNode* instance = child(*scene, "instance_visual_scene"))
        return target(*instance, "url", "visual_scene");
    if (const XmlNode* library = child(root_, "library_visual_scenes"))
      if (const XmlNode* first = child(*library, "visual_scene")) return *first;
    fail(root_, "has no visual_scene");
  }

  void visit(const XmlNode& node, Affine pose, int depth) {
    budget_.go_on();
    if (depth > limits::kDepth)
      fail(node, fmt::format("nodes are nested more than {} deep, or instance themselves", limits::kDepth));
    if (++visited_ > limits::kColladaNodes)
      fail(node, fmt::format("the scene has more than {} nodes", limits::kColladaNodes));
    for (const XmlNode& below : node.children) transform(below, pose);
    for (const XmlNode& below : node.children) {
      if (below.name == "node") visit(below, pose, depth + 1);
      if (below.name == "instance_node") visit(target(below, "url", "node"), pose, depth + 1);
      if (below.name == "instance_geometry") emit(target(below, "url", "geometry"), pose);
    }
  }

  std::vector<double> values(const XmlNode& node, std::size_t count) {
    std::vector<double> out = numbers<double>(node, budget_);
    if (out.size() != count) fail(node, fmt::format("has {} numbers, needs {}", out.size(), count));
    return out;
  }

  /// The pose of what is inside a node, after one more of its transformations.
  void transform(const XmlNode& node, Affine& pose) {
    Affine next;
    if (node.name == "matrix") {
      const std::vector<double> m = values(node, 16);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) next.a(i, j) = m[static_cast<std::size_t>(4 * i + j)];
        next.b[i] = m[static_cast<std::size_t>(4 * i + 3)];
      }
    } else if (node.name == "translate") {
      next.b = Vec::load(values(node, 3).data());
    } else if (node.name == "rotate") {
      const std::vector<double> v = values(node, 4);
      Vec axis = Vec::load(v.data());
      if (rigid::unit(axis) == 0) return;
      const double half = v[3] * std::numbers::pi / 360, s = elementary::sin(half);
      next.a = to_matrix(rigid::Quat4{elementary::cos(half), axis.x * s, axis.y * s, axis.z * s});
    } else if (node.name == "scale") {
      const std::vector<double> s = values(node, 3);
      for (int i = 0; i < 3; ++i) next.a(i, i) = s[static_cast<std::size_t>(i)];
    } else if (node.name == "lookat" || node.name == "skew") {
      fail(node, "is not supported");
    } else {
      return;
    }
    pose = pose.after(next);
  }

  void emit(const XmlNode& geometry, const Affine& pose) {
    const XmlNode* mesh = child(geometry, "mesh");
    if (!mesh) fail(geometry, "has no mesh");
    for (const XmlNode& part : mesh->children) {
      if (part.name == "triangles" || part.name == "polylist" || part.name == "polygons") primitive(part, pose);
      if (part.name == "tristrips" || part.name == "trifans") fail(part, "is not supported; export triangles");
    }
  }

  /// Where the positions of a primitive's corners are.
  Corners corners_of(const XmlNode& part) {
    Corners out;
    const XmlNode* vertex = nullptr;
    for (const XmlNode& input : part.children) {
      if (input.name != "input") continue;
      out.inputs = std::max(out.inputs, count_of(input, "offset", 0) + 1);
      if (input.value("semantic") == "VERTEX") vertex = &input;
    }
    if (!vertex) fail(part, "has no input VERTEX");
    out.offset = count_of(*vertex, "offset", 0);
    const XmlNode& vertices = target(*vertex, "source", "vertices");
    const XmlNode* position = nullptr;
    for (const XmlNode& input : vertices.children)
      if (input.name == "input" && input.value("semantic") == "POSITION") position = &input;
    if (!position) fail(vertices, "has no input POSITION");
    const XmlNode& source = target(*position, "source", "source");
    const XmlNode* technique = child(source, "technique_common");
    const XmlNode* accessor = technique ? child(*technique, "accessor") : nullptr;
    if (!accessor) fail(source, "has no accessor");
    out.first = count_of(*accessor, "offset", 0);
    out.stride = count_of(*accessor, "stride", 1);
    out.count = count_of(*accessor, "count", 0);
    out.positions = &floats(target(*accessor, "source", "float_array"));
    if (out.stride < 3) fail(*accessor, fmt::format("has a stride of {}; a position needs 3", out.stride));
    const std::size_t size = out.positions->size();
    if (out.count > 0 && (out.first > size || (size - out.first + out.stride - 3) / out.stride < out.count))
      fail(*accessor, fmt::format("{} positions exceed the {} numbers of the array", out.count, size));
    return out;
  }

  /// An array, parsed once.
  const std::vector<double>& floats(const XmlNode& array) {
    const auto [at, is_new] = arrays_.try_emplace(&array);
    if (is_new) at->second = numbers<double>(array, budget_);
    return at->second;
  }

  const std::vector<int>& indices(const XmlNode& list) {
    const auto [at, is_new] = lists_.try_emplace(&list);
    if (is_new) at->second = numbers<int>(list, budget_);
    return at->second;
  }

  void primitive(const XmlNode& part, const Affine& pose) {
    const bool polygons = part.name == "polygons";
    if (!child(part, "p") && !child(part, "ph")) return;
    const Corners corners = corners_of(part);
    for (const XmlNode& list : part.children) {
      if (list.name == "ph") fail(list, "polygons with holes are not supported");
      if (list.name != "p") continue;
      const std::vector<int>& index = indices(list);
      if (index.size() % corners.inputs != 0)
        fail(list, fmt::format("{} indices do not make corners of {}", index.size(), corners.inputs));
      const std::size_t count = index.size() / corners.inputs;
      if (polygons) {
        fan(list, corners, index, 0, count, pose);
        continue;
      }
      if (part.name == "triangles") {
        if (count % 3 != 0) fail(list, fmt::format("{} corners do not make triangles", count));
        for (std::size_t i = 0; i < count; i += 3) fan(list, corners, index, i, 3, pose);
        continue;
      }
      const XmlNode* sizes = child(part, "vcount");
      if (!sizes) fail(part, "has no vcount");
      std::size_t at = 0;
      for (const int size : indices(*sizes)) {
        if (size < 0 || static_cast<std::size_t>(size) > count - at)
          fail(*sizes, fmt::format("a polygon of {} corners, but {} are left", size, count - at));
        fan(list, corners, index, at, static_cast<std::size_t>(size), pose);
        at += static_cast<std::size_t>(size);
      }
      if (at != count) fail(*sizes, fmt::format("uses {} corners of {}", at, count));
    }
  }

  /// The triangles of a polygon: its first corner with each of the edges that do not touch it.
  void fan(const XmlNode& list, const Corners& corners, const std::vector<int>& index, std::size_t first,
           std::size_t count, const Affine& pose) {
    for (std::size_t i = 2; i < count; ++i) {
      if (mesh_.face.size() >= 3 * limits::kStlTriangles)
        fail(list, fmt::format("the scene has more than {} triangles", limits::kStlTriangles));
      for (const std::size_t corner : {first, first + i - 1, first + i}) {
        const int vertex = index[corner * corners.inputs + corners.offset];
        if (vertex < 0 || static_cast<std::size_t>(vertex) >= corners.count)
          fail(list, fmt::format("index {} is not below the {} positions", vertex, corners.count));
        const double* p = corners.positions->data() + corners.first + corners.stride * static_cast<std::size_t>(vertex);
        const Vec at = meter_ * pose(Vec::load(p));
        const std::array<float, 3> rounded = {static_cast<float>(at.x), static_cast<float>(at.y),
                                              static_cast<float>(at.z)};
        for (const float x : rounded)
          if (!(std::abs(x) <= limits::kCoordinate)) fail(list, "a vertex coordinate is not finite or exceeds 2^30");
        merge_.corner(rounded);
      }
    }
  }

  const XmlNode& root_;
  Budget& budget_;
  MeshSource mesh_;
  VertexMerger merge_;
  double meter_ = 1;
  std::size_t visited_ = 0;
  std::unordered_map<std::string_view, const XmlNode*> ids_;
  std::map<const XmlNode*, std::vector<double>> arrays_;
  std::map<const XmlNode*, std::vector<int>> lists_;
};

}  // namespace

Result<MeshSource> read_collada(std::span<const std::byte> bytes, Budget& budget) {
  const auto refuse = [](int line, const std::string& message) {
    return Error::message(fmt::format("COLLADA file, line {}: {}", line, message));
  };
  if (!budget.take(static_cast<double>(bytes.size())))
    return refuse(1, "the text " + budget.refusal(static_cast<double>(bytes.size())));
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::variant<XmlNode, XmlFault> parsed = parse_xml(text, budget);
  if (const XmlFault* fault = std::get_if<XmlFault>(&parsed)) return refuse(fault->line, fault->message);
  try {
    return Reader(std::get<XmlNode>(parsed), budget).read();
  } catch (const Fault& fault) {
    return refuse(fault.line, fault.message);
  }
}

}  // namespace sinew
