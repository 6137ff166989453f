#include <algorithm>
#include <array>

#include "base/arena.h"
#include "dynamics/contact_bodies.h"
#include "sensor/frames.h"
#include "sensor/table.h"
#include "sinew/query.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

/// What a contact sensor writes for one contact: bits of intprm[0], in this order, with their sizes.
enum ContactField { Found, Force3, Torque, Dist, Pos, Normal, Tangent, kNumFields };
constexpr std::array<int, kNumFields> kFieldSize = {1, 3, 3, 1, 3, 3, 3};

/// Whether one side of a contact belongs to an object: a geom, a body, or a subtree (xbody). No object: always.
bool side_matches(const Model& m, const Contact& c, int side, ObjType type, int id) {
  if (type == ObjType::Geom) return c.geom[side] == id;
  int body = contact_body(m, c, side);
  if (type == ObjType::Body) return body == id;
  while (body > id) body = m.body_parentid[body];
  return body == id;
}

/// +1: matches as written, -1: with the two sides swapped, 0: no match.
int match(const Model& m, const Data& d, int i, const Contact& c) {
  const auto type1 = static_cast<ObjType>(m.sensor_objtype[i]), type2 = static_cast<ObjType>(m.sensor_reftype[i]);
  const int id1 = m.sensor_objid[i], id2 = m.sensor_refid[i];
  if (type1 == ObjType::Site && !inside_site(m, d, id1, Vec::load(c.pos.data()))) return 0;
  const bool any1 = type1 == ObjType::Unknown || type1 == ObjType::Site, any2 = type2 == ObjType::Unknown;
  if (any1 && any2) return 1;
  if (any2) return side_matches(m, c, 0, type1, id1) ? 1 : side_matches(m, c, 1, type1, id1) ? -1 : 0;
  if (any1) return side_matches(m, c, 1, type2, id2) ? 1 : side_matches(m, c, 0, type2, id2) ? -1 : 0;
  if (side_matches(m, c, 0, type1, id1) && side_matches(m, c, 1, type2, id2)) return 1;
  return side_matches(m, c, 1, type1, id1) && side_matches(m, c, 0, type2, id2) ? -1 : 0;
}

struct Match {
  int contact;
  int sign;
  double key;  // ascending: what the reduction sorts by
};

/// One slot of the output: the requested fields, in order.
class Slot {
 public:
  Slot(int fields, double* out) : fields_(fields), out_(out) {}

  void put(ContactField field, const double* values) {
    if (!(fields_ & (1 << field))) return;
    double* to = out_;
    for (int f = 0; f < field; ++f)
      if (fields_ & (1 << f)) to += kFieldSize[f];
    std::copy_n(values, kFieldSize[field], to);
  }
  void put(ContactField field, const Vec& v) {
    const double values[3] = {v.x, v.y, v.z};
    put(field, values);
  }
  void put(ContactField field, double value) { put(field, &value); }

 private:
  int fields_;
  double* out_;
};

void write_contact(const Model& m, const Data& d, const Match& match, Slot slot) {
  const Contact& c = d.contact[match.contact];
  std::array<double, 6> f = contact_force(m, d, match.contact);
  const double s = match.sign;
  // seen from the other side, the frame is rotated by pi about its third axis
  f[2] *= s;
  f[5] *= s;
  slot.put(Force3, Vec::load(&f[0]));
  slot.put(Torque, Vec::load(&f[3]));
  slot.put(Dist, c.dist);
  slot.put(Pos, c.pos.data());
  slot.put(Normal, Vec::load(&c.frame[0]) * s);
  slot.put(Tangent, Vec::load(&c.frame[3]) * s);
}

