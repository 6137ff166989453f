#include "sensor/table.h"

#include "model/kind_table.h"

namespace sinew {
namespace {

using enum SensorNeed;
using T = SensorType;

constexpr SensorMethod kMethods[] = {
    {T::Touch, Nothing, sense_touch},
    {T::Accelerometer, BodyForces, sense_accelerometer},
    {T::Velocimeter, Nothing, sense_velocimeter},
    {T::Gyro, Nothing, sense_gyro},
    {T::Force, BodyForces, sense_force},
    {T::Torque, BodyForces, sense_torque},
    {T::Magnetometer, Nothing, sense_magnetometer},
    {T::Rangefinder, Nothing, sense_rangefinder},
    {T::CamProjection, Nothing, sense_camera_projection},
    {T::JointPos, Nothing, sense_joint_pos},
    {T::JointVel, Nothing, sense_joint_vel},
    {T::TendonPos, Nothing, sense_tendon_pos},
    {T::TendonVel, Nothing, sense_tendon_vel},
    {T::ActuatorPos, Nothing, sense_actuator_pos},
    {T::ActuatorVel, Nothing, sense_actuator_vel},
    {T::ActuatorFrc, Nothing, sense_actuator_force},
    {T::JointActFrc, Nothing, sense_joint_actuator_force},
    {T::TendonActFrc, Nothing, sense_tendon_actuator_force},
    {T::BallQuat, Nothing, sense_ball_quat},
    {T::BallAngVel, Nothing, sense_ball_angvel},
    {T::JointLimitPos, Nothing, sense_limit_pos},
    {T::JointLimitVel, Nothing, sense_limit_vel},
    {T::JointLimitFrc, Nothing, sense_limit_force},
    {T::TendonLimitPos, Nothing, sense_limit_pos},
    {T::TendonLimitVel, Nothing, sense_limit_vel},
    {T::TendonLimitFrc, Nothing, sense_limit_force},
    {T::FramePos, Nothing, sense_frame_pos},
    {T::FrameQuat, Nothing, sense_frame_quat},
    {T::FrameXAxis, Nothing, sense_frame_axis},
    {T::FrameYAxis, Nothing, sense_frame_axis},
    {T::FrameZAxis, Nothing, sense_frame_axis},
    {T::FrameLinVel, Nothing, sense_frame_linvel},
    {T::FrameAngVel, Nothing, sense_frame_angvel},
    {T::FrameLinAcc, BodyForces, sense_frame_linacc},
    {T::FrameAngAcc, BodyForces, sense_frame_angacc},
    {T::SubtreeCom, Nothing, sense_subtree_com},
    {T::SubtreeLinVel, SubtreeVelocity, sense_subtree_linvel},
    {T::SubtreeAngMom, SubtreeVelocity, sense_subtree_angmom},
    {T::InsideSite, Nothing, sense_inside_site},
    {T::GeomDist, Nothing, sense_geom_distance},
    {T::GeomNormal, Nothing, sense_geom_distance},
    {T::GeomFromTo, Nothing, sense_geom_distance},
    {T::Contact, Nothing, sense_contact},
    {T::EPotential, Nothing, sense_potential_energy},
    {T::EKinetic, Nothing, sense_kinetic_energy},
    {T::Clock, Nothing, sense_clock},
    {T::Tactile, Nothing, sense_tactile},
    {T::Plugin, Nothing, nullptr},
    {T::User, Nothing, nullptr},
};
static_assert(rows_stand_at_their_type(kMethods));
static_assert(std::size(kMethods) == static_cast<std::size_t>(SensorType::User) + 1);

}  // namespace

const SensorMethod& sensor_method(SensorType type) { return kMethods[static_cast<std::size_t>(type)]; }

}  // namespace sinew
