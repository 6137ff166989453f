#pragma once

// Small structs of the engine as Python objects: each field is an attribute, an array of the struct is a numpy view.
// Lists of structs have the same attributes with one more dimension.

#include <cstddef>
#include <functional>

#include "field_table.h"

namespace sinew::python {

inline constexpr std::size_t kBeside = static_cast<std::size_t>(-1);

struct StructField {
  const char* name;
  std::size_t offset;  // kBeside: not in the engine's struct, but in memory of Python's
  Number number;
  int count;  // 0: a single value
  const char* doc;
};

struct StructInfo {
  const char* name;
  const char* doc;
  std::size_t size;
  std::span<const StructField> fields;
  void (*fill)(void* at);  // default values
  std::size_t beside = 0;  // bytes of the field with offset kBeside
};

/// One struct: part of a larger object, or standalone.
struct Struct {
  const StructInfo* info;
  std::shared_ptr<void> owner;
  std::byte* at;
  std::byte* beside = nullptr;

  /// A standalone struct, with default values.
  explicit Struct(const StructInfo& of);
  Struct(const StructInfo& of, std::shared_ptr<void> part_of, void* place, std::byte* next_to_it = nullptr)
      : info(&of), owner(std::move(part_of)), at(static_cast<std::byte*>(place)), beside(next_to_it) {}

  std::byte* place(const StructField& field) const { return field.offset == kBeside ? beside : at + field.offset; }
};

struct StructList {
  const StructInfo* info;
  std::shared_ptr<void> owner;
  std::byte* at;
  py::ssize_t count;
  py::ssize_t stride = 0;  // bytes
  std::byte* beside = nullptr;
  py::ssize_t beside_stride = 0;
  std::function<void(StructList&)> locate;  // finds the structs of a list that grows and moves; empty: it does not

  StructList(const StructInfo& of, std::shared_ptr<void> part_of, void* place, std::size_t n)
      : info(&of),
        owner(std::move(part_of)),
        at(static_cast<std::byte*>(place)),
        count(static_cast<py::ssize_t>(n)),
        stride(static_cast<py::ssize_t>(of.size)),
        beside_stride(static_cast<py::ssize_t>(of.beside)) {}

  /// The list as it is now.
  StructList now() const {
    StructList list(*this);
    if (locate) locate(list);
    list.locate = nullptr;
    return list;
  }
  Struct operator[](py::ssize_t i) const {
    return {*info, owner, at + i * stride, beside ? beside + i * beside_stride : nullptr};
  }
};

/// The same as distinct types: Python needs a class per struct.
template <const StructInfo& I>
struct StructOf : Struct {
  StructOf() : Struct(I) {}
  StructOf(std::shared_ptr<void> part_of, void* place) : Struct(I, std::move(part_of), place) {}
  explicit StructOf(const Struct& same) : Struct(same) {}
};
template <const StructInfo& I>
struct ListOf : StructList {
  ListOf(std::shared_ptr<void> part_of, void* place, std::size_t n) : StructList(I, std::move(part_of), place, n) {}
  explicit ListOf(const StructList& list) : StructList(list) {}
};

std::vector<Property> struct_properties(const StructInfo& info);
std::vector<Property> list_properties(const StructInfo& info);
/// Start, count and step of `key`, an index or a slice, in a list of n; throws Python's error.
struct Range {
  py::ssize_t start, count, step;
  bool single;
};
Range range_of(py::handle key, py::ssize_t n);

/// Methods common to all structs; the classes below inherit them.
void bind_struct_base(py::module_& module);

template <const StructInfo& I>
void bind_struct_type(py::handle scope) {
  py::class_<StructOf<I>, Struct> type(scope, I.name, I.doc);
  type.def(py::init<>());
  add_properties(type, struct_properties(I));
}

template <const StructInfo& I>
void bind_list_type(py::handle scope, const char* name) {
  py::class_<ListOf<I>, StructList> type(scope, name);
  add_properties(type, list_properties(I));
  type.def("__getitem__", [](const ListOf<I>& self, py::handle key) -> py::object {
    const StructList list = self.now();
    const Range range = range_of(key, list.count);
    const Struct first = list[range.start];
    if (range.single) return py::cast(StructOf<I>(first));
    ListOf<I> part(list);
    part.at = first.at;
    part.beside = first.beside;
    part.count = range.count;
    part.stride = list.stride * range.step;
    part.beside_stride = list.beside_stride * range.step;
    return py::cast(part);
  });
}

}  // namespace sinew::python

namespace pybind11::detail {
template <>
struct type_caster<sinew::python::Struct> : sinew::python::ConstructedCaster<sinew::python::Struct> {};
template <>
struct type_caster<sinew::python::StructList> : sinew::python::ConstructedCaster<sinew::python::StructList> {};
template <const sinew::python::StructInfo& I>
struct type_caster<sinew::python::StructOf<I>> : sinew::python::ConstructedCaster<sinew::python::StructOf<I>> {};
template <const sinew::python::StructInfo& I>
struct type_caster<sinew::python::ListOf<I>> : sinew::python::ConstructedCaster<sinew::python::ListOf<I>> {};
}  // namespace pybind11::detail
