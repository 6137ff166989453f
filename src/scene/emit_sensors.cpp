#include <algorithm>
#include <cmath>

#include "scene/emitter.h"
#include "sensor/beam.h"
#include "sensor/frames.h"

// Sensors with a shape: rangefinders, distances between geoms, tactile skins.

namespace sinew::scene {
namespace {

/// What the sensor wrote for one ray; null: not asked for.
struct Reading {
  const double *dist, *point, *normal;
};

Reading next_reading(int fields, const double*& data) {
  Reading r = {};
  const auto take = [&](RangeField field, int count) -> const double* {
    if (!(fields & (1 << field))) return nullptr;
    data += count;
    return data - count;
  };
  r.dist = take(Dist, 1);
  take(Dir, 3);
  take(Origin, 3);
  r.point = take(Point, 3);
  r.normal = take(Normal, 3);
  take(Depth, 1);
  return r;
}

void emit_ray(Emitter& e, int sensor, const Beam& beam, const Reading& r, double dot_size) {
  const Float4& rgba = e.m.vis.rgba.rangefinder;
  const bool hit = r.dist && *r.dist >= 0;
  const bool has_point = r.point && norm(Vec::load(r.point)) > 0;
  const Vec end = has_point ? Vec::load(r.point) : beam.origin + beam.direction * (hit ? *r.dist : 0);
  if (hit) e.line(ObjType::Sensor, sensor, beam.origin, beam.origin + beam.direction * *r.dist, rgba);
  if (has_point) {
    e.begin(ObjType::Sensor, sensor, kSceneDecor);
    e.shape(static_cast<int>(GeomType::Sphere), {dot_size, 0, 0}, end, Matrix::identity(), rgba);
    e.finish();
  }
  if (r.normal && (hit || has_point)) {
    e.begin(ObjType::Sensor, sensor, kSceneDecor);
    e.connector(kSceneArrow1, e.m.vis.scale.framewidth * e.scl, end,
                end + Vec::load(r.normal) * (2 * e.m.vis.scale.framelength * e.scl));
    e.color(rgba);
    e.finish();
  }
}

void emit_rangefinder(Emitter& e, int i) {
  const Model& m = e.m;
  const double* data = &e.d.sensordata[static_cast<std::size_t>(m.sensor_adr[i])];
  const int fields = m.sensor_intprm[3 * i], id = m.sensor_objid[i];
  const double width = m.vis.scale.framewidth * e.scl;
  const FramePose<double> eye = object_frame(m, e.d, i);
  if (m.sensor_objtype[i] == static_cast<int>(ObjType::Site)) {
    emit_ray(e, i, {eye.pos, eye.mat.column(2), nullptr}, next_reading(fields, data), 1.5 * width);
    return;
  }
  for (int row = 0; row < m.cam_resolution[2 * id + 1]; ++row)
    for (int column = 0; column < m.cam_resolution[2 * id]; ++column)
      emit_ray(e, i, pixel_beam(m, id, eye, row, column), next_reading(fields, data), 1.3 * width);
}

}  // namespace

void emit_rangefinders(Emitter& e) {
  const Model& m = e.m;
  for (int i = 0; i < m.nsensor; ++i) {
    const auto type = static_cast<SensorType>(m.sensor_type[i]);
    if (type == SensorType::Rangefinder) emit_rangefinder(e, i);
    if (type != SensorType::GeomFromTo) continue;
    const double* data = &e.d.sensordata[static_cast<std::size_t>(m.sensor_adr[i])];
    if (std::any_of(data, data + 6, [](double x) { return x != 0; }))
      e.line(ObjType::Sensor, i, Vec::load(data), Vec::load(data + 3), m.vis.rgba.rangefinder);
  }
}

/// The faces of the skin, colored by the readings of their corners.
void emit_tactile_sensors(Emitter& e) {
  const Model& m = e.m;
  for (int i = 0; i < m.nsensor; ++i) {
    if (m.sensor_type[i] != static_cast<int>(SensorType::Tactile)) continue;
    const int mesh = m.sensor_objid[i], geom = m.sensor_refid[i], vertices = m.mesh_vertnum[mesh];
    const int channels = std::min(3, vertices > 0 ? m.sensor_dim[i] / vertices : 0);
    const double* data = &e.d.sensordata[static_cast<std::size_t>(m.sensor_adr[i])];
    double largest[3] = {};
    for (int c = 0; c < channels; ++c)
      for (int v = 0; v < vertices; ++v) largest[c] = std::max(largest[c], std::abs(data[c * vertices + v]));
    if (largest[0] == 0 || m.geom_rbound[geom] < kMinVal) continue;
    const Vec pos = vec_at(e.d.geom_xpos.data(), geom);
    const Matrix mat = mat_at(e.d.geom_xmat.data(), geom);
    for (int f = m.mesh_faceadr[mesh]; f < m.mesh_faceadr[mesh] + m.mesh_facenum[mesh]; ++f) {
      const int* corner = &m.mesh_face[3 * static_cast<std::size_t>(f)];
      Float4 rgba = {0, 0, 0, 1};
      for (int c = 0; c < channels; ++c) {
        double sum = 0;
        int touched = 0;
        for (int k = 0; k < 3; ++k)
          if (const double value = std::abs(data[c * vertices + corner[k]]); value != 0) {
            sum += value / largest[c];
            ++touched;
          }
        rgba[static_cast<std::size_t>(c)] = touched ? static_cast<float>(sum / touched) : 0;
      }
      if (rgba[0] == 0 && rgba[1] == 0 && rgba[2] == 0) rgba[3] = 0.1f;
      std::array<Vec, 3> at;
      for (std::size_t k = 0; k < 3; ++k)
        at[k] = pos + mat * Vec::load(&m.mesh_vert[3 * static_cast<std::size_t>(m.mesh_vertadr[mesh] + corner[k])]);
      e.triangle(ObjType::Sensor, i, at, rgba);
    }
  }
}

}  // namespace sinew::scene
