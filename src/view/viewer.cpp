#include <condition_variable>

#include "sinew/view.h"
#include "view/server.h"
#include "view/simulation.h"

namespace sinew {

struct Viewer::Parts {
  explicit Parts(const ViewOptions& o) : server(o), simulation(o, [this] { server.wake(); }) {
    address = server.address();
    server.start(simulation);
    simulation.start();
  }
  ~Parts() { close(); }
  void close() {
    if (closed.exchange(true)) return;
    server.stop();
    simulation.stop();
  }
  view::Server server;
  view::Simulation simulation;
  std::string address;
  std::atomic<bool> closed = false;
};

Viewer::Viewer(const ViewOptions& options) : parts_(std::make_unique<Parts>(options)) {}
Viewer::~Viewer() = default;

const std::string& Viewer::address() const { return parts_->address; }
int Viewer::port() const { return parts_->server.port(); }

Result<bool> Viewer::open(const std::string& path, const LoadOptions& options) {
  return parts_->simulation.open(path, options);
}
void Viewer::launch(const Model& model, const Data* data) {
  parts_->simulation.launch(std::make_unique<Model>(model), data, "");
}
Result<bool> Viewer::play(const std::string& path) { return parts_->simulation.play(path); }

void Viewer::sync(Model& model, Data& data, bool state_only) { parts_->simulation.sync(model, data, state_only); }
void Viewer::sync(Batch& batch) { parts_->simulation.sync(batch); }

bool Viewer::is_running() const { return !parts_->closed && !parts_->simulation.quit; }
void Viewer::wait(double seconds) const {
  const auto end = view::Clock::now() + std::chrono::duration<double>(std::min(seconds, 1e8));
  while (is_running() && view::Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}
void Viewer::close() { parts_->close(); }

int Viewer::clients() const { return parts_->server.clients(); }
bool Viewer::run() const { return parts_->simulation.running(); }
int Viewer::steps_requested() { return parts_->simulation.take_steps(); }

std::unique_lock<std::recursive_mutex> Viewer::lock() const { return std::unique_lock(parts_->simulation.world); }
Viewer::Shown& Viewer::shown() { return parts_->simulation.shown; }
void Viewer::set_overlay(const std::string& json) { parts_->simulation.set_overlay(json); }
void Viewer::plot(const std::string& name, double value) {
  const auto held = lock();
  parts_->simulation.plot_value(name, value);
}
void Viewer::update_assets(const Model& model) {
  const auto held = lock();
  parts_->simulation.update_assets(model);
}

}  // namespace sinew
