// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "rehearsal/api/http_types.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

namespace kind {
inline constexpr const char* kTenancy = "tenancy";
inline constexpr const char* kCompartment = "compartment";
inline constexpr const char* kUser = "user";
inline constexpr const char* kGroup = "group";
inline constexpr const char* kGroupMembership = "groupmembership";  // parent: the group
inline constexpr const char* kDynamicGroup = "dynamicgroup";
inline constexpr const char* kPolicy = "policy";
inline constexpr const char* kInstance = "instance";
inline constexpr const char* kAuthToken = "credential";  // parent: the user
inline constexpr const char* kProject = "datascienceproject";
inline constexpr const char* kJob = "datasciencejob";
inline constexpr const char* kJobRun = "datasciencejobrun";
inline constexpr const char* kVcn = "vcn";
inline constexpr const char* kSubnet = "subnet";
inline constexpr const char* kLogGroup = "loggroup";
inline constexpr const char* kLog = "log";
inline constexpr const char* kRepository = "containerrepo";
inline constexpr const char* kImage = "containerimage";
}  // namespace kind

/// Anything with an OCID. The columns that lists filter and sort by stand beside the JSON that the service
/// shows.
struct Resource {
  std::string id, kind, compartment, parent, name, state, etag;
  long long created = 0;                             // ms since the epoch
  nlohmann::json body;                               // as the service shows it, whole
  nlohmann::json hidden = nlohmann::json::object();  // what only the region needs
  long long seq = 0;                                 // set by the store
};

struct ListQuery {
  std::string kind;
  std::optional<std::string> compartment, parent, id, name, state, createdBy;
  bool byName = false;
  bool descending = false;
  int limit = 100;
  std::string page;  // empty: the first
};
struct ResourcePage {
  std::vector<Resource> items;
  std::string nextPage;  // empty: the last
};

void insertResource(Transaction& transaction, const Resource& resource);
/// Writes compartment, name, state and body back under a fresh etag, which it returns. The shown body's displayName and
/// lifecycleState are the resource's to keep equal.
std::string updateResource(Transaction& transaction, const Resource& resource);
void removeResource(Transaction& transaction, const std::string& id);
std::optional<Resource> findResource(Transaction& transaction, const std::string& kind,
                                     const std::string& id);
/// Key-set paging: what is created between two pages neither shifts nor repeats anything. Refuses a bad page
/// token.
tl::expected<ResourcePage, ServiceError> listResources(Transaction& transaction, const ListQuery& query);
std::vector<Resource> resourcesInState(Transaction& transaction, const std::string& kind,
                                       const std::string& state);

/// "ocid1.<kind>.oc1.rehearsal.<random>"
[[nodiscard]] std::string makeOcid(const std::string& kind);
[[nodiscard]] std::string makeUuid();
[[nodiscard]] long long toMillis(TimePoint time);
[[nodiscard]] std::string timeText(long long millis);
/// RFC 1123, as last-modified has it.
[[nodiscard]] std::string httpDate(long long millis);

/// Page tokens: opaque to the caller, a list of texts to us.
[[nodiscard]] std::string encodePage(const std::vector<std::string>& parts);
[[nodiscard]] std::optional<std::vector<std::string>> decodePage(const std::string& token);

}  // namespace lockstep::rehearsal
