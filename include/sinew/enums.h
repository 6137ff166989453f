#pragma once

// Enumerations of the model format, with MuJoCo 3.12.0's values. Model arrays hold them as int.

namespace sinew {

// The values read as tables.
// clang-format off
enum class JointType : int { Free, Ball, Slide, Hinge };
enum class GeomType : int { Plane, Hfield, Sphere, Capsule, Ellipsoid, Cylinder, Box, Mesh, Sdf };
enum class CamLightMode : int { Fixed, Track, TrackCom, TargetBody, TargetBodyCom };
enum class Projection : int { Perspective, Orthographic };
enum class LightType : int { Spot, Directional, Point, Image };
enum class TextureType : int { Texture2D, Cube, Skybox };
enum class TextureRole : int { User, Rgb, Occlusion, Roughness, Metallic, Normal, Opacity, Emissive, Rgba, Orm };
enum class ColorSpace : int { Auto, Linear, Srgb };
enum class Integrator : int { Euler, RK4, Implicit, ImplicitFast };
enum class Cone : int { Pyramidal, Elliptic };
enum class JacobianKind : int { Dense, Sparse, Auto };
enum class SolverKind : int { PGS, CG, Newton };
/// What a constraint row comes from.
enum class ConstraintKind : int {
  Equality, FrictionDof, FrictionTendon, LimitJoint, LimitTendon, ContactFrictionless, ContactPyramidal, ContactElliptic
};
enum class EqualityType : int { Connect, Weld, Joint, Tendon, Flex, FlexVert, FlexStrain };
enum class WrapType : int { None, Joint, Pulley, Site, Sphere, Cylinder };
enum class TrnType : int { Joint, JointInParent, SliderCrank, Tendon, Site, Body, So3, Undefined = 1000 };
enum class DynType : int { None, Integrator, Filter, FilterExact, Muscle, DcMotor, Pid, User };
enum class GainType : int { Fixed, Affine, Muscle, DcMotor, So3, Pid, User };
enum class BiasType : int { None, Affine, Muscle, DcMotor, So3, User };
enum class Interp : int { Zoh, Linear, Cubic };
enum class Stage : int { None, Pos, Vel, Acc };
enum class DataType : int { Real, Positive, Axis, Quaternion };
enum class SameFrame : int { None, Body, Inertia, BodyRot, InertiaRot };
enum class SleepPolicy : int { Auto, AutoNever, AutoAllowed, Never, Allowed, Init };
enum class LengthRangeMode : int { None, Muscle, MuscleUser, All };
/// Which elements of a flex that do not touch each other are compared, and in which order.
enum class FlexSelf : int { None, Narrow, Bvh, Sap, Auto };
enum class FluidShape : int { None, Ellipsoid };
enum class Reduce : int { None, MinDist, MaxForce, NetForce };
enum class Warning : int { Inertia, ContactFull, ConstraintFull, BadQpos, BadQvel, BadQacc, BadCtrl };

/// Kinds of objects that can have names, with MuJoCo's numbers.
enum class ObjType : int {
  Unknown, Body, XBody, Joint, Dof, Geom, Site, Camera, Light, Flex, Mesh, Skin, Hfield, Texture, Material,
  Pair, Exclude, Equality, Tendon, Actuator, Sensor, Numeric, Text, Tuple, Key, Plugin,
  Frame = 100, Default = 101, Model = 102
};

enum class SensorType : int {
  Touch, Accelerometer, Velocimeter, Gyro, Force, Torque, Magnetometer, Rangefinder, CamProjection,
  JointPos, JointVel, TendonPos, TendonVel, ActuatorPos, ActuatorVel, ActuatorFrc, JointActFrc, TendonActFrc,
  BallQuat, BallAngVel, JointLimitPos, JointLimitVel, JointLimitFrc, TendonLimitPos, TendonLimitVel, TendonLimitFrc,
  FramePos, FrameQuat, FrameXAxis, FrameYAxis, FrameZAxis, FrameLinVel, FrameAngVel, FrameLinAcc, FrameAngAcc,
  SubtreeCom, SubtreeLinVel, SubtreeAngMom, InsideSite, GeomDist, GeomNormal, GeomFromTo, Contact,
  EPotential, EKinetic, Clock, Tactile, Plugin, User
};

/// Bits of Option::disableflags.
enum DisableFlag : int {
  kDisableConstraint = 1 << 0, kDisableEquality = 1 << 1, kDisableFrictionloss = 1 << 2, kDisableLimit = 1 << 3,
  kDisableContact = 1 << 4, kDisableSpring = 1 << 5, kDisableDamper = 1 << 6, kDisableGravity = 1 << 7,
  kDisableClampctrl = 1 << 8, kDisableWarmstart = 1 << 9, kDisableFilterparent = 1 << 10, kDisableActuation = 1 << 11,
  kDisableRefsafe = 1 << 12, kDisableSensor = 1 << 13, kDisableMidphase = 1 << 14, kDisableEulerdamp = 1 << 15,
  kDisableAutoreset = 1 << 16, kDisableNativeccd = 1 << 17, kDisableIsland = 1 << 18, kDisableMulticcd = 1 << 19
};

/// Bits of Option::enableflags.
enum EnableFlag : int {
  kEnableOverride = 1 << 0, kEnableEnergy = 1 << 1, kEnableFwdinv = 1 << 2, kEnableInvdiscrete = 1 << 3,
  kEnableSleep = 1 << 4, kEnableDiagexact = 1 << 5
};

/// Bits of actuator_ctrlspec: which controls a pid or dcmotor actuator has, in this order; or the chart of an
/// orientation (so3) actuator's control.
enum CtrlInput : int { kInputPos = 1, kInputVel = 2, kInputFf = 4, kInputVoltage = 8, kInputNone = 16 };
enum So3Chart : int { kChartExpmap = 1, kChartQuat = 2 };

/// Bits of the state vector, in its order.
enum StateBit : int {
  kStateTime = 1 << 0, kStateQpos = 1 << 1, kStateQvel = 1 << 2, kStateAct = 1 << 3, kStateHistory = 1 << 4,
  kStateWarmstart = 1 << 5, kStateCtrl = 1 << 6, kStateQfrcApplied = 1 << 7, kStateXfrcApplied = 1 << 8,
  kStateEqActive = 1 << 9, kStateMocapPos = 1 << 10, kStateMocapQuat = 1 << 11, kStateUserdata = 1 << 12,
  kStatePlugin = 1 << 13,
  kStatePhysics = kStateQpos | kStateQvel | kStateAct | kStateHistory,
  kStateFullPhysics = kStateTime | kStatePhysics | kStatePlugin,
  kStateUser = kStateCtrl | kStateQfrcApplied | kStateXfrcApplied | kStateEqActive | kStateMocapPos | kStateMocapQuat |
               kStateUserdata,
  kStateIntegration = kStateFullPhysics | kStateUser | kStateWarmstart
};

// clang-format on

}  // namespace sinew
