#pragma once

#include "spec_node.h"

namespace sinew::python {

/// Attaches a body or a frame of another tree (null: all of it) to a body or inside of a frame, and returns it there.
///
/// As in MuJoCo the other tree's elements then live in this one: nodes of them are nodes of their copies, under the new
/// names, and the other tree cannot be compiled any more; unless one of the trees says copy_during_attach.
NodePtr attach_part(const NodePtr& place, const NodePtr& part, const std::shared_ptr<SpecCell>& from,
                    const std::string& prefix, const std::string& suffix);

}  // namespace sinew::python
