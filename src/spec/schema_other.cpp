// deformable, custom, keyframe, and what is not supported yet: extension.

#include "base/limits.h"
#include "spec/keywords.h"
#include "spec/reader.h"
#include "spec/schema_parts.h"
#include "spec/value.h"

namespace sinew::mjcf {
namespace {

void read_numeric(Reader& r, const XmlNode& node, const Element& element) {
  spec::Numeric numeric;
  r.attributes(node, element, &numeric);
  const std::size_t size = numeric.size ? static_cast<std::size_t>(*numeric.size) : numeric.data.size();
  if (size < 1 || size > limits::kNumericNumbers) {
    r.report.error({&node, "data"}, fmt::format("has {} numbers, takes 1 to {}", size, limits::kNumericNumbers));
  } else if (numeric.data.size() > size) {
    r.report.error({&node, "data"}, fmt::format("has {} numbers, size allows {}", numeric.data.size(), size));
  }
  r.claim(ObjType::Numeric, node, numeric);
  r.spec.numerics.add(std::move(numeric));
}

const Element* custom_section(Schema& schema) {
  Table<spec::Numeric> numeric;
  numeric.at<&spec::Numeric::name>("name").need();
  numeric.at<&spec::Numeric::size>("size").never_blank().between(1, limits::kNumericNumbers);
  numeric.at<&spec::Numeric::data>("data").remark("padded with zeros to size");

  Table<spec::Text> text;
  text.at<&spec::Text::name>("name").need();
  text.at<&spec::Text::data>("data").need();

  using Item = spec::Tuple::Item;
  Table<Item> item;
  item.at<&Item::objtype>("objtype").words(kObject).need();
  item.at<&Item::objname>("objname").need();
  item.at<&Item::prm>("prm");
  const Element& item_element =
      schema.add(item.element("element", "one object of the tuple", [](Reader& r, const XmlNode& n, const Element& e) {
        Item added;
        added.origin = {n.file, n.line};
        r.attributes(n, e, &added);
        r.spec.tuples.back().items.push_back(std::move(added));
      }));
  Table<spec::Tuple> tuple;
  tuple.at<&spec::Tuple::name>("name").need();

  Element custom;
  custom.name = "custom";
  custom.doc = "user data kept with the model";
  custom.read = [](Reader& r, const XmlNode& n, const Element& e) { r.children(n, e); };
  return &schema.add(std::move(custom))
              .holds({&schema.add(numeric.element("numeric", "numbers", read_numeric)),
                      &schema.add(text.element("text", "a text",
                                               [](Reader& r, const XmlNode& n, const Element& e) {
                                                 spec::Text added;
                                                 r.attributes(n, e, &added);
                                                 if (added.data.empty())
                                                   r.report.error({&n, "data"}, "must not be empty");
                                                 r.claim(ObjType::Text, n, added);
                                                 r.spec.texts.add(std::move(added));
                                               })),
                      &schema
                           .add(tuple.element("tuple", "a list of objects of the model",
                                              [](Reader& r, const XmlNode& n, const Element& e) {
                                                spec::Tuple added;
                                                r.attributes(n, e, &added);
                                                r.claim(ObjType::Tuple, n, added);
                                                r.spec.tuples.add(std::move(added));
                                                r.children(n, e);
                                              }))
                           .holds({&item_element})});
}

const Element* keyframe_section(Schema& schema) {
  using K = spec::Key;
  Table<K> t;
  t.at<&K::name>("name");
  t.at<&K::time>("time");
  t.at<&K::qpos>("qpos");
  t.at<&K::qvel>("qvel");
  t.at<&K::act>("act");
  t.at<&K::mpos>("mpos");
  t.at<&K::mquat>("mquat");
  t.at<&K::ctrl>("ctrl");
  const Element& key = schema.add(t.element("key", "a state to reset to; missing parts are as in the reference pose",
                                            [](Reader& r, const XmlNode& n, const Element& e) {
                                              K added;
                                              r.attributes(n, e, &added);
                                              r.claim(ObjType::Key, n, added);
                                              r.spec.keys.add(std::move(added));
                                            }));
  Element keyframe;
  keyframe.name = "keyframe";
  keyframe.doc = "states to reset to";
  keyframe.read = [](Reader& r, const XmlNode& n, const Element& e) { r.children(n, e); };
  return &schema.add(std::move(keyframe)).holds({&key});
}

/// A section that may be empty, whose elements are all refused.
Element& refused_section(Schema& schema, std::string_view name, std::string_view doc) {
  Element section;
  section.name = name;
  section.doc = doc;
  section.read = [](Reader& r, const XmlNode& n, const Element& e) { r.children(n, e); };
  return schema.add(std::move(section));
}

const Element* extension_section(Schema& schema) {
  Element& plugin = schema.refused("plugin", "plugin", "plugins");
  plugin.holds(
      {&schema.refused("instance", "name", "plugins").holds({&schema.refused("config", "key value", "plugins")})});
  return &refused_section(schema, "extension", "plugins that the model needs").holds({&plugin});
}

const Element* deformable_section(Schema& schema) {
  Element& skin = schema.refused("skin", "face file group inflate material name rgba texcoord vertex", "skins");
  skin.holds({&schema.refused("bone", "bindpos bindquat body vertid vertweight", "skins")});
  return &refused_section(schema, "deformable", "soft objects and skins").holds({flex_element(schema), &skin});
}

}  // namespace

std::vector<const Element*> other_sections(Schema& schema) {
  return {extension_section(schema), deformable_section(schema), custom_section(schema), keyframe_section(schema)};
}

}  // namespace sinew::mjcf
