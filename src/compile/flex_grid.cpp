#include "compile/flex_grid.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "dynamics/flex_grid.h"
#include "geometry/flex_cells.h"

namespace sinew::compiling {
namespace {

using Square = Eigen::MatrixXd;

/// Sizes of the grid of nodes.
struct NodeGrid {
  int order;
  std::array<int, 3> cells, nodes;

  explicit NodeGrid(const spec::Flex& in) : order(in.order()), cells(in.cellcount) {
    for (std::size_t k = 0; k < 3; ++k) nodes[k] = cells[k] * order + 1;
  }
  std::size_t node(const std::array<int, 3>& at) const {
    return static_cast<std::size_t>((at[0] * nodes[1] + at[1]) * nodes[2] + at[2]);
  }
  /// visit(number, cell)
  template <class Visit>
  void for_each_cell(Visit&& visit) const {
    std::size_t number = 0;
    for (int i = 0; i < cells[0]; ++i)
      for (int j = 0; j < cells[1]; ++j)
        for (int k = 0; k < cells[2]; ++k) visit(number++, std::array<int, 3>{i, j, k});
  }
};

bool is_shell(const spec::Flex& in) { return in.elasticity.elastic2d != spec::FlexElastic2d::None; }

/// Unit vectors along the three axes of the grid, from the corner of a cell.
Matrix3 axes_of(const NodeGrid& grid, const std::vector<Vec>& nodes, const std::array<int, 3>& cell) {
  Matrix3 rows;
  std::array<int, 3> corner;
  for (std::size_t k = 0; k < 3; ++k) corner[k] = cell[k] * grid.order;
  for (int r = 0; r < 3; ++r) {
    std::array<int, 3> next = corner;
    next[static_cast<std::size_t>(r)] += grid.order;
    Vec axis = nodes[grid.node(next)] - nodes[grid.node(corner)];
    normalize(axis);
    for (int c = 0; c < 3; ++c) rows(r, c) = axis[c];
  }
  return rows;
}

bool is_orthonormal(const Matrix3& rows) {
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b <= a; ++b)
      if (!(std::abs(dot(rows.row(a), rows.row(b)) - (a == b ? 1 : 0)) <= 1e-8)) return false;
  return true;
}

// Stiffness matrices. Which basis of a degenerate space of modes the rotations below find is decided by their last
// bits, so sums are in the order of MuJoCo 3.12.0.

/// Points and weights of the quadrature along one axis of a cell.
struct Quadrature {
  std::array<double, 3> point{}, weight{};
  int count = 0;

  explicit Quadrature(int order) {
    if (order == 1) {
      const double away = 0.5 / std::sqrt(3.0);
      *this = Quadrature({-away + 0.5, away + 0.5, 0}, {0.5, 0.5, 0}, 2);
    } else {
      // MuJoCo 3.12.0 has the outer points at the inverse of the distance that would be exact, outside the cell
      const double away = 0.5 / std::sqrt(3.0 / 5.0);
      *this = Quadrature({0.5, -away + 0.5, away + 0.5}, {8.0 / 9 * 0.5, 5.0 / 9 * 0.5, 5.0 / 9 * 0.5}, 3);
    }
  }

 private:
  Quadrature(const std::array<double, 3>& p, const std::array<double, 3>& w, int n) : point(p), weight(w), count(n) {}
};

/// Lamé's constants.
struct Lame {
  double lambda, mu;
};
Lame solid_constants(double young, double poisson) {
  return {young * poisson / (1 + poisson) / (1 - 2 * poisson), young / (2 * (1 + poisson))};
}
Lame plane_constants(double young, double poisson) {
  return {young * poisson / (1 - poisson * poisson), young / (2 * (1 + poisson))};
}

/// The strain of a displacement along axis k with this gradient.
Matrix3 strain_along(int k, const Vec& gradient) {
  Matrix3 strain;
  for (int l = 0; l < 3; ++l) {
    strain(k, l) += gradient[l] / 2;
    strain(l, k) += gradient[l] / 2;
  }
  return strain;
}

/// Σ a_kl b_kl of symmetric matrices.
double double_product(const Matrix3& a, const Matrix3& b) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += dot(a.row(k), b.row(k));
  return sum;
}

