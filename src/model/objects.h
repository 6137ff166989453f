#pragma once

#include "sinew/model.h"

namespace sinew {

/// The body that an object is attached to, or that it moves; -1 if there is none.
inline int body_of(const Model& m, ObjType type, int id) {
  switch (type) {
    case ObjType::Body:
    case ObjType::XBody: return id;
    case ObjType::Joint: return m.jnt_bodyid[id];
    case ObjType::Geom: return m.geom_bodyid[id];
    case ObjType::Site: return m.site_bodyid[id];
    case ObjType::Camera: return m.cam_bodyid[id];
    default: return -1;
  }
}

/// The object type of an element of a tendon's path; Unknown: none.
constexpr ObjType wrapped_object(WrapType type) {
  switch (type) {
    case WrapType::Joint: return ObjType::Joint;
    case WrapType::Site: return ObjType::Site;
    case WrapType::Sphere:
    case WrapType::Cylinder: return ObjType::Geom;
    case WrapType::None:
    case WrapType::Pulley: break;
  }
  return ObjType::Unknown;
}

/// The body of an element of a tendon's path, -1: none.
inline int wrapped_body(const Model& m, int wrap) {
  return body_of(m, wrapped_object(static_cast<WrapType>(m.wrap_type[wrap])), m.wrap_objid[wrap]);
}

}  // namespace sinew
