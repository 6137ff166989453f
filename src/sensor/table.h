#pragma once

#include <cstdint>

#include "sinew/data.h"

namespace sinew {

/// What a sensor needs computed first, once for all sensors of its stage. BodyForces are cacc, cfrc_int and cfrc_ext
/// together, as in MuJoCo after any acceleration sensor.
enum class SensorNeed : std::uint8_t { Nothing, SubtreeVelocity, BodyForces };

/// How one kind of sensor is evaluated. A new one is a row in model/sensor_kinds.cpp, a row in table.cpp and a function
/// in the file of its level.
struct SensorMethod {
  SensorType type;
  SensorNeed need;
  /// Writes sensor_dim numbers for sensor i, before cutoff. Null for user sensors, which a callback fills.
  void (*evaluate)(const Model& m, Data& d, int i, double* out);
};

/// The row of a kind.
const SensorMethod& sensor_method(SensorType type);

// position level
void sense_magnetometer(const Model& m, Data& d, int i, double* out);
void sense_rangefinder(const Model& m, Data& d, int i, double* out);
void sense_camera_projection(const Model& m, Data& d, int i, double* out);
void sense_joint_pos(const Model& m, Data& d, int i, double* out);
void sense_tendon_pos(const Model& m, Data& d, int i, double* out);
void sense_actuator_pos(const Model& m, Data& d, int i, double* out);
void sense_ball_quat(const Model& m, Data& d, int i, double* out);
void sense_limit_pos(const Model& m, Data& d, int i, double* out);
void sense_frame_pos(const Model& m, Data& d, int i, double* out);
void sense_frame_quat(const Model& m, Data& d, int i, double* out);
void sense_frame_axis(const Model& m, Data& d, int i, double* out);
void sense_subtree_com(const Model& m, Data& d, int i, double* out);
void sense_inside_site(const Model& m, Data& d, int i, double* out);
void sense_geom_distance(const Model& m, Data& d, int i, double* out);
void sense_potential_energy(const Model& m, Data& d, int i, double* out);
void sense_kinetic_energy(const Model& m, Data& d, int i, double* out);
void sense_clock(const Model& m, Data& d, int i, double* out);

// velocity level
void sense_velocimeter(const Model& m, Data& d, int i, double* out);
void sense_gyro(const Model& m, Data& d, int i, double* out);
void sense_joint_vel(const Model& m, Data& d, int i, double* out);
void sense_tendon_vel(const Model& m, Data& d, int i, double* out);
void sense_actuator_vel(const Model& m, Data& d, int i, double* out);
void sense_ball_angvel(const Model& m, Data& d, int i, double* out);
void sense_limit_vel(const Model& m, Data& d, int i, double* out);
void sense_frame_linvel(const Model& m, Data& d, int i, double* out);
void sense_frame_angvel(const Model& m, Data& d, int i, double* out);
void sense_subtree_linvel(const Model& m, Data& d, int i, double* out);
void sense_subtree_angmom(const Model& m, Data& d, int i, double* out);

// acceleration level
void sense_touch(const Model& m, Data& d, int i, double* out);
void sense_accelerometer(const Model& m, Data& d, int i, double* out);
void sense_force(const Model& m, Data& d, int i, double* out);
void sense_torque(const Model& m, Data& d, int i, double* out);
void sense_actuator_force(const Model& m, Data& d, int i, double* out);
void sense_joint_actuator_force(const Model& m, Data& d, int i, double* out);
void sense_tendon_actuator_force(const Model& m, Data& d, int i, double* out);
void sense_limit_force(const Model& m, Data& d, int i, double* out);
void sense_frame_linacc(const Model& m, Data& d, int i, double* out);
void sense_frame_angacc(const Model& m, Data& d, int i, double* out);
void sense_contact(const Model& m, Data& d, int i, double* out);
void sense_tactile(const Model& m, Data& d, int i, double* out);

}  // namespace sinew