/// Adds -amount (λ div u div v + μ strain u : strain v) over the displacements u, v of the nodes along the axes in use.
/// MuJoCo 3.12.0 has half of the physical shear part.
void add_strain_energy(const std::vector<Vec>& gradient, const Lame& law, double amount,
                       const std::array<bool, 3>& used, Square& K) {
  std::vector<Matrix3> strain;
  for (const Vec& g : gradient)
    for (int k = 0; k < 3; ++k) strain.push_back(strain_along(k, g));
  const auto n = static_cast<Eigen::Index>(gradient.size());
  for (Eigen::Index i = 0; i < 3 * n; ++i) {
    const auto u = static_cast<std::size_t>(i);
    if (!used[u % 3]) continue;
    for (Eigen::Index j = 0; j < 3 * n; ++j) {
      const auto v = static_cast<std::size_t>(j);
      if (!used[v % 3]) continue;
      const double div_u = gradient[u / 3][static_cast<int>(u % 3)], div_v = gradient[v / 3][static_cast<int>(v % 3)];
      K(i, j) -= law.lambda * div_u * div_v * amount;
      K(i, j) -= law.mu * double_product(strain[u], strain[v]) * amount;
    }
  }
}

/// Stiffness of one cell with sides d, the negative of the physical one.
Square cell_stiffness(int order, const Vec& d, const Lame& law) {
  const int side = order + 1;
  Square K = Square::Zero(3 * side * side * side, 3 * side * side * side);
  const Quadrature q(order);
  const double volume = d.x * d.y * d.z;
  const Vec per_length = {1 / d.x, 1 / d.y, 1 / d.z};
  std::vector<Vec> gradient(static_cast<std::size_t>(side * side * side));
  for (int a = 0; a < q.count; ++a) {
    for (int b = 0; b < q.count; ++b) {
      for (int c = 0; c < q.count; ++c) {
        const ShapeAxis x(order, q.point[a]), y(order, q.point[b]), z(order, q.point[c]);
        std::size_t n = 0;
        for (int i = 0; i < side; ++i) {
          for (int j = 0; j < side; ++j) {
            for (int k = 0; k < side; ++k) {
              gradient[n++] = {per_length.x * (x.slope[i] * y.value[j] * z.value[k]),
                               per_length.y * (x.value[i] * y.slope[j] * z.value[k]),
                               per_length.z * (x.value[i] * y.value[j] * z.slope[k])};
            }
          }
        }
        add_strain_energy(gradient, law, q.weight[a] * q.weight[b] * q.weight[c] * volume, {true, true, true}, K);
      }
    }
  }
  return K;
}

/// A face element of a shell: its axes and nodes, the last index of the nodes fastest along a1.
struct FaceElement {
  int normal, a0, a1;
  bool upper;  // on the maximum side
  int q0, q1;
  std::vector<std::size_t> node;
};

/// The faces of a shell, x = 0, x = max, y = 0 …, divided into quadrilaterals.
class ShellFaces {
 public:
  explicit ShellFaces(const spec::Flex& in) : grid_(in) {
    for (int face = 0; face < 6; ++face) {
      first_[static_cast<std::size_t>(face)] = size();
      const int a = face / 2, a0 = (a + 1) % 3, a1 = (a + 2) % 3;
      for (int q0 = 0; q0 < cells(a0); ++q0)
        for (int q1 = 0; q1 < cells(a1); ++q1) elements_.push_back({a, a0, a1, face % 2 == 1, q0, q1, {}});
    }
    for (FaceElement& e : elements_) find_nodes(e);
  }

  int size() const { return static_cast<int>(elements_.size()); }
  const FaceElement& operator[](int i) const { return elements_[static_cast<std::size_t>(i)]; }
  int cells(int axis) const { return grid_.cells[static_cast<std::size_t>(axis)]; }
  int order() const { return grid_.order; }
  int number(int axis, bool upper, int q0, int q1) const {
    return first_[static_cast<std::size_t>(2 * axis + upper)] + q0 * cells((axis + 2) % 3) + q1;
  }

 private:
  void find_nodes(FaceElement& e) const {
    for (int l0 = 0; l0 <= order(); ++l0) {
      for (int l1 = 0; l1 <= order(); ++l1) {
        std::array<int, 3> at;
        at[static_cast<std::size_t>(e.a0)] = e.q0 * order() + l0;
        at[static_cast<std::size_t>(e.a1)] = e.q1 * order() + l1;
        at[static_cast<std::size_t>(e.normal)] = e.upper ? cells(e.normal) * order() : 0;
        e.node.push_back(grid_.node(at));
      }
    }
  }

  NodeGrid grid_;
  std::vector<FaceElement> elements_;
  std::array<int, 6> first_{};
};

