#include "collision/flex_collide.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "collision/contact_store.h"
#include "collision/pairs/flex_element.h"

namespace sinew {
namespace {

/// Bounds of the stack of a traversal of two trees: both halve their elements at each level.
constexpr int kDeepest = 256;

/// A box at a pose: center and half sizes in world axes along the columns of mat.
struct OrientedBox {
  Vec3d center, half;
  const double* mat;  // null: world axes
};

OrientedBox box_at(const double* aabb, const double* pos, const double* mat) {
  return {Mat3d::load(mat) * Vec3d::load(aabb) + Vec3d::load(pos), Vec3d::load(aabb + 3), mat};
}
OrientedBox world_box_of(const double* aabb) { return {Vec3d::load(aabb), Vec3d::load(aabb + 3), nullptr}; }

constexpr double kHair = 1 + 1e-11;

/// An axis of one of the boxes, the first oriented and the second not, separates them by more than the margin.
bool apart(const OrientedBox& a, const OrientedBox& b, double margin) {
  const Vec3d offset = b.center - a.center;
  if (!a.mat) {
    for (int k = 0; k < 3; ++k)
      if (std::abs(offset[k]) > (a.half[k] + b.half[k] + margin) * kHair) return true;
    return false;
  }
  const double* R = a.mat;
  for (int k = 0; k < 3; ++k) {
    const double of_a =
        std::abs(R[3 * k]) * a.half.x + std::abs(R[3 * k + 1]) * a.half.y + std::abs(R[3 * k + 2]) * a.half.z;
    if (std::abs(offset[k]) > (of_a + b.half[k] + margin) * kHair) return true;
  }
  for (int k = 0; k < 3; ++k) {
    const double along = R[k] * offset.x + R[3 + k] * offset.y + R[6 + k] * offset.z;
    const double of_b = std::abs(R[k]) * b.half.x + std::abs(R[3 + k]) * b.half.y + std::abs(R[6 + k]) * b.half.z;
    if (std::abs(along) > (a.half[k] + of_b + margin) * kHair) return true;
  }
  return false;
}

bool boxes_apart(const double* a, const double* b, double margin) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(b[k] - a[k]) > (a[3 + k] + b[3 + k] + margin) * kHair) return true;
  return false;
}

/// A ball misses a box in world axes, along one of them. As in MuJoCo, a ball that passes a corner does not.
bool ball_misses(const Vec3d& center, double radius, const double* box) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(center[k] - box[k]) > (box[3 + k] + radius) * kHair) return true;
  return false;
}

/// One of two objects sleeps, and the other sleeps or is static; states as in body_awake.
bool at_rest(int state1, int state2) { return (state1 == 0 && state2 <= 0) || (state2 == 0 && state1 <= 0); }

FlexContact on_elements(const ContactPoint& point, int elem1, int elem2) {
  return {point, -1, {elem1, elem2}, {-1, -1}, false};
}

}  // namespace

FlexContacts::FlexContacts(Scratch& scratch)
    : scratch_(scratch), buffer_(scratch.take<ContactPoint>(kMaxContactsElement)) {}

void FlexContacts::add(const FlexContact& contact) {
  if (count_ == capacity_) {
    const int larger = std::max(4 * kMost, 2 * capacity_);
    FlexContact* copy = scratch_.take<FlexContact>(static_cast<std::size_t>(larger));
    std::copy_n(contact_, count_, copy);
    contact_ = copy;
    capacity_ = larger;
  }
  contact_[count_++] = contact;
}

