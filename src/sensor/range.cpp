#include <algorithm>
#include <array>
#include <cmath>

#include "math/elementary.h"
#include "sensor/beam.h"
#include "sensor/frames.h"
#include "sensor/table.h"
#include "sinew/query.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

/// Writes the selected fields of one ray and returns where the next ray's begin. A miss keeps the origin.
double* write_beam(const Beam& beam, const RayHit& hit, int fields, double* out) {
  const bool miss = hit.dist < 0;
  const Vec point = beam.origin + beam.direction * hit.dist;
  auto put = [&](RangeField field, const Vec& v, bool zero) {
    if (!(fields & (1 << field))) return;
    (zero ? Vec() : v).store(out);
    out += 3;
  };
  if (fields & (1 << Dist)) *out++ = hit.dist;
  put(Dir, beam.direction, miss);
  put(Origin, beam.origin, false);
  put(Point, point, miss);
  put(Normal, Vec::load(hit.normal.data()), miss);
  if (fields & (1 << Depth))
    *out++ = miss || !beam.camera ? hit.dist : -dot(point - beam.camera->pos, beam.camera->mat.column(2));
  return out;
}

/// Focal lengths and principal point in pixels.
struct Intrinsics {
  double fx, fy, cx, cy;
};

Intrinsics intrinsics(const Model& m, int camera, bool orthographic) {
  const double width = m.cam_resolution[2 * camera], height = m.cam_resolution[2 * camera + 1];
  if (orthographic) return {width / 2, height / 2, width / 2, height / 2};
  const float* sensor = &m.cam_sensorsize[2 * camera];
  const float* lens = &m.cam_intrinsic[4 * camera];
  if (sensor[0] > 0 && sensor[1] > 0) {
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    return {lens[0] / sensor[0] * w, lens[1] / sensor[1] * h, lens[2] / sensor[0] * w, lens[3] / sensor[1] * h};
  }
  const double f = 0.5 * height / elementary::tan(m.cam_fovy[camera] * kPi / 360);
  return {f, f, width / 2, height / 2};
}

RayHit cast(const Model& m, const Data& d, const Beam& beam, int own_body) {
  RayFilter filter;
  filter.exclude_body = own_body;
  double origin[3], direction[3];
  beam.origin.store(origin);
  beam.direction.store(direction);
  return ray(m, d, origin, direction, filter);
}

/// The shortest distance over all pairs of geoms of the sensor's two objects, up to its cutoff.
GeomDistance shortest_distance(const Model& m, Data& d, int i) {
  struct Range {
    int first, count;
  };
  const auto geoms = [&](int type, int id) -> Range {
    if (type == static_cast<int>(ObjType::Geom)) return {id, 1};
    return {m.body_geomadr[id], m.body_geomnum[id]};
  };
  const Range a = geoms(m.sensor_objtype[i], m.sensor_objid[i]), b = geoms(m.sensor_reftype[i], m.sensor_refid[i]);
  GeomDistance best;
  best.dist = m.sensor_cutoff[i];
  for (int g1 = a.first; g1 < a.first + a.count; ++g1)
    for (int g2 = b.first; g2 < b.first + b.count; ++g2) {
      const GeomDistance found = geom_distance(m, d, g1, g2, m.sensor_cutoff[i]);
      if (found.dist < best.dist) best = found;
    }
  return best;
}

}  // namespace

Beam pixel_beam(const Model& m, int camera, const FramePose<double>& eye, int row, int column) {
  const bool orthographic = m.cam_projection[camera] == static_cast<int>(Projection::Orthographic);
  const Intrinsics k = intrinsics(m, camera, orthographic);
  const double px = column + 0.5 - k.cx, py = row + 0.5 - k.cy;
  Beam beam;
  beam.camera = &eye;
  if (orthographic) {
    const double half = m.cam_fovy[camera] / 2;  // extent of the image, m
    beam.origin = eye.pos + eye.mat * Vec(px / k.fx * half, -py / k.fy * half, 0);
    beam.direction = -eye.mat.column(2);
  } else {
    beam.origin = eye.pos;
    beam.direction = eye.mat * Vec(px / k.fx, -py / k.fy, -1);
    normalize(beam.direction);
  }
  return beam;
}

void sense_rangefinder(const Model& m, Data& d, int i, double* out) {
  const int fields = m.sensor_intprm[3 * i], id = m.sensor_objid[i];
  const FramePose<double> eye = object_frame(m, d, i);
  if (m.sensor_objtype[i] == static_cast<int>(ObjType::Site)) {
    const Beam beam = {eye.pos, eye.mat.column(2), nullptr};
    write_beam(beam, cast(m, d, beam, eye.body), fields, out);
    return;
  }
  for (int row = 0; row < m.cam_resolution[2 * id + 1]; ++row)
    for (int column = 0; column < m.cam_resolution[2 * id]; ++column) {
      const Beam beam = pixel_beam(m, id, eye, row, column);
      out = write_beam(beam, cast(m, d, beam, eye.body), fields, out);
    }
}

void sense_geom_distance(const Model& m, Data& d, int i, double* out) {
  const GeomDistance nearest = shortest_distance(m, d, i);
  const Vec from = Vec::load(nearest.from.data()), to = Vec::load(nearest.to.data());
  switch (static_cast<SensorType>(m.sensor_type[i])) {
    case SensorType::GeomDist: out[0] = nearest.dist; break;
    case SensorType::GeomNormal: {
      Vec normal = to - from;
      if (normalize(normal) < kMinVal) normal = {};
      normal.store(out);
      break;
    }
    default: from.store(out); to.store(out + 3);
  }
}

}  // namespace sinew
