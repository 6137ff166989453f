#include "constraint/islands.h"

#include <algorithm>
#include <cstdint>

#include "base/arena.h"
#include "base/checked.h"
#include "constraint/equality.h"
#include "constraint/kinds.h"
#include "dynamics/awake.h"
#include "model/equality_kinds.h"
#include "model/flex_bodies.h"

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
  /// Joins the trees; -1: static, no dof.
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

/// A row of coupled coordinates: joins the trees of its columns (dense: of its nonzeros).
int join_columns(const Model& m, const Data& d, int row, bool dense, TreeSets& sets) {
  int first = -1;
  for (int k = d.efc_J_rowadr[row]; k < d.efc_J_rowadr[row] + d.efc_J_rownnz[row]; ++k) {
    if (dense && d.efc_J[k] == 0) continue;
    const int tree = m.dof_treeid[d.efc_J_colind[k]];
    sets.join(first < 0 ? tree : first, tree);
    if (first < 0) first = tree;
  }
  return first;
}

/// Joins the trees of one constraint and returns one of them (-1: none).
int join_trees(const Model& m, const Data& d, int row, bool dense, TreeSets& sets) {
  const int id = d.efc_id[row];
  int a = -1, b = -1;
  switch (static_cast<ConstraintKind>(d.efc_type[row])) {
    case ConstraintKind::FrictionDof: a = m.dof_treeid[id]; break;
    case ConstraintKind::LimitJoint: a = m.dof_treeid[m.jnt_dofadr[id]]; break;
    case ConstraintKind::ContactFrictionless:
    case ConstraintKind::ContactPyramidal:
    case ConstraintKind::ContactElliptic:
      if (d.contact[id].geom[0] < 0 || d.contact[id].geom[1] < 0) {
        const int tree = join_columns(m, d, row, dense, sets);
        // a cone whose normal moves nothing: its tangents do
        return tree < 0 ? join_columns(m, d, row, false, sets) : tree;
      }
      a = m.body_treeid[m.geom_bodyid[d.contact[id].geom[0]]];
      b = m.body_treeid[m.geom_bodyid[d.contact[id].geom[1]]];
      break;
    case ConstraintKind::Equality:
      if (equality_kind(m, id).holds_frames()) {
        a = m.body_treeid[equality_body(m, id, 0)];
        b = m.body_treeid[equality_body(m, id, 1)];
        break;
      }
      [[fallthrough]];
    default: return join_columns(m, d, row, dense, sets);
  }
  sets.join(a, b);
  return a >= 0 ? a : b;
}

/// The elasticity of a flex couples the awake trees of its vertices like a constraint; as in MuJoCo not those of the
/// nodes of an interpolated flex. An island may have no rows then.
void join_elastic_flexes(const Model& m, const Data& d, TreeSets& sets) {
  const Awake awake(m, d);
  for (int f = 0; f < m.nflex; ++f) {
    const int stiffness = m.flex_stiffnessadr[f];
    const bool elastic = m.flex_bendingadr[f] >= 0 || (stiffness >= 0 && m.flex_stiffness[stiffness] != 0);
    if (m.flex_dim[f] < 2 || m.flex_rigid[f] || m.flex_interp[f] != 0 || !elastic) continue;
    int first = -1;
    some_flex_body(m, f, [&](int body) {
      const int tree = m.body_treeid[body];
      if (tree < 0 || !awake.tree(tree)) return false;
      sets.join(first < 0 ? tree : first, tree);
      if (first < 0) first = tree;
      return false;
    });
  }
}

/// Turns the islands' counts into start offsets; returns the total.
int place_islands(const int* count, int nisland, int* start) {
  int next = 0;
  for (int k = 0; k < nisland; ++k) {
    start[k] = next;
    next += count[k];
  }
  return next;
}

/// Trees sorted by island, stable; trees in no island last.
void sort_trees(Data& d, int ntree, int* next) {
  std::fill_n(d.island_ntree.data(), d.nisland, 0);
  for (int t = 0; t < ntree; ++t)
    if (d.tree_island[t] >= 0) ++d.island_ntree[d.tree_island[t]];
  next[d.nisland] = place_islands(d.island_ntree.data(), d.nisland, next);
  std::copy_n(next, d.nisland, d.island_itreeadr.data());
  for (int t = 0; t < ntree; ++t) d.map_itree2tree[next[d.tree_island[t] < 0 ? d.nisland : d.tree_island[t]]++] = t;
}

