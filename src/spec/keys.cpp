#include "spec/keys.h"

#include <fmt/format.h>

#include <limits>

#include "base/limits.h"
#include "model/joint_kinds.h"
#include "spec/actuator_sizes.h"

namespace sinew::mjcf {
namespace {

/// An element with numbers in keyframes: which two arrays, and how many numbers of each.
struct Share {
  const spec::Element* element;
  std::vector<double> spec::Key::*first;
  std::vector<double> spec::Key::*second;
  std::size_t nfirst;
  std::size_t nsecond;
};

/// In the order of the arrays.
std::vector<Share> shares_of(const Spec& spec, const std::vector<const spec::Body*>& roots) {
  using K = spec::Key;
  std::vector<Share> out;
  for (const spec::Body* root : roots) {
    for_each_below(*root, [&](ObjType, const auto& element) {
      using T = std::remove_cvref_t<decltype(element)>;
      if constexpr (std::is_same_v<T, spec::Joint>) {
        const JointKind& kind = joint_kind(element.type);
        out.push_back(
            {&element, &K::qpos, &K::qvel, static_cast<std::size_t>(kind.nq), static_cast<std::size_t>(kind.nv)});
      } else if constexpr (std::is_same_v<T, spec::Body>) {
        if (element.mocap) out.push_back({&element, &K::mpos, &K::mquat, 3, 4});
      }
    });
  }
  for (const spec::Actuator& actuator : spec.actuators) {
    const ActuatorSizes sizes = sizes_of(actuator);
    out.push_back({&actuator, &K::act, &K::ctrl, static_cast<std::size_t>(sizes.activations),
                   static_cast<std::size_t>(sizes.controls)});
  }
  return out;
}

struct NamedArray {
  const char* name;
  std::vector<double> spec::Key::*array;
};
constexpr NamedArray kArrays[] = {{"qpos", &spec::Key::qpos}, {"qvel", &spec::Key::qvel}, {"act", &spec::Key::act},
                                  {"ctrl", &spec::Key::ctrl}, {"mpos", &spec::Key::mpos}, {"mquat", &spec::Key::mquat}};

}  // namespace

KeyStates::Parts KeyStates::take_apart(const Spec& spec, const std::vector<const spec::Body*>& roots,
                                       const XmlNode& macro, Report& report) const {
  Parts out;
  if (spec.keys.empty()) return out;
  const std::vector<Share> shares = shares_of(spec, roots);
  for (const spec::Key& key : spec.keys) {
    Parts::Part part;
    part.key = key;
    std::vector<std::size_t> next(std::size(kArrays));
    const auto take = [&](std::vector<double> spec::Key::*array, std::size_t count) {
      std::size_t which = 0;
      while (kArrays[which].array != array) ++which;
      const std::vector<double>& from = key.*array;
      const std::size_t begin = next[which];
      next[which] += count;
      if (next[which] > from.size()) return std::vector<double>();
      const auto first = from.begin() + static_cast<std::ptrdiff_t>(begin);
      return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(count));
    };
    for (const Share& s : shares)
      part.numbers.push_back({s.element, {take(s.first, s.nfirst), take(s.second, s.nsecond)}});
    for (std::size_t i = 0; i < std::size(kArrays); ++i) {
      const std::size_t size = (key.*kArrays[i].array).size();
      // after a macro has made copies a keyframe may be too short: the copies take their reference values
      if (size == 0 || size == next[i] || (size < next[i] && any())) continue;
      report.error({&macro},
                   fmt::format("{} of the keyframe '{}' has {} numbers, the model has {} at this point",
                               kArrays[i].name, key.name, size, next[i]),
                   "a keyframe covers one copy and what comes before it");
    }
    out.keys.push_back(std::move(part));
  }
  return out;
}

void KeyStates::keep(const Parts& parts, const Renaming& names) {
  for (const Parts::Part& part : parts.keys) {
    for (const auto& [element, numbers] : part.numbers) numbers_[element][kept_.size()] = numbers;
    kept_.push_back(part.key);
    kept_.back().name = names(part.key.name);
  }
}

void KeyStates::move(const spec::Element& original, const spec::Element& copy) {
  const auto found = numbers_.find(&original);
  if (found == numbers_.end()) return;
  std::map<std::size_t, Numbers> numbers = std::move(found->second);
  numbers_.erase(found);
  numbers_[&copy] = std::move(numbers);
}

void KeyStates::forget(const Parts& parts) {
  for (const Parts::Part& part : parts.keys) {
    for (const auto& [element, numbers] : part.numbers) numbers_.erase(element);
  }
}

void move_numbers(KeyStates& keys, const spec::Body& original, const spec::Body& copy) {
  std::vector<std::pair<const spec::Body*, const spec::Body*>> pending = {{&original, &copy}};
  while (!pending.empty()) {
    const auto [from, to] = pending.back();
    pending.pop_back();
    keys.move(*from, *to);
    for (std::size_t i = 0; i < from->joints.size(); ++i) keys.move(from->joints[i], to->joints[i]);
    for (std::size_t i = 0; i < from->bodies.size(); ++i) pending.emplace_back(&from->bodies[i], &to->bodies[i]);
  }
}

void KeyStates::forget_actuators(const Spec& spec) {
  for (const spec::Actuator& actuator : spec.actuators) numbers_.erase(&actuator);
}

void KeyStates::fill(const Spec& spec, std::size_t index, spec::Key& key) const {
  const spec::Key given = key;
  for (const NamedArray& array : kArrays) (key.*array.array).clear();
  const auto append = [&](std::vector<double> spec::Key::*array, const std::vector<double>* numbers,
                          std::size_t count) {
    if ((given.*array).empty()) return;
    for (std::size_t i = 0; i < count; ++i) {
      (key.*array).push_back(numbers && i < numbers->size() ? (*numbers)[i] : std::numeric_limits<double>::quiet_NaN());
    }
  };
  for (const Share& share : shares_of(spec, {&spec.world})) {
    const auto found = numbers_.find(share.element);
    const Numbers* numbers = nullptr;
    if (found != numbers_.end()) {
      const auto own = found->second.find(index);
      if (own != found->second.end()) numbers = &own->second;
    }
    append(share.first, numbers ? &numbers->first : nullptr, share.nfirst);
    append(share.second, numbers ? &numbers->second : nullptr, share.nsecond);
  }
}

void KeyStates::put_together(Spec& spec, Report& report) {
  if (kept_.empty()) return;
  std::size_t numbers = 0;
  for (const Share& share : shares_of(spec, {&spec.world})) numbers += share.nfirst + share.nsecond;
  if (numbers > limits::kCopiedKeyNumbers / kept_.size()) {
    report.error_at(kept_[0].origin.file, kept_[0].origin.line,
                    fmt::format("{} keyframes, one for each copy, would have more than {} numbers", kept_.size(),
                                limits::kCopiedKeyNumbers));
    return;
  }
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    spec::Key key = kept_[i];
    fill(spec, i, key);
    spec.keys.add(std::move(key));
  }
}

}  // namespace sinew::mjcf
