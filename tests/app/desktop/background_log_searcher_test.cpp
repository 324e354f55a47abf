// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/background_log_searcher.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "made_up_log.h"
#include "widgets/logs/log_matches.h"
#include "widgets/logs/log_model.h"
#include "widgets/logs/log_table.h"
#include "widgets/logs/log_view.h"

namespace lockstep {
namespace {

constexpr int kTimeout = 20'000;

std::vector<LogLine> lines(int from, int count) {
  std::vector<LogLine> made(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    LogLine& line = made[static_cast<std::size_t>(i)];
    const int number = from + i;
    line.time = TimePoint(std::chrono::seconds(number));
    line.rank = Rank(number % 4);
    line.node = "worker_0";
    line.text = number % 1000 == 999 ? "ERROR: step " + std::to_string(number)
                                     : "step " + std::to_string(number) + " loss 0.5";
    line.level = levelOf(line.text);
  }
  return made;
}

LogQuery wantsText(const char* typed) {
  LogQuery query;
  query.text = TextQuery::parse(typed).value();
  return query;
}

}  // namespace

class BackgroundLogSearcherTest : public QObject {
  Q_OBJECT
 private slots:
  void findsWhatSlicesFind() {
    const auto log = snapshotOf(lines(0, 300'000));
    LogLines all;
    all.setLog(log);
    LogModel byThreads(&all), bySlices(&all);
    byThreads.setSearcher(std::make_unique<BackgroundLogSearcher>());
    byThreads.setFilter(wantsText("/[37] loss/ OR error"));
    bySlices.setFilter(wantsText("/[37] loss/ OR error"));
    QTRY_VERIFY_WITH_TIMEOUT(!byThreads.isScanning() && !bySlices.isScanning(), kTimeout);
    QVERIFY(byThreads.rowCount() > 1000);
    const auto whole = [](const LineSet& set) { return set.list(0, set.size()); };
    QCOMPARE(whole(byThreads.accepted()), whole(bySlices.accepted()));
    QCOMPARE(byThreads.errors().size(), std::uint64_t{300});
    QCOMPARE(whole(byThreads.errors()), whole(bySlices.errors()));
  }

  void oneThatIsCancelledLeavesNothingRunning() {
    auto log = snapshotOf(lines(0, 1'000'000));
    const std::weak_ptr<const LogSnapshot> held = log;
    BackgroundLogSearcher searcher;
    QSignalSpy found(&searcher, &LogSearcher::found);
    searcher.search({log, wantsText("/(x+x+)+y/"), {{0, log->size()}}});
    QVERIFY(searcher.isSearching());
    searcher.cancel();
    QVERIFY(!searcher.isSearching());
    log.reset();
    QTRY_VERIFY_WITH_TIMEOUT(held.expired(), kTimeout);  // no thread has it any more
    QTest::qWait(50);
    QCOMPARE(found.size(), 0);
  }

  void oneThatIsReplacedSaysNothingAnyMore() {
    const auto log = snapshotOf(lines(0, 400'000));
    BackgroundLogSearcher searcher;
    std::uint64_t lastFound = 0;
    bool isDone = false;
    connect(&searcher, &LogSearcher::found, this, [&](const auto&, const RangesFound& what) {
      for (const SearchedLines& piece : what.lines) lastFound += piece.found.size();
      isDone |= what.isLast;
    });
    for (int i = 0; i < 5; ++i) searcher.search({log, wantsText("loss"), {{0, log->size()}}});
    searcher.search({log, wantsText("error"), {{0, log->size()}}});
    QTRY_VERIFY_WITH_TIMEOUT(isDone, kTimeout);
    QCOMPARE(lastFound, std::uint64_t{400});
  }

  void theLogPaneFiltersFollowsAndFinds() {
    MadeUpLog log;
    LogView view;
    view.setSearchers([] { return std::make_unique<BackgroundLogSearcher>(); });
    view.resize(800, 300);
    view.show();
    view.setLog(log.add(lines(0, 200'000)));
    QCOMPARE(view.model()->rowCount(), 200'000);  // nothing has to be found for that
    QTRY_COMPARE_WITH_TIMEOUT(view.model()->errors().size(), std::uint64_t{200}, kTimeout);
    view.findChild<QLineEdit*>(QStringLiteral("textFilter"))->setText(QStringLiteral("/[37] loss/"));
    QTRY_COMPARE_WITH_TIMEOUT(view.model()->rowCount(), 40'000, kTimeout);
    // Lines that come meanwhile, some of them late.
    view.setLog(log.add(lines(200'000, 10)));
    view.setLog(log.add(lines(100'000, 10)));
    QTRY_COMPARE_WITH_TIMEOUT(view.model()->rowCount(), 40'004, kTimeout);
    view.openFind();
    view.findChild<QLineEdit*>(QStringLiteral("findText"))->setText(QStringLiteral("\"step 100007\""));
    view.findNext();
    QTRY_VERIFY_WITH_TIMEOUT(view.table()->currentIndex().isValid(), kTimeout);
    QCOMPARE(view.model()->lineAt(view.table()->currentIndex().row()).text,
             std::string_view("step 100007 loss 0.5"));
    QTRY_COMPARE_WITH_TIMEOUT(view.matches()->model()->rowCount(), 2, kTimeout);
  }

  void theLastErrorIsShownOnceItIsFound() {
    LogView view;
    view.setSearchers([] { return std::make_unique<BackgroundLogSearcher>(); });
    view.show();
    view.setLog(snapshotOf(lines(0, 300'500)));
    view.showLastError(Rank(3));
    QTRY_VERIFY_WITH_TIMEOUT(view.table()->currentIndex().isValid(), kTimeout);
    QCOMPARE(view.model()->lineAt(view.table()->currentIndex().row()).text,
             std::string_view("ERROR: step 299999"));
  }

  void aHardExpressionIsSaid() {
    std::vector<LogLine> hard = lines(0, 200);
    for (LogLine& line : hard) line.text = std::string(200, 'a') + "!";
    LogView view;
    view.setSearchers([] { return std::make_unique<BackgroundLogSearcher>(); });
    view.show();
    view.setLog(snapshotOf(hard));
    view.findChild<QLineEdit*>(QStringLiteral("textFilter"))->setText(QStringLiteral("/(a+)+$/"));
    auto* mistake = view.findChild<QLabel*>(QStringLiteral("textFilterMistake"));
    QTRY_VERIFY_WITH_TIMEOUT(mistake->text().contains(QStringLiteral("too long")), kTimeout);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::BackgroundLogSearcherTest)
#include "background_log_searcher_test.moc"
