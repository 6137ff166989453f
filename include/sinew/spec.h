#pragma once

// The typed tree between MJCF and Model: what the reader fills, what the user edits, what the compiler reads.
//
// Values are kept as written: angles in the units of Compiler::angle, names unresolved, frames kept. A field that the
// file does not mention has the value of its default class, or else MuJoCo 3.12.0's built-in default.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/constants.h"
#include "sinew/enums.h"
#include "sinew/options.h"
#include "sinew/visual.h"

namespace sinew::spec {

template <std::size_t N>
using Reals = std::array<double, N>;
template <std::size_t N>
using Floats = std::array<float, N>;

/// Source location of an element; file indexes Spec::files, -1: built by a program.
struct Origin {
  int file = -1;
  int line = 0;
};

/// Elements of one kind: an owning list whose elements never move while others are added or removed.
template <class T>
class List {
 public:
  List() = default;
  List(const List& other) { *this = other; }
  List(List&&) noexcept = default;
  List& operator=(List&&) noexcept = default;
  List& operator=(const List& other) {
    if (this == &other) return *this;
    items_.clear();
    for (const auto& item : other.items_) items_.push_back(std::make_unique<T>(*item));
    return *this;
  }

  T& add(T item = T()) {
    items_.push_back(std::make_unique<T>(std::move(item)));
    return *items_.back();
  }
  void insert(std::size_t at, T item) {
    items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(at), std::make_unique<T>(std::move(item)));
  }
  void erase(std::size_t at) { items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(at)); }
  void clear() { items_.clear(); }

  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  T& operator[](std::size_t i) { return *items_[i]; }
  const T& operator[](std::size_t i) const { return *items_[i]; }
  T& back() { return *items_.back(); }
  const T& back() const { return *items_.back(); }

  template <class Base, class Value>
  struct Iterator {
    Base it;
    Value& operator*() const { return **it; }
    Value* operator->() const { return it->get(); }
    Iterator& operator++() {
      ++it;
      return *this;
    }
    bool operator==(const Iterator&) const = default;
  };
  using iterator = Iterator<typename std::vector<std::unique_ptr<T>>::iterator, T>;
  using const_iterator = Iterator<typename std::vector<std::unique_ptr<T>>::const_iterator, const T>;
  iterator begin() { return {items_.begin()}; }
  iterator end() { return {items_.end()}; }
  const_iterator begin() const { return {items_.begin()}; }
  const_iterator end() const { return {items_.end()}; }

 private:
  std::vector<std::unique_ptr<T>> items_;
};

/// false, true, or decided by the compiler.
enum class Tri : int { False, True, Auto };

/// An orientation in a form other than a quaternion; overrides the quaternion unless its kind is None.
struct Orientation {
  enum class Kind : std::uint8_t { None, AxisAngle, XyAxes, ZAxis, Euler };
  Kind kind = Kind::None;
  Reals<6> value{};  // axis(3) angle | x(3) y(3) | z(3) | euler(3)
};

inline constexpr Reals<kNumRef> kSolref = {0.02, 1};
inline constexpr Reals<kNumImp> kSolimp = {0.9, 0.95, 0.001, 0.5, 2};

/// Common to all elements.
struct Element {
  std::string name;
  std::string dclass;  // the class attribute as written; empty: inherited from childclass, or main
  Origin origin;
};

/// Common to all elements inside a body: the enclosing frame.
struct TreeElement : Element {
  int frame = -1;  // index into the frames of the body that holds it, -1: directly in the body
};

struct Joint : TreeElement {
  JointType type = JointType::Hinge;
  Reals<3> pos{};
  Reals<3> axis = {0, 0, 1};
  int group = 0;
  Tri limited = Tri::Auto;
  Reals<2> range{};
  Tri actuatorfrclimited = Tri::Auto;
  Reals<2> actuatorfrcrange{};
  bool actuatorgravcomp = false;
  double margin = 0;
  double ref = 0;
  double springref = 0;
  Reals<1 + kNumPoly> stiffness{};
  Reals<1 + kNumPoly> damping{};
  double armature = 0;
  double frictionloss = 0;
  Reals<2> springdamper{};
  Reals<kNumRef> solreflimit = kSolref;
  Reals<kNumImp> solimplimit = kSolimp;
  Reals<kNumRef> solreffriction = kSolref;
  Reals<kNumImp> solimpfriction = kSolimp;
  Tri align = Tri::Auto;  // freejoint: align the body frame with the inertial frame
  std::vector<double> user;
};

