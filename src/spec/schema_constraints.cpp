// contact, equality, tendon.

#include "model/equality_kinds.h"
#include "spec/keywords.h"
#include "spec/reader.h"
#include "spec/schema_parts.h"
#include "spec/value.h"

namespace sinew::mjcf {
namespace {

Handler read_children() {
  return [](Reader& r, const XmlNode& n, const Element& e) { r.children(n, e); };
}

Element& pair_element(Schema& schema) {
  using P = spec::Pair;
  Table<P> t;
  t.at<&P::name>("name").element_only();
  t.at<&P::dclass>("class").element_only();
  t.at<&P::geom1>("geom1").need().element_only();
  t.at<&P::geom2>("geom2").need().element_only();
  t.at<&P::condim>("condim");
  t.at<&P::friction>("friction").partial().nan_means_inherited();
  t.at<&P::solref>("solref").partial().nan_means_inherited();
  t.at<&P::solreffriction>("solreffriction").partial();
  t.at<&P::solimp>("solimp").partial().nan_means_inherited();
  t.at<&P::margin>("margin").nan_means_inherited();
  t.at<&P::gap>("gap").nan_means_inherited();
  t.at<&P::adhesion>("adhesion");
  return schema.add(t.element("pair", "two geoms that are always tested for contact, with their own parameters",
                              [](Reader& r, const XmlNode& n, const Element& e) {
                                r.spec.pairs.add(r.start(ObjType::Pair, n, e, &spec::DefaultClass::pair));
                              }));
}

const Element* exclude_element(Schema& schema) {
  using E = spec::Exclude;
  Table<E> t;
  t.at<&E::name>("name");
  t.at<&E::body1>("body1").need();
  t.at<&E::body2>("body2").need();
  return &schema.add(
      t.element("exclude", "two bodies that never collide", [](Reader& r, const XmlNode& n, const Element& e) {
        spec::Exclude exclude;
        r.attributes(n, e, &exclude);
        r.claim(ObjType::Exclude, n, exclude);
        r.spec.excludes.add(std::move(exclude));
      }));
}

constexpr spec::Reals<kNumEqData> kWeldData = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};    // anchor, relpose, torquescale
constexpr spec::Reals<kNumEqData> kStrainData = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};  // cell

void read_equality(Reader& r, const XmlNode& node, const Element& element) {
  spec::Equality equality = r.class_for(node).equality;
  equality.type = static_cast<EqualityType>(element.tag);
  // a weld of bodies without an anchor has it at the origin of body2; the built-in data belong to polynomials
  if (equality.type == EqualityType::Weld && !node.attribute("site1")) equality.data = kWeldData;
  if (equality.type == EqualityType::FlexStrain) equality.data = kStrainData;
  r.attributes(node, element, &equality);
  r.claim(ObjType::Equality, node, equality);
  r.spec.equalities.add(std::move(equality));
}

using EqualityTable = Table<spec::Equality>;

/// Common to all equalities; a class holds only active, solref and solimp.
EqualityTable equality_table() {
  using E = spec::Equality;
  EqualityTable t;
  t.at<&E::name>("name").element_only();
  t.at<&E::dclass>("class").element_only();
  t.at<&E::active>("active");
  t.at<&E::solref>("solref").partial();
  t.at<&E::solimp>("solimp").partial();
  return t;
}

template <ObjType Kind>
void add_objects(EqualityTable& t, std::string_view first, std::string_view second) {
  using E = spec::Equality;
  t.object<&E::objtype, Kind, &E::name1>(first);
  t.object<&E::objtype, Kind, &E::name2>(second);
}

