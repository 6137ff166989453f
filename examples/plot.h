#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

// A picture of points in a plane, for the examples whose result is not a function of time (for those: sinew/record.h).

namespace examples {

struct Point {
  double x, y;
};

/// Writes an SVG of the points, joined by a line if asked, with the same scale on both axes if `square`.
inline void write_points(const std::string& path, const std::string& title, const std::vector<Point>& points,
                         bool joined, bool square) {
  double x0 = points[0].x, x1 = x0, y0 = points[0].y, y1 = y0;
  for (const Point& p : points) {
    x0 = std::min(x0, p.x), x1 = std::max(x1, p.x);
    y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
  }
  constexpr double kWidth = 560, kHeight = 300, kMargin = 50;
  double sx = kWidth / (x1 - x0), sy = kHeight / (y1 - y0);
  if (square) sx = sy = std::min(sx, sy);
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (!file) return std::perror(path.c_str());
  std::fprintf(file,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 660 400\" font-family=\"sans-serif\" "
               "font-size=\"12\">\n<rect width=\"660\" height=\"400\" fill=\"white\"/>\n"
               "<text x=\"330\" y=\"22\" text-anchor=\"middle\">%s</text>\n",
               title.c_str());
  const auto px = [&](double x) { return kMargin + (x - x0) * sx; };
  const auto py = [&](double y) { return kMargin + kHeight - (y - y0) * sy; };
  if (joined) {
    std::fprintf(file, "<polyline fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"1.5\" points=\"");
    for (const Point& p : points) std::fprintf(file, "%.1f,%.1f ", px(p.x), py(p.y));
    std::fprintf(file, "\"/>\n");
  } else {
    for (const Point& p : points)
      std::fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\" fill=\"#1f77b4\"/>\n", px(p.x), py(p.y));
  }
  std::fprintf(file,
               "<text x=\"50\" y=\"372\">%.3g</text>\n<text x=\"%.1f\" y=\"372\" text-anchor=\"end\">%.3g</text>\n"
               "<text x=\"44\" y=\"350\" text-anchor=\"end\">%.3g</text>\n"
               "<text x=\"44\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n</svg>\n",
               x0, px(x1), x1, y0, py(y1) + 4, y1);
  std::fclose(file);
}

}  // namespace examples
