#include <dirent.h>
#include <gmock/gmock.h>

#include <fstream>
#include <thread>

#include "client.h"
#include "sinew/record.h"
#include "sinew/step.h"
#include "sinew/view.h"
#include "temp_folder.h"

// Clients over sockets, as a page is one.

namespace sinew {
namespace {

using test::Answer;
using test::Client;
using test::get;
using test::Json;
using test::Message;
using test::request;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kArm = R"(<mujoco><option timestep=".002"/><worldbody>
  <geom name="floor" type="plane" size="5 5 .1"/>
  <body name="ball" pos="0 0 .5"><freejoint name="free"/><geom name="ball" size=".2"/></body>
  <body name="arm" pos="2 0 2"><joint name="hinge" axis="0 1 0" damping="20"/><geom type="capsule" size=".05" fromto="0 0 0 1 0 0"/></body>
  </worldbody><actuator><position name="hinge" joint="hinge" kp="500" ctrlrange="-1 1"/></actuator>
  <equality><joint name="lock" joint1="hinge" active="false"/></equality>
  <keyframe><key name="up" qpos="0 0 2 1 0 0 0 .5"/></keyframe></mujoco>)";

ViewOptions quiet() {
  ViewOptions options;
  options.port = 0;
  options.token = "secret";
  return options;
}

struct Shown {
  explicit Shown(ViewOptions options = quiet(), const char* text = kArm)
      : model(load_string(text).value_or_throw()), viewer(options) {
    viewer.launch(model);
  }
  Client client() { return Client(viewer.port(), "secret"); }
  Answer ask(const std::string& target, const std::string& host = "", const std::string& more = "") {
    return get(viewer.port(), target, host, more);
  }
  Model model;
  Viewer viewer;
};

int open_files() {
  int n = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder)) ++n;
  closedir(folder);
  return n;
}

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * 4096;
}

/// The full pose of a body in a frame, if it is there.
std::optional<std::array<float, 3>> position_in(const Message& frame, int body) {
  for (std::size_t at = 16; at < frame.bytes.size();) {
    const int tag = frame.bytes[at], count = frame.number<std::uint16_t>(at + 2);
    at += 4;
    for (int i = 0; i < count; ++i) {
      if (tag == 1 && frame.number<std::uint16_t>(at) == body) return frame.number<std::array<float, 3>>(at + 2);
      at += tag == 2 ? 28 : tag == 5 ? 12 : 20;
    }
  }
  return std::nullopt;
}

TEST(ViewerHttp, WithoutTheTokenThereIsNothing) {
  Shown shown;
  for (const char* target : {"/", "/?token=", "/?token=secre", "/?token=secrets", "/?token=Secret", "/?x=secret", "/ws",
                             "/a/00000000000000000000000000000000", "/recording.npz", "/export.html"}) {
    const Answer answer = shown.ask(target);
    EXPECT_EQ(answer.status, 404) << target;
    EXPECT_EQ(answer.body, "") << target;
  }
  Answer page = shown.ask("/?token=secret");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.headers["Content-Security-Policy"], HasSubstr("default-src 'self'"));
  EXPECT_THAT(page.headers["Referrer-Policy"], "no-referrer");
}

TEST(ViewerHttp, ForeignHostsAndOriginsAreRefused) {
  Shown shown;
  const std::string port = std::to_string(shown.viewer.port());
  for (const std::string& host : {std::string("evil.example"), "evil.example:" + port, "127.0.0.1.evil.example:" + port,
                                  std::string("127.0.0.1"), std::string("127.0.0.1:1"), "localhost:" + port + "0"})
    EXPECT_EQ(shown.ask("/?token=secret", host).status, 421) << host;
  for (const std::string& host : {"localhost:" + port, "LOCALHOST:" + port, "[::1]:" + port, "127.0.0.1:" + port})
    EXPECT_EQ(shown.ask("/?token=secret", host).status, 200) << host;
  const std::string upgrade =
      "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const auto connect = [&](const std::string& origin) {
    return request(shown.viewer.port(), "GET /ws?token=secret HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n" + upgrade +
                                            "Connection: Upgrade\r\nOrigin: " + origin + "\r\n\r\n")
        .status;
  };
  for (const std::string& origin :
       {std::string("http://evil.example"), std::string("null"), "https://127.0.0.1:" + port,
        std::string("http://127.0.0.1"), "http://127.0.0.1:" + port + ".evil.example"})
    EXPECT_EQ(connect(origin), 403) << origin;
  EXPECT_EQ(connect("http://localhost:" + port), 101);
}

TEST(ViewerHttp, OddRequestsAreRefused) {
  Shown shown;
  const int port = shown.viewer.port();
  const std::string host = "Host: 127.0.0.1:" + std::to_string(port) + "\r\n";
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "HEAD", "TRACE"})
    EXPECT_EQ(request(port, std::string(method) + " /?token=secret HTTP/1.1\r\n" + host + "\r\n", 3).status, 405)
        << method;
  EXPECT_EQ(
      request(port, "GET /?token=secret HTTP/1.1\r\n" + host + "X: " + std::string(9000, 'x') + "\r\n\r\n").status,
      431);
  EXPECT_EQ(request(port, "GET /?token=secret HTTP/1.1\r\n" + host + "Content-Length: 5\r\n\r\nhello").status, 400);
  EXPECT_EQ(request(port, "\x16\x03\x01 this is not HTTP\r\n\r\n").status, 400);
  EXPECT_EQ(request(port, "GET /?token=secret HTTP/1.1\r\n\r\n").status, 421);  // no host
  for (const char* target : {"/../etc/passwd", "/a/../../x", "/app.jsx", "//", "/index.html", "/a/zz", "*"})
    EXPECT_EQ(get(port, std::string(target) + "?token=secret").status, 404) << target;
}