std::vector<const Element*> equality_elements(Schema& schema) {
  using E = spec::Equality;
  EqualityTable connect = equality_table();
  add_objects<ObjType::Body>(connect, "body1", "body2");
  connect.slice<&E::data, 0, 3>("anchor");
  add_objects<ObjType::Site>(connect, "site1", "site2");

  EqualityTable weld = equality_table();
  add_objects<ObjType::Body>(weld, "body1", "body2");
  weld.slice<&E::data, 0, 3>("anchor");
  weld.slice<&E::data, 3, 7>("relpose").remark("position and quaternion; quaternion all 0: as in the reference pose");
  weld.item<&E::data, 10>("torquescale");
  add_objects<ObjType::Site>(weld, "site1", "site2");

  EqualityTable joint = equality_table();
  joint.object<&E::objtype, ObjType::Joint, &E::name1>("joint1").need();
  joint.object<&E::objtype, ObjType::Joint, &E::name2>("joint2");
  joint.slice<&E::data, 0, 5>("polycoef").partial();

  EqualityTable tendon = equality_table();
  tendon.object<&E::objtype, ObjType::Tendon, &E::name1>("tendon1").need();
  tendon.object<&E::objtype, ObjType::Tendon, &E::name2>("tendon2");
  tendon.slice<&E::data, 0, 5>("polycoef").partial();

  EqualityTable flex = equality_table();
  flex.object<&E::objtype, ObjType::Flex, &E::name1>("flex").need();
  EqualityTable strain = flex;
  strain.slice<&E::data, 0, 3>("cell").remark("indices of the cell; of a shell: its face element, -1, -1");

  const auto add = [&](const EqualityTable& t, std::string_view doc, EqualityType type) -> Element& {
    Element& element =
        schema.add(t.element(equality_kind(type).element, doc, read_equality)).tagged(static_cast<int>(type));
    spec::Equality blank;
    if (type == EqualityType::Weld) blank.data = kWeldData;
    if (type == EqualityType::FlexStrain) blank.data = kStrainData;
    element.blank = std::make_shared<const spec::Equality>(std::move(blank));
    return element;
  };
  return {&add(connect, "two bodies share a point", EqualityType::Connect)
               .exclusive({{"site1", "site2"}, {"body1", "body2", "anchor"}})
               .needs({{"site1", "site2"}, {"body1", "anchor"}}),
          &add(weld, "two bodies keep their relative pose", EqualityType::Weld)
               .exclusive({{"site1", "site2"}, {"body1", "body2", "anchor", "relpose"}})
               .needs({{"site1", "site2"}, {"body1"}}),
          &add(joint, "one joint is a polynomial of another", EqualityType::Joint),
          &add(tendon, "one tendon length is a polynomial of another", EqualityType::Tendon),
          &add(flex, "the edges of a flex keep their lengths", EqualityType::Flex),
          &add(flex, "the metric of a flex is kept around each vertex", EqualityType::FlexVert),
          &add(strain, "a cell of the grid of a flex keeps its shape", EqualityType::FlexStrain)};
}

/// One number for springlength sets both ends.
Outcome parse_springlength(void* object, std::string_view text, const Attribute& row) {
  spec::Reals<2> length{};
  std::size_t count = 0;
  const Outcome bad = parse_numbers<double>(text, row, [&](std::size_t i, double number) {
    length[i] = number;
    count = i + 1;
  });
  if (bad) return bad;
  if (count == 1) length[1] = length[0];
  static_cast<spec::Tendon*>(object)->springlength = length;
  return {};
}

using TendonTable = Table<spec::Tendon>;

