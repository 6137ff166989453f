#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/data.h"

// The abstract scene: what is seen of a world, as a list of geoms, lights and two eyes. It is a pure function of model,
// world, options, perturbation and camera; renderers, viewers and Python draw the list and do not ask the model what is
// visible. The same list as MuJoCo 3.12.0's mjv_updateScene, with its numbers (docs/scene.md).
//
// The world must be up to date (forward, or a step); none of these functions changes it, except apply_perturb_*.

namespace sinew {

// The values read as tables.
// clang-format off

/// Types of SceneGeom beyond GeomType.
enum SceneType : int {
  kSceneArrow = 100, kSceneArrow1, kSceneArrow2, kSceneLine, kSceneLineBox, kSceneFlex, kSceneSkin, kSceneLabel,
  kSceneTriangle, kSceneNone = 1001
};

/// Bits: parts of the world, parts that move, decoration. A mocap body is dynamic.
enum SceneCategory : int { kSceneStatic = 1, kSceneDynamic = 2, kSceneDecor = 4, kSceneAll = 7 };

enum VisFlag : int {
  kVisConvexHull, kVisTexture, kVisJoint, kVisCamera, kVisActuator, kVisActivation, kVisLight, kVisTendon,
  kVisRangefinder, kVisConstraint, kVisInertia, kVisSclInertia, kVisPertForce, kVisPertObj, kVisContactPoint,
  kVisIsland, kVisContactForce, kVisContactSplit, kVisTransparent, kVisAutoConnect, kVisCom, kVisSelect, kVisStatic,
  kVisSkin, kVisFlexVert, kVisFlexEdge, kVisFlexFace, kVisFlexSkin, kVisBodyBvh, kVisMeshBvh, kVisSdfIter, kNumVisFlag
};

enum RenderFlag : int {
  kRenderShadow, kRenderWireframe, kRenderReflection, kRenderAdditive, kRenderSkybox, kRenderFog, kRenderHaze,
  kRenderDepth, kRenderSegment, kRenderIdColor, kRenderCullFace, kNumRenderFlag
};

enum LabelKind : int {
  kLabelNone, kLabelBody, kLabelJoint, kLabelGeom, kLabelSite, kLabelCamera, kLabelLight, kLabelTendon, kLabelActuator,
  kLabelConstraint, kLabelFlex, kLabelSkin, kLabelSelection, kLabelSelPoint, kLabelContactPoint, kLabelContactForce,
  kLabelIsland
};
enum FrameKind : int {
  kFrameNone, kFrameBody, kFrameGeom, kFrameSite, kFrameCamera, kFrameLight, kFrameContact, kFrameWorld
};
enum CameraType : int { kCameraFree, kCameraTracking, kCameraFixed, kCameraUser };
enum PerturbBit : int { kPerturbTranslate = 1, kPerturbRotate = 2 };
/// What a motion of the mouse does: V and H are vertical and horizontal, Rel is relative to the camera or body.
enum MouseAction : int {
  kMouseNone, kMouseRotateV, kMouseRotateH, kMouseMoveV, kMouseMoveH, kMouseZoom, kMouseMoveVRel, kMouseMoveHRel,
  kMouseTurnV, kMouseTurnH
};
// clang-format on

using Float2 = std::array<float, 2>;
using Float3 = std::array<float, 3>;
using Float4 = std::array<float, 4>;
using Float9 = std::array<float, 9>;
using Double3 = std::array<double, 3>;
using Double4 = std::array<double, 4>;
using Groups = std::array<std::uint8_t, kNumGroup>;
using VisFlags = std::array<std::uint8_t, kNumVisFlag>;
using RenderFlags = std::array<std::uint8_t, kNumRenderFlag>;
using SceneLabel = std::array<char, 100>;

constexpr VisFlags default_vis_flags() {
  VisFlags flags{};
  for (const VisFlag on :
       {kVisTexture, kVisTendon, kVisRangefinder, kVisPertObj, kVisStatic, kVisSkin, kVisFlexEdge, kVisFlexSkin})
    flags[on] = 1;
  return flags;
}
constexpr RenderFlags default_render_flags() {
  RenderFlags flags{};
  for (const RenderFlag on : {kRenderShadow, kRenderReflection, kRenderSkybox, kRenderHaze, kRenderCullFace})
    flags[on] = 1;
  return flags;
}

#define SINEW_SCENE_BEGIN(record, python, doc) struct record {
#define SINEW_SCENE(record, type, name, doc, ...) type name = __VA_ARGS__;
#define SINEW_SCENE_END(record) \
  }                             \
  ;
