// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/policy_words.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

namespace lockstep {
namespace {

/// What each verb adds to the one below it, (Oracle's policy reference,
/// "Details for …", one page a service).
struct TypeRow {
  const char *type, *inspect, *read, *use, *manage;
};
constexpr TypeRow kTypes[] = {
    {"authentication-policies", "AUTHENTICATION_POLICY_INSPECT", "", "", "AUTHENTICATION_POLICY_UPDATE"},
    {"compartments", "COMPARTMENT_INSPECT", "", "COMPARTMENT_UPDATE",
     "COMPARTMENT_CREATE COMPARTMENT_DELETE COMPARTMENT_RECOVER"},
    {"credentials", "CREDENTIAL_INSPECT", "", "", "CREDENTIAL_ADD CREDENTIAL_UPDATE CREDENTIAL_REMOVE"},
    {"dynamic-groups", "DYNAMIC_GROUP_INSPECT", "", "DYNAMIC_GROUP_UPDATE",
     "DYNAMIC_GROUP_CREATE DYNAMIC_GROUP_DELETE"},
    {"groups", "GROUP_INSPECT", "", "GROUP_UPDATE", "GROUP_CREATE GROUP_DELETE"},
    {"identity-providers", "IDENTITY_PROVIDER_INSPECT", "", "",
     "IDENTITY_PROVIDER_UPDATE IDENTITY_PROVIDER_CREATE IDENTITY_PROVIDER_DELETE"},
    {"network-sources", "NETWORK_SOURCE_INSPECT", "", "NETWORK_SOURCE_UPDATE",
     "NETWORK_SOURCE_CREATE NETWORK_SOURCE_DELETE"},
    {"policies", "POLICY_READ", "", "", "POLICY_UPDATE POLICY_CREATE POLICY_DELETE"},
    {"tag-namespaces", "TAG_NAMESPACE_INSPECT", "", "TAG_NAMESPACE_USE",
     "TAG_NAMESPACE_UPDATE TAG_NAMESPACE_CREATE TAG_NAMESPACE_MOVE TAG_NAMESPACE_DELETE"},
    {"tag-defaults", "TAG_DEFAULT_INSPECT TAG_NAMESPACE_READ", "", "",
     "TAG_DEFAULT_CREATE TAG_DEFAULT_UPDATE TAG_DEFAULT_DELETE"},
    {"tenancies", "TENANCY_INSPECT", "", "TENANCY_UPDATE", ""},
    {"users", "USER_INSPECT", "USER_READ", "USER_UPDATE",
     "USER_CREATE USER_DELETE USER_UNBLOCK USER_APIKEY_ADD USER_APIKEY_REMOVE USER_UIPASS_SET "
     "USER_UIPASS_RESET USER_SWIFTPASS_SET USER_SWIFTPASS_RESET USER_SWIFTPASS_REMOVE USER_AUTHTOKEN_SET "
     "USER_AUTHTOKEN_RESET USER_AUTHTOKEN_REMOVE USER_OAUTH2_CLIENT_CRED_CREATE "
     "USER_OAUTH2_CLIENT_CRED_UPDATE USER_OAUTH2_CLIENT_CRED_REMOVE USER_SECRETKEY_ADD USER_SECRETKEY_UPDATE "
     "USER_SECRETKEY_REMOVE USER_SUPPORT_ACCOUNT_LINK USER_SUPPORT_ACCOUNT_UNLINK USER_TOTPDEVICE_ADD "
     "USER_TOTPDEVICE_REMOVE USER_TOTPDEVICE_UPDATE"},
    {"vcns", "VCN_READ", "", "", "VCN_ATTACH VCN_DETACH VCN_UPDATE VCN_CREATE VCN_DELETE VCN_MOVE"},
    {"subnets", "SUBNET_READ", "", "SUBNET_ATTACH SUBNET_DETACH",
     "SUBNET_CREATE SUBNET_UPDATE SUBNET_DELETE SUBNET_MOVE"},
    {"route-tables", "ROUTE_TABLE_READ", "", "",
     "ROUTE_TABLE_ATTACH ROUTE_TABLE_DETACH ROUTE_TABLE_UPDATE ROUTE_TABLE_CREATE ROUTE_TABLE_DELETE "
     "ROUTE_TABLE_MOVE"},
    {"security-lists", "SECURITY_LIST_READ", "", "",
     "SECURITY_LIST_ATTACH SECURITY_LIST_DETACH SECURITY_LIST_UPDATE SECURITY_LIST_CREATE "
     "SECURITY_LIST_DELETE SECURITY_LIST_MOVE"},
    {"network-security-groups", "NETWORK_SECURITY_GROUP_INSPECT", "NETWORK_SECURITY_GROUP_READ",
     "NETWORK_SECURITY_GROUP_LIST_SECURITY_RULES NETWORK_SECURITY_GROUP_LIST_MEMBERS "
     "NETWORK_SECURITY_GROUP_UPDATE_MEMBERS",
     "NETWORK_SECURITY_GROUP_UPDATE NETWORK_SECURITY_GROUP_CREATE NETWORK_SECURITY_GROUP_DELETE "
     "NETWORK_SECURITY_GROUP_MOVE NETWORK_SECURITY_GROUP_UPDATE_SECURITY_RULES"},
    {"dhcp-options", "DHCP_READ", "", "",
     "DHCP_ATTACH DHCP_DETACH DHCP_UPDATE DHCP_CREATE DHCP_DELETE DHCP_MOVE"},
    {"internet-gateways", "INTERNET_GATEWAY_READ", "", "",
     "INTERNET_GATEWAY_ATTACH INTERNET_GATEWAY_DETACH INTERNET_GATEWAY_UPDATE INTERNET_GATEWAY_CREATE "
     "INTERNET_GATEWAY_DELETE INTERNET_GATEWAY_MOVE"},
    {"nat-gateways", "", "NAT_GATEWAY_READ", "NAT_GATEWAY_ATTACH NAT_GATEWAY_DETACH",
     "NAT_GATEWAY_UPDATE NAT_GATEWAY_CREATE NAT_GATEWAY_DELETE NAT_GATEWAY_MOVE"},
    {"service-gateways", "SERVICE_GATEWAY_READ", "", "SERVICE_GATEWAY_ATTACH SERVICE_GATEWAY_DETACH",
     "SERVICE_GATEWAY_UPDATE SERVICE_GATEWAY_CREATE SERVICE_GATEWAY_DELETE SERVICE_GATEWAY_ADD_SERVICE "
     "SERVICE_GATEWAY_DELETE_SERVICE SERVICE_GATEWAY_MOVE"},
    {"vnics", "VNIC_READ", "",
     "VNIC_ATTACH VNIC_DETACH VNIC_CREATE VNIC_DELETE VNIC_UPDATE VNIC_ASSOCIATE_NETWORK_SECURITY_GROUP "
     "VNIC_DISASSOCIATE_NETWORK_SECURITY_GROUP",
     ""},
    {"vnic-attachments", "VNIC_ATTACHMENT_READ", "", "", ""},
    {"private-ips", "PRIVATE_IP_READ", "",
     "PRIVATE_IP_UPDATE PRIVATE_IP_ASSIGN PRIVATE_IP_UNASSIGN PRIVATE_IP_CREATE PRIVATE_IP_DELETE "
     "PRIVATE_IP_ASSIGN_PUBLIC_IP PRIVATE_IP_UNASSIGN_PUBLIC_IP",
     "PRIVATE_IP_ROUTE_TABLE_ATTACH PRIVATE_IP_ROUTE_TABLE_DETACH"},
    {"public-ips", "", "PUBLIC_IP_READ", "PUBLIC_IP_ASSIGN_PRIVATE_IP PUBLIC_IP_UNASSIGN_PRIVATE_IP",
     "PUBLIC_IP_UPDATE PUBLIC_IP_CREATE PUBLIC_IP_DELETE"},
    {"work-requests", "WORKREQUEST_INSPECT", "", "", ""},
    {"objectstorage-namespaces", "", "", "", "OBJECTSTORAGE_NAMESPACE_READ OBJECTSTORAGE_NAMESPACE_UPDATE"},
    {"buckets", "BUCKET_INSPECT", "BUCKET_READ", "BUCKET_UPDATE",
     "BUCKET_CREATE BUCKET_DELETE PAR_MANAGE RETENTION_RULE_MANAGE RETENTION_RULE_LOCK"},
    {"objects", "OBJECT_INSPECT", "OBJECT_READ", "OBJECT_OVERWRITE",
     "OBJECT_CREATE OBJECT_DELETE OBJECT_VERSION_DELETE OBJECT_RESTORE OBJECT_UPDATE_TIER"},
    {"repos", "REPOSITORY_INSPECT", "REPOSITORY_READ", "",
     "REPOSITORY_CREATE REPOSITORY_DELETE REPOSITORY_UPDATE REPOSITORY_MANAGE"},
    {"log-groups", "LOG_GROUP_INSPECT", "LOG_GROUP_READ", "LOG_GROUP_UPDATE",
     "LOG_GROUP_CREATE LOG_GROUP_DELETE"},
    {"log-content", "", "LOG_CONTENT_READ", "LOG_CONTENT_PUSH UNIFIED_AGENT_CONFIG_GENERATE", ""},
    {"unified-configuration", "UNIFIED_AGENT_CONFIG_INSPECT", "UNIFIED_AGENT_CONFIG_READ",
     "UNIFIED_AGENT_CONFIG_UPDATE", "UNIFIED_AGENT_CONFIG_CREATE UNIFIED_AGENT_CONFIG_DELETE"},
    {"alarms", "ALARM_INSPECT", "ALARM_READ", "", "ALARM_CREATE ALARM_UPDATE ALARM_DELETE ALARM_MOVE"},
    {"metrics", "METRIC_INSPECT", "METRIC_READ", "METRIC_WRITE", ""},
    {"data-science-projects", "DATA_SCIENCE_PROJECT_INSPECT", "DATA_SCIENCE_PROJECT_READ",
     "DATA_SCIENCE_PROJECT_UPDATE",
     "DATA_SCIENCE_PROJECT_CREATE DATA_SCIENCE_PROJECT_DELETE DATA_SCIENCE_PROJECT_MOVE"},
    {"data-science-jobs", "DATA_SCIENCE_JOB_INSPECT", "DATA_SCIENCE_JOB_READ", "DATA_SCIENCE_JOB_UPDATE",
     "DATA_SCIENCE_JOB_CREATE DATA_SCIENCE_JOB_DELETE DATA_SCIENCE_JOB_MOVE"},
    {"data-science-job-runs", "DATA_SCIENCE_JOB_RUN_INSPECT", "DATA_SCIENCE_JOB_RUN_READ",
     "DATA_SCIENCE_JOB_RUN_UPDATE",
     "DATA_SCIENCE_JOB_RUN_CREATE DATA_SCIENCE_JOB_RUN_DELETE DATA_SCIENCE_JOB_RUN_MOVE"},
    {"data-science-work-requests", "DATA_SCIENCE_WORK_REQUEST_INSPECT", "DATA_SCIENCE_WORK_REQUEST_READ", "",
     ""},
    {"data-science-notebook-sessions", "DATA_SCIENCE_NOTEBOOK_SESSION_INSPECT", "", "", ""},
    {"data-science-models", "DATA_SCIENCE_MODEL_INSPECT", "", "", ""},
    {"limits", "LIMIT_INSPECT", "", "", ""},
    {"resource-availability", "RESOURCE_AVAILABILITY_INSPECT", "RESOURCE_AVAILABILITY_READ", "", ""},
};

using Families = std::map<std::string, std::vector<std::string>, std::less<>>;

std::vector<std::string> wordsOf(const char* text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

const Families& families() {
  static const Families kFamilies = [] {
    Families all;
    for (const auto& [family, members] : std::initializer_list<std::pair<const char*, const char*>>{
             {"object-family", "objectstorage-namespaces buckets objects"},
             {"logging-family", "log-groups log-content unified-configuration"},
             {"virtual-network-family",
              "vcns subnets route-tables network-security-groups security-lists dhcp-options private-ips "
              "public-ips ipv6s internet-gateways nat-gateways service-gateways local-peering-gateways "
              "remote-peering-connections drgs cpes ipsec-connections cross-connects cross-connect-groups "
              "virtual-circuits vnics vnic-attachments vlans byoip-range drg-attachments drg-route-tables "
              "drg-route-distributions"},
             {"data-science-family",
              "data-science-projects data-science-notebook-sessions data-science-models "
              "data-science-modelversionsets data-science-model-deployments data-science-work-requests "
              "data-science-jobs data-science-job-runs data-science-pipelines data-science-pipeline-runs "
              "data-science-private-endpoint data-science-schedules data-science-model-groups "
              "data-science-model-group-version-histories"},
             {"instance-family",
              "instances instance-images volume-attachments console-histories instance-console-connection "
              "app-catalog-listing"},
             {"instance-agent-family", "instance-agent-commands instance-agent-command-execution-family"},
             {"compute-management-family", "instance-configurations instance-pools cluster-networks"},
             {"volume-family",
              "volumes volume-attachments volume-backups boot-volume-backups backup-policies "
              "backup-policy-assignments volume-groups volume-group-backups"},
             {"file-family", "file-systems mount-targets export-sets"},
             {"secret-family", "secrets secret-versions secret-bundles"},
             {"cluster-family", "clusters cluster-node-pools cluster-work-requests"},
             {"functions-family", "fn-app fn-function fn-invocation"},
             {"ons-family", "ons-topics ons-subscriptions"},
             {"stream-family", "streams stream-push stream-pull connect-harness stream-pools"},
             {"orm-family", "orm-stacks orm-jobs"},
             {"leaf-certificate-family",
              "leaf-certificates leaf-certificate-versions leaf-certificate-bundles"},
             {"certificate-authority-family",
              "certificate-authorities certificate-authority-versions certificate-authority-bundles"},
             {"database-family", "db-systems db-nodes db-homes databases db-backups"},
             {"autonomous-database-family", "autonomous-databases autonomous-backups"},
             {"dns", "dns-zones dns-records dns-steering-policies"}})
      all.emplace(family, wordsOf(members));
    return all;
  }();
  return kFamilies;
}

constexpr const char* kOthers =
    "all-resources alarms tag-namespaces tag-defaults identity-providers network-sources vaults keys "
    "key-delegate quotas usage-budgets usage-report audit-events cloudevents-rules serviceconnectors domains "
    "credentials authentication-policies bastion dataflow-family dataflow-application dataflow-run "
    "generic-artifacts load-balancers announcements certificates ai-service-vision-family";

const TypeRow* rowOf(std::string_view type) {
  const auto found = std::ranges::find_if(kTypes, [&](const TypeRow& row) { return type == row.type; });
  return found == std::end(kTypes) ? nullptr : found;
}

constexpr std::array kVerbs{PolicyVerb::Inspect, PolicyVerb::Read, PolicyVerb::Use, PolicyVerb::Manage};

const char* addedBy(const TypeRow& row, PolicyVerb verb) {
  const std::array columns{row.inspect, row.read, row.use, row.manage};
  return columns[static_cast<std::size_t>(verb)];
}

void addPermissions(std::vector<PolicyPermission>& all, PolicyVerb verb, const std::string& type) {
  const TypeRow* row = rowOf(type);
  for (const PolicyVerb step : kVerbs) {
    if (step > verb) return;
    if (row == nullptr) {
      all.push_back({"", type, step});
      continue;
    }
    for (std::string& name : wordsOf(addedBy(*row, step))) all.push_back({std::move(name), type, step});
  }
}

std::vector<std::string> knownTypes() {
  std::vector<std::string> types = wordsOf(kOthers);
  for (const TypeRow& row : kTypes) types.emplace_back(row.type);
  for (const auto& [family, members] : families()) {
    types.push_back(family);
    types.insert(types.end(), members.begin(), members.end());
  }
  std::ranges::sort(types);
  types.erase(std::ranges::unique(types).begin(), types.end());
  return types;
}

const std::vector<std::string>& typesKnown() {
  static const std::vector<std::string> kKnown = knownTypes();
  return kKnown;
}

// How many letters must be added, left out or changed.
std::size_t editsBetween(std::string_view a, std::string_view b) {
  std::vector<std::size_t> last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({changed, last[j] + 1, row[j - 1] + 1});
    }
    std::swap(last, row);
  }
  return last.back();
}

}  // namespace

