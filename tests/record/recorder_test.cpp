#include <gmock/gmock.h>
#include <lodepng.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sinew/load.h"
#include "sinew/record.h"
#include "sinew/step.h"
#include "temp_folder.h"

namespace sinew {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kArm = R"(<mujoco>
  <worldbody>
    <body name="torso" pos="0 0 1">
      <freejoint name="root"/>
      <geom size="0.1"/>
      <body name="arm">
        <joint name="elbow, left" axis="0 1 0"/>
        <geom type="capsule" size="0.02" fromto="0 0 0 0.5 0 0"/>
        <site name="hand" pos="0.5 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="pull" joint="elbow, left"/></actuator>
  <sensor><framepos name="left_hand" objtype="site" objname="hand"/><clock name="now"/></sensor>
</mujoco>)";

class RecorderTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string read(const std::string& name) const { return folder_.read(name); }
  Recorder open(const std::string& name, const RecordOptions& options = {}) const {
    return Recorder::open(model_, path(name), options).value_or_throw();
  }
  /// A step, then a sample, n times.
  void record(Recorder& recorder, int n) {
    for (int i = 0; i < n; ++i) {
      step(model_, data_);
      recorder.sample(data_);
    }
  }

  Model model_ = load_string(kArm).value_or_throw();
  Data data_{model_};
  test::TempFolder folder_;
};

TEST_F(RecorderTest, SelectsQuantitiesObjectsAndComponentsByName) {
  RecordOptions options;
  options.signals = {"ncon", "qpos.root.2", "xpos.torso", "sensordata.left_*", "ctrl"};
  const Recorder recorder = open("a.csv", options);
  EXPECT_THAT(recorder.columns(),
              ElementsAre("time", "ncon", "qpos.root.2", "xpos.torso.0", "xpos.torso.1", "xpos.torso.2",
                          "sensordata.left_hand.0", "sensordata.left_hand.1", "sensordata.left_hand.2", "ctrl.pull"));
}

TEST_F(RecorderTest, RefusesAnUnknownSignalAndSuggestsTheNearestName) {
  const auto refusal = [&](const std::string& signal) {
    RecordOptions options;
    options.signals = {signal};
    const Result<Recorder> recorder = Recorder::open(model_, path("a.csv"), options);
    return recorder ? std::string() : recorder.error().text();
  };
  EXPECT_THAT(refusal("qpso"), HasSubstr("did you mean 'qpos'?"));
  EXPECT_THAT(refusal("sensordata.nwo"), HasSubstr("did you mean 'now'?"));
  EXPECT_THAT(refusal("ten_length"), HasSubstr("the model has no ten_length"));
  EXPECT_FALSE(std::filesystem::exists(path("a.csv")));
}

TEST_F(RecorderTest, RefusesAnUnknownExtensionAndAnUnwritablePath) {
  EXPECT_THAT(Recorder::open(model_, path("a.txt")).error().text(), HasSubstr(".csv .jsonl .json .npz .svg"));
  for (const std::string& ending : record_endings())
    EXPECT_THAT(Recorder::open(model_, path("none/a" + ending)).error().text(), HasSubstr("cannot write")) << ending;
}

TEST_F(RecorderTest, EveryTextFormatRoundTripsBitForBit) {
  data_.qvel[6] = 1.0 / 3;
  Recorder csv = open("a.csv"), lines = open("a.jsonl"), whole = open("a.json");
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 5; ++i) {
    step(model_, data_);
    for (Recorder* recorder : {&csv, &lines, &whole}) recorder->sample(data_);
    rows.push_back({data_.time, data_.qpos[7], data_.sensordata[0]});
  }
  for (Recorder* recorder : {&csv, &lines, &whole}) ASSERT_TRUE(recorder->close());

  std::istringstream table(read("a.csv")), objects(read("a.jsonl"));
  std::string line;
  std::getline(table, line);
  EXPECT_THAT(line, HasSubstr(R"(,"qpos.elbow, left",)"));
  const json parsed = json::parse(read("a.json"));
  ASSERT_EQ(parsed["rows"].size(), rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::getline(table, line);
    EXPECT_EQ(std::stod(line), rows[r][0]);
    std::getline(objects, line);
    const json object = json::parse(line);
    EXPECT_EQ(object["time"], rows[r][0]);
    EXPECT_EQ(object["qpos.elbow, left"], rows[r][1]);
    EXPECT_EQ(object["sensordata.left_hand.0"], rows[r][2]);
    EXPECT_EQ(parsed["rows"][r][8], rows[r][1]);
  }
  EXPECT_FALSE(std::getline(table, line));
}