/// Starts with the deepest and proceeds to the one farthest from all chosen. As in MuJoCo, the marks of chosen contacts
/// stay in their places when contacts are swapped, and the last choice is not moved to the front.
void FlexContacts::reduce(Arena& arena) {
  if (count_ <= kMost) return;
  constexpr double kFar = 1e10;
  Scratch scratch(arena);
  double* nearest2 = scratch.take<double>(static_cast<std::size_t>(count_));
  std::fill_n(nearest2, count_, kFar);
  bool* chosen = scratch.zeros<bool>(static_cast<std::size_t>(count_));
  int best = 0;
  for (int i = 1; i < count_; ++i)
    if (contact_[i].point.dist < contact_[best].point.dist) best = i;
  for (int k = 0; k < kMost && best >= 0; ++k) {
    chosen[best] = true;
    const Vec3d from = contact_[best].point.pos;
    int next = -1;
    double most = -1;
    for (int i = 0; i < count_; ++i) {
      if (chosen[i]) continue;
      const Vec3d offset = contact_[i].point.pos - from;
      nearest2[i] = std::min(nearest2[i], dot(offset, offset));
      if (nearest2[i] <= most) continue;
      most = nearest2[i];
      next = i;
    }
    if (k < kMost - 1) {
      std::swap(contact_[k], contact_[best]);
      if (next == k) next = best;
    }
    best = next;
  }
  count_ = kMost;
}

/// Stable. At most kMost contacts, mostly in order.
void FlexContacts::sort() {
  for (int i = 1; i < count_; ++i) {
    const FlexContact moving = contact_[i];
    const auto before = [&](const FlexContact& other) {
      return moving.object(0) != other.object(0) ? moving.object(0) < other.object(0)
                                                 : moving.object(1) < other.object(1);
    };
    int to = i;
    for (; to > 0 && before(contact_[to - 1]); --to) contact_[to] = contact_[to - 1];
    contact_[to] = moving;
  }
}

/// The tree of a body, in its inertial frame, or of a flex, in the world.
struct FlexCollider::Side {
  const Model& m;
  int root;
  const double* boxes;
  const double* pos = nullptr;
  const double* mat = nullptr;

  static Side of_body(const Model& m, const Data& d, int body) {
    const int root = m.body_bvhadr[body];
    return {m, root, &m.bvh_aabb[6 * static_cast<std::size_t>(root)], &d.xipos[3 * body], &d.ximat[9 * body]};
  }
  static Side of_flex(const Model& m, const Data& d, int flex) {
    const int root = m.flex_bvhadr[flex];
    return {m, root, &d.bvh_aabb_dyn[6 * static_cast<std::size_t>(root - m.nbvhstatic)]};
  }
  const double* aabb(int node) const { return boxes + 6 * static_cast<std::size_t>(node); }
  OrientedBox box(int node) const { return pos ? box_at(aabb(node), pos, mat) : world_box_of(aabb(node)); }
  int leaf(int node) const { return m.bvh_nodeid[root + node]; }
  int child(int node, int side) const { return m.bvh_child[2 * (root + node) + side]; }
  /// MuJoCo's measure of which of two nodes is larger: the center counts as the lower corner, and the half sizes as the
  /// upper one. It decides the order of contacts.
  double surface(int node) const {
    const double* b = aabb(node);
    const double x = b[3] - b[0], y = b[4] - b[1], z = b[5] - b[2];
    return x * y + y * z + z * x;
  }
};

FlexCollider::FlexCollider(const Model& m, Data& d, Scratch& scratch)
    : m_(m), d_(d), scratch_(scratch), sleep_(sleep_view(m, d)), found_(scratch) {
  if (!sleep_.body_awake) return;
  state_ = scratch.take<int>(m.nflex);
  for (int f = 0; f < m.nflex; ++f) {
    const bool nodes = m.flex_interp[f] != 0;
    const int* body =
        nodes ? m.flex_nodebodyid.data() + m.flex_nodeadr[f] : m.flex_vertbodyid.data() + m.flex_vertadr[f];
    const int n = nodes ? m.flex_nodenum[f] : m.flex_vertnum[f];
    const int* first = std::find_if(body, body + n, [&](int b) { return d.body_awake[b] >= 0; });
    state_[f] = first == body + n ? -1 : d.body_awake[*first];
  }
}