/// Membrane stiffness of a face element with sides d, the negative of the physical one.
Square membrane_stiffness(const FaceElement& face, int order, const Vec& d, const Lame& law, double thickness) {
  const int side = order + 1;
  Square K = Square::Zero(3 * side * side, 3 * side * side);
  const Quadrature q(order);
  std::array<bool, 3> used = {true, true, true};
  used[static_cast<std::size_t>(face.normal)] = false;
  std::vector<Vec> gradient(static_cast<std::size_t>(side * side));
  for (int a = 0; a < q.count; ++a) {
    for (int b = 0; b < q.count; ++b) {
      const ShapeAxis s(order, q.point[a]), t(order, q.point[b]);
      for (int i = 0; i < side; ++i) {
        for (int j = 0; j < side; ++j) {
          Vec& g = gradient[static_cast<std::size_t>(i * side + j)];
          g[face.a0] = 1 / d[face.a0] * (s.slope[i] * t.value[j]);
          g[face.a1] = 1 / d[face.a1] * (s.value[i] * t.slope[j]);
        }
      }
      const double area = d[face.a0] * d[face.a1];
      add_strain_energy(gradient, law, q.weight[a] * q.weight[b] * area * thickness, used, K);
    }
  }
  return K;
}

/// Eigenvalues and eigenvectors (columns) of a symmetric matrix by cyclic Jacobi rotations, row by row, left in the
/// order in which they stand on the diagonal. Which basis of a degenerate space comes out depends on the order of the
/// rotations and on the limits below: they are those of MuJoCo 3.12.0.
struct Eigenpairs {
  static constexpr int kMostSweeps = 200;
  static constexpr double kConverged = 1e-12, kNegligible = 1e-15;

  Square matrix, vectors;

  explicit Eigenpairs(const Square& symmetric)
      : matrix(symmetric), vectors(Square::Identity(symmetric.rows(), symmetric.cols())) {
    const Eigen::Index n = matrix.rows();
    for (int sweep = 0; sweep < kMostSweeps && !is_diagonal(); ++sweep)
      for (Eigen::Index p = 0; p < n; ++p)
        for (Eigen::Index q = p + 1; q < n; ++q)
          if (std::abs(matrix(p, q)) >= kNegligible) rotate(p, q);
  }

  bool is_diagonal() const {
    double sum = 0;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      for (Eigen::Index j = i + 1; j < matrix.cols(); ++j) sum += matrix(i, j) * matrix(i, j);
    return sum < kConverged * kConverged;
  }

  /// Turns the axes p and q such that the entry between them vanishes.
  void rotate(Eigen::Index p, Eigen::Index q) {
    const double between = matrix(p, q);
    const double ratio = (matrix(q, q) - matrix(p, p)) / (2 * between);
    const double tangent = (ratio >= 0 ? 1.0 : -1.0) / (std::abs(ratio) + std::sqrt(1 + ratio * ratio));
    const double cosine = 1 / std::sqrt(1 + tangent * tangent), sine = tangent * cosine;
    const auto turn = [&](double& a, double& b) {
      const double old = a;
      a = cosine * old - sine * b;
      b = sine * old + cosine * b;
    };
    for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
      turn(vectors(r, p), vectors(r, q));
      if (r == p || r == q) continue;
      turn(matrix(r, p), matrix(r, q));
      matrix(p, r) = matrix(r, p);
      matrix(q, r) = matrix(r, q);
    }
    matrix(p, p) -= tangent * between;
    matrix(q, q) += tangent * between;
    matrix(p, q) = matrix(q, p) = 0;
  }
};

/// The modes of strain: a row √λ v for each eigenvalue λ of -K that is not zero.
std::vector<Eigen::VectorXd> strain_modes(const Square& K) {
  const Eigenpairs pairs(K);
  const double most = pairs.matrix.diagonal().cwiseAbs().maxCoeff();
  std::vector<Eigen::VectorXd> out;
  for (Eigen::Index i = 0; i < K.rows(); ++i) {
    const double value = -pairs.matrix(i, i);
    if (value > 1e-8 * most) out.push_back(std::sqrt(value) * pairs.vectors.col(i));
  }
  return out;
}

/// The out-of-plane mode of a face that its membrane does not resist.
Eigen::VectorXd warp_mode(const FaceElement& face, int order, double bending) {
  Eigen::VectorXd w = Eigen::VectorXd::Zero(3 * static_cast<Eigen::Index>(face.node.size()));
  for (int i = 0; i <= order; ++i)
    for (int j = 0; j <= order; ++j)
      w[3 * (i * (order + 1) + j) + face.normal] = (1 - 2.0 * i / order) * (1 - 2.0 * j / order);
  return w.normalized() * std::sqrt(bending);
}

