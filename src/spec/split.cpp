#include "spec/split.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

// The elements of an included file are one contiguous run in one place, or, if it was included at the top of the model,
// one run in each of several sections. In the first case the <include> goes there; in the second the sections of the
// including file are cut in two, with the <include> between the parts. A file whose elements a program has scattered
// becomes part of the file that included it.

namespace sinew::mjcf {
namespace {

namespace fs = std::filesystem;

constexpr int kMain = 0;
constexpr std::size_t kSectionDepth = 1;

/// A run of children of one element.
struct Run {
  const XmlElement* parent;
  std::size_t begin, end;
};

class Splitter {
 public:
  Splitter(const XmlElement& root, const std::vector<Spec::File>& files)
      : root_(root), files_(files), is_joined_(files.size()), paths_(files.size()), places_(files.size()) {
    std::set<std::string> taken;
    for (std::size_t i = 1; i < files.size(); ++i) {
      paths_[i] = path_beside_main(files[i].path);
      is_joined_[i] = files[i].model != 0 || paths_[i].empty() || !taken.insert(paths_[i]).second;
    }
  }

  std::vector<WrittenFile> split() {
    do {
      out_.clear();
      find_places();
    } while (!write_sections(kMain, sections(), root_.name));
    std::rotate(out_.begin(), out_.end() - 1, out_.end());  // the main file is finished last
    return std::move(out_);
  }

 private:
  struct Place {
    const XmlElement* parent;
    std::size_t depth;
  };

  /// Path in the <include>: relative to the main model's folder, or else the file name alone.
  std::string path_beside_main(const std::string& path) const {
    const fs::path relative = fs::path(path).lexically_relative(fs::path(files_[kMain].path).parent_path() / "");
    const bool inside = !relative.empty() && relative.is_relative() && *relative.begin() != "..";
    return (inside ? relative : fs::path(path).filename()).generic_string();
  }

  int parent_of(int file) const { return files_[static_cast<std::size_t>(file)].parent; }

  /// The chain of includes from a file to that of an element, outermost first; empty if the element is in the file.
  std::vector<int> way(int from, int file) const {
    std::vector<int> back;
    if (file < 0 || static_cast<std::size_t>(file) >= files_.size()) return back;
    for (; file != from && file > kMain; file = parent_of(file))
      if (!is_joined_[static_cast<std::size_t>(file)]) back.push_back(file);
    if (file != from) back.clear();
    std::reverse(back.begin(), back.end());
    return back;
  }

  /// The first of them, or `from`.
  int include_at(int from, const XmlElement& element) const {
    const std::vector<int> files = way(from, element.file);
    return files.empty() ? from : files.front();
  }

  void scan(const XmlElement& node, int file, std::size_t depth) {
    std::vector<int> before;
    for (const XmlElement& child : node.children) {
      std::vector<int> here = way(file, child.file);
      const auto differ = std::mismatch(before.begin(), before.end(), here.begin(), here.end()).second;
      for (auto it = differ; it != here.end(); ++it) places_[static_cast<std::size_t>(*it)].push_back({&node, depth});
      scan(child, here.empty() ? file : here.back(), depth + 1);
      before = std::move(here);
    }
  }

  /// Where each file's elements are; files that are neither in one place nor in sections are joined to their parents.
  void find_places() {
    for (bool again = true; std::exchange(again, false);) {
      for (auto& list : places_) list.clear();
      scan(root_, kMain, 0);
      for (std::size_t i = 1; i < files_.size(); ++i) {
        std::set<const XmlElement*> parents;
        for (const Place& place : places_[i]) parents.insert(place.parent);
        const bool in_sections = std::all_of(places_[i].begin(), places_[i].end(),
                                             [](const Place& place) { return place.depth == kSectionDepth; });
        if (places_[i].size() <= 1 || (in_sections && parents.size() == places_[i].size())) continue;
        is_joined_[i] = again = true;
      }
    }
  }

  bool is_at_top(int file) const { return places_[static_cast<std::size_t>(file)].size() > 1; }

  std::vector<Run> sections() const {
    std::vector<Run> out;
    for (const XmlElement& section : root_.children) out.push_back({&section, 0, section.children.size()});
    return out;
  }

