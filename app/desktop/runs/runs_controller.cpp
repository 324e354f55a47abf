// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/runs_controller.h"

#include <algorithm>

#include "app/desktop/runs/background_log_searcher.h"
#include "app/desktop/runs/kept_lines.h"
#include "app/desktop/runs/launch_progress_text.h"
#include "app/desktop/runs/run_access.h"
#include "app/desktop/window/main_window.h"
#include "base/user_dirs.h"
#include "diagnosis/muted_findings.h"
#include "history/imported_runs.h"
#include "history/run_price.h"
#include "history/run_results.h"
#include "history/run_storage.h"
#include "launch/rehearsal_profile.h"
#include "runs/damaged_history.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/logs/log_view.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/runs/run_page.h"
#include "widgets/runs/runs_model.h"
#include "widgets/runs/runs_page.h"

namespace lockstep {
namespace {

constexpr std::chrono::milliseconds kRefreshInterval{4000};
constexpr std::chrono::milliseconds kSettleTime{1500};
constexpr std::chrono::hours kMuted{8};  // as its button says

/// What is said of a run now, with what somebody has changed of it: whatever else was said meanwhile, elsewhere, stays.
void applyChange(const RunMarks& before, const RunMarks& after, RunMarks& now) {
  for (const std::string& tag : before.tags)
    if (std::find(after.tags.begin(), after.tags.end(), tag) == after.tags.end()) std::erase(now.tags, tag);
  now.tags.insert(now.tags.end(), after.tags.begin(), after.tags.end());  // each stays once
  if (after.note != before.note) now.note = after.note;
  if (after.group != before.group) now.group = after.group;
  if (after.isPinned != before.isPinned) now.isPinned = after.isPinned;
  if (after.isArchived != before.isArchived) now.isArchived = after.isArchived;
}

}  // namespace

RunsController::RunsController(MainWindow* window, QObject* parent)
    : QObject(parent),
      window_(window),
      opener_(window),
      exports_(window),
      fileExport_(window),
      import_(window),
      comparison_(window),
      relaunch_(window) {
  RunsPage* history = window->runsPage();
  connect(history, &RunsPage::refreshRequested, this, &RunsController::refresh);
  connect(history, &RunsPage::openRequested, this, [this](const RunId& id) { open(toQString(id.value)); });
  connect(history, &RunsPage::cancelRequested, this, &RunsController::cancel);
  connect(history, &RunsPage::forgetRequested, this, &RunsController::forget);
  connect(history, &RunsPage::marksChanged, this, &RunsController::changeMarks);
  connect(&opener_, &RunOpener::found, this, &RunsController::show);
  connect(&opener_, &RunOpener::notFound, this, &RunsController::notFound);
  connect(history, &RunsPage::moveAsideRequested, this, &RunsController::moveHistoryAside);
  connect(window->runPage(), &RunPage::cancelRequested, this, &RunsController::cancel);
  connect(window->runPage(), &RunPage::stopLoadingRequested, this, &RunsController::stopLoading);
  connect(window->runPage(), &RunPage::reloadRequested, this, &RunsController::reload);
  connect(window->runPage(), &RunPage::startRegionRequested, this, &RunsController::startRegion);
  connect(window->runPage(), &RunPage::pastWanted, this, &RunsController::findPast);
  connect(window->runPage(), &RunPage::muteRequested, this, &RunsController::mute);
  connect(window->runPage(), &RunPage::stacksWanted, this,
          [this](const std::string& finding, const std::vector<Rank>& ranks) {
            stacks_.ask(window_->runPage()->run(), finding, ranks, passPhrases_);
          });
  connect(&stacks_, &StackQuestion::answered, window->runPage(), &RunPage::showStacks);
  connect(&pastTask_, &BackgroundTask::failed, window->runPage(), &RunPage::showError);
  connect(&relaunch_, &RelaunchController::launched, this, &RunsController::show);
  connect(&relaunch_, &RelaunchController::failed, this, &RunsController::refresh);
  connect(&relaunch_, &RelaunchController::ended, this, &RunsController::relaunchEnded);
  connect(&monitor_, &RunMonitor::updated, this, &RunsController::apply);
  connect(&monitor_, &RunMonitor::failed, window->runPage(), &RunPage::showFollowProblem);
  connect(&findings_, &KeptFindings::kept, history, &RunsPage::updateFindings);
  connect(&findings_, &KeptFindings::failed, history, &RunsPage::showError);
  connect(window->runPage()->dashboard(), &Dashboard::stepsInSight, &monitor_, &RunMonitor::lookAt);
  connect(window->runPage()->dashboard(), &Dashboard::lineChoiceWanted, this, &RunsController::chooseLines);
  window->runPage()->dashboard()->logView()->setSearchers(
      [] { return std::make_unique<BackgroundLogSearcher>(); });

  connect(&import_, &RunImport::added, this, &RunsController::refresh);
  connect(&refreshTask_, &BackgroundTask::failed, history, &RunsPage::showError);

  // Runs also begin and end elsewhere: in a terminal, in another window.
  refreshTimer_.setInterval(kRefreshInterval);
  connect(&refreshTimer_, &QTimer::timeout, this, [this] {
    if (window_->page() == Page::Runs && window_->isVisible() && !refreshTask_.isRunning()) refresh();
  });
  refreshTimer_.start();
  settleTimer_.setSingleShot(true);
  settleTimer_.setInterval(kSettleTime);
  connect(&settleTimer_, &QTimer::timeout, this, [this] { settled_ = true; });
}

RunsController::~RunsController() = default;

void RunsController::setSampleMemory(std::size_t bytes) {
  sampleMemory_ = bytes;
  monitor_.setSampleMemory(bytes);
}

QString RunsController::openRun() const {
  return toQString(window_->runPage()->run().id.value);
}

void RunsController::refresh() {
  const RunId followed = monitor_.isFollowing() ? window_->runPage()->run().id : RunId();
  refreshTask_.run([this, followed, passPhrases = passPhrases_](const std::stop_token& stop,
                                                                const BackgroundTask::Post& post) {
    Seen seen = readStore();
    post([this, seen] { showHistory(seen); });
    Seen asked = askServices(std::move(seen), followed, passPhrases, stop);
    post([this, asked = std::move(asked)] { showHistory(asked); });
  });
}

RunsController::Seen RunsController::readStore() {
  auto store = openRunStore();
  if (!store) return {failure(store.error()), {}};
  Seen seen{(*store)->summaries(), {}};
  if (!seen.runs) return seen;
  const auto prices = loadPrices(userConfigDir() / "prices.json");
  // What is wrong with the prices is said where they are looked at, in the designer.
  if (auto priced = fillPrices(**store, *seen.runs, prices ? *prices : builtInPrices()); !priced)
    seen.problems.push_back(priced.error());
  return seen;
}

RunsController::Seen RunsController::askServices(Seen seen, const RunId& followed,
                                                 const PassPhrases& passPhrases,
                                                 const std::stop_token& stop) {
  if (!seen.runs) return seen;
  for (RunSummary& summary : *seen.runs) {
    if (stop.stop_requested()) break;
    if (isTerminal(summary.state) || summary.id == followed) continue;
    const auto run = findRun(summary.id.value);
    auto services = run ? servicesOf(*run, passPhrases) : Result<RunServices>(failure(run.error()));
    auto now =
        services ? services->launcher()->refresh(*run, stop) : Result<TrainingRun>(failure(services.error()));
    if (now) {
      summary = withNewState(std::move(summary), *now);
    } else {
      seen.problems.push_back(now.error());
    }
  }
  return seen;
}

void RunsController::showHistory(const Seen& seen) {
  RunsPage* page = window_->runsPage();
  loaded_ = true;
  const Error* problem = !seen.runs               ? &seen.runs.error()
                         : !seen.problems.empty() ? &seen.problems.front()
                                                  : nullptr;
  if (seen.runs)
    page->setRuns(*seen.runs);
  else
    page->setHistoryUnknown(seen.runs.error().code == ErrorCode::DataLoss);
  const std::string text = problem ? problem->what + problem->cause : "";
  if (text == shownProblem_) return;  // closed by the user, it stays closed
  shownProblem_ = text;
  if (problem) {
    page->showError(*problem);
  } else {
    page->clearStatus();
  }
}

void RunsController::moveHistoryAside() {
  asideTask_.start([](const std::stop_token&) { return moveDamagedAside(RunStore::defaultPath()); },
                   [this](const Result<std::filesystem::path>& aside) {
                     if (!aside) return window_->runsPage()->showError(aside.error());
                     window_->showNote(tr("The old history is kept as %1").arg(toQString(aside->string())));
                     refresh();
                   });
}

void RunsController::open(const QString& reference, bool isAsked) {
  opener_.open(reference, isAsked);
}

void RunsController::show(const TrainingRun& run) {
  const bool isOther = run.id != window_->runPage()->run().id;
  window_->runPage()->setRun(run);
  if (!isReadOnly(run)) window_->runsPage()->updateRun(run);
  window_->showPage(Page::Run);
  if (isOther || (!monitor_.isFollowing() && !isTerminal(stateOf(run)))) follow(run);
  emit opened();
}

void RunsController::follow(const TrainingRun& run) {
  settled_ = false;
  stacks_.cancel();
  newestSamples_.reset();
  settleTimer_.stop();
  MetricReading reading{MetricDetail::Overview};
  reading.rawBytes = sampleMemory_ / 5 * 4;  // what is stored grows a little in memory
  const LineChoice choice = lineChoices_.read ? lineChoices_.read(run.id) : LineChoice();
  window_->runPage()->dashboard()->setLineChoice(choice);
  // A run that is only read has no log that could go; the lines of a file are read again.
  monitor_.follow(followerOf(run, passPhrases_, reading),
                  isReadOnly(run) ? std::filesystem::path() : linesFolder(run.id), keptLog_, choice);
  askRetention(run);
  showMuted(run.id);
}

/// A list that cannot be read mutes nothing; whoever mutes is told why.
void RunsController::showMuted(const RunId& id) {
  muteTask_.start([](const std::stop_token&) { return readMutedFindings(mutedFindingsFile()); },
                  [this, id](const Result<MutedFindings>& muted) {
                    RunPage* page = window_->runPage();
                    if (muted) emit mutedFound(*muted);
                    if (muted && id == page->run().id)
                      page->setMutedFindings(muted->keysOf(id, SystemClock().now()));
                  });
}

void RunsController::mute(const RunId& id, const std::string& finding, bool isMuted) {
  const auto work = [id, finding, isMuted](const std::stop_token&) -> Result<MutedFindings> {
    const TimePoint now = SystemClock().now();
    const auto until = isMuted ? std::optional(now + kMuted) : std::nullopt;
    if (auto done = muteFinding(mutedFindingsFile(), id, finding, until, now); !done)
      return failure(std::move(done.error()));
    return readMutedFindings(mutedFindingsFile());
  };
  muteTask_.start(work, [this, id](const Result<MutedFindings>& muted) {
    RunPage* page = window_->runPage();
    if (muted) emit mutedFound(*muted);
    if (id != page->run().id) return;
    muted ? page->setMutedFindings(muted->keysOf(id, SystemClock().now())) : page->showError(muted.error());
  });
}

// Where the service does not say it, neither does the page.
void RunsController::askRetention(const TrainingRun& run) {
  if (isReadOnly(run) || run.logId.empty()) return retentionTask_.cancel();
  retentionTask_.start([run, passPhrases = passPhrases_](
                           const std::stop_token& stop) { return logRetention(run, passPhrases, stop); },
                       [this, id = run.id](const Result<std::chrono::days>& keeps) {
                         RunPage* page = window_->runPage();
                         if (keeps && keeps->count() > 0 && id == page->run().id)
                           page->dashboard()->logView()->setRetention(*keeps);
                       });
}

void RunsController::apply(const std::shared_ptr<const RunUpdate>& update) {
  window_->runPage()->apply(*update);
  if (!isReadOnly(update->run)) window_->runsPage()->updateRun(update->run);
  if (update->diagnosis && !isReadOnly(update->run)) findings_.take(update->run.id, update->diagnosis);
  emit looked(update->run, update->diagnosis);
  metricBytesRead_ = update->metricBytesRead;
  if (update->samples) newestSamples_ = update->samples;
  const bool hasData = update->samples || update->log;
  const bool willEnd = isTerminal(stateOf(update->run)) && update->problems.empty();
  if (hasData && !willEnd && !settled_ && !settleTimer_.isActive()) settleTimer_.start();
  if (!update->ended) return;
  settled_ = true;
  keepResultsOf(update->run);
}

// What a run came to, once it is over: lists and comparisons need not read its samples for that.
void RunsController::keepResultsOf(const TrainingRun& run) {
  if (isReadOnly(run) || !newestSamples_) return;
  const auto work = [id = run.id, samples = newestSamples_](const std::stop_token&) -> Result<void> {
    const auto results = resultsOf(*samples);
    if (results.empty()) return {};
    auto store = openRunStore();
    if (!store) return failure(store.error());
    return (*store)->keepResults(id, results);
  };
  resultsTask_.start(work, [this](const Result<void>& done) {
    if (!done && done.error().code != ErrorCode::NotFound) window_->runsPage()->showError(done.error());
  });
}

void RunsController::stopLoading() {
  monitor_.stop();
  settled_ = true;
  window_->runPage()->showLoadingStopped();
}

void RunsController::reload() {
  const TrainingRun run = window_->runPage()->run();
  window_->runPage()->setRun({});
  window_->runPage()->setRun(run);
  follow(run);
}

// What other rules have read is still in the charts, so the run is shown anew.
void RunsController::chooseLines(const LineChoice& choice) {
  if (lineChoices_.write) lineChoices_.write(window_->runPage()->run().id, choice);
  reload();
}

// The follower goes on looking all the while, and finds the region once it answers.
void RunsController::startRegion() {
  const TrainingRun run = window_->runPage()->run();
  regionTask_.start(
      [run](const std::stop_token& stop) {
        return startRehearsal(rehearsalFor({run.configFile, run.profile, nullptr}), stop);
      },
      [this](const Result<RehearsalInfo>& region) {
        if (!region) window_->runPage()->showError(region.error());
      });
}

// A copy of a part of the samples of every rank: some milliseconds, too long for a picture.
void RunsController::findPast(const RunPast& wanted) {
  pastTask_.start([wanted](const std::stop_token&) { return answered(wanted); },
                  [this](const RunPast& past) { window_->runPage()->showPast(past); });
}

void RunsController::cancel(const RunId& id) {
  auto& task = cancels_[id];
  if (task && task->isRunning()) return;
  task = std::make_unique<BackgroundTask>();
  if (id == window_->runPage()->run().id) window_->runPage()->setCanceling(true);
  const auto work = [id, passPhrases = passPhrases_](const std::stop_token& stop) -> Result<TrainingRun> {
    auto run = findRun(id.value);
    if (!run) return run;
    auto services = servicesOf(*run, passPhrases);
    if (!services) return failure(services.error());
    return services->launcher()->cancel(*run, stop);
  };
  task->start(work, [this, id](const Result<TrainingRun>& run) { finishCancel(id, run); });
}

void RunsController::finishCancel(const RunId& id, const Result<TrainingRun>& run) {
  const bool isOpen = id == window_->runPage()->run().id;
  if (isOpen) window_->runPage()->setCanceling(false);
  if (run) {
    window_->runsPage()->updateRun(*run);
    if (isOpen) window_->runPage()->setRun(*run);
  } else if (isOpen && window_->page() == Page::Run) {
    window_->runPage()->showError(run.error());
  } else {
    window_->runsPage()->showError(run.error());
  }
}

void RunsController::changeMarks(const RunId& id, const RunMarks& marks) {
  const RunsModel* model = window_->runsPage()->model();
  const auto row = model->rowOf(id);
  const RunMarks before = row ? model->run(*row)->marks : RunMarks{};
  // What is archived can be read again: of its lines nothing is kept here.
  const auto work = [id, marks, before](const std::stop_token&) -> Result<StoredSize> {
    auto store = openRunStore();
    if (!store) return failure(store.error());
    bool wasArchived = false;
    const auto changed = (*store)->changeMarks(id, [&](RunMarks& now) {
      wasArchived = now.isArchived;
      applyChange(before, marks, now);
    });
    if (!changed) return failure(changed.error());
    return marks.isArchived && !wasArchived ? freeKeptLines(id) : Result<StoredSize>();
  };
  marksTask_.start(work, [this](const Result<StoredSize>& freed) {
    if (!freed) return window_->runsPage()->showError(freed.error());
    if (!freed->isEmpty())
      window_->showNote(
          tr("Archived; lines that this machine kept were freed: %1").arg(toQString(toText(*freed))));
    refresh();
  });
}

void RunsController::forget(const RunId& id) {
  const auto work = [id, passPhrases = passPhrases_](const std::stop_token&) -> Result<void> {
    auto store = openRunStore();
    if (!store) return failure(store.error());
    const auto run = (*store)->find(id.value);
    if (auto removed = (*store)->remove(id); !removed) return removed;
    if (run && run->backend == kFileBackend)
      if (const auto freed = freeImportedRun(*run); !freed) return failure(freed.error());
    return forgetLines(id);
  };
  forgetTask_.start(work, [this, id](const Result<void>& done) {
    if (!done) return window_->runsPage()->showError(done.error());
    if (id == window_->runPage()->run().id) {
      monitor_.stop();
      window_->runPage()->setRun({});
    }
    refresh();
  });
}

}  // namespace lockstep
