// SPDX-License-Identifier: GPL-3.0-or-later
// The log pane with many lines, in a window that nobody sees: how long each thing takes that a user does, and how long the
// window stood still meanwhile.
//
//   log_view_bench [LINES [LATE]]     2,000,000 and 1,000 by themselves
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QScrollBar>
#include <QToolButton>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>

#include "app/desktop/runs/background_log_searcher.h"
#include "logs/store/kept_log.h"
#include "temp_dir.h"
#include "widgets/logs/log_matches.h"
#include "widgets/logs/log_model.h"
#include "widgets/logs/log_table.h"
#include "widgets/logs/log_view.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 40;

LogLine drawnLine(int number) {
  LogLine line;
  line.time = TimePoint(std::chrono::milliseconds(1'700'000'000'000 + number));
  line.rank = Rank(number % 16);
  line.node = "worker_" + std::to_string(number % 16 / 8);
  if (number % 5000 == 4999)
    line.text = "ERROR: step " + std::to_string(number) + " NCCL timeout";
  else if (number % 400 < 4)
    line.text = number % 400 == 0 ? "Traceback (most recent call last):" : "  File \"train.py\", line 7";
  else
    line.text = "epoch 3 step " + std::to_string(number) + " loss 0.4123 lr 3.0e-4 samples/s 812";
  if (number % 400 < 4) line.rank = Rank(0);
  line.level = levelOf(line.text);
  return line;
}

/// Of this thread, ns: what other programs take from the machine is no stall of ours.
qint64 processorTime() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return qint64{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

class Bench {
 public:
  Bench(int lines, int late)
      : lines_(lines), late_(late), log_(folder_.path() / "log", KeptLog::Limits{kNoLimit}) {
    view_.setSearchers([] { return std::make_unique<BackgroundLogSearcher>(); });
    view_.resize(1400, 800);
    view_.show();
    QApplication::processEvents();
  }
  void run() {
    fill(0, lines_);
    const auto isDone = [this] { return !view_.model()->isScanning(); };
    const auto areErrorsKnown = [this] { return view_.model()->knownFrom() == 0; };
    const auto type = [this](const char* text) {
      view_.findChild<QLineEdit*>(QStringLiteral("textFilter"))->setText(QString::fromLatin1(text));
    };
    auto* level = view_.findChild<QComboBox*>(QStringLiteral("levelFilter"));
    measure(
        "open", [this] { view_.setLog(log_.snapshot()); }, areErrorsKnown);
    measure(
        "filter: a rank", [this] { view_.showOnlyRank(Rank(3)); }, isDone);
    measure(
        "filter: all ranks", [this] { view_.showOnlyRanks({}); }, areErrorsKnown);
    measure(
        "filter: words", [&] { type("loss 17"); }, isDone);
    measure(
        "filter: expression", [&] { type("/step [0-9]*7 /"); }, isDone);
    measure(
        "filter: typed fast",
        [&] {
          for (const char* text : {"e", "er", "err", "erro", "error"}) type(text);
        },
        isDone);
    measure(
        "filter: no text", [&] { type(""); }, areErrorsKnown);
    measure(
        "filter: errors", [&] { level->setCurrentIndex(3); }, isDone);
    measure(
        "filter: all levels", [&] { level->setCurrentIndex(0); }, areErrorsKnown);
    measure(
        "find",
        [this] {
          view_.openFind();
          view_.findChild<QLineEdit*>(QStringLiteral("findText"))->setText(QStringLiteral("NCCL"));
          view_.findNext();
        },
        [this] { return !view_.matches()->model()->isScanning(); });
    measure(
        "scroll",
        [this] {
          for (int i = 0; i < 200; ++i) {
            view_.table()->verticalScrollBar()->setValue(view_.model()->rowCount() / 200 * i);
            view_.table()->viewport()->repaint();
          }
        },
        isDone, 200);
    view_.table()->setFollowing(true);
    measure(
        "100 batches of new lines", [this] { grow(100, 0); }, areErrorsKnown, 100);
    measure(
        "100 batches with late lines", [this] { grow(100, late_); }, areErrorsKnown, 100);
    std::printf("%d rows\n", view_.model()->rowCount());
  }

 private:
  void fill(int from, int count) {
    for (int at = from; at < from + count; at += 10'000) {
      std::vector<LogLine> lines;
      for (int i = at; i < std::min(from + count, at + 10'000); ++i) lines.push_back(drawnLine(i));
      log_.add(std::move(lines));
    }
    next_ = from + count;
  }
  void grow(int batches, int late) {
    for (int batch = 0; batch < batches; ++batch) {
      std::vector<LogLine> lines;
      for (int i = 0; i < 20; ++i) lines.push_back(drawnLine(next_++));
      if (late > 0) lines.push_back(drawnLine(std::max(0, next_ - late)));
      log_.add(std::move(lines));
      const auto log = log_.snapshot();
      turn([&] { view_.setLog(log); });
      turn([] { QApplication::processEvents(); });
    }
  }
  void turn(const std::function<void()>& work) {
    QElapsedTimer clock;
    clock.start();
    const qint64 before = processorTime();
    work();
    longest_ = std::max(longest_, clock.nsecsElapsed());
    longestWork_ = std::max(longestWork_, processorTime() - before);
  }
  /// `times`: how many things `act` does; its own time is no stall then.
  void measure(const char* what, const std::function<void()>& act, const std::function<bool()>& isDone,
               int times = 1) {
    QElapsedTimer all;
    all.start();
    longest_ = longestWork_ = 0;
    if (times == 1)
      turn(act);
    else
      act();
    const qint64 first = longestWork_;
    const double each = static_cast<double>(all.nsecsElapsed()) / 1e6 / times;
    do turn([] { QApplication::processEvents(QEventLoop::AllEvents, 5); });
    while (!isDone() || all.elapsed() < 400);
    std::printf("%-28s %8lld ms, longest turn %7.1f ms (worked %.1f ms, the first %.1f ms)", what,
                static_cast<long long>(all.elapsed()), static_cast<double>(longest_) / 1e6,
                static_cast<double>(longestWork_) / 1e6, static_cast<double>(first) / 1e6);
    if (times > 1) std::printf(", each %.2f ms", each);
    std::printf("\n");
    std::fflush(stdout);
  }

  int lines_, late_;
  int next_ = 0;
  qint64 longest_ = 0, longestWork_ = 0;  // ns, of a turn of the event loop
  TempDir folder_;
  KeptLog log_;
  LogView view_;
};

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication app(argc, argv);
  lockstep::Bench(argc > 1 ? std::atoi(argv[1]) : 2'000'000, argc > 2 ? std::atoi(argv[2]) : 1000).run();
}