struct Geom : TreeElement {
  GeomType type = GeomType::Sphere;
  Reals<3> pos{};
  Reals<4> quat = {1, 0, 0, 0};
  Orientation alt;
  std::optional<Reals<6>> fromto;
  Reals<3> size{};
  int contype = 1;
  int conaffinity = 1;
  int condim = 3;
  int group = 0;
  int priority = 0;
  Reals<3> friction = {1, 0.005, 0.0001};
  std::optional<double> mass;
  double density = 1000;
  bool shellinertia = false;
  double solmix = 1;
  Reals<kNumRef> solref = kSolref;
  Reals<kNumImp> solimp = kSolimp;
  double margin = 0;
  double gap = 0;
  Reals<6> surfacevel{};
  double adhesion = 0;
  double fitscale = 1;
  FluidShape fluidshape = FluidShape::None;
  Reals<5> fluidcoef = {0.5, 0.25, 1.5, 1, 1};
  std::string hfield;
  std::string mesh;
  std::string material;
  Floats<4> rgba = {0.5f, 0.5f, 0.5f, 1};
  std::vector<double> user;
};

struct Site : TreeElement {
  GeomType type = GeomType::Sphere;
  Reals<3> pos{};
  Reals<4> quat = {1, 0, 0, 0};
  Orientation alt;
  std::optional<Reals<6>> fromto;
  Reals<3> size = {0.005, 0.005, 0.005};
  int group = 0;
  std::string material;
  Floats<4> rgba = {0.5f, 0.5f, 0.5f, 1};
  std::vector<double> user;
};

/// What a camera may render: bits of Camera::output.
enum CameraOutput : int { kCamRgb = 1, kCamDepth = 2, kCamDistance = 4, kCamNormal = 8, kCamSegmentation = 16 };

struct Camera : TreeElement {
  CamLightMode mode = CamLightMode::Fixed;
  std::string target;
  Reals<3> pos{};
  Reals<4> quat = {1, 0, 0, 0};
  Orientation alt;
  Projection projection = Projection::Perspective;
  double fovy = 45;  // degrees, or the extent of an orthographic camera
  double ipd = 0.068;
  std::array<int, 2> resolution = {1, 1};
  int output = kCamRgb;
  Floats<2> sensorsize{};
  Floats<2> focal{};
  Floats<2> focalpixel{};
  Floats<2> principal{};
  Floats<2> principalpixel{};
  std::vector<double> user;
};

struct Light : TreeElement {
  CamLightMode mode = CamLightMode::Fixed;
  std::string target;
  std::string texture;
  LightType type = LightType::Spot;
  Reals<3> pos{};
  Reals<3> dir = {0, 0, -1};
  bool castshadow = true;
  bool active = true;
  float bulbradius = 0.02f;
  float intensity = 0;
  float range = 10;
  Floats<3> attenuation = {1, 0, 0};
  float cutoff = 45;
  float softness = 0.2f;
  float exponent = 10;
  Floats<3> ambient{};
  Floats<3> diffuse = {0.7f, 0.7f, 0.7f};
  Floats<3> specular = {0.3f, 0.3f, 0.3f};
};

struct Frame : TreeElement {  // TreeElement::frame is the enclosing frame
  Reals<3> pos{};
  Reals<4> quat = {1, 0, 0, 0};
  Orientation alt;
  std::string childclass;
};

struct Inertial {
  Origin origin;
  Reals<3> pos{};
  Reals<4> quat = {1, 0, 0, 0};
  Orientation alt;
  double mass = 0;
  Reals<3> diaginertia{};
  std::optional<Reals<6>> fullinertia;  // xx yy zz xy xz yz
  bool has_diaginertia = false;         // the attribute was written
};

struct Body : TreeElement {
  Reals<3> pos{};
  Reals<4> quat = {1, 0, 0, 0};
  Orientation alt;
  std::string childclass;
  bool mocap = false;
  double gravcomp = 0;
  SleepPolicy sleep = SleepPolicy::Auto;
  bool simple = true;  // false: never use the shortcuts for simple bodies
  std::optional<Inertial> inertial;
  std::vector<double> user;

  List<Frame> frames;
  List<Joint> joints;
  List<Geom> geoms;
  List<Site> sites;
  List<Camera> cameras;
  List<Light> lights;
  List<Body> bodies;
};

