#include "urdf/sdf_schema.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "spec/value.h"
#include "urdf/input.h"

namespace sinew::urdf::sdf {
namespace {

using mjcf::Keyword;
using mjcf::Outcome;
using mjcf::Table;

constexpr Keyword kJointWords[] = {
    {"revolute", static_cast<int>(JointWord::Revolute)},   {"continuous", static_cast<int>(JointWord::Continuous)},
    {"prismatic", static_cast<int>(JointWord::Prismatic)}, {"fixed", static_cast<int>(JointWord::Fixed)},
    {"ball", static_cast<int>(JointWord::Ball)},           {"universal", static_cast<int>(JointWord::Universal)},
    {"screw", static_cast<int>(JointWord::Screw)},         {"revolute2", static_cast<int>(JointWord::Revolute2)},
    {"gearbox", static_cast<int>(JointWord::Gearbox)}};
constexpr Keyword kBooleans[] = {{"false", 0}, {"true", 1}, {"0", 0}, {"1", 1}};

/// A number that may be infinite: "inf" means no bound.
template <auto Member>
Outcome read_bound(void* object, std::string_view text, const mjcf::Attribute&) {
  auto& value = static_cast<Limit*>(object)->*Member;
  const bool negative = text.starts_with('-');
  const std::string_view word = negative || text.starts_with('+') ? text.substr(1) : text;
  if (word == "inf" || word == "Inf" || word == "infinity") {
    value = negative ? -kUnbounded : kUnbounded;
    return {};
  }
  return mjcf::parse_number(text, false, value);
}

class SdfTable {
 public:
  SdfTable() {
    Table<Head> t;
    t.at<&Head::version>("version").need();
    const Element* model = this->model();
    root_ = &add(t, "sdf").holds({world(model), model, unused("actor"), unused("light"), unused("frame")});
  }
  const Element& root() const { return *root_; }

 private:
  template <class T>
  Element& add(const Table<T>& table, std::string_view name) {
    return elements_.emplace_back(table.element(name, "", nullptr));
  }
  Element& plain(std::string_view name) { return add(Table<Head>(), name); }
  const Element* unused(std::string_view name) { return &plain(name).tagged(kUnused); }
  std::vector<const Element*> unused_all(std::string_view names) {
    std::vector<const Element*> out;
    for (std::string_view word = mjcf::next_word(names); !word.empty(); word = mjcf::next_word(names))
      out.push_back(unused(word));
    return out;
  }

  /// An element whose text is the value of a member of the element around it. `also`: attributes that the reader of the
  /// element knows.
  template <auto Member, class Owner>
  Element* leaf(std::string_view name, std::string_view also = {}) {
    Table<Owner> t;
    mjcf::Attribute& row = t.template at<Member>("");
    if (row.type == mjcf::ValueType::Keyword) row.words(kBooleans);
    Element& out = add(t, name).once().tagged(kLeaf);
    for (std::string_view word = mjcf::next_word(also); !word.empty(); word = mjcf::next_word(also)) {
      mjcf::Attribute extra;
      extra.name = word;
      out.attributes.push_back(extra);
    }
    return &out;
  }
  template <auto Member>
  Element* bound(std::string_view name) {
    Table<Limit> t;
    t.template add<std::string>("", read_bound<Member>, nullptr);
    return &add(t, name).once().tagged(kLeaf);
  }

  const Element* pose() {
    Element& out = plain("pose").once().tagged(kOpen);
    for (const std::string_view name : {"relative_to", "degrees", "rotation_format", "frame"}) {
      mjcf::Attribute extra;
      extra.name = name;
      out.attributes.push_back(extra);
    }
    return &out;
  }

  Element& named(std::string_view name) {
    Table<Head> t;
    t.at<&Head::name>("name").need();
    return add(t, name);
  }

