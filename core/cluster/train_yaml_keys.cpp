// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/train_yaml_keys.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "cluster/cluster_spec.h"

namespace lockstep {
namespace {

const std::vector<KeySpelling>& infrastructureKeys() {
  static const std::vector<KeySpelling> kKeys{
      {"projectId", {"project_id"}},
      {"compartmentId", {"compartment_id"}},
      {"displayName", {"display_name"}},
      {"subnetId", {"subnet_id"}},
      {"shapeName", {"shape_name"}},
      {"shapeConfigDetails", {"shape_config_details", "job_shape_config_details"}},
      {"blockStorageSize", {"block_storage_size", "block_storage_size_in_GBs", "block_storage_size_in_gbs"}},
      {"logGroupId", {"log_group_id"}},
      {"logId", {"log_id"}},
      {"jobInfrastructureType", {"job_infrastructure_type"}},
      {"jobType", {"job_type"}},
      {"storageMount", {"storage_mount"}},
      {"freeformTags", {"freeform_tags"}},
      {"definedTags", {"defined_tags"}}};
  return kKeys;
}

std::vector<KeySpelling> plainKeys(std::initializer_list<const char*> keys) {
  std::vector<KeySpelling> out;
  for (const char* key : keys) out.push_back({key, {}});
  return out;
}

std::vector<KeySpelling> shapeKeys() {
  return {{"ocpus", {}}, {"memoryInGBs", {"memory_in_gbs"}}, {"cpuBaseline", {"cpu_baseline"}}};
}

/// The path with every index as "[]", so that one row of the table serves all items.
std::string pattern(const FieldPath& path) {
  std::string out;
  for (const FieldPath::Element& element : path.elements()) {
    const auto* key = std::get_if<std::string>(&element);
    out += key ? "/" + *key : "[]";
  }
  return out;
}

constexpr std::size_t kMostLetters = 64;

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// Of words of at most kMostLetters, in any case; `limit` + 1 when it is more than that. One row of the table
/// at a time, in place, and only the part of it from which the limit can still be kept.
std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t apart = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (apart > limit) return limit + 1;
  std::array<std::size_t, kMostLetters + 2> row{};
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const char letter = upper(a[i - 1]);
    const std::size_t first = i > limit ? i - limit : 1;
    const std::size_t last = std::min(b.size(), i + limit);
    std::size_t diagonal = row[first - 1];
    row[first - 1] = first == 1 ? i : limit + 1;
    std::size_t least = row[first - 1];
    for (std::size_t j = first; j <= last; ++j) {
      const std::size_t change = diagonal + (letter == upper(b[j - 1]) ? 0 : 1);
      const std::size_t above = j == i + limit ? limit + 1 : row[j];
      diagonal = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, change});
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
  }
  return std::min(row[b.size()], limit + 1);
}

}  // namespace

