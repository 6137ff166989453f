#include "view/server.h"

#include <fmt/format.h>
#include <netinet/tcp.h>

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <random>
#include <utility>  // Boost 1.74 relies on it

#include "view/hub.h"
#include "view/page.h"

namespace sinew::view {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kMostConnections = 256;
constexpr std::size_t kMostHeader = 8192;
constexpr auto kHeaderTime = std::chrono::seconds(5), kIdleTime = std::chrono::seconds(30);
constexpr int kPortsToTry = 100;
constexpr int kUnsent = 16 << 10;  // bytes in the kernel beyond what is on the way: more would be old frames

std::string random_token() {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::random_device device;
  std::string out;
  for (int i = 0; i < 22; ++i) out += kDigits[device() & 63u];  // 132 bits
  return out;
}

/// Takes the same time wherever the difference is.
bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

/// The value of a parameter in "a=1&b=2"; percent signs are not decoded: tokens have none.
std::string_view parameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.starts_with(name) && pair.size() > name.size() && pair[name.size()] == '=')
      return pair.substr(name.size() + 1);
  }
  return {};
}

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

class Connection;
class Client;

struct Server::Parts {
  explicit Parts(const ViewOptions& o) : options(o), hub_options(o) {}

  ViewOptions options, hub_options;
  // before the context, whose last handlers keep connections
  std::size_t connections = 0;
  std::set<Client*> clients;
  std::set<Connection*> open;
  std::atomic<int> client_count = 0;
  asio::io_context io{1};
  tcp::acceptor acceptor{io}, acceptor6{io};
  asio::steady_timer timer{io}, retry{io};
  std::string token;
  int port = 0;
  std::vector<std::string> hosts;  // what Host may be
  Simulation* simulation = nullptr;
  std::unique_ptr<Hub> hub;
  std::thread thread;
  std::atomic<bool> woken = false, stopping = false;

  void listen();
  void accept(tcp::acceptor& from);
  void tick();
  bool host_is_ours(std::string_view host) const;
  bool origin_is_ours(std::string_view origin) const;
};

/// A WebSocket.
class Client : public std::enable_shared_from_this<Client>, public Link {
 public:
  Client(Server::Parts& server, beast::tcp_stream&& stream) : server_(server), ws_(std::move(stream)) {
    ++server_.connections;
    server_.clients.insert(this);
    server_.client_count = static_cast<int>(server_.clients.size());
  }
  ~Client() override {
    --server_.connections;
    server_.clients.erase(this);
    server_.client_count = static_cast<int>(server_.clients.size());
  }

  void start(const http::request<http::empty_body>& request) {
    websocket::stream_base::timeout times{kHeaderTime, kIdleTime, true};
    ws_.set_option(times);
    ws_.auto_fragment(false);
    ws_.read_message_max(Hub::kMostText);
    if (!server_.options.host.starts_with("127.") && server_.options.host != "localhost") {
      websocket::permessage_deflate deflate;
      deflate.server_enable = true;
      deflate.compLevel = 1;
      deflate.server_no_context_takeover = true;
      ws_.set_option(deflate);
    }
    ws_.control_callback([this](websocket::frame_type kind, beast::string_view) {
      if (kind == websocket::frame_type::pong && id_ > 0) server_.hub->answered(id_);
    });
    ws_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (error || self->server_.stopping) return;
      self->id_ = self->server_.hub->join(*self);
      self->read();
    });
  }

  void send(std::shared_ptr<const std::string> message, bool binary) override {
    if (closed_) return;
    waiting_bytes_ += message->size();
    queue_.push_back({std::move(message), binary});
    if (queue_.size() == 1) write();
  }
  void mark() override {
    ++marks_;
    ping();
  }
  void close(int code, const std::string& reason) override {
    if (closed_) return;
    closed_ = true;
    close_reason_ = {static_cast<websocket::close_code>(code), reason.substr(0, 100)};
    if (queue_.empty()) finish();
    // a client that does not read cannot be closed politely
    timer_.expires_after(std::chrono::seconds(2));
    timer_.async_wait([weak = weak_from_this()](error_code error) {
      if (const auto self = weak.lock(); self && !error) self->drop();
    });
  }
  std::size_t waiting() const override { return queue_.size(); }
  std::size_t waiting_bytes() const override { return waiting_bytes_; }
  void limit(std::size_t bytes) override { ws_.read_message_max(bytes); }
  void drop() { beast::get_lowest_layer(ws_).close(); }

 private:
  struct Message {
    std::shared_ptr<const std::string> bytes;
    bool binary;
  };

  void read() {
    ws_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) {
        self->leave();
        return;
      }
      const auto data = self->buffer_.cdata();
      if (!self->closed_)
        self->server_.hub->receive(self->id_, {static_cast<const char*>(data.data()), data.size()},
                                   self->ws_.got_binary());
      self->buffer_.consume(self->buffer_.size());
      if (self->buffer_.capacity() > (std::size_t{1} << 18)) self->buffer_.shrink_to_fit();
      self->read();
    });
  }
  void write() {
    ws_.binary(queue_.front().binary);
    ws_.async_write(asio::buffer(*queue_.front().bytes), [self = shared_from_this()](error_code error, std::size_t) {
      if (error) {
        self->queue_.clear();
        self->waiting_bytes_ = 0;
        self->drop();
        return;
      }
      self->waiting_bytes_ -= self->queue_.front().bytes->size();
      self->queue_.pop_front();
      if (!self->queue_.empty())
        self->write();
      else if (self->closed_)
        self->finish();
      else
        self->ping();
    });
  }
  /// A ping behind what was written; the browser answers it by itself.
  void ping() {
    if (pinging_ || closed_ || marks_ == 0 || !queue_.empty()) return;
    pinging_ = true;
    --marks_;
    ws_.async_ping({}, [self = shared_from_this()](error_code error) {
      self->pinging_ = false;
      if (!error) self->ping();
    });
  }
  void finish() {
    if (finished_) return;
    finished_ = true;
    ws_.async_close(close_reason_, [self = shared_from_this()](error_code) { self->drop(); });
  }
  void leave() {
    if (id_ > 0) server_.hub->leave(std::exchange(id_, 0));
    timer_.cancel();
    closed_ = true;
  }

  Server::Parts& server_;
  websocket::stream<beast::tcp_stream> ws_;
  asio::steady_timer timer_{server_.io};
  beast::flat_buffer buffer_;
  std::deque<Message> queue_;
  std::size_t waiting_bytes_ = 0;
  int marks_ = 0;
  bool pinging_ = false, closed_ = false, finished_ = false;
  websocket::close_reason close_reason_;
  int id_ = 0;
};

