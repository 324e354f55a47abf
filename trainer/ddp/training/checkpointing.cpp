// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/training/checkpointing.h"

#include <algorithm>
#include <filesystem>

#include "base/child_process.h"
#include "trainer/ddp/base/work_dir_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::trainer {
namespace {

using Environment = std::map<std::string, std::string>;

struct StorePlace {
  std::string uri, prefix;
};

Result<StorePlace> placeOf(const TrainOptions& options, const Environment& environment) {
  if (options.checkpointDir == "work-dir") {
    const std::string uri =
        options.workDir.empty() ? environmentValue(environment, "OCI__WORK_DIR") : options.workDir;
    std::string job = options.jobId.empty() ? environmentValue(environment, "JOB_OCID") : options.jobId;
    if (job.empty()) job = "Undefined";
    if (!uri.empty()) return StorePlace{uri, layout::jobFolder(job) + "lockstep/checkpoints/"};
    return failure(ErrorCode::InvalidArgument, "--checkpoint-dir work-dir needs a work dir",
                   "neither --work-dir nor OCI__WORK_DIR says where it is", "name one with --work-dir");
  }
  if (options.checkpointDir.find("://") != std::string::npos) return StorePlace{options.checkpointDir, ""};
  return StorePlace{std::filesystem::absolute(options.checkpointDir).lexically_normal().string(), ""};
}

}  // namespace

Result<std::shared_ptr<CheckpointStore>> openCheckpoints(const TrainOptions& options,
                                                         const RankContext& place,
                                                         const Environment& environment) {
  std::shared_ptr<CheckpointStore> checkpoints;
  if (options.checkpointDir.empty() && options.resume.value_or(false))
    return failure(ErrorCode::InvalidArgument, "--resume needs --checkpoint-dir",
                   "there is nothing to go on from",
                   "name the folder of the checkpoints with --checkpoint-dir");
  if (options.checkpointDir.empty() || place.rank != 0) return checkpoints;
  const auto where = placeOf(options, environment);
  if (!where) return failure(where.error());
  auto store = openStore(where->uri, environment);
  if (!store) return failure(store.error());
  checkpoints = std::make_shared<CheckpointStore>(*store, where->prefix, options.keepCheckpoints);
  if (options.resume.value_or(place.restarts > 0)) {
    const auto goesOn = checkpoints->continueTraining({});
    if (!goesOn) return failure(goesOn.error());
    if (*goesOn) return checkpoints;
  }
  if (auto begun = checkpoints->beginTraining({}); !begun) return failure(begun.error());
  return checkpoints;
}

Checkpointing::Checkpointing(const TrainingContext& context, std::shared_ptr<CheckpointStore> store)
    : context_(context), store_(std::move(store)), enabled_(!context.options.checkpointDir.empty()) {
  if (enabled_) context_.ending.setGrace(context_.options.grace);
  if (!store_) return;
  writer_ = std::make_shared<CheckpointWriter>(*store_);
  // Whatever ends this process: a checkpoint that is on its way still arrives, if it can within the grace
  // time.
  context_.ending.beforeExit(
      [writer = writer_, grace = context_.options.grace](int, const std::string&) { writer->flush(grace); });
}

bool Checkpointing::isResuming() const {
  return enabled_ && context_.options.resume.value_or(context_.place.restarts > 0);
}

void Checkpointing::reportRestart() const {
  const RankContext& place = context_.place;
  if (place.restarts == 0 || place.rank != 0) return;
  if (!enabled_)
    return say(
        "warning: restart {}: starting from the beginning, because without --checkpoint-dir nothing was kept",
        place.restarts);
  if (!isResuming())
    return say("Restart {}: starting from the beginning, as --no-resume has it", place.restarts);
  say("Restart {}: going on from the last checkpoint, unless there is none (--no-resume starts anew)",
      place.restarts);
}

