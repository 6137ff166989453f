#pragma once

#include <vector>

#include "sinew/analytic.h"

// The derivative of a step by the best available method, and checks of derivatives; formulas: docs/derivatives.md.

namespace sinew {

enum class TransitionMethod { Analytic, Differences };

/// A, B and, if requested, C and D of one step: exact if the model allows it, else by finite differences. Returns
/// which, with the reason (analytic_refusal) in report.refusal; the rest of the report is filled by the exact method
/// only. Throws sinew::Exception if differences cannot compute it either: delay buffers.
TransitionMethod transition(const Model& model, const Data& data, const TransitionOptions& options, Transition& out,
                            SwitchReport& report);

/// Exact columns for velocity, activation and control, differenced columns for position: these see contacts that appear
/// or vanish within eps, which an exact derivative does not. Throws sinew::Exception if analytic_refusal gives a
/// reason.
void transition_hybrid(const Model& model, const Data& data, const TransitionOptions& options, Transition& out);

/// Differences with two perturbations, extrapolated: (4 T(eps) - T(2 eps)) / 3 with an error of order eps⁴; one-sided:
/// 2 T(eps) - T(2 eps), of order eps².
void transition_richardson(const Model& model, const Data& data, const TransitionOptions& options, Transition& out);

/// The largest |a - b| / (1 + |b|) of two matrices of the same size, and its position.
struct MatrixError {
  double error = 0;
  int row = -1, column = -1;
};
MatrixError matrix_error(const std::vector<double>& a, const std::vector<double>& b, int columns);

/// Two derivatives of the same step, compared.
struct TransitionError {
  MatrixError A, B, C, D;

  double worst() const;
};
TransitionError transition_error(const Transition& a, const Transition& b);

/// The exact derivative against extrapolated differences with options.eps. Meaningful away from switches, and where
/// the solver converges (option tolerance 0 of the model).
struct TransitionCheck {
  TransitionError error;
  SwitchReport report;
};
TransitionCheck check_transition(const Model& model, const Data& data, const TransitionOptions& options);

/// Differences with eps, eps / ratio, eps / ratio² …: `changes` from one to the next fall by ratio² (centered) or ratio
/// each time, until they reach the noise of rounding and of the solver, which grows by ratio. `best` is the eps with
/// the smallest change. A kink within eps shows as changes that do not decrease.
struct ConvergenceCheck {
  std::vector<double> eps;
  std::vector<double> changes;  // one fewer than eps: the largest error of A and B between consecutive ones
  double best = 0;
  double order =
      0;  // log(changes[0] / changes[1]) / log(ratio): about 2 for centered differences, 1 for one-sided ones
};
ConvergenceCheck check_convergence(const Model& model, const Data& data, const TransitionOptions& options,
                                   double ratio = 10, int count = 4);

}  // namespace sinew