bool FlexCollider::may_collide(int body, int flex) const {
  if (state_ && at_rest(d_.body_awake[body], state_[flex])) return false;
  return masks_match(m_.body_contype[body], m_.body_conaffinity[body], m_.flex_contype[flex],
                     m_.flex_conaffinity[flex]);
}

bool FlexCollider::may_collide_flexes(int flex1, int flex2) const {
  if (state_ && at_rest(state_[flex1], state_[flex2])) return false;
  return masks_match(m_.flex_contype[flex1], m_.flex_conaffinity[flex1], m_.flex_contype[flex2],
                     m_.flex_conaffinity[flex2]);
}

bool FlexCollider::collides_with_itself(int flex) const {
  return !m_.flex_rigid[flex] && (m_.flex_contype[flex] & m_.flex_conaffinity[flex]) != 0 &&
         !(state_ && state_[flex] == 0);
}

bool FlexCollider::has_tree(int flex) const { return m_.flex_bvhnum[flex] > 0 && !m_.opt.disabled(kDisableMidphase); }

/// leaves(leaf of a, leaf of b) for all leaves whose ancestors' boxes come within the margin, in MuJoCo's order.
/// same: both are one tree, of which each pair is visited once.
template <class Leaves>
void FlexCollider::traverse(const Side& a, const Side& b, double margin, bool same, Leaves&& leaves) const {
  struct Pair {
    int a, b;
  };
  Pair stack[kDeepest];
  int depth = 0;
  stack[depth++] = {0, 0};
  while (depth > 0) {
    const Pair at = stack[--depth];
    if (same && at.a > at.b) continue;
    const int leaf_a = a.leaf(at.a), leaf_b = b.leaf(at.b);
    if (leaf_a >= 0 && leaf_b >= 0) {
      leaves(leaf_a, leaf_b);
      continue;
    }
    if (apart(a.box(at.a), b.box(at.b), margin)) continue;
    const bool descend_a = leaf_a < 0 && (leaf_b >= 0 || a.surface(at.a) > b.surface(at.b));
    for (int side = 0; side < 2 && depth < kDeepest; ++side) {
      const int child = descend_a ? a.child(at.a, side) : b.child(at.b, side);
      if (child >= 0) stack[depth++] = descend_a ? Pair{child, at.b} : Pair{at.a, child};
    }
  }
}

void FlexCollider::collide_body(int body, int flex) {
  found_.clear();
  if (m_.body_bvhnum[body] > 0 && has_tree(flex)) {
    collide_body_tree(body, flex);
    found_.reduce(d_.scratch());
    found_.sort();
    store(-1, flex);
    return;
  }
  const int first = m_.body_geomadr[body];
  for (int g = first; g < first + m_.body_geomnum[body]; ++g) {
    if (!masks_match(m_.geom_contype[g], m_.geom_conaffinity[g], m_.flex_contype[flex], m_.flex_conaffinity[flex]))
      continue;
    found_.clear();
    collide_geom_flex(g, flex);
    found_.reduce(d_.scratch());
    store(-1, flex);
  }
}

