#include <algorithm>

#include "edit/match.h"
#include "sinew/edit.h"
#include "sinew/plugin.h"

namespace sinew {
namespace {

/// Instances with names match by name, the others by position among those of the same plugin. They must have the same
/// plugin and as many state numbers.
void carry_plugins(const Data& from, Data& to) {
  const Model &a = from.model(), &b = to.model();
  const auto plugin_of = [](const Model& m, std::int64_t i) {
    return m.plugins->plugin[static_cast<std::size_t>(i)]->name();
  };
  std::vector<bool> taken(static_cast<std::size_t>(a.nplugin));
  for (std::int64_t i = 0; i < b.nplugin; ++i) {
    for (std::int64_t k = 0; k < a.nplugin; ++k) {
      const auto old = static_cast<std::size_t>(k), now = static_cast<std::size_t>(i);
      if (taken[old] || a.name(ObjType::Plugin, k) != b.name(ObjType::Plugin, i) || plugin_of(a, k) != plugin_of(b, i))
        continue;
      taken[old] = true;
      if (a.plugin_statenum[old] != b.plugin_statenum[now]) break;
      std::copy_n(from.plugin_state.begin() + a.plugin_stateadr[old], a.plugin_statenum[old],
                  to.plugin_state.begin() + b.plugin_stateadr[now]);
      break;
    }
  }
}

}  // namespace

void carry_state(const Data& from, Data& to) {
  using compiling::copy_runs;
  const compiling::Match same = compiling::match(from.model(), to.model());
  to.time = from.time;
  copy_runs(same.qpos, from.qpos, to.qpos);
  copy_runs(same.dof, from.qvel, to.qvel);
  copy_runs(same.dof, from.qacc_warmstart, to.qacc_warmstart);
  copy_runs(same.dof, from.qfrc_applied, to.qfrc_applied);
  copy_runs(same.act, from.act, to.act);
  copy_runs(same.ctrl, from.ctrl, to.ctrl);
  copy_runs(same.history, from.history, to.history);
  copy_runs(same.body, from.xfrc_applied, to.xfrc_applied, 6);
  copy_runs(same.mocap, from.mocap_pos, to.mocap_pos, 3);
  copy_runs(same.mocap, from.mocap_quat, to.mocap_quat, 4);
  copy_runs(same.equality, from.eq_active, to.eq_active);
  carry_plugins(from, to);
  std::copy_n(from.userdata.begin(), std::min(from.userdata.size(), to.userdata.size()), to.userdata.begin());
}

Result<Recompiled> recompile(const Spec& spec, const Model& old_model, const Data& old_data,
                             const LoadOptions& options) {
  if (&old_data.model() != &old_model) return Error::message("the world to continue belongs to another model");
  Result<Model> compiled = compile(spec, options);
  if (!compiled) return compiled.error();
  auto model = std::make_unique<Model>(std::move(*compiled));
  Data data(*model);
  carry_state(old_data, data);
  data.callbacks = old_data.callbacks;
  return Recompiled{std::move(model), std::move(data)};
}

}  // namespace sinew
