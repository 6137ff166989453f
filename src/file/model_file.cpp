#include "sinew/model_file.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <type_traits>

#include "base/budget.h"
#include "base/files.h"
#include "file/checksum.h"
#include "model/model_check.h"
#include "sinew/plugin.h"

// Layout, little-endian as in memory:
//   magic, format version, layout hash | payload size | payload | checksum of everything before it
// The payload is the sizes, the flags, the option structs, the name, then each array of the field table as count and
// values, and the name of the plugin of each plugin instance, each zero-terminated. The layout hash covers names and
// types of the tables: a file from a sinew with other tables is distinguished from a corrupt one.

namespace sinew {
namespace {

constexpr char kMagic[8] = {'S', 'I', 'N', 'E', 'W', 'M', 'D', 'L'};
constexpr std::uint32_t kFormat = 2;
constexpr std::size_t kHeader = sizeof(kMagic) + sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t);

std::uint64_t layout_hash() {
  Checksum hash;
  const Model model;
  auto text = [&](std::string_view s) { hash.add(s.data(), s.size()); };
  model.for_each_size([&](std::string_view name, auto...) { text(name); });
  model.for_each_field([&](std::string_view name, const auto& field, auto...) {
    using T = typename std::remove_cvref_t<decltype(field)>::value_type;
    const unsigned kind[2] = {sizeof(T), std::is_floating_point_v<T>};
    text(name);
    hash.add(kind, sizeof(kind));
  });
  for (const std::size_t size : {sizeof(Option), sizeof(Visual), sizeof(Statistic), sizeof(LengthRangeOptions)})
    hash.add(&size, sizeof(size));
  return hash.value();
}

class Writer {
 public:
  std::vector<std::byte> out;

