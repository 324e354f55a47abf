// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_model.h"

#include <QAbstractItemModelTester>
#include <QTest>
#include <random>

#include "made_up_log.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

LogLine line(int second, const std::string& text, std::optional<Rank> rank = Rank(0)) {
  LogLine l;
  l.time = TimePoint(std::chrono::seconds(second));
  l.text = text;
  l.rank = rank;
  l.node = rank ? "worker_" + std::to_string(rank->value) : "main";
  l.level = levelOf(text);
  return l;
}

QStringList texts(const LogModel& model) {
  QStringList all;
  for (int row = 0; row < model.rowCount(); ++row)
    all.append(model.index(row, LogModel::TextColumn).data().toString());
  return all;
}

/// A log that grows; of more than `bytes` of it the oldest lines go, an eighth of that at a time.
class GrowingLog : public LogLines {
 public:
  explicit GrowingLog(std::uint64_t bytes = 64 << 20)
      : kept_(folder_.path() / "log", KeptLog::Limits{bytes}) {}
  void add(std::vector<LogLine> lines) {
    kept_.add(std::move(lines));
    setLog(kept_.snapshot());
  }

 private:
  TempDir folder_;
  KeptLog kept_;
};

LogQuery wantsText(const char* typed) {
  LogQuery query;
  query.text = TextQuery::parse(typed).value();
  return query;
}

}  // namespace

class LogModelTest : public QObject {
  Q_OBJECT

 private slots:
  void lateLinesAreInsertedWhereTheyBelong() {
    GrowingLog log;
    LogModel model(&log);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    log.add({line(1, "a"), line(3, "c")});
    const QPersistentModelIndex c(model.index(1, LogModel::TextColumn));
    log.add({line(2, "b"), line(4, "d"), line(0, "first")});
    QCOMPARE(texts(model), (QStringList{"first", "a", "b", "c", "d"}));
    QCOMPARE(c.row(), 3);
    QCOMPARE(c.data().toString(), QStringLiteral("c"));
    log.clear();
    QCOMPARE(model.rowCount(), 0);
  }

  void whatHidesOrTurnsTextIsShownInstead() {
    GrowingLog log;
    LogModel model(&log);
    LogLine hostile = line(1, "a\x1b[2J\x1b]0;x\a b\u202Etxt.exe");
    hostile.node = "main\u202E0";
    log.add({hostile});
    const QString shown = QString::fromUtf8("a\u241b[2J\u241b]0;x\u2407 b\\u202Etxt.exe");
    QCOMPARE(texts(model), QStringList{shown});
    QCOMPARE(model.index(0, LogModel::NodeColumn).data().toString(), QStringLiteral("main\\u202E0"));
    QVERIFY(model.copyText(0).endsWith(shown));
    QCOMPARE(model.lines()->line(0).text,
             std::string_view(hostile.text));  // as it came, for the filter and for saving
  }

  void aFilterHidesAndCounts() {
    GrowingLog log;
    LogModel model(&log);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setFilter(wantsText("keep"));
    log.add({line(1, "keep 1"), line(2, "drop"), line(3, "keep 3")});
    log.add({line(2, "keep 2"), line(0, "drop")});
    QCOMPARE(texts(model), (QStringList{"keep 1", "keep 2", "keep 3"}));
    QCOMPARE(model.hiddenCount(), std::uint64_t{2});
    QCOMPARE(model.lines()->line(model.lineOfRow(1)).text, std::string_view("keep 2"));
    QCOMPARE(model.rowOfLine(0), 0);
    model.setFilter({});
    QCOMPARE(model.rowCount(), 5);
  }

