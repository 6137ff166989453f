#include "compile/meshes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>

#include "base/limits.h"
#include "base/pool.h"
#include "compile/asset_files.h"
#include "compile/copy.h"
#include "geometry/hull.h"
#include "geometry/marching_cubes.h"
#include "geometry/mesh_builtin.h"
#include "geometry/mesh_file.h"
#include "geometry/shape_table.h"
#include "spec/references.h"

namespace sinew::compiling {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

/// What the model's geoms need from each mesh: a hull for collisions, a distance field for an sdf.
struct MeshUse {
  bool hull = false;
  bool octree = false;
};

std::unordered_map<std::string_view, MeshUse> mesh_uses(const Spec& spec) {
  std::set<std::string_view> paired;
  for (const spec::Pair& pair : spec.pairs) paired.insert({pair.geom1, pair.geom2});
  std::unordered_map<std::string_view, MeshUse> uses;
  const auto collect = [&](const spec::Body& body) {
    for (const spec::Geom& geom : body.geoms) {
      if (geom.mesh.empty() || !is_mesh(geom.type)) continue;
      MeshUse& use = uses[geom.mesh];
      use.hull |= geom.contype != 0 || geom.conaffinity != 0 || (!geom.name.empty() && paired.contains(geom.name));
      use.octree |= geom.type == GeomType::Sdf && !geom.plugin;
    }
  };
  collect(spec.world);
  mjcf::for_each_below(spec.world, [&](ObjType, const auto& element) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(element)>, spec::Body>) collect(element);
  });
  return uses;
}

/// The raw mesh: generated, read, or given in the model; the model may add data missing in the file.
Result<MeshSource> mesh_source(const spec::Mesh& in, MeshSource from_file) {
  MeshSource source = std::move(from_file);
  if (!in.builtin.empty()) {
    Result<MeshSource> made = make_builtin_mesh(in.builtin, in.params);
    if (!made) return made;
    source = std::move(*made);
  }
  const auto add = [&](auto& to, const auto& from, const char* name) -> Result<bool> {
    if (from.empty()) return true;
    if (!to.empty()) return Error::message(std::string(name) + " is given, but the file also contains it");
    to = from;
    return true;
  };
  for (const Result<bool>& added : {add(source.vertex, in.vertex, "vertex"), add(source.normal, in.normal, "normal"),
                                    add(source.texcoord, in.texcoord, "texcoord"), add(source.face, in.face, "face")})
    if (!added) return added.error();
  return source;
}

MeshSettings mesh_settings(const spec::Mesh& in, const MeshUse& use) {
  MeshSettings settings;
  settings.keeps_frame = in.plugin.has_value();
  settings.inertia = in.builtin == "plate" ? spec::MeshInertia::Shell : in.inertia;
  settings.scale = in.scale;
  settings.refpos = in.refpos;
  settings.refquat = in.refquat;
  settings.smoothnormal = in.smoothnormal;
  settings.maxhullvert = in.maxhullvert;
  settings.needs_hull = use.hull;
  return settings;
}

/// The surface of a plugin's distance field.
Result<MeshSource> plugin_surface(const Context& context, const spec::Mesh& in) {
  const int instance = context.plugin_of(in.plugin);
  const SignedDistance* shape =
      instance < 0 ? nullptr : context.plugins[static_cast<std::size_t>(instance)].shape.get();
  if (!shape) return Error::message("the plugin has no signed distance field");
  if (!in.file.empty() || !in.builtin.empty() || !in.vertex.empty())
    return Error::message("a mesh is either the surface of a plugin or has its own");
  if (in.scale != spec::Reals<3>{1, 1, 1}) {
    Problem problem;
    problem.attribute = "scale";
    problem.message = "the surface of a plugin cannot be scaled";
    return Error(std::move(problem));
  }
  const SignedDistance::Box box = shape->box();
  for (std::size_t k = 0; k < 3; ++k)
    if (!(std::isfinite(box.center[k]) && box.half[k] > 0 && box.half[k] <= limits::kCoordinate))
      return Error::message("the box of the plugin's field must be finite and not empty");
  MeshSource source = triangulate(*shape);
  if (source.face.empty()) return Error::message("the plugin's field has no surface inside its box");
  return source;
}

