// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/training/training_session.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/atomic_file.h"
#include "base/user_dirs.h"
#include "trainer/data/open_training_data.h"
#include "trainer/ddp/base/data_fetch.h"
#include "trainer/ddp/collectives/nccl_communicator.h"
#include "trainer/ddp/device/device_queue.h"
#include "trainer/ddp/rendezvous/rank_agreements.h"
#include "trainer/ddp/rendezvous/rank_gathering.h"
#include "trainer/ddp/training/epoch_loop.h"
#include "trainer/ddp/training/step_bench.h"

namespace lockstep::trainer {
namespace {

constexpr std::uint64_t kLargestWeights = 64ULL << 30U;

Precision precisionFrom(const std::string& name) {
  if (name == "fp16") return Precision::Fp16;
  return name == "bf16" ? Precision::Bf16 : Precision::Fp32;
}

DataKind usualKind(const std::string& model) {
  if (model == "mnist") return DataKind::Mnist;
  return gptSize(model) ? DataKind::Text : DataKind::Cifar10;
}

// No data set says what the samples of --bench are.
SampleShape benchShape(const TrainOptions& options) {
  SampleShape shape = usualShape(options.model);
  if (!shape.isImage()) shape.length = options.sequenceLength;
  if (shape.isImage() && options.benchImageSide > 0) shape.height = shape.width = options.benchImageSide;
  if (options.benchClasses > 0) shape.classes = options.benchClasses;
  return shape;
}

}  // namespace

TrainingSession::TrainingSession(TrainOptions options, RankContext place,
                                 std::map<std::string, std::string> environment, ExitHandler& ending)
    : options_(std::move(options)),
      place_(std::move(place)),
      environment_(std::move(environment)),
      ending_(ending) {}

Result<void> TrainingSession::checkOptions() const {
  if (options_.backend == "nccl") {
    if (auto usable = checkNccl(environment_); !usable) {
      Error error = usable.error();
      error.code = ErrorCode::InvalidArgument;
      return failure(error);
    }
  }
  return checkDevice();
}

Result<void> TrainingSession::checkDevice() const {
  const int gpus = usableGpus();
  if (options_.device == "cuda" && place_.localRank >= gpus)
    return failure(ErrorCode::InvalidArgument,
                   fmt::format("rank {} cannot train with --device cuda", place_.rank),
                   gpus == 0 ? "this LibTorch has no GPU"
                             : fmt::format("there are {} GPUs, and LOCAL_RANK is {}", gpus, place_.localRank),
                   "train with --device cpu, or start one rank per GPU");
  if (options_.device == "cuda" && !place_.alone() && options_.backend != "nccl")
    return failure(ErrorCode::InvalidArgument, "--device cuda with several ranks needs --backend nccl",
                   "gloo sums in memory of the host", "add --backend nccl");
  if (options_.backend == "nccl" && options_.device == "cpu")
    return failure(ErrorCode::InvalidArgument, "--backend nccl needs --device cuda",
                   "nccl sums in memory of GPUs", "use --backend gloo");
  if (options_.precision == "fp16" && !device().isGpu)
    return failure(ErrorCode::InvalidArgument, "cannot train in --precision fp16",
                   "only GPUs compute in half precision, and this rank has none", "use --precision bf16");
  return {};
}

Device TrainingSession::device() const {
  Device device;
  device.index = place_.localRank;
  const bool canSum = place_.alone() || options_.backend == "nccl";
  device.isGpu =
      options_.device == "cuda" || (options_.device == "auto" && canSum && place_.localRank < usableGpus());
  return device;
}

std::string TrainingSession::stragglers() const {
  return watch_ ? describeStragglers(watch_->stragglers(), gathering_.peers) : std::string();
}

Result<void> TrainingSession::run() {
  if (auto usable = checkOptions(); !usable) return usable;
  if (device().isGpu) useDevice(device().index);
  if (auto shared = shareGlobalBatch(); !shared) return shared;
  if (auto opened = openMetrics(); !opened) return opened;
  auto checkpoints = options_.benchSteps > 0 ? Result<std::shared_ptr<CheckpointStore>>()
                                             : openCheckpoints(options_, place_, environment_);
  // Together first: whoever then has trouble with its data can tell the others why they wait in vain.
  if (auto joined = join(); !joined) return joined;
  if (!checkpoints) ending_.progress().enter(RankPhase::Preparing);
  if (!checkpoints) return failure(checkpoints.error());
  checkpoints_ = std::move(*checkpoints);
  if (options_.benchSteps == 0) {
    if (auto loaded = loadData(); !loaded) return loaded;
    if (auto all = waitForAllAt("data", place_.rank, gathering_); !all) return all;
  }
  ending_.progress().enter(RankPhase::Preparing);
  if (auto made = makeReplica(); !made) return made;
  if (auto done = options_.benchSteps > 0 ? StepBench(context(), modelSpec().shape).run() : train(); !done)
    return done;
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
  metrics_->reportSegmentsTo(ending_.progress());
  ending_.beforeExit([this](int, const std::string&) { metrics_->flush(std::chrono::seconds(2)); });
  return {};
}

Result<void> TrainingSession::loadData() {
  ending_.progress().enter(RankPhase::LoadingData);
  const auto tell = [](const std::string& line) { say("{}", line); };
  const auto folder = localData(options_.dataDir, options_.dataCache, environment_, tell);
  if (!folder) return failure(folder.error());
  DataOptions wanted;
  wanted.folder = *folder;
  wanted.draw = options_.makeData;
  wanted.seed = options_.seed;
  wanted.augment = options_.augment;
  wanted.kind = dataKindFrom(options_.dataKind);
  wanted.usualKind = usualKind(options_.model);
  wanted.imageSide = options_.imageSide;
  wanted.maxPixels = options_.maxPixels;
  wanted.sequenceLength = options_.sequenceLength;
  wanted.textTokens = textTokensFrom(options_.tokens).value_or(TextTokens::Auto);
  const std::filesystem::path cache = options_.dataCache;
  wanted.tokenCache = (cache.empty() ? userCacheDir() / "data" : cache) / "tokens";
  wanted.threads = static_cast<std::size_t>(usableCores());
  auto data = openTrainingData(wanted, tell);
  if (!data) return failure(data.error());
  data_ = std::move(*data);
  return checkModel(modelSpec());
}

ModelSpec TrainingSession::modelSpec() const {
  ModelSpec spec;
  spec.name = options_.model;
  spec.dropout = options_.dropout;
  spec.shape = data_.train ? data_.train->shape() : benchShape(options_);
  return spec;
}

Result<void> TrainingSession::join() {
  ending_.progress().enter(RankPhase::Joining);
  const auto interface = environment_.find("GLOO_SOCKET_IFNAME");
  const GatherOptions options{options_.timeout, interface == environment_.end() ? "" : interface->second,
                              !options_.noSharedMemory, options_.backend == "nccl"};
  auto gathered = gatherRanks(place_, environment_, options, ending_);
  if (!gathered) return failure(gathered.error());
  gathering_ = std::move(gathered->gathering);
  watch_ = std::move(gathered->watch);
  communicator_ = std::move(gathered->communicator);
  deviceCommunicator_ = std::move(gathered->deviceCommunicator);
  if (place_.rank == 0) startHeartbeat();
  return {};
}

void TrainingSession::startHeartbeat() {
  std::vector<PeerIdentity> peers = gathering_.peers;
  if (peers.empty()) peers.push_back(ownIdentity());
  metrics_->startHeartbeat(std::move(peers), [watch = watch_.get(), progress = &ending_.progress()] {
    return watch != nullptr ? watch->lastStandings() : std::vector<PeerStanding>{{0, progress->standing()}};
  });
}

int TrainingSession::threadCount() const {
  if (options_.threads > 0) return options_.threads;
  if (const auto asked = environment_.find("OMP_NUM_THREADS"); asked != environment_.end()) {
    return std::max(1, std::atoi(asked->second.c_str()));
  }
  const int ranksHere = place_.alone() ? 1 : gathering_.ranksOnMachineOf(place_.rank);
  return std::max(1, usableCores() / ranksHere);
}

bool TrainingSession::overlaps(bool isGpu) const {
  if (place_.alone() || options_.overlap == "off") return false;
  return options_.overlap == "on" || isGpu || !gathering_.allOnOneMachine();
}

Result<void> TrainingSession::makeReplica() {
  ReplicaSetup setup;
  setup.model = modelSpec();
  setup.optimizer = optimizerSettings();
  setup.clipNorm = options_.clipNorm;
  setup.deterministic = options_.deterministic;
  setup.precision = precisionFrom(options_.precision);
  setup.device = device();
  setup.seed = options_.seed;
  setup.rank = place_.rank;
  setup.worldSize = place_.worldSize;
  setup.threads = threadCount();
  setup.progress = &ending_.progress();
  setup.overlap = overlaps(setup.device.isGpu);
  if (!options_.weights.empty() && place_.rank == 0) {
    auto bytes = readFile(options_.weights, kLargestWeights);
    if (!bytes) return failure(bytes.error());
    setup.initialWeights = std::move(*bytes);
  }
  Communicator& gradients = gradientCommunicator();
  auto replica = Replica::make(setup, *communicator_, gradients);
  if (!replica) {
    Error error = replica.error();
    if (!setup.initialWeights.empty() && error.where.empty()) error.where = options_.weights;
    return failure(error);
  }
  replica_.emplace(std::move(*replica));
  if (options_.benchSteps == 0) {
    say("Rank {} of {}: {} training and {} test {}, batch {}, {} threads, gradients over {}", place_.rank,
        place_.worldSize, data_.train->size(), data_.test->size(),
        data_.train->shape().isImage() ? "images" : "texts", options_.batchSize, setup.threads,
        gradients.name());
  }
  return {};
}

OptimizerSettings TrainingSession::optimizerSettings() const {
  OptimizerSettings optimizer;
  const bool isAdam = options_.optimizer == "adamw";
  optimizer.kind = isAdam ? OptimizerSettings::Kind::AdamW : OptimizerSettings::Kind::Sgd;
  optimizer.momentum = options_.momentum;
  optimizer.weightDecay = options_.weightDecay.value_or(isAdam ? 0.01 : 0);
  optimizer.firstBeta = options_.firstBeta;
  optimizer.secondBeta = options_.secondBeta;
  return optimizer;
}

Result<void> TrainingSession::shareGlobalBatch() {
  if (options_.globalBatchSize == 0) return {};
  const int shares = place_.worldSize * options_.accumulate;
  if (options_.globalBatchSize % shares != 0)
    return failure(ErrorCode::InvalidArgument,
                   fmt::format("--global-batch-size {} cannot be shared", options_.globalBatchSize),
                   fmt::format("{} ranks with --accumulate {} make {} shares", place_.worldSize,
                               options_.accumulate, shares),
                   "choose a multiple of that");
  options_.batchSize = options_.globalBatchSize / shares;
  return {};
}

Communicator& TrainingSession::gradientCommunicator() {
  return device().isGpu && deviceCommunicator_ ? *deviceCommunicator_ : *communicator_;
}

TrainingContext TrainingSession::context() {
  return {options_,  place_,    data_,       ending_, *communicator_, gradientCommunicator(),
          *metrics_, *replica_, watch_.get()};
}

Result<void> TrainingSession::train() {
  Checkpointing checkpointing(context(), checkpoints_);
  EpochLoop loop(context(), checkpointing);
  if (auto done = loop.run(); !done) return done;
  return save();
}

Result<void> TrainingSession::save() {
  ending_.progress().enter(RankPhase::Saving);
  if (place_.rank == 0) {
    std::error_code error;
    std::filesystem::create_directories(options_.outputDir, error);
    if (error)
      return failure(
          errnoError(fmt::format("cannot create the output folder '{}'", options_.outputDir), error.value()));
    // The name that the guide's script gives it; others are called after their network.
    const std::string name = options_.model == "cifar" ? "cifar_net" : options_.model;
    const auto path = std::filesystem::path(options_.outputDir) / (name + ".pt");
    if (auto wrote = writeFileAtomically(path, replica_->stateDictBytes()); !wrote) return wrote;
    say("Saved the model as '{}'", path.string());
    auto script = replica_->torchScriptBytes();
    if (!script) return failure(script.error());
    const auto scriptPath = std::filesystem::path(options_.outputDir) / (name + ".torchscript.pt");
    if (auto wrote = writeFileAtomically(scriptPath, *script); !wrote) return wrote;
    say("Saved it as TorchScript as '{}'", scriptPath.string());
  }
  return communicator_->barrier();  // nobody calls it done before the model is on disk
}

}  // namespace lockstep::trainer
