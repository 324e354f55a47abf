// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/background_task.h"

#include <QMetaObject>
#include <QThread>
#include <algorithm>

namespace lockstep {

BackgroundTask::BackgroundTask(QObject* parent) : QObject(parent) {}

BackgroundTask::~BackgroundTask() {
  cancel();
  jobs_.clear();  // joins; what the threads posted dies with this object
}

void BackgroundTask::run(Work work) {
  cancel();
  const quint64 generation = generation_;
  const Post post = [this, generation](std::function<void()> function) {
    // The destructor joins before it lets go of `this`, so a running work may always post to it.
    QMetaObject::invokeMethod(
        this,
        [this, generation, function = std::move(function)] {
          if (generation == generation_) function();
        },
        Qt::QueuedConnection);
  };
  Job& job = jobs_.emplace_back();
  job.generation = generation;
  job.thread = std::jthread([this, generation, post, work = std::move(work)](const std::stop_token& stop) {
    work(stop, post);
    QMetaObject::invokeMethod(
        this, [this, generation] { retire(generation); }, Qt::QueuedConnection);
  });
}

void BackgroundTask::cancel() {
  Q_ASSERT(thread() == QThread::currentThread());
  ++generation_;
  for (Job& job : jobs_) job.thread.request_stop();
}

bool BackgroundTask::isRunning() const {
  return std::any_of(jobs_.begin(), jobs_.end(),
                     [this](const Job& job) { return job.generation == generation_; });
}

void BackgroundTask::retire(quint64 generation) {
  std::erase_if(jobs_, [generation](const Job& job) { return job.generation == generation; });
  if (generation == generation_) emit finished();
}

}  // namespace lockstep
