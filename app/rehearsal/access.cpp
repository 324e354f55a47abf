// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/access.h"

#include <set>

namespace lockstep::rehearsal {
namespace {

const std::set<std::string> kJobRunOperations{
    "GetNamespace",
    "GetBucket",
    "HeadBucket",
    "ListBuckets",
    "ListObjects",
    "PutObject",
    "GetObject",
    "HeadObject",
    "DeleteObject",
    "RenameObject",
    "CreateMultipartUpload",
    "UploadPart",
    "CommitMultipartUpload",
    "AbortMultipartUpload",
    "ListMultipartUploads",
    "ListUploadParts",
    "GetProject",
    "ListJobs",
    "GetJob",
    "ListJobRuns",
    "GetJobRun",
    "GetVcn",
    "ListVcns",
    "GetSubnet",
    "ListSubnets",
    "ListLogGroups",
    "GetLogGroup",
    "ListLogs",
    "GetLog",
    "SearchLogs",
};

}  // namespace

bool mayCall(const Principal& principal, const std::string& operation) {
  return principal.kind == Principal::Kind::User || kJobRunOperations.contains(operation);
}

std::optional<std::string> tenancyOf(Session& session, const std::string& compartmentId) {
  std::string id = compartmentId;
  for (int depth = 0; depth < 8; ++depth) {  // compartments nest at most six deep
    if (findResource(session, kind::kTenancy, id)) return id;
    const auto compartment = findResource(session, kind::kCompartment, id);
    if (!compartment) return std::nullopt;
    id = compartment->compartment;
  }
  return std::nullopt;
}

bool maySee(Session& session, const Principal& principal, const std::string& compartmentId) {
  return tenancyOf(session, compartmentId) == principal.tenancyId;
}

std::optional<Resource> findVisible(Session& session, const Principal& principal, const std::string& kind,
                                    const std::string& id) {
  auto resource = findResource(session, kind, id);
  if (!resource || !maySee(session, principal, resource->compartment)) return std::nullopt;
  return resource;
}

std::optional<Refusal> checkIfMatch(const std::optional<std::string>& ifMatch, const std::string& etag) {
  if (!ifMatch || *ifMatch == etag || *ifMatch == "*" || *ifMatch == "\"" + etag + "\"") return std::nullopt;
  return Refusal{412, "NoEtagMatch", "The if-match header does not match the current etag of the resource."};
}

}  // namespace lockstep::rehearsal
