// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a `kind: job` file.
#include "base/text/trimmed.h"
#include "cluster/reading/key_tables.h"
#include "cluster/yaml/yaml_scalar.h"

namespace lockstep {
namespace {

/// A list of texts, or a text that `ads` splits at its commas.
std::vector<std::string> wordsOf(FieldReader& reader, const FieldPath& path) {
  const YamlNode* node = reader.valueAt(path);
  if (!node || node->kind != NodeKind::Scalar) return reader.texts(path);
  const std::string text = reader.text(path).value_or("");
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return words;
}

/// A list of texts, or a single one.
std::vector<std::string> oneOrMore(FieldReader& reader, const FieldPath& path) {
  const YamlNode* node = reader.valueAt(path);
  if (!node || node->kind != NodeKind::Scalar) return reader.texts(path);
  return {reader.text(path).value_or("")};
}

/// The mapping of something that a job may have.
template <class Part>
std::optional<Part> readPart(FieldReader& reader, const FieldPath& path, const KeyTable<Part>& keys) {
  if (!reader.hasMapping(path)) return std::nullopt;
  Part part;
  readKeys(reader, path, keys, part);
  return part;
}

void readDependencies(FieldReader& reader, const FieldPath& path, JobSpec& job) {
  if (reader.hasMapping(path)) readKeys(reader, path, dependencyKeys(), job);
}

void readEntryPointWords(FieldReader& reader, const FieldPath& path, JobSpec& job) {
  if (reader.valueAt(path)) job.entryPointWords = wordsOf(reader, path);
}

void readCmd(FieldReader& reader, const FieldPath& path, JobSpec& job) {
  job.cmd = wordsOf(reader, path);
  const YamlNode* cmd = reader.valueAt(path);
  if (cmd && cmd->kind == NodeKind::Scalar)  // of a text alone: what stands in a list goes as it is
    for (std::string& word : job.cmd) word = std::string(trimmed(word));
}

}  // namespace

const KeyTable<JobSpec>& jobKeys() {
  using J = JobSpec;
  static const KeyTable<J> kKeys{
      {{"replicas", {}}, &J::replicas},
      {{"maximumRuntimeInMinutes", {}}, &J::maximumRuntimeInMinutes},
      {{"env", {}}},  // of the ClusterSpec, as the tags are
      {{"args", {}}, [](FieldReader& r, const FieldPath& at, J& j) { j.args = oneOrMore(r, at); }},
      {{"freeformTags", {"freeform_tags"}}},
      {{"definedTags", {"defined_tags"}}}};
  return kKeys;
}

const KeyTable<JobSpec>& pyTorchJobKeys() {
  using J = JobSpec;
  static const KeyTable<J> kKeys{
      {{"conda", {}},
       [](FieldReader& r, const FieldPath& at, J& j) { j.conda = readPart(r, at, condaKeys()); }},
      {{"git", {}}, [](FieldReader& r, const FieldPath& at, J& j) { j.git = readPart(r, at, gitKeys()); }},
      {{"scriptPathURI", {}}, &J::scriptPathUri},
      {{"command", {}}, &J::command},
      {{"entrypoint", {}}, &J::entryPoint},
      {{"entryFunction", {}}, &J::entryFunction},
      {{"deepspeed", {}}, [](FieldReader& r, const FieldPath& at, J& j) { j.deepspeed = r.isTrue(at); }},
      {{"dependencies", {}}, readDependencies},
      {{"inputs", {}}, [](FieldReader& r, const FieldPath& at, J& j) { j.inputs = r.pairs(at); }},
      {{"workingDir", {}}, &J::workingDir},
      {{"pythonPath", {}},
       [](FieldReader& r, const FieldPath& at, J& j) { j.pythonPath = oneOrMore(r, at); }},
      {{"outputDir", {}}, &J::outputDir},
      {{"outputUri", {}}, &J::outputUri}};
  return kKeys;
}

const KeyTable<JobSpec>& containerJobKeys() {
  using J = JobSpec;
  static const KeyTable<J> kKeys{{{"image", {}}},  // of the ClusterSpec
                                 {{"entrypoint", {}}, readEntryPointWords},
                                 {{"cmd", {}}, readCmd},
                                 {{"imageDigest", {}}, &J::imageDigest},
                                 {{"imageSignatureId", {}}, &J::imageSignatureId}};
  return kKeys;
}

const KeyTable<CondaSpec>& condaKeys() {
  static const KeyTable<CondaSpec> kKeys{{{"type", {}}, &CondaSpec::type},
                                         {{"slug", {}}, &CondaSpec::slug},
                                         {{"uri", {}}, &CondaSpec::uri},
                                         {{"region", {}}, &CondaSpec::region},
                                         {{"name", {}}},  // `ads` knows these two and sends neither
                                         {{"authType", {}}}};
  return kKeys;
}

const KeyTable<GitSource>& gitKeys() {
  static const KeyTable<GitSource> kKeys{{{"url", {}}, &GitSource::url},
                                         {{"branch", {}}, &GitSource::branch},
                                         {{"commit", {}}, &GitSource::commit},
                                         {{"gitSecretId", {}}, &GitSource::secretId}};
  return kKeys;
}

const KeyTable<JobSpec>& dependencyKeys() {
  static const KeyTable<JobSpec> kKeys{{{"pipRequirements", {}}, &JobSpec::pipRequirements},
                                       {{"pipPackages", {}}, &JobSpec::pipPackages}};
  return kKeys;
}

}  // namespace lockstep
