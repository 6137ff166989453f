#pragma once

#include <span>

#include "sinew/data.h"

// The state of a world as one vector of numbers, and as a keyframe of the model.
//
// A set of bits (enum StateBit) selects parts of the state; their numbers are concatenated in the order of the bits:
// time, qpos, qvel, act, history, warmstart, ctrl, qfrc_applied, xfrc_applied, eq_active (0 or 1), mocap_pos,
// mocap_quat, userdata, plugin_state. Unknown bits or a span of the wrong length throw sinew::Exception.

namespace sinew {

/// Total size of the parts.
int state_size(const Model& model, int bits);

/// Copies the parts into `state`, which has state_size(model, bits) numbers.
void get_state(const Model& model, const Data& data, std::span<double> state, int bits);

/// Copies the parts from `state`; everything else in `data` is unchanged.
void set_state(const Model& model, Data& data, std::span<const double> state, int bits);

/// Extracts the parts `to_bits` from a vector that holds the parts `from_bits`; they must be a subset.
void extract_state(const Model& model, std::span<const double> from, int from_bits, std::span<double> to, int to_bits);

/// Copies the parts from one world to another of the same model.
void copy_state(const Model& model, const Data& from, Data& to, int bits);

/// Writes time, qpos, qvel, act, mocap pose and ctrl into keyframe `key` of the model.
void set_keyframe(Model& model, const Data& data, int key);

}  // namespace sinew
