#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "math/elementary.h"
#include "record/sink.h"

namespace sinew {
namespace {

constexpr double kWidth = 960, kPanelHeight = 220, kLeft = 80, kRight = 220, kTop = 48, kGap = 44;
constexpr double kPlotWidth = kWidth - kLeft - kRight;
constexpr std::size_t kLegendEntries = 13;  // what fits beside a panel
constexpr std::size_t kPoints = 1200;       // of one curve; more cannot be distinguished
constexpr int kTicks = 5;

/// Colors that remain distinct for color-blind readers (Okabe and Ito); further curves repeat them with dashes.
constexpr const char* kColors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  /// Never empty, so it can be divided by.
  void widen() {
    if (!(low <= high)) low = 0, high = 1;
    const double size = std::max(1.0, std::max(std::abs(low), std::abs(high)));
    if (high - low < 1e-9 * size) add_margin(0.05 * size);
  }
  void add_margin(double margin) {
    low -= margin;
    high += margin;
  }
  double place(double x) const { return (x - low) / (high - low); }
};

/// The spacing of ticks: 1, 2 or 5 times a power of ten, about kTicks of them.
double tick_step(const Range& range) {
  const double raw = (range.high - range.low) / kTicks;
  const double power = elementary::pow(10, std::floor(elementary::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) return factor * power;
  return 10 * power;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out;
}

class Svg {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_.push_back('\n');
  }
  std::string take() const { return fmt::to_string(text_); }

 private:
  fmt::memory_buffer text_;
};

std::string curve_style(std::size_t curve) {
  const char* dash = (curve / std::size(kColors)) % 2 ? " stroke-dasharray=\"5 3\"" : "";
  return fmt::format("fill=\"none\" stroke-width=\"1.3\" stroke=\"{}\"{}", kColors[curve % std::size(kColors)], dash);
}

struct Panel {
  const RecordTable& table;
  const std::vector<std::string>& columns;
  const RecordQuantity& quantity;
  Range time, value;
  double top;

  double x(double t) const { return kLeft + kPlotWidth * time.place(t); }
  double y(double v) const { return top + kPanelHeight * (1 - value.place(v)); }
};

void draw_axes(Svg& svg, const Panel& panel) {
  svg.add(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="#fafafa" stroke="#bbb"/>)", kLeft, panel.top, kPlotWidth,
          kPanelHeight);
  const double step = tick_step(panel.value);
  for (double v = std::ceil(panel.value.low / step) * step; v <= panel.value.high; v += step) {
    svg.add(R"(<line x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}" stroke="#e3e3e3"/>)", kLeft, kLeft + kPlotWidth,
            panel.y(v));
    svg.add(R"(<text x="{}" y="{:.1f}" text-anchor="end">{:.4g}</text>)", kLeft - 6, panel.y(v) + 4,
            std::abs(v) < 1e-9 * step ? 0.0 : v);
  }
  const double time_step = tick_step(panel.time);
  for (double t = std::ceil(panel.time.low / time_step) * time_step; t <= panel.time.high * (1 + 1e-12);
       t += time_step) {
    svg.add(R"(<line x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}" stroke="#e3e3e3"/>)", panel.x(t), panel.top,
            panel.top + kPanelHeight);
    svg.add(R"(<text x="{:.1f}" y="{}" text-anchor="middle">{:.4g}</text>)", panel.x(t), panel.top + kPanelHeight + 15,
            t);
  }
  svg.add(R"(<text x="{}" y="{}" text-anchor="end">time (s)</text>)", kLeft + kPlotWidth,
          panel.top + kPanelHeight + 29);
  const std::string unit = panel.quantity.unit.empty() ? "" : fmt::format(" ({})", panel.quantity.unit);
  svg.add(R"svg(<text transform="translate(16 {:.1f}) rotate(-90)" text-anchor="middle">{}{}</text>)svg",
          panel.top + kPanelHeight / 2, panel.quantity.name, unit);
}

