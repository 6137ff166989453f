#pragma once

#include "base/arena.h"
#include "collision/filter.h"
#include "collision/pairs/flex_element.h"

namespace sinew {

/// A contact with a flex before its parameters are known.
struct FlexContact {
  ContactPoint point;
  int geom;     // of the first side; -1: a flex
  int elem[2];  // -1: none
  int vert[2];  // -1: none
  bool smooth;  // without friction

  /// Contacts of two objects are sorted by what touches: a geom, an element, or else a vertex.
  int object(int side) const { return side == 0 && geom >= 0 ? geom : elem[side] >= 0 ? elem[side] : vert[side]; }
};

/// Contacts found for two objects, of which only kMost are kept.
class FlexContacts {
 public:
  static constexpr int kMost = 50;

  explicit FlexContacts(Scratch& scratch);
  void clear() { count_ = 0; }
  /// Room for one more pair function's contacts.
  ContactPoint* buffer() { return buffer_; }
  void add(const FlexContact& contact);
  /// More than kMost are reduced to a selection in which each is far from those before it.
  void reduce(Arena& arena);
  void sort();
  int count() const { return count_; }
  const FlexContact& operator[](int i) const { return contact_[i]; }

 private:
  Scratch& scratch_;
  ContactPoint* buffer_;
  FlexContact* contact_ = nullptr;
  int count_ = 0, capacity_ = 0;
};

/// Contacts of flexes with bodies, with each other and with themselves. In the order of contacts flex f counts as body
/// nbody + f.
class FlexCollider {
 public:
  FlexCollider(const Model& m, Data& d, Scratch& scratch);

  /// Pairs of a flex with the bodies before `body` that were not yet visited; before(first, second) is called before
  /// each.
  template <class Before>
  void bodies_before(int body, Before&& before) {
    for (; next_body_ < body; ++next_body_) {
      if (!body_is_collidable(m_, next_body_)) continue;
      for (int f = 0; f < m_.nflex; ++f) {
        if (!may_collide(next_body_, f)) continue;
        before(next_body_, static_cast<int>(m_.nbody) + f);
        collide_body(next_body_, f);
      }
    }
  }
  /// Then pairs of flexes, and each flex with itself.
  void flexes();

 private:
  struct Side;  // one of two trees

  bool may_collide(int body, int flex) const;
  bool may_collide_flexes(int flex1, int flex2) const;
  bool collides_with_itself(int flex) const;
  bool has_tree(int flex) const;

  void collide_body(int body, int flex);
  void collide_body_tree(int body, int flex);
  void collide_geom_flex(int geom, int flex);
  void collide_plane(int geom, int flex);
  void collide_field(int geom, int flex);
  void collide_geom(int geom, int flex, int elem);
  void collide_flex_pair(int flex1, int flex2);
  void collide_flex_elements(int flex1, int elem1, int flex2, int elem2);
  void collide_near_elements(int flex1, int elem1, int flex2, int elem2, double margin);
  void collide_inside(int flex);
  void collide_itself(int flex);
  void sweep_itself(int flex);
  void all_of_itself(int flex);
  template <class Leaves>
  void traverse(const Side& a, const Side& b, double margin, bool same, Leaves&& leaves) const;
  template <class Visit>
  void for_each_overlap(int flex, Visit&& visit) const;

  bool touches_body(int flex, int elem, int body) const;
  bool share_body(int flex1, int elem1, int flex2, int elem2) const;
  const double* element_box(int flex, int elem) const {
    return &d_.flexelem_aabb[6 * static_cast<std::size_t>(m_.flex_elemadr[flex] + elem)];
  }
  const int* corners(int flex, int elem) const {
    return m_.flex_elem.data() + m_.flex_elemdataadr[flex] + (m_.flex_dim[flex] + 1) * elem;
  }
  bool is_active(int flex, int elem) const {
    return m_.flex_dim[flex] < 3 || m_.flex_elemlayer[m_.flex_elemadr[flex] + elem] < m_.flex_activelayers[flex];
  }
  void store(int flex1, int flex2);

  const Model& m_;
  Data& d_;
  Scratch& scratch_;
  SleepView sleep_;
  FlexContacts found_;
  int* state_ = nullptr;  // of each flex as in body_awake; null: nothing sleeps
  int next_body_ = 0;
};

/// Stands for FlexCollider in a model without flexes.
struct NoFlexes {
  template <class Before>
  void bodies_before(int, Before&&) const {}
  void flexes() const {}
};

}  // namespace sinew
