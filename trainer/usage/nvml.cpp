// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/usage/nvml.h"

#include "base/child_process.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace lockstep::trainer {
namespace {

using Environment = std::map<std::string, std::string>;

constexpr unsigned kTemperatureOfChip = 0, kSmClock = 1, kMemoryClock = 2;
constexpr unsigned kUncorrected = 1, kSinceDriverLoad = 0;
constexpr unsigned long long kXidEvent = 8;
constexpr int kReadingsPerLook = 5;      // for processes: that takes the driver longest
constexpr unsigned kMaxProcesses = 256;  // more are not counted
constexpr unsigned long long kUnknown = ~0ULL;

struct Utilization {
  unsigned gpu, memory;
};
struct Memory {
  unsigned long long total, free, used;
};
/// nvmlProcessInfo_v2_t; what is called nvmlProcessInfo_t had one member more for a while.
struct ProcessInfo {
  unsigned pid;
  unsigned long long memory;
  unsigned gpuInstance, computeInstance;
};
struct EventData {
  void* device;
  unsigned long long type, data;
  unsigned gpuInstance, computeInstance;
};

// "2,3" makes device 0 the GPU 2; "GPU-8f…" is a UUID.
std::string visibleDevice(int localRank, const Environment& environment) {
  std::istringstream list(environmentValue(environment, "CUDA_VISIBLE_DEVICES"));
  std::string entry;
  for (int i = 0; i <= localRank; ++i) {
    if (!std::getline(list, entry, ',')) return std::to_string(localRank);
  }
  return entry;
}

}  // namespace

struct NvmlDevice::Functions {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*byIndex)(unsigned, void**) = nullptr;
  int (*byUuid)(const char*, void**) = nullptr;
  int (*utilization)(void*, Utilization*) = nullptr;
  int (*memory)(void*, Memory*) = nullptr;
  int (*power)(void*, unsigned*) = nullptr;
  int (*temperature)(void*, unsigned, unsigned*) = nullptr;
  int (*clock)(void*, unsigned, unsigned*) = nullptr;
  int (*eccErrors)(void*, unsigned, unsigned, unsigned long long*) = nullptr;
  int (*processes)(void*, unsigned*, ProcessInfo*) = nullptr;
  int (*eventSetCreate)(void**) = nullptr;
  int (*eventSetFree)(void*) = nullptr;
  int (*registerEvents)(void*, unsigned long long, void*) = nullptr;
  int (*eventWait)(void*, EventData*, unsigned) = nullptr;

  // The first four must be there; what else is missing gives no value.
  bool findIn(void* library) {
    const auto find = [library](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      return function != nullptr;
    };
    find(byUuid, "nvmlDeviceGetHandleByUUID");
    find(utilization, "nvmlDeviceGetUtilizationRates");
    find(memory, "nvmlDeviceGetMemoryInfo");
    find(power, "nvmlDeviceGetPowerUsage");
    find(temperature, "nvmlDeviceGetTemperature");
    find(clock, "nvmlDeviceGetClockInfo");
    find(eccErrors, "nvmlDeviceGetTotalEccErrors");
    find(processes, "nvmlDeviceGetComputeRunningProcesses_v2");
    find(eventSetCreate, "nvmlEventSetCreate");
    find(eventSetFree, "nvmlEventSetFree");
    find(registerEvents, "nvmlDeviceRegisterEvents");
    if (!find(eventWait, "nvmlEventSetWait_v2")) find(eventWait, "nvmlEventSetWait");
    return find(init, "nvmlInit_v2") && find(shutdown, "nvmlShutdown") &&
           find(byIndex, "nvmlDeviceGetHandleByIndex_v2");
  }

  void* deviceNamed(const std::string& name) const {
    void* device = nullptr;
    char* end = nullptr;
    const unsigned long index = std::strtoul(name.c_str(), &end, 10);
    if (end != name.c_str() && *end == '\0')
      return byIndex(static_cast<unsigned>(index), &device) == 0 ? device : nullptr;
    return byUuid != nullptr && byUuid(name.c_str(), &device) == 0 ? device : nullptr;
  }
};

