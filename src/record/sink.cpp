#include "record/sink.h"

#include <cstdio>

#include "base/files.h"

namespace sinew {

Result<bool> WholeFileSink::flush(bool last) {
  const bool grown = table_.values.size() >= written_ + written_ / 2;
  if (!last && written_ > 0 && !grown) return true;
  const Result<std::string> bytes = content();
  if (!bytes) return bytes.error();
  written_ = table_.values.size();
  return replace_file(plan_.path, *bytes);
}

bool GrowingFileSink::open(const std::string& path) {
  path_ = path;
  file_ = std::fopen(path.c_str(), "wb");
  return file_ != nullptr;
}

GrowingFileSink::~GrowingFileSink() {
  if (file_) std::fclose(file_);
}

Result<bool> GrowingFileSink::flush(bool) {
  const std::string_view ending = this->ending();
  const auto write = [&](std::string_view text) {
    return text.empty() || std::fwrite(text.data(), 1, text.size(), file_) == text.size();
  };
  bool good = std::fseek(file_, end_, SEEK_SET) == 0;
  good = good && write(text_);
  end_ += static_cast<long>(text_.size());
  text_.clear();
  good = good && write(ending);
  if (!good || std::fflush(file_) != 0) return Error::message("cannot write '" + path_ + "'");
  return true;
}

}  // namespace sinew