struct Pair : Element {
  std::string geom1, geom2;
  int condim = 3;
  // NaN in the first number of friction, solref, solimp, margin or gap: taken from the two geoms
  Reals<5> friction = {1, 1, 0.005, 0.0001, 0.0001};
  Reals<kNumRef> solref = kSolref;
  Reals<kNumRef> solreffriction{};
  Reals<kNumImp> solimp = kSolimp;
  double margin = 0;
  double gap = 0;
  double adhesion = 0;
};

struct Exclude : Element {
  std::string body1, body2;
};

struct Equality : Element {
  EqualityType type = EqualityType::Connect;
  ObjType objtype = ObjType::Unknown;  // Body, Site, Joint, Tendon or Flex: what the names refer to
  std::string name1, name2;            // name2 may be empty: the world, or a constant
  bool active = true;
  Reals<kNumRef> solref = kSolref;
  Reals<kNumImp> solimp = kSolimp;
  Reals<kNumEqData> data = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1};
};

/// One element of a tendon's path.
struct Wrap {
  Origin origin;
  WrapType type = WrapType::None;  // Joint, Pulley, Site; Sphere means any wrapping geom until compiled
  std::string target;
  std::string sidesite;
  double prm = 0;  // joint coefficient or pulley divisor
};

struct Tendon : Element {
  bool spatial = true;
  std::vector<Wrap> path;
  int group = 0;
  Tri limited = Tri::Auto;
  Tri actuatorfrclimited = Tri::False;
  Reals<2> range{};
  Reals<2> actuatorfrcrange{};
  double margin = 0;
  Reals<1 + kNumPoly> stiffness{};
  Reals<1 + kNumPoly> damping{};
  double armature = 0;
  double frictionloss = 0;
  Reals<2> springlength = {-1, -1};
  double width = 0.003;
  Reals<kNumRef> solreflimit = kSolref;
  Reals<kNumImp> solimplimit = kSolimp;
  Reals<kNumRef> solreffriction = kSolref;
  Reals<kNumImp> solimpfriction = kSolimp;
  std::string material;
  Floats<4> rgba = {0.5f, 0.5f, 0.5f, 1};
  std::vector<double> user;
};

/// One struct for all actuator elements: a shortcut such as <position> sets these when it is read.
struct Actuator : Element {
  std::string element = "general";  // the element name as written: motor, position, …; for messages
  DynType dyntype = DynType::None;
  GainType gaintype = GainType::Fixed;
  BiasType biastype = BiasType::None;
  Reals<kNumDyn> dynprm = {1};
  Reals<kNumGain> gainprm = {1};
  Reals<kNumBias> biasprm{};
  int actdim = -1;  // -1: as the dynamics need
  TrnType trntype = TrnType::Undefined;
  std::string target;
  std::string slidersite;
  std::string refsite;
  Reals<6> gear = {1};
  double cranklength = 0;
  Tri ctrllimited = Tri::Auto;
  Tri forcelimited = Tri::Auto;
  Tri actlimited = Tri::Auto;
  Reals<2> ctrlrange{};
  Reals<2> forcerange{};
  Reals<2> actrange{};
  Reals<2> lengthrange{};
  Reals<2> velrange{};  // pid: range of the velocity input
  Reals<2> ffrange{};   // pid: range of the feed-forward input
  double inheritrange = 0;
  int input = 0;  // CtrlInput bits or So3Chart; 0: not given
  Reals<1 + kNumPoly> damping{};
  double armature = 0;
  bool actearly = false;
  int group = 0;
  double delay = 0;
  int nsample = 0;
  Interp interp = Interp::Zoh;
  std::vector<double> user;
};

struct Sensor : Element {
  SensorType type = SensorType::Touch;
  DataType datatype = DataType::Real;  // user sensors only; else it follows from the type
  Stage needstage = Stage::Acc;        // user sensors only
  int dim = 0;                         // user sensors only
  ObjType objtype = ObjType::Unknown;
  std::string objname;
  ObjType reftype = ObjType::Unknown;
  std::string refname;
  std::array<int, kNumSensorInt> intprm{};
  double cutoff = 0;
  double noise = 0;
  double delay = 0;
  int nsample = 0;
  Interp interp = Interp::Zoh;
  Reals<2> interval{};
  std::vector<double> user;
};

struct Numeric : Element {
  std::optional<int> size;
  std::vector<double> data;
};

struct Text : Element {
  std::string data;
};

struct Tuple : Element {
  struct Item {
    Origin origin;
    ObjType objtype = ObjType::Unknown;
    std::string objname;
    double prm = 0;
  };
  std::vector<Item> items;
};

/// An array not given in the file is empty and takes the model's reference values; so does a NaN.
struct Key : Element {
  double time = 0;
  std::vector<double> qpos, qvel, act, mpos, mquat, ctrl;
};

