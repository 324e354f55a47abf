// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/training_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <random>

#include "base/atomic_file.h"
#include "trainer/ddp/batch_loader.h"
#include "trainer/ddp/drawn_data.h"
#include "trainer/ddp/exit_codes.h"
#include "trainer/ddp/rank_gathering.h"

namespace lockstep::trainer {
namespace {

using Steady = std::chrono::steady_clock;
constexpr const char* kModelFileName = "cifar_net.pt";

double secondsSince(Steady::time_point start) {
  return std::chrono::duration<double>(Steady::now() - start).count();
}

// One line, at once: whoever reads our output through a pipe follows the training by it.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  fmt::print("{}\n", fmt::format(format, std::forward<Args>(args)...));
  std::fflush(stdout);
}

StepRecord recordOf(const StepResult& result, const TrainOptions& options, int samples, double seconds,
                    double dataMs, int epoch) {
  StepRecord record;
  record.loss = result.loss;
  record.learningRate = options.learningRate;
  record.samplesPerSecond = samples / seconds;
  record.stepMs = seconds * 1e3;
  record.dataMs = dataMs;
  record.forwardMs = result.times.forward;
  record.backwardMs = result.times.backward;
  record.waitMs = result.times.wait;
  record.optimizerMs = result.times.optimizer;
  record.epoch = epoch;
  return record;
}

}  // namespace

TrainingSession::TrainingSession(TrainOptions options, JobPlace place,
                                 std::map<std::string, std::string> environment, Ending& ending)
    : options_(std::move(options)),
      place_(std::move(place)),
      environment_(std::move(environment)),
      ending_(ending) {}

Result<void> TrainingSession::checkOptions() const {
  if (options_.backend == "nccl") {
    return failure(StatusCode::InvalidArgument, "cannot train over --backend nccl",
                   "this build has no NCCL: its LibTorch is for CPUs only",
                   "train with --backend gloo, or build against a LibTorch with CUDA");
  }
  if (options_.model != "cifar") {
    return failure(StatusCode::InvalidArgument, fmt::format("cannot measure --model {}", options_.model),
                   "this build has the network 'cifar' only", "use --model cifar");
  }
  if (options_.precision != "fp32") {
    return failure(StatusCode::InvalidArgument,
                   fmt::format("cannot compute in --precision {}", options_.precision),
                   "this build computes in fp32 only", "use --precision fp32");
  }
  return {};
}

int TrainingSession::exitCodeOf(const Status& status) const {
  if (status.code == StatusCode::InvalidArgument) return kExitUsage;
  const bool late = status.code == StatusCode::DeadlineExceeded;
  const bool cutOff = status.code == StatusCode::Unavailable || status.code == StatusCode::NotFound;
  if (phase_ == Phase::Joining) {
    if (status.code == StatusCode::FailedPrecondition) return kExitDisagreement;
    return late || cutOff ? kExitNotJoined : kExitFailed;
  }
  if (phase_ == Phase::Training && late) return kExitTimedOut;
  return phase_ == Phase::Training && status.code == StatusCode::Unavailable ? kExitPeerLost : kExitFailed;
}

Result<void> TrainingSession::run() {
  if (auto usable = checkOptions(); !usable) return usable;
  if (auto opened = openMetrics(); !opened) return opened;
  if (options_.benchSteps == 0) {
    if (auto loaded = loadData(); !loaded) return loaded;
  }
  if (auto joined = join(); !joined) return joined;
  if (auto made = makeReplica(); !made) return made;
  if (auto done = options_.benchSteps > 0 ? bench() : trainEpochs(); !done) return done;
  if (!metrics_->flush(std::chrono::seconds(20))) {
    say("warning: rank {}: the last metrics could not be stored in time", place_.rank);
  }
  return {};
}

