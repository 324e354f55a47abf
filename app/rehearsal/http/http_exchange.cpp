// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/http/http_exchange.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <thread>

#include "rehearsal/http/peer_user.h"

namespace lockstep::rehearsal {
namespace {

using SteadyClock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t kSendPiece = 256 * 1024;
constexpr std::size_t kReadAhead = 256 * 1024;
constexpr std::size_t kStrangerPiece = 64 * 1024;
constexpr std::size_t kSmallBody = 16 * 1024;  // cheaper to copy behind the head than to send apart

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
                                                   {421, "Misdirected Request"},
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

std::uint64_t sizeOf(const Response& response) {
  return response.source ? response.source->length : response.body.size();
}

// Values may come from stored texts and from queries: none may begin a header of its own.
void addHeader(std::string& head, std::string_view name, std::string_view value) {
  head.append(name).append(": ");
  for (const char c : value) head += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? ' ' : c;
  head += "\r\n";
}

std::string headOf(const Response& response, bool keepAlive) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reasonOf(response.status));
  const std::uint64_t size = sizeOf(response);
  for (const auto& [name, value] : response.headers) addHeader(head, name, value);
  if (size > 0 || response.source) addHeader(head, "content-type", response.contentType);
  if (response.status != 204 && response.status != 304)
    addHeader(head, "content-length", std::to_string(size + response.delivery.extraLength));
  addHeader(head, "connection", keepAlive ? "keep-alive" : "close");
  return head + "\r\n";
}

Response responseTo(const ServiceError& error) {
  Response response;
  if (!error.code.empty()) response = jsonResponse({{"code", error.code}, {"message", error.message}});
  response.status = error.status;
  return response;
}

// Up to `max` bytes of the answer from `offset` on; nothing when the file no longer has them.
std::string pieceOf(const ByteSource& source, std::uint64_t offset, std::size_t max) {
  if (!source.file) return source.bytes.substr(std::min<std::size_t>(offset, source.bytes.size()), max);
  std::string piece(max, '\0');
  const ssize_t n = ::pread(*source.file, piece.data(), max, static_cast<off_t>(source.offset + offset));
  piece.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  return piece;
}

}  // namespace

bool HttpExchange::pause(std::chrono::milliseconds duration) const {
  const auto end = SteadyClock::now() + duration;
  while (!shared_.stopping) {
    const auto left = end - SteadyClock::now();
    if (left <= 0ms) return true;
    std::this_thread::sleep_for(std::min<SteadyClock::duration>(left, 50ms));
  }
  return false;
}

HttpExchange::Step HttpExchange::begin(std::size_t headSize) {
  auto head = parseRequestHead(std::string_view(input_).substr(0, headSize));
  if (!head) return refuse(head.error());
  input_.erase(0, headSize);
  keepAlive_ = head->keepAlive;
  request_.method = std::move(head->method);
  request_.target = std::move(head->target);
  request_.headers = std::move(head->headers);
  request_.overTls = stream_.isTls();
  request_.peerUser = [this] { return userAtOtherEnd(stream_.socket()); };
  const bool hasBody = head->chunked || head->contentLength > 0;
  admission_ = shared_.dispatcher.admit(request_, hasBody);
  isKnown_ = admission_.isKnown;
  if (!hasBody) return answer();
  if (!admission_.instead) return beginBody(*head);
  if (!skipBody(*head)) keepAlive_ = false;
  return answer();
}

std::uint64_t HttpExchange::maxBody() const {
  const BodyRule& rule = admission_.match.route->body;
  const HttpServerLimits& limits = shared_.limits;
  if (rule.maxBytes > 0) return rule.maxBytes;
  if (rule.isUpload) return limits.maxUpload;
  const std::string& method = request_.method;
  const bool isRead = method == "GET" || method == "HEAD" || method == "DELETE";
  return isRead ? limits.maxBodyOfRead : limits.maxBody;
}

namespace {

ServiceError tooLarge(std::uint64_t max) {
  return {413, "PayloadTooLarge", fmt::format("The body of the request is larger than {} bytes.", max)};
}

}  // namespace

HttpExchange::Step HttpExchange::beginBody(const RequestHead& head) {
  const std::uint64_t max = maxBody();
  if (head.contentLength > max) return refuse(tooLarge(max));
  if (head.expectsContinue && input_.empty() &&
      !stream_.write("HTTP/1.1 100 Continue\r\n\r\n", shared_.limits.drain))
    return Step::Over;
  BodyFiles* files = admission_.match.route->body.isUpload ? shared_.files : nullptr;
  body_.emplace(head, max, files, shared_.memory);
  pace_ = Pace(shared_.limits.timeout, shared_.limits.minBytesPerSecond);
  isReading_ = true;
  return readBody();
}

// The body of a request that is refused, when all of it is there already: then the connection can go on.
bool HttpExchange::skipBody(const RequestHead& head) {
  if (head.chunked || input_.size() < head.contentLength) return false;
  input_.erase(0, static_cast<std::size_t>(head.contentLength));
  return true;
}

HttpExchange::Step HttpExchange::waitFor(SocketStream::Outcome outcome) {
  if (outcome == SocketStream::Outcome::Closed) return Step::Over;
  return outcome == SocketStream::Outcome::WantsWrite ? Step::WriteMore : Step::ReadMore;
}

