#include "collision/collide.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/arena.h"
#include "base/limits.h"
#include "collision/broadphase.h"
#include "collision/contact_params.h"
#include "collision/few_geoms.h"
#include "collision/frame.h"
#include "collision/midphase.h"
#include "collision/pair_table.h"
#include "collision/pairs/pairs.h"
#include "collision/touching.h"

namespace sinew {
namespace {

constexpr int kPlane = static_cast<int>(GeomType::Plane), kSphere = static_cast<int>(GeomType::Sphere),
              kCapsule = static_cast<int>(GeomType::Capsule), kBox = static_cast<int>(GeomType::Box);

/// Bodies as one number; ascending numbers are the order of contacts.
using Signature = std::uint64_t;
Signature signature(int first, int second) {
  return static_cast<Signature>(first) << 32 | static_cast<unsigned>(second);
}

/// The two bodies of an explicit pair, the lower one first.
Signature pair_signature(const Model& m, int pair) {
  const int a = m.geom_bodyid[m.pair_geom1[pair]], b = m.geom_bodyid[m.pair_geom2[pair]];
  return signature(std::min(a, b), std::max(a, b));
}

/// An exclusion packs its bodies into 16 bits each.
Signature exclude_signature(const Model& m, int exclude) {
  const auto packed = static_cast<std::uint32_t>(m.exclude_signature[exclude]);
  return signature(static_cast<int>(packed >> 16), static_cast<int>(packed & 0xffff));
}

/// Spheres around both geoms, or one of them against a plane (the first: its type is the lowest).
bool bounding_spheres_apart(const Model& m, const Data& d, const GeomPair& geoms, double margin) {
  const int a = geoms.first, b = geoms.second;
  const double radius_a = m.geom_rbound[a], radius_b = m.geom_rbound[b];
  const Vec3d offset = Vec3d::load(&d.geom_xpos[3 * b]) - Vec3d::load(&d.geom_xpos[3 * a]);
  if (m.geom_type[a] == kPlane) {
    const double* mat = &d.geom_xmat[9 * a];
    return !(dot(Vec3d{mat[2], mat[5], mat[8]}, offset) <= margin + radius_b);
  }
  if (!(radius_a > 0 && radius_b > 0)) return false;
  const double reach = radius_a + radius_b + margin;
  return !(dot(offset, offset) <= reach * reach);
}

/// The line between the centres separates two capsules: along it their segments reach no farther than their half axes.
/// Most capsules whose boxes overlap end here.
bool capsules_apart(const Model& m, const Data& d, const GeomPair& geoms, double margin) {
  constexpr double kHair = 1e-11;
  const double *size_a = &m.geom_size[3 * geoms.first], *size_b = &m.geom_size[3 * geoms.second];
  const double *mat_a = &d.geom_xmat[9 * geoms.first], *mat_b = &d.geom_xmat[9 * geoms.second];
  const Vec3d offset = Vec3d::load(&d.geom_xpos[3 * geoms.second]) - Vec3d::load(&d.geom_xpos[3 * geoms.first]);
  const double length2 = dot(offset, offset);
  const double along = std::abs(dot(Vec3d{mat_a[2], mat_a[5], mat_a[8]}, offset)) * size_a[1] +
                       std::abs(dot(Vec3d{mat_b[2], mat_b[5], mat_b[8]}, offset)) * size_b[1];
  const double gap = length2 - along - kHair * (length2 + along);
  const double reach = size_a[0] + size_b[0] + margin;
  return gap > 0 && gap * gap > reach * reach * length2;
}

/// A face of the box separates it from the sphere.
bool sphere_beyond_face(const Model& m, const Data& d, const GeomPair& geoms, double margin) {
  constexpr double kHair = 1e-11;
  const double *size = &m.geom_size[3 * geoms.second], *mat = &d.geom_xmat[9 * geoms.second];
  const double reach = m.geom_size[3 * geoms.first] + margin;
  const Vec3d offset = Vec3d::load(&d.geom_xpos[3 * geoms.first]) - Vec3d::load(&d.geom_xpos[3 * geoms.second]);
  bool beyond = false;
  for (int k = 0; k < 3; ++k) {
    const double along = std::abs(mat[k] * offset.x + mat[3 + k] * offset.y + mat[6 + k] * offset.z);
    beyond |= along - kHair * along > size[k] + reach;
  }
  return beyond;
}

/// What a cheap test can tell, the one that fits the pair best.
bool apart(const Model& m, const Data& d, PairFunction function, const GeomPair& geoms, double margin) {
  if (function == collide_capsule_capsule) return capsules_apart(m, d, geoms, margin);
  if (function == collide_sphere_box && sphere_beyond_face(m, d, geoms, margin)) return true;
  return bounding_spheres_apart(m, d, geoms, margin);
}

void make_room(Data& d, int more) {
  const auto needed = static_cast<std::size_t>(d.ncon) + static_cast<std::size_t>(more);
  if (needed > d.contact.size()) d.contact.resize(std::max(needed, 2 * d.contact.size()));
}

Mat3d frame_of(const ContactPoint& point) {
  Vec3d normal = point.normal;
  normalize(normal);
  return contact_frame(normal, point.tangent);
}

bool same_frame(const ContactPoint& a, const ContactPoint& b) {
  return a.normal.x == b.normal.x && a.normal.y == b.normal.y && a.normal.z == b.normal.z &&
         a.tangent.x == b.tangent.x && a.tangent.y == b.tangent.y && a.tangent.z == b.tangent.z;
}

void store_contact(const ContactPoint& point, const Mat3d& frame, const ContactParams& p, const GeomPair& geoms,
                   Contact& c) {
  c.dist = point.dist;
  point.pos.store(c.pos.data());
  frame.store(c.frame.data());
  c.includemargin = p.margin;
  c.friction = p.friction;
  c.solref = p.solref;
  c.solreffriction = p.solreffriction;
  c.solimp = p.solimp;
  c.adhesion = p.adhesion;
  c.mu = 0;
  c.geom = {geoms.first, geoms.second};
  c.efc_address = -1;
  const bool beyond = point.dist >= p.margin;
  c.exclude = beyond && p.adhesion == 0 ? 1 : 0;
  c.dim = beyond && p.adhesion != 0 ? 1 : p.dim;
}

/// Runs the stage: body pairs in order, explicit pairs merged in.
class Collider {
 public:
  Collider(const Model& m, Data& d, Scratch& scratch) : m_(m), d_(d), scratch_(scratch), touching_(m, d) {
    found_ = scratch_.take<ContactPoint>(std::max(m_.opt.sdf_initpoints, kMaxContactsHfield));
  }

