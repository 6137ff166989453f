#pragma once

#include <span>

#include "sinew/data.h"

// The state of a world as one vector of numbers, and as a keyframe of the model.
//
// A set of bits (enum StateBit) names parts of the state; their numbers stand behind one another in the order of the
// bits: time, qpos, qvel, act, history, warmstart, ctrl, qfrc_applied, xfrc_applied, eq_active (0 or 1), mocap_pos,
// mocap_quat, userdata. Bits that are no part of the state or a span of the wrong length are the caller's error and
// throw sinew::Exception.

namespace sinew {

/// How many numbers the parts have together.
int state_size(const Model& model, int bits);

/// Copies the parts into `state`, which has state_size(model, bits) numbers.
void get_state(const Model& model, const Data& data, std::span<double> state, int bits);

/// Copies the parts from `state`; everything else in `data` stays as it is.
void set_state(const Model& model, Data& data, std::span<const double> state, int bits);

/// Picks the parts `to_bits` out of a vector that holds the parts `from_bits`, of which they must be a subset.
void extract_state(const Model& model, std::span<const double> from, int from_bits, std::span<double> to, int to_bits);

/// Copies the parts from one world to another of the same model.
void copy_state(const Model& model, const Data& from, Data& to, int bits);

/// Writes time, qpos, qvel, act, mocap pose and ctrl into keyframe `key` of the model.
void set_keyframe(Model& model, const Data& data, int key);

}  // namespace sinew
