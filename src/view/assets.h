#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sinew/model.h"

namespace sinew::view {

using Blob = std::shared_ptr<const std::string>;

/// What the page loads once and keeps, by the hash of its content: equal assets have one name, also across reloads.
using AssetStore = std::map<std::string, Blob>;

/// The assets of a model, by id; hulls are empty where a mesh has none.
struct AssetNames {
  std::vector<std::string> meshes, hulls, textures, hfields, flexes, skins;
};

/// Encodes all assets of a model (docs/viewer_protocol.md) into the store.
AssetNames store_assets(const Model& m, AssetStore& store);

/// 32 hexadecimal digits.
std::string content_hash(std::string_view bytes);

}  // namespace sinew::view
