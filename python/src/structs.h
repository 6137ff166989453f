#pragma once

#include "sinew/data.h"
#include "struct_table.h"

namespace sinew::python {

/// Number and duration of calls of one kind.
struct TimerStat {
  double duration = 0;  // microseconds
  int number = 0;
};

inline constexpr int kContactHessian = 36;  // numbers of MjContact.H

extern const StructInfo kOptionInfo;
extern const StructInfo kStatisticInfo;
extern const StructInfo kLengthRangeInfo;
extern const StructInfo kContactInfo;
extern const StructInfo kWarningInfo;
extern const StructInfo kTimerInfo;
extern const StructInfo kSolverInfo;

using PyOption = StructOf<kOptionInfo>;
using PyStatistic = StructOf<kStatisticInfo>;
using PyLengthRange = StructOf<kLengthRangeInfo>;
using PyContact = StructOf<kContactInfo>;

using ContactList = ListOf<kContactInfo>;
using WarningList = ListOf<kWarningInfo>;
using TimerList = ListOf<kTimerInfo>;
using SolverList = ListOf<kSolverInfo>;

/// Visualization settings: a struct of structs.
struct PyVisual {
  PyVisual() : owner(std::make_shared<Visual>()), visual(static_cast<Visual*>(owner.get())) {}
  PyVisual(std::shared_ptr<void> part_of, Visual& place) : owner(std::move(part_of)), visual(&place) {}
  std::shared_ptr<void> owner;
  Visual* visual;
};

}  // namespace sinew::python
