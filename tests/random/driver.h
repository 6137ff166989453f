#pragma once

#include <string>
#include <vector>

#include "random/laws.h"

namespace random_worlds {

/// What a program of random worlds does with one of them, in a process of its own.
struct Check {
  const char* program;
  std::vector<Failure> (*check)(const World& world, Note note);
  std::uint64_t (*hash)(const World& world);  // null: the program has none
};

/// The main function: --seed N --count N --seconds S --no-shrink --hash --file MODEL --folder OUT --only LAW.
int drive(const Check& check, int argc, char** argv);

}  // namespace random_worlds
