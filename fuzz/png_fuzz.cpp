// Fuzz target for PNG files, as textures, as faces of a cube and as height fields: png_fuzz RUNS

#include <lodepng.h>

#include "asset.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  for (const char* asset : {R"(<texture name="thing" type="2d" file="thing.png"/>)",
                            R"(<texture name="thing" type="cube" fileup="thing.png" gridsize="1 1"/>)",
                            R"(<hfield name="thing" size="1 1 1 1" file="thing.png"/>)"}) {
    fuzz::load_with("<mujoco><asset>" + std::string(asset) + "</asset></mujoco>", "thing.png", content);
  }
  return 0;
}

#ifndef SINEW_LIBFUZZER

namespace {

/// With valid checksums of the chunks, so that the decoder gets to their contents.
std::string sealed(std::string bytes) {
  constexpr std::size_t kSignature = 8, kAround = 12;
  for (std::size_t at = kSignature; at + kAround <= bytes.size();) {
    auto* chunk = reinterpret_cast<unsigned char*>(bytes.data() + at);
    const std::size_t length = lodepng_chunk_length(chunk);
    if (length > bytes.size() - at - kAround) break;
    lodepng_chunk_generate_crc(chunk);
    at += kAround + length;
  }
  return bytes;
}

std::vector<std::string> seeds() {
  std::vector<std::string> out;
  for (const LodePNGColorType type : {LCT_GREY, LCT_RGB, LCT_PALETTE, LCT_GREY_ALPHA, LCT_RGBA}) {
    std::vector<unsigned char> pixels(8 * 8 * 4), encoded;
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<unsigned char>(i % 7 * 30);
    lodepng::State state;
    state.info_raw.colortype = LCT_RGBA;
    state.encoder.auto_convert = 0;
    state.info_png.color.colortype = type;
    state.info_png.interlace_method = type == LCT_RGB;
    if (type == LCT_PALETTE)
      for (int i = 0; i < 256; ++i) lodepng_palette_add(&state.info_png.color, i & 0xff, 0, 0, 255);
    if (lodepng::encode(encoded, pixels, 8, 8, state) == 0) out.emplace_back(encoded.begin(), encoded.end());
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return fuzz::run_on_seeds(argc, argv, {});
  fuzz::Mutator mutator(seeds());
  return fuzz::run(argv[0], argv[1], [&] { return mutator.below(2) ? sealed(mutator.next()) : mutator.next(); });
}

#endif