  void anyArrivalShowsWhatAFreshModelShows() {
    std::mt19937 random(4);
    for (int round = 0; round < 40; ++round) {
      GrowingLog grownLog, freshLog;
      LogModel grown(&grownLog), fresh(&freshLog);
      QAbstractItemModelTester tester(&grown, QAbstractItemModelTester::FailureReportingMode::Fatal);
      LogQuery filter;
      if (round % 2) filter.ranks = {Rank(1)};
      grown.setFilter(filter);
      std::vector<LogLine> all;
      for (int batch = 0; batch < 6; ++batch) {
        std::vector<LogLine> lines;
        // Large, finely interleaved batches too: the end is rewritten then.
        for (auto n = random() % (round % 3 == 0 ? 300 : 12); n > 0; --n)
          lines.push_back(line(static_cast<int>(random() % 400), std::to_string(all.size() + lines.size()),
                               Rank(static_cast<int>(random() % 2))));
        grownLog.add(lines);
        all.insert(all.end(), lines.begin(), lines.end());
      }
      freshLog.add(all);
      fresh.setFilter(filter);
      // On a slow machine either is still at it when the lines have been added.
      QTRY_VERIFY(!fresh.isScanning() && !fresh.isFilling());
      QTRY_COMPARE_WITH_TIMEOUT(texts(grown), texts(fresh), 20'000);
    }
  }

  void ofAVeryLongLogTheOldestLinesGo() {
    GrowingLog log(8000);
    LogModel model(&log);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    LogQuery filter;
    filter.ranks = {Rank(1)};
    std::mt19937 random(7);
    for (int i = 0; i < 400; ++i) {
      if (i == 200) model.setFilter(filter);
      log.add({line(i, "n" + std::to_string(i), Rank(i % 2)),
               line(static_cast<int>(random() % static_cast<unsigned>(i + 1)), "late", Rank(0))});
      QCOMPARE(log.dropped() + log.size(), static_cast<std::uint64_t>(2 * (i + 1)));
      for (int row = 0; row < model.rowCount(); ++row)
        QVERIFY(filter.acceptsFacts(model.lineAt(row)) || i < 200);
    }
    QVERIFY(log.dropped() > 400);
    QCOMPARE(texts(model).back(), QStringLiteral("n399"));
    model.setFilter({});
    QCOMPARE(static_cast<std::uint64_t>(model.rowCount()), log.size());
  }

  void saysWhatALineIs() {
    GrowingLog log;
    LogModel model(&log);
    log.add({line(1, "WARNING: slow", Rank(3)), line(2, "[node] up", std::nullopt)});
    QCOMPARE(model.index(0, LogModel::RankColumn).data().toString(), QStringLiteral("3"));
    QCOMPARE(model.index(0, 0).data(LogModel::RankRole).toInt(), 3);
    QCOMPARE(model.index(1, 0).data(LogModel::RankRole).toInt(), -1);
    QVERIFY(model.index(0, LogModel::TextColumn)
                .data(Qt::AccessibleTextRole)
                .toString()
                .startsWith(QStringLiteral("Warning:")));
    QVERIFY(model.copyText(0).contains(QStringLiteral("[worker_3 rank 3] WARNING: slow")));
    QVERIFY(model.copyText(1).contains(QStringLiteral("[main] [node] up")));
    QVERIFY(!model.index(5, 0).data().isValid());
  }

  void aTracebackIsOneRowUntilItIsUnfolded() {
    GrowingLog log;
    LogModel model(&log);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    log.add({line(1, "Traceback (most recent call last):"), line(2, "epoch 1", Rank(1)),
             line(3, "  File \"a.py\""), line(4, "ValueError: bad"), line(5, "after")});
    QCOMPARE(texts(model),
             (QStringList{"Traceback (most recent call last):  …  ValueError: bad", "epoch 1", "after"}));
    QCOMPARE(model.index(0, 0).data(LogModel::FoldRole).toInt(), static_cast<int>(LogModel::Fold::Folded));
    QCOMPARE(model.index(0, 0).data(LogModel::CountRole).toInt(), 2);
    QVERIFY(model.index(0, LogModel::TextColumn)
                .data(Qt::AccessibleTextRole)
                .toString()
                .contains(QLatin1String("2 line")));
    QCOMPARE(model.hiddenCount(), std::uint64_t{0});  // folded is not filtered
    QCOMPARE(model.setUnfolded(0, true), 0);
    QCOMPARE(model.rowCount(), 5);
    QCOMPARE(model.index(2, 0).data(LogModel::FoldRole).toInt(), static_cast<int>(LogModel::Fold::Inner));
    QCOMPARE(model.setUnfolded(2, false), 0);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.setUnfolded(1, true), -1);
    QCOMPARE(model.reveal(3), 3);  // unfolds what the line is in
    QCOMPARE(model.rowCount(), 5);
    model.setFolding(false);
    QCOMPARE(model.index(0, LogModel::TextColumn).data().toString(),
             QStringLiteral("Traceback (most recent call last):"));
  }

