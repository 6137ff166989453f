#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

// The arrays and sizes of a Model. They look like std::vector and std::int64_t, and count the edits that could make the
// engine index out of bounds: see docs/editing.md.

namespace sinew {

/// Number of edits since the model was made, with large assets (meshes, bounding-volume trees, pixels, names) counted
/// separately.
struct EditCount {
  std::uint32_t structure = 0;
  std::uint32_t assets = 0;

  bool operator==(const EditCount&) const = default;
};

/// One element of a field whose edits are counted: reads as a T, counts assignments.
template <class T>
class FieldElement {
 public:
  FieldElement(T& value, std::uint32_t* edits) : value_(&value), edits_(edits) {}
  FieldElement(const FieldElement&) = default;

  operator T() const { return *value_; }  // NOLINT: implicit by design
  template <class Enum>
  requires std::is_enum_v<Enum>
  explicit operator Enum() const { return static_cast<Enum>(*value_); }

  const FieldElement& operator=(T value) const {
    *value_ = value;
    if (edits_) ++*edits_;
    return *this;
  }
  FieldElement& operator=(const FieldElement& other) {
    std::as_const(*this) = *other.value_;
    return *this;
  }
  const FieldElement& operator+=(T x) const { return *this = static_cast<T>(*value_ + x); }
  const FieldElement& operator-=(T x) const { return *this = static_cast<T>(*value_ - x); }
  const FieldElement& operator*=(T x) const { return *this = static_cast<T>(*value_ * x); }
  const FieldElement& operator|=(T x) const requires std::is_integral_v<T> {
    return *this = static_cast<T>(*value_ | x);
  }
  const FieldElement& operator&=(T x) const requires std::is_integral_v<T> {
    return *this = static_cast<T>(*value_ & x);
  }
  const FieldElement& operator++() const { return *this += T{1}; }
  const FieldElement& operator--() const { return *this -= T{1}; }
  T operator++(int) const {
    const T before = *value_;
    ++*this;
    return before;
  }
  T operator--(int) const {
    const T before = *value_;
    --*this;
    return before;
  }

 private:
  T* value_;
  std::uint32_t* edits_;
};

/// An array of a Model: a std::vector whose length changes are counted by the model, as are assignments to its elements
/// if Counted. Floating-point numbers may be written at any time and are not counted, except those that encode an
/// index. A copy of a Field outside a model counts nothing.
template <class T, bool Counted = !std::is_floating_point_v<T>>
class Field {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using const_reference = const T&;
  using reference = std::conditional_t<Counted, FieldElement<T>, T&>;
  using const_iterator = typename std::vector<T>::const_iterator;
  using iterator = std::conditional_t<Counted, const_iterator, typename std::vector<T>::iterator>;

  Field() = default;
  explicit Field(std::uint32_t& edits) : edits_(&edits) {}
  Field(const Field& other) : values_(other.values_) {}
  Field(Field&& other) noexcept : values_(std::move(other.values_)) { other.count(); }
  Field& operator=(const Field& other) {
    if (this != &other) *this = other.values_;
    return *this;
  }
  Field& operator=(Field&& other) noexcept {
    if (this == &other) return *this;
    other.count();
    return *this = std::move(other.values_);
  }
  Field& operator=(const std::vector<T>& values) {
    values_ = values;
    return count();
  }
  Field& operator=(std::vector<T>&& values) noexcept {
    values_ = std::move(values);
    return count();
  }
  Field& operator=(std::initializer_list<T> values) {
    values_ = values;
    return count();
  }
  ~Field() = default;

  // reading
  const T& operator[](std::size_t i) const { return values_[i]; }
  const T* data() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  const_iterator begin() const { return values_.begin(); }
  const_iterator end() const { return values_.end(); }
  const T& front() const { return values_.front(); }
  const T& back() const { return values_.back(); }
  operator const std::vector<T>&() const { return values_; }  // NOLINT: implicit by design

  // writing
  reference operator[](std::size_t i) {
    if constexpr (Counted) {
      return {values_[i], edits_};
    } else {
      return values_[i];
    }
  }
  auto data() { return access(values_.data(), std::as_const(values_).data()); }
  auto begin() { return access(values_.begin(), values_.cbegin()); }
  auto end() { return access(values_.end(), values_.cend()); }
  /// All values at once; counts as one edit if assignments are counted. Writes through it after the next step go
  /// unnoticed.
  std::span<T> edit() {
    if constexpr (Counted) count();
    return values_;
  }

  // changes of length
  void assign(std::size_t n, const T& value) {
    values_.assign(n, value);
    count();
  }
  template <class Iterator>
  void assign(Iterator first, Iterator last) {
    values_.assign(first, last);
    count();
  }
  void resize(std::size_t n, const T& value = {}) {
    values_.resize(n, value);
    count();
  }
  void reserve(std::size_t n) { values_.reserve(n); }
  void clear() {
    values_.clear();
    count();
  }
  void push_back(const T& value) {
    values_.push_back(value);
    count();
  }
  template <class... Args>
  void insert(const_iterator at, Args&&... what) {
    values_.insert(at, std::forward<Args>(what)...);
    count();
  }
  void swap(std::vector<T>& other) noexcept {
    values_.swap(other);
    count();
  }

  friend bool operator==(const Field& a, const Field& b) { return a.values_ == b.values_; }
  friend bool operator==(const Field& a, const std::vector<T>& b) { return a.values_ == b; }

 private:
  Field& count() noexcept {
    if (edits_) ++*edits_;
    return *this;
  }
  template <class Mutable, class Const>
  static auto access(Mutable writable, Const readable) {
    if constexpr (Counted) {
      return readable;
    } else {
      return writable;
    }
  }

  std::vector<T> values_;
  std::uint32_t* edits_ = nullptr;
};

/// A size of a Model: a std::int64_t whose edits are counted.
class FieldSize {
 public:
  explicit FieldSize(EditCount& edits) : edits_(&edits) {}
  FieldSize(const FieldSize& other) : value_(other.value_) {}
  FieldSize& operator=(const FieldSize& other) { return *this = other.value_; }
  FieldSize& operator=(std::int64_t value) {
    value_ = value;
    if (edits_) {
      ++edits_->structure;
      ++edits_->assets;
    }
    return *this;
  }
  operator std::int64_t() const { return value_; }  // NOLINT: implicit by design
  FieldSize& operator+=(std::int64_t x) { return *this = value_ + x; }
  FieldSize& operator-=(std::int64_t x) { return *this = value_ - x; }
  FieldSize& operator++() { return *this += 1; }
  FieldSize& operator--() { return *this -= 1; }
  std::int64_t operator++(int) {
    ++*this;
    return value_ - 1;
  }

 private:
  std::int64_t value_ = 0;
  EditCount* edits_ = nullptr;
};

}  // namespace sinew
