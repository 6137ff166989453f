// Small vectors, quaternions and poses. Functions of the same form share one binding; tables list the differences.

#include <cmath>

#include "args.h"
#include "bind.h"
#include "math/quat.h"
#include "math/rigid.h"
#include "sinew/error.h"

namespace sinew::python {
namespace {

using V = Vec3<double>;
using Q = Quat<double>;
using M = Mat3<double>;

constexpr int kAny = -1;  // any length, the same for all such arguments

/// Checks a length against the table; free lengths must agree.
template <class A>
void fits(const A& array, int size, const char* name, py::ssize_t& free) {
  if (size != kAny) return need_size(array, size, name);
  if (free < 0) free = array.size;
  need_size(array, free, name, "the length of the others");
}

struct Argument {
  const char* name;
  int size;
};

/// res = f(a), where n is the free length.
struct Unary {
  const char* name;
  const char* doc;
  Argument res, a;
  void (*run)(double* res, const double* a, py::ssize_t n);
};
struct Binary {
  const char* name;
  const char* doc;
  Argument res, a, b;
  void (*run)(double* res, const double* a, const double* b, py::ssize_t n);
};
struct Scaled {
  const char* name;
  const char* doc;
  Argument res, a;
  const char* scalar;
  void (*run)(double* res, const double* a, double s, py::ssize_t n);
};
struct InPlace {  // returns a number
  const char* name;
  const char* doc;
  Argument res;
  double (*run)(double* res, py::ssize_t n);
};
struct Measure {
  const char* name;
  const char* doc;
  Argument a, b;  // b.name null: one argument
  double (*run)(const double* a, const double* b, py::ssize_t n);
};

double norm(const double* a, py::ssize_t n) {
  double sum = 0;
  for (py::ssize_t i = 0; i < n; ++i) sum += a[i] * a[i];
  return std::sqrt(sum);
}

/// Divides by the norm, which it returns; a vector of negligible length becomes the first axis.
double normalize(double* a, py::ssize_t n) {
  const double length = norm(a, n);
  if (length < kMinVal) {
    std::fill_n(a, n, 0.0);
    if (n) a[0] = 1;
  } else if (std::abs(length - 1) > kMinVal) {
    for (py::ssize_t i = 0; i < n; ++i) a[i] *= 1 / length;
  }
  return length;
}

void copy(double* res, const double* a, py::ssize_t n) { std::copy_n(a, n, res); }

constexpr Unary kUnary[] = {
    {"mju_copy", "res = vec.", {"res", kAny}, {"vec", kAny}, copy},
    {"mju_copy3",
     "res = data.",
     {"res", 3},
     {"data", 3},
     [](double* r, const double* a, py::ssize_t) { copy(r, a, 3); }},
    {"mju_copy4",
     "res = data.",
     {"res", 4},
     {"data", 4},
     [](double* r, const double* a, py::ssize_t) { copy(r, a, 4); }},
    {"mju_addTo",
     "res += vec.",
     {"res", kAny},
     {"vec", kAny},
     [](double* r, const double* a, py::ssize_t n) {
       for (py::ssize_t i = 0; i < n; ++i) r[i] += a[i];
     }},
    {"mju_addTo3",
     "res += vec.",
     {"res", 3},
     {"vec", 3},
     [](double* r, const double* a, py::ssize_t) {
       for (int i = 0; i < 3; ++i) r[i] += a[i];
     }},
    {"mju_subFrom",
     "res -= vec.",
     {"res", kAny},
     {"vec", kAny},
     [](double* r, const double* a, py::ssize_t n) {
       for (py::ssize_t i = 0; i < n; ++i) r[i] -= a[i];
     }},
    {"mju_subFrom3",
     "res -= vec.",
     {"res", 3},
     {"vec", 3},
     [](double* r, const double* a, py::ssize_t) {
       for (int i = 0; i < 3; ++i) r[i] -= a[i];
     }},
    {"mju_negQuat",
     "The conjugate: the inverse rotation of a unit quaternion.",
     {"res", 4},
     {"quat", 4},
     [](double* r, const double* a, py::ssize_t) { conjugate(Q::load(a)).store(r); }},
    {"mju_quat2Mat",
     "Rotation matrix, 9 numbers in row-major order, of a quaternion.",
     {"res", 9},
     {"quat", 4},
     [](double* r, const double* a, py::ssize_t) { to_matrix(Q::load(a)).store(r); }},
    {"mju_mat2Quat",
     "Unit quaternion of a rotation matrix.",
     {"quat", 4},
     {"mat", 9},
     [](double* r, const double* a, py::ssize_t) { rigid::quat_of(M::load(a)).store(r); }},
    {"mju_quatZ2Vec",
     "The smallest rotation that takes the z axis to vec.",
     {"quat", 4},
     {"vec", 3},
     [](double* r, const double* a, py::ssize_t) {
       V v = V::load(a);
       const bool long_enough = sinew::normalize(v) > kMinVal;
       (long_enough ? rigid::quat_from_z(v) : Q()).store(r);
     }},
};

constexpr Binary kBinary[] = {
    {"mju_add",
     "res = vec1 + vec2.",
     {"res", kAny},
     {"vec1", kAny},
     {"vec2", kAny},
     [](double* r, const double* a, const double* b, py::ssize_t n) {
       for (py::ssize_t i = 0; i < n; ++i) r[i] = a[i] + b[i];
     }},
    {"mju_add3",
     "res = vec1 + vec2.",
     {"res", 3},
     {"vec1", 3},
     {"vec2", 3},
     [](double* r, const double* a, const double* b, py::ssize_t) {
       for (int i = 0; i < 3; ++i) r[i] = a[i] + b[i];
     }},
    {"mju_sub",
     "res = vec1 - vec2.",
     {"res", kAny},
     {"vec1", kAny},
     {"vec2", kAny},
     [](double* r, const double* a, const double* b, py::ssize_t n) {
       for (py::ssize_t i = 0; i < n; ++i) r[i] = a[i] - b[i];
     }},
    {"mju_sub3",
     "res = vec1 - vec2.",
     {"res", 3},
     {"vec1", 3},
     {"vec2", 3},
     [](double* r, const double* a, const double* b, py::ssize_t) {
       for (int i = 0; i < 3; ++i) r[i] = a[i] - b[i];
     }},
    {"mju_cross",
     "res = a x b.",
     {"res", 3},
     {"a", 3},
     {"b", 3},
     [](double* r, const double* a, const double* b, py::ssize_t) { cross(V::load(a), V::load(b)).store(r); }},
    {"mju_mulMatVec3",
     "res = mat vec.",
     {"res", 3},
     {"mat", 9},
     {"vec", 3},
     [](double* r, const double* a, const double* b, py::ssize_t) { (M::load(a) * V::load(b)).store(r); }},
    {"mju_mulMatTVec3",
     "res = mat^T vec.",
     {"res", 3},
     {"mat", 9},
     {"vec", 3},
     [](double* r, const double* a, const double* b, py::ssize_t) { mul_transposed(M::load(a), V::load(b)).store(r); }},
    {"mju_rotVecQuat",
     "vec rotated by quat.",
     {"res", 3},
     {"vec", 3},
     {"quat", 4},
     [](double* r, const double* a, const double* b, py::ssize_t) { rotate(Q::load(b), V::load(a)).store(r); }},
    {"mju_mulQuat",
     "Product: first quat2, then quat1.",
     {"res", 4},
     {"quat1", 4},
     {"quat2", 4},
     [](double* r, const double* a, const double* b, py::ssize_t) { (Q::load(a) * Q::load(b)).store(r); }},
    {"mju_mulQuatAxis",
     "Product of a quaternion and the pure quaternion (0, axis).",
     {"res", 4},
     {"quat", 4},
     {"axis", 3},
     [](double* r, const double* a, const double* b, py::ssize_t) { (Q::load(a) * Q(0, b[0], b[1], b[2])).store(r); }},
    {"mju_subQuat",
     "Rotation vector (rad) from qb to qa, in the frame of qb.",
     {"res", 3},
     {"qa", 4},
     {"qb", 4},
     [](double* r, const double* a, const double* b, py::ssize_t) { subtract(Q::load(a), Q::load(b)).store(r); }},
    {"mju_derivQuat",
     "Time derivative of a quaternion with angular velocity vel (rad/s, world frame).",
     {"res", 4},
     {"quat", 4},
     {"vel", 3},
     [](double* r, const double* a, const double* b, py::ssize_t) {
       const Q q = Q(0, b[0], b[1], b[2]) * Q::load(a);
       Q(0.5 * q.w, 0.5 * q.x, 0.5 * q.y, 0.5 * q.z).store(r);
     }},
};

constexpr Scaled kScaled[] = {
    {"mju_scl",
     "res = scl vec.",
     {"res", kAny},
     {"vec", kAny},
     "scl",
     [](double* r, const double* a, double s, py::ssize_t n) {
       for (py::ssize_t i = 0; i < n; ++i) r[i] = a[i] * s;
     }},
    {"mju_scl3",
     "res = scl vec.",
     {"res", 3},
     {"vec", 3},
     "scl",
     [](double* r, const double* a, double s, py::ssize_t) {
       for (int i = 0; i < 3; ++i) r[i] = a[i] * s;
     }},
    {"mju_addToScl",
     "res += scl vec.",
     {"res", kAny},
     {"vec", kAny},
     "scl",
     [](double* r, const double* a, double s, py::ssize_t n) {
       for (py::ssize_t i = 0; i < n; ++i) r[i] += a[i] * s;
     }},
    {"mju_addToScl3",
     "res += scl vec.",
     {"res", 3},
     {"vec", 3},
     "scl",
     [](double* r, const double* a, double s, py::ssize_t) {
       for (int i = 0; i < 3; ++i) r[i] += a[i] * s;
     }},
    {"mju_axisAngle2Quat",
     "Rotation by an angle (rad) about a unit axis.",
     {"res", 4},
     {"axis", 3},
     "angle",
     [](double* r, const double* a, double s, py::ssize_t) { axis_angle(V::load(a), s).store(r); }},
    {"mju_quat2Vel",
     "Angular velocity (rad/s) that produces the rotation quat in a time dt (s).",
     {"res", 3},
     {"quat", 4},
     "dt",
     [](double* r, const double* a, double s, py::ssize_t) { (sinew::log(Q::load(a)) * (1 / s)).store(r); }},
    {"mju_quatIntegrate",
     "Integrates quat, in place, with angular velocity vel (rad/s, local frame) for a time scale (s).",
     {"quat", 4},
     {"vel", 3},
     "scale",
     [](double* r, const double* a, double s, py::ssize_t) { integrate(Q::load(r), V::load(a), s).store(r); }},
};

constexpr InPlace kInPlace[] = {
    {"mju_normalize", "Normalizes res; returns its previous length.", {"res", kAny}, normalize},
    {"mju_normalize3",
     "Normalizes vec; returns its previous length.",
     {"vec", 3},
     [](double* r, py::ssize_t) { return normalize(r, 3); }},
    {"mju_normalize4",
     "Normalizes vec; returns its previous length.",
     {"vec", 4},
     [](double* r, py::ssize_t) { return normalize(r, 4); }},
};

constexpr InPlace kFill[] = {
    // the returned value is not used
    {"mju_zero", "res = 0.", {"res", kAny}, [](double* r, py::ssize_t n) { return std::fill_n(r, n, 0.0), 0.0; }},
    {"mju_zero3", "res = 0.", {"res", 3}, [](double* r, py::ssize_t n) { return std::fill_n(r, n, 0.0), 0.0; }},
    {"mju_zero4", "res = 0.", {"res", 4}, [](double* r, py::ssize_t n) { return std::fill_n(r, n, 0.0), 0.0; }},
    {"mju_unit4", "res = (1, 0, 0, 0).", {"res", 4}, [](double* r, py::ssize_t) { return Q().store(r), 0.0; }},
};

constexpr Measure kMeasures[] = {
    {"mju_norm3",
     "Length of vec.",
     {"vec", 3},
     {nullptr, 0},
     [](const double* a, const double*, py::ssize_t) { return norm(a, 3); }},
    {"mju_norm",
     "Length of res.",
     {"res", kAny},
     {nullptr, 0},
     [](const double* a, const double*, py::ssize_t n) { return norm(a, n); }},
    {"mju_sum",
     "Sum of the numbers.",
     {"vec", kAny},
     {nullptr, 0},
     [](const double* a, const double*, py::ssize_t n) {
       double sum = 0;
       for (py::ssize_t i = 0; i < n; ++i) sum += a[i];
       return sum;
     }},
    {"mju_L1",
     "Sum of the absolute values.",
     {"vec", kAny},
     {nullptr, 0},
     [](const double* a, const double*, py::ssize_t n) {
       double sum = 0;
       for (py::ssize_t i = 0; i < n; ++i) sum += std::abs(a[i]);
       return sum;
     }},
    {"mju_dot3",
     "Scalar product.",
     {"vec1", 3},
     {"vec2", 3},
     [](const double* a, const double* b, py::ssize_t) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }},
    {"mju_dot",
     "Scalar product.",
     {"vec1", kAny},
     {"vec2", kAny},
     [](const double* a, const double* b, py::ssize_t n) {
       double sum = 0;
       for (py::ssize_t i = 0; i < n; ++i) sum += a[i] * b[i];
       return sum;
     }},
    {"mju_dist3",
     "Distance between two points.",
     {"pos1", 3},
     {"pos2", 3},
     [](const double* a, const double* b, py::ssize_t) {
       const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
       return norm(d, 3);
     }},
};

void bind_tables(py::module_& module) {
  for (const Unary& f : kUnary)
    module.def(
        f.name,
        [f](const Target& res, const Numbers& a) {
          py::ssize_t n = -1;
          fits(res, f.res.size, f.res.name, n);
          fits(a, f.a.size, f.a.name, n);
          f.run(res.data, a.data, n);
        },
        py::arg(f.res.name), py::arg(f.a.name), f.doc);
  for (const Binary& f : kBinary)
    module.def(
        f.name,
        [f](const Target& res, const Numbers& a, const Numbers& b) {
          py::ssize_t n = -1;
          fits(res, f.res.size, f.res.name, n);
          fits(a, f.a.size, f.a.name, n);
          fits(b, f.b.size, f.b.name, n);
          f.run(res.data, a.data, b.data, n);
        },
        py::arg(f.res.name), py::arg(f.a.name), py::arg(f.b.name), f.doc);
  for (const Scaled& f : kScaled)
    module.def(
        f.name,
        [f](const Target& res, const Numbers& a, double s) {
          py::ssize_t n = -1;
          fits(res, f.res.size, f.res.name, n);
          fits(a, f.a.size, f.a.name, n);
          f.run(res.data, a.data, s, n);
        },
        py::arg(f.res.name), py::arg(f.a.name), py::arg(f.scalar), f.doc);
  for (const InPlace& f : kInPlace)
    module.def(
        f.name,
        [f](const Target& res) {
          py::ssize_t n = -1;
          fits(res, f.res.size, f.res.name, n);
          return f.run(res.data, res.size);
        },
        py::arg(f.res.name), f.doc);
  for (const InPlace& f : kFill)
    module.def(
        f.name,
        [f](const Target& res) {
          py::ssize_t n = -1;
          fits(res, f.res.size, f.res.name, n);
          f.run(res.data, res.size);
        },
        py::arg(f.res.name), f.doc);
  for (const Measure& f : kMeasures) {
    if (f.b.name)
      module.def(
          f.name,
          [f](const Numbers& a, const Numbers& b) {
            py::ssize_t n = -1;
            fits(a, f.a.size, f.a.name, n);
            fits(b, f.b.size, f.b.name, n);
            return f.run(a.data, b.data, n);
          },
          py::arg(f.a.name), py::arg(f.b.name), f.doc);
    else
      module.def(
          f.name,
          [f](const Numbers& a) {
            py::ssize_t n = -1;
            fits(a, f.a.size, f.a.name, n);
            return f.run(a.data, nullptr, a.size);
          },
          py::arg(f.a.name), f.doc);
  }
}

void mju_euler2Quat(const Target& quat, const Numbers& euler, const std::string& seq) {
  need_size(quat, 4, "quat");
  need_size(euler, 3, "euler");
  if (seq.size() != 3) throw Exception(Error::message("mju_euler2Quat: seq must contain exactly 3 characters"));
  Q result;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto axis = std::string_view("xyzXYZ").find(seq[i]);
    if (axis == std::string_view::npos)
      throw Exception(Error::message("mju_euler2Quat: seq[" + std::to_string(i) + "] is '" + seq[i] +
                                     "', should be one of x, y, z, X, Y, Z"));
    V unit{0, 0, 0};
    unit[static_cast<int>(axis % 3)] = 1;
    const Q turn = axis_angle(unit, euler.data[i]);
    result = axis < 3 ? result * turn : turn * result;  // lower case: about the rotated axes
  }
  result.store(quat.data);
}

