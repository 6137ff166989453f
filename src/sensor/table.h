#pragma once

#include <cstdint>

#include "sinew/data.h"

namespace sinew {

/// What a sensor needs computed first, once for all sensors of its stage.
/// BodyForces are cacc, cfrc_int and cfrc_ext together, as users of MuJoCo find them behind any sensor of acceleration.
enum class SensorNeed : std::uint8_t { Nothing, SubtreeVelocity, BodyForces };

/// What a sensor may be attached to.
enum class SensorTarget : std::uint8_t {
  None,
  Site,
  ScalarJoint,
  BallJoint,
  LimitedJoint,
  Tendon,
  LimitedTendon,
  Actuator,
  Frame,
  Body,
  GeomOrBody,
  Contact,
  SiteOrCamera,
  Mesh,
  Any,
  Unsupported
};

/// Where the number of values depends on the sensor or on what it measures.
enum SensorDim : int { kByRangeData = -1, kByOutputs = -2, kByContactData = -3, kByUser = -4, kByVertices = -5 };

/// One kind of sensor. A new one is a row in table.cpp, a function in the file of its level, and its element in the
/// schema (spec/schema_sensors.cpp).
struct SensorKind {
  SensorType type;
  SensorTarget target;
  int dim;  // numbers that it has, or a SensorDim
  Stage stage;
  DataType datatype;
  SensorNeed need;
  /// Writes sensor_dim numbers for sensor i, before cutoff. Null for user sensors, which a callback fills.
  void (*evaluate)(const Model& m, Data& d, int i, double* out);
};

/// The row of a kind.
const SensorKind& sensor_kind(SensorType type);

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
