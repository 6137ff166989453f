#pragma once

// A WebSocket client and plain HTTP requests for tests, over real sockets.

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <cstring>
#include <deque>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>  // Boost 1.74 relies on it

namespace sinew::test {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Json = nlohmann::ordered_json;
using tcp = asio::ip::tcp;

struct Answer {
  int status = 0;  // 0: closed without an answer
  std::map<std::string, std::string> headers;
  std::string body;
};

/// One request as written, and what comes back until the server closes or the answer is complete.
inline Answer request(int port, const std::string& text, double seconds = 10) {
  asio::io_context io;
  beast::tcp_stream stream(io);
  stream.expires_after(std::chrono::milliseconds(static_cast<int>(1000 * seconds)));
  Answer out;
  beast::flat_buffer buffer;
  beast::http::response_parser<beast::http::string_body> parser;
  parser.body_limit(std::uint64_t{1} << 30);
  stream.async_connect(tcp::endpoint(asio::ip::address_v4::loopback(), static_cast<unsigned short>(port)),
                       [&](beast::error_code error) {
                         if (error) return;
                         asio::async_write(stream, asio::buffer(text), [&](beast::error_code, std::size_t) {
                           beast::http::async_read(stream, buffer, parser, [](beast::error_code, std::size_t) {});
                         });
                       });
  io.run();
  if (!parser.is_header_done()) return out;
  out.status = static_cast<int>(parser.get().result_int());
  for (const auto& field : parser.get()) out.headers[std::string(field.name_string())] = std::string(field.value());
  out.body = parser.get().body();
  return out;
}

inline Answer get(int port, const std::string& target, const std::string& host = "", const std::string& more = "") {
  return request(port, "GET " + target +
                           " HTTP/1.1\r\nHost: " + (host.empty() ? "127.0.0.1:" + std::to_string(port) : host) +
                           "\r\n" + more + "Connection: close\r\n\r\n");
}

/// A message of the server: JSON, or bytes whose first is the kind.
struct Message {
  Json json;
  std::string bytes;
  double at = 0;  // s, any clock
  int kind() const { return bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]); }
  template <class T>
  T number(std::size_t place) const {
    T value{};
    if (place + sizeof value > bytes.size()) throw std::runtime_error("the message is too short");
    std::memcpy(&value, bytes.data() + place, sizeof value);
    return value;
  }
};

inline double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Client {
 public:
  /// Connects, and says hello if `greet`.
  explicit Client(int port, const std::string& token, bool greet = true) : ws_(io_) {
    beast::get_lowest_layer(ws_).socket().connect(
        tcp::endpoint(asio::ip::address_v4::loopback(), static_cast<unsigned short>(port)));
    ws_.read_message_max(std::size_t{1} << 30);
    ws_.handshake("127.0.0.1:" + std::to_string(port), "/ws?token=" + token);
    read();
    if (greet) send({{"op", "hello"}, {"protocol", 1}});
  }
  ~Client() {
    beast::error_code ignored;
    beast::get_lowest_layer(ws_).socket().close(ignored);
    io_.restart();
    io_.poll();
  }

  void send(const Json& message) { send_text(message.dump()); }
  void send_text(const std::string& text) { write(text, false); }
  void send_bytes(const std::string& bytes) { write(bytes, true); }

  /// The next message, within a time; empty if the server closed or nothing came.
  std::optional<Message> next(double seconds = 10) {
    const double end = clock_seconds() + seconds;
    while (messages_.empty() && !closed_ && clock_seconds() < end) {
      io_.restart();
      io_.run_one_for(std::chrono::milliseconds(20));
    }
    if (messages_.empty()) return std::nullopt;
    Message message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }
  /// The next message for which a condition holds; throws if none comes.
  Message until(const std::function<bool(const Message&)>& holds, double seconds = 20) {
    const double end = clock_seconds() + seconds;
    while (clock_seconds() < end) {
      std::optional<Message> message = next(end - clock_seconds());
      if (!message) break;
      if (holds(*message)) return std::move(*message);
    }
    throw std::runtime_error(closed_ ? "the server closed the connection" : "the message did not come");
  }
  Json until(const std::string& op, double seconds = 20) {
    return until([&](const Message& m) { return m.bytes.empty() && m.json.value("op", "") == op; }, seconds).json;
  }
  Message until_kind(int kind, double seconds = 20) {
    return until([&](const Message& m) { return m.kind() == kind; }, seconds);
  }
  /// Whether the server ends the connection within a time; its code is then `code`.
  bool closes(double seconds = 10) {
    const double end = clock_seconds() + seconds;
    while (!closed_ && clock_seconds() < end) {
      messages_.clear();
      io_.restart();
      io_.run_one_for(std::chrono::milliseconds(20));
    }
    return closed_;
  }
  int code() const { return ws_.reason().code; }
  std::size_t received() const { return received_; }
  /// Stops reading: the socket fills up.
  void stall() { stalled_ = true; }
  beast::tcp_stream& stream() { return beast::get_lowest_layer(ws_); }

 private:
  void read() {
    ws_.async_read(buffer_, [this](beast::error_code error, std::size_t bytes) {
      if (error) {
        closed_ = true;
        return;
      }
      received_ += bytes;
      Message message;
      message.at = clock_seconds();
      const std::string text = beast::buffers_to_string(buffer_.cdata());
      buffer_.consume(buffer_.size());
      if (ws_.got_binary())
        message.bytes = text;
      else
        message.json = Json::parse(text);
      messages_.push_back(std::move(message));
      if (!stalled_) read();
    });
  }
  void write(const std::string& bytes, bool binary) {
    ws_.binary(binary);
    bool done = false;
    ws_.async_write(asio::buffer(bytes), [&](beast::error_code error, std::size_t) {
      done = true;
      if (error) closed_ = true;
    });
    while (!done) {
      io_.restart();
      io_.run_one();
    }
  }

  asio::io_context io_;
  beast::websocket::stream<beast::tcp_stream> ws_;
  beast::flat_buffer buffer_;
  std::deque<Message> messages_;
  std::size_t received_ = 0;
  bool closed_ = false, stalled_ = false;
};

}  // namespace sinew::test