#include "sinew/scene_fields.def"
#undef SINEW_SCENE_BEGIN
#undef SINEW_SCENE
#undef SINEW_SCENE_END

/// Triangles of the flexes, made anew by each update. Vertices and faces of flex i start at vertadr[i] and faceadr[i];
/// faces are not shared: nine numbers per triangle. The first faceused[i] of facenum[i] triangles are valid.
struct SceneFlexes {
  std::vector<int> edgeadr, edgenum, vertadr, vertnum, faceadr, facenum, faceused;
  std::vector<int> edge;        // 2 per edge: vertices, counted from the flex's first
  std::vector<float> vert;      // 3 per vertex
  std::vector<float> face;      // 9 per face: positions of its corners
  std::vector<float> normal;    // 9 per face
  std::vector<float> texcoord;  // 6 per face
  std::uint8_t vertopt = 0, edgeopt = 0, faceopt = 0, skinopt = 0;  // copies of the four flags

  std::size_t size() const { return vertadr.size(); }
};

/// Deformed vertices of the skins; their triangles are skin_face of the model.
struct SceneSkins {
  std::vector<int> facenum, vertadr, vertnum;
  std::vector<float> vert;    // 3 per vertex
  std::vector<float> normal;  // 3 per vertex

  std::size_t size() const { return vertadr.size(); }
};

inline constexpr int kMaxSceneLight = 100;

struct Scene {
  static constexpr int kUnlimited = -1;

  Scene() = default;
  /// Room for what the model's flexes and skins need. With a limit the list has that many places from the start, none
  /// of which moves later; without one it grows.
  explicit Scene(const Model& m, int limit = kUnlimited);

  int maxgeom = kUnlimited;
  int ngeom = 0;                 // own geoms may be appended after update_scene
  std::vector<SceneGeom> geoms;  // the first ngeom are valid
  SceneFlexes flex;
  SceneSkins skin;
  int nlight = 0;
  std::array<SceneLight, kMaxSceneLight> lights{};  // the first nlight are valid
  std::array<SceneView, 2> camera{};                // left and right eye

  // Model space to the space of the eyes. update_scene disables it.
  std::uint8_t enabletransform = 0;
  Float3 translate{};
  Float4 rotate = {1, 0, 0, 0};
  float scale = 1;

  int stereo = 0;  // 0: one picture from the middle of the eyes
  RenderFlags flags = default_render_flags();
  int framewidth = 0;  // pixels, 0: no frame
  Float3 framergb{};
  int status = 0;  // 1: the limit was reached and geoms were left out

  /// A new geom at the end of the list, with default values; null if the limit is reached.
  SceneGeom* append();
};

/// Type, size (as geom_size), pose and color; the rest gets its default. Null: default size, position, orientation,
/// color.
void init_geom(SceneGeom& geom, int type, const double* size, const double* pos, const double* mat, const float* rgba);
/// Makes it reach from one point to another: capsule, cylinder, arrow or line. Colors stay. Fails for other types.
Status connect_geom(SceneGeom& geom, int type, double width, const double from[3], const double to[3]);

/// The free camera that sees the whole model, as <visual><global> sets it.
SceneCamera default_free_camera(const Model& m);

/// Everything that is visible: eyes, geoms, lights, triangles of flexes and skins. `catmask` has SceneCategory bits. A
/// tracking camera's lookat is moved to its body. Fails, leaving the scene as it was, if the model is not fresh, the
/// Data is another model's, or the camera does not exist.
///
/// MuJoCo centers infinite planes under the camera of the previous update; here it is that of this one.
Status update_scene(const Model& m, const Data& d, const SceneOption& option, const Perturb* perturb,
                    SceneCamera& camera, int catmask, Scene& scene);