  void run() {
    NearPairs pairs;
    if (!d_.callbacks.contact_filter && pairs_of_few_geoms(m_, d_, scratch_, pairs))
      collide_few(pairs);
    else
      collide_many();
    explicit_pairs_up_to(~Signature{0});
  }

 private:
  void collide_few(const NearPairs& pairs) {
    bounds_.geom = scratch_.take<Box>(m_.ngeom);
    box_known_ = scratch_.zeros<bool>(m_.ngeom);
    Signature last = ~Signature{0};
    bool skip = false;
    for (int i = 0; i < pairs.count; ++i) {
      const auto& [bodies, geoms] = pairs.pair[i];
      const Signature s = signature(bodies.first, bodies.second);
      if (s != last) {
        explicit_pairs_up_to(s);
        skip = excluded(s);
        last = s;
      }
      if (!skip && !named(geoms.first, geoms.second)) collide_near(ordered_by_type(m_, geoms.first, geoms.second));
    }
  }

  void collide_many() {
    bounds_ = compute_bounds(m_, d_, scratch_);
    const BodyPairs pairs = body_pairs(m_, d_, bounds_, scratch_);
    near_[0] = scratch_.take<int>(m_.ngeom);
    near_[1] = scratch_.take<int>(m_.ngeom);
    for (std::size_t i = 0; i < pairs.count; ++i) {
      const BodyPair& bodies = pairs.pair[i];
      const Signature s = signature(bodies.first, bodies.second);
      explicit_pairs_up_to(s);
      if (!excluded(s)) automatic_pairs(bodies);
    }
  }

