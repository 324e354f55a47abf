// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text/quote.h"
#include "export/cluster_view.h"
#include "export/export.h"
#include "export/secrets.h"
#include "export/templates.h"

namespace lockstep {
namespace {

/// Ports where nothing in the train.yaml says otherwise: of the rendezvous (ads-contract 4.3) and of the
/// kit's sshd.
constexpr const char* kMasterPort = "29400";
constexpr const char* kSshPort = "12345";

bool isPort(const std::string& text) {
  return !text.empty() && text.size() <= 5 && text[0] != '0' &&
         text.find_first_not_of("0123456789") == std::string::npos && std::stoi(text) <= 65535;
}

std::string portOr(const std::string& given, const char* standard, const char* variable,
                   std::vector<std::string>& notes) {
  if (isPort(given)) return given;
  if (!given.empty())
    notes.push_back(fmt::format("{} of the train.yaml is no port: the kit uses {}", variable, standard));
  return standard;
}

std::vector<std::string> splitAtBlanks(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c != ' ' && c != '\t' && c != '\n')
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// The files that are the same in every kit.
struct FixedFile {
  const char* path;
  bool executable;
};
constexpr std::array kFixedFiles{FixedFile{"common.sh", false},        FixedFile{"generate-keys.sh", true},
                                 FixedFile{"copy-to-nodes.sh", true},  FixedFile{"build-image.sh", true},
                                 FixedFile{"Dockerfile", false},       FixedFile{"start-container.sh", true},
                                 FixedFile{"stop-container.sh", true}, FixedFile{"start-sshd.sh", true},
                                 FixedFile{"stop-sshd.sh", true},      FixedFile{"ssh_config", false},
                                 FixedFile{"sshd_config", false},      FixedFile{"lockstep-ssh", true},
                                 FixedFile{"check.sh", true},          FixedFile{"run.sh", true},
                                 FixedFile{"run-hydra.sh", true},      FixedFile{"rank.sh", true}};

/// A node of the kit: its one name, and the variables that it has besides the common ones.
struct KitNode {
  std::string name;
  std::vector<EnvVar> environment;
};

bool same(const EnvVar& a, const EnvVar& b) {
  return a.name == b.name && a.value == b.value;
}

bool sameAll(const std::vector<EnvVar>& a, const std::vector<EnvVar>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

bool holds(const std::vector<EnvVar>& variables, const EnvVar& wanted) {
  return std::any_of(variables.begin(), variables.end(), [&](const EnvVar& v) { return same(v, wanted); });
}

/// Takes out of the nodes what all of them have alike.
std::vector<EnvVar> popCommon(std::vector<KitNode>& nodes) {
  std::vector<EnvVar> common;
  for (const EnvVar& variable : nodes.front().environment) {
    if (std::all_of(nodes.begin(), nodes.end(),
                    [&](const KitNode& node) { return holds(node.environment, variable); }))
      common.push_back(variable);
  }
  for (KitNode& node : nodes)
    std::erase_if(node.environment, [&](const EnvVar& variable) { return holds(common, variable); });
  return common;
}

class MpirunKit {
 public:
  explicit MpirunKit(ClusterView view) : view_(std::move(view)) {}

  ExportBundle make() {
    command_ = trainingCommandOf(view_.nodes.front());
    collectVariables();
    common_ = popCommon(nodes_);
    bundle_.files.push_back({"README.md", readme(), false});
    bundle_.files.push_back({"settings.sh", settingsFile(), false});
    bundle_.files.push_back({"hosts", hostsFile(), false});
    bundle_.files.push_back({"environment.sh", environmentFile(false), false});
    if (hasSecrets()) {
      bundle_.files.push_back({"secrets.sh", environmentFile(true), false, true});
      bundle_.notes.push_back(
          "secrets.sh holds values of the train.yaml that look like secrets: keep it out of version control "
          "(.gitignore names it) and to yourself");
    }
    for (const FixedFile& file : kFixedFiles)
      bundle_.files.push_back(
          {file.path, exportTemplate(std::string("mpirun/") + file.path), file.executable});
    bundle_.files.push_back({".gitignore", exportTemplate("mpirun/gitignore"), false});
    return std::move(bundle_);
  }

 private:
  [[nodiscard]] std::string mainValue(const char* name) const {
    const std::string* value = view_.nodes.front().environment.find(name);
    return value ? *value : "";
  }

  void collectVariables() {
    for (const ExportNode& from : view_.nodes) {
      KitNode node{from.hostName, {}};
      for (const EnvVar& variable : from.environment.variables()) {
        if (variable.name != "RANK") node.environment.push_back(variable);  // mpirun says the rank
      }
      nodes_.push_back(std::move(node));
    }
  }

  [[nodiscard]] bool hasSecrets() const {
    const auto hasOne = [](const std::vector<EnvVar>& variables) {
      return std::any_of(variables.begin(), variables.end(),
                         [](const EnvVar& variable) { return isSecret(variable); });
    };
    return hasOne(common_) || std::any_of(nodes_.begin(), nodes_.end(),
                                          [&](const KitNode& node) { return hasOne(node.environment); });
  }

  int slots() {
    if (!view_.gpusAreKnown)
      bundle_.notes.push_back(
          "the shape does not tell how many GPUs a node has: set the third column of hosts (1 stands there)");
    const int slots = std::max(1, view_.gpusPerNode);
    const std::string limit = mainValue("SLOTS");  // Horovod's own limit, ads-contract 4.3
    return isHorovod() && isPort(limit) ? std::min(slots, std::stoi(limit)) : slots;
  }

  [[nodiscard]] bool isHorovod() const { return view_.framework == Framework::Horovod; }

  /// Only an interface's plain name can be used everywhere: NCCL also takes prefixes and lists.
  [[nodiscard]] std::string interface() const {
    for (const char* variable : {"GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"}) {
      const std::string name = mainValue(variable);
      if (!name.empty() && name.size() < 16 && name.find_first_of(",^= /") == std::string::npos) return name;
    }
    return "";
  }

  /// As the containers do it, ads-contract 4.3: those of Horovod cut at blanks.
  [[nodiscard]] std::string arguments() const {
    const auto words = traitsOf(view_.framework).splitsAtBlanks
                           ? splitAtBlanks(mainValue("OCI__ENTRY_SCRIPT_ARGS"))
                           : command_.arguments;
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : " ") + quoteShell(word);
    return "(" + out + ")";
  }

  std::string image() {
    if (view_.imageIsKnown) return view_.image;
    bundle_.notes.push_back("the train.yaml names no image: set BASE_IMAGE in settings.sh to use containers");
    return "";
  }

  std::string settingsFile() {
    std::string out(kSettingsHead);
    const auto set = [&out](const char* comment, const char* name, const std::string& value) {
      out += fmt::format("\n# {}\n{}={}\n", comment, name, value);
    };
    set("What every rank runs: a file below CODE_DIR (python3 runs a .py file), or a program on PATH.",
        "ENTRY_POINT", quoteShell(command_.entry));
    set("Where the code lies on every node.", "CODE_DIR", quoteShell(command_.codeDir));
    set("The arguments of the entry point.", "ARGUMENTS", arguments());
    set("The port on the first node at which the ranks meet.", "MASTER_PORT",
        portOr(mainValue("MASTER_PORT"), kMasterPort, "MASTER_PORT", bundle_.notes));
    set("The port of this kit's own sshd on every node.", "SSH_PORT",
        portOr(isHorovod() ? mainValue("WORKER_PORT") : "", kSshPort, "WORKER_PORT", bundle_.notes));
    set("The network interface of every node; empty: the one that has the node's address in `hosts`.",
        "INTERFACE", quoteShell(interface()));
    set("Who logs in and trains; empty: whoever runs the scripts. In the containers: root.", "NODE_USER",
        "''");
    set("Your own way to reach a node, for copy-to-nodes.sh only.", "ADMIN_SSH", "(ssh)");
    set("The image that holds the training code; build-image.sh adds ssh and Open MPI to it.", "BASE_IMAGE",
        quoteShell(image()));
    set("The image that build-image.sh makes and start-container.sh starts.", "KIT_IMAGE",
        view_.label + "-mpi:latest");
    set("'all' for GPUs (needs the NVIDIA container toolkit), '' for CPUs.", "GPUS",
        view_.hasGpus() ? "all" : "''");
    set("Shared memory of a container: data loaders and NCCL need more than docker's 64 MB.", "SHM_SIZE",
        "8g");
    set("Folders that the containers see, each as host:container or host:container:ro.", "MOUNTS", "()");
    set("The mpirun of Open MPI when it is not on PATH, and options for it.", "OPENMPI_PROGRAM", "''");
    out += fmt::format("OPENMPI_OPTIONS=({})\n", isHorovod() ? "--mca pml ob1 --mca btl '^openib'" : "");
    set("Options for mpiexec.hydra of Intel MPI or MPICH.", "HYDRA_OPTIONS", "()");
    return out;
  }

  std::string hostsFile() {
    std::string out(kHostsHead);
    const int ranks = slots();
    for (const KitNode& node : nodes_) out += fmt::format("{0} {0} {1}\n", node.name, ranks);
    return out;
  }

  static std::string additions(const char* array, const std::vector<EnvVar>& variables, bool secret,
                               const std::string& indent) {
    std::string out;
    for (const EnvVar& variable : variables) {
      if (isSecret(variable) == secret)
        out += fmt::format("{}  {}\n", indent, quoteShell(variable.name + "=" + variable.value));
    }
    return out.empty() ? out : fmt::format("{}{}+=(\n{}{})\n", indent, array, out, indent);
  }

  [[nodiscard]] std::string environmentFile(bool secret) const {
    std::string out(kEnvironmentHead);
    out += additions("JOB_ENVIRONMENT", common_, secret, "");
    for (std::size_t first = 0, end = 0; first < nodes_.size(); first = end) {
      const KitNode& node = nodes_[first];
      while (end < nodes_.size() && sameAll(nodes_[end].environment, node.environment)) ++end;
      const std::string own = additions("NODE_ENVIRONMENT", node.environment, secret, "  ");
      if (own.empty()) continue;
      const std::string last = end - first > 1 ? " to " + nodes_[end - 1].name : "";
      out += fmt::format("# {}{}\nif (($1 >= {} && $1 <= {})); then\n{}fi\n", node.name, last, first, end - 1,
                         own);
    }
    return out;
  }

  [[nodiscard]] std::string readme() const {
    return exportTemplate("mpirun/README.md", {{"JOB", view_.label},
                                               {"NODES", std::to_string(view_.nodes.size())},
                                               {"FIRST", view_.nodes.front().hostName}});
  }

  static constexpr std::string_view kSettingsHead =
      "#!/usr/bin/env bash\n"
      "# Everything that may have to be changed, in one place. Every script of this kit reads it, on every\n"
      "# node: after a change run ./copy-to-nodes.sh.\n"
      "# shellcheck disable=SC2034,SC2016,SC1003  # read by the other scripts; texts are meant as they "
      "stand\n";
  static constexpr std::string_view kHostsHead =
      "# The nodes, one a line in rank order: name, address, ranks. The name is used everywhere alike. The\n"
      "# address is an IP address of the node's own interface, or a name that DNS or /etc/hosts knows.\n";
  static constexpr std::string_view kEnvironmentHead =
      "#!/usr/bin/env bash\n"
      "# Variables of the train.yaml, exactly. rank.sh reads this on every node and passes the node's "
      "number.\n"
      "# shellcheck disable=SC2034,SC2016,SC1003  # read by rank.sh; texts are meant as they stand\n";

  ClusterView view_;
  TrainingCommand command_;
  std::vector<KitNode> nodes_;
  std::vector<EnvVar> common_;  // of every node
  ExportBundle bundle_;
};

}  // namespace

Result<ExportBundle> exportMpirun(const ExportInput& input) {
  const ClusterSpec& spec = input.document.spec();
  if (spec.framework != Framework::PyTorch && spec.framework != Framework::Horovod)
    return failure(
        noSuchForm(spec, "an mpirun kit", "export it to compose; mpirun starts PYTORCH and HOROVOD"));
  auto view = clusterView(input);
  if (!view) return failure(view.error());
  return MpirunKit(std::move(*view)).make();
}

}  // namespace lockstep
