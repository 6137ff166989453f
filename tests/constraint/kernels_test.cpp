#include "../plain_text.h"
#include "dynamics/jacobian.h"
#include "world.h"

// The kernel of src/constraint against its plain text, bit by bit.

namespace sinew::test {
namespace {

/// The rows of a contact along one dof, whose motion axis is [w; v] at its tree's reference point: F_r (v + w × offset)
/// of the frame's three directions, then F_r w; as edges of a pyramid row 0 ± friction_k row k.
std::vector<double> contact_column(const Contact& contact, const double* w, const double* v, const Vec3<double>& offset,
                                   double sign, bool pyramid) {
  double F[3][3];
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) F[r][k] = sign * contact.frame[3 * r + k];
  std::vector<double> row(6);
  for (int r = 0; r < 3; ++r) {
    // F_r · (w × offset) = (offset × F_r) · w
    const double turn[3] = {offset.y * F[r][2] - offset.z * F[r][1], offset.z * F[r][0] - offset.x * F[r][2],
                            offset.x * F[r][1] - offset.y * F[r][0]};
    row[r] = w[0] * turn[0] + w[1] * turn[1] + w[2] * turn[2] + v[0] * F[r][0] + v[1] * F[r][1] + v[2] * F[r][2];
    row[3 + r] = w[0] * F[r][0] + w[1] * F[r][1] + w[2] * F[r][2];
  }
  row.resize(contact.dim);
  if (!pyramid) return row;
  std::vector<double> edges;
  for (int k = 1; k < contact.dim; ++k) {
    edges.push_back(row[0] + contact.friction[k - 1] * row[k]);
    edges.push_back(row[0] - contact.friction[k - 1] * row[k]);
  }
  return edges;
}

/// n hinges in a row that end in a sphere, which touches the plane and another body.
std::string chain(int n, int condim, const std::string& cone) {
  std::string open, close;
  for (int i = 0; i < n; ++i) {
    open += "<body pos=\"0 0 .1\"><joint axis=\"" + std::to_string(i % 3) +
            " 1 .3\"/><geom size=\".02\" contype=\"0\" " + "conaffinity=\"0\"/>";
    close += "</body>";
  }
  return "<mujoco><option cone=\"" + cone + "\"/><default><geom condim=\"" + std::to_string(condim) +
         "\" friction=\".7 .01 .002\"/></default><worldbody><geom type=\"plane\" size=\"9 9 .1\" pos=\"0 0 " +
         std::to_string(0.1 * n) + "\"/>" + open + "<geom size=\".05\"/>" + close + "<body pos=\".02 .03 " +
         std::to_string(0.1 * n + 0.07) + "\"><freejoint/><geom size=\".05\"/></body>" + "</worldbody></mujoco>";
}

TEST(Kernels, RowsOfContactsHaveTheBitsOfTheirPlainText) {
  int checked = 0;
  for (const std::string cone : {"pyramidal", "elliptic"})
    for (const int condim : {1, 3, 4, 6})
      for (int n = 0; n <= 9; ++n) {
        SCOPED_TRACE(cone + ", condim " + std::to_string(condim) + ", " + std::to_string(n) + " hinges");
        World w(chain(n, condim, cone));
        for (int i = 0; i < n; ++i) w.d.qpos[i] = 0.02 * (i % 3 - 1);
        forward(w.m, w.d);
        ASSERT_GE(w.d.ncon, n == 0 ? 1 : 2);
        for (int c = 0; c < w.d.ncon; ++c) {
          const Contact& contact = w.d.contact[c];
          const int row = contact.efc_address;
          if (row < 0) continue;
          const int nnz = w.d.efc_J_rownnz[row];
          const int body[2] = {w.m.geom_bodyid[contact.geom[0]], w.m.geom_bodyid[contact.geom[1]]};
          for (int k = 0; k < nnz; ++k) {
            const int dof = w.d.efc_J_colind[w.d.efc_J_rowadr[row] + k];
            bool of_second = false;
            for_each_dof_between(w.m, body[0], body[1], [&](int i, bool moves1) { of_second |= i == dof && !moves1; });
            const Vec3<double> offset =
                from_reference(w.m, w.d, Vec3<double>::load(contact.pos.data()), body[of_second]);
            const double* axis = &w.d.cdof[6 * dof];
            const auto want =
                contact_column(contact, axis, axis + 3, offset, of_second ? 1 : -1, condim > 1 && cone == "pyramidal");
            for (std::size_t r = 0; r < want.size(); ++r) {
              const double got = w.d.efc_J[w.d.efc_J_rowadr[row] + r * nnz + k];
              ASSERT_TRUE(same_bits(got, want[r])) << "row " << r << ", dof " << dof << ": " << got << ", " << want[r];
              ++checked;
            }
          }
        }
      }
  EXPECT_GT(checked, 1000);
}

/// Free dofs, and a contact between two bodies that nothing moves.
std::string fixed_contact(int nv, const std::string& jacobian) {
  std::string text = "<mujoco><option jacobian=\"" + jacobian + "\"/><worldbody><geom name=\"a\" size=\".1\"/>" +
                     "<body><geom name=\"b\" size=\".1\" pos=\"0 0 .15\"/></body>";
  for (int i = 0; i < nv; ++i)
    text += "<body pos=\"" + std::to_string(i + 1) + " 0 0\"><joint type=\"slide\" axis=\"0 0 1\" limited=\"true\" " +
            "range=\".1 1\"/><geom size=\".1\"/></body>";
  return text + "</worldbody><contact><pair geom1=\"a\" geom2=\"b\"/></contact></mujoco>";
}

TEST(Thresholds, TheJacobianOptionAutoIsDenseBelow60Dofs) {
  for (int nv = 57; nv <= 62; ++nv) {
    SCOPED_TRACE(nv);
    World any(fixed_contact(nv, "auto")), dense(fixed_contact(nv, "dense")), sparse(fixed_contact(nv, "sparse"));
    for (World* w : {&any, &dense, &sparse}) forward(w->m, w->d);
    EXPECT_GT(dense.d.nefc, sparse.d.nefc);
    EXPECT_EQ(any.d.nefc, nv < 60 ? dense.d.nefc : sparse.d.nefc);
    for (int i = 0; i < nv; ++i) {
      EXPECT_NEAR(any.d.qacc[i], dense.d.qacc[i], 1e-9 * std::abs(dense.d.qacc[i]));
      EXPECT_NEAR(any.d.qacc[i], sparse.d.qacc[i], 1e-9 * std::abs(sparse.d.qacc[i]));
    }
  }
}

}  // namespace
}  // namespace sinew::test
