// Matrices: products, factorizations, band and sparse matrices; and other utility functions of MuJoCo.

#include <cmath>

#include "args.h"
#include "bind.h"
#include "math/rigid.h"
#include "matrix.h"

namespace sinew::python {
namespace {

int count(py::ssize_t n) { return static_cast<int>(n); }

/// Rows and columns of a matrix argument.
template <class A>
void need_matrix(const A& array, const char* name) {
  need(array.ndim() == 2, std::string(name) + " must have two dimensions");
}

/// res = op(A) op(B); each may be transposed.
struct Product {
  const char* name;
  bool left, right;  // transposed
  const char* doc;
};
constexpr Product kProducts[] = {{"mju_mulMatMat", false, false, "res = mat1 mat2."},
                                 {"mju_mulMatMatT", false, true, "res = mat1 mat2^T."},
                                 {"mju_mulMatTMat", true, false, "res = mat1^T mat2."}};

void bind_products(py::module_& module) {
  for (const Product& f : kProducts)
    module.def(
        f.name,
        [f](const Target& res, const Numbers& mat1, const Numbers& mat2) {
          need_matrix(res, "res");
          need_matrix(mat1, "mat1");
          need_matrix(mat2, "mat2");
          const auto r = f.left ? mat1.cols() : mat1.rows(), inner = f.left ? mat1.rows() : mat1.cols();
          const auto c = f.right ? mat2.rows() : mat2.cols(), inner2 = f.right ? mat2.cols() : mat2.rows();
          need(inner == inner2,
               fmt::format("mat1 and mat2 have incompatible inner dimensions: {} and {}", inner, inner2));
          need_shape(res, r, c, "res", "that of the product");
          std::vector<double> out(static_cast<std::size_t>(r * c));
          for (py::ssize_t i = 0; i < r; ++i)
            for (py::ssize_t j = 0; j < c; ++j) {
              double sum = 0;
              for (py::ssize_t k = 0; k < inner; ++k)
                sum += mat1.data[f.left ? k * r + i : i * inner + k] * mat2.data[f.right ? j * inner + k : k * c + j];
              out[static_cast<std::size_t>(i * c + j)] = sum;
            }
          std::ranges::copy(out, res.data);
        },
        py::arg("res"), py::arg("mat1"), py::arg("mat2"), f.doc);
  for (const bool transposed : {false, true})
    module.def(
        transposed ? "mju_mulMatTVec" : "mju_mulMatVec",
        [transposed](const Target& res, const Numbers& mat, const Numbers& vec) {
          need_matrix(mat, "mat");
          const auto nr = mat.rows(), nc = mat.cols();
          need_size(res, transposed ? nc : nr, "res", transposed ? "the columns of mat" : "the rows of mat");
          need_size(vec, transposed ? nr : nc, "vec", transposed ? "the rows of mat" : "the columns of mat");
          std::vector<double> out(static_cast<std::size_t>(res.size));
          for (py::ssize_t i = 0; i < nr; ++i)
            for (py::ssize_t j = 0; j < nc; ++j)
              out[static_cast<std::size_t>(transposed ? j : i)] += mat.data[i * nc + j] * vec.data[transposed ? i : j];
          std::ranges::copy(out, res.data);
        },
        py::arg("res"), py::arg("mat"), py::arg("vec"), transposed ? "res = mat^T vec." : "res = mat vec.");
  module.def(
      "mju_mulVecMatVec",
      [](const Numbers& vec1, const Numbers& mat, const Numbers& vec2) {
        const auto n = vec1.size;
        need_size(vec2, n, "vec2", "the length of vec1");
        need_shape(mat, n, n, "mat", "(n, n)");
        double sum = 0;
        for (py::ssize_t i = 0; i < n; ++i)
          for (py::ssize_t j = 0; j < n; ++j) sum += vec1.data[i] * mat.data[i * n + j] * vec2.data[j];
        return sum;
      },
      py::arg("vec1"), py::arg("mat"), py::arg("vec2"), "vec1^T mat vec2.");
}

void bind_shapes(py::module_& module) {
  module.def(
      "mju_transpose",
      [](const Target& res, const Numbers& mat) {
        need_matrix(mat, "mat");
        need_shape(res, mat.cols(), mat.rows(), "res", "(nc, nr)");
        const auto in = mat.copy();
        for (py::ssize_t i = 0; i < mat.rows(); ++i)
          for (py::ssize_t j = 0; j < mat.cols(); ++j)
            res.data[j * mat.rows() + i] = in[static_cast<std::size_t>(i * mat.cols() + j)];
      },
      py::arg("res"), py::arg("mat"), "res = mat^T.");
  module.def(
      "mju_symmetrize",
      [](const Target& res, const Numbers& mat) {
        need_matrix(mat, "mat");
        const auto n = mat.rows();
        need(mat.cols() == n, "mat must be square");
        need_shape(res, n, n, "res", "that of mat");
        const auto in = mat.copy();
        for (py::ssize_t i = 0; i < n; ++i)
          for (py::ssize_t j = 0; j < n; ++j)
            res.data[i * n + j] =
                0.5 * (in[static_cast<std::size_t>(i * n + j)] + in[static_cast<std::size_t>(j * n + i)]);
      },
      py::arg("res"), py::arg("mat"), "res = (mat + mat^T) / 2.");
  module.def(
      "mju_eye",
      [](const Target& mat) {
        need_matrix(mat, "mat");
        need(mat.cols() == mat.rows(), "mat must be square");
        for (py::ssize_t i = 0; i < mat.size; ++i) mat.data[i] = i % (mat.rows() + 1) == 0 ? 1 : 0;
      },
      py::arg("mat"), "The identity.");
  module.def(
      "mju_sqrMatTD",
      [](const Target& res, const Numbers& mat, const std::optional<Numbers>& diag) {
        need_matrix(mat, "mat");
        const auto nr = mat.rows(), nc = mat.cols();
        need_shape(res, nc, nc, "res", "(nc, nc)");
        need_size(diag, nr, "diag", "nr");
        std::vector<double> out(static_cast<std::size_t>(nc * nc));
        for (py::ssize_t k = 0; k < nr; ++k)
          for (py::ssize_t i = 0; i < nc; ++i)
            for (py::ssize_t j = 0; j < nc; ++j)
              out[static_cast<std::size_t>(i * nc + j)] +=
                  (diag ? diag->data[k] : 1) * mat.data[k * nc + i] * mat.data[k * nc + j];
        std::ranges::copy(out, res.data);
      },
      py::arg("res"), py::arg("mat"), py::arg("diag").none(true), "res = mat^T diag mat; diag may be None.");
}

void need_rows(const Integers& rownnz, const Integers& rowadr, const Integers& colind, py::ssize_t values,
               py::ssize_t cols) {
  for (py::ssize_t i = 0; i < rownnz.size; ++i) {
    const auto start = static_cast<py::ssize_t>(rowadr.data[i]), end = start + rownnz.data[i];
    need(start >= 0 && rownnz.data[i] >= 0 && end <= values && end <= colind.size,
         "rownnz and rowadr point outside the values");
    for (py::ssize_t k = start; k < end; ++k)
      need(colind.data[k] >= 0 && colind.data[k] < cols, "colind has an invalid column");
  }
}

void to_dense(const Target& res, const Numbers& mat, const Integers& rownnz, const Integers& rowadr,
              const Integers& colind, bool symmetric) {
  need_matrix(res, "res");
  const auto nr = res.rows(), nc = res.cols();
  need(!symmetric || nr == nc, "res must be square");
  need_size(rownnz, nr, "rownnz", "nr");
  need_size(rowadr, nr, "rowadr", "nr");
  need_rows(rownnz, rowadr, colind, mat.size, nc);
  std::vector<double> out(static_cast<std::size_t>(nr * nc));
  for (py::ssize_t i = 0; i < nr; ++i)
    for (int k = rowadr.data[i]; k < rowadr.data[i] + rownnz.data[i]; ++k) {
      out[static_cast<std::size_t>(i * nc + colind.data[k])] = mat.data[k];
      if (symmetric) out[static_cast<std::size_t>(colind.data[k] * nc + i)] = mat.data[k];
    }
  std::ranges::copy(out, res.data);
}

void bind_sparse(py::module_& module) {
  for (const bool symmetric : {false, true})
    module.def(
        symmetric ? "mju_sym2dense" : "mju_sparse2dense",
        [symmetric](const Target& res, const Numbers& mat, const Integers& rownnz, const Integers& rowadr,
                    const Integers& colind) { to_dense(res, mat, rownnz, rowadr, colind, symmetric); },
        py::arg("res"), py::arg("mat"), py::arg("rownnz"), py::arg("rowadr"), py::arg("colind"),
        symmetric ? "A symmetric matrix from the rows of its lower triangle." : "A matrix from its sparse rows.");
  module.def(
      "mju_dense2sparse",
      [](const Target& res, const Numbers& mat, const Out<std::int32_t>& rownnz, const Out<std::int32_t>& rowadr,
         const Out<std::int32_t>& colind) {
        need_matrix(mat, "mat");
        const auto nr = mat.rows(), nc = mat.cols();
        need_size(rownnz, nr, "rownnz", "nr");
        need_size(rowadr, nr, "rowadr", "nr");
        need_size(colind, res.size, "colind", "the size of res");
        const auto in = mat.copy();
        int nnz = 0;
        for (py::ssize_t i = 0; i < nr; ++i) {
          rowadr.data[i] = nnz;
          rownnz.data[i] = 0;
          for (py::ssize_t j = 0; j < nc; ++j) {
            const double x = in[static_cast<std::size_t>(i * nc + j)];
            if (x == 0) continue;
            need(nnz < res.size, "res is too small for the nonzeros of mat");
            colind.data[nnz] = count(j);
            res.data[nnz++] = x;
            ++rownnz.data[i];
          }
        }
        return 0;
      },
      py::arg("res"), py::arg("mat"), py::arg("rownnz"), py::arg("rowadr"), py::arg("colind"),
      "Sparse rows of the nonzeros of a matrix.");
}

BandShape band_of(int ntotal, int nband, int ndense) {
  need(ntotal >= 0 && nband >= 0 && ndense >= 0 && ndense <= ntotal && nband <= ntotal,
       "invalid ntotal, nband or ndense");
  need(static_cast<std::int64_t>(ntotal) * ntotal < (std::int64_t{1} << 31), "the matrix is too large");
  return {ntotal, nband, ndense};
}

void bind_bands(py::module_& module) {
  const auto ntotal = py::arg("ntotal"), nband = py::arg("nband"), ndense = py::arg("ndense");
  constexpr const char* kBandSize = "(ntotal - ndense) * nband + ndense * ntotal";
  module.def(
      "mju_bandDiag",
      [](int i, int n, int b, int d) {
        const BandShape shape = band_of(n, b, d);
        need(i >= 0 && i < n, fmt::format("row {} does not exist, the matrix has {}", i, n));
        return shape.diagonal(i);
      },
      py::arg("i"), ntotal, nband, ndense, "Address of the diagonal element of row i.");
  module.def(
      "mju_cholFactorBand",
      [](const Target& mat, int n, int b, int d, double diagadd, double diagmul) {
        const BandShape shape = band_of(n, b, d);
        need_size(mat, shape.size(), "mat", kBandSize);
        return band_cholesky(mat.data, shape, diagadd, diagmul);
      },
      py::arg("mat"), ntotal, nband, ndense, py::arg("diagadd"), py::arg("diagmul"),
      "Cholesky factor of a band matrix, in place, with increased diagonal; returns the smallest pivot, or 0.");
  module.def(
      "mju_cholSolveBand",
      [](const Target& res, const Numbers& mat, const Numbers& vec, int n, int b, int d) {
        const BandShape shape = band_of(n, b, d);
        need_size(mat, shape.size(), "mat", kBandSize);
        need_size(res, n, "res", "ntotal");
        need_size(vec, n, "vec", "ntotal");
        band_solve(res.data, mat.data, vec.copy().data(), shape);
      },
      py::arg("res"), py::arg("mat"), py::arg("vec"), ntotal, nband, ndense,
      "res = A^-1 vec with the factor of mju_cholFactorBand.");
  module.def(
      "mju_band2Dense",
      [](const Target& res, const Numbers& mat, int n, int b, int d, bool flg_sym) {
        const BandShape shape = band_of(n, b, d);
        need_size(mat, shape.size(), "mat", kBandSize);
        need_shape(res, n, n, "res", "(ntotal, ntotal)");
        band_to_dense(res.data, mat.copy().data(), shape, flg_sym);
      },
      py::arg("res"), py::arg("mat"), ntotal, nband, ndense, py::arg("flg_sym"),
      "The dense (ntotal, ntotal) matrix; only its lower triangle unless flg_sym.");
  module.def(
      "mju_dense2Band",
      [](const Target& res, const Numbers& mat, int n, int b, int d) {
        const BandShape shape = band_of(n, b, d);
        need_size(res, shape.size(), "res", kBandSize);
        need_shape(mat, n, n, "mat", "(ntotal, ntotal)");
        dense_to_band(res.data, mat.copy().data(), shape);
      },
      py::arg("res"), py::arg("mat"), ntotal, nband, ndense,
      "The band form of a dense matrix: rows of the lower triangle.");
  module.def(
      "mju_bandMulMatVec",
      [](const Target& res, const Numbers& mat, const Numbers& vec, int n, int b, int d, int nvec, bool flg_sym) {
        const BandShape shape = band_of(n, b, d);
        need_size(mat, shape.size(), "mat", kBandSize);
        need(nvec >= 0, "nvec must not be negative");
        need_size(res, static_cast<py::ssize_t>(n) * nvec, "res", "nvec * ntotal");
        need_size(vec, res.size, "vec", "nvec * ntotal");
        const auto in = vec.copy();
        for (int i = 0; i < nvec; ++i) band_multiply(res.data + i * n, mat.data, in.data() + i * n, shape, flg_sym);
      },
      py::arg("res"), py::arg("mat"), py::arg("vec"), ntotal, nband, ndense, py::arg("nvec"), py::arg("flg_sym"),
      "res = mat vec for nvec vectors; with the lower triangle alone unless flg_sym.");
}

void bind_factors(py::module_& module) {
  module.def(
      "mju_cholFactor",
      [](const Target& mat, double mindiag) {
        need_matrix(mat, "mat");
        need(mat.cols() == mat.rows(), "mat must be square");
        return cholesky(mat.data, count(mat.rows()), mindiag);
      },
      py::arg("mat"), py::arg("mindiag"), "Cholesky factor of mat, in place; returns its rank.");
  module.def(
      "mju_cholSolve",
      [](const Target& res, const Numbers& mat, const Numbers& vec) {
        const auto n = vec.size;
        need_shape(mat, n, n, "mat", "(len(vec), len(vec))");
        need_size(res, n, "res", "the size of vec");
        cholesky_solve(res.data, mat.data, vec.copy().data(), count(n));
      },
      py::arg("res"), py::arg("mat"), py::arg("vec"), "res = A^-1 vec with the factor of mju_cholFactor.");
  module.def(
      "mju_cholUpdate",
      [](const Target& mat, const Target& x, int flg_plus) {
        need_shape(mat, x.size, x.size, "mat", "(len(x), len(x))");
        return cholesky_update(mat.data, x.data, count(x.size), flg_plus != 0);
      },
      py::arg("mat"), py::arg("x"), py::arg("flg_plus"),
      "Factor of A + x x^T, or A - x x^T; x is destroyed. Returns the rank.");
  module.def(
      "mju_boxQP",
      [](const Target& res, const Target& R, const std::optional<Out<std::int32_t>>& index, const Numbers& H,
         const Numbers& g, const MaybeNumbers& lower, const MaybeNumbers& upper) {
        const auto n = res.size;
        need(R.size >= n * (n + 7), fmt::format("R has {} numbers, less than n*(n+7) = {}", R.size, n * (n + 7)));
        need_size(index, n, "index", "n");
        need_shape(H, n, n, "H", "(n, n)");
        need_size(g, n, "g", "n");
        need_size(lower, n, "lower", "n");
        need_size(upper, n, "upper", "n");
        std::vector<int> free;
        const int nfree = solve_box({count(n), H.data, g.data, data_of(lower), data_of(upper)}, res.data, R.data, free);
        if (index)
          for (std::size_t i = 0; i < free.size(); ++i) index->data[i] = free[i];
        return nfree;
      },
      py::arg("res"), py::arg("R"), py::arg("index").none(true), py::arg("H"), py::arg("g"),
      py::arg("lower").none(true), py::arg("upper").none(true),
      "Minimizes 0.5 x'Hx + x'g within bounds; returns the number of free variables.");
  module.def(
      "mju_eig3",
      [](const Target& eigval, const Target& eigvec, const Target& quat, const Numbers& mat) {
        need_size(eigval, 3, "eigval");
        need_size(eigvec, 9, "eigvec");
        need_size(quat, 4, "quat");
        need_size(mat, 9, "mat");
        const int sweeps = eigen3(eigval.data, eigvec.data, mat.copy().data());
        rigid::quat_of(Mat3<double>::load(eigvec.data)).store(quat.data);
        return sweeps;
      },
      py::arg("eigval"), py::arg("eigvec"), py::arg("quat"), py::arg("mat"),
      "Eigenvalues, descending, and eigenvectors (columns) of a symmetric 3x3 matrix, also as a quaternion.");
}

}  // namespace

void bind_matrix(py::module_& module) {
  bind_products(module);
  bind_shapes(module);
  bind_sparse(module);
  bind_bands(module);
  bind_factors(module);
}

}  // namespace sinew::python
