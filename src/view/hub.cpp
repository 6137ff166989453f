#include "view/hub.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/version.h"
#include "view/operations.h"

namespace sinew::view {
namespace {

constexpr int kProtocol = 1;
constexpr int kMostMessages = 200;   // per second
constexpr int kPatience = 3;         // s of too many messages
constexpr double kGreetingTime = 5;  // s for hello
constexpr std::size_t kMostUpload = std::size_t{64} << 20, kMostFiles = 1000;
constexpr std::size_t kMostWaiting = std::size_t{32} << 20;  // bytes that a client does not take

std::shared_ptr<const std::string> shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

int whole(const Json& message, const char* name, int otherwise) {
  const auto found = message.find(name);
  if (found == message.end() || !found->is_number()) return otherwise;
  const double x = found->get<double>();
  return x >= -1 && x <= 1e9 ? static_cast<int>(x) : otherwise;
}

}  // namespace

Hub::Hub(Simulation& simulation, const ViewOptions& options) : simulation_(simulation), options_(options) {}

int Hub::join(Link& link) {
  const int id = next_++;
  Client& client = clients_[id];
  client.link = &link;
  client.joined = client.second = seconds();
  link.limit(kMostText);
  return id;
}

void Hub::leave(int id) {
  if (clients_.erase(id) == 0) return;
  simulation_.set_clients(static_cast<int>(clients_.size()));
  simulation_.post({id, {{"op", "+leave"}}, nullptr});
  if (holder_ == id) {
    simulation_.post({id, {{"op", "release"}}, nullptr});  // what it pulled is let go
    holder_ = 0;
    for (const auto& [other, client] : clients_)
      if (client.greeted) {
        give_controls(other);
        break;
      }
  }
  tell_controls();
}

void Hub::send(Client& client, const Json& message) { client.link->send(shared(text_of(message)), false); }

void Hub::refuse(Client& client, const std::string& text, const Json& message) {
  Json answer = {{"op", "error"}, {"text", text}, {"for", ""}};
  if (message.is_object()) {
    if (const auto op = message.find("op"); op != message.end() && op->is_string()) answer["for"] = *op;
    if (const auto id = message.find("id"); id != message.end()) answer["id"] = *id;
  }
  send(client, answer);
}

void Hub::give_controls(int id) {
  holder_ = id;
  simulation_.post({id, {{"op", "+master"}}, nullptr});
}

void Hub::tell_controls() {
  for (auto& [id, client] : clients_)
    if (client.greeted)
      send(client, {{"op", "control"}, {"holder", holder_}, {"you", holder_ == id}, {"clients", clients_.size()}});
}

/// Whether a message may be read: a flood is dropped, and a client that goes on with it is closed.
bool Hub::admit(int, Client& client) {
  const double now = seconds();
  if (now - client.second >= 1) {
    client.full_seconds = client.messages > kMostMessages && now - client.second < 2 ? client.full_seconds + 1 : 0;
    client.second = now;
    client.messages = 0;
  }
  if (++client.messages <= kMostMessages) return true;
  if (client.messages == kMostMessages + 1)
    refuse(client, fmt::format("more than {} messages in a second: the rest are dropped", kMostMessages), {});
  if (client.full_seconds + 1 >= kPatience && now - client.second > 0.5) client.link->close(1008, "too many messages");
  return false;
}

void Hub::receive(int id, std::string_view text, bool binary) {
  const auto found = clients_.find(id);
  if (found == clients_.end()) return;
  Client& client = found->second;
  if (binary && client.upload) {  // bounded by its announced size, and by the size of a piece
    take_piece(id, client, text);
    return;
  }
  if (!admit(id, client)) return;
  if (binary) {
    refuse(client, "no upload was started", {});
    return;
  }
  if (text.size() > kMostText) {
    client.link->close(1009, "the message is too long");
    return;
  }
  // deep nesting would recurse; the protocol has three levels
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (depth > 32) {
      refuse(client, "the message is nested too deeply", {});
      return;
    }
  }
  const Json message = Json::parse(text, nullptr, false);
  const auto op = message.is_object() ? message.find("op") : message.end();
  if (message.is_discarded() || !message.is_object() || op == message.end() || !op->is_string()) {
    refuse(client, "not a JSON object with an op", {});
    return;
  }
  if (const auto given = message.find("id");
      given != message.end() && !given->is_number() &&
      !(given->is_string() && given->get_ref<const std::string&>().size() <= 200)) {
    refuse(client, "'id' must be a number or a short text", {});
    return;
  }
  handle(id, client, message);
}

