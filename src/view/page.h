#pragma once

#include <string>
#include <string_view>

namespace sinew::view {

/// A file of the page.
struct PageFile {
  std::string_view name;  // "index.html", "app.js", "app.css"
  std::string_view type;
  std::string_view packed;  // gzip
  std::string plain;
};

/// Null if there is none of this name.
const PageFile* page_file(std::string_view name);
/// Whether the library was built with the page of web/.
bool has_page();

}  // namespace sinew::view
