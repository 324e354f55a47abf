// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/region/schemas.h"

#include "rehearsal/iam/user_store.h"
#include "rehearsal/jobs/job_artifacts.h"
#include "rehearsal/limits/service_limits.h"
#include "rehearsal/logging/log_intake.h"
#include "rehearsal/monitoring/metric_points.h"
#include "rehearsal/network/service/address_leases.h"
#include "rehearsal/objects/object_store.h"
#include "rehearsal/objects/preauthenticated.h"
#include "rehearsal/objects/versions.h"
#include "rehearsal/registry/registry_store.h"
#include "rehearsal/service/retry_tokens.h"

namespace lockstep::rehearsal {

std::span<const char* const> regionSchemas() {
  static constexpr const char* kSchemas[] = {
      kApiKeysSchema,      kRetryTokensSchema,      kObjectsSchema,      kObjectVersionsSchema,
      kRegistrySchema,     kPreauthenticatedSchema, kLogsSchema,         kNetworkSchema,
      kJobArtifactsSchema, kMetricSchema,           kServiceLimitsSchema};
  return kSchemas;
}

}  // namespace lockstep::rehearsal
