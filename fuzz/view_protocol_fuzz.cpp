// Fuzz target for the viewer's protocol: view_protocol_fuzz RUNS. A client sends any messages, one per line (a line
// that starts with # is binary), and the simulation goes on; every text that is sent back is JSON.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "driver.h"
#include "sinew/load.h"
#include "view/hub.h"

namespace {

using namespace sinew;

constexpr const char* kModel = R"(<mujoco><worldbody><geom type="plane" size="0 0 .1"/>
  <body name="a" pos="0 0 1"><freejoint/><geom size=".1"/><site name="s"/><camera name="c"/></body>
  <body name="b" pos="1 0 1"><joint name="j"/><geom type="box" size=".1 .1 .1"/><site name="t"/></body>
  <body name="m" mocap="true"><geom size=".1" contype="0" conaffinity="0"/></body></worldbody>
  <tendon><spatial><site site="s"/><site site="t"/></spatial></tendon>
  <actuator><motor name="u" joint="j"/></actuator><equality><joint joint1="j" active="false"/></equality>
  <sensor><jointpos name="p" joint="j"/></sensor><keyframe><key name="k"/></keyframe></mujoco>)";

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

class Reader : public view::Link {
 public:
  void send(std::shared_ptr<const std::string> message, bool binary) override {
    if (binary ? message->empty() : !nlohmann::json::accept(*message)) fail("an invalid message: " + *message);
  }
  void mark() override { marked = true; }
  void close(int, const std::string&) override { closed = true; }
  std::size_t waiting() const override { return 0; }
  std::size_t waiting_bytes() const override { return 0; }
  void limit(std::size_t) override {}
  bool marked = false, closed = false;
};

ViewOptions options() {
  ViewOptions o;
  o.paused = true;
  return o;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Model model = load_string(kModel).value_or_throw();
  const ViewOptions o = options();
  view::Simulation simulation(o, [] {});
  simulation.launch(std::make_unique<Model>(model), nullptr, "");
  view::Hub hub(simulation, o);
  Reader reader;
  const int client = hub.join(reader);
  hub.receive(client, R"({"op":"hello","protocol":1})", false);
  simulation.turn();
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  for (int n = 0; !rest.empty() && n < 100 && !reader.closed; ++n) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.starts_with('#'))
      hub.receive(client, line.substr(1), true);
    else
      hub.receive(client, line, false);
    if (reader.marked) hub.answered(client);
    if (n % 4 == 0) simulation.turn();
    hub.pump();
  }
  simulation.turn();
  hub.pump();
  hub.leave(client);
  simulation.turn();
  return 0;
}

#ifndef SINEW_LIBFUZZER

int main(int argc, char** argv) {
  return fuzz::run_on_seeds(
      argc, argv,
      {"{\"op\":\"run\"}\n{\"op\":\"step\",\"n\":3}\n{\"op\":\"step\",\"n\":-2}\n{\"op\":\"reset\"}\n{\"op\":\"key\","
       "\"k\":0}\n",
       "{\"op\":\"ctrl\",\"i\":0,\"v\":1}\n{\"op\":\"ctrl\",\"v\":[0.5]}\n{\"op\":\"qpos\",\"i\":3,\"v\":0}\n{\"op\":"
       "\"eq\",\"i\":0,\"on\":true}\n",
       "{\"op\":\"option\",\"option\":{\"label\":1,\"frame\":2,\"flags\":{\"14\":1,\"16\":1},\"geomgroup\":[1,1,1,1,1,"
       "1]}}\n{\"op\":\"rnd\",\"flags\":{\"0\":0}}\n",
       "{\"op\":\"vis\",\"path\":\"map.force\",\"value\":1}\n{\"op\":\"opt\",\"path\":\"gravity\",\"value\":[0,0,1]}\n{"
       "\"op\":\"opt\",\"path\":\"timestep\",\"value\":0.01}\n",
       "{\"op\":\"cam\",\"type\":0,\"lookat\":[0,0,1],\"distance\":2,\"azimuth\":90,\"elevation\":-10,\"also\":[0]}\n{"
       "\"op\":\"select\",\"x\":0.5,\"y\":0.5,\"aspect\":1}\n"
       "{\"op\":\"drag\",\"action\":\"move_v\",\"dx\":0.1,\"dy\":0.1}\n{\"op\":\"release\"}\n",
       "{\"op\":\"select_body\",\"body\":1}\n{\"op\":\"drag\",\"action\":\"rotate_h\",\"dx\":1,\"dy\":0}\n{\"op\":"
       "\"cam\",\"type\":1,\"trackbodyid\":2}\n{\"op\":\"cam\",\"type\":2,\"fixedcamid\":0}\n",
       "{\"op\":\"plot\",\"signals\":[\"qpos[2]\",\"xpos.a.*\",\"sensor:p\"],\"rate\":100}\n{\"op\":\"watch\","
       "\"signals\":[\"energy\"],\"hz\":5,\"contacts\":true}\n{\"op\":\"step\",\"n\":20}\n{\"op\":\"signals\","
       "\"search\":\"q\"}\n",
       "{\"op\":\"seek\",\"time\":0.1}\n{\"op\":\"seek\",\"frame\":0}\n{\"op\":\"world\",\"k\":0,\"layout\":"
       "\"overlay\"}\n{\"op\":\"speed\",\"x\":0.5}\n{\"op\":\"viewport\",\"width\":640,\"height\":480}\n",
       "{\"op\":\"upload\",\"files\":[{\"name\":\"a.xml\",\"size\":9}],\"main\":\"a.xml\"}\n#\x01.......<mujoco/"
       ">\n{\"op\":\"key_save\",\"name\":\"x\"}\n{\"op\":\"state\"}\n{\"op\":\"take\"}\n"});
}

#endif
