#pragma once

#include "sinew/data.h"

// Query functions equivalent to MuJoCo's functions of the same name (mj_jac is jac). Arrays are flat and row-major.
// They need the stages of the position level (forward, or step1), those with a velocity also the velocity level.

namespace sinew {

/// Jacobians, 3 x nv: of the velocity of a point (jacp) and of the angular velocity (jacr). Either may be null.
void jac(const Model& m, const Data& d, double* jacp, double* jacr, const double point[3], int body);
void jac_body(const Model& m, const Data& d, double* jacp, double* jacr, int body);      // at xpos
void jac_body_com(const Model& m, const Data& d, double* jacp, double* jacr, int body);  // at xipos
void jac_geom(const Model& m, const Data& d, double* jacp, double* jacr, int geom);
void jac_site(const Model& m, const Data& d, double* jacp, double* jacr, int site);
/// Of the center of mass of a subtree.
void jac_subtree_com(const Model& m, const Data& d, double* jacp, int body);
/// Of a point and of an axis fixed to the body.
void jac_point_axis(const Model& m, const Data& d, double* jac_point, double* jac_axis, const double point[3],
                    const double axis[3], int body);
/// Time derivative of jac. Velocity level.
void jac_dot(const Model& m, const Data& d, double* jacp, double* jacr, const double point[3], int body);
/// 3 x nv: angular momentum of a subtree about its center of mass, per unit qvel.
void angmom_mat(const Model& m, const Data& d, double* mat, int body);

/// qfrc += jacpᵀ force + jacrᵀ torque at a point of the body. force or torque may be null.
void apply_ft(const Model& m, const Data& d, const double* force, const double* torque, const double point[3], int body,
              double* qfrc);

/// [rotation(3); translation(3)] of an object in world axes, or (local) in its own. Velocity level.
void object_velocity(const Model& m, const Data& d, ObjType type, int id, double result[6], bool local);
/// The same for the acceleration, including -gravity. Needs cacc (the acceleration sensors compute it).
void object_acceleration(const Model& m, const Data& d, ObjType type, int id, double result[6], bool local);

/// Accelerations of bodies and forces on them, which a step computes only if a sensor needs them: cacc, cfrc_ext
/// (applied, contacts, connects, welds) and cfrc_int. mj_rnePostConstraint. Needs all of forward, or of inverse.
void body_forces(const Model& m, Data& d);

/// The inertia matrix from its sparse rows (d.M), nv x nv.
void full_m(const Model& m, const double* sparse, double* full);
/// result = M vec.
void mul_m(const Model& m, const Data& d, double* result, const double* vec);
/// x = M⁻¹ y for n consecutive vectors of length nv; x may be y.
void solve_m(const Model& m, const Data& d, double* x, const double* y, int n = 1);
/// x = D^-½ L⁻ᵀ y, with M = Lᵀ D L: |x|² = yᵀ M⁻¹ y.
void solve_m2(const Model& m, const Data& d, double* x, const double* y, int n = 1);

/// World pose of a local pose in the frame of a body. pos with xpos, quat with xmat; either pair may be null.
void local_to_global(const Data& d, double* xpos, double* xmat, const double* pos, const double* quat, int body);

/// The constant qvel that takes qpos1 to qpos2 in time h (s).
void differentiate_pos(const Model& m, double* qvel, double h, const double* qpos1, const double* qpos2);
/// Advances qpos by velocity qvel for time h (s), in place.
void integrate_pos(const Model& m, double* qpos, const double* qvel, double h);

}  // namespace sinew