/// The members of a ZIP archive without compression, with their checksums checked.
std::map<std::string, std::string> unzip(const std::string& bytes) {
  std::map<std::string, std::string> out;
  const auto number = [&](std::size_t at, int size) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, static_cast<std::size_t>(size));
    return value;
  };
  for (std::size_t at = 0; number(at, 4) == 0x04034b50;) {
    const std::uint32_t size = number(at + 18, 4), name = number(at + 26, 2);
    const std::string content = bytes.substr(at + 30 + name, size);
    EXPECT_EQ(lodepng_crc32(reinterpret_cast<const unsigned char*>(content.data()), content.size()),
              number(at + 14, 4));
    out[bytes.substr(at + 30, name)] = content;
    at += 30 + name + size;
  }
  return out;
}

TEST_F(RecorderTest, NpzHoldsAnArrayForEachQuantity) {
  Recorder recorder = open("a.npz");
  record(recorder, 4);
  ASSERT_TRUE(recorder.close());
  const auto members = unzip(read("a.npz"));
  ASSERT_EQ(members.size(), 7);  // time, five quantities, columns
  const std::string& qpos = members.at("qpos.npy");
  EXPECT_THAT(qpos, testing::StartsWith("\x93NUMPY"));
  EXPECT_THAT(qpos, HasSubstr("'shape': (4, 8)"));
  ASSERT_EQ(qpos.size(), 128 + 4 * 8 * sizeof(double));
  double last = 0;
  std::memcpy(&last, qpos.data() + qpos.size() - sizeof(double), sizeof(double));
  EXPECT_EQ(last, data_.qpos[7]);
  EXPECT_THAT(members.at("columns.npy"), HasSubstr("'shape': (23,)"));
}

TEST_F(RecorderTest, TakesEveryNthSample) {
  RecordOptions options;
  options.every = 3;
  options.signals = {"qpos.root.2"};
  Recorder recorder = open("a.csv", options);
  int due = 0;
  for (int i = 0; i < 10; ++i) {
    due += recorder.due();
    record(recorder, 1);
  }
  EXPECT_EQ(due, 4);
  EXPECT_EQ(recorder.rows(), 4);
}

TEST_F(RecorderTest, EveryFormatIsACompleteFileAfterAFlush) {
  for (const std::string& ending : record_endings()) {
    RecordOptions options;
    options.flush_seconds = 1e9;
    Recorder recorder = open("a" + ending, options);
    record(recorder, 3);
    ASSERT_TRUE(recorder.flush());
    record(recorder, 3);
    ASSERT_TRUE(recorder.flush());
    // the file as left by a crash at this point
    const std::string content = read("a" + ending);
    if (ending == ".json") {
      EXPECT_EQ(json::parse(content)["rows"].size(), 6);
    }
    if (ending == ".csv") {
      EXPECT_EQ(std::ranges::count(content, '\n'), 7);
    }
    if (ending == ".jsonl") {
      EXPECT_EQ(std::ranges::count(content, '\n'), 6);
    }
    if (ending == ".npz") {
      EXPECT_THAT(unzip(content).at("qpos.npy"), HasSubstr("'shape': (6, 8)"));
    }
    if (ending == ".svg") {
      EXPECT_THAT(content, testing::EndsWith("</svg>\n"));
    }
  }
}

TEST_F(RecorderTest, BodyForcesAreComputedIfRecorded) {
  RecordOptions options;
  options.signals = {"cfrc_int.torso"};
  Recorder recorder = open("a.json", options);
  data_.xfrc_applied[6 + 2] = 7;  // an upward force at the torso
  forward(model_, data_);
  recorder.complete(model_, data_);
  recorder.sample(data_);
  ASSERT_TRUE(recorder.close());
  EXPECT_EQ(data_.cfrc_ext[6 + 5], 7);
  EXPECT_NEAR(json::parse(read("a.json"))["rows"][0][6].get<double>(), 0, 1e-12);  // a free joint transmits no force
}

TEST(WarningLog, CountsAcrossResetsAndKeepsTheFirstOccurrence) {
  const Model m = load_string(R"(<mujoco><option timestep="0.1"/><worldbody>
      <body><joint type="slide"/><geom size="0.1"/></body></worldbody></mujoco>)")
                      .value_or_throw();
  Data d(m);
  WarningLog log;
  const auto go = [&] {
    const double before = d.time;
    step(m, d);
    log.look(d, before);
  };
  go();
  go();
  EXPECT_TRUE(log.empty());
  for (int i = 0; i < 3; ++i) {
    d.qvel[0] = std::nan("");
    go();
    EXPECT_EQ(log.news().empty(), i > 0);
    go();
  }
  EXPECT_EQ(log[Warning::BadQvel].number, 3);
  EXPECT_EQ(log[Warning::BadQvel].resets, 3);
  EXPECT_EQ(log[Warning::BadQvel].first_step, 2);
  EXPECT_NEAR(log[Warning::BadQvel].first_time, 0.2, 1e-12);
  EXPECT_THAT(log.lines(), ElementsAre("qvel is bad at index 0: 3 times, first at time 0.2 (step 2); 3 resets"));
}

}  // namespace
}  // namespace sinew
