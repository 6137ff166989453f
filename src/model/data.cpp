#include "sinew/data.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "base/arena.h"
#include "base/checked.h"
#include "math/dual.h"
#include "model/model_check.h"
#include "sinew/plugin.h"

namespace sinew {
namespace {

constexpr std::size_t kAlign = 64;

/// Bytes from the start of an array to the start of the next one. The sanitizer poisons the gap.
std::size_t padded(std::size_t bytes) {
  return (bytes + kAlign - 1) / kAlign * kAlign + (kAddressSanitizer ? kRedZone : 0);
}

/// Poisons the reserved memory beyond the vector's size. (libstdc++'s _GLIBCXX_SANITIZE_VECTOR would do it for all
/// vectors, and report false errors for those of libraries built without it.)
template <class T>
void resize_exactly(std::vector<T>& field, std::size_t size) {
  permit(field.data(), field.capacity() * sizeof(T));
  field.resize(size);
  forbid(field.data() + size, (field.capacity() - size) * sizeof(T));
}

using Instances = std::vector<std::unique_ptr<PluginInstance>>;

void copy_instances(const Instances& from, Instances& to) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!from[i]) {
      to[i].reset();
    } else if (!to[i] || !to[i]->assign(*from[i])) {
      to[i] = from[i]->clone();
    }
  }
}

}  // namespace

template <class Real>
BasicData<Real>::BasicData(const Model& model, Blank) : model_(&model), scratch_(std::make_unique<Arena>()) {
  allocate();
}

/// For scalars other than double, whose worlds are copies of a Data.
template <class Real>
BasicData<Real>::BasicData(const Model& model) : BasicData(model, Blank{}) {}

template <class Real>
void BasicData<Real>::make_block(std::size_t bytes) {
  storage_ = std::make_unique<std::byte[]>(bytes + kAlign);
  const auto address = reinterpret_cast<std::uintptr_t>(storage_.get());
  block_ = storage_.get() + (kAlign - address % kAlign) % kAlign;
  block_bytes_ = bytes;
}

template <class Real>
void BasicData<Real>::allocate() {
  layout_ = ModelCheck::layout(*model_);
  std::size_t bytes = 0;
  for_each_field([&](auto, auto& field, std::int64_t rows, std::int64_t cols, auto...) {
    using T = typename std::remove_reference_t<decltype(field)>::element_type;
    bytes += padded(static_cast<std::size_t>(rows * cols) * sizeof(T));
  });
  make_block(bytes);

  std::byte* next = block_;
  for_each_field([&](auto, auto& field, std::int64_t rows, std::int64_t cols, auto...) {
    using T = typename std::remove_reference_t<decltype(field)>::element_type;
    static_assert(std::is_trivially_copyable_v<T>);
    const auto count = static_cast<std::size_t>(rows * cols);
    field = std::span<T>(reinterpret_cast<T*>(next), count);
    std::uninitialized_fill_n(field.data(), count, T(0));
    forbid(field.data() + count, padded(count * sizeof(T)) - count * sizeof(T));
    next += padded(count * sizeof(T));
  });
  // nothing sleeps before a reset decides it
  std::ranges::fill(tree_asleep, -1);
  std::ranges::fill(tree_awake, 1);
  std::ranges::fill(body_awake, 1);
}

/// The model may have been edited since `other` was made: its array lengths are kept.
template <class Real>
void BasicData<Real>::allocate_like(const BasicData& other) {
  model_ = other.model_;
  layout_ = other.layout_;
  make_block(other.block_bytes_);
  const auto place = [&](auto field) {
    using T = typename decltype(field)::element_type;
    const std::ptrdiff_t offset = reinterpret_cast<const std::byte*>(field.data()) - other.block_;
    const std::span<T> copy(reinterpret_cast<T*>(block_ + offset), field.size());
    forbid(copy.data() + copy.size(), padded(copy.size_bytes()) - copy.size_bytes());
    return copy;
  };
#define SINEW_DATA(group, type, name, rows, cols, writer, doc) name = place(other.name);
#include "sinew/data_fields.def"
#undef SINEW_DATA
}

template <class Real>
BasicData<Real>::BasicData(const BasicData& other) : model_(other.model_), scratch_(std::make_unique<Arena>()) {
  *this = other;
}

template <class Real>
BasicData<Real>& BasicData<Real>::operator=(const BasicData& other) {
  if (this == &other) return *this;
  if (!storage_ || model_ != other.model_ || layout_ != other.layout_) allocate_like(other);
  if (!scratch_) scratch_ = std::make_unique<Arena>();  // after a move
  if constexpr (kAddressSanitizer) {
#define SINEW_DATA(group, type, name, rows, cols, writer, doc) std::ranges::copy(other.name, name.begin());
#include "sinew/data_fields.def"
#undef SINEW_DATA
  } else {
    std::memcpy(block_, other.block_, block_bytes_);
  }
#define SINEW_SCALAR(name, doc, ...) name = other.name;
#include "sinew/data_scalars.def"
#undef SINEW_SCALAR
  contact = other.contact;
#define SINEW_ROW(type, name, rows, cols, writer, doc)                      \
  if constexpr (kAddressSanitizer) resize_exactly(name, other.name.size()); \
  name = other.name;
#include "sinew/row_fields.def"
#undef SINEW_ROW
  solver = other.solver;
  callbacks = other.callbacks;
  copy_instances(other.plugin_data, plugin_data);
  return *this;
}

template <class Real>
BasicData<Real>::BasicData(BasicData&& other) noexcept = default;
template <class Real>
BasicData<Real>& BasicData<Real>::operator=(BasicData&& other) noexcept = default;
template <class Real>
BasicData<Real>::~BasicData() = default;

template <class Real>
void BasicData<Real>::grow_rows() {
  for_each_row_field([](auto, auto& field, std::int64_t rows, std::int64_t cols, auto...) {
    const auto needed = static_cast<std::size_t>(rows * cols);
    if constexpr (kAddressSanitizer)
      resize_exactly(field, needed);
    else if (field.size() < needed)
      field.resize(std::max(needed, 2 * field.size()));
  });
}

template <class Real>
std::size_t BasicData<Real>::bytes() const {
  std::size_t rows = solver.capacity() * sizeof(SolverStat);
#define SINEW_ROW(type, name, rowcount, cols, writer, doc) rows += name.capacity() * sizeof(type);
#include "sinew/row_fields.def"
#undef SINEW_ROW
  return sizeof(*this) + block_bytes_ + scratch_->capacity() + contact.capacity() * sizeof(Contact) + rows;
}

template class BasicData<double>;
template class BasicData<Dual4>;

}  // namespace sinew
