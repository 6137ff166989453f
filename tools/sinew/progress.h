#pragma once

#include <chrono>
#include <string>

namespace sinew::tool {

/// Tells on standard error how far long work is: a bar on a terminal, a plain line every few seconds elsewhere. Work
/// that is done at once says nothing.
class Progress {
 public:
  Progress();
  /// `done` from 0 to 1; `text` stands behind the bar.
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
