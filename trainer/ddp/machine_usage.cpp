// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/machine_usage.h"

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

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
std::optional<long long> cpuTicks() {
  const std::string text = wholeFile("/proc/self/stat");
  const std::size_t nameEnd = text.rfind(')');
  if (nameEnd == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(nameEnd + 1));
  std::string skipped;
  for (int i = 3; i < 14; ++i) fields >> skipped;
  long long user = 0;
  long long system = 0;
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

// CUDA_VISIBLE_DEVICES renumbers what NVML does not: "2,3" makes device 0 the GPU 2. A UUID is left to NVML's
// order.
unsigned gpuIndex(int localRank) {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  std::istringstream list(visible == nullptr ? "" : visible);
  std::string entry;
  for (int i = 0; i <= localRank; ++i) {
    if (!std::getline(list, entry, ',')) return static_cast<unsigned>(localRank);
  }
  char* end = nullptr;
  const unsigned long index = std::strtoul(entry.c_str(), &end, 10);
  return end != entry.c_str() && *end == '\0' ? static_cast<unsigned>(index)
                                              : static_cast<unsigned>(localRank);
}

}  // namespace

// NVML by name, so that the program starts on machines without a driver. Declarations as in NVIDIA's nvml.h.
class MachineUsage::Gpu {
 public:
  static std::unique_ptr<Gpu> open(int localRank) {
    void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    std::unique_ptr<Gpu> gpu(new Gpu(library));
    return gpu->attach(gpuIndex(localRank)) ? std::move(gpu) : nullptr;
  }
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;
  ~Gpu() { ::dlclose(library_); }

  void readInto(Usage& usage) const {
    Utilization utilization{};
    if (getUtilization_(device_, &utilization) == 0) usage.gpuPercent = utilization.gpu;
    Memory memory{};
    if (getMemory_(device_, &memory) == 0) usage.gpuMemoryBytes = static_cast<double>(memory.used);
  }

 private:
  struct Utilization {
    unsigned gpu, memory;
  };
  struct Memory {
    unsigned long long total, free, used;
  };
  using Device = void*;

  explicit Gpu(void* library) : library_(library) {}

  template <class Function>
  bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
    return function != nullptr;
  }

  bool attach(unsigned index) {
    int (*init)() = nullptr;
    int (*getHandle)(unsigned, Device*) = nullptr;
    return find(init, "nvmlInit_v2") && find(getHandle, "nvmlDeviceGetHandleByIndex_v2") &&
           find(getUtilization_, "nvmlDeviceGetUtilizationRates") &&
           find(getMemory_, "nvmlDeviceGetMemoryInfo") && init() == 0 && getHandle(index, &device_) == 0;
  }

  void* library_;
  Device device_ = nullptr;
  int (*getUtilization_)(Device, Utilization*) = nullptr;
  int (*getMemory_)(Device, Memory*) = nullptr;
};

MachineUsage::MachineUsage(int localRank)
    : gpu_(Gpu::open(localRank)), lastTicks_(cpuTicks().value_or(0)), lastRead_(Steady::now()) {}
MachineUsage::~MachineUsage() = default;

Usage MachineUsage::read() {
  Usage usage;
  usage.cpuPercent = readCpuPercent();
  usage.memoryBytes = residentBytes();
  if (gpu_) gpu_->readInto(usage);
  return usage;
}

std::optional<double> MachineUsage::readCpuPercent() {
  const auto ticks = cpuTicks();
  const auto now = Steady::now();
  const double seconds = std::chrono::duration<double>(now - lastRead_).count();
  if (!ticks || seconds <= 0) return std::nullopt;
  const double percent = 100.0 * static_cast<double>(*ticks - lastTicks_) /
                         static_cast<double>(::sysconf(_SC_CLK_TCK)) / seconds;
  lastTicks_ = *ticks;
  lastRead_ = now;
  return percent;
}

double peakResidentMiB() {
  std::istringstream lines(wholeFile("/proc/self/status"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024.0;
  }
  return 0;
}

int usableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

}  // namespace lockstep::trainer
