// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "workdir/object_store.h"

namespace lockstep::trainer {

/// Checkpoints below a prefix of an object store (a folder of a disk or of a bucket):
///   step-0000000120.pt    the bytes
///   step-0000000120.json  {"v":1,"step":120,"bytes":N,"sha256":"…","training":"…"}, put after them: without
///                         it there is none
///   last-good             the name "step-0000000120", put after that
///   training              a word for the training that was begun last; its checkpoints have it
/// A crash at any moment leaves what was last good as it was. Blocks on network or disk; one thread.
class CheckpointStore {
 public:
  /// `keep`: so many are left, the newest; at least 1.
  CheckpointStore(std::shared_ptr<ObjectStore> store, std::string prefix, int keep);

  /// A new training begins: what is saved from now on is its own. What lies there stays.
  Result<void> beginTraining(const std::stop_token& stop);
  /// What is saved from now on belongs to the training that was begun last. False: none ever was.
  Result<bool> continueTraining(const std::stop_token& stop);

  Result<void> save(long long step, std::string_view bytes, const std::stop_token& stop);

  struct Loaded {
    long long step = 0;
    std::string bytes;
    std::vector<std::string> passedOver;  // newer ones that are broken, each with the reason
  };
  enum class From { Any, OwnTraining };
  /// The last good one whose bytes are those that were saved; nullopt when there never was one. DataLoss:
  /// there are some, and all are broken. OwnTraining: of those that beginTraining() or continueTraining()
  /// stands for.
  Result<std::optional<Loaded>> load(const std::stop_token& stop, From from = From::Any);
  /// For messages: "oci://bucket@namespace/job/lockstep/checkpoints".
  [[nodiscard]] std::string describe() const;

 private:
  Result<std::vector<long long>> steps(const std::stop_token& stop);       // of complete ones, rising
  Result<std::vector<long long>> candidates(const std::stop_token& stop);  // the best first
  Result<void> keepOwn(std::vector<long long>& steps, const std::stop_token& stop);
  Result<std::string> loadStep(long long step, const std::stop_token& stop);
  Result<void> removeOld(long long newest, const std::stop_token& stop);

  std::shared_ptr<ObjectStore> store_;
  std::string prefix_;
  std::size_t keep_;
  std::string training_;
};

}  // namespace lockstep::trainer
