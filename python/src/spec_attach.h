#pragma once

#include "spec_node.h"

namespace sinew::python {

/// Attaches a body or a frame of another tree (null: all of it) to a body or in a frame, and returns the attached node.
///
/// As in MuJoCo the other tree's elements become part of this one: their nodes now refer to the copies, with the new
/// names, and the other tree can no longer be compiled; unless one of the trees has copy_during_attach set.
NodePtr attach_part(const NodePtr& place, const NodePtr& part, const std::shared_ptr<SpecCell>& from,
                    const std::string& prefix, const std::string& suffix);

}  // namespace sinew::python
