#include <fmt/format.h>
#include <lodepng.h>

#include <cstring>
#include <iterator>
#include <limits>

#include "record/sink.h"

// numpy's .npz is a ZIP archive of .npy files, here stored without compression. An .npy file is a magic, a version, a
// header that is a Python dictionary of dtype, order and shape, padded to 64 bytes, and the plain numbers.

namespace sinew {
namespace {

template <class T>
void append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));  // little-endian, as in memory
}

std::string npy(std::string_view dtype, const std::string& shape, std::string_view numbers) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", dtype, shape);
  constexpr std::size_t kPreamble = 10, kAlignment = 64;
  const std::size_t used = kPreamble + header.size() + 1;
  header.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  append(out, static_cast<std::uint16_t>(header.size()));
  out += header;
  out += numbers;
  return out;
}

/// The code points of a name; invalid UTF-8 becomes the replacement character.
std::u32string code_points(std::string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    const int more = lead < 0x80 ? 0 : lead >> 5 == 6 ? 1 : lead >> 4 == 14 ? 2 : lead >> 3 == 30 ? 3 : -1;
    char32_t code = more <= 0 ? lead : lead & (0x3fu >> more);
    bool good = more >= 0;
    for (int k = 0; k < more && good; ++k) {
      good = i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
      if (good) code = code << 6 | (static_cast<unsigned char>(text[i++]) & 0x3fu);
    }
    out += good ? code : U'\ufffd';
  }
  return out;
}

class ZipArchive {
 public:
  void add(const std::string& name, const std::string& bytes) {
    const auto crc =
        static_cast<std::uint32_t>(lodepng_crc32(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
    const auto offset = static_cast<std::uint32_t>(out_.size());
    std::string entry;                         // the part that the local and the central header share
    append(entry, std::uint16_t{20});          // version needed to read
    append(entry, std::uint16_t{0});           // flags
    append(entry, std::uint16_t{0});           // method: stored
    append(entry, std::uint32_t{0x00210000});  // time and day: 1980-01-01, so that equal runs give equal files
    append(entry, crc);
    append(entry, static_cast<std::uint32_t>(bytes.size()));
    append(entry, static_cast<std::uint32_t>(bytes.size()));
    append(entry, static_cast<std::uint16_t>(name.size()));
    append(entry, std::uint16_t{0});  // extra field
    append(out_, std::uint32_t{0x04034b50});
    out_ += entry + name + bytes;

    append(directory_, std::uint32_t{0x02014b50});
    append(directory_, std::uint16_t{20});  // version made by
    directory_ += entry;
    append(directory_, std::uint16_t{0});  // comment
    append(directory_, std::uint16_t{0});  // disk
    append(directory_, std::uint16_t{0});  // internal attributes
    append(directory_, std::uint32_t{0});  // external attributes
    append(directory_, offset);
    directory_ += name;
    ++entries_;
  }

  std::string finish() {
    const auto start = static_cast<std::uint32_t>(out_.size()), size = static_cast<std::uint32_t>(directory_.size());
    out_ += directory_;
    append(out_, std::uint32_t{0x06054b50});
    append(out_, std::uint32_t{0});  // this disk, disk of the directory
    append(out_, entries_);
    append(out_, entries_);
    append(out_, size);
    append(out_, start);
    append(out_, std::uint16_t{0});  // comment
    return std::move(out_);
  }

 private:
  std::string out_, directory_;
  std::uint16_t entries_ = 0;
};

class NpzSink : public WholeFileSink {
 public:
  using WholeFileSink::WholeFileSink;

 private:
  Result<std::string> content() const override {
    const std::vector<std::string>& columns = plan_.signals.columns();
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max() / 2;
    if (std::uint64_t{table_.rows()} * columns.size() * sizeof(double) > kMost)
      return Error::message(
          fmt::format("'{}': more than 2 GB of numbers; record to .csv, fewer signals or fewer samples", plan_.path));
    ZipArchive zip;
    zip.add("time.npy", npy("<f8", fmt::format("({},)", table_.rows()), block(0, 1)));
    for (const RecordQuantity& quantity : plan_.signals.quantities())
      zip.add(quantity.name + ".npy", npy("<f8", fmt::format("({}, {})", table_.rows(), quantity.count),
                                          block(quantity.first, quantity.count)));
    zip.add("columns.npy", names(columns));
    return zip.finish();
  }

  std::string block(std::size_t first, std::size_t count) const {
    std::string numbers;
    numbers.reserve(table_.rows() * count * sizeof(double));
    for (std::size_t r = 0; r < table_.rows(); ++r)
      for (std::size_t c = 0; c < count; ++c) append(numbers, table_.at(r, first + c));
    return numbers;
  }

  static std::string names(const std::vector<std::string>& columns) {
    std::vector<std::u32string> texts;
    std::size_t longest = 1;
    for (const std::string& column : columns)
      longest = std::max(longest, texts.emplace_back(code_points(column)).size());
    std::string characters;
    for (std::u32string& text : texts) {
      text.resize(longest, U'\0');
      characters.append(reinterpret_cast<const char*>(text.data()), longest * sizeof(char32_t));
    }
    return npy(fmt::format("<U{}", longest), fmt::format("({},)", columns.size()), characters);
  }
};

}  // namespace

Result<std::unique_ptr<RecordSink>> open_npz(const SinkPlan& plan) {
  return std::unique_ptr<RecordSink>(std::make_unique<NpzSink>(plan));
}

}  // namespace sinew
