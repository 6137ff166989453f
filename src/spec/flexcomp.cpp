// flexcomp: a flex with the bodies and joints of its vertices, or of the nodes that its vertices follow.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <unordered_map>

#include "base/limits.h"
#include "geometry/flex_cells.h"
#include "geometry/gmsh_file.h"
#include "geometry/mesh_file.h"
#include "math/rigid.h"
#include "spec/asset_path.h"
#include "spec/bytes.h"
#include "spec/flex_shapes.h"
#include "spec/keywords.h"
#include "spec/orientation.h"
#include "spec/reader.h"
#include "spec/schema_flex.h"
#include "spec/schema_pose.h"

namespace sinew::mjcf {
namespace {

using rigid::Quat4;
using rigid::Vec;

constexpr Keyword kFlexShape[] = {word("grid", FlexShape::Grid),         word("box", FlexShape::Box),
                                  word("cylinder", FlexShape::Cylinder), word("ellipsoid", FlexShape::Ellipsoid),
                                  word("square", FlexShape::Square),     word("disc", FlexShape::Disc),
                                  word("circle", FlexShape::Circle),     word("mesh", FlexShape::Mesh),
                                  word("gmsh", FlexShape::Gmsh),         word("direct", FlexShape::Direct)};

enum class FlexEquality { None, Edges, Vertices, Strain };
constexpr Keyword kFlexEquality[] = {word("false", FlexEquality::None), word("true", FlexEquality::Edges),
                                     word("vert", FlexEquality::Vertices), word("strain", FlexEquality::Strain)};

struct Flexcomp {
  spec::Flex flex;  // name, appearance, contact, elasticity
  FlexLattice lattice;
  std::optional<std::array<int, 3>> cellcount;
  spec::Reals<3> scale = {1, 1, 1};
  double mass = 1;
  double inertiabox = 0.005;
  std::optional<spec::PluginUse> plugin;  // of every body
  std::string file;
  std::optional<spec::Reals<3>> origin;
  spec::Reals<3> pos{};
  spec::Reals<4> quat = {1, 0, 0, 0};
  spec::Orientation alt;
  bool rigid = false;
  std::vector<double> point;
  std::vector<int> element;
};

struct FlexEdges {
  spec::Flex::Edge law;
  FlexEquality equality = FlexEquality::None;
  spec::Reals<kNumRef> solref = spec::kSolref;
  spec::Reals<kNumImp> solimp = spec::kSolimp;
};

struct FlexPins {
  std::vector<int> id, range, grid, gridrange;
};

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Makes the flex, its bodies and its equality in the scope of the reader.
class FlexcompMaker {
 public:
  FlexcompMaker(Reader& reader, const XmlNode& node, Flexcomp& comp, const FlexEdges& edges, const FlexPins& pins)
      : r_(reader),
        node_(node),
        c_(comp),
        edges_(edges),
        pins_(pins),
        shape_(comp.lattice.shape),
        order_(comp.flex.order()),
        grid_(comp.cellcount.value_or(std::array<int, 3>{1, 1, 1})) {}

  Outcome make() {
    for (const auto step : {&FlexcompMaker::check, &FlexcompMaker::make_points, &FlexcompMaker::check_points,
                            &FlexcompMaker::place_points, &FlexcompMaker::pin_points, &FlexcompMaker::drop_unused}) {
      if (Outcome bad = (this->*step)()) return bad;
    }
    if (c_.flex.name.empty()) return Complaint{"a flexcomp needs a name", "", "name"};
    if (r_.scope.frame >= 0)
      r_.report.warning({&node_}, "the frames around a flexcomp do not move it, as in MuJoCo",
                        "put the flexcomp into a body inside the frame");
    finish_flex();
    if (rigid_) {
      c_.flex.dof = spec::FlexDof::Full;
      c_.flex.cellcount = {1, 1, 1};
      c_.flex.body = {r_.scope.body->name};
      c_.flex.vertex = p_.point;
    } else if (Outcome bad = order_ == 0 ? make_vertex_bodies() : make_node_bodies()) {
      return bad;
    }
    const std::string name = c_.flex.name;
    r_.claim(ObjType::Flex, node_, c_.flex);
    r_.spec.flexes.add(std::move(c_.flex));
    if (!rigid_) add_equalities(name);
    return {};
  }

