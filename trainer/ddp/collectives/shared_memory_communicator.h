// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "trainer/ddp/collectives/communicator.h"

namespace lockstep::trainer {

/// A piece of memory that processes of one machine and one user share. It has no name in any file system, so
/// nothing is left behind however the processes end, and the limit of a container's /dev/shm does not hold
/// for it.
class SharedSegment {
 public:
  static Result<SharedSegment> create(std::size_t bytes);
  /// `path`: what path() of the creating process `owner` says; that process must still hold its segment.
  /// PermissionDenied for any other path, DataLoss for anything there that is no segment of that size: a path
  /// comes over a store that strangers may write to, and gradients would be written over whatever it leads
  /// to.
  static Result<SharedSegment> open(const std::string& path, int owner, std::size_t bytes);
  SharedSegment(SharedSegment&& other) noexcept;
  SharedSegment& operator=(SharedSegment&&) = delete;
  ~SharedSegment();
  /// For the other processes: "/proc/<pid>/fd/<n>".
  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  SharedSegment(std::byte* data, std::size_t bytes, int fd) : data_(data), bytes_(bytes), fd_(fd) {}
  static Result<SharedSegment> map(int fd, std::size_t bytes);
  std::byte* data_;
  std::size_t bytes_;
  int fd_;
};

inline constexpr std::size_t kSharedSlotFloats =
    704 * 1024;  // the gradients of the guide's network in one piece

/// Bytes of the segment for that many ranks.
[[nodiscard]] std::size_t sharedSegmentBytes(int worldSize);

/// Sums through memory: every rank copies its range into a slot of its own, one barrier, and every rank adds
/// all slots in rank order, so the sums are equal to the bit. The slots are doubled, which makes a second
/// barrier needless. A rank that dies leaves the others waiting: the peer watch has to end them. A live one
/// that does not come is DeadlineExceeded after `timeout`.
std::unique_ptr<Communicator> makeSharedMemoryCommunicator(SharedSegment segment, int rank, int worldSize,
                                                           std::chrono::milliseconds timeout);

}  // namespace lockstep::trainer
