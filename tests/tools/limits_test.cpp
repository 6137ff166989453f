// The command under system limits: it handles any model without being killed.

#include <gmock/gmock.h>

#include "shell.h"

namespace sinew::test {
namespace {

using testing::HasSubstr;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
const std::string kSystemLimits = "ulimit -t 60;";  // a sanitizer reserves far more memory than it uses
#else
const std::string kSystemLimits = "ulimit -v 1048576; ulimit -t 10;";  // 1 GiB, 10 s of CPU time
#endif

std::string repeat(const std::string& part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

class Limits : public Shell {
 protected:
  Outcome limited(const std::string& arguments) const {
    const std::string line =
        kSystemLimits + " cd '" + path(".") + "' && '" SINEW_COMMAND "' " + arguments + " >.out 2>.err </dev/null";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".err")};
  }
};

struct Hostile {
  std::string model;
  std::string message;
};

TEST_F(Limits, OneGigabyteAndTenSecondsSufficeToRefuseAnyModel) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs more memory than the limit";
#endif
  const std::string muscle =
      "<worldbody><site name='s' pos='0 0 1'/><body><joint/><geom size='.1' pos='1 0 0'/><site name='t' pos='1 0 0'/>"
      "</body></worldbody><tendon><spatial name='t'><site site='s'/><site site='t'/></spatial></tendon>"
      "<actuator><muscle tendon='t'/></actuator>";
  const Hostile models[] = {
      {"<compiler><lengthrange mode='all' inttotal='1e9'/></compiler>" + muscle, "<lengthrange inttotal>"},
      {"<size nkey='100000' nuserdata='10000000'/><worldbody><replicate count='20000'><body><freejoint/>"
       "<geom size='1'/></body></replicate></worldbody>",
       "key_qpos"},
      {"<asset>" +
           [] {
             std::string out;
             for (int i = 0; i < 100; ++i)
               out += "<hfield name='h" + std::to_string(i) + "' size='1 1 1 1' nrow='8192' ncol='8192'/>";
             return out;
           }() +
           "</asset>",
       "memory"},
      {"<sensor>" + repeat("<user dim='1000000'/>", 400) + "</sensor>", "memory"},
      {"<worldbody><replicate count='400000'><site name='" + std::string(20'000, 'a') + "'/></replicate></worldbody>",
       "<replicate count>"},
      {"<worldbody>" + repeat("<body><joint type='ball'/><geom size='1'/>", 900) +
           "<replicate count='20000'><body><joint/><geom size='1'/></body></replicate>" + repeat("</body>", 900) +
           "</worldbody>",
       "memory"},
      {"<worldbody>" + repeat("<body>", 100'000), "nested more than 1000 deep"},
      {"<default>" + repeat("<default class='a'>", 900) + repeat("</default>", 901), "already exists"}};
  for (const Hostile& hostile : models) {
    write("hostile.xml", "<mujoco>" + hostile.model + "</mujoco>");
    const Outcome outcome = limited("check hostile.xml");
    EXPECT_EQ(outcome.code, 1) << hostile.model.substr(0, 200) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(hostile.message));
  }
}

TEST_F(Limits, EverySubcommandThatLoadsHasAMemoryLimitOption) {
  write("large.xml", "<mujoco><size nuserdata='1000000'/></mujoco>");
  for (const std::string command : {"info large.xml", "check large.xml", "run large.xml --steps 1",
                                    "compile large.xml out.snw", "compile large.xml out.xml"}) {
    const Outcome small = sinew(command + " --memory-limit 5M");
    EXPECT_EQ(small.code, 1) << command;
    EXPECT_THAT(small.out + small.err, HasSubstr("needs 7.6")) << command;
    EXPECT_EQ(sinew("--memory-limit 50M " + command).code, 0) << command;
  }
  EXPECT_EQ(sinew("check large.xml --memory-limit much").code, 2);
}

TEST_F(Limits, CtrlCInterruptsALongLoad) {
  write("long.xml",
        "<mujoco><compiler><lengthrange mode='all' inttotal='24000'/></compiler><worldbody><body><joint name='j'/>"
        "<geom size='1'/></body></worldbody><actuator><motor joint='j'/></actuator></mujoco>");
  const Outcome r = interrupted("check long.xml", [] { return true; });
  EXPECT_EQ(r.code, 128 + 2);
  EXPECT_EQ(r.err, "interrupted while loading\n");
}

}  // namespace
}  // namespace sinew::test
