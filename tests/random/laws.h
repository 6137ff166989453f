#pragma once

#include <optional>
#include <string>
#include <vector>

#include "random/world.h"
#include "sinew/model.h"

// Laws that hold for every world. A failure names its cause (which stays the same while the world is shrunk) and the
// numbers.

namespace random_worlds {

struct Failure {
  std::string law;
  std::string what;     // which part broke: a field, a stage
  std::string numbers;  // by how much
};
using Broken = std::optional<Failure>;

/// Checks every law for one world; `note` is called with what runs next.
using Note = void (*)(const char*);
std::vector<Failure> check_laws(const World& world, Note note);

/// A hash over every bit of the run: the same for all kernels, compilers and machines.
std::uint64_t run_hash(const World& world);

}  // namespace random_worlds
