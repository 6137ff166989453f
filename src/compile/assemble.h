#pragma once

#include "compile/context.h"

namespace sinew::compiling {

// Fills the arrays of the model from the nodes of the context, in this order.

/// All sizes that do not depend on the structure of the tree. Reports a model whose arrays would be too large.
void set_sizes(Context& context);
/// Bodies, joints, dofs, geoms, sites, cameras, lights, qpos0.
void copy_tree(Context& context);
/// Everything outside the tree.
void copy_objects(Context& context);
void copy_names(Context& context);
/// key_*: anything a keyframe does not specify is taken from the model's reference.
void copy_keyframes(Context& context);

/// Counts the memory of the sparse matrices in the model and in one Data; false after an error was reported because
/// they do not fit.
bool count_structure(Context& context);

// Computed from the arrays alone.

/// dof_parentid, trees, weld and root bodies.
void link_tree(Model& m);
/// sameframe flags, body_simple, dof_simplenum. allowed[b]: the body may be simple.
void find_simple_bodies(Model& m, const std::vector<bool>& allowed);
/// Sparsity patterns of M, D, B and ten_J, and the maps between them; nJmom, nemax.
void set_sparsity(Model& m);
/// flexedge_J: the dofs that move either end of an edge, for flexes whose edges are used, or that have any equality.
/// flexvert_J: for each vertex of a flex with a flexvert equality two equal rows, the dofs of all its edges.
void set_flex_patterns(Model& m);
/// nemax.
void count_equality_rows(Model& m);
/// Bounding-volume trees of the bodies, and the combined collision masks of their geoms.
void build_body_trees(Model& m);
/// Those of the meshes, over their triangles, stored after them.
void append_mesh_trees(Context& context, Model& m);
/// The actuator that adds damping or armature to a joint or tendon, and the trees a tendon touches.
void link_actuators(Model& m);
/// tree_sleep_policy. Reports policies that cannot be satisfied.
void set_sleep_policies(Context& context);
/// settotalmass: scales all masses and inertias.
void scale_total_mass(Model& m, double total);

}  // namespace sinew::compiling
