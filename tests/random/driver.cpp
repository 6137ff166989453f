#include "random/driver.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "random/shrink.h"

// Worlds run in child processes, in chunks, so that a crash can be attributed to its seed.

namespace random_worlds {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t count = 0;  // 0: unlimited
  double seconds = 0;       // 0: unlimited
  double patience = 20;     // time limit between two reports of a world, in processor seconds
  bool shrink = true;
  bool hash = false;
  bool print = false;
  unsigned without = 0;  // starts to leave out
  std::string only;      // report only this law
  std::string having;    // only models whose text contains this
  std::string folder = "build/random";
  std::vector<std::string> files;
};

int report_pipe = -1;

void send(const std::string& line) {
  const std::string text = line + "\n";
  if (write(report_pipe, text.data(), text.size()) < 0) std::_Exit(3);
}
void note(const char* what) { send(std::string("N ") + what); }

std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return text;
}

/// Used by a process so far.
double processor_seconds(pid_t process) {
  clockid_t clock;
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Runs `work` in a child process with its output in a file; `on_line` receives its reports. Returns how it ended:
/// empty for success, else "hang", the signal or exit code, or the sanitizer's summary.
template <class Work, class OnLine>
std::string in_child(const Options& options, const std::string& log, Work&& work, OnLine&& on_line) {
  int ends[2];
  if (pipe(ends) != 0) return "cannot create a pipe";
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    report_pipe = ends[1];
    const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(file, 1);
    dup2(file, 2);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    work();
    std::_Exit(0);
  }
  close(ends[1]);
  std::string pending;
  bool hangs = false;
  const Clock::time_point never{};
  Clock::time_point silent_since = never;
  double used = 0;  // processor time at the last report
  for (;;) {
    pollfd wait{ends[0], POLLIN, 0};
    const int ready = poll(&wait, 1, static_cast<int>(options.patience * 1000));
    if (ready > 0) {
      silent_since = never;
    } else {
      // on a busy machine a world takes long without a fault; one that waits for itself uses no processor time
      const double now = processor_seconds(child);
      if (silent_since == never) {
        silent_since = Clock::now();
        used = now;
        continue;
      }
      if (now - used < options.patience && seconds_since(silent_since) < 20 * options.patience) continue;
      hangs = true;
      kill(child, SIGKILL);
      break;
    }
    char buffer[4096];
    const ssize_t got = read(ends[0], buffer, sizeof buffer);
    if (got <= 0) break;
    pending.append(buffer, static_cast<std::size_t>(got));
    for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
      on_line(pending.substr(0, end));
      pending.erase(0, end + 1);
    }
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (hangs) return "hang";
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  std::ifstream text(log);
  std::string line;
  std::string runtime_error;
  while (std::getline(text, line)) {
    if (line.rfind("SUMMARY: ", 0) == 0) {  // without the folder, which differs between machines
      const std::size_t path = line.find("/src/");
      const std::size_t begin = line.find(' ', 9);
      if (begin == std::string::npos || path == std::string::npos) return line.substr(9);
      return line.substr(9, line.rfind(' ', path) - 9) + line.substr(path);
    }
    if (const std::size_t at = line.find(": runtime error: "); at != std::string::npos && runtime_error.empty()) {
      const std::size_t path = line.find("/src/");
      runtime_error = path == std::string::npos ? line : line.substr(path);
    }
    if (line.find("Assertion") != std::string::npos || line.find("terminate called") != std::string::npos) {
      runtime_error = line;
    }
  }
  if (!runtime_error.empty()) return runtime_error;
  return WIFSIGNALED(status) ? std::string("signal ") + strsignal(WTERMSIG(status))
                             : "exit " + std::to_string(WEXITSTATUS(status));
}

/// The failures of one world, run in a separate process.
struct Outcome {
  std::vector<Failure> failures;
  std::string last_note;
};

Failure read_failure(const std::string& line) {
  const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
  return {line.substr(2, first - 2), line.substr(first + 1, second - first - 1), line.substr(second + 1)};
}
std::string write_failure(const Failure& f) {
  return "F " + one_line(f.law) + "\t" + one_line(f.what) + "\t" + one_line(f.numbers);
}

/// A crash inside the peer is not a failure of ours.
bool is_of_peer(const std::string& last_note) { return last_note.rfind("peer", 0) == 0; }

