#pragma once

#include "dynamics/jacobian.h"
#include "sinew/data.h"

namespace sinew {

/// World pose of the sensor's object, and of its reference if it has one.
inline FramePose<double> object_frame(const Model& m, const Data& d, int i) {
  return frame_pose<double>(m, d, static_cast<ObjType>(m.sensor_objtype[i]), m.sensor_objid[i]);
}
inline FramePose<double> reference_frame(const Model& m, const Data& d, int i) {
  return frame_pose<double>(m, d, static_cast<ObjType>(m.sensor_reftype[i]), m.sensor_refid[i]);
}
inline bool has_reference(const Model& m, int i) { return m.sensor_refid[i] >= 0; }

/// Whether a point is inside a site's shape, boundary excluded.
bool inside_site(const Model& m, const Data& d, int site, const Vec3<double>& point);

}  // namespace sinew
