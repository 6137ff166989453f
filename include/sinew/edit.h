#pragma once

#include <memory>
#include <string_view>

#include "sinew/data.h"
#include "sinew/error.h"
#include "sinew/load.h"
#include "sinew/model.h"
#include "sinew/spec.h"

// Editing a tree. Elements are added with the add of their list and copied with the copy of the Spec; here is what
// needs to know the whole tree: finding by name, removing with all that refers to it, going on with a simulation.

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

/// The element of this kind and name, anywhere in the tree; null where there is none. It stays where it is until it is
/// removed itself.
spec::Element* find(Spec& spec, ObjType kind, std::string_view name);
const spec::Element* find(const Spec& spec, ObjType kind, std::string_view name);

/// The same by type: find<spec::Geom>(spec, "palm").
template <class T>
T* find(Spec& spec, std::string_view name) {
  static_assert(spec::kKindOf<T> != ObjType::Unknown, "a type of element");
  return static_cast<T*>(find(spec, spec::kKindOf<T>, name));
}
template <class T>
const T* find(const Spec& spec, std::string_view name) {
  static_assert(spec::kKindOf<T> != ObjType::Unknown, "a type of element");
  return static_cast<const T*>(find(spec, spec::kKindOf<T>, name));
}

/// What happens to elements that refer to one that is removed.
enum class References : std::uint8_t {
  Refuse,  // nothing is removed; the error names the first of them
  Remove   // they go too, and what refers to them; a material or texture that is gone is only taken off
};

/// Removes an element, a body with everything below it, a frame with all that stands in it. Keyframes lose the numbers
/// of what is gone, for which the tree must compile.
Result<bool> remove(Spec& spec, ObjType kind, std::string_view name, References references = References::Refuse);

/// Removes a default class with those below it, but not main. Elements that name it keep their values.
Result<bool> remove_class(Spec& spec, std::string_view name);

/// A part of a tree that is to be copied into another, or into the same, and what its copy is called.
struct Attachment {
  const Spec* from = nullptr;
  const spec::Body* body = nullptr;  // null: all that the world of `from` holds
  int frame = -1;                    // of `body`: what this frame holds, with the frame; -1: the body itself
  std::string prefix = {}, suffix = {};
};

/// Copies a part into `host`, inside of its frame (-1: directly), with all that belongs to it: what refers to it
/// (actuators, sensors, tendons …), keyframes and, from another tree, default classes and assets. Every copy has the
/// name of its original between prefix and suffix. Parts of another tree are compiled by the settings of that tree.
/// Where names would meet, nothing is changed. Elements of `spec` stay where they are; keyframes get room for the copy.
Result<bool> attach(Spec& spec, spec::Body& host, int frame, const Attachment& what);

/// Copies the state (time, qpos, qvel, act, history, warm start) and the inputs (ctrl, applied forces, mocap poses,
/// eq_active, userdata) of everything that both models have; the rest of `to` keeps what it has. Objects are the same
/// if they have the same name; without a name, if they come at the same place among those without a name of the same
/// body, target or pair of objects. A joint must have kept its type, an actuator its numbers of inputs and activations.
void carry_state(const Data& from, Data& to);

/// A model and a world of it. The model does not move when this does.
struct Recompiled {
  std::unique_ptr<Model> model;
  Data data;
};

/// Compiles an edited tree and goes on with the simulation of the former model: a reset world, then carry_state and
/// the callbacks. What the stages compute from the state is not valid before the next step or forward.
Result<Recompiled> recompile(const Spec& spec, const Model& old_model, const Data& old_data,
                             const LoadOptions& options = {});

}  // namespace sinew
