#include "model/sensor_kinds.h"

#include "model/kind_table.h"

namespace sinew {
namespace {

using T = SensorType;
using Target = SensorTarget;
using Ref = SensorReference;

constexpr bool kClamped = true, kRaw = false;

constexpr SensorKind kKinds[] = {
    {T::Touch, "touch", Target::Site, Ref::None, 1, Stage::Acc, DataType::Positive, kClamped,
     "sum of the normal forces of contacts inside the site"},
    {T::Accelerometer, "accelerometer", Target::Site, Ref::None, 3, Stage::Acc, DataType::Real, kClamped,
     "linear acceleration, gravity included, in the site's frame"},
    {T::Velocimeter, "velocimeter", Target::Site, Ref::None, 3, Stage::Vel, DataType::Real, kClamped,
     "linear velocity in the site's frame"},
    {T::Gyro, "gyro", Target::Site, Ref::None, 3, Stage::Vel, DataType::Real, kClamped,
     "angular velocity in the site's frame"},
    {T::Force, "force", Target::Site, Ref::None, 3, Stage::Acc, DataType::Real, kClamped,
     "force between the site's body and its parent"},
    {T::Torque, "torque", Target::Site, Ref::None, 3, Stage::Acc, DataType::Real, kClamped,
     "torque between the site's body and its parent"},
    {T::Magnetometer, "magnetometer", Target::Site, Ref::None, 3, Stage::Pos, DataType::Real, kClamped,
     "magnetic flux in the site's frame"},
    {T::Rangefinder, "rangefinder", Target::SiteOrCamera, Ref::None, kByRangeData, Stage::Pos, DataType::Real, kClamped,
     "distance to the nearest geom along z of a site, or for each pixel of a camera"},
    {T::CamProjection, "camprojection", Target::Site, Ref::Camera, 2, Stage::Pos, DataType::Real, kClamped,
     "position of a site in a camera's image, in pixels"},
    {T::JointPos, "jointpos", Target::ScalarJoint, Ref::None, 1, Stage::Pos, DataType::Real, kClamped,
     "position of a hinge or slide"},
    {T::JointVel, "jointvel", Target::ScalarJoint, Ref::None, 1, Stage::Vel, DataType::Real, kClamped,
     "velocity of a hinge or slide"},
    {T::TendonPos, "tendonpos", Target::Tendon, Ref::None, 1, Stage::Pos, DataType::Real, kClamped,
     "length of a tendon"},
    {T::TendonVel, "tendonvel", Target::Tendon, Ref::None, 1, Stage::Vel, DataType::Real, kClamped,
     "velocity of a tendon"},
    {T::ActuatorPos, "actuatorpos", Target::Actuator, Ref::None, kByOutputs, Stage::Pos, DataType::Real, kClamped,
     "length of an actuator"},
    {T::ActuatorVel, "actuatorvel", Target::Actuator, Ref::None, kByOutputs, Stage::Vel, DataType::Real, kClamped,
     "velocity of an actuator"},
    {T::ActuatorFrc, "actuatorfrc", Target::Actuator, Ref::None, kByOutputs, Stage::Acc, DataType::Real, kClamped,
     "force of an actuator"},
    {T::JointActFrc, "jointactuatorfrc", Target::ScalarJoint, Ref::None, 1, Stage::Acc, DataType::Real, kClamped,
     "force of all actuators on a hinge or slide"},
    {T::TendonActFrc, "tendonactuatorfrc", Target::Tendon, Ref::None, 1, Stage::Acc, DataType::Real, kClamped,
     "force of all actuators on a tendon"},
    {T::BallQuat, "ballquat", Target::BallJoint, Ref::None, 4, Stage::Pos, DataType::Quaternion, kClamped,
     "orientation of a ball joint"},
    {T::BallAngVel, "ballangvel", Target::BallJoint, Ref::None, 3, Stage::Vel, DataType::Real, kClamped,
     "angular velocity of a ball joint"},
    {T::JointLimitPos, "jointlimitpos", Target::LimitedJoint, Ref::None, 1, Stage::Pos, DataType::Real, kClamped,
     "distance to a joint limit"},
    {T::JointLimitVel, "jointlimitvel", Target::LimitedJoint, Ref::None, 1, Stage::Vel, DataType::Real, kClamped,
     "velocity towards a joint limit"},
    {T::JointLimitFrc, "jointlimitfrc", Target::LimitedJoint, Ref::None, 1, Stage::Acc, DataType::Real, kClamped,
     "force of a joint limit"},
    {T::TendonLimitPos, "tendonlimitpos", Target::LimitedTendon, Ref::None, 1, Stage::Pos, DataType::Real, kClamped,
     "distance to a tendon limit"},
    {T::TendonLimitVel, "tendonlimitvel", Target::LimitedTendon, Ref::None, 1, Stage::Vel, DataType::Real, kClamped,
     "velocity towards a tendon limit"},
    {T::TendonLimitFrc, "tendonlimitfrc", Target::LimitedTendon, Ref::None, 1, Stage::Acc, DataType::Real, kClamped,
     "force of a tendon limit"},
    {T::FramePos, "framepos", Target::Frame, Ref::OptionalFrame, 3, Stage::Pos, DataType::Real, kClamped,
     "position of an object"},
    {T::FrameQuat, "framequat", Target::Frame, Ref::OptionalFrame, 4, Stage::Pos, DataType::Quaternion, kClamped,
     "orientation of an object"},
    {T::FrameXAxis, "framexaxis", Target::Frame, Ref::OptionalFrame, 3, Stage::Pos, DataType::Axis, kClamped,
     "x axis of an object"},
    {T::FrameYAxis, "frameyaxis", Target::Frame, Ref::OptionalFrame, 3, Stage::Pos, DataType::Axis, kClamped,
     "y axis of an object"},
    {T::FrameZAxis, "framezaxis", Target::Frame, Ref::OptionalFrame, 3, Stage::Pos, DataType::Axis, kClamped,
     "z axis of an object"},
    {T::FrameLinVel, "framelinvel", Target::Frame, Ref::OptionalFrame, 3, Stage::Vel, DataType::Real, kClamped,
     "linear velocity of an object"},
    {T::FrameAngVel, "frameangvel", Target::Frame, Ref::OptionalFrame, 3, Stage::Vel, DataType::Real, kClamped,
     "angular velocity of an object"},
    {T::FrameLinAcc, "framelinacc", Target::Frame, Ref::None, 3, Stage::Acc, DataType::Real, kClamped,
     "linear acceleration of an object"},
    {T::FrameAngAcc, "frameangacc", Target::Frame, Ref::None, 3, Stage::Acc, DataType::Real, kClamped,
     "angular acceleration of an object"},
    {T::SubtreeCom, "subtreecom", Target::Body, Ref::None, 3, Stage::Pos, DataType::Real, kClamped,
     "center of mass of a body's subtree"},
    {T::SubtreeLinVel, "subtreelinvel", Target::Body, Ref::None, 3, Stage::Vel, DataType::Real, kClamped,
     "velocity of a subtree's center of mass"},
    {T::SubtreeAngMom, "subtreeangmom", Target::Body, Ref::None, 3, Stage::Vel, DataType::Real, kClamped,
     "angular momentum about a subtree's center of mass"},
    {T::InsideSite, "insidesite", Target::Frame, Ref::Site, 1, Stage::Pos, DataType::Positive, kClamped,
     "1 if the object is inside the site, else 0"},
    {T::GeomDist, "distance", Target::GeomOrBody, Ref::GeomOrBody, 1, Stage::Pos, DataType::Real, kClamped,
     "smallest distance between two geoms or bodies"},
    {T::GeomNormal, "normal", Target::GeomOrBody, Ref::GeomOrBody, 3, Stage::Pos, DataType::Axis, kClamped,
     "direction of the smallest distance"},
    {T::GeomFromTo, "fromto", Target::GeomOrBody, Ref::GeomOrBody, 6, Stage::Pos, DataType::Real, kRaw,
     "the two closest points"},
    {T::Contact, "contact", Target::Contact, Ref::OptionalContact, kByContactData, Stage::Acc, DataType::Real, kRaw,
     "contacts between two objects, the strongest or closest first"},
    {T::EPotential, "e_potential", Target::None, Ref::None, 1, Stage::Pos, DataType::Real, kClamped,
     "potential energy"},
    {T::EKinetic, "e_kinetic", Target::None, Ref::None, 1, Stage::Pos, DataType::Real, kClamped, "kinetic energy"},
    {T::Clock, "clock", Target::None, Ref::None, 1, Stage::Pos, DataType::Real, kClamped, "time"},
    {T::Tactile, "tactile", Target::Mesh, Ref::Geom, kByVertices, Stage::Acc, DataType::Real, kClamped,
     "contact forces at the vertices of a mesh"},
    {T::Plugin, "plugin", Target::Any, Ref::None, kByPlugin, Stage::Acc, DataType::Real, kClamped,
     "values computed by a plugin"},
    {T::User, "user", Target::Any, Ref::None, kByUser, Stage::None, DataType::Real, kClamped,
     "values computed by the user's callback"},
};
static_assert(rows_stand_at_their_type(kKinds));
static_assert(std::size(kKinds) == static_cast<std::size_t>(SensorType::User) + 1);

}  // namespace

std::span<const SensorKind> sensor_kinds() { return kKinds; }
const SensorKind& sensor_kind(SensorType type) { return kKinds[static_cast<std::size_t>(type)]; }

}  // namespace sinew
