#include "constraint/islands.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "base/arena.h"
#include "constraint/equality.h"
#include "constraint/kinds.h"

namespace sinew {
namespace {

/// Disjoint sets of trees; the representative of a set is its lowest tree.
class TreeSets {
 public:
  TreeSets(int n, Scratch& scratch) : parent_(scratch.take<int>(n)), touched_(scratch.zeros<bool>(n)) {
    for (int i = 0; i < n; ++i) parent_[i] = i;
  }
  int find(int a) {
    while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
    return a;
  }
  /// Joins the trees; -1 stands for what no dof moves.
  void join(int a, int b) {
    if (a >= 0) touched_[a] = true;
    if (b >= 0) touched_[b] = true;
    if (a < 0 || b < 0) return;
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  bool touched(int a) const { return touched_[a]; }

 private:
  int* parent_;
  bool* touched_;
};

/// Joins what one constraint touches and returns one of its trees (-1: none).
int join_trees(const Model& m, const Data& d, int row, bool dense, TreeSets& sets) {
  const int id = d.efc_id[row];
  int a = -1, b = -1;
  switch (static_cast<ConstraintKind>(d.efc_type[row])) {
    case ConstraintKind::FrictionDof: a = m.dof_treeid[id]; break;
    case ConstraintKind::LimitJoint: a = m.dof_treeid[m.jnt_dofadr[id]]; break;
    case ConstraintKind::ContactFrictionless:
    case ConstraintKind::ContactPyramidal:
    case ConstraintKind::ContactElliptic:
      a = m.body_treeid[m.geom_bodyid[d.contact[id].geom[0]]];
      b = m.body_treeid[m.geom_bodyid[d.contact[id].geom[1]]];
      break;
    case ConstraintKind::Equality: {
      const auto type = static_cast<EqualityType>(m.eq_type[id]);
      if (type == EqualityType::Connect || type == EqualityType::Weld) {
        const bool sites = m.eq_objtype[id] == static_cast<int>(ObjType::Site);
        a = m.body_treeid[sites ? m.site_bodyid[m.eq_obj1id[id]] : m.eq_obj1id[id]];
        b = m.body_treeid[sites ? m.site_bodyid[m.eq_obj2id[id]] : m.eq_obj2id[id]];
        break;
      }
      [[fallthrough]];
    }
    default: {
      // a row of coupled coordinates: the trees that it has columns of (dense: numbers that are not zero)
      int first = -1;
      for (int k = d.efc_J_rowadr[row]; k < d.efc_J_rowadr[row] + d.efc_J_rownnz[row]; ++k) {
        if (dense && d.efc_J[k] == 0) continue;
        const int tree = m.dof_treeid[d.efc_J_colind[k]];
        sets.join(first < 0 ? tree : first, tree);
        if (first < 0) first = tree;
      }
      return first;
    }
  }
  sets.join(a, b);
  return a >= 0 ? a : b;
}

/// Positions of n elements sorted by island, stable; those in no island (-1) last.
void sort_by_island(const int* island, int n, int nisland, int* count, int* start, int* order) {
  std::fill_n(count, nisland, 0);
  for (int i = 0; i < n; ++i)
    if (island[i] >= 0) ++count[island[i]];
  int next = 0;
  for (int k = 0; k < nisland; ++k) {
    start[k] = next;
    next += count[k];
  }
  for (int i = 0; i < n; ++i)
    if (island[i] < 0) order[next++] = i;
  for (int i = 0; i < n; ++i)
    if (island[i] >= 0) order[start[island[i]]++] = i;
  for (int k = 0; k < nisland; ++k) start[k] -= count[k];
}

/// Every tree and every row belongs to an island.
bool is_everything(const Data& d, int ntree, const int* tree_of_row) {
  return std::all_of(d.tree_island.data(), d.tree_island.data() + ntree, [](int island) { return island >= 0; }) &&
         std::all_of(tree_of_row, tree_of_row + d.nefc, [](int tree) { return tree >= 0; });
}

/// One island with everything in it: all numbers are the world's own.
void number_as_world(const Model& m, Data& d) {
  const auto count_up = [](int* map, std::int64_t n) { std::iota(map, map + n, 0); };
  count_up(d.map_itree2tree.data(), m.ntree);
  count_up(d.map_idof2dof.data(), m.nv);
  count_up(d.map_dof2idof.data(), m.nv);
  count_up(d.map_iefc2efc.data(), d.nefc);
  count_up(d.map_efc2iefc.data(), d.nefc);
  std::ranges::fill(d.dof_island, 0);
  std::fill_n(d.efc_island.data(), d.nefc, 0);
  d.nidof = d.island_nv[0] = static_cast<int>(m.nv);
  d.island_ntree[0] = static_cast<int>(m.ntree);
  d.island_nefc[0] = d.nefc;
  d.island_ne[0] = d.ne;
  d.island_nf[0] = d.nf;
  d.island_itreeadr[0] = d.island_idofadr[0] = d.island_iefcadr[0] = d.island_dofadr[0] = 0;
}

}  // namespace

void find_islands(const Model& m, Data& d) {
  d.nisland = d.nidof = 0;
  if (m.opt.disabled(kDisableIsland) || d.nefc == 0) return;
  Scratch scratch(d.scratch());
  const int ntree = static_cast<int>(m.ntree), nv = static_cast<int>(m.nv);
  TreeSets sets(ntree, scratch);
  int* tree_of_row = scratch.take<int>(d.nefc);
  const bool dense = uses_dense_jacobian(m);
  for (int row = 0; row < d.nefc; ++row) {
    const bool same = row > 0 && d.efc_type[row] == d.efc_type[row - 1] && d.efc_id[row] == d.efc_id[row - 1];
    tree_of_row[row] = same ? tree_of_row[row - 1] : join_trees(m, d, row, dense, sets);
  }
  for (int t = 0; t < ntree; ++t) {
    if (!sets.touched(t))
      d.tree_island[t] = -1;
    else
      d.tree_island[t] = sets.find(t) == t ? d.nisland++ : d.tree_island[sets.find(t)];
  }
  if (d.island_nv.size() < static_cast<std::size_t>(d.nisland)) d.grow_rows();
  if (d.nisland == 1 && is_everything(d, ntree, tree_of_row)) {
    number_as_world(m, d);
    return;
  }
  sort_by_island(d.tree_island.data(), ntree, d.nisland, d.island_ntree.data(), d.island_itreeadr.data(),
                 d.map_itree2tree.data());
  for (int i = 0; i < nv; ++i) d.dof_island[i] = d.tree_island[m.dof_treeid[i]];
  sort_by_island(d.dof_island.data(), nv, d.nisland, d.island_nv.data(), d.island_idofadr.data(),
                 d.map_idof2dof.data());
  for (int i = 0; i < nv; ++i) d.map_dof2idof[d.map_idof2dof[i]] = i;

  for (int row = 0; row < d.nefc; ++row)
    d.efc_island[row] = tree_of_row[row] < 0 ? -1 : d.tree_island[tree_of_row[row]];
  sort_by_island(d.efc_island.data(), d.nefc, d.nisland, d.island_nefc.data(), d.island_iefcadr.data(),
                 d.map_iefc2efc.data());
  for (int i = 0; i < d.nefc; ++i) d.map_efc2iefc[d.map_iefc2efc[i]] = i;
  for (int k = 0; k < d.nisland; ++k) {
    d.island_dofadr[k] = d.map_idof2dof[d.island_idofadr[k]];
    d.nidof += d.island_nv[k];
    d.island_ne[k] = d.island_nf[k] = 0;
  }
  for (int row = 0; row < d.ne + d.nf; ++row)
    if (d.efc_island[row] >= 0) ++(row < d.ne ? d.island_ne : d.island_nf)[d.efc_island[row]];
}

}  // namespace sinew