std::vector<KeySpelling> knownKeys(const FieldPath& mapping) {
  const std::string at = pattern(mapping);
  if (at.empty()) return plainKeys({"kind", "apiVersion", "spec"});
  if (at == "/spec") return plainKeys({"infrastructure", "cluster", "runtime", "name", "multiNode"});
  if (at == "/spec/infrastructure") return plainKeys({"kind", "type", "apiVersion", "name", "spec"});
  if (at == "/spec/infrastructure/spec") return infrastructureKeys();
  if (at == "/spec/cluster") return plainKeys({"kind", "apiVersion", "spec"});
  if (at == "/spec/cluster/spec")
    return plainKeys(
        {"image", "workDir", "name", "ephemeral", "config", "main", "worker", "ps", "certificate"});
  if (at == "/spec/runtime") return plainKeys({"kind", "apiVersion", "type", "spec"});
  if (at == "/spec/runtime/spec")
    return plainKeys({"entryPoint", "args", "kwargs", "env", "uri", "branch", "commit", "gitSecretId",
                      "codeDir", "pythonPath"});
  if (at.ends_with("/config/env[]") || at == "/spec/runtime/spec/env[]") return plainKeys({"name", "value"});
  if (at.ends_with("/config")) return plainKeys({"env", "startOptions"});
  if (at == "/spec/cluster/spec/main" || at == "/spec/cluster/spec/worker" || at == "/spec/cluster/spec/ps")
    return plainKeys({"name", "replicas", "image", "config"});
  if (at == "/spec/cluster/spec/certificate") return plainKeys({"caCert", "cert"});
  if (at == "/spec/cluster/spec/certificate/caCert") return plainKeys({"id", "downloadLocation"});
  if (at == "/spec/cluster/spec/certificate/cert")
    return plainKeys({"id", "certDownloadLocation", "keyDownloadLocation"});
  if (at == "/spec/multiNode")
    return plainKeys({"network", "startupOrder", "maximumRuntimeInMinutes", "groups"});
  if (at == "/spec/multiNode/groups") return plainKeys({"main", "worker", "ps"});
  if (at.starts_with("/spec/multiNode/groups/") && at.ends_with("/shapeConfigDetails")) return shapeKeys();
  if (at.starts_with("/spec/multiNode/groups/") && at.ends_with("/startupProbe"))
    return plainKeys({"command", "periodInSeconds", "failureThreshold", "initialDelayInSeconds"});
  if (at.starts_with("/spec/multiNode/groups/"))
    return plainKeys(
        {"minimumSuccessReplicas", "shapeName", "shapeConfigDetails", "blockStorageSize", "startupProbe"});
  for (const std::string& key : infrastructureSpellings("shapeConfigDetails")) {
    if (at == "/spec/infrastructure/spec/" + key) return shapeKeys();
  }
  for (const std::string& key : infrastructureSpellings("storageMount")) {
    if (at == "/spec/infrastructure/spec/" + key + "[]") return plainKeys({"src", "dest"});
  }
  return {};
}

std::vector<KeySpelling> knownJobKeys(const FieldPath& mapping) {
  const std::string at = pattern(mapping);
  if (at == "/spec") return plainKeys({"name", "id", "infrastructure", "runtime"});
  if (at == "/spec/runtime/spec/conda")
    return plainKeys({"type", "slug", "uri", "region", "name", "authType"});
  if (at == "/spec/runtime/spec/git") return plainKeys({"url", "branch", "commit", "gitSecretId"});
  if (at == "/spec/runtime/spec/dependencies") return plainKeys({"pipRequirements", "pipPackages"});
  if (at != "/spec/runtime/spec") return knownKeys(mapping);
  std::vector<KeySpelling> keys = plainKeys({"replicas",
                                             "maximumRuntimeInMinutes",
                                             "env",
                                             "conda",
                                             "git",
                                             "scriptPathURI",
                                             "command",
                                             "entrypoint",
                                             "entryFunction",
                                             "args",
                                             "deepspeed",
                                             "dependencies",
                                             "inputs",
                                             "workingDir",
                                             "pythonPath",
                                             "outputDir",
                                             "outputUri",
                                             "image",
                                             "cmd",
                                             "imageDigest",
                                             "imageSignatureId"});
  keys.push_back({"freeformTags", {"freeform_tags"}});
  keys.push_back({"definedTags", {"defined_tags"}});
  return keys;
}

std::vector<std::string> infrastructureSpellings(std::string_view key) {
  for (const KeySpelling& known : infrastructureKeys()) {
    if (known.key != key) continue;
    std::vector<std::string> all{known.key};
    all.insert(all.end(), known.aliases.begin(), known.aliases.end());
    return all;
  }
  return {std::string(key)};
}

bool isSlip(std::string_view a, std::string_view b) {
  return wordDistance(a, b, 2) <= 2;
}

std::size_t wordDistance(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) > kMostLetters) return std::min(std::max(a.size(), b.size()), limit + 1);
  return editDistance(a, b, limit);
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > kMostLetters) return {};
  std::string best;
  std::size_t distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t d = wordDistance(word, candidate, distance - 1);
    if (d < distance) {
      distance = d;
      best = candidate;
    }
  }
  return best;
}

}  // namespace lockstep
