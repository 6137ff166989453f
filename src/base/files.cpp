#include "base/files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/limits.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::string last_part(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  std::string name(slash == std::string_view::npos ? path : path.substr(slash + 1));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

}  // namespace

const std::string* Files::in_memory(const std::string& path) const {
  if (!memory_) return nullptr;
  if (const auto exact = memory_->find(path); exact != memory_->end()) return &exact->second;
  const std::string wanted = last_part(path);
  const auto found = std::find_if(memory_->begin(), memory_->end(),
                                  [&](const auto& entry) { return last_part(entry.first) == wanted; });
  return found == memory_->end() ? nullptr : &found->second;
}

bool Files::exists(const std::string& path) const {
  std::error_code ignored;
  return in_memory(path) || (!only_memory_ && fs::exists(path, ignored));
}

Result<std::string> Files::read(const std::string& path, Budget& budget) const {
  std::string why;
  const auto refuse = [&](const std::string& reason) {
    return Error::message("cannot read \"" + path + "\": " + reason);
  };
  const auto may_take = [&](std::uintmax_t bytes) {
    if (bytes > limits::kFileBytes)
      why = "it has " + std::to_string(bytes) + " bytes, the maximum is " + std::to_string(limits::kFileBytes);
    else if (!budget.take(static_cast<double>(bytes)))
      why = "it " + budget.refusal(static_cast<double>(bytes)) + " (" + Budget::kHint + ")";
    return why.empty();
  };
  if (const std::string* content = in_memory(path)) {
    if (!may_take(content->size())) return refuse(why);
    return *content;
  }
  if (only_memory_) return refuse("it is not among the given files");
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (!fs::exists(status)) return refuse("there is no such file");
  if (fs::is_directory(status)) return refuse("it is a directory");
  if (!fs::is_regular_file(status)) return refuse("it is not a regular file");
  const std::uintmax_t bytes = fs::file_size(path, failure);
  if (failure) return refuse(failure.message());
  if (!may_take(bytes)) return refuse(why);
  std::string text(static_cast<std::size_t>(bytes), '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream) return refuse("reading failed");
  return text;
}

Result<bool> replace_file(const std::string& path, std::string_view bytes) {
  const std::string temporary = path + ".part";
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) return Error::message("cannot write '" + temporary + "'");
  }
  std::error_code failure;
  fs::rename(temporary, path, failure);
  if (failure) return Error::message("cannot write '" + path + "': " + failure.message());
  return true;
}

}  // namespace sinew
