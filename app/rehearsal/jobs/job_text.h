// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "base/clock.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/service/lists.h"

namespace lockstep::rehearsal {

/// "job20260131120000": what the service calls a thing that nobody named.
[[nodiscard]] std::string defaultName(const std::string& prefix, TimePoint now);

/// freeformTags and definedTags of a create body, with their defaults.
nlohmann::json readTags(BodyReader& body);

/// How Data Science lists are asked: at most 100 a page, timeCreated | displayName.
[[nodiscard]] ListStyle dataScienceList(const std::string& kind, const std::string& parentParameter);

/// POST …/actions/changeCompartment of a job or a job run. The caller needs the operation in both
/// compartments.
OperationResult changeCompartment(Database& database, const Call& call, const std::string& kind);

/// Whether the size of such a shape is chosen with each job.
[[nodiscard]] bool isFlexible(const std::string& shapeName);

}  // namespace lockstep::rehearsal