Result<void> TrainingSession::openMetrics() {
  auto opened = MetricsSession::open(options_, environment_, place_);
  if (!opened) {
    // Training is what counts: it goes on unobserved, and says so.
    say("warning: rank {}: no metrics are pushed: {}", place_.rank, describe(opened.error()));
    options_.noMetrics = true;
    opened = MetricsSession::open(options_, environment_, place_);
    if (!opened) return failure(opened.error());
  } else if (MetricsSession::destination(options_, environment_).empty() && place_.rank == 0 &&
             !options_.noMetrics) {
    say("No metrics are pushed: neither --work-dir nor OCI__WORK_DIR says where to.");
  }
  metrics_ = std::move(*opened);
  ending_.beforeExit([this](int, const std::string&) { metrics_->flush(std::chrono::seconds(2)); });
  return {};
}

Result<void> TrainingSession::loadData() {
  if (options_.makeData > 0) {
    const auto drawn = drawUnlessThere(options_.dataDir, options_.makeData, options_.seed);
    if (!drawn) return failure(drawn.error());
    if (*drawn)
      say("Drew {} training and {} test images into '{}'", options_.makeData, options_.makeData / 5,
          options_.dataDir);
  }
  auto data = readCifar10(options_.dataDir);
  if (!data) return failure(data.error());
  data_ = std::move(*data);
  sampler_.emplace(data_.train.size(), place_.rank, place_.worldSize, options_.seed);
  return {};
}

Result<void> TrainingSession::join() {
  phase_ = Phase::Joining;
  const auto interface = environment_.find("GLOO_SOCKET_IFNAME");
  const GatherOptions options{options_.timeout, interface == environment_.end() ? "" : interface->second,
                              !options_.noSharedMemory};
  auto gathered = gatherRanks(place_, environment_, options, ending_);
  if (!gathered) return failure(gathered.error());
  gathering_ = std::move(gathered->gathering);
  watch_ = std::move(gathered->watch);
  communicator_ = std::move(gathered->communicator);
  phase_ = Phase::Training;
  return {};
}

int TrainingSession::threadCount() const {
  if (options_.threads > 0) return options_.threads;
  if (const auto asked = environment_.find("OMP_NUM_THREADS"); asked != environment_.end()) {
    return std::max(1, std::atoi(asked->second.c_str()));
  }
  const int ranksHere = place_.alone() ? 1 : gathering_.ranksOnMachineOf(place_.rank);
  return std::max(1, usableCores() / ranksHere);
}

Result<void> TrainingSession::makeReplica() {
  ReplicaSetup setup;
  setup.seed = options_.seed;
  setup.rank = place_.rank;
  setup.worldSize = place_.worldSize;
  setup.maxBatchSize = options_.batchSize;
  setup.threads = threadCount();
  setup.dropout = options_.dropout;
  setup.overlap = !place_.alone() && !gathering_.allOnOneMachine();
  auto replica = Replica::make(setup, *communicator_);
  if (!replica) return failure(replica.error());
  replica_.emplace(std::move(*replica));
  if (options_.benchSteps == 0) {
    say("Rank {} of {}: {} training and {} test images, batch {}, {} threads, gradients over {}", place_.rank,
        place_.worldSize, data_.train.size(), data_.test.size(), options_.batchSize, setup.threads,
        communicator_->name());
  }
  return {};
}

long long TrainingSession::stepsPerEpoch() const {
  const auto batch = static_cast<std::size_t>(options_.batchSize);
  return static_cast<long long>((sampler_->samplesPerRank() + batch - 1) / batch);
}

Result<void> TrainingSession::trainEpochs() {
  metrics_->recordTotalSteps(stepsPerEpoch() * options_.epochs);
  for (int epoch = 0; epoch < options_.epochs; ++epoch) {
    const auto start = Steady::now();
    const auto loss = trainEpoch(epoch);
    if (!loss) return failure(loss.error());
    if (auto done = evaluate(epoch, *loss, secondsSince(start)); !done) return done;
  }
  say("Finished Training");
  return save();
}

