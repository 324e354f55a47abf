// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/frameworks/mpi_launch.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <set>

#include "base/atomic_file.h"
#include "base/text/quote.h"
#include "trainer/node/settings/own_address.h"

namespace lockstep::node {
namespace {

// Of one node, one session or one process: the others have their own.
bool isOfOneNode(const std::string& name) {
  static constexpr std::string_view kNames[] = {"HOME",
                                                "USER",
                                                "LOGNAME",
                                                "SHELL",
                                                "PWD",
                                                "OLDPWD",
                                                "SHLVL",
                                                "_",
                                                "HOSTNAME",
                                                "TERM",
                                                "TMPDIR",
                                                "RANK",
                                                "NODE_RANK",
                                                "LOCAL_RANK",
                                                "MAIL",
                                                "OCI__MODE",
                                                "TF_CONFIG",
                                                "WORLD_SIZE",
                                                "LOCKSTEP_NODE_ADDRESS",
                                                "LOCKSTEP_METRICS_FOLDER",
                                                "LOCKSTEP_METRICS_RANK"};
  static constexpr std::string_view kPrefixes[] = {"SSH_", "OMPI_", "PMIX_", "PRTE_", "PMI_", "XDG_"};
  const bool plain =
      std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  return !plain || std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) ||
         std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string listOf(const std::vector<MpiHost>& hosts, char separator) {
  std::string text;
  for (const MpiHost& host : hosts) {
    if (!text.empty()) text += separator;
    text += fmt::format("{}:{}", host.address, host.slots);
  }
  return text;
}

}  // namespace

std::vector<MpiHost> hostsOf(const std::vector<NodeEntry>& entries) {
  std::vector<MpiHost> hosts;
  std::set<std::string> known;
  for (const NodeEntry& entry : entries) {
    const std::string address = entry.value("OCI__WORKER_IP"), slots = entry.value("OCI__SLOTS");
    constexpr int kMaxSlots = 65'536;  // of one node; a file can say anything
    int count = 0;
    std::from_chars(slots.data(), slots.data() + slots.size(), count);
    if (isAddress(address) && count > 0 && count <= kMaxSlots && known.insert(address).second)
      hosts.push_back({address, count, entry.value("host_key")});
  }
  return hosts;
}

int slotsOf(const std::vector<MpiHost>& hosts) {
  int slots = 0;
  for (const MpiHost& host : hosts) slots += host.slots;
  return slots;
}

std::vector<std::string> horovodCommand(const std::string& program, const HorovodOptions& options,
                                        int sshPort, const std::filesystem::path& discovery,
                                        const std::vector<MpiHost>& hosts,
                                        const std::vector<std::string>& script) {
  const int all = slotsOf(hosts);
  const int min = options.min > 0 ? options.min : all;
  std::vector<std::string> command{program,
                                   "-np",
                                   std::to_string(options.processes > 0 ? options.processes : min),
                                   "-p",
                                   std::to_string(sshPort),
                                   "--min-np",
                                   std::to_string(min),
                                   "--max-np",
                                   std::to_string(std::max(all, options.max)),
                                   "--host-discovery-script",
                                   discovery.string(),
                                   "--start-timeout",
                                   std::to_string(options.startTimeout)};
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  if (!options.timelineFile.empty()) {
    command.emplace_back("--timeline-filename");
    command.push_back(options.timelineFile);
  }
  command.insert(command.end(), script.begin(), script.end());
  return command;
}

std::vector<std::string> mpirunCommand(const std::string& program, const HorovodOptions& options,
                                       const std::filesystem::path& ssh, const std::string& network,
                                       const std::vector<MpiHost>& hosts, const Environment& environment,
                                       const std::vector<std::string>& script) {
  std::vector<std::string> command{program};
  if (::geteuid() == 0) command.emplace_back("--allow-run-as-root");  // containers run as root
  const int processes = options.processes > 0 ? options.processes : slotsOf(hosts);
  const std::vector<std::string> more{"-np", std::to_string(processes), "--host", listOf(hosts, ','),
                                      "--map-by", "slot", "--bind-to", "none", "--tag-output",
                                      // Only main has the key: no node starts what another runs.
                                      "--mca", "plm_rsh_no_tree_spawn", "1", "--mca", "plm_rsh_agent",
                                      ssh.string()};
  command.insert(command.end(), more.begin(), more.end());
  if (!network.empty()) {
    for (const char* layer : {"oob_tcp_if_include", "btl_tcp_if_include"}) {
      command.emplace_back("--mca");
      command.emplace_back(layer);
      command.push_back(network);
    }
  }
  for (const auto& [name, value] : environment) {
    if (isOfOneNode(name)) continue;
    command.emplace_back("-x");
    command.push_back(name);  // the value goes through mpirun's own environment: nobody sees it in a list
  }
  command.insert(command.end(), script.begin(), script.end());
  return command;
}

std::string networkOf(const std::string& address) {
  for (const InterfaceAddress& one : interfaceAddresses()) {
    in_addr own{}, mask{}, wanted{};
    if (::inet_pton(AF_INET, one.address.c_str(), &own) != 1 ||
        ::inet_pton(AF_INET, one.mask.c_str(), &mask) != 1 ||
        ::inet_pton(AF_INET, address.c_str(), &wanted) != 1)
      continue;
    if ((own.s_addr & mask.s_addr) != (wanted.s_addr & mask.s_addr)) continue;
    const bool loopback = (ntohl(wanted.s_addr) >> 24) == 127;
    if (!loopback && own.s_addr != wanted.s_addr) continue;
    const in_addr network{own.s_addr & mask.s_addr};
    char text[INET_ADDRSTRLEN] = {};
    ::inet_ntop(AF_INET, &network, text, sizeof text);
    return fmt::format("{}/{}", text, std::popcount(mask.s_addr));
  }
  return {};
}

Result<std::unique_ptr<HostListing>> HostListing::open(FrameworkRendezvous& rendezvous,
                                                       const std::filesystem::path& folder,
                                                       const std::vector<MpiHost>& hosts) {
  const auto list = folder / "hosts", script = folder / "discover-hosts.sh";
  if (auto wrote = writeFileAtomically(list, listOf(hosts, '\n') + "\n", 0600); !wrote)
    return failure(wrote.error());
  const std::string text = "#!/bin/sh\nexec cat " + quoteShell(list.string()) + "\n";
  if (auto wrote = writeFileAtomically(script, text, 0700); !wrote) return failure(wrote.error());
  return std::unique_ptr<HostListing>(new HostListing(rendezvous, list, script));
}

HostListing::HostListing(FrameworkRendezvous& rendezvous, std::filesystem::path list,
                         std::filesystem::path script)
    : rendezvous_(rendezvous),
      list_(std::move(list)),
      script_(std::move(script)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void HostListing::run(const std::stop_token& stop) {
  constexpr std::chrono::seconds kInterval{5};
  SystemClock clock;
  while (clock.sleepFor(kInterval, stop)) {
    const auto entries = rendezvous_.entries(stop);
    if (!entries) continue;  // a store that cannot be read now is read again
    const auto hosts = hostsOf(*entries);
    if (!hosts.empty()) (void)writeFileAtomically(list_, listOf(hosts, '\n') + "\n", 0600);
  }
}

}  // namespace lockstep::node
