// SPDX-License-Identifier: GPL-3.0-or-later
// How long a line is on its way from the source that has it to the log pane, painted, beside metrics that take their time: as the
// desktop follows a run, in a window that nobody sees.
//
//   line_latency_bench [LINES [MILLISECONDS_OF_A_CALL [MILLISECONDS_OF_METRICS]]]     200, 2 and 300 by themselves
#include <QApplication>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <mutex>
#include <random>
#include <thread>

#include "app/desktop/runs/run_monitor.h"
#include "memory_object_store.h"
#include "widgets/logs/log_model.h"
#include "widgets/logs/log_table.h"
#include "widgets/logs/log_view.h"

namespace lockstep {
namespace {

using Time = std::chrono::steady_clock::time_point;

/// A service that has a line as soon as it is put there.
class Lines {
 public:
  void put() {
    const std::lock_guard lock(mutex_);
    LogLine line;
    line.id = line.text = "line " + std::to_string(came_.size());
    line.time = SystemClock().now();
    waiting_.push_back(line);
    came_.push_back(std::chrono::steady_clock::now());
  }
  std::vector<LogLine> take() {
    const std::lock_guard lock(mutex_);
    ++calls_;
    return std::exchange(waiting_, {});
  }
  [[nodiscard]] std::size_t calls() const { return calls_; }
  [[nodiscard]] Time came(std::size_t line) const {
    const std::lock_guard lock(mutex_);
    return came_[line];
  }

 private:
  mutable std::mutex mutex_;
  std::vector<LogLine> waiting_;
  std::vector<Time> came_;
  std::atomic<std::size_t> calls_ = 0;
};

class SourceOfLines final : public LogSource {
 public:
  SourceOfLines(std::shared_ptr<Lines> lines, std::chrono::milliseconds call)
      : lines_(std::move(lines)), call_(call) {}
  Result<std::vector<LogLine>> poll(const std::stop_token&) override {
    std::this_thread::sleep_for(call_);
    return lines_->take();
  }

 private:
  std::shared_ptr<Lines> lines_;
  std::chrono::milliseconds call_;
};

class RunningRun final : public Launcher {
 public:
  Result<TrainingRun> launch(const LaunchRequest&, const LaunchProgressHandler&,
                             const std::stop_token&) override {
    return failure(ErrorCode::Internal, "nothing is launched here");
  }
  Result<TrainingRun> cancel(TrainingRun run, const std::stop_token&) override { return run; }
  Result<TrainingRun> refresh(TrainingRun run, const std::stop_token&) override { return run; }
};

class SlowStore final : public MemoryObjectStore {
 public:
  explicit SlowStore(std::chrono::milliseconds call) : call_(call) {}
  Result<std::vector<ObjectInfo>> list(const std::string& prefix, const std::string& from,
                                       const std::stop_token& stop) override {
    std::this_thread::sleep_for(call_);
    return MemoryObjectStore::list(prefix, from, stop);
  }
  Result<std::string> get(const std::string& name, const std::stop_token& stop) override {
    std::this_thread::sleep_for(call_);
    return MemoryObjectStore::get(name, stop);
  }

 private:
  std::chrono::milliseconds call_;
};

TrainingRun runningRun() {
  TrainingRun run;
  run.id = RunId("bench");
  run.launchComplete = true;
  run.nodes.resize(1);
  run.nodes[0].id = JobRunId("n");
  run.nodes[0].state = JobRunState::InProgress;
  return run;
}

int bench(int count, std::chrono::milliseconds call, std::chrono::milliseconds metrics) {
  const auto lines = std::make_shared<Lines>();
  LogView view;
  view.resize(1200, 700);
  view.show();
  RunMonitor monitor;
  std::vector<double> times;
  QObject::connect(
      &monitor, &RunMonitor::updated, &view, [&](const std::shared_ptr<const RunUpdate>& update) {
        if (!update->log) return;
        view.setLog(update->log);
        view.table()->viewport()->repaint();
        const auto shown = std::chrono::steady_clock::now();
        for (auto line = times.size(); line < static_cast<std::size_t>(view.model()->rowCount()); ++line)
          times.push_back(std::chrono::duration<double, std::milli>(shown - lines->came(line)).count());
        if (times.size() >= static_cast<std::size_t>(count)) QApplication::quit();
      });
  const auto follower = std::make_shared<RunFollower>(
      runningRun(), std::make_shared<RunningRun>(), std::make_unique<SourceOfLines>(lines, call),
      std::make_unique<MetricReader>(std::make_shared<SlowStore>(metrics), "m"),
      std::make_shared<SystemClock>());
  const auto begin = std::chrono::steady_clock::now();
  monitor.follow([follower](const std::stop_token&) -> Result<RunPoll> {
    return RunPoll([follower](const std::stop_token& stop) { return follower->poll(stop); }, {}, {},
                   [follower](const std::stop_token& stop) { return follower->pollLines(stop); });
  });
  std::jthread writer([&] {
    std::mt19937 random(1);
    for (int i = 0; i < count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 160));
      lines->put();
    }
  });
  QApplication::exec();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  monitor.stop();
  std::ranges::sort(times);
  std::printf(
      "%zu lines, %.0f ms a call, metrics %.0f ms: median %.0f ms, 90 %% %.0f ms, most %.0f ms; %.1f calls a "
      "second\n",
      times.size(), static_cast<double>(call.count()), static_cast<double>(metrics.count()),
      times[times.size() / 2], times[times.size() * 9 / 10], times.back(),
      static_cast<double>(lines->calls()) / seconds);
  return 0;
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  const auto number = [&](int at, int otherwise) {
    return argc > at ? std::max(0, std::atoi(argv[at])) : otherwise;
  };
  return lockstep::bench(std::max(1, number(1, 200)), std::chrono::milliseconds(number(2, 2)),
                         std::chrono::milliseconds(number(3, 300)));
}
