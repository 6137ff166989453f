#include "compile/flex.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compile/copy.h"
#include "compile/flex_elasticity.h"
#include "compile/flex_grid.h"

namespace sinew::compiling {
namespace {

/// Poses of all bodies at qpos0.
std::vector<Pose> reference_poses(const Context& context) {
  std::vector<Pose> out(context.tree.bodies.size());
  for (const BodyNode* body : context.tree.bodies)
    if (body->parent) out[body->id] = compose(out[body->parent->id], body->pose);
  return out;
}

/// The equality that acts on a flex: 0 none, 1 edges, 2 vertices, 3 strain; the first one counts.
int equality_on(const Spec& spec, const std::string& flex) {
  for (const spec::Equality& in : spec.equalities) {
    if (in.objtype != ObjType::Flex || in.name1 != flex) continue;
    return static_cast<int>(in.type) - static_cast<int>(EqualityType::Flex) + 1;
  }
  return 0;
}

/// One flex during its compilation.
class Builder {
 public:
  Builder(Context& context, const spec::Flex& in, const std::vector<Pose>& poses, FlexNode& out)
      : c_(context), in_(in), poses_(poses), out_(out), where_(place("flex", in)) {}

  void build() {
    for (const auto step : {&Builder::check_sizes, &Builder::check_material, &Builder::resolve_names,
                            &Builder::check_references, &Builder::place_vertices}) {
      if (!(this->*step)()) return;
    }
    out_.topology = connect_elements(out_.element, in_.dim);
    out_.edgeequality = equality_on(c_.spec, in_.name);
    build_tree();
    if (in_.order() > 0) {
      if (!place_grid()) return;
    } else {
      scale_vertices();
    }
    elasticity();
    warn_if_limp();
  }

 private:
  bool fail(std::string_view attribute, std::string message, std::string hint = {}) {
    c_.report.error(where_, attribute, std::move(message), std::move(hint));
    return false;
  }
  bool has_elastic2d() const { return in_.elasticity.elastic2d != spec::FlexElastic2d::None; }
  bool bends() const {
    return in_.elasticity.elastic2d == spec::FlexElastic2d::Bend ||
           in_.elasticity.elastic2d == spec::FlexElastic2d::Both;
  }
  std::size_t corners() const { return static_cast<std::size_t>(in_.dim) + 1; }

  bool check_sizes() {
    if (in_.dim < 1 || in_.dim > 3) return fail("dim", "must be 1, 2 or 3");
    const int condim = in_.contact.condim;
    if (condim != 1 && condim != 3 && condim != 4 && condim != 6)
      return fail("condim", fmt::format("is {}, must be 1, 3, 4 or 6", condim));
    if (in_.element.empty()) return fail("element", "is missing");
    if (in_.element.size() % corners() != 0)
      return fail("element", "the number of vertices must be a multiple of dim + 1");
    if (in_.body.empty() && in_.node.empty()) return fail("body", "is missing: bodies or nodes are needed");
    if (in_.vertex.size() % 3 != 0) return fail("vertex", "the number of coordinates must be a multiple of 3");
    if (in_.nodecoord.size() % 3 != 0) return fail("nodecoord", "the number of coordinates must be a multiple of 3");
    if (in_.edge.stiffness > 0 && in_.dim > 1)
      return fail("stiffness", "springs along edges are only available with dim 1", "use elasticity");
    if (in_.order() > 0) {
      if (in_.contact.selfcollide != spec::FlexSelf::None)
        return fail("selfcollide", "interpolated flexes cannot collide with themselves", "selfcollide=\"none\"");
      if (in_.contact.internal) return fail("internal", "interpolated flexes have no internal collisions");
    }
    const spec::Flex::Elasticity& law = in_.elasticity;
    if (has_elastic2d() && !(law.thickness > 0))
      return fail("thickness", "elasticity of a surface needs a positive thickness");
    if ((has_elastic2d() || law.young > 0) && !(law.poisson >= 0 && law.poisson < 0.5))
      return fail("poisson", "must be at least 0 and less than 0.5");
    if (has_elastic2d() && in_.dim != 2 && in_.order() == 0)
      return fail("elastic2d", "elasticity of a surface needs dim 2");
    const std::size_t vertices = in_.vertex.empty() ? in_.body.size() : in_.vertex.size() / 3;
    if (in_.body.size() != 1 && in_.body.size() != vertices)
      return fail("body", fmt::format("has {} names, must have 1 or one for each of the {} vertices", in_.body.size(),
                                      vertices));
    if (vertices < corners())
      return fail("vertex", fmt::format("has {} vertices, dim {} needs {}", vertices, in_.dim, corners()));
    if (!in_.node.empty() && in_.order() == 0) return fail("dof", "must be trilinear or quadratic if nodes are given");
    if (in_.order() > 0 && !check_grid()) return false;
    out_.vertices = static_cast<int>(vertices);
    const auto bad =
        std::find_if(in_.element.begin(), in_.element.end(), [&](int v) { return v < 0 || v >= out_.vertices; });
    if (bad != in_.element.end())
      return fail("element", fmt::format("has the vertex {}, there are {}", *bad, out_.vertices));
    return check_texture(vertices);
  }

