// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/identity/access.h"

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

bool mayIn(Session& session, const Call& call, const std::string& compartmentId, const TargetFacts& facts) {
  (void)facts;
  if (call.principal.kind == Principal::Kind::JobRun && !kJobRunOperations.contains(call.operation))
    return false;
  return tenancyOf(session, compartmentId) == call.principal.tenancyId;
}

bool mayIn(Session& session, const Call& call, const std::string& compartmentId, const Grant& grant,
           const TargetFacts& facts) {
  (void)grant;
  return mayIn(session, call, compartmentId, facts);
}

std::optional<Resource> findAllowed(Session& session, const Call& call, const std::string& kind,
                                    const std::string& id, const TargetFacts& facts) {
  auto resource = findResource(session, kind, id);
  if (!resource || !mayIn(session, call, resource->compartment, facts)) return std::nullopt;
  return resource;
}

std::optional<Resource> findRelated(Session& session, const Call& call, const std::string& kind,
                                    const std::string& id, const Grant& grant) {
  auto resource = findResource(session, kind, id);
  if (!resource || !mayIn(session, call, resource->compartment, grant)) return std::nullopt;
  return resource;
}

std::optional<Refusal> checkIfMatch(const std::optional<std::string>& ifMatch, const std::string& etag) {
  if (!ifMatch || *ifMatch == etag || *ifMatch == "*" || *ifMatch == "\"" + etag + "\"") return std::nullopt;
  return Refusal{412, "NoEtagMatch", "The if-match header does not match the current etag of the resource."};
}

}  // namespace lockstep::rehearsal
