#pragma once

#include <chrono>
#include <string>

namespace sinew::tool {

/// Shows the progress of long work on standard error: a bar with the time left on a terminal, a plain line every few
/// seconds elsewhere. Work of less than a second prints nothing.
class Progress {
 public:
  Progress();
  /// `done` from 0 to 1; `text` follows the bar.
  void update(double done, const std::string& text);
  /// Work whose end is not known: the seconds so far, on a terminal only.
  void wait(const std::string& text);
  /// Removes the bar.
  void finish();
  /// Seconds since the start.
  double elapsed() const;

 private:
  using Clock = std::chrono::steady_clock;
  bool due();
  void draw(const std::string& line);
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_, last_;
};

}  // namespace sinew::tool
