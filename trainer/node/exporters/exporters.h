// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "oci/calls/service_client.h"
#include "trainer/node/exporters/exporter_settings.h"
#include "trainer/node/exporters/monitoring_post.h"
#include "trainer/node/exporters/newest_values.h"
#include "trainer/node/exporters/otlp_push.h"
#include "trainer/node/exporters/scrape_server.h"
#include "trainer/node/metrics/node_metrics.h"

namespace lockstep::node {

/// Everybody else whom this node tells what its ranks do: Prometheus, OpenTelemetry, Monitoring (docs/exporters.md). Each on a
/// thread of its own, so that none holds up the training or another one; that one cannot be told is no failure.
class Exporters {
 public:
  /// Null: the environment asks for none. InvalidArgument: a variable that cannot be used. `services` may be null. Says what
  /// goes where.
  static Result<std::unique_ptr<Exporters>> open(const NodeSettings& settings, const Environment& environment,
                                                 const std::string& node, const std::string& address,
                                                 const std::shared_ptr<oci::ServiceClient>& services);

  /// These ranks run here from now on.
  void begin(const std::vector<MeasuredRank>& ranks);
  /// What tells of their newest values.
  [[nodiscard]] NodeMetrics::Listener listener() const;

 private:
  Exporters() = default;
  void openScrape(const ScrapeAddress& where);
  void openPush(const OtlpSettings& settings);
  void openPost(const ExporterSettings& settings, const std::shared_ptr<oci::ServiceClient>& services);

  std::shared_ptr<NewestValues> newest_;
  std::unique_ptr<ScrapeServer> scrape_;
  std::unique_ptr<OtlpPush> push_;
  std::unique_ptr<MonitoringPost> post_;
};

}  // namespace lockstep::node
