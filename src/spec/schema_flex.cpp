// deformable/flex: a deformable object whose vertices, or the nodes that move them, are fixed in bodies.

#include "spec/schema_flex.h"

#include "spec/keywords.h"
#include "spec/reader.h"

namespace sinew::mjcf {
namespace {

using spec::Flex;

constexpr Keyword kDofWords[] = {word("full", spec::FlexDof::Full), word("radial", spec::FlexDof::Radial),
                                 word("trilinear", spec::FlexDof::Trilinear),
                                 word("quadratic", spec::FlexDof::Quadratic), word("2d", spec::FlexDof::Plane)};
constexpr Keyword kSelf[] = {word("none", spec::FlexSelf::None), word("narrow", spec::FlexSelf::Narrow),
                             word("bvh", spec::FlexSelf::Bvh), word("sap", spec::FlexSelf::Sap),
                             word("auto", spec::FlexSelf::Auto)};
constexpr Keyword kElastic2d[] = {word("none", spec::FlexElastic2d::None), word("bend", spec::FlexElastic2d::Bend),
                                  word("stretch", spec::FlexElastic2d::Stretch),
                                  word("both", spec::FlexElastic2d::Both)};

/// A list of names.
template <auto Member>
Attribute& add_names(Table<Flex>& t, std::string_view name) {
  return t.add<std::string>(
      name,
      [](void* object, std::string_view text, const Attribute&) -> Outcome {
        std::vector<std::string>& names = static_cast<Flex*>(object)->*Member;
        names.clear();
        for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) names.emplace_back(word);
        return {};
      },
      [](const void* object, const Attribute&) {
        std::string out;
        for (const std::string& name : static_cast<const Flex*>(object)->*Member)
          out += (out.empty() ? "" : " ") + name;
        return out;
      });
}

/// A part of the last flex.
template <auto Member>
void read_part(Reader& r, const XmlNode& node, const Element& element) {
  r.attributes(node, element, &(r.spec.flexes.back().*Member));
}

}  // namespace

const Keywords kFlexDof = kDofWords;

void add_flex_edge(Table<Flex::Edge>& t) {
  t.at<&Flex::Edge::stiffness>("stiffness").remark("of springs along the edges; dim 1 only");
  t.at<&Flex::Edge::damping>("damping");
}

Element& flex_contact(Schema& schema, Handler read) {
  using C = Flex::Contact;
  Table<C> t;
  t.at<&C::contype>("contype");
  t.at<&C::conaffinity>("conaffinity");
  t.at<&C::condim>("condim");
  t.at<&C::priority>("priority");
  t.at<&C::friction>("friction").partial();
  t.at<&C::solmix>("solmix");
  t.at<&C::solref>("solref").partial();
  t.at<&C::solimp>("solimp").partial();
  t.at<&C::margin>("margin");
  t.at<&C::gap>("gap");
  t.at<&C::internal>("internal").remark("vertices collide with the elements next to theirs");
  t.at<&C::selfcollide>("selfcollide").words(kSelf).remark("how pairs of elements are found");
  t.at<&C::activelayers>("activelayers").remark("layers of tetrahedra, from the surface, that collide");
  t.at<&C::passive>("passive").remark("contacts are passive forces instead of constraints");
  return schema.add(t.element("contact", "contact parameters of the elements", read)).once();
}

Element& flex_elasticity(Schema& schema, Handler read) {
  using E = Flex::Elasticity;
  Table<E> t;
  t.at<&E::young>("young");
  t.at<&E::poisson>("poisson");
  t.at<&E::damping>("damping");
  t.at<&E::thickness>("thickness").remark("of a surface");
  t.at<&E::elastic2d>("elastic2d").words(kElastic2d);
  return schema.add(t.element("elasticity", "elasticity of the material", read)).once();
}

const Element* flex_element(Schema& schema) {
  Table<Flex> t;
  t.at<&Flex::name>("name");
  t.at<&Flex::group>("group");
  t.at<&Flex::dim>("dim").remark("1: segments, 2: triangles, 3: tetrahedra");
  t.at<&Flex::radius>("radius");
  t.at<&Flex::material>("material");
  t.at<&Flex::rgba>("rgba");
  t.at<&Flex::flatskin>("flatskin");
  t.at<&Flex::dof>("dof").words(kFlexDof).remark("trilinear, quadratic: vertices are interpolated from nodes");
  t.at<&Flex::cellcount>("cellcount").remark("cells of the grid of nodes");
  add_names<&Flex::body>(t, "body").need().remark("of each vertex, or one for all");
  t.at<&Flex::vertex>("vertex").remark("in their bodies; missing: at the origins");
  t.at<&Flex::element>("element").need().remark("vertices of each element, dim + 1");
  t.at<&Flex::texcoord>("texcoord");
  t.at<&Flex::elemtexcoord>("elemtexcoord").remark("texture coordinates of each element, dim + 1");
  add_names<&Flex::node>(t, "node").remark("bodies of the nodes");
  t.at<&Flex::nodecoord>("nodecoord").remark("nodes in their bodies; missing: at the origins");
  Element& flex = schema.add(t.element("flex", "a deformable object made of the vertices of bodies",
                                       [](Reader& r, const XmlNode& n, const Element& e) {
                                         Flex added;
                                         r.attributes(n, e, &added);
                                         r.claim(ObjType::Flex, n, added);
                                         r.spec.flexes.add(std::move(added));
                                         r.children(n, e);
                                       }));
  Table<Flex::Edge> edge;
  add_flex_edge(edge);
  return &flex.holds(
      {&flex_contact(schema, read_part<&Flex::contact>),
       &schema.add(edge.element("edge", "springs and dampers along the edges", read_part<&Flex::edge>)).once(),
       &flex_elasticity(schema, read_part<&Flex::elasticity>)});
}

}  // namespace sinew::mjcf
