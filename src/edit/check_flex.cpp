#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "compile/assemble.h"
#include "edit/check_structure.h"

// Flexes: what a step indexes by. The arrays of each flex follow those of the one before it.

namespace sinew::compiling {
namespace {

/// One flex: every check names the first entry that is wrong.
class FlexCheck {
 public:
  FlexCheck(const Model& m, int flex) : m_(m), f_(flex) {}

  std::string find() {
    for (const auto step : {&FlexCheck::settings, &FlexCheck::ranges, &FlexCheck::bodies, &FlexCheck::indices,
                            &FlexCheck::elasticity, &FlexCheck::tree})
      if (wrong_.empty()) (this->*step)();
    return wrong_;
  }

 private:
  void fail(std::string_view field, std::int64_t at, std::int64_t value) {
    if (wrong_.empty()) wrong_ = fmt::format("{}[{}] is {}, which is out of range", field, at, value);
  }
  void setting(std::string_view field, const std::vector<int>& values, int lo, int hi) {
    if (values[f_] < lo || values[f_] > hi) fail(field, f_, values[f_]);
  }
  /// count entries from an address on, among `limit`; -1 is allowed if there are none.
  void range(std::string_view field, const std::vector<int>& adr, std::int64_t count, std::int64_t limit) {
    const std::int64_t first = adr[f_];
    if (count == 0 && first == -1) return;
    if (count < 0 || first < 0 || first > limit - count) fail(field, f_, first);
  }
  /// lo <= value < hi for `count` entries from `first` on.
  void entries(std::string_view field, const std::vector<int>& values, std::int64_t first, std::int64_t count, int lo,
               std::int64_t hi) {
    for (std::int64_t i = first; i < first + count && wrong_.empty(); ++i)
      if (values[i] < lo || values[i] >= hi) fail(field, i, values[i]);
  }

  int dim() const { return m_.flex_dim[f_]; }
  int order() const { return std::abs(m_.flex_interp[f_]); }
  std::int64_t elements() const { return m_.flex_elemnum[f_]; }
  std::int64_t edges_per_element() const { return dim() == 1 ? 1 : dim() == 2 ? 3 : 6; }
  const int* cells() const { return &m_.flex_cellnum[3 * f_]; }
  std::int64_t shell_faces() const {
    const std::int64_t a = cells()[0], b = cells()[1], c = cells()[2];
    return 2 * (a * b + b * c + c * a);
  }

  void settings() {
    setting("flex_dim", m_.flex_dim, 1, 3);
    setting("flex_interp", m_.flex_interp, -2, 2);
    setting("flex_edgeequality", m_.flex_edgeequality, 0, 3);
    setting("flex_selfcollide", m_.flex_selfcollide, 0, 4);
    setting("flex_matid", m_.flex_matid, -1, static_cast<int>(m_.nmat) - 1);
    const int condim = m_.flex_condim[f_];
    if (condim != 1 && condim != 3 && condim != 4 && condim != 6) fail("flex_condim", f_, condim);
  }

