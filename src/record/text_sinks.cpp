#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "record/sink.h"

namespace sinew {
namespace {

Error cannot_write(const std::string& path) { return Error::message("cannot write '" + path + "'"); }

/// The shortest text that reads back to the same bits.
void append_number(std::string& text, double x) { fmt::format_to(std::back_inserter(text), "{}", x); }

/// JSON cannot represent numbers that are not finite, so these are the strings "nan", "inf" and "-inf".
void append_json_number(std::string& text, double x) {
  if (!std::isfinite(x)) text += '"';
  append_number(text, std::isnan(x) ? std::abs(x) : x);
  if (!std::isfinite(x)) text += '"';
}

std::string json_string(const std::string& name) {
  return nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class CsvSink : public GrowingFileSink {
 public:
  bool begin(const SinkPlan& plan) {
    if (!open(plan.path)) return false;
    for (const std::string& column : plan.signals.columns()) {
      if (!text_.empty()) text_ += ',';
      text_ += quoted(column);
    }
    text_ += '\n';
    return true;
  }
  void row(std::span<const double> values) override {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i) text_ += ',';
      append_number(text_, values[i]);
    }
    text_ += '\n';
  }

 private:
  /// A name from the model may contain anything: a quote inside a quoted field is doubled.
  static std::string quoted(std::string name) {
    if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
    for (std::size_t i = 0; (i = name.find('"', i)) != std::string::npos; i += 2) name.insert(i, 1, '"');
    return '"' + name + '"';
  }
};

class JsonSink : public GrowingFileSink {
 public:
  bool begin(const SinkPlan& plan) {
    if (!open(plan.path)) return false;
    text_ = "{\"columns\":[";
    for (const std::string& column : plan.signals.columns())
      text_ += (&column == &plan.signals.columns().front() ? "" : ",") + json_string(column);
    text_ += "],\"rows\":[";
    return true;
  }
  void row(std::span<const double> values) override {
    text_ += first_ ? "\n[" : ",\n[";
    first_ = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i) text_ += ',';
      append_json_number(text_, values[i]);
    }
    text_ += ']';
  }

 private:
  std::string_view ending() const override { return "]}\n"; }
  bool first_ = true;
};

class JsonLinesSink : public GrowingFileSink {
 public:
  bool begin(const SinkPlan& plan) {
    for (const std::string& column : plan.signals.columns()) keys_.push_back(json_string(column));
    return open(plan.path);
  }
  void row(std::span<const double> values) override {
    for (std::size_t i = 0; i < values.size(); ++i) {
      text_ += i ? ',' : '{';
      text_ += keys_[i];
      text_ += ':';
      append_json_number(text_, values[i]);
    }
    text_ += "}\n";
  }

 private:
  std::vector<std::string> keys_;
};

template <class Sink>
Result<std::unique_ptr<RecordSink>> open_text(const SinkPlan& plan) {
  auto sink = std::make_unique<Sink>();
  if (!sink->begin(plan)) return cannot_write(plan.path);
  return std::unique_ptr<RecordSink>(std::move(sink));
}

}  // namespace

Result<std::unique_ptr<RecordSink>> open_csv(const SinkPlan& plan) { return open_text<CsvSink>(plan); }
Result<std::unique_ptr<RecordSink>> open_json(const SinkPlan& plan) { return open_text<JsonSink>(plan); }
Result<std::unique_ptr<RecordSink>> open_json_lines(const SinkPlan& plan) { return open_text<JsonLinesSink>(plan); }

}  // namespace sinew
