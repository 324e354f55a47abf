// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/exporters/scrape_request.h"

#include <fmt/format.h>

#include "metrics/exporting/prometheus_text.h"

namespace lockstep::node {
namespace {

constexpr std::string_view kPath = "/metrics";

const char* reasonOf(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    default:
      return "Bad Request";
  }
}

}  // namespace

bool isWholeHead(std::string_view head) {
  return head.find("\r\n\r\n") != std::string_view::npos || head.find("\n\n") != std::string_view::npos;
}

ScrapeRequest scrapeRequestFrom(std::string_view head) {
  std::string_view line = head.substr(0, head.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == 0 || last == first) return {};
  const std::string_view version = line.substr(last + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return {};
  const std::string_view method = line.substr(0, first);
  std::string_view target = line.substr(first + 1, last - first - 1);
  if (!target.starts_with('/') || target.find(' ') != std::string_view::npos) return {};
  if (method != "GET" && method != "HEAD") return {405, true};
  target = target.substr(0, target.find('?'));
  return {target == kPath ? 200 : 404, method == "GET"};
}

std::string scrapeAnswer(const ScrapeRequest& request, std::string_view text) {
  const bool isThere = request.status == 200;
  const std::string other =
      isThere ? "" : fmt::format("{}; metrics are at {}\n", reasonOf(request.status), kPath);
  const std::string_view body = isThere ? text : other;
  std::string answer =
      fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}Connection: close\r\n\r\n",
                  request.status, reasonOf(request.status),
                  isThere ? kPrometheusContentType : "text/plain; charset=utf-8", body.size(),
                  request.status == 405 ? "Allow: GET, HEAD\r\n" : "");
  if (request.hasBody) answer += body;
  return answer;
}

}  // namespace lockstep::node
