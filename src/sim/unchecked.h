#pragma once

#include "sinew/data.h"

// The functions of step.h and reset after their checks of model, Data and options: for callers inside a step, and for
// the compiler, whose model is not complete yet.

namespace sinew::unchecked {

void reset(const Model& m, Data& d);
void reset_to_keyframe(const Model& m, Data& d, int key);
void step(const Model& m, Data& d);
void begin_step(const Model& m, Data& d);
void finish_step(const Model& m, Data& d);
void step1(const Model& m, Data& d);
void step2(const Model& m, Data& d);
void forward_skip(const Model& m, Data& d, Stage skip, bool skip_sensors);
void inverse_skip(const Model& m, Data& d, Stage skip, bool skip_sensors);
void forward(const Model& m, Data& d);

}  // namespace sinew::unchecked
