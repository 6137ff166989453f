#include "geometry/gmsh_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace sinew {
namespace {

/// Thrown inside this file only, when the content is not what it should be.
struct BadGmsh {
  std::string message;
};

[[noreturn]] void refuse(std::string message) { throw BadGmsh{std::move(message)}; }

/// A part of the file, read from front to back.
class GmshCursor {
 public:
  GmshCursor(std::string_view text, const char* what) : left_(text), what_(what) {}

  std::size_t left() const { return left_.size(); }

  /// A number written out, after white space.
  template <class Number>
  Number word() {
    while (!left_.empty() && std::strchr(" \t\r\n", left_.front())) left_.remove_prefix(1);
    Number value{};
    const auto [end, bad] = std::from_chars(left_.data(), left_.data() + left_.size(), value);
    if (bad != std::errc()) refuse(fmt::format("error reading {}: a number is expected", what_));
    left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
    return value;
  }

  /// The bytes of a number.
  template <class Number>
  Number raw() {
    Number value{};
    if (left_.size() < sizeof(value)) refuse(fmt::format("error reading {}: the data end too early", what_));
    std::memcpy(&value, left_.data(), sizeof(value));
    left_.remove_prefix(sizeof(value));
    return value;
  }

  /// The end of the line.
  void end_line() {
    while (!left_.empty() && (left_.front() == ' ' || left_.front() == '\t')) left_.remove_prefix(1);
    if (!left_.empty() && left_.front() == '\r') left_.remove_prefix(1);
    if (left_.empty() || left_.front() != '\n')
      refuse(fmt::format("error reading {}: a line has more than is expected", what_));
    left_.remove_prefix(1);
  }

  /// A number in the file's own form.
  template <class Text, class Raw>
  Text number(bool binary) {
    return binary ? static_cast<Text>(raw<Raw>()) : word<Text>();
  }

 private:
  std::string_view left_;
  const char* what_;
};

/// What is between two marks, after the line break behind the first one.
std::string_view section(std::string_view file, std::string_view begin, std::string_view end) {
  const std::size_t first = file.find(begin);
  if (first == std::string_view::npos) refuse(fmt::format("{} is missing", begin));
  std::size_t from = first + begin.size();
  if (from < file.size() && file[from] == '\r') ++from;
  if (from < file.size() && file[from] == '\n') ++from;
  const std::size_t last = file.find(end, from);
  if (last == std::string_view::npos) refuse(fmt::format("{} is missing", end));
  return file.substr(from, last - from);
}

/// Refuses a count that the data cannot hold, before memory is taken for it.
void check_count(std::int64_t count, std::size_t bytes_each, const GmshCursor& in, const char* what) {
  if (count < 1 || static_cast<std::uint64_t>(count) > in.left() / bytes_each)
    refuse(fmt::format("error reading {}: {} of them do not fit into the file", what, count));
}

/// The dimension of an element type, 0: not a simplex.
int simplex_dim(std::int64_t type) { return type == 1 ? 1 : type == 2 ? 2 : type == 4 ? 3 : 0; }

double coordinate(double x) {
  if (!std::isfinite(x)) refuse("error reading nodes: a coordinate is not finite");
  return x;
}

class GmshReader {
 public:
  GmshReader(std::string_view file, bool binary)
      : nodes_(section(file, "$Nodes", "$EndNodes"), "nodes"),
        elements_(section(file, "$Elements", "$EndElements"), "elements"),
        binary_(binary) {}

  GmshMesh read_41() {
    const Block nodes = block(nodes_, "node");
    out_.dim = nodes.dim;
    check_count(nodes.count, binary_ ? 32 : 8, nodes_, "nodes");
    for (std::int64_t i = 0; i < nodes.count; ++i)
      if (wide(nodes_) != nodes.first + i) refuse("node tags must be sequential");
    for (std::int64_t i = 0; i < 3 * nodes.count; ++i)
      out_.point.push_back(coordinate(nodes_.number<double, double>(binary_)));

    const Block elements = block(elements_, "element");
    if (elements.dim != out_.dim) refuse("invalid elements header: its dimension is not that of the nodes");
    if (simplex_dim(elements.kind) != out_.dim)
      refuse(fmt::format("elements of type {} are not supported in {} dimensions", elements.kind, out_.dim));
    check_count(elements.count, (binary_ ? 8 : 2) * (static_cast<std::size_t>(out_.dim) + 2), elements_, "elements");
    for (std::int64_t e = 0; e < elements.count; ++e) {
      wide(elements_);  // tag
      for (int c = 0; c <= out_.dim; ++c) add_vertex(wide(elements_) - nodes.first);
    }
    return std::move(out_);
  }