  void ranges() {
    for (const auto& [field, count] : {std::pair("flex_vertnum", &m_.flex_vertnum),
                                       {"flex_edgenum", &m_.flex_edgenum},
                                       {"flex_elemnum", &m_.flex_elemnum},
                                       {"flex_nodenum", &m_.flex_nodenum},
                                       {"flex_shellnum", &m_.flex_shellnum},
                                       {"flex_evpairnum", &m_.flex_evpairnum}})
      if ((*count)[f_] < 0) fail(field, f_, (*count)[f_]);
    if (!wrong_.empty()) return;
    range("flex_vertadr", m_.flex_vertadr, m_.flex_vertnum[f_], m_.nflexvert);
    range("flex_edgeadr", m_.flex_edgeadr, m_.flex_edgenum[f_], m_.nflexedge);
    range("flex_elemadr", m_.flex_elemadr, elements(), m_.nflexelem);
    range("flex_elemdataadr", m_.flex_elemdataadr, elements() * (dim() + 1), m_.nflexelemdata);
    range("flex_elemedgeadr", m_.flex_elemedgeadr, elements() * edges_per_element(), m_.nflexelemedge);
    range("flex_shelldataadr", m_.flex_shelldataadr, std::int64_t{m_.flex_shellnum[f_]} * dim(), m_.nflexshelldata);
    range("flex_evpairadr", m_.flex_evpairadr, m_.flex_evpairnum[f_], m_.nflexevpair);
    range("flex_nodeadr", m_.flex_nodeadr, m_.flex_nodenum[f_], m_.nflexnode);
    range("flex_bvhadr", m_.flex_bvhadr, m_.flex_bvhnum[f_], m_.nbvh);
    if (m_.flex_bvhnum[f_] > 0 && m_.flex_bvhadr[f_] < m_.nbvhstatic) fail("flex_bvhadr", f_, m_.flex_bvhadr[f_]);
    if (m_.flex_texcoordadr[f_] < -1 || m_.flex_texcoordadr[f_] > m_.nflextexcoord)
      fail("flex_texcoordadr", f_, m_.flex_texcoordadr[f_]);
  }

  void bodies() {
    const std::int64_t first = m_.flex_vertadr[f_], count = m_.flex_vertnum[f_];
    if (order() == 0) {
      entries("flex_vertbodyid", m_.flex_vertbodyid, first, count, 0, m_.nbody);
      return;
    }
    entries("flex_vertbodyid", m_.flex_vertbodyid, first, count, -1, 0);
    entries("flex_nodebodyid", m_.flex_nodebodyid, m_.flex_nodeadr[f_], m_.flex_nodenum[f_], 0, m_.nbody);
    double nodes = 1;
    for (int k = 0; k < 3; ++k) {
      if (cells()[k] < 1) return fail("flex_cellnum", 3 * f_ + k, cells()[k]);
      nodes *= static_cast<double>(cells()[k]) * order() + 1;
    }
    if (nodes != m_.flex_nodenum[f_]) fail("flex_nodenum", f_, m_.flex_nodenum[f_]);
  }

  void indices() {
    const std::int64_t vertices = m_.flex_vertnum[f_], edges = m_.flex_edgenum[f_];
    entries("flex_edge", m_.flex_edge, 2 * std::int64_t{m_.flex_edgeadr[f_]}, 2 * edges, 0, vertices);
    entries("flex_edgeflap", m_.flex_edgeflap, 2 * std::int64_t{m_.flex_edgeadr[f_]}, 2 * edges, -1, vertices);
    entries("flex_elem", m_.flex_elem, m_.flex_elemdataadr[f_], elements() * (dim() + 1), 0, vertices);
    entries("flex_elemedge", m_.flex_elemedge, m_.flex_elemedgeadr[f_], elements() * edges_per_element(), 0, edges);
    entries("flex_shell", m_.flex_shell, m_.flex_shelldataadr[f_], std::int64_t{m_.flex_shellnum[f_]} * dim(), 0,
            vertices);
    for (std::int64_t p = 0; p < m_.flex_evpairnum[f_] && wrong_.empty(); ++p) {
      const std::int64_t at = 2 * (m_.flex_evpairadr[f_] + p);
      entries("flex_evpair", m_.flex_evpair, at, 1, 0, elements());
      entries("flex_evpair", m_.flex_evpair, at + 1, 1, 0, vertices);
    }
    if (m_.flex_texcoordadr[f_] >= 0)
      entries("flex_elemtexcoord", m_.flex_elemtexcoord, m_.flex_elemdataadr[f_], elements() * (dim() + 1), 0,
              m_.nflextexcoord - m_.flex_texcoordadr[f_]);
    for (int v = m_.flex_vertadr[f_]; v < m_.flex_vertadr[f_] + vertices && wrong_.empty(); ++v) {
      const std::int64_t first = m_.flex_vertedgeadr[v], count = m_.flex_vertedgenum[v];
      if (count < 0 || first < 0 || first > 2 * m_.nflexedge - count) fail("flex_vertedgeadr", v, first);
      if (wrong_.empty()) entries("flex_vertedge", m_.flex_vertedge, first, count, 0, edges);
    }
  }