void put_matrix(const Square& K, double* out) {
  for (Eigen::Index i = 0; i < K.rows(); ++i)
    for (Eigen::Index j = 0; j < K.cols(); ++j) *out++ = K(i, j);
}

/// The number of modes, then their rows.
void put_modes(const std::vector<Eigen::VectorXd>& modes, double* out) {
  *out++ = static_cast<double>(modes.size());
  for (const Eigen::VectorXd& mode : modes) out = std::copy(mode.begin(), mode.end(), out);
}

// A flexstrain measures strain with a material of its own: only the ratio of its parts matters.
constexpr double kStrainYoung = 10, kStrainPoisson = 0.3;

double plate_stiffness(double young, double poisson, double thickness) {
  return young * thickness * thickness * thickness / (12 * (1 - poisson * poisson));
}

void cell_elasticity(const spec::Flex& in, FlexNode& out) {
  const NodeGrid grid(in);
  const bool modes = out.edgeequality == 3;
  const Lame law = modes ? solid_constants(kStrainYoung, kStrainPoisson)
                         : solid_constants(in.elasticity.young, in.elasticity.poisson);
  const int side = grid.order + 1, rows = 3 * side * side * side;
  const std::size_t block = static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows);
  out.stiffness.assign(block * out.empty.size(), 0);
  grid.for_each_cell([&](std::size_t number, const std::array<int, 3>& cell) {
    if (out.empty[number]) return;
    std::array<int, 3> first, last;
    for (std::size_t k = 0; k < 3; ++k) last[k] = (first[k] = cell[k] * grid.order) + grid.order;
    const Vec d = out.node0[grid.node(last)] - out.node0[grid.node(first)];
    const Square K = cell_stiffness(grid.order, d, law);
    double* place = &out.stiffness[block * number];
    if (modes)
      put_modes(strain_modes(K), place);
    else
      put_matrix(K, place);
  });
}

void face_elasticity(const spec::Flex& in, const ShellFaces& faces, FlexNode& out) {
  const bool modes = out.edgeequality == 3;
  const double young = modes ? kStrainYoung : in.elasticity.young, t = in.elasticity.thickness;
  const double poisson = modes ? kStrainPoisson : in.elasticity.poisson;
  const Lame law = plane_constants(young, poisson);
  const int side = faces.order() + 1, rows = 3 * side * side;
  const std::size_t block = static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows);
  out.stiffness.assign(block * static_cast<std::size_t>(faces.size()), 0);
  for (int f = 0; f < faces.size(); ++f) {
    const FaceElement& face = faces[f];
    const Vec d = out.node0[face.node.back()] - out.node0[face.node.front()];
    const Square K = membrane_stiffness(face, faces.order(), d, law, t);
    double* place = &out.stiffness[block * static_cast<std::size_t>(f)];
    if (!modes) {
      put_matrix(K, place);
      continue;
    }
    std::vector<Eigen::VectorXd> all = strain_modes(K);
    const double bending = 4 * plate_stiffness(young, poisson, t) * (1 - poisson) / (d[face.a0] * d[face.a1]);
    all.push_back(warp_mode(face, faces.order(), bending));
    put_modes(all, place);
  }
}

/// A point of a face at rest: tangents along its two axes.
struct FacePoint {
  Vec along0, along1, normal;

  FacePoint(const FaceElement& face, int order, const std::array<double, 2>& local, const std::vector<Vec>& x) {
    const ShapeAxis s(order, local[0]), t(order, local[1]);
    for (int i = 0; i <= order; ++i) {
      for (int j = 0; j <= order; ++j) {
        const Vec& at = x[face.node[static_cast<std::size_t>(i * (order + 1) + j)]];
        along0 += at * (s.slope[i] * t.value[j]);
        along1 += at * (s.value[i] * t.slope[j]);
      }
    }
    normal = cross(along0, along1);
    normalize(normal);
  }
};

