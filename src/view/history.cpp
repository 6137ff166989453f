#include "view/history.h"

#include <fmt/format.h>
#include <lodepng.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "sinew/data.h"
#include "sinew/record.h"

namespace sinew::view {

void History::add(const Model& m, const Data& d, std::int64_t step) {
  Moment moment{d.time, step, std::vector<double>(static_cast<std::size_t>(state_size(m, kBits)))};
  get_state(m, d, moment.state, kBits);
  add(std::move(moment));
}

void History::add(Moment moment) {
  const std::size_t each = sizeof(Moment) + moment.state.size() * sizeof(double);
  const std::size_t most = std::clamp<std::size_t>(kMostBytes / each, 2, kMostMoments);
  moments_.push_back(std::move(moment));
  while (moments_.size() > most) moments_.pop_front();
}

std::size_t History::at_time(double time) const {
  // times may go back (a reset), so the latest of those that fit
  for (std::size_t i = moments_.size(); i-- > 0;)
    if (moments_[i].time <= time + 1e-9) return i;
  return 0;
}

namespace {

/// The numbers of one .npy file.
struct Array {
  std::size_t rows = 0, cols = 1;
  std::vector<double> numbers;
};

template <class T>
T read_at(const std::string& bytes, std::size_t at) {
  T value{};
  if (at + sizeof value > bytes.size()) throw Exception(Error::message("the file is truncated"));
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
void append_numbers(const std::string& npy, std::size_t at, std::size_t count, std::vector<double>& out) {
  for (std::size_t i = 0; i < count; ++i) out.push_back(static_cast<double>(read_at<T>(npy, at + i * sizeof(T))));
}

Array parse_npy(const std::string& name, const std::string& npy) {
  const auto fail = [&](const char* what) { return Exception(Error::message(fmt::format("{}: {}", name, what))); };
  if (npy.size() < 10 || npy.compare(0, 6, "\x93NUMPY") != 0) throw fail("not an array of numpy");
  const bool wide = npy[6] != 1;
  const std::size_t start = wide ? 12 : 10;
  const std::size_t length = wide ? read_at<std::uint32_t>(npy, 8) : read_at<std::uint16_t>(npy, 8);
  if (start + length > npy.size()) throw fail("truncated");
  const std::string header = npy.substr(start, length);
  if (header.find("'fortran_order': True") != std::string::npos) throw fail("columns first is not supported");
  const std::size_t shape = header.find("'shape': (");
  if (shape == std::string::npos) throw fail("no shape");
  Array out;
  std::vector<std::size_t> sizes;
  for (const char* next = header.c_str() + shape + 10; *next && *next != ')';) {
    char* end = nullptr;
    const unsigned long long n = std::strtoull(next, &end, 10);
    if (end == next) {
      ++next;
      continue;
    }
    if (n > npy.size() * 8) throw fail("shape is larger than the file");
    sizes.push_back(static_cast<std::size_t>(n));
    next = end;
  }
  out.rows = sizes.empty() ? 1 : sizes[0];
  for (std::size_t i = 1; i < sizes.size(); ++i) out.cols *= sizes[i];
  const std::size_t count = out.rows * out.cols;
  if (out.cols > npy.size() || count > npy.size() * 8) throw fail("shape is larger than the file");
  const auto type = [&](const char* code) { return header.find(fmt::format("'{}'", code)) != std::string::npos; };
  if (type("<f8"))
    append_numbers<double>(npy, start + length, count, out.numbers);
  else if (type("<f4"))
    append_numbers<float>(npy, start + length, count, out.numbers);
  else if (type("<i8"))
    append_numbers<std::int64_t>(npy, start + length, count, out.numbers);
  else if (type("<i4"))
    append_numbers<std::int32_t>(npy, start + length, count, out.numbers);
  else if (type("|u1") || type("|b1"))
    append_numbers<std::uint8_t>(npy, start + length, count, out.numbers);
  else if (name == "columns.npy")
    out.numbers.clear();
  else
    throw fail("numbers of this type are not supported");
  return out;
}

constexpr std::size_t kMostNpy = std::size_t{2} << 30;

std::map<std::string, Array> parse_npz(const std::string& zip) {
  // end of central directory: at the end of the file, before a comment of at most 64 kB
  std::size_t end = std::string::npos;
  for (std::size_t i = zip.size() < 22 ? 0 : zip.size() - 22 + 1; i-- > 0 && zip.size() - i < 22 + 65536;)
    if (read_at<std::uint32_t>(zip, i) == 0x06054b50) {
      end = i;
      break;
    }
  if (zip.size() < 22 || end == std::string::npos) throw Exception(Error::message("not an .npz file"));
  std::map<std::string, Array> arrays;
  std::size_t at = read_at<std::uint32_t>(zip, end + 16);
  for (int i = 0, n = read_at<std::uint16_t>(zip, end + 10); i < n; ++i) {
    if (read_at<std::uint32_t>(zip, at) != 0x02014b50) throw Exception(Error::message("a damaged .npz file"));
    const auto method = read_at<std::uint16_t>(zip, at + 10);
    const std::size_t packed = read_at<std::uint32_t>(zip, at + 20), size = read_at<std::uint32_t>(zip, at + 24);
    const std::size_t name_size = read_at<std::uint16_t>(zip, at + 28);
    const std::size_t skip = read_at<std::uint16_t>(zip, at + 30) + std::size_t{read_at<std::uint16_t>(zip, at + 32)};
    const std::size_t local = read_at<std::uint32_t>(zip, at + 42);
    if (at + 46 + name_size > zip.size()) throw Exception(Error::message("a damaged .npz file"));
    const std::string name = zip.substr(at + 46, name_size);
    const std::size_t data =
        local + 30 + read_at<std::uint16_t>(zip, local + 26) + read_at<std::uint16_t>(zip, local + 28);
    if (data + packed > zip.size() || size > kMostNpy) throw Exception(Error::message("a damaged .npz file"));
    std::string bytes = zip.substr(data, packed);
    if (method == 8) {
      std::vector<unsigned char> inflated;
      lodepng::State state;
      state.decoder.zlibsettings.max_output_size = size;
      unsigned char* out = nullptr;
      std::size_t out_size = 0;
      const unsigned error = lodepng_inflate(&out, &out_size, reinterpret_cast<const unsigned char*>(bytes.data()),
                                             bytes.size(), &state.decoder.zlibsettings);
      if (error == 0) bytes.assign(reinterpret_cast<const char*>(out), out_size);
      std::free(out);
      if (error != 0) throw Exception(Error::message(name + ": damaged"));
    } else if (method != 0) {
      throw Exception(Error::message(name + ": an unknown compression"));
    }
    arrays.emplace(name, parse_npy(name, bytes));
    at += 46 + name_size + skip;
  }
  return arrays;
}

}  // namespace

Result<std::vector<Moment>> read_recording(const Model& m, const std::string& path) try {
  if (!path.ends_with(".npz"))
    return Error::message(fmt::format("{}: a recording is an .npz file, as of sinew run --record x.npz", path));
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error::message(fmt::format("{}: cannot be read", path));
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const std::map<std::string, Array> arrays = parse_npz(bytes);
  const auto find = [&](std::string_view name) -> const Array* {
    const auto found = arrays.find(std::string(name) + ".npy");
    return found == arrays.end() ? nullptr : &found->second;
  };
  const Array *time = find("time"), *qpos = find("qpos");
  if (!time || (!qpos && m.nq > 0))
    return Error::message(
        fmt::format("{}: has no {} (record the signals qpos, qvel, act, ctrl)", path, time ? "qpos" : "time"));
  Data d(m);
  std::vector<Moment> moments;
  for (std::size_t row = 0; row < time->rows; ++row) {
    d.time = time->numbers[row];
    std::string problem;
    const auto take = [&](std::string_view name, auto field) {
      const Array* array = find(name);
      if (!array || field.empty()) return;
      if (array->cols != field.size() || array->rows != time->rows)
        problem = fmt::format("{}: {} is {} x {}, but the model needs {} x {}", path, name, array->rows, array->cols,
                              time->rows, field.size());
      for (std::size_t i = 0; problem.empty() && i < field.size(); ++i) {
        const double x = array->numbers[row * array->cols + i];
        if (!std::isfinite(x))
          problem = fmt::format("{}: {} has a number that is not finite", path, name);
        else
          field[i] = static_cast<typename decltype(field)::element_type>(x);
      }
    };
    take("qpos", d.qpos);
    take("qvel", d.qvel);
    take("act", d.act);
    take("ctrl", d.ctrl);
    take("mocap_pos", d.mocap_pos);
    take("mocap_quat", d.mocap_quat);
    take("eq_active", d.eq_active);
    take("userdata", d.userdata);
    if (!problem.empty()) return Error::message(problem);
    Moment moment{d.time, static_cast<std::int64_t>(row),
                  std::vector<double>(static_cast<std::size_t>(state_size(m, History::kBits)))};
    get_state(m, d, moment.state, History::kBits);
    moments.push_back(std::move(moment));
  }
  if (moments.empty()) return Error::message(fmt::format("{}: has no rows", path));
  return moments;
} catch (const Exception& e) {
  return Error::message(fmt::format("{}: {}", path, e.error().first().message));
}

Result<std::string> write_recording(const Model& m, const std::deque<Moment>& moments) {
  // the recorder writes files only
  std::string pattern = (std::filesystem::temp_directory_path() / "sinew-XXXXXX").string();
  if (!mkdtemp(pattern.data())) return Error::message("no temporary folder for the recording");
  const std::filesystem::path folder = pattern;
  const std::string path = folder / "recording.npz";
  struct Remove {
    std::filesystem::path folder;
    ~Remove() {
      std::error_code ignored;
      std::filesystem::remove_all(folder, ignored);
    }
  } const remove{folder};
  RecordOptions options;
  const auto want = [&](const char* name, std::int64_t n) {
    if (n > 0) options.signals.emplace_back(name);
  };
  want("time", 1);
  want("qpos", m.nq);
  want("qvel", m.nv);
  want("act", m.na);
  want("ctrl", m.nu);
  want("mocap_pos", m.nmocap);
  want("mocap_quat", m.nmocap);
  want("eq_active", m.neq);
  want("userdata", m.nuserdata);
  Result<Recorder> recorder = Recorder::open(m, path, options);
  if (!recorder) return recorder.error();
  Data d(m);
  for (const Moment& moment : moments) {
    set_state(m, d, moment.state, History::kBits);
    recorder->sample(d);
  }
  if (const Result<bool> done = recorder->close(); !done) return done.error();
  std::ifstream file(path, std::ios::binary);
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

}  // namespace sinew::view
