// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "http/http_client.h"
#include "metrics/exporting/otlp_json.h"
#include "trainer/node/settings/node_settings.h"

namespace lockstep::node {

/// Where Prometheus may ask.
struct ScrapeAddress {
  std::string address;  // an IP address of this machine
  int port = 0;
};

/// Where values are pushed to, as the variables of OpenTelemetry say (specification of its SDKs, "OTLP exporter").
struct OtlpSettings {
  std::string url;
  HttpHeaders headers;  // may hold secrets: never printed
  OtlpAttributes resource;
  std::string certificateBundle;  // empty: the system's
  std::chrono::milliseconds interval{60'000}, timeout{10'000};
  std::chrono::milliseconds firstRetry{5'000};  // doubled with every failure
};

/// What the environment asks of the exporters of a node (docs/exporters.md).
struct ExporterSettings {
  std::optional<ScrapeAddress> scrape;  // LOCKSTEP_PROMETHEUS
  std::optional<OtlpSettings> otlp;     // OTEL_EXPORTER_OTLP_ENDPOINT
  bool posts = false;                   // LOCKSTEP_POST_METRICS=1
  std::string nameSpace = "lockstep";   // OCI__METRICS_NAMESPACE
  std::string compartmentId;            // JOB_RUN_COMPARTMENT_OCID
  std::vector<std::string> notes;       // why something that the environment seems to want is not done

  [[nodiscard]] bool isNone() const { return !scrape && !otlp && !posts; }
};

/// InvalidArgument names the variable of ours that cannot be used; those of OpenTelemetry may be meant for somebody else, so
/// what cannot be used of them is a note. `nodeAddress`: what "node" stands for.
Result<ExporterSettings> exporterSettingsFrom(const Environment& environment, const std::string& nodeAddress);

/// "PORT", "ADDRESS:PORT", "[ADDRESS]:PORT" or "node:PORT"; without an address 127.0.0.1.
Result<ScrapeAddress> scrapeAddressFrom(const std::string& text, const std::string& nodeAddress);

/// "key=value,key2=value2" with percent-encoded values, as OpenTelemetry's variables have them; what is none is left out.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> keyValuesFrom(const std::string& text);

}  // namespace lockstep::node
