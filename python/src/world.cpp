#include <cstring>

#include "objects.h"

namespace sinew::python {
namespace {

/// Visits all parts of a world: plain values, arrays of fixed length, arrays that grow.
template <class Visit>
void for_each_part(Data& d, Visit&& visit) {
#define SINEW_SCALAR(name, doc, ...) visit.value(d.name);
#include "sinew/data_scalars.def"
#undef SINEW_SCALAR
#define SINEW_DATA(group, type, name, rows, cols, writer, doc) visit.fixed(d.name);
#include "sinew/data_fields.def"
#undef SINEW_DATA
#define SINEW_ROW(type, name, rows, cols, writer, doc) visit.growing(d.name);
#include "sinew/row_fields.def"
#undef SINEW_ROW
  visit.growing(d.contact);
  visit.growing(d.solver);
}

struct Writer {
  std::string bytes;

  template <class T>
  void raw(const T* data, std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(data), n * sizeof(T));
  }
  template <class T>
  void value(const T& x) {
    raw(&x, 1);
  }
  template <class T>
  void fixed(std::span<T> array) {
    value(array.size());
    raw(array.data(), array.size());
  }
  template <class T>
  void growing(const std::vector<T>& array) {
    value(array.size());
    raw(array.data(), array.size());
  }
};

struct Reader {
  const std::string& bytes;
  std::size_t at = 0;
  bool good = true;

  template <class T>
  void raw(T* data, std::size_t n) {
    if (!good || n > (bytes.size() - at) / sizeof(T)) {
      good = false;
      return;
    }
    if (n) std::memcpy(static_cast<void*>(data), bytes.data() + at, n * sizeof(T));
    at += n * sizeof(T);
  }
  template <class T>
  void value(T& x) {
    raw(&x, 1);
  }
  std::size_t length() {
    std::size_t n = 0;
    value(n);
    return n;
  }
  template <class T>
  void fixed(std::span<T> array) {
    if (length() != array.size()) good = false;
    raw(array.data(), array.size());
  }
  template <class T>
  void growing(std::vector<T>& array) {
    const std::size_t n = length();
    if (!good || n > (bytes.size() - at) / sizeof(T)) {
      good = false;
      return;
    }
    array.resize(n);
    raw(array.data(), n);
  }
};

/// Whether the counts are within the sizes of their arrays. The arrays are shrunk to them: the engine resizes all row
/// arrays when one of them is full.
bool consistent(Data& d) {
  bool good = d.ncon >= 0 && static_cast<std::size_t>(d.ncon) <= d.contact.size();
  d.for_each_row_field([&](auto, auto& array, std::int64_t rows, std::int64_t cols, auto...) {
    good = good && rows >= 0 && rows * cols <= static_cast<std::int64_t>(array.size());
    if (good) array.resize(static_cast<std::size_t>(rows * cols));
  });
  return good;
}

}  // namespace

std::string pack_world(Data& data) {
  Writer writer;
  for_each_part(data, writer);
  return std::move(writer.bytes);
}

bool unpack_world(const std::string& bytes, Data& data) {
  Reader reader{bytes};
  for_each_part(data, reader);
  return reader.good && reader.at == bytes.size() && consistent(data);
}

void copy_world(const Data& from, Data& to) {
  // a Data refers to its model, so that of `to` must be restored after an assignment across models
  if (&from.model() == &to.model()) {
    auto callbacks = std::move(to.callbacks);
    to = from;
    to.callbacks = std::move(callbacks);
    return;
  }
  unpack_world(pack_world(const_cast<Data&>(from)), to);
}

bool is_sparse(const Model& model) {
  const auto kind = static_cast<JacobianKind>(model.opt.jacobian);
  return kind == JacobianKind::Sparse || (kind == JacobianKind::Auto && model.nv >= 60);
}

}  // namespace sinew::python
