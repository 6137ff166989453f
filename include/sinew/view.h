#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sinew/data.h"
#include "sinew/error.h"
#include "sinew/load.h"
#include "sinew/model.h"
#include "sinew/scene.h"

// A running simulation in a browser (library sinew::view, docs/viewer.md): HTTP and WebSocket on one port of this
// machine. The page shows what update_scene lists; several may watch, one holds the controls.

namespace sinew {

class Batch;

struct ViewOptions {
  std::string host = "127.0.0.1";  // address to listen at; others than loopback let other machines in
  int port = 7077;                 // the next free one if it is taken; 0: any
  std::string token;               // part of the address that lets a page in; empty: a random one
  bool with_token = true;          // false: anyone on this machine may watch and control; on loopback only
  bool read_only = false;          // pages only watch
  bool paused = false;
  double speed = 1;                           // simulated seconds per second; 0: as fast as possible
  double fps = 60;                            // frames per second, at most
  int key = -1;                               // keyframe at the start and after a reset
  bool watch = true;                          // load again when a file changes
  int worlds = 1;                             // worlds of the model, the others with a small random push at the start
  bool show_left = true, show_right = true;   // panels of the page
  std::function<void(int)> on_key = nullptr;  // keys pressed on the page, as GLFW codes; from a thread of the viewer
};

/// Serves its pages until it is destroyed. Use it in one of two ways: open or launch, and it simulates in a thread of
/// its own; or sync, and the caller does.
class Viewer {
 public:
  /// Listens. Throws Exception if that fails.
  explicit Viewer(const ViewOptions& options = {});
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  /// "http://127.0.0.1:7077/?token=…"
  const std::string& address() const;
  int port() const;

  /// Loads a model and simulates it; loads it again when one of its files changes or a page asks for it. An invalid
  /// model is returned as error and shown, and loading goes on when its files change.
  Result<bool> open(const std::string& path, const LoadOptions& options = {});
  /// Simulates copies of a model and, if given, a world of it, without its callbacks.
  void launch(const Model& model, const Data* data = nullptr);
  /// Shows a recording (.npz) of the model instead of a simulation.
  Result<bool> play(const std::string& path);

  /// Shows a world that the caller steps: takes over what changed on the page into `model` and `data` (controls,
  /// positions, options, perturbations), then copies what is drawn. Does not wait for the network. With state_only the
  /// model is not copied, and the viewer computes everything from the state.
  void sync(Model& model, Data& data, bool state_only = false);
  /// Shows the worlds of a batch; the one in focus with everything.
  void sync(Batch& batch);

  /// False after close or when a page ended the viewer.
  bool is_running() const;
  /// Returns when it ends, or after this many seconds.
  void wait(double seconds = 1e9) const;
  void close();

  /// Pages that are connected.
  int clients() const;
  /// For callers of sync: the page's run button, and steps that it asked for since the last call.
  bool run() const;
  int steps_requested();

  /// What is drawn, shared with the pages: hold the lock while reading or writing it, and not for long.
  struct Shown {
    SceneCamera camera;  // of the page that has the controls; written here, it moves that page's camera
    SceneOption option;
    Perturb perturb;
    RenderFlags flags = default_render_flags();
    std::vector<SceneGeom> geoms;  // drawn in addition
    int width = 0, height = 0;     // pixels of the page's canvas
  };
  std::unique_lock<std::recursive_mutex> lock() const;
  Shown& shown();

  /// Texts, curves and pictures over the page of a passive viewer, as JSON of the message "overlay".
  void set_overlay(const std::string& json);
  /// A number that pages can plot under this name.
  void plot(const std::string& name, double value);
  /// Sends an edited mesh, height field or texture again.
  void update_assets(const Model& model);

  struct Parts;

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace sinew