  const Element* world(const Element* model) {
    Element& out = named("world").once();
    Table<Head> physics;
    for (const std::string_view name : {"name", "type", "default"}) physics.at<&Head::name>(name);
    out.holds({model, include(), leaf<&World::gravity, World>("gravity"),
               &add(physics, "physics")
                    .once()
                    .tagged(kFirstCounts)
                    .holds({leaf<&Physics::max_step_size, Physics>("max_step_size"), unused("real_time_factor"),
                            unused("real_time_update_rate"), unused("max_contacts"), unused("ode"), unused("bullet"),
                            unused("simbody"), unused("dart")})});
    out.holds(
        unused_all("light actor scene plugin gui audio wind atmosphere magnetic_field spherical_coordinates state "
                   "population road frame joint"));
    return &out;
  }

  const Element* include() {
    Table<Head> t;
    t.at<&Head::merge>("merge").words(kBooleans);
    return &add(t, "include")
                .holds({leaf<&Include::uri, Include>("uri"), leaf<&Include::name, Include>("name"),
                        leaf<&Include::is_static, Include>("static"), pose(), unused("plugin"),
                        &plain("placement_frame").tagged(kOpen)});
  }

  const Element* model() {
    Table<Head> t, frame;
    t.at<&Head::name>("name").need();
    t.at<&Head::canonical_link>("canonical_link");
    t.at<&Head::version>("placement_frame");
    Element& out = add(t, "model");
    frame.at<&Head::name>("name").need();
    frame.at<&Head::attached_to>("attached_to");
    out.holds({pose(), leaf<&Model::is_static, Model>("static"), leaf<&Model::self_collide, Model>("self_collide"),
               link(), joint(), &add(frame, "frame").holds({pose()}), include(), &out});
    out.holds(unused_all("allow_auto_disable enable_wind plugin gripper"));
    return &out;
  }

  const Element* link() {
    Element& out = named("link");
    Table<Head> automatic;
    automatic.at<&Head::automatic>("auto").words(kBooleans);
    const auto moments = [&] {
      Element* inertia = &plain("inertia").once();
      const auto entry = [&]<std::size_t Index>(std::string_view name) {
        Table<Moments> t;
        t.item<&Moments::full, Index>("");
        inertia->holds({&add(t, name).once().tagged(kLeaf)});
      };
      entry.operator()<0>("ixx");
      entry.operator()<1>("iyy");
      entry.operator()<2>("izz");
      entry.operator()<3>("ixy");
      entry.operator()<4>("ixz");
      entry.operator()<5>("iyz");
      return inertia;
    };
    const Element* inertial =
        &add(automatic, "inertial")
             .once()
             .holds({pose(), leaf<&Inertial::mass, Inertial>("mass"), leaf<&Inertial::density, Inertial>("density"),
                     moments(), unused("auto_inertia_params"), unused("fluid_added_mass")});
    Element& collision = named("collision");
    collision.holds({pose(), geometry(), leaf<&Collision::density, Collision>("density"), surface(),
                     unused("laser_retro"), unused("max_contacts"), unused("auto_inertia_params")});
    Element& material = plain("material").once().tagged(kFirstCounts);
    material.holds({leaf<&Color::diffuse, Color>("diffuse")});
    material.holds(
        unused_all("ambient specular emissive script shader lighting pbr render_order double_sided shininess"));
    Element& visual = named("visual");
    visual.holds({pose(), geometry(), &material});
    visual.holds(unused_all("cast_shadows laser_retro transparency meta plugin visibility_flags"));
    out.holds({pose(), leaf<&Link::self_collide, Link>("self_collide"), inertial, &collision, &visual});
    out.holds(
        unused_all("gravity enable_wind kinematic must_be_base_link velocity_decay sensor projector audio_source "
                   "audio_sink battery light particle_emitter plugin"));
    return &out;
  }

