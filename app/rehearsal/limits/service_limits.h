// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rehearsal/api/http_types.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

inline constexpr const char* kServiceLimitsSchema = R"sql(
CREATE TABLE IF NOT EXISTS service_limits(
  tenancy TEXT NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL, PRIMARY KEY(tenancy, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS limit_usage(
  holder TEXT NOT NULL, tenancy TEXT NOT NULL, name TEXT NOT NULL, amount INTEGER NOT NULL,
  PRIMARY KEY(holder, name)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS limit_usage_by_name ON limit_usage(tenancy, name, amount);
)sql";

/// A limit of the service "data-science". Two names are confirmed (ds-gpu-a10-count, ds-gpu4-count), the
/// others follow their pattern (oci-rest-contract 4.10). The unit is not documented; here it is GPUs for GPU
/// shapes and nodes for others, as `description` says.
struct LimitDefinition {
  std::string name;
  std::string description;
  long long value = 0;  // unless it was set
};
[[nodiscard]] const std::vector<LimitDefinition>& limitDefinitions();
[[nodiscard]] const LimitDefinition* findLimit(const std::string& name);

/// The limit that nodes of a shape count against, and what one node counts.
struct ShapeLimit {
  std::string name;
  int perNode = 1;
};
[[nodiscard]] ShapeLimit limitOfShape(const std::string& shapeName);

[[nodiscard]] long long limitValue(Transaction& transaction, const std::string& tenancyId,
                                   const std::string& name);
[[nodiscard]] long long limitUsage(Transaction& transaction, const std::string& tenancyId,
                                   const std::string& name);
void setLimit(Transaction& transaction, const std::string& tenancyId, const std::string& name,
              long long value);

/// 400 LimitExceeded when `nodes` more nodes of that shape would exceed the tenancy's service limit, counting
/// what is live now (oci-rest-contract 4.10). Within the transaction that creates the run.
std::optional<ServiceError> checkServiceLimit(Transaction& transaction, const std::string& tenancyId,
                                              const std::string& shapeName, int nodes);
/// Counts them from now on, as held by `holder` (a job run), until releaseUsage().
void addUsage(Transaction& transaction, const std::string& tenancyId, const std::string& holder,
              const std::string& shapeName, int nodes);
void releaseUsage(Transaction& transaction, const std::string& holder);

}  // namespace lockstep::rehearsal
