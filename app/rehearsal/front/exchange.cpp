// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/front/exchange.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <thread>

namespace lockstep::rehearsal {
namespace {

using SteadyClock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t kSendPiece = 256 * 1024;
constexpr std::size_t kReadAhead = 256 * 1024;

const char* reasonOf(int status) {
  static const std::map<int, const char*> kReasons{{200, "OK"},
                                                   {201, "Created"},
                                                   {202, "Accepted"},
                                                   {204, "No Content"},
                                                   {206, "Partial Content"},
                                                   {304, "Not Modified"},
                                                   {400, "Bad Request"},
                                                   {401, "Unauthorized"},
                                                   {403, "Forbidden"},
                                                   {404, "Not Found"},
                                                   {405, "Method Not Allowed"},
                                                   {409, "Conflict"},
                                                   {412, "Precondition Failed"},
                                                   {413, "Content Too Large"},
                                                   {414, "URI Too Long"},
                                                   {416, "Range Not Satisfiable"},
                                                   {417, "Expectation Failed"},
                                                   {422, "Unprocessable Content"},
                                                   {429, "Too Many Requests"},
                                                   {431, "Request Header Fields Too Large"},
                                                   {500, "Internal Server Error"},
                                                   {501, "Not Implemented"},
                                                   {502, "Bad Gateway"},
                                                   {503, "Service Unavailable"},
                                                   {504, "Gateway Timeout"},
                                                   {505, "HTTP Version Not Supported"}};
  const auto found = kReasons.find(status);
  return found == kReasons.end() ? "Other" : found->second;
}

std::uint64_t sizeOf(const Reply& reply) {
  return reply.source ? reply.source->length : reply.body.size();
}

// Values may come from stored texts and from queries: none may begin a header of its own.
void addHeader(std::string& head, std::string_view name, std::string_view value) {
  head.append(name).append(": ");
  for (const char c : value) head += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? ' ' : c;
  head += "\r\n";
}

std::string headOf(const Reply& reply, bool keepAlive) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", reply.status, reasonOf(reply.status));
  const std::uint64_t size = sizeOf(reply);
  for (const auto& [name, value] : reply.headers) addHeader(head, name, value);
  if (size > 0 || reply.source) addHeader(head, "content-type", reply.contentType);
  if (reply.status != 204 && reply.status != 304)
    addHeader(head, "content-length", std::to_string(size + reply.delivery.extraLength));
  addHeader(head, "connection", keepAlive ? "keep-alive" : "close");
  return head + "\r\n";
}

Reply replyTo(const Refusal& refusal) {
  Reply reply;
  if (!refusal.code.empty()) reply = jsonReply({{"code", refusal.code}, {"message", refusal.message}});
  reply.status = refusal.status;
  return reply;
}

// Up to `most` bytes of the answer from `offset` on; nothing when the file no longer has them.
std::string pieceOf(const ByteSource& source, std::uint64_t offset, std::size_t most) {
  if (!source.file) return source.bytes.substr(std::min<std::size_t>(offset, source.bytes.size()), most);
  std::string piece(most, '\0');
  const ssize_t n = ::pread(*source.file, piece.data(), most, static_cast<off_t>(source.offset + offset));
  piece.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  return piece;
}

}  // namespace

bool Exchange::pause(std::chrono::milliseconds duration) const {
  const auto end = SteadyClock::now() + duration;
  while (!stopping_) {
    const auto left = end - SteadyClock::now();
    if (left <= 0ms) return true;
    std::this_thread::sleep_for(std::min<SteadyClock::duration>(left, 50ms));
  }
  return false;
}

bool Exchange::readMore(WireStream::Deadline deadline) {
  return stream_.read(input_, input_.size() + kReadAhead,
                      std::min(deadline, SteadyClock::now() + limits_.patience));
}

namespace {

// Objects, parts and artifacts; what links and the registry take without a signature.
bool isUpload(const RequestHead& head) {
  return bodyMayBeUnsigned(head.method, head.target) || head.target.starts_with("/v2/") ||
         head.target.starts_with("/p/");
}

}  // namespace

