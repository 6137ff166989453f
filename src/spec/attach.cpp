// Model assets and attach: parts of another model, or of this one, with prefixed names.

#include <filesystem>

#include "base/suggest.h"
#include "sinew/edit.h"
#include "spec/conflicts.h"
#include "spec/graft.h"
#include "spec/schema_parts.h"
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

/// A part to be copied: one body, or the contents of a body.
struct Source {
  const spec::Body* body = nullptr;  // the body itself
  const spec::Body* holder = nullptr;
  int frame = -1;  // of the holder: only its contents; -1: all
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

/// A body that holds a copy of one frame and its contents, with their numbers in keyframes.
spec::Body inside_frame(const Source& source, KeyStates& keys) {
  const spec::Body& holder = *source.holder;
  std::vector<int> place(holder.frames.size(), -1);  // index of each frame in the new body
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

/// Checks the attributes of attach; false after an error.
bool check_source(Reader& r, const XmlNode& node, const Attach& wanted, const Source& source) {
  if (wanted.model.empty() && wanted.body.empty() && wanted.frame.empty()) {
    r.report.error({&node}, "needs one of 'model', 'body' and 'frame'");
    return false;
  }
  if (!wanted.body.empty() && !source.body) {
    r.report.error({&node, "body"}, fmt::format("there is no body named '{}' to attach", wanted.body),
                   wanted.model.empty() ? "it must come before this" : "");
    return false;
  }
  if (!wanted.frame.empty() && !source.holder) {
    r.report.error({&node, "frame"}, fmt::format("there is no frame named '{}' to attach", wanted.frame),
                   wanted.model.empty() ? "it must come before this" : "");
    return false;
  }
  return true;
}

struct Copying {
  Spec& from;
  std::vector<const spec::Body*> roots;  // roots of the bodies of `from`
  Source source;
  Renaming names;
};

/// Refuses a part that is too large or too deep before it is copied: everything below `part`, plus `own` bodies.
void count_part(Reader& r, const XmlNode& macro, const Copying& what, const spec::Body& part, std::size_t own) {
  r.check_depth(macro, own + depth_below(part));
  const std::size_t elements = own + count_below(part);
  const auto name_bytes = static_cast<double>(3 * elements * (what.names.prefix.size() + what.names.suffix.size()));
  r.count_copies(macro, elements, bytes_below(part) + static_cast<double>(own * sizeof(spec::Body)) + name_bytes);
}

/// Inserts the part into the reader's scope and copies what belongs to it.
void copy_part(Reader& r, const XmlNode& macro, const Copying& what) {
  Graft graft(r, macro, what.from);
  const KeyStates::Parts keys = r.keys.take_apart(what.from, what.roots, macro, r.report);
  graft.copy_keys(keys, what.names);
  if (what.names.foreign) graft.copy_assets(what.names);
  spec::Body& host = *r.scope.body;
  if (what.source.body) {
    count_part(r, macro, what, *what.source.body, 1);
    graft.hang_body(*what.source.body, host, r.scope.frame, what.names);
  } else {
    const spec::Body frame = what.source.holder ? inside_frame(what.source, r.keys) : spec::Body();
    const spec::Body& part = what.source.holder ? frame : what.from.world;
    count_part(r, macro, what, part, 0);
    graft.hang(part, host, r.scope.frame, what.names);
  }
  graft.copy_relations(what.names);
  if (what.names.foreign) r.keys.forget(keys);
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
  if (child) settle_conflicts(r, node, child->spec);

  copy_part(r, node, {from, roots, source, {wanted.prefix, "", child != nullptr}});
  // MuJoCo 3.12.0 passes on keyframes made by macros of the other model only once: further copies lack them
  while (child && from.keys.size() > child->own_keys) from.keys.erase(from.keys.size() - 1);
}

}  // namespace

const Element* model_element(Schema& schema) {
  using M = ModelAsset;
  Table<M> t;
  t.at<&M::name>("name").remark("default: as in the file");
  t.at<&M::file>("file").need();
  t.at<&M::content_type>("content_type");
  return &schema.add(t.element("model", "another model, whose parts can be attached", read_model_asset));
}

const Element* attach_element(Schema& schema) {
  using A = Attach;
  Table<A> t;
  t.at<&A::model>("model").remark("default: an earlier part of this model");
  t.at<&A::body>("body");
  t.at<&A::frame>("frame").remark("neither body nor frame: everything in the model's world");
  t.at<&A::prefix>("prefix").need();
  return &schema.add(t.element("attach", "a part of a model, with prefixed names", read_attach))
              .exclusive({{"body"}, {"frame"}});
}

}  // namespace sinew::mjcf

