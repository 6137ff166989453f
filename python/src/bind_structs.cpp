#include "bind.h"
#include "structs.h"

namespace sinew::python {
namespace {

template <class T>
struct Kind;
template <>
struct Kind<double> {
  static constexpr Number number = Number::Float64;
  static constexpr int count = 0;
};
template <>
struct Kind<float> {
  static constexpr Number number = Number::Float32;
  static constexpr int count = 0;
};
template <>
struct Kind<int> {
  static constexpr Number number = Number::Int32;
  static constexpr int count = 0;
};
template <>
struct Kind<bool> {
  static constexpr Number number = Number::Bool;
  static constexpr int count = 0;
};
template <>
struct Kind<LengthRangeMode> : Kind<int> {};
template <class T, std::size_t N>
struct Kind<std::array<T, N>> {
  static constexpr Number number = Kind<T>::number;
  static constexpr int count = static_cast<int>(N);
};

template <class T>
void fill(void* at) {
  new (at) T();
}

#define FIELD(type, name, doc) \
  { #name, offsetof(type, name), Kind < decltype(type::name)> ::number, Kind < decltype(type::name)> ::count, doc }

constexpr StructField kOptionFields[] = {
#define SINEW_OPTION(type, name, value, doc) FIELD(Option, name, doc),
#define SINEW_OPTION_ARRAY(type, name, count, doc, ...) FIELD(Option, name, doc),
#include "sinew/option_fields.def"
#undef SINEW_OPTION
#undef SINEW_OPTION_ARRAY
};

constexpr StructField kStatisticFields[] = {
    FIELD(Statistic, meaninertia, "mean diagonal of the joint-space inertia"),
    FIELD(Statistic, meanmass, "kg, mean mass of a body"),
    FIELD(Statistic, meansize, "m, mean size of a body"),
    FIELD(Statistic, extent, "m, longest side of the box around everything"),
    FIELD(Statistic, center, "(3,) m, centre of that box"),
};

constexpr StructField kLengthRangeFields[] = {
    FIELD(LengthRangeOptions, mode, "mjtLRMode: which actuators"),
    FIELD(LengthRangeOptions, useexisting, "keep a range that the model gives"),
    FIELD(LengthRangeOptions, uselimit, "take the range of a limited joint or tendon"),
    FIELD(LengthRangeOptions, accel, "target acceleration of the pulling force"),
    FIELD(LengthRangeOptions, maxforce, "bound of that force; 0: none"),
    FIELD(LengthRangeOptions, timeconst, "s, velocity decay"),
    FIELD(LengthRangeOptions, timestep, "s, step of the simulation; 0: the model's"),
    FIELD(LengthRangeOptions, inttotal, "s of simulation for each end"),
    FIELD(LengthRangeOptions, interval, "s at the end over which the length is measured"),
    FIELD(LengthRangeOptions, tolrange, "allowed drift, relative to the range"),
};

constexpr StructField kContactFields[] = {
    FIELD(Contact, dist, "m, distance between the nearest points; negative: penetration"),
    FIELD(Contact, pos, "(3,) m, midpoint, world frame"),
    FIELD(Contact, frame, "(9,) rows: normal from geom1 to geom2, tangent, tangent"),
    FIELD(Contact, includemargin, "m, a constraint exists while dist is below this"),
    FIELD(Contact, friction, "(5,) tangent 1, tangent 2, spin, roll 1, roll 2"),
    FIELD(Contact, solref, "(2,) normal direction"),
    FIELD(Contact, solreffriction, "(2,) friction directions"),
    FIELD(Contact, solimp, "(5,) impedance"),
    FIELD(Contact, adhesion, "N, constant pull along the normal"),
    FIELD(Contact, mu, "friction of the regularized cone"),
    {"H", kNowhere, Number::Float64, 36, "(36,) 0: the solver keeps its cone Hessians to itself"},
    FIELD(Contact, dim, "dimensions: 1, 3, 4 or 6"),
    {"geom1", offsetof(Contact, geom), Number::Int32, 0, "first geom"},
    {"geom2", offsetof(Contact, geom) + sizeof(int), Number::Int32, 0, "second geom"},
    FIELD(Contact, geom, "(2,) the two geoms"),
    {"flex", kNowhere, Number::Int32, 2, "(2,) -1: there are no flexes"},
    {"elem", kNowhere, Number::Int32, 2, "(2,) -1: there are no flexes"},
    {"vert", kNowhere, Number::Int32, 2, "(2,) -1: there are no flexes"},
    FIELD(Contact, exclude, "0: makes rows; 1: in the gap; 2: fused; 3: no dofs"),
    FIELD(Contact, efc_address, "first constraint row, -1: none"),
};

constexpr StructField kWarningFields[] = {
    FIELD(WarningStat, lastinfo, "index of the last bad number"),
    FIELD(WarningStat, number, "how often"),
};

constexpr StructField kTimerFields[] = {
    FIELD(TimerStat, duration, "microseconds in all calls"),
    FIELD(TimerStat, number, "calls"),
};

constexpr StructField kSolverFields[] = {
    FIELD(SolverStat, improvement, "scaled reduction of the cost"),
    FIELD(SolverStat, gradient, "scaled norm of the gradient (primal solvers)"),
    FIELD(SolverStat, lineslope, "slope at the chosen point of the line search"),
    FIELD(SolverStat, nactive, "rows that are not satisfied"),
    FIELD(SolverStat, nchange, "rows whose state changed"),
    FIELD(SolverStat, neval, "evaluations of the line search"),
    FIELD(SolverStat, nupdate, "rows whose curvature changed"),
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

}  // namespace

const StructInfo kOptionInfo = {"MjOption", "Physics options.", sizeof(Option), kOptionFields, fill<Option>};
const StructInfo kStatisticInfo = {"MjStatistic", "Scales of the model at qpos0.", sizeof(Statistic), kStatisticFields,
                                   fill<Statistic>};
const StructInfo kLengthRangeInfo = {"MjLROpt", "How length ranges of actuators are found.", sizeof(LengthRangeOptions),
                                     kLengthRangeFields, fill<LengthRangeOptions>};
const StructInfo kContactInfo = {"MjContact", "One point where two geoms touch.", sizeof(Contact), kContactFields,
                                 fill<Contact>};
const StructInfo kWarningInfo = {"MjWarningStat", "Warnings of a kind.", sizeof(WarningStat), kWarningFields,
                                 fill<WarningStat>};
const StructInfo kTimerInfo = {"MjTimerStat", "Calls of a kind and their time.", sizeof(TimerStat), kTimerFields,
                               fill<TimerStat>};
const StructInfo kSolverInfo = {"MjSolverStat", "What one iteration of the solver did.", sizeof(SolverStat),
                                kSolverFields, fill<SolverStat>};

#define SINEW_VISUAL_BEGIN(group)                                                                                      \
  extern const StructInfo k_##group##_info;                                                                            \
  const StructInfo k_##group##_info = {#group, "Settings of a viewer.", sizeof(Visual::group##_t), k_##group##_fields, \
                                       fill<Visual::group##_t>};
#define SINEW_VISUAL(...)
#define SINEW_VISUAL_END(group)
#include "sinew/visual_fields.def"
#undef SINEW_VISUAL_BEGIN
#undef SINEW_VISUAL_END

namespace {

void bind_visual(py::module_& module) {
  py::class_<PyVisual> type(module, "MjVisual", "Settings of a viewer; they have no influence on the simulation.");
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
