// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/folder/folder_launcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/bounds.h"
#include "base/outside_json.h"
#include "launch/first_failure.h"
#include "metrics/segments/metric_segment.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxDescriptionBytes = 64 << 10;
constexpr std::size_t kMaxFailureBytes = 1 << 20;
constexpr TimePoint kNoSampleFrom{std::chrono::hours(24) * 365 *
                                  230};  // as for all samples: about the year 2200

tl::unexpected<Error> cannot(const char* verb, const std::string& folder) {
  return failure(ErrorCode::FailedPrecondition, fmt::format("cannot {} the run in '{}'", verb, folder),
                 "it is read from its folder, which tells nothing of who runs it",
                 "name it by its id on the machine that launched it, or by the OCID of its job");
}

NodeRun& rowOf(TrainingRun& run) {
  if (run.nodes.empty()) run.nodes.resize(1);
  return run.nodes.front();
}

/// Null: it is not among them.
const ObjectInfo* infoOf(const std::vector<ObjectInfo>& objects, const std::string& name) {
  const auto found =
      std::find_if(objects.begin(), objects.end(), [&](const ObjectInfo& one) { return one.name == name; });
  return found == objects.end() ? nullptr : &*found;
}

std::optional<TimePoint> possibleTime(TimePoint time) {
  return time >= TimePoint{} && time < kNoSampleFrom ? std::optional(time) : std::nullopt;
}

}  // namespace

FolderLauncher::FolderLauncher(std::shared_ptr<ObjectStore> workDir, std::string folder,
                               std::shared_ptr<Clock> clock)
    : workDir_(std::move(workDir)), folder_(std::move(folder)), clock_(std::move(clock)) {}

Result<TrainingRun> FolderLauncher::launch(const LaunchRequest&, const LaunchProgressHandler&,
                                           const std::stop_token&) {
  return cannot("launch", folder_);
}

Result<TrainingRun> FolderLauncher::cancel(TrainingRun, const std::stop_token&) {
  return cannot("cancel", folder_);
}

Result<TrainingRun> FolderLauncher::refresh(TrainingRun run, const std::stop_token& stop) {
  for (const auto look : {&FolderLauncher::readDescription, &FolderLauncher::readHeartbeat,
                          &FolderLauncher::readStart, &FolderLauncher::lookForNodes}) {
    if (auto done = (this->*look)(stop); !done) return failure(std::move(done.error()));
  }
  NodeRun& row = rowOf(run);
  row.id = JobRunId(folder_);
  row.displayName = nodes_ > 1 ? "cluster" : "main";
  row.nodes = nodes_;
  row.state = stateWithoutEnd();
  run.failure.clear();
  failed_.reset();
  if (auto done = lookForEnd(run, stop); !done) return failure(std::move(done.error()));
  if (started_) run.created = *started_;
  row.started = started_;
  run.finished.reset();
  // Nothing tells when exactly it ended; it was heard of until then.
  if (isTerminal(row.state) && !failed_)
    if (auto done = readLastSample(stop); !done) return failure(std::move(done.error()));
  if (isTerminal(row.state)) run.finished = failed_ ? failed_ : std::max(beat_, lastSample_);
  if (isTerminal(row.state) && !run.finished) run.finished = run.created;
  if (run.finished) run.finished = std::max(*run.finished, run.created);
  row.finished = run.finished;
  return run;
}

// The object's text where it is there and new; what is too large is as good as none.
Result<std::optional<std::string>> FolderLauncher::readSmall(const std::string& name, std::size_t maxBytes,
                                                             Watched* watched, const std::stop_token& stop) {
  const auto objects = workDir_->list(name, {}, stop);
  if (!objects && objects.error().code != ErrorCode::NotFound) return failure(objects.error());
  const ObjectInfo* found = objects ? infoOf(*objects, name) : nullptr;
  if (found == nullptr) return std::nullopt;
  if (watched) {
    const bool isNew = !watched->isThere || watched->version != found->version;
    note(*watched, found->version);
    if (!isNew) return std::nullopt;
  }
  if (found->size > maxBytes) return std::string();
  auto text = workDir_->get(name, stop);
  if (!text && text.error().code == ErrorCode::NotFound) return std::nullopt;
  if (!text) return failure(std::move(text.error()));
  return *std::move(text);
}

void FolderLauncher::note(Watched& watched, std::string version) const {
  if (watched.isThere && watched.version == version) return;
  watched.hasChanged = watched.isThere;
  watched.isThere = true;
  watched.changed = clock_->steady();
  watched.version = std::move(version);
}

bool FolderLauncher::isFresh(const Watched& watched) const {
  return watched.isThere && clock_->steady() - watched.changed < kSilence;
}

Result<void> FolderLauncher::readDescription(const std::stop_token& stop) {
  if (isDescribed_) return {};
  const auto text = readSmall(layout::runDescription(folder_), kMaxDescriptionBytes, nullptr, stop);
  if (!text) return failure(text.error());
  if (!*text) return {};
  isDescribed_ = true;  // written once
  const auto json = parseOutsideJson(**text, kMaxDescriptionBytes, "the description of the run");
  if (!json) return {};  // the metrics and the health are none the worse for it
  nodes_ = static_cast<int>(outsideNumber(*json, "nodes", 1, kMaxRanks).value_or(1));
  started_ = outsideTime(*json, "started");
  return {};
}

