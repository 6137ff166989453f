#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "spec/references.h"
#include "spec/report.h"

namespace sinew::mjcf {

/// Keyframes while replicate and attach change the model that they were written for.
///
/// The numbers of a keyframe are taken apart and kept by the joint, mocap body or actuator that they belong to. What a
/// macro copies takes the numbers of its original along, so that each copy of a keyframe sets one copy of the part;
/// all else is at its reference. At the end the keyframes are put together in the order of the finished model.
class KeyStates {
 public:
  /// The numbers of one element: qpos and qvel of a joint, position and quaternion of a mocap body, act and ctrl of an
  /// actuator. Empty: not given.
  struct Numbers {
    std::vector<double> first, second;
  };
  /// The keyframes of a model taken apart.
  struct Parts {
    struct Part {
      spec::Key key;  // its name and time; arrays that were not given are empty
      std::vector<std::pair<const spec::Element*, Numbers>> numbers;
    };
    std::vector<Part> keys;
  };

  /// Takes apart the keyframes of `spec`, whose bodies hang below `roots`. Reports a keyframe of another size.
  Parts take_apart(const Spec& spec, const std::vector<const spec::Body*>& roots, const XmlNode& macro,
                   Report& report) const;
  /// Keeps them under other names.
  void keep(const Parts& parts, const Renaming& names);
  void move(const spec::Element& original, const spec::Element& copy);
  /// Gives up the numbers of the elements that these were taken from.
  void forget(const Parts& parts);
  void forget(const spec::Element& element) { numbers_.erase(&element); }
  /// MuJoCo 3.12.0 loses the controls of all keyframes so far when it takes a part out of the model.
  void forget_actuators(const Spec& spec);
  bool any() const { return !kept_.empty(); }

  /// Writes what was kept behind the keyframes of the finished model.
  void put_together(Spec& spec, Report& report);

 private:
  void fill(const Spec& spec, std::size_t index, spec::Key& key) const;

  std::vector<spec::Key> kept_;
  std::unordered_map<const spec::Element*, std::map<std::size_t, Numbers>> numbers_;  // by place in kept_
};

/// The numbers of an original to its copy; of a body with all that hangs on it.
inline void move_numbers(KeyStates& keys, const spec::Element& original, const spec::Element& copy) {
  keys.move(original, copy);
}
void move_numbers(KeyStates& keys, const spec::Body& original, const spec::Body& copy);

}  // namespace sinew::mjcf
