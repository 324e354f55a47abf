// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/kept_lines.h"

#include <system_error>
#include <utility>

#include "base/encoding.h"
#include "base/user_dirs.h"
#include "logs/store/kept_log.h"

namespace lockstep {
namespace {

/// Of the monitor's thread.
class KeepingPoll {
 public:
  KeepingPoll(RunPoll poll, const std::filesystem::path& folder, KeptLog::Limits limits)
      : poll_(std::move(poll)),
        log_(folder.empty() ? std::make_shared<KeptLog>() : std::make_shared<KeptLog>(folder, limits)) {
    std::optional<KeptLines> kept;
    if (const auto until = log_->wholeUntil()) kept = KeptLines{*until, log_->snapshot()->nodes()};
    poll_.startWithNewestLines(kept);
  }

  RunUpdate look(const std::stop_token& stop) { return kept(poll_(stop)); }
  RunUpdate lookAtLines(const std::stop_token& stop) { return kept(poll_.lookAtLines(stop)); }

 private:
  RunUpdate kept(RunUpdate update) {
    const bool isNew = !log_->add(std::exchange(update.lines, {})).empty();
    if (std::exchange(isFirst_, false) || isNew)
      if (auto log = log_->snapshot(); log->size() > 0) update.log = std::move(log);
    if (update.linesWholeUntil) log_->noteWholeUntil(*update.linesWholeUntil);
    if (log_->problem() && !std::exchange(isToldWhy_, true)) update.problems.push_back(*log_->problem());
    return update;
  }

  RunPoll poll_;
  std::shared_ptr<KeptLog> log_;
  bool isFirst_ = true;  // it shows what was kept before
  bool isToldWhy_ = false;
};

}  // namespace

RunPollFactory keepingLines(RunPollFactory open, std::filesystem::path folder, KeptLog::Limits limits) {
  return [open = std::move(open), folder = std::move(folder),
          limits](const std::stop_token& stop) -> Result<RunPoll> {
    auto poll = open(stop);
    if (!poll) return poll;
    const auto keeping = std::make_shared<KeepingPoll>(*poll, folder, limits);
    RunPoll::Look lines;
    if (poll->canLookAtLines())
      lines = [keeping](const std::stop_token& stop) { return keeping->lookAtLines(stop); };
    return RunPoll([keeping](const std::stop_token& stop) { return keeping->look(stop); },
                   [poll = *poll](std::vector<CoarseSpan> parts) { poll.wantFiner(std::move(parts)); }, {},
                   std::move(lines));
  };
}

std::filesystem::path linesFolder(const RunId& run) {
  std::string name = percentEncode(run.value);
  if (name.starts_with('.')) name.insert(0, "_");  // neither hidden nor the folder above
  return userCacheDir() / "logs" / name;
}

Result<void> forgetLines(const RunId& run) {
  if (run.value.empty()) return {};  // its folder would be that of all
  const std::filesystem::path folder = linesFolder(run);
  std::error_code why;
  std::filesystem::remove_all(folder, why);
  if (!why) return {};
  return failure(ErrorCode::Io, "the lines of the run in '" + folder.string() + "' are still there",
                 why.message(), "remove that folder");
}

}  // namespace lockstep
