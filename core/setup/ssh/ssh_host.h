// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "setup/step/setup_context.h"

namespace lockstep {

/// One machine of a hosts file: "user@host[:port] [slots=N]".
struct SshHost {
  std::string user;                               // empty: as the configuration of ssh says
  std::string host;                               // a name, an address, or a name of the configuration of ssh
  int port = 0;                                   // 0: as the configuration of ssh says
  int slots = 0;                                  // processes that are to run there; 0: not said
  [[nodiscard]] std::string destination() const;  // "user@host"
};

/// Blank lines and what follows a '#' mean nothing; an IPv6 address with a port stands in brackets.
/// InvalidArgument with file:line for what is no such line, and for a host that is there twice.
Result<std::vector<SshHost>> parseHostsFile(std::string_view text, const std::string& file);
Result<std::vector<SshHost>> readHostsFile(const std::filesystem::path& file);

/// Why the system's ssh did not get there; told apart by its words alone, since it always ends with 255.
struct SshTrouble {
  std::string code;   // "host-key-unknown", "host-key-changed", "key-refused", "name-unknown", "ssh-refused",
                      // "host-silent", "no-route", "ssh-closed", "key-mode", "no-ssh", "ssh-failed"
  std::string cause;  // its own words
  std::string remedy;  // what to do about it
};
[[nodiscard]] SshTrouble sshTroubleOf(const SshHost& host, const std::string& said);

/// The command that runs a script from stdin there: batch mode, so that nothing is ever asked.
[[nodiscard]] std::vector<std::string> sshCommand(const SshHost& host);
/// What a script printed there on lines that begin with "lockstep:"; each without that.
tl::expected<std::vector<std::string>, SshTrouble> runThere(const SshHost& host, const std::string& script,
                                                            const CommandRunner& run,
                                                            std::chrono::milliseconds limit,
                                                            const std::stop_token& stop);
/// The name or address under which others reach it, by the configuration of ssh.
[[nodiscard]] std::string addressOf(const SshHost& host, const CommandRunner& run,
                                    const std::stop_token& stop);

}  // namespace lockstep