  /// With the flag sleep an explicit pair needs a body that is awake, even where nothing sleeps.
  void explicit_pairs_up_to(Signature s) {
    const auto awake = [&](int geom) {
      return !m_.opt.enabled(kEnableSleep) || d_.body_awake[m_.geom_bodyid[geom]] == 1;
    };
    this_pair_ = next_pair_;
    for (; next_pair_ < m_.npair; ++next_pair_) {
      const Signature of_pair = pair_signature(m_, next_pair_);
      if (of_pair > s) break;
      if (of_pair < s) this_pair_ = next_pair_ + 1;
      const int a = m_.pair_geom1[next_pair_], b = m_.pair_geom2[next_pair_];
      if (!awake(a) && !awake(b)) continue;
      collide_geoms(a, b, next_pair_);
    }
  }

  /// Exclusions are in ascending order, as the body pairs are.
  bool excluded(Signature s) {
    while (next_exclude_ < m_.nexclude && exclude_signature(m_, next_exclude_) < s) ++next_exclude_;
    return next_exclude_ < m_.nexclude && exclude_signature(m_, next_exclude_) == s;
  }

  /// An explicit pair of the bodies at hand takes the place of the automatic one.
  bool named(int a, int b) const {
    for (int i = this_pair_; i < next_pair_; ++i)
      if ((m_.pair_geom1[i] == a && m_.pair_geom2[i] == b) || (m_.pair_geom1[i] == b && m_.pair_geom2[i] == a))
        return true;
    return false;
  }

  bool wanted(int a, int b) const { return may_collide(a, b) && !named(a, b); }

  /// The user's filter takes the place of the masks of the geoms; those of the bodies count in any case.
  bool may_collide(int a, int b) const {
    if (!d_.callbacks.contact_filter) return geoms_may_collide(m_, a, b);
    const GeomPair geoms = ordered_by_type(m_, a, b);
    return !d_.callbacks.contact_filter(m_, d_, geoms.first, geoms.second);
  }

  void automatic_pairs(const BodyPair& bodies) {
    const int a = bodies.first, b = bodies.second;
    const int geom_a = m_.body_geomadr[a], geom_b = m_.body_geomadr[b];
    const int count_a = m_.body_geomnum[a], count_b = m_.body_geomnum[b];
    if (count_a == 1 && count_b == 1) {
      if (wanted(geom_a, geom_b)) collide_geoms(geom_a, geom_b, -1);
    } else if (m_.opt.disabled(kDisableMidphase)) {
      for (int i = geom_a; i < geom_a + count_a; ++i)
        for (int j = geom_b; j < geom_b + count_b; ++j)
          if (wanted(i, j)) collide_geoms(i, j, -1);
    } else {
      near_geoms(a, b);
    }
  }

  /// Geom pairs whose boxes overlap, in ascending order as they stand in the contact.
  void near_geoms(int a, int b) {
    const int count_b = geoms_near(b, a, near_[1]);
    const int count_a = count_b == 0 ? 0 : geoms_near(a, b, near_[0]);
    if (count_a == 0) return;
    Scratch scratch(d_.scratch());
    GeomPair* pair = scratch.take<GeomPair>(static_cast<std::size_t>(count_a) * count_b);
    int n = 0;
    for (int i = 0; i < count_a; ++i)
      for (int j = 0; j < count_b; ++j)
        if (boxes_overlap(near_[0][i], near_[1][j]) && wanted(near_[0][i], near_[1][j]))
          pair[n++] = ordered_by_type(m_, near_[0][i], near_[1][j]);
    std::sort(pair, pair + n, [](const GeomPair& x, const GeomPair& y) {
      return x.first != y.first ? x.first < y.first : x.second < y.second;
    });
    for (int i = 0; i < n; ++i) collide_geoms(pair[i].first, pair[i].second, -1);
  }

