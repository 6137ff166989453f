#pragma once

#include "compile/context.h"

namespace sinew::compiling {

// From the nodes of the context to the arrays of the model, in this order.

/// All sizes that do not need the structure of the tree. Reports a model whose arrays would be too large.
void set_sizes(Context& context);
/// Bodies, joints, dofs, geoms, sites, cameras, lights, qpos0.
void copy_tree(Context& context);
/// Everything outside the tree.
void copy_objects(Context& context);
void copy_names(Context& context);
/// key_*: what a keyframe does not give is the model's reference.
void copy_keyframes(Context& context);

/// Counts what the sparse matrices will take, in the model and in one Data; false after it has been reported that they
/// do not fit.
bool count_structure(Context& context);

// What follows from the arrays alone.

/// dof_parentid, trees, weld and root bodies.
void link_tree(Model& m);
/// sameframe flags, body_simple, dof_simplenum. allowed[b]: the body may be simple.
void find_simple_bodies(Model& m, const std::vector<bool>& allowed);
/// Sparsity patterns of M, D, B and ten_J, and the maps between them; nJmom, nemax.
void set_sparsity(Model& m);
/// nemax.
void count_equality_rows(Model& m);
/// Bounding-volume trees of the bodies, and what their geoms have in common.
void build_body_trees(Model& m);
/// Those of the meshes, over their triangles, behind them.
void append_mesh_trees(Context& context, Model& m);
/// The actuator that carries damping or armature to a joint or tendon, trees that a tendon touches.
void link_actuators(Model& m);
/// tree_sleep_policy. Reports policies that cannot be followed.
void set_sleep_policies(Context& context);
/// settotalmass: scales all masses and inertias.
void scale_total_mass(Model& m, double total);

}  // namespace sinew::compiling