void Hub::handle(int id, Client& client, const Json& message) {
  const std::string& op = message["op"].get_ref<const std::string&>();
  if (op == "hello") {
    hello(id, client, message);
    return;
  }
  if (!client.greeted) {
    refuse(client, "say hello first", message);
    return;
  }
  const Operation* operation = find_operation(op);
  const bool hub_only = op == "take" || op == "upload";
  if (!operation && !hub_only) {
    refuse(client, fmt::format("there is no operation '{}'", op), message);
    return;
  }
  if (options_.read_only && (hub_only || operation->needs_controls)) {
    refuse(client, "this viewer is read-only", message);
    return;
  }
  if (op == "take") {
    give_controls(id);
    tell_controls();
    return;
  }
  if ((op == "upload" || operation->needs_controls) && holder_ != id) {
    refuse(client, "another page has the controls", message);
    return;
  }
  if (op == "upload") {
    start_upload(id, client, message);
    return;
  }
  if (op == "cam") set_stream(client, message);
  simulation_.post({id, message, nullptr});
}

void Hub::hello(int id, Client& client, const Json& message) {
  if (whole(message, "protocol", 0) != kProtocol) {
    client.link->close(1002, fmt::format("the protocol is {}", kProtocol));
    return;
  }
  if (client.greeted) return;
  client.greeted = true;
  simulation_.set_clients(static_cast<int>(clients_.size()));
#ifdef SINEW_HAS_RENDER
  constexpr bool kPictures = true;
#else
  constexpr bool kPictures = false;
#endif
  send(client, {{"op", "welcome"},
                {"protocol", kProtocol},
                {"version", kVersion},
                {"client", id},
                {"read_only", options_.read_only},
                {"passive", simulation_.passive()},
                {"fps", options_.fps},
                {"picture", kPictures},
                {"upload", !simulation_.passive()},
                {"worlds", options_.worlds},
                {"recording", simulation_.has_recording()},
                {"token_in_url", options_.with_token},
                {"show_left", options_.show_left},
                {"show_right", options_.show_right}});
  if (holder_ == 0 && !options_.read_only) give_controls(id);
  tell_controls();
  simulation_.post({id, {{"op", "+join"}}, nullptr});
  if (const auto snapshot = simulation_.snapshot()) bring_up_to_date(client, *snapshot, true);
}

/// The cameras and the body whose poses the client wants.
void Hub::set_stream(Client& client, const Json& message) {
  constexpr std::size_t kMostCameras = 32;
  ClientFrames& frames = client.frames;
  if (message.contains("type")) {
    const int type = whole(message, "type", 0);
    if (type != kCameraTracking) frames.tracked = -1;
    if (type == kCameraTracking && frames.tracked < 0) frames.complete();
  }
  if (message.contains("trackbodyid")) {
    const int body = whole(message, "trackbodyid", -1);
    const int tracked = whole(message, "type", kCameraTracking) == kCameraTracking ? body : -1;
    if (tracked != frames.tracked) frames.complete();
    frames.tracked = tracked;
  }
  if (message.contains("fixedcamid") || message.contains("also")) {
    std::vector<int> cameras;
    if (const int fixed = whole(message, "fixedcamid", -1); fixed >= 0) cameras.push_back(fixed);
    if (const auto also = message.find("also"); also != message.end() && also->is_array())
      for (const Json& each : *also)
        if (each.is_number() && cameras.size() < kMostCameras) {
          const double i = each.get<double>();
          if (i >= 0 && i < 1e6) cameras.push_back(static_cast<int>(i));
        }
    if (cameras != frames.cameras) frames.complete();
    frames.cameras = std::move(cameras);
  }
}

void Hub::start_upload(int, Client& client, const Json& message) {
  client.upload.reset();
  if (simulation_.passive()) {
    refuse(client, "the model belongs to the program that shows it", message);
    return;
  }
  auto upload = std::make_unique<Upload>();
  const auto files = message.find("files"), main = message.find("main");
  std::string problem;
  if (files == message.end() || !files->is_array() || files->empty() || files->size() > kMostFiles ||
      main == message.end() || !main->is_string()) {
    problem = fmt::format("an upload needs 'main' and 1 to {} 'files'", kMostFiles);
  } else {
    for (const Json& file : *files) {
      const auto name = file.is_object() ? file.find("name") : file.end();
      const auto size = file.is_object() ? file.find("size") : file.end();
      if (!file.is_object() || name == file.end() || !name->is_string() || size == file.end() || !size->is_number() ||
          !(size->get<double>() >= 0 && size->get<double>() <= static_cast<double>(kMostUpload))) {
        problem = "each file needs a 'name' and a 'size'";
        break;
      }
      upload->names.push_back(name->get<std::string>());
      upload->sizes.push_back(static_cast<std::size_t>(size->get<double>()));
      upload->missing += upload->sizes.back();
    }
    upload->contents.resize(upload->names.size());
    upload->main = main->get<std::string>();
    if (problem.empty() && upload->missing > kMostUpload)
      problem = fmt::format("an upload has at most {} MB", kMostUpload >> 20);
    if (problem.empty() && std::ranges::find(upload->names, upload->main) == upload->names.end())
      problem = "'main' is not one of the files";
    if (problem.empty() && upload->missing == 0) problem = "the files are empty";
  }
  if (!problem.empty()) {
    refuse(client, problem, message);
    return;
  }
  client.upload = std::move(upload);
  client.link->limit(kMostPiece);
  Json answer = {{"op", "upload"}, {"ready", true}};
  if (message.contains("id")) answer["id"] = message["id"];
  send(client, answer);
}