 private:
  bool direct() const { return shape_ == FlexShape::Mesh || shape_ == FlexShape::Gmsh || shape_ == FlexShape::Direct; }
  bool is_box() const {
    return shape_ == FlexShape::Box || shape_ == FlexShape::Cylinder || shape_ == FlexShape::Ellipsoid;
  }
  bool has_shell() const { return order_ > 0 && c_.flex.elasticity.elastic2d != spec::FlexElastic2d::None; }
  int npoint() const { return static_cast<int>(p_.point.size() / 3); }

  Outcome check() {
    FlexLattice& l = c_.lattice;
    if (r_.scope.body->name.empty())
      return Complaint{"the body around a flexcomp must have a name", "the vertices of the flex refer to it"};
    if (l.dim < 1 || l.dim > 3) return Complaint{"must be 1, 2 or 3", "", "dim"};
    const int least = l.dim == 3 && c_.flex.dof == spec::FlexDof::Radial ? 2 : 1;
    for (const int n : l.count)
      if (n < least) return Complaint{fmt::format("must be at least {}", least), "", "count"};
    if (is_box() && !direct()) {
      if (l.dim == 1) return Complaint{"a box, cylinder or ellipsoid has dim 2 or 3", "", "dim"};
      for (const int n : l.count)
        if (n < 2) return Complaint{"must be at least 2 for a box, cylinder or ellipsoid", "", "count"};
    }
    const double apart = 2 * c_.flex.radius + c_.flex.contact.margin;
    for (const double s : l.spacing) {
      if (!direct() && s < apart)
        return Complaint{fmt::format("must be at least twice the radius plus the margin, {}", apart),
                         "this holds for all three numbers, used or not", "spacing"};
    }
    for (const double s : c_.scale)
      if (s < kMinVal) return Complaint{"must be positive", "", "scale"};
    if (c_.mass < kMinVal) return Complaint{"must be positive", "", "mass"};
    if (c_.inertiabox < kMinVal) return Complaint{"must be positive", "", "inertiabox"};
    for (const int cells : grid_)
      if (cells < 1) return Complaint{"must be at least 1", "", "cellcount"};
    const OrientationProblem wrong = resolve_orientation(r_.spec.compiler, c_.quat, c_.alt, turn_);
    if (!wrong.message.empty()) return Complaint{std::string(wrong.message), "", wrong.attribute};
    return {};
  }

  Outcome make_points() {
    FlexLattice& l = c_.lattice;
    if (shape_ == FlexShape::Square || shape_ == FlexShape::Disc) l.dim = 2;
    switch (shape_) {
      case FlexShape::Direct:
        p_.point = std::move(c_.point);
        p_.element = std::move(c_.element);
        break;
      case FlexShape::Mesh:
        if (Outcome bad = read_mesh_points()) return bad;
        break;
      case FlexShape::Gmsh:
        if (Outcome bad = read_gmsh_points()) return bad;
        break;
      default: {
        if (l.dim == 2 && !is_box() && l.count[2] != 1)
          return Complaint{"the third number must be 1 in two dimensions", "", "count"};
        if (shape_ == FlexShape::Circle && l.dim == 1 && l.count[0] < 3)
          return Complaint{"a circle needs a count of at least 3", "", "count"};
        const FlexCounts size = count_flex_points(l);
        if (std::max(size.points, size.elements) > limits::kFlexElements)
          return Complaint{fmt::format("makes more than {} points or elements", limits::kFlexElements), "", "count"};
        r_.take({&node_, "count"}, 40 * size.points + 4.0 * (l.dim + 1) * size.elements);
        l.textured = c_.flex.texcoord.empty() && !c_.flex.material.empty();
        p_ = make_flex_points(l);
        if (p_.element.empty()) return Complaint{"no elements were created in the grid", "", "count"};
        break;
      }
    }
    c_.flex.dim = l.dim;
    if (shape_ == FlexShape::Box || shape_ == FlexShape::Cylinder || (shape_ == FlexShape::Grid && l.dim == 3))
      c_.flex.flatskin = true;
    return {};
  }

