#pragma once

#include <string>

#include "json.h"
#include "sinew/data.h"

// Answers to the keys of a reference file, by name. Null where sinew cannot fill a key.

namespace sinew::tool {

/// A key of "meta": sizes, and the words of some options.
Json meta_value(const Model& m, const std::string& key);

/// A key of "model": any array by its name, "opt", "stat", and "names" with the kinds that `asked` has.
Json model_value(const Model& m, const std::string& key, const Json& asked);

/// A key of "fwd", "inv" or "next": any array of Data by its name, and what is not an array.
Json data_value(const Model& m, Data& d, const std::string& key);

}  // namespace sinew::tool
