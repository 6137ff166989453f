#pragma once

#include "dynamics/jacobian.h"
#include "math/spatial.h"
#include "sinew/data.h"

// Fluid forces. A body is modeled as the box with its inertia or, if one of its geoms has fluidshape ellipsoid, as the
// ellipsoids of those geoms. Both models work in the local frame on the velocity relative to the medium.

namespace sinew {

inline bool has_fluid(const Model& m) { return m.opt.viscosity != 0 || m.opt.density != 0; }

/// qfrc_fluid += the fluid force on every body.
/// Reads: qfrc_fluid, cdof, cvel, xipos, ximat, geom_xpos, geom_xmat, subtree_com. Writes: qfrc_fluid.
template <class Real>
void fluid_forces(const Model& m, BasicData<Real>& d);

/// Edge lengths of the box with the body's mass and inertia.
Vec3<double> inertia_box(const Model& m, int body);

/// A geom's ellipsoid and its fluid coefficients.
struct FluidEllipsoid {
  Vec3<double> r;  // m, semi-axes
  double blunt, slender, angular, kutta, magnus;
  Vec3<double> virtual_mass, virtual_inertia;  // per density

  FluidEllipsoid(const Model& m, int geom);
  double volume() const { return 4.0 / 3.0 * kPi * r.x * r.y * r.z; }
  double equivalent_diameter() const { return 2.0 / 3.0 * (r.x + r.y + r.z); }
  double longest() const;
  double middle() const;
  /// The largest cross section, and the largest moment of the drag's lever arms (for the slender direction).
  double max_area() const { return kPi * longest() * middle(); }
  double max_moment() const;
  /// Moments of rotation about each axis: 8/15 π r_k max(r_i, r_j)⁴.
  Vec3<double> axis_moments() const;
  /// ((r1 r2)², (r2 r0)², (r0 r1)²): weights of the projected area.
  Vec3<double> projection_weights() const;
};

/// Velocity of a frame relative to the medium, in the frame's axes.
template <class Real>
Motion<Real> velocity_in_fluid(const Model& m, const BasicData<Real>& d, const FramePose<Real>& frame);

/// The geom uses the ellipsoid model.
inline bool is_fluid_ellipsoid(const Model& m, int geom) { return m.geom_fluid[kNumFluid * geom] > 0; }

/// box(body) or ellipsoid(geom) for everything the medium acts on.
template <class Box, class Ellipsoid>
void visit_fluid_shapes(const Model& m, Box&& box, Ellipsoid&& ellipsoid) {
  for (int body = 1; body < m.nbody; ++body) {
    if (m.body_mass[body] < kMinVal) continue;
    bool use_ellipsoids = false;
    const int first = m.body_geomadr[body], end = first + m.body_geomnum[body];
    for (int geom = first; geom < end; ++geom) {
      if (!is_fluid_ellipsoid(m, geom)) continue;
      use_ellipsoids = true;
      ellipsoid(geom);
    }
    if (!use_ellipsoids) box(body);
  }
}

}  // namespace sinew
