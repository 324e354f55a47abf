// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "tests/core/export/hostile_values.h"
#include "tests/core/export/python_yaml.h"
#include "tests/support/temp_dir.h"

namespace lockstep {
namespace {

using Json = nlohmann::json;

class Manifests {
 public:
  explicit Manifests(const std::string& yaml) : bundle(bundleOf(ExportTarget::Kubeflow, yaml)) {
    const auto written = writeBundle(bundle, folder_.path(), false);
    if (!written) throw std::runtime_error(describe(written.error()));
  }
  [[nodiscard]] Json operator[](const char* file) const { return readWithPython(folder_.path() / file); }
  ExportBundle bundle;

 private:
  TempDir folder_;
};

Json containerOf(const Json& job, const char* role) {
  return job["spec"]["pytorchReplicaSpecs"][role]["template"]["spec"]["containers"][0];
}

/// What Kubernetes makes of a value in which it expands $(NAME): none of these are variables of the pod.
std::string expanded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '$' && i + 1 < text.size() && text[i + 1] == '$') ++i;
  }
  return out;
}

Json variable(const Json& list, const std::string& name) {
  for (const Json& entry : list) {
    if (entry["name"] == name) return entry;
  }
  return {};
}

TEST(KubeflowExport, EveryValueArrivesAsItWas) {
  if (!hasPythonYaml()) GTEST_SKIP() << "python3-yaml is not installed";
  HostileFile file;
  auto values = hostileValues();
  const auto drawn = drawnValues(300, 11);
  values.insert(values.end(), drawn.begin(), drawn.end());
  file.variables = variablesOf(values);
  file.arguments = {"--x", "'$(HOME) a'"};
  const Manifests manifests(file.text());
  const Json job = manifests["pytorchjob.yaml"], train = manifests["trainjob.yaml"];
  for (const auto& [name, value] : file.variables.items()) {
    for (const Json& list : {containerOf(job, "Master")["env"], containerOf(job, "Worker")["env"],
                             train["spec"]["trainer"]["env"]}) {
      const Json found = variable(list, name);
      ASSERT_TRUE(found.contains("value")) << name;
      ASSERT_TRUE(found["value"].is_string()) << name;
      EXPECT_EQ(expanded(found["value"].get<std::string>()), value.get<std::string>()) << name;
    }
  }
  EXPECT_EQ(containerOf(job, "Master")["args"], Json::array({"/code/train.py", "--x", "$$(HOME) a"}));
}

TEST(KubeflowExport, HasTheFormsThatTheOperatorsTake) {
  if (!hasPythonYaml()) GTEST_SKIP() << "python3-yaml is not installed";
  HostileFile file;
  file.shape = "VM.GPU.A10.2";
  file.workers = 3;
  const Manifests manifests(file.text());
  const Json job = manifests["pytorchjob.yaml"], train = manifests["trainjob.yaml"];
  EXPECT_EQ(job["apiVersion"], "kubeflow.org/v1");
  EXPECT_EQ(job["kind"], "PyTorchJob");
  EXPECT_EQ(job["spec"]["nprocPerNode"], "2");
  EXPECT_EQ(job["spec"]["pytorchReplicaSpecs"]["Master"]["replicas"], 1);
  EXPECT_EQ(job["spec"]["pytorchReplicaSpecs"]["Worker"]["replicas"], 3);
  EXPECT_EQ(containerOf(job, "Worker")["name"], "pytorch");
  EXPECT_EQ(containerOf(job, "Worker")["command"], Json::array({"torchrun"}));
  EXPECT_EQ(containerOf(job, "Worker")["resources"]["limits"]["nvidia.com/gpu"], 2);
  EXPECT_EQ(containerOf(job, "Master")["ports"][0]["containerPort"], 29400);
  EXPECT_EQ(train["apiVersion"], "trainer.kubeflow.org/v1alpha1");
  EXPECT_EQ(train["spec"]["runtimeRef"]["name"], "torch-distributed");
  EXPECT_EQ(train["spec"]["trainer"]["numNodes"], 4);
  EXPECT_EQ(train["spec"]["trainer"]["numProcPerNode"], 2);
  EXPECT_EQ(train["spec"]["trainer"]["resourcesPerNode"]["limits"]["nvidia.com/gpu"], 2);
  for (const char* mine : {"RANK", "WORLD_SIZE", "MASTER_ADDR"}) {
    EXPECT_TRUE(variable(containerOf(job, "Master")["env"], mine).is_null()) << mine;
    EXPECT_TRUE(variable(train["spec"]["trainer"]["env"], mine).is_null()) << mine;
  }
}

TEST(KubeflowExport, SecretsAreASecret) {
  if (!hasPythonYaml()) GTEST_SKIP() << "python3-yaml is not installed";
  HostileFile file;
  file.variables = {{"WANDB_API_KEY", "hush $(x) 'y'"}, {"PLAIN", "seen"}};
  const Manifests manifests(file.text());
  for (const ExportedFile& exported : manifests.bundle.files) {
    EXPECT_EQ(exported.secret, exported.path == "secret.yaml");
    if (exported.secret) continue;
    EXPECT_EQ(exported.content.find("hush"), std::string::npos) << exported.path;
  }
  const Json secret = manifests["secret.yaml"];
  const Json reference = variable(containerOf(manifests["pytorchjob.yaml"], "Worker")["env"],
                                  "WANDB_API_KEY")["valueFrom"]["secretKeyRef"];
  EXPECT_EQ(reference["name"], secret["metadata"]["name"]);
  EXPECT_EQ(secret["stringData"][reference["key"].get<std::string>()], "hush $(x) 'y'");
}

TEST(KubeflowExport, AProgramWithOneRankANodeNeedsNoTorchrun) {
  if (!hasPythonYaml()) GTEST_SKIP() << "python3-yaml is not installed";
  HostileFile file;
  file.entry = "lockstep-trainer";
  file.arguments = {"--epochs", "4"};
  const Manifests manifests(file.text());
  const Json job = manifests["pytorchjob.yaml"];
  EXPECT_EQ(containerOf(job, "Master")["command"], Json::array({"lockstep-trainer"}));
  EXPECT_EQ(containerOf(job, "Master")["args"], Json::array({"--epochs", "4"}));
  const Json trainer = manifests["trainjob.yaml"]["spec"]["trainer"];
  EXPECT_EQ(trainer["command"], Json::array({"torchrun"}));
  EXPECT_EQ(trainer["args"], Json::array({"--no_python", "lockstep-trainer", "--epochs", "4"}));
}

}  // namespace
}  // namespace lockstep
