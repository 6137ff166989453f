#include <algorithm>
#include <array>
#include <cmath>

#include "base/arena.h"
#include "collision/contact_params.h"
#include "collision/filter.h"
#include "collision/pair_table.h"
#include "derivative/constraint.h"
#include "derivative/contact_geometry.h"
#include "derivative/switches.h"

// Contacts that appear, vanish or jump when one component of the state changes slightly.

namespace sinew {
namespace {

using Geoms = std::array<int, 2>;

class PairSwitches {
 public:
  PairSwitches(const SwitchSearch& search, const DerivativeState& s) : search_(search), m_(search.m), d_(search.d) {
    known_rates_ = d_.nefc > 0;
    if (known_rates_) rates_ = &s.constraints->contact_rates();
  }

  void find() {
    for (int c = 0; c < d_.ncon;) {
      int end = c + 1;
      while (end < d_.ncon && d_.contact[end].geom == d_.contact[c].geom) ++end;
      present(c, end - c);
      touching_.push_back({d_.contact[c].geom[0], d_.contact[c].geom[1]});
      c = end;
    }
    std::ranges::sort(touching_);
    if (m_.opt.disabled(kDisableConstraint) || m_.opt.disabled(kDisableContact)) return;
    for (int p = 0; p < m_.npair; ++p) absent(m_.pair_geom1[p], m_.pair_geom2[p], p);
    const SleepView sleep;
    std::vector<BodyFilter> filter;
    for (int b = 0; b < m_.nbody; ++b) filter.emplace_back(m_, sleep, b);
    for (int a = 0; a < m_.nbody; ++a)
      for (int b = a + 1; b < m_.nbody; ++b)
        if (bodies_may_collide(filter[a], filter[b]) && !excluded(a, b)) absent_of_bodies(a, b);
  }

 private:
  /// Largest rate of the distance of two geoms with one component, over all points near the smaller geom.
  double rate_of(int geom1, int geom2) const {
    const double r1 = m_.geom_rbound[geom1], r2 = m_.geom_rbound[geom2];
    const int small = r1 > 0 && (r1 < r2 || !(r2 > 0)) ? geom1 : geom2;
    const Vec3<double> center = Vec3<double>::load(&d_.geom_xpos[3 * small]);
    const double radius = m_.geom_rbound[small];
    return std::max(most_speed(m_, d_, m_.geom_bodyid[geom1], center, radius),
                    most_speed(m_, d_, m_.geom_bodyid[geom2], center, radius));
  }

  /// Existing contacts: near the distance at which they are listed or get rows, or about to change their points.
  void present(int first, int count) {
    const int a = d_.contact[first].geom[0], b = d_.contact[first].geom[1];
    const double rate = rate_of(a, b), listed = detection_margin(m_, a, b, explicit_pair(m_, a, b));
    bool stay = true;
    for (int c = first; c < first + count; ++c) {
      const Contact& contact = d_.contact[c];
      if (search_.within(contact.dist - contact.includemargin, rate) || search_.within(contact.dist - listed, rate))
        search_.add(SwitchKind::Pair, a, b);
      if (known_rates_) stay &= (*rates_)[c].smooth;
      if (known_rates_ && (*rates_)[c].curved) search_.report.curved.push_back(c);
    }
    if (stay && has_closed_form(m_, a, b))
      stay = contacts_stay(m_, d_, first, count, search_.eps * std::max(1.0, rate));
    if (!stay) search_.add(SwitchKind::Feature, first);
  }

  bool excluded(int body1, int body2) const {
    const int signature = (body1 << 16) + body2;
    return std::ranges::find(m_.exclude_signature, signature) != m_.exclude_signature.end();
  }

  void absent_of_bodies(int a, int b) {
    for (int i = m_.body_geomadr[a]; i < m_.body_geomadr[a] + m_.body_geomnum[a]; ++i)
      for (int j = m_.body_geomadr[b]; j < m_.body_geomadr[b] + m_.body_geomnum[b]; ++j)
        if (geoms_may_collide(m_, i, j) && explicit_pair(m_, i, j) < 0) absent(i, j, -1);
  }

  /// No contact now: checks for one with a slightly larger margin.
  void absent(int geom1, int geom2, int pair) {
    constexpr double kRoom = 1e-3;  // of the radii: more than the geoms can move
    const GeomPair geoms = ordered_by_type(m_, geom1, geom2);
    const int a = geoms.first, b = geoms.second;
    const PairRow& row = pair_row(m_, geoms);
    if (!row.contacts) return;
    const double margin = detection_margin(m_, a, b, pair);
    const double room = kRoom * (m_.geom_rbound[a] + m_.geom_rbound[b]);
    if (row.rejection.apart(m_, d_, geoms, margin + room)) return;
    if (std::ranges::binary_search(touching_, Geoms{a, b})) return;
    Scratch scratch(d_.scratch());
    ContactPoint* found = scratch.take<ContactPoint>(most_contacts_of_a_pair(m_));
    const double more = search_.eps * rate_of(a, b);
    if (more > 0 &&
        row.contacts({m_, d_.scratch()}, shape_of(m_, d_, a), shape_of(m_, d_, b), margin + more, found) > 0)
      search_.add(SwitchKind::Pair, a, b);
  }

  const SwitchSearch& search_;
  const Model& m_;
  Data& d_;
  bool known_rates_ = false;
  const std::vector<ContactRate>* rates_ = nullptr;
  std::vector<Geoms> touching_;  // pairs with contacts
};

}  // namespace

void find_pair_switches(const SwitchSearch& search, const DerivativeState& s) { PairSwitches(search, s).find(); }

}  // namespace sinew
