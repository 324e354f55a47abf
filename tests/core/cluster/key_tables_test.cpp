// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/reading/key_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "cluster/document/cluster_document.h"
#include "cluster/reading/train_yaml_keys.h"

namespace lockstep {
namespace {

/// Values of the keys that are more than one value. A key without one here fails the tests until it has one.
const std::map<std::string, std::string>& samples() {
  static const std::map<std::string, std::string> kSamples{
      {"shapeConfigDetails", "{ocpus: 2, memory_in_gbs: 16, cpu_baseline: BASELINE_1_8}"},
      {"blockStorageSize", "60"},
      {"storageMount", "[{src: \"oci://b@n/p\", dest: /a}]"},
      {"freeformTags", "{a: b}"},
      {"definedTags", "{a: {b: c}}"},
      {"ephemeral", "true"},
      {"config", "{env: [{name: A, value: b}], startOptions: [--a]}"},
      {"main", "{name: m, replicas: 1, image: i, config: {env: [{name: A, value: b}]}}"},
      {"worker", "{name: w, replicas: 1, image: i}"},
      {"ps", "{name: p, replicas: 1, image: i}"},
      {"certificate",
       "{caCert: {id: a, downloadLocation: b}, cert: {id: c, certDownloadLocation: d, keyDownloadLocation: "
       "e}}"},
      {"args", "[--a]"},
      {"kwargs", "--b"},
      {"env", "[{name: A, value: b}]"},
      {"groups", ""},  // set where it is needed
      {"startupProbe", "{command: [a], periodInSeconds: 1, failureThreshold: 2, initialDelayInSeconds: 3}"},
      {"command", "[a]"},
      {"conda", "{type: service, slug: s, uri: u, region: r, name: n, authType: a}"},
      {"git", "{url: u, branch: b, commit: c, gitSecretId: s}"},
      {"deepspeed", "true"},
      {"dependencies", "{pipRequirements: r, pipPackages: p}"},
      {"inputs", "{a: b}"},
      {"pythonPath", "[a]"},
      {"entrypoint", "[a]"},
      {"cmd", "[a]"},
      {"image", "i"}};
  return kSamples;
}

/// A value that the place of the key can take.
template <class T>
std::string valueFor(const KeyInfo<T>& key) {
  if (std::holds_alternative<std::optional<std::string> T::*>(key.place)) return "text";
  if (std::holds_alternative<std::optional<long long> T::*>(key.place)) return "1";
  if (std::holds_alternative<std::optional<double> T::*>(key.place)) return "1.5";
  const auto found = samples().find(key.spelling.key);
  EXPECT_NE(found, samples().end()) << key.spelling.key << ": no sample";
  return found == samples().end() ? "" : found->second;
}

/// "{a: 1, b: text}": all keys of a table, each in its nth spelling or the last one.
template <class T>
std::string flow(const KeyTable<T>& keys, std::size_t nth = 0,
                 const std::map<std::string, std::string>& own = {}) {
  std::string text;
  for (const KeyInfo<T>& key : keys) {
    const auto given = own.find(key.spelling.key);
    const std::vector<std::string> spellings = key.spelling.all();
    text += (text.empty() ? "" : ", ") + spellings[std::min(nth, spellings.size() - 1)] + ": " +
            (given == own.end() ? valueFor(key) : given->second);
  }
  return "{" + text + "}";
}

template <class T>
void expectAllGiven(const KeyTable<T>& keys, const T& in, const std::string& where) {
  for (const KeyInfo<T>& key : keys) EXPECT_TRUE(isGiven(key, in)) << where << ": " << key.spelling.key;
}

void expectNothingUnknown(const ClusterDocument& document) {
  for (const Issue& issue : document.issues())
    EXPECT_TRUE(issue.code != "unknown-key" && issue.code != "wrong-type") << issue.message << "\n"
                                                                           << document.text();
}

std::string clusterFile(std::size_t nth = 0) {
  const std::string group = flow(nodeGroupKeys());
  const std::string groups = "{main: " + group + ", worker: " + group + ", ps: " + group + "}";
  return "kind: distributed\nspec:\n  infrastructure:\n    spec: " + flow(infrastructureKeys(), nth) +
         "\n  cluster:\n    kind: PYTORCH\n    spec: " + flow(clusterKeys()) +
         "\n  runtime:\n    type: git\n    spec: " + flow(runtimeKeys()) +
         "\n  multiNode: " + flow(multiNodeKeys(), 0, {{"groups", groups}}) + "\n";
}

std::string jobFile(const char* type, const KeyTable<JobSpec>& own,
                    const std::map<std::string, std::string>& values) {
  std::string common = flow(jobKeys(), 1);
  common.pop_back();
  return "kind: job\nspec:\n  infrastructure:\n    spec: " + flow(infrastructureKeys()) +
         "\n  runtime:\n    type: " + type + "\n    spec: " + common + ", " + flow(own, 0, values).substr(1) +
         "\n";
}

template <class T>
void expectSound(const KeyTable<T>& keys, const char* name) {
  std::set<std::string> seen;
  for (const KeyInfo<T>& key : keys) {
    for (const std::string& spelling : key.spelling.all())
      EXPECT_TRUE(!spelling.empty() && seen.insert(spelling).second) << name << ": " << spelling;
    const bool isMember = key.place.index() >= 1 && key.place.index() <= 3;
    EXPECT_TRUE(key.remedy.empty() || isMember) << name << ": nobody would see that it is missing";
  }
  EXPECT_FALSE(keys.empty()) << name;
}

TEST(KeyTables, AreSound) {
  expectSound(infrastructureKeys(), "infrastructure");
  expectSound(shapeConfigKeys(), "shapeConfigDetails");
  expectSound(storageMountKeys(), "storageMount");
  expectSound(clusterKeys(), "cluster");
  expectSound(roleKeys(), "role");
  expectSound(authorityKeys(), "caCert");
  expectSound(certificateKeys(), "cert");
  expectSound(runtimeKeys(), "runtime");
  expectSound(multiNodeKeys(), "multiNode");
  expectSound(nodeGroupKeys(), "groups");
  expectSound(startupProbeKeys(), "startupProbe");
  expectSound(jobKeys(), "job");
  expectSound(pyTorchJobKeys(), "pyTorchDistributed");
  expectSound(containerJobKeys(), "container");
  expectSound(condaKeys(), "conda");
  expectSound(gitKeys(), "git");
  expectSound(dependencyKeys(), "dependencies");
}

TEST(KeyTables, EveryKeyIsReadInEverySpelling) {
  for (std::size_t nth = 0; nth < 4; ++nth) {
    const ClusterDocument document(clusterFile(nth));
    expectNothingUnknown(document);
    const Infrastructure& infra = document.spec().infrastructure;
    expectAllGiven(infrastructureKeys(), infra, "infrastructure");
    ASSERT_TRUE(infra.shapeConfig) << document.text();
    expectAllGiven(shapeConfigKeys(), *infra.shapeConfig, "shapeConfigDetails");
    EXPECT_EQ(infra.blockStorageSizeInGBs, 60) << document.text();
    EXPECT_EQ(infra.storageMounts.size(), 1U);
    EXPECT_EQ(infra.freeformTags.size(), 1U);
    EXPECT_EQ(infra.definedTags.size(), 1U);
  }
}

TEST(KeyTables, EveryKeyOfAClusterIsRead) {
  const ClusterDocument document(clusterFile());
  const ClusterSpec& spec = document.spec();
  expectAllGiven(clusterKeys(), spec, "cluster");
  expectAllGiven(runtimeKeys(), spec, "runtime");
  ASSERT_TRUE(spec.main && spec.worker && spec.parameterServer && spec.certificate && spec.multiNode);
  for (const auto* role : {&spec.main, &spec.worker, &spec.parameterServer})
    expectAllGiven(roleKeys(), **role, "role");
  expectAllGiven(authorityKeys(), *spec.certificate, "caCert");
  expectAllGiven(certificateKeys(), *spec.certificate, "cert");
  expectAllGiven(multiNodeKeys(), *spec.multiNode, "multiNode");
  for (const auto* group :
       {&spec.multiNode->main, &spec.multiNode->worker, &spec.multiNode->parameterServer}) {
    expectAllGiven(nodeGroupKeys(), *group, "groups");
    ASSERT_TRUE(group->startupProbe && group->shapeConfig);
    expectAllGiven(startupProbeKeys(), *group->startupProbe, "startupProbe");
    EXPECT_EQ(group->startupProbe->command.size(), 1U);
  }
  EXPECT_TRUE(spec.ephemeral && spec.argsText && spec.kwargsText);
  EXPECT_EQ(spec.clusterEnv.size() + spec.runtimeEnv.size() + spec.main->env.size(), 3U);
  EXPECT_EQ(spec.clusterStartOptions.size(), 1U);
}

TEST(KeyTables, EveryKeyOfAJobIsRead) {
  const ClusterDocument ranks(
      jobFile("pyTorchDistributed", pyTorchJobKeys(), {{"command", "c"}, {"entrypoint", "e"}}));
  expectNothingUnknown(ranks);
  ASSERT_TRUE(ranks.spec().job && ranks.spec().job->conda && ranks.spec().job->git);
  const JobSpec& job = *ranks.spec().job;
  expectAllGiven(jobKeys(), job, "job");
  expectAllGiven(pyTorchJobKeys(), job, "pyTorchDistributed");
  expectAllGiven(dependencyKeys(), job, "dependencies");
  expectAllGiven(condaKeys(), *job.conda, "conda");
  expectAllGiven(gitKeys(), *job.git, "git");
  EXPECT_TRUE(job.deepspeed);
  EXPECT_EQ(job.args.size() + job.inputs.size() + job.pythonPath.size(), 3U);
  EXPECT_EQ(ranks.spec().runtimeEnv.size(), 1U);

  const ClusterDocument container(jobFile("container", containerJobKeys(), {}));
  expectNothingUnknown(container);
  ASSERT_TRUE(container.spec().job);
  expectAllGiven(containerJobKeys(), *container.spec().job, "container");
  EXPECT_EQ(container.spec().image, "i");
  EXPECT_TRUE(container.spec().job->entryPointWords);
  EXPECT_EQ(container.spec().job->cmd.size(), 1U);
}

TEST(KeyTables, AKeyWithoutARowIsUnknownAndAMissingOneIsAskedFor) {
  const ClusterDocument document("kind: distributed\nspec:\n  infrastructure:\n    spec: {bookStorage: 3}\n");
  std::map<std::string, std::string> missing;
  bool isNamed = false;
  for (const Issue& issue : document.issues()) {
    if (issue.code == "missing-field") missing[issue.field.toString()] = issue.remedy;
    isNamed |= issue.code == "unknown-key" && issue.field.toString().ends_with("bookStorage");
  }
  EXPECT_TRUE(isNamed);
  for (const KeyInfo<Infrastructure>& key : infrastructureKeys())
    EXPECT_EQ(missing.contains("spec.infrastructure.spec." + key.spelling.key), !key.remedy.empty())
        << key.spelling.key;
  for (const KeyInfo<ClusterSpec>& key : runtimeKeys())
    EXPECT_EQ(missing.contains("spec.runtime.spec." + key.spelling.key), !key.remedy.empty())
        << key.spelling.key;
  EXPECT_EQ(missing["spec.infrastructure.spec.shapeName"], "give a shape, such as VM.GPU.A10.1");
  EXPECT_TRUE(missing.contains("spec.cluster.spec.main"));
}

}  // namespace
}  // namespace lockstep
