#include <cstdio>
#include <string>

#include "sinew/sinew.h"

// Sensors: what an accelerometer and a touch sensor say while a ball falls, lands and rests.
//
//   example_sensors FOLDER      writes FOLDER/sensors.svg

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const sinew::Model model = sinew::load_string(R"(<mujoco>
    <worldbody><geom type="plane" size="1 1 0.1"/>
      <body pos="0 0 0.5"><freejoint/><geom size="0.1" mass="2"/><site name="imu" size="0.12"/></body></worldbody>
    <sensor><accelerometer name="acceleration" site="imu"/><touch name="touch" site="imu"/></sensor></mujoco>)")
                                 .value_or_throw();
  const auto sensor = [&](const char* name) {  // its first number in sensordata
    return static_cast<std::size_t>(model.sensor_adr[static_cast<std::size_t>(model.id(sinew::ObjType::Sensor, name))]);
  };
  const std::size_t up = sensor("acceleration") + 2, touch = sensor("touch");

  sinew::Data data(model);
  sinew::reset(model, data);
  sinew::Recorder recorder =
      sinew::Recorder::open(model, folder + "/sensors.svg",
                            {.signals = {"sensordata.acceleration.2", "sensordata.touch"}, .title = "a ball lands"})
          .value_or_throw();
  double falling = 0;
  while (data.time < 3) {
    sinew::begin_step(model, data);
    recorder.sample(data);
    if (data.time < 0.2) falling = data.sensordata[up];
    sinew::finish_step(model, data);
  }
  recorder.close().value_or_throw();
  std::printf("falling: acceleration %.6f m/s^2\n", falling);
  std::printf("at rest: acceleration %.4f m/s^2, touch %.3f N\n", data.sensordata[up], data.sensordata[touch]);
}
