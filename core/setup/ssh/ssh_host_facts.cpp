// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/ssh/ssh_host_facts.h"

#include <charconv>

#include "base/embedded_file.h"
#include "base/text/trimmed.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

// "NVIDIA H100 80GB HBM3, 81559 MiB, 535.129.03"
std::optional<SshHostFacts::Gpu> readGpu(std::string_view line) {
  const std::size_t last = line.rfind(','), middle = last == std::string_view::npos || last == 0
                                                         ? std::string_view::npos
                                                         : line.rfind(',', last - 1);
  if (middle == std::string_view::npos) return std::nullopt;
  return SshHostFacts::Gpu{std::string(trimmed(line.substr(0, middle))),
                           std::string(trimmed(line.substr(middle + 1, last - middle - 1))),
                           std::string(trimmed(line.substr(last + 1)))};
}

}  // namespace

SshHostFacts readHostFacts(const std::vector<std::string>& lines) {
  SshHostFacts facts;
  for (const std::string& line : lines) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string key = line.substr(0, equals);
    const std::string value(trimmed(std::string_view(line).substr(equals + 1)));
    if (key == "name") facts.name = value;
    if (key == "has") facts.programs.insert(value);
    if (key == "gpu-trouble" && facts.gpuTrouble.empty()) facts.gpuTrouble = value;
    if (key == "gpu") {
      if (auto gpu = readGpu(value)) facts.gpus.push_back(*std::move(gpu));
    }
    std::uint64_t kilobytes = 0;
    if (key == "free" &&
        std::from_chars(value.data(), value.data() + value.size(), kilobytes).ptr ==
            value.data() + value.size() &&
        !value.empty())
      facts.freeBytes = kilobytes * 1024;
  }
  return facts;
}

tl::expected<SshHostFacts, SshTrouble> checkHost(const SshHost& host, const CommandRunner& run,
                                                 const std::stop_token& stop) {
  const std::string script(contentOf(embedded::sshPrograms(), "facts.sh"));
  const auto lines = runThere(host, script, run, 20s, stop);
  if (!lines) return tl::unexpected(lines.error());
  return readHostFacts(*lines);
}

}  // namespace lockstep
