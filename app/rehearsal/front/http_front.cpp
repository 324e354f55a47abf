// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/front/http_front.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rehearsal/front/worker_threads.h"

namespace lockstep::rehearsal {
namespace {

constexpr std::size_t kReadSize = 256 * 1024;

// The library would unpack a compressed body and parse forms, but the signature and the stored object are
// about the bytes as sent: while the body is read, the headers that make it do so are away.
bool readBody(httplib::Request& request, const httplib::ContentReader& reader, std::string& body) {
  const httplib::Headers kept = request.headers;
  request.headers.erase("Content-Type");
  request.headers.erase("Content-Encoding");
  if (const std::string length = request.get_header_value("Content-Length"); !length.empty())
    body.reserve(std::min<std::size_t>(std::strtoull(length.c_str(), nullptr, 10), 1 << 26));
  const bool complete = reader([&body](const char* data, std::size_t size) {
    body.append(data, size);
    return true;
  });
  request.headers = kept;
  return complete;
}

WireRequest wireRequest(const httplib::Request& request, std::string body) {
  WireRequest wire{request.method, request.target, {}, std::move(body)};
  for (const auto& [name, value] : request.headers)
    if (name != "REMOTE_ADDR" && name != "REMOTE_PORT" && name != "LOCAL_ADDR" && name != "LOCAL_PORT")
      wire.headers.emplace(name, value);
  return wire;
}

void sendSource(httplib::Response& response, const std::string& type, std::shared_ptr<ByteSource> source) {
  if (source->length == 0) {
    response.set_header("Content-Type", type);
    return;
  }
  response.set_content_provider(
      source->length, type, [source](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        if (!source->file) return sink.write(source->bytes.data() + offset, length);
        std::string piece(std::min(length, kReadSize), '\0');
        const ssize_t n =
            ::pread(*source->file, piece.data(), piece.size(), static_cast<off_t>(source->offset + offset));
        return n > 0 && sink.write(piece.data(), static_cast<std::size_t>(n));
      });
}

void sendReply(httplib::Response& response, Reply reply) {
  response.status = reply.status;
  for (const auto& [name, value] : reply.headers) response.set_header(name, value);
  if (reply.source)
    return sendSource(response, reply.contentType, std::make_shared<ByteSource>(std::move(*reply.source)));
  if (!reply.body.empty()) response.set_content(reply.body, reply.contentType);
}

}  // namespace

struct HttpFront::Parts {
  explicit Parts(Dispatcher& d) : dispatcher(d) {}
  Dispatcher& dispatcher;
  httplib::Server server;

  void handle(const httplib::Request& request, httplib::Response& response, std::string body) {
    // The library's own range handling would cut our answers a second time. Its object is not const.
    const_cast<httplib::Request&>(request).ranges.clear();
    if (request.get_header_value_count("Content-Type") > 1) {  // oci-rest-contract 1.1
      response.status = 400;
      return;
    }
    sendReply(response, dispatcher.answer(wireRequest(request, std::move(body))));
  }

  void handleWithBody(const httplib::Request& request, httplib::Response& response,
                      const httplib::ContentReader& reader) {
    std::string body;
    const bool hasBody = request.has_header("Content-Length") || request.has_header("Transfer-Encoding");
    if (hasBody && !readBody(const_cast<httplib::Request&>(request), reader, body)) {
      response.status = 400;
      response.set_header("Connection", "close");
      return;
    }
    handle(request, response, std::move(body));
  }
};

HttpFront::HttpFront(Dispatcher& dispatcher) : parts_(std::make_unique<Parts>(dispatcher)) {
  httplib::Server& server = parts_->server;
  server.new_task_queue = [] { return new WorkerThreads; };
  server.set_tcp_nodelay(true);
  server.set_keep_alive_max_count(1'000'000);
  server.set_keep_alive_timeout(20);
  server.set_read_timeout(30);
  server.set_write_timeout(30);
  // Only reuse the address: the library's SO_REUSEPORT would let two regions share a port and its requests.
  server.set_socket_options([](int socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  const char* const any = R"([\s\S]*)";
  const auto plain = [p = parts_.get()](const httplib::Request& q, httplib::Response& r) {
    p->handle(q, r, {});
  };
  const auto withBody = [p = parts_.get()](const httplib::Request& q, httplib::Response& r,
                                           const httplib::ContentReader& reader) {
    p->handleWithBody(q, r, reader);
  };
  server.Get(any, plain);
  server.Options(any, plain);
  server.Post(any, withBody);
  server.Put(any, withBody);
  server.Patch(any, withBody);
  server.Delete(any, withBody);
}

HttpFront::~HttpFront() = default;

Result<int> HttpFront::bind(int port) {
  const char* const host = "127.0.0.1";
  const int bound = port == 0 ? parts_->server.bind_to_any_port(host)
                              : (parts_->server.bind_to_port(host, port) ? port : -1);
  if (bound > 0) return bound;
  return failure(StatusCode::Unavailable, fmt::format("cannot listen on 127.0.0.1:{}", port),
                 "the port is taken or not allowed", "choose another one with --port");
}

void HttpFront::serve() {
  parts_->server.listen_after_bind();
}
void HttpFront::stop() {
  parts_->server.stop();
}

}  // namespace lockstep::rehearsal