bool Exchange::readBody(const RequestHead& head, std::string& body) {
  const std::uint64_t most = isUpload(head) ? limits_.mostUpload : limits_.mostBody;
  const Refusal tooLarge{413, "PayloadTooLarge",
                         fmt::format("The body of the request is larger than {} bytes.", most)};
  if (head.contentLength > most) return refuseAndEnd(tooLarge), false;
  const bool hasBody = head.chunked || head.contentLength > 0;
  if (hasBody && head.expectsContinue && input_.empty() &&
      !stream_.write("HTTP/1.1 100 Continue\r\n\r\n", {}, limits_.patience))
    return false;
  const auto size = head.chunked ? most : head.contentLength;
  const auto deadline =
      SteadyClock::now() + limits_.patience + std::chrono::seconds(size / limits_.leastBytesPerSecond);
  if (!head.chunked) {
    body.swap(input_);
    input_.clear();
    body.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(size, 64U << 20)));
    while (body.size() < size) {
      if (!stream_.read(body, static_cast<std::size_t>(size),
                        std::min(deadline, SteadyClock::now() + limits_.patience)))
        return false;
    }
    input_.assign(body, static_cast<std::size_t>(size));  // the next request, sent without waiting
    body.resize(static_cast<std::size_t>(size));
    return true;
  }
  ChunkedReader reader(most);
  for (;;) {
    switch (reader.take(input_, body)) {
      case ChunkedReader::State::Complete:
        return true;
      case ChunkedReader::State::Malformed:
        return refuseAndEnd({400, "", ""}), false;
      case ChunkedReader::State::TooLarge:
        return refuseAndEnd(tooLarge), false;
      case ChunkedReader::State::NeedsMore:
        if (!readMore(deadline)) return false;
    }
  }
}

bool Exchange::run(std::size_t headSize) {
  auto head = parseRequestHead(std::string_view(input_).substr(0, headSize));
  if (!head) return refuseAndEnd(head.error()), false;
  input_.erase(0, headSize);
  WireRequest request;
  if (!readBody(*head, request.body)) return false;
  request.method = std::move(head->method);
  request.target = std::move(head->target);
  request.headers = std::move(head->headers);
  request.overTls = stream_.isTls();
  Reply reply = dispatcher_.answer(request);
  return send(request, head->keepAlive && !stopping_, reply);
}

bool Exchange::send(const WireRequest& request, bool keepAlive, Reply& reply) {
  const Delivery& delivery = reply.delivery;
  if (delivery.delay > 0ms && !pause(delivery.delay)) return false;
  if (delivery.lost) return stream_.cut(), false;
  keepAlive = keepAlive && delivery.extraLength == 0;
  std::string head = headOf(reply, keepAlive);
  if (request.method == "HEAD") {
    if (delivery.cutAfter)
      return stream_.write(head.substr(0, head.size() / 2), {}, limits_.patience), stream_.cut(), false;
    return stream_.write(head, {}, limits_.patience) && keepAlive;
  }
  if (!sendBody(reply, std::move(head))) return false;
  if (!keepAlive) stream_.closeGently();
  return keepAlive;
}

bool Exchange::sendPiece(std::string_view head, std::string_view piece, std::uint64_t bytesPerSecond) {
  if (bytesPerSecond == 0) return stream_.write(head, piece, limits_.patience);
  if (!stream_.write(head, {}, limits_.patience)) return false;
  const std::size_t step = std::clamp<std::size_t>(bytesPerSecond / 20, 1, kSendPiece);
  for (; !piece.empty(); piece.remove_prefix(std::min(step, piece.size()))) {
    const auto part = piece.substr(0, step);
    if (!stream_.write(part, {}, limits_.patience)) return false;
    if (!pause(std::chrono::milliseconds(part.size() * 1000 / bytesPerSecond))) return false;
  }
  return true;
}

bool Exchange::sendBody(const Reply& reply, std::string head) {
  const Delivery& delivery = reply.delivery;
  const std::uint64_t size = sizeOf(reply);
  // A fault that cuts strikes whatever the size: at the latest before the last byte.
  const std::uint64_t end = delivery.cutAfter ? std::min(*delivery.cutAfter, size > 0 ? size - 1 : 0) : size;
  if (delivery.cutAfter && size == 0) head.resize(head.size() / 2);
  bool isFine = true;
  if (!reply.source) {
    isFine = sendPiece(head, std::string_view(reply.body).substr(0, static_cast<std::size_t>(end)),
                       delivery.bytesPerSecond);
  } else {
    std::uint64_t sent = 0;
    do {
      const std::string piece = pieceOf(
          *reply.source, sent, static_cast<std::size_t>(std::min<std::uint64_t>(kSendPiece, end - sent)));
      if (piece.empty() && sent < end)
        return false;  // the file is shorter than it was: nothing else is honest
      isFine = sendPiece(head, piece, delivery.bytesPerSecond);
      head.clear();
      sent += piece.size();
    } while (isFine && sent < end);
  }
  if (isFine && delivery.cutAfter) return stream_.cut(), false;
  return isFine;
}

void Exchange::refuseAndEnd(const Refusal& refusal) {
  const Reply reply = replyTo(refusal);
  if (stream_.write(headOf(reply, false), reply.body, limits_.patience)) stream_.closeGently();
}

}  // namespace lockstep::rehearsal
