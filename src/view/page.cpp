#include "view/page.h"

#include <lodepng.h>

#include <array>
#include <cstdlib>

#ifdef SINEW_PAGE_FOLDER
// the bundle as it lies on disk, gzip
#define SINEW_EMBED(symbol, file)                                                                           \
  asm(".section .rodata\n.balign 16\n" #symbol ":\n.incbin \"" SINEW_PAGE_FOLDER "/" file ".gz\"\n" #symbol \
      "_end:\n.byte 0\n.previous\n");                                                                       \
  extern "C" __attribute__((visibility("hidden"))) const char symbol[], symbol##_end[];
SINEW_EMBED(sinew_page_index, "index.html")
SINEW_EMBED(sinew_page_script, "app.js")
SINEW_EMBED(sinew_page_style, "app.css")
#undef SINEW_EMBED
#endif

namespace sinew::view {
namespace {

#ifdef SINEW_PAGE_FOLDER

/// gzip: a header of 10 bytes without options (gzip -n), deflate, checksum and size of 4 bytes each.
std::string unpack(std::string_view packed) {
  unsigned char* out = nullptr;
  std::size_t size = 0;
  const auto* data = reinterpret_cast<const unsigned char*>(packed.data());
  std::string plain;
  if (packed.size() > 18 &&
      lodepng_inflate(&out, &size, data + 10, packed.size() - 18, &lodepng_default_decompress_settings) == 0)
    plain.assign(reinterpret_cast<const char*>(out), size);
  std::free(out);
  return plain;
}

PageFile file(std::string_view name, std::string_view type, const char* begin, const char* end) {
  const std::string_view packed(begin, static_cast<std::size_t>(end - begin));
  return {name, type, packed, unpack(packed)};
}

const std::array<PageFile, 3>& files() {
  static const std::array<PageFile, 3> all = {
      file("index.html", "text/html; charset=utf-8", sinew_page_index, sinew_page_index_end),
      file("app.js", "text/javascript; charset=utf-8", sinew_page_script, sinew_page_script_end),
      file("app.css", "text/css; charset=utf-8", sinew_page_style, sinew_page_style_end)};
  return all;
}

#else

const std::array<PageFile, 1>& files() {
  static const std::array<PageFile, 1> all = {
      PageFile{"index.html", "text/html; charset=utf-8", "",
               "<!doctype html><meta charset=\"utf-8\"><title>sinew view</title>"
               "<body style=\"font-family:sans-serif;max-width:40em;margin:3em auto\"><h1>sinew view</h1>"
               "<p>The simulation is running, but this sinew was built without its page. "
               "<code>./dev build</code> builds both; it needs Node.js, or Debian's packages nodejs and npm.</p>"}};
  return all;
}

#endif

}  // namespace

const PageFile* page_file(std::string_view name) {
  for (const PageFile& file : files())
    if (file.name == name) return &file;
  return nullptr;
}

bool has_page() { return page_file("app.js") != nullptr; }

}  // namespace sinew::view
