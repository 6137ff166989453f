#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/data.h"
#include "sinew/error.h"

// Recording of selected signals of a world over time to a file.

namespace sinew {

/// Which signals are recorded, and how often.
struct RecordOptions {
  /// Signals by name: a quantity ("qpos", "sensordata", "xpos", "cfrc_ext", "ncon" …: any array of Data, and energy,
  /// ncon, nefc, nisland, niter), one object of it ("qpos.hip") or one number ("xpos.torso.2"). * matches any
  /// characters: "sensordata.left_*". Empty: qpos, qvel, energy, actuator_force and sensordata.
  std::vector<std::string> signals;
  int every = 1;             // a row for every n-th sample
  double flush_seconds = 1;  // wall time after which rows are flushed to the file
  std::string title;         // of a plot
};

/// Adjacent columns that belong together.
struct RecordQuantity {
  std::string name;       // "qpos"
  std::string unit;       // "m or rad"; empty if it depends on the object
  std::size_t first = 0;  // column
  std::size_t count = 0;
};

/// Writes rows of signals to a file in the format given by its extension:
///   .csv    a line of column names, then a line per row
///   .jsonl  an object per line: {"time":0.01,"qpos.hip":0.2,…}
///   .json   {"columns":[…],"rows":[[…],…]}
///   .npz    for numpy.load: one array (rows x numbers) per quantity, time, and the column names
///   .svg    a plot: one panel per quantity over time
/// Numbers are written so that they read back to the same bits.
///
/// The file is complete after every flush, even if the program crashes later: .csv, .jsonl and .json are appended to;
/// .npz and .svg are kept in memory, written to a temporary file and renamed. These two are flushed only when their
/// rows have grown by half, so that long runs do not spend their time rewriting.
class Recorder {
 public:
  /// Refuses an unknown extension, a signal that the model does not have, and a file that cannot be written.
  static Result<Recorder> open(const Model& model, const std::string& path, const RecordOptions& options = {});
  Recorder(Recorder&& other) noexcept;
  Recorder& operator=(Recorder&& other) noexcept;
  ~Recorder();  // closes and ignores errors; call close() to see them

  /// "time" first, then "quantity.object.number".
  const std::vector<std::string>& columns() const;
  const std::vector<RecordQuantity>& quantities() const;

  /// Whether the next sample makes a row. A row taken between begin_step and finish_step has the forces of its own
  /// state; after a step they belong to the step's start, so call forward first.
  bool due() const;
  /// Computes what the signals need beyond forward: accelerations and forces of bodies (cacc, cfrc_int, cfrc_ext) and
  /// velocities of subtrees, which a step leaves out unless a sensor asks for them.
  void complete(const Model& model, Data& data) const;
  /// Takes the numbers as they are in `data`. Energy requires the model's energy flag.
  void sample(const Data& data);

  /// Rows so far.
  std::size_t rows() const;
  /// Flushes all rows to the file. The first failure (disk full …) is kept and returned here and by close.
  Result<bool> flush();
  Result<bool> close();

 private:
  struct State;
  explicit Recorder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The extensions that Recorder supports, with the dot.
std::vector<std::string> record_endings();

/// Counts the warnings of a world over a whole run, across automatic resets, which clear the counts in Data.
class WarningLog {
 public:
  struct Entry {
    std::int64_t number = 0;  // how often
    double first_time = 0;    // s, simulated time of the step in which it first occurred
    std::int64_t first_step = 0;
    int first_info = 0;       // index of the bad number, or other information of the warning
    std::int64_t resets = 0;  // how often the world was reset because of it
  };

  /// Reads the warnings after a step; `time_before` is the time at its start.
  void look(const Data& data, double time_before);
  const Entry& operator[](Warning kind) const { return entries_[static_cast<std::size_t>(kind)]; }
  bool empty() const;
  /// One line for each kind that occurred: what, how often, when first.
  std::vector<std::string> lines() const;
  /// Lines for the warnings that first occurred in the last observation; empty if none did.
  const std::string& news() const { return news_; }

 private:
  std::array<Entry, kNumWarning> entries_{};
  std::array<int, kNumWarning> last_{};
  std::int64_t steps_ = 0;
  std::string news_;
};

}  // namespace sinew
