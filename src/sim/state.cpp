#include "sinew/state.h"

#include <algorithm>
#include <ranges>
#include <string>

#include "sinew/error.h"

namespace sinew {
namespace {

constexpr int kAllBits = kStateIntegration;

[[noreturn]] void misuse(const std::string& message) { throw Exception(Error::message(message)); }

void check_bits(int bits) {
  if (bits & ~kAllBits) misuse("state bits " + std::to_string(bits) + " include unknown parts");
}

void check_length(const char* what, std::size_t has, int needs) {
  if (has != static_cast<std::size_t>(needs))
    misuse(std::string(what) + " has " + std::to_string(has) + " numbers, these bits need " + std::to_string(needs));
}

/// One part of the state vector: `count` elements of `width` numbers that live in the array `values`.
struct Part {
  StateBit bit;
  FieldSize Model::*count;
  int width;
  std::span<double> Data::*values;
};

/// In vector order. Time (one number, no array) and eq_active (flags) have no array of doubles.
constexpr Part kParts[] = {
    {kStateTime, nullptr, 1, nullptr},
    {kStateQpos, &Model::nq, 1, &Data::qpos},
    {kStateQvel, &Model::nv, 1, &Data::qvel},
    {kStateAct, &Model::na, 1, &Data::act},
    {kStateHistory, &Model::nhistory, 1, &Data::history},
    {kStateWarmstart, &Model::nv, 1, &Data::qacc_warmstart},
    {kStateCtrl, &Model::nu, 1, &Data::ctrl},
    {kStateQfrcApplied, &Model::nv, 1, &Data::qfrc_applied},
    {kStateXfrcApplied, &Model::nbody, 6, &Data::xfrc_applied},
    {kStateEqActive, &Model::neq, 1, nullptr},
    {kStateMocapPos, &Model::nmocap, 3, &Data::mocap_pos},
    {kStateMocapQuat, &Model::nmocap, 4, &Data::mocap_quat},
    {kStateUserdata, &Model::nuserdata, 1, &Data::userdata},
    {kStatePlugin, &Model::npluginstate, 1, &Data::plugin_state},
};

std::int64_t size_of(const Model& m, const Part& part) { return part.count ? m.*part.count * part.width : 1; }

double* get_part(const Data& d, const Part& part, double* out) {
  if (part.bit == kStateTime) {
    *out = d.time;
    return out + 1;
  }
  if (part.bit == kStateEqActive) return std::ranges::copy(d.eq_active, out).out;
  return std::ranges::copy(d.*part.values, out).out;
}

const double* set_part(Data& d, const Part& part, const double* in) {
  if (part.bit == kStateTime) {
    d.time = *in;
    return in + 1;
  }
  if (part.bit == kStateEqActive) {
    for (std::uint8_t& active : d.eq_active) active = *in++ != 0;
    return in;
  }
  return std::ranges::copy_n(in, std::ssize(d.*part.values), (d.*part.values).begin()).in;
}

void copy_part(const Data& from, Data& to, const Part& part) {
  if (part.bit == kStateTime) {
    to.time = from.time;
  } else if (part.bit == kStateEqActive) {
    std::ranges::copy(from.eq_active, to.eq_active.begin());
  } else {
    std::ranges::copy(from.*part.values, (to.*part.values).begin());
  }
}

}  // namespace

int state_size(const Model& m, int bits) {
  check_bits(bits);
  std::int64_t size = 0;
  for (const Part& part : kParts)
    if (bits & part.bit) size += size_of(m, part);
  return static_cast<int>(size);
}

void get_state(const Model& m, const Data& d, std::span<double> state, int bits) {
  check_length("state", state.size(), state_size(m, bits));
  double* next = state.data();
  for (const Part& part : kParts)
    if (bits & part.bit) next = get_part(d, part, next);
}

void set_state(const Model& m, Data& d, std::span<const double> state, int bits) {
  check_length("state", state.size(), state_size(m, bits));
  const double* next = state.data();
  for (const Part& part : kParts)
    if (bits & part.bit) next = set_part(d, part, next);
}

void extract_state(const Model& m, std::span<const double> from, int from_bits, std::span<double> to, int to_bits) {
  if (to_bits & ~from_bits) misuse("extract_state: the requested parts are not a subset of the given ones");
  check_length("state to extract from", from.size(), state_size(m, from_bits));
  check_length("extracted state", to.size(), state_size(m, to_bits));
  const double* read = from.data();
  double* write = to.data();
  for (const Part& part : kParts) {
    if (!(from_bits & part.bit)) continue;
    if (to_bits & part.bit) write = std::copy_n(read, size_of(m, part), write);
    read += size_of(m, part);
  }
}

void copy_state(const Model& m, const Data& from, Data& to, int bits) {
  check_bits(bits);
  if (&from.model() != &m || &to.model() != &m) misuse("copy_state: the worlds do not belong to this model");
  for (const Part& part : kParts)
    if (bits & part.bit) copy_part(from, to, part);
}

void set_keyframe(Model& m, const Data& d, int key) {
  if (key < 0 || key >= m.nkey)
    misuse("keyframe " + std::to_string(key) + " does not exist: the model has " + std::to_string(m.nkey));
  const auto store = [&](auto values, Field<double>& rows) {
    std::ranges::copy(values, rows.begin() + static_cast<std::ptrdiff_t>(values.size()) * key);
  };
  m.key_time[static_cast<std::size_t>(key)] = d.time;
  store(d.qpos, m.key_qpos);
  store(d.qvel, m.key_qvel);
  store(d.act, m.key_act);
  store(d.mocap_pos, m.key_mpos);
  store(d.mocap_quat, m.key_mquat);
  store(d.ctrl, m.key_ctrl);
}

}  // namespace sinew
