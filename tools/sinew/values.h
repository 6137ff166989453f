#pragma once

#include <stdexcept>
#include <string>

#include "sinew/data.h"
#include "sinew/error.h"
#include "sinew/model.h"

// Values on the command line that refer to a model.

namespace sinew::tool {

/// A value that does not fit the model.
struct BadValue : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The object with the name or number `text`.
int object_id(const Model& m, ObjType type, const char* what, const std::string& text);

/// One "NAME=VALUE[,VALUE…]": the controls of an actuator.
void set_control(const Model& m, Data& d, const std::string& assignment);

/// An error of the library as one line to follow our own "error:".
std::string plain(const Error& error);

}  // namespace sinew::tool
