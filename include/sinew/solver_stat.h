#pragma once

namespace sinew {

/// Statistics of one iteration of the constraint solver. The table is solver_stat_fields.def.
struct SolverStat {
#define SINEW_SOLVER_STAT(type, name, doc) type name = 0;
#include "sinew/solver_stat_fields.def"
#undef SINEW_SOLVER_STAT
};

}  // namespace sinew