  bool has_box(int body) const { return body != 0 || m_.body_geomnum[0] <= kManyGeoms; }

  /// Geoms of `body` near the other body; all of them where the other one has no box of its own.
  int geoms_near(int body, int other, int* out) const {
    if (has_box(other)) return geoms_in_box(m_, d_, bounds_, body, bounds_.body[other], out);
    for (int i = 0; i < m_.body_geomnum[body]; ++i) out[i] = m_.body_geomadr[body] + i;
    return m_.body_geomnum[body];
  }

  bool boxes_overlap(int a, int b) const {
    return !has_box(m_.geom_bodyid[a]) || !has_box(m_.geom_bodyid[b]) || overlap(bounds_.geom[a], bounds_.geom[b]);
  }

  bool either_meets_every_body(int a, int b) const { return meets_every_body(m_, a) || meets_every_body(m_, b); }
  /// Two geoms that are their bodies' only ones, or are to be tested without their boxes.
  bool only_as_bodies(int a, int b) const {
    return m_.opt.disabled(kDisableMidphase) || (m_.body_geomnum[a] == 1 && m_.body_geomnum[b] == 1);
  }
  /// Whether the boxes have a say about geoms of these bodies.
  bool boxes_count(int a, int b) const { return !only_as_bodies(a, b) || !either_meets_every_body(a, b); }

  /// What the boxes say about two geoms that came here without them.
  bool boxes_meet(const GeomPair& geoms) {
    const int a = m_.geom_bodyid[geoms.first], b = m_.geom_bodyid[geoms.second];
    if (!either_meets_every_body(a, b)) {
      const BodyPair bodies = {std::min(a, b), std::max(a, b)};
      const Box first = body_box(m_, d_, bodies.first), second = body_box(m_, d_, bodies.second);
      if (!first.finite() || !second.finite() || !(overlap_depth(first, second) >= 0)) return false;
      if (touching_.drops(bodies, first, second)) return false;
    }
    if (only_as_bodies(a, b) || !has_box(a) || !has_box(b)) return true;
    return overlap(box_of(geoms.first), box_of(geoms.second));
  }

  /// Shapes that can only be taken apart by more than rounding have boxes that overlap as much. A plane that moves has
  /// a box of its own kind.
  bool clearly_meet(const GeomPair& geoms, int count, double margin) const {
    constexpr double kClear = 1e-6;
    if (m_.geom_type[geoms.first] == kPlane && !meets_every_body(m_, m_.geom_bodyid[geoms.first])) return false;
    return std::any_of(found_, found_ + count, [&](const ContactPoint& p) {
      const double size = 1 + std::abs(p.pos.x) + std::abs(p.pos.y) + std::abs(p.pos.z);
      return margin - p.dist > kClear * size;
    });
  }

  /// The box of a geom, made when it is first asked for.
  const Box& box_of(int geom) {
    if (!box_known_[geom]) bounds_.geom[geom] = geom_box(m_, d_, geom);
    box_known_[geom] = true;
    return bounds_.geom[geom];
  }

  /// Two geoms whose spheres overlap; nothing is known of their boxes, which are only made where there is no better
  /// test.
  void collide_near(const GeomPair& geoms) {
    const int a = geoms.first, b = geoms.second;
    const double margin = detection_margin(m_, a, b, -1);
    const int type1 = m_.geom_type[a], type2 = m_.geom_type[b];
    const bool finer =
        type1 == kPlane || (type1 == kCapsule && type2 == kCapsule) || (type1 == kSphere && type2 == kBox);
    if (!finer && boxes_count(m_.geom_bodyid[a], m_.geom_bodyid[b]) && !overlap(box_of(a), box_of(b))) return;
    const int count = find_contacts(geoms, margin);
    if (count > 0 && (clearly_meet(geoms, count, margin) || boxes_meet(geoms))) store_contacts(geoms, -1, count);
  }

