// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/job_yaml.h"

#include "cluster/train_yaml.h"
#include "cluster/yaml_scalar.h"

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

std::string trimmed(const std::string& text) {
  constexpr const char* kBlank = " \t\n\r\v\f";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// A list of texts, or a single one.
std::vector<std::string> oneOrMore(FieldReader& reader, const FieldPath& path) {
  const YamlNode* node = reader.valueAt(path);
  if (!node || node->kind != NodeKind::Scalar) return reader.texts(path);
  return {reader.text(path).value_or("")};
}

std::optional<CondaSpec> readConda(FieldReader& reader, const FieldPath& path) {
  if (!reader.hasMapping(path)) return std::nullopt;
  return CondaSpec{reader.text(path.child("type")), reader.text(path.child("slug")),
                   reader.text(path.child("uri")), reader.text(path.child("region"))};
}

std::optional<GitSource> readGit(FieldReader& reader, const FieldPath& path) {
  if (!reader.hasMapping(path)) return std::nullopt;
  return GitSource{reader.text(path.child("url")), reader.text(path.child("branch")),
                   reader.text(path.child("commit")), reader.text(path.child("gitSecretId"))};
}

void readPyTorchDistributed(FieldReader& reader, const FieldPath& at, JobSpec& job) {
  job.conda = readConda(reader, at.child("conda"));
  job.git = readGit(reader, at.child("git"));
  job.scriptPathUri = reader.text(at.child("scriptPathURI"));
  job.command = reader.text(at.child("command"));
  job.entryPoint = reader.text(at.child("entrypoint"));
  job.entryFunction = reader.text(at.child("entryFunction"));
  job.deepspeed = reader.isTrue(at.child("deepspeed"));
  const FieldPath dependencies = at.child("dependencies");
  if (reader.hasMapping(dependencies)) {
    job.pipRequirements = reader.text(dependencies.child("pipRequirements"));
    job.pipPackages = reader.text(dependencies.child("pipPackages"));
  }
  job.inputs = reader.pairs(at.child("inputs"));
  job.workingDir = reader.text(at.child("workingDir"));
  job.pythonPath = oneOrMore(reader, at.child("pythonPath"));
  job.outputDir = reader.text(at.child("outputDir"));
  job.outputUri = reader.text(at.child("outputUri"));
}

void readContainer(FieldReader& reader, const FieldPath& at, ClusterSpec& spec, JobSpec& job) {
  spec.image = reader.text(at.child("image"));
  if (reader.valueAt(at.child("entrypoint"))) job.entryPointWords = wordsOf(reader, at.child("entrypoint"));
  job.cmd = wordsOf(reader, at.child("cmd"));
  const YamlNode* cmd = reader.valueAt(at.child("cmd"));
  if (cmd && cmd->kind == NodeKind::Scalar)  // of a text alone: what stands in a list goes as it is
    for (std::string& word : job.cmd) word = trimmed(word);
  job.imageDigest = reader.text(at.child("imageDigest"));
  job.imageSignatureId = reader.text(at.child("imageSignatureId"));
}

/// Tags of the runtime count instead of those of the infrastructure.
void readTags(FieldReader& reader, const FieldPath& at, Infrastructure& infra) {
  auto freeform = reader.pairs(reader.spelled(at, {"freeformTags", "freeform_tags"}));
  if (!freeform.empty()) infra.freeformTags = std::move(freeform);
  auto defined = readDefinedTags(reader, reader.spelled(at, {"definedTags", "defined_tags"}));
  if (!defined.empty()) infra.definedTags = std::move(defined);
}

}  // namespace

void readJob(FieldReader& reader, ClusterSpec& spec) {
  const FieldPath at = field::runtime();
  JobSpec job;
  spec.clusterName = reader.text({"spec", "name"});
  job.type = reader.text(at.parent().child("type")).value_or("");
  job.replicas = reader.whole(at.child("replicas"));
  job.maximumRuntimeInMinutes = reader.whole(at.child("maximumRuntimeInMinutes"));
  job.args = oneOrMore(reader, at.child("args"));
  spec.runtimeEnv = reader.env(at.child("env"));
  readTags(reader, at, spec.infrastructure);
  if (job.isContainer()) {
    readContainer(reader, at, spec, job);
  } else {
    readPyTorchDistributed(reader, at, job);
    if (job.type == "pyTorchDistributed") spec.framework = Framework::PyTorch;
  }
  spec.main = RoleSpec{};
  if (job.replicas.value_or(1) > 1) {
    spec.worker = RoleSpec{};
    spec.worker->replicas = *job.replicas - 1;
  }
  spec.job = std::move(job);
}

}  // namespace lockstep
