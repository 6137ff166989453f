#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sinew {

enum class Severity : std::uint8_t { Warning, Error };

/// One thing that is wrong with the user's input, addressed to the person who can fix it.
struct Problem {
  Severity severity = Severity::Error;
  std::string file;                        // the file that holds the element; empty if there is none
  int line = 0;                            // 1-based; 0 if there is none
  std::string element;                     // "geom"
  std::string name;                        // the element's name attribute; empty if it has none
  std::string attribute;                   // "size"; empty if it concerns the whole element
  std::string message;                     // what was found, and what is allowed
  std::string hint;                        // how to fix it; may be empty
  std::vector<std::string> included_from;  // "file:line" of each include that led to `file`, innermost first

  /// arm.xml:41: error: <geom name="palm" size>: has 1 number, needs 2 (…)
  std::string text() const;
};

/// A refusal: at least one problem of severity Error, with the warnings found on the way.
class Error {
 public:
  Error() = default;
  explicit Error(std::vector<Problem> problems) : problems_(std::move(problems)) {}
  explicit Error(Problem problem) { problems_.push_back(std::move(problem)); }
  /// A refusal without a location in a file.
  static Error message(std::string text);

  const std::vector<Problem>& problems() const { return problems_; }
  /// The first problem of severity Error.
  const Problem& first() const;
  /// Every problem, one per line.
  std::string text() const;

 private:
  std::vector<Problem> problems_;
};

/// The exception form of Error, for those who prefer it: load_or_throw, Result::value_or_throw.
class Exception : public std::runtime_error {
 public:
  explicit Exception(Error error) : std::runtime_error(error.text()), error_(std::move(error)) {}
  const Error& error() const { return error_; }

 private:
  Error error_;
};

/// A value, or the error that prevented it.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT: implicit by design
  Result(Error error) : state_(std::move(error)) {}  // NOLINT: implicit by design

  explicit operator bool() const { return state_.index() == 0; }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { return std::get<1>(state_); }

  T value_or_throw() && {
    if (!*this) throw Exception(error());
    return std::get<0>(std::move(state_));
  }

 private:
  std::variant<T, Error> state_;
};

}  // namespace sinew