Outcome run_one(const Options& options, const Check& check, const World& world) {
  Outcome outcome;
  const std::string log = options.folder + "/last.log";
  const std::string end = in_child(
      options, log,
      [&] {
        for (const Failure& f : check.check(world, note)) send(write_failure(f));
      },
      [&](const std::string& line) {
        if (line[0] == 'F') outcome.failures.push_back(read_failure(line));
        if (line[0] == 'N') outcome.last_note = line.substr(2);
      });
  if (!end.empty() && !is_of_peer(outcome.last_note)) outcome.failures.push_back({"no crash", end, outcome.last_note});
  return outcome;
}

bool same_cause(const Failure& a, const Failure& b) { return a.law == b.law && a.what == b.what; }

class Session {
 public:
  Session(const Options& options, const Check& check) : options_(options), check_(check) {
    std::filesystem::create_directories(options_.folder);
  }

  int run_files() {
    for (const std::string& path : options_.files) {
      std::ifstream file(path);
      const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
      World world = read_world(text);
      if (options_.hash && check_.hash != nullptr) {
        std::printf("%s %016llx\n", path.c_str(), static_cast<unsigned long long>(check_.hash(world)));
        continue;
      }
      const Outcome outcome = run_one(options_, check_, world);
      for (const Failure& f : outcome.failures) found(path, world, f, false);
      if (outcome.failures.empty()) std::printf("%s: clean\n", path.c_str());
    }
    return total_ == 0 ? 0 : 1;
  }

  int run_seeds() {
    const Clock::time_point begin = Clock::now();
    std::uint64_t next = options_.seed;
    const std::uint64_t end = options_.count == 0 ? ~std::uint64_t{0} : options_.seed + options_.count;
    while (next < end && (options_.seconds == 0 || seconds_since(begin) < options_.seconds)) {
      constexpr std::uint64_t kChunk = 100;
      const std::uint64_t first = next, last = std::min(end, next + kChunk);
      std::uint64_t running = first;
      std::string last_note;
      std::vector<std::pair<std::uint64_t, Failure>> failures;
      const std::string log = options_.folder + "/chunk.log";
      const std::string how = in_child(
          options_, log,
          [&] {
            for (std::uint64_t seed = first; seed < last; ++seed) {
              if (options_.seconds != 0 && seconds_since(begin) > options_.seconds) break;
              send("S " + std::to_string(seed));
              const World world = make(seed);
              if (!options_.having.empty() && describe(world).find(options_.having) == std::string::npos) continue;
              if (options_.hash && check_.hash != nullptr) {
                char text[64];
                std::snprintf(text, sizeof text, "H %016llx", static_cast<unsigned long long>(check_.hash(world)));
                send(text);
                continue;
              }
              for (const Failure& f : check_.check(world, note)) send(write_failure(f));
            }
            send("E");
          },
          [&](const std::string& line) {
            if (line[0] == 'S') {
              running = std::strtoull(line.c_str() + 2, nullptr, 10);
              last_note.clear();
              ++worlds_;
            } else if (line[0] == 'N') {
              last_note = line.substr(2);
              ++notes_[last_note];
            } else if (line[0] == 'F') {
              failures.emplace_back(running, read_failure(line));
            } else if (line[0] == 'H') {
              std::printf("%llu %s\n", static_cast<unsigned long long>(running), line.c_str() + 2);
            } else if (line[0] == 'E') {
              running = last - 1;
            }
          });
      if (!how.empty()) {
        if (is_of_peer(last_note)) {
          ++peer_crashes_;
        } else {
          failures.emplace_back(running, Failure{"no crash", how, last_note});
        }
      }
      for (const auto& [seed, failure] : failures) found("seed " + std::to_string(seed), make(seed), failure, true);
      next = running + 1;
      if (options_.hash) std::fflush(stdout);
    }
    summary(seconds_since(begin));
    return total_ == 0 ? 0 : 1;
  }

 private:
  World make(std::uint64_t seed) const {
    World world = generate(seed);
    world.start &= ~options_.without;
    return world;
  }