  GmshMesh read_22() {
    const std::int64_t nodes = count(nodes_);
    check_count(nodes, binary_ ? 28 : 8, nodes_, "nodes");
    for (std::int64_t i = 0; i < nodes; ++i) {
      narrow(nodes_);  // tag
      for (int k = 0; k < 3; ++k) out_.point.push_back(coordinate(nodes_.number<double, double>(binary_)));
    }
    const std::int64_t elements = count(elements_);
    check_count(elements, binary_ ? 16 : 8, elements_, "elements");
    // binary: a header for each run of elements; ASCII: for each element, which is then a run of one
    for (std::int64_t done = 0; done < elements;) {
      const std::int64_t tag = binary_ ? 0 : narrow(elements_), type = narrow(elements_);
      const std::int64_t run = binary_ ? narrow(elements_) : 1, tags = narrow(elements_);
      static_cast<void>(tag);
      const int dim = simplex_dim(type);
      if (dim < 2) refuse(fmt::format("elements of type {} are not supported, only triangles and tetrahedra", type));
      if (out_.dim != 0 && dim != out_.dim) refuse("all elements must be of one type");
      out_.dim = dim;
      if (run < 1 || run > elements - done || tags < 0) refuse("invalid elements header");
      for (std::int64_t e = 0; e < run; ++e) {
        if (binary_) narrow(elements_);
        for (std::int64_t t = 0; t < tags; ++t) narrow(elements_);
        for (int c = 0; c <= dim; ++c) add_vertex(narrow(elements_) - 1);
      }
      done += run;
    }
    return std::move(out_);
  }

 private:
  struct Block {
    std::int64_t count = 0, first = 0, kind = 0;
    int dim = 0;
  };

  std::int64_t wide(GmshCursor& in) { return in.number<std::int64_t, std::int64_t>(binary_); }
  std::int64_t narrow(GmshCursor& in) { return in.number<std::int64_t, std::int32_t>(binary_); }

  /// Version 2.2: the number of entries is always text, alone on its line.
  std::int64_t count(GmshCursor& in) {
    const auto n = in.word<std::int64_t>();
    in.end_line();
    return n;
  }

  /// Version 4.1: the header of the section and of its only block.
  Block block(GmshCursor& in, std::string_view what) {
    const std::int64_t blocks = wide(in), total = wide(in), first = wide(in), last = wide(in);
    Block out;
    out.dim = static_cast<int>(narrow(in));
    narrow(in);  // tag of the entity
    out.kind = narrow(in);
    out.count = wide(in);
    out.first = first;
    if (blocks != 1) refuse(fmt::format("all {}s must be in a single block", what));
    if (total != out.count) refuse(fmt::format("invalid {} header: the block has {} of {}", what, out.count, total));
    if (last != out.count || first < 0 || first > last)
      refuse(fmt::format("the maximum {} tag must be the number of {}s", what, what));
    if (out.dim < 1 || out.dim > 3) refuse(fmt::format("invalid {} header: the dimension must be 1, 2 or 3", what));
    return out;
  }

  void add_vertex(std::int64_t index) {
    if (index < 0 || index >= static_cast<std::int64_t>(out_.point.size() / 3))
      refuse("error reading elements: an element has a node that does not exist");
    out_.element.push_back(static_cast<int>(index));
  }

  GmshCursor nodes_, elements_;
  bool binary_;
  GmshMesh out_;
};

}  // namespace

Result<GmshMesh> read_gmsh(std::span<const std::byte> bytes) {
  const std::string_view file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  constexpr std::string_view kMark = "$MeshFormat";
  if (!file.starts_with(kMark)) return Error::message("not a GMSH file: it does not begin with $MeshFormat");
  try {
    GmshCursor head(file.substr(kMark.size()), "the format");
    const double version = head.word<double>();
    const int form = head.word<int>();
    if (form != 0 && form != 1) refuse("the file type must be 0 (ASCII) or 1 (binary)");
    if (version != 4.1 && version != 2.2)
      refuse(fmt::format("GMSH version {} is not supported, only 2.2 and 4.1", version));
    if (form == 1) {
      head.word<int>();  // bytes of a number
      head.end_line();
      if (head.raw<std::int32_t>() != 1) refuse("binary data must be little-endian");
    }
    GmshReader reader(file, form == 1);
    GmshMesh mesh = version == 4.1 ? reader.read_41() : reader.read_22();
    if (mesh.point.empty() || mesh.element.empty()) refuse("vertex and element data are required");
    return mesh;
  } catch (const BadGmsh& bad) {
    return Error::message(bad.message);
  }
}

}  // namespace sinew
