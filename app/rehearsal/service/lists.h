// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <string>

#include "rehearsal/api/router.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

/// What the lists of one service have in common.
struct ListStyle {
  std::string kind;
  int maximum = 1000;                  // largest `limit`
  std::string byTime = "TIMECREATED";  // spellings of sortBy
  std::string byName = "DISPLAYNAME";
  std::string nameParameter = "displayName";
  std::string parentParameter;  // "vcnId", "jobId"; empty: none
};

/// Reads filters, order and page of a list call and answers an array of `shown(resource)`; 404 when the
/// compartment is not the caller's.
OperationResult answerList(Database& database, const Call& call, const ListStyle& style,
                           const std::function<nlohmann::json(const Resource&)>& shown);

/// The same for kinds whose lists show summaries (summaries.h).
OperationResult answerSummaries(Database& database, const Call& call, const ListStyle& style);

/// The same without a compartment, within one parent.
OperationResult answerListOfParent(Database& database, const Call& call, const ListStyle& style,
                                   const std::string& parent,
                                   const std::function<nlohmann::json(const Resource&)>& shown);

/// A page of an array that is no list of resources, 100 entries unless `limit` says otherwise and never more than
/// `maximum`. Each entry has a "name" of its own; the token of a page is that of the entry that follows it.
OperationResult answerNamedPage(const Call& call, const nlohmann::json& all, int maximum);

/// A get by id: the body under its etag, or 404.
OperationResult answerGet(Database& database, const Call& call, const std::string& kind,
                          const std::string& id);

}  // namespace lockstep::rehearsal
