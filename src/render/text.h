#pragma once

#include "sinew/render.h"

namespace sinew::render {

/// Labels of the scene's geoms, over everything, at the projections of their positions.
void draw_labels(const Scene& scene, const Image& image, float scale);

}  // namespace sinew::render
