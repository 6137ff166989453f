#pragma once

// Array arguments of functions. An input may be anything that numpy converts to numbers; an output must be an array of
// the right type that can be written in place, since a copy would be silently lost.

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinew::python {

namespace py = pybind11;

template <class T>
struct In {
  py::array owner;
  const T* data = nullptr;
  py::ssize_t size = 0;

  py::ssize_t rows() const { return owner.ndim() > 0 ? owner.shape(0) : 1; }
  py::ssize_t cols() const { return owner.ndim() > 1 ? owner.shape(1) : 1; }
  py::ssize_t ndim() const { return owner.ndim(); }
  std::vector<T> copy() const { return {data, data + size}; }
};

template <class T>
struct Out {
  py::array owner;
  T* data = nullptr;
  py::ssize_t size = 0;

  py::ssize_t rows() const { return owner.ndim() > 0 ? owner.shape(0) : 1; }
  py::ssize_t cols() const { return owner.ndim() > 1 ? owner.shape(1) : 1; }
  py::ssize_t ndim() const { return owner.ndim(); }
};

using Numbers = In<double>;
using Integers = In<std::int32_t>;
using Target = Out<double>;
using MaybeNumbers = std::optional<Numbers>;
using MaybeTarget = std::optional<Target>;

inline void need(bool holds, const char* text) {
  if (!holds) throw py::type_error(text);
}
inline void need(bool holds, const std::string& text) {
  if (!holds) throw py::type_error(text);
}

/// meaning: the name of the size, for example nv.
template <class A>
void need_size(const A& array, py::ssize_t size, const char* name, const char* meaning = "") {
  if (array.size != size)
    throw py::type_error(
        fmt::format("{} has {} numbers instead of {}{}{}", name, array.size, meaning, *meaning ? " = " : "", size));
}
template <class A>
void need_size(const std::optional<A>& array, py::ssize_t size, const char* name, const char* meaning = "") {
  if (array) need_size(*array, size, name, meaning);
}
/// A matrix may also be flat. meaning: the names of rows and columns, for example (3, nv).
template <class A>
void need_shape(const A& array, py::ssize_t rows, py::ssize_t cols, const char* name, const char* meaning) {
  const bool fits = array.ndim() == 1 || (array.rows() == rows && array.cols() == cols);
  if (array.size != rows * cols || !fits)
    throw py::type_error(fmt::format("{} has shape {} instead of {} = ({}, {})", name,
                                     std::string(py::str(array.owner.attr("shape"))), meaning, rows, cols));
}
template <class A>
void need_shape(const std::optional<A>& array, py::ssize_t rows, py::ssize_t cols, const char* name,
                const char* meaning) {
  if (array) need_shape(*array, rows, cols, name, meaning);
}

template <class A>
auto data_of(const std::optional<A>& array) {
  return array ? array->data : nullptr;
}

}  // namespace sinew::python

namespace pybind11::detail {

template <class T>
struct type_caster<sinew::python::In<T>> {
  PYBIND11_TYPE_CASTER(sinew::python::In<T>, const_name("ArrayLike"));

  bool load(handle source, bool) {
    if (!source || source.is_none()) return false;
    if (isinstance<array_t<T, array::c_style>>(source)) {  // right type and layout: no copy
      value.owner = reinterpret_borrow<array>(source);
    } else {
      const auto any = array::ensure(source);
      if (!any) {
        PyErr_Clear();
        return false;
      }
      const char kind = any.dtype().kind();
      const bool number = kind == 'b' || kind == 'i' || kind == 'u' || (kind == 'f' && std::is_floating_point_v<T>);
      if (!number && any.size() != 0) return false;
      value.owner = array_t<T, array::c_style | array::forcecast>::ensure(any);
      if (!value.owner) {
        PyErr_Clear();
        return false;
      }
    }
    value.data = static_cast<const T*>(value.owner.data());
    value.size = value.owner.size();
    return value.owner.ndim() <= 2;
  }
};

template <class T>
struct type_caster<sinew::python::Out<T>> {
  PYBIND11_TYPE_CASTER(sinew::python::Out<T>,
                       const_name("numpy.ndarray[") + npy_format_descriptor<T>::name + const_name("]"));

  bool load(handle source, bool) {
    if (!source || !isinstance<array_t<T, array::c_style>>(source)) return false;
    value.owner = reinterpret_borrow<array>(source);
    if (!value.owner.writeable() || !(value.owner.flags() & npy_api::NPY_ARRAY_ALIGNED_)) return false;
    value.data = static_cast<T*>(value.owner.mutable_data());
    value.size = value.owner.size();
    return value.owner.ndim() <= 2;
  }
};

}  // namespace pybind11::detail
