#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "record/signals.h"
#include "sinew/batch.h"
#include "sinew/load.h"
#include "sinew/model_file.h"
#include "sinew/record.h"
#include "sinew/view.h"
#include "view/assets.h"
#include "view/describe.h"
#include "view/history.h"
#include "view/parts.h"
#include "view/snapshot.h"

namespace sinew::view {

using Clock = std::chrono::steady_clock;

/// A message of a client that concerns the simulation, already known to be an object with an op that it may send.
struct Request {
  int client = 0;
  Json body;
  std::shared_ptr<std::map<std::string, std::string>> files;  // of an upload
};

/// A message to one client, or to all (client 0).
struct Event {
  int client = 0;
  bool binary = false;
  std::string data;
};

/// What a client asks of it cannot be done; the text is for the user.
struct Refused {
  std::string text;
};

/// Parts, poses and flexes of a snapshot of a world and its scene.
void fill_snapshot(const Model& m, const Data& d, const Scene& scene, PartTable& parts, Snapshot& out);

/// The world that is watched. One thread runs it; others leave requests and take what it publishes, neither of which
/// makes it wait.
class Simulation {
 public:
  Simulation(const ViewOptions& options, std::function<void()> wake);
  ~Simulation();

  // -- from any thread, without waiting for a step
  void post(Request request);
  std::shared_ptr<const Snapshot> snapshot() const;
  std::vector<Event> take_events();
  Blob asset(const std::string& hash) const;
  /// Calls `done` with the history as recording (true) or as messages for an exported page, from another thread.
  void export_history(bool recording, std::function<void(Result<std::string>)> done);
  void set_clients(int n) { clients_ = n; }
  bool has_recording() const { return playing_; }

  // -- from the caller's thread, each waits at most for a turn
  Result<bool> open(const std::string& path, const LoadOptions& options);
  void launch(std::unique_ptr<Model> model, const Data* data, std::string file);
  Result<bool> play(const std::string& path);
  void sync(Model& model, Data& data, bool state_only);
  void sync(Batch& batch);
  void start();  // its thread
  void stop();
  bool running() const { return running_; }
  int take_steps() { return steps_asked_.exchange(0); }
  std::atomic<bool> quit = false;
  bool passive() const { return passive_; }
  bool is_ready() const { return m_ != nullptr; }

  std::recursive_mutex world;  // guards what follows and all that is private
  Viewer::Shown shown;
  void set_overlay(std::string json);
  void plot_value(const std::string& name, double value) { own_signals_[name] = value; }
  void update_assets(const Model& model);

 private:
  friend struct Operations;  // what requests do: operations.cpp

  /// What a client looks at and listens to.
  struct Watcher {
    SceneCamera camera;
    bool has_camera = false;
    struct Columns {
      std::optional<Signals> signals;  // of the model
      std::vector<std::string> own;    // of a passive viewer's caller, after them
      std::vector<std::string> names, units;
      std::size_t size() const { return names.size(); }
    };
    Columns plot;
    double plot_rate = 200;
    std::vector<double> rows;       // time and columns of each
    std::vector<double> low, high;  // of the steps that are joined, after their first and last time
    int joined = 0;
    bool line_broken = true;
    std::uint32_t jumps = 0;
    double samples_at = 0;
    Columns watch;
    std::vector<double> last_values;
    double watch_period = 0.1, values_at = 0;
    bool contacts = false;
    int picture_width = 0, picture_height = 0;
    double picture_period = 0, picture_at = 0;
    bool picture_once = false;
  };

  /// A model that was loaded in another thread.
  struct Loaded {
    std::unique_ptr<Model> model;
    std::vector<Problem> problems;
    std::string file;
    std::vector<std::string> files;  // to watch
    bool keep_state = false;
    bool is_new = false;  // asked for by the user: told
  };

  void thread_main();
  /// Runs it in a thread of its own, which stop() waits for.
  void work(std::function<void()> job);
  /// One round: requests, steps, what is published. Returns the seconds until the next.
  double turn();
  void execute(const Request& request);
  void install(std::unique_ptr<Model> model, const Data* state, const std::string& file, bool keep_state);
  void remake_texts();
  void load_later(std::string path, std::shared_ptr<std::map<std::string, std::string>> files, bool keep_state);
  static Loaded load_now(const std::string& path, const std::map<std::string, std::string>* files,
                         const LoadOptions& options);
  void take_loaded();
  void look_at_files(double now);

  void advance(double now);
  bool step_once(bool show);
  void step_by(int n);
  void step_back(std::int64_t n);
  void go_to(std::size_t moment);
  void leave_history();
  void playback(double now);
  void before_step();
  void reset_world(int key);
  void jumped();
  void change(std::function<void(Model&, Data&)> what);
  void diverge(std::string text);
  void compute();  // forward
  Json keys_text() const;