  /// Vertices with the same bits are one.
  static void merge_vertices(MeshSource& mesh) {
    struct Hash {
      std::size_t operator()(const std::array<std::uint32_t, 3>& v) const {
        std::size_t h = v[0];
        for (const std::uint32_t x : {v[1], v[2]}) h = h * 0x9E3779B97F4A7C15u ^ x;
        return h;
      }
    };
    std::unordered_map<std::array<std::uint32_t, 3>, int, Hash> known;
    std::vector<int> place(mesh.vertex.size() / 3);
    std::vector<float> kept;
    for (std::size_t v = 0; v < place.size(); ++v) {
      std::array<std::uint32_t, 3> bits;
      for (std::size_t k = 0; k < 3; ++k) {
        const float x = mesh.vertex[3 * v + k] + 0.0f;  // -0 is 0
        std::memcpy(&bits[k], &x, sizeof(x));
      }
      const auto [at, is_new] = known.try_emplace(bits, static_cast<int>(kept.size() / 3));
      place[v] = at->second;
      if (is_new) kept.insert(kept.end(), &mesh.vertex[3 * v], &mesh.vertex[3 * v] + 3);
    }
    mesh.vertex = std::move(kept);
    if (mesh.face_texcoord.empty() && !mesh.texcoord.empty()) mesh.face_texcoord = mesh.face;
    for (int& v : mesh.face) v = place[static_cast<std::size_t>(v)];
  }

  Outcome read_mesh_points() {
    if (c_.file.empty()) return Complaint{"needs the attribute 'file'"};
    const MeshFormat format = mesh_format(c_.file, "");
    if (format == MeshFormat::Msh)
      return Complaint{"legacy MSH files cannot be used for a flex", "GMSH files have type=\"gmsh\"", "file"};
    if (format != MeshFormat::Stl && format != MeshFormat::Obj)
      return Complaint{"must be an STL or OBJ file", "", "file"};
    const Result<std::string> content = r_.read_asset(node_, c_.file);
    if (!content) return Complaint{content.error().first().message, "", "file"};
    const auto bytes = std::as_bytes(std::span(content->data(), content->size()));
    Result<MeshSource> read = format == MeshFormat::Stl ? read_stl(bytes) : read_obj(bytes);
    if (!read) return Complaint{"'" + c_.file + "': " + read.error().first().message, "", "file"};
    MeshSource& mesh = *read;
    if (mesh.vertex.empty() || mesh.face.empty()) return Complaint{"vertex and face data are required", "", "file"};
    merge_vertices(mesh);
    const std::size_t faces = mesh.face.size() / 3;
    if (c_.lattice.dim == 3) {
      if (!c_.origin) return Complaint{"needs the attribute 'origin' to make tetrahedra of a surface"};
      append(p_.point, std::vector<double>(c_.origin->begin(), c_.origin->end()));
    }
    for (const float x : mesh.vertex) p_.point.push_back(static_cast<double>(x));
    for (std::size_t f = 0; f < faces; ++f) {
      const int* v = &mesh.face[3 * f];
      const int* t = mesh.texcoord.empty() ? nullptr : &mesh.face_texcoord[3 * f];
      if (c_.lattice.dim == 1) {
        append(p_.element, {v[0], v[1]});
        if (t) append(p_.elemtexcoord, {t[0], t[1]});
      } else if (c_.lattice.dim == 2) {
        append(p_.element, {v[0], v[1], v[2]});
        if (t) append(p_.elemtexcoord, {t[0], t[1], t[2]});
      } else if (faces_outward(v)) {
        append(p_.element, {0, v[0] + 1, v[1] + 1, v[2] + 1});
        if (t) append(p_.elemtexcoord, {t[0], t[0], t[1], t[2]});  // the center has none of its own
      }
    }
    p_.texcoord = std::move(mesh.texcoord);
    return {};
  }

  Outcome read_gmsh_points() {
    if (c_.file.empty()) return Complaint{"needs the attribute 'file'"};
    const Result<std::string> content = r_.read_asset(node_, c_.file);
    if (!content) return Complaint{content.error().first().message, "", "file"};
    r_.take({&node_, "file"}, 4.0 * static_cast<double>(content->size()));
    Result<GmshMesh> mesh = read_gmsh(std::as_bytes(std::span(content->data(), content->size())));
    if (!mesh) return Complaint{"'" + c_.file + "': " + mesh.error().first().message, "", "file"};
    p_.point = std::move(mesh->point);
    p_.element = std::move(mesh->element);
    c_.lattice.dim = mesh->dim;
    return {};
  }

  /// A face of a mesh, seen from the origin.
  bool faces_outward(const int* v) const {
    const Vec o = Vec::load(c_.origin->data());
    const auto at = [&](int i) { return Vec::load(&p_.point[3 * static_cast<std::size_t>(v[i] + 1)]) - o; };
    return dot(cross(at(0), at(1)), at(2)) >= kMinVal;
  }

