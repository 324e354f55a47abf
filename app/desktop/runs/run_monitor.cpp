// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_monitor.h"

#include <malloc.h>

#include "app/desktop/runs/kept_lines.h"
#include "app/desktop/runs/run_diagnosis.h"
#include "app/desktop/runs/run_mailbox.h"
#include "app/desktop/runs/run_sight.h"
#include "base/clock.h"

namespace lockstep {
namespace {
constexpr std::chrono::seconds kRetryOpening{3};
constexpr std::uint64_t kWorthGivingBack = 64 << 20;  // bytes that were read meanwhile

/// What the threads took that have read a long run, and nobody needs any more: some 50 to 200 MB, in some 12 ms.
void giveBack() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

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
    if (!isUnderWay_ && update.metricBytesRead > readWhenGivenBack_ + kWorthGivingBack) {
      readWhenGivenBack_ = update.metricBytesRead;
      giveBack();
    }
    if (update.metrics.empty() && update.parts.empty()) return;
    for (const CoarsePart& part : update.parts) samples_.add(part);
    samples_.add(update.metrics);
    samples_.keepWithin(memory_, inSight_);
    update.parts.clear();
    update.metrics.clear();
    update.samples = newest_ = samples_.snapshot();
  }
  /// All so far; never null.
  [[nodiscard]] const std::shared_ptr<const MetricStore>& newest() const { return newest_; }
  /// What is in sight is being read: it is looked again without a pause.
  [[nodiscard]] bool isInAHurry() const { return isWaiting_ && isUnderWay_; }
  [[nodiscard]] bool isSightNew() const { return sight_->isNew(); }
  /// Until it is time to look again. False: never, of a run that has `ended` and is here as a whole, or stopped.
  bool wait(bool ended, std::chrono::milliseconds interval, const std::stop_token& stop) const {
    if (isInAHurry()) return !stop.stop_requested();
    if (!ended) return sight_->waitFor(interval, stop);
    return samples_.hasCoarse() && sight_->wait(stop);
  }

 private:
  std::shared_ptr<RunSight> sight_;
  std::size_t memory_;
  MetricStore samples_;
  std::shared_ptr<const MetricStore> newest_ = std::make_shared<MetricStore>();
  StepsInSight inSight_;
  bool isWaiting_ = false, isUnderWay_ = false;  // for what is in sight
  std::uint64_t readWhenGivenBack_ = 0;
};

/// The looks of one run, in the monitor's thread.
class Looks {
 public:
  Looks(RunPoll poll, KeptSamples samples, std::shared_ptr<RunDiagnosis> diagnosis,
        std::shared_ptr<RunMailbox> mailbox, std::function<void()> tell)
      : poll_(std::move(poll)),
        samples_(std::move(samples)),
        diagnosis_(std::move(diagnosis)),
        mailbox_(std::move(mailbox)),
        tell_(std::move(tell)) {}

  void run(std::chrono::milliseconds interval, const std::stop_token& stop) {
    for (bool goesOn = true; goesOn;) {
      samples_.ask(poll_);
      RunUpdate update = poll_(stop);
      if (stop.stop_requested()) return;
      const bool ended = update.ended, isBehind = update.isBehind();
      auto nextLines = update.nextLines;
      put(std::move(update));
      const auto until = std::chrono::steady_clock::now() + interval;
      while (!ended && !isBehind && nextLines && canWaitForLines(*nextLines, until)) {
        if (!samples_.wait(false, *nextLines, stop)) return;
        if (samples_.isSightNew()) break;
        nextLines = lookAtLines(stop);
      }
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
      goesOn =
          (!ended && isBehind) || samples_.wait(ended, std::max(left, std::chrono::milliseconds(0)), stop);
    }
  }

 private:
  void put(RunUpdate update) {
    samples_.take(update);
    diagnosis_->look(update, samples_.newest());
    if (mailbox_->put(std::move(update))) tell_();
  }
  [[nodiscard]] bool canWaitForLines(std::chrono::milliseconds time,
                                     std::chrono::steady_clock::time_point until) const {
    return poll_.canLookAtLines() && !samples_.isInAHurry() &&
           std::chrono::steady_clock::now() + time < until;
  }
  /// Nobody is told of a look that brought nothing.
  std::optional<std::chrono::milliseconds> lookAtLines(const std::stop_token& stop) {
    RunUpdate update = poll_.lookAtLines(stop);
    const auto next = update.nextLines;
    const bool isNews = update.log || update.health || !update.metrics.empty() || !update.parts.empty();
    if (isNews && !stop.stop_requested()) put(std::move(update));
    return next;
  }

  RunPoll poll_;
  KeptSamples samples_;
  std::shared_ptr<RunDiagnosis> diagnosis_;
  std::shared_ptr<RunMailbox> mailbox_;
  std::function<void()> tell_;
};

}  // namespace

RunMonitor::RunMonitor(std::chrono::milliseconds interval, QObject* parent)
    : QObject(parent), interval_(interval) {
  connect(&task_, &BackgroundTask::failed, this, &RunMonitor::failed);
}

RunMonitor::~RunMonitor() = default;

void RunMonitor::follow(RunPollFactory open, std::filesystem::path linesFolder, KeptLog::Limits limits,
                        const LineChoice& choice) {
  auto mailbox = std::make_shared<RunMailbox>();
  mailbox_ = mailbox;
  sight_ = std::make_shared<RunSight>();
  auto diagnosis = std::make_shared<RunDiagnosis>();
  task_.run([this, mailbox, sight = sight_, memory = sampleMemory_, diagnosis,
             open = keepingLines(std::move(open), std::move(linesFolder), limits, choice, diagnosis),
             interval = interval_](const std::stop_token& stop, const BackgroundTask::Post& post) {
    SystemClock clock;
    Result<RunPoll> poll = open(stop);
    while (!poll) {
      post([this, status = poll.error()] { emit failed(status); });
      if (!clock.sleepFor(kRetryOpening, stop)) return;
      poll = open(stop);
    }
    Looks(*poll, KeptSamples(sight, memory), diagnosis, mailbox, [&] {
      post([this] { deliver(); });
    }).run(interval, stop);
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
