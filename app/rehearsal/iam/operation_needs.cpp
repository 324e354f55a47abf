// SPDX-License-Identifier: GPL-3.0-or-later
// What each operation of the region needs, as Oracle's policy reference has it ("Permissions Required for
// Each API Operation"). A blank joins what is needed together, '|' what is enough alternatively.
#include <algorithm>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "rehearsal/iam/policy_words.h"

namespace lockstep::rehearsal {
namespace {

struct Row {
  const char* operations;
  const char* needs;  // "": anybody who is known
};

constexpr Row kIdentity[] = {
    {"GetTenancy ListRegionSubscriptions ListRegions", "TENANCY_INSPECT"},
    {"ListAvailabilityDomains ListFaultDomains ListCompartments GetCompartment", "COMPARTMENT_INSPECT"},
    {"CreateCompartment", "COMPARTMENT_CREATE"},
    {"UpdateCompartment", "COMPARTMENT_UPDATE"},
    {"DeleteCompartment", "COMPARTMENT_DELETE"},
    {"ListUsers GetUser", "USER_INSPECT"},
    {"CreateUser", "USER_CREATE"},
    {"UpdateUser", "USER_UPDATE"},
    {"DeleteUser", "USER_DELETE"},
    {"ListGroups GetGroup", "GROUP_INSPECT"},
    {"CreateGroup", "GROUP_CREATE"},
    {"UpdateGroup", "GROUP_UPDATE"},
    {"DeleteGroup", "GROUP_DELETE"},
    {"ListUserGroupMemberships GetUserGroupMembership", "GROUP_INSPECT USER_INSPECT"},
    {"AddUserToGroup RemoveUserFromGroup", "GROUP_UPDATE USER_UPDATE"},
    {"ListPolicies GetPolicy", "POLICY_READ"},
    {"CreatePolicy", "POLICY_CREATE"},
    {"UpdatePolicy", "POLICY_UPDATE"},
    {"DeletePolicy", "POLICY_DELETE"},
    {"ListDynamicGroups GetDynamicGroup", "DYNAMIC_GROUP_INSPECT"},
    {"CreateDynamicGroup", "DYNAMIC_GROUP_CREATE"},
    {"UpdateDynamicGroup", "DYNAMIC_GROUP_UPDATE"},
    {"DeleteDynamicGroup", "DYNAMIC_GROUP_DELETE"},
    {"ListAuthTokens ListApiKeys", "USER_READ"},
    {"CreateAuthToken", "USER_UPDATE USER_AUTHTOKEN_SET"},
    {"UpdateAuthToken", "USER_UPDATE USER_AUTHTOKEN_RESET"},
    {"DeleteAuthToken", "USER_UPDATE USER_AUTHTOKEN_REMOVE"},
    {"UploadApiKey", "USER_UPDATE USER_APIKEY_ADD"},
    {"DeleteApiKey", "USER_UPDATE USER_APIKEY_REMOVE"},
    {"RefreshSessionToken GenerateUpst FederateInstance", ""},
    {"ListTagNamespaces ListTags", "TAG_NAMESPACE_INSPECT"},
    {"GetTagNamespace GetTag", "TAG_NAMESPACE_INSPECT"},
    {"CreateTagNamespace", "TAG_NAMESPACE_CREATE"},
    {"UpdateTagNamespace", "TAG_NAMESPACE_UPDATE"},
    {"CreateTag UpdateTag", "TAG_NAMESPACE_USE"},
    {"DeleteTagNamespace", "TAG_NAMESPACE_DELETE"},
    {"ListTagDefaults", "TAG_DEFAULT_INSPECT"},
};

constexpr Row kNetwork[] = {
    {"ListVcns GetVcn", "VCN_READ"},
    {"CreateVcn", "VCN_CREATE"},
    {"UpdateVcn", "VCN_UPDATE"},
    {"DeleteVcn", "VCN_DELETE"},
    {"ListSubnets GetSubnet", "SUBNET_READ"},
    {"CreateSubnet", "SUBNET_CREATE VCN_ATTACH ROUTE_TABLE_ATTACH SECURITY_LIST_ATTACH DHCP_ATTACH"},
    {"UpdateSubnet", "SUBNET_UPDATE"},
    {"DeleteSubnet", "SUBNET_DELETE VCN_DETACH ROUTE_TABLE_DETACH SECURITY_LIST_DETACH DHCP_DETACH"},
    {"ListSecurityLists GetSecurityList", "SECURITY_LIST_READ"},
    {"CreateSecurityList", "VCN_ATTACH SECURITY_LIST_CREATE"},
    {"UpdateSecurityList", "SECURITY_LIST_UPDATE"},
    {"DeleteSecurityList", "VCN_DETACH SECURITY_LIST_DELETE"},
    {"ListNetworkSecurityGroups GetNetworkSecurityGroup", "NETWORK_SECURITY_GROUP_READ"},
    {"CreateNetworkSecurityGroup", "NETWORK_SECURITY_GROUP_CREATE VCN_ATTACH"},
    {"UpdateNetworkSecurityGroup", "NETWORK_SECURITY_GROUP_UPDATE"},
    {"DeleteNetworkSecurityGroup", "NETWORK_SECURITY_GROUP_DELETE VCN_DETACH"},
    {"ListNetworkSecurityGroupSecurityRules", "NETWORK_SECURITY_GROUP_LIST_SECURITY_RULES"},
    {"ListNetworkSecurityGroupVnics", "NETWORK_SECURITY_GROUP_LIST_MEMBERS"},
    {"AddNetworkSecurityGroupSecurityRules UpdateNetworkSecurityGroupSecurityRules "
     "RemoveNetworkSecurityGroupSecurityRules",
     "NETWORK_SECURITY_GROUP_UPDATE_SECURITY_RULES"},
    {"ListRouteTables GetRouteTable", "ROUTE_TABLE_READ"},
    {"CreateRouteTable", "VCN_ATTACH ROUTE_TABLE_CREATE"},
    {"UpdateRouteTable", "ROUTE_TABLE_UPDATE"},
    {"DeleteRouteTable", "VCN_DETACH ROUTE_TABLE_DELETE"},
    {"ListInternetGateways GetInternetGateway", "INTERNET_GATEWAY_READ"},
    {"CreateInternetGateway", "INTERNET_GATEWAY_CREATE VCN_ATTACH"},
    {"UpdateInternetGateway", "INTERNET_GATEWAY_UPDATE"},
    {"DeleteInternetGateway", "INTERNET_GATEWAY_DELETE VCN_DETACH"},
    {"ListNatGateways GetNatGateway", "NAT_GATEWAY_READ"},
    {"CreateNatGateway", "NAT_GATEWAY_CREATE VCN_READ VCN_ATTACH"},
    {"UpdateNatGateway", "NAT_GATEWAY_UPDATE"},
    {"DeleteNatGateway", "NAT_GATEWAY_DELETE VCN_READ VCN_DETACH"},
    {"ListServiceGateways GetServiceGateway", "SERVICE_GATEWAY_READ"},
    {"CreateServiceGateway", "SERVICE_GATEWAY_CREATE VCN_READ VCN_ATTACH"},
    {"UpdateServiceGateway", "SERVICE_GATEWAY_UPDATE"},
    {"DeleteServiceGateway", "SERVICE_GATEWAY_DELETE VCN_READ VCN_DETACH"},
    {"ListServices GetService", ""},
    {"ListDhcpOptions GetDhcpOptions", "DHCP_READ"},
    {"CreateDhcpOptions", "DHCP_CREATE VCN_ATTACH"},
    {"UpdateDhcpOptions", "DHCP_UPDATE"},
    {"DeleteDhcpOptions", "DHCP_DELETE VCN_DETACH"},
    {"GetVnic", "VNIC_READ"},
    {"UpdateVnic", "VNIC_UPDATE VNIC_ASSOCIATE_NETWORK_SECURITY_GROUP"},
    {"ListPrivateIps GetPrivateIp", "PRIVATE_IP_READ"},
};

constexpr Row kObjects[] = {
    {"GetNamespace", ""},
    {"GetNamespaceMetadata", "OBJECTSTORAGE_NAMESPACE_READ"},
    {"CreateBucket", "BUCKET_CREATE"},
    {"UpdateBucket", "BUCKET_UPDATE"},
    {"GetBucket", "BUCKET_READ"},
    {"HeadBucket ListBuckets", "BUCKET_INSPECT"},
    {"DeleteBucket", "BUCKET_DELETE"},
    {"ListObjects ListObjectVersions ListMultipartUploadParts ListUploadParts", "OBJECT_INSPECT"},
    {"PutObject CreateMultipartUpload UploadPart CommitMultipartUpload RenameObject",
     "OBJECT_CREATE OBJECT_OVERWRITE"},
    {"CopyObject", "OBJECT_READ OBJECT_CREATE OBJECT_OVERWRITE OBJECT_INSPECT"},
    {"GetObject", "OBJECT_READ"},
    {"HeadObject", "OBJECT_READ|OBJECT_INSPECT"},
    {"DeleteObject AbortMultipartUpload", "OBJECT_DELETE"},
    {"ListMultipartUploads", "BUCKET_READ"},
    {"CreatePreauthenticatedRequest DeletePreauthenticatedRequest", "PAR_MANAGE"},
    {"GetPreauthenticatedRequest ListPreauthenticatedRequests", "PAR_MANAGE|BUCKET_READ"},
};

constexpr Row kRegistry[] = {
    {"ListContainerRepositories ListContainerImages ListContainerImageSignatures GetContainerConfiguration",
     "REPOSITORY_INSPECT"},
    {"GetContainerRepository GetContainerImage PullImage", "REPOSITORY_READ"},
    {"CreateContainerRepository", "REPOSITORY_CREATE"},
    {"UpdateContainerRepository", "REPOSITORY_MANAGE"},
    {"PushImage", "REPOSITORY_READ REPOSITORY_UPDATE"},
    {"DeleteContainerRepository", "REPOSITORY_DELETE"},
    {"DeleteContainerImage RemoveContainerVersion", "REPOSITORY_UPDATE"},
    {"UpdateContainerConfiguration", "REPOSITORY_MANAGE"},
    {"GetDockerToken", ""},
};

constexpr Row kDataScience[] = {
    {"ListProjects", "DATA_SCIENCE_PROJECT_INSPECT"},
    {"GetProject", "DATA_SCIENCE_PROJECT_READ"},
    {"CreateProject", "DATA_SCIENCE_PROJECT_CREATE"},
    {"UpdateProject", "DATA_SCIENCE_PROJECT_UPDATE"},
    {"DeleteProject", "DATA_SCIENCE_PROJECT_DELETE"},
    {"ChangeProjectCompartment", "DATA_SCIENCE_PROJECT_MOVE"},
    {"ListJobs ListJobShapes ListFastLaunchJobConfigs", "DATA_SCIENCE_JOB_INSPECT"},
    {"GetJob HeadJobArtifact GetJobArtifactContent", "DATA_SCIENCE_JOB_READ"},
    {"CreateJob CreateJobArtifact", "DATA_SCIENCE_JOB_CREATE"},
    {"UpdateJob", "DATA_SCIENCE_JOB_UPDATE"},
    {"DeleteJob", "DATA_SCIENCE_JOB_DELETE"},
    {"ChangeJobCompartment", "DATA_SCIENCE_JOB_MOVE"},
    {"ListJobRuns", "DATA_SCIENCE_JOB_RUN_INSPECT"},
    {"GetJobRun", "DATA_SCIENCE_JOB_RUN_READ"},
    {"CreateJobRun", "DATA_SCIENCE_JOB_RUN_CREATE"},
    {"UpdateJobRun CancelJobRun", "DATA_SCIENCE_JOB_RUN_UPDATE"},
    {"DeleteJobRun", "DATA_SCIENCE_JOB_RUN_DELETE"},
    {"ChangeJobRunCompartment", "DATA_SCIENCE_JOB_RUN_MOVE"},
};

constexpr Row kLoggingAndMore[] = {
    {"ListLogGroups ListLogs", "LOG_GROUP_INSPECT"},
    {"GetLogGroup GetLog", "LOG_GROUP_READ"},
    {"CreateLogGroup CreateLog", "LOG_GROUP_CREATE"},
    {"UpdateLogGroup UpdateLog ChangeLogGroupCompartment", "LOG_GROUP_UPDATE"},
    {"DeleteLogGroup DeleteLog", "LOG_GROUP_DELETE"},
    {"SearchLogs", "LOG_CONTENT_READ"},
    {"PutLogs", "LOG_CONTENT_PUSH"},
    // What is found depends on who may inspect it.
    {"SearchResources ListResourceTypes GetResourceType", ""},
    {"ListMetrics", "METRIC_INSPECT"},
    {"SummarizeMetricsData", "METRIC_INSPECT METRIC_READ"},
    {"PostMetricData", "METRIC_WRITE"},
    {"ListLimitDefinitions", "RESOURCE_AVAILABILITY_INSPECT"},
    {"ListLimitValues", "RESOURCE_AVAILABILITY_INSPECT|LIMIT_INSPECT"},
    {"GetResourceAvailability", "RESOURCE_AVAILABILITY_READ"},
    // Whoever may see one of the resource types that work requests are about may see them; the service has no
    // type for those of the core services.
    {"ListWorkRequests",
     "DATA_SCIENCE_WORK_REQUEST_INSPECT|LOG_GROUP_INSPECT|VCN_READ|BUCKET_INSPECT|WORKREQUEST_INSPECT"},
    {"GetWorkRequest ListWorkRequestErrors ListWorkRequestLogs",
     "DATA_SCIENCE_WORK_REQUEST_READ|LOG_GROUP_READ|VCN_READ|BUCKET_READ"},
};

constexpr std::string_view kNames[] = {
#define LOCKSTEP_PERMISSION(name, resourceType, verb) name,
#include "iam/permissions.def"
};

constexpr bool isPermission(std::string_view word) {
  for (const std::string_view name : kNames)
    if (name == word) return true;
  return word.empty();
}

// A word that is no permission could never be granted.
constexpr bool areKnown(std::span<const Row> rows) {
  for (const Row& row : rows) {
    const std::string_view needs = row.needs;
    for (std::size_t from = 0; from <= needs.size();) {
      const std::size_t end = std::min(needs.find_first_of(" |", from), needs.size());
      if (!isPermission(needs.substr(from, end - from))) return false;
      from = end + 1;
    }
  }
  return true;
}
static_assert(areKnown(kIdentity) && areKnown(kNetwork) && areKnown(kObjects) && areKnown(kRegistry) &&
              areKnown(kDataScience) && areKnown(kLoggingAndMore));

std::vector<const PermissionWord*> alternativesOf(const std::string& words) {
  std::vector<const PermissionWord*> alternatives;
  std::istringstream text(words);
  for (std::string word; std::getline(text, word, '|');) alternatives.push_back(findPermission(word));
  return alternatives;
}

using Table = std::unordered_map<std::string, NeededPermissions>;

void addRows(Table& table, std::span<const Row> rows) {
  for (const Row& row : rows) {
    NeededPermissions needs;
    std::istringstream words(row.needs);
    for (std::string word; words >> word;) needs.push_back(alternativesOf(word));
    std::istringstream operations(row.operations);
    for (std::string operation; operations >> operation;) table.emplace(operation, needs);
  }
}

}  // namespace

const NeededPermissions* needsOf(const std::string& operation) {
  static const Table table = [] {
    Table all;
    for (const std::span<const Row> rows :
         {std::span<const Row>(kIdentity), std::span<const Row>(kNetwork), std::span<const Row>(kObjects),
          std::span<const Row>(kRegistry), std::span<const Row>(kDataScience),
          std::span<const Row>(kLoggingAndMore)})
      addRows(all, rows);
    return all;
  }();
  const auto found = table.find(operation);
  return found == table.end() ? nullptr : &found->second;
}

}  // namespace lockstep::rehearsal