  void ofAProgressBarTheNewestUpdateIsShown() {
    GrowingLog log;
    LogModel model(&log);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    log.add({line(1, "start"), line(2, "Epoch 1:  10%|#")});
    for (int i = 3; i < 50; ++i)
      log.add({line(i, "Epoch 1:  " + std::to_string(i) + "%|#"), line(i, "x", Rank(1))});
    QCOMPARE(model.rowCount(), 2 + 47);
    QCOMPARE(model.index(model.rowCount() - 2, LogModel::TextColumn).data().toString(),
             QStringLiteral("Epoch 1:  49%|#"));
    QCOMPARE(model.index(model.rowCount() - 2, 0).data(LogModel::CountRole).toInt(), 47);
    log.add({line(60, "10 MB\r20 MB\r30 MB")});
    QCOMPARE(model.index(model.rowCount() - 1, LogModel::TextColumn).data().toString(),
             QString::fromUtf8("\u240d30 MB"));  // and that there was more
    QCOMPARE(model.rawText(model.rowCount() - 1), QStringLiteral("10 MB\r20 MB\r30 MB"));
  }

  void anyArrivalFoldsAsAFreshModelDoes() {
    static const std::vector<std::string> kTexts{"Traceback (most recent call last):",
                                                 "  File",
                                                 "ValueError: x",
                                                 "plain",
                                                 "h NCCL INFO a",
                                                 "Epoch 1:  10%|#"};
    std::mt19937 random(5);
    for (int round = 0; round < 40; ++round) {
      GrowingLog grownLog(round % 2 ? 12'000 : 64 << 20), freshLog;
      LogModel grown(&grownLog), fresh(&freshLog);
      QAbstractItemModelTester tester(&grown, QAbstractItemModelTester::FailureReportingMode::Fatal);
      for (int batch = 0; batch < 8; ++batch) {
        std::vector<LogLine> lines;
        for (auto n = random() % 100; n > 0; --n)
          lines.push_back(line(static_cast<int>(random() % 30) + batch * 20, kTexts[random() % kTexts.size()],
                               Rank(static_cast<int>(random() % 3))));
        grownLog.add(lines);
      }
      std::vector<LogLine> kept;
      for (std::uint64_t i = 0; i < grownLog.size(); ++i) {
        const LogLineView view = grownLog.line(i);
        LogLine copy = line(0, std::string(view.text), view.rank);
        copy.time = view.time;
        kept.push_back(copy);
      }
      freshLog.add(kept);
      QCOMPARE(texts(grown), texts(fresh));
    }
  }

  void aLongLogIsFilteredInSlicesWithTheSameResult() {
    GrowingLog log;
    LogModel model(&log);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    std::vector<LogLine> lines;
    for (int i = 0; i < 150'000; ++i) lines.push_back(line(i * 2, "n" + std::to_string(i)));
    log.add(lines);
    model.setSearcher(
        std::make_unique<SlicedLogSearcher>(std::chrono::nanoseconds(1), std::chrono::nanoseconds(1)));
    model.setFilter(wantsText("/7$/"));
    QVERIFY(model.isScanning());
    QVERIFY(model.scanned() < 1.0);
    QVERIFY(model.rowCount() > 0);
    QVERIFY(model.lineOfRow(0) > 130'000);  // newest first
    log.add({line(7, "late 7"), line(299'999, "late 27"), line(400'000, "new 7"), line(400'001, "new 8")});
    QTRY_VERIFY_WITH_TIMEOUT(!model.isScanning(), 30'000);
    QCOMPARE(model.rowCount(), 15'000 + 3);
    QCOMPARE(texts(model).mid(0, 2), (QStringList{"late 7", "n7"}));
    QCOMPARE(texts(model).back(), QStringLiteral("new 7"));
  }

  void nothingLaterThanTheEndIsShown() {
    GrowingLog log;
    LogModel model(&log);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (int i = 0; i < 100; ++i) log.add({line(i, "n" + std::to_string(i))});
    const auto at = [](int second) { return TimePoint(std::chrono::seconds(second)); };
    model.setEnd(at(9));
    QCOMPARE(model.rowCount(), 10);
    model.setEnd(at(19));
    QCOMPARE(texts(model).back(), QStringLiteral("n19"));
    model.setEnd(at(4));
    QCOMPARE(model.rowCount(), 5);
    log.add({line(3, "late"), line(200, "new")});
    QCOMPARE(model.rowCount(), 6);
    model.setEnd(std::nullopt);
    QCOMPARE(model.rowCount(), 102);
    model.setEnd(at(-1));
    QCOMPARE(model.rowCount(), 0);
    model.setEnd(std::nullopt);
    QCOMPARE(model.rowCount(), 102);
  }

  void rowsAreFoundByTime() {
    GrowingLog log;
    LogModel model(&log);
    log.add({line(1, "a"), line(3, "b"), line(3, "c"), line(5, "d")});
    const auto at = [](int second) { return TimePoint(std::chrono::seconds(second)); };
    QCOMPARE(model.rowAtTime(at(0)), -1);
    QCOMPARE(model.rowAtTime(at(3)), 2);
    QCOMPARE(model.rowAtTime(at(4)), 2);
    QCOMPARE(model.rowAtTime(at(9)), 3);
    LogQuery filter;
    filter.from = at(2);
    filter.to = at(4);
    model.setFilter(filter);
    QCOMPARE(texts(model), (QStringList{"b", "c"}));
  }

  void ofTooManyLinesTheNewestAreShown() {
    GrowingLog log;
    LogModel model(&log);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (int batch = 0; batch < 10; ++batch) {
      std::vector<LogLine> lines;
      for (int i = 0; i < 10; ++i)
        lines.push_back(line(batch * 10 + i, "n" + std::to_string(batch * 10 + i), Rank(i % 2)));
      if (batch == 3) model.setMostRows(32);
      log.add(lines);
      QCOMPARE(texts(model).back(), QStringLiteral("n%1").arg(batch * 10 + 9));
      QCOMPARE(static_cast<std::uint64_t>(model.rowCount()) + model.cutCount(), log.size());
      QVERIFY(batch < 3 || (model.rowCount() <= 32 && model.rowCount() > 28));
    }
    log.add({line(2, "late, and out of sight"), line(98, "late")});
    QVERIFY(texts(model).contains(QStringLiteral("late")));
    QCOMPARE(static_cast<std::uint64_t>(model.rowCount()) + model.cutCount(), log.size());
    LogQuery filter;
    filter.ranks = {Rank(1)};
    filter.to = TimePoint(std::chrono::seconds(40));
    model.setFilter(filter);
    QCOMPARE(model.rowCount(), 20);
    QCOMPARE(model.cutCount(), std::uint64_t{0});
  }

  void veryManyRowsComeInTheNextTurns() {
    GrowingLog log;
    LogModel model(&log);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    constexpr int kAtOnce = 500, kLines = kAtOnce * 2 + 100;
    model.setMostAtOnce(kAtOnce);
    std::vector<LogLine> lines;
    for (int i = 0; i < kLines; ++i) lines.push_back(line(i, i % 2 ? "a" : "b"));
    log.add(std::move(lines));
    QVERIFY(model.isFilling());
    QCOMPARE(model.rowCount(), kAtOnce);
    QCOMPARE(model.lineOfRow(0), std::uint64_t{kLines - kAtOnce});
    log.add({line(5, "late and old"), line(kLines - 5, "late and new"), line(kLines, "new")});
    QTRY_VERIFY_WITH_TIMEOUT(!model.isFilling(), 30'000);
    QCOMPARE(model.rowCount(), kLines + 3);
    QCOMPARE(model.index(6, LogModel::TextColumn).data().toString(), QStringLiteral("late and old"));
    QCOMPARE(model.extract().lines.size(), std::uint64_t{kLines} + 3);
    model.setFilter({});
    QCOMPARE(model.reveal(10), 10);  // whatever is still to come
  }

  void marksStayWithTheirLines() {
    GrowingLog log(800);
    LogModel model(&log);
    log.add({line(10, "a"), line(20, "b")});
    log.toggleMark(1);
    log.add({line(15, "late")});
    QVERIFY(model.index(2, 0).data(LogModel::MarkRole).toBool());
    QVERIFY(!model.index(1, 0).data(LogModel::MarkRole).toBool());
    QVERIFY(model.index(2, LogModel::TimeColumn)
                .data(Qt::AccessibleTextRole)
                .toString()
                .contains(QLatin1String("marked")));
    log.add({line(30, "x")});
    QCOMPARE(log.marks().size(), std::size_t{1});
    for (int i = 40; i < 80; ++i) log.add({line(i, "x")});
    QVERIFY(log.marks().isEmpty());  // its line has gone
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::LogModelTest)
#include "log_model_test.moc"