/// Planes and distance fields collide with the flex as a whole, without a test of their masks, as in MuJoCo; a plane
/// that moves does not collide. All other geoms meet elements by the two trees.
void FlexCollider::collide_body_tree(int body, int flex) {
  const int first = m_.body_geomadr[body], end = first + m_.body_geomnum[body];
  const auto is = [&](int g, GeomType type) { return m_.geom_type[g] == static_cast<int>(type); };
  if (m_.body_dofnum[m_.body_weldid[body]] == 0)
    for (int g = first; g < end; ++g)
      if (is(g, GeomType::Plane)) collide_plane(g, flex);
  for (int g = first; g < end; ++g)
    if (is(g, GeomType::Sdf)) collide_field(g, flex);

  const double margin = m_.opt.enabled(kEnableOverride) ? m_.opt.o_margin : m_.body_margin[body] + m_.flex_margin[flex];
  traverse(Side::of_body(m_, d_, body), Side::of_flex(m_, d_, flex), margin, false, [&](int g, int elem) {
    if (is(g, GeomType::Plane) || is(g, GeomType::Sdf)) return;
    if (!masks_match(m_.geom_contype[g], m_.geom_conaffinity[g], m_.flex_contype[flex], m_.flex_conaffinity[flex]))
      return;
    const double reach = flex_detection_margin(m_, g, -1, flex);
    const double* box = element_box(flex, elem);
    const Vec3d pos = Vec3d::load(&d_.geom_xpos[3 * g]);
    if (m_.geom_rbound[g] > 0 && ball_misses(pos, m_.geom_rbound[g] + reach, box)) return;
    const OrientedBox of_geom =
        box_at(&m_.geom_aabb[6 * static_cast<std::size_t>(g)], &d_.geom_xpos[3 * g], &d_.geom_xmat[9 * g]);
    if (apart(of_geom, world_box_of(box), reach)) return;
    collide_geom(g, flex, elem);
  });
}

/// Without trees: all elements, the inner ones too.
void FlexCollider::collide_geom_flex(int geom, int flex) {
  const auto type = static_cast<GeomType>(m_.geom_type[geom]);
  if (type == GeomType::Plane) return collide_plane(geom, flex);
  if (type == GeomType::Sdf) return collide_field(geom, flex);
  const double rbound = m_.geom_rbound[geom], reach = rbound + flex_detection_margin(m_, geom, -1, flex);
  const Vec3d pos = Vec3d::load(&d_.geom_xpos[3 * geom]);
  for (int e = 0; e < m_.flex_elemnum[flex]; ++e)
    if (!(rbound > 0 && ball_misses(pos, reach, element_box(flex, e)))) collide_geom(geom, flex, e);
}

/// Vertices as balls.
void FlexCollider::collide_plane(int geom, int flex) {
  const Vec3d normal = Mat3d::load(&d_.geom_xmat[9 * geom]).column(2), point = Vec3d::load(&d_.geom_xpos[3 * geom]);
  const double radius = m_.flex_radius[flex], reach = flex_detection_margin(m_, geom, -1, flex) + radius;
  const double* x = &d_.flexvert_xpos[3 * static_cast<std::size_t>(m_.flex_vertadr[flex])];
  for (int v = 0; v < m_.flex_vertnum[flex]; ++v, x += 3) {
    const Vec3d vertex = Vec3d::load(x);
    const double height = dot(normal, vertex - point);
    if (!(height <= reach)) continue;
    const double dist = height - radius;
    found_.add({{dist, vertex - normal * (0.5 * dist + radius), normal, {}}, geom, {-1, -1}, {-1, v}, false});
  }
}

void FlexCollider::collide_field(int geom, int flex) {
  if (m_.flex_dim[flex] != 2) return;
  int elem[kMaxContactsElement];
  const int count = collide_sdf_triangles({m_, d_.scratch()}, d_, shape_of(m_, d_, geom), flex, elem, found_.buffer());
  for (int i = 0; i < count; ++i) found_.add({found_.buffer()[i], geom, {-1, elem[i]}, {-1, -1}, false});
}

void FlexCollider::collide_geom(int geom, int flex, int elem) {
  if (touches_body(flex, elem, m_.geom_bodyid[geom])) return;
  const int count = collide_geom_element({m_, d_.scratch()}, shape_of(m_, d_, geom), flex_element(m_, d_, flex, elem),
                                         flex_detection_margin(m_, geom, -1, flex), found_.buffer());
  for (int i = 0; i < count; ++i) found_.add({found_.buffer()[i], geom, {-1, elem}, {-1, -1}, false});
}