  void found(const std::string& where, const World& world, const Failure& failure, bool may_shrink) {
    if (!options_.only.empty() && failure.law != options_.only) return;
    ++total_;
    const std::string cause = failure.law + ": " + failure.what;
    const bool first = ++causes_[cause] == 1;
    std::printf("%s breaks \"%s\": %s %s\n", where.c_str(), failure.law.c_str(), failure.what.c_str(),
                failure.numbers.c_str());
    if (!first) return;  // the same cause again
    World small = world;
    if (options_.shrink && may_shrink) {
      Options quick = options_;
      quick.patience = 5;
      small = shrink(world, [&](const World& candidate) {
        for (const Failure& f : run_one(quick, check_, candidate).failures) {
          if (same_cause(f, failure)) return true;
        }
        return false;
      });
    }
    const std::string text = describe(small);
    std::string file = options_.folder + "/" + where + ".xml";
    if (may_shrink) {
      for (char& c : file) {
        if (c == ' ') c = '_';
      }
      std::ofstream(file) << text;
      std::printf("%s\n%s\n", file.c_str(), text.c_str());
    }
    std::fflush(stdout);
  }

  void summary(double seconds) const {
    if (options_.hash) return;
    std::printf("%s: %llu worlds from seed %llu in %.0f s (%.0f/s), %llu failures of %zu causes", check_.program,
                static_cast<unsigned long long>(worlds_), static_cast<unsigned long long>(options_.seed), seconds,
                static_cast<double>(worlds_) / seconds, static_cast<unsigned long long>(total_), causes_.size());
    if (peer_crashes_ != 0)
      std::printf(", the peer crashed %llu times", static_cast<unsigned long long>(peer_crashes_));
    std::printf("\n");
    for (const auto& [cause, count] : causes_)
      std::printf("%8llu  %s\n", static_cast<unsigned long long>(count), cause.c_str());
    if (options_.print) {
      for (const auto& [what, count] : notes_)
        std::printf("%8llu  ran: %s\n", static_cast<unsigned long long>(count), what.c_str());
    }
  }

  Options options_;
  Check check_;
  std::uint64_t worlds_ = 0, total_ = 0, peer_crashes_ = 0;
  std::map<std::string, std::uint64_t> causes_, notes_;
};

/// A file, or all models in a folder.
void add_files(const std::string& path, std::vector<std::string>& files) {
  if (!std::filesystem::is_directory(path)) {
    files.push_back(path);
    return;
  }
  const std::size_t first = files.size();
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() == ".xml") files.push_back(entry.path().string());
  }
  std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
}

int usage(const char* program) {
  std::fprintf(stderr,
               "usage: %s [--seed N] [--count N] [--seconds S] [--no-shrink] [--hash] [--verbose]\n"
               "          [--without START,START…] [--only LAW] [--having TEXT] [--folder OUT]\n"
               "          [--file MODEL_OR_FOLDER] [--print]\n",
               program);
  return 2;
}

}  // namespace

int drive(const Check& check, int argc, char** argv) {
  Options options;
  bool print = false;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (option == "--no-shrink") {
      options.shrink = false;
    } else if (option == "--shrink") {
      options.shrink = true;
    } else if (option == "--hash") {
      options.hash = true;
    } else if (option == "--verbose") {
      options.print = true;
    } else if (option == "--print") {
      print = true;
    } else if (value == nullptr) {
      return usage(argv[0]);
    } else {
      ++i;
      if (option == "--seed")
        options.seed = std::strtoull(value, nullptr, 10);
      else if (option == "--count")
        options.count = std::strtoull(value, nullptr, 10);
      else if (option == "--seconds")
        options.seconds = std::strtod(value, nullptr);
      else if (option == "--patience")
        options.patience = std::strtod(value, nullptr);
      else if (option == "--folder")
        options.folder = value;
      else if (option == "--only")
        options.only = value;
      else if (option == "--having")
        options.having = value;
      else if (option == "--file")
        add_files(value, options.files);
      else if (option == "--without") {
        const std::string list = "," + std::string(value) + ",";
        for (unsigned bit = 1; bit < 1U << kStartBits; bit <<= 1) {
          if (list.find(std::string(",") + start_name(bit) + ",") != std::string::npos) options.without |= bit;
        }
      } else {
        return usage(argv[0]);
      }
    }
  }
  if (print) {
    std::fputs(describe(generate(options.seed)).c_str(), stdout);
    return 0;
  }
  if (options.count == 0 && options.seconds == 0) options.count = 1;
  Session session(options, check);
  return options.files.empty() ? session.run_seeds() : session.run_files();
}

}  // namespace random_worlds
