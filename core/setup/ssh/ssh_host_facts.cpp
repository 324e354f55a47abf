// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/ssh_host_facts.h"

#include <charconv>

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr const char* kScript = R"sh(
LC_ALL=C
export LC_ALL
echo "lockstep:name=$(uname -n)"
for program in python3 perl bash timeout nc; do
  if command -v "$program" >/dev/null 2>&1; then echo "lockstep:has=$program"; fi
done
df -Pk "${HOME:-/}" 2>/dev/null | { read -r line; read -r a b c free rest; echo "lockstep:free=$free"; }
if command -v nvidia-smi >/dev/null 2>&1; then
  said=$(nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader 2>&1 </dev/null)
  code=$?
  printf '%s\n' "$said" | while IFS= read -r line; do
    if [ "$code" = 0 ]; then printf 'lockstep:gpu=%s\n' "$line"; else printf 'lockstep:gpu-trouble=%s\n' "$line"; fi
  done
fi
)sh";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

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

tl::expected<SshHostFacts, SshTrouble> lookAtHost(const SshHost& host, const CommandRunner& run,
                                                  const std::stop_token& stop) {
  const auto lines = runThere(host, kScript, run, 20s, stop);
  if (!lines) return tl::unexpected(lines.error());
  return readHostFacts(*lines);
}

}  // namespace lockstep