bool FlexCollider::touches_body(int flex, int elem, int body) const {
  const int* corner = corners(flex, elem);
  return std::any_of(corner, corner + m_.flex_dim[flex] + 1,
                     [&](int v) { return m_.flex_vertbodyid[m_.flex_vertadr[flex] + v] == body; });
}

/// Elements that share a vertex, or are pinned to the same body.
bool FlexCollider::share_body(int flex1, int elem1, int flex2, int elem2) const {
  const int *corner1 = corners(flex1, elem1), *corner2 = corners(flex2, elem2);
  const int *body1 = m_.flex_vertbodyid.data() + m_.flex_vertadr[flex1],
            *body2 = m_.flex_vertbodyid.data() + m_.flex_vertadr[flex2];
  const int n1 = m_.flex_dim[flex1] + 1, n2 = m_.flex_dim[flex2] + 1;
  int of2[4];
  for (int k = 0; k < n2; ++k) of2[k] = body2[corner2[k]];
  for (int i = 0; i < n1; ++i) {
    const int body = body1[corner1[i]];
    if (body < 0) continue;  // interpolated
    for (int k = 0; k < n2; ++k)
      if (of2[k] == body) return true;
  }
  return false;
}

void FlexCollider::collide_flex_elements(int flex1, int elem1, int flex2, int elem2) {
  const double margin = flex_detection_margin(m_, -1, flex1, flex2);
  if (boxes_apart(element_box(flex1, elem1), element_box(flex2, elem2), margin)) return;
  if (!share_body(flex1, elem1, flex2, elem2)) collide_near_elements(flex1, elem1, flex2, elem2, margin);
}

void FlexCollider::collide_near_elements(int flex1, int elem1, int flex2, int elem2, double margin) {
  const int count = collide_elements({m_, d_.scratch()}, flex_element(m_, d_, flex1, elem1),
                                     flex_element(m_, d_, flex2, elem2), margin, found_.buffer());
  for (int i = 0; i < count; ++i) found_.add(on_elements(found_.buffer()[i], elem1, elem2));
}

void FlexCollider::flexes() {
  for (int f = 0; f < m_.nflex; ++f)
    for (int g = f + 1; g < m_.nflex; ++g)
      if (may_collide_flexes(f, g)) collide_flex_pair(f, g);
  for (int f = 0; f < m_.nflex; ++f) {
    if (!collides_with_itself(f)) continue;
    if (m_.flex_internal[f]) collide_inside(f);
    if (m_.flex_selfcollide[f] != static_cast<int>(FlexSelf::None)) collide_itself(f);
  }
}

void FlexCollider::collide_flex_pair(int flex1, int flex2) {
  found_.clear();
  if (has_tree(flex1) && has_tree(flex2)) {
    const double margin =
        m_.opt.enabled(kEnableOverride) ? m_.opt.o_margin : m_.flex_margin[flex1] + m_.flex_margin[flex2];
    traverse(Side::of_flex(m_, d_, flex1), Side::of_flex(m_, d_, flex2), margin, false,
             [&](int e1, int e2) { collide_flex_elements(flex1, e1, flex2, e2); });
    found_.reduce(d_.scratch());
    found_.sort();
  } else {
    for (int e1 = 0; e1 < m_.flex_elemnum[flex1]; ++e1)
      for (int e2 = 0; e2 < m_.flex_elemnum[flex2]; ++e2) collide_flex_elements(flex1, e1, flex2, e2);
    found_.reduce(d_.scratch());
  }
  store(flex1, flex2);
}