  void sample();
  void send_samples(double now);
  /// How many steps make a pair of rows; 1: each its own row.
  int steps_per_pair(const Watcher& w) const;
  /// The signals of these names; throws Refused.
  Watcher::Columns columns_of(const std::vector<std::string>& names) const;
  void read_columns(const Watcher::Columns& columns, std::vector<double>& row) const;  // time first
  void publish();
  void draw_pictures(double now);
  void send_status(double now);
  Json selection();
  Json profile();
  Json contacts() const;
  void send(int client, const Json& message);
  void send_bytes(int client, std::string bytes);
  void set_text(TextKind kind, const Json& message);
  SceneCamera& camera_of(int client);
  Status make_scene(SceneCamera& camera, Scene& scene);
  void make_worlds();
  void step_worlds();
  void focus_on(int world);
  void gather_worlds(const Batch& batch, double now);
  int worlds() const { return batch_ ? batch_->size() : shown_worlds_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - epoch_).count(); }

  const ViewOptions options_;
  const std::function<void()> wake_;
  const Clock::time_point epoch_ = Clock::now();
  LoadOptions load_options_;
  std::map<std::string, std::string> load_files_;

  // shared with other threads under io_, which is never held for long
  mutable std::mutex io_;
  std::condition_variable asked_;
  std::vector<Request> requests_;
  std::vector<Event> events_;
  std::shared_ptr<const Snapshot> snapshot_;
  AssetStore assets_, old_assets_;
  std::optional<Loaded> loaded_;
  std::vector<std::thread> workers_;
  std::atomic<int> workers_busy_ = 0;
  bool loading_ = false;
  bool stopping_ = false;
  bool has_news_ = false;

  std::thread thread_;
  std::atomic<int> clients_ = 0;
  std::atomic<bool> running_ = false;
  std::atomic<bool> playing_ = false;
  std::atomic<int> steps_asked_ = 0;
  std::atomic<bool> passive_ = false;

  // the world
  std::unique_ptr<Model> m_;
  std::unique_ptr<Data> d_;
  std::string file_;
  std::vector<std::pair<std::string, std::filesystem::file_time_type>> files_;
  double files_at_ = 0;
  int generation_ = 0;
  std::int64_t steps_ = 0;
  double speed_ = 1;
  double sim0_ = 0, wall0_ = 0;                               // simulated and real time at which it was last in step
  bool dirty_ = true;                                         // something changed that was not computed yet
  bool shown_is_old_ = true;                                  // something changed that is not in the snapshot
  std::vector<std::function<void(Model&, Data&)>> pending_;   // changes for the caller of sync
  int pulled_body_ = 0;                                       // whose xfrc_applied is the mouse's
  std::vector<std::pair<std::string, Json>> visual_changes_;  // survive reloads
  std::vector<Problem> problems_;
  std::string problems_title_;
  struct Key {
    std::string name;
    double time;
    std::vector<double> state;
  };
  std::vector<Key> saved_keys_;
  Drawing drawing_;
  Scene scene_;
  std::optional<PartTable> parts_;
  Texts texts_;
  std::uint32_t text_version_ = 0;
  std::uint32_t jumps_ = 0;
  std::uint64_t number_ = 0;
  bool lights_are_old_ = true;
  int told_lights_ = 0;
  std::uint64_t flex_number_ = 0;
  double shown_at_ = -1, flex_at_ = -1, synced_at_ = -1;
  std::map<int, Watcher> watchers_;
  std::map<std::string, double> own_signals_;
  int master_ = 0;  // whose camera `shown` has
  WarningLog warnings_;
  std::string diverged_;

  History history_;
  std::size_t now_ = 0;  // moment that is shown; history_.size(): the present
  bool in_history_ = false;
  bool loop_ = false;

  // many worlds; the one in focus lives in d_
  std::unique_ptr<Batch> batch_;
  int shown_worlds_ = 1;  // of a batch that the caller steps
  std::shared_ptr<const WorldPoses> poses_;
  double poses_at_ = -1;

  ScenePick picked_;  // what `perturb.select` was chosen by
  std::vector<int> keys_pressed_;
  struct Painter;
  std::shared_ptr<Painter> painter_;
  std::atomic<bool> painting_ = false;
  std::vector<double> row_;

  // measurements
  double status_at_ = 0, step_seconds_ = 0, scene_seconds_ = 0, time_at_status_ = 0;
  double steps_per_second_ = 0;
  std::int64_t steps_at_status_ = 0;
  std::uint64_t number_at_status_ = 0;
  std::optional<Data> profile_data_;
  double profile_at_ = 0;
  Json stages_;
};

}  // namespace sinew::view