/// Dofs in the order of their trees.
void sort_dofs(const Model& m, Data& d, int ntree) {
  std::fill_n(d.island_nv.data(), d.nisland, 0);
  int n = 0;
  for (int i = 0; i < ntree; ++i) {
    const int tree = d.map_itree2tree[i], island = d.tree_island[tree], first = m.tree_dofadr[tree];
    if (island >= 0) {
      if (d.island_nv[island] == 0) {
        d.island_idofadr[island] = n;
        d.island_dofadr[island] = first;
      }
      d.island_nv[island] += m.tree_dofnum[tree];
      d.nidof += m.tree_dofnum[tree];
    }
    for (int dof = first; dof < first + m.tree_dofnum[tree]; ++dof, ++n) {
      d.dof_island[dof] = island;
      d.map_idof2dof[n] = dof;
      d.map_dof2idof[dof] = n;
    }
  }
}

/// Rows sorted by island, stable, one constraint at a time; rows in no island last. tree_of_row: set at first rows.
void sort_rows(Data& d, const int* tree_of_row, int* next) {
  std::fill_n(d.island_nefc.data(), d.nisland, 0);
  std::fill_n(d.island_ne.data(), d.nisland, 0);
  std::fill_n(d.island_nf.data(), d.nisland, 0);
  for (int row = 0, nrow; row < d.nefc; row += nrow) {
    nrow = d.efc_J_rowsuper[row] + 1;
    const int island = tree_of_row[row] < 0 ? -1 : d.tree_island[tree_of_row[row]];
    std::fill_n(&d.efc_island[row], nrow, island);
    if (island < 0) continue;
    d.island_nefc[island] += nrow;
    if (row < d.ne)
      d.island_ne[island] += nrow;
    else if (row < d.ne + d.nf)
      d.island_nf[island] += nrow;
  }
  next[d.nisland] = place_islands(d.island_nefc.data(), d.nisland, next);
  std::copy_n(next, d.nisland, d.island_iefcadr.data());
  for (int row = 0, nrow; row < d.nefc; row += nrow) {
    nrow = d.efc_J_rowsuper[row] + 1;
    int& place = next[d.efc_island[row] < 0 ? d.nisland : d.efc_island[row]];
    for (int r = 0; r < nrow; ++r) {
      d.map_iefc2efc[place + r] = row + r;
      d.map_efc2iefc[row + r] = place + r;
    }
    place += nrow;
  }
}

/// A single island that contains everything: its numbering is the world's.
void number_as_world(const Model& m, Data& d) {
  for (int i = 0; i < m.ntree; ++i) d.map_itree2tree[i] = i;
  for (int i = 0; i < m.nv; ++i) {
    d.map_idof2dof[i] = d.map_dof2idof[i] = i;
    d.dof_island[i] = 0;
  }
  for (int i = 0; i < d.nefc; ++i) {
    d.map_iefc2efc[i] = d.map_efc2iefc[i] = i;
    d.efc_island[i] = 0;
  }
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
  const int ntree = static_cast<int>(m.ntree);
  TreeSets sets(ntree, scratch);
  int* tree_of_row = scratch.take<int>(d.nefc);
  const bool dense = uses_dense_jacobian(m);
  bool everything = true;
  int row = 0;
  if (ntree == 1) {
    // constraints other than contacts have dofs, else they would have been dropped: they belong to the only tree
    row = d.ne + d.nf + d.nl;
    std::fill_n(tree_of_row, row, 0);
    if (row > 0) sets.join(0, 0);
  }
  for (; row < d.nefc; row += d.efc_J_rowsuper[row] + 1) {
    tree_of_row[row] = join_trees(m, d, row, dense, sets);
    everything &= tree_of_row[row] >= 0;
  }
  join_elastic_flexes(m, d, sets);
  for (int t = 0; t < ntree; ++t) {
    const int lowest = sets.find(t);
    d.tree_island[t] = !sets.touched(t) ? -1 : lowest == t ? d.nisland++ : d.tree_island[lowest];
    everything &= d.tree_island[t] >= 0;
  }
  if (kAddressSanitizer || d.island_nv.size() < static_cast<std::size_t>(d.nisland)) d.grow_rows();
  if (d.nisland == 1 && everything) return number_as_world(m, d);
  int* next = scratch.take<int>(d.nisland + 1);
  sort_trees(d, ntree, next);
  sort_dofs(m, d, ntree);
  sort_rows(d, tree_of_row, next);
}

}  // namespace sinew
