// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/atomic_file.h"
#include "tests/core/export/hostile_values.h"
#include "tests/core/export/python_yaml.h"
#include "tests/support/temp_dir.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// A bundle on disk, and what docker-compose makes of it.
class Composed {
 public:
  explicit Composed(const std::string& yaml) : bundle(bundleOf(ExportTarget::Compose, yaml)) {
    const auto written = writeBundle(bundle, folder.path(), false);
    if (!written) throw std::runtime_error(describe(written.error()));
  }
  /// The services as docker-compose prints them, dollars as they arrive in a container.
  [[nodiscard]] Json services(const std::string& files = "-f docker-compose.yml") const {
    const std::string command =
        "cd " + quoteShell(folder.path().string()) +
        " && { set -a; [ ! -f secrets.env ] || . ./secrets.env; set +a; docker-compose " + files +
        " config; } 2>compose.err";
    return readWithPython(command)["services"];
  }
  TempDir folder;
  ExportBundle bundle;
};

std::string environmentValue(const Json& service, const std::string& name) {
  return replaced(service["environment"].value(name, Json("(none)")).get<std::string>(), "$$", "$");
}

bool hasCompose() {
  return hasProgram("docker-compose") && hasPythonYaml();
}

TEST(ComposeExport, EveryValueArrivesAsItWas) {
  if (!hasCompose()) GTEST_SKIP() << "docker-compose or python3-yaml is not installed";
  HostileFile file;
  auto values = hostileValues();
  std::erase(values, "\xC2\x85");  // docker-compose prints it bare, and it reads back as a line break
  const auto drawn = drawnValues(200, 7);
  values.insert(values.end(), drawn.begin(), drawn.end());
  file.variables = variablesOf(values);
  const Composed composed(file.text());
  const Json services = composed.services();
  for (const char* node : {"main", "worker-0"}) {
    for (const auto& [name, value] : file.variables.items())
      EXPECT_EQ(environmentValue(services[node], name), value.get<std::string>()) << node << " " << name;
  }
}

TEST(ComposeExport, AddressesWithAPasswordAndShortNamesAreSecretsToo) {
  HostileFile file;
  const std::map<std::string, std::string> secret{{"DATABASE_URL", "postgres://u:hush1@db/x"},
                                                  {"CACHE", "redis://:hush2@cache:6379 and more"},
                                                  {"MYSQL_PWD", "hush3"},
                                                  {"GITHUB_PAT", "hush4"},
                                                  {"SENTRY_DSN", "https://hush5@sentry.example/1"},
                                                  {"REGISTRY_AUTH", "hush6"},
                                                  {"ODD", "amqp://u:hu/sh7@host"}};
  const std::map<std::string, std::string> open{{"ENDPOINT", "http://tracker:5000/a@b"},
                                                {"STORE", "oci://bucket@namespace/x:y@z"},
                                                {"PATTERN", "plain1"},
                                                {"SSH_AUTH_SOCK", "/plain2"}};
  for (const auto& [name, value] : secret) file.variables[name] = value;
  for (const auto& [name, value] : open) file.variables[name] = value;
  const Composed composed(file.text());
  const std::string shared = contentOf(composed.bundle, "docker-compose.yml");
  const std::string own = contentOf(composed.bundle, "secrets.env");
  for (const auto& [name, value] : secret) {
    EXPECT_EQ(shared.find(value), std::string::npos) << name;
    EXPECT_NE(own.find(value), std::string::npos) << name;
  }
  for (const auto& [name, value] : open) EXPECT_NE(shared.find(value), std::string::npos) << name;
}

