// Fuzz target for the reader and the compiler: for any text the result is a model or an error.
//
//   mjcf_fuzz RUNS FOLDER     mutates the *.xml files of FOLDER and some built-in models RUNS times, deterministically
//
// With clang, -fsanitize=fuzzer and SINEW_LIBFUZZER it is a libFuzzer target instead.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "driver.h"
#include "sinew/load.h"
#include "spec/schema.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  sinew::LoadOptions all;
  all.collect_all = true;
  const auto first = sinew::read_mjcf_string(text);
  const auto every = sinew::read_mjcf_string(text, all);
  // both modes must agree on whether the model is valid, and an error must have a message
  if (static_cast<bool>(first) != static_cast<bool>(every)) std::abort();
  if (!first && first.error().text().empty()) std::abort();
  if (!first) return 0;
  const auto model = sinew::compile(*first);
  if (!model && model.error().text().empty()) std::abort();
  return 0;
}

#ifndef SINEW_LIBFUZZER

namespace {

constexpr std::size_t kMaxBytes = 1 << 15;

constexpr const char* kSeeds[] = {
    R"(<mujoco><default><geom rgba="1 0 0 1"/><default class="a"><joint damping="1"/><position kp="3"/></default></default>
<worldbody><body name="b" childclass="a"><joint name="j" range="-1 1"/><geom name="g" size=".1" euler="0 90 0"/><site name="s"/>
<frame pos="1 0 0"><body name="c"><freejoint/><geom type="box" size="1 1 1"/></body></frame></body></worldbody></mujoco>)",
    R"(<mujoco><actuator><position joint="j" kp="1"/><dcmotor joint="j" motorconst="1 2" resistance="3" thermal="1 2"/>
<muscle tendon="t" force="3"/><general site="s" gear="1 0 0"/></actuator><tendon><spatial name="t"><site site="s"/><geom geom="g"/>
<pulley divisor="2"/></spatial></tendon><sensor><contact geom1="g" data="found force" num="2"/></sensor></mujoco>)",
    R"(<mujoco><asset><texture name="t" builtin="checker" width="8" height="8"/><material name="m"><layer role="rgb" texture="t"/>
</material></asset><custom><numeric name="n" size="3" data="1"/><tuple name="u"><element objtype="body" objname="b"/></tuple></custom>
<keyframe><key qpos="1 2 3"/></keyframe><size memory="1M" nkey="3"/><visual><map znear=".1"/></visual></mujoco>)",
    // attributes that request memory or time
    R"(<mujoco><compiler><lengthrange mode="all" inttotal="1" timestep=".01"/></compiler><size nuserdata="3" nuser_body="2" nkey="2"/>
<option iterations="5" sdf_initpoints="3" sdf_iterations="2"/><asset><mesh name="m" builtin="supertorus" params="4 .3 1 1" maxhullvert="9"/>
<hfield name="h" size="1 1 1 1" nrow="3" ncol="3"/><texture name="t" type="cube" builtin="gradient" width="4"/></asset><worldbody>
<camera name="c" resolution="3 2"/><replicate count="2" offset="1 0 0"><replicate count="2" sep="-"><body name="b"><joint name="j"/>
<geom type="mesh" mesh="m"/></body></replicate></replicate><body name="p"><attach body="b1-1" prefix="q"/><composite prefix="k" type="cable"
count="4 1 1" curve="s" size="1"><geom size=".1"/></composite></body></worldbody><actuator><general joint="j1-1" actdim="1" dyntype="filter"
nsample="3" delay=".1"/></actuator><sensor><rangefinder camera="c"/><user dim="2"/><clock nsample="4" delay=".01"/></sensor></mujoco>)"};

constexpr std::string_view kValues[] = {
    "0",     "-1",   "1",   "nan",   "inf",     "1e308", "1e-320", "2147483647", "-2147483648", "99999999999999999999",
    "0x1p3", "",     " ",   "1 2 3", "1 0 0 0", "true",  "false",  "auto",       "a",           "\"",
    "&lt;",  "&#0;", "1,2", "9E"};
constexpr std::string_view kMarkup[] = {"<",  ">",  "/>", "</", "<!--", "-->", "<![CDATA[", "]]>",
                                        "<?", "?>", "&",  "\"", "'",    "=",   "\xff",      "\xc3"};

class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, unsigned seed) : seeds_(std::move(seeds)), random_(seed) {
    collect(sinew::mjcf::schema().root());
  }

  std::string next() {
    std::string text = seeds_[below(seeds_.size())];
    for (std::size_t changes = 1 + below(8); changes > 0; --changes) change(text);
    if (text.size() > kMaxBytes) text.resize(kMaxBytes);
    return text;
  }

 private:
  void collect(const sinew::mjcf::Element& element) {
    for (const sinew::mjcf::Element* known : elements_) {
      if (known == &element) return;
    }
    elements_.push_back(&element);
    for (const sinew::mjcf::Element* child : element.children) collect(*child);
  }

  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }

  /// A random element of the language with some of its attributes.
  std::string any_element() {
    const sinew::mjcf::Element& element = *elements_[below(elements_.size())];
    std::string text = "<" + std::string(element.name);
    for (const auto& row : element.attributes) {
      if (below(3) != 0) continue;
      const bool word = !row.keywords.empty() && below(2) == 0;
      const std::string_view value =
          word ? row.keywords[below(row.keywords.size())].word : kValues[below(std::size(kValues))];
      text += " " + std::string(row.name) + "=\"" + std::string(value) + "\"";
    }
    return text + "/>";
  }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = below(std::min<std::size_t>(64, text.size() - at) + 1);
    switch (below(8)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(at, length)); break;
      case 2: text.insert(at, kMarkup[below(std::size(kMarkup))]); break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(random_());
        break;
      case 4: replace_value(text, at); break;
      case 5: {
        const std::string& other = seeds_[below(seeds_.size())];
        text.insert(at, other.substr(below(other.size()), 256));
        break;
      }
      default: {
        const std::size_t tag = text.find('>', at);
        text.insert(tag == std::string::npos ? text.size() : tag + 1, any_element());
      }
    }
  }

  void replace_value(std::string& text, std::size_t at) {
    const std::size_t begin = text.find('"', at);
    const std::size_t end = begin == std::string::npos ? begin : text.find('"', begin + 1);
    if (end != std::string::npos) text.replace(begin + 1, end - begin - 1, kValues[below(std::size(kValues))]);
  }

  std::vector<std::string> seeds_;
  std::mt19937_64 random_;
  std::vector<const sinew::mjcf::Element*> elements_;
};

std::vector<std::string> read_seeds(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".xml") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());  // directory order is unspecified, runs must be reproducible
  std::vector<std::string> seeds(std::begin(kSeeds), std::end(kSeeds));
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: mjcf_fuzz RUNS FOLDER\n");
    return 2;
  }
  Mutator mutator(read_seeds(argv[2]), 1);
  return fuzz::run(argv[0], argv[1], [&] { return mutator.next(); });
}

#endif