  std::size_t end_of(const Run& run, int from, int file) const {
    std::size_t i = run.begin;
    while (i < run.end && include_at(from, run.parent->children[i]) == file) ++i;
    return i;
  }

  XmlElement include(int file) const {
    XmlElement out{"include", {}, -1, {}};
    out.add_attribute("file", paths_[static_cast<std::size_t>(file)]);
    return out;
  }

  void finish(int file, const XmlElement& root) {
    out_.push_back({paths_[static_cast<std::size_t>(file)], to_text(root)});
  }

  /// Copies a run of a file's elements, with includes in place of elements of other files.
  void copy(Run run, int file, XmlElement& into) {
    while (run.begin < run.end) {
      const XmlElement& child = run.parent->children[run.begin];
      const int other = include_at(file, child);
      if (other == file) {
        XmlElement& element = into.children.emplace_back(XmlElement{child.name, child.attributes, -1, {}});
        copy({&child, 0, child.children.size()}, file, element);
        ++run.begin;
        continue;
      }
      const std::size_t end = end_of(run, file, other);
      into.children.push_back(include(other));
      XmlElement root{"mujocoinclude", {}, -1, {}};
      copy({run.parent, run.begin, end}, other, root);
      finish(other, root);
      run.begin = end;
    }
  }

  /// The next file included at the top, if every section in which it occurs has reached it; -1: none left. If the
  /// sections disagree about the order, joins one of them and returns `file`.
  int next_at_top(int file, const std::vector<Run>& sections) {
    int blocked = -1;
    for (const Run& at : sections) {
      if (at.begin == at.end) continue;
      const int candidate = include_at(file, at.parent->children[at.begin]);
      const bool ready = std::none_of(sections.begin(), sections.end(), [&](const Run& run) {
        for (std::size_t i = end_of(run, file, candidate); i < run.end; ++i)
          if (include_at(file, run.parent->children[i]) == candidate) return true;
        return false;
      });
      if (ready) return candidate;
      blocked = candidate;
    }
    if (blocked < 0) return -1;
    is_joined_[static_cast<std::size_t>(blocked)] = true;
    return file;
  }

  /// False if a file had to be joined to another, so everything must be redone.
  bool write_sections(int file, std::vector<Run> sections, const std::string& root_name) {
    XmlElement out{root_name, file == kMain ? root_.attributes : std::string(), -1, {}};
    for (bool first = true;; first = false) {
      for (Run& run : sections) {
        std::size_t end = run.begin;
        const auto at_top = [&](std::size_t i) {
          const int other = include_at(file, run.parent->children[i]);
          return other != file && is_at_top(other);
        };
        while (end < run.end && !at_top(end)) ++end;
        XmlElement part{run.parent->name, first && file == kMain ? run.parent->attributes : std::string(), -1, {}};
        copy({run.parent, run.begin, end}, file, part);
        run.begin = end;
        if (!part.children.empty() || !part.attributes.empty()) out.children.push_back(std::move(part));
      }
      const int next = next_at_top(file, sections);
      if (next == file) return false;
      if (next < 0) break;
      std::vector<Run> inside;
      for (Run& run : sections) {
        const std::size_t end = end_of(run, file, next);
        if (end > run.begin) inside.push_back({run.parent, std::exchange(run.begin, end), end});
      }
      out.children.push_back(include(next));
      if (!write_sections(next, std::move(inside), "mujocoinclude")) return false;
    }
    finish(file, out);
    return true;
  }

  const XmlElement& root_;
  const std::vector<Spec::File>& files_;
  std::vector<bool> is_joined_;             // to the file that included it
  std::vector<std::string> paths_;          // as written
  std::vector<std::vector<Place>> places_;  // where runs of a file's elements begin
  std::vector<WrittenFile> out_;
};

}  // namespace

std::vector<WrittenFile> split_by_file(const XmlElement& root, const std::vector<Spec::File>& files) {
  if (files.empty()) return {{std::string(), to_text(root)}};
  return Splitter(root, files).split();
}

}  // namespace sinew::mjcf
