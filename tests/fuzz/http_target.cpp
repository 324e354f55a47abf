// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "http/url.h"
#include "rehearsal/http/request_head.h"
#include "rehearsal/service/byte_range.h"

namespace lockstep {
namespace {

using namespace rehearsal;

constexpr std::uint64_t kMaxBody = 1 << 16;

std::string checkHead(const RequestHead& head) {
  if (!head.target.starts_with('/') || hasControls(head.target) || hasControls(head.method))
    return "a request line that cannot be repeated";
  if (head.target.size() > kMaxTargetBytes || head.headers.size() > kMaxHeaders) return "a head too large";
  if (head.chunked && head.headers.contains("content-length")) return "two lengths";
  for (const auto& [name, value] : head.headers)
    if (value.find_first_of("\r\n") != std::string::npos || value.find('\0') != std::string::npos)
      return "a header of several lines";
  const auto [path, query] = splitTarget(head.target);
  if (path.size() + query.size() > head.target.size()) return "more target than there is";
  (void)parseQuery(query);
  return {};
}

std::string checkRange(const RequestHead& head, std::uint64_t size) {
  const auto range = rangeOf(headerValue(head.headers, "range"), size);
  if (!range) return {};
  if (range->first > size || range->length > size - range->first) return "a range beside the object";
  if (range->partial && range->length == 0) return "a part of nothing";
  return {};
}

struct Read {
  ChunkedReader::State state = ChunkedReader::State::NeedsMore;
  std::string body, left;
};

// `step` bytes arrive at a time.
Read readChunks(std::string_view bytes, std::size_t step) {
  Read read;
  ChunkedReader reader(kMaxBody);
  while (!bytes.empty() && read.state == ChunkedReader::State::NeedsMore) {
    read.left += bytes.substr(0, step);
    bytes.remove_prefix(std::min(step, bytes.size()));
    read.state = reader.take(read.left, read.body);
  }
  read.left += bytes;
  return read;
}

// However it arrives, it is the same body.
std::string checkChunks(std::string_view bytes, std::size_t step) {
  const Read whole = readChunks(bytes, bytes.size());
  const Read pieces = readChunks(bytes, step + 1);
  if (whole.body.size() > kMaxBody) return "a body that is larger than it may be";
  if (whole.state != pieces.state) return "in pieces, the body ends otherwise";
  if (whole.state != ChunkedReader::State::Complete) return {};
  return whole.body == pieces.body && whole.left == pieces.left ? "" : "in pieces, it is another body";
}

std::string checkUrl(std::string_view text) {
  const auto url = parseUrl(text);
  if (!url) return wordless(url.error(), ErrorCode::InvalidArgument);
  if (url->host.empty() || !url->target.starts_with('/')) return "a URL without host or target";
  const auto again = parseUrl(url->origin() + url->target);
  if (!again || again->host != url->host || again->target != url->target)
    return "a URL that does not read back";
  (void)url->isLoopback();
  return {};
}

}  // namespace

std::string tryHttp(std::string_view input) {
  const std::size_t step = input.empty() ? 0 : static_cast<unsigned char>(input.back());
  if (std::string wrong = checkUrl(input.substr(0, input.find('\n'))); !wrong.empty()) return wrong;
  if (std::string wrong = checkChunks(input, step); !wrong.empty()) return wrong;
  std::size_t searched = 0;
  const auto end = findHeadEnd(input, searched);
  if (!end) return searched > input.size() ? "searched beyond the end" : "";
  if (*end > input.size()) return "a head beyond the end";
  const auto head = parseRequestHead(input.substr(0, *end));
  if (!head) return head.error().status < 400 ? "refused with a status of success" : "";
  if (std::string wrong = checkHead(*head); !wrong.empty()) return wrong;
  if (std::string wrong = checkRange(*head, input.size() - *end); !wrong.empty()) return wrong;
  return head->chunked ? checkChunks(input.substr(*end), step) : "";
}

}  // namespace lockstep
