// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/metrics/machine_usage.h"

#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "trainer/ddp/metrics/nvml.h"

namespace lockstep::trainer {
namespace {

using Steady = std::chrono::steady_clock;

std::string wholeFile(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// utime + stime of /proc/self/stat, the 14th and 15th field; the 2nd one, the name, may hold blanks.
std::optional<double> cpuTicks() {
  const std::string text = wholeFile("/proc/self/stat");
  const std::size_t nameEnd = text.rfind(')');
  if (nameEnd == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(nameEnd + 1));
  std::string skipped;
  for (int i = 3; i < 14; ++i) fields >> skipped;
  double user = 0;
  double system = 0;
  if (!(fields >> user >> system)) return std::nullopt;
  return user + system;
}

std::optional<double> residentBytes() {
  std::istringstream fields(wholeFile("/proc/self/statm"));
  long long total = 0;
  long long resident = 0;
  if (!(fields >> total >> resident)) return std::nullopt;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// "name: number" lines, as /proc/self/io and /proc/self/status have them.
std::optional<double> numberOf(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name)) return std::strtod(line.c_str() + name.size(), nullptr);
  }
  return std::nullopt;
}

std::optional<double> rate(const std::optional<double>& now, const std::optional<double>& before,
                           double seconds) {
  if (!now || !before || seconds <= 0 || *now < *before) return std::nullopt;
  return (*now - *before) / seconds;
}

}  // namespace

class MachineUsage::Gpu {
 public:
  explicit Gpu(std::unique_ptr<NvmlDevice> device) : device_(std::move(device)) {}
  [[nodiscard]] GpuUsage read() { return device_ ? device_->read() : GpuUsage{}; }

 private:
  std::unique_ptr<NvmlDevice> device_;
};

MachineUsage::MachineUsage(int localRank, const std::map<std::string, std::string>& environment)
    : gpu_(std::make_unique<Gpu>(NvmlDevice::open(localRank, environment))),
      last_(readCounters()),
      lastRead_(Steady::now()) {}
MachineUsage::~MachineUsage() = default;

MachineUsage::Counters MachineUsage::readCounters() {
  Counters counters;
  counters.cpuTicks = cpuTicks();
  const std::string io = wholeFile("/proc/self/io");
  counters.diskRead = numberOf(io, "read_bytes:");
  counters.diskWritten = numberOf(io, "write_bytes:");
  if (const auto network = networkBytesFrom(wholeFile("/proc/net/dev"))) {
    counters.networkIn = network->in;
    counters.networkOut = network->out;
  }
  return counters;
}

Usage MachineUsage::read() {
  const Counters counters = readCounters();
  const auto now = Steady::now();
  const double seconds = std::chrono::duration<double>(now - lastRead_).count();
  Usage usage;
  usage.cpuPercent = rate(counters.cpuTicks, last_.cpuTicks, seconds);
  if (usage.cpuPercent) *usage.cpuPercent *= 100.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  usage.memoryBytes = residentBytes();
  usage.diskReadBytesPerSecond = rate(counters.diskRead, last_.diskRead, seconds);
  usage.diskWriteBytesPerSecond = rate(counters.diskWritten, last_.diskWritten, seconds);
  usage.networkInBytesPerSecond = rate(counters.networkIn, last_.networkIn, seconds);
  usage.networkOutBytesPerSecond = rate(counters.networkOut, last_.networkOut, seconds);
  usage.gpu = gpu_->read();
  last_ = counters;
  lastRead_ = now;
  return usage;
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

double peakResidentMiB() {
  return numberOf(wholeFile("/proc/self/status"), "VmHWM:").value_or(0) / 1024.0;
}

int usableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

}  // namespace lockstep::trainer