HttpExchange::Step HttpExchange::readBody() {
  while (!shared_.stopping) {
    switch (body_->take(input_)) {
      case IncomingBody::State::Complete:
        body_->moveInto(request_);
        isReading_ = false;
        return answer();
      case IncomingBody::State::Malformed:
        return refuse({400, "", ""});
      case IncomingBody::State::TooLarge:
        return refuse(tooLarge(maxBody()));
      case IncomingBody::State::NoMemory:
        return refuse({503, "ServiceUnavailable", "The region has too many bodies in memory. Try again."});
      case IncomingBody::State::NoDisk:
        return refuse({500, "InternalServerError", describe(body_->problem())});
      case IncomingBody::State::NeedsMore:
        break;
    }
    const std::size_t before = input_.size();
    const SocketStream::Outcome outcome = stream_.readSome(input_, before + kReadAhead);
    if (input_.size() == before) return waitFor(outcome);
    pace_.moved(input_.size() - before);
  }
  return Step::Over;
}

HttpExchange::Step HttpExchange::resume() {
  return isReading_ ? readBody() : sendMore();
}

HttpExchange::Step HttpExchange::answer() {
  response_ = shared_.dispatcher.answer(request_, std::move(admission_));
  keepAlive_ = keepAlive_ && !shared_.stopping;
  return beginSending();
}

HttpExchange::Step HttpExchange::refuse(const ServiceError& error) {
  isReading_ = false;
  keepAlive_ = false;
  response_ = responseTo(error);
  response_.isForStranger = true;
  return beginSending();
}

HttpExchange::Step HttpExchange::beginSending() {
  if (!response_.delivery.isClean()) return sendDisturbed();
  out_ = headOf(response_, keepAlive_);
  const HttpServerLimits& limits = shared_.limits;
  pace_ = Pace(response_.isForStranger ? limits.strangerTimeout : limits.timeout,
               response_.isForStranger ? limits.minBytesPerSecond : 1);
  if (request_.method == "HEAD") {
    response_.source.reset();
  } else if (!response_.source && response_.body.size() <= kSmallBody) {
    out_ += response_.body;
  } else {
    withBody_ = !response_.source;
  }
  return sendMore();
}

// More of the answer's source into out_; false: it is shorter than it was, and nothing else is honest.
bool HttpExchange::nextPiece() {
  const std::size_t max = response_.isForStranger ? kStrangerPiece : kSendPiece;
  const std::uint64_t left = response_.source->length - sourceSent_;
  out_ =
      pieceOf(*response_.source, sourceSent_, static_cast<std::size_t>(std::min<std::uint64_t>(max, left)));
  sent_ = 0;
  sourceSent_ += out_.size();
  return !out_.empty();
}

HttpExchange::Step HttpExchange::sendMore() {
  while (!shared_.stopping || !response_.source) {
    const std::string_view first = std::string_view(out_).substr(std::min(sent_, out_.size()));
    const std::string_view second =
        withBody_ ? std::string_view(response_.body).substr(sent_ - std::min(sent_, out_.size()))
                  : std::string_view();
    std::size_t moved = 0;
    const SocketStream::Outcome outcome = stream_.writeSome(first, second, moved);
    sent_ += moved;
    if (moved > 0) pace_.moved(moved);
    if (outcome != SocketStream::Outcome::Done) return waitFor(outcome);
    if (!response_.source || sourceSent_ == response_.source->length)
      return keepAlive_ ? Step::NextRequest : Step::Drain;
    if (!nextPiece()) return Step::Over;
  }
  return Step::Over;
}

// What a fault does to an answer takes the thread: only those who have signed meet faults.
HttpExchange::Step HttpExchange::sendDisturbed() {
  const Delivery& delivery = response_.delivery;
  if (delivery.delay > 0ms && !pause(delivery.delay)) return Step::Over;
  if (delivery.lost) return stream_.cut(), Step::Over;
  keepAlive_ = keepAlive_ && delivery.extraLength == 0;
  std::string head = headOf(response_, keepAlive_);
  const auto timeout = shared_.limits.timeout;
  const Step done = keepAlive_ ? Step::NextRequest : Step::Drain;
  if (request_.method == "HEAD") {
    if (!delivery.cutAfter) return stream_.write(head, timeout) ? done : Step::Over;
    return stream_.write(head.substr(0, head.size() / 2), timeout), stream_.cut(), Step::Over;
  }
  return sendDisturbedBody(std::move(head)) ? done : Step::Over;
}

bool HttpExchange::sendPiece(std::string_view head, std::string_view piece, std::uint64_t bytesPerSecond) {
  const auto timeout = shared_.limits.timeout;
  if (!stream_.write(head, timeout)) return false;
  if (bytesPerSecond == 0) return stream_.write(piece, timeout);
  const std::size_t step = std::clamp<std::size_t>(bytesPerSecond / 20, 1, kSendPiece);
  for (; !piece.empty(); piece.remove_prefix(std::min(step, piece.size()))) {
    const auto part = piece.substr(0, step);
    if (!stream_.write(part, timeout)) return false;
    if (!pause(std::chrono::milliseconds(part.size() * 1000 / bytesPerSecond))) return false;
  }
  return true;
}

bool HttpExchange::sendDisturbedBody(std::string head) {
  const Delivery& delivery = response_.delivery;
  const std::uint64_t size = sizeOf(response_);
  // A fault that cuts strikes whatever the size: at the latest before the last byte.
  const std::uint64_t end = delivery.cutAfter ? std::min(*delivery.cutAfter, size > 0 ? size - 1 : 0) : size;
  if (delivery.cutAfter && size == 0) head.resize(head.size() / 2);
  bool isFine = true;
  if (!response_.source) {
    isFine = sendPiece(head, std::string_view(response_.body).substr(0, static_cast<std::size_t>(end)),
                       delivery.bytesPerSecond);
  } else {
    std::uint64_t sent = 0;
    do {
      const std::string piece = pieceOf(
          *response_.source, sent, static_cast<std::size_t>(std::min<std::uint64_t>(kSendPiece, end - sent)));
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

}  // namespace lockstep::rehearsal