namespace sinew {
namespace {

/// Every element of the tree, including those that cannot have a name.
template <class F>
void for_each_origin(Spec& spec, F f) {
  const auto in_body = [&](spec::Body& body) {
    if (body.inertial) f(body.inertial->origin);
  };
  const auto in_plugin = [&](auto& element) {
    if constexpr (requires { element.plugin->origin; })
      if (element.plugin) f(element.plugin->origin);
  };
  f(spec.world.origin);
  in_body(spec.world);
  in_plugin(spec.world);
  mjcf::for_each_below(spec.world, [&](ObjType, auto& element) {
    f(element.origin);
    in_plugin(element);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(element)>, spec::Body>) in_body(element);
  });
  mjcf::for_each_list(spec, [&](ObjType, auto& list) {
    for (auto& element : list) {
      f(element.origin);
      in_plugin(element);
    }
  });
  for (spec::DefaultClass& record : spec.classes) f(record.origin);
  for (spec::Tendon& tendon : spec.tendons)
    for (spec::Wrap& wrap : tendon.path) f(wrap.origin);
  for (spec::Tuple& tuple : spec.tuples)
    for (spec::Tuple::Item& item : tuple.items) f(item.origin);
  for (spec::Skin& skin : spec.skins)
    for (spec::Skin::Bone& bone : skin.bones) f(bone.origin);
  for (spec::Plugin& plugin : spec.plugins) f(plugin.origin);
}

/// Adds the files and settings of `part` to `spec`, so that its elements keep them when copied.
void bring_settings(Spec& spec, Spec& part) {
  const int first_file = static_cast<int>(spec.files.size());
  const int first_model = static_cast<int>(spec.attached.size());
  spec.attached.add({part.compiler, part.directory});
  for (const Spec::Attached& inner : part.attached) spec.attached.add(inner);
  for (Spec::File file : part.files) {
    if (file.parent >= 0) file.parent += first_file;
    file.model += first_model + 1;
    spec.files.push_back(file);
  }
  const int built = static_cast<int>(spec.files.size());  // for elements built by a program
  spec.files.push_back({"", -1, 0, first_model + 1});
  for_each_origin(part,
                  [&](spec::Origin& origin) { origin.file = origin.file < 0 ? built : origin.file + first_file; });
}

/// The body of a copied tree that corresponds to `wanted` in the original; null if that is not in it.
spec::Body* counterpart(const spec::Body& original, spec::Body& copy, const spec::Body& wanted) {
  std::vector<std::pair<const spec::Body*, spec::Body*>> pending = {{&original, &copy}};
  while (!pending.empty()) {
    const auto [from, to] = pending.back();
    pending.pop_back();
    if (from == &wanted) return to;
    for (std::size_t i = 0; i < from->bodies.size(); ++i) pending.emplace_back(&from->bodies[i], &to->bodies[i]);
  }
  return nullptr;
}

/// Nesting depth of `wanted` in a tree of bodies, itself included.
int depth_of(const spec::Body& root, const spec::Body& wanted) {
  std::vector<std::pair<const spec::Body*, int>> pending = {{&root, 0}};
  while (!pending.empty()) {
    const auto [body, depth] = pending.back();
    pending.pop_back();
    if (body == &wanted) return depth;
    for (const spec::Body& child : body->bodies) pending.emplace_back(&child, depth + 1);
  }
  return 0;
}

/// Keyframes that grew: moves their numbers into the original ones, whose addresses stay valid.
void replace_keys(spec::List<spec::Key>& keys, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) keys[i] = keys[keys.size() - count + i];
  for (std::size_t i = 0; i < count; ++i) keys.erase(keys.size() - 1);
}

Result<bool> attach_into(Spec& spec, spec::Body& host, int frame, const Attachment& what) {
  const bool foreign = what.from != &spec;
  Spec other = foreign ? *what.from : Spec();
  Spec& from = foreign ? other : spec;
  mjcf::Source source;
  if (what.body) {
    const spec::Body* body = counterpart(what.from->world, from.world, *what.body);
    if (!body) return Error::message("the part to attach is not in its source tree");
    if (body == &from.world && what.frame < 0) return Error::message("the world itself cannot be attached");
    if (what.frame >= static_cast<int>(body->frames.size())) return Error::message("there is no such frame to attach");
    source = what.frame < 0 ? mjcf::Source{body} : mjcf::Source{nullptr, body, what.frame};
  }
  if (!foreign && !what.body) return Error::message("the world cannot be attached to itself");
  if (!foreign && source.body && counterpart(*source.body, const_cast<spec::Body&>(*source.body), host))
    return Error::message("a body cannot be attached to itself");
  if (foreign) bring_settings(spec, from);

  LoadOptions options;
  options.warnings = what.warnings;
  mjcf::Report report(options, spec.files);
  Budget budget(options.memory_limit, options.interrupt);
  mjcf::Reader::Session session = {spec, Files(nullptr), {}, budget, options};
  mjcf::Reader reader(spec, report, session);
  XmlNode macro;
  macro.name = "attach";
  macro.file = -1;
  try {
    reader.adopt();
    reader.scope = {&host, frame, &host == &spec.world, 0, depth_of(spec.world, host)};
    if (foreign) mjcf::settle_conflicts(reader, macro, from, mjcf::Given::OrChanged);
    if (report.failed()) return report.take();
    const std::size_t own_keys = spec.keys.size();
    const mjcf::KeyStates::Parts own = reader.keys.take_apart(spec, {&spec.world}, macro, report);
    mjcf::copy_part(reader, macro, {from, {&from.world}, source, {what.prefix, what.suffix, foreign}});
    reader.keys.keep(own, {});
    reader.keys.put_together(spec, report);
    replace_keys(spec.keys, own_keys);
  } catch (const mjcf::Stop&) {
  }
  if (report.failed()) return report.take();
  report.hand_over_warnings();
  return true;
}

}  // namespace

Result<bool> attach(Spec& spec, spec::Body& host, int frame, const Attachment& what) {
  if (!what.from) return Error::message("attach: no source tree is given");
  if (frame >= static_cast<int>(host.frames.size())) return Error::message("attach: the host has no such frame");
  Spec trial = spec;
  spec::Body* trial_host = counterpart(spec.world, trial.world, host);
  if (!trial_host) return Error::message("attach: the host is not in this tree");
  Attachment in_trial = what;
  in_trial.warnings = nullptr;
  if (what.from == &spec) {
    in_trial.from = &trial;
    if (what.body) in_trial.body = counterpart(spec.world, trial.world, *what.body);
    if (what.body && !in_trial.body) return Error::message("attach: the part is not in this tree");
  }
  const Result<bool> works = attach_into(trial, *trial_host, frame, in_trial);
  return works ? attach_into(spec, host, frame, what) : works;
}

}  // namespace sinew
