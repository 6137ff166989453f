#pragma once

#include <string_view>

#include "base/budget.h"
#include "sinew/set_constants.h"

namespace sinew {

/// Every constant that follows from the rest of the model, in the order in which they depend on one another:
///   body_subtreemass, ngravcomp and the flg_* flags;
///   at qpos0: dof_M0, tendon_length0, actuator_length0, body_invweight0, dof_invweight0, tendon_invweight0,
///   actuator_acc0, eq_data that follow from the pose, offsets of cameras and lights, damping ratios of servos turned
///   into damping (actuator_biasprm[2] > 0 becomes < 0);
///   stat and dof_length;
///   tendon_lengthspring where it is (-1, -1), at qpos_spring.
/// needs   the rest of the model: sparsity patterns, sameframe, body_simple, jnt_actuatorid, tendon_actuatorid
/// May be called again after a change of masses, inertias, poses or gears: set_constants, with a check before it.
/// Throws Interrupted where the budget says so; the model is then good for nothing.
void derive_constants(Model& m, Budget* budget = nullptr);

/// The fields of floating-point numbers among them; of some only a part is computed.
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

/// Of the constants, the first: ngravcomp and the flg_* flags, which say that some value of an array is not zero (of
/// gravcomp: positive).
void set_flags(Model& m);

}  // namespace sinew