  Outcome check_points() {
    const int dim = c_.flex.dim;
    const auto size_of = [](const auto& list) { return static_cast<int>(list.size()); };
    if (size_of(pins_.range) % 2 != 0) return Complaint{"pin range: the number of values must be a multiple of 2"};
    if (size_of(pins_.grid) % dim != 0) return Complaint{"pin grid: the number of values must be a multiple of dim"};
    if (size_of(pins_.gridrange) % (2 * dim) != 0)
      return Complaint{"pin gridrange: the number of values must be a multiple of 2 dim"};
    if (!pins_.grid.empty() || !pins_.gridrange.empty()) {
      if (shape_ != FlexShape::Grid && order_ == 0)
        return Complaint{"pin grid and gridrange can only be used with type grid or an interpolated dof"};
      if (dim == 1) return Complaint{"pin grid and gridrange cannot be used with dim 1"};
    }
    if (p_.point.empty() || p_.element.empty()) return Complaint{"points and elements are required"};
    if (p_.point.size() % 3 != 0) return Complaint{"the number of coordinates must be a multiple of 3", "", "point"};
    if (size_of(p_.element) % (dim + 1) != 0)
      return Complaint{"the number of vertices must be a multiple of dim + 1", "", "element"};
    for (std::size_t i = 0; i < p_.element.size(); ++i) {
      if (p_.element[i] < 0 || p_.element[i] >= npoint())
        return Complaint{fmt::format("element {} has the point {}, there are {}",
                                     i / (static_cast<std::size_t>(dim) + 1), p_.element[i], npoint()),
                         "", "element"};
    }
    return {};
  }

  Outcome place_points() {
    const auto& s = c_.scale;
    const bool scaled = direct() && (s[0] != 1 || s[1] != 1 || s[2] != 1);
    const Vec pos = Vec::load(c_.pos.data());
    const rigid::Matrix3 R = to_matrix(turn_);
    for (std::size_t v = 0; v < p_.point.size(); v += 3) {
      Vec p = Vec::load(&p_.point[v]);
      if (scaled) p = {p.x * s[0], p.y * s[1], p.z * s[2]};
      (pos + R * p).store(&p_.point[v]);
    }
    FlexMesh box{p_.point, p_.element, c_.flex.dim, {}, {}};
    bound_points(box);
    lo_ = box.lo;
    hi_ = box.hi;
    return {};
  }

  /// Nodes along an axis of the grid.
  int nodes(std::size_t axis) const { return grid_[axis] * order_ + 1; }

  Outcome pin_points() {
    const double nnode = order_ == 0 ? 0 : static_cast<double>(nodes(0)) * nodes(1) * nodes(2);
    if (nnode > limits::kFlexElements)
      return Complaint{fmt::format("makes more than {} nodes", limits::kFlexElements), "", "cellcount"};
    r_.take({&node_, "cellcount"}, 150 * nnode);
    pinned_.assign(std::max(static_cast<std::size_t>(npoint()), static_cast<std::size_t>(nnode)), c_.rigid);
    rigid_ = c_.rigid;
    if (!rigid_) {
      for (const auto step : {&FlexcompMaker::pin_ids, &FlexcompMaker::pin_grid, &FlexcompMaker::pin_grid_ranges})
        if (Outcome bad = (this->*step)()) return bad;
    }
    if (c_.flex.dof == spec::FlexDof::Radial) pinned_[0] = true;
    const auto end = pinned_.begin() + npoint();
    const auto count = std::count(pinned_.begin(), end, true);
    rigid_ = rigid_ || count == npoint();
    centered_ = count == 0;
    return {};
  }

  Outcome pin_ids() {
    for (const int id : pins_.id) {
      if (id < 0 || id >= npoint())
        return Complaint{fmt::format("pin id: there is no point {}, there are {}", id, npoint())};
      pinned_[static_cast<std::size_t>(id)] = true;
    }
    for (std::size_t i = 0; i < pins_.range.size(); i += 2) {
      const int first = pins_.range[i], last = pins_.range[i + 1];
      if (first < 0 || first >= npoint() || last < 0 || last >= npoint())
        return Complaint{fmt::format("pin range: {} {} is out of range, there are {} points", first, last, npoint())};
      for (int id = first; id <= last; ++id) pinned_[static_cast<std::size_t>(id)] = true;
    }
    return {};
  }