/// One curve, thinned by keeping the lowest and the highest sample of each stretch, so that no peak is lost. A number
/// that is not finite interrupts it.
void draw_curve(Svg& svg, const Panel& panel, std::size_t curve) {
  const RecordTable& table = panel.table;
  const std::size_t column = panel.quantity.first + curve;
  const std::size_t stretch = std::max<std::size_t>(1, table.rows() / (kPoints / 2));
  std::string points;
  const auto flush = [&] {
    if (!points.empty()) svg.add(R"(<polyline points="{}" {}/>)", points, curve_style(curve));
    points.clear();
  };
  const auto add = [&](std::size_t row) {
    const double v = table.at(row, column);
    if (!std::isfinite(v)) return flush();
    points += fmt::format("{:.1f},{:.1f} ", panel.x(table.at(row, 0)), panel.y(v));
  };
  for (std::size_t row = 0; row < table.rows(); row += stretch) {
    std::size_t low = row, high = row;
    for (std::size_t r = row; r < std::min(row + stretch, table.rows()); ++r) {
      if (table.at(r, column) < table.at(low, column)) low = r;
      if (table.at(r, column) > table.at(high, column)) high = r;
    }
    add(std::min(low, high));
    if (low != high) add(std::max(low, high));
  }
  flush();
}

void draw_legend(Svg& svg, const Panel& panel) {
  const double x = kLeft + kPlotWidth + 12;
  for (std::size_t i = 0; i < panel.quantity.count; ++i) {
    const double y = panel.top + 12 + 16 * static_cast<double>(i);
    if (i + 1 >= kLegendEntries && i + 1 < panel.quantity.count) {
      svg.add(R"(<text x="{}" y="{}">… {} more</text>)", x, y + 4, panel.quantity.count - i);
      return;
    }
    // the panel names the quantity, so the legend needs only what follows it
    const std::string& column = panel.columns[panel.quantity.first + i];
    const std::string name = column.substr(std::min(column.size(), panel.quantity.name.size() + 1));
    svg.add(R"(<line x1="{}" x2="{}" y1="{}" y2="{}" {}/>)", x, x + 18, y, y, curve_style(i));
    svg.add(R"(<text x="{}" y="{}">{}</text>)", x + 24, y + 4, escaped(name));
  }
}

std::string plot_svg(const RecordTable& table, const Signals& signals, const std::string& title) {
  Range time;
  for (std::size_t r = 0; r < table.rows(); ++r) time.include(table.at(r, 0));
  time.widen();
  const auto panels = signals.quantities().size();
  const double height = kTop + static_cast<double>(panels) * (kPanelHeight + kGap);

  Svg svg;
  svg.add(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}")", kWidth, height);
  svg.add(R"(  font-family="sans-serif" font-size="12" fill="#222">)");
  svg.add(R"(<rect width="{}" height="{}" fill="white"/>)", kWidth, height);
  svg.add(R"(<text x="{}" y="26" font-size="16">{}</text>)", kLeft, escaped(title));
  double top = kTop;
  for (const RecordQuantity& quantity : signals.quantities()) {
    Range value;
    for (std::size_t r = 0; r < table.rows(); ++r)
      for (std::size_t c = 0; c < quantity.count; ++c) value.include(table.at(r, quantity.first + c));
    value.widen();
    value.add_margin(0.04 * (value.high - value.low));  // a curve along the frame would be invisible
    const Panel panel{table, signals.columns(), quantity, time, value, top};
    draw_axes(svg, panel);
    for (std::size_t c = 0; c < quantity.count; ++c) draw_curve(svg, panel, c);
    draw_legend(svg, panel);
    top += kPanelHeight + kGap;
  }
  svg.add("</svg>");
  return svg.take();
}

/// One panel for each quantity over time, with axes, units and a legend.
class PlotSink : public WholeFileSink {
 public:
  using WholeFileSink::WholeFileSink;

 private:
  Result<std::string> content() const override { return plot_svg(table_, plan_.signals, plan_.title); }
};

}  // namespace

Result<std::unique_ptr<RecordSink>> open_plot(const SinkPlan& plan) {
  return std::unique_ptr<RecordSink>(std::make_unique<PlotSink>(plan));
}

}  // namespace sinew
