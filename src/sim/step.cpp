#include "sensor/sensors.h"
#include "sim/checks.h"
#include "sim/forward.h"
#include "sim/forward_inverse.h"
#include "sim/integrator_table.h"
#include "sim/unchecked.h"

namespace sinew::unchecked {

void step(const Model& m, Data& d) {
  begin_step(m, d);
  finish_step(m, d);
}

void begin_step(const Model& m, Data& d) {
  check_positions(m, d);
  check_velocities(m, d);
  unchecked::forward(m, d);
}

void finish_step(const Model& m, Data& d) {
  check_accelerations(m, d);
  if (m.opt.enabled(kEnableFwdinv)) compare_forward_inverse(m, d);
  integrator(m.opt.integrator).integrate(m, d);
}

void step1(const Model& m, Data& d) {
  check_positions(m, d);
  check_velocities(m, d);
  position(m, d);
  sensors(m, d, Stage::Pos);
  velocity(m, d);
  sensors(m, d, Stage::Vel);
  if (d.callbacks.control) d.callbacks.control(m, d);
}

void step2(const Model& m, Data& d) {
  acceleration(m, d);
  sensors(m, d, Stage::Acc);
  check_accelerations(m, d);
  if (m.opt.enabled(kEnableFwdinv)) compare_forward_inverse(m, d);
  // a Runge-Kutta step evaluates the controls four times; between two halves there is only one evaluation
  const bool rk4 = m.opt.integrator == static_cast<int>(Integrator::RK4);
  integrator(rk4 ? static_cast<int>(Integrator::Euler) : m.opt.integrator).integrate(m, d);
}

}  // namespace sinew::unchecked
