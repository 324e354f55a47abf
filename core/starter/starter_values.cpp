// SPDX-License-Identifier: GPL-3.0-or-later
#include "starter/starter_values.h"

#include <vector>

#include "cluster/document/cluster_document.h"

namespace lockstep {
namespace {

constexpr const char* kInfrastructure = "spec.infrastructure.spec.";
constexpr const char* kWorkDir = "spec.cluster.spec.workDir";
constexpr const char* kImage = "spec.cluster.spec.image";
constexpr std::string_view kScheme = "oci://";
constexpr std::string_view kNamespace = "<namespace>";

struct Change {
  std::string field;
  std::string value;
};

std::string scalarOf(const ClusterDocument& document, const char* field) {
  const auto scalar = document.scalar(FieldPath::parse(field));
  return scalar ? scalar->value : std::string();
}

// What stands behind the bucket of the present work dir: "/pytorch".
std::string prefixOf(const std::string& workDir) {
  const std::size_t slash =
      workDir.find('/', workDir.starts_with(kScheme) ? kScheme.size() : std::string::npos);
  return slash == std::string::npos ? std::string() : workDir.substr(slash);
}

Result<std::vector<Change>> bucketChanges(const ClusterDocument& document, std::string bucket,
                                          bool isImageGiven) {
  if (bucket.starts_with(kScheme)) bucket.erase(0, kScheme.size());
  const std::size_t at = bucket.find('@');
  const bool isPlace = at != std::string::npos && at > 0 && at + 1 < bucket.size() &&
                       bucket.find('@', at + 1) == std::string::npos && bucket.find('/') == std::string::npos;
  if (!isPlace) {
    return failure(ErrorCode::InvalidArgument, "the bucket '" + bucket + "' has no namespace",
                   "a work dir is oci://bucket@namespace/prefix",
                   "write bucket@namespace; `lockstep request GET /n/` tells the namespace of your tenancy");
  }
  std::vector<Change> changes{
      {kWorkDir, std::string(kScheme) + bucket + prefixOf(scalarOf(document, kWorkDir))}};
  std::string image = scalarOf(document, kImage);
  const std::size_t open = image.find(kNamespace);
  if (!isImageGiven && open != std::string::npos) {
    changes.push_back({kImage, image.replace(open, kNamespace.size(), bucket.substr(at + 1))});
  }
  return changes;
}

}  // namespace

bool StarterValues::empty() const {
  return !compartment && !project && !subnet && !logGroup && !log && !bucket && !image;
}

Result<std::string> filledIn(std::string trainYaml, const StarterValues& values) {
  const ClusterDocument original(trainYaml);
  std::vector<Change> changes;
  const std::pair<const char*, const std::optional<std::string>*> ids[] = {
      {"projectId", &values.project},
      {"compartmentId", &values.compartment},
      {"subnetId", &values.subnet},
      {"logGroupId", &values.logGroup},
      {"logId", &values.log}};
  for (const auto& [key, value] : ids) {
    if (*value) changes.push_back({std::string(kInfrastructure) + key, **value});
  }
  if (values.image) changes.push_back({kImage, *values.image});
  if (values.bucket) {
    auto more = bucketChanges(original, *values.bucket, values.image.has_value());
    if (!more) return failure(more.error());
    changes.insert(changes.end(), more->begin(), more->end());
  }
  for (const Change& change : changes) {
    const auto edit = ClusterDocument(trainYaml).setScalar(FieldPath::parse(change.field), change.value);
    if (!edit) return failure(edit.error());
    trainYaml = applyEdit(std::move(trainYaml), *edit);
  }
  return trainYaml;
}

}  // namespace lockstep
