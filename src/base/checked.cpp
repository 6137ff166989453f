#include "base/checked.h"

#include <cstdio>
#include <cstdlib>

namespace sinew {

void end_checked(const CodePlace& place, const char* what, std::size_t value, std::size_t limit) {
  std::fprintf(stderr, "%s:%u: %s: %zu, %zu\n", place.file_name(), static_cast<unsigned>(place.line()), what, value,
               limit);
  std::abort();
}

}  // namespace sinew
