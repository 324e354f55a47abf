// SPDX-License-Identifier: GPL-3.0-or-later
// A libnvidia-ml.so.1 for tests, with two GPUs; what NVML_LIBRARY names. Declarations as in nvml.h.
#include <unistd.h>

#include <cstring>

namespace {
int devices[2];
bool xidTold = false;
bool isSecond(void* device) {
  return device == &devices[1];
}
}  // namespace

extern "C" {
int nvmlInit_v2() {
  return 0;
}
int nvmlShutdown() {
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  if (index > 1) return 2;
  *device = &devices[index];
  return 0;
}
int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
  if (std::strcmp(uuid, "GPU-second") != 0) return 6;
  *device = &devices[1];
  return 0;
}
int nvmlDeviceGetUtilizationRates(void* device, unsigned* rates) {
  rates[0] = isSecond(device) ? 87 : 11;
  rates[1] = 0;
  return 0;
}
int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory) {
  memory[0] = 100;
  memory[1] = 40;
  memory[2] = 60;
  return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  *milliwatts = 350500;
  return 0;
}
int nvmlDeviceGetTemperature(void*, unsigned sensor, unsigned* celsius) {
  *celsius = 61;
  return sensor == 0 ? 0 : 2;
}
int nvmlDeviceGetClockInfo(void*, unsigned type, unsigned* megahertz) {
  *megahertz = type == 1 ? 1980 : 2619;
  return 0;
}
int nvmlDeviceGetTotalEccErrors(void*, unsigned, unsigned, unsigned long long*) {
  return 3;  // not supported: no value then
}
// nvmlProcessInfo_v2_t: pid, bytes, two instances. The second GPU is somebody else's, too, and tells no memory of him.
struct ProcessInfo {
  unsigned pid;
  unsigned long long memory;
  unsigned gpuInstance, computeInstance;
};
int nvmlDeviceGetComputeRunningProcesses_v2(void* device, unsigned* count, ProcessInfo* processes) {
  const unsigned have = isSecond(device) ? 2 : 1;
  if (*count < have) {
    *count = have;
    return 7;  // insufficient size
  }
  *count = have;
  processes[0] = {static_cast<unsigned>(::getpid()), 5000, ~0U, ~0U};
  if (have == 2) processes[1] = {1, ~0ULL, ~0U, ~0U};
  return 0;
}
int nvmlEventSetCreate(void** set) {
  *set = devices;
  return 0;
}
int nvmlEventSetFree(void*) {
  return 0;
}
int nvmlDeviceRegisterEvents(void*, unsigned long long types, void*) {
  return types == 8 ? 0 : 3;
}
int nvmlEventSetWait_v2(void*, void* data, unsigned) {
  if (xidTold) return 10;  // time is over
  xidTold = true;
  const unsigned long long event[2] = {8, 79};  // "GPU has fallen off the bus"
  std::memcpy(static_cast<char*>(data) + sizeof(void*), event, sizeof event);
  return 0;
}
}
