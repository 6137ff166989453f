#include "urdf/schema.h"

#include <deque>

#include "spec/value.h"
#include "urdf/input.h"

namespace sinew::urdf {
namespace {

using mjcf::Keyword;
using mjcf::Table;

constexpr Keyword kJointWords[] = {
    {"revolute", static_cast<int>(JointWord::Revolute)},   {"continuous", static_cast<int>(JointWord::Continuous)},
    {"prismatic", static_cast<int>(JointWord::Prismatic)}, {"fixed", static_cast<int>(JointWord::Fixed)},
    {"floating", static_cast<int>(JointWord::Floating)},   {"planar", static_cast<int>(JointWord::Planar)},
    {"spherical", static_cast<int>(JointWord::Spherical)}};

class UrdfTable {
 public:
  UrdfTable() {
    Table<Named> robot;
    robot.at<&Named::name>("name");
    robot.at<&Named::name>("version").read = nullptr;
    root_ = &add(robot, "robot")
                 .holds({&link(), &joint(), material(), &transmission("transmission"), &transmission("ros2_control"),
                         unused("gazebo"), unused("sensor"), &add(Table<Named>(), "mujoco").once().tagged(kOpen)});
  }
  const Element& root() const { return *root_; }

 private:
  template <class T>
  Element& add(const Table<T>& table, std::string_view name) {
    return elements_.emplace_back(table.element(name, "", nullptr));
  }
  const Element* unused(std::string_view name) { return &add(Table<Named>(), name).tagged(kUnused); }

  const Element* origin() {
    Table<Origin> t;
    t.at<&Origin::xyz>("xyz");
    t.at<&Origin::rpy>("rpy");
    return &add(t, "origin").once();
  }

  const Element* inertial() {
    Table<Mass> mass;
    mass.at<&Mass::value>("value").need();
    Table<Moments> t;
    t.item<&Moments::full, 0>("ixx").need();
    t.item<&Moments::full, 1>("iyy").need();
    t.item<&Moments::full, 2>("izz").need();
    t.item<&Moments::full, 3>("ixy").need();
    t.item<&Moments::full, 4>("ixz").need();
    t.item<&Moments::full, 5>("iyz").need();
    return &add(Table<Named>(), "inertial")
                .once()
                .holds({origin(), &add(mass, "mass").once(), &add(t, "inertia").once()});
  }

  const Element* geometry() {
    Table<Shape> box, cylinder, sphere, mesh;
    box.at<&Shape::size>("size").need().positive();
    cylinder.at<&Shape::radius>("radius").need().positive();
    cylinder.at<&Shape::length>("length").need().positive();
    sphere.at<&Shape::radius>("radius").need().positive();
    mesh.at<&Shape::filename>("filename").need();
    mesh.at<&Shape::scale>("scale");
    return &add(Table<Named>(), "geometry")
                .once()
                .holds({&add(box, "box").once(), &add(cylinder, "cylinder").once(), &add(sphere, "sphere").once(),
                        &add(cylinder, "capsule").once(), &add(mesh, "mesh").once()});
  }

  /// A material may be defined for all links, and is defined or named in a visual.
  Element* material() {
    Table<Named> t;
    t.at<&Named::name>("name");
    Table<Color> color;
    color.at<&Color::rgba>("rgba");
    return &add(t, "material").holds({&add(color, "color").once(), unused("texture")});
  }

  Element& link() {
    Table<Named> t, shape;
    t.at<&Named::name>("name").need();
    shape.at<&Named::name>("name");
    const Element* frame = origin();
    const Element* geom = geometry();
    return add(t, "link").holds(
        {inertial(), &add(shape, "collision").holds({frame, geom, unused("verbose"), unused("contact_coefficients")}),
         &add(shape, "visual").holds({frame, geom, &material()->once().tagged(kFirstCounts)}), unused("sensor"),
         unused("contact"), unused("self_collision_checking")});
  }

  Element& joint() {
    Table<JointHead> t;
    t.at<&JointHead::name>("name").need();
    t.at<&JointHead::type>("type").words(kJointWords).need();
    Table<LinkName> end;
    end.at<&LinkName::link>("link").need();
    Table<Axis> axis;
    axis.at<&Axis::xyz>("xyz").need();
    Table<Limit> limit;
    limit.at<&Limit::lower>("lower");
    limit.at<&Limit::upper>("upper");
    limit.at<&Limit::effort>("effort");
    limit.at<&Limit::velocity>("velocity");
    Table<Dynamics> dynamics;
    dynamics.at<&Dynamics::damping>("damping");
    dynamics.at<&Dynamics::friction>("friction");
    Table<Mimic> mimic;
    mimic.at<&Mimic::joint>("joint").need();
    mimic.at<&Mimic::multiplier>("multiplier");
    mimic.at<&Mimic::offset>("offset");
    Table<SafetyController> safety;
    safety.at<&SafetyController::k_velocity>("k_velocity").need();
    safety.at<&SafetyController::k_position>("k_position");
    safety.at<&SafetyController::soft_lower_limit>("soft_lower_limit");
    safety.at<&SafetyController::soft_upper_limit>("soft_upper_limit");
    Table<Calibration> calibration;
    calibration.at<&Calibration::rising>("rising");
    calibration.at<&Calibration::falling>("falling");
    calibration.at<&Calibration::reference_position>("reference_position");
    return add(t, "joint")
        .holds({origin(), &add(end, "parent").once(), &add(end, "child").once(), &add(axis, "axis").once(),
                &add(limit, "limit").once(), &add(dynamics, "dynamics").once(), &add(mimic, "mimic").once(),
                &add(safety, "safety_controller"), &add(calibration, "calibration")});
  }

  Element& transmission(std::string_view name) {
    Table<Named> t;
    t.at<&Named::name>("name");
    return add(t, name).tagged(kOpen);
  }

  std::deque<Element> elements_;
  const Element* root_ = nullptr;
};

}  // namespace

const mjcf::Element& urdf_table() {
  static const UrdfTable table;
  return table.root();
}

}  // namespace sinew::urdf