/// Meshes made from one file, which is read and parsed once; or a single mesh without a file.
struct MeshJob {
  std::string path;  // empty: no file
  std::vector<std::size_t> meshes;
};

std::vector<MeshJob> mesh_jobs(const Context& context) {
  const auto& meshes = context.spec.meshes;
  std::vector<MeshJob> jobs;
  std::map<std::pair<std::string, MeshFormat>, std::size_t> of_file;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const spec::Mesh& in = meshes[i];
    if (in.file.empty() || !in.builtin.empty() || in.plugin) {
      jobs.push_back({"", {i}});
      continue;
    }
    const std::string path = asset_path(context.spec, context.files, {AssetKind::Mesh, in.file, in.origin});
    const auto [at, is_new] = of_file.try_emplace({path, mesh_format(in.file, in.content_type)}, jobs.size());
    if (is_new) jobs.push_back({path, {}});
    jobs[at->second].meshes.push_back(i);
  }
  return jobs;
}

/// The error a job finds in a mesh; the message is empty if there is none.
using MeshProblems = std::vector<Problem>;

Result<MeshSource> read_job(Context& context, const MeshJob& job) {
  const spec::Mesh& in = context.spec.meshes[job.meshes[0]];
  if (job.path.empty()) return MeshSource();
  const Result<std::string> content = context.files.read(job.path, context.budget);
  if (!content) return content.error();
  Result<MeshSource> source = read_mesh(bytes_of(*content), mesh_format(in.file, in.content_type), context.budget);
  if (!source) return Error::message("'" + in.file + "': " + source.error().first().message);
  return source;
}

/// Bytes of a mesh made from the source: vertices in double precision, normals, hull, and the model's copy.
double mesh_bytes(const MeshSource& source) {
  constexpr double kPerVertex = 250, kPerFace = 500;  // measured: a sphere of points with its hull, a closed surface
  return kPerVertex * static_cast<double>(source.vertex.size() / 3) +
         kPerFace * static_cast<double>(source.face.size() / 3);
}

double octree_bytes(const Octree& octree) {
  constexpr double kPerNode = sizeof(octree.child[0]) + sizeof(octree.box[0]) + sizeof(octree.value[0]) + sizeof(int);
  return 2 * kPerNode * static_cast<double>(octree.depth.size());
}

Result<bool> make_mesh(Context& context, std::size_t i, MeshSource source, const MeshUse& use, int threads) {
  const spec::Mesh& in = context.spec.meshes[i];
  const auto refuse = [&](double bytes) {
    Problem problem;
    problem.message = context.budget.refusal(bytes);
    problem.hint = Budget::kHint;
    return Error(std::move(problem));
  };
  if (const double bytes = mesh_bytes(source); !context.budget.take(bytes)) return refuse(bytes);
  const std::size_t hull_vertices =
      std::min(source.vertex.size() / 3, static_cast<std::size_t>(std::max(in.maxhullvert, 0)));
  if (hull_vertices > limits::kBoundedHullVertices) {
    Problem problem;
    problem.attribute = "maxhullvert";
    problem.message = "allows " + std::to_string(hull_vertices) + " hull vertices, but at most " +
                      std::to_string(limits::kBoundedHullVertices) + " are supported with this attribute";
    problem.hint = "without it the hull may use all vertices";
    return Error(std::move(problem));
  }
  if (use.octree && source.face.size() / 3 > limits::kOctreeTriangles)
    return Error::message("has " + std::to_string(source.face.size() / 3) +
                          " triangles, but a signed distance field supports at most " +
                          std::to_string(limits::kOctreeTriangles));
  MeshSettings settings = mesh_settings(in, use);
  settings.threads = threads;
  Result<CompiledMesh> mesh = compile_mesh(std::move(source), settings);
  if (!mesh) return mesh.error();
  MeshNode& node = context.meshes[i];
  if (use.octree) {
    node.octree = build_octree(*mesh, &context.budget);
    const std::size_t nodes = node.octree.depth.size();
    if (context.octree_nodes.fetch_add(nodes) + nodes > limits::kOctreeNodes)
      return Error::message("the signed distance fields have more than " + std::to_string(limits::kOctreeNodes) +
                            " nodes in total");
    if (const double bytes = octree_bytes(node.octree); !context.budget.take(bytes)) return refuse(bytes);
  }
  node.mesh = std::move(*mesh);
  return true;
}

