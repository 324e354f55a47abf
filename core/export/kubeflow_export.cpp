// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorchJob (kubeflow.org/v1) and TrainJob (trainer.kubeflow.org/v1alpha1).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/quote.h"
#include "export/export.h"
#include "export/rank_command.h"
#include "export/templates.h"
#include "yaml/yaml_text.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kHead = "A literal dollar sign in env, command and args is written as two.";

class KubeflowExport {
 public:
  explicit KubeflowExport(const RankedCluster& cluster)
      : cluster_(cluster), view_(cluster.view), secretName_(view_.label + "-secrets") {}

  Result<ExportBundle> bundle() {
    ExportBundle bundle;
    auto job = yamlText(pyTorchJob(), kHead);
    if (!job) return failure(std::move(job.error()));
    auto train = yamlText(trainJob(), kHead);
    if (!train) return failure(std::move(train.error()));
    bundle.files.push_back({"README.md", readme()});
    bundle.files.push_back({"pytorchjob.yaml", *std::move(job)});
    bundle.files.push_back({"trainjob.yaml", *std::move(train)});
    addNotes(bundle);
    if (!secrets_.empty()) {
      auto secret = yamlText(secretManifest());
      if (!secret) return failure(std::move(secret.error()));
      addSecret(bundle, *std::move(secret));
    }
    return bundle;
  }

 private:
  Json environment(const Environment& variables) {
    Json list = Json::array();
    for (const EnvVar& variable : variables.variables()) {
      if (isSecret(variable) && !variable.value.empty())
        list.push_back(
            {{"name", variable.name},
             {"valueFrom", {{"secretKeyRef", {{"name", secretName_}, {"key", keyFor(variable)}}}}}});
      else
        list.push_back({{"name", variable.name}, {"value", quoteDollars(variable.value)}});
    }
    return list;
  }

  /// The same name may have another value in another role.
  std::string keyFor(const EnvVar& secret) {
    std::string key = secret.name;
    for (int n = 2; secrets_.contains(key) && secrets_[key] != secret.value; ++n)
      key = fmt::format("{}.{}", secret.name, n);
    secrets_[key] = secret.value;
    return key;
  }

  [[nodiscard]] static Json words(const std::vector<std::string>& list) {
    Json out = Json::array();
    for (const std::string& word : list) out.push_back(quoteDollars(word));
    return out;
  }

  /// One rank a node and no Python: the operator's own RANK and WORLD_SIZE are all that the program needs.
  [[nodiscard]] bool runsByItself(const TrainingCommand& command) const {
    return !command.isPython() && cluster_.ranksPerNode() == 1;
  }

  void addCommand(Json& target, const TrainingCommand& command, bool operatorSetsRanks) const {
    std::vector<std::string> all = entryWords(command);
    if (operatorSetsRanks && runsByItself(command)) {
      target["command"] = words({all[1]});
      all.erase(all.begin(), all.begin() + 2);
    } else {
      target["command"] = Json::array({"torchrun"});
    }
    target["args"] = words(all);
  }

  [[nodiscard]] Json resources() const {
    Json limits = Json::object();
    const bool amd = view_.shapeName.find("MI300") != std::string::npos;
    if (view_.gpusPerNode > 0) limits[amd ? "amd.com/gpu" : "nvidia.com/gpu"] = view_.gpusPerNode;
    Json requests = Json::object();
    if (view_.flex && view_.flex->ocpus) {
      const bool oneCpuEach = view_.shapeName.find(".A1.") != std::string::npos;  // no second thread
      requests["cpu"] = fmt::format("{:g}", *view_.flex->ocpus * (oneCpuEach ? 1 : 2));
    }
    if (view_.flex && view_.flex->memoryInGBs)
      requests["memory"] = fmt::format("{:g}Gi", *view_.flex->memoryInGBs);
    Json all = Json::object();
    if (!requests.empty()) all["requests"] = requests;
    if (!limits.empty()) all["limits"] = limits;
    return all;
  }

  Json container(const TrainingCommand& command, const Environment& environmentOfRole,
                 const std::string& image) {
    Json out = {{"name", "pytorch"}, {"image", image}};
    addCommand(out, command, true);
    out["env"] = environment(environmentOfRole);
    out["ports"] =
        Json::array({{{"name", "pytorchjob-port"}, {"containerPort", std::stoi(cluster_.masterPort)}}});
    const Json needed = resources();
    if (!needed.empty()) out["resources"] = needed;
    out["volumeMounts"] = Json::array({{{"name", "shm"}, {"mountPath", "/dev/shm"}}});
    return out;
  }

  Json replicas(int count, const Json& container) {
    const Json memory = {{"name", "shm"}, {"emptyDir", {{"medium", "Memory"}}}};
    return {{"replicas", count},
            {"restartPolicy", "Never"},
            {"template",
             {{"spec", {{"containers", Json::array({container})}, {"volumes", Json::array({memory})}}}}}};
  }

