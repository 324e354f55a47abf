// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

inline constexpr const char* kSummariesSchema = R"sql(
CREATE TABLE IF NOT EXISTS summaries(id TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
)sql";

/// What lists show of jobs and job runs (oci-rest-contract 4.5), as JSON text: written with every change, so
/// that a list of a thousand neither parses nor prints a thousand bodies.
[[nodiscard]] std::string summaryOf(const Resource& resource);
/// Whether the lists of this kind show summaries.
[[nodiscard]] bool hasSummary(const std::string& kind);
void saveSummary(Transaction& transaction, const Resource& resource);

/// What a list shows of a resource, and what its page token is made from.
struct Summary {
  std::string id, name;
  long long created = 0, seq = 0;
  std::string text;
};
struct SummaryPage {
  std::vector<Summary> items;
  std::string nextPage;
};
/// As listResources().
tl::expected<SummaryPage, ServiceError> listSummaries(Transaction& transaction, const ListQuery& query);

}  // namespace lockstep::rehearsal