void run_job(Context& context, const MeshJob& job, const std::unordered_map<std::string_view, MeshUse>& uses,
             MeshProblems& wrong, int threads) {
  try {
    context.budget.go_on();
    Result<MeshSource> shared = read_job(context, job);
    if (!shared) {
      wrong[job.meshes[0]] = shared.error().first();
      return;
    }
    for (const std::size_t i : job.meshes) {
      const spec::Mesh& in = context.spec.meshes[i];
      const auto found = uses.find(in.name);
      const MeshUse use = found == uses.end() ? MeshUse{} : found->second;
      const bool last = i == job.meshes.back();
      Result<MeshSource> source =
          in.plugin ? plugin_surface(context, in) : mesh_source(in, last ? std::move(*shared) : *shared);
      const Result<bool> made =
          source ? make_mesh(context, i, std::move(*source), use, threads) : Result<bool>(source.error());
      if (made) continue;
      wrong[i] = made.error().first();
      if (!in.file.empty()) wrong[i].message = "'" + in.file + "': " + wrong[i].message;
    }
  } catch (const Interrupted&) {
    // the other jobs see it too, as does compile_meshes at the end
  } catch (const std::bad_alloc&) {
    wrong[job.meshes[0]] = out_of_memory().first();
  } catch (const std::exception& e) {
    wrong[job.meshes[0]].message = std::string("the plugin failed: ") + e.what();
  }
}

}  // namespace

void compile_meshes(Context& context) {
  const auto& meshes = context.spec.meshes;
  context.meshes.resize(meshes.size());
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    context.mesh_ids.emplace(meshes[i].name, static_cast<int>(i));
    context.meshes[i].in = &meshes[i];
    if (const int most = meshes[i].maxhullvert; most >= 0 && most < kFewestHullVertices)
      context.report.error(place("mesh", meshes[i]), "maxhullvert",
                           fmt::format("is {}, must be -1 or at least {}", most, kFewestHullVertices));
  }
  if (context.report.failed()) return;
  for (const spec::Mesh& in : meshes) {
    context.builtin_vertices += in.builtin.empty() ? 0 : builtin_vertices(in.builtin, in.params);
    if (context.builtin_vertices <= limits::kBuiltinVertices) continue;
    context.report.error(place("mesh", in), "params",
                         "the builtin meshes up to this one have " + std::to_string(context.builtin_vertices) +
                             " vertices, at most " + std::to_string(limits::kBuiltinVertices) + " are allowed");
    return;
  }
  const auto uses = mesh_uses(context.spec);
  const std::vector<MeshJob> jobs = mesh_jobs(context);
  MeshProblems wrong(meshes.size());
  const int threads = std::ssize(jobs) < context.workers ? 2 : 1;  // otherwise some would be idle
  for_each_index(static_cast<int>(jobs.size()), context.workers,
                 [&](int, int i) { run_job(context, jobs[static_cast<std::size_t>(i)], uses, wrong, threads); });
  context.budget.go_on();
  for (std::size_t i = 0; i < meshes.size(); ++i)
    if (!wrong[i].message.empty())
      context.report.error(place("mesh", meshes[i]),
                           !wrong[i].attribute.empty() ? wrong[i].attribute
                           : meshes[i].file.empty()    ? ""
                                                       : "file",
                           wrong[i].message, wrong[i].hint);
}

