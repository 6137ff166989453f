#include "urdf/actuators.h"

#include <fmt/format.h>

#include <cmath>

#include "spec/value.h"

namespace sinew::urdf {
namespace {

/// The type of a transmission, an element or an attribute, without the package before the last slash.
std::string transmission_type(const XmlNode& node) {
  const XmlNode* element = Input::child(node, "type");
  const std::string full = element ? plain_text(element->text) : std::string(node.value("type"));
  return full.substr(full.find_last_of('/') + 1);
}

/// The attribute `value` of a child of the transmission's actuator; `otherwise` without it.
double actuator_value(Input& in, const XmlNode& transmission, std::string_view name, double otherwise) {
  const XmlNode* actuator = Input::child(transmission, "actuator");
  const XmlNode* node = actuator ? Input::child(*actuator, name) : nullptr;
  if (!node) return otherwise;
  double value = otherwise;
  if (const mjcf::Outcome bad = mjcf::parse_number(node->value("value"), false, value))
    in.error({node, "value"}, bad->message, bad->hint);
  return value;
}

class Actuators {
 public:
  Actuators(Input& in, const std::map<std::string, Drivable>& joints) : in_(in), joints_(joints) {}

  void read_transmission(const XmlNode& node) {
    const std::string type = transmission_type(node);
    if (type != "SimpleTransmission")
      return in_.warn({&node}, fmt::format("a transmission of type '{}' makes no actuator", type),
                      "only SimpleTransmission drives one joint by itself");
    const XmlNode* joint = Input::child(node, "joint");
    for (const XmlNode& other : node.children)
      if (joint && other.name == "joint" && &other != joint)
        return in_.warn({&other}, "a transmission with several joints makes no actuator");
    if (!joint) return in_.warn({&node}, "a transmission without a joint makes no actuator");
    spec::Joint* driven = drive(*joint);
    if (!driven) return;
    const double ratio = actuator_value(in_, node, "drake:gear_ratio", 1);
    const double rotor = actuator_value(in_, node, "drake:rotor_inertia", 0);
    if (rotor < 0) in_.error({&node}, fmt::format("the rotor inertia is {}, must not be negative", rotor));
    driven->armature = rotor * ratio * ratio;
  }

  void read_control(const XmlNode& node) {
    for (const XmlNode& joint : node.children)
      if (joint.name == "joint" && Input::child(joint, "command_interface")) drive(joint);
  }

 private:
  /// The joint that now has an actuator, null if none was made.
  spec::Joint* drive(const XmlNode& node) {
    const std::string name(node.value("name"));
    const auto refuse = [&](const std::string& why) -> spec::Joint* {
      in_.warn({&node, "name"}, why + ": no actuator");
      return nullptr;
    };
    const auto found = joints_.find(name);
    if (found == joints_.end()) return refuse(fmt::format("there is no joint '{}'", name));
    if (!found->second.joint) return refuse(fmt::format("joint '{}' is not revolute, continuous or prismatic", name));
    if (!driven_.insert(name).second) return refuse(fmt::format("joint '{}' already has an actuator", name));
    if (in_.options.actuators != UrdfOptions::Actuators::None) add(node, name, found->second);
    return found->second.joint;
  }

  void add(const XmlNode& node, const std::string& name, const Drivable& target) {
    in_.take(node, sizeof(spec::Actuator));
    spec::Actuator& actuator = in_.spec.actuators.add(in_.spec.classes[0].actuator);
    actuator.name = name;
    actuator.origin = origin_of(node);
    actuator.trntype = TrnType::Joint;
    actuator.target = name;
    const auto set = [](spec::Reals<2>& range, spec::Tri& limited, double low, double high) {
      range = {low, high};
      limited = spec::Tri::True;
    };
    if (in_.options.actuators == UrdfOptions::Actuators::Motor) {
      actuator.element = "motor";
      if (target.effort > 0) set(actuator.ctrlrange, actuator.ctrllimited, -target.effort, target.effort);
      return;
    }
    const double kp = in_.options.kp, kv = in_.options.kv;
    actuator.element = "position";
    actuator.biastype = BiasType::Affine;
    actuator.gainprm[0] = kp;
    actuator.biasprm[1] = -kp;
    actuator.biasprm[2] = -kv;
    const spec::Joint& joint = *target.joint;
    if (joint.range[0] < joint.range[1]) set(actuator.ctrlrange, actuator.ctrllimited, joint.range[0], joint.range[1]);
    if (target.effort > 0) set(actuator.forcerange, actuator.forcelimited, -target.effort, target.effort);
  }

  Input& in_;
  const std::map<std::string, Drivable>& joints_;
  std::set<std::string> driven_;
};

}  // namespace

void add_actuators(Input& in, const XmlNode& robot, const std::map<std::string, Drivable>& joints) {
  if (in.options.actuators == UrdfOptions::Actuators::Position && !(in.options.kp > 0))
    in.error({&robot}, "position actuators need a positive gain kp");
  Actuators actuators(in, joints);
  for (const XmlNode& node : robot.children)
    if (node.name == "transmission") actuators.read_transmission(node);
  for (const XmlNode& node : robot.children)
    if (node.name == "ros2_control") actuators.read_control(node);
}

}  // namespace sinew::urdf