  bool check_grid() {
    double nodes = 1;
    for (const int cells : in_.cellcount) {
      if (cells < 1) return fail("cellcount", "must be at least 1");
      nodes *= static_cast<double>(cells) * in_.order() + 1;
    }
    if (static_cast<double>(in_.node.size()) != nodes)
      return fail("node", fmt::format("has {} names, the grid of cellcount needs {}", in_.node.size(), nodes));
    if (!in_.nodecoord.empty() && in_.nodecoord.size() != 3 * in_.node.size())
      return fail("nodecoord", fmt::format("has {} numbers, {} nodes need {}", in_.nodecoord.size(), in_.node.size(),
                                           3 * in_.node.size()));
    return true;
  }

  bool check_texture(std::size_t vertices) {
    if (in_.texcoord.empty())
      return in_.elemtexcoord.empty() || fail("texcoord", "is missing: elemtexcoord refers to it");
    if (in_.texcoord.size() % 2 != 0) return fail("texcoord", "the number of values must be a multiple of 2");
    if (in_.elemtexcoord.empty()) {
      return in_.texcoord.size() == 2 * vertices || fail("texcoord", "two texture coordinates per vertex are expected");
    }
    if (in_.elemtexcoord.size() != in_.element.size())
      return fail("elemtexcoord", fmt::format("has {} numbers, must have one for each of the {} of element",
                                              in_.elemtexcoord.size(), in_.element.size()));
    const int count = static_cast<int>(in_.texcoord.size() / 2);
    for (const int t : in_.elemtexcoord)
      if (t < 0 || t >= count) return fail("elemtexcoord", fmt::format("{} is out of range, there are {}", t, count));
    return true;
  }

  bool check_material() {
    if (in_.material.empty() || c_.spec.compiler.discardvisual) return true;
    return c_.resolve(where_, "material", ObjType::Material, in_.material) >= 0;
  }

  bool resolve_names() {
    bool all = true;
    const auto find = [&](const std::vector<std::string>& names, std::vector<int>& ids, std::string_view attribute) {
      for (const std::string& name : names) {
        if (!all) return;
        ids.push_back(c_.resolve(where_, attribute, ObjType::Body, name));
        all = ids.back() >= 0;
      }
    };
    find(in_.body, out_.vertbody, "body");
    find(in_.node, out_.nodebody, "node");
    if (!all) return false;
    const bool one_body =
        std::all_of(out_.vertbody.begin(), out_.vertbody.end(), [&](int b) { return b == out_.vertbody[0]; });
    out_.rigid = out_.vertbody.size() == 1 || (one_body && in_.order() == 0);
    if (out_.vertbody.size() == 1) out_.vertbody.assign(static_cast<std::size_t>(out_.vertices), out_.vertbody[0]);
    const std::vector<double>& own = in_.order() > 0 ? in_.nodecoord : in_.vertex;
    out_.centered = std::all_of(own.begin(), own.end(), [](double x) { return x == 0; });
    return true;
  }

