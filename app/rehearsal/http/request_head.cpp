// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/http/request_head.h"

#include <algorithm>
#include <charconv>

#include "base/text/trimmed.h"

namespace lockstep::rehearsal {
namespace {

using Problem = std::optional<ServiceError>;

constexpr std::size_t kMaxChunkLine = 1024;
constexpr std::size_t kMaxTrailerBytes = 16 * 1024;

ServiceError gatewayError(int status) {
  return {status, "", ""};
}

bool isToken(std::string_view text) {
  static constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || kMarks.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool isControl(unsigned char c) {
  return c < 0x20 || c == 0x7f;
}

std::string lowerText(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// One line without its end; a carriage return may stand only there.
std::string_view popHeadLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// "http://host/path" is what a proxy is sent; what was signed is the part from the path on.
std::string_view originForm(std::string_view target) {
  if (target.starts_with("/")) return target;
  const std::string scheme = lowerText(target.substr(0, 8));
  const std::size_t host = scheme == "https://" ? 8 : scheme.starts_with("http://") ? 7 : 0;
  if (host == 0) return {};
  const std::size_t path = target.find('/', host);
  return path == std::string_view::npos ? std::string_view("/") : target.substr(path);
}

Problem readRequestLine(std::string_view line, RequestHead& head) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || last == first) return gatewayError(400);
  const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
  const std::string_view target = originForm(line.substr(first + 1, last - first - 1));
  if (!isToken(method) || method.size() > 32) return gatewayError(400);
  if (version != "HTTP/1.1" && version != "HTTP/1.0")
    return gatewayError(version.starts_with("HTTP/") ? 505 : 400);
  if (target.size() > kMaxTargetBytes) return gatewayError(414);
  const bool isClean =
      std::none_of(target.begin(), target.end(), [](unsigned char c) { return c == ' ' || isControl(c); });
  if (target.empty() || !isClean || target.find('#') != std::string_view::npos) return gatewayError(400);
  head.method = method;
  head.target = target;
  head.isHttp10 = version == "HTTP/1.0";
  return std::nullopt;
}

Problem readHeaderLine(std::string_view line, RequestHead& head) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !isToken(line.substr(0, colon))) return gatewayError(400);
  const std::string_view value = trimmed(line.substr(colon + 1), kHttpBlanks);
  const bool isClean =
      std::none_of(value.begin(), value.end(), [](unsigned char c) { return c != '\t' && isControl(c); });
  if (!isClean) return gatewayError(400);
  head.headers.emplace(line.substr(0, colon), value);
  return std::nullopt;
}

Problem readContentLength(RequestHead& head) {
  const auto [first, last] = head.headers.equal_range("content-length");
  if (first == last) return std::nullopt;
  const std::string& text = first->second;
  if (head.headers.count("content-length") > 1 || text.empty() || text.size() > 18 ||
      !std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
    return gatewayError(400);
  std::from_chars(text.data(), text.data() + text.size(), head.contentLength);
  return std::nullopt;
}

Problem readFraming(RequestHead& head) {
  if (auto problem = readContentLength(head)) return problem;
  const auto coding = headerValue(head.headers, "transfer-encoding");
  if (coding) {
    if (head.headers.count("transfer-encoding") > 1 || head.headers.contains("content-length") ||
        head.isHttp10)
      return gatewayError(400);
    if (lowerText(*coding) != "chunked") return gatewayError(501);
    head.chunked = true;
  }
  const std::string connection = lowerText(headerValue(head.headers, "connection").value_or(""));
  head.keepAlive = head.isHttp10 ? connection.find("keep-alive") != std::string::npos
                                 : connection.find("close") == std::string::npos;
  if (const auto expect = headerValue(head.headers, "expect")) {
    if (lowerText(*expect) != "100-continue") return gatewayError(417);
    head.expectsContinue = !head.isHttp10;
  }
  return std::nullopt;
}

Problem checkHeaders(const RequestHead& head) {
  if (head.headers.count("content-type") > 1) return gatewayError(400);  // oci-rest-contract 1.1
  const std::size_t hosts = head.headers.count("host");
  if (hosts > 1 || (hosts == 0 && !head.isHttp10)) return gatewayError(400);
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> findHeadEnd(std::string_view bytes, std::size_t& searched) {
  for (std::size_t at = searched; (at = bytes.find('\n', at)) != std::string_view::npos; ++at) {
    std::size_t next = at + 1;
    if (next < bytes.size() && bytes[next] == '\r') ++next;
    if (next >= bytes.size()) {
      searched = at;
      return std::nullopt;
    }
    if (bytes[next] == '\n') return next + 1;
  }
  searched = bytes.size();
  return std::nullopt;
}

tl::expected<RequestHead, ServiceError> parseRequestHead(std::string_view bytes) {
  RequestHead head;
  if (auto problem = readRequestLine(popHeadLine(bytes), head)) return tl::unexpected<ServiceError>(*problem);
  std::size_t count = 0;
  for (std::string_view line = popHeadLine(bytes); !line.empty(); line = popHeadLine(bytes)) {
    if (++count > kMaxHeaders)
      return refuse(431, "RequestHeaderFieldsTooLarge", "The request has too many headers.");
    if (auto problem = readHeaderLine(line, head)) return tl::unexpected<ServiceError>(*problem);
  }
  if (auto problem = checkHeaders(head)) return tl::unexpected<ServiceError>(*problem);
  if (auto problem = readFraming(head)) return tl::unexpected<ServiceError>(*problem);
  return head;
}

ChunkedReader::State ChunkedReader::popLine(std::string_view& input, std::string_view& line) {
  const std::size_t end = input.substr(0, kMaxChunkLine + 1).find('\n');
  if (end == std::string_view::npos)
    return input.size() > kMaxChunkLine ? State::Malformed : State::NeedsMore;
  line = input.substr(0, end);
  input.remove_prefix(end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return State::Complete;
}

ChunkedReader::State ChunkedReader::parseSize(std::string_view line) {
  const std::string_view size = trimmed(line.substr(0, line.find(';')), kHttpBlanks);
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), left_, 16);
  if (size.empty() || size.size() > 15 || error != std::errc{} || end != size.data() + size.size())
    return State::Malformed;
  if (left_ > max_ - taken_) return State::TooLarge;
  taken_ += left_;
  part_ = left_ == 0 ? Part::Trailer : Part::Data;
  return State::NeedsMore;
}

ChunkedReader::State ChunkedReader::readFrom(std::string_view& input, std::string& body) {
  std::string_view line;
  for (;;) {
    if (part_ == Part::Data) {
      const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size()));
      body.append(input.substr(0, size));
      input.remove_prefix(size);
      left_ -= size;
      if (left_ > 0) return State::NeedsMore;
      part_ = Part::DataEnd;
    }
    if (const State state = popLine(input, line); state != State::Complete) return state;
    if (part_ == Part::DataEnd) {
      if (!line.empty()) return State::Malformed;
      part_ = Part::Size;
    } else if (part_ == Part::Trailer) {
      trailerBytes_ += line.size();
      if (trailerBytes_ > kMaxTrailerBytes) return State::Malformed;
      if (line.empty()) return State::Complete;
    } else if (const State state = parseSize(line); state != State::NeedsMore) {
      return state;
    }
  }
}

// What was taken leaves the front once, however small the chunks are.
ChunkedReader::State ChunkedReader::take(std::string& input, std::string& body) {
  std::string_view rest(input);
  const State state = readFrom(rest, body);
  input.erase(0, input.size() - rest.size());
  return state;
}

}  // namespace lockstep::rehearsal
