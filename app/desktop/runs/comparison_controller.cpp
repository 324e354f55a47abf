// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/comparison_controller.h"

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "app/desktop/window/main_window.h"
#include "base/user_dirs.h"
#include "comparison/read_compared.h"
#include "widgets/comparison/comparison_page.h"
#include "widgets/runs/runs_page.h"

namespace lockstep {
namespace {

constexpr std::size_t kAtOnce = 6;  // runs that are read side by side

Result<std::vector<ComparedRun>> storedRuns(const std::vector<RunId>& ids) {
  auto store = openRunStore();
  if (!store) return failure(store.error());
  const auto prices = loadPrices(userConfigDir() / "prices.json");
  std::vector<ComparedRun> runs;
  for (const RunId& id : ids) {
    auto run = (*store)->find(id.value);
    if (!run) return failure(std::move(run.error()));
    auto compared = comparedRun(*std::move(run), **store, prices ? *prices : builtInPrices());
    if (!compared) return failure(std::move(compared.error()));
    runs.push_back(*std::move(compared));
  }
  return runs;
}

Result<void> readOne(ComparedRun& run, const PassPhrases& passPhrases, const std::stop_token& stop) {
  auto services = servicesOf(run.run, passPhrases);
  if (!services) return failure(std::move(services.error()));
  auto store = openRunStore();
  if (!store) return failure(std::move(store.error()));
  return addSamples(run, *services, store->get(), stop);
}

/// The runs as they are read, by several threads.
class Reading {
 public:
  Reading(std::vector<ComparedRun> runs, PassPhrases passPhrases)
      : runs_(std::move(runs)), passPhrases_(std::move(passPhrases)) {}

  /// `tell` gets all of them, after each that was read, in whatever thread. Ends when all are, or with `stop`.
  void readAll(const std::function<void(const std::vector<ComparedRun>&)>& tell,
               const std::stop_token& stop) {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min(kAtOnce, runs_.size()); ++i)
      threads.emplace_back([&, stop] {
        for (std::size_t next = next_++; next < runs_.size() && !stop.stop_requested(); next = next_++)
          read(next, tell, stop);
      });
  }
  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

 private:
  void read(std::size_t at, const std::function<void(const std::vector<ComparedRun>&)>& tell,
            const std::stop_token& stop) {
    ComparedRun run;
    {
      const std::lock_guard lock(mutex_);
      run = runs_[at];
    }
    const auto done = readOne(run, passPhrases_, stop);
    const std::lock_guard lock(mutex_);
    if (!done && !problem_) problem_ = done.error();
    runs_[at] = std::move(run);
    tell(runs_);
  }

  std::mutex mutex_;
  std::atomic<std::size_t> next_ = 0;
  std::vector<ComparedRun> runs_;
  PassPhrases passPhrases_;
  std::optional<Error> problem_;
};

}  // namespace

ComparisonController::ComparisonController(MainWindow* window, QObject* parent)
    : QObject(parent), window_(window) {
  connect(window->runsPage(), &RunsPage::compareRequested, this, &ComparisonController::compare);
  connect(&task_, &BackgroundTask::failed, window->comparisonPage(), &ComparisonPage::showError);
}

void ComparisonController::compare(const std::vector<RunId>& ids) {
  work([ids]() -> Result<std::vector<RunId>> { return ids; });
}

void ComparisonController::compareNewest(std::size_t count) {
  work([count]() -> Result<std::vector<RunId>> {
    auto store = openRunStore();
    if (!store) return failure(store.error());
    const auto runs = (*store)->summaries();
    if (!runs) return failure(runs.error());
    std::vector<RunId> ids;
    for (std::size_t i = 0; i < std::min(count, runs->size()); ++i) ids.push_back((*runs)[i].id);
    return ids;
  });
}

void ComparisonController::work(const std::function<Result<std::vector<RunId>>()>& choose) {
  isSettled_ = false;
  task_.run([this, choose, passPhrases = passPhrases_](const std::stop_token& stop,
                                                       const BackgroundTask::Post& post) {
    const auto ids = choose();
    auto runs = ids ? storedRuns(*ids) : Result<std::vector<ComparedRun>>(failure(ids.error()));
    if (!runs)
      return post([this, error = runs.error()] {
        isSettled_ = true;
        window_->runsPage()->showError(error);
      });
    post([this, runs = *runs] {
      window_->showPage(Page::Comparison);
      show(runs, true);
    });
    Reading reading(*std::move(runs), passPhrases);
    reading.readAll([&](const std::vector<ComparedRun>& now) { post([this, now] { show(now, true); }); },
                    stop);
    post([this, problem = reading.problem()] {
      isSettled_ = true;
      window_->comparisonPage()->setLoading(false);
      if (problem) window_->comparisonPage()->showError(*problem);
      emit loaded();
    });
  });
}

void ComparisonController::show(std::vector<ComparedRun> runs, bool isLoading) {
  window_->comparisonPage()->setRuns(std::move(runs));
  window_->comparisonPage()->setLoading(isLoading);
}

}  // namespace lockstep
