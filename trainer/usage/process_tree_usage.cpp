// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/usage/process_tree_usage.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/bounds.h"
#include "trainer/usage/node_usage.h"

namespace lockstep::trainer {
namespace {

namespace fs = std::filesystem;

constexpr int kLooks = 30;

/// The fields of /proc/<pid>/stat that matter here; the second one, the name, may hold blanks and brackets.
struct Stat {
  pid_t parent = 0;
  double ticks = 0;  // of its children that have ended, too
  long long started = 0;
  double pages = 0;
};

std::optional<Stat> statOf(const std::string& text) {
  const std::size_t nameEnd = text.rfind(')');
  if (nameEnd == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(nameEnd + 1));
  Stat stat;
  std::string skipped;
  fields >> skipped >> stat.parent;                // 3: state, 4
  for (int i = 5; i < 14; ++i) fields >> skipped;  // to the number of major faults of children
  double user = 0, system = 0, childUser = 0, childSystem = 0;
  fields >> user >> system >> childUser >> childSystem;  // 14 to 17
  for (int i = 18; i < 22; ++i) fields >> skipped;
  fields >> stat.started >> skipped >> stat.pages;  // 22, 24
  if (!fields) return std::nullopt;
  stat.ticks = user + system + childUser + childSystem;
  return stat;
}

std::vector<pid_t> allProcesses(const std::string& proc) {
  std::vector<pid_t> all;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(proc, ignored))
    if (const auto pid = integerIn<pid_t>(entry.path().filename().string(), 1, 1 << 30)) all.push_back(*pid);
  std::sort(all.begin(), all.end());  // who started a process has the smaller number, nearly always
  return all;
}

}  // namespace

ProcessTreeUsage::ProcessTreeUsage(std::vector<pid_t> roots, std::string proc)
    : roots_(std::move(roots)), proc_(std::move(proc)), rates_(roots_.size()) {
  read();  // what rates are counted from
}

std::optional<std::size_t> ProcessTreeUsage::treeOf(pid_t pid) const {
  const auto found = known_.find(pid);
  if (found == known_.end() || found->second.tree < 0) return std::nullopt;
  return static_cast<std::size_t>(found->second.tree);
}

int ProcessTreeUsage::treeBelow(pid_t pid, pid_t parent) const {
  const auto root = std::find(roots_.begin(), roots_.end(), pid);
  if (root != roots_.end()) return static_cast<int>(root - roots_.begin());
  const auto above = known_.find(parent);
  return above == known_.end() ? -1 : above->second.tree;
}

void ProcessTreeUsage::look(pid_t pid, std::vector<Sums>& sums) {
  const auto found = known_.find(pid);
  if (found != known_.end() && found->second.tree < 0 && --found->second.looksLeft > 0) return;
  const auto stat = statOf(kernelFile(proc_ + "/" + std::to_string(pid) + "/stat"));
  if (!stat) return;
  Known& known = known_[pid];
  const bool isNew = found == known_.end() || known.started != stat->started || known.tree < 0;
  if (isNew) known = {treeBelow(pid, stat->parent), stat->started, kLooks};
  if (known.tree < 0) return;
  Sums& sum = sums[static_cast<std::size_t>(known.tree)];
  sum.isAny = true;
  sum.ticks += stat->ticks;
  sum.pages += stat->pages;
  addDisk(pid, sum);
}

void ProcessTreeUsage::addDisk(pid_t pid, Sums& sums) const {
  const std::string text = kernelFile(proc_ + "/" + std::to_string(pid) + "/io");
  const std::size_t read = text.find("\nread_bytes:"), written = text.find("\nwrite_bytes:");
  if (read == std::string::npos || written == std::string::npos) return;
  sums.hasDisk = true;
  sums.diskRead += std::strtod(text.c_str() + read + 12, nullptr);
  sums.diskWritten += std::strtod(text.c_str() + written + 13, nullptr);
}

std::vector<ProcessUsage> ProcessTreeUsage::read() {
  const auto now = std::chrono::steady_clock::now();
  const std::vector<pid_t> all = allProcesses(proc_);
  std::erase_if(known_,
                [&](const auto& one) { return !std::binary_search(all.begin(), all.end(), one.first); });
  std::vector<Sums> sums(roots_.size());
  for (const pid_t pid : all) look(pid, sums);
  const double ticksASecond = static_cast<double>(::sysconf(_SC_CLK_TCK));
  const double pageBytes = static_cast<double>(::sysconf(_SC_PAGESIZE));
  std::vector<ProcessUsage> usage(roots_.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto counter = [](bool isThere, double value) {
      return isThere ? std::optional(value) : std::nullopt;
    };
    const Sums& sum = sums[i];
    usage[i].cpuPercent = rates_[i].cpu.add(counter(sum.isAny, 100 * sum.ticks / ticksASecond), now);
    usage[i].memoryBytes =
        counter(sum.pages > 0, sum.pages * pageBytes);  // one that has ended has none any more
    usage[i].diskReadBytesPerSecond = rates_[i].diskRead.add(counter(sum.hasDisk, sum.diskRead), now);
    usage[i].diskWriteBytesPerSecond = rates_[i].diskWritten.add(counter(sum.hasDisk, sum.diskWritten), now);
  }
  return usage;
}

}  // namespace lockstep::trainer
