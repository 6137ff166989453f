// Excessive sizes are refused before memory is allocated, with a message that names the number that is too large.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lodepng.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "base/budget.h"
#include "collision/collide.h"
#include "dynamics/kinematics.h"
#include "sinew/data.h"
#include "sinew/load.h"
#include "sinew/step.h"

namespace sinew {
namespace {

using testing::HasSubstr;

std::string repeat(const std::string& part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

std::string world(const std::string& inside) { return "<worldbody>" + inside + "</worldbody>"; }

const std::string kBall = "<geom size='1'/>";
const std::string kHinge = "<body><joint name='j'/><geom size='1'/></body>";
const std::string kMuscle = world(
                                "<site name='s' pos='0 0 1'/><body><joint/><geom size='.1' pos='1 0 0'/>"
                                "<site name='t' pos='1 0 0'/></body>") +
                            "<tendon><spatial name='t'><site site='s'/><site site='t'/></spatial></tendon>"
                            "<actuator><muscle name='m' tendon='t'/></actuator>";

std::string doubling_attaches(int levels) {
  std::string out = "<body name='b0'><geom size='.1'/></body>";
  for (int i = 1; i < levels; ++i) {
    const std::string before = std::to_string(i - 1), here = std::to_string(i);
    out += "<body name='b" + here + "'><attach body='b" + before + "' prefix='x" + here + "'/><attach body='b" +
           before + "' prefix='y" + here + "'/></body>";
  }
  return out;
}

/// Each body holds `nested` nested ones, the innermost a copy of the previous body.
std::string deepening_attaches(int levels, int nested) {
  std::string out = "<body name='b0'/>";
  for (int i = 1; i < levels; ++i)
    out += "<body name='b" + std::to_string(i) + "'>" + repeat("<body>", nested) + "<attach body='b" +
           std::to_string(i - 1) + "' prefix='x" + std::to_string(i) + "'/>" + repeat("</body>", nested) + "</body>";
  return out;
}

struct Case {
  std::string name;
  std::string model;    // between <mujoco> and </mujoco>
  std::string message;  // required part of the error
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<Case> hostile_models() {
  const std::string many = world("<replicate count='20000'><body><freejoint/><geom size='1'/></body></replicate>");
  const std::string long_name(100'000, 'a');
  std::string builtin_textures, spheres;
  for (int i = 0; i < 9; ++i) {
    builtin_textures +=
        "<texture name='t" + std::to_string(i) + "' type='2d' builtin='flat' width='4096' height='4096'/>";
    spheres += "<mesh name='m" + std::to_string(i) + "' builtin='supersphere' params='500 1 1'/>";
  }
  return {
      {"actdim", world(kHinge) + "<actuator><general joint='j' dyntype='user' actdim='2000000000'/></actuator>",
       "<general actdim>: is 2000000000, must be at most 1000000"},
      {"attach_deepening", world(deepening_attaches(10, 400)), "<attach>: bodies would be nested 1"},
      {"attach_doubling", world(doubling_attaches(40)), "<attach>: makes"},
      {"attributes",
       world("<geom " +
             [] {
               std::string out;
               for (int i = 0; i < 2000; ++i) out += " a" + std::to_string(i) + "='1'";
               return out;
             }() +
             "/>"),
       "attribute a1000 of <geom> exceeds the limit: an element has at most 1000"},
      {"camera_resolution", world("<camera resolution='100000 1'/>"),
       "<camera resolution>: is 100000, must be at most 32768"},
      {"composite_count",
       world("<body><composite type='cable' count='2000000000 1 1' curve='s'><geom size='.01'/></composite></body>"),
       "<composite count>: has 2000000000 points, a cable takes at most 1000"},
      {"contact_num", world("<geom name='g' size='1'/>") + "<sensor><contact geom1='g' num='2000000000'/></sensor>",
       "<contact num>: is 2000000000, must be at most 100000"},
      {"default_classes",
       "<default>" +
           [] {
             std::string out;
             for (int i = 0; i < 10'001; ++i) out += "<default class='c" + std::to_string(i) + "'/>";
             return out;
           }() +
           "</default>",
       "<default class>: more than 10000 default classes"},
      {"depth", world(repeat("<body>", 1200) + repeat("</body>", 1200)), "elements are nested more than 1000 deep"},
      {"hfield_points", "<asset><hfield name='h' size='1 1 1 1' nrow='2000000000' ncol='2000000000'/></asset>",
       "<hfield name=\"h\" nrow>: height field of 2000000000 x 2000000000 points: must be at least 1 x 1 and at most "
       "67108864 in total"},
      {"history", world(kBall) + "<sensor><clock nsample='2000000000' delay='1'/></sensor>",
       "<clock nsample>: is 2000000000, must be at most 16777216"},
      {"histories_together", world(kBall) + "<sensor>" + repeat("<clock nsample='16777216'/>", 40) + "</sensor>",
       "the model is too large: with one Data it needs 1"},
      {"iterations", "<option iterations='2000000000'/>", "<option iterations>: is 2000000000, must be at most 100000"},
      {"ccd_iterations", "<option ccd_iterations='2000000000'/>", "<option ccd_iterations>: is 2000000000"},
      {"noslip_iterations", "<option noslip_iterations='2000000000'/>", "<option noslip_iterations>: is 2000000000"},
      {"sdf_initpoints", "<option sdf_initpoints='2000000000'/>",
       "<option sdf_initpoints>: is 2000000000, must be at most 65536"},
      {"sdf_iterations", "<option sdf_iterations='2000000000'/>",
       "<option sdf_iterations>: is 2000000000, must be at most 10000"},
      {"keys", "<size nkey='2000000000'/>", "<size nkey>: is 2000000000, must be at most 100000"},
      {"keys_of_many_bodies", "<size nkey='100000'/>" + many,
       "the model is too large: key_qpos would have 100000 x 140000 entries, at most 2147483647 are allowed"},
      {"keys_of_copies",
       world("<replicate count='20000'><body name='b'><joint name='j'/><geom size='1'/></body></replicate>") +
           "<keyframe><key qpos='1'/></keyframe>",
       "keyframes, one for each copy, would have more than 50000000 numbers"},
      {"length_range_total", "<compiler><lengthrange mode='all' inttotal='1e9'/></compiler>" + kMuscle,
       "<string>:1: error: <lengthrange inttotal>: 1e+09 s in steps of 0.01 s takes 2e+11 steps to pull 1 actuator to "
       "both "
       "limits; at most 5e+06 are allowed"},
      {"length_range_timestep", "<compiler><lengthrange timestep='1e-9'/></compiler>" + kMuscle,
       "<lengthrange timestep>: 10 s in steps of 1e-09 s takes 2e+10 steps"},
      {"length_range_own_timestep",
       "<option timestep='1e-12'/><compiler><lengthrange timestep='0'/></compiler>" + kMuscle,
       "<lengthrange timestep>: 10 s in steps of 1e-12 s"},
      {"length_range_stalled_clock", "<compiler><lengthrange inttotal='1e300' interval='1e300'/></compiler>" + kMuscle,
       "<lengthrange inttotal>: 1e+300 s"},
      {"mesh_builtin", "<asset><mesh name='m' builtin='supertorus' params='1000000 .3 1 1'/></asset>",
       "<mesh name=\"m\">: builtin supertorus: resolution is 1000000, must be at least 3 and at most 500"},
      {"mesh_builtins_together", "<asset>" + spheres + "</asset>",
       "<mesh name=\"m3\" params>: the builtin meshes up to this one have 1000008 vertices, at most 1000000 are "
       "allowed"},
      {"mesh_hull", "<asset><mesh name='m' builtin='supersphere' params='200 1 1' maxhullvert='2000000000'/></asset>",
       "<mesh name=\"m\" maxhullvert>: allows 39802 hull vertices, but at most 10000 are supported"},
      {"mesh_subdivision", "<asset><mesh name='m' builtin='sphere' params='30'/></asset>",
       "builtin sphere: subdivision is 30, must be at least 0 and at most 4"},
      {"names_of_copies", world("<replicate count='100000'><site name='" + long_name + "'/></replicate>"),
       "<replicate count>: needs 18.7 GiB"},
      {"numeric_size", "<custom><numeric name='n' size='2000000000' data='1'/></custom>",
       "<numeric name=\"n\" size>: is 2000000000, must be at most 500"},
      {"replicate_count", world("<replicate count='2000000000'>" + kBall + "</replicate>"),
       "<replicate count>: makes 4000000000 copies of elements; with earlier copies more than 500000"},
      {"replicate_of_nothing", world("<replicate count='2000000000'/>"), "<replicate count>: makes 2000000000 copies"},
      {"replicate_nested", world(repeat("<replicate count='10'>", 8) + kBall + repeat("</replicate>", 8)),
       "<replicate count>: makes"},
      {"replicate_bodies", world("<replicate count='70000'><body/></replicate>"),
       "<worldbody name=\"world\">: has 70000 bodies, at most 65532 are allowed"},
      {"replicate_separator", world("<replicate count='100000' sep='" + long_name + "'><site name='s'/></replicate>"),
       "<replicate count>: needs 56 GiB"},
      {"replicate_user",
       world("<replicate count='100000'><geom size='1' user='" + repeat("1 ", 10'000) + "'/></replicate>"),
       "<replicate count>: needs 1"},
      {"sensor_rays",
       world("<camera name='c' resolution='32768 32768'/>") + "<sensor><rangefinder camera='c'/></sensor>",
       "<rangefinder>: has 1073741824 values, more than"},
      {"sparse_matrices",
       world(repeat("<body><joint type='ball'/><geom size='1'/>", 900) +
             "<replicate count='60000'><body><joint/><geom size='1'/></body></replicate>" + repeat("</body>", 900)),
       "the sparse matrices of 62700 degrees of freedom in 60900 bodies: the model with one Data needs"},
      {"texture_channels",
       "<asset><texture name='t' type='2d' builtin='flat' width='8' height='8' nchannel='2000000000'/></asset>",
       "<texture name=\"t\" nchannel>: is 2000000000, must be at most 4"},
      {"texture_cube", "<asset><texture name='t' type='cube' builtin='flat' width='16384'/></asset>",
       "<texture name=\"t\" width>: requests 1610612736 pixels, at most 134217728 are allowed"},
      {"texture_side",
       "<asset><texture name='t' type='2d' builtin='flat' width='2000000000' height='2000000000'/></asset>",
       "<texture name=\"t\" width>: is 2000000000, must be from 1 to 65536"},
      {"textures_together", "<asset>" + builtin_textures + "</asset>",
       "<texture name=\"t8\" width>: the builtin textures up to this one have 150994944 pixels, at most 134217728"},
      {"user_dim", "<sensor><user dim='2000000000'/></sensor>", "<user dim>: is 2000000000, must be at most 1000000"},
      {"user_numbers", "<size nuser_body='2000000000'/>", "<size nuser_body>: is 2000000000, must be at most 10000"},
      {"userdata", "<size nuserdata='2000000000'/>", "<size nuserdata>: is 2000000000, must be at most 10000000"},
  };
}

void append_big_endian(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

void append_chunk(std::string& png, const std::string& kind, const std::string& data) {
  append_big_endian(png, static_cast<std::uint32_t>(data.size()));
  const std::string checked = kind + data;
  png += checked;
  append_big_endian(png, lodepng_crc32(reinterpret_cast<const unsigned char*>(checked.data()), checked.size()));
}

/// A gray PNG whose header declares width x height and whose data decompress to `zeros` zeros.
std::string png_of(std::uint32_t width, std::uint32_t height, std::size_t zeros) {
  std::vector<unsigned char> packed;
  lodepng::compress(packed, std::vector<unsigned char>(zeros));
  std::string header, png = "\x89PNG\r\n\x1a\n";
  append_big_endian(header, width);
  append_big_endian(header, height);
  header += std::string("\x08\x00\x00\x00\x00", 5);
  append_chunk(png, "IHDR", header);
  append_chunk(png, "IDAT", std::string(packed.begin(), packed.end()));
  append_chunk(png, "IEND", "");
  return png;
}

std::string little_endian(std::initializer_list<std::uint32_t> values) {
  std::string out;
  for (const std::uint32_t value : values)
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift);
  return out;
}

TEST(Limits, FilesThatDeclareOrDecompressToTooMuchDataAreRefused) {
  const std::string many_corners = [] {
    std::string out = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf";
    for (int i = 0; i < 20'000; ++i) out += " " + std::to_string(1 + i % 4);
    return out;
  }();
  const std::map<std::string, std::string> files = {
      {"huge.png", png_of(100'000, 100'000, 10)},
      {"bomb.png", png_of(64, 64, 20'000'000)},
      {"good.png", png_of(64, 64, 64 * 65)},
      {"huge.bin", little_endian({2'000'000'000, 2'000'000'000, 0})},
      {"huge.stl", std::string(80, 'x') + little_endian({0xffffffff, 0})},
      {"huge.msh", little_endian({2'000'000'000, 2'000'000'000, 2'000'000'000, 2'000'000'000, 0})},
      {"polygon.obj", many_corners}};
  LoadOptions options;
  options.files = &files;
  const auto texture = [](const std::string& file) {
    return "<mujoco><asset><texture name='a' type='2d' file='" + file + "'/></asset></mujoco>";
  };
  const auto hfield = [](const std::string& file) {
    return "<mujoco><asset><hfield name='a' size='1 1 1 1' file='" + file + "'/></asset></mujoco>";
  };
  const auto mesh = [](const std::string& file) {
    return "<mujoco><asset><mesh name='a' file='" + file + "'/></asset></mujoco>";
  };
  EXPECT_TRUE(load_string(texture("good.png"), options));
  EXPECT_TRUE(load_string(hfield("good.png"), options));
  const std::pair<std::string, std::string> refused[] = {
      {texture("huge.png"), "'huge.png' is 100000 x 100000 pixels; a side may have at most 65536"},
      {texture("bomb.png"), "'bomb.png' is not a valid PNG file"},
      {hfield("huge.png"), "'huge.png': height field of 100000 x 100000 points: must be"},
      {hfield("bomb.png"), "'bomb.png': height field: not a readable PNG"},
      {hfield("huge.bin"), "'huge.bin': height field of 2000000000 x 2000000000 points"},
      {mesh("huge.stl"), "'huge.stl': STL file: 4294967295 triangles, must be 1 to 200000"},
      {mesh("huge.msh"), "'huge.msh': MSH file: the header asks for 88000000000 bytes, found 4"},
      {mesh("polygon.obj"), "'polygon.obj': OBJ file: line 5 has a polygon of 20000 corners"}};
  for (const auto& [model, message] : refused) {
    const Result<Model> result = load_string(model, options);
    ASSERT_FALSE(result) << message;
    EXPECT_THAT(result.error().text(), HasSubstr(message));
  }
}

TEST(Limits, NestedModelAssetsAreCounted) {
  std::map<std::string, std::string> files;
  for (int i = 0; i < 30; ++i) {
    const std::string next = "file='m" + std::to_string(i + 1) + ".xml'/>";
    files["m" + std::to_string(i) + ".xml"] =
        i == 29 ? "<mujoco/>"
                : "<mujoco><asset><model name='a' " + next + "<model name='b' " + next + "</asset></mujoco>";
  }
  LoadOptions options;
  options.files = &files;
  const Result<Model> model = load("m0.xml", options);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().text(), HasSubstr("<model name=\"a\" file>: a model may consist of at most 10000 files"));
}

TEST(Limits, LongTextsAreTruncatedInMessages) {
  const std::string endless(5'000'000, 'x');
  for (const std::string& model :
       {world("<geom size='1' name='" + endless + "' bad='1'/>"), world("<" + endless + "/>"),
        world("<geom " + endless + "='1'/>"), world("<geom size='1' type='" + endless + "'/>"),
        world("<geom size='1' material='" + endless + "'/>"),
        world("<geom size='1' name='" + endless + "'/><geom size='1' name='" + endless + "'/>")}) {
    const Result<Model> result = load_string("<mujoco>" + model + "</mujoco>");
    ASSERT_FALSE(result);
    EXPECT_LT(result.error().text().size(), 3000u);
  }
}

class HostileModel : public testing::TestWithParam<Case> {};

TEST_P(HostileModel, IsRefusedNamingTheNumberThatIsTooLarge) {
  const Result<Model> model = load_string("<mujoco>" + GetParam().model + "</mujoco>");
  ASSERT_FALSE(model) << "was accepted";
  EXPECT_THAT(model.error().text(), HasSubstr(GetParam().message));
  EXPECT_LT(model.error().text().size(), 2000u);
}

INSTANTIATE_TEST_SUITE_P(Limits, HostileModel, testing::ValuesIn(hostile_models()),
                         [](const auto& info) { return info.param.name; });

TEST(Limits, LengthRangeModeNoneIgnoresTheSimulationTime) {
  const std::string none = "<compiler><lengthrange mode='none' inttotal='1e9'/></compiler>";
  EXPECT_TRUE(load_string("<mujoco>" + none + kMuscle + "</mujoco>"));
}

TEST(Limits, CodeAndDocumentListTheSameLimits) {
  const auto names = [](const std::string& file, const char* pattern) {
    std::ifstream in(std::string(SINEW_SOURCE_DIR) + file);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const std::regex expression(pattern);
    std::set<std::string> out;
    for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) out.insert((*it)[1]);
    return out;
  };
  const auto in_code = names("/src/base/limits.h", "constexpr [^=]* (k[A-Za-z]+) =");
  EXPECT_GT(in_code.size(), 30u);
  EXPECT_EQ(in_code, names("/docs/limits.md", "\n\\| `(k[A-Za-z]+)`"));
}

LoadOptions with_memory(std::uint64_t bytes) {
  LoadOptions options;
  options.memory_limit = bytes;
  return options;
}

TEST(MemoryLimit, CoversTextTreeAssetsModelAndData) {
  const std::string start = "<mujoco>", end = "</mujoco>";
  const std::pair<std::string, std::string> models[] = {
      {world("<geom size='1' user='" + repeat("1 ", 300'000) + "'/>"), "the text needs"},
      {world(repeat("<site/>", 5000)), "the tree of elements needs"},
      {world(repeat("<site user='" + repeat("1 ", 100) + "'/>", 700)), "<site>: needs"},
      {"<asset><texture name='t' type='2d' builtin='flat' width='512' height='512'/></asset>",
       "<texture name=\"t\" width>: needs 1.5 MiB"},
      {"<asset><hfield name='h' size='1 1 1 1' nrow='512' ncol='512'/></asset>",
       "<hfield name=\"h\" nrow>: height field of 512 x 512 points: needs 2 MiB"},
      {"<asset><mesh name='m' builtin='supersphere' params='50 1 1'/></asset>", "<mesh name=\"m\">: needs"},
      {"<size nuserdata='100000'/>", "most of it is Data::userdata with 781 KiB"},
      {"<size nkey='10000'/>" + world("<body><freejoint/><geom size='1'/></body>"),
       "most of it is key_qpos with 547 KiB"},
  };
  for (const auto& [model, message] : models) {
    const Result<Model> small = load_string(start + model + end, with_memory(500'000));
    ASSERT_FALSE(small) << model.substr(0, 100);
    EXPECT_THAT(small.error().text(), HasSubstr(message));
    EXPECT_THAT(small.error().text(), HasSubstr("and the limit is 488 KiB"));
    EXPECT_THAT(small.error().text(), HasSubstr("--memory-limit"));
    EXPECT_TRUE(load_string(start + model + end)) << message;
  }
}

TEST(MemoryLimit, AcceptsAModelThatNeedsLess) {
  const std::string text = "<mujoco>" + world(repeat("<body><freejoint/><geom size='1'/></body>", 100)) + "</mujoco>";
  const Result<Model> model = load_string(text, with_memory(4'000'000));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_LT(model->bytes() + Data(*model).bytes(), 4'000'000u);
}

TEST(Interrupt, StopsLongComputationsSoonWithAnError) {
  const std::string chain =
      repeat("<body pos='0 0 1'><joint type='ball'/><geom size='1'/>", 700) + repeat("</body>", 700);
  const std::string torus = "<asset><mesh name='m' builtin='supertorus' params='200 .3 1 1'/></asset>" +
                            world("<body><freejoint/><geom type='sdf' mesh='m'/></body>");
  for (const std::string& model :
       {"<compiler><lengthrange inttotal='20000'/></compiler>" + kMuscle, world(chain), torus}) {
    using Clock = std::chrono::steady_clock;
    LoadOptions options;
    int asked = 0;
    const auto start = Clock::now();
    options.interrupt = [&] { return ++asked > 1; };
    const Result<Model> loaded = load_string("<mujoco>" + model + "</mujoco>", options);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().text(), "error: loading was interrupted");
    EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count(), 5);
  }
}

TEST(Interrupt, DoesNotChangeTheResultIfNotRequested) {
  const std::string text =
      "<mujoco><compiler angle='radian'><lengthrange mode='all'/></compiler><worldbody><body>"
      "<joint name='j' limited='true' range='-1 1'/><geom size='.1' mass='1'/></body></worldbody>"
      "<actuator><motor joint='j'/></actuator></mujoco>";
  LoadOptions options;
  options.interrupt = [] { return false; };
  const Result<Model> asked = load_string(text, options), plain = load_string(text);
  ASSERT_TRUE(plain) << plain.error().text();
  ASSERT_TRUE(asked) << asked.error().text();
  EXPECT_EQ(asked->actuator_lengthrange, plain->actuator_lengthrange);
}

TEST(Budget, GrantsNoMoreThanIsLeft) {
  Budget budget(1000, {});
  EXPECT_TRUE(budget.take(600));
  EXPECT_FALSE(budget.take(401));
  EXPECT_FALSE(budget.take(1e300));
  EXPECT_TRUE(budget.take(400));
  budget.give_back(100);
  EXPECT_TRUE(budget.take(100));
  EXPECT_EQ(budget.refusal(2048), "needs 2 KiB of memory, 1000 bytes are in use, and the limit is 1000 bytes");
}

TEST(Limits, ContactsBeyondTheLimitAreDroppedAndCounted) {
  // 600 boxes at the same position: 179,700 pairs, each with several contacts
  const Result<Model> model = load_string("<mujoco><option iterations='1' solver='CG'/>" +
                                          world("<replicate count='600'><body><freejoint/>"
                                                "<geom type='box' size='1 1 1'/></body></replicate>") +
                                          "</mujoco>");
  ASSERT_TRUE(model);
  Data data(*model);
  reset(*model, data);
  kinematics(*model, data);
  collide(*model, data);
  EXPECT_LE(data.ncon, 500'000);
  EXPECT_GT(data.ncon, 499'900);
  EXPECT_GT(data.warning[static_cast<int>(Warning::ContactFull)].number, 0);
}

}  // namespace
}  // namespace sinew
