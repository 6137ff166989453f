#pragma once

// Embree 3 and 4 differ in how a query and its context are passed; the rest of this folder sees neither.

#ifdef SINEW_EMBREE4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace sinew::render {

#ifdef SINEW_EMBREE4
using QueryContext = RTCRayQueryContext;
inline void init_context(QueryContext& context) { rtcInitRayQueryContext(&context); }
inline void intersect(RTCScene scene, QueryContext& context, RTCRayHit& ray) {
  RTCIntersectArguments arguments;
  rtcInitIntersectArguments(&arguments);
  arguments.context = &context;
  rtcIntersect1(scene, &ray, &arguments);
}
inline void occluded(RTCScene scene, QueryContext& context, RTCRay& ray) {
  RTCOccludedArguments arguments;
  rtcInitOccludedArguments(&arguments);
  arguments.context = &context;
  rtcOccluded1(scene, &ray, &arguments);
}
#else
using QueryContext = RTCIntersectContext;
inline void init_context(QueryContext& context) { rtcInitIntersectContext(&context); }
inline void intersect(RTCScene scene, QueryContext& context, RTCRayHit& ray) { rtcIntersect1(scene, &context, &ray); }
inline void occluded(RTCScene scene, QueryContext& context, RTCRay& ray) { rtcOccluded1(scene, &context, &ray); }
#endif

/// Embree expects numbers below 2^60; beyond that, and for NaN, nothing is hit.
inline bool usable(const RTCRay& r) {
  const auto fits = [](float x) { return x > -1e18f && x < 1e18f; };
  return fits(r.org_x) && fits(r.org_y) && fits(r.org_z) && fits(r.dir_x) && fits(r.dir_y) && fits(r.dir_z) &&
         r.tnear >= 0 && r.tfar > r.tnear;
}

/// Owners of Embree's reference-counted objects.
template <class T, void (*release)(T)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T value) : value_(value) {}
  Handle(Handle&& other) noexcept : value_(other.value_) { other.value_ = nullptr; }
  Handle& operator=(Handle&& other) noexcept {
    const T value = other.value_;
    other.value_ = value_;
    value_ = value;
    return *this;
  }
  ~Handle() {
    if (value_) release(value_);
  }
  T get() const { return value_; }
  explicit operator bool() const { return value_ != nullptr; }

 private:
  T value_ = nullptr;
};
using Device = Handle<RTCDevice, rtcReleaseDevice>;
using Tree = Handle<RTCScene, rtcReleaseScene>;

}  // namespace sinew::render
