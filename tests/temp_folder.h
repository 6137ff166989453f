#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace sinew::test {

/// A temporary folder, removed with the object.
class TempFolder {
 public:
  TempFolder() {
    // mkdtemp replaces the X's
    std::string name = (std::filesystem::temp_directory_path() / "sinew-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot create a folder like " + name);
    path_ = name;
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() { std::filesystem::remove_all(path_); }

  const std::filesystem::path& path() const { return path_; }
  /// The path of a file in the folder.
  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace sinew::test
