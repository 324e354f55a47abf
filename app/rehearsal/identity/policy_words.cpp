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

// Oracle's policy reference: what each verb adds to the verb below it.
constexpr PermissionWord kPermissions[] = {
    {"TENANCY_INSPECT", "tenancies", Inspect},
    {"TENANCY_UPDATE", "tenancies", Use},
    {"COMPARTMENT_INSPECT", "compartments", Inspect},
    {"COMPARTMENT_UPDATE", "compartments", Use},
    {"COMPARTMENT_CREATE", "compartments", Manage},
    {"COMPARTMENT_DELETE", "compartments", Manage},
    {"COMPARTMENT_RECOVER", "compartments", Manage},
    {"USER_INSPECT", "users", Inspect},
    {"USER_READ", "users", Read},
    {"USER_UPDATE", "users", Use},
    {"USER_CREATE", "users", Manage},
    {"USER_DELETE", "users", Manage},
    {"USER_APIKEY_ADD", "users", Manage},
    {"USER_APIKEY_REMOVE", "users", Manage},
    {"USER_AUTHTOKEN_SET", "users", Manage},
    {"USER_AUTHTOKEN_REMOVE", "users", Manage},
    {"GROUP_INSPECT", "groups", Inspect},
    {"GROUP_UPDATE", "groups", Use},
    {"GROUP_CREATE", "groups", Manage},
    {"GROUP_DELETE", "groups", Manage},
    {"DYNAMIC_GROUP_INSPECT", "dynamic-groups", Inspect},
    {"DYNAMIC_GROUP_UPDATE", "dynamic-groups", Use},
    {"DYNAMIC_GROUP_CREATE", "dynamic-groups", Manage},
    {"DYNAMIC_GROUP_DELETE", "dynamic-groups", Manage},
    {"POLICY_READ", "policies", Inspect},
    {"POLICY_UPDATE", "policies", Manage},
    {"POLICY_CREATE", "policies", Manage},
    {"POLICY_DELETE", "policies", Manage},
    {"WORKREQUEST_INSPECT", "work-requests", Inspect},
    {"WORKREQUEST_READ", "work-requests", Read},
    // virtual-network-family
    {"VCN_READ", "vcns", Inspect},
    {"VCN_ATTACH", "vcns", Manage},
    {"VCN_DETACH", "vcns", Manage},
    {"VCN_UPDATE", "vcns", Manage},
    {"VCN_CREATE", "vcns", Manage},
    {"VCN_DELETE", "vcns", Manage},
    {"VCN_MOVE", "vcns", Manage},
    {"SUBNET_READ", "subnets", Inspect},
    {"SUBNET_ATTACH", "subnets", Use},
    {"SUBNET_DETACH", "subnets", Use},
    {"SUBNET_CREATE", "subnets", Manage},
    {"SUBNET_DELETE", "subnets", Manage},
    {"SUBNET_MOVE", "subnets", Manage},
    {"SUBNET_UPDATE", "subnets", Manage},
    {"ROUTE_TABLE_READ", "route-tables", Inspect},
    {"ROUTE_TABLE_ATTACH", "route-tables", Manage},
    {"ROUTE_TABLE_DETACH", "route-tables", Manage},
    {"ROUTE_TABLE_UPDATE", "route-tables", Manage},
    {"ROUTE_TABLE_CREATE", "route-tables", Manage},
    {"ROUTE_TABLE_DELETE", "route-tables", Manage},
    {"SECURITY_LIST_READ", "security-lists", Inspect},
    {"SECURITY_LIST_ATTACH", "security-lists", Manage},
    {"SECURITY_LIST_DETACH", "security-lists", Manage},
    {"SECURITY_LIST_UPDATE", "security-lists", Manage},
    {"SECURITY_LIST_CREATE", "security-lists", Manage},
    {"SECURITY_LIST_DELETE", "security-lists", Manage},
    {"SECURITY_LIST_MOVE", "security-lists", Manage},
    {"NETWORK_SECURITY_GROUP_INSPECT", "network-security-groups", Inspect},
    {"NETWORK_SECURITY_GROUP_READ", "network-security-groups", Read},
    {"NETWORK_SECURITY_GROUP_LIST_SECURITY_RULES", "network-security-groups", Use},
    {"NETWORK_SECURITY_GROUP_LIST_MEMBERS", "network-security-groups", Use},
    {"NETWORK_SECURITY_GROUP_UPDATE_MEMBERS", "network-security-groups", Use},
    {"NETWORK_SECURITY_GROUP_CREATE", "network-security-groups", Manage},
    {"NETWORK_SECURITY_GROUP_DELETE", "network-security-groups", Manage},
    {"NETWORK_SECURITY_GROUP_UPDATE", "network-security-groups", Manage},
    {"NETWORK_SECURITY_GROUP_UPDATE_SECURITY_RULES", "network-security-groups", Manage},
    {"NETWORK_SECURITY_GROUP_MOVE", "network-security-groups", Manage},
    {"DHCP_READ", "dhcp-options", Inspect},
    {"INTERNET_GATEWAY_READ", "internet-gateways", Inspect},
    {"INTERNET_GATEWAY_CREATE", "internet-gateways", Manage},
    {"INTERNET_GATEWAY_UPDATE", "internet-gateways", Manage},
    {"INTERNET_GATEWAY_DELETE", "internet-gateways", Manage},
    {"NAT_GATEWAY_READ", "nat-gateways", Read},
    {"NAT_GATEWAY_ATTACH", "nat-gateways", Use},
    {"NAT_GATEWAY_CREATE", "nat-gateways", Manage},
    {"NAT_GATEWAY_UPDATE", "nat-gateways", Manage},
    {"NAT_GATEWAY_DELETE", "nat-gateways", Manage},
    {"SERVICE_GATEWAY_READ", "service-gateways", Inspect},
    {"SERVICE_GATEWAY_ATTACH", "service-gateways", Use},
    {"SERVICE_GATEWAY_CREATE", "service-gateways", Manage},
    {"SERVICE_GATEWAY_UPDATE", "service-gateways", Manage},
    {"SERVICE_GATEWAY_DELETE", "service-gateways", Manage},
    {"VNIC_READ", "vnics", Inspect},
    {"VNIC_ATTACH", "vnics", Use},
    {"VNIC_DETACH", "vnics", Use},
    {"PRIVATE_IP_READ", "private-ips", Inspect},
    // object-family
    {"OBJECTSTORAGE_NAMESPACE_READ", "objectstorage-namespaces", Read},
    {"OBJECTSTORAGE_NAMESPACE_UPDATE", "objectstorage-namespaces", Manage},
    {"BUCKET_INSPECT", "buckets", Inspect},
    {"BUCKET_READ", "buckets", Read},
    {"BUCKET_UPDATE", "buckets", Use},
    {"BUCKET_CREATE", "buckets", Manage},
    {"BUCKET_DELETE", "buckets", Manage},
    {"PAR_MANAGE", "buckets", Manage},
    {"OBJECT_INSPECT", "objects", Inspect},
    {"OBJECT_READ", "objects", Read},
    {"OBJECT_OVERWRITE", "objects", Use},
    {"OBJECT_CREATE", "objects", Manage},
    {"OBJECT_DELETE", "objects", Manage},
    {"OBJECT_RESTORE", "objects", Manage},
    {"OBJECT_VERSION_DELETE", "objects", Manage},
    // repos
    {"REPOSITORY_INSPECT", "repos", Inspect},
    {"REPOSITORY_READ", "repos", Read},
    {"REPOSITORY_UPDATE", "repos", Use},
    {"REPOSITORY_CREATE", "repos", Manage},
    {"REPOSITORY_DELETE", "repos", Manage},
    {"REPOSITORY_MANAGE", "repos", Manage},
    // data-science-family
    {"DATA_SCIENCE_PROJECT_INSPECT", "data-science-projects", Inspect},
    {"DATA_SCIENCE_PROJECT_READ", "data-science-projects", Read},
    {"DATA_SCIENCE_PROJECT_UPDATE", "data-science-projects", Use},
    {"DATA_SCIENCE_PROJECT_CREATE", "data-science-projects", Manage},
    {"DATA_SCIENCE_PROJECT_DELETE", "data-science-projects", Manage},
    {"DATA_SCIENCE_PROJECT_MOVE", "data-science-projects", Manage},
    {"DATA_SCIENCE_JOB_INSPECT", "data-science-jobs", Inspect},
    {"DATA_SCIENCE_JOB_READ", "data-science-jobs", Read},
    {"DATA_SCIENCE_JOB_UPDATE", "data-science-jobs", Use},
    {"DATA_SCIENCE_JOB_CREATE", "data-science-jobs", Manage},
    {"DATA_SCIENCE_JOB_DELETE", "data-science-jobs", Manage},
    {"DATA_SCIENCE_JOB_MOVE", "data-science-jobs", Manage},
    {"DATA_SCIENCE_JOB_RUN_INSPECT", "data-science-job-runs", Inspect},
    {"DATA_SCIENCE_JOB_RUN_READ", "data-science-job-runs", Read},
    {"DATA_SCIENCE_JOB_RUN_UPDATE", "data-science-job-runs", Use},
    {"DATA_SCIENCE_JOB_RUN_CREATE", "data-science-job-runs", Manage},
    {"DATA_SCIENCE_JOB_RUN_DELETE", "data-science-job-runs", Manage},
    {"DATA_SCIENCE_JOB_RUN_MOVE", "data-science-job-runs", Manage},
    {"DATA_SCIENCE_WORK_REQUEST_INSPECT", "data-science-work-requests", Inspect},
    {"DATA_SCIENCE_WORK_REQUEST_READ", "data-science-work-requests", Read},
    {"DATA_SCIENCE_NOTEBOOK_SESSION_INSPECT", "data-science-notebook-sessions", Inspect},
    {"DATA_SCIENCE_MODEL_INSPECT", "data-science-models", Inspect},
    // logging-family
    {"LOG_GROUP_INSPECT", "log-groups", Inspect},
    {"LOG_GROUP_READ", "log-groups", Read},
    {"LOG_GROUP_UPDATE", "log-groups", Use},
    {"LOG_GROUP_CREATE", "log-groups", Manage},
    {"LOG_GROUP_DELETE", "log-groups", Manage},
    {"LOG_CONTENT_READ", "log-content", Read},
    {"LOG_CONTENT_PUSH", "log-content", Use},
    {"UNIFIED_AGENT_CONFIG_INSPECT", "unified-configuration", Inspect},
    // monitoring and limits
    {"METRIC_INSPECT", "metrics", Inspect},
    {"METRIC_READ", "metrics", Read},
    {"METRIC_WRITE", "metrics", Use},
    {"LIMIT_INSPECT", "limits", Inspect},
    {"RESOURCE_AVAILABILITY_READ", "resource-availability", Inspect},
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