TEST(ViewerHttp, AConnectionThatSaysNothingIsClosed) {
  Shown shown;
  const double start = test::clock_seconds();
  EXPECT_EQ(request(shown.viewer.port(), "GET / HT", 20).status, 0);
  EXPECT_LT(test::clock_seconds() - start, 15);
}

TEST(ViewerHttp, AssetsAreFoundByTheirContent) {
  Shown shown(quiet(), R"(<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
      <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>)");
  Client client = shown.client();
  const Json model = client.until("model");
  const std::string hash = model["meshes"][0]["asset"];
  Answer asset = shown.ask("/a/" + hash + "?token=secret");
  EXPECT_EQ(asset.status, 200);
  EXPECT_EQ(asset.body.substr(0, 4), "MSH1");
  EXPECT_THAT(asset.headers["Cache-Control"], HasSubstr("immutable"));
  EXPECT_EQ(shown.ask("/a/" + std::string(32, '0') + "?token=secret").status, 404);
}

TEST(ViewerProtocol, ANewClientLearnsEverythingInOrder) {
  Shown shown;
  Client client = shown.client();
  std::vector<std::string> order;
  while (order.empty() || order.back() != "status") {
    const std::optional<Message> message = client.next();
    ASSERT_TRUE(message);
    const std::string name =
        message->bytes.empty() ? message->json["op"].get<std::string>() : std::to_string(message->kind());
    if (std::find(order.begin(), order.end(), name) == order.end()) order.push_back(name);
  }
  EXPECT_THAT(order,
              testing::ElementsAre("welcome", "control", "model", "settings", "keys", "lights", "1", "2", "status"));
}

TEST(ViewerProtocol, HelloIsAskedForFirstAndSoon) {
  Shown shown;
  Client other(shown.viewer.port(), "secret", false);
  other.send({{"op", "pause"}});
  EXPECT_EQ(other.until("error")["for"], "pause");
  other.send({{"op", "hello"}, {"protocol", 2}});
  EXPECT_TRUE(other.closes());
  EXPECT_EQ(other.code(), 1002);
  Client silent(shown.viewer.port(), "secret", false);
  EXPECT_TRUE(silent.closes(10));
}

TEST(ViewerProtocol, WhatIsWrongIsAnsweredAndIgnored) {
  Shown shown;
  Client client = shown.client();
  client.until("status");
  int id = 0;
  const auto refused = [&](Json message) {
    message["id"] = ++id;
    client.send(message);
    const Json answer =
        client.until([&](const Message& m) { return m.bytes.empty() && m.json.value("id", Json()) == id; }).json;
    EXPECT_EQ(answer["op"], "error") << message.dump();
    EXPECT_EQ(answer["for"], message["op"]) << message.dump();
    return answer.value("text", "");
  };
  refused({{"op", "nothing"}});
  refused({{"op", "+leave"}});
  refused({{"op", "ctrl"}});
  refused({{"op", "ctrl"}, {"i", 1}, {"v", 0}});
  refused({{"op", "ctrl"}, {"i", -1}, {"v", 0}});
  refused({{"op", "ctrl"}, {"i", 0.5}, {"v", 0}});
  refused({{"op", "ctrl"}, {"i", 0}, {"v", "x"}});
  refused({{"op", "ctrl"}, {"i", 0}, {"v", nullptr}});
  refused({{"op", "ctrl"}, {"i", 1e300}, {"v", 1e300}});
  refused({{"op", "ctrl"}, {"v", {1, 2}}});
  refused({{"op", "qpos"}, {"i", 8}, {"v", 0}});
  refused({{"op", "step"}, {"n", 1001}});
  refused({{"op", "speed"}, {"x", -1}});
  refused({{"op", "speed"}, {"x", 0.0001}});
  refused({{"op", "key"}, {"k", 1}});
  refused({{"op", "eq"}, {"i", 1}, {"on", true}});
  refused({{"op", "cam"}, {"type", 2}});
  refused({{"op", "cam"}, {"lookat", {0, 0}}});
  refused({{"op", "cam"}, {"trackbodyid", 3}});
  refused({{"op", "option"}, {"option", {{"flags", {1, 2}}}}});
  refused({{"op", "option"}, {"option", {{"flags", {{"31", 1}}}}}});
  refused({{"op", "option"}, {"option", {{"labels", 1}}}});
  refused({{"op", "rnd"}, {"flags", {{"x", 1}}}});
  refused({{"op", "vis"}, {"path", "map.forces"}, {"value", 1}});
  refused({{"op", "vis"}, {"path", "map.force"}, {"value", {1, 2}}});
  refused({{"op", "opt"}, {"path", "timestep"}, {"value", 0}});
  refused({{"op", "opt"}, {"path", "integrator"}, {"value", 0.5}});
  refused({{"op", "select"}, {"x", 2}, {"y", 0}, {"aspect", 1}});
  refused({{"op", "select_body"}, {"body", 3}});
  refused({{"op", "drag"}, {"action", "move_v"}, {"dx", 0}, {"dy", 0}});  // nothing is selected
  refused({{"op", "world"}, {"k", 1}});
  refused({{"op", "reload"}});
  refused({{"op", "play_range"}, {"loop", true}});
  refused({{"op", "upload"}, {"files", Json::array()}, {"main", "x"}});
  refused({{"op", "upload"}, {"files", {{{"name", "x"}, {"size", 1e9}}}}, {"main", "x"}});
  for (const char* text : {"", "x", "[]", "{}", "{\"op\":1}", "{\"op\":\"run\"", "null", "{\"op\":{\"a\":1}}",
                           "{\"op\":\"run\",\"id\":[]}"}) {
    client.send_text(text);
    client.until("error");
  }
  client.send_text(std::string(30000, '['));
  EXPECT_THAT(client.until("error")["text"], HasSubstr("deep"));
  client.send_bytes("xx");
  client.until("error");
  client.send({{"op", "state"}});
  EXPECT_EQ(client.until("state")["ctrl"], Json({0}));
}

