#include "batch/varied.h"

#include <algorithm>
#include <type_traits>

#include "batch/misuse.h"
#include "compile/constants.h"

namespace sinew {
namespace {

constexpr auto kToModel = [](auto own, auto in_model) { std::ranges::copy(own, in_model.begin()); };
constexpr auto kFromModel = [](auto own, auto in_model) { std::ranges::copy(in_model, own.begin()); };

}  // namespace

BatchField VariedFields::Field::view() {
  BatchField field{name, rows, cols, {}};
  std::visit([&](auto& v) { field.values = std::span(v); }, values);
  return field;
}

std::size_t VariedFields::Field::bytes() const {
  return std::visit([](const auto& v) { return v.size() * sizeof(v[0]); }, values);
}

template <class Copy>
void VariedFields::Field::with_row(int world, int n, const ModelPlace& place, Copy copy) {
  std::visit(
      [&](auto& all) {
        using Span = std::span<typename std::remove_reference_t<decltype(all)>::value_type>;
        const std::size_t width = all.size() / static_cast<std::size_t>(n);
        copy(Span(all).subspan(static_cast<std::size_t>(world) * width, width), std::get<Span>(place.values));
      },
      values);
}

VariedFields::Field& VariedFields::find_or_add(std::string_view name) {
  const auto known = std::ranges::find_if(fields_, [&](const auto& field) { return field->name == name; });
  if (known != fields_.end()) return **known;
  if (is_integer_field(model_, name))
    misuse("'{}' is not a field of floating-point numbers: it is the same in all worlds", name);
  while (std::ssize(models_) < threads_) models_.push_back(std::make_unique<Model>(model_));

  auto field = std::make_unique<Field>();
  field->name = name;
  field->derived = std::ranges::find(kDerivedFields, name) != std::end(kDerivedFields);
  for (const auto& model : models_) {
    const std::optional<ModelPlace> place = find_place(*model, name);
    if (!place) misuse("the model has no field '{}'", name);
    field->places.push_back(*place);
  }
  // a field that is not varied yet is the same in the threads' models as in the common one
  const ModelPlace& first = field->places[0];
  field->rows = first.rows;
  field->cols = first.cols;
  std::visit(
      [&](auto numbers) {
        std::vector<typename decltype(numbers)::value_type> all;
        all.reserve(numbers.size() * static_cast<std::size_t>(n_));
        for (int w = 0; w < n_; ++w) all.insert(all.end(), numbers.begin(), numbers.end());
        field->values = std::move(all);
      },
      first.values);
  varies_links_ = varies_links_ || is_counted<double>(name);
  fields_.push_back(std::move(field));
  return *fields_.back();
}

BatchField VariedFields::vary(std::string_view name) { return find_or_add(name).view(); }

std::vector<BatchField> VariedFields::all() const {
  std::vector<BatchField> out;
  for (const auto& field : fields_) out.push_back(field->view());
  return out;
}

Model& VariedFields::write_values(int thread, int world) {
  Model& m = *models_[static_cast<std::size_t>(thread)];
  for (const auto& field : fields_)
    field->with_row(world, n_, field->places[static_cast<std::size_t>(thread)], kToModel);
  if (varies_links_) {
    m.wrap_prm.edit();  // the writes above were not counted
    if (const Status status = refresh(m); !status) misuse("world {}: {}", world, status.text());
  }
  return m;
}

void VariedFields::begin_derive() {
  const std::size_t before = fields_.size();
  for (const std::string_view name : kDerivedFields) find_or_add(name);
  for (std::size_t i = before; i < fields_.size(); ++i) fields_[i]->temporary = true;
}

void VariedFields::derive(int thread, int world) {
  derive_constants(write_values(thread, world));
  for (const auto& field : fields_)
    if (field->derived) field->with_row(world, n_, field->places[static_cast<std::size_t>(thread)], kFromModel);
}

void VariedFields::end_derive() {
  const auto superfluous = [&](const std::unique_ptr<Field>& field) {
    if (!field->temporary || !is_as_in_model(*field)) return false;
    for (const ModelPlace& place : field->places)
      field->with_row(0, n_, place, kToModel);  // overwrites what derive left there
    return true;
  };
  std::erase_if(fields_, superfluous);
  for (const auto& field : fields_) field->temporary = false;
}

bool VariedFields::is_as_in_model(Field& field) {
  const ModelPlace place = *find_place(const_cast<Model&>(model_), field.name);  // only read
  bool same = true;
  for (int w = 0; w < n_; ++w)
    field.with_row(w, n_, place, [&](auto own, auto in_model) { same = same && std::ranges::equal(own, in_model); });
  return same;
}

std::size_t VariedFields::bytes() const {
  std::size_t bytes = static_cast<std::size_t>(n_) * bytes_per_world();
  for (const auto& model : models_) bytes += model->bytes();
  return bytes;
}

std::size_t VariedFields::bytes_per_world() const {
  std::size_t bytes = 0;
  for (const auto& field : fields_) bytes += field->bytes();
  return bytes / static_cast<std::size_t>(n_);
}

}  // namespace sinew