/// The parts of update_scene. add_geoms appends to the list and uses the eyes that are there.
Status add_geoms(const Model& m, const Data& d, const SceneOption& option, const Perturb* perturb, int catmask,
                 Scene& scene);
Status update_camera(const Model& m, const Data& d, SceneCamera& camera, Scene& scene);
Status make_lights(const Model& m, const Data& d, Scene& scene);
Status update_flexes(const Model& m, const Data& d, const SceneOption& option, Scene& scene);
/// Skins whose group is not in `group` are zero; null: all are made.
Status update_skins(const Model& m, const Data& d, const Groups* group, Scene& scene);

/// Pose of a camera: unit vectors, right = forward x up.
struct CameraFrame {
  Double3 pos{}, forward{}, up{}, right{};
};
/// What a camera sees: distances from the axis of view to the four edges of the near plane.
struct CameraFrustum {
  float top = 0, bottom = 0, left = 0, right = 0;  // m; left = right = 0: follow from the image's aspect
  float znear = 0, zfar = 0;                       // m
  bool orthographic = false;
};
/// The camera's frame (middle of the eyes). Fails if the camera does not exist or is the user's own.
Status camera_frame(const Model& m, const Data& d, const SceneCamera& camera, CameraFrame& frame);
Status camera_frustum(const Model& m, const SceneCamera& camera, CameraFrustum& frustum);
/// The middle of two eyes.
SceneView average_view(const SceneView& a, const SceneView& b);
/// The single eye of a camera.
Status camera_view(const Model& m, const Data& d, const SceneCamera& camera, SceneView& view);

/// Between model space and the space of the eyes, by the scene's transform.
void room_to_model(const Scene& scene, const double roompos[3], const double roomquat[4], double pos[3],
                   double quat[4]);
void model_to_room(const Scene& scene, const double modelpos[3], const double modelquat[4], double pos[3],
                   double quat[4]);
/// The middle of the scene's eyes, in the space of the eyes or in model space.
CameraFrame camera_in_room(const Scene& scene);
CameraFrame camera_in_model(const Scene& scene);
/// Height of the image at distance 1 m; orthographic: at any distance.
double frustum_height(const Scene& scene);
/// Rotates the horizontal part of vec so that y becomes the heading of `forward`.
Double3 align_to_camera(const Double3& vec, const Double3& forward);

/// Motions of the mouse, relative to the height of the window. Fixed and user's cameras do not move.
void move_camera(const Model& m, int action, double dx, double dy, SceneCamera& camera);
void move_model(const Model& m, int action, double dx, double dy, const double roomup[3], Scene& scene);

/// What is under a point of the image.
struct ScenePick {
  int body = -1;
  int geom = -1, flex = -1, skin = -1;  // what was hit, -1 for the other two
  Double3 point{};                      // m, world frame
};
/// The nearest visible geom, flex or skin at (x, y), from 0, 0 (bottom left) to 1, 1; aspect is width / height.
ScenePick pick(const Model& m, const Data& d, const SceneOption& option, double aspect, double x, double y,
               const Scene& scene);

/// Starts a perturbation of body perturb.select at perturb.localpos. Does nothing if no body is selected.
void init_perturb(const Model& m, const Data& d, const Scene& scene, Perturb& perturb);
/// Moves or rotates its reference.
void move_perturb(const Model& m, const Data& d, int action, double dx, double dy, const Scene& scene,
                  Perturb& perturb);
/// Writes the spring force towards the reference into the body's xfrc_applied, if the perturbation is active.
void apply_perturb_force(const Model& m, Data& d, const Perturb& perturb);
/// Moves a mocap body to the reference or, if paused, a free body or the free root of a body; then run forward.
void apply_perturb_pose(const Model& m, Data& d, const Perturb& perturb, bool paused);

}  // namespace sinew
