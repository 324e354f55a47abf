// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep::node {

/// More than a program that scrapes ever sends ahead of an empty line.
inline constexpr std::size_t kMaxScrapeHead = 8192;

/// Whether the head of the request has come as far as its empty line.
[[nodiscard]] bool isWholeHead(std::string_view head);

/// How a request is to be answered, by its first line alone; the other lines say nothing that matters here.
struct ScrapeRequest {
  int status = 400;     // 200, 404 another path, 405 another method, 400 no request of HTTP/1
  bool hasBody = true;  // of the answer: not for HEAD
};
[[nodiscard]] ScrapeRequest scrapeRequestFrom(std::string_view head);

/// The whole answer; `text` for a status of 200.
[[nodiscard]] std::string scrapeAnswer(const ScrapeRequest& request, std::string_view text);

}  // namespace lockstep::node
