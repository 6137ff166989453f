#include <fmt/format.h>

#include <cmath>

#include "sinew/step.h"
#include "sinew/version.h"
#include "view/client_frames.h"
#include "view/page.h"
#include "view/simulation.h"

// The history as a file: for --play, or as a page that needs no server.

namespace sinew::view {
namespace {

constexpr double kExportPeriod = 1.0 / 30;  // s between frames

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t i = text.find(what); i != std::string::npos; i = text.find(what, i + by.size()))
    text.replace(i, what.size(), by);
}

/// Puts a text in the place of the element that starts with `open`, names `file` and ends with `close`.
void inline_file(std::string& page, std::string_view open, std::string_view file, std::string_view close,
                 const std::string& text) {
  const std::size_t name = page.find(file);
  const std::size_t start = name == std::string::npos ? name : page.rfind(open, name);
  const std::size_t end = name == std::string::npos ? name : page.find(close, name);
  if (start == std::string::npos || end == std::string::npos) return;
  page.replace(start, end + close.size() - start, text);
}

/// The bytes of the element sinew-export.
class Package {
 public:
  explicit Package(const AssetStore& assets) {
    out_.put_text("SINEWX1\n").put(static_cast<std::uint32_t>(assets.size()));
    for (const auto& [hash, blob] : assets)
      out_.put_text(hash).put(static_cast<std::uint32_t>(blob->size())).put_text(*blob);
    count_at_ = out_.size();
    out_.put(std::uint32_t{0});
  }
  void add(double time, bool binary, std::string_view message) {
    if (message.empty()) return;
    out_.put(time).put(static_cast<std::uint8_t>(binary ? 1 : 0)).put(static_cast<std::uint32_t>(message.size()));
    out_.put_text(message);
    out_.set(count_at_, ++count_);
  }
  std::string take() && { return std::move(out_).take(); }

 private:
  Bytes out_;
  std::size_t count_at_ = 0;
  std::uint32_t count_ = 0;
};

/// A world that is drawn moment by moment.
struct Film {
  std::unique_ptr<Model> model;
  std::deque<Moment> moments;
  Drawing drawing;
  Texts texts;
  AssetStore assets;

  std::string page() {
    const PageFile *index = page_file("index.html"), *script = page_file("app.js"), *style = page_file("app.css");
    if (!script || !style) throw Exception(Error::message("this sinew was built without its page"));
    std::string code = script->plain, html = index->plain;
    replace_all(code, "</script", "<\\/script");
    inline_file(html, "<link", "app.css", ">", "<style>" + style->plain + "</style>");
    const std::string data = base64(package());
    // the data first: the script finds it when it starts
    inline_file(html, "<script", "app.js", "</script>",
                "<script type=\"application/octet-stream\" id=\"sinew-export\">" + data +
                    "</script>\n<script type=\"module\">" + code + "</script>");
    return html;
  }

  std::string package() {
    const Model& m = *model;
    Package out(assets);
    const double start = moments.empty() ? 0 : moments.front().time;
    out.add(start, false,
            text_of({{"op", "welcome"},
                     {"protocol", 1},
                     {"version", kVersion},
                     {"client", 0},
                     {"read_only", true},
                     {"passive", false},
                     {"fps", 30},
                     {"picture", false},
                     {"upload", false},
                     {"worlds", 1},
                     {"recording", true},
                     {"token_in_url", false},
                     {"show_left", true},
                     {"show_right", true}}));
    for (const TextKind kind : {kTextModel, kTextSettings, kTextLights})
      if (texts[kind].json) out.add(start, false, *texts[kind].json);
    Data d(m);
    Scene scene(m);
    PartTable table(m);
    ClientFrames frames;
    SceneCamera camera = default_free_camera(m);
    double last = -1e300;
    for (const Moment& moment : moments) {
      if (moment.time >= last && moment.time < last + kExportPeriod - 1e-9) continue;
      last = moment.time;
      set_state(m, d, moment.state, History::kBits);
      if (!forward(m, d) || !update_scene(m, d, drawing.option, nullptr, camera, kSceneAll, scene)) continue;
      Snapshot now;
      fill_snapshot(m, d, scene, table, now);
      out.add(moment.time, true, frames.parts(now));
      frames.complete();
      out.add(moment.time, true, frames.frame(now, 0));
      for (const FlexPoints& points : now.flexes) out.add(moment.time, true, ClientFrames::flex(points));
    }
    return std::move(out).take();
  }
};

}  // namespace

void Simulation::export_history(bool recording, std::function<void(Result<std::string>)> done) {
  const std::lock_guard lock(world);
  if (!m_) {
    done(Error::message("there is no model"));
    return;
  }
  auto film = std::make_shared<Film>();
  film->model = std::make_unique<Model>(*m_);
  film->moments = history_.moments();
  if (film->moments.empty()) {
    History present;
    present.add(*m_, *d_, steps_);
    film->moments = present.moments();
  }
  film->drawing = drawing_;
  film->texts = texts_;
  work([this, film, recording, done = std::move(done)] {
    try {
      if (recording) {
        done(write_recording(*film->model, film->moments));
        return;
      }
      {
        const std::lock_guard inner(io_);
        film->assets = assets_;
      }
      done(film->page());
    } catch (const std::exception& e) {
      done(Error::message(e.what()));
    }
  });
}

}  // namespace sinew::view
