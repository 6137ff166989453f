#pragma once

// The words that MJCF uses for the values of enumerations.

#include <array>

#include "model/joint_kinds.h"
#include "sinew/enums.h"
#include "sinew/spec.h"
#include "spec/schema.h"
#include "spec/value.h"

namespace sinew::mjcf {

template <class Enum>
constexpr Keyword word(std::string_view text, Enum value) {
  return {text, static_cast<int>(value)};
}

/// The keywords of a table of kinds.
template <class Kind, std::size_t N>
constexpr std::array<Keyword, N> words_of(const Kind (&kinds)[N]) {
  std::array<Keyword, N> out{};
  for (std::size_t i = 0; i < N; ++i) out[i] = word(kinds[i].word, kinds[i].type);
  return out;
}

inline constexpr Keyword kTri[] = {word("false", spec::Tri::False), word("true", spec::Tri::True),
                                   word("auto", spec::Tri::Auto)};
inline constexpr Keyword kAngle[] = {{"radian", 0}, {"degree", 1}};
inline constexpr Keyword kConflict[] = {word("warning", spec::Compiler::Conflict::Warning),
                                        word("merge", spec::Compiler::Conflict::Merge),
                                        word("error", spec::Compiler::Conflict::Error)};
inline constexpr Keyword kLengthRangeMode[] = {
    word("none", LengthRangeMode::None), word("muscle", LengthRangeMode::Muscle),
    word("muscleuser", LengthRangeMode::MuscleUser), word("all", LengthRangeMode::All)};
inline constexpr Keyword kIntegrator[] = {word("Euler", Integrator::Euler), word("RK4", Integrator::RK4),
                                          word("implicit", Integrator::Implicit),
                                          word("implicitfast", Integrator::ImplicitFast)};
inline constexpr Keyword kCone[] = {word("pyramidal", Cone::Pyramidal), word("elliptic", Cone::Elliptic)};
inline constexpr Keyword kJacobian[] = {word("dense", JacobianKind::Dense), word("sparse", JacobianKind::Sparse),
                                        word("auto", JacobianKind::Auto)};
inline constexpr Keyword kSolver[] = {word("PGS", SolverKind::PGS), word("CG", SolverKind::CG),
                                      word("Newton", SolverKind::Newton)};
inline constexpr auto kJointType = words_of(kJointKinds);
inline constexpr Keyword kGeomType[] = {
    word("plane", GeomType::Plane),     word("hfield", GeomType::Hfield),       word("sphere", GeomType::Sphere),
    word("capsule", GeomType::Capsule), word("ellipsoid", GeomType::Ellipsoid), word("cylinder", GeomType::Cylinder),
    word("box", GeomType::Box),         word("mesh", GeomType::Mesh),           word("sdf", GeomType::Sdf)};
inline constexpr Keyword kSiteType[] = {word("sphere", GeomType::Sphere), word("capsule", GeomType::Capsule),
                                        word("ellipsoid", GeomType::Ellipsoid), word("cylinder", GeomType::Cylinder),
                                        word("box", GeomType::Box)};
inline constexpr Keyword kFluidShape[] = {word("none", FluidShape::None), word("ellipsoid", FluidShape::Ellipsoid)};
inline constexpr Keyword kCamLightMode[] = {
    word("fixed", CamLightMode::Fixed), word("track", CamLightMode::Track), word("trackcom", CamLightMode::TrackCom),
    word("targetbody", CamLightMode::TargetBody), word("targetbodycom", CamLightMode::TargetBodyCom)};
inline constexpr Keyword kProjection[] = {word("perspective", Projection::Perspective),
                                          word("orthographic", Projection::Orthographic)};
inline constexpr Keyword kCameraOutput[] = {word("rgb", spec::kCamRgb), word("depth", spec::kCamDepth),
                                            word("distance", spec::kCamDistance), word("normal", spec::kCamNormal),
                                            word("segmentation", spec::kCamSegmentation)};
inline constexpr Keyword kLightType[] = {word("spot", LightType::Spot), word("directional", LightType::Directional),
                                         word("point", LightType::Point), word("image", LightType::Image)};
inline constexpr Keyword kSimple[] = {{"false", 0}, {"auto", 1}};
inline constexpr Keyword kSleep[] = {word("auto", SleepPolicy::Auto), word("never", SleepPolicy::Never),
                                     word("allowed", SleepPolicy::Allowed), word("init", SleepPolicy::Init)};
inline constexpr Keyword kTextureType[] = {word("2d", TextureType::Texture2D), word("cube", TextureType::Cube),
                                           word("skybox", TextureType::Skybox)};
inline constexpr Keyword kColorSpace[] = {word("auto", ColorSpace::Auto), word("linear", ColorSpace::Linear),
                                          word("sRGB", ColorSpace::Srgb)};
inline constexpr Keyword kTextureBuiltin[] = {
    word("none", spec::TextureBuiltin::None), word("gradient", spec::TextureBuiltin::Gradient),
    word("checker", spec::TextureBuiltin::Checker), word("flat", spec::TextureBuiltin::Flat)};
inline constexpr Keyword kTextureMark[] = {word("none", spec::TextureMark::None), word("edge", spec::TextureMark::Edge),
                                           word("cross", spec::TextureMark::Cross),
                                           word("random", spec::TextureMark::Random)};
inline constexpr Keyword kTextureRole[] = {word("rgb", TextureRole::Rgb),
                                           word("occlusion", TextureRole::Occlusion),
                                           word("roughness", TextureRole::Roughness),
                                           word("metallic", TextureRole::Metallic),
                                           word("normal", TextureRole::Normal),
                                           word("opacity", TextureRole::Opacity),
                                           word("emissive", TextureRole::Emissive),
                                           word("rgba", TextureRole::Rgba),
                                           word("orm", TextureRole::Orm)};
inline constexpr Keyword kMeshInertia[] = {
    word("convex", spec::MeshInertia::Convex), word("exact", spec::MeshInertia::Exact),
    word("legacy", spec::MeshInertia::Legacy), word("shell", spec::MeshInertia::Shell)};
inline constexpr Keyword kDynType[] = {word("none", DynType::None),     word("integrator", DynType::Integrator),
                                       word("filter", DynType::Filter), word("filterexact", DynType::FilterExact),
                                       word("muscle", DynType::Muscle), word("dcmotor", DynType::DcMotor),
                                       word("pid", DynType::Pid),       word("user", DynType::User)};
inline constexpr Keyword kGainType[] = {word("fixed", GainType::Fixed),   word("affine", GainType::Affine),
                                        word("muscle", GainType::Muscle), word("dcmotor", GainType::DcMotor),
                                        word("so3", GainType::So3),       word("pid", GainType::Pid),
                                        word("user", GainType::User)};
inline constexpr Keyword kBiasType[] = {word("none", BiasType::None),     word("affine", BiasType::Affine),
                                        word("muscle", BiasType::Muscle), word("dcmotor", BiasType::DcMotor),
                                        word("so3", BiasType::So3),       word("user", BiasType::User)};
inline constexpr Keyword kInterp[] = {word("zoh", Interp::Zoh), word("linear", Interp::Linear),
                                      word("cubic", Interp::Cubic)};
inline constexpr Keyword kDataType[] = {word("real", DataType::Real), word("positive", DataType::Positive),
                                        word("axis", DataType::Axis), word("quaternion", DataType::Quaternion)};
inline constexpr Keyword kStage[] = {word("none", Stage::None), word("pos", Stage::Pos), word("vel", Stage::Vel),
                                     word("acc", Stage::Acc)};
inline constexpr Keyword kReduce[] = {word("none", Reduce::None), word("mindist", Reduce::MinDist),
                                      word("maxforce", Reduce::MaxForce), word("netforce", Reduce::NetForce)};
/// Bits of a contact sensor's and a rangefinder's intprm[0].
inline constexpr Keyword kContactData[] = {{"found", 1}, {"force", 2},   {"torque", 4},  {"dist", 8},
                                           {"pos", 16},  {"normal", 32}, {"tangent", 64}};
inline constexpr Keyword kRayData[] = {{"dist", 1},  {"dir", 2},     {"origin", 4},
                                       {"point", 8}, {"normal", 16}, {"depth", 32}};
/// What a sensor can be attached to as a frame.
inline constexpr Keyword kFrameObject[] = {word("body", ObjType::Body), word("xbody", ObjType::XBody),
                                           word("geom", ObjType::Geom), word("site", ObjType::Site),
                                           word("camera", ObjType::Camera)};
/// Everything that has a name.
inline constexpr Keyword kObject[] = {
    word("body", ObjType::Body),         word("xbody", ObjType::XBody),       word("joint", ObjType::Joint),
    word("dof", ObjType::Dof),           word("geom", ObjType::Geom),         word("site", ObjType::Site),
    word("camera", ObjType::Camera),     word("light", ObjType::Light),       word("flex", ObjType::Flex),
    word("mesh", ObjType::Mesh),         word("skin", ObjType::Skin),         word("hfield", ObjType::Hfield),
    word("texture", ObjType::Texture),   word("material", ObjType::Material), word("pair", ObjType::Pair),
    word("exclude", ObjType::Exclude),   word("equality", ObjType::Equality), word("tendon", ObjType::Tendon),
    word("actuator", ObjType::Actuator), word("sensor", ObjType::Sensor),     word("numeric", ObjType::Numeric),
    word("text", ObjType::Text),         word("tuple", ObjType::Tuple),       word("key", ObjType::Key),
    word("plugin", ObjType::Plugin)};

}  // namespace sinew::mjcf
