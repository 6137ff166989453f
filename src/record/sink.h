#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/signals.h"

namespace sinew {

/// A file format: takes rows and leaves a complete file at each flush.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  virtual void row(std::span<const double> values) = 0;
  /// `last`: no row follows. A sink that rewrites its whole file may skip the other flushes.
  virtual Result<bool> flush(bool last) = 0;
};

/// What a sink needs to start: the path and the columns. The signals outlive it.
struct SinkPlan {
  std::string path;
  const Signals& signals;
  std::string title;
};

Result<std::unique_ptr<RecordSink>> open_csv(const SinkPlan& plan);
Result<std::unique_ptr<RecordSink>> open_json(const SinkPlan& plan);
Result<std::unique_ptr<RecordSink>> open_json_lines(const SinkPlan& plan);
Result<std::unique_ptr<RecordSink>> open_npz(const SinkPlan& plan);
Result<std::unique_ptr<RecordSink>> open_plot(const SinkPlan& plan);

/// Rows of numbers in memory.
struct RecordTable {
  std::vector<double> values;
  std::size_t columns = 1;

  std::size_t rows() const { return values.size() / columns; }
  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

/// All rows in memory, for formats that cannot be appended to. Rewrites the file when its rows have grown by half.
class WholeFileSink : public RecordSink {
 public:
  explicit WholeFileSink(const SinkPlan& plan) : plan_(plan), table_{{}, plan.signals.columns().size()} {}

  void row(std::span<const double> values) override {
    table_.values.insert(table_.values.end(), values.begin(), values.end());
  }
  Result<bool> flush(bool last) override;

 protected:
  /// The content of the file for the rows so far.
  virtual Result<std::string> content() const = 0;

  SinkPlan plan_;
  RecordTable table_;

 private:
  std::size_t written_ = 0;  // numbers that are in the file
};

/// A text that is appended to. What a subclass puts into text_ is written at the next flush.
class GrowingFileSink : public RecordSink {
 public:
  ~GrowingFileSink() override;
  Result<bool> flush(bool last) override;

 protected:
  /// Opens and truncates the file; false if it cannot be written.
  bool open(const std::string& path);
  /// What must follow the last row for a complete file; the next rows overwrite it.
  virtual std::string_view ending() const { return {}; }

  std::string text_;

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
  long end_ = 0;  // of the rows, before ending()
};

}  // namespace sinew
