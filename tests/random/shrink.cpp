#include "random/shrink.h"

#include <chrono>
#include <cstddef>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace random_worlds {
namespace {

class Shrinker {
 public:
  Shrinker(World world, const std::function<bool(const World&)>& fails) : best_(std::move(world)), fails_(fails) {}

  World run() {
    for (bool smaller = true; smaller && !late();) {
      smaller = false;
      smaller = starts() || smaller;
      smaller = elements() || smaller;
      smaller = unwrap() || smaller;
      smaller = attributes() || smaller;
    }
    numbers();
    return best_;
  }

 private:
  using Path = std::vector<std::size_t>;

  bool late() const { return std::chrono::steady_clock::now() - begin_ > std::chrono::seconds(60); }
  bool keep(World candidate) {
    if (late() || !fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }
  static Element& at(Element& root, const Path& path) {
    Element* e = &root;
    for (const std::size_t i : path) e = &e->children[i];
    return *e;
  }
  static void collect(const Element& e, Path& path, std::vector<Path>& all) {
    all.push_back(path);
    for (std::size_t i = 0; i < e.children.size(); ++i) {
      path.push_back(i);
      collect(e.children[i], path, all);
      path.pop_back();
    }
  }
  std::vector<Path> paths() const {
    std::vector<Path> all;
    Path path;
    collect(best_.root, path, all);
    return all;
  }

  bool starts() {
    bool smaller = false;
    for (unsigned bit = 1; bit < 1U << kStartBits; bit <<= 1) {
      if ((best_.start & bit) == 0) continue;
      World candidate = best_;
      candidate.start &= ~bit;
      smaller = keep(std::move(candidate)) || smaller;
    }
    return smaller;
  }

  /// Removes ranges of children: all, halves, quarters … single ones; in every element, outer ones first.
  bool elements() {
    bool smaller = false;
    for (std::size_t p = 0; p < paths().size(); ++p) {
      const Path path = paths()[p];
      for (std::size_t size = at(best_.root, path).children.size(); size > 0; size /= 2) {
        std::size_t from = 0;
        while (from < at(best_.root, path).children.size()) {
          World candidate = best_;
          auto& children = at(candidate.root, path).children;
          const std::size_t to = std::min(children.size(), from + size);
          children.erase(children.begin() + static_cast<std::ptrdiff_t>(from),
                         children.begin() + static_cast<std::ptrdiff_t>(to));
          if (keep(std::move(candidate))) {
            smaller = true;
          } else {
            from += size;
          }
        }
      }
    }
    return smaller;
  }

  /// Replaces bodies and frames by their children.
  bool unwrap() {
    bool smaller = false;
    for (std::size_t p = paths().size(); p-- > 1;) {
      if (p >= paths().size()) continue;
      const Path path = paths()[p];
      if (at(best_.root, path).name != "body" && at(best_.root, path).name != "frame") continue;
      World candidate = best_;
      const Path parent(path.begin(), path.end() - 1);
      std::vector<Element> inner;
      for (const Element& child : at(candidate.root, path).children) {
        if (child.name == "body" || child.name == "frame") inner.push_back(child);
      }
      if (inner.empty()) continue;
      auto& siblings = at(candidate.root, parent).children;
      siblings.erase(siblings.begin() + static_cast<std::ptrdiff_t>(path.back()));
      siblings.insert(siblings.begin() + static_cast<std::ptrdiff_t>(path.back()), inner.begin(), inner.end());
      smaller = keep(std::move(candidate)) || smaller;
    }
    return smaller;
  }

  bool attributes() {
    bool smaller = false;
    for (const Path& path : paths()) {
      if (at(best_.root, path).attributes.size() > 1) {
        World candidate = best_;
        std::erase_if(at(candidate.root, path).attributes, [](const auto& a) {
          return a.first != "name" && a.first != "type" && a.first != "size" && a.first != "mesh" &&
                 a.first != "vertex";
        });
        if (at(candidate.root, path).attributes.size() < at(best_.root, path).attributes.size()) {
          smaller = keep(std::move(candidate)) || smaller;
        }
      }
      for (std::size_t i = at(best_.root, path).attributes.size(); i-- > 0;) {
        World candidate = best_;
        auto& list = at(candidate.root, path).attributes;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
        smaller = keep(std::move(candidate)) || smaller;
      }
    }
    return smaller;
  }

  /// Replaces each number of each attribute by 0, 1, or its one-digit rounding.
  void numbers() {
    for (const Path& path : paths()) {
      for (std::size_t i = 0; i < at(best_.root, path).attributes.size(); ++i) {
        std::vector<std::string> words = split(at(best_.root, path).attributes[i].second);
        if (words.size() > 40) continue;
        for (std::size_t w = 0; w < words.size(); ++w) {
          char* end = nullptr;
          const double value = std::strtod(words[w].c_str(), &end);
          if (words[w].empty() || *end != '\0') continue;
          char rounded[32];
          std::snprintf(rounded, sizeof rounded, "%.1g", value);
          for (const std::string& simple : {std::string("0"), std::string("1"), std::string(rounded)}) {
            if (words[w].size() <= simple.size()) break;
            std::vector<std::string> changed = words;
            changed[w] = simple;
            World candidate = best_;
            at(candidate.root, path).attributes[i].second = join(changed);
            if (keep(std::move(candidate))) {
              words = changed;
              break;
            }
          }
        }
      }
    }
  }

  static std::vector<std::string> split(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
  }
  static std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
  }

  World best_;
  const std::function<bool(const World&)>& fails_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

World shrink(World world, const std::function<bool(const World&)>& fails) {
  return Shrinker(std::move(world), fails).run();
}

}  // namespace random_worlds