TEST(ViewerProtocol, AMessageThatIsTooLongEndsTheConnection) {
  Shown shown;
  Client client = shown.client();
  client.until("model");
  client.send_text("{\"op\":\"run\",\"x\":\"" + std::string(70000, 'x') + "\"}");
  EXPECT_TRUE(client.closes());
}

TEST(ViewerProtocol, AFloodIsDroppedAndThenEnded) {
  Shown shown;
  Client flood = shown.client(), other = shown.client();
  flood.until("model");
  other.until("model");
  int sent = 0, errors = 0;
  const double start = test::clock_seconds();
  bool ended = false;
  while (!ended && test::clock_seconds() - start < 30) {
    for (int i = 0; i < 500 && !ended; ++i, ++sent) flood.send({{"op", "ctrl"}, {"i", 5}, {"v", 0}});
    while (const std::optional<Message> message = flood.next(0.001))
      errors += message->json.is_object() && message->json["op"] == "error";
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ended = flood.closes(0.0);
  }
  EXPECT_TRUE(ended);
  EXPECT_GT(sent, 1000);
  EXPECT_LE(errors, 201 * (test::clock_seconds() - start + 1));  // the others were not read
  other.send({{"op", "state"}});
  EXPECT_NO_THROW(other.until("state"));
}

TEST(ViewerProtocol, OneClientHoldsTheControls) {
  Shown shown;
  Client first = shown.client();
  EXPECT_TRUE(first.until("control")["you"]);
  Client second = shown.client();
  EXPECT_FALSE(second.until("control")["you"]);
  second.send({{"op", "pause"}});
  EXPECT_THAT(second.until("error")["text"], HasSubstr("controls"));
  second.send({{"op", "take"}});
  EXPECT_TRUE(
      second.until([](const Message& m) { return m.bytes.empty() && m.json["op"] == "control" && m.json["you"]; })
          .json["you"]);
  second.send({{"op", "pause"}});
  second.until([](const Message& m) { return m.bytes.empty() && m.json["op"] == "status" && !m.json["running"]; });
  EXPECT_NO_THROW(
      first.until([](const Message& m) { return m.bytes.empty() && m.json["op"] == "status" && !m.json["running"]; }));
}

TEST(ViewerProtocol, SixteenClientsAndNoMore) {
  Shown shown;
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 16; ++i) clients.push_back(std::make_unique<Client>(shown.viewer.port(), "secret"));
  for (auto& client : clients) EXPECT_NO_THROW(client->until_kind(2));
  EXPECT_ANY_THROW(Client(shown.viewer.port(), "secret"));
  clients.pop_back();
  for (int i = 0; i < 100 && shown.viewer.clients() > 15; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_NO_THROW(Client(shown.viewer.port(), "secret").until("model"));
}

TEST(ViewerProtocol, ReadOnlyViewersOnlyWatch) {
  ViewOptions options = quiet();
  options.read_only = true;
  Shown shown(options);
  Client client = shown.client();
  EXPECT_TRUE(client.until("welcome")["read_only"]);
  EXPECT_EQ(client.until("control")["holder"], 0);
  for (const char* op : {"pause", "take", "upload", "quit", "reset", "drag"}) {
    client.send({{"op", op}});
    EXPECT_THAT(client.until("error")["text"], HasSubstr("read-only")) << op;
  }
  client.send({{"op", "cam"}, {"azimuth", 10}});
  client.send({{"op", "watch"}, {"signals", {"qpos"}}});
  EXPECT_EQ(client.until("watch")["columns"].size(), 8u);
}

TEST(ViewerControls, PauseStepResetKeysAndState) {
  ViewOptions options = quiet();
  options.paused = true;
  Shown shown(options);
  Client client = shown.client();
  client.until("model");
  const auto state = [&](const Json& message) {
    client.send(message);
    client.send({{"op", "state"}});
    return client.until("state");
  };
  EXPECT_EQ(state({{"op", "pause"}})["time"], 0);
  EXPECT_NEAR(state({{"op", "step"}})["time"], .002, 1e-12);
  EXPECT_NEAR(state({{"op", "step"}, {"n", 9}})["time"], .02, 1e-12);
  // the same numbers as a simulation without a viewer
  Data d(shown.model);
  for (int i = 0; i < 10; ++i) step(shown.model, d);
  EXPECT_EQ(state({{"op", "pause"}})["qpos"].get<std::vector<double>>(),
            std::vector<double>(d.qpos.begin(), d.qpos.end()));
  client.send({{"op", "key_save"}, {"name", "mine"}});
  const Json keys = client
                        .until([](const Message& m) {
                          return m.bytes.empty() && m.json["op"] == "keys" && m.json["keys"].size() == 2;
                        })
                        .json["keys"];
  EXPECT_EQ(keys[0]["name"], "up");
  EXPECT_EQ(keys[1]["name"], "mine");
  EXPECT_EQ(state({{"op", "key"}, {"k", 0}})["qpos"][2], 2);
  EXPECT_NEAR(state({{"op", "key"}, {"k", 1}})["time"], .02, 1e-12);
  EXPECT_EQ(state({{"op", "reset"}})["time"], 0);
  EXPECT_EQ(state({{"op", "qpos"}, {"i", 7}, {"v", .25}})["qpos"][7], .25);
  // quaternions stay unit quaternions
  const Json turned = state({{"op", "qpos"}, {"i", 4}, {"v", 1}})["qpos"];
  EXPECT_NEAR(turned[3].get<double>(), std::sqrt(.5), 1e-12);
  EXPECT_THAT(state({{"op", "eq"}, {"i", 0}, {"on", true}})["mjcf"].get<std::string>(), HasSubstr("qpos=\""));
}

