#pragma once

namespace sinew {

inline constexpr const char* kVersion = "0.1.0";
inline constexpr const char* kMujocoVersion = "3.12.0";  // the MuJoCo whose numbers sinew reproduces

}  // namespace sinew
