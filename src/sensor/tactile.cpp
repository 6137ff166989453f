#include <algorithm>
#include <cmath>

#include "base/arena.h"
#include "geometry/shape_table.h"
#include "sensor/frames.h"
#include "sensor/table.h"

// A skin of taxels: the vertices of a mesh, fixed to a geom. Each measures its depth in the geoms that touch the
// sensor's body, and its slip velocity along them.

namespace sinew {
namespace {

using Vec = Vec3<double>;

/// Geoms that touch the weld group of the sensor's body, each once, in the order of the contacts.
int touching_geoms(const Model& m, const Data& d, int weld, int* geoms) {
  int n = 0;
  for (int c = 0; c < d.ncon; ++c)
    for (int side = 0; side < 2; ++side) {
      const int own = d.contact[c].geom[side], other = d.contact[c].geom[1 - side];
      if (own < 0 || other < 0 || m.body_weldid[m.geom_bodyid[own]] != weld) continue;
      if (std::find(geoms, geoms + n, other) == geoms + n) geoms[n++] = other;
    }
  return n;
}

/// The distance field of a geom; false if it has none (a mesh without an octree, a height field).
bool field_of(const Model& m, int geom, DistanceField& field) {
  field.type = static_cast<GeomType>(m.geom_type[geom]);
  field.size = Vec::load(&m.geom_size[3 * geom]);
  const GeomAsset asset = shape_kind(field.type).asset;
  if (asset == GeomAsset::None) return true;
  if (asset == GeomAsset::Hfield) return false;
  field.type = GeomType::Sdf;
  field.model = &m;
  field.mesh = m.geom_dataid[geom];
  field.shape = plugin_shape(m, geom);
  return field.shape || m.mesh_octadr[field.mesh] >= 0;
}

}  // namespace

void sense_tactile(const Model& m, Data& d, int i, double* out) {
  const int mesh = m.sensor_objid[i], geom = m.sensor_refid[i];
  const int vertices = m.mesh_vertnum[mesh], weld = m.body_weldid[m.geom_bodyid[geom]];
  std::fill_n(out, m.sensor_dim[i], 0.0);

  Scratch scratch(d.scratch());
  int* partners = scratch.take<int>(static_cast<std::size_t>(m.ngeom));
  const int count = touching_geoms(m, d, weld, partners);
  if (count == 0) return;

  const FramePose<double> skin = frame_pose<double>(m, d, ObjType::Geom, geom);
  // three normals per vertex are a frame: the second and third are the directions of slip
  const bool has_tangents = m.mesh_normalnum[mesh] == 3 * vertices;
  const Quat<double> mesh_quat = Quat<double>::load(&m.mesh_quat[4 * mesh]);
  const FramePose<double> body = frame_pose<double>(m, d, ObjType::XBody, weld);
  const Motion<double> own = object_velocity<double>(m, d, body, false);

  for (int p = 0; p < count; ++p) {
    DistanceField field;
    if (!field_of(m, partners[p], field)) continue;
    const FramePose<double> other = frame_pose<double>(m, d, ObjType::Geom, partners[p]);
    const Vec other_velocity = object_velocity<double>(m, d, other, false).v;
    for (int v = 0; v < vertices; ++v) {
      const Vec x = skin.pos + skin.mat * Vec::load(&m.mesh_vert[3 * (m.mesh_vertadr[mesh] + v)]);
      const double distance = field.value(mul_transposed(other.mat, x - other.pos));
      if (!(distance < 0)) continue;
      out[v] = std::max(out[v], -distance);
      if (!has_tangents) continue;
      const Vec slip = move_motion(own, body.pos, x).v - other_velocity;
      for (int k = 1; k < 3; ++k) {
        const Vec tangent = rotate(mesh_quat, Vec::load(&m.mesh_normal[3 * (m.mesh_normaladr[mesh] + 3 * v + k)]));
        out[k * vertices + v] += std::abs(dot(slip, tangent));
      }
    }
  }
}

}  // namespace sinew