Result<double> TrainingSession::trainEpoch(int epoch) {
  const std::vector<std::size_t> order = sampler_->indices(epoch);
  const auto batch = static_cast<std::size_t>(options_.batchSize);
  double sum = 0;
  double sincePrint = 0;
  int steps = 0;
  for (std::size_t from = 0; from < order.size(); from += batch) {
    const auto indices = std::span(order).subspan(from, std::min(batch, order.size() - from));
    const auto record = trainStep(indices, epoch);
    if (!record) return failure(record.error());
    ++steps;
    sum += record->loss;
    sincePrint += record->loss;
    if (steps % options_.printFreq == 0) {
      say("[{}, {:5}] loss: {:.3f}", epoch + 1, steps, sincePrint / options_.printFreq);
      sincePrint = 0;
    }
  }
  return sum / std::max(steps, 1);
}

Result<StepRecord> TrainingSession::trainStep(std::span<const std::size_t> indices, int epoch) {
  const auto start = Steady::now();
  const int samples = static_cast<int>(indices.size());
  const auto input = replica_->input(samples);
  gatherBatch(data_.train, indices, input.pixels, input.labels);
  const double dataMs = secondsSince(start) * 1e3;
  const auto result = replica_->step(samples, options_.learningRate, options_.momentum);
  if (!result) return failure(result.error());
  const StepRecord record = recordOf(*result, options_, samples, secondsSince(start), dataMs, epoch);
  if (auto done = afterStep(record); !done) return failure(done.error());
  return record;
}

Result<void> TrainingSession::afterStep(const StepRecord& record) {
  metrics_->recordStep(step_++, record);
  if (const auto problem = metrics_->newProblem()) {
    say("warning: rank {}: metrics are not stored for now: {}", place_.rank, describe(*problem));
  }
  if (ending_.terminationAsked()) ending_.exitAsAsked(step_);
  if (std::isfinite(record.loss)) return {};
  return failure(StatusCode::FailedPrecondition,
                 fmt::format("the loss of rank {} became {} at step {}", place_.rank, record.loss, step_ - 1),
                 {}, "train with a smaller --learning-rate");
}

Result<void> TrainingSession::evaluate(int epoch, double epochLoss, double epochSeconds) {
  EvaluationCounts counts;
  const auto batch = static_cast<std::size_t>(options_.batchSize);
  std::vector<std::size_t> mine;  // no padding: every test image counts once
  for (auto i = static_cast<std::size_t>(place_.rank); i < data_.test.size();
       i += static_cast<std::size_t>(place_.worldSize))
    mine.push_back(i);
  for (std::size_t from = 0; from < mine.size(); from += batch) {
    const auto indices =
        std::span<const std::size_t>(mine).subspan(from, std::min(batch, mine.size() - from));
    const auto input = replica_->input(static_cast<int>(indices.size()));
    gatherBatch(data_.test, indices, input.pixels, input.labels);
    replica_->evaluate(static_cast<int>(indices.size()), counts);
    if (ending_.terminationAsked()) ending_.exitAsAsked(step_);
  }
  std::vector<float> sums(counts.seen.begin(), counts.seen.end());
  sums.insert(sums.end(), counts.right.begin(), counts.right.end());
  sums.push_back(static_cast<float>(counts.lossSum));
  sums.push_back(static_cast<float>(epochLoss));
  if (auto summed = communicator_->sum(sums); !summed) return summed;
  if (place_.rank != 0) return {};
  const auto all = std::span<const float>(sums);
  const float seen = std::accumulate(all.begin(), all.begin() + kClassCount, 0.0F);
  const float right = std::accumulate(all.begin() + kClassCount, all.begin() + 2 * kClassCount, 0.0F);
  const double meanLoss = all[2 * kClassCount + 1] / static_cast<float>(place_.worldSize);
  const double accuracy = 100.0 * right / std::max(seen, 1.0F);
  say("Epoch {}/{}: loss {:.3f}, test loss {:.3f}, accuracy {:.1f} %, {:.1f} s", epoch + 1, options_.epochs,
      meanLoss, all[2 * kClassCount] / std::max(seen, 1.0F), accuracy, epochSeconds);
  metrics_->recordEvaluation(step_ - 1, meanLoss, accuracy);
  if (epoch + 1 == options_.epochs)
    printAccuracy(all.first(kClassCount), all.subspan(kClassCount, kClassCount));
  return {};
}

