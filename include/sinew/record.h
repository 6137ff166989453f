#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/data.h"
#include "sinew/error.h"

// What a run leaves behind: chosen signals of a world over time, in a file.

namespace sinew {

/// Which signals are recorded, and how often.
struct RecordOptions {
  /// Signals by name: a quantity ("qpos", "sensordata", "xpos", "cfrc_ext", "ncon" …: any array of Data, and energy,
  /// ncon, nefc, nisland, niter), one object of it ("qpos.hip") or one number ("xpos.torso.2"). * stands for any
  /// characters: "sensordata.left_*". Empty: qpos, qvel, energy, actuator_force and sensordata.
  std::vector<std::string> signals;
  int every = 1;             // a row for every n-th sample
  double flush_seconds = 1;  // wall time after which rows are handed to the system
  std::string title;         // of a plot
};

/// Neighbouring columns that belong together.
struct RecordQuantity {
  std::string name;       // "qpos"
  std::string unit;       // "m or rad"; empty where it depends on the object
  std::size_t first = 0;  // column
  std::size_t count = 0;
};

/// Writes rows of signals to a file, whose ending names its form:
///   .csv    a line of column names, then a line per row
///   .jsonl  an object per line: {"time":0.01,"qpos.hip":0.2,…}
///   .json   {"columns":[…],"rows":[[…],…]}
///   .npz    for numpy.load: an array (rows x numbers) for each quantity, time, and the column names
///   .svg    a picture: one panel for each quantity over time
/// Numbers are written so that they read back to the same bits.
///
/// The file is whole after every flush, whatever happens to the program later: .csv, .jsonl and .json grow at their
/// end; .npz and .svg are kept in memory and written anew beside the file, then renamed. These two are flushed again
/// only when their rows have grown by half, so that long runs are not spent on rewriting.
class Recorder {
 public:
  /// Refuses an unknown ending, a signal that the model does not have, and a file that cannot be written.
  static Result<Recorder> open(const Model& model, const std::string& path, const RecordOptions& options = {});
  Recorder(Recorder&& other) noexcept;
  Recorder& operator=(Recorder&& other) noexcept;
  ~Recorder();  // closes; a failure is lost, so call close() where it matters

  /// "time" first, then "quantity.object.number".
  const std::vector<std::string>& columns() const;
  const std::vector<RecordQuantity>& quantities() const;

  /// Whether the next sample makes a row. A row taken between begin_step and finish_step has the forces of the state
  /// that it stands beside; after a step they are those of its start, and a forward is needed first.
  bool due() const;
  /// Computes what the signals need beyond forward: accelerations and forces of bodies (cacc, cfrc_int, cfrc_ext) and
  /// velocities of subtrees, which a step leaves out unless a sensor asks for them.
  void complete(const Model& model, Data& data) const;
  /// Takes the numbers as they are in `data`. Energy is there where the model's flag energy is on.
  void sample(const Data& data);

  /// Rows so far.
  std::size_t rows() const;
  /// Hands all rows to the system now. The first failure (disk full …) is kept and told here and by close.
  Result<bool> flush();
  Result<bool> close();

 private:
  struct State;
  explicit Recorder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The endings that Recorder writes, with their dot.
std::vector<std::string> record_endings();

/// Counts the warnings of a world over a whole run, also beyond automatic resets, which clear the counts in Data.
class WarningLog {
 public:
  struct Entry {
    std::int64_t number = 0;  // how often
    double first_time = 0;    // s, simulated time of the step in which it first occurred
    std::int64_t first_step = 0;
    int first_info = 0;       // index of the bad number, or what else the warning tells
    std::int64_t resets = 0;  // how often the world started again because of it
  };

  /// Looks at the warnings after a step; `time_before` is the time at its start.
  void look(const Data& data, double time_before);
  const Entry& operator[](Warning kind) const { return entries_[static_cast<std::size_t>(kind)]; }
  bool empty() const;
  /// One line for each kind that occurred: what, how often, when first.
  std::vector<std::string> lines() const;
  /// The line of what occurred in the last look for the first time; empty where nothing did.
  const std::string& news() const { return news_; }

 private:
  std::array<Entry, kNumWarning> entries_{};
  std::array<int, kNumWarning> last_{};
  std::int64_t steps_ = 0;
  std::string news_;
};

}  // namespace sinew
