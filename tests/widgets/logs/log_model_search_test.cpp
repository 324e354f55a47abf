// SPDX-License-Identifier: GPL-3.0-or-later
// What a model shows while a search is under way and the log goes on changing.
#include <QAbstractItemModelTester>
#include <QTest>
#include <deque>
#include <random>

#include "logs/store/kept_log.h"
#include "temp_dir.h"
#include "widgets/logs/log_model.h"

namespace lockstep {
namespace {

/// Finds what it is asked for when the test says so, a few thousand lines at a time.
class SlowSearcher : public LogSearcher {
 public:
  void search(Request request) override {
    log_ = request.log;
    search_.emplace(std::move(request.log), std::move(request.query), std::move(request.ranges));
    ++searches;
  }
  void cancel() override { search_.reset(); }
  bool step() {
    if (!search_) return false;
    RangesFound what;
    what.lines = search_->advance(std::chrono::nanoseconds(1));
    what.isLast = search_->isDone();
    if (what.isLast) search_.reset();
    emit found(log_, what);
    return true;
  }
  int searches = 0;

 private:
  std::shared_ptr<const LogSnapshot> log_;
  std::optional<RangeSearch> search_;
};

LogLine line(int second, const std::string& text) {
  LogLine made;
  made.time = TimePoint(std::chrono::seconds(second));
  made.text = text;
  made.rank = Rank(second % 3);
  made.node = "worker_0";
  made.level = levelOf(text);
  return made;
}

std::vector<LogLine> drawnLines(std::mt19937& random, int from, int count) {
  static const char* const kTexts[] = {"keep",  "drop", "ERROR: keep", "WARNING: keep", "Traceback (most",
                                       "  File"};
  std::vector<LogLine> lines;
  for (int i = 0; i < count; ++i) {
    const int second = from + i - (random() % 9 == 0 ? static_cast<int>(random() % 3000) : 0);
    lines.push_back(
        line(second, std::string(kTexts[random() % std::size(kTexts)]) + " " + std::to_string(from + i)));
  }
  return lines;
}

LogQuery wantsText(const char* typed) {
  LogQuery query;
  query.text = TextQuery::parse(typed).value();
  return query;
}

QStringList texts(const LogModel& model) {
  QStringList all;
  for (int row = 0; row < model.rowCount(); ++row)
    all.append(model.index(row, LogModel::TextColumn).data().toString());
  return all;
}

std::vector<std::uint64_t> whole(const LineSet& set) {
  return set.list(0, set.size());
}

}  // namespace

class LogModelSearchTest : public QObject {
  Q_OBJECT

 private slots:
  void whateverComesMeanwhileTheResultIsThatOfAFreshModel() {
    std::mt19937 random(9);
    for (int round = 0; round < 13; ++round) {
      const TempDir folder;
      KeptLog kept(folder.path() / "log", KeptLog::Limits{round % 2 ? 400'000U : 64U << 20U});
      LogLines lines;
      LogModel model(&lines);
      // It looks at every row after every change, so not at the long ones.
      const bool isShort = round % 5 == 0;
      std::optional<QAbstractItemModelTester> tester;
      if (isShort) tester.emplace(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
      auto owned = std::make_unique<SlowSearcher>();
      SlowSearcher* const searcher = owned.get();
      model.setSearcher(std::move(owned));
      const LogQuery filter = round % 3 == 0 ? LogQuery() : wantsText("keep OR file");
      model.setFilter(filter);
      int at = 0;
      for (int batch = 0; batch < 12; ++batch) {
        const int count = static_cast<int>(random() % (batch % 4 == 0 && !isShort ? 4000 : 50));
        kept.add(drawnLines(random, at, count));
        at += count;
        lines.setLog(kept.snapshot());
        if (random() % 5 == 0)
          model.setEnd(TimePoint(std::chrono::seconds(random() % static_cast<unsigned>(at + 1))));
        for (auto steps = random() % 4; steps > 0; --steps) searcher->step();
      }
      model.setEnd(std::nullopt);
      while (searcher->step()) continue;
      QVERIFY(!model.isScanning());
      LogModel fresh(&lines);
      fresh.setFilter(filter);
      while (fresh.knownFrom() > 0) QTest::qWait(1);
      QCOMPARE(whole(model.accepted()), whole(fresh.accepted()));
      QCOMPARE(whole(model.errors()), whole(fresh.errors()));
      QCOMPARE(whole(model.warnings()), whole(fresh.warnings()));
      QTRY_COMPARE(texts(model), texts(fresh));
    }
  }

  void aSearchGoesOnWhileTheLogGrows() {
    KeptLog kept;
    LogLines lines;
    LogModel model(&lines);
    auto owned = std::make_unique<SlowSearcher>();
    SlowSearcher* const searcher = owned.get();
    model.setSearcher(std::move(owned));
    std::mt19937 random(1);
    kept.add(drawnLines(random, 0, 100'000));
    lines.setLog(kept.snapshot());
    model.setFilter(wantsText("keep"));
    const int before = searcher->searches;
    for (int i = 0; i < 10; ++i) {
      kept.add(drawnLines(random, 100'000 + i, 1));
      lines.setLog(kept.snapshot());
    }
    QCOMPARE(searcher->searches, before);  // nothing that is under way is thrown away
    QVERIFY(searcher->step());
    QCOMPARE(searcher->searches, before + 1);  // and now it has the newest lines, too
    const double scanned = model.scanned();
    QVERIFY(scanned > 0.0);
    while (searcher->step()) continue;
    QVERIFY(!model.isScanning());
    QCOMPARE(model.scanned(), 1.0);
  }

  void anotherFilterEndsTheSearchAndAClearedLogHasNone() {
    KeptLog kept;
    LogLines lines;
    LogModel model(&lines);
    auto owned = std::make_unique<SlowSearcher>();
    SlowSearcher* const searcher = owned.get();
    model.setSearcher(std::move(owned));
    std::mt19937 random(2);
    kept.add(drawnLines(random, 0, 10'000));
    lines.setLog(kept.snapshot());
    model.setFilter(wantsText("keep"));
    searcher->step();
    model.setFilter(wantsText("drop"));
    while (searcher->step()) continue;
    for (const QString& text : texts(model)) QVERIFY(text.startsWith(QStringLiteral("drop")));
    model.setFilter(wantsText("keep"));
    lines.clear();
    QVERIFY(!searcher->step());
    model.showNothing();
    lines.setLog(kept.snapshot());
    QVERIFY(!searcher->step());
    QCOMPARE(model.rowCount(), 0);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::LogModelSearchTest)
#include "log_model_search_test.moc"
