#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// Finds the word that a misspelt one was probably meant to be. Words are offered one by one; best() is empty where
/// none is close enough: at most a third of the letters may differ.
class NearestWord {
 public:
  explicit NearestWord(std::string_view wanted) : wanted_(wanted), best_distance_(wanted.size() / 3 + 1) {}

  void offer(std::string_view word) {
    const std::size_t difference =
        word.size() > wanted_.size() ? word.size() - wanted_.size() : wanted_.size() - word.size();
    if (word.empty() || word == wanted_ || difference >= best_distance_ || wanted_.size() > kLongest) return;
    const std::size_t d = distance(word);
    if (d >= best_distance_) return;
    best_distance_ = d;
    best_ = word;
  }
  const std::string& best() const { return best_; }
  /// "did you mean 'torso'?", or nothing.
  std::string question() const { return best_.empty() ? std::string() : "did you mean '" + best_ + "'?"; }

 private:
  static constexpr std::size_t kLongest = 200;  // the comparison is quadratic

  /// Letters to insert, delete, replace or swap with the next one.
  std::size_t distance(std::string_view word) {
    const std::size_t n = wanted_.size();
    before_.assign(n + 1, 0);
    last_.resize(n + 1);
    row_.resize(n + 1);
    for (std::size_t j = 0; j <= n; ++j) last_[j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      row_[0] = i;
      for (std::size_t j = 1; j <= n; ++j) {
        const std::size_t replaced = last_[j - 1] + (word[i - 1] == wanted_[j - 1] ? 0 : 1);
        row_[j] = std::min({last_[j] + 1, row_[j - 1] + 1, replaced});
        if (i > 1 && j > 1 && word[i - 1] == wanted_[j - 2] && word[i - 2] == wanted_[j - 1])
          row_[j] = std::min(row_[j], before_[j - 2] + 1);
      }
      before_.swap(last_);
      last_.swap(row_);
    }
    return last_[n];
  }

  std::string_view wanted_;
  std::string best_;
  std::size_t best_distance_;
  std::vector<std::size_t> before_, last_, row_;
};

}  // namespace sinew