void Hub::take_piece(int id, Client& client, std::string_view piece) {
  Upload& upload = *client.upload;
  std::uint32_t index = 0;
  if (piece.size() >= 8) std::memcpy(&index, piece.data() + 4, sizeof index);
  const std::size_t bytes = piece.size() < 8 ? 0 : piece.size() - 8;
  if (bytes == 0 || piece[0] != 1 || index >= upload.contents.size() ||
      upload.contents[index].size() + bytes > upload.sizes[index]) {
    client.upload.reset();
    client.link->limit(kMostText);
    refuse(client, "a piece that does not fit: the upload has ended", {{"op", "upload"}});
    return;
  }
  upload.contents[index] += piece.substr(8);
  upload.missing -= bytes;
  if (upload.missing > 0) return;
  auto files = std::make_shared<std::map<std::string, std::string>>();
  for (std::size_t i = 0; i < upload.names.size(); ++i) (*files)[upload.names[i]] = std::move(upload.contents[i]);
  simulation_.post({id, {{"op", "+uploaded"}, {"main", upload.main}}, std::move(files)});
  client.upload.reset();
  client.link->limit(kMostText);
}

void Hub::answered(int id) {
  const auto found = clients_.find(id);
  if (found == clients_.end() || found->second.marks.empty()) return;
  Client& client = found->second;
  client.round_trip = std::min(client.round_trip, seconds() - client.marks.front());
  client.marks.pop_front();
  if (const auto snapshot = simulation_.snapshot()) bring_up_to_date(client, *snapshot);
}

void Hub::deliver(Client& client, std::shared_ptr<const std::string> message, bool binary) {
  if (client.texts[kTextModel] == 0)
    client.held.emplace_back(std::move(message), binary);
  else if (client.link->waiting_bytes() > kMostWaiting)
    client.link->close(1008, "too slow");
  else
    client.link->send(std::move(message), binary);
}

void Hub::bring_up_to_date(Client& client, const Snapshot& snapshot, bool first) {
  if (!client.greeted || (client.link->waiting() > 0 && !first)) return;
  // a line that takes long gets fewer frames: no more are on the way than it carries, and two
  const double now = seconds();
  const auto allowed = static_cast<std::size_t>(std::ceil(client.round_trip * options_.fps)) + 2;
  if (client.marks.size() >= allowed) return;
  for (std::size_t kind = 0; kind < kNumTexts; ++kind) {
    const Text& text = snapshot.texts[kind];
    if (!text.json || text.version == client.texts[kind]) continue;
    if (kind == kTextProblems && client.texts[kind] == 0 && text.json->find("\"problems\":[]") != std::string::npos) {
      client.texts[kind] = text.version;
      continue;
    }
    client.texts[kind] = text.version;
    client.link->send(text.json, false);
    if (kind == kTextModel) client.frames.restart();
    if (kind == kTextLights) client.frames.complete();
  }
  if (snapshot.bodies.empty()) {
    for (auto& [message, binary] : std::exchange(client.held, {})) deliver(client, std::move(message), binary);
    return;
  }
  bool any = false;
  const auto send_bytes = [&](std::string bytes) {
    if (bytes.empty()) return;
    client.link->send(shared(std::move(bytes)), true);
    any = true;
  };
  send_bytes(client.frames.parts(snapshot));
  send_bytes(client.frames.frame(snapshot, now));
  if (snapshot.flex_number != client.flex) {
    client.flex = snapshot.flex_number;
    for (const FlexPoints& points : snapshot.flexes) send_bytes(ClientFrames::flex(points));
  }
  if (snapshot.worlds && snapshot.worlds->number != client.worlds) {
    client.worlds = snapshot.worlds->number;
    send_bytes(ClientFrames::worlds(*snapshot.worlds));
  }
  for (auto& [message, binary] : std::exchange(client.held, {})) deliver(client, std::move(message), binary);
  if (!any) return;
  client.link->mark();
  client.marks.push_back(now);
}

void Hub::pump() {
  if (const auto snapshot = simulation_.snapshot())
    for (auto& [id, client] : clients_) bring_up_to_date(client, *snapshot);
  for (Event& event : simulation_.take_events()) {
    const auto message = shared(std::move(event.data));
    for (auto& [id, client] : clients_) {
      if (!client.greeted || (event.client != 0 && event.client != id)) continue;
      deliver(client, message, event.binary);
    }
  }
}

void Hub::tick() {
  const double now = seconds();
  for (auto& [id, client] : clients_)
    if (!client.greeted && now - client.joined > kGreetingTime) client.link->close(1002, "no hello");
  pump();
}

void Hub::say_bye(const std::string& text) {
  for (auto& [id, client] : clients_) {
    if (client.greeted) send(client, {{"op", "bye"}, {"text", text}});
    client.link->close(1001, text);
  }
}

}  // namespace sinew::view
