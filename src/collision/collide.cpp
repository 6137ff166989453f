#include "collision/collide.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/arena.h"
#include "collision/broadphase_spheres.h"
#include "collision/broadphase_sweep.h"
#include "collision/contact_store.h"
#include "collision/flex_collide.h"

namespace sinew {
namespace {

/// Packs two bodies into one key; ascending keys are the order of contacts.
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

bool same_frame(const ContactPoint& a, const ContactPoint& b) {
  return a.normal.x == b.normal.x && a.normal.y == b.normal.y && a.normal.z == b.normal.z &&
         a.tangent.x == b.tangent.x && a.tangent.y == b.tangent.y && a.tangent.z == b.tangent.z;
}

/// Appends the contacts of a pair to those of the world.
void store_contacts(const Model& m, Data& d, const GeomPair& geoms, int pair, std::span<const ContactPoint> found) {
  const int count = static_cast<int>(found.size());
  if (!room_for_contacts(d, count)) return;
  const ContactParams params = contact_params(m, geoms.first, geoms.second, pair);
  Mat3d frame;
  for (int i = 0; i < count; ++i) {
    if (i == 0 || !same_frame(found[i], found[i - 1])) frame = frame_of(found[i]);
    Contact& c = d.contact[d.ncon++];
    store_contact(found[i], frame, params, c);
    c.geom = {geoms.first, geoms.second};
    c.flex = c.elem = c.vert = {-1, -1};
  }
}

/// The path from a broadphase to contacts, with explicit pairs and those of flexes merged in.
template <Broadphase B, class Flexes>
class Collider {
 public:
  Collider(const Model& m, Data& d, Scratch& scratch, B& broadphase, Flexes& flexes)
      : m_(m),
        d_(d),
        broadphase_(broadphase),
        flexes_(flexes),
        found_(scratch.take<ContactPoint>(most_contacts_of_a_pair(m))) {}

  void run() {
    broadphase_.visit(
        [&](const BodyPair& bodies) {
          flexes_up_to(bodies.first);
          const Signature s = signature(bodies.first, bodies.second);
          explicit_pairs_up_to(s);
          return !excluded(s);
        },
        [&](const GeomPair& geoms) {
          if (!named(geoms.first, geoms.second)) collide_geoms(geoms, -1);
        });
    flexes_up_to(static_cast<int>(m_.nbody));
    explicit_pairs_up_to(~Signature{0});
    flexes_.flexes();
  }

 private:
  void flexes_up_to(int body) {
    flexes_.bodies_before(body, [&](int first, int second) { explicit_pairs_up_to(signature(first, second)); });
  }

  /// With the flag sleep an explicit pair needs an awake body, even if nothing sleeps.
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
      if (awake(a) || awake(b)) collide_geoms(ordered_by_type(m_, a, b), next_pair_);
    }
  }

  /// Exclusions are in ascending order, like the body pairs.
  bool excluded(Signature s) {
    while (next_exclude_ < m_.nexclude && exclude_signature(m_, next_exclude_) < s) ++next_exclude_;
    return next_exclude_ < m_.nexclude && exclude_signature(m_, next_exclude_) == s;
  }

  /// An explicit pair of the current bodies replaces the automatic one.
  bool named(int a, int b) const {
    for (int i = this_pair_; i < next_pair_; ++i)
      if ((m_.pair_geom1[i] == a && m_.pair_geom2[i] == b) || (m_.pair_geom1[i] == b && m_.pair_geom2[i] == a))
        return true;
    return false;
  }

  /// Whether MuJoCo's bounding-volume trees drop contacts that the pair function might find outside the boxes.
  bool dropped_by_trees(const GeomPair& geoms, const PairRow& row, double margin) const {
    return row.rejection.dropped_by_boxes &&
           !only_as_bodies(m_, m_.geom_bodyid[geoms.first], m_.geom_bodyid[geoms.second]) &&
           row.rejection.dropped_by_boxes(m_, d_, geoms, margin);
  }

  /// Rejection, pair function, contacts; with the parameters of an explicit pair, or automatic ones (pair -1). Boxes
  /// are ignored for an explicit pair.
  void collide_geoms(const GeomPair& geoms, int pair) {
    const PairRow& row = pair_row(m_, geoms);
    if (!row.contacts) return;
    const bool automatic = pair < 0;
    const double margin = detection_margin(m_, geoms.first, geoms.second, pair);
    if (automatic && broadphase_.boxes_apart(geoms, row)) return;
    if (row.rejection.apart(m_, d_, geoms, margin)) return;
    if (automatic && dropped_by_trees(geoms, row, margin)) return;
    const int count =
        row.contacts({m_, d_.scratch()}, shape_of(m_, d_, geoms.first), shape_of(m_, d_, geoms.second), margin, found_);
    if (count == 0) return;
    const std::span<const ContactPoint> found(found_, static_cast<std::size_t>(count));
    if (automatic && !broadphase_.boxes_agree(geoms, found, margin)) return;
    store_contacts(m_, d_, geoms, pair, found);
  }

  const Model& m_;
  Data& d_;
  B& broadphase_;
  Flexes& flexes_;
  int next_pair_ = 0, this_pair_ = 0, next_exclude_ = 0;
  ContactPoint* found_;  // output of one pair function
};

/// No contype bit of any body or flex matches a conaffinity bit, and there are no explicit pairs.
bool nothing_can_meet(const Model& m) {
  if (m.npair > 0) return false;
  int contype = 0, conaffinity = 0;
  for (int b = 0; b < m.nbody; ++b) {
    contype |= m.body_contype[b];
    conaffinity |= m.body_conaffinity[b];
  }
  for (int f = 0; f < m.nflex; ++f) {
    contype |= m.flex_contype[f];
    conaffinity |= m.flex_conaffinity[f];
  }
  return (contype & conaffinity) == 0;
}

template <class Flexes>
void collide_with(const Model& m, Data& d, Scratch& scratch, Flexes&& flexes) {
  SphereBroadphase spheres(m, d, scratch);
  if (spheres.find()) return Collider(m, d, scratch, spheres, flexes).run();
  SweepBroadphase sweep(m, d, scratch);
  Collider(m, d, scratch, sweep, flexes).run();
}

}  // namespace

void collide(const Model& m, Data& d) {
  d.ncon = 0;
  if (m.opt.disabled(kDisableConstraint) || m.opt.disabled(kDisableContact) || m.nbody + m.nflex < 2) return;
  if (nothing_can_meet(m)) return;
  const SleepView sleep = sleep_view(m, d);
  if (sleep.body_awake && std::ranges::count(d.body_awake, 1) == 0) return;  // sleeping bodies do not collide
  Scratch scratch(d.scratch());
  if (m.nflex == 0) [[likely]]
    collide_with(m, d, scratch, NoFlexes());
  else
    collide_with(m, d, scratch, FlexCollider(m, d, scratch));
}

}  // namespace sinew
