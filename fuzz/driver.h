#pragma once

// Shared by the fuzz targets: the loop over inputs, and mutations of valid files.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

/// Passes `runs` inputs to the target. With SINEW_FUZZ_KEEP, an input that crashes it is kept in PROGRAM_last.
template <class Next>
int run(const char* program, const char* runs_text, Next&& next) {
  const long runs = std::strtol(runs_text, nullptr, 10);
  const std::string keep = std::string(program) + "_last";
  for (long i = 0; i < runs; ++i) {
    const std::string input = next();
    if (std::getenv("SINEW_FUZZ_KEEP")) std::ofstream(keep, std::ios::binary) << input;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  }
  std::printf("%ld inputs\n", runs);
  return 0;
}

/// Mutates valid files deterministically: bytes, 4-byte numbers, tokens of text, length, and parts of other files.
class Mutator {
 public:
  explicit Mutator(std::vector<std::string> seeds) : seeds_(std::move(seeds)), random_(1) {}

  std::string next() {
    std::string bytes = seeds_[below(seeds_.size())];
    for (std::size_t changes = below(6); changes > 0; --changes) change(bytes);  // sometimes none: the seed itself
    return bytes;
  }

  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }

 private:
  template <class T>
  static void put(std::string& bytes, std::size_t at, T value) {
    if (at + sizeof value <= bytes.size()) std::memcpy(bytes.data() + at, &value, sizeof value);
  }

  void change(std::string& bytes) {
    constexpr std::uint32_t kWords[] = {0,          1,          2,          3,          0xff,       0x7fffffff,
                                        0x80000000, 0xffffffff, 0xfffffffe, 0x7fc00000, 0x7f800000, 0x7f7fffff,
                                        0x00000001, 0x3f800000, 0x10000000, 0x000186a0};
    constexpr std::string_view kTexts[] = {"0",  "-1", "1e38", "nan", "inf", "1e-45", "99999999999", "/",
                                           "//", " ",  "\n",   "f",   "v",   "vn",    "1/1/1",       "-9"};
    const std::size_t at = below(bytes.size() + 1);
    const std::size_t length = below(std::min<std::size_t>(64, bytes.size() - at) + 1);
    switch (below(10)) {
      case 0: bytes.erase(at, length); break;
      case 1: bytes.resize(at); break;
      case 2: bytes.insert(at, bytes.substr(at, length)); break;
      case 3: bytes.insert(at, kTexts[below(std::size(kTexts))]); break;
      case 4: put(bytes, at & ~std::size_t{3}, kWords[below(std::size(kWords))]); break;
      case 5: put(bytes, at, kWords[below(std::size(kWords))]); break;
      case 6: put(bytes, below(64), kWords[below(std::size(kWords))]); break;  // headers
      case 7: {
        const std::string& other = seeds_[below(seeds_.size())];
        bytes.insert(at, other.substr(below(other.size()), 128));
        break;
      }
      default:
        if (at < bytes.size()) bytes[at] = static_cast<char>(random_());
    }
  }

  std::vector<std::string> seeds_;
  std::mt19937_64 random_;
};

/// The main function of a target whose inputs are mutated seeds; PROGRAM RUNS [FOLDER].
inline int run_on_seeds(int argc, char** argv, std::vector<std::string> seeds) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s RUNS\n", argv[0]);
    return 2;
  }
  Mutator mutator(std::move(seeds));
  return run(argv[0], argv[1], [&] { return mutator.next(); });
}

}  // namespace fuzz
