// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/exporters/exporters.h"

#include "http/curl_http_client.h"
#include "metrics/exporting/prometheus_text.h"
#include "trainer/node/processes/node_log.h"

namespace lockstep::node {
namespace {

void sayLine(const std::string& line) {
  say("{}", line);
}

}  // namespace

Result<std::unique_ptr<Exporters>> Exporters::open(const NodeSettings& settings,
                                                   const Environment& environment, const std::string& node,
                                                   const std::string& address,
                                                   const std::shared_ptr<oci::ServiceClient>& services) {
  const auto wanted = exporterSettingsFrom(environment, address);
  if (!wanted) return failure(wanted.error());
  for (const std::string& note : wanted->notes) say("note: {}", note);
  if (wanted->isNone()) return nullptr;
  std::unique_ptr<Exporters> exporters(new Exporters);
  exporters->newest_ = std::make_shared<NewestValues>(settings.jobId, node, settings.jobRunId);
  if (wanted->scrape) exporters->openScrape(*wanted->scrape);
  if (wanted->otlp) exporters->openPush(*wanted->otlp);
  if (wanted->posts) exporters->openPost(*wanted, services);
  return exporters;
}

void Exporters::begin(const std::vector<MeasuredRank>& ranks) {
  std::vector<int> numbers;
  for (const MeasuredRank& rank : ranks) numbers.push_back(rank.rank);
  newest_->begin(numbers);
}

NodeMetrics::Listener Exporters::listener() const {
  return
      [newest = newest_](int rank, std::optional<Step> step, TimePoint time,
                         const std::vector<NamedValue>& values) { newest->note(rank, step, time, values); };
}

void Exporters::openScrape(const ScrapeAddress& where) {
  auto opened = ScrapeServer::open(where, [newest = newest_] { return prometheusText(newest->newest()); });
  const std::string host =
      where.address.find(':') == std::string::npos ? where.address : "[" + where.address + "]";
  if (opened)
    say("metrics for Prometheus: http://{}:{}/metrics", host, where.port);
  else
    say("warning: there will be no metrics for Prometheus: {}", describe(opened.error()));
  if (opened) scrape_ = *std::move(opened);
}

void Exporters::openPush(const OtlpSettings& settings) {
  CurlOptions options;
  options.certificateBundle = settings.certificateBundle;
  options.maxAnswerBytes = 1 << 20;
  push_ = std::make_unique<OtlpPush>(
      settings, makeCurlHttpClient(options), [newest = newest_] { return newest->newest(); }, sayLine);
  say("metrics are pushed by OTLP every {} s",
      std::chrono::duration_cast<std::chrono::duration<double>>(settings.interval).count());
}

void Exporters::openPost(const ExporterSettings& settings,
                         const std::shared_ptr<oci::ServiceClient>& services) {
  if (!services || settings.compartmentId.empty())
    return say("warning: no metrics are posted to Monitoring: this is no job run of the service");
  MonitoringPost::Place place;
  place.nameSpace = settings.nameSpace;
  place.compartmentId = settings.compartmentId;
  post_ = std::make_unique<MonitoringPost>(
      services, std::move(place), [newest = newest_] { return newest->newest(); }, sayLine);
  say("metrics are posted to Monitoring each minute, in the namespace {}", settings.nameSpace);
}

}  // namespace lockstep::node
