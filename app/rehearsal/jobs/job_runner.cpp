// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/job_runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "rehearsal/faults/fault_plan.h"
#include "rehearsal/jobs/run_driver.h"
#include "rehearsal/support/region_log.h"

namespace lockstep::rehearsal {
namespace {

constexpr std::chrono::milliseconds kLookInterval{50};
constexpr int kRestPerLook =
    4;  // a look at a thousand runs takes a while: no more than a fifth of the time is spent so
constexpr const char* kLiveStates[] = {"ACCEPTED", "IN_PROGRESS", "CANCELING", "NEEDS_ATTENTION"};

}  // namespace

JobRunner::JobRunner(RunnerSetup setup, Database& database, const TokenIssuer& tokens,
                     std::shared_ptr<Clock> clock)
    : setup_(std::move(setup)), database_(database), tokens_(tokens), clock_(std::move(clock)) {}

JobRunner::~JobRunner() = default;

void JobRunner::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { loop(stop); });
}

void JobRunner::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  changed_.notify_all();
}

void JobRunner::forget(const std::string& runId) {
  std::error_code ignored;  // a folder that stays behind costs only disk
  std::filesystem::remove_all(runFolderOf(setup_, runId).path, ignored);
}

void JobRunner::shutDown(const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    shutDownReason_ = why;
    shuttingDown_ = true;
    woken_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void JobRunner::loop(const std::stop_token& stop) {
  bool anyLive = true;
  std::chrono::nanoseconds rest = kLookInterval;
  while (!stop.stop_requested()) {
    bool ending = false;
    {
      std::unique_lock lock(mutex_);
      const auto isWoken = [this] { return woken_; };
      if (anyLive) {
        changed_.wait_for(lock, stop, rest, isWoken);
      } else {
        changed_.wait(lock, stop, isWoken);
      }
      woken_ = false;
      ending = shuttingDown_;
    }
    const auto begin = std::chrono::steady_clock::now();
    try {
      anyLive = advanceAll();
    } catch (const std::exception& e) {  // a full disk, most likely: the next look tries again
      logLine(fmt::format("job runs: {}", e.what()));
      anyLive = true;
    }
    rest = std::max<std::chrono::nanoseconds>(kLookInterval,
                                              kRestPerLook * (std::chrono::steady_clock::now() - begin));
    if (ending && !anyLive) return;
  }
}

bool JobRunner::advanceAll() {
  std::vector<Resource> runs;
  {
    Transaction transaction(database_);
    for (const char* state : kLiveStates)
      for (Resource& run : resourcesInState(transaction, kind::kJobRun, state))
        runs.push_back(std::move(run));
    transaction.commit();
  }
  if (!runs.empty()) markFullDisk();
  for (Resource& run : runs) advance(std::move(run));
  return !runs.empty();
}

void JobRunner::advance(Resource run) {
  const std::string id = run.id;
  auto& driver = drivers_[id];
  if (!driver)
    driver = std::make_unique<RunDriver>(RunnerParts{setup_, database_, tokens_, *clock_, keys_}, run);
  bool ending = false;
  {
    const std::lock_guard lock(mutex_);
    ending = shuttingDown_;
  }
  if (ending && run.state != "CANCELING") driver->cancel(run, shutDownReason_);
  driver->advance(std::move(run));
  if (driver->done()) drivers_.erase(id);
}

// Supervisors look for this file before they write lines, as they would meet a disk that is full.
void JobRunner::markFullDisk() const {
  const std::filesystem::path mark = diskFullMarkOf(setup_);
  const bool full = setup_.faults != nullptr && setup_.faults->active(FaultKind::DiskFull);
  std::error_code ec;
  if (full == std::filesystem::exists(mark, ec)) return;
  if (!full) {
    std::filesystem::remove(mark, ec);
  } else if (const int fd = ::open(mark.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600); fd >= 0) {
    ::close(fd);
  }
}

}  // namespace lockstep::rehearsal