  void raw(const void* data, std::size_t size) {
    const auto* p = static_cast<const std::byte*>(data);
    out.insert(out.end(), p, p + size);
  }
  void value(const FieldSize& size) { value(std::int64_t{size}); }
  template <class T>
  void value(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    raw(&v, sizeof(v));
  }
  template <class T>
  void array(const T& values) {
    value(static_cast<std::uint64_t>(values.size()));
    if (!values.empty()) raw(values.data(), values.size() * sizeof(values[0]));
  }
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  std::size_t left() const { return bytes_.size() - at_; }
  void raw(void* data, std::size_t size) {
    if (size > left()) ok_ = false;
    if (!ok_ || size == 0) return;
    std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }
  void value(FieldSize& size) {
    std::int64_t number = 0;
    value(number);
    size = number;
  }
  void value(bool& flag) {
    std::uint8_t byte = 0;
    value(byte);
    if (byte > 1) ok_ = false;
    flag = byte == 1;
  }
  template <class T>
  void value(T& v) {
    raw(&v, sizeof(v));
  }
  template <class T>
  void array(T& values) {
    std::uint64_t n = 0;
    value(n);
    using E = typename T::value_type;
    if (n > left() / sizeof(E)) ok_ = false;
    if (!ok_) return;
    values.resize(static_cast<std::size_t>(n));
    if constexpr (requires { values.edit(); }) {
      raw(values.edit().data(), static_cast<std::size_t>(n) * sizeof(E));
    } else {
      raw(values.data(), static_cast<std::size_t>(n) * sizeof(E));
    }
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

/// Field by field: the padding between them is not written.
template <class Stream, class O, class L>
void stream_options(Stream& s, O& option, L& lengthrange) {
#define SINEW_OPTION(type, name, value_, doc) s.value(option.name);
#define SINEW_OPTION_ARRAY(type, name, count, doc, ...) s.value(option.name);
#include "sinew/option_fields.def"
#undef SINEW_OPTION
#undef SINEW_OPTION_ARRAY
  s.value(lengthrange.mode);
  s.value(lengthrange.useexisting);
  s.value(lengthrange.uselimit);
  s.value(lengthrange.accel);
  s.value(lengthrange.maxforce);
  s.value(lengthrange.timeconst);
  s.value(lengthrange.timestep);
  s.value(lengthrange.inttotal);
  s.value(lengthrange.interval);
  s.value(lengthrange.tolrange);
}

/// The order of the payload, shared by writing and reading.
template <class Stream, class M>
void stream_payload(Stream& s, M& m) {
  m.for_each_size([&](auto, auto& size, auto) { s.value(size); });
  s.value(m.flg_gravcomp);
  s.value(m.flg_surfacevel);
  s.value(m.flg_adhesion);
  stream_options(s, m.opt, m.lropt);
  s.value(m.vis);
  s.value(m.stat);
  s.array(m.modelname);
  m.for_each_field([&](auto, auto& field, auto...) { s.array(field); });
}

std::string plugin_names(const Model& m) {
  std::string out;
  for (std::int64_t i = 0; i < m.nplugin && m.plugins; ++i)
    out += m.plugins->plugin[static_cast<std::size_t>(i)]->name() + '\0';
  return out;
}

/// Finds what implements the plugin instances of a model that was read.
Result<bool> link_plugins(Model& m, std::string_view names, const PluginRegistry& registry) {
  auto found = std::make_shared<ModelPlugins>();
  for (std::int64_t i = 0; i < m.nplugin; ++i) {
    const std::size_t end = names.find('\0');
    if (end == std::string_view::npos) return Error::message("the model file is corrupt: a plugin has no name");
    const std::string name(names.substr(0, end));
    names.remove_prefix(end + 1);
    const int slot = registry.find(name);
    if (slot < 0)
      return Error::message("the model uses the plugin '" + name + "', which is not registered: pass it to load_model");
    const auto& plugin = registry.plugins()[static_cast<std::size_t>(slot)];
    found->plugin.push_back(plugin);
    found->slot.push_back(slot);
    found->capabilities.push_back(plugin->capabilities());
    found->stage.push_back(plugin->stage() == Stage::None ? Stage::Pos : plugin->stage());
    found->shape.push_back(nullptr);
    m.plugin[static_cast<std::size_t>(i)] = slot;
  }
  if (!names.empty()) return Error::message("the model file is corrupt: it names more plugins than it uses");
  if (m.nplugin == 0) return true;
  m.plugins = found;
  for (std::int64_t i = 0; i < m.nplugin; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const PluginConfig config = plugin_config(m, static_cast<int>(i));
    const Result<int> states = found->plugin[k]->state_size(config);
    if (!states || *states != m.plugin_statenum[k])
      return Error::message("the plugin '" + found->plugin[k]->name() + "' has another state than the model file");
    if (!(found->capabilities[k] & kPluginSdf)) continue;
    Result<std::unique_ptr<SignedDistance>> shape = found->plugin[k]->shape(config);
    if (!shape) return shape.error();
    found->shape[k] = std::move(*shape);
  }
  return true;
}

/// The same, and whether each instance can be made; what a plugin throws is an error.
template <class Work>
Result<bool> guarded(Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return Error::message(std::string("a plugin failed: ") + e.what());
  }
}

Result<bool> make_instances(const Model& m) {
  for (std::int64_t i = 0; i < m.nplugin; ++i)
    if (const auto made = m.plugins->plugin[static_cast<std::size_t>(i)]->make(m, static_cast<int>(i)); !made)
      return made.error();
  return true;
}

Error too_large(const Budget& budget, const std::string& what, double bytes) {
  Problem problem;
  problem.message = what + " " + budget.refusal(bytes);
  problem.hint = Budget::kHint;
  return Error(std::move(problem));
}

double data_bytes(const Model& m) {
  double bytes = 0;
  using Real = double;
  const auto count = [&](std::int64_t rows, std::int64_t cols, std::size_t size) {
    bytes += static_cast<double>(rows) * static_cast<double>(cols) * static_cast<double>(size);
  };
#define SINEW_DATA(group, type, name, rows, cols, writer, doc) count(m.rows, cols, sizeof(type));
#include "sinew/data_fields.def"
#undef SINEW_DATA
  return bytes;
}

Result<Model> load_within(std::span<const std::byte> bytes, Budget& budget, const PluginRegistry* plugins) {
  constexpr std::size_t kChecksum = sizeof(std::uint64_t);
  if (bytes.size() < kHeader + kChecksum || std::memcmp(bytes.data(), kMagic, sizeof(kMagic)) != 0)
    return Error::message("not a sinew model file");
  Reader r(bytes.subspan(sizeof(kMagic), bytes.size() - sizeof(kMagic) - kChecksum));
  std::uint32_t format = 0;
  std::uint64_t layout = 0, size = 0, stored = 0;
  r.value(format);
  r.value(layout);
  r.value(size);
  if (format != kFormat || layout != layout_hash())
    return Error::message("the model file was written by another version of sinew; recompile it from its MJCF");
  if (size != r.left()) return Error::message("the model file is truncated");
  Checksum checksum;
  checksum.add(bytes.data(), bytes.size() - kChecksum);
  std::memcpy(&stored, bytes.data() + bytes.size() - kChecksum, kChecksum);
  if (stored != checksum.value()) return Error::message("the model file is corrupt: its checksum does not match");

  if (!budget.take(static_cast<double>(size))) return too_large(budget, "the model", static_cast<double>(size));
  Model model;
  stream_payload(r, model);
  std::string names;
  r.array(names);
  if (!r.ok() || r.left() != 0)
    return Error::message("the model file is corrupt: an array reaches past its end, or a flag is neither 0 nor 1");
  const bool has_plugins = model.nplugin > 0 || !names.empty();
  if (has_plugins) {
    if (model.nplugin < 0 || static_cast<std::size_t>(model.nplugin) != model.plugin.size() ||
        model.plugin_attradr.size() != model.plugin.size() || model.plugin_statenum.size() != model.plugin.size())
      return Error::message("the model file is corrupt: its plugins have the wrong size");
    const PluginRegistry own;
    const Result<bool> linked = guarded([&] { return link_plugins(model, names, plugins ? *plugins : own); });
    if (!linked) return linked.error();
  }
  if (Result<bool> valid = validate(model); !valid) return valid.error();
  if (has_plugins)
    if (const Result<bool> made = guarded([&] { return make_instances(model); }); !made) return made.error();
  if (const double data = data_bytes(model); !budget.take(data))
    return too_large(budget, "one Data of the model", data);
  ModelCheck::accept(model);
  return model;
}

}  // namespace

std::vector<std::byte> save_model(const Model& model) {
  Writer w;
  w.out.reserve(model.bytes() + 4096);
  w.raw(kMagic, sizeof(kMagic));
  w.value(kFormat);
  w.value(layout_hash());
  const std::size_t size_at = w.out.size();
  w.value(std::uint64_t{0});
  stream_payload(w, model);
  w.array(plugin_names(model));
  const std::uint64_t size = w.out.size() - kHeader;
  std::memcpy(w.out.data() + size_at, &size, sizeof(size));
  Checksum checksum;
  checksum.add(w.out.data(), w.out.size());
  w.value(checksum.value());
  return std::move(w.out);
}

Result<bool> save_model(const Model& model, const std::string& path) {
  const std::vector<std::byte> bytes = save_model(model);
  return replace_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Result<Model> load_model(std::span<const std::byte> bytes, std::uint64_t memory_limit, const PluginRegistry* plugins) {
  Budget budget(memory_limit, {});
  return load_within(bytes, budget, plugins);
}

Result<Model> load_model(const std::string& path, std::uint64_t memory_limit, const PluginRegistry* plugins) {
  std::error_code failure;
  const std::uintmax_t size = std::filesystem::file_size(path, failure);
  if (failure) return Error::message("cannot read '" + path + "': " + failure.message());
  Budget budget(memory_limit, {});
  if (!budget.take(static_cast<double>(size)))
    return too_large(budget, "the file '" + path + "'", static_cast<double>(size));
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  std::ifstream in(path, std::ios::binary);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!in) return Error::message("cannot read '" + path + "'");
  Result<Model> result = load_within(bytes, budget, plugins);
  if (result) return result;
  Problem problem = result.error().first();
  problem.file = path;
  return Error(std::move(problem));
}

}  // namespace sinew
