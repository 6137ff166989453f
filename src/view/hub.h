#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "view/client_frames.h"
#include "view/simulation.h"

namespace sinew::view {

/// The connection to a client, as the protocol sees it.
class Link {
 public:
  virtual ~Link() = default;
  virtual void send(std::shared_ptr<const std::string> message, bool binary) = 0;
  /// A mark after what was sent; Hub::answered is called when the client has received it.
  virtual void mark() = 0;
  virtual void close(int code, const std::string& reason) = 0;
  /// Messages that are not written yet, and their bytes.
  virtual std::size_t waiting() const = 0;
  virtual std::size_t waiting_bytes() const = 0;
  /// Longest message that is read.
  virtual void limit(std::size_t bytes) = 0;
};

/// The protocol of docs/viewer_protocol.md: who may do what, and what each client is told. Used by one thread.
class Hub {
 public:
  static constexpr int kMostClients = 16;
  static constexpr std::size_t kMostText = 64 << 10, kMostPiece = (256 << 10) + 8;

  Hub(Simulation& simulation, const ViewOptions& options);

  bool full() const { return clients_.size() >= kMostClients; }
  /// A new client; its number.
  int join(Link& link);
  void leave(int client);
  void receive(int client, std::string_view message, bool binary);
  /// A mark has arrived.
  void answered(int client);
  /// Sends what is new to those who can take it.
  void pump();
  /// To be called a few times per second.
  void tick();
  void say_bye(const std::string& text);

 private:
  struct Upload {
    std::string main;
    std::vector<std::string> names;
    std::vector<std::size_t> sizes;
    std::vector<std::string> contents;
    std::size_t missing = 0;  // bytes
  };
  struct Client {
    Link* link = nullptr;
    double joined = 0;
    bool greeted = false;
    std::array<std::uint32_t, kNumTexts> texts{};  // versions that it has
    ClientFrames frames;
    std::uint64_t flex = 0, worlds = 0;
    std::deque<double> marks;  // when those were sent that are not answered
    double round_trip = 0.05;  // s, the shortest seen
    double frame_at = 0;
    double second = 0;  // start of the second whose messages are counted
    int messages = 0;
    int full_seconds = 0;  // with too many messages, in a row
    std::unique_ptr<Upload> upload;
    std::vector<std::pair<std::shared_ptr<const std::string>, bool>> held;  // until it knows the model
  };

  void handle(int id, Client& client, const Json& message);
  void hello(int id, Client& client, const Json& message);
  void start_upload(int id, Client& client, const Json& message);
  void take_piece(int id, Client& client, std::string_view piece);
  void set_stream(Client& client, const Json& message);
  void give_controls(int client);
  void tell_controls();
  void refuse(Client& client, const std::string& text, const Json& message);
  void send(Client& client, const Json& message);
  void bring_up_to_date(Client& client, const Snapshot& snapshot, bool first = false);
  void deliver(Client& client, std::shared_ptr<const std::string> message, bool binary);
  bool admit(int id, Client& client);
  double seconds() const { return std::chrono::duration<double>(Clock::now() - epoch_).count(); }

  Simulation& simulation_;
  const ViewOptions& options_;
  const Clock::time_point epoch_ = Clock::now();
  std::map<int, Client> clients_;
  int next_ = 1;
  int holder_ = 0;
};

}  // namespace sinew::view
