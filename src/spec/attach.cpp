// model assets, and attach: parts of another model, or of this one, under names with a prefix.

#include <filesystem>

#include "spec/conflicts.h"
#include "spec/graft.h"
#include "spec/schema_parts.h"
#include "base/suggest.h"
#include "spec/value.h"

namespace sinew::mjcf {
namespace {

struct ModelAsset {
  std::string name, file, content_type;
};

struct Attach {
  std::string model, body, frame, prefix;
};

void read_model_asset(Reader& r, const XmlNode& node, const Element& element) {
  ModelAsset asset;
  r.attributes(node, element, &asset);
  if (!asset.content_type.empty() && asset.content_type != "text/xml") {
    r.report.error({&node, "content_type"}, fmt::format("'{}' cannot be read as a model", asset.content_type),
                   "MJCF is text/xml");
    return;
  }
  r.read_child(node, asset.name, (std::filesystem::path(r.spec.directory) / asset.file).lexically_normal().string());
}

/// A part that is to be copied: one body, or what a body holds.
struct Source {
  const spec::Body* body = nullptr;  // the body itself
  const spec::Body* holder = nullptr;
  int frame = -1;  // of the holder: only what is in it; -1: all
};

Source find_source(const spec::Body& root, const Attach& wanted) {
  Source found;
  const auto look_into = [&](const spec::Body& holder) {
    if (wanted.frame.empty()) return;
    for (std::size_t i = 0; i < holder.frames.size(); ++i) {
      if (holder.frames[i].name == wanted.frame) found = {nullptr, &holder, static_cast<int>(i)};
    }
  };
  look_into(root);
  for_each_below(root, [&](ObjType, const auto& element) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(element)>, spec::Body>) {
      if (!wanted.body.empty() && element.name == wanted.body) found.body = &element;
      look_into(element);
    }
  });
  return found;
}

/// A body that holds copies of what is inside one frame, and the frame itself. The numbers of keyframes go along.
spec::Body inside_frame(const Source& source, KeyStates& keys) {
  const spec::Body& holder = *source.holder;
  std::vector<int> place(holder.frames.size(), -1);  // of a frame in the new body
  spec::Body out;
  for (std::size_t i = 0; i < holder.frames.size(); ++i) {
    const int around = holder.frames[i].frame;
    const bool first = static_cast<int>(i) == source.frame;
    if (!first && (around < 0 || place[static_cast<std::size_t>(around)] < 0)) continue;
    place[i] = static_cast<int>(out.frames.size());
    out.frames.add(holder.frames[i]).frame = first ? -1 : place[static_cast<std::size_t>(around)];
  }
  const auto copy = [&](const auto& items, auto& into) {
    for (const auto& item : items) {
      const int at = item.frame < 0 ? -1 : place[static_cast<std::size_t>(item.frame)];
      if (at < 0) continue;
      auto& added = into.add(item);
      added.frame = at;
      move_numbers(keys, item, added);
    }
  };
  copy(holder.joints, out.joints);
  copy(holder.geoms, out.geoms);
  copy(holder.sites, out.sites);
  copy(holder.cameras, out.cameras);
  copy(holder.lights, out.lights);
  copy(holder.bodies, out.bodies);
  return out;
}

/// What attach means by its attributes, or nothing after an error.
bool check_source(Reader& r, const XmlNode& node, const Attach& wanted, const Source& source) {
  if (wanted.model.empty() && wanted.body.empty() && wanted.frame.empty()) {
    r.report.error({&node}, "needs one of 'model', 'body' and 'frame'");
    return false;
  }
  if (!wanted.body.empty() && !source.body) {
    r.report.error({&node, "body"}, fmt::format("there is no body named '{}' to attach", wanted.body),
                   wanted.model.empty() ? "it must stand before" : "");
    return false;
  }
  if (!wanted.frame.empty() && !source.holder) {
    r.report.error({&node, "frame"}, fmt::format("there is no frame named '{}' to attach", wanted.frame),
                   wanted.model.empty() ? "it must stand before" : "");
    return false;
  }
  return true;
}

void read_attach(Reader& r, const XmlNode& node, const Element& element) {
  Attach wanted;
  r.attributes(node, element, &wanted);
  Reader::Child* child = nullptr;
  if (!wanted.model.empty()) {
    child = r.find_child(node, wanted.model);
    if (!child) return;
  }
  Spec& from = child ? child->spec : r.spec;
  const std::vector<const spec::Body*> roots = child ? std::vector<const spec::Body*>{&from.world} : r.roots();
  Source source;
  for (const spec::Body* root : roots) {
    const Source found = find_source(*root, wanted);
    if (found.body || found.holder) source = found;
  }
  if (!check_source(r, node, wanted, source)) return;
  if (child) settle_conflicts(r, node, *child);

  const Renaming names = {wanted.prefix, "", child != nullptr};
  Graft graft(r, node, from);
  const KeyStates::Parts keys = r.keys.take_apart(from, roots, node, r.report);
  graft.copy_keys(keys, names);
  if (child) graft.copy_assets(names);
  spec::Body& host = *r.scope.body;
  if (source.body) {
    r.count_copies(node, 1 + count_below(*source.body));
    graft.hang_body(*source.body, host, r.scope.frame, names);
  } else {
    const spec::Body frame = source.holder ? inside_frame(source, r.keys) : spec::Body();
    const spec::Body& part = source.holder ? frame : from.world;
    r.count_copies(node, count_below(part));
    graft.hang(part, host, r.scope.frame, names);
  }
  graft.copy_relations(names);
  if (child) r.keys.forget(keys);
}

}  // namespace

const Element* model_element(Schema& schema) {
  using M = ModelAsset;
  Table<M> t;
  t.at<&M::name>("name").remark("as in the file where it is not given");
  t.at<&M::file>("file").need();
  t.at<&M::content_type>("content_type");
  return &schema.add(t.element("model", "another model, whose parts can be attached", read_model_asset));
}

const Element* attach_element(Schema& schema) {
  using A = Attach;
  Table<A> t;
  t.at<&A::model>("model").remark("without it, a part of this model that stands before");
  t.at<&A::body>("body");
  t.at<&A::frame>("frame").remark("neither body nor frame: all that the model's world holds");
  t.at<&A::prefix>("prefix").need();
  return &schema.add(t.element("attach", "a part of a model, under names with a prefix", read_attach))
              .exclusive({{"body"}, {"frame"}});
}

}  // namespace sinew::mjcf
