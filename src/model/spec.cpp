#include "sinew/spec.h"

namespace sinew {

Spec::Spec() {
  world.name = "world";
  classes.add();  // main
}

}  // namespace sinew
