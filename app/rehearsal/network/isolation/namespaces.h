// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace lockstep::rehearsal {

/// A descriptor that closes itself.
class OwnedFd {
 public:
  OwnedFd() = default;
  explicit OwnedFd(int fd) : fd_(fd) {}
  ~OwnedFd();
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// By what right namespaces are made: as root, or inside a user namespace in which the user is itself and
/// nobody else exists.
enum class Privilege { Root, UserNamespace };

/// Why a user may not make namespaces, with what would change that.
[[nodiscard]] tl::unexpected<Error> namespaceError(const std::string& what, int error);
/// Makes a user namespace and moves this process, which must have one thread, into it.
Result<void> enterNewUserNamespace();
/// Moves the calling thread into a new network namespace.
Result<void> enterNewNetwork();
[[nodiscard]] OwnedFd openOwnNetwork();

/// The switch of one VCN: a bridge in a network namespace of its own, which lives as long as some process
/// holds a descriptor of it. Holders leave a record in `folder`, where the next one finds them; a record of a
/// process that has gone counts for nothing. To be used under the lock on that folder.
class SwitchRecords {
 public:
  explicit SwitchRecords(std::filesystem::path folder) : folder_(std::move(folder)) {}

  struct Holder {
    OwnedFd network;   // of the switch
    int process = -1;  // that holds it
  };
  /// A living holder; `network` is not valid when there is none.
  [[nodiscard]] Holder find() const;
  /// Removes what the dead left, unless somebody has the lock just now. The caller has it not.
  void forgetTheDead() const;
  Result<void> add(const OwnedFd& network) const;
  /// Waits for the lock, which goes with the descriptor. `wait` false: not valid when somebody else has it.
  [[nodiscard]] OwnedFd lock(bool wait) const;
  void removeOwn() const;

 private:
  [[nodiscard]] std::vector<std::filesystem::path> files() const;
  [[nodiscard]] static Holder holderOf(const std::filesystem::path& record);
  std::filesystem::path folder_;
};

}  // namespace lockstep::rehearsal
