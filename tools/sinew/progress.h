#pragma once

#include <chrono>
#include <string>

namespace sinew::tool {

/// Shows the progress of long work on standard error: a bar on a terminal, a plain line every few seconds elsewhere.
/// Short work prints nothing.
class Progress {
 public:
  Progress();
  /// `done` from 0 to 1; `text` follows the bar.
  void update(double done, const std::string& text);
  /// Removes the bar.
  void finish();
  /// Seconds since the start.
  double elapsed() const;

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_, last_;
};

}  // namespace sinew::tool