/// Vertices against the elements next to theirs, and corners of tetrahedra against their faces.
void FlexCollider::collide_inside(int flex) {
  found_.clear();
  const int first = m_.flex_vertadr[flex], dim = m_.flex_dim[flex];
  const double radius = m_.flex_radius[flex];
  for (int p = m_.flex_evpairadr[flex]; p < m_.flex_evpairadr[flex] + m_.flex_evpairnum[flex]; ++p) {
    const int elem = m_.flex_evpair[2 * p], v = m_.flex_evpair[2 * p + 1];
    const Vec3d vertex = Vec3d::load(&d_.flexvert_xpos[3 * static_cast<std::size_t>(first + v)]);
    const double around[6] = {vertex.x, vertex.y, vertex.z, radius, radius, radius};
    if (boxes_apart(element_box(flex, elem), around, 0)) continue;
    if (collide_vertex_element({m_, d_.scratch()}, vertex, flex_element(m_, d_, flex, elem), found_.buffer()))
      found_.add({found_.buffer()[0], -1, {-1, elem}, {v, -1}, false});
  }
  if (dim == 3) {
    for (int e = 0; e < m_.flex_elemnum[flex]; ++e) {
      const FlexElement element = flex_element(m_, d_, flex, e);
      for (const int corner : {3, 1, 2, 0})
        if (collide_corner_face(element, corner, found_.buffer()))
          found_.add({found_.buffer()[0], -1, {e, -1}, {-1, corners(flex, e)[corner]}, true});
    }
  }
  found_.reduce(d_.scratch());
  store(flex, flex);
}

void FlexCollider::collide_itself(int flex) {
  found_.clear();
  auto mode = static_cast<FlexSelf>(m_.flex_selfcollide[flex]);
  if (mode == FlexSelf::Auto) mode = m_.flex_dim[flex] == 3 ? FlexSelf::Bvh : FlexSelf::Sap;
  if (!has_tree(flex)) {
    all_of_itself(flex);
  } else if (mode == FlexSelf::Bvh) {
    const Side side = Side::of_flex(m_, d_, flex);
    traverse(side, side, 0, true, [&](int e1, int e2) { collide_flex_elements(flex, e1, flex, e2); });
  } else {
    sweep_itself(flex);
  }
  found_.reduce(d_.scratch());
  store(flex, flex);
}

void FlexCollider::all_of_itself(int flex) {
  for (int e1 = 0; e1 < m_.flex_elemnum[flex]; ++e1) {
    if (!is_active(flex, e1)) continue;
    for (int e2 = e1 + 1; e2 < m_.flex_elemnum[flex]; ++e2)
      if (is_active(flex, e2)) collide_flex_elements(flex, e1, flex, e2);
  }
}

/// visit(element, element) for all pairs of a flex's elements whose boxes overlap, in no particular order.
template <class Visit>
void FlexCollider::for_each_overlap(int flex, Visit&& visit) const {
  struct Pair {
    int a, b;
  };
  const int root = m_.flex_bvhadr[flex];
  const double* boxes = &d_.bvh_aabb_dyn[6 * static_cast<std::size_t>(root - m_.nbvhstatic)];
  const int *leaf = m_.bvh_nodeid.data() + root, *child = m_.bvh_child.data() + 2 * root;
  const auto box = [&](int node) { return boxes + 6 * static_cast<std::size_t>(node); };
  Pair stack[4 * kDeepest];
  int depth = 0;
  const auto push_overlap = [&](int a, int b) {
    if (a < 0 || b < 0 || boxes_apart(box(a), box(b), 0)) return;
    if (leaf[a] >= 0 && leaf[b] >= 0)
      visit(leaf[a], leaf[b]);
    else if (depth < 4 * kDeepest)
      stack[depth++] = {a, b};
  };
  if (leaf[0] < 0) stack[depth++] = {0, 0};
  while (depth > 0) {
    const auto [a, b] = stack[--depth];
    const int *of_a = child + 2 * a, *of_b = child + 2 * b;
    if (a == b) {
      for (int side = 0; side < 2; ++side)
        if (of_a[side] >= 0 && leaf[of_a[side]] < 0 && depth < 4 * kDeepest) stack[depth++] = {of_a[side], of_a[side]};
      push_overlap(of_a[0], of_a[1]);
    } else if (leaf[a] >= 0 || leaf[b] >= 0) {
      for (int side = 0; side < 2; ++side) push_overlap(leaf[a] >= 0 ? a : of_a[side], leaf[a] >= 0 ? of_b[side] : b);
    } else {
      for (int i = 0; i < 4; ++i) push_overlap(of_a[i & 1], of_b[i >> 1]);
    }
  }
}

