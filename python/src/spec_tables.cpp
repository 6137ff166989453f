#include "spec_tables.h"

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "spec/actuator_shortcuts.h"
#include "spec/keywords.h"
#include "spec/references.h"
#include "spec/value.h"

namespace sinew::python {
namespace {

using mjcf::Attribute;
using mjcf::Outcome;
using mjcf::Table;
using spec::Inertial;

struct Alias {
  std::string_view mjcf;
  std::string_view python;
};

/// Names in MuJoCo's structs that differ from MJCF for every element.
constexpr Alias kAliases[] = {{"user", "userdata"},
                              {"solreflimit", "solref_limit"},
                              {"solimplimit", "solimp_limit"},
                              {"solimpfriction", "solimp_friction"},
                              {"actuatorfrclimited", "actfrclimited"},
                              {"actuatorfrcrange", "actfrcrange"},
                              {"actuatorgravcomp", "actgravcomp"},
                              {"fluidshape", "fluid_ellipsoid"},
                              {"fluidcoef", "fluid_coefs"},
                              {"shellinertia", "typeinertia"},
                              {"target", "targetbody"},
                              {"projection", "proj"},
                              {"sensorsize", "sensor_size"},
                              {"focal", "focal_length"},
                              {"focalpixel", "focal_pixel"},
                              {"principal", "principal_length"},
                              {"principalpixel", "principal_pixel"},
                              {"geom1", "geomname1"},
                              {"geom2", "geomname2"},
                              {"body1", "bodyname1"},
                              {"body2", "bodyname2"},
                              {"vertex", "uservert"},
                              {"normal", "usernormal"},
                              {"texcoord", "usertexcoord"},
                              {"face", "userface"},
                              {"elevation", "userdata"},
                              {"angle", "degree"}};

constexpr Alias kFlexAliases[] = {
    {"body", "vertbody"}, {"node", "nodebody"}, {"vertex", "vert"}, {"nodecoord", "node"}, {"element", "elem"}};

std::string_view python_name(Kind kind, std::string_view name) {
  if (kind == Kind::Geom && name == "mesh") return "meshname";
  if (kind == Kind::Geom && name == "hfield") return "hfieldname";
  if (kind == Kind::Flex) {
    for (const Alias& alias : kFlexAliases)
      if (alias.mjcf == name) return alias.python;
    return name;
  }
  if (kind == Kind::Skin) return name == "vertex" ? "vert" : name;
  if (name == "solreffriction") return kind == Kind::Pair ? name : "solref_friction";
  for (const Alias& alias : kAliases)
    if (alias.mjcf == name) return alias.python;
  return name;
}

/// An enumeration or other integer as its number.
template <auto Member, class T>
void add_number(Table<T>& t, std::string_view name) {
  t.template add<int>(
      name,
      [](void* object, std::string_view text, const Attribute& row) -> Outcome {
        int number = 0;
        if (Outcome bad = mjcf::parse_value(text, number, row)) return bad;
        auto& member = static_cast<T*>(object)->*Member;
        member = static_cast<std::remove_reference_t<decltype(member)>>(number);
        return {};
      },
      [](const void* object, const Attribute&) {
        return fmt::format("{}", static_cast<int>(static_cast<const T*>(object)->*Member));
      });
}

bool has_position(const Inertial& inertial) { return !std::isnan(inertial.pos[0]); }

/// An inertial whose position is not given yields to the geoms of its body: see settle_inertials.
constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();

Inertial blank_inertial() {
  Inertial inertial;
  inertial.pos = {kNotGiven, kNotGiven, kNotGiven};
  return inertial;
}

/// A part of the explicit inertial, which exists once one of them is set.
template <auto Member>
void add_inertial(Table<spec::Body>& t, std::string_view name) {
  using Value = std::remove_cvref_t<decltype(std::declval<Inertial&>().*Member)>;
  t.add<Value>(
      name,
      [](void* object, std::string_view text, const Attribute& row) -> Outcome {
        spec::Body& body = *static_cast<spec::Body*>(object);
        Inertial inertial = body.inertial.value_or(blank_inertial());
        if (Outcome bad = mjcf::parse_value(text, inertial.*Member, row)) return bad;
        inertial.has_diaginertia = inertial.has_diaginertia || row.name == "inertia";
        if (row.name == "iquat") inertial.alt.kind = spec::Orientation::Kind::None;
        body.inertial = inertial;
        return {};
      },
      [](const void* object, const Attribute& row) {
        const Inertial inertial = static_cast<const spec::Body*>(object)->inertial.value_or(blank_inertial());
        return row.name == "ipos" && !has_position(inertial) ? "" : mjcf::print_value(inertial.*Member, row);
      });
}

/// A form of the orientation of the explicit inertial.
template <spec::Orientation::Kind Kind, std::size_t Count>
void add_inertial_form(Table<spec::Body>& t, std::string_view name) {
  t.add<spec::Reals<Count>>(
      name,
      [](void* object, std::string_view text, const Attribute& row) -> Outcome {
        spec::Reals<Count> values{};
        if (Outcome bad = mjcf::parse_value(text, values, row)) return bad;
        std::optional<Inertial>& inertial = static_cast<spec::Body*>(object)->inertial;
        if (!inertial) inertial = blank_inertial();
        inertial->alt = {Kind, {}};
        std::copy(values.begin(), values.end(), inertial->alt.value.begin());
        return {};
      },
      [](const void* object, const Attribute&) {
        const std::optional<Inertial>& inertial = static_cast<const spec::Body*>(object)->inertial;
        const bool given = inertial && inertial->alt.kind == Kind;
        return given ? mjcf::print_numbers(std::span(inertial->alt.value).first(Count)) : std::string();
      });
}

std::vector<Attribute> body_rows() {
  Table<spec::Body> t;
  add_inertial<&Inertial::mass>(t, "mass");
  add_inertial<&Inertial::pos>(t, "ipos");
  add_inertial<&Inertial::quat>(t, "iquat");
  add_inertial<&Inertial::diaginertia>(t, "inertia");
  add_inertial<&Inertial::fullinertia>(t, "fullinertia");
  add_inertial_form<spec::Orientation::Kind::AxisAngle, 4>(t, "iaxisangle");
  add_inertial_form<spec::Orientation::Kind::XyAxes, 6>(t, "ixyaxes");
  add_inertial_form<spec::Orientation::Kind::ZAxis, 3>(t, "izaxis");
  add_inertial_form<spec::Orientation::Kind::Euler, 3>(t, "ieuler");
  t.add<bool>(
      "explicitinertial",
      [](void* object, std::string_view text, const Attribute& row) -> Outcome {
        bool wanted = false;
        if (Outcome bad = mjcf::parse_value(text, wanted, row)) return bad;
        std::optional<Inertial>& inertial = static_cast<spec::Body*>(object)->inertial;
        if (wanted && !inertial) inertial.emplace();
        if (wanted && !has_position(*inertial)) inertial->pos = {};
        if (!wanted) inertial.reset();
        return {};
      },
      [](const void* object, const Attribute&) -> std::string {
        const std::optional<Inertial>& inertial = static_cast<const spec::Body*>(object)->inertial;
        return inertial && has_position(*inertial) ? "true" : "false";
      });
  return t.element("", "", nullptr).attributes;
}

std::vector<Attribute> equality_rows() {
  using E = spec::Equality;
  Table<E> t;
  add_number<&E::type>(t, "type");
  add_number<&E::objtype>(t, "objtype");
  t.at<&E::name1>("name1");
  t.at<&E::name2>("name2");
  t.at<&E::data>("data").partial();
  return t.element("", "", nullptr).attributes;
}

/// A field of a part of a flex; enumerations as numbers.
template <auto Part, auto Member>
void add_flex_field(Table<spec::Flex>& t, std::string_view name) {
  using Value = std::remove_cvref_t<decltype(std::declval<spec::Flex&>().*Part.*Member)>;
  constexpr bool kEnum = std::is_enum_v<Value>;
  using Shown = std::conditional_t<kEnum, int, Value>;
  t.add<Shown>(
      name,
      [](void* object, std::string_view text, const Attribute& row) -> Outcome {
        auto& field = static_cast<spec::Flex*>(object)->*Part.*Member;
        auto value = static_cast<Shown>(field);
        if (Outcome bad = mjcf::parse_value(text, value, row)) return bad;
        field = static_cast<Value>(value);
        return {};
      },
      [](const void* object, const Attribute& row) {
        return mjcf::print_value(static_cast<Shown>(static_cast<const spec::Flex*>(object)->*Part.*Member), row);
      });
}

std::vector<Attribute> flex_rows() {
  using F = spec::Flex;
  constexpr auto kContact = &F::contact;
  constexpr auto kElasticity = &F::elasticity;
  Table<F> t;
  add_flex_field<kContact, &F::Contact::contype>(t, "contype");
  add_flex_field<kContact, &F::Contact::conaffinity>(t, "conaffinity");
  add_flex_field<kContact, &F::Contact::condim>(t, "condim");
  add_flex_field<kContact, &F::Contact::priority>(t, "priority");
  add_flex_field<kContact, &F::Contact::friction>(t, "friction");
  add_flex_field<kContact, &F::Contact::solmix>(t, "solmix");
  add_flex_field<kContact, &F::Contact::solref>(t, "solref");
  add_flex_field<kContact, &F::Contact::solimp>(t, "solimp");
  add_flex_field<kContact, &F::Contact::margin>(t, "margin");
  add_flex_field<kContact, &F::Contact::gap>(t, "gap");
  add_flex_field<kContact, &F::Contact::internal>(t, "internal");
  add_flex_field<kContact, &F::Contact::selfcollide>(t, "selfcollide");
  add_flex_field<kContact, &F::Contact::activelayers>(t, "activelayers");
  add_flex_field<kContact, &F::Contact::passive>(t, "passive");
  add_flex_field<&F::edge, &F::Edge::stiffness>(t, "edgestiffness");
  add_flex_field<&F::edge, &F::Edge::damping>(t, "edgedamping");
  add_flex_field<kElasticity, &F::Elasticity::young>(t, "young");
  add_flex_field<kElasticity, &F::Elasticity::poisson>(t, "poisson");
  add_flex_field<kElasticity, &F::Elasticity::damping>(t, "damping");
  add_flex_field<kElasticity, &F::Elasticity::thickness>(t, "thickness");
  add_flex_field<kElasticity, &F::Elasticity::elastic2d>(t, "elastic2d");
  return t.element("", "", nullptr).attributes;
}

std::vector<Attribute> actuator_rows() {
  using A = spec::Actuator;
  Table<A> t;
  add_number<&A::trntype>(t, "trntype");
  t.at<&A::target>("target");
  t.at<&A::inheritrange>("inheritrange");
  return t.element("", "", nullptr).attributes;
}

std::vector<Attribute> sensor_rows() {
  using S = spec::Sensor;
  Table<S> t;
  add_number<&S::type>(t, "type");
  add_number<&S::objtype>(t, "objtype");
  t.at<&S::objname>("objname");
  add_number<&S::reftype>(t, "reftype");
  t.at<&S::refname>("refname");
  t.at<&S::intprm>("intprm").partial();
  add_number<&S::datatype>(t, "datatype");
  add_number<&S::needstage>(t, "needstage");
  t.at<&S::dim>("dim").at_least(0);
  return t.element("", "", nullptr).attributes;
}

std::vector<Attribute> option_rows() {
  Table<Option> t;
  t.at<&Option::disableflags>("disableflags");
  t.at<&Option::enableflags>("enableflags");
  t.at<&Option::disableactuator>("disableactuator");
  return t.element("", "", nullptr).attributes;
}

std::vector<Attribute> plugin_rows() {
  Table<spec::PluginInstance> t;
  t.at<&spec::PluginInstance::plugin>("plugin_name");
  return t.element("", "", nullptr).attributes;
}

std::vector<Attribute> size_rows() {
  Table<spec::Sizes> t;
  t.at<&spec::Sizes::memory>("memory").at_least(-1);
  return t.element("", "", nullptr).attributes;
}

/// What every element has.
std::vector<Attribute> element_rows() {
  Table<spec::Element> t;
  t.at<&spec::Element::info>("info");
  return t.element("", "", nullptr).attributes;
}

/// An actuator's words include those that only shortcuts have, which are not in the actuator itself.
bool is_in_actuator(const Attribute& row) {
  mjcf::ActuatorWords words;
  const auto* first = reinterpret_cast<const char*>(static_cast<const spec::Actuator*>(&words));
  const auto* at = static_cast<const char*>(row.locate(&words).first);
  return at >= first && at < first + sizeof(spec::Actuator);
}

std::vector<Attribute> default_rows() {
  Table<spec::DefaultClass> t;
  t.at<&spec::DefaultClass::name>("name");
  return t.element("", "", nullptr).attributes;
}

/// One kind: the position of its attributes in the language, and additional rows.
struct Source {
  Kind kind;
  std::string_view name;
  ObjType type;
  std::vector<std::string_view> path;  // of the element below <mujoco>; empty: none
  std::vector<Attribute> rows = {};    // these take precedence over MJCF attributes with the same name
};

std::vector<Source> sources() {
  using K = Kind;
  const ObjType none = ObjType::Unknown;
  return {{K::Body, "body", ObjType::Body, {"worldbody", "body"}, body_rows()},
          {K::Frame, "frame", ObjType::Frame, {"worldbody", "frame"}},
          {K::Joint, "joint", ObjType::Joint, {"worldbody", "body", "joint"}},
          {K::Geom, "geom", ObjType::Geom, {"worldbody", "geom"}},
          {K::Site, "site", ObjType::Site, {"worldbody", "site"}},
          {K::Camera, "camera", ObjType::Camera, {"worldbody", "camera"}},
          {K::Light, "light", ObjType::Light, {"worldbody", "light"}},
          {K::Mesh, "mesh", ObjType::Mesh, {"asset", "mesh"}},
          {K::Hfield, "hfield", ObjType::Hfield, {"asset", "hfield"}},
          {K::Texture, "texture", ObjType::Texture, {"asset", "texture"}},
          {K::Material, "material", ObjType::Material, {"asset", "material"}},
          {K::Pair, "pair", ObjType::Pair, {"contact", "pair"}},
          {K::Exclude, "exclude", ObjType::Exclude, {"contact", "exclude"}},
          {K::Flex, "flex", ObjType::Flex, {"deformable", "flex"}, flex_rows()},
          {K::Skin, "skin", ObjType::Skin, {"deformable", "skin"}},
          {K::Plugin, "plugin", ObjType::Plugin, {}, plugin_rows()},
          {K::Equality, "equality", ObjType::Equality, {"default", "equality"}, equality_rows()},
          {K::Tendon, "tendon", ObjType::Tendon, {"tendon", "spatial"}},
          {K::Actuator, "actuator", ObjType::Actuator, {"actuator", "general"}, actuator_rows()},
          {K::Sensor, "sensor", ObjType::Sensor, {"sensor", "clock"}, sensor_rows()},
          {K::Numeric, "numeric", ObjType::Numeric, {"custom", "numeric"}},
          {K::Text, "text", ObjType::Text, {"custom", "text"}},
          {K::Tuple, "tuple", ObjType::Tuple, {"custom", "tuple"}},
          {K::Key, "key", ObjType::Key, {"keyframe", "key"}},
          {K::Default, "default", ObjType::Default, {}, default_rows()},
          {K::Compiler, "compiler", none, {"compiler"}},
          {K::LengthRange, "lengthrange", none, {"compiler", "lengthrange"}},
          {K::Option, "option", none, {"option"}, option_rows()},
          {K::Size, "size", none, {"size"}, size_rows()},
          {K::Statistic, "statistic", none, {"statistic"}},
          {K::VisualGlobal, "visual.global", none, {"visual", "global"}},
          {K::VisualQuality, "visual.quality", none, {"visual", "quality"}},
          {K::VisualHeadlight, "visual.headlight", none, {"visual", "headlight"}},
          {K::VisualMap, "visual.map", none, {"visual", "map"}},
          {K::VisualScale, "visual.scale", none, {"visual", "scale"}},
          {K::VisualRgba, "visual.rgba", none, {"visual", "rgba"}}};
}

KindInfo build(const Source& source) {
  KindInfo out{source.name, source.type, {}};
  for (const Attribute& row : source.rows) out.attributes.push_back({row.name, row.name, row});
  if (source.kind <= Kind::Key)
    for (const Attribute& row : element_rows()) out.attributes.push_back({row.name, row.name, row});
  if (source.path.empty()) return out;
  const mjcf::Element* element = &mjcf::schema().root();
  for (const std::string_view name : source.path) element = element->child(name);
  const auto add = [&](const Attribute& row) {
    const bool identity = row.name == "name" || row.name == "class";  // handled by the node
    if (identity || !row.read || out.find(row.name)) return;
    out.attributes.push_back({python_name(source.kind, row.name), row.name, row, source.kind == Kind::Actuator,
                              row.name == "size" || row.name == "stiffness" || row.name == "damping"});
    SpecAttribute& added = out.attributes.back();
    const bool number = row.type == mjcf::ValueType::Real || row.type == mjcf::ValueType::Integer;
    if (!number || (added.words && row.locate && !is_in_actuator(row))) added.attribute.locate = nullptr;
    if (added.attribute.locate) added.words = false;
  };
  for (const Attribute& row : element->attributes) add(row);
  if (source.kind == Kind::Joint) {
    for (const Attribute& row : mjcf::schema().root().child("worldbody")->child("freejoint")->attributes) add(row);
  }
  return out;
}

using Infos = std::array<KindInfo, kKinds>;

const Infos& infos() {
  static const Infos table = [] {
    Infos out;
    for (const Source& source : sources()) out[static_cast<std::size_t>(source.kind)] = build(source);
    return out;
  }();
  return table;
}

}  // namespace

const SpecAttribute* KindInfo::find(std::string_view wanted) const {
  for (const SpecAttribute& row : attributes)
    if (row.name == wanted) return &row;
  for (const SpecAttribute& row : attributes)
    if (row.mjcf == wanted) return &row;
  return nullptr;
}

const KindInfo& info(Kind kind) { return infos()[static_cast<std::size_t>(kind)]; }

Kind kind_of(std::string_view name) {
  for (int i = 0; i < kKinds; ++i)
    if (infos()[static_cast<std::size_t>(i)].name == name) return static_cast<Kind>(i);
  throw std::invalid_argument("there is no kind of element called '" + std::string(name) + "'");
}

void settle_inertials(Spec& spec) {
  mjcf::for_each_below(spec.world, [&](ObjType, auto& element) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(element)>, spec::Body>) {
      if (!element.inertial || has_position(*element.inertial)) return;
      if (!element.geoms.empty() && spec.compiler_of(element.origin).inertiafromgeom != spec::Tri::False) {
        element.inertial.reset();
      } else {
        element.inertial->pos = {};
      }
    }
  });
}

}  // namespace sinew::python