const char* toString(PolicyVerb verb) {
  constexpr std::array kNames{"inspect", "read", "use", "manage"};
  return kNames[static_cast<std::size_t>(verb)];
}

std::string lowerCased(std::string_view word) {
  std::string text(word);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

bool isSameWord(std::string_view a, std::string_view b) {
  return a.size() == b.size() && lowerCased(a) == lowerCased(b);
}

std::optional<PolicyVerb> policyVerbNamed(std::string_view word) {
  for (const PolicyVerb verb : kVerbs)
    if (isSameWord(word, toString(verb))) return verb;
  return std::nullopt;
}

std::vector<PolicyPermission> permissionsOf(PolicyVerb verb, std::string_view resourceType) {
  std::vector<PolicyPermission> all;
  if (resourceType == "all-resources") {
    for (const TypeRow& row : kTypes) addPermissions(all, verb, row.type);
    addPermissions(all, verb, "all-resources");  // stands for the types that we do not know
    return all;
  }
  const auto family = families().find(resourceType);
  if (family == families().end()) {
    addPermissions(all, verb, std::string(resourceType));
    return all;
  }
  for (const std::string& member : family->second) addPermissions(all, verb, member);
  return all;
}

std::optional<PolicyPermission> permissionNamed(std::string_view name) {
  for (const TypeRow& row : kTypes)
    for (const PolicyVerb verb : kVerbs)
      for (const std::string& word : wordsOf(addedBy(row, verb)))
        if (isSameWord(word, name)) return PolicyPermission{word, row.type, verb};
  return std::nullopt;
}

bool coversResourceType(std::string_view granted, std::string_view wanted) {
  if (granted == wanted || granted == "all-resources") return true;
  const auto family = families().find(granted);
  return family != families().end() && std::ranges::find(family->second, wanted) != family->second.end();
}

bool isKnownResourceType(std::string_view word) {
  return std::ranges::binary_search(typesKnown(), word);
}

std::optional<std::string> likelyResourceType(std::string_view word) {
  std::optional<std::string> best;
  std::size_t most = std::max<std::size_t>(2, word.size() / 4) + 1;
  for (const std::string& type : typesKnown()) {
    const std::size_t edits = editsBetween(word, type);
    if (edits >= most) continue;
    most = edits;
    best = type;
  }
  return best;
}

}  // namespace lockstep
