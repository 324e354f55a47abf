// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/kept_lines.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/encoding.h"
#include "base/user_dirs.h"
#include "logs/store/kept_log.h"
#include "logs/store/log_reader.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kMostShown = 200'000;  // as many as the page keeps in memory

std::vector<LogLine> newestOf(KeptLog& log) {
  LogReader reader(log.snapshot());
  std::vector<LogLine> lines;
  const std::uint64_t count = std::min(reader.size(), kMostShown);
  lines.reserve(count);
  for (std::uint64_t i = reader.size() - count; i < reader.size(); ++i) {
    const LogLineView view = reader.line(i);
    LogLine line;
    line.time = view.time;
    line.node = view.node;
    line.rank = view.rank;
    line.level = view.level;
    line.text = view.text;
    if (reader.isCut()) line.text = reader.wholeText(i);
    lines.push_back(std::move(line));
  }
  return lines;
}

/// Of the monitor's thread.
class KeepingPoll {
 public:
  KeepingPoll(RunPoll poll, const std::filesystem::path& folder, KeptLog::Limits limits)
      : poll_(std::move(poll)), log_(std::make_shared<KeptLog>(folder, limits)) {}

  RunUpdate operator()(const std::stop_token& stop) {
    std::vector<LogLine> old;
    if (std::exchange(isFirst_, false)) old = newestOf(*log_);
    RunUpdate update = poll_(stop);
    update.lines = log_->add(std::move(update.lines));
    if (old.empty() && !log_->problem()) return update;
    std::move(update.lines.begin(), update.lines.end(), std::back_inserter(old));
    if (!old.empty()) update.lines = std::move(old);
    if (log_->problem() && !std::exchange(isToldWhy_, true)) update.problems.push_back(*log_->problem());
    return update;
  }

 private:
  RunPoll poll_;
  std::shared_ptr<KeptLog> log_;
  bool isFirst_ = true;
  bool isToldWhy_ = false;
};

}  // namespace

RunPollFactory keepingLines(RunPollFactory open, std::filesystem::path folder, KeptLog::Limits limits) {
  return [open = std::move(open), folder = std::move(folder),
          limits](const std::stop_token& stop) -> Result<RunPoll> {
    auto poll = open(stop);
    if (!poll) return poll;
    return RunPoll(KeepingPoll(*poll, folder, limits),
                   [poll = *poll](std::vector<CoarseSpan> parts) { poll.wantFiner(std::move(parts)); });
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
