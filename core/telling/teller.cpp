// SPDX-License-Identifier: GPL-3.0-or-later
#include "telling/teller.h"

#include <utility>

#include "telling/tell_command.h"
#include "telling/tell_webhook.h"

namespace lockstep {

Teller::Teller(std::shared_ptr<HttpClient> http, SayProblem say)
    : http_(std::move(http)),
      say_(std::move(say)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

Teller::~Teller() {
  thread_.request_stop();
}

void Teller::tell(const TellingTargets& targets, RunNews news) {
  if (targets.empty()) return;
  const std::lock_guard lock(mutex_);
  if (waiting_.size() == kMostWaiting) waiting_.pop_front();
  waiting_.push_back({targets, std::move(news)});
  changed_.notify_all();
}

bool Teller::finish(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, limit, [this] { return waiting_.empty() && !isTelling_; });
}

void Teller::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !waiting_.empty(); }) && !stop.stop_requested()) {
    const Waiting one = std::move(waiting_.front());
    waiting_.pop_front();
    isTelling_ = true;
    lock.unlock();
    tellNow(one, stop);
    lock.lock();
    isTelling_ = false;
    changed_.notify_all();
  }
}

void Teller::tellNow(const Waiting& one, const std::stop_token& stop) {
  if (!one.targets.command.empty())
    note(isCommandSaid_, tellCommand(one.targets.command, one.news, kCommandLimit, stop));
  if (!one.targets.webhook.empty())
    note(isWebhookSaid_, tellWebhook(*http_, one.targets.webhook, one.news, stop));
}

void Teller::note(bool& isSaid, const Result<void>& done) {
  const bool isNews = !done && !isSaid && done.error().code != ErrorCode::Cancelled;
  isSaid = !done;
  if (isNews && say_) say_(done.error());
}

}  // namespace lockstep
