#pragma once

#include <cstdint>
#include <string_view>

#include "model/kind_table.h"
#include "sinew/model.h"

// The kinds of transmissions. Their lengths and moments are computed in dynamics/transmission.cpp.

namespace sinew {

/// The second site, actuator_trnid[1].
enum class SecondSite : std::uint8_t { None, Refsite, Slidersite };

struct TransmissionKind {
  TrnType type;
  std::string_view attribute;  // in MJCF, names the target; empty: derived from another kind by the compiler
  ObjType target;
  ObjType target_with_site;  // the target's type if there is a second site
  SecondSite second;
  int outputs;
  bool follows_target;  // its length is the target's times the gear: it uses the limits of the target, and adds
                        // armature and damping to it
  bool both_ends;       // it acts as long as one of its two sites is awake
};

inline constexpr TransmissionKind kTransmissionKinds[] = {
    {TrnType::Joint, "joint", ObjType::Joint, ObjType::Joint, SecondSite::None, 1, true, false},
    {TrnType::JointInParent, "jointinparent", ObjType::Joint, ObjType::Joint, SecondSite::None, 1, true, false},
    {TrnType::SliderCrank, "cranksite", ObjType::Site, ObjType::Site, SecondSite::Slidersite, 1, false, true},
    {TrnType::Tendon, "tendon", ObjType::Tendon, ObjType::Tendon, SecondSite::None, 1, true, false},
    {TrnType::Site, "site", ObjType::Site, ObjType::Site, SecondSite::Refsite, 1, false, false},
    {TrnType::Body, "body", ObjType::Body, ObjType::Body, SecondSite::None, 1, false, false},
    {TrnType::So3, "", ObjType::Joint, ObjType::Site, SecondSite::Refsite, 3, false, true},
};
static_assert(rows_stand_at_their_type(kTransmissionKinds));

inline constexpr TransmissionKind kNoTransmission = {
    TrnType::Undefined, "", ObjType::Unknown, ObjType::Unknown, SecondSite::None, 0, false, false};

constexpr const TransmissionKind& transmission_kind(TrnType type) {
  return type == TrnType::Undefined ? kNoTransmission : kTransmissionKinds[static_cast<std::size_t>(type)];
}
inline const TransmissionKind& transmission_kind(const Model& m, int actuator) {
  return kTransmissionKinds[static_cast<std::size_t>(m.actuator_trntype[actuator])];
}

/// The actuator's target: a joint, tendon, site or body, whose id is actuator_trnid[0].
inline ObjType actuator_target(const Model& m, int actuator) {
  const TransmissionKind& kind = transmission_kind(m, actuator);
  return m.actuator_trnid[2 * actuator + 1] >= 0 ? kind.target_with_site : kind.target;
}

/// It pulls a tendon.
inline bool drives_tendon(const Model& m, int actuator) {
  return transmission_kind(m, actuator).target == ObjType::Tendon;
}
/// It acts on the contacts of a body.
inline bool pulls_on_contacts(const Model& m, int actuator) {
  return transmission_kind(m, actuator).target == ObjType::Body;
}

}  // namespace sinew
