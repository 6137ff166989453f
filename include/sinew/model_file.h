#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/error.h"
#include "sinew/model.h"

namespace sinew {

/// The binary form of a model: versioned, with a checksum; equal models give equal bytes.
std::vector<std::byte> save_model(const Model& model);
Result<bool> save_model(const Model& model, const std::string& path);

/// Reads it back. A file that is truncated, corrupt, of another version, or whose contents could make the engine reach
/// outside of an array is refused.
Result<Model> load_model(std::span<const std::byte> bytes);
Result<Model> load_model(const std::string& path);

/// Whether every index, address and count of the model stays inside of the array that it refers to, and what does not.
Result<bool> validate(const Model& model);

}  // namespace sinew
