// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/ssh/ssh_host_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <map>
#include <set>
#include <thread>

#include "setup/machine/machine_local.h"
#include "setup/ssh/ssh_host_keys.h"
#include "setup/ssh/ssh_host_ports.h"

namespace lockstep {
namespace {

using Looked = tl::expected<SshHostFacts, SshTrouble>;
using Cell = ReportTable::Cell;

constexpr std::uint64_t kLittleDisk = 5'000'000'000;

/// The check of all machines, at work.
class HostsCheck {
 public:
  HostsCheck(const std::vector<SshHost>& hosts, int port, const CommandRunner& run,
             const std::stop_token& stop)
      : hosts_(hosts), port_(port), run_(run), stop_(stop) {}

  StepReport check() {
    look();
    for (std::size_t i = 0; i < hosts_.size(); ++i) evaluate(hosts_[i], looked_[i]);
    compareDrivers();
    tables_.push_back(hostsTable());
    tryAllPorts();
    StepReport report = reportOf(std::move(findings_));
    report.tables = std::move(tables_);
    if (auto fix = trustFix()) report.fixes.push_back(*std::move(fix));
    return report;
  }

 private:
  void look() {
    looked_.assign(hosts_.size(), tl::unexpected(SshTrouble{}));
    addresses_.resize(hosts_.size());
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < hosts_.size(); ++i)
      threads.emplace_back([this, i] {
        addresses_[i] = addressOf(hosts_[i], run_, stop_);
        looked_[i] = checkHost(hosts_[i], run_, stop_);
      });
  }

  void add(StepState state, const char* code, std::string text, std::string evidence = {},
           std::string remedy = {}) {
    findings_.push_back({state, std::move(text), std::move(evidence), std::move(remedy), code});
  }

  void evaluate(const SshHost& host, const Looked& looked) {
    if (!looked) {
      const SshTrouble& trouble = looked.error();
      add(StepState::Blocked, trouble.code.c_str(), fmt::format("{} cannot be reached", host.destination()),
          trouble.cause, trouble.remedy);
      findings_.back().cause = meaningOf(trouble.code);
      return;
    }
    add(StepState::Ready, "", fmt::format("{} can be reached; {}", host.destination(), gpuText(*looked)),
        "its own name is " + looked->name);
    evaluateFacts(host, *looked);
  }

  static const char* meaningOf(const std::string& code) {
    static const std::map<std::string, const char*> kMeanings{
        {"host-key-unknown", "its host key is not known here"},
        {"host-key-changed", "its host key is another one than before"},
        {"key-refused", "it refuses our key"},
        {"key-mode", "our private key can be read by others, so ssh does not use it"},
        {"name-unknown", "its name is not found"},
        {"ssh-refused", "nothing listens on its ssh port"},
        {"host-silent", "it does not answer"},
        {"no-route", "there is no way to its network"},
        {"ssh-closed", "it ends the connection before logging in"},
        {"no-ssh", "ssh cannot be run here"}};
    const auto found = kMeanings.find(code);
    return found == kMeanings.end() ? "ssh failed" : found->second;
  }

  static std::string gpuText(const SshHostFacts& facts) {
    if (facts.gpus.empty()) return "no GPU";
    std::set<std::string> names;
    for (const auto& gpu : facts.gpus) names.insert(gpu.name);
    return fmt::format("{} × {}, driver {}", facts.gpus.size(), fmt::join(names, " and "),
                       facts.gpus.front().driver);
  }

  void evaluateFacts(const SshHost& host, const SshHostFacts& facts) {
    if (!facts.gpuTrouble.empty())
      add(StepState::Warning, "driver-broken",
          fmt::format("the GPU driver of {} does not work", host.destination()),
          "nvidia-smi: " + facts.gpuTrouble, "restart it after an update of the driver, or install it anew");
    if (!facts.gpus.empty() && host.slots > static_cast<int>(facts.gpus.size()))
      add(StepState::Warning, "slots-exceed-gpus",
          fmt::format("{} has {} GPUs, but {} slots", host.destination(), facts.gpus.size(), host.slots), {},
          "write as many slots as there are GPUs");
    if (facts.freeBytes && *facts.freeBytes < kLittleDisk)
      add(StepState::Warning, "host-disk-low",
          fmt::format("{} has {} free in the home folder", host.destination(), sizeText(*facts.freeBytes)),
          "df of the home folder", "free some space there");
  }

