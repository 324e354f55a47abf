// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/identity/policy_words.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "rehearsal/identity/policy_scanner.h"

namespace lockstep::rehearsal {
namespace {

using enum PolicyVerb;

constexpr PermissionWord kPermissions[] = {
#define LOCKSTEP_PERMISSION(name, resourceType, verb) {name, resourceType, verb},
#include "rehearsal/identity/permissions.def"
#undef LOCKSTEP_PERMISSION
};

const std::map<std::string, std::set<std::string>, std::less<>>& families() {
  static const std::map<std::string, std::set<std::string>, std::less<>> all{
      {"object-family", {"objectstorage-namespaces", "buckets", "objects"}},
      {"virtual-network-family",
       {"vcns",
        "subnets",
        "route-tables",
        "network-security-groups",
        "security-lists",
        "dhcp-options",
        "private-ips",
        "public-ips",
        "ipv6s",
        "internet-gateways",
        "nat-gateways",
        "service-gateways",
        "local-peering-gateways",
        "remote-peering-connections",
        "drgs",
        "cpes",
        "ipsec-connections",
        "cross-connects",
        "cross-connect-groups",
        "virtual-circuits",
        "vnics",
        "vnic-attachments",
        "vlans",
        "byoip-range",
        "drg-attachments",
        "drg-route-tables",
        "drg-route-distributions"}},
      {"data-science-family",
       {"data-science-projects", "data-science-notebook-sessions", "data-science-models",
        "data-science-modelversionsets", "data-science-model-deployments", "data-science-work-requests",
        "data-science-jobs", "data-science-job-runs", "data-science-pipelines", "data-science-pipeline-runs",
        "data-science-private-endpoint", "data-science-schedules", "data-science-model-groups",
        "data-science-model-group-version-histories"}},
      {"logging-family", {"log-groups", "log-content", "unified-configuration"}},
      {"instance-family",
       {"instances", "instance-images", "volume-attachments", "console-histories",
        "instance-console-connection", "app-catalog-listing"}},
      {"instance-agent-family", {"instance-agent-commands", "instance-agent-command-execution-family"}},
      {"compute-management-family", {"instance-configurations", "instance-pools", "cluster-networks"}},
      {"volume-family",
       {"volumes", "volume-attachments", "volume-backups", "boot-volume-backups", "backup-policies",
        "backup-policy-assignments", "volume-groups", "volume-group-backups"}},
      {"file-family", {"file-systems", "mount-targets", "export-sets"}},
      {"database-family", {"db-systems", "db-nodes", "db-homes", "databases", "db-backups"}},
      {"autonomous-database-family", {"autonomous-databases", "autonomous-backups"}},
      {"cluster-family", {"clusters", "cluster-node-pools", "cluster-work-requests"}},
      {"functions-family", {"fn-app", "fn-function", "fn-invocation"}},
      {"dns", {"dns-zones", "dns-records", "dns-steering-policies"}},
      {"ons-family", {"ons-topics", "ons-subscriptions"}},
      {"stream-family", {"streams", "stream-push", "stream-pull", "connect-harness", "stream-pools"}},
      {"secret-family", {"secrets", "secret-versions", "secret-bundles"}},
      {"orm-family", {"orm-stacks", "orm-jobs"}},
  };
  return all;
}

// Types without a family, or without an operation here, that statements of the guides may name.
constexpr const char* kOtherTypes[] = {"all-resources",
                                       "tenancies",
                                       "compartments",
                                       "users",
                                       "groups",
                                       "dynamic-groups",
                                       "policies",
                                       "work-requests",
                                       "repos",
                                       "metrics",
                                       "alarms",
                                       "limits",
                                       "resource-availability",
                                       "tag-namespaces",
                                       "tag-defaults",
                                       "identity-providers",
                                       "network-sources",
                                       "vaults",
                                       "keys",
                                       "key-delegate",
                                       "quotas",
                                       "usage-budgets",
                                       "usage-report",
                                       "audit-events",
                                       "cloudevents-rules",
                                       "serviceconnectors",
                                       "domains",
                                       "credentials",
                                       "authentication-policies",
                                       "data-transfer-jobs",
                                       "bastion",
                                       "dataflow-family",
                                       "dataflow-application",
                                       "dataflow-run",
                                       "generic-artifacts",
                                       "load-balancers",
                                       "announcements"};

const std::set<std::string, std::less<>>& resourceTypes() {
  static const auto all = [] {
    std::set<std::string, std::less<>> types(std::begin(kOtherTypes), std::end(kOtherTypes));
    for (const auto& [family, members] : families()) {
      types.insert(family);
      types.insert(members.begin(), members.end());
    }
    for (const PermissionWord& permission : kPermissions) types.insert(permission.resourceType);
    return types;
  }();
  return all;
}

// Levenshtein's distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j + 1] + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::span<const PermissionWord> permissionWords() {
  return kPermissions;
}

const PermissionWord* findPermission(std::string_view name) {
  const auto found =
      std::ranges::find_if(kPermissions, [name](const PermissionWord& p) { return sameWord(p.name, name); });
  return found == std::end(kPermissions) ? nullptr : found;
}

const PermissionWord* permissionOf(PolicyVerb verb, std::string_view resourceType) {
  const auto found = std::ranges::find_if(kPermissions, [&](const PermissionWord& p) {
    return p.verb == verb && p.resourceType == resourceType;
  });
  return found == std::end(kPermissions) ? nullptr : found;
}

bool isResourceType(std::string_view word) {
  return resourceTypes().contains(word);
}

bool coversResourceType(std::string_view granted, std::string_view wanted) {
  if (granted == "all-resources" || granted == wanted) return true;
  const auto family = families().find(granted);
  return family != families().end() && family->second.contains(std::string(wanted));
}

std::optional<std::string> nearestResourceType(std::string_view word) {
  std::optional<std::string> best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& type : resourceTypes()) {
    const std::size_t d = distance(word, type);
    if (d >= least) continue;
    least = d;
    best = type;
  }
  return best;
}

}  // namespace lockstep::rehearsal
