// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/collectives/shared_memory_communicator.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "trainer/optim/flat_kernels.h"

namespace lockstep::trainer {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::size_t kHeaderBytes = 4096;  // keeps the slots on pages of their own

// At the start of the segment. Zeroed memory is its initial state.
struct Barrier {
  alignas(64) std::atomic<std::uint32_t> arrived;
  alignas(64) std::atomic<std::uint32_t> generation;
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(Barrier) <= kHeaderBytes);

constexpr int kSeals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW;

// "/proc/<owner>/fd/<n>" and nothing else.
bool isDescriptorOf(int owner, const std::string& path) {
  const std::string folder = fmt::format("/proc/{}/fd/", owner);
  const std::string_view number = std::string_view(path).substr(std::min(folder.size(), path.size()));
  return path.starts_with(folder) && !number.empty() && number.size() <= 9 &&
         number.find_first_not_of("0123456789") == std::string_view::npos;
}

void pauseCore() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

void futexWait(std::atomic<std::uint32_t>& word, std::uint32_t expected) {
  const timespec limit{0, 50'000'000};
  ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT, expected, &limit, nullptr, 0);
}

void futexWakeAll(std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

class SharedMemoryCommunicator final : public Communicator {
 public:
  SharedMemoryCommunicator(SharedSegment segment, int rank, int worldSize, std::chrono::milliseconds timeout)
      : segment_(std::move(segment)),
        rank_(static_cast<std::size_t>(rank)),
        worldSize_(static_cast<std::size_t>(worldSize)),
        timeout_(timeout) {}
  [[nodiscard]] const char* name() const override { return "shared-memory"; }
  [[nodiscard]] bool measuresWaiting() const override { return true; }

  Result<void> start(std::span<float> data) override {
    started_.push_back(data);
    return {};
  }

  Result<void> finish() override {
    for (std::span<float> data : std::exchange(started_, {})) {
      while (!data.empty()) {
        const std::size_t count = std::min(data.size(), kSharedSlotFloats);
        if (auto summed = sumPiece(data.first(count)); !summed) return summed;
        data = data.subspan(count);
      }
    }
    return {};
  }

  Result<void> broadcast(std::span<float> data) override {
    if (rank_ != 0) std::fill(data.begin(), data.end(), 0.0F);
    return sum(data);
  }

 private:
  float* slot(std::size_t rank) {
    auto* slots = reinterpret_cast<float*>(segment_.data() + kHeaderBytes);
    return slots + (parity_ * worldSize_ + rank) * kSharedSlotFloats;
  }

  Result<void> sumPiece(std::span<float> data) {
    const auto begun = Steady::now();
    std::memcpy(slot(rank_), data.data(), data.size_bytes());
    const auto copied = Steady::now();
    if (auto all = waitForAll(); !all) return all;
    const auto together = Steady::now();
    sumSlots(data);
    const std::chrono::duration<double, std::milli> waited = together - copied;
    times_.waitMs += waited.count();
    times_.transferMs +=
        std::chrono::duration<double, std::milli>(Steady::now() - begun).count() - waited.count();
    // Whoever writes into these slots again has passed the next barrier, and we come to that one only after
    // reading.
    parity_ ^= 1;
    return {};
  }

  // In the order of the ranks, so that all get the same to the bit. Of two ranks the order does not matter,
  // and `data` is one of them. More go block by block, so that the sum stays in the nearest cache.
  void sumSlots(std::span<float> data) {
    constexpr std::size_t kBlock = 4096;
    if (worldSize_ == 2) return addInto(data, {slot(1 - rank_), data.size()});
    for (std::size_t from = 0; from < data.size(); from += kBlock) {
      const std::span<float> block = data.subspan(from, std::min(kBlock, data.size() - from));
      std::memcpy(block.data(), slot(0) + from, block.size_bytes());
      for (std::size_t rank = 1; rank < worldSize_; ++rank) addInto(block, {slot(rank) + from, block.size()});
    }
  }

  Result<void> waitForAll() {
    // Ranks come within a fraction of a millisecond of each other. To be woken takes about as long, so the
    // core is kept for a while, as long as nobody else wants it.
    constexpr int kSpins = 2000, kYields = 2000;
    auto& barrier = *reinterpret_cast<Barrier*>(segment_.data());
    const std::uint32_t generation = barrier.generation.load(std::memory_order_acquire);
    if (barrier.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == worldSize_) {
      barrier.arrived.store(0, std::memory_order_relaxed);
      barrier.generation.fetch_add(1, std::memory_order_release);
      futexWakeAll(barrier.generation);
      return {};
    }
    for (int i = 0; i < kSpins + kYields; ++i) {
      if (barrier.generation.load(std::memory_order_acquire) != generation) return {};
      if (i < kSpins)
        pauseCore();
      else
        ::sched_yield();
    }
    const auto deadline = Steady::now() + timeout_;
    while (barrier.generation.load(std::memory_order_acquire) == generation) {
      futexWait(barrier.generation, generation);
      if (Steady::now() > deadline) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout_).count();
        return failure(ErrorCode::DeadlineExceeded, "cannot sum the gradients over all ranks",
                       fmt::format("not every rank came to this step within {} s", seconds));
      }
    }
    return {};
  }

  SharedSegment segment_;
  std::size_t rank_, worldSize_;
  std::chrono::milliseconds timeout_;
  std::size_t parity_ = 0;
  std::vector<std::span<float>> started_;
};

}  // namespace