void TrainingSession::printAccuracy(std::span<const float> seen, std::span<const float> right) const {
  const float all = std::accumulate(seen.begin(), seen.end(), 0.0F);
  const float good = std::accumulate(right.begin(), right.end(), 0.0F);
  say("Accuracy of the network on the {:.0f} test images: {:.1f} %", all, 100 * good / std::max(all, 1.0F));
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] > 0)
      say("Accuracy for class: {:10} is {:.1f} %", data_.classNames[i], 100 * right[i] / seen[i]);
  }
}

Result<void> TrainingSession::save() {
  if (place_.rank == 0) {
    std::error_code error;
    std::filesystem::create_directories(options_.outputDir, error);
    if (error)
      return failure(errnoStatus(fmt::format("cannot create the output folder '{}'", options_.outputDir),
                                 error.value()));
    const auto path = std::filesystem::path(options_.outputDir) / kModelFileName;
    if (auto wrote = writeFileAtomically(path, replica_->stateDictBytes()); !wrote) return wrote;
    say("Saved the model as '{}'", path.string());
  }
  return communicator_->barrier();  // nobody calls it done before the model is on disk
}

void TrainingSession::fillFixedBatch() {
  const auto input = replica_->input(options_.batchSize);
  std::mt19937 random(static_cast<std::uint32_t>(place_.rank) + 1);
  for (float& pixel : input.pixels) pixel = static_cast<float>(random() % 256) / 127.5F - 1.0F;
  for (std::int64_t& label : input.labels) label = random() % kClassCount;
}

Result<void> TrainingSession::bench() {
  constexpr int kWarmUpSteps = 20;
  fillFixedBatch();
  std::vector<StepRecord> records;
  long long firstStepNs = 0;
  Steady::time_point start;
  for (int i = 0; i < kWarmUpSteps + options_.benchSteps; ++i) {
    if (i == kWarmUpSteps) {
      if (auto all = communicator_->barrier(); !all) return all;
      start = Steady::now();
    }
    const auto stepStart = Steady::now();
    const auto result = replica_->step(options_.batchSize, options_.learningRate, options_.momentum);
    if (!result) return failure(result.error());
    if (i == 0) firstStepNs = SystemClock().now().time_since_epoch().count();
    StepRecord record = recordOf(*result, options_, options_.batchSize, secondsSince(stepStart), 0, 0);
    const auto recordStart = Steady::now();
    if (auto done = afterStep(record); !done) return done;
    record.recordMs = secondsSince(recordStart) * 1e3;
    if (i >= kWarmUpSteps) records.push_back(record);
  }
  printResult(records, secondsSince(start), firstStepNs);
  return communicator_->barrier();
}

void TrainingSession::printResult(std::vector<StepRecord>& records, double elapsed,
                                  long long firstStepNs) const {
  const auto median = [&](double StepRecord::*part) {
    const auto middle = records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2);
    std::nth_element(records.begin(), middle, records.end(),
                     [part](const auto& a, const auto& b) { return a.*part < b.*part; });
    return *middle.*part;
  };
  const double samples = static_cast<double>(records.size()) * options_.batchSize * place_.worldSize;
  say("RESULT rank={} world={} variant=lockstep-{} samples_per_s={:.1f} step_ms_median={:.3f} elapsed={:.3f} "
      "hwm_mb={:.1f} "
      "first_step_wall_ns={}",
      place_.rank, place_.worldSize, communicator_->name(), samples / elapsed, median(&StepRecord::stepMs),
      elapsed, peakResidentMiB(), firstStepNs);
  say("TIMING rank={} fwd={:.3f} bwd={:.3f} wait={:.3f} opt={:.3f} record={:.4f}", place_.rank,
      median(&StepRecord::forwardMs), median(&StepRecord::backwardMs), median(&StepRecord::waitMs),
      median(&StepRecord::optimizerMs), median(&StepRecord::recordMs));
}

}  // namespace lockstep::trainer
