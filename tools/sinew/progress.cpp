#include "progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "report.h"

namespace sinew::tool {
namespace {

constexpr double kShortWork = 1;                        // s, nothing is shown before
constexpr double kTerminalPause = 0.1, kLinePause = 5;  // s between two updates
constexpr int kBarWidth = 32;

/// "2 min 5 s left" at the rate so far.
std::string time_left(double elapsed, double done) {
  if (done <= 0 || elapsed < kShortWork) return {};
  const double left = std::ceil(elapsed * (1 - done) / done);
  if (!(left < 1e7)) return {};
  const auto s = static_cast<long>(left);
  if (s >= 3600) return fmt::format(", {} h {} min left", s / 3600, s % 3600 / 60);
  if (s >= 60) return fmt::format(", {} min {} s left", s / 60, s % 60);
  return fmt::format(", {} s left", s);
}

}  // namespace

Progress::Progress() : terminal_(on_terminal()), start_(Clock::now()), last_(start_) {}

double Progress::elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

bool Progress::due() {
  const Clock::time_point now = Clock::now();
  const auto seconds = [&](Clock::time_point since) { return std::chrono::duration<double>(now - since).count(); };
  if (seconds(start_) < kShortWork || seconds(last_) < (terminal_ ? kTerminalPause : kLinePause)) return false;
  last_ = now;
  return true;
}

void Progress::draw(const std::string& line) {
  fmt::print(stderr, "\r{}\033[K", line);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::update(double done, const std::string& text) {
  if (!due()) return;
  done = std::clamp(done, 0.0, 1.0);
  const std::string words = fmt::format("{:3.0f} %  {}{}", 100 * done, text, time_left(elapsed(), done));
  if (!terminal_) {
    note("{}", words);
    return;
  }
  const auto filled = static_cast<std::size_t>(done * kBarWidth);
  draw(fmt::format("[{:-<{}}] {}", std::string(filled, '#'), kBarWidth, words));
}

void Progress::wait(const std::string& text) {
  if (terminal_ && due()) draw(fmt::format("{} … {:.0f} s", text, elapsed()));
}

void Progress::finish() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace sinew::tool
