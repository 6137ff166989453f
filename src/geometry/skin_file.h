#pragma once

#include <cstddef>
#include <span>

#include "sinew/error.h"
#include "sinew/spec.h"

namespace sinew {

/// Reads MuJoCo's binary SKN: vertices, texture coordinates, faces and bones, with nothing else set.
Result<spec::Skin> read_skn(std::span<const std::byte> bytes);

}  // namespace sinew
