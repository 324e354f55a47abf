// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/node_sampler.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "rehearsal/support/process_tree.h"

namespace lockstep::rehearsal {
namespace {

struct Usage {
  double cpuSeconds = 0;
  double residentBytes = 0;
};

// Fields 14 to 17 of /proc/PID/stat are ticks of the process and of the children that it waited for; 24 is
// the number of resident pages.
void addUsage(pid_t pid, bool withChildren, Usage& usage) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return;
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return;
  std::istringstream fields(text.substr(end + 1));
  std::string field;
  for (int number = 3; number <= 24 && fields >> field; ++number) {
    const bool isTime = number == 14 || number == 15 || (withChildren && (number == 16 || number == 17));
    if (isTime) usage.cpuSeconds += std::stod(field) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    if (number == 24) usage.residentBytes += std::stod(field) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  }
}

// Times of processes that are gone stand with the one that waited for them, in the end with this one.
Usage usageOfDescendants() {
  Usage usage;
  for (const ProcessMark& process : descendantsOf(::getpid())) addUsage(process.pid, true, usage);
  Usage own;
  addUsage(::getpid(), true, own);
  Usage ownOnly;
  addUsage(::getpid(), false, ownOnly);
  usage.cpuSeconds += own.cpuSeconds - ownOnly.cpuSeconds;
  return usage;
}

double totalMemory() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double diskPercentOf(const std::filesystem::path& folder) {
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0 || disk.f_blocks == 0) return 0;
  const auto used = static_cast<double>(disk.f_blocks - disk.f_bfree);
  return 100 * used / (used + static_cast<double>(disk.f_bavail));
}

// Bytes in and out over every interface but loopback.
std::pair<double, double> networkBytes() {
  std::ifstream file("/proc/self/net/dev");
  std::pair<double, double> bytes{0, 0};
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::istringstream fields(line.substr(colon + 1));
    std::vector<double> numbers;
    for (double number = 0; fields >> number;) numbers.push_back(number);
    const std::size_t name = line.find_first_not_of(' ');
    if (numbers.size() < 9 || line.substr(name, colon - name) == "lo") continue;
    bytes.first += numbers[0];
    bytes.second += numbers[8];
  }
  return bytes;
}

}  // namespace

/// NVML, when the machine has it: the driver's library is loaded by its soname, for a build needs none.
struct NodeSampler::Gpus {
  struct Utilization {
    unsigned gpu = 0, memory = 0;
  };
  using Device = void*;

  Gpus() : library(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (library == nullptr) return;
    const auto init = reinterpret_cast<int (*)()>(::dlsym(library, "nvmlInit_v2"));
    const auto count = reinterpret_cast<int (*)(unsigned*)>(::dlsym(library, "nvmlDeviceGetCount_v2"));
    const auto handle =
        reinterpret_cast<int (*)(unsigned, Device*)>(::dlsym(library, "nvmlDeviceGetHandleByIndex_v2"));
    read = reinterpret_cast<int (*)(Device, Utilization*)>(::dlsym(library, "nvmlDeviceGetUtilizationRates"));
    unsigned number = 0;
    if (!init || !count || !handle || !read || init() != 0 || count(&number) != 0) return;
    for (unsigned i = 0; i < number; ++i)
      if (Device device = nullptr; handle(i, &device) == 0) devices.push_back(device);
  }
  ~Gpus() {
    if (library != nullptr) ::dlclose(library);
  }
  Gpus(const Gpus&) = delete;
  Gpus& operator=(const Gpus&) = delete;

  [[nodiscard]] std::optional<double> percent() const {
    double sum = 0;
    int known = 0;
    for (const Device device : devices)
      if (Utilization now; read(device, &now) == 0) {
        sum += now.gpu;
        ++known;
      }
    if (known == 0) return std::nullopt;
    return sum / known;
  }

  void* library;
  int (*read)(Device, Utilization*) = nullptr;
  std::vector<Device> devices;
};

NodeSampler::NodeSampler(std::filesystem::path home, bool ownNetwork)
    : home_(std::move(home)),
      ownNetwork_(ownNetwork),
      gpus_(std::make_unique<Gpus>()),
      at_(std::chrono::steady_clock::now()),
      cpuSeconds_(usageOfDescendants().cpuSeconds) {
  std::tie(in_, out_) = networkBytes();
}

NodeSampler::~NodeSampler() = default;

NodeSample NodeSampler::sample() {
  const auto now = std::chrono::steady_clock::now();
  const Usage usage = usageOfDescendants();
  const double seconds = std::max(1e-3, std::chrono::duration<double>(now - at_).count());
  const double processors = static_cast<double>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  NodeSample sample;
  sample.time = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now())
                    .time_since_epoch()
                    .count();
  sample.cpuPercent = std::clamp(100 * (usage.cpuSeconds - cpuSeconds_) / seconds / processors, 0.0, 100.0);
  sample.memoryPercent = std::min(100.0, 100 * usage.residentBytes / totalMemory());
  sample.diskPercent = diskPercentOf(home_);
  sample.gpuPercent = gpus_->percent();
  const auto [in, out] = networkBytes();
  if (ownNetwork_) {
    sample.networkIn = std::max(0.0, in - in_);
    sample.networkOut = std::max(0.0, out - out_);
  }
  at_ = now;
  cpuSeconds_ = usage.cpuSeconds;
  in_ = in;
  out_ = out;
  return sample;
}

std::span<const NodeQuantity> nodeQuantities() {
  static constexpr NodeQuantity kQuantities[] = {
      {"cpu", "CpuUtilization", "percent", &NodeSample::cpuPercent},
      {"memory", "MemoryUtilization", "percent", &NodeSample::memoryPercent},
      {"disk", "DiskUtilization", "percent", &NodeSample::diskPercent},
      {"gpu", "GpuUtilization", "percent", &NodeSample::gpuPercent},
      {"in", "NetworkBytesIn", "bytes", &NodeSample::networkIn},
      {"out", "NetworkBytesOut", "bytes", &NodeSample::networkOut},
  };
  return kQuantities;
}

std::string toLine(const NodeSample& sample) {
  nlohmann::json json{{"time", sample.time}};
  for (const NodeQuantity& quantity : nodeQuantities())
    if (const auto& value = sample.*quantity.value) json[quantity.key] = *value;
  return json.dump() + "\n";
}

std::optional<NodeSample> sampleFrom(const std::string& line) {
  const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("time")) return std::nullopt;
  NodeSample sample;
  sample.time = json.value("time", 0LL);
  for (const NodeQuantity& quantity : nodeQuantities())
    if (json.contains(quantity.key)) sample.*quantity.value = json.value(quantity.key, 0.0);
  return sample;
}

std::string networkNamespace() {
  std::error_code ec;
  return std::filesystem::read_symlink("/proc/self/ns/net", ec).string();
}

}  // namespace lockstep::rehearsal
