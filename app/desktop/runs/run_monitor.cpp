// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_monitor.h"

#include <QElapsedTimer>
#include <QTimer>

#include "app/desktop/runs/run_mailbox.h"
#include "base/clock.h"

namespace lockstep {
namespace {
constexpr std::chrono::seconds kRetryOpening{3};

void collect(RunUpdate& update, MetricStore& samples) {
  if (update.metrics.empty()) return;
  samples.add(update.metrics);
  update.metrics.clear();
  update.samples = samples.snapshot();
}

}  // namespace

RunMonitor::RunMonitor(std::chrono::milliseconds interval, QObject* parent)
    : QObject(parent), interval_(interval) {
  connect(&task_, &BackgroundTask::failed, this, &RunMonitor::failed);
}

RunMonitor::~RunMonitor() = default;

void RunMonitor::follow(RunPollFactory open) {
  auto mailbox = std::make_shared<RunMailbox>(kLinesPerBatch, kMaxWaitingLines);
  mailbox_ = mailbox;
  task_.run([this, mailbox, open = std::move(open), interval = interval_](const std::stop_token& stop,
                                                                          const BackgroundTask::Post& post) {
    SystemClock clock;
    Result<RunPoll> poll = open(stop);
    while (!poll) {
      post([this, status = poll.error()] { emit failed(status); });
      if (!clock.sleepFor(kRetryOpening, stop)) return;
      poll = open(stop);
    }
    MetricStore samples;
    for (bool ended = false; !ended;) {
      if (!mailbox->waitForRoom(stop)) return;
      RunUpdate update = (*poll)(stop);
      if (stop.stop_requested()) return;
      collect(update, samples);
      ended = update.ended;
      const bool isBehind = update.isBehind;
      if (mailbox->put(std::move(update))) post([this] { drain(); });
      if (!ended && !isBehind && !clock.sleepFor(interval, stop)) return;
    }
  });
}

void RunMonitor::stop() {
  task_.cancel();
  mailbox_.reset();
}

void RunMonitor::drain() {
  const std::shared_ptr<RunMailbox> mailbox = mailbox_;
  QElapsedTimer spent;
  spent.start();
  while (mailbox == mailbox_ && mailbox) {
    const auto batch = mailbox->take();
    if (!batch) return;
    emit updated(batch);
    if (spent.elapsed() >= kDrainBudget.count()) {
      // Back to the event loop first: input and paint events come before the next batch.
      QTimer::singleShot(0, this, [this, mailbox] {
        if (mailbox == mailbox_) drain();
      });
      return;
    }
  }
}

}  // namespace lockstep