TEST(ViewerControls, StepsBackwardAreExact) {
  ViewOptions options = quiet();
  options.paused = true;
  Shown shown(options);
  Client client = shown.client();
  client.until("model");
  std::vector<std::vector<double>> states;
  const auto state = [&] {
    client.send({{"op", "state"}});
    return client.until("state")["qpos"].get<std::vector<double>>();
  };
  for (int i = 0; i < 60; ++i) {
    states.push_back(state());
    client.send({{"op", "step"}});
  }
  client.send({{"op", "step"}, {"n", -1}});
  EXPECT_EQ(state(), states[59]);
  client.send({{"op", "step"}, {"n", -20}});
  EXPECT_EQ(state(), states[39]);
  client.send({{"op", "step"}, {"n", 1}});
  EXPECT_EQ(state(), states[40]);
  client.send({{"op", "step"}, {"n", -1000}});
  EXPECT_EQ(state(), states[0]);
}

TEST(ViewerControls, SeekShowsThePastAndTheFutureBeginsThere) {
  Shown shown;
  Client client = shown.client();
  client.until([](const Message& m) { return m.bytes.empty() && m.json["op"] == "status" && m.json["time"] > 0.6; });
  client.send({{"op", "seek"}, {"time", 0.3}});
  client.send({{"op", "state"}});
  EXPECT_NEAR(client.until("state")["time"], 0.3, 0.02);
  const Json history =
      client.until([](const Message& m) { return m.bytes.empty() && m.json["op"] == "status" && !m.json["running"]; })
          .json["history"];
  EXPECT_LT(history["now"], history["count"]);
  EXPECT_GT(history["end"], 0.55);
  client.send({{"op", "ctrl"}, {"i", 0}, {"v", 1}});
  client.send({{"op", "run"}});
  const Json later =
      client.until([](const Message& m) { return m.bytes.empty() && m.json["op"] == "status" && m.json["running"]; })
          .json;
  EXPECT_EQ(later["history"]["now"], later["history"]["count"]);
}

TEST(ViewerControls, ASliderMovesAJointAndTheFrameShowsIt) {
  Shown shown;
  Client client = shown.client();
  client.until_kind(2);
  client.send({{"op", "watch"}, {"signals", {"joint:hinge", "ctrl[0]"}}, {"hz", 30}});
  EXPECT_EQ(client.until("watch")["columns"], Json({"qpos.hinge", "ctrl.hinge"}));
  client.send({{"op", "ctrl"}, {"i", 0}, {"v", -0.8}});
  EXPECT_NO_THROW(client.until(
      [](const Message& m) { return m.kind() == 5 && m.number<float>(12) < -0.4f && m.number<float>(16) == -0.8f; }));
}

