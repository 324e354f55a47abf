// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/liveness/node_environment.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/clock.h"
#include "base/json_fields.h"
#include "oci/services/data_science_client.h"
#include "oci/signin/open_service_client.h"
#include "oci/storage/object_storage_client.h"
#include "trainer/node/processes/node_log.h"
#include "trainer/node/settings/cluster_file.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

void logFindings(const std::vector<ReachFinding>& findings, const std::string& name) {
  std::set<int> nodes, closed;
  for (const ReachFinding& one : findings) {
    nodes.insert(one.node);
    if (one.ms) continue;
    closed.insert(one.node);
    say("warning: {} cannot reach {} at {}:{}: {}; allow TCP between the nodes (security list or NSG of the "
        "subnet), {}",
        name, one.name, one.address, one.port, one.cause,
        one.fixed ? fmt::format("port {}", one.port) : "all ports");
  }
  if (closed.empty() && !nodes.empty())
    say("{} reaches all of the {} other node{}", name, nodes.size(), nodes.size() == 1 ? "" : "s");
}

}  // namespace

Result<NodeStore> openNodeStore(const NodeSettings& settings, const Environment& environment) {
  const auto uri = parseWorkDirUri(settings.workDir);
  if (!uri) return failure(uri.error());
  NodeStore opened;
  if (uri->scheme == WorkDirUri::Scheme::Oci || !settings.outsideService()) {
    auto services = oci::openServiceClientInJobRun(environment);
    if (services) opened.services = *services;
    if (!services && uri->scheme == WorkDirUri::Scheme::Oci) return failure(services.error());
  }
  auto store = oci::openWorkDir(opened.services, settings.workDir);
  if (!store) return failure(store.error());
  opened.store = *store;
  return opened;
}

std::string nodeDisplayName(const NodeSettings& settings, const std::shared_ptr<oci::ServiceClient>& services,
                            const std::stop_token& stop) {
  if (!services || settings.outsideService() || settings.isMultiNode()) return settings.defaultName();
  const auto run = oci::DataScienceClient(services).getJobRun(settings.jobRunId, stop);
  if (!run) return settings.defaultName();  // only a name for people
  return stringField(*run, "displayName", settings.defaultName());
}

Result<OwnAddress> nodeAddress(const NodeSettings& settings,
                               const std::shared_ptr<oci::ServiceClient>& services,
                               const std::stop_token& stop) {
  if (!settings.isMultiNode()) return findOwnAddress(settings, services, stop);
  SystemClock clock;
  const auto addresses = awaitCluster(settings, clock, stop);
  if (!addresses) return failure(addresses.error());
  return ownAmong(*addresses, settings);
}

Result<void> testWays(ConnectivityCheck& test, const std::string& name, const std::stop_token& stop) {
  SystemClock clock;
  const auto findings = test.run(clock, stop);
  if (!findings) return failure(findings.error());
  logFindings(*findings, name);
  if (!test.missing().empty())
    say("{} other nodes took no part in the test of the network", test.missing().size());
  return test.awaitOthers(clock, stop);
}

}  // namespace lockstep::node
