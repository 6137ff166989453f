#include "bind.h"
#include "struct_kind.h"
#include "structs.h"

namespace sinew::python {

template <>
struct StructKind<LengthRangeMode> : StructKind<int> {};

namespace {

#define FIELD(type, name, doc)                                                \
  {                                                                           \
#name, offsetof(type, name), StructKind < decltype(type::name)> ::number, \
        StructKind < decltype(type::name)> ::count, doc                       \
  }

#define ARRAY(type, name, count, doc) FIELD(type, name, "(" #count ",) " doc)

constexpr StructField kOptionFields[] = {
#define SINEW_OPTION(type, name, value, doc) FIELD(Option, name, doc),
#define SINEW_OPTION_ARRAY(type, name, count, doc, ...) ARRAY(Option, name, count, doc),
#include "sinew/option_fields.def"
#undef SINEW_OPTION
#undef SINEW_OPTION_ARRAY
};

constexpr StructField kStatisticFields[] = {
#define SINEW_STATISTIC(type, name, value, doc) FIELD(Statistic, name, doc),
#define SINEW_STATISTIC_ARRAY(type, name, count, doc, ...) ARRAY(Statistic, name, count, doc),
#include "sinew/statistic_fields.def"
#undef SINEW_STATISTIC
#undef SINEW_STATISTIC_ARRAY
};

constexpr StructField kLengthRangeFields[] = {
#define SINEW_LENGTH_RANGE(type, name, value, doc) FIELD(LengthRangeOptions, name, doc),
#include "sinew/length_range_fields.def"
#undef SINEW_LENGTH_RANGE
};

constexpr StructField kContactFields[] = {
#define SINEW_CONTACT(type, name, value, doc) FIELD(Contact, name, doc),
#define SINEW_CONTACT_ARRAY(type, name, count, doc, ...) ARRAY(Contact, name, count, doc),
#include "sinew/contact_fields.def"
#undef SINEW_CONTACT
#undef SINEW_CONTACT_ARRAY
    {"geom1", offsetof(Contact, geom), Number::Int32, 0, "first geom"},
    {"geom2", offsetof(Contact, geom) + sizeof(int), Number::Int32, 0, "second geom"},
    {"H", kBeside, Number::Float64, kContactHessian, "(36,) 0: the cone Hessians are internal to the solver"},
};

constexpr StructField kWarningFields[] = {
    FIELD(WarningStat, lastinfo, "index of the last invalid value"),
    FIELD(WarningStat, number, "how often"),
};

constexpr StructField kTimerFields[] = {
    FIELD(TimerStat, duration, "microseconds in all calls"),
    FIELD(TimerStat, number, "calls"),
};

constexpr StructField kSolverFields[] = {
#define SINEW_SOLVER_STAT(type, name, doc) FIELD(SolverStat, name, doc),
#include "sinew/solver_stat_fields.def"
#undef SINEW_SOLVER_STAT
};

#define SINEW_VISUAL_BEGIN(group) constexpr StructField k_##group##_fields[] = {
#define SINEW_VISUAL(group, type, name, ...) FIELD(Visual::group##_t, name, ""),
#define SINEW_VISUAL_END(group) \
  }                             \
  ;
#include "sinew/visual_fields.def"
#undef SINEW_VISUAL_BEGIN
#undef SINEW_VISUAL
#undef SINEW_VISUAL_END
#undef FIELD
#undef ARRAY

}  // namespace

const StructInfo kOptionInfo = {"MjOption", "Physics options.", sizeof(Option), kOptionFields, fill_struct<Option>};
const StructInfo kStatisticInfo = {"MjStatistic", "Scales of the model at qpos0.", sizeof(Statistic), kStatisticFields,
                                   fill_struct<Statistic>};
const StructInfo kLengthRangeInfo = {"MjLROpt", "How actuator length ranges are computed.", sizeof(LengthRangeOptions),
                                     kLengthRangeFields, fill_struct<LengthRangeOptions>};
const StructInfo kContactInfo = {"MjContact",          "A contact point of two geoms.", sizeof(Contact), kContactFields,
                                 fill_struct<Contact>, kContactHessian * sizeof(double)};
const StructInfo kWarningInfo = {"MjWarningStat", "Warnings of one type.", sizeof(WarningStat), kWarningFields,
                                 fill_struct<WarningStat>};
const StructInfo kTimerInfo = {"MjTimerStat", "Number and duration of calls of one kind.", sizeof(TimerStat),
                               kTimerFields, fill_struct<TimerStat>};
const StructInfo kSolverInfo = {"MjSolverStat", "Statistics of one solver iteration.", sizeof(SolverStat),
                                kSolverFields, fill_struct<SolverStat>};

#define SINEW_VISUAL_BEGIN(group)                                                                    \
  extern const StructInfo k_##group##_info;                                                          \
  const StructInfo k_##group##_info = {#group, "Visualization settings.", sizeof(Visual::group##_t), \
                                       k_##group##_fields, fill_struct<Visual::group##_t>};
#define SINEW_VISUAL(...)
#define SINEW_VISUAL_END(group)
#include "sinew/visual_fields.def"
#undef SINEW_VISUAL_BEGIN
#undef SINEW_VISUAL_END

namespace {

void bind_visual(py::module_& module) {
  py::class_<PyVisual> type(module, "MjVisual", "Visualization settings; they do not affect the simulation.");
  type.def(py::init<>());
#define SINEW_VISUAL_BEGIN(group)                                                                      \
  bind_struct_type<k_##group##_info>(type);                                                            \
  type.attr("_" #group "_type") = type.attr(#group);                                                   \
  type.def_property(                                                                                   \
      #group, [](const PyVisual& v) { return StructOf<k_##group##_info>(v.owner, &v.visual->group); }, \
      [](PyVisual& v, const StructOf<k_##group##_info>& value) {                                       \
        std::memcpy(static_cast<void*>(&v.visual->group), value.at, sizeof v.visual->group);           \
      });
#define SINEW_VISUAL_END(group)
#include "sinew/visual_fields.def"
#undef SINEW_VISUAL_BEGIN
#undef SINEW_VISUAL
#undef SINEW_VISUAL_END
  const auto copy = [](const PyVisual& v) {
    PyVisual other;
    *other.visual = *v.visual;
    return other;
  };
  type.def("__copy__", copy);
  type.def("__deepcopy__", [copy](const PyVisual& v, py::handle) { return copy(v); });
}

}  // namespace

void bind_structs(py::module_& module) {
  bind_struct_base(module);
  bind_struct_type<kOptionInfo>(module);
  bind_struct_type<kStatisticInfo>(module);
  bind_struct_type<kLengthRangeInfo>(module);
  bind_struct_type<kContactInfo>(module);
  bind_struct_type<kWarningInfo>(module);
  bind_struct_type<kTimerInfo>(module);
  bind_struct_type<kSolverInfo>(module);
  bind_list_type<kContactInfo>(module, "_MjContactList");
  bind_list_type<kWarningInfo>(module, "_MjWarningStatList");
  bind_list_type<kTimerInfo>(module, "_MjTimerStatList");
  bind_list_type<kSolverInfo>(module, "_MjSolverStatList");
  bind_visual(module);
}

}  // namespace sinew::python
