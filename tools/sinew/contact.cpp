#include <memory>

#include "command.h"
#include "json.h"
#include "report.h"
#include "sinew/contact_parameters.h"

namespace sinew::tool {
namespace {

constexpr double kGravity = 9.81;  // m/s²

struct ContactOptions {
  double mass = 0, stiffness = 0, damping = -1, depth = 0, load = 0, ratio = 1, impedance = 0.9;
  int contacts = 1;
  bool json = false;
};

int print_parameters(const ContactOptions& options) {
  if ((options.stiffness > 0) == (options.depth > 0)) return refuse("expected either --stiffness or --depth");
  const double load = (options.load > 0 ? options.load : options.mass * kGravity) / options.contacts;
  const double stiffness = options.stiffness > 0 ? options.stiffness / options.contacts : load / options.depth;
  // the ratio is that of the whole body on all of its contacts
  const double critical =
      2 * std::sqrt(stiffness * options.contacts * options.mass / (1 - options.impedance)) / options.contacts;
  const double damping = options.damping >= 0 ? options.damping / options.contacts : options.ratio * critical;
  const ContactParameters found = contact_parameters(options.mass, stiffness, damping, options.impedance);
  if (options.json) {
    const Json out = {{"solref", found.solref},
                      {"solimp", found.solimp},
                      {"stiffness", found.stiffness},
                      {"damping", found.damping},
                      {"depth", load / found.stiffness}};
    fmt::print("{}\n", out.dump(2));
    return kDone;
  }
  fmt::print("solref=\"{:.6g} {:.6g}\" solimp=\"{:.6g} {:.6g} {:g}\"\n", found.solref[0], found.solref[1],
             found.solimp[0], found.solimp[1], found.solimp[2]);
  fmt::print("each contact: {:.6g} N/m, {:.6g} N s/m; at rest {:.4g} mm deep under {:.4g} N\n", found.stiffness,
             found.damping, 1e3 * load / found.stiffness, load);
  return kDone;
}

}  // namespace

void add_contact(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("contact", "Compute solref and solimp from stiffness or depth, and damping");
  const auto o = std::make_shared<ContactOptions>();
  sub->add_option("--mass", o->mass, "kg, of the body that lies on something static")
      ->required()
      ->check(CLI::PositiveNumber);
  sub->add_option("--stiffness", o->stiffness, "N/m, of all its contacts together")->check(CLI::PositiveNumber);
  sub->add_option("--depth", o->depth, "m, of penetration at rest, instead of --stiffness")->check(CLI::PositiveNumber);
  sub->add_option("--damping", o->damping, "N s/m, of all its contacts together")->check(CLI::NonNegativeNumber);
  sub->add_option("--ratio", o->ratio, "damping ratio, instead of --damping (1: critical)")
      ->check(CLI::NonNegativeNumber);
  sub->add_option("--load", o->load, "N, for --depth (the weight of the mass)")->check(CLI::PositiveNumber);
  sub->add_option("--contacts", o->contacts, "contacts that share the load, such as 4 corners of a box (1)")
      ->check(CLI::PositiveNumber);
  sub->add_option("--impedance", o->impedance, "share of the acceleration that the constraint takes over (0.9)")
      ->check(CLI::Range(0.0001, 0.9999));
  sub->add_flag("--json", o->json, "as JSON");
  sub->footer(
      "For geoms with condim 1, and for elliptic cones; pyramidal ones are softer, by their friction.\n\n"
      "Examples:\n  sinew contact --mass 2 --stiffness 1e5 --damping 100\n"
      "  sinew contact --mass 2 --depth 0.0005 --contacts 4");
  sub->callback([&action, o] { action = [o] { return print_parameters(*o); }; });
}

}  // namespace sinew::tool