  /// The pinned place at indices of the lattice. Of interpolated flexes these are nodes, counted with the lattice's
  /// stride, as in MuJoCo 3.12.0.
  Outcome pin_at(const int* index) {
    const auto& n = c_.lattice.count;
    const int dim = c_.flex.dim;
    std::int64_t at = 0;
    for (int k = 0; k < dim; ++k) at = at * n[static_cast<std::size_t>(k)] + index[k];
    if (at >= static_cast<std::int64_t>(pinned_.size()))
      return Complaint{fmt::format("pin grid: place {} of the lattice does not exist", at)};
    pinned_[static_cast<std::size_t>(at)] = true;
    return {};
  }

  Outcome pin_grid() {
    const int dim = c_.flex.dim;
    for (std::size_t i = 0; i < pins_.grid.size(); i += static_cast<std::size_t>(dim)) {
      for (int k = 0; k < dim; ++k) {
        const int most = shape_ == FlexShape::Grid ? c_.lattice.count[static_cast<std::size_t>(k)] : order_ + 1;
        const int index = pins_.grid[i + static_cast<std::size_t>(k)];
        if (index < 0 || index >= most)
          return Complaint{fmt::format("pin grid: {} is out of range, the size is {}", index, most)};
      }
      if (Outcome bad = pin_at(&pins_.grid[i])) return bad;
    }
    return {};
  }

  Outcome pin_grid_ranges() {
    const auto dim = static_cast<std::size_t>(c_.flex.dim);
    for (std::size_t i = 0; i < pins_.gridrange.size(); i += 2 * dim) {
      const int *first = &pins_.gridrange[i], *last = first + dim;
      for (std::size_t k = 0; k < dim; ++k) {
        const int most = c_.lattice.count[k];
        if (first[k] < 0 || first[k] >= most || last[k] < 0 || last[k] >= most)
          return Complaint{
              fmt::format("pin gridrange: {} {} is out of range, the size is {}", first[k], last[k], most)};
      }
      const int deep = dim == 3 ? 2 : 1;
      for (int a = first[0]; a <= last[0]; ++a) {
        for (int b = first[1]; b <= last[1]; ++b) {
          for (int c = deep == 2 ? first[2] : 0; c <= (deep == 2 ? last[2] : 0); ++c) {
            const int index[3] = {a, b, c};
            if (Outcome bad = pin_at(index)) return bad;
          }
        }
      }
    }
    return {};
  }

  /// Removes the points of explicit shapes that no element uses.
  Outcome drop_unused() {
    const auto n = static_cast<std::size_t>(npoint());
    bool has_texcoord = !p_.texcoord.empty() && p_.elemtexcoord.empty();
    if (!c_.flex.texcoord.empty()) {
      p_.texcoord = std::move(c_.flex.texcoord);
      p_.elemtexcoord.clear();
      has_texcoord = p_.texcoord.size() == 2 * n;
    }
    if (!direct()) return {};
    std::vector<int> place(n, -1);
    for (const int v : p_.element) place[static_cast<std::size_t>(v)] = 0;
    std::size_t kept = 0;
    for (std::size_t v = 0; v < n; ++v) {
      if (place[v] < 0) continue;
      place[v] = static_cast<int>(kept);
      std::copy_n(&p_.point[3 * v], 3, &p_.point[3 * kept]);
      pinned_[kept] = pinned_[v];
      if (has_texcoord) std::copy_n(&p_.texcoord[2 * v], 2, &p_.texcoord[2 * kept]);
      ++kept;
    }
    if (kept == n) return {};
    p_.point.resize(3 * kept);
    if (has_texcoord) p_.texcoord.resize(2 * kept);
    for (int& v : p_.element) v = place[static_cast<std::size_t>(v)];
    return {};
  }

  void finish_flex() {
    c_.flex.texcoord = std::move(p_.texcoord);
    c_.flex.elemtexcoord = std::move(p_.elemtexcoord);
    c_.flex.edge = edges_.law;
    c_.flex.element = p_.element;
    c_.flex.cellcount = grid_;
  }

  /// Charges bodies that are about to be made, each with its joints.
  void count_bodies(std::size_t bodies) {
    const double name = 3.0 * static_cast<double>(c_.flex.name.size() + 12);
    r_.count_copies(node_, bodies,
                    static_cast<double>(bodies) * (sizeof(spec::Body) + 3 * sizeof(spec::Joint) + 250 + name));
  }

