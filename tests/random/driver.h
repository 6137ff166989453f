#pragma once

#include <string>
#include <vector>

#include "random/laws.h"

namespace random_worlds {

/// How a program checks one random world, in a separate process.
struct Check {
  const char* program;
  std::vector<Failure> (*check)(const World& world, Note note);
  std::uint64_t (*hash)(const World& world);  // null: not supported
};

/// The main function: --seed N --count N --seconds S --no-shrink --hash --file MODEL --folder OUT --only LAW.
int drive(const Check& check, int argc, char** argv);

}  // namespace random_worlds
