// Fuzz target for KTX files: ktx_fuzz RUNS

#include "asset.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const char* type : {"2d", "cube", "skybox"})
    fuzz::load_with(std::string("<mujoco><asset><texture name=\"thing\" file=\"thing.ktx\" type=\"") + type +
                        "\"/></asset></mujoco>",
                    "thing.ktx", {reinterpret_cast<const char*>(data), size});
  return 0;
}

#ifndef SINEW_LIBFUZZER

int main(int argc, char** argv) {
  return fuzz::run_on_seeds(argc, argv, {std::string("\xabKTX 20\xbb\r\n\x1a\n"), std::string(200, '\0'), "x"});
}

#endif