/// Common to both kinds of tendons.
TendonTable tendon_table() {
  using T = spec::Tendon;
  TendonTable t;
  t.at<&T::name>("name").element_only();
  t.at<&T::dclass>("class").element_only();
  t.at<&T::group>("group");
  t.at<&T::limited>("limited").words(kTri);
  t.at<&T::range>("range");
  t.at<&T::actuatorfrclimited>("actuatorfrclimited").words(kTri).element_only();
  t.at<&T::actuatorfrcrange>("actuatorfrcrange").element_only();
  t.at<&T::solreflimit>("solreflimit").partial();
  t.at<&T::solimplimit>("solimplimit").partial();
  t.at<&T::solreffriction>("solreffriction").partial();
  t.at<&T::solimpfriction>("solimpfriction").partial();
  t.at<&T::frictionloss>("frictionloss");
  t.at<&T::margin>("margin");
  t.at<&T::stiffness>("stiffness").partial();
  t.at<&T::damping>("damping").partial();
  t.at<&T::armature>("armature").element_only();
  t.add<spec::Reals<2>>(
       "springlength", parse_springlength,
       [](const void* o, const Attribute& row) { return print_value(static_cast<const T*>(o)->springlength, row); })
      .partial()
      .remark("one number: both ends; -1: the length in the reference pose");
  t.at<&T::user>("user");
  return t;
}

void read_tendon(Reader& r, const XmlNode& node, const Element& element) {
  spec::Tendon tendon = r.start(ObjType::Tendon, node, element, &spec::DefaultClass::tendon);
  tendon.spatial = element.tag != 0;
  r.spec.tendons.add(std::move(tendon));
  r.children(node, element);
}

/// One path element of the last tendon.
void read_wrap(Reader& r, const XmlNode& node, const Element& element) {
  spec::Wrap wrap;
  wrap.origin = {node.file, node.line};
  wrap.type = static_cast<WrapType>(element.tag);
  r.attributes(node, element, &wrap);
  r.spec.tendons.back().path.push_back(std::move(wrap));
}

const Element* tendon_section(Schema& schema, Element*& spatial) {
  using W = spec::Wrap;
  const auto wrap = [&](const Table<W>& t, std::string_view name, std::string_view doc, WrapType type) {
    return &schema.add(t.element(name, doc, read_wrap)).tagged(static_cast<int>(type));
  };
  Table<W> site, geom, pulley, joint;
  site.at<&W::target>("site").need();
  geom.at<&W::target>("geom").need();
  geom.at<&W::sidesite>("sidesite");
  pulley.at<&W::prm>("divisor").need();
  joint.at<&W::target>("joint").need();
  joint.at<&W::prm>("coef").need();

  using T = spec::Tendon;
  TendonTable path = tendon_table();
  path.at<&T::width>("width");
  path.at<&T::material>("material");
  path.at<&T::rgba>("rgba");
  spatial =
      &schema.add(path.element("spatial", "the shortest path through sites and around geoms", read_tendon)).tagged(1);
  spatial->holds({wrap(site, "site", "a site that the path goes through", WrapType::Site),
                  wrap(geom, "geom", "a sphere or cylinder that the path wraps around", WrapType::Sphere),
                  wrap(pulley, "pulley", "ends a branch; the next branch is scaled by 1/divisor", WrapType::Pulley)});
  const Element& fixed = schema.add(tendon_table().element("fixed", "a weighted sum of joint positions", read_tendon))
                             .tagged(0)
                             .holds({wrap(joint, "joint", "a joint and its weight", WrapType::Joint)});
  Element section;
  section.name = "tendon";
  section.doc = "lengths that springs, limits and actuators act on";
  section.read = read_children();
  return &schema.add(std::move(section)).holds({spatial, &fixed});
}

}  // namespace

ConstraintElements constraint_elements(Schema& schema) {
  ConstraintElements out{};
  Element contact;
  contact.name = "contact";
  contact.doc = "explicit contact pairs and excluded pairs";
  contact.read = read_children();
  out.pair = &pair_element(schema);
  out.contact = &schema.add(std::move(contact)).holds({out.pair, exclude_element(schema)});

  Element equality;
  equality.name = "equality";
  equality.doc = "equality constraints";
  equality.read = read_children();
  out.equality = &schema.add(std::move(equality)).holds(equality_elements(schema));
  out.any_equality = &schema.add(equality_table().element("equality", "any equality", read_equality));

  Element* spatial = nullptr;
  out.tendon = tendon_section(schema, spatial);
  out.spatial = spatial;
  return out;
}

}  // namespace sinew::mjcf
