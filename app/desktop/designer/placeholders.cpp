// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/designer/placeholders.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "starter/starter_values.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

using Value = std::optional<std::string> StarterValues::*;
constexpr std::array<std::pair<const char*, Value>, 7> kFields{
    {{"infrastructure.projectId", &StarterValues::project},
     {"infrastructure.compartmentId", &StarterValues::compartment},
     {"infrastructure.subnetId", &StarterValues::subnet},
     {"infrastructure.logGroupId", &StarterValues::logGroup},
     {"infrastructure.logId", &StarterValues::log},
     {"cluster.workDir", &StarterValues::bucket},
     {"cluster.image", &StarterValues::image}}};

bool isOpen(const ClusterDocument& document, const char* name) {
  const auto scalar = document.scalar(fieldOfFact(name));
  return scalar && isPlaceholder(scalar->value);
}

/// Facts go by the short name of their field or by its whole path.
std::optional<std::string> factFor(const SetupFacts& facts, const char* name) {
  const FieldPath field = fieldOfFact(name);
  for (const auto& [fact, value] : facts)
    if (fieldOfFact(fact) == field && !value.empty()) return value;
  return std::nullopt;
}

/// "bucket@namespace" of a work dir; nothing for one that is no bucket.
std::optional<std::string> bucketOf(const std::string& workDir) {
  const auto uri = parseWorkDirUri(workDir);
  if (!uri || uri->scheme != WorkDirUri::Scheme::Oci) return std::nullopt;
  return uri->bucket + "@" + uri->nameSpace;
}

}  // namespace

bool hasPlaceholders(const ClusterDocument& document) {
  return std::any_of(kFields.begin(), kFields.end(),
                     [&](const auto& field) { return isOpen(document, field.first); });
}

Result<std::string> withPlaceholdersFilled(const ClusterDocument& document, const SetupFacts& facts) {
  StarterValues values;
  for (const auto& [name, member] : kFields) {
    if (!isOpen(document, name)) continue;
    auto fact = factFor(facts, name);
    values.*member = member == &StarterValues::bucket && fact ? bucketOf(*fact) : fact;
  }
  return filledIn(document.text(), values);
}

}  // namespace lockstep
