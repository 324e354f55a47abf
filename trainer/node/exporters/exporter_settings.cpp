// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/exporters/exporter_settings.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/bounds.h"
#include "base/child_process.h"
#include "base/text/encoding.h"
#include "base/text/trimmed.h"
#include "http/url.h"

namespace lockstep::node {
namespace {

constexpr const char* kScrape = "LOCKSTEP_PROMETHEUS";
constexpr std::size_t kMaxPairs = 64;

bool isIpAddress(const std::string& text) {
  in6_addr any{};
  return ::inet_pton(AF_INET, text.c_str(), &any) == 1 || ::inet_pton(AF_INET6, text.c_str(), &any) == 1;
}

/// The variable for metrics alone, else that for everything.
std::string otlpVariable(const Environment& environment, const std::string& name) {
  const std::string own = environmentValue(environment, "OTEL_EXPORTER_OTLP_METRICS_" + name);
  return own.empty() ? environmentValue(environment, "OTEL_EXPORTER_OTLP_" + name) : own;
}

std::string otlpUrl(const Environment& environment) {
  const std::string own = environmentValue(environment, "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT");
  if (!own.empty()) return own;
  std::string base = environmentValue(environment, "OTEL_EXPORTER_OTLP_ENDPOINT");
  if (base.empty()) return base;
  while (base.ends_with('/')) base.pop_back();
  return base + "/v1/metrics";
}

std::chrono::milliseconds millisecondsOf(const std::string& text, std::chrono::milliseconds otherwise) {
  const auto value = integerIn<long long>(text, 1, 86'400'000);
  return value ? std::chrono::milliseconds(*value) : otherwise;
}

bool isHeaderName(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool isHeaderValue(const std::string& text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c >= 0x20 && c != 0x7f; });
}

/// Why it cannot be used; empty: it can.
std::string problemOf(const std::string& url, const std::string& protocol) {
  if (protocol == "grpc")
    return "no metrics are pushed to the endpoint of OTEL_EXPORTER_OTLP_ENDPOINT: the protocol is to be "
           "grpc, and "
           "only OTLP over HTTP is known here (set OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=http/json)";
  if (!parseUrl(url))  // the text may have a password in it
    return "no metrics are pushed: what OTEL_EXPORTER_OTLP_ENDPOINT says is no URL of http or https without "
           "a user";
  return {};
}

void readOtlp(const Environment& environment, ExporterSettings& settings) {
  const std::string url = otlpUrl(environment);
  if (url.empty() || environmentValue(environment, "OTEL_METRICS_EXPORTER") == "none") return;
  if (environmentValue(environment, "OTEL_SDK_DISABLED") == "true") return;
  std::string problem = problemOf(url, otlpVariable(environment, "PROTOCOL"));
  if (!problem.empty()) return settings.notes.push_back(std::move(problem));
  OtlpSettings otlp;
  otlp.url = url;
  for (auto& [name, value] : keyValuesFrom(otlpVariable(environment, "HEADERS"))) {
    if (isHeaderName(name) && isHeaderValue(value))
      otlp.headers.emplace_back(std::move(name), std::move(value));
  }
  for (auto& [name, value] : keyValuesFrom(environmentValue(environment, "OTEL_RESOURCE_ATTRIBUTES")))
    otlp.resource[name] = value;
  const std::string service = environmentValue(environment, "OTEL_SERVICE_NAME");
  if (!service.empty()) otlp.resource["service.name"] = service;
  otlp.certificateBundle = otlpVariable(environment, "CERTIFICATE");
  otlp.timeout = millisecondsOf(otlpVariable(environment, "TIMEOUT"), otlp.timeout);
  otlp.interval = millisecondsOf(environmentValue(environment, "OTEL_METRIC_EXPORT_INTERVAL"), otlp.interval);
  settings.otlp = std::move(otlp);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> keyValuesFrom(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::istringstream all(text);
  for (std::string one; std::getline(all, one, ',') && pairs.size() < kMaxPairs;) {
    const std::size_t middle = one.find('=');
    if (middle == std::string::npos) continue;
    const std::string key = percentDecode(trimmed(std::string_view(one).substr(0, middle)));
    std::string value = percentDecode(trimmed(std::string_view(one).substr(middle + 1)));
    if (!key.empty()) pairs.emplace_back(key, std::move(value));
  }
  return pairs;
}

Result<ScrapeAddress> scrapeAddressFrom(const std::string& text, const std::string& nodeAddress) {
  const std::size_t colon = text.rfind(':');
  std::string address = colon == std::string::npos ? "127.0.0.1" : text.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  if (address == "node") address = nodeAddress;
  const auto port = integerIn<int>(colon == std::string::npos ? text : text.substr(colon + 1), 1, 65535);
  if (port && isIpAddress(address)) return ScrapeAddress{address, *port};
  return failure(
      ErrorCode::InvalidArgument, fmt::format("the variable {}='{}' is not usable", kScrape, text),
      "it must be PORT, for programs of this node alone, or ADDRESS:PORT with an IP address of this "
      "node or the word 'node'",
      "set it to 9400 or node:9400");
}

Result<ExporterSettings> exporterSettingsFrom(const Environment& environment,
                                              const std::string& nodeAddress) {
  ExporterSettings settings;
  if (const std::string text = environmentValue(environment, kScrape); !text.empty()) {
    auto address = scrapeAddressFrom(text, nodeAddress);
    if (!address) return failure(address.error());
    settings.scrape = *std::move(address);
  }
  readOtlp(environment, settings);
  settings.posts = environmentValue(environment, "LOCKSTEP_POST_METRICS") == "1";
  settings.nameSpace = environmentValue(environment, "OCI__METRICS_NAMESPACE", settings.nameSpace);
  settings.compartmentId = environmentValue(environment, "JOB_RUN_COMPARTMENT_OCID");
  return settings;
}

}  // namespace lockstep::node
