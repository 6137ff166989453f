#pragma once

#include <csignal>

namespace sinew::tool {

/// SIGINT or SIGTERM stops the work at the next safe point, so that files are complete; a second one terminates the
/// program immediately.
class Interruption {
 public:
  Interruption() {
    for (const int signal : kSignals) std::signal(signal, note_signal);
  }
  ~Interruption() {
    for (const int signal : kSignals) std::signal(signal, SIG_DFL);
  }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  /// The signal number; 0 if none was received.
  int signal() const { return received; }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM};
  static void note_signal(int signal) {
    received = signal;
    std::signal(signal, SIG_DFL);
  }
  // the only type that a signal handler may write to
  static inline volatile std::sig_atomic_t received = 0;
};

/// Thrown if a signal interrupted the work before there was a result; main turns it into the exit code.
struct Signalled {
  int signal;
};

}  // namespace sinew::tool