TEST(ComposeExport, SecretsStandOnlyInAFileOfTheirOwn) {
  HostileFile file;
  for (const std::string& value : hostileValues()) {
    if (value.size() > 3)
      file.variables["API_TOKEN_" + std::to_string(file.variables.size()) + "_KEY"] = "hush " + value;
  }
  const Composed composed(file.text());
  for (const ExportedFile& exported : composed.bundle.files) {
    EXPECT_EQ(exported.secret, exported.path == "secrets.env");
    if (exported.secret) continue;
    EXPECT_EQ(exported.content.find("hush"), std::string::npos) << exported.path;
  }
  const auto mode = fs::status(composed.folder.path() / "secrets.env").permissions();
  EXPECT_EQ(static_cast<unsigned>(mode), 0600U);
  EXPECT_EQ(contentOf(composed.bundle, ".gitignore"), "secrets.env\n");
  if (!hasCompose()) GTEST_SKIP() << "docker-compose or python3-yaml is not installed";
  const Json services = composed.services();
  for (const auto& [name, value] : file.variables.items())
    EXPECT_EQ(environmentValue(services["worker-0"], name), value.get<std::string>()) << name;
}

TEST(ComposeExport, NodesDoNotClash) {
  HostileFile file;
  file.workers = 3;
  if (!hasCompose()) GTEST_SKIP() << "docker-compose or python3-yaml is not installed";
  const Json services = Composed(file.text()).services();
  ASSERT_EQ(services.size(), 4U);
  std::set<std::string> runs, ranks, artifacts;
  for (const auto& [name, service] : services.items()) {
    EXPECT_FALSE(service.contains("network_mode")) << name;
    EXPECT_FALSE(service.contains("ports")) << name;
    EXPECT_EQ(service["hostname"], name);
    runs.insert(environmentValue(service, "JOB_RUN_OCID"));
    ranks.insert(environmentValue(service, "RANK"));
    EXPECT_EQ(environmentValue(service, "OCI_IAM_TYPE"), "api_key");
    int keyMounts = 0;
    for (const Json& volume : service["volumes"]) {
      const std::string text = volume.get<std::string>();
      if (text.find("/.oci") != std::string::npos) {
        ++keyMounts;
        EXPECT_TRUE(text.ends_with(":/home/oci_dist_training/.oci:ro")) << text;
      }
      if (text.find("/opt/ml") != std::string::npos) artifacts.insert(text);
    }
    EXPECT_EQ(keyMounts, 1);
  }
  EXPECT_EQ(runs.size(), 4U);
  EXPECT_EQ(ranks, (std::set<std::string>{"0", "1", "2", "3"}));
  EXPECT_EQ(artifacts.size(), 4U);
}

TEST(ComposeExport, GpusAreReservedOncePerNode) {
  if (!hasCompose()) GTEST_SKIP() << "docker-compose or python3-yaml is not installed";
  HostileFile file;
  file.shape = "VM.GPU.A10.2";
  const Json services = Composed(file.text()).services();
  const auto device = [&](const char* node) {
    return services[node]["deploy"]["resources"]["reservations"]["devices"][0];
  };
  EXPECT_EQ(device("main")["device_ids"], Json::array({"0", "1"}));
  EXPECT_EQ(device("worker-0")["device_ids"], Json::array({"2", "3"}));
  EXPECT_EQ(device("main")["capabilities"], Json::array({"gpu"}));
}

TEST(ComposeExport, EachFrameworkGetsWhatItsGuideHas) {
  if (!hasCompose()) GTEST_SKIP() << "docker-compose or python3-yaml is not installed";
  HostileFile file;
  file.kind = "dask";
  const Json dask = Composed(file.text()).services();
  EXPECT_EQ(dask["cleanup"]["entrypoint"], Json::array({"/bin/bash", "/etc/datascience/cleanup.sh"}));
  EXPECT_EQ(dask["scheduler"]["depends_on"]["cleanup"]["condition"], "service_completed_successfully");
  EXPECT_EQ(dask["scheduler"]["ports"].size(), 1U);
  file.kind = "HOROVOD";
  const Json horovod = Composed(file.text()).services();
  EXPECT_EQ(environmentValue(horovod["main"], "SLOTS"), "1");
  EXPECT_EQ(environmentValue(horovod["main"], "MIN_NP"), "2");
  EXPECT_NE(horovod["main"]["volumes"].dump().find(":/root/.oci:ro"), std::string::npos);
  file.kind = "TENSORFLOW";
  file.mainMore = "      ps: {replicas: 1}\n";
  const Json tensorflow = Composed(file.text()).services();
  EXPECT_TRUE(tensorflow.contains("chief") && tensorflow.contains("worker-0") && tensorflow.contains("ps-0"));
  EXPECT_FALSE(tensorflow["ps-0"]["environment"].contains("RANK"));
}