  const Element* surface() {
    Element& ode = plain("ode").once();
    ode.holds({leaf<&Friction::mu, Friction>("mu"), leaf<&Friction::mu2, Friction>("mu2")});
    ode.holds(unused_all("fdir1 slip1 slip2"));
    Element& friction = plain("friction").once();
    friction.holds({&ode, unused("torsional"), unused("bullet")});
    Element& out = plain("surface").once();
    out.holds({&friction, unused("bounce"), unused("contact"), unused("soft_contact")});
    return &out;
  }

  const Element* geometry() {
    const auto shape = [&](std::string_view name, std::vector<const Element*> leaves) {
      return &plain(name).once().holds(std::move(leaves));
    };
    Element& out = plain("geometry").once();
    out.holds({shape("box", {leaf<&Shape::size, Shape>("size")}),
               shape("cylinder", {leaf<&Shape::radius, Shape>("radius"), leaf<&Shape::length, Shape>("length")}),
               shape("sphere", {leaf<&Shape::radius, Shape>("radius")}),
               shape("capsule", {leaf<&Shape::radius, Shape>("radius"), leaf<&Shape::length, Shape>("length")}),
               shape("ellipsoid", {leaf<&Shape::radii, Shape>("radii")}),
               shape("plane", {leaf<&Shape::normal, Shape>("normal"), leaf<&Shape::plane, Shape>("size")}),
               shape("mesh", {leaf<&Shape::uri, Shape>("uri"), leaf<&Shape::scale, Shape>("scale"), unused("submesh"),
                              unused("convex_decomposition")}),
               shape("empty", {}), unused("heightmap"), unused("polyline"), unused("image"), unused("cone")});
    return &out;
  }

  const Element* axis(std::string_view name) {
    Element& limit = plain("limit").once();
    limit.holds({bound<&Limit::lower>("lower"), bound<&Limit::upper>("upper"), bound<&Limit::effort>("effort"),
                 bound<&Limit::velocity>("velocity"), unused("stiffness"), unused("dissipation")});
    Element& dynamics = plain("dynamics").once();
    dynamics.holds({leaf<&Dynamics::damping, Dynamics>("damping"), leaf<&Dynamics::friction, Dynamics>("friction"),
                    leaf<&Dynamics::spring_stiffness, Dynamics>("spring_stiffness"),
                    leaf<&Dynamics::spring_reference, Dynamics>("spring_reference")});
    Table<MimicHead> head;
    head.at<&MimicHead::joint>("joint").need();
    head.at<&MimicHead::axis>("axis");
    Element& mimic = add(head, "mimic").once();
    mimic.holds({leaf<&Mimic::multiplier, Mimic>("multiplier"), leaf<&Mimic::offset, Mimic>("offset"),
                 leaf<&Mimic::reference, Mimic>("reference")});
    Element& out = plain(name).once();
    out.holds({leaf<&Axis::xyz, Axis>("xyz", "expressed_in"),
               leaf<&Axis::use_parent_model_frame, Axis>("use_parent_model_frame"), &limit, &dynamics, &mimic,
               unused("initial_position")});
    return &out;
  }

  const Element* joint() {
    Table<JointHead> t;
    t.at<&JointHead::name>("name").need();
    t.at<&JointHead::type>("type").words(kJointWords).need();
    Element& out = add(t, "joint");
    out.holds({pose(), leaf<&Joint::parent, Joint>("parent"), leaf<&Joint::child, Joint>("child"), axis("axis"),
               axis("axis2"), leaf<&Joint::screw_thread_pitch, Joint>("screw_thread_pitch"),
               leaf<&Joint::thread_pitch, Joint>("thread_pitch")});
    out.holds(unused_all("gearbox_ratio gearbox_reference_body physics sensor plugin"));
    return &out;
  }

  std::deque<Element> elements_;
  const Element* root_ = nullptr;
};

}  // namespace

const mjcf::Element& sdf_table() {
  static const SdfTable table;
  return table.root();
}

}  // namespace sinew::urdf::sdf
