#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/error.h"
#include "sinew/load.h"
#include "sinew/model.h"

namespace sinew {

/// The binary form of a model: versioned, with a checksum; equal models give equal bytes.
std::vector<std::byte> save_model(const Model& model);
Result<bool> save_model(const Model& model, const std::string& path);

/// Reads it back. A file that is truncated, corrupt, of another version, or whose contents could make the engine index
/// out of bounds is refused, and so is one that needs more than memory_limit: file, model and one Data together; or
/// one that names a plugin which the registry lacks.
Result<Model> load_model(std::span<const std::byte> bytes,
                         std::uint64_t memory_limit = LoadOptions::kDefaultMemoryLimit,
                         const PluginRegistry* plugins = nullptr);
Result<Model> load_model(const std::string& path, std::uint64_t memory_limit = LoadOptions::kDefaultMemoryLimit,
                         const PluginRegistry* plugins = nullptr);

/// Whether every index, address and count of the model is within bounds, and which is not.
Result<bool> validate(const Model& model);

}  // namespace sinew
