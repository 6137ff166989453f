#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sinew/spec.h"
#include "sinew/write.h"
#include "spec/actuator_shortcuts.h"
#include "spec/schema.h"
#include "spec/xml_write.h"

namespace sinew::mjcf {

/// The inverse of the reader: the rows of the schema table print the fields that differ from what reading the element
/// without the attribute would give.
class Writer {
 public:
  /// named: the model's name is written even if it is the default.
  explicit Writer(const Spec& spec, bool named = false);

  /// The root element, everything in it marked with the file that it came from.
  Result<XmlElement> write();
  /// The attribute for which it failed, if a default class sets it and an element of the class does not; else empty.
  const std::string& unsayable() const { return unsayable_; }

 private:
  // settings and default classes
  void settings();
  void visual();
  void default_class(int index);
  void default_records(const spec::DefaultClass& own, const spec::DefaultClass& parent);
  void default_actuator(const spec::Actuator& own, const spec::Actuator& parent);

  // the tree of bodies
  class Contents;
  void body(const spec::Body& body, int dclass);
  void joint(const spec::Joint& joint, int dclass);
  void contents(const spec::Body& body, int dclass);

  // lists
  void extension();
  /// <config> of the open element; then the <plugin> of an element.
  void configs(const std::vector<spec::PluginConfig>& list);
  void plugin(const std::optional<spec::PluginUse>& use);
  void custom();
  void skins();
  void assets();
  void material(const Element& element, const spec::Material& own, const spec::Material& base);
  void contact();
  void deformable();
  void equality();
  void tendon();
  void actuator(const spec::Actuator& own);
  bool servo(const Element& element, const spec::Actuator& own, const spec::Actuator& base);
  void sensors();
  void keyframe();

  /// Attributes of the open element: those that differ from `base`, and required ones.
  void attributes(const Element& element, const void* object, const void* base, std::string_view forced = {});
  /// Opens the element of current_.
  void open(const Element& element) { xml_.open(element.name, current_ ? current_->origin.file : -1); }
  /// A whole element without children.
  void element(const Element& element, const void* object, const void* base, std::string_view forced = {});
  void fail(const Element& element, std::string_view attribute, std::string message);

  /// Index of the class by name; `otherwise` if the name is empty.
  int class_index(const std::string& name, int otherwise);
  /// The class that an element outside the tree starts from.
  const spec::DefaultClass& class_of(const spec::Element& element);

  const Element& section(std::string_view name) const { return *schema().root().child(name); }

  const Spec& spec_;
  bool named_;
  XmlTree xml_;
  std::unordered_map<std::string, int> classes_;
  const spec::Element* current_ = nullptr;  // whose attributes are written, for messages
  int around_ = 0;                          // the class that the bodies around the written element give it
  std::optional<Problem> problem_;
  std::string unsayable_;
};

}  // namespace sinew::mjcf
