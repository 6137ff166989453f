#include "sensor/table.h"

namespace sinew {
namespace {

using enum SensorNeed;
using T = SensorType;
using Target = SensorTarget;

constexpr SensorKind kKinds[] = {
    {T::Touch, Target::Site, 1, Stage::Acc, DataType::Positive, Nothing, sense_touch},
    {T::Accelerometer, Target::Site, 3, Stage::Acc, DataType::Real, BodyForces, sense_accelerometer},
    {T::Velocimeter, Target::Site, 3, Stage::Vel, DataType::Real, Nothing, sense_velocimeter},
    {T::Gyro, Target::Site, 3, Stage::Vel, DataType::Real, Nothing, sense_gyro},
    {T::Force, Target::Site, 3, Stage::Acc, DataType::Real, BodyForces, sense_force},
    {T::Torque, Target::Site, 3, Stage::Acc, DataType::Real, BodyForces, sense_torque},
    {T::Magnetometer, Target::Site, 3, Stage::Pos, DataType::Real, Nothing, sense_magnetometer},
    {T::Rangefinder, Target::SiteOrCamera, kByRangeData, Stage::Pos, DataType::Real, Nothing, sense_rangefinder},
    {T::CamProjection, Target::Site, 2, Stage::Pos, DataType::Real, Nothing, sense_camera_projection},
    {T::JointPos, Target::ScalarJoint, 1, Stage::Pos, DataType::Real, Nothing, sense_joint_pos},
    {T::JointVel, Target::ScalarJoint, 1, Stage::Vel, DataType::Real, Nothing, sense_joint_vel},
    {T::TendonPos, Target::Tendon, 1, Stage::Pos, DataType::Real, Nothing, sense_tendon_pos},
    {T::TendonVel, Target::Tendon, 1, Stage::Vel, DataType::Real, Nothing, sense_tendon_vel},
    {T::ActuatorPos, Target::Actuator, kByOutputs, Stage::Pos, DataType::Real, Nothing, sense_actuator_pos},
    {T::ActuatorVel, Target::Actuator, kByOutputs, Stage::Vel, DataType::Real, Nothing, sense_actuator_vel},
    {T::ActuatorFrc, Target::Actuator, kByOutputs, Stage::Acc, DataType::Real, Nothing, sense_actuator_force},
    {T::JointActFrc, Target::ScalarJoint, 1, Stage::Acc, DataType::Real, Nothing, sense_joint_actuator_force},
    {T::TendonActFrc, Target::Tendon, 1, Stage::Acc, DataType::Real, Nothing, sense_tendon_actuator_force},
    {T::BallQuat, Target::BallJoint, 4, Stage::Pos, DataType::Quaternion, Nothing, sense_ball_quat},
    {T::BallAngVel, Target::BallJoint, 3, Stage::Vel, DataType::Real, Nothing, sense_ball_angvel},
    {T::JointLimitPos, Target::LimitedJoint, 1, Stage::Pos, DataType::Real, Nothing, sense_limit_pos},
    {T::JointLimitVel, Target::LimitedJoint, 1, Stage::Vel, DataType::Real, Nothing, sense_limit_vel},
    {T::JointLimitFrc, Target::LimitedJoint, 1, Stage::Acc, DataType::Real, Nothing, sense_limit_force},
    {T::TendonLimitPos, Target::LimitedTendon, 1, Stage::Pos, DataType::Real, Nothing, sense_limit_pos},
    {T::TendonLimitVel, Target::LimitedTendon, 1, Stage::Vel, DataType::Real, Nothing, sense_limit_vel},
    {T::TendonLimitFrc, Target::LimitedTendon, 1, Stage::Acc, DataType::Real, Nothing, sense_limit_force},
    {T::FramePos, Target::Frame, 3, Stage::Pos, DataType::Real, Nothing, sense_frame_pos},
    {T::FrameQuat, Target::Frame, 4, Stage::Pos, DataType::Quaternion, Nothing, sense_frame_quat},
    {T::FrameXAxis, Target::Frame, 3, Stage::Pos, DataType::Axis, Nothing, sense_frame_axis},
    {T::FrameYAxis, Target::Frame, 3, Stage::Pos, DataType::Axis, Nothing, sense_frame_axis},
    {T::FrameZAxis, Target::Frame, 3, Stage::Pos, DataType::Axis, Nothing, sense_frame_axis},
    {T::FrameLinVel, Target::Frame, 3, Stage::Vel, DataType::Real, Nothing, sense_frame_linvel},
    {T::FrameAngVel, Target::Frame, 3, Stage::Vel, DataType::Real, Nothing, sense_frame_angvel},
    {T::FrameLinAcc, Target::Frame, 3, Stage::Acc, DataType::Real, BodyForces, sense_frame_linacc},
    {T::FrameAngAcc, Target::Frame, 3, Stage::Acc, DataType::Real, BodyForces, sense_frame_angacc},
    {T::SubtreeCom, Target::Body, 3, Stage::Pos, DataType::Real, Nothing, sense_subtree_com},
    {T::SubtreeLinVel, Target::Body, 3, Stage::Vel, DataType::Real, SubtreeVelocity, sense_subtree_linvel},
    {T::SubtreeAngMom, Target::Body, 3, Stage::Vel, DataType::Real, SubtreeVelocity, sense_subtree_angmom},
    {T::InsideSite, Target::Frame, 1, Stage::Pos, DataType::Positive, Nothing, sense_inside_site},
    {T::GeomDist, Target::GeomOrBody, 1, Stage::Pos, DataType::Real, Nothing, sense_geom_distance},
    {T::GeomNormal, Target::GeomOrBody, 3, Stage::Pos, DataType::Axis, Nothing, sense_geom_distance},
    {T::GeomFromTo, Target::GeomOrBody, 6, Stage::Pos, DataType::Real, Nothing, sense_geom_distance},
    {T::Contact, Target::Contact, kByContactData, Stage::Acc, DataType::Real, Nothing, sense_contact},
    {T::EPotential, Target::None, 1, Stage::Pos, DataType::Real, Nothing, sense_potential_energy},
    {T::EKinetic, Target::None, 1, Stage::Pos, DataType::Real, Nothing, sense_kinetic_energy},
    {T::Clock, Target::None, 1, Stage::Pos, DataType::Real, Nothing, sense_clock},
    {T::Tactile, Target::Mesh, kByVertices, Stage::Acc, DataType::Real, Nothing, sense_tactile},
    {T::Plugin, Target::Unsupported, 0, Stage::Acc, DataType::Real, Nothing, nullptr},
    {T::User, Target::Any, kByUser, Stage::None, DataType::Real, Nothing, nullptr},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kKinds); ++i)
    if (static_cast<std::size_t>(kKinds[i].type) != i) return false;
  return true;
}
static_assert(in_order(), "the row of a sensor type is found by its number");
static_assert(std::size(kKinds) == static_cast<std::size_t>(SensorType::User) + 1);

}  // namespace

const SensorKind& sensor_kind(SensorType type) { return kKinds[static_cast<std::size_t>(type)]; }

}  // namespace sinew
