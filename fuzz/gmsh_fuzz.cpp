// Fuzz target for GMSH files, versions 2.2 and 4.1, binary and ASCII: gmsh_fuzz RUNS

#include <cstdint>

#include "asset.h"
#include "shapes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::load_with(R"(<mujoco><worldbody>
    <flexcomp name="thing" type="gmsh" file="thing.msh" radius=".001"><contact contype="0" conaffinity="0"/></flexcomp></worldbody></mujoco>)",
                  "thing.msh", {reinterpret_cast<const char*>(data), size});
  return 0;
}

#ifndef SINEW_LIBFUZZER

namespace {

/// The triangles of a shape in one of the four forms.
class Form {
 public:
  Form(bool old, bool binary) : old_(old), binary_(binary) {}

  std::string of(const fuzz::Shape& shape) {
    const auto nodes = static_cast<std::int64_t>(shape.vertex.size());
    const auto faces = static_cast<std::int64_t>(shape.face.size());
    out_ = old_ ? "$MeshFormat\n2.2 " : "$MeshFormat\n4.1 ";
    out_ += binary_ ? "1 8\n" : "0 8\n";
    if (binary_) raw<std::int32_t>(1);
    out_ += "\n$EndMeshFormat\n$Nodes\n";
    header(nodes, 0);
    for (std::int64_t i = 0; i < nodes && !old_; ++i) wide(i + 1);
    for (std::int64_t i = 0; i < nodes; ++i) {
      if (old_) narrow(i + 1);
      for (const float x : shape.vertex[static_cast<std::size_t>(i)]) real(x);
    }
    out_ += "\n$EndNodes\n$Elements\n";
    header(faces, 2);
    for (std::int64_t i = 0; i < faces; ++i) {
      if (old_ && !binary_) narrow(i + 1);
      if (old_) narrow(2);
      if (old_ && binary_) narrow(1);
      if (old_) narrow(0);
      if (old_ && binary_) narrow(i + 1);
      if (!old_) wide(i + 1);
      for (const int corner : shape.face[static_cast<std::size_t>(i)]) old_ ? narrow(corner + 1) : wide(corner + 1);
    }
    return out_ + "\n$EndElements\n";
  }

 private:
  void header(std::int64_t count, int type) {
    if (old_) {
      out_ += std::to_string(count) + "\n";
      return;
    }
    for (const std::int64_t n : {std::int64_t{1}, count, std::int64_t{1}, count}) wide(n);
    for (const int n : {2, 1, type}) narrow(n);
    wide(count);
  }
  template <class T>
  void raw(T value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void wide(std::int64_t n) { binary_ ? raw(n) : text(std::to_string(n)); }
  void narrow(std::int64_t n) { binary_ ? raw(static_cast<std::int32_t>(n)) : text(std::to_string(n)); }
  void real(double x) { binary_ ? raw(x) : text(std::to_string(x)); }
  void text(const std::string& word) { out_ += word + "\n"; }

  bool old_, binary_;
  std::string out_;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> seeds;
  for (const bool old : {false, true})
    for (const bool binary : {false, true})
      for (const fuzz::Shape& shape : {fuzz::tetrahedron(), fuzz::cube()}) seeds.push_back(Form(old, binary).of(shape));
  return fuzz::run_on_seeds(argc, argv, seeds);
}

#endif
