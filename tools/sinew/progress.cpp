#include "progress.h"

#include <cstdio>

#include "report.h"

namespace sinew::tool {
namespace {

constexpr double kTerminalPause = 0.1, kLinePause = 5;  // s between two updates
constexpr int kBarWidth = 32;

}  // namespace

Progress::Progress() : terminal_(on_terminal()), start_(Clock::now()), last_(start_) {}

double Progress::elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Progress::update(double done, const std::string& text) {
  const Clock::time_point now = Clock::now();
  if (std::chrono::duration<double>(now - last_).count() < (terminal_ ? kTerminalPause : kLinePause)) return;
  last_ = now;
  if (!terminal_) {
    note("{:3.0f} %  {}", 100 * done, text);
    return;
  }
  const int filled = static_cast<int>(done * kBarWidth);
  std::string bar(static_cast<std::size_t>(kBarWidth), '-');
  for (int i = 0; i < filled && i < kBarWidth; ++i) bar[static_cast<std::size_t>(i)] = '#';
  fmt::print(stderr, "\r[{}] {:3.0f} %  {}\033[K", bar, 100 * done, text);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::finish() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace sinew::tool
