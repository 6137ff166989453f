// actuator: <general> and its shortcuts.

#include <algorithm>

#include "base/limits.h"
#include "model/transmission_kinds.h"
#include "spec/actuator_shortcuts.h"
#include "spec/keywords.h"
#include "spec/reader.h"
#include "spec/schema_parts.h"
#include "spec/value.h"

namespace sinew::mjcf {
namespace {

using A = ActuatorWords;
using ActuatorTable = Table<A>;

constexpr Keyword kServoInput[] = {
    {"pos", kInputPos}, {"vel", kInputVel}, {"ff", kInputFf}, {"voltage", kInputVoltage}};
constexpr Keyword kChart[] = {{"expmap", kChartExpmap}, {"quat", kChartQuat}};
constexpr Keyword kAnyInput[] = {{"pos", kInputPos},         {"vel", kInputVel},   {"ff", kInputFf},
                                 {"voltage", kInputVoltage}, {"none", kInputNone}, {"expmap", kChartExpmap},
                                 {"quat", kChartQuat}};

/// One word of none, expmap, quat, or a list of servo inputs in their order.
Outcome parse_input(void* object, std::string_view text, const Attribute& row) {
  int& input = static_cast<A*>(object)->input;
  std::string_view rest = text;
  const std::string_view first = next_word(rest);
  for (const Keyword& alone : kAnyInput) {
    const bool servo = alone.value < kInputNone && alone.word != "expmap" && alone.word != "quat";
    if (servo || first != alone.word) continue;
    if (!blank(rest)) return Complaint{fmt::format("'{}' must be the only word", first)};
    input = alone.value;
    return {};
  }
  Attribute servos = row;
  servos.word_list(kServoInput).in_order();
  int value = 0;
  if (Outcome bad = parse_keyword_list(text, servos, value)) {
    int ignored = 0;
    const bool known = !parse_keyword_list(text, servos.word_list(kAnyInput), ignored);
    return known ? bad : parse_keyword_list(text, servos, ignored);
  }
  input = value;
  return {};
}

std::string print_input(const void* object, const Attribute&) {
  const A& a = *static_cast<const A*>(object);
  if (a.gaintype == GainType::So3) return print_keyword(a.input, kChart);
  return a.input == kInputNone ? "none" : print_keyword_list(a.input, kServoInput);
}

void add_input(ActuatorTable& t, std::string_view allowed) {
  t.add<std::string>("input", parse_input, print_input).remark(allowed);
}

/// If several targets are given, the last one in this order is used.
constexpr TrnType kTargetOrder[] = {TrnType::Joint,       TrnType::JointInParent, TrnType::Tendon,
                                    TrnType::SliderCrank, TrnType::Site,          TrnType::Body};

bool counts_more(TrnType a, TrnType b) {
  const auto rank = [](TrnType type) { return std::find(std::begin(kTargetOrder), std::end(kTargetOrder), type); };
  return b == TrnType::Undefined || rank(a) >= rank(b);
}

template <TrnType Type>
void add_target(ActuatorTable& t) {
  t.add<std::string>(
       transmission_kind(Type).attribute,
       [](void* object, std::string_view text, const Attribute&) -> Outcome {
         A& a = *static_cast<A*>(object);
         if (!counts_more(Type, a.trntype)) return {};
         a.trntype = Type;
         a.target = text;
         return {};
       },
       [](const void* object, const Attribute&) {
         const A& a = *static_cast<const A*>(object);
         return a.trntype == Type ? a.target : std::string();
       })
      .element_only();
}

void add_common(ActuatorTable& t) {
  t.at<&A::name>("name").element_only();
  t.at<&A::dclass>("class").element_only();
  t.at<&A::group>("group");
  t.at<&A::nsample>("nsample").at_most(limits::kSamples);
  t.at<&A::interp>("interp").words(kInterp);
  t.at<&A::delay>("delay");
  t.at<&A::ctrlrange>("ctrlrange");
  t.at<&A::user>("user");
}

void add_force(ActuatorTable& t) {
  t.at<&A::forcelimited>("forcelimited").words(kTri);
  t.at<&A::forcerange>("forcerange");
}

void add_transmission(ActuatorTable& t, bool with_site) {
  t.at<&A::lengthrange>("lengthrange").element_only();
  t.at<&A::gear>("gear").partial();
  t.at<&A::damping>("damping").partial();
  t.at<&A::armature>("armature");
  t.at<&A::cranklength>("cranklength");
  add_target<TrnType::Joint>(t);
  add_target<TrnType::JointInParent>(t);
  add_target<TrnType::Tendon>(t);
  add_target<TrnType::SliderCrank>(t);
  t.at<&A::slidersite>("slidersite").element_only();
  if (!with_site) return;
  add_target<TrnType::Site>(t);
  t.at<&A::refsite>("refsite").element_only();
}

/// Common to most shortcuts; the others are added where they apply.
ActuatorTable common_table(bool with_site = true) {
  ActuatorTable t;
  add_common(t);
  add_force(t);
  add_transmission(t, with_site);
  return t;
}

ActuatorTable controlled_table(bool with_site = true) {
  ActuatorTable t = common_table(with_site);
  t.at<&A::ctrllimited>("ctrllimited").words(kTri);
  return t;
}

void add_servo(ActuatorTable& t) {
  t.at<&A::kp>("kp").remark("position gain: 1, pid 0");
  t.at<&A::kv>("kv").remark("velocity gain: 0");
  t.at<&A::dampratio>("dampratio").remark("instead of kv: 1 is critical damping");
}

ActuatorTable general_table() {
  ActuatorTable t = controlled_table();
  add_target<TrnType::Body>(t);
  t.at<&A::actlimited>("actlimited").words(kTri);
  t.at<&A::actrange>("actrange");
  t.at<&A::velrange>("velrange");
  t.at<&A::ffrange>("ffrange");
  t.at<&A::actdim>("actdim").at_most(limits::kActivations);
  t.at<&A::dyntype>("dyntype").words(kDynType);
  t.at<&A::gaintype>("gaintype").words(kGainType);
  t.at<&A::biastype>("biastype").words(kBiasType);
  t.at<&A::dynprm>("dynprm").partial();
  t.at<&A::gainprm>("gainprm").partial();
  t.at<&A::biasprm>("biasprm").partial();
  t.at<&A::actearly>("actearly");
  add_input(t, "any of pos vel ff voltage in this order, or one of none expmap quat");
  return t;
}

ActuatorTable position_table() {
  ActuatorTable t = controlled_table();
  add_servo(t);
  t.at<&A::inheritrange>("inheritrange").remark("control range as a multiple of the target's range");
  t.at<&A::timeconst>("timeconst").remark("s, of a filter before the servo");
  return t;
}

ActuatorTable intvelocity_table() {
  ActuatorTable t = controlled_table();
  add_servo(t);
  t.at<&A::inheritrange>("inheritrange");
  t.at<&A::actlimited>("actlimited").words(kTri);
  t.at<&A::actrange>("actrange");
  return t;
}

ActuatorTable orientation_table() {
  ActuatorTable t;
  add_common(t);
  add_force(t);
  add_servo(t);
  add_target<TrnType::Joint>(t);
  add_target<TrnType::Site>(t);
  t.at<&A::refsite>("refsite").element_only();
  add_input(t, "expmap or quat");
  return t;
}

ActuatorTable pid_table() {
  ActuatorTable t = controlled_table();
  add_servo(t);
  t.at<&A::ki>("ki");
  t.at<&A::imax>("imax");
  t.at<&A::slewmax>("slewmax");
  t.at<&A::posrange>("posrange").remark("alias of ctrlrange");
  t.at<&A::velrange>("velrange");
  t.at<&A::ffrange>("ffrange");
  t.at<&A::inheritrange>("inheritrange");
  add_input(t, "any of pos vel ff, in this order");
  return t;
}

ActuatorTable muscle_table() {
  ActuatorTable t = controlled_table(false);
  t.at<&A::muscle_timeconst>("timeconst").remark("activation and deactivation, s: 0.01 0.04");
  t.at<&A::tausmooth>("tausmooth").at_least(0).element_only();
  t.at<&A::range>("range").remark("0.75 1.05");
  t.at<&A::force>("force").remark("-1: from scale");
  t.at<&A::scale>("scale").remark("200");
  t.at<&A::lmin>("lmin").remark("0.5");
  t.at<&A::lmax>("lmax").remark("1.6");
  t.at<&A::vmax>("vmax").remark("1.5");
  t.at<&A::fpmax>("fpmax").remark("1.3");
  t.at<&A::fvmax>("fvmax").remark("1.2");
  return t;
}

ActuatorTable cylinder_table() {
  ActuatorTable t = controlled_table();
  t.at<&A::timeconst>("timeconst");
  t.at<&A::area>("area").remark("1");
  t.at<&A::diameter>("diameter");
  t.at<&A::bias>("bias");
  return t;
}

ActuatorTable adhesion_table() {
  ActuatorTable t;
  add_common(t);
  add_force(t);
  add_target<TrnType::Body>(t);
  t.at<&A::gain>("gain").remark("1");
  return t;
}

ActuatorTable dcmotor_table() {
  ActuatorTable t;
  add_common(t);
  add_transmission(t, true);
  t.at<&A::ctrllimited>("ctrllimited").words(kTri);
  t.at<&A::motorconst>("motorconst").partial().remark("torque and back-EMF constant");
  t.at<&A::resistance>("resistance");
  t.at<&A::nominal>("nominal").partial().remark("voltage, stall torque, no-load speed");
  t.at<&A::saturation>("saturation").partial().remark("maximum torque, current, rate of current");
  t.at<&A::inductance>("inductance").partial().remark("inductance, electrical time constant");
  t.at<&A::cogging>("cogging").partial().remark("amplitude, periodicity, phase");
  t.at<&A::controller>("controller").partial().remark("kp ki kd, slew rate, integral bound, voltage bound");
  t.at<&A::thermal>("thermal").partial().remark(
      "resistance, capacitance, time constant, coefficient, reference, ambient");
  t.at<&A::lugre>("lugre").partial().remark("bristle stiffness, damping, Coulomb, static, Stribeck velocity");
  add_input(t, "any of pos vel ff voltage in this order, or none");
  return t;
}

ActuatorTable plugin_table() {
  ActuatorTable t;
  add_plugin_names(t);
  add_common(t);
  add_force(t);
  add_transmission(t, /*with_site=*/false);
  add_target<TrnType::Site>(t);
  t.at<&A::ctrllimited>("ctrllimited").words(kTri);
  t.at<&A::actlimited>("actlimited").words(kTri);
  t.at<&A::actrange>("actrange");
  t.at<&A::actdim>("actdim").at_most(limits::kActivations).remark("as many as the plugin needs, and one for dyntype");
  t.at<&A::dyntype>("dyntype").words(kDynType);
  t.at<&A::dynprm>("dynprm").partial();
  t.at<&A::actearly>("actearly");
  return t;
}

/// Rules on the attributes of the element itself, regardless of its class.
void check_transmission(Reader& r, const XmlNode& node, const spec::Actuator& actuator) {
  const SecondSite second = transmission_kind(actuator.trntype).second;
  for (const std::string_view crank_only : {"cranklength", "slidersite"}) {
    const XmlAttribute* found = node.attribute(crank_only);
    const bool is_list = crank_only == "cranklength";  // of one number: blank counts as absent
    if (found && !(is_list && blank(found->value)) && second != SecondSite::Slidersite) {
      r.report.error({&node, crank_only}, "is only for the slider-crank transmission",
                     "which has the attribute 'cranksite'");
    }
  }
  if (node.attribute("refsite") && second != SecondSite::Refsite) {
    r.report.error({&node, "refsite"}, "is only for the site transmission", "which has the attribute 'site'");
  }
}

ActuatorWords fill(Reader& r, const XmlNode& node, const Element& element, const spec::Actuator& record) {
  ActuatorWords words(record);
  words.gives_input = node.attribute("input") != nullptr;
  r.attributes(node, element, &words);
  if (const Outcome bad = apply_shortcut(static_cast<Shortcut>(element.tag), words)) r.fail(node, *bad);
  return words;
}

void read_actuator(Reader& r, const XmlNode& node, const Element& element) {
  spec::Actuator actuator = fill(r, node, element, r.class_for(node).actuator);
  actuator.element = element.name;
  check_transmission(r, node, actuator);
  if (actuator.plugin) finish_plugin_use(r, node, element, *actuator.plugin);
  r.claim(ObjType::Actuator, node, actuator);
  r.spec.actuators.add(std::move(actuator));
}

}  // namespace

void read_default_actuator(Reader& r, const XmlNode& node, const Element& element) {
  spec::Actuator& record = r.spec.classes[static_cast<std::size_t>(r.scope.dclass)].actuator;
  record = fill(r, node, element, record);
}

ActuatorElements actuator_elements(Schema& schema) {
  ActuatorTable velocity = controlled_table(), damper = common_table();
  velocity.at<&A::kv>("kv").remark("velocity gain: 1");
  damper.at<&A::kv>("kv").remark("force per control and velocity: 0");
  const auto add = [&](const ActuatorTable& t, std::string_view name, std::string_view doc,
                       Shortcut shortcut) -> const Element* {
    return &schema.add(t.element(name, doc, read_actuator)).tagged(static_cast<int>(shortcut));
  };
  ActuatorElements out{};
  out.shortcuts = {add(general_table(), "general", "any gain, bias and dynamics", Shortcut::General),
                   add(controlled_table(), "motor", "a force or torque", Shortcut::Motor),
                   add(position_table(), "position", "a servo that holds a position", Shortcut::Position),
                   add(velocity, "velocity", "a servo that holds a velocity", Shortcut::Velocity),
                   add(intvelocity_table(), "intvelocity", "a position servo whose target moves with the control",
                       Shortcut::IntVelocity),
                   add(orientation_table(), "orientation",
                       "a servo that holds the orientation of a ball joint or a site", Shortcut::Orientation),
                   add(pid_table(), "pid", "a servo with integral term, slew limit and several inputs", Shortcut::Pid),
                   add(damper, "damper", "a damper whose coefficient is the control", Shortcut::Damper),
                   add(cylinder_table(), "cylinder", "a pneumatic or hydraulic cylinder", Shortcut::Cylinder),
                   add(muscle_table(), "muscle", "a muscle", Shortcut::Muscle),
                   add(adhesion_table(), "adhesion", "adhesion at the contacts of a body", Shortcut::Adhesion),
                   add(dcmotor_table(), "dcmotor", "a direct-current motor", Shortcut::DcMotor)};
  Element& plugin =
      schema.add(plugin_table().element("plugin", "an actuator whose force a plugin computes", read_actuator))
          .tagged(static_cast<int>(Shortcut::Plugin));
  plugin.needs({{"plugin"}, {"instance"}}).holds({plugin_config_element(schema)});
  Element section;
  section.name = "actuator";
  section.doc = "actuators that drive the model";
  section.read = [](Reader& r, const XmlNode& n, const Element& e) { r.children(n, e); };
  out.section = &schema.add(std::move(section)).holds(out.shortcuts).holds({&plugin});
  return out;
}

}  // namespace sinew::mjcf
