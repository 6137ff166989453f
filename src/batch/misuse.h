#pragma once

#include <fmt/format.h>

#include <utility>

#include "sinew/error.h"

namespace sinew {

/// The caller's error.
template <class... Args>
[[noreturn]] void misuse(fmt::format_string<Args...> format, Args&&... args) {
  throw Exception(Error::message(fmt::format(format, std::forward<Args>(args)...)));
}

}  // namespace sinew
