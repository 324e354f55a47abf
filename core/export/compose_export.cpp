// SPDX-License-Identifier: GPL-3.0-or-later
// docker compose files for one machine (ads-contract 3.5): a bridge network in which every node has its own
// name and address, so that neither ports nor host names clash.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/quote.h"
#include "export/cluster_view.h"
#include "export/export.h"
#include "export/secrets.h"
#include "export/templates.h"
#include "yaml/yaml_text.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kLocalWorkDir = "/work_dir";

constexpr const char* kHead =
    "One service per node, on one machine. Start it with ./start.sh, which prepares the work dir; see "
    "README.md.\n"
    "A literal dollar sign is written as two. Works with docker-compose 1.29 and with Compose v2.";
constexpr const char* kLocalHead =
    "On top of docker-compose.yml: the nodes meet in ./work_dir instead of object storage. ./start.sh "
    "--local "
    "uses it.";

/// Where the work dir of the file is: in object storage, or at a path of the containers.
struct WorkDirLocation {
  bool isObjectStorage = false;
  std::string mountPath = kLocalWorkDir;
};

WorkDirLocation workDirLocationOf(const std::string& workDir) {
  if (workDir.starts_with("oci://")) return {true, kLocalWorkDir};
  const std::string path = workDir.starts_with("file://") ? workDir.substr(7) : workDir;
  const bool usable = path.size() > 1 && path[0] == '/' && path.find(':') == std::string::npos;
  return {false, usable ? path : kLocalWorkDir};
}

class ComposeExport {
 public:
  explicit ComposeExport(ClusterView view)
      : view_(std::move(view)),
        traits_(traitsOf(view_.framework)),
        place_(workDirLocationOf(view_.workDir)) {}

  Result<ExportBundle> bundle() {
    ExportBundle bundle;
    bundle.files.push_back({"README.md", readme()});
    auto compose = yamlText({{"services", allServices()}}, kHead);
    if (!compose) return failure(std::move(compose.error()));
    bundle.files.push_back({"docker-compose.yml", *std::move(compose)});
    if (place_.isObjectStorage) {
      auto local = yamlText({{"services", localServices()}}, kLocalHead);
      if (!local) return failure(std::move(local.error()));
      bundle.files.push_back({"docker-compose.local.yml", *std::move(local)});
    }
    bundle.files.push_back({"start.sh", exportTemplate("compose/start.sh"), true});
    addNotes(bundle);
    secrets_.addTo(bundle);
    return bundle;
  }

 private:
  Json allServices() {
    Json services = Json::object();
    if (hasCleanup()) services["cleanup"] = cleanupService();
    for (const ExportNode& node : view_.nodes) services[node.hostName] = service(node);
    return services;
  }

  [[nodiscard]] bool hasCleanup() const { return traits_.imageCleansUp; }

  [[nodiscard]] std::string imageText(const std::string& image) const {
    if (view_.imageIsKnown || image != view_.image) return quoteDollars(image);
    return "${LOCKSTEP_IMAGE:-" + image + "}";
  }

  /// `$HOME/.oci` of the images (ads-contract 3.4): horovod runs as root.
  [[nodiscard]] std::string keyFolder() const {
    return fmt::format("${{LOCKSTEP_IMAGE_HOME:-{}}}/.oci", traits_.imageHome);
  }

  [[nodiscard]] Json volumes(const std::string& hostName) const {
    return Json::array({"${LOCKSTEP_OCI_DIR:-~/.oci}:" + keyFolder() + ":ro",
                        "./work_dir:" + quoteDollars(place_.mountPath),
                        fmt::format("./artifacts/{}:/opt/ml", hostName)});
  }

  /// The work dir of this start: a fresh folder in object storage, so that nothing of an earlier start is in
  /// the way; locally the folder that start.sh has emptied.
  [[nodiscard]] std::string workDirText() const {
    if (!place_.isObjectStorage) return quoteDollars(place_.mountPath);
    std::string base = view_.workDir;
    while (base.ends_with('/')) base.pop_back();
    return quoteDollars(base) + "/${LOCKSTEP_RUN:-compose}";
  }

  Json environment(const ExportNode& node) {
    Json all = Json::object();
    for (const EnvVar& variable : node.environment.variables()) {
      if (isSecret(variable) && !variable.value.empty())
        all[variable.name] = "${" + secrets_.variableFor(variable) + "}";
      else
        all[variable.name] = quoteDollars(variable.value);
    }
    all["OCI__WORK_DIR"] = workDirText();
    addSlots(node, all);
    const auto assignUnlessGiven = [&](const char* name, std::string value) {
      if (!all.contains(name)) all[name] = std::move(value);
    };
    // With any other id the containers would ask the Data Science service for that job's subnet.
    assignUnlessGiven("JOB_OCID", "Undefined");
    assignUnlessGiven("JOB_RUN_OCID", "compose-" + node.hostName);
    assignUnlessGiven("OCI_IAM_TYPE", "api_key");
    assignUnlessGiven("OCI_CONFIG_PROFILE", "${OCI_CONFIG_PROFILE:-DEFAULT}");
    return all;
  }

  /// Horovod takes the slots from the shape of the job run, and there is none here.
  void addSlots(const ExportNode& node, Json& all) const {
    if (traits_.work != NodeWork::Slots) return;
    const std::string slots = std::to_string(std::max(1, view_.gpusPerNode));
    if (node.environment.find("SLOTS") == nullptr) all["SLOTS"] = slots;
    for (const char* name : {"MIN_NP", "MAX_NP"}) {
      if (node.environment.find(name) == nullptr)
        all[name] = std::to_string(view_.rankedNodes() * std::max(1, view_.gpusPerNode));
    }
  }

