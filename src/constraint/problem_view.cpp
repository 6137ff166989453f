#include "constraint/problem_view.h"

#include <algorithm>

#include "constraint/kinds.h"

namespace sinew {

SolverOptions solver_options(const Model& m) {
  return {.method = static_cast<SolverMethod>(m.opt.solver),
          .tolerance = m.opt.tolerance,
          .ls_tolerance = m.opt.ls_tolerance,
          .noslip_tolerance = m.opt.noslip_tolerance,
          .iterations = m.opt.iterations,
          .ls_iterations = m.opt.ls_iterations,
          .noslip_iterations = m.opt.noslip_iterations};
}

ProblemView::ProblemView(const Model& m, Data& d, Scratch& scratch) : m_(m), d_(d) {
  whole_.M = {static_cast<int>(m.nv), m.M_rownnz.data(), m.M_rowadr.data(), m.M_colind.data(), d.M.data(),
              d.qLD.data(),           d.qLDiagInv.data()};
  whole_.elliptic = m.opt.cone == static_cast<int>(Cone::Elliptic);
  whole_.nefc = d.nefc;
  whole_.ne = d.ne;
  whole_.nf = d.nf;
  whole_.D = d.efc_D.data();
  whole_.R = d.efc_R.data();
  whole_.aref = d.efc_aref.data();
  whole_.frictionloss = d.efc_frictionloss.data();
  whole_.frc_smooth = d.qfrc_smooth.data();
  whole_.acc_smooth = d.qacc_smooth.data();
  if (m.nflex > 0 && d.efm_active) {
    stiffness_ = stiffness_matrix(m, d);
    whole_.K = &stiffness_;
    double* force = scratch.take<double>(m.nv);
    for (int i = 0; i < m.nv; ++i) force[i] = d.qfrc_smooth[i] + d.efm_c[i];
    whole_.frc_smooth = force;
  }
  whole_.scale = 1 / (m.stat.meaninertia * std::max<double>(1, static_cast<double>(m.nv)));
  whole_.dual_scale = whole_.scale;
  const bool in_parts = splits() && !is_whole(0);
  collect_rows(in_parts, scratch);
  // allocated here because every island reads it: it must outlive the first one
  if (in_parts) number_columns(scratch);
}

/// Blocks of rows with the same columns: the rows of one constraint, and consecutive contacts of the same two bodies. A
/// contact that no dof moves stays separate: its island does not follow from its columns.
void ProblemView::collect_rows(bool in_parts, Scratch& scratch) {
  RowBlock* blocks = scratch.take<RowBlock>(d_.nefc);
  FrictionCone* cones = scratch.take<FrictionCone>(d_.ncon);
  if (in_parts) {
    block_of_row_ = scratch.take<int>(d_.nefc);
    cone_of_row_ = scratch.take<int>(d_.nefc);
  }
  int nblock = 0, ncone = 0;
  for (int row = 0; row < d_.nefc;) {
    const RowBlock own = block_at(d_, row);
    const auto kind = static_cast<ConstraintKind>(d_.efc_type[row]);
    if (has_friction_cone(kind)) {
      const Contact& contact = d_.contact[d_.efc_id[row]];
      if (in_parts) cone_of_row_[row] = ncone;
      cones[ncone++] = {row, own.nrow, contact.dim, contact.mu, contact.friction.data()};
    }
    RowBlock* last = nblock > 0 ? &blocks[nblock - 1] : nullptr;
    const bool joins = last && is_contact(kind) && is_contact(static_cast<ConstraintKind>(d_.efc_type[last->row])) &&
                       own.nnz > 0 && last->nnz == own.nnz && std::equal(own.col, own.col + own.nnz, last->col);
    if (joins)
      last->nrow += own.nrow;
    else
      blocks[nblock++] = own;
    if (in_parts) std::fill_n(block_of_row_ + row, own.nrow, nblock - 1);
    row += own.nrow;
  }
  whole_.blocks = {blocks, static_cast<std::size_t>(nblock)};
  whole_.cones = {cones, static_cast<std::size_t>(ncone)};
}

bool ProblemView::is_whole(int k) const { return d_.island_nv[k] == m_.nv && d_.island_nefc[k] == d_.nefc; }

void ProblemView::number_columns(Scratch& scratch) {
  inertia_columns_ = scratch.take<int>(m_.nC);
  for (int k = 0; k < m_.nC; ++k) {
    const int dof = m_.M_colind[k], island = d_.dof_island[dof];
    inertia_columns_[k] = island < 0 ? -1 : d_.map_dof2idof[dof] - d_.island_idofadr[island];
  }
}

ProblemPart ProblemView::island(int k, Scratch& scratch) {
  ProblemPart result;
  ConstraintProblem& p = result.problem;
  p = whole_;
  const int nv = d_.island_nv[k], first_dof = d_.island_idofadr[k];
  result.dofs = d_.map_idof2dof.data() + first_dof;
  result.rows = d_.map_iefc2efc.data() + d_.island_iefcadr[k];
  double trace = 0;
  for (int i = 0; i < nv; ++i) trace += d_.M[m_.M_rowadr[result.dofs[i]] + m_.M_rownnz[result.dofs[i]] - 1];
  p.scale = 1 / trace;
  if (is_whole(k)) return result;

  int* rownnz = scratch.take<int>(nv);
  int* rowadr = scratch.take<int>(nv);
  double* frc = scratch.take<double>(nv);
  double* acc = scratch.take<double>(nv);
  double* diag_inv = scratch.take<double>(nv);
  for (int i = 0; i < nv; ++i) {
    const int dof = result.dofs[i];
    rownnz[i] = m_.M_rownnz[dof];
    rowadr[i] = m_.M_rowadr[dof];
    frc[i] = d_.qfrc_smooth[dof];
    acc[i] = d_.qacc_smooth[dof];
    diag_inv[i] = d_.qLDiagInv[dof];
  }
  p.M = {nv, rownnz, rowadr, inertia_columns_, d_.M.data(), d_.qLD.data(), diag_inv};
  p.frc_smooth = frc;
  p.acc_smooth = acc;
  p.nefc = d_.island_nefc[k];
  p.ne = d_.island_ne[k];
  p.nf = d_.island_nf[k];
  take_rows(result, k, scratch);
  return result;
}

ProblemPart ProblemView::outside(Scratch& scratch) {
  ProblemPart result;
  ConstraintProblem& p = result.problem;
  p = whole_;
  p.M.n = 0;
  int first = 0;
  for (int k = 0; k < d_.nisland; ++k) {
    first += d_.island_nefc[k];
    p.ne -= d_.island_ne[k];
    p.nf -= d_.island_nf[k];
  }
  p.nefc -= first;
  result.rows = d_.map_iefc2efc.data() + first;
  if (p.nefc > 0) take_rows(result, -1, scratch);
  return result;
}

/// The rows of a part, on the dofs of island k (-1: none).
void ProblemView::take_rows(ProblemPart& result, int k, Scratch& scratch) {
  ConstraintProblem& p = result.problem;
  const int nefc = p.nefc, first_dof = k < 0 ? 0 : d_.island_idofadr[k];
  double* D = scratch.take<double>(nefc);
  double* R = scratch.take<double>(nefc);
  double* aref = scratch.take<double>(nefc);
  double* loss = scratch.take<double>(nefc);
  for (int i = 0; i < nefc; ++i) {
    const int row = result.rows[i];
    D[i] = d_.efc_D[row];
    R[i] = d_.efc_R[row];
    aref[i] = d_.efc_aref[row];
    loss[i] = d_.efc_frictionloss[row];
  }
  p.D = D;
  p.R = R;
  p.aref = aref;
  p.frictionloss = loss;

  RowBlock* blocks = scratch.take<RowBlock>(nefc);
  FrictionCone* cones = scratch.take<FrictionCone>(nefc);
  int nblock = 0, ncone = 0;
  for (int i = 0; i < nefc;) {
    const int row = result.rows[i];
    const RowBlock& block = whole_.blocks[block_of_row_[row]];
    blocks[nblock] = block;
    blocks[nblock].row = i;
    number_block(blocks[nblock++], k, first_dof, scratch);
    for (int r = 0; r < block.nrow; r += d_.efc_J_rowsuper[row + r] + 1) {
      if (!has_friction_cone(static_cast<ConstraintKind>(d_.efc_type[row + r]))) continue;
      cones[ncone] = whole_.cones[cone_of_row_[row + r]];
      cones[ncone++].row = i + r;
    }
    i += block.nrow;
  }
  p.blocks = {blocks, static_cast<std::size_t>(nblock)};
  p.cones = {cones, static_cast<std::size_t>(ncone)};
}

/// The block's columns in the numbering of island k. With a dense jacobian, a tendon or equality that does not move one
/// of its trees in this pose does not join it to the island: the columns of that tree are all zero and are left out.
void ProblemView::number_block(RowBlock& block, int k, int first_dof, Scratch& scratch) const {
  const int all = block.nnz;
  const int* from = block.col;
  int* col = scratch.take<int>(all);
  int nnz = 0;
  for (int j = 0; j < all; ++j)
    if (d_.dof_island[from[j]] == k) col[nnz++] = d_.map_dof2idof[from[j]] - first_dof;
  block.col = col;
  block.nnz = nnz;
  if (nnz == all) return;
  double* J = scratch.take<double>(static_cast<std::size_t>(block.nrow) * nnz);
  const double* value = block.J;
  block.J = J;
  for (int r = 0; r < block.nrow; ++r, value += all)
    for (int j = 0; j < all; ++j)
      if (d_.dof_island[from[j]] == k) *J++ = value[j];
}

}  // namespace sinew
