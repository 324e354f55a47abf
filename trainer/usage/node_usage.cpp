// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/usage/node_usage.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/atomic_file.h"

namespace lockstep::trainer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxKernelFile = 1 << 20;

/// The number behind `name`, as in the lines "MemTotal:  16384 kB".
std::optional<double> numberBehind(const std::string& text, std::string_view name) {
  const std::size_t at = text.find(name);
  return at == std::string::npos ? std::nullopt
                                 : std::optional(std::strtod(text.c_str() + at + name.size(), nullptr));
}

std::optional<double> memoryPercent(const std::string& text) {
  const auto all = numberBehind(text, "MemTotal:"), free = numberBehind(text, "MemAvailable:");
  if (!all || !free || *all <= 0) return std::nullopt;
  return std::clamp(100 * (1 - *free / *all), 0.0, 100.0);
}

std::optional<double> diskPercent(const fs::path& folder) {
  struct statvfs found {};
  if (::statvfs(folder.c_str(), &found) != 0) return std::nullopt;
  // As df counts: of what users can have.
  const auto used = static_cast<double>(found.f_blocks - found.f_bfree);
  const double all = used + static_cast<double>(found.f_bavail);
  return all > 0 ? std::optional(100 * used / all) : std::nullopt;
}

/// Of all ports, in bytes: the counters are in words of four.
std::optional<NetworkBytes> rdmaBytes(const std::string& root) {
  NetworkBytes bytes;
  bool isAny = false;
  std::error_code ignored;
  for (const auto& device : fs::directory_iterator(root + "/sys/class/infiniband", ignored)) {
    for (const auto& port : fs::directory_iterator(device.path() / "ports", ignored)) {
      const std::string in = kernelFile(port.path() / "counters/port_rcv_data");
      const std::string out = kernelFile(port.path() / "counters/port_xmit_data");
      if (in.empty() || out.empty()) continue;
      isAny = true;
      bytes.in += 4 * std::strtod(in.c_str(), nullptr);
      bytes.out += 4 * std::strtod(out.c_str(), nullptr);
    }
  }
  return isAny ? std::optional(bytes) : std::nullopt;
}

}  // namespace

std::string kernelFile(const std::string& path) {
  return readFile(path, kMaxKernelFile).value_or("");
}

NodeUsageReader::NodeUsageReader(fs::path folder, std::string root)
    : folder_(std::move(folder)), root_(std::move(root)) {
  read();  // what rates are counted from
}

// "cpu  user nice system idle iowait irq softirq steal …"
std::optional<double> NodeUsageReader::cpuPercent() {
  std::istringstream fields(kernelFile(root_ + "/proc/stat"));
  std::string head;
  fields >> head;
  double all = 0, idle = 0;
  int count = 0;
  for (double ticks = 0; count < 8 && fields >> ticks; ++count) {
    all += ticks;
    if (count == 3 || count == 4) idle += ticks;
  }
  if (head != "cpu" || count < 5) return std::nullopt;
  std::optional<double> percent;
  if (lastAll_ && all > *lastAll_)
    percent = std::clamp(100 * (all - idle - *lastBusy_) / (all - *lastAll_), 0.0, 100.0);
  lastAll_ = all;
  lastBusy_ = all - idle;
  return percent;
}

NodeUsage NodeUsageReader::read() {
  const auto now = std::chrono::steady_clock::now();
  const auto network = networkBytesFrom(kernelFile(root_ + "/proc/net/dev"));
  const auto rdma = rdmaBytes(root_);
  const auto in = [](const auto& bytes) { return bytes ? std::optional(bytes->in) : std::nullopt; };
  const auto out = [](const auto& bytes) { return bytes ? std::optional(bytes->out) : std::nullopt; };
  return {cpuPercent(),
          memoryPercent(kernelFile(root_ + "/proc/meminfo")),
          diskPercent(folder_),
          networkIn_.add(in(network), now),
          networkOut_.add(out(network), now),
          rdmaIn_.add(in(rdma), now),
          rdmaOut_.add(out(rdma), now)};
}

std::optional<NetworkBytes> networkBytesFrom(const std::string& text) {
  std::istringstream lines(text);
  NetworkBytes bytes;
  bool any = false;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;  // the two lines of headings
    any = true;
    const std::size_t begin = line.find_first_not_of(' ');
    if (line.compare(begin, colon - begin, "lo") == 0) continue;
    std::istringstream fields(line.substr(colon + 1));
    double received = 0, skipped = 0, sent = 0;
    fields >> received;
    for (int i = 0; i < 7; ++i) fields >> skipped;
    if (!(fields >> sent)) return std::nullopt;
    bytes.in += received;
    bytes.out += sent;
  }
  return any ? std::optional(bytes) : std::nullopt;
}

}  // namespace lockstep::trainer
