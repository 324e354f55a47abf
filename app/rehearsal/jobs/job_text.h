// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "base/clock.h"
#include "rehearsal/front/body_reader.h"
#include "rehearsal/state/lists.h"

namespace lockstep::rehearsal {

/// "job20260131120000": what the service calls a thing that nobody named.
[[nodiscard]] std::string defaultName(const std::string& prefix, TimePoint now);

/// freeformTags and definedTags of a create body, with their defaults.
nlohmann::json readTags(BodyReader& body);

/// How Data Science lists are asked: at most 100 a page, timeCreated | displayName.
[[nodiscard]] ListStyle dataScienceList(const std::string& kind, const std::string& parentParameter);

/// POST …/actions/changeCompartment of a job or a job run. The caller needs the operation in both
/// compartments.
Answer changeCompartment(Database& database, const Call& call, const std::string& kind);

/// A shape that jobs may ask for (oci-rest-contract 6).
struct JobShape {
  const char* name;
  int cores;
  int memoryInGBs;
  const char* series;
};
[[nodiscard]] const JobShape* findJobShape(const std::string& name);
[[nodiscard]] bool isFlexible(const std::string& shapeName);

}  // namespace lockstep::rehearsal