void bind_poses(py::module_& module) {
  module.def("mju_euler2Quat", &mju_euler2Quat, py::arg("quat"), py::arg("euler"), py::arg("seq"),
             "Rotation by three angles (rad) about axes xyz (moving) or XYZ (fixed).");
  module.def(
      "mju_mulPose",
      [](const Target& posres, const Target& quatres, const Numbers& pos1, const Numbers& quat1, const Numbers& pos2,
         const Numbers& quat2) {
        need_size(posres, 3, "posres");
        need_size(pos1, 3, "pos1");
        need_size(pos2, 3, "pos2");
        need_size(quatres, 4, "quatres");
        need_size(quat1, 4, "quat1");
        need_size(quat2, 4, "quat2");
        const Q a = Q::load(quat1.data), b = Q::load(quat2.data);
        const V p = rotate(a, V::load(pos2.data)) + V::load(pos1.data);
        (a * b).store(quatres.data);
        p.store(posres.data);
      },
      py::arg("posres"), py::arg("quatres"), py::arg("pos1"), py::arg("quat1"), py::arg("pos2"), py::arg("quat2"),
      "The composition pose 1 * pose 2.");
  module.def(
      "mju_negPose",
      [](const Target& posres, const Target& quatres, const Numbers& pos, const Numbers& quat) {
        need_size(posres, 3, "posres");
        need_size(pos, 3, "pos");
        need_size(quatres, 4, "quatres");
        need_size(quat, 4, "quat");
        const Q inverse = conjugate(Q::load(quat.data));
        const V p = rotate(inverse, V::load(pos.data)) * -1.0;
        inverse.store(quatres.data);
        p.store(posres.data);
      },
      py::arg("posres"), py::arg("quatres"), py::arg("pos"), py::arg("quat"), "The inverse pose.");
  module.def(
      "mju_trnVecPose",
      [](const Target& res, const Numbers& pos, const Numbers& quat, const Numbers& vec) {
        need_size(res, 3, "res");
        need_size(pos, 3, "pos");
        need_size(vec, 3, "vec");
        need_size(quat, 4, "quat");
        (rotate(Q::load(quat.data), V::load(vec.data)) + V::load(pos.data)).store(res.data);
      },
      py::arg("res"), py::arg("pos"), py::arg("quat"), py::arg("vec"), "Transforms a point from the frame of a pose.");
  module.def(
      "mju_fill", [](const Target& res, double val) { std::fill_n(res.data, res.size, val); }, py::arg("res"),
      py::arg("val"), "res = val.");
  module.def(
      "mju_addScl",
      [](const Target& res, const Numbers& vec1, const Numbers& vec2, double scl) {
        need_size(vec1, res.size, "vec1", "the length of res");
        need_size(vec2, res.size, "vec2", "the length of res");
        for (py::ssize_t i = 0; i < res.size; ++i) res.data[i] = vec1.data[i] + vec2.data[i] * scl;
      },
      py::arg("res"), py::arg("vec1"), py::arg("vec2"), py::arg("scl"), "res = vec1 + scl vec2.");
  module.def(
      "mju_addScl3",
      [](const Target& res, const Numbers& vec1, const Numbers& vec2, double scl) {
        need_size(res, 3, "res");
        need_size(vec1, 3, "vec1");
        need_size(vec2, 3, "vec2");
        for (int i = 0; i < 3; ++i) res.data[i] = vec1.data[i] + vec2.data[i] * scl;
      },
      py::arg("res"), py::arg("vec1"), py::arg("vec2"), py::arg("scl"), "res = vec1 + scl vec2.");
}

}  // namespace

void bind_math(py::module_& module) {
  bind_tables(module);
  bind_poses(module);
}

}  // namespace sinew::python
