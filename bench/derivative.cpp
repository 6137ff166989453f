// bench_derivative MODELS [PLOT.svg]: time of the exact A and B of a step, in units of our forward pass and against the
// peer's finite differences (mjd_transitionFD, centered) in the same run; then chains of links, whose times go into the
// plot. Every world first settles for some steps, so that contacts are active.

#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <fstream>

#include "sinew/sinew.h"
#include "timing.h"

namespace {

constexpr int kSettle = 150;
constexpr double kEps = 1e-6;

/// Median seconds of one call.
template <class Work>
double time_of(Work&& work) {
  work();
  std::vector<double> times;
  double total = 0;
  while (times.size() < 9 || (total < 0.2 && times.size() < 2000)) {
    times.push_back(bench::seconds(work));
    total += times.back();
  }
  return bench::median(times);
}

sinew::Data settled(const sinew::Model& m) {
  sinew::Data d(m);
  if (m.nkey > 0) {
    sinew::reset_to_keyframe(m, d, 0);
  } else {
    sinew::reset(m, d);
  }
  for (int i = 0; i < kSettle; ++i) sinew::step(m, d);
  return d;
}

struct Ours {
  double forward, exact, differences;
};

Ours time_ours(const sinew::Model& m, bool with_differences) {
  const sinew::Data d = settled(m);
  sinew::Data work = d;
  sinew::Transition t;
  sinew::TransitionWorkspace workspace(m);
  Ours ours{};
  ours.forward = time_of([&] { sinew::forward(m, work); });
  ours.exact = time_of([&] { sinew::transition_analytic(m, d, {}, t, workspace); });
  if (with_differences) ours.differences = time_of([&] { sinew::transition_fd(m, d, {.eps = kEps}, t); });
  return ours;
}

/// Alternating runs of the exact derivative and of the peer's differences.
void compare(const std::filesystem::path& file) {
  const std::string name = file.stem().string();
  const auto model = sinew::load(file.string());
  char error[1000] = "";
  mjModel* pm = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
  if (!model || !pm) {
    fmt::print("{:14}not comparable: {}\n", name, model ? error : model.error().first().text());
    return;
  }
  const sinew::Data d = settled(*model);
  if (const std::string reason = sinew::analytic_refusal(*model, d); !reason.empty()) {
    fmt::print("{:14}no exact derivative: {}\n", name, reason);
    return;
  }
  mjData* pd = mj_makeData(pm);
  if (pm->nkey > 0) mj_resetDataKeyframe(pm, pd, 0);
  for (int i = 0; i < kSettle; ++i) mj_step(pm, pd);
  const int ndx = 2 * pm->nv + pm->na;
  std::vector<mjtNum> A(static_cast<std::size_t>(ndx * ndx)), B(static_cast<std::size_t>(ndx * pm->nu) + 1);
  sinew::Transition t;
  sinew::TransitionWorkspace workspace(*model);
  const auto result = bench::compare([&] { sinew::transition_analytic(*model, d, {}, t, workspace); },
                                     [&] { mjd_transitionFD(pm, pd, kEps, 1, A.data(), B.data(), nullptr, nullptr); });
  const Ours ours = time_ours(*model, true);
  fmt::print("{:14}{:4}{:4}{:6}{:10.1f}{:10.1f}{:8.1f}{:13.1f}{:12.1f}{:12.1f}\n", name, model->nv, model->nu, d.ncon,
             1e6 * ours.forward, 1e6 * result.ours, result.ours / ours.forward, 1e6 * ours.differences,
             1e6 * result.peers, result.ratio);
  mj_deleteData(pd);
  mj_deleteModel(pm);
}

/// A hanging chain of n links, driven at every joint.
sinew::Model chain(int n) {
  std::string bodies, ends, actuators;
  for (int i = 0; i < n; ++i) {
    bodies += fmt::format(R"(<body pos="{} 0 0"><joint name="j{}" axis="0 {} {}" damping=".1" armature=".01"/>
      <geom type="capsule" fromto="0 0 0 .1 0 0" size=".02"/>)",
                          i ? 0.1 : 0, i, i % 2, 1 - i % 2);
    ends += "</body>";
    actuators += fmt::format(R"(<motor joint="j{}"/>)", i);
  }
  const std::string text = R"(<mujoco><default><geom contype="0" conaffinity="0"/></default><worldbody>)" + bodies +
                           ends + "</worldbody><actuator>" + actuators + "</actuator></mujoco>";
  return sinew::load_string(text).value_or_throw();
}

