#include "sinew/model.h"

#include <type_traits>

#include "model/model_check.h"

namespace sinew {

Model::Model(const Model& other) : Model() { *this = other; }
Model::Model(Model&& other) noexcept : Model() { *this = std::move(other); }

Model& Model::operator=(const Model& other) {
  if (this == &other) return *this;
#define SINEW_SIZE(name, doc) name = other.name;
#include "sinew/model_sizes.def"
#undef SINEW_SIZE
#define SINEW_FIELD(type, name, rows, cols, doc) name = other.name;
#include "sinew/model_fields.def"
#undef SINEW_FIELD
  modelname = other.modelname;
  take_settings(other);
  return *this;
}

Model& Model::operator=(Model&& other) noexcept {
  if (this == &other) return *this;
  const bool fresh = other.is_fresh();
#define SINEW_SIZE(name, doc) name = other.name;
#include "sinew/model_sizes.def"
#undef SINEW_SIZE
#define SINEW_FIELD(type, name, rows, cols, doc) name = std::move(other.name);
#include "sinew/model_fields.def"
#undef SINEW_FIELD
  modelname = std::move(other.modelname);
  take_settings(other);
  if (fresh) checked_ = edits_;
  return *this;
}

/// Everything that is neither a size nor a field, and the validation state.
void Model::take_settings(const Model& other) noexcept {
  flg_gravcomp = other.flg_gravcomp;
  flg_surfacevel = other.flg_surfacevel;
  flg_adhesion = other.flg_adhesion;
  opt = other.opt;
  vis = other.vis;
  stat = other.stat;
  lropt = other.lropt;
  plugins = other.plugins;
  layout_ = other.layout_;
  if (other.is_fresh()) checked_ = edits_;
}

std::uint64_t ModelCheck::layout(const Model& model) {
  std::uint64_t hash = 1;
  const auto add = [&](std::int64_t length) {
    // multiply and xor-shift, the usual hash finalizer: no collisions among layouts that occur in practice
    hash = (hash ^ static_cast<std::uint64_t>(length)) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 33;
  };
#define SINEW_DATA(group, type, name, rows, cols, writer, doc) add(model.rows*(cols));
#include "sinew/data_fields.def"
#undef SINEW_DATA
  return hash | 1;  // never zero
}

void ModelCheck::accept(Model& model) {
  model.layout_ = layout(model);
  model.checked_ = model.edits_;
  model.problem_.clear();
}

void ModelCheck::refuse(Model& model, std::string problem) {
  model.refused_ = model.edits_;
  model.problem_ = std::move(problem);
}

void Model::allocate() {
  for_each_field([](auto, auto& field, std::int64_t rows, std::int64_t cols, auto) {
    field.assign(static_cast<std::size_t>(rows * cols), {});
  });
}

std::size_t Model::bytes() const {
  std::size_t total = sizeof(*this);
  for_each_field([&](auto, const auto& field, auto...) {
    using T = typename std::remove_cvref_t<decltype(field)>::value_type;
    total += field.size() * sizeof(T);
  });
  return total;
}

namespace {

/// The kinds of objects that have names: number of objects and start of their names.
struct NamedKind {
  ObjType type;
  FieldSize Model::*count;
  Field<int> Model::*name_adr;
};

constexpr NamedKind kNamedKinds[] = {
    {ObjType::Body, &Model::nbody, &Model::name_bodyadr},
    {ObjType::XBody, &Model::nbody, &Model::name_bodyadr},
    {ObjType::Joint, &Model::njnt, &Model::name_jntadr},
    {ObjType::Geom, &Model::ngeom, &Model::name_geomadr},
    {ObjType::Site, &Model::nsite, &Model::name_siteadr},
    {ObjType::Camera, &Model::ncam, &Model::name_camadr},
    {ObjType::Light, &Model::nlight, &Model::name_lightadr},
    {ObjType::Flex, &Model::nflex, &Model::name_flexadr},
    {ObjType::Mesh, &Model::nmesh, &Model::name_meshadr},
    {ObjType::Skin, &Model::nskin, &Model::name_skinadr},
    {ObjType::Hfield, &Model::nhfield, &Model::name_hfieldadr},
    {ObjType::Texture, &Model::ntex, &Model::name_texadr},
    {ObjType::Material, &Model::nmat, &Model::name_matadr},
    {ObjType::Pair, &Model::npair, &Model::name_pairadr},
    {ObjType::Exclude, &Model::nexclude, &Model::name_excludeadr},
    {ObjType::Equality, &Model::neq, &Model::name_eqadr},
    {ObjType::Tendon, &Model::ntendon, &Model::name_tendonadr},
    {ObjType::Actuator, &Model::nactuator, &Model::name_actuatoradr},
    {ObjType::Sensor, &Model::nsensor, &Model::name_sensoradr},
    {ObjType::Numeric, &Model::nnumeric, &Model::name_numericadr},
    {ObjType::Text, &Model::ntext, &Model::name_textadr},
    {ObjType::Tuple, &Model::ntuple, &Model::name_tupleadr},
    {ObjType::Key, &Model::nkey, &Model::name_keyadr},
    {ObjType::Plugin, &Model::nplugin, &Model::name_pluginadr},
};

const NamedKind* named_kind(ObjType type) {
  for (const NamedKind& kind : kNamedKinds)
    if (kind.type == type) return &kind;
  return nullptr;
}

}  // namespace

std::int64_t Model::count(ObjType type) const {
  if (type == ObjType::Dof) return nv;
  const NamedKind* kind = named_kind(type);
  return kind ? this->*kind->count : 0;
}

std::string_view Model::name(ObjType type, std::int64_t id) const {
  const NamedKind* kind = named_kind(type);
  if (!kind || id < 0 || id >= this->*kind->count) return {};
  return names.data() + (this->*kind->name_adr)[static_cast<std::size_t>(id)];
}

int Model::id(ObjType type, std::string_view name) const {
  if (name.empty()) return -1;
  for (std::int64_t i = 0; i < count(type); ++i)
    if (this->name(type, i) == name) return static_cast<int>(i);
  return -1;
}

}  // namespace sinew
