#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "spec/references.h"
#include "spec/report.h"

namespace sinew::mjcf {

/// Keyframes while replicate and attach change their model.
///
/// The numbers of a keyframe are split up and stored by the joint, mocap body or actuator they belong to. A copy made
/// by a macro inherits the numbers of its original, so each copy of a keyframe sets one copy of the part; the rest
/// takes reference values. At the end the keyframes are reassembled in the order of the finished model.
class KeyStates {
 public:
  /// The numbers of one element: qpos and qvel of a joint, position and quaternion of a mocap body, act and ctrl of an
  /// actuator. Empty: not given.
  struct Numbers {
    std::vector<double> first, second;
  };
  /// The keyframes of a model, split up.
  struct Parts {
    struct Part {
      spec::Key key;  // its name and time; arrays that were not given are empty
      std::vector<std::pair<const spec::Element*, Numbers>> numbers;
    };
    std::vector<Part> keys;
  };

  /// Splits up the keyframes of `spec`, whose bodies are below `roots`. Reports a keyframe of the wrong size.
  Parts take_apart(const Spec& spec, const std::vector<const spec::Body*>& roots, const XmlNode& macro,
                   Report& report) const;
  /// Keeps them under other names.
  void keep(const Parts& parts, const Renaming& names);
  void move(const spec::Element& original, const spec::Element& copy);
  /// Drops the numbers of the elements that these were taken from.
  void forget(const Parts& parts);
  void forget(const spec::Element& element) { numbers_.erase(&element); }
  /// MuJoCo 3.12.0 loses the controls of all keyframes so far when it takes a part out of the model.
  void forget_actuators(const Spec& spec);
  bool any() const { return !kept_.empty(); }

  /// Appends what was kept to the keyframes of the finished model.
  void put_together(Spec& spec, Report& report);

 private:
  void fill(const Spec& spec, std::size_t index, spec::Key& key) const;

  std::vector<spec::Key> kept_;
  std::unordered_map<const spec::Element*, std::map<std::size_t, Numbers>> numbers_;  // by index in kept_
};

/// Copies the numbers of an original to its copy; for a body, of its whole subtree.
inline void move_numbers(KeyStates& keys, const spec::Element& original, const spec::Element& copy) {
  keys.move(original, copy);
}
void move_numbers(KeyStates& keys, const spec::Body& original, const spec::Body& copy);

}  // namespace sinew::mjcf