enum class TextureBuiltin : int { None, Gradient, Checker, Flat };
enum class TextureMark : int { None, Edge, Cross, Random };

struct Texture : Element {
  TextureType type = TextureType::Cube;
  ColorSpace colorspace = ColorSpace::Auto;
  TextureBuiltin builtin = TextureBuiltin::None;
  TextureMark mark = TextureMark::None;
  Reals<3> rgb1 = {0.8, 0.8, 0.8};
  Reals<3> rgb2 = {0.5, 0.5, 0.5};
  Reals<3> markrgb{};
  double random = 0.01;
  int width = 0;
  int height = 0;
  int nchannel = 3;
  bool hflip = false;
  bool vflip = false;
  std::string content_type;
  std::string file;
  std::array<std::string, 6> cubefiles;  // right, left, up, down, front, back
  std::array<int, 2> gridsize = {1, 1};
  std::string gridlayout = ".............";
};

struct Material : Element {
  std::array<std::string, kNumTexRole> textures;  // by TextureRole
  Floats<2> texrepeat = {1, 1};
  bool texuniform = false;
  float emission = 0;
  float specular = 0.5f;
  float shininess = 0.5f;
  float reflectance = 0;
  float metallic = -1;
  float roughness = -1;
  Floats<4> rgba = {1, 1, 1, 1};
};

enum class MeshInertia : int { Convex, Exact, Legacy, Shell };

struct Mesh : Element {
  MeshInertia inertia = MeshInertia::Legacy;
  int maxhullvert = -1;  // -1: no bound
  Reals<3> scale = {1, 1, 1};
  bool smoothnormal = false;
  std::string content_type;
  std::string file;
  std::string builtin;  // a generated shape, with params
  std::vector<double> params;
  std::vector<float> vertex, normal, texcoord;
  std::vector<int> face;
  Reals<3> refpos{};
  Reals<4> refquat = {1, 0, 0, 0};
  std::string material;
};

struct Hfield : Element {
  std::string content_type;
  std::string file;
  int nrow = 0;
  int ncol = 0;
  Reals<4> size{};  // x, y, top, bottom
  std::vector<float> elevation;
};

/// How the elements of a flex that do not touch are paired for self-collision.
enum class FlexSelf : int { None, Narrow, Bvh, Sap, Auto };
/// The kinds of elasticity of a surface.
enum class FlexElastic2d : int { None, Bend, Stretch, Both };
/// What moves the vertices of a flex: three slides each, one along the radius, a grid of nodes, or slides along x and
/// y.
enum class FlexDof : int { Full, Radial, Trilinear, Quadratic, Plane };

/// A deformable object: vertices fixed in bodies, or interpolated from a grid of nodes that are, and the segments,
/// triangles or tetrahedra between them. It has no joints of its own.
struct Flex : Element {
  int group = 0;
  int dim = 2;
  double radius = 0.005;
  std::string material;
  Floats<4> rgba = {0.5f, 0.5f, 0.5f, 1};
  bool flatskin = false;
  FlexDof dof = FlexDof::Full;
  std::array<int, 3> cellcount = {1, 1, 1};
  std::vector<std::string> body;  // of each vertex, or one for all
  std::vector<std::string> node;  // bodies of the nodes
  std::vector<double> vertex;     // in their bodies; empty: at the origins
  std::vector<double> nodecoord;
  std::vector<int> element;
  std::vector<float> texcoord;
  std::vector<int> elemtexcoord;

  struct Contact {
    int contype = 1;
    int conaffinity = 1;
    int condim = 3;
    int priority = 0;
    Reals<3> friction = {1, 0.005, 0.0001};
    double solmix = 1;
    Reals<kNumRef> solref = kSolref;
    Reals<kNumImp> solimp = kSolimp;
    double margin = 0;
    double gap = 0;
    bool internal = false;
    FlexSelf selfcollide = FlexSelf::Auto;
    int activelayers = 1;
    bool passive = false;
  } contact;
  struct Edge {
    double stiffness = 0;
    double damping = 0;
  } edge;
  struct Elasticity {
    double young = 0;
    double poisson = 0;
    double damping = 0;
    double thickness = -1;
    FlexElastic2d elastic2d = FlexElastic2d::None;
  } elasticity;

  /// Order of the interpolation from nodes; 0: none.
  int order() const { return dof == FlexDof::Trilinear ? 1 : dof == FlexDof::Quadratic ? 2 : 0; }
};