/// An HTTP connection, until it becomes a WebSocket.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Server::Parts& server, tcp::socket&& socket) : server_(server), stream_(std::move(socket)) {
    ++server_.connections;
    server_.open.insert(this);
  }
  ~Connection() {
    --server_.connections;
    server_.open.erase(this);
  }
  void read() {
    parser_.emplace();
    parser_->header_limit(kMostHeader);
    parser_->body_limit(0);
    stream_.expires_after(first_ ? kHeaderTime : kIdleTime);
    first_ = false;
    http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error == http::error::header_limit)
        self->refuse(http::status::request_header_fields_too_large, true);
      else if (error == http::error::end_of_stream || !error.category().name() ||
               error.category() != http::make_error_code(http::error::end_of_stream).category()) {
        if (error)
          self->drop();
        else
          self->answer();
      } else {
        self->refuse(http::status::bad_request, true);
      }
    });
  }
  void drop() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.close();
  }

 private:
  using Response = http::response<http::string_body>;

  void answer() {
    const auto& request = parser_->get();
    if (request.method() != http::verb::get) return refuse(http::status::method_not_allowed, true);
    if (!parser_->is_done()) return refuse(http::status::bad_request, true);  // a body
    if (!server_.host_is_ours(view_of(request[http::field::host])))
      return refuse(http::status::misdirected_request, true);
    const std::string_view target = view_of(request.target());
    const std::string_view path = target.substr(0, target.find('?'));
    const std::string_view query = path.size() < target.size() ? target.substr(path.size() + 1) : "";
    if (path == "/app.js" || path == "/app.css") return send_page(path.substr(1));
    if (server_.options.with_token && !same_secret(parameter(query, "token"), server_.token))
      return refuse(http::status::not_found);
    if (path == "/") return send_page("index.html");
    if (path == "/ws") return upgrade();
    if (path.starts_with("/a/")) return send_asset(std::string(path.substr(3)));
    if (path == "/recording.npz" || path == "/export.html") return send_history(path == "/recording.npz");
    refuse(http::status::not_found);
  }

  void upgrade() {
    const auto& request = parser_->get();
    if (!websocket::is_upgrade(request)) return refuse(http::status::upgrade_required);
    const auto origin = request.find(http::field::origin);
    if (origin != request.end() && !server_.origin_is_ours(view_of(origin->value())))
      return refuse(http::status::forbidden, true);
    if (server_.clients.size() >= Hub::kMostClients) return refuse(http::status::service_unavailable, true);
    stream_.expires_never();
    const int unsent = kUnsent;
    ::setsockopt(stream_.socket().native_handle(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
    error_code ignored;
    stream_.socket().set_option(tcp::no_delay(true), ignored);
    std::make_shared<Client>(server_, std::move(stream_))->start(request);
  }

  Response response(http::status status) const {
    Response out(status, 11);
    out.set(http::field::server, "sinew");
    out.set("X-Content-Type-Options", "nosniff");
    out.set("Referrer-Policy", "no-referrer");
    out.set("Cross-Origin-Opener-Policy", "same-origin");
    out.set("Cross-Origin-Resource-Policy", "same-origin");
    return out;
  }
  void refuse(http::status status, bool close = false) {
    Response out = response(status);
    out.set(http::field::cache_control, "no-store");
    if (status == http::status::method_not_allowed) out.set(http::field::allow, "GET");
    send(std::move(out), close);
  }
  void send_page(std::string_view name) {
    const PageFile* file = page_file(name);
    if (!file) return refuse(http::status::not_found);
    const auto& request = parser_->get();
    Response out = response(http::status::ok);
    out.set(http::field::content_type, beast::string_view(file->type.data(), file->type.size()));
    const std::string tag = fmt::format("\"{}\"", content_hash(file->plain));
    if (name == "index.html") {
      out.set(http::field::cache_control, "no-store");
      const std::string host(view_of(request[http::field::host]));
      out.set("Content-Security-Policy",
              fmt::format("default-src 'self'; connect-src 'self' ws://{}; img-src 'self' blob: data:; "
                          "media-src 'self' blob:; style-src 'self' 'unsafe-inline'",
                          host));
    } else {
      out.set(http::field::cache_control, "no-cache");
      out.set(http::field::etag, tag);
      if (view_of(request[http::field::if_none_match]) == tag) {
        out.result(http::status::not_modified);
        return send(std::move(out), false);
      }
    }
    const bool packed =
        !file->packed.empty() && view_of(request[http::field::accept_encoding]).find("gzip") != std::string_view::npos;
    if (packed) out.set(http::field::content_encoding, "gzip");
    out.set(http::field::vary, "Accept-Encoding");
    out.body() = packed ? std::string(file->packed) : file->plain;
    send(std::move(out), false);
  }
  void send_asset(const std::string& hash) {
    const Blob blob = hash.size() == 32 ? server_.simulation->asset(hash) : nullptr;
    if (!blob) return refuse(http::status::not_found);
    Response out = response(http::status::ok);
    out.set(http::field::content_type, blob->starts_with("\x89PNG") ? "image/png" : "application/octet-stream");
    out.set(http::field::cache_control, "private, max-age=31536000, immutable");
    out.body() = *blob;
    send(std::move(out), false);
  }
  void send_history(bool recording) {
    stream_.expires_never();  // it takes as long as the history is
    server_.simulation->export_history(recording, [self = shared_from_this(), recording](Result<std::string> bytes) {
      asio::post(self->server_.io, [self, recording, bytes = std::move(bytes)]() mutable {
        Response out = self->response(bytes ? http::status::ok : http::status::internal_server_error);
        out.set(http::field::content_type, recording ? "application/zip" : "text/html; charset=utf-8");
        out.set(http::field::cache_control, "no-store");
        out.set(http::field::content_disposition,
                fmt::format("attachment; filename={}", recording ? "recording.npz" : "simulation.html"));
        out.body() = bytes ? std::move(*bytes) : bytes.error().text();
        self->send(std::move(out), false);
      });
    });
  }
  void send(Response&& response, bool close) {
    response_.emplace(std::move(response));
    response_->keep_alive(!close && parser_->is_header_done() && parser_->get().keep_alive());
    response_->prepare_payload();
    stream_.expires_after(kIdleTime);
    http::async_write(stream_, *response_, [self = shared_from_this()](error_code error, std::size_t) {
      const bool goes_on = !error && self->response_->keep_alive() && !self->server_.stopping;
      self->response_.reset();
      if (goes_on)
        self->read();
      else
        self->drop();
    });
  }

  Server::Parts& server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{2 * kMostHeader};
  std::optional<http::request_parser<http::empty_body>> parser_;
  std::optional<Response> response_;
  bool first_ = true;
};

bool Server::Parts::host_is_ours(std::string_view host) const {
  return std::ranges::any_of(
      hosts, [&](const std::string& one) { return beast::iequals(one, beast::string_view(host.data(), host.size())); });
}

bool Server::Parts::origin_is_ours(std::string_view origin) const {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && host_is_ours(origin.substr(kScheme.size()));
}

void Server::Parts::listen() {
  error_code error;
  const std::string name = options.host == "localhost" ? "127.0.0.1" : options.host;
  const asio::ip::address address = asio::ip::make_address(name, error);
  if (error) throw Exception(Error::message(fmt::format("--host {}: not an address", options.host)));
  if (!options.with_token && !address.is_loopback())
    throw Exception(Error::message("without a token only this machine may be served: use a loopback address"));
  const int last = options.port == 0 ? 0 : std::min(options.port + kPortsToTry, 65535);
  for (int wanted = options.port; wanted <= last; ++wanted) {
    const tcp::endpoint endpoint(address, static_cast<unsigned short>(wanted));
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (!error) break;
    error_code ignored;
    acceptor.close(ignored);
    if (error != asio::error::address_in_use) break;
  }
  if (error)
    throw Exception(
        Error::message(fmt::format("cannot listen at {}, port {}: {}", options.host, options.port, error.message())));
  port = acceptor.local_endpoint().port();
  hosts = {fmt::format("127.0.0.1:{}", port), fmt::format("localhost:{}", port), fmt::format("[::1]:{}", port)};
  hosts.push_back(address.is_v6() ? fmt::format("[{}]:{}", name, port) : fmt::format("{}:{}", name, port));
  if (address.is_v4() && address.is_loopback()) {  // browsers try ::1 for localhost first
    const tcp::endpoint endpoint(asio::ip::address_v6::loopback(), static_cast<unsigned short>(port));
    error_code error6;
    acceptor6.open(tcp::v6(), error6);
    if (!error6) acceptor6.set_option(asio::ip::v6_only(true), error6);
    if (!error6) acceptor6.set_option(tcp::acceptor::reuse_address(true), error6);
    if (!error6) acceptor6.bind(endpoint, error6);
    if (!error6) acceptor6.listen(asio::socket_base::max_listen_connections, error6);
    if (error6) acceptor6.close(error6);
  }
}

void Server::Parts::accept(tcp::acceptor& from) {
  from.async_accept([this, &from](error_code error, tcp::socket socket) {
    if (stopping || error == asio::error::operation_aborted) return;
    if (error) {  // out of files: others must close first
      retry.expires_after(std::chrono::milliseconds(100));
      retry.async_wait([this, &from](error_code) {
        if (!stopping) accept(from);
      });
      return;
    }
    if (connections < kMostConnections) std::make_shared<Connection>(*this, std::move(socket))->read();
    accept(from);
  });
}

void Server::Parts::tick() {
  timer.expires_after(std::chrono::milliseconds(100));
  timer.async_wait([this](error_code error) {
    if (error || stopping) return;
    hub->tick();
    tick();
  });
}

Server::Server(const ViewOptions& options) : parts_(std::make_unique<Parts>(options)) {
  parts_->token = options.token.empty() ? random_token() : options.token;
  parts_->listen();
}

Server::~Server() { stop(); }

void Server::start(Simulation& simulation) {
  parts_->simulation = &simulation;
  parts_->hub = std::make_unique<Hub>(simulation, parts_->hub_options);
  parts_->accept(parts_->acceptor);
  if (parts_->acceptor6.is_open()) parts_->accept(parts_->acceptor6);
  parts_->tick();
  parts_->thread = std::thread([this] { parts_->io.run(); });
}

void Server::stop() {
  Parts& p = *parts_;
  if (!p.thread.joinable()) return;
  asio::post(p.io, [&p] {
    p.stopping = true;
    p.hub->say_bye("the viewer has ended");
    error_code ignored;
    p.acceptor.close(ignored);
    p.acceptor6.close(ignored);
    // what is left after a moment is dropped
    p.timer.expires_after(std::chrono::milliseconds(200));
    p.timer.async_wait([&p](error_code) {
      for (Client* client : std::vector<Client*>(p.clients.begin(), p.clients.end())) client->drop();
      for (Connection* connection : std::vector<Connection*>(p.open.begin(), p.open.end())) connection->drop();
    });
  });
  p.thread.join();
}

void Server::wake() {
  if (parts_->woken.exchange(true)) return;
  asio::post(parts_->io, [p = parts_.get()] {
    p->woken = false;
    if (p->hub && !p->stopping) p->hub->pump();
  });
}

int Server::port() const { return parts_->port; }
const std::string& Server::token() const { return parts_->token; }
int Server::clients() const { return parts_->client_count; }

std::string Server::address() const {
  const Parts& p = *parts_;
  const bool any = p.options.host == "0.0.0.0" || p.options.host == "::";
  const std::string host = any                                             ? "127.0.0.1"
                           : p.options.host.find(':') != std::string::npos ? "[" + p.options.host + "]"
                                                                           : p.options.host;
  return fmt::format("http://{}:{}/{}", host, p.port, p.options.with_token ? "?token=" + p.token : "");
}

}  // namespace sinew::view
