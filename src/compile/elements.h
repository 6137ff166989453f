#pragma once

#include "compile/context.h"

namespace sinew::compiling {

// The elements inside a body: poses with their frames applied, angles in radians, sizes checked.

/// A pose given in the frame around `element`, expressed in the body that contains both.
Pose in_body(const BodyNode& body, const spec::TreeElement& element, const Pose& pose);

GeomNode compile_geom(Context& context, const BodyNode& body, const spec::Geom& in);
SiteNode compile_site(Context& context, const BodyNode& body, const spec::Site& in);
CameraNode compile_camera(Context& context, const BodyNode& body, const spec::Camera& in);
LightNode compile_light(Context& context, const BodyNode& body, const spec::Light& in);
/// All joints of the body, with the rules for combining them.
void compile_joints(Context& context, BodyNode& body);

}  // namespace sinew::compiling