  void add_body(std::string name, const Vec& pos, double mass, std::initializer_list<Vec> axes) {
    spec::Body body;
    body.plugin = c_.plugin;
    body.name = std::move(name);
    pos.store(body.pos.data());
    spec::Inertial& inertial = body.inertial.emplace();
    inertial.origin = {node_.file, node_.line};
    inertial.mass = mass;
    inertial.has_diaginertia = true;
    inertial.diaginertia.fill(mass * (2 * c_.inertiabox * c_.inertiabox) / 3);
    r_.claim(ObjType::Body, node_, body);
    for (const Vec& axis : axes) {
      spec::Joint joint = r_.class_for(node_).joint;
      joint.type = JointType::Slide;
      joint.pos = {};
      axis.store(joint.axis.data());
      r_.claim(ObjType::Joint, node_, joint);
      body.joints.add(std::move(joint));
    }
    r_.scope.body->bodies.add(std::move(body));
  }

  Outcome make_vertex_bodies() {
    const Vec x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    const int n = npoint();
    count_bodies(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      const Vec p = Vec::load(&p_.point[3 * static_cast<std::size_t>(i)]);
      if (pinned_[static_cast<std::size_t>(i)]) {
        c_.flex.body.push_back(r_.scope.body->name);
        append(c_.flex.vertex, {p.x, p.y, p.z});
        continue;
      }
      std::string name = fmt::format("{}_{}", c_.flex.name, i);
      c_.flex.body.push_back(name);
      if (!centered_) append(c_.flex.vertex, {0.0, 0.0, 0.0});
      const double mass = c_.mass / n;
      if (c_.flex.dof == spec::FlexDof::Plane) {
        add_body(std::move(name), p, mass, {x, y});
      } else if (c_.flex.dof == spec::FlexDof::Radial) {
        Vec axis = p;
        if (rigid::unit(axis) == 0)
          return Complaint{fmt::format("point {} is at the origin of the body and cannot move radially", i), "", "dof"};
        add_body(std::move(name), p, mass, {axis});
      } else {
        add_body(std::move(name), p, mass, {x, y, z});
      }
    }
    return {};
  }

  /// Visits the nodes of the grid: visit(number, i, j, k).
  template <class Visit>
  void for_each_node(Visit&& visit) const {
    std::size_t n = 0;
    for (int i = 0; i < nodes(0); ++i)
      for (int j = 0; j < nodes(1); ++j)
        for (int k = 0; k < nodes(2); ++k) visit(n++, std::array<int, 3>{i, j, k});
  }

  /// Pins nodes that hold nothing: those of empty cells, or the inner ones of a shell.
  void pin_idle_nodes() {
    const auto inside = [&](const std::array<int, 3>& at, std::size_t a) { return at[a] > 0 && at[a] < nodes(a) - 1; };
    if (has_shell()) {
      for_each_node([&](std::size_t n, const std::array<int, 3>& at) {
        if (inside(at, 0) && inside(at, 1) && inside(at, 2)) pinned_[n] = true;
      });
      return;
    }
    empty_ = empty_cells({p_.point, p_.element, c_.flex.dim, lo_, hi_}, grid_);
    std::vector<bool> used(pinned_.size());
    std::size_t cell = 0;
    for (int ci = 0; ci < grid_[0]; ++ci) {
      for (int cj = 0; cj < grid_[1]; ++cj) {
        for (int ck = 0; ck < grid_[2]; ++ck, ++cell) {
          if (empty_[cell]) continue;
          for (int i = ci * order_; i <= (ci + 1) * order_; ++i)
            for (int j = cj * order_; j <= (cj + 1) * order_; ++j)
              for (int k = ck * order_; k <= (ck + 1) * order_; ++k)
                used[static_cast<std::size_t>((i * nodes(1) + j) * nodes(2) + k)] = true;
        }
      }
    }
    for_each_node([&](std::size_t n, const std::array<int, 3>&) { pinned_[n] = pinned_[n] || !used[n]; });
  }

  /// The share of the mass: that of the node's shape function.
  double weight_of(const std::array<int, 3>& at) const {
    if (order_ == 1) return 1;
    double weight = 1;
    for (std::size_t a = 0; a < 3; ++a) {
      const bool end = at[a] == 0 || at[a] == nodes(a) - 1;
      weight *= at[a] % 2 == 1 ? 2.0 / 3 : end ? 1.0 / 6 : 2.0 / 6;
    }
    return weight;
  }

