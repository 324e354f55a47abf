// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <set>

#include "setup/ssh/ssh_host.h"

namespace lockstep {

/// What a machine has, as it says itself.
struct SshHostFacts {
  std::string name;  // its own
  struct Gpu {
    std::string name, memory, driver;  // as nvidia-smi prints them
  };
  std::vector<Gpu> gpus;
  std::string gpuTrouble;                  // why nvidia-smi, which is there, says nothing
  std::optional<std::uint64_t> freeBytes;  // of the user's home
  std::set<std::string> programs;          // of python3, perl, bash, timeout, nc
};

/// Asks over ssh with one script that a plain Debian understands. Blocks for at most 20 s.
tl::expected<SshHostFacts, SshTrouble> checkHost(const SshHost& host, const CommandRunner& run,
                                                 const std::stop_token& stop);
/// Reads the lines of that script. Pure.
[[nodiscard]] SshHostFacts readHostFacts(const std::vector<std::string>& lines);

}  // namespace lockstep
