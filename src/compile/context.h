#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "base/budget.h"
#include "base/files.h"
#include "compile/names.h"
#include "compile/report.h"
#include "compile/tree.h"
#include "geometry/bvh.h"
#include "geometry/flex_topology.h"
#include "geometry/hfield.h"
#include "geometry/octree.h"
#include "sinew/load.h"
#include "sinew/model.h"
#include "sinew/plugin.h"
#include "sinew/spec.h"

namespace sinew::compiling {

/// One element of a tendon's path with its target resolved.
struct WrapNode {
  WrapType type = WrapType::None;
  int objid = -1;
  double prm = 0;
};

struct TendonNode {
  std::vector<WrapNode> path;
  bool limited = false;
  bool actfrclimited = false;
};

struct ActuatorNode {
  TrnType trntype = TrnType::Undefined;
  std::array<int, 2> trnid = {-1, -1};
  int ctrlnum = 1;
  int outnum = 1;
  int actnum = 0;
  int ctrlspec = 0;
  bool ctrllimited = false;
  bool forcelimited = false;
  bool actlimited = false;
  std::array<double, 2> ctrlrange{};
  std::array<double, 2> actrange{};
};

struct SensorNode {
  int objid = -1;
  int refid = -1;
  int dim = 0;
  Stage stage = Stage::None;
  DataType datatype = DataType::Real;
};

struct PairNode {
  const spec::Pair* in = nullptr;
  std::array<int, 2> geom = {-1, -1};
  int signature = 0;
};

struct ExcludeNode {
  const spec::Exclude* in = nullptr;
  int signature = 0;
};

struct EqualityNode {
  std::array<int, 2> obj = {-1, -1};
};

/// A flex with its names resolved, its elements connected and its constants computed.
struct FlexNode {
  int vertices = 0;
  std::vector<int> vertbody, nodebody;
  std::vector<int> element;
  std::vector<Vec> x;  // vertices at qpos0, in the world
  std::vector<Vec> vert0, node0;
  Vec size;
  FlexTopology topology;
  Bvh tree;
  std::vector<double> stiffness, bending;
  int edgeequality = 0;
  bool rigid = false;
  bool centered = false;
  bool has_flaps = false;
  std::vector<bool> empty;  // cells of the grid of nodes
};

struct TupleItemNode {
  int objid = -1;
};

/// Pixels of a texture, row by row from the top.
struct TextureNode {
  int width = 0;
  int height = 0;
  int nchannel = 0;
  ColorSpace colorspace = ColorSpace::Auto;
  std::vector<std::uint8_t> data;
};

/// One instance of a plugin: named in <extension>, or an element's own.
struct PluginNode {
  Place where;
  std::string name;
  std::shared_ptr<const Plugin> plugin;
  int slot = -1;
  std::vector<std::string> values;  // of all its attributes
  int states = 0, sensor_values = 0;
  std::shared_ptr<const SignedDistance> shape;
};

struct SkinNode {
  spec::Skin skin;        // with the content of its file, weights normalized
  std::vector<int> body;  // of each bone
  int material = -1;
};

struct MeshNode {
  const spec::Mesh* in = nullptr;
  CompiledMesh mesh;
  Octree octree;  // empty unless an sdf geom uses the mesh
};

/// State of one compilation: its input, intermediate results and output.
class Context {
 public:
  Context(const Spec& spec_in, const LoadOptions& options, Problems& problems)
      : spec(spec_in),
        files(options.files, options.only_files),
        report(spec_in, problems),
        budget(options.memory_limit, options.interrupt),
        registry(options.plugins ? *options.plugins : PluginRegistry()) {}

  const Spec& spec;
  Files files;
  Report report;
  Budget budget;
  const PluginRegistry registry;
  std::vector<PluginNode> plugins;
  std::unordered_map<const spec::PluginUse*, int> plugin_ids;  // of the elements
  CompileTimes times;
  Tree tree;
  NameIndex names;

  // meshes and height fields in the order of the spec; looked up by name before the tree has names
  std::vector<MeshNode> meshes;
  std::vector<HeightGrid> hfields;
  std::unordered_map<std::string_view, int> mesh_ids, hfield_ids;

  // start of each body's joints … in the model, and the nodes by id
  std::vector<const JointNode*> joints;
  std::vector<const GeomNode*> geoms;
  std::vector<const SiteNode*> sites;
  std::vector<const CameraNode*> cameras;
  std::vector<const LightNode*> lights;
  std::vector<const BodyNode*> geom_body;
  std::vector<const BodyNode*> site_body;
  std::vector<const BodyNode*> joint_body;

  // in the order of the spec, except pairs and excludes, which are sorted by signature
  std::vector<TextureNode> textures;
  std::vector<SkinNode> skins;
  std::vector<PairNode> pairs;
  std::vector<ExcludeNode> excludes;
  std::vector<FlexNode> flexes;
  std::vector<EqualityNode> equalities;
  std::vector<TendonNode> tendons;
  std::vector<ActuatorNode> actuators;
  std::vector<SensorNode> sensors;
  std::vector<TupleItemNode> tuple_items;

  /// Totals of generated content, whose size is not bounded by that of the file; meshes are built on several threads.
  std::atomic<std::size_t> builtin_vertices = 0, octree_nodes = 0;
  std::int64_t builtin_pixels = 0;

  /// Contents of files shared by textures or height fields; meshes are read in parallel and share theirs separately.
  std::unordered_map<std::string, std::string> asset_contents;

  Model model;

  /// Accounts for bytes about to be allocated for an element: if they do not fit, reports an error and returns false.
  bool take(const Place& where, std::string_view attribute, double bytes);
  /// Lists the nodes of the tree by id.
  void list_nodes();
  /// Number of threads for compiling meshes; the result does not depend on it. The system query is slow.
  const int workers = spec.compiler.usethread && !spec.meshes.empty()
                          ? std::max(1, static_cast<int>(std::thread::hardware_concurrency()))
                          : 1;
  /// Instance of the plugin that an element uses, -1: none.
  int plugin_of(const std::optional<spec::PluginUse>& use) const {
    const auto found = use ? plugin_ids.find(&*use) : plugin_ids.end();
    return found == plugin_ids.end() ? -1 : found->second;
  }
  /// Shorthand for compiling::resolve.
  int resolve(const Place& where, std::string_view attribute, ObjType type, std::string_view name) {
    return compiling::resolve(names, report, where, attribute, {type, name});
  }
};

/// An attribute pair such as limited and range.
struct Limit {
  std::string_view flag_name;
  std::string_view range_name;
  spec::Tri flag;
  std::array<double, 2> range;
};

/// Whether the range is active: as set by the flag or, if that is auto, if range[0] < range[1]. Without autolimits a
/// range whose flag is auto is reported.
bool is_limited(Context& context, const Place& where, const Limit& limit);
/// The same; reports an active range that is empty.
bool is_limited_and_valid(Context& context, const Place& where, const Limit& limit);

/// Reports user data longer than the model's size for it.
void check_user(Context& context, const Place& where, const std::vector<double>& user,
                std::pair<int, const char*> size);

/// Reports a delay without a history, and a history that is too long.
void check_history(Context& context, const Place& where, double delay, int nsample);

}  // namespace sinew::compiling