TEST(ViewerControls, DragMovesABody) {
  Shown shown;
  Client client = shown.client();
  client.until_kind(2);
  client.send(
      {{"op", "cam"}, {"type", 0}, {"lookat", {0, 0, .2}}, {"distance", 3}, {"azimuth", 90}, {"elevation", -20}});
  std::this_thread::sleep_for(std::chrono::milliseconds(700));  // it falls to the floor
  client.send({{"op", "select"}, {"x", .5}, {"y", .5}, {"aspect", 1}});
  const Json selection = client.until("selection");
  ASSERT_EQ(selection["name"], "ball");
  EXPECT_EQ(selection["geom_name"], "ball");
  EXPECT_GT(selection["mass"], 0);
  const double x = selection["pos"][0];
  for (int i = 0; i < 20; ++i) {
    client.send({{"op", "drag"}, {"action", "move_h"}, {"dx", .02}, {"dy", 0}});
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  double moved = 0;
  for (int i = 0; i < 12 && moved < .3; ++i)
    moved = client.until("status").value("selection", Json{{"pos", {x}}})["pos"][0].get<double>() - x;
  EXPECT_GT(std::abs(moved), .1);
  client.send({{"op", "release"}});
  client.send({{"op", "pause"}});
  // paused, a free body follows the mouse at once
  client.send({{"op", "drag"}, {"action", "move_v"}, {"dx", 0}, {"dy", -.2}});
  client.send({{"op", "state"}});
  const double z = client.until("state")["qpos"][2];
  client.send({{"op", "drag"}, {"action", "move_v"}, {"dx", 0}, {"dy", -.2}});
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  client.send({{"op", "state"}});
  EXPECT_GT(client.until("state")["qpos"][2].get<double>(), z + .1);
}

TEST(ViewerControls, OptionsAndSettingsAreToldToAll) {
  Shown shown;
  Client first = shown.client(), second = shown.client();
  first.until_kind(2);
  second.until_kind(2);
  first.send({{"op", "option"}, {"option", {{"flags", {{"14", 1}}}, {"label", 1}}}});
  const auto told = [&](auto holds) {
    second.until([&](const Message& m) { return m.bytes.empty() && m.json["op"] == "settings" && holds(m.json); });
  };
  EXPECT_NO_THROW(told([](const Json& s) { return s["option"]["flags"][14] == 1 && s["option"]["label"] == 1; }));
  first.send({{"op", "rnd"}, {"flags", {{"0", 0}}}});
  EXPECT_NO_THROW(told([](const Json& s) { return s["flags"][0] == 0; }));
  first.send({{"op", "vis"}, {"path", "map.force"}, {"value", 0.5}});
  EXPECT_NO_THROW(told([](const Json& s) { return s["vis"]["map"]["force"] == 0.5; }));
  first.send({{"op", "opt"}, {"path", "gravity"}, {"value", {0, 0, 1}}});
  EXPECT_NO_THROW(told([](const Json& s) { return s["opt"]["gravity"] == Json({0, 0, 1}); }));
  EXPECT_NO_THROW(second.until([](const Message& m) { return m.kind() == 1; }));  // labels and contacts are parts
}

TEST(ViewerPlots, ShowTheNumbersOfASimulation) {
  ViewOptions options = quiet();
  options.paused = true;
  Shown shown(options);
  Client client = shown.client();
  client.until_kind(2);
  client.send({{"op", "plot"}, {"signals", {"qpos.hinge", "qvel[6]"}}, {"rate", 1000}});
  EXPECT_EQ(client.until("plot")["columns"], Json({"qpos.hinge", "qvel.hinge"}));
  client.send({{"op", "step"}, {"n", 50}});
  std::vector<std::array<double, 3>> rows;
  while (rows.size() < 50) {
    const Message m = client.until_kind(4);
    ASSERT_EQ(m.number<std::uint16_t>(2), 2);
    for (std::size_t r = 0; r < m.number<std::uint32_t>(4); ++r)
      rows.push_back({m.number<double>(8 + 16 * r), m.number<float>(16 + 16 * r), m.number<float>(20 + 16 * r)});
  }
  Data d(shown.model);
  for (std::size_t i = 0; i < 50; ++i) {
    begin_step(shown.model, d);
    EXPECT_EQ(rows[i][0], d.time);
    EXPECT_EQ(rows[i][1], static_cast<double>(static_cast<float>(d.qpos[7])));
    EXPECT_EQ(rows[i][2], static_cast<double>(static_cast<float>(d.qvel[6])));
    finish_step(shown.model, d);
  }
  client.send({{"op", "plot"}, {"signals", {"qpos.elbow"}}});
  EXPECT_THAT(client.until("plot")["error"], HasSubstr("qpos.elbow"));
  client.send({{"op", "signals"}, {"search", "hinge"}});
  EXPECT_THAT(client.until("signals")["names"].dump(), HasSubstr("\"qpos.hinge\""));
}

TEST(ViewerSimulation, ClientsDoNotChangeTheNumbers) {
  const auto qpos_after = [](int clients) {
    ViewOptions options = quiet();
    options.paused = true;
    Shown shown(options);
    std::vector<std::unique_ptr<Client>> all;
    for (int i = 0; i < clients + 1; ++i) all.push_back(std::make_unique<Client>(shown.viewer.port(), "secret"));
    for (auto& client : all) client->until_kind(2);
    for (int i = 1; i <= clients; ++i) {
      all[static_cast<std::size_t>(i)]->send({{"op", "plot"}, {"signals", {"qpos", "cacc", "sensordata*"}}});
      all[static_cast<std::size_t>(i)]->send({{"op", "watch"}, {"signals", {"qvel"}}, {"contacts", true}});
      all[static_cast<std::size_t>(i)]->send({{"op", "picture"}, {"width", 32}, {"height", 32}, {"hz", 10}});
    }
    all[0]->send({{"op", "option"}, {"option", {{"flags", {{"14", 1}, {"16", 1}, {"10", 1}}}}}});
    for (int i = 0; i < 10; ++i) {
      all[0]->send({{"op", "step"}, {"n", 60}});
      all[0]->send({{"op", "state"}});
      all[0]->until("state");
    }
    all[0]->send({{"op", "state"}});
    return all[0]->until("state")["qpos"].get<std::vector<double>>();
  };
  const std::vector<double> alone = qpos_after(0);
  EXPECT_EQ(qpos_after(5), alone);
  Model m = load_string(kArm).value_or_throw();
  Data d(m);
  for (int i = 0; i < 600; ++i) step(m, d);
  EXPECT_EQ(alone, std::vector<double>(d.qpos.begin(), d.qpos.end()));
}

TEST(ViewerSimulation, KeepsRealTimeAndTheAskedSpeed) {
  Shown shown;
  Client client = shown.client();
  const auto rate = [&](double speed) {
    client.send({{"op", "speed"}, {"x", speed}});
    client.until("status");
    const double t0 = client.until("status")["time"], w0 = test::clock_seconds();
    double t1 = t0;
    while (test::clock_seconds() - w0 < 1.5) t1 = client.until("status")["time"];
    return (t1 - t0) / (test::clock_seconds() - w0);
  };
  EXPECT_NEAR(rate(1), 1, .25);
  EXPECT_NEAR(rate(.25), .25, .08);
  EXPECT_NEAR(rate(4), 4, 1);
  EXPECT_GT(rate(0), 8);
}

TEST(ViewerSimulation, DivergencePausesAndSaysWhy) {
  Shown shown(quiet(), R"(<mujoco><option timestep=".5"/><worldbody>
    <body><joint type="slide" axis="1 0 0" stiffness="1e8" ref="-1"/><geom size=".1"/></body></worldbody></mujoco>)");
  Client client = shown.client();
  const Json status = client
                          .until([](const Message& m) {
                            return m.bytes.empty() && m.json["op"] == "status" && m.json["diverged"] != "";
                          })
                          .json;
  EXPECT_FALSE(status["running"]);
  EXPECT_THAT(status["diverged"].get<std::string>(), testing::ContainsRegex("qpos|qvel|qacc|QPOS|QVEL|QACC"));
}

TEST(ViewerSimulation, ASlowClientGetsFewerFramesButNotOlderOnes) {
  Shown shown;
  Client slow = shown.client(), fast = shown.client();
  slow.until_kind(2);
  fast.until_kind(2);
  std::this_thread::sleep_for(std::chrono::seconds(2));  // neither reads; now one looks at what is the newest
  fast.send({{"op", "state"}});
  const double now = fast.until("state")["time"];
  int frames = 0;
  double newest = 0;
  const double start = test::clock_seconds();
  while (const std::optional<Message> m = slow.next(0.02)) {
    if (m->kind() == 2) {
      ++frames;
      newest = m->number<double>(8);
    }
    if (newest >= now || test::clock_seconds() - start > 5) break;
  }
  EXPECT_GE(newest, now);
  EXPECT_LT(frames, 40);  // of 120 that were made
  EXPECT_LT(test::clock_seconds() - start, 1);
}

TEST(ViewerSimulation, AStalledClientDoesNotSlowTheSimulation) {
  Shown shown;
  Client stalled = shown.client(), client = shown.client();
  stalled.until_kind(2);
  stalled.stall();
  client.until("status");
  const double t0 = client.until("status")["time"], w0 = test::clock_seconds();
  double t1 = t0;
  while (test::clock_seconds() - w0 < 3) t1 = client.until("status")["time"];
  EXPECT_GT((t1 - t0) / (test::clock_seconds() - w0), .8);
}

TEST(ViewerSimulation, OneHundredBodiesFitTheLine) {
  std::string text = "<mujoco><worldbody>";
  for (int i = 0; i < 100; ++i)
    text +=
        "<body pos=\"" + std::to_string(i) + " 0 0\"><joint axis=\"0 1 0\"/><geom size=\".1\" pos=\".5 0 0\"/></body>";
  Shown shown(quiet(), (text + "</worldbody></mujoco>").c_str());
  Client client = shown.client();
  client.until_kind(2);
  const std::size_t before = client.received();
  const double start = test::clock_seconds();
  int frames = 0;
  while (test::clock_seconds() - start < 3)
    if (const auto m = client.next(0.1)) frames += m->kind() == 2;
  const double elapsed = test::clock_seconds() - start;
  RecordProperty("bytes_per_second", static_cast<int>(static_cast<double>(client.received() - before) / elapsed));
  RecordProperty("frames_per_second", static_cast<int>(frames / elapsed));
  EXPECT_LT(static_cast<double>(client.received() - before) / elapsed, 130e3);
  EXPECT_LT(static_cast<double>(client.received() - before) / std::max(1, frames), 130e3 / 60);
  EXPECT_GT(frames / elapsed, 20);  // 60 on a machine that has nothing else to do
}

class ViewerFiles : public testing::Test {
 protected:
  void write(const std::string& text) {
    std::ofstream(path_) << text;
    // the times of files may be coarse
    std::filesystem::last_write_time(path_,
                                     std::filesystem::file_time_type::clock::now() + std::chrono::seconds(++writes_));
  }
  test::TempFolder folder_;
  std::string path_ = (folder_.path() / "model.xml").string();
  int writes_ = 0;
};

TEST_F(ViewerFiles, AChangedFileIsLoadedAndTheStateStays) {
  write(
      R"(<mujoco><option gravity="0 0 0"/><worldbody><body name="a"><joint name="j"/><geom size=".1"/></body></worldbody></mujoco>)");
  Viewer viewer(quiet());
  ASSERT_TRUE(viewer.open(path_));
  Client client(viewer.port(), "secret");
  EXPECT_EQ(client.until("model")["generation"], 1);
  client.send({{"op", "pause"}});
  client.send({{"op", "qpos"}, {"i", 0}, {"v", .7}});
  write(R"(<mujoco><option gravity="0 0 0"/><worldbody><body name="b"><joint name="k"/><geom size=".1"/></body>
    <body name="a"><joint name="j"/><geom size=".3"/></body></worldbody></mujoco>)");
  const Json model = client.until("model");
  EXPECT_EQ(model["generation"], 2);
  EXPECT_EQ(model["sizes"]["nq"], 2);
  client.send({{"op", "state"}});
  EXPECT_EQ(client.until("state")["qpos"], Json({0, .7}));
}

TEST_F(ViewerFiles, ABrokenFileShowsItsErrorsWhileTheOldModelGoesOn) {
  write("<mujoco><worldbody><body><joint/><geom size=\".1\"/></body></worldbody></mujoco>");
  Viewer viewer(quiet());
  ASSERT_TRUE(viewer.open(path_));
  Client client(viewer.port(), "secret");
  client.until_kind(2);
  write("<mujoco>\n<worldbody>\n<geom size=\"x\"/>\n<geom type=\"bowl\"/></worldbody></mujoco>");
  const Json problems = client.until("problems");
  ASSERT_EQ(problems["problems"].size(), 2u);
  EXPECT_EQ(problems["problems"][0]["line"], 3);
  EXPECT_EQ(problems["problems"][1]["line"], 4);
  EXPECT_EQ(problems["problems"][0]["severity"], "error");
  const double time = client.until("status")["time"];
  EXPECT_GT(client.until("status")["time"], time);
  write("<mujoco><worldbody><body><joint/><geom size=\".2\"/></body></worldbody></mujoco>");
  EXPECT_EQ(client.until("model")["generation"], 2);
  EXPECT_EQ(client.until("problems")["problems"].size(), 0u);
}

TEST_F(ViewerFiles, ABrokenFileAtTheStartIsShownAndWaitedFor) {
  write("<mujoco><worldbody><geom/></worldbody></mujoco>");
  Viewer viewer(quiet());
  EXPECT_FALSE(viewer.open(path_));
  Client client(viewer.port(), "secret");
  client.until("no_model");
  EXPECT_EQ(client.until("problems")["problems"].size(), 1u);
  client.send({{"op", "run"}});
  client.until("error");
  write("<mujoco><worldbody><geom size=\".1\"/></worldbody></mujoco>");
  EXPECT_EQ(client.until("model")["generation"], 1);
}

TEST_F(ViewerFiles, UploadsAreLoadedFromMemoryAlone) {
  Viewer viewer(quiet());
  Client client(viewer.port(), "secret");
  client.until("no_model");
  const auto upload = [&](const std::vector<std::pair<std::string, std::string>>& files) {
    Json list = Json::array();
    for (const auto& [name, content] : files) list.push_back({{"name", name}, {"size", content.size()}});
    client.send({{"op", "upload"}, {"files", list}, {"main", files[0].first}});
    client.until("upload");
    for (std::uint32_t i = 0; i < files.size(); ++i)
      for (std::size_t at = 0; at < files[i].second.size(); at += 50) {  // in pieces
        std::string piece("\x01\0\0\0", 4);
        piece.append(reinterpret_cast<const char*>(&i), 4);
        client.send_bytes(piece + files[i].second.substr(at, 50));
      }
  };
  upload({{"x.xml", "<mujoco><include file=\"y.xml\"/></mujoco>"},
          {"y.xml", "<mujocoinclude><worldbody><geom name=\"included\" size=\".1\"/></worldbody></mujocoinclude>"}});
  EXPECT_EQ(client.until("model")["geoms"][0]["name"], "included");
  write("<mujocoinclude><worldbody><geom name=\"stolen\" size=\".1\"/></worldbody></mujocoinclude>");
  upload({{"x.xml", "<mujoco><include file=\"" + path_ + "\"/></mujoco>"}});
  EXPECT_THAT(client.until("problems")["problems"][0]["text"], HasSubstr("not among the given files"));
  upload({{"x.xml", "<mujoco><asset><mesh name=\"m\" file=\"/etc/passwd.obj\"/></asset></mujoco>"}});
  EXPECT_THAT(client.until("problems")["problems"][0]["text"], HasSubstr("not among the given files"));
}

TEST_F(ViewerFiles, ARecordingIsMadeAndPlayed) {
  Shown shown;
  Client client = shown.client();
  client.until([](const Message& m) { return m.bytes.empty() && m.json["op"] == "status" && m.json["time"] > 0.5; });
  client.send({{"op", "pause"}});
  client.send({{"op", "state"}});
  client.until("state");
  const Answer file = shown.ask("/recording.npz?token=secret");
  ASSERT_EQ(file.status, 200);
  const std::string recording = (folder_.path() / "r.npz").string();
  std::ofstream(recording, std::ios::binary) << file.body;

  Viewer player(quiet());
  player.launch(shown.model);
  const Result<bool> played = player.play(recording);
  ASSERT_TRUE(played) << played.error().text();
  Client watcher(player.port(), "secret");
  EXPECT_TRUE(watcher.until("welcome")["recording"]);
  watcher.send({{"op", "seek"}, {"frame", 10}});
  watcher.send({{"op", "state"}});
  const Json state = watcher.until("state");
  client.send({{"op", "seek"}, {"frame", 10}});
  client.send({{"op", "state"}});
  EXPECT_EQ(client.until("state")["qpos"], state["qpos"]);
  watcher.send({{"op", "qpos"}, {"i", 0}, {"v", 0}});
  EXPECT_THAT(watcher.until("error")["text"], HasSubstr("recording"));
  watcher.send({{"op", "run"}});
  const Json status =
      watcher
          .until([](const Message& m) { return m.bytes.empty() && m.json["op"] == "status" && m.json["time"] > 0.4; })
          .json;
  EXPECT_GT(status["recording"]["count"], 20);
  // one of another model, and one that is none
  Viewer other(quiet());
  other.launch(
      load_string("<mujoco><worldbody><body><joint/><geom size=\".1\"/></body></worldbody></mujoco>").value_or_throw());
  EXPECT_THAT(other.play(recording).error().text(), HasSubstr("but the model needs"));
  std::ofstream(recording, std::ios::binary) << file.body.substr(0, file.body.size() / 2);
  EXPECT_FALSE(other.play(recording));
}

TEST(ViewerPassive, ShowsWhatTheCallerStepsAndTellsItWhatChanged) {
  Model m = load_string(kArm).value_or_throw();
  Data d(m);
  Viewer viewer(quiet());
  viewer.sync(m, d);
  Client client(viewer.port(), "secret");
  EXPECT_TRUE(client.until("welcome")["passive"]);
  client.until_kind(2);
  client.send({{"op", "ctrl"}, {"i", 0}, {"v", .5}});
  client.send({{"op", "qpos"}, {"i", 7}, {"v", -.3}});
  client.send({{"op", "opt"}, {"path", "viscosity"}, {"value", .25}});
  client.send({{"op", "state"}});
  client.until("state");
  viewer.sync(m, d);
  EXPECT_EQ(d.ctrl[0], .5);
  EXPECT_EQ(d.qpos[7], -.3);
  EXPECT_EQ(m.opt.viscosity, .25);
  d.ctrl[0] = 0;  // what the page set once is not set again
  viewer.sync(m, d);
  EXPECT_EQ(d.ctrl[0], 0);
  d.qpos[2] = 3;
  forward(m, d);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  viewer.sync(m, d);
  EXPECT_NO_THROW(client.until([](const Message& message) {
    if (message.kind() != 2) return false;
    const auto pos = position_in(message, 1);
    return pos && std::abs((*pos)[2] - 3) < 1e-3f;
  }));
  client.send({{"op", "pause"}});
  client.send({{"op", "step"}, {"n", 3}});
  client.send({{"op", "state"}});
  client.until("state");
  EXPECT_FALSE(viewer.run());
  EXPECT_EQ(viewer.steps_requested(), 3);
  EXPECT_EQ(viewer.steps_requested(), 0);
  {
    const auto lock = viewer.lock();
    SceneGeom arrow;
    init_geom(arrow, kSceneArrow, nullptr, nullptr, nullptr, nullptr);
    viewer.shown().geoms.push_back(arrow);
  }
  viewer.plot("reward", 7);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  viewer.sync(m, d);
  EXPECT_NO_THROW(client.until(
      [](const Message& message) { return message.kind() == 1 && message.number<std::uint16_t>(16) == kSceneArrow; }));
  client.send({{"op", "watch"}, {"signals", {"reward"}}});
  EXPECT_NO_THROW(
      client.until([](const Message& message) { return message.kind() == 5 && message.number<float>(12) == 7; }));
  client.send({{"op", "quit"}});
  viewer.wait(5);
  EXPECT_FALSE(viewer.is_running());
}

TEST(ViewerWorlds, PosesOfTheOthersAreSent) {
  ViewOptions options = quiet();
  options.worlds = 5;
  Shown shown(options);
  Client client = shown.client();
  EXPECT_EQ(client.until("model")["worlds"]["n"], 5);
  const Message worlds = client.until_kind(6);
  EXPECT_EQ(worlds.number<std::uint16_t>(2), 2);  // the ball and the arm
  EXPECT_EQ(worlds.number<std::uint32_t>(8), 4u);
  EXPECT_EQ(worlds.bytes.size(), 12 + 2 * 2 + 4 * 2 * 18u);
  client.send({{"op", "world"}, {"k", 3}, {"layout", "overlay"}});
  EXPECT_NO_THROW(client.until(
      [](const Message& m) { return m.bytes.empty() && m.json["op"] == "settings" && m.json["world"] == 3; }));
  client.send({{"op", "world"}, {"k", 5}});
  client.until("error");
}

TEST(ViewerServer, PortsThatAreTakenAreSkipped) {
  ViewOptions options = quiet();
  options.port = 17077;
  Viewer first(options), second(options);
  EXPECT_NE(first.port(), second.port());
  EXPECT_THAT(second.address(), HasSubstr(std::to_string(second.port()) + "/?token=secret"));
  options.host = "somewhere";
  EXPECT_ANY_THROW(Viewer{options});
  options.host = "0.0.0.0";
  options.with_token = false;
  EXPECT_ANY_THROW(Viewer{options});
}

TEST(ViewerServer, TokensAreRandom) {
  ViewOptions options = quiet();
  options.token = "";
  std::set<std::string> tokens;
  for (int i = 0; i < 5; ++i) {
    const std::string address = Viewer(options).address();
    tokens.insert(address.substr(address.find("token=") + 6));
  }
  EXPECT_EQ(tokens.size(), 5u);
  for (const std::string& token : tokens) EXPECT_GE(token.size(), 22u);
}

TEST(ViewerServer, ConnectionsLeaveNothingBehind) {
  Shown shown;
  const auto some = [&](int n) {
    const int port = shown.viewer.port();
    for (int i = 0; i < n; ++i) {
      test::asio::io_context io;
      test::tcp::socket socket(io);
      socket.connect({test::asio::ip::address_v4::loopback(), static_cast<unsigned short>(port)});
      const std::string host = "Host: 127.0.0.1:" + std::to_string(port) + "\r\n";
      const std::string texts[] = {"", "GET /", "GET / HTTP/1.1\r\n" + host + "\r\n",
                                   "GET /?token=secret HTTP/1.1\r\n" + host + "\r\n",
                                   "GET /ws?token=secret HTTP/1.1\r\n" + host +
                                       "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                       "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x81\xff"};
      boost::system::error_code ignored;
      test::asio::write(socket, test::asio::buffer(texts[i % 5]), ignored);
      if (i % 5 == 2) {
        char answer[64];
        socket.read_some(test::asio::buffer(answer), ignored);
      }
    }
  };
  some(1000);
  Client(shown.viewer.port(), "secret").until("model");
  const auto settle = [&] { std::this_thread::sleep_for(std::chrono::milliseconds(300)); };
  settle();
  const int files = open_files();
  [[maybe_unused]] const std::size_t bytes = resident_bytes();
  const char* many = std::getenv("SINEW_VIEW_CONNECTIONS");
  some(many ? std::atoi(many) : 10000);
  settle();
  EXPECT_LE(open_files(), files + 2);
#ifndef __SANITIZE_ADDRESS__  // it keeps freed memory
  EXPECT_LT(resident_bytes(), bytes + (std::size_t{16} << 20));
#endif
  Client(shown.viewer.port(), "secret").until("model");
}

}  // namespace
}  // namespace sinew
