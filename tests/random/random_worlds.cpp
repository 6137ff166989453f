// Random models and states against laws that need no other engine; see driver.h for the options.

#include "random/driver.h"

int main(int argc, char** argv) {
  return random_worlds::drive({"random_worlds", random_worlds::check_laws, random_worlds::run_hash}, argc, argv);
}
