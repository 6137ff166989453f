#include "compile/context.h"

#include "base/limits.h"

namespace sinew::compiling {

bool Context::take(const Place& where, std::string_view attribute, double bytes) {
  budget.go_on();
  if (budget.take(bytes)) return true;
  report.error(where, attribute, budget.refusal(bytes), Budget::kHint);
  return false;
}

void Context::list_nodes() {
  joints.clear();
  geoms.clear();
  sites.clear();
  cameras.clear();
  lights.clear();
  joint_body.clear();
  geom_body.clear();
  site_body.clear();
  for (const BodyNode* body : tree.bodies) {
    for (const JointNode& node : body->joints) {
      joints.push_back(&node);
      joint_body.push_back(body);
    }
    for (const GeomNode& node : body->geoms) {
      geoms.push_back(&node);
      geom_body.push_back(body);
    }
    for (const SiteNode& node : body->sites) {
      sites.push_back(&node);
      site_body.push_back(body);
    }
    for (const CameraNode& node : body->cameras) cameras.push_back(&node);
    for (const LightNode& node : body->lights) lights.push_back(&node);
  }
}

bool is_limited(Context& context, const Place& where, const Limit& limit) {
  if (limit.flag != spec::Tri::Auto) return limit.flag == spec::Tri::True;
  if (!context.spec.compiler_of(where.origin).autolimits && (limit.range[0] != 0 || limit.range[1] != 0)) {
    context.report.error(where, limit.flag_name,
                         std::string(limit.range_name) + " is given, but not " + std::string(limit.flag_name),
                         "set it to true or false, or set the compiler's autolimits to true");
  }
  return limit.range[0] < limit.range[1];
}

bool is_limited_and_valid(Context& context, const Place& where, const Limit& limit) {
  if (!is_limited(context, where, limit)) return false;
  if (!(limit.range[0] < limit.range[1]))
    context.report.error(where, limit.range_name, "the lower bound must be below the upper one");
  return true;
}

void check_user(Context& context, const Place& where, const std::vector<double>& user,
                std::pair<int, const char*> size) {
  if (size.first < 0 || user.size() <= static_cast<std::size_t>(size.first)) return;
  context.report.error(
      where, "user",
      "has " + std::to_string(user.size()) + " numbers, more than " + size.second + " = " + std::to_string(size.first));
}

void check_history(Context& context, const Place& where, double delay, int nsample) {
  if (delay > 0 && nsample <= 0) context.report.error(where, "delay", "needs a history: nsample must be positive");
  if (nsample > limits::kSamples) context.report.error(where, "nsample", "must be at most 2^24");
}

}  // namespace sinew::compiling
