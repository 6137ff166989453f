#pragma once

#include <optional>
#include <string>
#include <vector>

#include "random/world.h"
#include "sinew/model.h"

// What holds for every world, whatever its numbers. Each law says what broke it, first what (a word that stays the same
// while the world is shrunk), then the numbers.

namespace random_worlds {

struct Failure {
  std::string law;
  std::string what;     // which part broke: a field, a stage
  std::string numbers;  // how far
};
using Broken = std::optional<Failure>;

/// Every law, for one world; `note` is told what runs next.
using Note = void (*)(const char*);
std::vector<Failure> check_laws(const World& world, Note note);

/// A number that depends on every bit of the run: equal for builds with other kernels, compilers and machines.
std::uint64_t run_hash(const World& world);

}  // namespace random_worlds