  [[nodiscard]] std::optional<ProposedFix> trustFix() const {
    std::vector<SshHost> strangers;
    for (std::size_t i = 0; i < hosts_.size(); ++i)
      if (!looked_[i] && looked_[i].error().code == "host-key-unknown") strangers.push_back(hosts_[i]);
    return strangers.empty() ? std::nullopt : trustKeysFix(strangers, run_, stop_);
  }

  void compareDrivers() {
    std::map<std::string, std::vector<std::string>> byDriver;
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      if (looked_[i] && !looked_[i]->gpus.empty())
        byDriver[looked_[i]->gpus.front().driver].push_back(hosts_[i].host);
    }
    if (byDriver.size() < 2) return;
    std::string text;
    for (const auto& [driver, names] : byDriver)
      text += fmt::format("{}{} on {}", text.empty() ? "" : "; ", driver, fmt::join(names, ", "));
    add(StepState::Warning, "driver-mismatch", "the GPU drivers of the machines differ", text,
        "install the same driver everywhere: NCCL may fail between different ones");
  }

  [[nodiscard]] ReportTable hostsTable() const {
    ReportTable table{"Machines", {"host", "state", "GPUs", "free", "for tests"}, {}};
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      const Looked& looked = looked_[i];
      if (!looked) {
        table.rows.push_back({Cell{hosts_[i].destination()},
                              Cell{meaningOf(looked.error().code), StepState::Blocked, looked.error().cause},
                              Cell{}, Cell{}, Cell{}});
        continue;
      }
      table.rows.push_back({Cell{hosts_[i].destination()}, Cell{"reachable", StepState::Ready},
                            Cell{gpuText(*looked)},
                            Cell{looked->freeBytes ? sizeText(*looked->freeBytes) : ""},
                            Cell{fmt::format("{}", fmt::join(looked->programs, ", "))}});
    }
    return table;
  }

  void tryAllPorts() {
    std::vector<PortPeer> peers;
    for (std::size_t i = 0; i < hosts_.size(); ++i)
      if (looked_[i]) peers.push_back({hosts_[i], addresses_[i], *looked_[i]});
    if (peers.size() < 2) {
      if (hosts_.size() > 1)
        add(StepState::Blocked, "ports-not-tried",
            fmt::format("port {} could not be tried between the machines", port_), {},
            "make two of them reachable first");
      return;
    }
    const PortTrial trial = tryPorts(peers, port_, run_, stop_);
    const std::string named = fmt::format("Port {}", port_);
    tables_.push_back(reachTable(named + " from (row) to (column)", peers, trial.named));
    tables_.push_back(reachTable("Any other port, from (row) to (column)", peers, trial.any));
    for (std::size_t i = 0; i < peers.size(); ++i) {
      if (trial.listenTrouble[i].empty()) continue;
      const bool taken = trial.listenTrouble[i].find("in use") != std::string::npos;
      add(StepState::Blocked, taken ? "port-taken" : "port-unusable",
          taken ? fmt::format("port {} of {} is taken by another program", port_, peers[i].host.destination())
                : fmt::format("port {} of {} could not be listened on", port_, peers[i].host.destination()),
          trial.listenTrouble[i],
          taken ? fmt::format("see what it is there: ss -ltnp sport = :{}", port_) : "try it there by hand");
    }
    evaluateReach(peers, trial.named, fmt::format("port {}", port_), "port-closed", StepState::Blocked);
    evaluateReach(peers, trial.any, "a port of the machine's own choice", "other-ports-closed",
                  StepState::Warning);
  }

  static ReportTable reachTable(std::string title, const std::vector<PortPeer>& peers,
                                const std::vector<std::vector<ConnectOutcome>>& reach) {
    ReportTable table{std::move(title), {""}, {}};
    for (const PortPeer& peer : peers) table.columns.push_back(peer.host.host);
    for (std::size_t from = 0; from < peers.size(); ++from) {
      std::vector<Cell> row{Cell{peers[from].host.host}};
      for (std::size_t to = 0; to < peers.size(); ++to) {
        const bool isSame = from == to, isOpen = reach[from][to] == ConnectOutcome::Open;
        const StepState state = isSame || reach[from][to] == ConnectOutcome::NotTried ? StepState::Unknown
                                : isOpen                                              ? StepState::Ready
                                                                                      : StepState::Blocked;
        row.push_back({isSame ? "–" : toString(reach[from][to]), state, {}});
      }
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  void evaluateReach(const std::vector<PortPeer>& peers,
                     const std::vector<std::vector<ConnectOutcome>>& reach, const std::string& what,
                     const char* code, StepState badState) {
    std::vector<std::string> closed, untried;
    std::size_t open = 0;
    for (std::size_t from = 0; from < peers.size(); ++from) {
      for (std::size_t to = 0; to < peers.size(); ++to) {
        if (from == to) continue;
        const std::string pair = fmt::format("{} → {}", peers[from].host.host, peers[to].host.host);
        if (reach[from][to] == ConnectOutcome::Open) {
          ++open;
        } else if (reach[from][to] == ConnectOutcome::NotTried) {
          untried.push_back(pair);
        } else {
          closed.push_back(fmt::format("{}: {}", pair, toString(reach[from][to])));
        }
      }
    }
    if (!closed.empty()) {
      add(badState, code,
          fmt::format("{} is not reachable between {} of {} pairs of machines", what, closed.size(),
                      closed.size() + open + untried.size()),
          fmt::format("{}", fmt::join(closed, "; ")),
          "open TCP between the machines in their firewalls (no answer: dropped; refused: rejected)");
    } else if (open > 0) {
      add(StepState::Ready, "", fmt::format("{} is reachable between {} pairs of machines", what, open));
    }
    if (!untried.empty() && badState == StepState::Blocked)
      add(StepState::Warning, "pairs-not-tried",
          fmt::format("{} could not be tried between {} pairs of machines", what, untried.size()),
          fmt::format("{}", fmt::join(untried, "; ")),
          "install python3 there, or free the port where it is taken");
  }

  const std::vector<SshHost>& hosts_;
  const int port_;
  const CommandRunner& run_;
  const std::stop_token stop_;
  std::vector<Looked> looked_;
  std::vector<std::string> addresses_;
  std::vector<Finding> findings_;
  std::vector<ReportTable> tables_;
};

// A port that the train.yaml sets by MASTER_PORT; 0: none.
int masterPortOf(const ClusterSpec& spec) {
  for (const auto* list : {&spec.clusterEnv, &spec.runtimeEnv}) {
    for (const EnvVar& variable : *list) {
      if (variable.name != "MASTER_PORT") continue;
      int port = 0;
      const char* end = variable.value.data() + variable.value.size();
      if (std::from_chars(variable.value.data(), end, port).ptr == end && port > 0 && port < 65536)
        return port;
    }
  }
  return 0;
}

// Of what is no kind that we know: that of PyTorch.
int defaultPortOf(Framework framework) {
  std::span<const FrameworkPort> ports = traitsOf(framework).ports;
  if (ports.empty()) ports = traitsOf(Framework::PyTorch).ports;
  const std::string_view number = ports.front().number;
  int port = 0;
  std::from_chars(number.data(), number.data() + number.size(), port);
  return port;
}

}  // namespace

StepReport checkHosts(const std::vector<SshHost>& hosts, int port, const CommandRunner& run,
                      const std::stop_token& stop) {
  return HostsCheck(hosts, port, run, stop).check();
}

int meetingPortOf(const std::optional<ClusterSpec>& spec) {
  if (!spec) return defaultPortOf(Framework::PyTorch);
  if (const int own = masterPortOf(*spec); own != 0) return own;
  return defaultPortOf(spec->framework);
}

}  // namespace lockstep
