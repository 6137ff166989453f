#pragma once

#include <csignal>

namespace sinew::tool {

/// Ctrl-C, or a polite kill, ends the work at the next good place, so that files are finished; a second one ends the
/// program at once.
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
  /// The number of the signal; 0 while there is none.
  int signal() const { return received; }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM};
  static void note_signal(int signal) {
    received = signal;
    std::signal(signal, SIG_DFL);
  }
  // the only way that a signal handler can tell anything
  static inline volatile std::sig_atomic_t received = 0;
};

/// Thrown where a signal ended the work before there was a result; main turns it into the exit code.
struct Signalled {
  int signal;
};

}  // namespace sinew::tool