  /// Contacts with the parameters of an explicit pair, or automatic ones (pair -1).
  void collide_geoms(int geom1, int geom2, int pair) {
    const GeomPair geoms = ordered_by_type(m_, geom1, geom2);
    const int count = find_contacts(geoms, detection_margin(m_, geoms.first, geoms.second, pair));
    if (count > 0) store_contacts(geoms, pair, count);
  }

  /// Asks the pair function, where nothing cheaper shows that the geoms are apart.
  int find_contacts(const GeomPair& geoms, double margin) {
    const auto type1 = static_cast<GeomType>(m_.geom_type[geoms.first]);
    const auto type2 = static_cast<GeomType>(m_.geom_type[geoms.second]);
    const PairFunction function = pair_function(type1, type2);
    if (!function) return 0;
    if (apart(m_, d_, function, geoms, margin)) return 0;
    if (type1 == GeomType::Plane && type2 == GeomType::Mesh &&
        mesh_above_plane(m_, d_, geoms.first, geoms.second, margin))
      return 0;
    const bool iterative = function == collide_convex;
    if (iterative && apart_along_centers(m_, d_, geoms.first, geoms.second, margin)) return 0;
    const Shape a = shape_of(m_, d_, geoms.first), b = shape_of(m_, d_, geoms.second);
    if (iterative && oriented_boxes_apart(m_, a, b, margin)) return 0;
    return function({m_, d_.scratch()}, a, b, margin, found_);
  }

  /// Appends what was found to the contacts of the world. A heap in which everything touches everything must not take
  /// all memory: contacts beyond the limit are dropped, and counted as a warning.
  void store_contacts(const GeomPair& geoms, int pair, int count) {
    if (d_.ncon > limits::kContacts - count) {
      WarningStat& full = d_.warning[static_cast<int>(Warning::ContactFull)];
      ++full.number;
      full.lastinfo = d_.ncon;
      return;
    }
    const ContactParams params = contact_params(m_, geoms.first, geoms.second, pair);
    make_room(d_, count);
    Mat3d frame;
    for (int i = 0; i < count; ++i) {
      if (i == 0 || !same_frame(found_[i], found_[i - 1])) frame = frame_of(found_[i]);
      store_contact(found_[i], frame, params, geoms, d_.contact[d_.ncon++]);
    }
  }

  const Model& m_;
  Data& d_;
  Scratch& scratch_;
  TouchingRule touching_;
  Bounds bounds_;
  bool* box_known_ = nullptr;  // of which geoms, where they are few
  int next_pair_ = 0, this_pair_ = 0, next_exclude_ = 0;
  int* near_[2] = {};
  ContactPoint* found_ = nullptr;  // what one pair function finds
};

/// No type of any body meets the affinity of another, and no pair is named.
bool nothing_can_meet(const Model& m) {
  if (m.npair > 0) return false;
  int contype = 0, conaffinity = 0;
  for (int b = 0; b < m.nbody; ++b) {
    contype |= m.body_contype[b];
    conaffinity |= m.body_conaffinity[b];
  }
  return (contype & conaffinity) == 0;
}

}  // namespace

void collide(const Model& m, Data& d) {
  d.ncon = 0;
  if (m.opt.disabled(kDisableConstraint) || m.opt.disabled(kDisableContact) || m.nbody < 2) return;
  if (nothing_can_meet(m)) return;
  const SleepView sleep = sleep_view(m, d);
  if (sleep.body_awake && std::ranges::count(d.body_awake, 1) == 0) return;  // what sleeps does not collide
  Scratch scratch(d.scratch());
  Collider(m, d, scratch).run();
}

}  // namespace sinew
