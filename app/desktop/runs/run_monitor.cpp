// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_monitor.h"

#include "app/desktop/runs/kept_lines.h"
#include "app/desktop/runs/run_mailbox.h"
#include "app/desktop/runs/run_sight.h"
#include "base/clock.h"

namespace lockstep {
namespace {
constexpr std::chrono::seconds kRetryOpening{3};

/// The samples of a run, as its monitor's thread keeps them.
class KeptSamples {
 public:
  KeptSamples(std::shared_ptr<RunSight> sight, std::size_t memory)
      : sight_(std::move(sight)), memory_(memory) {}

  /// Asks for what is coarse and in sight; the answer comes with one of the next looks.
  void ask(const RunPoll& poll) {
    inSight_ = sight_->take();
    std::vector<CoarseSpan> parts = samples_.coarseIn(inSight_);
    isWaiting_ = !parts.empty();
    poll.wantFiner(std::move(parts));
  }
  void take(RunUpdate& update) {
    isUnderWay_ = update.isReading || !update.parts.empty();
    if (update.metrics.empty() && update.parts.empty()) return;
    for (const CoarsePart& part : update.parts) samples_.add(part);
    samples_.add(update.metrics);
    samples_.keepWithin(memory_, inSight_);
    update.parts.clear();
    update.metrics.clear();
    update.samples = samples_.snapshot();
  }
  /// Until it is time to look again. False: never, of a run that has `ended` and is here as a whole, or stopped.
  bool wait(bool ended, std::chrono::milliseconds interval, const std::stop_token& stop) const {
    if (isWaiting_ && isUnderWay_) return !stop.stop_requested();
    if (!ended) return sight_->waitFor(interval, stop);
    return samples_.hasCoarse() && sight_->wait(stop);
  }

 private:
  std::shared_ptr<RunSight> sight_;
  std::size_t memory_;
  MetricStore samples_;
  StepsInSight inSight_;
  bool isWaiting_ = false, isUnderWay_ = false;  // for what is in sight
};

}  // namespace

RunMonitor::RunMonitor(std::chrono::milliseconds interval, QObject* parent)
    : QObject(parent), interval_(interval) {
  connect(&task_, &BackgroundTask::failed, this, &RunMonitor::failed);
}

RunMonitor::~RunMonitor() = default;

void RunMonitor::follow(RunPollFactory open, std::filesystem::path linesFolder, KeptLog::Limits limits) {
  auto mailbox = std::make_shared<RunMailbox>();
  mailbox_ = mailbox;
  sight_ = std::make_shared<RunSight>();
  task_.run([this, mailbox, sight = sight_, memory = sampleMemory_,
             open = keepingLines(std::move(open), std::move(linesFolder), limits),
             interval = interval_](const std::stop_token& stop, const BackgroundTask::Post& post) {
    SystemClock clock;
    Result<RunPoll> poll = open(stop);
    while (!poll) {
      post([this, status = poll.error()] { emit failed(status); });
      if (!clock.sleepFor(kRetryOpening, stop)) return;
      poll = open(stop);
    }
    KeptSamples samples(sight, memory);
    for (bool goesOn = true; goesOn;) {
      samples.ask(*poll);
      RunUpdate update = (*poll)(stop);
      if (stop.stop_requested()) return;
      samples.take(update);
      const bool ended = update.ended;
      goesOn = !ended && update.isBehind();
      if (mailbox->put(std::move(update))) post([this] { deliver(); });
      if (!goesOn) goesOn = samples.wait(ended, interval, stop);
    }
  });
}

void RunMonitor::lookAt(const StepsInSight& sight) {
  if (sight_) sight_->set(sight);
}

void RunMonitor::stop() {
  task_.cancel();
  mailbox_.reset();
  sight_.reset();
}

void RunMonitor::deliver() {
  if (!mailbox_) return;
  if (const auto update = mailbox_->take()) emit updated(update);
}

}  // namespace lockstep
