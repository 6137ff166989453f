#include "geometry/mesh_file.h"

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <sstream>

#include "base/limits.h"
#include "geometry/collada.h"
#include "geometry/vertex_merger.h"

namespace sinew {
namespace {

/// Reads fixed-size values from a buffer, never past its end.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::size_t left() const { return bytes_.size() - at_; }
  void skip(std::size_t n) { at_ += std::min(n, left()); }
  template <class T>
  T take() {
    T value{};
    if (left() >= sizeof(T)) std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    skip(sizeof(T));
    return value;
  }
  template <class T>
  std::vector<T> take_array(std::size_t n) {
    std::vector<T> values(n);
    const std::size_t size = n * sizeof(T);
    if (size > 0 && left() >= size) std::memcpy(values.data(), bytes_.data() + at_, size);
    skip(size);
    return values;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

Error bad_coordinate(const char* format) {
  return Error::message(fmt::format("{} file: a vertex coordinate is not finite or exceeds 2^30", format));
}

bool coordinates_ok(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float x) { return std::abs(x) <= limits::kCoordinate; });
}

Result<MeshSource> read_binary_stl(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  in.skip(80);
  const auto count = in.take<std::uint32_t>();
  if (count < 1 || count > limits::kStlTriangles)
    return Error::message(fmt::format("STL file: {} triangles, must be 1 to {}", count, limits::kStlTriangles));
  if (in.left() != std::size_t{count} * 50)
    return Error::message(fmt::format("STL file: {} triangles need {} bytes after the header, found {}", count,
                                      std::size_t{count} * 50, in.left()));
  MeshSource mesh;
  VertexMerger merge(mesh, count);
  const std::byte* triangle = bytes.data() + bytes.size() - in.left();
  for (std::uint32_t i = 0; i < count; ++i, triangle += 50) {
    std::array<std::array<float, 3>, 4> rows;  // the normal, which is recomputed, and the corners
    std::memcpy(&rows, triangle, sizeof rows);
    for (std::size_t k = 1; k < 4; ++k) merge.corner(rows[k]);
  }
  if (!coordinates_ok(mesh.vertex)) return bad_coordinate("STL");
  return mesh;
}

Result<MeshSource> read_ascii_stl(std::string_view text) {
  MeshSource mesh;
  constexpr std::size_t kTextOfATriangle = 200;  // bytes, approximate
  VertexMerger merge(mesh, text.size() / kTextOfATriangle);
  std::size_t at = 0, line = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view row = text.substr(at, end - at);
    at = end + 1;
    ++line;
    row.remove_prefix(std::min(row.find_first_not_of(" \t\r"), row.size()));
    if (!row.starts_with("vertex")) continue;
    row.remove_prefix(6);
    std::array<float, 3> p{};
    for (float& x : p) {
      row.remove_prefix(std::min(row.find_first_not_of(" \t\r"), row.size()));
      if (row.starts_with('+')) row.remove_prefix(1);
      const auto [next, status] = std::from_chars(row.data(), row.data() + row.size(), x);
      if (status != std::errc())
        return Error::message(fmt::format("STL file, line {}: 'vertex' needs three numbers", line));
      row.remove_prefix(static_cast<std::size_t>(next - row.data()));
    }
    merge.corner(p);
    if (mesh.face.size() > 3 * limits::kStlTriangles)
      return Error::message(fmt::format("STL file: more than {} triangles", limits::kStlTriangles));
  }
  if (mesh.face.empty() || mesh.face.size() % 3 != 0)
    return Error::message(fmt::format("STL file: {} corners do not form triangles", mesh.face.size()));
  if (!coordinates_ok(mesh.vertex)) return bad_coordinate("STL");
  return mesh;
}

}  // namespace

bool is_ascii_stl(std::span<const std::byte> bytes) {
  if (bytes.size() < 5 || std::memcmp(bytes.data(), "solid", 5) != 0) return false;
  if (bytes.size() < 84) return true;
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, 4);
  return bytes.size() != 84 + 50 * std::size_t{count};
}

MeshFormat mesh_format(std::string_view filename, std::string_view content_type) {
  auto lower = [](std::string_view s) {
    std::string out(s);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
    return out;
  };
  const std::string type = lower(content_type.substr(0, content_type.find(';')));
  if (type == "model/stl") return MeshFormat::Stl;
  if (type == "model/obj") return MeshFormat::Obj;
  if (type == "model/vnd.mujoco.msh") return MeshFormat::Msh;
  if (type == "model/vnd.collada+xml") return MeshFormat::Collada;
  const std::string name = lower(filename);
  if (name.ends_with(".stl")) return MeshFormat::Stl;
  if (name.ends_with(".obj")) return MeshFormat::Obj;
  if (name.ends_with(".msh")) return MeshFormat::Msh;
  if (name.ends_with(".dae")) return MeshFormat::Collada;
  return MeshFormat::Unknown;
}

