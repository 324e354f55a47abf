// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/state/summaries.h"

namespace lockstep::rehearsal {
namespace {

constexpr const char* kJobFields[] = {
    "id",          "timeCreated",    "createdBy",        "projectId",    "compartmentId",
    "displayName", "lifecycleState", "lifecycleDetails", "freeformTags", "definedTags"};
constexpr const char* kRunFields[] = {"id",          "timeAccepted",   "timeStarted",      "timeFinished",
                                      "createdBy",   "projectId",      "compartmentId",    "jobId",
                                      "displayName", "lifecycleState", "lifecycleDetails", "freeformTags",
                                      "definedTags"};

template <std::size_t N>
std::string fieldsOf(const nlohmann::json& body, const char* const (&names)[N]) {
  nlohmann::json summary;
  for (const char* name : names) summary[name] = body.value(name, nlohmann::json());
  return summary.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string summaryOf(const Resource& resource) {
  return resource.kind == kind::kJobRun ? fieldsOf(resource.body, kRunFields)
                                        : fieldsOf(resource.body, kJobFields);
}

bool hasSummary(const std::string& kind) {
  return kind == kind::kJobRun || kind == kind::kJob;
}

void saveSummary(Transaction& transaction, const Resource& resource) {
  if (!hasSummary(resource.kind)) return;
  auto& save = transaction.sql("INSERT OR REPLACE INTO summaries(id, text) VALUES(?,?)");
  save.bind(1, resource.id);
  save.bind(2, summaryOf(resource));
  save.exec();
}

}  // namespace lockstep::rehearsal
