// SPDX-License-Identifier: GPL-3.0-or-later
// A libnccl.so.2 for tests: the ranks are threads of one process, the memory is the host's, and a "stream" is
// ignored: every call is done when it returns. What NCCL_LIBRARY names. Declarations as in nccl.h.
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace {

constexpr int kSuccess = 0, kInvalidUsage = 5, kRemoteError = 6;

struct Job {
  std::mutex mutex;
  std::condition_variable changed;
  int worldSize = 0, arrived = 0, generation = 0;
  bool broken = false;
  std::vector<const float*> from;
  std::vector<std::vector<float>> copies;

  // Everybody's numbers, once all have brought them.
  std::vector<std::vector<float>> gather(int rank, const float* data, std::size_t count) {
    std::unique_lock lock(mutex);
    const int mine = generation;
    if (arrived == 0) copies.assign(static_cast<std::size_t>(worldSize), {});
    copies[static_cast<std::size_t>(rank)].assign(data, data + count);
    if (++arrived == worldSize) {
      arrived = 0;
      ++generation;
      done = copies;
      changed.notify_all();
    }
    changed.wait(lock, [&] { return generation != mine || broken; });
    return broken ? std::vector<std::vector<float>>() : done;
  }
  std::vector<std::vector<float>> done;
};

struct Comm {
  std::shared_ptr<Job> job;
  int rank;
};

std::mutex jobsMutex;
std::map<std::string, std::shared_ptr<Job>> jobs;
int nextJob = 1;

}  // namespace

struct Id {
  std::array<char, 128> bytes;
};

extern "C" {
int ncclGetVersion(int* version) {
  *version = 22809;
  return kSuccess;
}
const char* ncclGetErrorString(int result) {
  return result == kRemoteError ? "remote process exited or there was a network error" : "invalid usage";
}
const char* ncclGetLastError(void*) {
  return "";
}
int ncclGetUniqueId(Id* id) {
  const std::lock_guard lock(jobsMutex);
  id->bytes.fill('\0');
  const std::string name = "fake job " + std::to_string(nextJob++);
  std::memcpy(id->bytes.data(), name.data(), name.size());
  jobs[name] = std::make_shared<Job>();
  return kSuccess;
}
int ncclCommInitRank(void** comm, int worldSize, Id id, int rank) {
  std::shared_ptr<Job> job;
  {
    const std::lock_guard lock(jobsMutex);
    const auto found = jobs.find(id.bytes.data());
    if (found == jobs.end() || rank < 0 || rank >= worldSize) return kInvalidUsage;
    job = found->second;
  }
  {
    const std::lock_guard lock(job->mutex);
    job->worldSize = worldSize;
  }
  const float nothing = 0;
  job->gather(rank, &nothing, 1);
  *comm = new Comm{job, rank};
  return kSuccess;
}
int ncclAllReduce(const float* from, float* to, std::size_t count, int type, int operation, Comm* comm,
                  void*) {
  if (type != 7 || operation != 0) return kInvalidUsage;
  const auto all = comm->job->gather(comm->rank, from, count);
  if (all.empty()) return kRemoteError;
  std::vector<float> sum(count, 0);
  for (const auto& one : all) {
    if (one.size() != count) return kInvalidUsage;
    for (std::size_t i = 0; i < count; ++i) sum[i] += one[i];
  }
  std::memcpy(to, sum.data(), count * sizeof(float));
  return kSuccess;
}
int ncclBroadcast(const float* from, float* to, std::size_t count, int type, int root, Comm* comm, void*) {
  if (type != 7) return kInvalidUsage;
  const auto all = comm->job->gather(comm->rank, from, count);
  if (all.empty()) return kRemoteError;
  std::memcpy(to, all[static_cast<std::size_t>(root)].data(), count * sizeof(float));
  return kSuccess;
}
int ncclCommGetAsyncError(Comm* comm, int* result) {
  const std::lock_guard lock(comm->job->mutex);
  *result = comm->job->broken ? kRemoteError : kSuccess;
  return kSuccess;
}
int ncclCommAbort(Comm* comm) {  // frees it, as NCCL's does
  const std::unique_ptr<Comm> gone(comm);
  const std::lock_guard lock(comm->job->mutex);
  comm->job->broken = true;
  comm->job->changed.notify_all();
  return kSuccess;
}
int ncclCommDestroy(Comm* comm) {
  delete comm;
  return kSuccess;
}
}
