// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/support/background_task.h"

#include <QCoreApplication>
#include <QThread>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace lockstep {
namespace {

constexpr std::chrono::milliseconds kTimeout{1'500};  // of a window that closes something

/// Holds the threads of works that did not hear to stop, until the program ends: it waits for them then, with
/// its windows gone.
class LateWorks : public QObject {
 public:
  explicit LateWorks(QObject* parent) : QObject(parent) {}
  void add(std::shared_ptr<std::atomic<bool>> hasEnded, std::jthread thread) {
    std::erase_if(works_, [](const auto& work) { return work.first->load(); });
    works_.emplace_back(std::move(hasEnded), std::move(thread));
  }

 private:
  std::list<std::pair<std::shared_ptr<std::atomic<bool>>, std::jthread>> works_;
};

/// Null: there is no program that could go on without it.
LateWorks* lateWorks() {
  QCoreApplication* program = QCoreApplication::instance();
  if (program == nullptr || program->thread() != QThread::currentThread()) return nullptr;
  for (QObject* child : program->children())
    if (auto* works = dynamic_cast<LateWorks*>(child)) return works;
  return new LateWorks(program);
}

}  // namespace

/// Between a task and its works: a work that outlives the task finds nobody here.
struct BackgroundTask::Link {
  using Delivery = std::function<void(BackgroundTask&)>;
  std::mutex mutex;
  std::condition_variable someEnded;
  BackgroundTask* task = nullptr;

  void post(Delivery delivery) {
    const std::lock_guard lock(mutex);
    if (task == nullptr) return;
    task->handover_.post([to = task, delivery = std::move(delivery)] { delivery(*to); });
  }
};

BackgroundTask::BackgroundTask(QObject* parent) : QObject(parent), link_(std::make_shared<Link>()) {
  link_->task = this;
}

BackgroundTask::~BackgroundTask() {
  cancel();
  std::unique_lock lock(link_->mutex);
  link_->someEnded.wait_for(lock, kTimeout, [this] {
    return std::all_of(jobs_.begin(), jobs_.end(), [](const Job& job) { return job.hasEnded->load(); });
  });
  link_->task = nullptr;
  lock.unlock();
  for (Job& job : jobs_)
    if (LateWorks* late = job.hasEnded->load() ? nullptr : lateWorks())
      late->add(job.hasEnded, std::move(job.thread));
  jobs_.clear();  // joins
}

void BackgroundTask::run(Work work) {
  cancel();
  const quint64 generation = generation_;
  const Post post = [link = link_, generation](std::function<void()> function) {
    link->post([generation, function = std::move(function)](const BackgroundTask& task) {
      if (generation == task.generation_) function();
    });
  };
  Job& job = jobs_.emplace_back();
  job.generation = generation;
  job.hasEnded = std::make_shared<std::atomic<bool>>(false);
  job.thread = std::jthread([link = link_, hasEnded = job.hasEnded, generation, post,
                             work = std::move(work)](const std::stop_token& stop) mutable {
    try {
      work(stop, post);
    } catch (...) {
      link->post([generation, problem = errorOfException()](BackgroundTask& task) {
        if (generation == task.generation_) emit task.failed(problem);
      });
    }
    work = {};  // what it held goes before anybody hears that it has ended
    link->post([generation](BackgroundTask& task) { task.retire(generation); });
    const std::lock_guard lock(link->mutex);
    hasEnded->store(true);
    link->someEnded.notify_all();
  });
}

Error BackgroundTask::errorOfException() {
  Error problem;
  problem.code = ErrorCode::Internal;
  problem.what = "the work in the background has failed";
  problem.remedy = "try it again; if it happens again, report it with what you did before";
  try {
    throw;
  } catch (const std::bad_alloc&) {
    problem.code = ErrorCode::ResourceExhausted;
    problem.cause = "there is not enough memory";
    problem.remedy = "close other programs, or look at less at once";
  } catch (const std::exception& error) {  // a library's; ours are values
    problem.cause = error.what();
  } catch (...) {
    problem.cause = "it gave no reason";
  }
  return problem;
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