  void elasticity() {
    const std::int64_t corners = order() + 1, n = cells()[0], volume = n * cells()[1] * cells()[2];
    std::int64_t stiffness = 21 * elements(), bending = dim() == 2 ? 17 * std::int64_t{m_.flex_edgenum[f_]} : 0;
    if (m_.flex_interp[f_] > 0) stiffness = volume * 9 * corners * corners * corners * corners * corners * corners;
    if (m_.flex_interp[f_] < 0) stiffness = shell_faces() * 9 * corners * corners * corners * corners;
    if (m_.flex_stiffnessadr[f_] != -1) range("flex_stiffnessadr", m_.flex_stiffnessadr, stiffness, m_.nflexstiffness);
    if (m_.flex_bendingadr[f_] == -1 || !wrong_.empty()) return;
    if (m_.flex_interp[f_] > 0) return fail("flex_bendingadr", f_, m_.flex_bendingadr[f_]);
    if (m_.flex_interp[f_] == 0) return range("flex_bendingadr", m_.flex_bendingadr, bending, m_.nflexbending);
    shell_bending();
  }

  /// The number of edges, and for each its two face elements and eight other numbers.
  void shell_bending() {
    range("flex_bendingadr", m_.flex_bendingadr, 1, m_.nflexbending);
    if (!wrong_.empty()) return;
    const double* numbers = &m_.flex_bending[m_.flex_bendingadr[f_]];
    const std::int64_t room = (m_.nflexbending - m_.flex_bendingadr[f_] - 1) / 10;
    if (!(numbers[0] >= 0 && numbers[0] <= static_cast<double>(room)))
      return fail("flex_bending", m_.flex_bendingadr[f_], static_cast<std::int64_t>(std::clamp(numbers[0], -1.0, 1e9)));
    for (std::int64_t e = 0; e < static_cast<std::int64_t>(numbers[0]); ++e)
      for (int side = 0; side < 2; ++side) {
        const double face = numbers[1 + 10 * e + side];
        if (face >= 0 && face < static_cast<double>(shell_faces()) && face == std::floor(face)) continue;
        return fail("flex_bending", m_.flex_bendingadr[f_] + 1 + 10 * e + side, -1);
      }
  }

  void tree() { wrong_ = check_bvh(m_, m_.flex_bvhadr[f_], m_.flex_bvhnum[f_], 0, m_.flex_elemnum[f_]); }

