// compiler, option, size, statistic, visual: settings of the whole model.

#include <algorithm>
#include <charconv>

#include "base/limits.h"
#include "spec/keywords.h"
#include "spec/reader.h"
#include "spec/schema_parts.h"
#include "spec/value.h"

namespace sinew::mjcf {
namespace {

constexpr Keyword kFlag[] = {{"disable", 0}, {"enable", 1}};
constexpr Keyword kCoordinate[] = {{"local", 0}, {"global", 1}};

const Element* compiler_section(Schema& schema) {
  Table<LengthRangeOptions> range;
  range.at<&LengthRangeOptions::mode>("mode").words(kLengthRangeMode);
  range.at<&LengthRangeOptions::useexisting>("useexisting");
  range.at<&LengthRangeOptions::uselimit>("uselimit");
  range.at<&LengthRangeOptions::accel>("accel");
  range.at<&LengthRangeOptions::maxforce>("maxforce");
  range.at<&LengthRangeOptions::timeconst>("timeconst");
  range.at<&LengthRangeOptions::timestep>("timestep");
  range.at<&LengthRangeOptions::inttotal>("inttotal");
  range.at<&LengthRangeOptions::interval>("interval");
  range.at<&LengthRangeOptions::tolrange>("tolrange");
  const Element& lengthrange =
      schema.add(range
                     .element("lengthrange", "how actuator length ranges are found by simulation",
                              [](Reader& r, const XmlNode& n, const Element& e) {
                                r.attributes(n, e, &r.spec.compiler.lengthrange);
                                r.spec.compiler.lengthrange_origin = {n.file, n.line};
                              })
                     .once());

  using C = spec::Compiler;
  Table<C> t;
  t.at<&C::autolimits>("autolimits");
  t.at<&C::boundmass>("boundmass");
  t.at<&C::boundinertia>("boundinertia");
  t.at<&C::settotalmass>("settotalmass");
  t.at<&C::balanceinertia>("balanceinertia");
  t.at<&C::strippath>("strippath");
  t.add<int>(
       "coordinate",
       [](void*, std::string_view text, const Attribute& row) -> Outcome {
         int global = 0;
         if (Outcome bad = parse_keyword(text, row.keywords, global)) return bad;
         if (global)
           return Complaint{"global coordinates are no longer supported", "write poses relative to the parent body"};
         return {};
       },
       [](const void*, const Attribute&) { return std::string(); })
      .words(kCoordinate)
      .remark("only local is supported");
  t.at<&C::degree>("angle").words(kAngle);
  t.at<&C::fitaabb>("fitaabb");
  t.add<std::string>(
       "eulerseq",
       [](void* object, std::string_view text, const Attribute&) -> Outcome {
         if (text.size() != 3 || text.find_first_not_of("xyzXYZ") != std::string_view::npos) {
           return Complaint{"'" + std::string(text.substr(0, 40)) + "' is not a sequence of three axes",
                            "three letters of x y z X Y Z"};
         }
         static_cast<C*>(object)->eulerseq = text;
         return {};
       },
       [](const void* object, const Attribute&) { return static_cast<const C*>(object)->eulerseq; })
      .remark("three letters; lower case: moving axes, upper case: fixed axes");
  t.at<&C::meshdir>("meshdir");
  t.at<&C::texturedir>("texturedir");
  t.at<&C::assetdir>("assetdir");
  t.at<&C::discardvisual>("discardvisual");
  t.at<&C::usethread>("usethread");
  t.at<&C::fusestatic>("fusestatic");
  t.at<&C::inertiafromgeom>("inertiafromgeom").words(kTri);
  t.at<&C::inertiagrouprange>("inertiagrouprange");
  t.at<&C::saveinertial>("saveinertial");
  t.at<&C::alignfree>("alignfree");
  t.at<&C::conflict>("conflict").words(kConflict);
  return &schema
              .add(t.element("compiler", "how the model text is interpreted",
                             [](Reader& r, const XmlNode& n, const Element& e) {
                               r.attributes(n, e, &r.spec.compiler);
                               r.children(n, e);
                             }))
              .holds({&lengthrange});
}

/// A flag of <option><flag>: enable clears a bit of disableflags, or sets one of enableflags.
template <int Bit>
void disable_flag(Table<Option>& t, std::string_view name) {
  t.add<int>(
       name,
       [](void* object, std::string_view text, const Attribute& row) -> Outcome {
         int on = 0;
         if (Outcome bad = parse_keyword(text, row.keywords, on)) return bad;
         int& flags = static_cast<Option*>(object)->disableflags;
         flags = on ? flags & ~Bit : flags | Bit;
         return {};
       },
       [](const void* object, const Attribute& row) {
         return print_keyword((static_cast<const Option*>(object)->disableflags & Bit) ? 0 : 1, row.keywords);
       })
      .words(kFlag);
}

template <int Bit>
void enable_flag(Table<Option>& t, std::string_view name) {
  t.add<int>(
       name,
       [](void* object, std::string_view text, const Attribute& row) -> Outcome {
         int on = 0;
         if (Outcome bad = parse_keyword(text, row.keywords, on)) return bad;
         int& flags = static_cast<Option*>(object)->enableflags;
         flags = on ? flags | Bit : flags & ~Bit;
         return {};
       },
       [](const void* object, const Attribute& row) {
         return print_keyword((static_cast<const Option*>(object)->enableflags & Bit) ? 1 : 0, row.keywords);
       })
      .words(kFlag);
}

const Element& flag_element(Schema& schema) {
  Table<Option> t;
  disable_flag<kDisableConstraint>(t, "constraint");
  disable_flag<kDisableEquality>(t, "equality");
  disable_flag<kDisableFrictionloss>(t, "frictionloss");
  disable_flag<kDisableLimit>(t, "limit");
  disable_flag<kDisableContact>(t, "contact");
  disable_flag<kDisableSpring>(t, "spring");
  disable_flag<kDisableDamper>(t, "damper");
  disable_flag<kDisableGravity>(t, "gravity");
  disable_flag<kDisableClampctrl>(t, "clampctrl");
  disable_flag<kDisableWarmstart>(t, "warmstart");
  disable_flag<kDisableFilterparent>(t, "filterparent");
  disable_flag<kDisableActuation>(t, "actuation");
  disable_flag<kDisableRefsafe>(t, "refsafe");
  disable_flag<kDisableSensor>(t, "sensor");
  disable_flag<kDisableMidphase>(t, "midphase");
  disable_flag<kDisableEulerdamp>(t, "eulerdamp");
  disable_flag<kDisableAutoreset>(t, "autoreset");
  disable_flag<kDisableNativeccd>(t, "nativeccd");
  disable_flag<kDisableIsland>(t, "island");
  disable_flag<kDisableMulticcd>(t, "multiccd");
  enable_flag<kEnableOverride>(t, "override");
  enable_flag<kEnableEnergy>(t, "energy");
  enable_flag<kEnableFwdinv>(t, "fwdinv");
  enable_flag<kEnableInvdiscrete>(t, "invdiscrete");
  enable_flag<kEnableSleep>(t, "sleep");
  enable_flag<kEnableDiagexact>(t, "diagexact");
  return schema.add(t.element("flag", "enables and disables parts of the simulation",
                              [](Reader& r, const XmlNode& n, const Element& e) { r.attributes(n, e, &r.spec.option); })
                        .once());
}

const Element* option_section(Schema& schema) {
  using O = Option;
  Table<O> t;
  t.at<&O::timestep>("timestep");
  t.at<&O::impratio>("impratio");
  t.at<&O::tolerance>("tolerance");
  t.at<&O::ls_tolerance>("ls_tolerance");
  t.at<&O::noslip_tolerance>("noslip_tolerance");
  t.at<&O::ccd_tolerance>("ccd_tolerance");
  t.at<&O::sleep_tolerance>("sleep_tolerance");
  t.at<&O::gravity>("gravity");
  t.at<&O::wind>("wind");
  t.at<&O::magnetic>("magnetic");
  t.at<&O::density>("density");
  t.at<&O::viscosity>("viscosity");
  t.at<&O::o_margin>("o_margin");
  t.at<&O::o_solref>("o_solref").partial();
  t.at<&O::o_solimp>("o_solimp").partial();
  t.at<&O::o_friction>("o_friction").partial();
  t.at<&O::integrator>("integrator").words(kIntegrator);
  t.at<&O::cone>("cone").words(kCone);
  t.at<&O::jacobian>("jacobian").words(kJacobian);
  t.at<&O::solver>("solver").words(kSolver);
  t.at<&O::iterations>("iterations").at_most(limits::kIterations);
  t.at<&O::ls_iterations>("ls_iterations").at_most(limits::kIterations);
  t.at<&O::noslip_iterations>("noslip_iterations").at_most(limits::kIterations);
  t.at<&O::ccd_iterations>("ccd_iterations").at_most(limits::kIterations);
  t.at<&O::sdf_iterations>("sdf_iterations").at_most(limits::kSdfIterations);
  t.at<&O::sdf_initpoints>("sdf_initpoints").at_most(limits::kSdfPoints);
  t.add<std::vector<int>>(
       "actuatorgroupdisable",
       [](void* object, std::string_view text, const Attribute& row) -> Outcome {
         return parse_numbers<int>(
             text, row, [&](std::size_t, int group) { static_cast<O*>(object)->disableactuator |= 1 << group; });
       },
       [](const void* object, const Attribute&) {
         std::vector<int> groups;
         for (int group = 0; group <= limits::kActuatorGroup; ++group) {
           if (static_cast<const O*>(object)->disableactuator & (1 << group)) groups.push_back(group);
         }
         return print_numbers(groups);
       })
      .between(0, limits::kActuatorGroup)
      .remark("actuator groups that are disabled");
  return &schema
              .add(t.element("option", "physics and solver options",
                             [](Reader& r, const XmlNode& n, const Element& e) {
                               r.attributes(n, e, &r.spec.option);
                               r.children(n, e);
                             }))
              .holds({&flag_element(schema)});
}

/// "-1", or an unsigned number of bytes with one of the suffixes K M G T P E (powers of 1024); surrounding space is
/// ignored.
Outcome parse_memory(std::string_view text, std::int64_t& out) {
  const Complaint bad{"'" + std::string(text.substr(0, 40)) + "' is not a size in bytes",
                      "a whole number below 2^63, optionally followed by one of K M G T P E"};
  static constexpr std::string_view kSpace = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  text.remove_suffix(text.size() - (text.find_last_not_of(kSpace) + 1));  // only space: npos + 1 = 0
  if (text == "-1") {
    out = -1;
    return {};
  }
  static constexpr std::string_view kSuffixes = "KMGTPE";
  std::size_t power = 0;
  if (!text.empty()) {
    const char last =
        text.back() >= 'a' && text.back() <= 'z' ? static_cast<char>(text.back() - 'a' + 'A') : text.back();
    power = kSuffixes.find(last) + 1;  // no suffix: npos + 1 = 0
  }
  if (power > 0) text.remove_suffix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0) return bad;
  const int shift = static_cast<int>(10 * power);
  if (value > (std::numeric_limits<std::int64_t>::max() >> shift)) return bad;
  out = value << shift;
  return {};
}

const Element* size_section(Schema& schema) {
  using S = spec::Sizes;
  Table<S> t;
  t.add<std::string>(
       "memory",
       [](void* object, std::string_view text, const Attribute&) {
         return parse_memory(text, static_cast<S*>(object)->memory);
       },
       [](const void* object, const Attribute&) { return fmt::format("{}", static_cast<const S*>(object)->memory); })
      .remark("bytes, with suffix K M G T P E; accepted, memory grows as needed");
  t.at<&S::njmax>("njmax").never_blank().at_least(-1).remark("accepted and ignored");
  t.at<&S::nconmax>("nconmax").never_blank().at_least(-1).remark("accepted and ignored");
  t.at<&S::nstack>("nstack").never_blank().at_least(-1).remark("accepted and ignored");
  t.at<&S::nuserdata>("nuserdata").between(0, limits::kUserData);
  t.at<&S::nkey>("nkey").between(0, limits::kKeys);
  t.at<&S::nuser_body>("nuser_body").between(-1, limits::kUserPerElement);
  t.at<&S::nuser_jnt>("nuser_jnt").between(-1, limits::kUserPerElement);
  t.at<&S::nuser_geom>("nuser_geom").between(-1, limits::kUserPerElement);
  t.at<&S::nuser_site>("nuser_site").between(-1, limits::kUserPerElement);
  t.at<&S::nuser_cam>("nuser_cam").between(-1, limits::kUserPerElement);
  t.at<&S::nuser_tendon>("nuser_tendon").between(-1, limits::kUserPerElement);
  t.at<&S::nuser_actuator>("nuser_actuator").between(-1, limits::kUserPerElement);
  t.at<&S::nuser_sensor>("nuser_sensor").between(-1, limits::kUserPerElement);
  return &schema
              .add(t.element("size", "sizes that do not follow from the elements; -1: the compiler decides",
                             [](Reader& r, const XmlNode& n, const Element& e) { r.attributes(n, e, &r.spec.size); }))
              .exclusive({{"memory"}, {"nstack"}})
              .exclusive({{"memory"}, {"njmax"}});
}

const Element* statistic_section(Schema& schema) {
  using S = spec::StatisticOverride;
  Table<S> t;
  t.at<&S::meaninertia>("meaninertia");
  t.at<&S::meanmass>("meanmass");
  t.at<&S::meansize>("meansize");
  t.at<&S::extent>("extent").positive();
  t.at<&S::center>("center");
  return &schema.add(
      t.element("statistic", "overrides what the compiler computes from the model",
                [](Reader& r, const XmlNode& n, const Element& e) { r.attributes(n, e, &r.spec.statistic); }));
}

constexpr std::string_view visual_doc(std::string_view group) {
  if (group == "global_") return "initial view and size of images";
  if (group == "quality") return "rendering quality of shapes and shadows";
  if (group == "headlight") return "the light that moves with the camera";
  if (group == "map") return "scales for drawing forces, fog and clipping";
  if (group == "scale") return "sizes of the symbols";
  return "colors of the symbols";
}

/// One element for each group of visual_fields.def.
const Element* visual_section(Schema& schema) {
  std::vector<Element*> groups;
#define SINEW_VISUAL_BEGIN(group) \
  {                               \
    Table<Visual::group##_t> t;
#define SINEW_VISUAL(group, type, name, ...) t.at<&Visual::group##_t::name>(#name);
#define SINEW_VISUAL_END(group)                                                                             \
  groups.push_back(                                                                                         \
      &schema.add(t.element(#group, visual_doc(#group), [](Reader& r, const XmlNode& n, const Element& e) { \
                     r.attributes(n, e, &r.spec.visual.group);                                              \
                   }).once()));                                                                             \
  }
#include "sinew/visual_fields.def"
#undef SINEW_VISUAL_BEGIN
#undef SINEW_VISUAL
#undef SINEW_VISUAL_END

  Element visual;
  visual.name = "visual";
  visual.doc = "settings for a viewer; they do not affect the simulation";
  visual.read = [](Reader& r, const XmlNode& n, const Element& e) { r.children(n, e); };
  for (Element* group : groups) {
    if (group->name == "global_") group->name = "global";  // a keyword of C++
    for (Attribute& row : group->attributes) {
      const bool on_off = row.name == "orthographic" || row.name == "ellipsoidinertia" ||
                          (group->name == "global" && row.name == "bvactive");
      if (on_off) row.words(kBooleans);
      if (row.name == "znear" || row.name == "realtime") row.positive();
    }
    visual.holds({group});
  }
  return &schema.add(std::move(visual));
}

}  // namespace

std::vector<const Element*> settings_sections(Schema& schema) {
  return {compiler_section(schema), option_section(schema), size_section(schema), statistic_section(schema),
          visual_section(schema)};
}

}  // namespace sinew::mjcf
