#pragma once

#include <string>

#include "json.h"
#include "sinew/data.h"

// Values for the keys of a reference file, by name. Null if sinew cannot fill a key.

namespace sinew::tool {

/// A key of "meta": sizes, and the keywords of some options.
Json meta_value(const Model& m, const std::string& key);

/// A key of "model": any array by its name, "opt", "stat", and "names" with the kinds in `asked`.
Json model_value(const Model& m, const std::string& key, const Json& asked);

/// A key of "fwd", "inv" or "next": any array of Data by its name, and values that are not arrays.
Json data_value(const Model& m, Data& d, const std::string& key);

}  // namespace sinew::tool