  const Model& m_;
  const int f_;
  std::string wrong_;
};

/// Rows of flexedge_J and flexvert_J: the dofs that move the edge, or those of all edges at the vertex. A flex whose
/// edges were not used when the model was compiled has empty rows.
std::string check_patterns(const Model& m) {
  Model out;
  out.nflex = m.nflex;
  out.nbody = m.nbody;
  for (const auto array :
       {&Model::body_parentid, &Model::body_dofnum, &Model::body_dofadr, &Model::dof_parentid, &Model::flex_dim,
        &Model::flex_interp, &Model::flex_vertadr, &Model::flex_vertnum, &Model::flex_edgeadr, &Model::flex_edgenum,
        &Model::flex_edge, &Model::flex_vertbodyid, &Model::flex_vertedgeadr, &Model::flex_vertedgenum,
        &Model::flex_vertedge, &Model::flex_edgeequality})
    out.*array = m.*array;
  out.flex_rigid = m.flex_rigid;
  out.flex_damping.assign(m.flex_damping.size(), 0);
  out.flex_edgestiffness.assign(m.flex_edgestiffness.size(), 0);
  out.flex_edgedamping.assign(m.flex_edgedamping.size(), 0);
  for (int f = 0; f < m.nflex; ++f) {
    const auto first = m.flexedge_J_rownnz.begin() + m.flex_edgeadr[f];
    out.flex_edgestiffness[f] = std::any_of(first, first + m.flex_edgenum[f], [](int nnz) { return nnz != 0; });
  }
  set_flex_patterns(out);
  const auto row_fits = [](const auto& nnz, const auto& adr, const auto& columns, const auto& nnz0, const auto& adr0,
                           const auto& columns0, std::size_t row) {
    const std::int64_t first = adr[row], count = nnz[row];
    if (count < 0 || first < 0 || first > static_cast<std::int64_t>(columns.size()) - count) return false;
    return count == nnz0[row] &&
           std::equal(columns.begin() + first, columns.begin() + first + count, columns0.begin() + adr0[row]);
  };
  for (int f = 0; f < m.nflex; ++f) {
    for (int e = m.flex_edgeadr[f]; e < m.flex_edgeadr[f] + m.flex_edgenum[f]; ++e) {
      if (!row_fits(m.flexedge_J_rownnz, m.flexedge_J_rowadr, m.flexedge_J_colind, out.flexedge_J_rownnz,
                    out.flexedge_J_rowadr, out.flexedge_J_colind, e))
        return fmt::format("the row {} of flexedge_J_colind is inconsistent with the rest of the model", e);
    }
    for (int row = 2 * m.flex_vertadr[f]; row < 2 * (m.flex_vertadr[f] + m.flex_vertnum[f]); ++row) {
      if (!row_fits(m.flexvert_J_rownnz, m.flexvert_J_rowadr, m.flexvert_J_colind, out.flexvert_J_rownnz,
                    out.flexvert_J_rowadr, out.flexvert_J_colind, row))
        return fmt::format("the row {} of flexvert_J_colind is inconsistent with the rest of the model", row);
    }
  }
  return {};
}

/// The factor of the effective metric: rows of a lower triangle, the diagonal last.
std::string check_metric(const Model& m) {
  for (std::int64_t i = 0; i < m.nefm0dof; ++i) {
    const std::int64_t first = m.efm0_L_rowadr[i], count = m.efm0_L_rownnz[i];
    if (m.efm0_dofid[i] < 0 || m.efm0_dofid[i] >= m.nv)
      return fmt::format("efm0_dofid[{}] is {}, which is out of range", i, int{m.efm0_dofid[i]});
    if (count < 1 || first < 0 || first > m.nefm0L - count)
      return fmt::format("efm0_L_rowadr[{}] is {}, which is out of range", i, first);
    for (std::int64_t k = first; k < first + count; ++k) {
      const int column = m.efm0_L_colind[k];
      if (k + 1 == first + count ? column == i : column >= 0 && column < i) continue;
      return fmt::format("efm0_L_colind[{}] is {}, which is out of range", k, column);
    }
  }
  return {};
}

}  // namespace

std::string check_flexes(const Model& m) {
  if (m.nbvhstatic + m.nbvhdynamic != m.nbvh) return "nbvhstatic and nbvhdynamic do not add up to nbvh";
  std::int64_t vertices = 0, edges = 0, elements = 0;
  for (int f = 0; f < m.nflex; ++f) {
    if (std::string wrong = FlexCheck(m, f).find(); !wrong.empty()) return wrong;
    if (m.flex_vertadr[f] != vertices || m.flex_edgeadr[f] != edges || m.flex_elemadr[f] != elements)
      return fmt::format("flex_vertadr, flex_edgeadr or flex_elemadr[{}] does not follow the flex before it", f);
    vertices += m.flex_vertnum[f];
    edges += m.flex_edgenum[f];
    elements += m.flex_elemnum[f];
  }
  if (vertices != m.nflexvert || edges != m.nflexedge || elements != m.nflexelem)
    return "nflexvert, nflexedge or nflexelem does not match the flexes";
  if (std::string wrong = check_patterns(m); !wrong.empty()) return wrong;
  return check_metric(m);
}

}  // namespace sinew::compiling
