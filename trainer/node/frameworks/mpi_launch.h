// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "trainer/node/rendezvous/framework_rendezvous.h"
#include "trainer/node/settings/node_settings.h"

namespace lockstep::node {

/// A node that takes part in a run of mpirun or horovodrun.
struct MpiHost {
  std::string address;
  int slots = 1;
  std::string hostKey;  // "ssh-ed25519 AAAA…"; empty: it has not said
};
[[nodiscard]] std::vector<MpiHost> hostsOf(const std::vector<NodeEntry>& entries);
[[nodiscard]] int slotsOf(const std::vector<MpiHost>& hosts);

/// What the environment asks of the launcher (ads-contract 4.3).
struct HorovodOptions {
  int processes = 0;                        // NP; 0: MIN_NP, or all slots
  int min = 0;                              // MIN_NP; 0: all slots
  int max = 0;                              // MAX_NP; 0: all slots
  int startTimeout = 600;                   // START_TIMEOUT, seconds, at least 600
  std::vector<std::string> arguments = {};  // HOROVOD_ARGS and KWARGS
  std::string timelineFile = {};            // ENABLE_TIMELINE=1
};

/// horovodrun with the nodes that the discovery script prints.
[[nodiscard]] std::vector<std::string> horovodCommand(const std::string& program,
                                                      const HorovodOptions& options, int sshPort,
                                                      const std::filesystem::path& discovery,
                                                      const std::vector<MpiHost>& hosts,
                                                      const std::vector<std::string>& script);

/// Open MPI's mpirun. `ssh`: what it calls for another node. `network`: "10.0.0.0/24", where the nodes see
/// each other; empty: not known. Passes on every variable of the environment that is not of one node alone.
[[nodiscard]] std::vector<std::string> mpirunCommand(
    const std::string& program, const HorovodOptions& options, const std::filesystem::path& ssh,
    const std::string& network, const std::vector<MpiHost>& hosts, const Environment& environment,
    const std::vector<std::string>& script);

/// The network of an address of this machine: "10.0.0.0/24"; empty when this machine does not have it.
[[nodiscard]] std::string networkOf(const std::string& address);

/// Keeps the list that horovodrun's discovery script prints ("ip:slots" lines): nodes that come later take
/// part then. Looks every few seconds on a thread of its own; the rendezvous outlives it.
class HostListing {
 public:
  /// Writes the script and the first list into `folder`.
  static Result<std::unique_ptr<HostListing>> open(FrameworkRendezvous& rendezvous,
                                                   const std::filesystem::path& folder,
                                                   const std::vector<MpiHost>& hosts);
  [[nodiscard]] const std::filesystem::path& script() const { return script_; }

 private:
  HostListing(FrameworkRendezvous& rendezvous, std::filesystem::path list, std::filesystem::path script);
  void run(const std::stop_token& stop);
  FrameworkRendezvous& rendezvous_;
  std::filesystem::path list_, script_;
  std::jthread thread_;
};

}  // namespace lockstep::node
