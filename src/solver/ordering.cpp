#include "solver/ordering.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sinew {
namespace {

/// The graph of nodes: neighbors as bit rows, so that eliminating a node takes a few word operations.
class NodeGraph {
 public:
  NodeGraph(int n, Scratch& scratch) : words_((n + 63) / 64), bits_(scratch.zeros<std::uint64_t>(n * words_)) {}

  void connect(int a, int b) {
    if (a == b) return;
    set(a, b);
    set(b, a);
  }
  void connect_all(const int* nodes, int count) {
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < i; ++j) connect(nodes[i], nodes[j]);
  }
  template <class Visit>
  void for_each_neighbor(int a, Visit&& visit) const {
    for (int w = 0; w < words_; ++w)
      for (std::uint64_t bits = row(a)[w]; bits; bits &= bits - 1) visit(64 * w + std::countr_zero(bits));
  }
  /// Removes `a`; its neighbors become neighbors of one another.
  void eliminate(int a) {
    for_each_neighbor(a, [&](int b) {
      for (int w = 0; w < words_; ++w) row(b)[w] |= row(a)[w];
      row(b)[b / 64] &= ~(std::uint64_t{1} << (b % 64));
      row(b)[a / 64] &= ~(std::uint64_t{1} << (a % 64));
    });
  }

 private:
  std::uint64_t* row(int a) const { return bits_ + static_cast<std::size_t>(a) * words_; }
  void set(int a, int b) { row(a)[b / 64] |= std::uint64_t{1} << (b % 64); }

  int words_;
  std::uint64_t* bits_;
};

/// Dofs that are eliminated together. A dof extends the node of the previous dof if that is its parent and has no other
/// child (a branch), or if both are decoupled in M and occur in the same rows (a free body with diagonal inertia).
int group_dofs(const ConstraintProblem& p, int* group, Scratch& scratch) {
  const TreeMatrix& M = p.M;
  int* children = scratch.zeros<int>(M.n);
  std::uint64_t* rows = scratch.zeros<std::uint64_t>(M.n);  // a fingerprint of the blocks in which a dof occurs
  std::uint64_t mark = 1;
  for (const RowBlock& b : p.blocks) {
    mark = mark * 6364136223846793005ULL + 1442695040888963407ULL;
    for (int k = 0; k < b.nnz; ++k) rows[b.col[k]] += mark;
  }
  const auto parent = [&](int i) { return M.rownnz[i] > 1 ? M.colind[M.rowadr[i] + M.rownnz[i] - 2] : -1; };
  for (int i = 0; i < M.n; ++i)
    if (parent(i) >= 0) ++children[parent(i)];
  int ngroup = 0;
  for (int i = 0; i < M.n; ++i) {
    const int up = parent(i);
    const bool branch = up >= 0 && up == i - 1 && children[up] == 1;
    const auto alone = [&](int k) { return M.rownnz[k] == 1 && children[k] == 0; };
    const bool alike = i > 0 && alone(i) && alone(i - 1) && rows[i] == rows[i - 1];
    group[i] = branch || alike ? group[i - 1] : ngroup++;
  }
  return ngroup;
}

/// The distinct groups of ascending columns.
int distinct_groups(const int* col, int nnz, const int* group, int* out) {
  int count = 0;
  for (int k = 0; k < nnz; ++k)
    if (count == 0 || out[count - 1] != group[col[k]]) out[count++] = group[col[k]];
  return count;
}

Elimination one_dense_node(int n, Scratch& scratch) {
  Elimination e;
  e.n = n;
  e.nnode = 1;
  e.node = scratch.take<Elimination::Node>(1);
  e.node[0] = {.begin = 0, .width = n, .nreach = 0, .reach = nullptr, .offset = nullptr, .ncol = n};
  return e;
}

}  // namespace

Elimination plan_elimination(const ConstraintProblem& p, Scratch& scratch) {
  const TreeMatrix& M = p.M;
  Elimination e;
  e.n = M.n;
  e.node_of = scratch.take<int>(M.n);
  e.place = scratch.take<int>(M.n);
  int* group = scratch.take<int>(M.n);
  e.nnode = group_dofs(p, group, scratch);
  if (e.nnode == 1) return one_dense_node(M.n, scratch);
  e.identity = false;
  e.node = scratch.take<Elimination::Node>(e.nnode);

  int* width = scratch.zeros<int>(e.nnode);
  for (int i = 0; i < M.n; ++i) ++width[group[i]];
  NodeGraph graph(e.nnode, scratch);
  int* touched = scratch.take<int>(M.n);
  for (int i = 0; i < M.n; ++i)
    if (i == 0 || group[i] != group[i - 1])  // the others of a group have the same ancestors
      graph.connect_all(touched, distinct_groups(M.colind + M.rowadr[i], M.rownnz[i], group, touched));
  for (const RowBlock& b : p.blocks) graph.connect_all(touched, distinct_groups(b.col, b.nnz, group, touched));

  // minimum degree, counted in dofs
  int* order = scratch.take<int>(e.nnode);  // group → node
  int* degree = scratch.take<int>(e.nnode);
  const auto count = [&](int a) {
    degree[a] = 0;
    graph.for_each_neighbor(a, [&](int b) { degree[a] += width[b]; });
  };
  for (int a = 0; a < e.nnode; ++a) {
    order[a] = -1;
    count(a);
  }
  int begin = 0;
  for (int k = 0; k < e.nnode; ++k) {
    int best = -1;
    for (int a = 0; a < e.nnode; ++a)
      if (order[a] < 0 && (best < 0 || degree[a] < degree[best])) best = a;
    order[best] = k;
    Elimination::Node& node = e.node[k];
    node = {.begin = begin, .width = width[best], .nreach = 0, .reach = nullptr, .offset = nullptr, .ncol = 0};
    begin += node.width;
    graph.for_each_neighbor(best, [&](int) { ++node.nreach; });
    node.reach = scratch.take<int>(node.nreach);
    node.offset = scratch.take<int>(node.nreach);
    int i = 0;
    graph.for_each_neighbor(best, [&](int b) { node.reach[i++] = b; });
    graph.eliminate(best);
    for (int j = 0; j < node.nreach; ++j) count(node.reach[j]);
  }
  for (int k = 0; k < e.nnode; ++k) {
    Elimination::Node& node = e.node[k];
    for (int j = 0; j < node.nreach; ++j) node.reach[j] = order[node.reach[j]];
    std::sort(node.reach, node.reach + node.nreach);
    node.ncol = node.width;
    for (int j = 0; j < node.nreach; ++j) {
      node.offset[j] = node.ncol;
      node.ncol += e.node[node.reach[j]].width;
    }
  }
  int* filled = scratch.zeros<int>(e.nnode);
  for (int i = 0; i < M.n; ++i) {
    const int k = order[group[i]];
    e.place[i] = e.node[k].begin + filled[k]++;
    e.node_of[e.place[i]] = k;
  }
  return e;
}

}  // namespace sinew
