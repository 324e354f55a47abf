// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <string>

#include "trainer/checkpoint/checkpoint_store.h"
#include "trainer/checkpoint/checkpoint_writer.h"
#include "trainer/checkpoint/training_position.h"
#include "trainer/ddp/training/training_context.h"

namespace lockstep::trainer {

/// Where --checkpoint-dir points to, as rank 0 opens it before it joins the others: from then on a restart
/// knows which checkpoints are of this training. Null without --checkpoint-dir, and on the other ranks.
Result<std::shared_ptr<CheckpointStore>> openCheckpoints(
    const TrainOptions& options, const RankContext& place,
    const std::map<std::string, std::string>& environment);

/// The checkpoints of a training. Rank 0 reads and writes them for all, in the background; every rank makes
/// the same calls. Without --checkpoint-dir every call does nothing.
class Checkpointing {
 public:
  /// `store`: of openCheckpoints().
  Checkpointing(const TrainingContext& context, std::shared_ptr<CheckpointStore> store);

  /// With --resume, and without --no-resume where this is a restart (RankContext::restarts): puts every rank
  /// where the last good checkpoint was and returns its position; else, and when there is none yet, returns
  /// `beginning`. A restart takes only a checkpoint of its own training, and says in any case what it does.
  Result<TrainingPosition> begin(const TrainingPosition& beginning);
  void afterStep(const TrainingPosition& position);
  void afterEpoch(const TrainingPosition& position);
  /// A last one, written before this returns, unless the grace time ends first.
  void saveNow(const TrainingPosition& position);
  /// Waits for what is being written. The training does not fail for a checkpoint that could not be.
  void finish(const TrainingPosition& position);

 private:
  [[nodiscard]] bool isResuming() const;
  void reportRestart() const;
  Result<TrainingPosition> restore(const std::string& bytes, const TrainingPosition& beginning);
  Result<std::string> loadForAll();  // the bytes on rank 0, empty where there is none and on the others
  Result<std::string> shareText(std::string text);
  void save(const TrainingPosition& position);
  void reportOutcome(const TrainingPosition& position);

  TrainingContext context_;
  std::shared_ptr<CheckpointStore> store_;    // rank 0's; null: none, or another rank
  std::shared_ptr<CheckpointWriter> writer_;  // as store_
  bool enabled_ = false;
  long long lastSaved_ = -1;
};

}  // namespace lockstep::trainer
