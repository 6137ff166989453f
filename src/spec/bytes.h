#pragma once

// Memory used by the elements of a tree: what a copy of them will take.

#include "sinew/spec.h"

namespace sinew::mjcf {

/// One element with its texts and lists; for a body, without its contents.
template <class T>
double bytes_of(const T& e) {
  constexpr std::size_t kList = 64;  // pointer in the list, heap block, entry in the name index
  std::size_t bytes = sizeof(T) + kList;
  const auto text = [&](const std::string& s) { bytes += s.capacity(); };
  const auto list = [&](const auto& v) { bytes += v.capacity() * sizeof(v[0]); };
  text(e.name);
  text(e.name);  // again in the name index
  if constexpr (requires { e.dclass; }) text(e.dclass);
  if constexpr (requires { e.childclass; }) text(e.childclass);
  if constexpr (requires { e.user; }) list(e.user);
  if constexpr (requires { e.file; }) text(e.file);
  if constexpr (requires { e.params; }) list(e.params);
  if constexpr (requires { e.vertex; }) (list(e.vertex), list(e.texcoord));
  if constexpr (requires { e.face; }) (list(e.normal), list(e.face));
  if constexpr (requires { e.elemtexcoord; }) {
    (list(e.element), list(e.elemtexcoord), list(e.nodecoord), list(e.body), list(e.node));
    for (const auto* names : {&e.body, &e.node})
      for (const std::string& name : *names) text(name);
  }
  if constexpr (requires { e.elevation; }) list(e.elevation);
  if constexpr (requires { e.qpos; })
    (list(e.qpos), list(e.qvel), list(e.act), list(e.mpos), list(e.mquat), list(e.ctrl));
  if constexpr (requires { e.path.size(); }) list(e.path);
  if constexpr (requires { e.items.size(); }) list(e.items);
  if constexpr (requires { e.data.capacity(); }) bytes += e.data.capacity() * sizeof(e.data[0]);
  return static_cast<double>(bytes);
}

}  // namespace sinew::mjcf