TEST(ComposeExport, TheLocalVariantNeedsNoBucket) {
  if (!hasCompose()) GTEST_SKIP() << "docker-compose or python3-yaml is not installed";
  for (const char* kind : {"PYTORCH", "DASK", "RAY", "HOROVOD"}) {
    HostileFile file;
    file.kind = kind;
    const Json services = Composed(file.text()).services("-f docker-compose.yml -f docker-compose.local.yml");
    for (const auto& [name, service] : services.items()) {
      if (name == "cleanup") continue;
      EXPECT_EQ(environmentValue(service, "OCI__WORK_DIR"), "/work_dir") << kind << " " << name;
      EXPECT_NE(service["volumes"].dump().find("/work_dir:/work_dir"), std::string::npos);
    }
  }
}

TEST(ComposeExport, AWorkDirOfThisMachineIsMountedWhereTheFileHasIt) {
  if (!hasCompose()) GTEST_SKIP() << "docker-compose or python3-yaml is not installed";
  HostileFile file;
  file.workDir = "file:///mnt/shared dir/$x";
  const Composed composed(file.text());
  EXPECT_TRUE(contentOf(composed.bundle, "docker-compose.local.yml").empty());
  const Json services = composed.services();
  EXPECT_EQ(environmentValue(services["main"], "OCI__WORK_DIR"), "/mnt/shared dir/$x");
  EXPECT_NE(services["main"]["volumes"].dump().find("/work_dir:/mnt/shared dir/$"), std::string::npos)
      << services["main"]["volumes"].dump();
}

/// Every train.yaml of the tests that can be planned at all.
TEST(ComposeExport, DockerComposeAcceptsEveryGoldenFile) {
  if (!hasCompose()) GTEST_SKIP() << "docker-compose or python3-yaml is not installed";
  std::size_t accepted = 0;
  std::set<std::string> kinds;
  for (const auto& entry : fs::directory_iterator(fs::path(LOCKSTEP_TEST_DATA) / "train_yaml")) {
    const auto text = readFile(entry.path() / "in.yaml");
    if (!text) continue;
    const ClusterDocument document(*text);
    PlanOptions options;
    options.draft = true;
    options.generatedName = "golden";
    const auto plan = makePlan(document, options);
    if (!plan || plan->nodes.size() > 20 || document.spec().kind != "distributed") continue;
    const auto bundle = exportCluster(ExportTarget::Compose, {document, *plan});
    ASSERT_TRUE(bundle) << entry.path() << describe(bundle.error());
    // One file of each kind and layout goes through the tool; all go through the exporter.
    const std::string kind =
        document.spec().clusterKind + plan->layout + (document.spec().parameterServer ? "ps" : "");
    if (!kinds.insert(kind).second) continue;
    const Composed composed(*text);
    const Framework framework = document.spec().framework;
    const std::size_t cleanups = framework == Framework::Dask || framework == Framework::Ray ? 1 : 0;
    EXPECT_EQ(composed.services().size(), plan->nodes.size() + cleanups) << entry.path();
    ++accepted;
  }
  EXPECT_GE(accepted, 3U);
}

TEST(ComposeExport, BothLayoutsAreAlike) {
  HostileFile file;
  file.variables = variablesOf({"a", "$b"});
  HostileFile nodes = file;
  nodes.extra = "  multiNode: {}\n";
  for (const ExportTarget target :
       {ExportTarget::Compose, ExportTarget::Torchrun, ExportTarget::Slurm, ExportTarget::Kubeflow}) {
    const ExportBundle one = bundleOf(target, file.text()), other = bundleOf(target, nodes.text());
    ASSERT_EQ(one.files.size(), other.files.size());
    for (std::size_t i = 0; i < one.files.size(); ++i)
      EXPECT_EQ(one.files[i].content, other.files[i].content) << toString(target) << " " << one.files[i].path;
  }
}

}  // namespace
}  // namespace lockstep
