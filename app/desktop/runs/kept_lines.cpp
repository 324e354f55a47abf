// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/kept_lines.h"

#include <algorithm>
#include <utility>

#include "app/desktop/runs/run_diagnosis.h"
#include "base/clock.h"
#include "history/run_storage.h"
#include "launch/rank_rows.h"
#include "logs/store/kept_log.h"
#include "logs/store/log_reader.h"
#include "metrics/lines/printed_samples.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kLinesAtOnce = 50'000;  // that samples are read from: about a tenth of a second

/// Of the monitor's thread.
class KeepingPoll {
 public:
  KeepingPoll(RunPoll poll, const std::filesystem::path& folder, KeptLog::Limits limits, LineChoice choice,
              std::shared_ptr<RunDiagnosis> diagnosis)
      : poll_(std::move(poll)),
        choice_(std::move(choice)),
        diagnosis_(std::move(diagnosis)),
        log_(folder.empty() ? std::make_shared<KeptLog>() : std::make_shared<KeptLog>(folder, limits)) {
    std::optional<KeptLines> kept;
    if (const auto until = log_->wholeUntil()) kept = KeptLines{*until, log_->snapshot()->nodes()};
    poll_.startWithNewestLines(kept);
    if (diagnosis_) diagnosis_->addKept(log_->snapshot());
  }

  RunUpdate look(const std::stop_token& stop) { return kept(poll_(stop)); }
  RunUpdate lookAtLines(const std::stop_token& stop) { return kept(poll_.lookAtLines(stop)); }

 private:
  // Many lines take several looks.
  void addPrinted(RunUpdate& update) {
    if (!update.isWithoutMetrics || update.areLinesBehind || update.areLinesAwaited) return;
    auto log = log_->snapshot();
    // Lines came between those that were read: all are read again, and the same samples are the same.
    if (!read_ || log->commonStart(*read_) < readLines_) {
      printed_.emplace(choice_);
      readLines_ = 0;
    }
    LogReader reader(log);
    const std::uint64_t end = std::min(log->size(), readLines_ + kLinesAtOnce);
    for (; readLines_ < end; ++readLines_) {
      const LogLineView line = reader.line(readLines_);
      printed_->add(line.rank, line.time, line.text);
    }
    if (readLines_ < log->size()) {  // the run may have ended long ago: it is looked at again all the same
      update.areSamplesBehind = true;
      update.ended = false;
    }
    read_ = std::move(log);
    for (MetricSeriesBatch& batch : printed_->take()) update.metrics.push_back(std::move(batch));
    monitored_.note(update.metrics);
    update.lineRules = printed_->uses();
  }

  // Where the lines of the ranks say that they were.
  void addMonitored(RunUpdate& update) {
    monitored_.add(std::exchange(update.monitored, {}));
    if (!update.isWithoutMetrics || update.isBehind() || update.areLinesAwaited) return;
    for (MetricSeriesBatch& batch : monitored_.take(update.run, firstRanksOf(update.run, monitored_.ranks()),
                                                    SystemClock().now(), update.ended))
      update.metrics.push_back(std::move(batch));
  }

  RunUpdate kept(RunUpdate update) {
    if (diagnosis_) diagnosis_->addLines(update.lines);
    const bool isNew = !log_->add(std::exchange(update.lines, {})).empty();
    if (std::exchange(isFirst_, false) || isNew)
      if (auto log = log_->snapshot(); log->size() > 0) update.log = std::move(log);
    if (update.linesWholeUntil) log_->noteWholeUntil(*update.linesWholeUntil);
    addPrinted(update);
    addMonitored(update);
    if (log_->problem() && !std::exchange(isToldWhy_, true)) update.problems.push_back(*log_->problem());
    return update;
  }

  RunPoll poll_;
  LineChoice choice_;
  std::shared_ptr<RunDiagnosis> diagnosis_;  // may be null
  std::shared_ptr<KeptLog> log_;
  std::optional<PrintedSamples> printed_;
  MonitoredSamples monitored_;
  std::shared_ptr<const LogSnapshot> read_;  // whose first readLines_ lines it has
  std::uint64_t readLines_ = 0;
  bool isFirst_ = true;  // it shows what was kept before
  bool isToldWhy_ = false;
};

}  // namespace

RunPollFactory keepingLines(RunPollFactory open, std::filesystem::path folder, KeptLog::Limits limits,
                            const LineChoice& choice, std::shared_ptr<RunDiagnosis> diagnosis) {
  return [open = std::move(open), folder = std::move(folder), limits, choice,
          diagnosis = std::move(diagnosis)](const std::stop_token& stop) -> Result<RunPoll> {
    auto poll = open(stop);
    if (!poll) return poll;
    const auto keeping = std::make_shared<KeepingPoll>(*poll, folder, limits, choice, diagnosis);
    RunPoll::Look lines;
    if (poll->canLookAtLines())
      lines = [keeping](const std::stop_token& stop) { return keeping->lookAtLines(stop); };
    return RunPoll([keeping](const std::stop_token& stop) { return keeping->look(stop); },
                   [poll = *poll](std::vector<CoarseSpan> parts) { poll.wantFiner(std::move(parts)); }, {},
                   std::move(lines));
  };
}

std::filesystem::path linesFolder(const RunId& run) {
  return keptLinesFolder(run);
}

Result<void> forgetLines(const RunId& run) {
  const auto freed = freeKeptLines(run);
  return freed ? Result<void>() : failure(freed.error());
}

}  // namespace lockstep