void compile_hfields(Context& context) {
  for (const spec::Hfield& in : context.spec.hfields) {
    const Place where = place("hfield", in);
    context.hfield_ids.emplace(in.name, static_cast<int>(context.hfields.size()));
    HeightGrid& grid = context.hfields.emplace_back();
    Result<HeightGrid> made = Error::message("");
    if (in.file.empty()) {
      made = make_height_grid(in.nrow, in.ncol, in.elevation, context.budget);
    } else if (in.nrow || in.ncol || !in.elevation.empty()) {
      context.report.error(where, "file", "is given together with nrow, ncol or elevation");
      continue;
    } else {
      const std::string* content = read_asset(context, AssetKind::Mesh, where, in.file);
      if (!content) continue;
      made = read_height_file(bytes_of(*content), in.file, in.content_type, context.budget);
    }
    if (made) {
      grid = std::move(*made);
    } else {
      const auto& [why, hint] = std::tie(made.error().first().message, made.error().first().hint);
      context.report.error(where, in.file.empty() ? "nrow" : "file",
                           in.file.empty() ? why : "'" + in.file + "': " + why, hint);
    }
  }
}

void add_mesh_sizes(const Context& context, Model& m) {
  const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  m.nmesh = count(context.meshes);
  for (const MeshNode& node : context.meshes) {
    const CompiledMesh& mesh = node.mesh;
    m.nmeshvert += count(mesh.vertex) / 3;
    m.nmeshnormal += count(mesh.normal) / 3;
    m.nmeshtexcoord += count(mesh.texcoord) / 2;
    m.nmeshface += count(mesh.face) / 3;
    m.nmeshgraph += count(mesh.graph);
    m.nmeshpoly += count(mesh.polygons.start);
    m.nmeshpolyvert += count(mesh.polygons.vertex);
    m.nmeshpolymap += count(mesh.polygons.map);
    m.noct += count(node.octree.depth);
    for (const int n : mesh.polygons.count) m.npolygonmax = std::max<std::int64_t>(m.npolygonmax, n);
    const std::vector<int>& start = mesh.polygons.map_start;
    for (std::size_t v = 0; v + 1 < start.size(); ++v)
      m.nmeshdegmax = std::max<std::int64_t>(m.nmeshdegmax, start[v + 1] - start[v]);
  }
  m.nhfield = count(context.hfields);
  for (const HeightGrid& grid : context.hfields) m.nhfielddata += count(grid.elevation);
}