/// Bending of a shell at the edges between its face elements: their number, then for each the two faces, the points of
/// the edge in both, the stiffness and the difference of the normals at rest.
void face_bending(const spec::Flex& in, const ShellFaces& faces, FlexNode& out) {
  const double plate = plate_stiffness(in.elasticity.young, in.elasticity.poisson, in.elasticity.thickness);
  std::vector<double> numbers = {0};
  const auto add = [&](int A, int B, const std::array<double, 2>& localA, const std::array<double, 2>& localB) {
    const FacePoint a(faces[A], faces.order(), localA, out.node0), b(faces[B], faces.order(), localB, out.node0);
    const auto lengths = [](const FacePoint& p, const std::array<double, 2>& local) {
      const double l0 = norm(p.along0), l1 = norm(p.along1);
      return local[0] == 0.5 ? std::pair(l0, l1) : std::pair(l1, l0);
    };
    const auto [la, ha] = lengths(a, localA);
    const auto [lb, hb] = lengths(b, localB);
    const double k = plate * (0.5 * (la + lb)) / std::max(0.5 * (ha + hb), 1e-12);
    const Vec bend = a.normal - b.normal;
    const double row[] = {static_cast<double>(A),
                          static_cast<double>(B),
                          localA[0],
                          localA[1],
                          localB[0],
                          localB[1],
                          k,
                          bend.x,
                          bend.y,
                          bend.z};
    numbers.insert(numbers.end(), std::begin(row), std::end(row));
    ++numbers[0];
  };
  for (int A = 0; A < faces.size(); ++A) {
    const FaceElement& face = faces[A];
    for (int direction = 0; direction < 2; ++direction) {
      for (const bool forward : {false, true}) {
        const int axis = direction == 0 ? face.a0 : face.a1, step = forward ? 1 : -1;
        const int q = direction == 0 ? face.q0 : face.q1;
        std::array<double, 2> localA = {0.5, 0.5}, localB = {0.5, 0.5};
        localA[static_cast<std::size_t>(direction)] = forward ? 1 : 0;
        int B = 0;
        if (q + step >= 0 && q + step < faces.cells(axis)) {
          localB[static_cast<std::size_t>(direction)] = forward ? 0 : 1;
          B = faces.number(face.normal, face.upper, face.q0 + (direction == 0 ? step : 0),
                           face.q1 + (direction == 1 ? step : 0));
        } else {
          const int end = face.upper ? faces.cells(face.normal) - 1 : 0;
          localB[static_cast<std::size_t>(1 - direction)] = face.upper ? 1 : 0;
          B = direction == 0 ? faces.number(axis, forward, face.q1, end) : faces.number(axis, forward, end, face.q0);
        }
        if (A < B) add(A, B, localA, localB);
      }
    }
  }
  out.bending = std::move(numbers);
}

}  // namespace

std::string place_in_grid(const spec::Flex& in, const GridPoints& points, FlexNode& out) {
  const NodeGrid grid(in);
  const std::size_t cells = static_cast<std::size_t>(grid.cells[0]) * static_cast<std::size_t>(grid.cells[1]) *
                            static_cast<std::size_t>(grid.cells[2]);
  out.empty.assign(cells, false);
  if (cells > 1 && !is_shell(in)) {
    FlexMesh nodes{points.local_node, {}, in.dim, {}, {}};
    bound_points(nodes);
    out.empty = empty_cells({points.local_vertex, out.element, in.dim, nodes.lo, nodes.hi}, grid.cells);
  }
  std::array<int, 3> first{};
  bool found = false;
  grid.for_each_cell([&](std::size_t number, const std::array<int, 3>& cell) {
    if (found || out.empty[number]) return;
    first = cell;
    found = true;
  });
  const Matrix3 R = axes_of(grid, points.node, first);
  if (!is_orthonormal(R)) return "the axes of the grid of nodes are not orthonormal";
  Vec lo, hi;
  for (std::size_t n = 0; n < points.node.size(); ++n) {
    out.node0.push_back(R * points.node[n]);
    for (int k = 0; k < 3; ++k) {
      lo[k] = n == 0 ? out.node0[n][k] : std::min(lo[k], out.node0[n][k]);
      hi[k] = n == 0 ? out.node0[n][k] : std::max(hi[k], out.node0[n][k]);
    }
  }
  out.size = (hi - lo) * 0.5;
  for (const Vec& x : out.x) {
    const Vec at = R * x;
    Vec scaled;
    for (int k = 0; k < 3; ++k) scaled[k] = hi[k] - lo[k] > kMinVal ? (at[k] - lo[k]) / (hi[k] - lo[k]) : 0.5;
    out.vert0.push_back(scaled);
  }
  return {};
}

void grid_elasticity(const spec::Flex& in, FlexNode& out) {
  const bool strain = out.edgeequality == 3, elastic = in.elasticity.young > 0;
  if (!is_shell(in)) {
    if (strain || elastic) cell_elasticity(in, out);
    return;
  }
  const ShellFaces faces(in);
  if (strain || elastic) face_elasticity(in, faces, out);
  const bool bends = in.elasticity.elastic2d != spec::FlexElastic2d::Stretch;
  if (elastic && bends && in.elasticity.thickness > 0) face_bending(in, faces, out);
}

}  // namespace sinew::compiling