/// The modes narrow and sap find the same pairs in a different order: narrow by the numbers of the elements, sap in the
/// order in which a sweep along the longest side of the whole meets them. Both are found by the tree and then sorted.
/// The sweep compares in single precision; of elements that merely touch along its axis it drops those with the higher
/// number first.
void FlexCollider::sweep_itself(int flex) {
  struct Found {
    std::uint64_t key[2];
    int first, second;
  };
  const bool narrow = m_.flex_selfcollide[flex] == static_cast<int>(FlexSelf::Narrow);
  const double* half = Side::of_flex(m_, d_, flex).aabb(0) + 3;
  const int axis = half[0] > half[1] && half[0] > half[2] ? 0 : half[1] > half[2] ? 1 : 2;
  const auto ordered = [](double x) {  // unsigned comparison gives the numeric order of floats
    const float f = static_cast<float>(x);
    std::uint32_t u;
    std::memcpy(&u, &f, sizeof u);
    return u & 0x80000000u ? ~u : u | 0x80000000u;
  };
  const auto end_key = [&](int e, int upper) {
    const double* box = element_box(flex, e);
    const double x = upper ? box[axis] + box[3 + axis] : box[axis] - box[3 + axis];
    return std::uint64_t{ordered(x)} << 32 | static_cast<std::uint32_t>(2 * e + upper);
  };
  std::size_t count = 0, capacity = 0;
  Found* pairs = nullptr;
  for_each_overlap(flex, [&](int e1, int e2) {
    if (share_body(flex, e1, flex, e2)) return;
    Found pair;
    if (narrow) {
      pair = {{static_cast<std::uint64_t>(std::min(e1, e2)), static_cast<std::uint64_t>(std::max(e1, e2))},
              std::min(e1, e2),
              std::max(e1, e2)};
    } else {
      std::uint64_t start1 = end_key(e1, 0), start2 = end_key(e2, 0);
      if (start1 > start2) {
        std::swap(e1, e2);
        std::swap(start1, start2);
      }
      if (end_key(e1, 1) < start2) return;
      pair = {{start2, start1}, e1, e2};
    }
    if (count == capacity) {
      const std::size_t larger = std::max<std::size_t>(256, 2 * capacity);
      Found* copy = scratch_.take<Found>(larger);
      std::copy_n(pairs, count, copy);
      pairs = copy;
      capacity = larger;
    }
    pairs[count++] = pair;
  });
  std::sort(pairs, pairs + count, [](const Found& a, const Found& b) {
    return a.key[0] != b.key[0] ? a.key[0] < b.key[0] : a.key[1] < b.key[1];
  });
  for (std::size_t i = 0; i < count; ++i) collide_near_elements(flex, pairs[i].first, flex, pairs[i].second, 0);
}

/// flex1 is -1 for contacts with geoms.
void FlexCollider::store(int flex1, int flex2) {
  const int count = found_.count();
  if (count == 0 || !room_for_contacts(d_, count)) return;
  ContactParams params;
  for (int i = 0; i < count; ++i) {
    const FlexContact& found = found_[i];
    if (i == 0 || found.geom != found_[i - 1].geom) params = flex_contact_params(m_, found.geom, flex1, flex2);
    Contact& c = d_.contact[d_.ncon++];
    store_contact(found.point, frame_of(found.point), params, c);
    if (found.smooth) c.dim = 1;
    c.geom = {found.geom, -1};
    c.flex = {flex1, flex2};
    c.elem = {found.elem[0], found.elem[1]};
    c.vert = {found.vert[0], found.vert[1]};
  }
}

}  // namespace sinew