/// A default class: initial values for elements of each kind.
struct DefaultClass {
  std::string name = "main";
  int parent = -1;  // index into Spec::classes; -1: the root
  Origin origin;
  Joint joint;
  Geom geom;
  Site site;
  Camera camera;
  Light light;
  Pair pair;
  Equality equality;
  Tendon tendon;
  Actuator actuator;
  Mesh mesh;
  Material material;
};

struct Compiler {
  bool degree = true;  // angles are written in degrees
  bool autolimits = true;
  bool balanceinertia = false;
  bool fusestatic = false;
  bool discardvisual = false;
  bool alignfree = false;
  bool saveinertial = false;
  bool strippath = false;
  bool fitaabb = false;
  bool usethread = true;
  std::string eulerseq = "xyz";
  double boundmass = 0;
  double boundinertia = 0;
  double settotalmass = -1;
  Tri inertiafromgeom = Tri::Auto;
  std::array<int, 2> inertiagrouprange = {0, 5};
  std::string meshdir;
  std::string texturedir;
  std::string assetdir;
  enum class Conflict : std::uint8_t { Warning, Merge, Error } conflict = Conflict::Warning;
  LengthRangeOptions lengthrange;
  Origin lengthrange_origin;  // of the element that sets it
};

/// <size>: -1: the compiler decides.
struct Sizes {
  std::int64_t memory = -1;  // bytes; accepted for compatibility, memory grows as needed
  std::int64_t njmax = -1;   // legacy, accepted and ignored
  std::int64_t nconmax = -1;
  std::int64_t nstack = -1;
  int nuserdata = 0;
  int nkey = 0;
  int nuser_body = -1;
  int nuser_jnt = -1;
  int nuser_geom = -1;
  int nuser_site = -1;
  int nuser_cam = -1;
  int nuser_tendon = -1;
  int nuser_actuator = -1;
  int nuser_sensor = -1;
};

struct StatisticOverride {
  std::optional<double> meaninertia, meanmass, meansize, extent;
  std::optional<Reals<3>> center;
};

}  // namespace sinew::spec

namespace sinew {

/// A whole model before compilation.
class Spec {
 public:
  Spec();

  std::string modelname = "MuJoCo Model";
  std::string directory;  // where relative asset paths start; empty: the working directory

  /// Files that the elements came from; [0] is the main one. included_from is the line of the include.
  struct File {
    std::string path;
    int parent = -1;
    int included_from = 0;
    int model = 0;  // 0: part of this model; i: of attached[i - 1]
  };
  std::vector<File> files;

  /// Attached models: their parts are compiled with the settings that they were written for.
  struct Attached {
    spec::Compiler compiler;
    std::string directory;
  };
  std::vector<Attached> attached;

  /// The settings of the model that an element comes from.
  const spec::Compiler& compiler_of(const spec::Origin& origin) const {
    const int model = model_of(origin);
    return model > 0 ? attached[static_cast<std::size_t>(model) - 1].compiler : compiler;
  }
  /// Where relative asset paths of an element start.
  const std::string& directory_of(const spec::Origin& origin) const {
    const int model = model_of(origin);
    return model > 0 ? attached[static_cast<std::size_t>(model) - 1].directory : directory;
  }

  spec::Compiler compiler;
  Option option;
  spec::Sizes size;
  Visual visual;
  spec::StatisticOverride statistic;
  spec::List<spec::DefaultClass> classes;  // [0] is main; a class comes after its parent

  spec::List<spec::Mesh> meshes;
  spec::List<spec::Hfield> hfields;
  spec::List<spec::Texture> textures;
  spec::List<spec::Material> materials;
  spec::Body world;
  spec::List<spec::Pair> pairs;
  spec::List<spec::Exclude> excludes;
  spec::List<spec::Flex> flexes;
  spec::List<spec::Equality> equalities;
  spec::List<spec::Tendon> tendons;
  spec::List<spec::Actuator> actuators;
  spec::List<spec::Sensor> sensors;
  spec::List<spec::Numeric> numerics;
  spec::List<spec::Text> texts;
  spec::List<spec::Tuple> tuples;
  spec::List<spec::Key> keys;

 private:
  int model_of(const spec::Origin& origin) const {
    const bool known = origin.file >= 0 && static_cast<std::size_t>(origin.file) < files.size();
    const int model = known ? files[static_cast<std::size_t>(origin.file)].model : 0;
    return static_cast<std::size_t>(model) <= attached.size() ? model : 0;
  }
};

}  // namespace sinew
