#pragma once

// Sizes and thresholds that the model format fixes. The values are those of MuJoCo 3.12.0.

namespace sinew {

inline constexpr int kNumRef = 2;        // numbers of a solref
inline constexpr int kNumImp = 5;        // numbers of a solimp
inline constexpr int kNumPoly = 2;       // polynomial terms beyond the linear stiffness or damping
inline constexpr int kNumDyn = 10;       // actuator dynamics parameters
inline constexpr int kNumGain = 10;      // actuator gain parameters
inline constexpr int kNumBias = 10;      // actuator bias parameters
inline constexpr int kNumEqData = 11;    // numbers of an equality constraint
inline constexpr int kNumFluid = 12;     // numbers of a geom's fluid interaction
inline constexpr int kNumSensorInt = 3;  // integer parameters of a sensor
inline constexpr int kNumTexRole = 10;   // texture roles of a material
inline constexpr int kNumWarning = 7;    // kinds of counted warnings
inline constexpr int kNumIsland = 20;    // islands whose solver statistics are kept
inline constexpr int kNumSolver = 200;   // iterations of each whose statistics are kept
inline constexpr int kNumGroup = 6;      // visual groups of geoms, sites, joints, tendons, actuators

inline constexpr double kMinVal = 1e-15;      // the engine treats a norm, mass or divisor below this as zero
inline constexpr double kMaxVal = 1e10;       // a state beyond this is bad
inline constexpr double kCompileEps = 1e-14;  // the compiler's threshold, squared norms included
inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kMinImp = 1e-4;  // bounds of the constraint impedance
inline constexpr double kMaxImp = 0.9999;
inline constexpr double kMinMu = 1e-5;  // smallest friction coefficient of a contact

}  // namespace sinew
