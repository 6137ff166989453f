#pragma once

#include "sinew/data.h"

namespace sinew {

/// Values of the sensors whose stage is `stage`, in their order, with cutoff, delay and sampling interval. With the
/// sensor flag disabled sensordata keeps its old values; a sensor whose objects are asleep keeps its own. Shared
/// quantities are computed for the first sensor that needs them.
/// At Stage::Pos: Reads: time, history, tree_awake, qpos, qvel, M, xipos, ximat, xquat, geom_xpos, geom_xmat,
/// site_xpos, site_xmat, cam_xpos, cam_xmat, subtree_com, ten_length, actuator_length, ne, nf, nl, efc_type, efc_id,
/// efc_pos, efc_margin.
/// Writes: sensordata.
///
/// At Stage::Vel: Reads: time, history, tree_awake, qvel, cvel, xipos, xmat, ximat, geom_xpos, geom_xmat, site_xpos,
/// site_xmat, cam_xpos, subtree_com, ten_velocity, actuator_velocity, ne, nf, nl, efc_type, efc_id, efc_vel.
/// Writes: sensordata, subtree_linvel, subtree_angmom.
///
/// At Stage::Acc: Reads: time, history, tree_awake, qvel, qacc, xfrc_applied, xpos, xmat, xipos, geom_xpos, geom_xmat,
/// site_xpos, site_xmat, cam_xpos, subtree_com, cdof, cdof_dot, cvel, cinert, actuator_force, qfrc_actuator, ne, nf,
/// nl, efc_type, efc_id, efc_J_rowsuper, efc_force, ncon, contact.dist, contact.pos, contact.frame, contact.friction,
/// contact.adhesion, contact.dim, contact.geom, contact.flex, contact.elem, contact.vert, contact.efc_address.
/// Writes: sensordata, cacc, cfrc_int, cfrc_ext.
void sensors(const Model& m, Data& d, Stage stage);

/// Puts the sensors' values into their delay buffers; at the end of a step, before time advances. A delayed sensor is
/// evaluated again, because sensordata holds what it measured earlier; body forces that another sensor of this step
/// needed are not recomputed.
/// Reads: time, sensordata, history, cacc, cfrc_int, as sensors(Stage::Pos), as sensors(Stage::Vel), as
/// sensors(Stage::Acc).
/// Writes: history, subtree_linvel, subtree_angmom, cacc, cfrc_int, cfrc_ext.
void record_sensors(const Model& m, Data& d);

}  // namespace sinew