  Json pyTorchJob() {
    Json specs = Json::object();
    specs["Master"] =
        replicas(1, container(cluster_.main, cluster_.mainEnvironment, imageOf(NodeRole::Main)));
    if (cluster_.hasWorkers())
      specs["Worker"] = replicas(cluster_.nodes() - 1, container(cluster_.worker, cluster_.workerEnvironment,
                                                                 imageOf(NodeRole::Worker)));
    Json spec = Json::object();
    if (!runsByItself(cluster_.main))
      spec["nprocPerNode"] = cluster_.ranksPerNode() ? std::to_string(*cluster_.ranksPerNode()) : "gpu";
    spec["pytorchReplicaSpecs"] = specs;
    return {{"apiVersion", "kubeflow.org/v1"},
            {"kind", "PyTorchJob"},
            {"metadata", {{"name", view_.label}}},
            {"spec", spec}};
  }

  /// All nodes of a TrainJob are alike: what only one role has is left out, and a note says so.
  Json trainJob() {
    Environment alike;
    for (const EnvVar& variable : cluster_.mainEnvironment.variables()) {
      const std::string* other = cluster_.workerEnvironment.find(variable.name);
      if (other != nullptr && *other == variable.value) alike.set(variable.name, variable.value);
    }
    differs_ = alike.variables().size() + 1 < cluster_.mainEnvironment.variables().size() ||
               alike.variables().size() + 1 < cluster_.workerEnvironment.variables().size();
    Json trainer = {{"image", imageOf(NodeRole::Main)}};
    addCommand(trainer, cluster_.main, false);
    trainer["env"] = environment(alike);
    trainer["numNodes"] = cluster_.nodes();
    if (cluster_.ranksPerNode())
      trainer["numProcPerNode"] = *cluster_.ranksPerNode();
    else
      trainer["numProcPerNode"] = "gpu";
    const Json needed = resources();
    if (!needed.empty()) trainer["resourcesPerNode"] = needed;
    return {{"apiVersion", "trainer.kubeflow.org/v1alpha1"},
            {"kind", "TrainJob"},
            {"metadata", {{"name", view_.label}}},
            {"spec", {{"runtimeRef", {{"name", "torch-distributed"}}}, {"trainer", trainer}}}};
  }

  [[nodiscard]] std::string imageOf(NodeRole role) const {
    for (const ExportNode& node : view_.nodes) {
      if (node.role == role) return node.image;
    }
    return view_.image;
  }

  [[nodiscard]] std::string readme() const {
    return exportTemplate(
        "kubeflow/README.md",
        {{"NAME", view_.label},
         {"NODES", std::to_string(cluster_.nodes())},
         {"RANKS", cluster_.ranksText()},
         {"CODE_DIR", cluster_.main.codeDir},
         {"LOGS", view_.label + "-master-0"},
         {"SECRET",
          secrets_.empty() ? "" : "    kubectl apply -f secret.yaml    # keep this file to yourself\n"}});
  }

  void addNotes(ExportBundle& bundle) const {
    auto& notes = bundle.notes;
    if (!view_.imageIsKnown)
      notes.push_back(
          fmt::format("The file does not say which image: the manifests have {}, which is made up. "
                      "Export again with --image.",
                      view_.image));
    notes.push_back(
        "The image must hold the code: its own entry point, which would fetch code and find the nodes "
        "through "
        "the work dir, is not used.");
    notes.push_back("Pods that pull from a private registry need imagePullSecrets.");
    if (differs_)
      notes.push_back(
          "All nodes of a TrainJob are alike: variables that main and workers have different stand "
          "only in pytorchjob.yaml.");
    notes.insert(notes.end(), cluster_.notes.begin(), cluster_.notes.end());
  }

  [[nodiscard]] Json secretManifest() const {
    return {{"apiVersion", "v1"},
            {"kind", "Secret"},
            {"metadata", {{"name", secretName_}}},
            {"type", "Opaque"},
            {"stringData", secrets_}};
  }

  static void addSecret(ExportBundle& bundle, std::string manifest) {
    bundle.files.push_back({"secret.yaml", std::move(manifest), false, true});
    bundle.files.push_back({".gitignore", "secret.yaml\n"});
    bundle.notes.push_back(
        "Values whose names or values say that they are secret stand only in secret.yaml, which only "
        "its owner can read and which git ignores. Apply it first.");
  }

  const RankedCluster& cluster_;
  const ClusterView& view_;
  std::string secretName_;
  Json secrets_ = Json::object();
  bool differs_ = false;
};

}  // namespace

Result<ExportBundle> exportKubeflow(const ExportInput& input) {
  const auto cluster = rankedCluster(input, "a Kubeflow job");
  if (!cluster) return failure(cluster.error());
  return KubeflowExport(*cluster).bundle();
}

}  // namespace lockstep