  Outcome make_node_bodies() {
    const std::string& parent = r_.scope.body->name;
    c_.flex.body.assign(static_cast<std::size_t>(npoint()), parent);
    c_.flex.vertex = p_.point;
    pin_idle_nodes();
    double total = 0;
    std::size_t count = 0;
    bool any_pinned = false;
    for_each_node([&](std::size_t n, const std::array<int, 3>& at) {
      any_pinned = any_pinned || pinned_[n];
      if (pinned_[n]) return;
      total += weight_of(at);
      ++count;
    });
    count_bodies(count);
    for_each_node([&](std::size_t n, const std::array<int, 3>& at) {
      Vec p;
      for (int a = 0; a < 3; ++a) p[a] = lo_[a] + static_cast<double>(at[a]) / (grid_[a] * order_) * (hi_[a] - lo_[a]);
      if (pinned_[n]) {
        c_.flex.node.push_back(parent);
        append(c_.flex.nodecoord, {p.x, p.y, p.z});
        return;
      }
      std::string name = fmt::format("{}_{}_{}_{}", c_.flex.name, at[0], at[1], at[2]);
      c_.flex.node.push_back(name);
      if (any_pinned) append(c_.flex.nodecoord, {0.0, 0.0, 0.0});
      add_body(std::move(name), p, c_.mass * weight_of(at) / total, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    });
    return {};
  }

  void add_equality(EqualityType type, const std::string& flex, const std::array<double, 3>* cell) {
    spec::Equality equality;
    equality.type = type;
    equality.objtype = ObjType::Flex;
    equality.name1 = flex;
    equality.solref = edges_.solref;
    equality.solimp = edges_.solimp;
    if (cell) {
      equality.data[1] = 0;
      std::copy(cell->begin(), cell->end(), equality.data.begin());
    }
    r_.claim(ObjType::Equality, node_, equality);
    r_.spec.equalities.add(std::move(equality));
  }

  void add_equalities(const std::string& flex) {
    if (edges_.equality == FlexEquality::Edges) add_equality(EqualityType::Flex, flex, nullptr);
    if (edges_.equality == FlexEquality::Vertices) add_equality(EqualityType::FlexVert, flex, nullptr);
    if (edges_.equality != FlexEquality::Strain) return;
    const auto& n = grid_;
    std::array<double, 3> cell{};
    if (has_shell()) {
      const std::int64_t faces =
          2 * (std::int64_t{n[1]} * n[2] + std::int64_t{n[0]} * n[2] + std::int64_t{n[0]} * n[1]);
      r_.count_copies(node_, static_cast<std::size_t>(faces), static_cast<double>(faces) * sizeof(spec::Equality));
      for (std::int64_t f = 0; f < faces; ++f) {
        cell = {static_cast<double>(f), -1, -1};
        add_equality(EqualityType::FlexStrain, flex, &cell);
      }
      return;
    }
    std::size_t number = 0;
    for (int i = 0; i < n[0]; ++i) {
      for (int j = 0; j < n[1]; ++j) {
        for (int k = 0; k < n[2]; ++k, ++number) {
          if (number < empty_.size() && empty_[number]) continue;
          cell = {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
          add_equality(EqualityType::FlexStrain, flex, &cell);
        }
      }
    }
  }

  Reader& r_;
  const XmlNode& node_;
  Flexcomp& c_;
  const FlexEdges& edges_;
  const FlexPins& pins_;
  const FlexShape shape_;
  const int order_;
  const std::array<int, 3> grid_;  // cells of the grid of nodes
  Quat4 turn_;
  FlexPoints p_;
  Vec lo_, hi_;
  std::vector<bool> pinned_, empty_;
  bool rigid_ = false, centered_ = false;
};

void read_flexcomp(Reader& r, const XmlNode& node, const Element& element) {
  Flexcomp comp;
  FlexEdges edges;
  FlexPins pins;
  r.attributes(node, element, &comp);
  for (const XmlNode& child : node.children) {
    const Element* known = element.child(child.name);
    if (!known) continue;
    if (child.name == "contact") r.attributes(child, *known, &comp.flex.contact);
    if (child.name == "edge") r.attributes(child, *known, &edges);
    if (child.name == "elasticity") r.attributes(child, *known, &comp.flex.elasticity);
    if (child.name == "pin") {
      FlexPins more;
      r.attributes(child, *known, &more);
      append(pins.id, more.id);
      append(pins.range, more.range);
      append(pins.grid, more.grid);
      append(pins.gridrange, more.gridrange);
    }
  }
  if (auto plugin = read_plugin_child(r, node, element))
    comp.plugin = shared_plugin(r, node, std::move(*plugin), "flexcomp_" + comp.flex.name);
  const spec::Flex::Elasticity& law = comp.flex.elasticity;
  const bool stretches = law.elastic2d != spec::FlexElastic2d::Bend;
  if (edges.equality != FlexEquality::None && law.young > 0 && stretches)
    return r.fail(node, {"equality constraints and elasticity (young) cannot both be present",
                         "elastic2d=\"bend\" is possible with both"});
  if (const Outcome bad = FlexcompMaker(r, node, comp, edges, pins).make()) r.fail(node, *bad);
}

/// The elements inside are read by the flexcomp.
void read_by_flexcomp(Reader&, const XmlNode&, const Element&) {}

/// A row whose field is inside a part of the flexcomp.
template <auto Part, auto Member, class Owner>
Attribute& inner(Table<Owner>& t, std::string_view name) {
  using T = std::remove_cvref_t<decltype(std::declval<Owner&>().*Part.*Member)>;
  return t.template add<T>(
      name,
      [](void* o, std::string_view text, const Attribute& row) {
        return parse_value(text, static_cast<Owner*>(o)->*Part.*Member, row);
      },
      [](const void* o, const Attribute& row) {
        return print_value(static_cast<const Owner*>(o)->*Part.*Member, row);
      });
}

}  // namespace

const Element* flexcomp_element(Schema& schema, const Element* plugin) {
  using C = Flexcomp;
  constexpr auto kFlex = &C::flex;
  constexpr auto kLattice = &C::lattice;
  Table<C> t;
  inner<kFlex, &spec::Flex::name>(t, "name").need();
  inner<kLattice, &FlexLattice::shape>(t, "type").words(kFlexShape);
  inner<kLattice, &FlexLattice::count>(t, "count").partial();
  t.at<&C::cellcount>("cellcount").remark("cells of the grid of nodes, for an interpolated dof");
  inner<kLattice, &FlexLattice::spacing>(t, "spacing").partial();
  t.at<&C::scale>("scale").remark("of explicit points and files");
  t.at<&C::mass>("mass").remark("of all vertices");
  t.at<&C::inertiabox>("inertiabox").remark("half side of the box that gives the inertia of a vertex");
  t.at<&C::file>("file");
  inner<kFlex, &spec::Flex::material>(t, "material");
  inner<kFlex, &spec::Flex::rgba>(t, "rgba");
  inner<kFlex, &spec::Flex::flatskin>(t, "flatskin");
  inner<kLattice, &FlexLattice::dim>(t, "dim").remark("1: segments, 2: triangles, 3: tetrahedra");
  inner<kFlex, &spec::Flex::radius>(t, "radius");
  inner<kFlex, &spec::Flex::group>(t, "group");
  t.at<&C::origin>("origin").remark("center of the tetrahedra made from a surface");
  add_pose(t);
  t.at<&C::rigid>("rigid").remark("all vertices are fixed in the body around it");
  t.at<&C::point>("point");
  t.at<&C::element>("element");
  inner<kFlex, &spec::Flex::texcoord>(t, "texcoord");
  inner<kFlex, &spec::Flex::dof>(t, "dof").words(kFlexDof);

  Table<FlexEdges> edge;
  edge.at<&FlexEdges::equality>("equality")
      .words(kFlexEquality)
      .remark("what is kept constant: lengths, metric, strain");
  edge.at<&FlexEdges::solref>("solref").partial();
  edge.at<&FlexEdges::solimp>("solimp").partial();
  inner<&FlexEdges::law, &spec::Flex::Edge::stiffness>(edge, "stiffness").remark("dim 1 only");
  inner<&FlexEdges::law, &spec::Flex::Edge::damping>(edge, "damping");
  Table<FlexPins> pin;
  pin.at<&FlexPins::id>("id");
  pin.at<&FlexPins::range>("range").remark("first and last point of each range");
  pin.at<&FlexPins::grid>("grid").remark("indices of points of the grid");
  pin.at<&FlexPins::gridrange>("gridrange").remark("indices of the first and last point of each block");
  Element& flexcomp = schema.add(t.element("flexcomp", "a flex with the bodies of its vertices", read_flexcomp));
  return &one_orientation(flexcomp).holds(
      {&schema.add(edge.element("edge", "springs, dampers or constraints along the edges", read_by_flexcomp)).once(),
       &flex_elasticity(schema, read_by_flexcomp), &flex_contact(schema, read_by_flexcomp),
       &schema.add(pin.element("pin", "points that are fixed in the body around the flexcomp", read_by_flexcomp)),
       plugin});
}

}  // namespace sinew::mjcf