Result<SharedSegment> SharedSegment::create(std::size_t bytes) {
  const int fd = ::memfd_create("lockstep-gradients", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return failure(errnoError("cannot create shared memory", errno));
  // Takes the pages now, so that a machine without room says so here and not in the middle of a step.
  if (const int error = ::posix_fallocate(fd, 0, static_cast<off_t>(bytes)); error != 0) {
    ::close(fd);
    Error status = errnoError(fmt::format("cannot reserve {} bytes of shared memory", bytes), error);
    status.code = ErrorCode::ResourceExhausted;
    return failure(status);
  }
  // Nobody can cut it short under the others, who would die of that; and they know it by this.
  if (::fcntl(fd, F_ADD_SEALS, kSeals) != 0) {
    const int error = errno;
    ::close(fd);
    return failure(errnoError("cannot seal shared memory", error));
  }
  return map(fd, bytes);
}

Result<SharedSegment> SharedSegment::open(const std::string& path, int owner, std::size_t bytes) {
  const std::string what = fmt::format("cannot open the shared memory '{}'", path);
  if (!isDescriptorOf(owner, path))
    return failure(ErrorCode::PermissionDenied, what,
                   fmt::format("it is nothing that process {} holds", owner));
  const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return failure(errnoError(what, errno));
  const int seals = ::fcntl(fd, F_GET_SEALS);  // the system may have added some
  struct stat found {};
  if (seals >= 0 && (seals & kSeals) == kSeals && ::fstat(fd, &found) == 0 && found.st_uid == ::geteuid() &&
      found.st_size == static_cast<off_t>(bytes))
    return map(fd, bytes);
  ::close(fd);
  return failure(ErrorCode::DataLoss, what, "it is no memory of this job");
}

Result<SharedSegment> SharedSegment::map(int fd, std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory != MAP_FAILED) return SharedSegment(static_cast<std::byte*>(memory), bytes, fd);
  const int error = errno;
  ::close(fd);
  return failure(errnoError(fmt::format("cannot map {} bytes of shared memory", bytes), error));
}

SharedSegment::SharedSegment(SharedSegment&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_), fd_(std::exchange(other.fd_, -1)) {}

SharedSegment::~SharedSegment() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
  if (fd_ >= 0) ::close(fd_);
}

std::string SharedSegment::path() const {
  return fmt::format("/proc/{}/fd/{}", ::getpid(), fd_);
}

std::size_t sharedSegmentBytes(int worldSize) {
  return kHeaderBytes + 2 * static_cast<std::size_t>(worldSize) * kSharedSlotFloats * sizeof(float);
}

std::unique_ptr<Communicator> makeSharedMemoryCommunicator(SharedSegment segment, int rank, int worldSize,
                                                           std::chrono::milliseconds timeout) {
  return std::make_unique<SharedMemoryCommunicator>(std::move(segment), rank, worldSize, timeout);
}

}  // namespace lockstep::trainer