  bool check_references() {
    if (in_.order() == 0 && in_.dim == 2 && bends()) {
      for (const int b : out_.vertbody) {
        const std::size_t joints = c_.tree.bodies[b]->joints.size();
        if (joints != 0 && joints != 3)
          return fail("body", "pinned flex vertices with bending require a static (jointless) pin body",
                      fmt::format("body '{}' has {} joints; bodies of vertices have none or three slides",
                                  c_.tree.bodies[b]->in->name, joints));
      }
    }
    for (std::size_t e = 0; e < in_.element.size(); e += corners()) {
      for (std::size_t i = 0; i < corners(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (in_.element[e + i] == in_.element[e + j])
            return fail("element",
                        fmt::format("element {} has the vertex {} twice", e / corners(), in_.element[e + i]));
    }
    return true;
  }

  Vec in_world(int body, const std::vector<double>& local, std::size_t i) const {
    const Pose& pose = poses_[body];
    return local.empty() ? pose.pos : pose.pos + to_matrix(pose.quat) * Vec::load(&local[3 * i]);
  }

  bool place_vertices() {
    const auto n = static_cast<std::size_t>(out_.vertices);
    for (std::size_t v = 0; v < n; ++v) out_.x.push_back(in_world(out_.vertbody[v], in_.vertex, v));
    out_.element = in_.element;
    if (in_.dim != 3) return true;
    // tetrahedra have a negative volume, so that their faces point outward
    for (std::size_t e = 0; e < out_.element.size(); e += 4) {
      int* v = &out_.element[e];
      const auto at = [&](int i) { return out_.x[static_cast<std::size_t>(v[i])]; };
      if (dot(cross(at(1) - at(0), at(2) - at(0)), at(3) - at(0)) > 0) std::swap(v[1], v[2]);
    }
    return true;
  }

  void build_tree() {
    std::vector<BvhElement> elements;
    for (std::size_t e = 0; e < out_.topology.layer.size(); ++e) {
      if (in_.dim == 3 && out_.topology.layer[e] >= in_.contact.activelayers) continue;
      BvhElement box;
      box.id = static_cast<int>(e);
      for (std::size_t i = 0; i < corners(); ++i) {
        const Vec& x = out_.x[static_cast<std::size_t>(out_.element[corners() * e + i])];
        for (int k = 0; k < 3; ++k) {
          box.lo[k] = i == 0 ? x[k] : std::min(box.lo[k], x[k]);
          box.hi[k] = i == 0 ? x[k] : std::max(box.hi[k], x[k]);
        }
      }
      const Vec radius = {in_.radius, in_.radius, in_.radius};
      box.lo -= radius;
      box.hi += radius;
      box.key = (box.lo + box.hi) * 0.5;
      elements.push_back(box);
    }
    out_.tree = build_bvh(std::move(elements));
  }

  /// Vertices in the box of the tree, from 0 to 1.
  void scale_vertices() {
    Vec center;
    if (!out_.tree.box.empty()) {
      const auto& root = out_.tree.box[0];
      for (int k = 0; k < 3; ++k) {
        center[k] = root[static_cast<std::size_t>(k)];
        out_.size[k] = root[static_cast<std::size_t>(3 + k)] - in_.radius;
      }
    }
    for (const Vec& x : out_.x) {
      Vec scaled;
      for (int k = 0; k < 3; ++k)
        scaled[k] = out_.size[k] > kMinVal ? (x[k] - center[k]) / (2 * out_.size[k]) + 0.5 : 0.5;
      out_.vert0.push_back(scaled);
    }
    if (out_.edgeequality == 2 && in_.dim == 2) flatten();
  }

  /// Strain at vertices is measured in the plane of the surface: vert0 gets coordinates in it.
  void flatten() {
    const auto at = [&](std::size_t i) { return out_.x[static_cast<std::size_t>(out_.element[i])]; };
    Vec normal = cross(at(1) - at(0), at(2) - at(0));
    normalize(normal);
    const Matrix3 R = to_matrix(quat_from_z(normal));
    const Vec origin = at(0);
    Vec lo, hi;
    std::vector<Vec> flat;
    for (const Vec& x : out_.x) {
      flat.push_back(mul_transposed(R, x - origin));
      for (int k = 0; k < 3; ++k) {
        lo[k] = std::min(lo[k], flat.back()[k]);
        hi[k] = std::max(hi[k], flat.back()[k]);
      }
    }
    if (hi.z - lo.z > 1e-9 * std::max(hi.x - lo.x, hi.y - lo.y)) {
      fail("", "the vertices of a flex with a flexvert equality must lie in one plane at the reference position");
      return;
    }
    if (std::abs(normal.z) > 1 - 1e-15) {  // horizontal: as in MuJoCo 3.12.0, the box of the tree
      for (Vec& v : out_.vert0) v = mul_transposed(R, v);
      return;
    }
    for (std::size_t v = 0; v < flat.size(); ++v) {
      for (int k = 0; k < 3; ++k) {
        out_.size[k] = (hi[k] - lo[k]) / 2;
        out_.vert0[v][k] = out_.size[k] > kMinVal ? (flat[v][k] - lo[k]) / (hi[k] - lo[k]) : 0.5;
      }
    }
  }

  bool place_grid() {
    GridPoints points;
    for (std::size_t n = 0; n < in_.node.size(); ++n)
      points.node.push_back(in_world(out_.nodebody[n], in_.nodecoord, n));
    find_local_points(points);
    if (const std::string wrong = place_in_grid(in_, points, out_); !wrong.empty()) return fail("node", wrong);
    return true;
  }

  /// In the frame of the body around the flex, in which a flexcomp builds its grid: without the rounding errors of its
  /// pose. If there is no such body, in the world.
  void find_local_points(GridPoints& points) {
    const BodyNode* frame = c_.tree.bodies[out_.vertbody[0]];
    const auto is_local = [&](int b) { return c_.tree.bodies[b] == frame || c_.tree.bodies[b]->parent == frame; };
    const bool one = std::all_of(out_.vertbody.begin(), out_.vertbody.end(), [&](int b) { return b == frame->id; });
    const bool local = one && !in_.vertex.empty() && std::all_of(out_.nodebody.begin(), out_.nodebody.end(), is_local);
    const auto add = [](const Vec& x, std::vector<double>& to) { to.insert(to.end(), {x.x, x.y, x.z}); };
    if (!local) {
      for (const Vec& x : points.node) add(x, points.local_node);
      for (const Vec& x : out_.x) add(x, points.local_vertex);
      return;
    }
    points.local_vertex = in_.vertex;
    for (std::size_t n = 0; n < in_.node.size(); ++n) {
      const Vec own = in_.nodecoord.empty() ? Vec() : Vec::load(&in_.nodecoord[3 * n]);
      const BodyNode* body = c_.tree.bodies[out_.nodebody[n]];
      add(body == frame ? own : body->pose.pos + to_matrix(body->pose.quat) * own, points.local_node);
    }
  }

  void elasticity() {
    const spec::Flex::Elasticity& law = in_.elasticity;
    out_.has_flaps = in_.dim == 2 && bends();
    if (in_.order() > 0) return grid_elasticity(in_, out_);
    if (law.young > 0) out_.stiffness = element_stiffness(in_, out_.x, out_.element);
    if (law.young > 0 && out_.has_flaps) out_.bending = edge_bending(in_, out_.x, out_.topology);
  }

  void warn_if_limp() {
    if (out_.rigid || out_.edgeequality != 0 || in_.edge.stiffness != 0 || in_.edge.damping != 0 ||
        in_.elasticity.damping != 0 || !out_.bending.empty())
      return;
    c_.report.warning(where_, "", "it is not rigid and has neither equality constraints nor passive forces");
  }

  Context& c_;
  const spec::Flex& in_;
  const std::vector<Pose>& poses_;
  FlexNode& out_;
  Place where_;
};

/// Bytes of a flex while it is compiled and in the model: topology and trees, and the matrices of a grid.
double flex_bytes(const spec::Flex& in) {
  double bytes = 400 * static_cast<double>(in.element.size()) + 300 * static_cast<double>(in.body.size());
  if (in.order() == 0) return bytes;
  const double a = in.cellcount[0], b = in.cellcount[1], c = in.cellcount[2], side = in.order() + 1;
  const bool shell = in.elasticity.elastic2d != spec::FlexElastic2d::None;
  const double blocks = shell ? 2 * (a * b + b * c + c * a) : a * b * c, rows = 3 * side * side * (shell ? 1 : side);
  return bytes + 2 * sizeof(double) * blocks * rows * rows + 200 * static_cast<double>(in.node.size());
}

std::int64_t size_of(const auto& list) { return static_cast<std::int64_t>(list.size()); }

}  // namespace

void compile_flexes(Context& context) {
  if (context.spec.flexes.empty()) return;
  const std::vector<Pose> poses = reference_poses(context);
  for (const spec::Flex& in : context.spec.flexes) {
    context.budget.go_on();
    FlexNode& node = context.flexes.emplace_back();
    if (!context.take(place("flex", in), "", flex_bytes(in))) return;
    Builder(context, in, poses, node).build();
  }
}

void add_flex_sizes(const Context& context, Model& m) {
  m.nflex = size_of(context.flexes);
  for (std::size_t f = 0; f < context.flexes.size(); ++f) {
    const FlexNode& node = context.flexes[f];
    m.nflexnode += size_of(node.nodebody);
    m.nflexvert += node.vertices;
    m.nflexedge += size_of(node.topology.edge);
    m.nflexelem += size_of(node.topology.layer);
    m.nflexelemdata += size_of(node.element);
    m.nflexelemedge += size_of(node.topology.elemedge);
    m.nflexshelldata += size_of(node.topology.shell);
    m.nflexevpair += size_of(node.topology.evpair);
    m.nflextexcoord += size_of(context.spec.flexes[f].texcoord) / 2;
    m.nflexstiffness += size_of(node.stiffness);
    m.nflexbending += size_of(node.bending);
  }
}

namespace {

/// Where the arrays of the next flex start.
struct FlexPlaces {
  int node = 0, vert = 0, edge = 0, elem = 0, elemdata = 0, elemedge = 0, shelldata = 0, evpair = 0, texcoord = 0;
  int stiffness = 0, bending = 0, vertedge = 0;
};

template <class T, bool Counted, class Values>
void put_at(Field<T, Counted>& field, std::int64_t at, const Values& values) {
  std::copy(values.begin(), values.end(), field.edit().begin() + at);
}

void copy_settings(const Context& context, Model& m, int f) {
  const spec::Flex& in = context.spec.flexes[f];
  const FlexNode& node = context.flexes[f];
  const spec::Flex::Contact& contact = in.contact;
  m.flex_contype[f] = contact.contype;
  m.flex_conaffinity[f] = contact.conaffinity;
  m.flex_condim[f] = contact.condim;
  m.flex_priority[f] = contact.priority;
  m.flex_solmix[f] = contact.solmix;
  put(m.flex_solref, f, contact.solref);
  put(m.flex_solimp, f, contact.solimp);
  put(m.flex_friction, f, contact.friction);
  m.flex_margin[f] = contact.margin;
  m.flex_gap[f] = contact.gap;
  m.flex_internal[f] = contact.internal;
  m.flex_selfcollide[f] = static_cast<int>(contact.selfcollide);
  m.flex_activelayers[f] = contact.activelayers;
  m.flex_passive[f] = contact.passive;
  m.flex_dim[f] = in.dim;
  m.flex_matid[f] = m.nmat > 0 ? context.names.find(ObjType::Material, in.material) : -1;
  m.flex_group[f] = in.group;
  const bool shell = in.elasticity.elastic2d != spec::FlexElastic2d::None;
  m.flex_interp[f] = shell ? -in.order() : in.order();
  put(m.flex_cellnum, f, in.cellcount);
  m.flex_radius[f] = in.radius;
  node.size.store(&m.flex_size[3 * f]);
  m.flex_damping[f] = in.elasticity.damping;
  m.flex_edgestiffness[f] = in.edge.stiffness;
  m.flex_edgedamping[f] = in.edge.damping;
  m.flex_edgeequality[f] = node.edgeequality;
  m.flex_rigid[f] = node.rigid;
  m.flex_centered[f] = node.centered;
  m.flex_flatskin[f] = in.flatskin;
  put(m.flex_rgba, f, in.rgba);
}

void copy_vertices(const spec::Flex& in, const FlexNode& node, Model& m, const FlexPlaces& at) {
  const bool interpolated = in.order() > 0;
  for (int v = 0; v < node.vertices; ++v) {
    m.flex_vertbodyid[at.vert + v] = interpolated ? -1 : node.vertbody[static_cast<std::size_t>(v)];
    node.vert0[static_cast<std::size_t>(v)].store(&m.flex_vert0[3 * (at.vert + v)]);
  }
  if (!(node.centered && !interpolated)) put_at(m.flex_vert, 3 * at.vert, in.vertex);
  put_at(m.flex_nodebodyid, at.node, node.nodebody);
  if (!node.centered) put_at(m.flex_node, 3 * at.node, in.nodecoord);
  for (std::size_t n = 0; n < node.node0.size(); ++n) node.node0[n].store(&m.flex_node0[3 * (at.node + n)]);
}

/// flex_vertedge: for each vertex the edges that it belongs to, in their order.
void list_edges_of_vertices(const FlexNode& node, Model& m, FlexPlaces& at) {
  const auto& edges = node.topology.edge;
  for (const auto& edge : edges)
    for (const int v : edge) ++m.flex_vertedgenum[at.vert + v];
  std::vector<int> fill;
  for (int v = at.vert; v < at.vert + node.vertices; ++v) {
    m.flex_vertedgeadr[v] = at.vertedge;
    fill.push_back(at.vertedge);
    at.vertedge += m.flex_vertedgenum[v];
  }
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (const int v : edges[e]) m.flex_vertedge[fill[static_cast<std::size_t>(v)]++] = static_cast<int>(e);
}

void copy_edges(const Context& context, const spec::Flex& in, const FlexNode& node, Model& m, FlexPlaces& at) {
  const FlexTopology& topology = node.topology;
  const auto weld = [&](int vertex) {
    return context.tree.bodies[node.vertbody[static_cast<std::size_t>(vertex)]]->weld;
  };
  for (std::size_t e = 0; e < topology.edge.size(); ++e) {
    const std::int64_t row = at.edge + static_cast<std::int64_t>(e);
    put(m.flex_edge, row, topology.edge[e]);
    m.flex_edgeflap[2 * row] = node.has_flaps ? topology.flap[e][2] : -1;
    m.flex_edgeflap[2 * row + 1] = node.has_flaps ? topology.flap[e][3] : -1;
    m.flexedge_rigid[row] = node.rigid || (in.order() == 0 && weld(topology.edge[e][0]) == weld(topology.edge[e][1]));
  }
  if (node.edgeequality == 2 && in.dim == 2 && in.order() == 0) list_edges_of_vertices(node, m, at);
}

}  // namespace

void copy_flexes(const Context& context, Model& m) {
  FlexPlaces at;
  for (int f = 0; f < m.nflex; ++f) {
    const spec::Flex& in = context.spec.flexes[f];
    const FlexNode& node = context.flexes[f];
    const FlexTopology& topology = node.topology;
    const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
    copy_settings(context, m, f);
    m.flex_nodeadr[f] = at.node;
    m.flex_nodenum[f] = count(node.nodebody);
    m.flex_vertadr[f] = at.vert;
    m.flex_vertnum[f] = node.vertices;
    m.flex_edgeadr[f] = at.edge;
    m.flex_edgenum[f] = count(topology.edge);
    m.flex_elemadr[f] = at.elem;
    m.flex_elemnum[f] = count(topology.layer);
    m.flex_elemdataadr[f] = at.elemdata;
    m.flex_stiffnessadr[f] = node.stiffness.empty() ? -1 : at.stiffness;
    m.flex_elemedgeadr[f] = at.elemedge;
    m.flex_bendingadr[f] = node.bending.empty() ? -1 : at.bending;
    m.flex_shellnum[f] = count(topology.shell) / in.dim;
    m.flex_shelldataadr[f] = topology.shell.empty() ? -1 : at.shelldata;
    m.flex_evpairadr[f] = topology.evpair.empty() ? -1 : at.evpair;
    m.flex_evpairnum[f] = count(topology.evpair);
    m.flex_texcoordadr[f] = in.texcoord.empty() ? -1 : at.texcoord;
    copy_vertices(in, node, m, at);
    copy_edges(context, in, node, m, at);
    put_at(m.flex_elem, at.elemdata, node.element);
    // MuJoCo 3.12.0 does not turn the corners of textured tetrahedra together with the element
    const std::vector<int>& textured = in.elemtexcoord.empty() ? in.element : in.elemtexcoord;
    put_at(m.flex_elemtexcoord, at.elemdata, in.texcoord.empty() ? node.element : textured);
    put_at(m.flex_elemedge, at.elemedge, topology.elemedge);
    put_at(m.flex_elemlayer, at.elem, topology.layer);
    put_at(m.flex_shell, at.shelldata, topology.shell);
    for (std::size_t p = 0; p < topology.evpair.size(); ++p)
      put(m.flex_evpair, at.evpair + static_cast<std::int64_t>(p), topology.evpair[p]);
    put_at(m.flex_texcoord, 2 * at.texcoord, in.texcoord);
    put_at(m.flex_stiffness, at.stiffness, node.stiffness);
    put_at(m.flex_bending, at.bending, node.bending);

    at.node += count(node.nodebody);
    at.vert += node.vertices;
    at.edge += count(topology.edge);
    at.elem += count(topology.layer);
    at.elemdata += count(node.element);
    at.elemedge += count(topology.elemedge);
    at.shelldata += count(topology.shell);
    at.evpair += count(topology.evpair);
    at.texcoord += count(in.texcoord) / 2;
    at.stiffness += count(node.stiffness);
    at.bending += count(node.bending);
  }
}

}  // namespace sinew::compiling
