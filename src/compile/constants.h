#pragma once

#include <string_view>

#include "base/budget.h"
#include "sinew/set_constants.h"

namespace sinew {

/// Every constant derived from the rest of the model, in order of dependency:
///   body_subtreemass, ngravcomp and the flg_* flags;
///   at qpos0: dof_M0, tendon_length0, actuator_length0, body_invweight0, dof_invweight0, tendon_invweight0,
///   actuator_acc0, pose-dependent eq_data, offsets of cameras and lights, damping ratios of servos turned
///   into damping (actuator_biasprm[2] > 0 becomes < 0);
///   stat and dof_length;
///   tendon_lengthspring at qpos_spring, if it is (-1, -1).
/// needs   the rest of the model: sparsity patterns, sameframe, body_simple, jnt_actuatorid, tendon_actuatorid
/// May be called again after a change of masses, inertias, poses or gears: set_constants, with a check before it.
/// Throws Interrupted if the budget requires it; the model is then unusable.
void derive_constants(Model& m, Budget* budget = nullptr);

/// The floating-point fields among them; some are only computed in part.
inline constexpr std::string_view kDerivedFields[] = {
    "body_subtreemass",  "dof_M0",          "tendon_length0",
    "actuator_length0",  "body_invweight0", "dof_invweight0",
    "tendon_invweight0", "actuator_acc0",   "eq_data",
    "cam_poscom0",       "cam_pos0",        "cam_mat0",
    "light_poscom0",     "light_pos0",      "light_dir0",
    "actuator_biasprm",  "dof_length",      "tendon_lengthspring",
#define SINEW_STATISTIC(type, name, value, doc) "stat." #name,
#define SINEW_STATISTIC_ARRAY(type, name, count, doc, ...) "stat." #name,
#include "sinew/statistic_fields.def"
#undef SINEW_STATISTIC
#undef SINEW_STATISTIC_ARRAY
};

/// The first of the constants: ngravcomp and the flg_* flags, which are set if some value of an array is not zero (for
/// gravcomp: positive).
void set_flags(Model& m);

}  // namespace sinew