Result<MeshSource> read_stl(std::span<const std::byte> bytes) {
  if (is_ascii_stl(bytes)) return read_ascii_stl({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (bytes.size() < 84)
    return Error::message(fmt::format("STL file: {} bytes are too few for a header", bytes.size()));
  return read_binary_stl(bytes);
}

/// A polygon is triangulated corner by corner, each time testing all the others.
Result<bool> check_polygons(std::string_view text) {
  double work = 0;
  for (std::size_t at = 0, line = 1; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view words = text.substr(at, end - at);
    at = end + 1;
    const std::size_t begin = words.find_first_not_of(" \t");
    if (begin == std::string_view::npos || words[begin] != 'f') continue;
    double corners = 0;
    for (std::size_t i = begin + 1; i < words.size(); ++i) corners += words[i] > ' ' && words[i - 1] <= ' ';
    if (corners > 4) work += corners * corners;
    if (work > limits::kPolygonWork)
      return Error::message(fmt::format(
          "OBJ file: line {} has a polygon of {} corners; up to there the squared corner counts of polygons add up to "
          "{:.3g}, the maximum is {:.3g} (use triangles)",
          line, corners, work, limits::kPolygonWork));
  }
  return true;
}

Result<MeshSource> read_obj(std::span<const std::byte> bytes) {
  tinyobj::ObjReaderConfig config;
  config.triangulate = true;
  config.vertex_color = false;
  tinyobj::ObjReader reader;
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (Result<bool> ok = check_polygons(text); !ok) return ok.error();
  if (!reader.ParseFromString(text, std::string(), config) || !reader.Valid()) {
    std::string why = reader.Error();
    while (!why.empty() && (why.back() == '\n' || why.back() == ' ')) why.pop_back();
    return Error::message("OBJ file: " + (why.empty() ? std::string("cannot be read") : why));
  }
  const tinyobj::attrib_t& attrib = reader.GetAttrib();
  MeshSource mesh;
  mesh.vertex.assign(attrib.vertices.begin(), attrib.vertices.end());
  mesh.normal.assign(attrib.normals.begin(), attrib.normals.end());
  mesh.texcoord.assign(attrib.texcoords.begin(), attrib.texcoords.end());
  for (std::size_t i = 1; i < mesh.texcoord.size(); i += 2) mesh.texcoord[i] = 1 - mesh.texcoord[i];
  if (!coordinates_ok(mesh.vertex)) return bad_coordinate("OBJ");

  const auto first = std::find_if(reader.GetShapes().begin(), reader.GetShapes().end(),
                                  [](const tinyobj::shape_t& s) { return !s.mesh.indices.empty(); });
  if (first == reader.GetShapes().end()) return mesh;
  for (const tinyobj::index_t& corner : first->mesh.indices) {
    mesh.face.push_back(corner.vertex_index);
    if (!mesh.normal.empty()) mesh.face_normal.push_back(corner.normal_index);
    if (!mesh.texcoord.empty()) mesh.face_texcoord.push_back(corner.texcoord_index);
  }
  return mesh;
}

Result<MeshSource> read_msh(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  const auto nvert = in.take<std::int32_t>(), nnormal = in.take<std::int32_t>();
  const auto ntexcoord = in.take<std::int32_t>(), nface = in.take<std::int32_t>();
  if (nvert < 4 || nface < 0 || (nnormal != 0 && nnormal != nvert) || (ntexcoord != 0 && ntexcoord != nvert))
    return Error::message(
        fmt::format("MSH file: header says {} vertices, {} normals, {} texture coordinates, {} faces; needs at least 4 "
                    "vertices, and "
                    "as many normals and texture coordinates or none",
                    nvert, nnormal, ntexcoord, nface));
  const std::uint64_t need = 12ull * static_cast<std::uint64_t>(nvert) + 12ull * static_cast<std::uint64_t>(nnormal) +
                             8ull * static_cast<std::uint64_t>(ntexcoord) + 12ull * static_cast<std::uint64_t>(nface);
  if (in.left() != need || need > limits::kMshBytes)
    return Error::message(fmt::format("MSH file: the header asks for {} bytes, found {}", need, in.left()));
  MeshSource mesh;
  mesh.keeps_winding = true;
  mesh.vertex = in.take_array<float>(3 * static_cast<std::size_t>(nvert));
  mesh.normal = in.take_array<float>(3 * static_cast<std::size_t>(nnormal));
  mesh.texcoord = in.take_array<float>(2 * static_cast<std::size_t>(ntexcoord));
  mesh.face = in.take_array<int>(3 * static_cast<std::size_t>(nface));
  if (nnormal) mesh.face_normal = mesh.face;
  if (ntexcoord) mesh.face_texcoord = mesh.face;
  if (!coordinates_ok(mesh.vertex)) return bad_coordinate("MSH");
  return mesh;
}

Result<MeshSource> read_mesh(std::span<const std::byte> bytes, MeshFormat format, Budget& budget) {
  switch (format) {
    case MeshFormat::Stl: return read_stl(bytes);
    case MeshFormat::Obj: return read_obj(bytes);
    case MeshFormat::Msh: return read_msh(bytes);
    case MeshFormat::Collada: return read_collada(bytes, budget);
    case MeshFormat::Unknown: break;
  }
  return Error::message("unknown mesh format; sinew reads .stl, .obj, .msh and .dae");
}

}  // namespace sinew
