// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "setup/ssh/ssh_host_facts.h"

namespace lockstep {

/// A machine that takes part in the test of ports.
struct PortPeer {
  SshHost host;
  std::string address;  // under which the others know it
  SshHostFacts facts;
};

/// What became of a connection from one machine to another.
enum class ConnectOutcome {
  NotTried,  // there was nothing to try it with, or nobody listened
  Open,
  Refused,     // nothing let us in: a firewall that rejects
  Silent,      // no answer: a firewall that drops
  Unresolved,  // the name is not known there
  NoRoute,
  Foreign,  // something else answered
};
[[nodiscard]] const char* toString(ConnectOutcome reach);  // "open", "refused", …

struct PortTrial {
  int port = 0;
  std::vector<std::string> listenTrouble;          // by machine; empty: it listened
  std::vector<std::vector<ConnectOutcome>> named;  // [from][to] on that port
  std::vector<std::vector<ConnectOutcome>> any;    // the same on a port that the machine itself chose
};

/// Listens on `port` of every machine, and on one more that the machine chooses as gloo and NCCL do, and
/// connects from every other, all at the same time; with python3, perl, or bash and nc, whatever is there.
/// The listeners end when they are no longer needed, by themselves after half a minute at the latest. Blocks
/// for some seconds.
[[nodiscard]] PortTrial tryPorts(const std::vector<PortPeer>& peers, int port, const CommandRunner& run,
                                 const std::stop_token& stop);

}  // namespace lockstep
