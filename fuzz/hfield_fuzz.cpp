// Fuzz target for height fields in MuJoCo's binary format: hfield_fuzz RUNS

#include "asset.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::load_with(R"(<mujoco><asset><hfield name="thing" file="thing.bin" size="1 1 0.5 0.1"/></asset>
    <worldbody><geom type="hfield" hfield="thing"/></worldbody></mujoco>)",
                  "thing.bin", {reinterpret_cast<const char*>(data), size});
  return 0;
}

#ifndef SINEW_LIBFUZZER

namespace {

std::string grid(std::int32_t nrow, std::int32_t ncol) {
  std::string out;
  const auto add = [&](const auto& value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
  add(nrow);
  add(ncol);
  for (std::int32_t i = 0; i < nrow * ncol; ++i) add(static_cast<float>(i % 5) * 0.25f);
  return out;
}

}  // namespace

int main(int argc, char** argv) { return fuzz::run_on_seeds(argc, argv, {grid(2, 2), grid(5, 3), grid(1, 1)}); }

#endif
