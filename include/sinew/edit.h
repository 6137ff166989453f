#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "sinew/data.h"
#include "sinew/error.h"
#include "sinew/load.h"
#include "sinew/model.h"
#include "sinew/spec.h"

// Editing a tree. Elements are added with their list's add and copied by copying the Spec; here are the operations that
// need the whole tree: find by name, remove with all references, continue a simulation.

namespace sinew {

namespace spec {
/// The kind of object that an element is.
template <class T>
inline constexpr ObjType kKindOf = ObjType::Unknown;
template <>
inline constexpr ObjType kKindOf<Body> = ObjType::Body;
template <>
inline constexpr ObjType kKindOf<Frame> = ObjType::Frame;
template <>
inline constexpr ObjType kKindOf<Joint> = ObjType::Joint;
template <>
inline constexpr ObjType kKindOf<Geom> = ObjType::Geom;
template <>
inline constexpr ObjType kKindOf<Site> = ObjType::Site;
template <>
inline constexpr ObjType kKindOf<Camera> = ObjType::Camera;
template <>
inline constexpr ObjType kKindOf<Light> = ObjType::Light;
template <>
inline constexpr ObjType kKindOf<Mesh> = ObjType::Mesh;
template <>
inline constexpr ObjType kKindOf<Skin> = ObjType::Skin;
template <>
inline constexpr ObjType kKindOf<PluginInstance> = ObjType::Plugin;
template <>
inline constexpr ObjType kKindOf<Hfield> = ObjType::Hfield;
template <>
inline constexpr ObjType kKindOf<Texture> = ObjType::Texture;
template <>
inline constexpr ObjType kKindOf<Material> = ObjType::Material;
template <>
inline constexpr ObjType kKindOf<Pair> = ObjType::Pair;
template <>
inline constexpr ObjType kKindOf<Exclude> = ObjType::Exclude;
template <>
inline constexpr ObjType kKindOf<Equality> = ObjType::Equality;
template <>
inline constexpr ObjType kKindOf<Tendon> = ObjType::Tendon;
template <>
inline constexpr ObjType kKindOf<Actuator> = ObjType::Actuator;
template <>
inline constexpr ObjType kKindOf<Sensor> = ObjType::Sensor;
template <>
inline constexpr ObjType kKindOf<Numeric> = ObjType::Numeric;
template <>
inline constexpr ObjType kKindOf<Text> = ObjType::Text;
template <>
inline constexpr ObjType kKindOf<Tuple> = ObjType::Tuple;
template <>
inline constexpr ObjType kKindOf<Key> = ObjType::Key;
}  // namespace spec

/// The element of this kind and name, anywhere in the tree; null if there is none. The pointer stays valid until the
/// element itself is removed.
spec::Element* find(Spec& spec, ObjType kind, std::string_view name);
const spec::Element* find(const Spec& spec, ObjType kind, std::string_view name);

/// The same by type: find<spec::Geom>(spec, "palm").
template <class T>
T* find(Spec& spec, std::string_view name) {
  static_assert(spec::kKindOf<T> != ObjType::Unknown, "T is not an element type");
  return static_cast<T*>(find(spec, spec::kKindOf<T>, name));
}
template <class T>
const T* find(const Spec& spec, std::string_view name) {
  static_assert(spec::kKindOf<T> != ObjType::Unknown, "T is not an element type");
  return static_cast<const T*>(find(spec, spec::kKindOf<T>, name));
}

/// What happens to elements that refer to a removed one.
enum class References : std::uint8_t {
  Refuse,  // nothing is removed; the error names the first of them
  Remove   // they are removed too, and whatever refers to them; a reference to a material or texture is only cleared
};

/// Removes an element; a body with its subtree, a frame with its contents. Keyframes lose the numbers of what is
/// removed, so the tree must compile, with these options.
Result<bool> remove(Spec& spec, ObjType kind, std::string_view name, References references = References::Refuse,
                    const LoadOptions& options = {});

/// Removes a default class and its subclasses; main cannot be removed. Elements that name it keep their values.
Result<bool> remove_class(Spec& spec, std::string_view name);

/// A part of a tree to be copied into another or the same tree, and how the copy is named.
struct Attachment {
  const Spec* from = nullptr;
  const spec::Body* body = nullptr;  // null: everything in the world of `from`
  int frame = -1;                    // of `body`: this frame and its contents; -1: the body itself
  std::string prefix = {}, suffix = {};
  std::vector<Problem>* warnings = nullptr;  // receives settings of `from` that are not used
};

/// Copies a part into `host`, inside its frame (-1: directly), with everything that belongs to it: what refers to it
/// (actuators, sensors, tendons …), keyframes and, from another tree, default classes and assets. Every copy has the
/// name of its original between prefix and suffix. Parts of another tree are compiled by the settings of that tree;
/// options, sizes and visual settings that differ are treated as its compiler's `conflict` says. On a name collision,
/// or a conflict that is an error, nothing is changed. Elements of `spec` do not move; keyframes are extended for the
/// copy.
Result<bool> attach(Spec& spec, spec::Body& host, int frame, const Attachment& what);

/// Copies the state (time, qpos, qvel, act, history, warm start) and the inputs (ctrl, applied forces, mocap poses,
/// eq_active, userdata) of everything that both models have; the rest of `to` is unchanged. Objects match by name;
/// unnamed ones by position among the unnamed ones of the same body, target or pair of objects. A joint must have the
/// same type, an actuator the same numbers of inputs and activations.
void carry_state(const Data& from, Data& to);

/// A model and a world of it. The model does not move when this does.
struct Recompiled {
  std::unique_ptr<Model> model;
  Data data;
};

/// Compiles an edited tree and continues the simulation of the previous model: a reset world, then carry_state and the
/// callbacks. Computed quantities are not valid until the next step or forward.
Result<Recompiled> recompile(const Spec& spec, const Model& old_model, const Data& old_data,
                             const LoadOptions& options = {});

}  // namespace sinew