Result<std::string> Checkpointing::loadForAll() {
  if (!store_) return std::string();
  // A restart that was not told to resume must not take up what an earlier training has left there.
  const bool told = context_.options.resume.has_value();
  auto loaded = store_->load({}, told ? CheckpointStore::From::Any : CheckpointStore::From::OwnTraining);
  if (!loaded) return failure(loaded.error());
  if (!*loaded) {
    say("No checkpoint{} in '{}' yet: starting from the beginning", told ? "" : " of this training",
        store_->describe());
    return std::string();
  }
  for (const std::string& broken : (*loaded)->passedOver) say("warning: {}; taking the one before", broken);
  return std::move((*loaded)->bytes);
}

Result<std::string> Checkpointing::shareText(std::string text) {
  auto size = static_cast<float>(text.size());
  if (auto sent = context_.communicator.broadcast({&size, 1}); !sent) return failure(sent.error());
  std::vector<float> letters(text.begin(), text.end());
  letters.resize(static_cast<std::size_t>(size));
  if (letters.empty()) return std::string();
  if (auto sent = context_.communicator.broadcast(letters); !sent) return failure(sent.error());
  return std::string(letters.begin(), letters.end());
}

Result<TrainingPosition> Checkpointing::begin(const TrainingPosition& beginning) {
  reportRestart();
  if (!isResuming()) return beginning;
  const auto bytes = loadForAll();
  if (!bytes) return failure(bytes.error());
  auto found = static_cast<float>(bytes->empty() ? 0 : 1);
  if (auto sent = context_.communicator.broadcast({&found, 1}); !sent) return failure(sent.error());
  return found == 0 ? Result<TrainingPosition>(beginning) : restore(*bytes, beginning);
}

Result<TrainingPosition> Checkpointing::restore(const std::string& bytes, const TrainingPosition& beginning) {
  const auto text = context_.replica.restore(bytes);
  if (!text) return failure(text.error());
  const auto shared = shareText(*text);
  if (!shared) return failure(shared.error());
  auto position = positionFrom(*shared);
  if (!position) return position;
  lastSaved_ = position->step;
  if (position->seed != beginning.seed && context_.place.rank == 0)
    say("warning: the checkpoint was made with --seed {}: order and draws go on with {}", position->seed,
        beginning.seed);
  position->seed = beginning.seed;
  if (store_) say("Resumed from the checkpoint of step {} in '{}'", position->step, store_->describe());
  return position;
}

void Checkpointing::save(const TrainingPosition& position) {
  if (!writer_ || position.step == lastSaved_) return;
  lastSaved_ = position.step;
  writer_->submit(position.step, context_.replica.archiveBytes(toText(position)));
}

void Checkpointing::reportOutcome(const TrainingPosition& position) {
  const auto outcome = writer_ ? writer_->popOutcome() : std::nullopt;
  if (!outcome) return;
  if (outcome->result) {
    say("Saved a checkpoint of step {} in '{}'", outcome->step, store_->describe());
    // In the row of the step that was the last one: a row of an earlier one would look like a restart.
    context_.metrics.recordCheckpoint(std::max(position.step - 1, 0LL), outcome->step);
  } else {
    say("warning: the checkpoint of step {} could not be saved: {}", outcome->step,
        lockstep::describe(outcome->result.error()));
  }
}

void Checkpointing::afterStep(const TrainingPosition& position) {
  reportOutcome(position);
  const int every = context_.options.checkpointEvery;
  if (every > 0 && position.step % every == 0) save(position);
}

void Checkpointing::afterEpoch(const TrainingPosition& position) {
  reportOutcome(position);
  // Saved again when the last step has already been: this one knows what the evaluation found.
  if (context_.options.checkpointEvery > 0) return;
  save(position);
}

void Checkpointing::saveNow(const TrainingPosition& position) {
  if (!enabled_) return;
  save(position);
  finish(position);
}

void Checkpointing::finish(const TrainingPosition& position) {
  if (!writer_) return;
  if (!writer_->flush(context_.options.grace))
    say("warning: the last checkpoint is not saved after {} s", context_.options.grace.count());
  reportOutcome(position);
}

}  // namespace lockstep::trainer
