#include "words.h"

#include <algorithm>
#include <array>
#include <span>

#include "spec/keywords.h"

namespace sinew::tool {
namespace {

/// In the order of the bits of DisableFlag and EnableFlag.
constexpr std::string_view kDisable[] = {"constraint",   "equality",  "frictionloss", "limit",     "contact",
                                         "spring",       "damper",    "gravity",      "clampctrl", "warmstart",
                                         "filterparent", "actuation", "refsafe",      "sensor",    "midphase",
                                         "eulerdamp",    "autoreset", "nativeccd",    "island",    "multiccd"};
constexpr std::string_view kEnable[] = {"override", "energy", "fwdinv", "invdiscrete", "sleep", "diagexact"};

std::string_view word(std::span<const mjcf::Keyword> words, int value) {
  const auto found = std::ranges::find(words, value, &mjcf::Keyword::value);
  return found != words.end() ? found->word : "?";
}

Json flag_words(std::span<const std::string_view> words, int bits) {
  Json out = Json::array();
  for (std::size_t i = 0; i < words.size(); ++i)
    if (bits & (1 << i)) out.push_back(words[i]);
  return out;
}

/// The keyword or keywords of an option that is an enumeration or a set of flags; null for a plain number.
Json option_words(std::string_view name, int value) {
  if (name == "integrator") return integrator_word(value);
  if (name == "solver") return solver_word(value);
  if (name == "cone") return cone_word(value);
  if (name == "jacobian") return word(mjcf::kJacobian, value);
  if (name == "disableflags") return flag_words(kDisable, value);
  if (name == "enableflags") return flag_words(kEnable, value);
  return nullptr;
}

template <class Visit>
void for_each_option(const Option& option, Visit&& visit) {
#define SINEW_OPTION(type, name, value, doc) visit(#name, option.name);
#define SINEW_OPTION_ARRAY(type, name, count, doc, ...) visit(#name, option.name);
#include "sinew/option_fields.def"
#undef SINEW_OPTION
#undef SINEW_OPTION_ARRAY
}

Json to_json(double x) { return number(x); }
Json to_json(int x) { return x; }
template <std::size_t n>
Json to_json(const std::array<double, n>& x) {
  return numbers(x);
}

}  // namespace

std::string_view integrator_word(int integrator) { return word(mjcf::kIntegrator, integrator); }
std::string_view solver_word(int solver) { return word(mjcf::kSolver, solver); }
std::string_view cone_word(int cone) { return word(mjcf::kCone, cone); }
std::string_view joint_word(int joint_type) { return word(mjcf::kJointType, joint_type); }

Json all_options(const Option& option) {
  Json out = Json::object();
  for_each_option(option, [&](const char* name, const auto& value) { out[name] = to_json(value); });
  return out;
}

Json changed_options(const Option& option) {
  const Json defaults = all_options(Option());
  Json out = all_options(option);
  for (const auto& [name, value] : defaults.items()) {
    if (out[name] == value) {
      out.erase(name);
    } else if (value.is_number_integer()) {
      if (Json words = option_words(name, out[name].get<int>()); !words.is_null()) out[name] = std::move(words);
    }
  }
  return out;
}

}  // namespace sinew::tool
