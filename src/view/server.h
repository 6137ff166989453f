#pragma once

#include <memory>
#include <string>

#include "view/simulation.h"

namespace sinew::view {

/// HTTP and WebSocket on one port, in a thread of its own.
class Server {
 public:
  /// Listens; throws Exception if that fails.
  explicit Server(const ViewOptions& options);
  ~Server();

  /// Serves this simulation from now on.
  void start(Simulation& simulation);
  void stop();
  /// There is something to send. From any thread.
  void wake();

  int port() const;
  const std::string& token() const;
  int clients() const;
  std::string address() const;

  struct Parts;

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace sinew::view