struct ChainTime {
  int links;
  Ours time;
};

/// Times against the number of links, on logarithmic axes.
void plot(const std::string& file, const std::vector<ChainTime>& chains) {
  const auto x = [](double links) { return 70 + 360 * std::log10(links / 10); };
  const auto y = [](double seconds) { return 340 - 60 * (std::log10(seconds) + 6); };
  std::ofstream out(file);
  out << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 390" font-family="sans-serif" font-size="12">
<rect width="620" height="390" fill="white"/>
)";
  for (const int links : {10, 20, 50, 100})
    out << fmt::format(
        "<line x1=\"{0:.0f}\" y1=\"40\" x2=\"{0:.0f}\" y2=\"340\" stroke=\"#ddd\"/>"
        "<text x=\"{0:.0f}\" y=\"358\" text-anchor=\"middle\">{1}</text>\n",
        x(links), links);
  for (const auto& [seconds, label] :
       {std::pair{1e-6, "1 µs"}, {1e-5, "10 µs"}, {1e-4, "100 µs"}, {1e-3, "1 ms"}, {1e-2, "10 ms"}, {1e-1, "100 ms"}})
    out << fmt::format(
        "<line x1=\"70\" y1=\"{0:.0f}\" x2=\"430\" y2=\"{0:.0f}\" stroke=\"#ddd\"/>"
        "<text x=\"62\" y=\"{1:.0f}\" text-anchor=\"end\">{2}</text>\n",
        y(seconds), y(seconds) + 4, label);
  const auto line = [&](const char* color, const std::string& label, auto value) {
    std::string points;
    for (const ChainTime& c : chains) points += fmt::format("{:.1f},{:.1f} ", x(c.links), y(value(c)));
    out << fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>"
        "<text x=\"438\" y=\"{:.0f}\" fill=\"{}\">{}</text>\n",
        points, color, y(value(chains.back())) + 4, color, label);
  };
  const ChainTime& first = chains.front();
  line("#999", "nv²",
       [&](const ChainTime& c) { return first.time.exact * std::pow(static_cast<double>(c.links) / first.links, 2); });
  line("#c33", "differences, centered", [](const ChainTime& c) { return c.time.differences; });
  line("#26c", "exact A and B", [](const ChainTime& c) { return c.time.exact; });
  line("#393", "one forward pass", [](const ChainTime& c) { return c.time.forward; });
  out << "<text x=\"250\" y=\"378\" text-anchor=\"middle\">links of a chain, one hinge and one motor each</text>\n"
      << "<text x=\"70\" y=\"26\" font-size=\"14\">Time of the derivative of one step</text>\n</svg>\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    fmt::print(stderr, "usage: bench_derivative MODELS [PLOT.svg]\n");
    return 2;
  }
  fmt::print("derivative: microseconds of A and B; the peer is MuJoCo {}, centered differences\n", mj_versionString());
  fmt::print("{:14}{:>4}{:>4}{:>6}{:>10}{:>10}{:>8}{:>13}{:>12}{:>12}\n", "model", "nv", "nu", "ncon", "forward",
             "exact", "passes", "differences", "peer", "peer/exact");
  for (const auto& path : bench::models_in(argv[1])) compare(path);

  std::vector<ChainTime> chains;
  fmt::print("{:14}{:>10}{:>10}{:>8}{:>12}\n", "chain", "forward", "exact", "passes", "differences");
  for (const int n : {10, 14, 20, 28, 40, 56, 80, 100}) {
    const sinew::Model m = chain(n);
    chains.push_back({n, time_ours(m, true)});
    const Ours& t = chains.back().time;
    fmt::print("{:<14}{:10.1f}{:10.1f}{:8.1f}{:12.1f}\n", n, 1e6 * t.forward, 1e6 * t.exact, t.exact / t.forward,
               1e6 * t.differences);
  }
  const double exponent = std::log(chains.back().time.exact / chains.front().time.exact) / std::log(10.0);
  fmt::print("exact: grows like nv^{:.2f} from 10 to 100 links\n", exponent);
  if (argc == 3) plot(argv[2], chains);
}