  Json service(const ExportNode& node) {
    Json service = Json::object();
    service["image"] = imageText(node.image);
    service["hostname"] = node.hostName;
    if (hasCleanup())
      service["depends_on"] = {{"cleanup", {{"condition", "service_completed_successfully"}}}};
    service["environment"] = environment(node);
    service["volumes"] = volumes(node.hostName);
    if (!traits_.dashboardPort.empty() && node.role == NodeRole::Main)
      service["ports"] = Json::array(
          {fmt::format("127.0.0.1:${{LOCKSTEP_DASHBOARD_PORT:-{0}}}:{0}", traits_.dashboardPort)});
    service["shm_size"] = "2gb";  // data loaders exchange batches there; 64 MB is what they would get
    addGpus(node, service);
    return service;
  }

  /// Each node gets GPUs of its own, as each node of the cluster has.
  void addGpus(const ExportNode& node, Json& service) const {
    if (!view_.hasGpus()) return;
    if (view_.shapeName.find("MI300") != std::string::npos) {
      service["devices"] = Json::array({"/dev/kfd:/dev/kfd", "/dev/dri:/dev/dri"});
      return;
    }
    Json device = {{"driver", "nvidia"}};
    if (view_.gpusAreKnown) {
      device["device_ids"] = Json::array();
      for (int i = 0; i < view_.gpusPerNode; ++i)
        device["device_ids"].push_back(std::to_string(node.nodeRank * view_.gpusPerNode + i));
    } else {
      device["count"] = "all";
    }
    device["capabilities"] = Json::array({"gpu"});
    service["deploy"]["resources"]["reservations"]["devices"] = Json::array({device});
  }

  /// Deletes what an earlier start left in the work dir; the images of Dask and Ray bring the script.
  Json cleanupService() {
    const ExportNode& first = view_.nodes.front();
    Json service = Json::object();
    service["image"] = imageText(first.image);
    service["entrypoint"] = Json::array({"/bin/bash", "/etc/datascience/cleanup.sh"});
    service["environment"] = environment(first);
    service["environment"]["JOB_RUN_OCID"] = "compose-cleanup";
    service["volumes"] = volumes("cleanup");
    return service;
  }

  /// The same cluster without object storage: the nodes meet in a folder of this machine.
  [[nodiscard]] Json localServices() const {
    Json services = Json::object();
    // The folder was emptied already, and the script only knows object storage.
    if (hasCleanup()) services["cleanup"]["entrypoint"] = Json::array({"/bin/true"});
    for (const ExportNode& node : view_.nodes)
      services[node.hostName]["environment"] = {{"OCI__WORK_DIR", kLocalWorkDir}};
    return services;
  }

  [[nodiscard]] std::string readme() const {
    const std::string local = place_.isObjectStorage ? exportTemplate("compose/README.local.md") : "";
    const std::string dashboard =
        traits_.dashboardPort.empty()
            ? ""
            : exportTemplate("compose/README.dashboard.md", {{"PORT", std::string(traits_.dashboardPort)}});
    return exportTemplate("compose/README.md", {{"NAME", view_.label},
                                                {"NODES", std::to_string(view_.nodes.size())},
                                                {"FIRST", view_.nodes.front().hostName},
                                                {"LOCAL", local},
                                                {"DASHBOARD", dashboard}});
  }

  void addNotes(ExportBundle& bundle) const {
    auto& notes = bundle.notes;
    if (!view_.imageIsKnown)
      notes.push_back(
          fmt::format("The file does not say which image: build it as {}, set LOCKSTEP_IMAGE, or "
                      "export again with --image.",
                      view_.image));
    else
      notes.push_back(
          "The image must be on this machine, or you must be logged in to its registry: build or "
          "pull it first.");
    if (place_.isObjectStorage)
      notes.push_back(
          "~/.oci is mounted read-only; a key_file in its config must begin with ~/.oci/ to be "
          "found in the containers. ./start.sh --local needs neither keys nor a bucket.");
    if (view_.hasGpus())
      notes.push_back(fmt::format(
          "Every node has GPUs of its own reserved: this machine needs {} GPUs and the NVIDIA container "
          "toolkit. Change device_ids in docker-compose.yml to share them.",
          view_.gpusAreKnown ? std::to_string(view_.gpusPerNode * static_cast<int>(view_.nodes.size()))
                             : "the"));
    const std::string* interface = view_.nodes.front().environment.find("NCCL_SOCKET_IFNAME");
    if (interface != nullptr && !interface->starts_with("eth"))
      notes.push_back(
          fmt::format("NCCL_SOCKET_IFNAME={} names an interface of the cloud's machines; the "
                      "containers have eth0.",
                      *interface));
    if (view_.nodes.front().environment.find("OCI__RUNTIME_TYPE") != nullptr)
      notes.push_back("The code is fetched when a container starts: it must be able to reach the source.");
  }

  ClusterView view_;
  const FrameworkTraits& traits_;
  WorkDirLocation place_;
  SecretStore secrets_;
};

}  // namespace

Result<ExportBundle> exportCompose(const ExportInput& input) {
  const ClusterSpec& spec = input.document.spec();
  if (spec.job)  // its nodes find each other through the service
    return failure(noSuchForm(spec, "docker compose", "use --to torchrun, slurm or kubeflow"));
  auto view = clusterView(input);
  if (!view) return failure(view.error());
  return ComposeExport(*std::move(view)).bundle();
}

}  // namespace lockstep