Result<void> FolderLauncher::readHeartbeat(const std::stop_token& stop) {
  const auto text = readSmall(layout::heartbeatFile(folder_), kMaxHeartbeatBytes, &heartbeat_, stop);
  if (!text) return failure(text.error());
  if (!*text) return {};
  if (const auto heartbeat = parseHeartbeat(**text)) beat_ = heartbeat->time;
  return {};
}

// A trainer that no agent started writes no description: its first sample is when it began.
Result<void> FolderLauncher::readStart(const std::stop_token& stop) {
  if (started_ || !std::exchange(looksForStart_, false)) return {};
  const auto segment = readSegment({Rank(0), SegmentLevel::Raw, 0}, stop);
  if (!segment) return failure(segment.error());
  looksForStart_ = !*segment;  // still to come
  if (*segment && !(*segment)->rows.empty()) started_ = possibleTime((*segment)->rows.front().time);
  return {};
}

/// Nullopt: it is not there. One without rows: it cannot be read.
Result<std::optional<MetricSegment>> FolderLauncher::readSegment(const SegmentId& id,
                                                                 const std::stop_token& stop) {
  const auto bytes =
      readSmall(layout::metricsFolder(folder_) + segmentName(id), kMaxSegmentBytes, nullptr, stop);
  if (!bytes) return failure(bytes.error());
  if (!*bytes) return std::nullopt;
  auto segment = decodeSegment(**bytes);
  return segment ? std::optional(*std::move(segment)) : std::optional(MetricSegment());
}

// Without a heartbeat, or with one that was the last before the end, the samples tell how long the run took.
Result<void> FolderLauncher::readLastSample(const std::stop_token& stop) {
  if (!std::exchange(looksForLast_, false)) return {};
  const std::string folder = layout::metricsFolder(folder_);
  const std::string first = segmentName(Rank(0), 0);
  const auto objects = workDir_->list(folder + first.substr(0, first.rfind('/') + 1), {}, stop);
  if (!objects && objects.error().code != ErrorCode::NotFound) return failure(objects.error());
  std::optional<SegmentId> last;
  for (const ObjectInfo& object : objects ? *objects : std::vector<ObjectInfo>())
    last = std::max(last, parseSegmentName(std::string_view(object.name).substr(folder.size())));
  if (!last) return {};
  const auto segment = readSegment(*last, stop);
  if (!segment) return failure(segment.error());
  if (!*segment) return {};
  for (const auto& row : (*segment)->rows) lastSample_ = std::max(lastSample_, possibleTime(row.time));
  return {};
}

Result<void> FolderLauncher::lookForNodes(const std::stop_token& stop) {
  const auto objects = workDir_->list(layout::aliveFolder(folder_), {}, stop);
  if (!objects && objects.error().code != ErrorCode::NotFound) return failure(objects.error());
  if (!objects || objects->empty()) {
    alive_ = {};
    return {};
  }
  std::string versions;
  for (const ObjectInfo& one : *objects) versions += one.version + '\n';
  note(alive_, std::move(versions));
  return {};
}

// At the first look only the calendar tells how old a heartbeat is; after that, that it changes.
JobRunState FolderLauncher::stateWithoutEnd() const {
  const auto isRecent = [this](const std::optional<TimePoint>& time) {
    return time && clock_->now() - *time < kSilence;
  };
  const bool beats = heartbeat_.hasChanged ? isFresh(heartbeat_) : isRecent(beat_);
  // Of a run that has no heartbeat the nodes' own are what there is, and they say no time.
  const bool lives = (alive_.hasChanged || !heartbeat_.isThere) && isFresh(alive_);
  if (beats || lives) return JobRunState::InProgress;
  return !heartbeat_.isThere && isRecent(started_) ? JobRunState::Accepted : JobRunState::Silent;
}

Result<void> FolderLauncher::lookForEnd(TrainingRun& run, const std::stop_token& stop) {
  const std::string stopFile = layout::stopFile(folder_);
  const auto ends = workDir_->list(stopFile, {}, stop);
  if (!ends && ends.error().code != ErrorCode::NotFound) return failure(ends.error());
  // After `stop`, since the failure of a run is written before it.
  const auto text = readSmall(layout::failureFile(folder_), kMaxFailureBytes, nullptr, stop);
  if (!text) return failure(text.error());
  NodeRun& row = rowOf(run);
  if (*text) {
    row.state = JobRunState::Failed;
    const auto json = parseOutsideJson(**text, kMaxFailureBytes, "the first failure of the run");
    if (json) failed_ = outsideTime(*json, "time");
    row.details = json ? "its failure.json names no cause" : "its failure.json cannot be read";
    run.failure = explainFailure(run, json ? std::optional(*json) : std::nullopt);
  } else if (ends && infoOf(*ends, stopFile + "_fail")) {
    row.state = JobRunState::Failed;
    row.details = "its framework wrote stop_fail";
    run.failure = explainFailure(run, std::nullopt);
  } else if (ends && infoOf(*ends, stopFile)) {
    row.state = JobRunState::Succeeded;
  }
  return {};
}

}  // namespace lockstep