/// The resultant of all matching contacts, in world axes, about the center of their forces.
void write_net_force(const Model& m, const Data& d, const Match* matches, int n, Slot slot) {
  Vec center, force, torque;
  double weight = 0;
  for (int k = 0; k < n; ++k) {
    const auto f = contact_force(m, d, matches[k].contact);
    const double size = norm(Vec::load(&f[0]));
    center += Vec::load(d.contact[matches[k].contact].pos.data()) * size;
    weight += size;
  }
  center *= 1 / std::max(kMinVal, weight);
  for (int k = 0; k < n; ++k) {
    const Contact& c = d.contact[matches[k].contact];
    const auto f = contact_force(m, d, matches[k].contact);
    const Mat3<double> frame = Mat3<double>::load(c.frame.data());
    const Vec linear = mul_transposed(frame, Vec::load(&f[0])) * double(matches[k].sign);
    force += linear;
    torque += mul_transposed(frame, Vec::load(&f[3])) * double(matches[k].sign) +
              cross(Vec::load(c.pos.data()) - center, linear);
  }
  slot.put(Found, n);
  slot.put(Force3, force);
  slot.put(Torque, torque);
  slot.put(Pos, center);
  slot.put(Normal, Vec(1, 0, 0));
  slot.put(Tangent, Vec(0, 1, 0));
}

}  // namespace

void sense_contact(const Model& m, Data& d, int i, double* out) {
  const int fields = m.sensor_intprm[3 * i], slots = m.sensor_intprm[3 * i + 2];
  const auto reduce = static_cast<Reduce>(m.sensor_intprm[3 * i + 1]);
  std::fill_n(out, m.sensor_dim[i], 0.0);

  Scratch scratch(d.scratch());
  Match* matches = scratch.take<Match>(static_cast<std::size_t>(d.ncon));
  int n = 0;
  for (int c = 0; c < d.ncon; ++c) {
    const int sign = match(m, d, i, d.contact[c]);
    if (sign == 0) continue;
    double key = 0;
    if (reduce == Reduce::MinDist) key = d.contact[c].dist;
    if (reduce == Reduce::MaxForce) {
      const auto f = contact_force(m, d, c);
      key = -dot(Vec::load(&f[0]), Vec::load(&f[0]));
    }
    matches[n++] = {c, sign, key};
  }
  if (reduce == Reduce::NetForce) return write_net_force(m, d, matches, n, Slot(fields, out));

  const int filled = std::min(n, slots), size = m.sensor_dim[i] / slots;
  std::partial_sort(matches, matches + filled, matches + n, [](const Match& a, const Match& b) {
    return a.key != b.key ? a.key < b.key : a.contact < b.contact;
  });
  for (int k = 0; k < filled; ++k) {
    Slot slot(fields, out + k * size);
    slot.put(Found, n);
    write_contact(m, d, matches[k], slot);
  }
}

/// Sum of the normal forces of the body's contacts whose outward ray hits the site.
void sense_touch(const Model& m, Data& d, int i, double* out) {
  const int site = m.sensor_objid[i], body = m.site_bodyid[site];
  out[0] = 0;
  for (int c = 0; c < d.ncon; ++c) {
    const Contact& contact = d.contact[c];
    const auto is_on = [&](int side) { return contact_body(m, contact, side) == body; };
    if (contact.efc_address < 0 || (!is_on(0) && !is_on(1))) continue;
    const double normal_force = contact_force(m, d, c)[0];
    if (normal_force <= 0) continue;
    const Vec point = Vec::load(contact.pos.data());
    if (inside_site(m, d, site, point)) {  // the usual case: every ray from inside hits the surface
      out[0] += normal_force;
      continue;
    }
    double outward[3];
    // the normal points to the second geom; of a contact of the body with itself MuJoCo takes that side
    (Vec::load(&contact.frame[0]) * (is_on(1) ? -1.0 : 1.0)).store(outward);
    const RayHit hit = ray_shape(static_cast<GeomType>(m.site_type[site]), &d.site_xpos[3 * site],
                                 &d.site_xmat[9 * site], &m.site_size[3 * site], contact.pos.data(), outward);
    if (hit.dist >= 0) out[0] += normal_force;
  }
}

}  // namespace sinew
