#pragma once

#include "sinew/data.h"

namespace sinew {

/// Which bodies, dofs and trees take part in the step (option flag sleep). The stages skip sleeping trees, which keep
/// the values computed when they fell asleep.
class Awake {
 public:
  Awake() = default;  // everything
  template <class Real>
  Awake(const Model& m, const BasicData<Real>& d) {
    if (!m.opt.enabled(kEnableSleep)) return;
    body_ = d.body_awake.data();
    tree_ = d.tree_awake.data();
    dof_tree_ = m.dof_treeid.data();
  }

  bool everything() const { return !tree_; }
  bool body(int b) const { return !body_ || body_[b] != 0; }
  bool tree(int t) const { return !tree_ || tree_[t] != 0; }
  bool dof(int i) const { return !tree_ || tree_[dof_tree_[i]] != 0; }

 private:
  const int* body_ = nullptr;  // null: everything is awake
  const int* tree_ = nullptr;
  const int* dof_tree_ = nullptr;
};

}  // namespace sinew