namespace {

/// Start of the next mesh's entries in each array.
struct MeshCursor {
  int vert = 0, normal = 0, texcoord = 0, face = 0, graph = 0, poly = 0, polyvert = 0, polymap = 0, oct = 0;
};

template <class T, bool Counted, class Values>
int append(Field<T, Counted>& field, int at, int width, const Values& values) {
  std::copy(values.begin(), values.end(), field.edit().begin() + static_cast<std::ptrdiff_t>(at) * width);
  return at + static_cast<int>(values.size()) / width;
}

void copy_surface(Model& m, const CompiledMesh& mesh, int i, MeshCursor& at) {
  m.mesh_vertadr[i] = at.vert;
  m.mesh_vertnum[i] = static_cast<int>(mesh.vertex.size() / 3);
  m.mesh_normaladr[i] = at.normal;
  m.mesh_normalnum[i] = static_cast<int>(mesh.normal.size() / 3);
  m.mesh_texcoordadr[i] = mesh.texcoord.empty() ? -1 : at.texcoord;
  m.mesh_texcoordnum[i] = static_cast<int>(mesh.texcoord.size() / 2);
  m.mesh_faceadr[i] = at.face;
  m.mesh_facenum[i] = static_cast<int>(mesh.face.size() / 3);
  append(m.mesh_facenormal, at.face, 3, mesh.face_normal.empty() ? mesh.face : mesh.face_normal);
  if (!mesh.texcoord.empty())
    append(m.mesh_facetexcoord, at.face, 3, mesh.face_texcoord.empty() ? mesh.face : mesh.face_texcoord);
  at.vert = append(m.mesh_vert, at.vert, 3, mesh.vertex);
  at.normal = append(m.mesh_normal, at.normal, 3, mesh.normal);
  at.texcoord = append(m.mesh_texcoord, at.texcoord, 2, mesh.texcoord);
  at.face = append(m.mesh_face, at.face, 3, mesh.face);
}

void copy_hull(Model& m, const CompiledMesh& mesh, int i, MeshCursor& at) {
  const int first_vert = m.mesh_vertadr[i];
  m.mesh_graphadr[i] = mesh.graph.empty() ? -1 : at.graph;
  at.graph = append(m.mesh_graph, at.graph, 1, mesh.graph);
  if (mesh.extrema.empty()) {
    std::ranges::fill(m.mesh_extrema.edit().subspan(27 * i, 27), -1);
  } else {
    put(m.mesh_extrema, i, mesh.extrema);
  }
  m.mesh_polynum[i] = static_cast<int>(mesh.polygons.start.size());
  m.mesh_polyadr[i] = at.poly;
  append(m.mesh_polynormal, at.poly, 3, mesh.polygon_normal);
  for (std::size_t p = 0; p < mesh.polygons.start.size(); ++p) {
    m.mesh_polyvertadr[at.poly] = at.polyvert + mesh.polygons.start[p];
    m.mesh_polyvertnum[at.poly] = mesh.polygons.count[p];
    ++at.poly;
  }
  at.polyvert = append(m.mesh_polyvert, at.polyvert, 1, mesh.polygons.vertex);
  const std::vector<int>& start = mesh.polygons.map_start;
  for (std::size_t v = 0; v + 1 < start.size(); ++v) {
    m.mesh_polymapadr[first_vert + v] = at.polymap + start[v];
    m.mesh_polymapnum[first_vert + v] = start[v + 1] - start[v];
  }
  at.polymap = append(m.mesh_polymap, at.polymap, 1, mesh.polygons.map);
}

void copy_octree(Model& m, const Octree& tree, int i, MeshCursor& at) {
  m.mesh_octadr[i] = tree.depth.empty() ? -1 : at.oct;
  m.mesh_octnum[i] = static_cast<int>(tree.depth.size());
  for (std::size_t n = 0; n < tree.depth.size(); ++n, ++at.oct) {
    m.oct_depth[at.oct] = tree.depth[n];
    put(m.oct_child, at.oct, tree.child[n]);
    put(m.oct_aabb, at.oct, tree.box[n]);
    put(m.oct_coeff, at.oct, tree.value[n]);
  }
}

}  // namespace

void copy_meshes(Context& context, Model& m) {
  MeshCursor at;
  for (int i = 0; i < m.nmesh; ++i) {
    CompiledMesh& mesh = context.meshes[i].mesh;
    copy_surface(m, mesh, i, at);
    copy_hull(m, mesh, i, at);
    copy_octree(m, context.meshes[i].octree, i, at);
    put(m.mesh_scale, i, context.meshes[i].in->scale);
    mesh.pos.store(&m.mesh_pos[3 * i]);
    mesh.quat.store(&m.mesh_quat[4 * i]);

    // the triangle tree needs the vertices in double precision; the model has float32 only
    mesh.face = {};
    mesh.normal = mesh.texcoord = {};
    mesh.face_normal = mesh.face_texcoord = mesh.graph = {};
    mesh.polygon_normal = {};
    mesh.polygons = {};
    context.meshes[i].octree = {};
  }
}

void copy_hfields(const Context& context, Model& m) {
  int at = 0;
  for (int i = 0; i < m.nhfield; ++i) {
    const HeightGrid& grid = context.hfields[i];
    put(m.hfield_size, i, context.spec.hfields[i].size);
    m.hfield_nrow[i] = grid.nrow;
    m.hfield_ncol[i] = grid.ncol;
    m.hfield_adr[i] = at;
    at = append(m.hfield_data, at, 1, grid.elevation);
  }
}

}  // namespace sinew::compiling
