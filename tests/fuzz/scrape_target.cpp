// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "trainer/node/exporters/exporter_settings.h"
#include "trainer/node/exporters/scrape_request.h"

namespace lockstep {
namespace {

using namespace node;

std::string checkAnswer(std::string_view head) {
  const ScrapeRequest request = scrapeRequestFrom(head);
  if (request.status != 200 && request.status != 400 && request.status != 404 && request.status != 405)
    return "a status that nobody has";
  const std::string text = "a 1\n";
  const std::string answer = scrapeAnswer(request, text);
  const std::size_t end = answer.find("\r\n\r\n");
  if (end == std::string::npos) return "an answer without an end of its head";
  const std::size_t length = answer.find("Content-Length: ");
  if (length == std::string::npos || length > end) return "an answer without a length";
  const std::size_t body = answer.size() - end - 4;
  if (request.hasBody &&
      std::to_string(body) != answer.substr(length + 16, answer.find("\r\n", length) - length - 16))
    return "an answer of another length than it says";
  if (!request.hasBody && body != 0) return "an answer to HEAD with a body";
  if ((request.status == 200 && request.hasBody) != (answer.find(text) != std::string::npos))
    return "metrics for a request that did not ask for them, or none for one that did";
  return {};
}

std::string checkSettings(const std::string& headers, const std::string& endpoint,
                          const std::string& scrape) {
  const auto settings = exporterSettingsFrom({{"OTEL_EXPORTER_OTLP_HEADERS", headers},
                                              {"OTEL_EXPORTER_OTLP_ENDPOINT", endpoint},
                                              {"LOCKSTEP_PROMETHEUS", scrape}},
                                             "10.0.0.7");
  if (!settings) return settings.error().what.empty() ? "refused without a word" : "";
  if (settings->scrape && (settings->scrape->port < 1 || settings->scrape->port > 65535)) return "no port";
  if (!settings->otlp) return {};
  for (const auto& [name, value] : settings->otlp->headers) {
    const auto breaks = [](char c) { return c == '\r' || c == '\n' || c == '\0'; };
    if (name.empty() || std::ranges::any_of(name, breaks) || std::ranges::any_of(value, breaks))
      return "a header that brings another one";
  }
  return {};
}

}  // namespace

std::string tryScrape(std::string_view input) {
  Parts parts(input);
  const std::string_view head = parts.text();
  if (std::string wrong = checkAnswer(head); !wrong.empty()) return wrong;
  const std::string headers(parts.text()), endpoint(parts.text()), scrape(parts.text());
  if (std::string wrong = checkSettings(headers, endpoint, scrape); !wrong.empty()) return wrong;
  return isWholeHead(head) == isWholeHead(std::string(head) + "x") ? ""
                                                                   : "a head that was whole is whole no more";
}

}  // namespace lockstep