std::unique_ptr<NvmlDevice> NvmlDevice::open(int localRank, const Environment& environment) {
  const std::string named = environmentValue(environment, "NVML_LIBRARY");
  void* library = ::dlopen(named.empty() ? "libnvidia-ml.so.1" : named.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  auto functions = std::make_unique<Functions>();
  if (!functions->findIn(library) || functions->init() != 0) {
    ::dlclose(library);
    return nullptr;
  }
  void* device = functions->deviceNamed(visibleDevice(localRank, environment));
  if (device == nullptr) {
    functions->shutdown();
    ::dlclose(library);
    return nullptr;
  }
  std::unique_ptr<NvmlDevice> opened(new NvmlDevice(library, std::move(functions), device));
  opened->watchXids();
  return opened;
}

NvmlDevice::NvmlDevice(void* library, std::unique_ptr<Functions> functions, void* device)
    : library_(library), call_(std::move(functions)), device_(device) {}

NvmlDevice::~NvmlDevice() {
  if (events_ != nullptr && call_->eventSetFree != nullptr) call_->eventSetFree(events_);
  call_->shutdown();
  ::dlclose(library_);
}

void NvmlDevice::watchXids() {
  const bool canWatch =
      call_->eventSetCreate != nullptr && call_->registerEvents != nullptr && call_->eventWait != nullptr;
  if (!canWatch || call_->eventSetCreate(&events_) != 0) {
    events_ = nullptr;
  } else if (call_->registerEvents(device_, kXidEvent, events_) != 0) {
    if (call_->eventSetFree != nullptr) call_->eventSetFree(events_);
    events_ = nullptr;
  }
}

// Where there are more than there is room for, the driver gives none.
bool NvmlDevice::lookForProcesses() {
  processes_.clear();
  if (call_->processes == nullptr) return false;
  std::vector<ProcessInfo> found(kMaxProcesses);
  unsigned count = kMaxProcesses;
  if (call_->processes(device_, &count, found.data()) != 0) return false;
  found.resize(std::min(count, kMaxProcesses));
  for (const ProcessInfo& one : found) {
    GpuProcess process{static_cast<long long>(one.pid), std::nullopt};
    if (one.memory != kUnknown) process.memoryBytes = static_cast<double>(one.memory);
    processes_.push_back(process);
  }
  return true;
}

GpuUsage NvmlDevice::read() {
  GpuUsage usage;
  Utilization utilization{};
  if (call_->utilization != nullptr && call_->utilization(device_, &utilization) == 0)
    usage.percent = utilization.gpu;
  Memory memory{};
  if (call_->memory != nullptr && call_->memory(device_, &memory) == 0)
    usage.memoryBytes = static_cast<double>(memory.used);
  unsigned number = 0;
  if (call_->power != nullptr && call_->power(device_, &number) == 0) usage.powerWatts = number / 1000.0;
  if (call_->temperature != nullptr && call_->temperature(device_, kTemperatureOfChip, &number) == 0)
    usage.temperatureCelsius = number;
  if (call_->clock != nullptr && call_->clock(device_, kSmClock, &number) == 0) usage.smClockMhz = number;
  if (call_->clock != nullptr && call_->clock(device_, kMemoryClock, &number) == 0)
    usage.memoryClockMhz = number;
  unsigned long long errors = 0;
  if (call_->eccErrors != nullptr && call_->eccErrors(device_, kUncorrected, kSinceDriverLoad, &errors) == 0)
    usage.eccErrors = static_cast<double>(errors);
  if (readings_++ % kReadingsPerLook == 0) areProcessesKnown_ = lookForProcesses();
  if (areProcessesKnown_) usage.processes = static_cast<double>(processes_.size());
  if (events_ != nullptr) {
    EventData event{};
    while (call_->eventWait(events_, &event, 0) == 0) {
      if (event.type == kXidEvent) lastXid_ = static_cast<double>(event.data);
    }
    usage.lastXid = lastXid_;
  }
  return usage;
}

}  // namespace lockstep::trainer
