// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "widgets/logs/filters/log_filter_bar.h"
#include "widgets/logs/filters/log_find_bar.h"
#include "widgets/logs/filters/log_highlighters_dialog.h"
#include "widgets/logs/filters/log_words.h"
#include "widgets/logs/log_matches.h"
#include "widgets/logs/log_model.h"
#include "widgets/logs/log_overview.h"
#include "widgets/logs/log_table.h"

namespace lockstep {
namespace {

std::vector<LogLine> lines(int from, int count, int ranks = 2) {
  std::vector<LogLine> result;
  for (int i = from; i < from + count; ++i) {
    LogLine line;
    line.time = TimePoint(std::chrono::seconds(i));
    line.rank = Rank(i % ranks);
    line.node = "worker_" + std::to_string(i % ranks);
    line.text = i % 10 == 7 ? "ERROR: line " + std::to_string(i) : "line " + std::to_string(i);
    line.level = levelOf(line.text);
    result.push_back(line);
  }
  return result;
}

}  // namespace

class LogViewTest : public QObject {
  Q_OBJECT

  std::unique_ptr<LogView> view_;

  QScrollBar* bar() { return view_->table()->verticalScrollBar(); }
  bool isAtEnd() { return bar()->value() == bar()->maximum(); }
  template <class T>
  T* child(const char* name) {
    return view_->findChild<T*>(QString::fromLatin1(name));
  }
  QString counts() { return child<QLabel>("counts")->text(); }
  int topLine() { return static_cast<int>(view_->model()->lineOfRow(view_->table()->rowAt(0))); }

 private slots:
  void theButtonsWithinTheFilterHaveNamesAndOneCanBeReached() {
    LogView view;
    auto* text = view.findChild<QLineEdit*>(QStringLiteral("textFilter"));
    QVERIFY(text);
    text->setText(QStringLiteral("error"));
    const auto buttons = text->findChildren<QToolButton*>();
    QCOMPARE(buttons.size(), 2);
    bool canBeReached = false;
    for (const QToolButton* button : buttons) {
      QVERIFY(!button->accessibleName().isEmpty());
      canBeReached |= (button->focusPolicy() & Qt::TabFocus) != 0;
    }
    QVERIFY(canBeReached);
  }

  void init() {
    view_ = std::make_unique<LogView>();
    view_->resize(800, 300);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    view_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(view_.get()));
    view_->table()->setFocus();
  }

  void followsTheEnd() {
    view_->addLines(lines(0, 200));
    QTRY_VERIFY(bar()->maximum() > 0 && isAtEnd());
    view_->addLines(lines(200, 200));
    QTRY_VERIFY(view_->table()->rowAt(view_->table()->viewport()->height() - 4) == 399);
    QVERIFY(isAtEnd());
    QVERIFY(view_->table()->isFollowing());
  }

  void scrollingUpStopsFollowingAndEndTakesItUpAgain() {
    view_->addLines(lines(0, 200));
    QTRY_VERIFY(bar()->maximum() > 0 && isAtEnd());
    bar()->triggerAction(QAbstractSlider::SliderPageStepSub);
    QVERIFY(!view_->table()->isFollowing());
    QVERIFY(!child<QToolButton>("follow")->isChecked());
    const int top = topLine();
    view_->addLines(lines(200, 100));
    QTest::qWait(20);
    QCOMPARE(topLine(), top);
    QTest::keyClick(view_->table(), Qt::Key_End);
    QVERIFY(view_->table()->isFollowing());
    QVERIFY(child<QToolButton>("follow")->isChecked());
    QTRY_VERIFY(isAtEnd());
    bar()->setValue(10);
    QVERIFY(!view_->table()->isFollowing());
    child<QToolButton>("follow")->click();
    QTRY_VERIFY(isAtEnd());
  }

  void scrollingBackToTheEndFollowsAgain() {
    view_->addLines(lines(0, 200));
    QTRY_VERIFY(bar()->maximum() > 0 && isAtEnd());
    bar()->setValue(0);
    QVERIFY(!view_->table()->isFollowing());
    bar()->setValue(bar()->maximum());
    QVERIFY(view_->table()->isFollowing());
  }

  void lateLinesAboveDoNotMoveWhatIsRead() {
    view_->addLines(lines(1000, 300));
    QTRY_VERIFY(bar()->maximum() > 0);
    bar()->setValue(100);
    const QString text =
        QString::fromStdString(std::string(view_->model()->lineAt(view_->table()->rowAt(0)).text));
    view_->addLines(lines(0, 50));
    QTest::qWait(20);
    QCOMPARE(QString::fromStdString(std::string(view_->model()->lineAt(view_->table()->rowAt(0)).text)),
             text);
  }

  void filtersByTextLevelAndRank() {
    view_->addLines(lines(0, 100));
    QCOMPARE(counts(), QStringLiteral("100 lines"));
    child<QLineEdit>("textFilter")->setText(QStringLiteral("\"LINE 9\""));
    QTRY_COMPARE(view_->model()->rowCount(), 11);
    QCOMPARE(counts(), QStringLiteral("100 lines, 89 hidden by filter"));
    child<QLineEdit>("textFilter")->clear();
    QTRY_COMPARE(view_->model()->rowCount(), 100);
    child<QComboBox>("levelFilter")->setCurrentIndex(3);
    QCOMPARE(view_->model()->rowCount(), 10);
    child<QComboBox>("levelFilter")->setCurrentIndex(0);
    view_->showOnlyRank(Rank(1));
    QCOMPARE(view_->model()->rowCount(), 50);
    auto* menu = child<QPushButton>("rankFilter")->menu();
    menu->actions().front()->trigger();
    QCOMPARE(view_->model()->rowCount(), 100);
    menu->actions()[2]->trigger();  // rank 0
    QCOMPARE(view_->model()->rowCount(), 50);
    view_->addLines(lines(100, 10));
    QCOMPARE(view_->model()->rowCount(), 55);
  }

  void aBadExpressionIsSaidBesideTheFieldAndTheOldFilterStays() {
    view_->addLines(lines(0, 100));
    auto* filter = view_->findChild<LogFilterBar*>();
    for (auto* button : filter->findChildren<QToolButton*>())
      if (button->text() == QStringLiteral(".*")) button->click();
    child<QLineEdit>("textFilter")->setText(QStringLiteral("line [12]$"));
    QTRY_COMPARE(view_->model()->rowCount(), 2);
    child<QLineEdit>("textFilter")->setText(QStringLiteral("line [12"));
    QTRY_VERIFY(!filter->expressionError().isEmpty());
    QVERIFY(child<QLabel>("textFilterMistake")->isVisible());
    QCOMPARE(view_->model()->rowCount(), 2);
    child<QLineEdit>("textFilter")->setText(QStringLiteral("line [1]$"));
    QTRY_COMPARE(view_->model()->rowCount(), 1);
    QVERIFY(!child<QLabel>("textFilterMistake")->isVisible());
  }

  void anExpressionThatTakesTooLongIsSaidAndHoldsNothingUp() {
    std::vector<LogLine> hard = lines(0, 200);
    for (LogLine& line : hard) line.text = std::string(200, 'a') + "!";
    view_->addLines(hard);
    auto* filter = view_->findChild<LogFilterBar*>();
    for (auto* button : filter->findChildren<QToolButton*>())
      if (button->text() == QStringLiteral(".*")) button->click();
    child<QLineEdit>("textFilter")->setText(QStringLiteral("(a+)+$"));
    QTRY_VERIFY(filter->expressionError().contains(QStringLiteral("too long")));
    child<QLineEdit>("textFilter")->setText(QStringLiteral("!$"));
    QTRY_COMPARE(view_->model()->rowCount(), 200);
    QVERIFY(filter->expressionError().isEmpty());
  }

  void findsForwardAndBack() {
    view_->addLines(lines(0, 100));
    view_->openFind();
    child<QLineEdit>("findText")->setText(QStringLiteral("error"));
    view_->findNext();
    QCOMPARE(view_->table()->currentIndex().row(), 7);
    view_->findNext();
    QCOMPARE(view_->table()->currentIndex().row(), 17);
    view_->findPrevious();
    view_->findPrevious();
    QCOMPARE(view_->table()->currentIndex().row(), 97);
    QVERIFY(!view_->table()->isFollowing());
    QTest::keyClick(child<QLineEdit>("findText"), Qt::Key_Escape);
    QVERIFY(!view_->findChild<LogFindBar*>()->isVisible());
  }

  void copiesAndHandsOutWhatIsShown() {
    view_->addLines(lines(0, 20));
    view_->table()->selectAll();
    QTest::keyClick(view_->table(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 19);
    QSignalSpy saved(view_.get(), &LogView::saveRequested);
    view_->showOnlyRank(Rank(1));
    child<QToolButton>("saveLines")->click();
    QCOMPARE(saved.count(), 1);
    QCOMPARE(saved[0][0].toString().count(QLatin1Char('\n')), 10);
    QVERIFY(saved[0][0].toString().contains(QStringLiteral("[worker_1 rank 1] ERROR: line 7")));
  }

  void manyLinesASecondAreTaken() {
    for (int batch = 0; batch < 50; ++batch) view_->addLines(lines(batch * 2000, 2000));
    QCOMPARE(view_->model()->rowCount(), 100'000);
    QTRY_VERIFY(isAtEnd());
    QVERIFY(counts().startsWith(QLocale().toString(100'000)));
  }

  void aClickAndEnterTellTimeAndRank() {
    view_->addLines(lines(0, 20));
    view_->table()->setFollowing(false);
    QSignalSpy told(view_.get(), &LogView::lineActivated);
    const QRect cell = view_->table()->visualRect(view_->model()->index(2, LogModel::NodeColumn));
    QTest::mouseClick(view_->table()->viewport(), Qt::LeftButton, {}, cell.center());
    QCOMPARE(told.count(), 1);
    QTest::keyClick(view_->table(), Qt::Key_Down);
    QTest::keyClick(view_->table(), Qt::Key_Return);
    QCOMPARE(told.count(), 2);
    QCOMPARE(told[1][0].value<TimePoint>(), TimePoint(std::chrono::seconds(3)));
    QCOMPARE(told[1][1].value<std::optional<Rank>>(), std::optional(Rank(1)));
  }

  void theSharedCursorIsInSightAndEndsFollowing() {
    view_->addLines(lines(0, 500));
    QTRY_VERIFY(isAtEnd());
    view_->setCursorTime(TimePoint(std::chrono::milliseconds(100'500)));
    QVERIFY(!view_->table()->isFollowing());
    QVERIFY(view_->table()->viewport()->rect().contains(
        view_->table()->visualRect(view_->model()->index(100, LogModel::TimeColumn)).center()));
    const QImage with = view_->table()->grab().toImage();
    view_->setCursorTime(std::nullopt);
    QVERIFY(view_->table()->grab().toImage() != with);
  }

  void windowRanksAndEndNarrowTheLog() {
    view_->addLines(lines(0, 100, 4));
    view_->setTimeWindow(std::pair(TimePoint(std::chrono::seconds(10)), TimePoint(std::chrono::seconds(29))));
    QCOMPARE(view_->model()->rowCount(), 20);
    view_->showOnlyRanks({Rank(1), Rank(2)});
    QCOMPARE(view_->model()->rowCount(), 10);
    QVERIFY(child<QToolButton>("timeChip"));
    QVERIFY(child<QToolButton>("rankChip")->text().startsWith(QStringLiteral("Ranks 1")));
    view_->setEnd(TimePoint(std::chrono::seconds(19)));
    QCOMPARE(view_->model()->rowCount(), 5);
    QCOMPARE(counts(), QStringLiteral("20 lines, 15 hidden by filter"));  // as if the log ended there
    child<QToolButton>("timeChip")->click();
    QCOMPARE(view_->model()->rowCount(), 10);
    child<QToolButton>("rankChip")->click();
    QCOMPARE(view_->model()->rowCount(), 20);
    QVERIFY(view_->findChild<LogFilterChips*>()->isHidden());
    view_->setEnd(std::nullopt);
    QCOMPARE(view_->model()->rowCount(), 100);
  }

  void ranksAndNodesAreChosenInTheMenu() {
    view_->addLines(lines(0, 100, 4));
    auto* menu = child<QPushButton>("rankFilter")->menu();
    auto* list = menu->findChild<QLineEdit*>(QStringLiteral("rankList"));
    QVERIFY(list);
    list->setText(QStringLiteral("x"));
    emit list->returnPressed();
    QTRY_VERIFY(!list->accessibleDescription().isEmpty());
    QCOMPARE(view_->model()->rowCount(), 100);
    list->setText(QStringLiteral("1-2"));
    emit list->returnPressed();
    QTRY_COMPARE(view_->model()->rowCount(), 50);
    menu->actions().front()->trigger();
    QCOMPARE(view_->model()->rowCount(), 100);
    menu->actions().back()->trigger();  // the last node
    QCOMPARE(view_->model()->rowCount(), 25);
    QVERIFY(child<QToolButton>("nodeChip"));
  }

  void theTimeMenuCountsFromTheNewestAndTheChosenLine() {
    view_->addLines(lines(0, 1000));
    const QList<QAction*> entries = child<QPushButton>("timeFilter")->menu()->actions();
    const auto trigger = [&](const char* text) {
      for (QAction* entry : entries)
        if (entry->text() == QLatin1String(text)) entry->trigger();
    };
    trigger("Last minute");
    QCOMPARE(view_->model()->rowCount(), 61);
    trigger("All times");
    view_->table()->showRow(500);
    trigger("30 seconds around the chosen line");
    QCOMPARE(view_->model()->rowCount(), 61);
    trigger("All times");
    view_->table()->showRow(500);
    trigger("Until the chosen line");
    QCOMPARE(view_->model()->rowCount(), 501);
  }

  void wordsAreSearchedForInTheLog() {
    view_->addLines(lines(0, 100));
    child<QLineEdit>("textFilter")->setText(QStringLiteral("line -error (5 OR \"line 8\")"));
    QTRY_COMPARE(counts(), QStringLiteral("100 lines, 73 hidden by filter"));
    child<QLineEdit>("textFilter")->setText(QStringLiteral("line \"8"));
    QTRY_COMPARE(child<QLabel>("textFilterMistake")->text(),
                 QStringLiteral("Character 6: the quote is not closed"));
    QCOMPARE(view_->model()->rowCount(), 27);
  }

  void aPaneShowsAllMatches() {
    view_->addLines(lines(0, 500));
    QVERIFY(view_->matches()->isHidden());
    view_->openFind();
    child<QLineEdit>("findText")->setText(QStringLiteral("error"));
    QTRY_COMPARE(view_->matches()->model()->rowCount(), 50);
    QVERIFY(view_->matches()->isVisible());
    QCOMPARE(child<QLabel>("findResult")->text(), QStringLiteral("50 matches"));
    QSignalSpy told(view_.get(), &LogView::lineActivated);
    view_->matches()->table()->setFollowing(false);
    view_->matches()->table()->showRow(3);
    QTest::keyClick(view_->matches()->table(), Qt::Key_Return);
    QCOMPARE(view_->table()->currentIndex().row(), 37);
    QCOMPARE(told.count(), 1);
    QTest::keyClick(view_->table(), Qt::Key_F3);
    QCOMPARE(view_->table()->currentIndex().row(), 47);
    QCOMPARE(child<QLabel>("findResult")->text(), QStringLiteral("5 of 50 matches"));
    QTest::keyClick(view_->table(), Qt::Key_F3, Qt::ShiftModifier);
    QCOMPARE(view_->table()->currentIndex().row(), 37);
    // Each pane follows by itself.
    view_->table()->setFollowing(true);
    QVERIFY(!view_->matches()->table()->isFollowing());
    view_->showOnlyRank(Rank(1));
    view_->addLines(lines(500, 10));
    QCOMPARE(view_->matches()->model()->rowCount(), 51);
    view_->findChild<LogFindBar*>()->close();
    QVERIFY(view_->matches()->isHidden());
  }

  void aMatchThatIsFoldedIsUnfolded() {
    std::vector<LogLine> all = lines(0, 5, 1);
    all[1].text = "Traceback (most recent call last):";
    all[2].text = "  File \"model.py\"";
    all[3].text = "ValueError: x";
    view_->addLines(all);
    QCOMPARE(view_->model()->rowCount(), 3);
    view_->openFind();
    child<QLineEdit>("findText")->setText(QStringLiteral("model.py"));
    view_->findNext();
    QCOMPARE(view_->model()->rowCount(), 5);
    QCOMPARE(view_->table()->currentIndex().row(), 2);
    QTest::keyClick(view_->table(), Qt::Key_Left);
    QCOMPARE(view_->model()->rowCount(), 3);
    QCOMPARE(view_->table()->currentIndex().row(), 1);
    QTest::keyClick(view_->table(), Qt::Key_Right);
    QCOMPARE(view_->model()->rowCount(), 5);
    const QRect cell = view_->table()->visualRect(view_->model()->index(1, LogModel::TextColumn));
    QTest::mouseClick(view_->table()->viewport(), Qt::LeftButton, {},
                      QPoint(cell.left() + 3, cell.center().y()));
    QCOMPARE(view_->model()->rowCount(), 3);
    child<QToolButton>("fold")->click();
    QCOMPARE(view_->model()->rowCount(), 5);
  }

  void marksAndErrorsAreGoneTo() {
    view_->addLines(lines(0, 100));
    QTest::keyClick(view_->table(), Qt::Key_F2);
    QVERIFY(!child<QLabel>("said")->text().isEmpty());
    view_->table()->showRow(10);
    QTest::keyClick(view_->table(), Qt::Key_M);
    view_->table()->showRow(50);
    QTest::keyClick(view_->table(), Qt::Key_M, Qt::ControlModifier);
    QTest::keyClick(view_->table(), Qt::Key_F2);
    QCOMPARE(view_->table()->currentIndex().row(), 10);
    QTest::keyClick(view_->table(), Qt::Key_F2, Qt::ShiftModifier);
    QCOMPARE(view_->table()->currentIndex().row(), 50);
    QTest::keyClick(view_->table(), Qt::Key_M);
    QCOMPARE(view_->model()->lines()->marks().size(), std::size_t{1});
    view_->table()->showRow(1);  // rank 1; errors are 7, 17, …, all of rank 1
    QTest::keyClick(view_->table(), Qt::Key_E);
    QCOMPARE(view_->table()->currentIndex().row(), 7);
    QTest::keyClick(view_->table(), Qt::Key_E, Qt::ShiftModifier);
    QCOMPARE(view_->table()->currentIndex().row(), 97);
    view_->table()->showRow(2);
    QTest::keyClick(view_->table(), Qt::Key_E);
    QCOMPARE(view_->table()->currentIndex().row(), 2);
    QCOMPARE(child<QLabel>("said")->text(), QStringLiteral("No error of rank 0"));
  }

  void goesToALineOrATime() {
    view_->addLines(lines(0, 100));
    const auto go = [this](const QString& place) {
      QTest::keyClick(view_->table(), Qt::Key_G, Qt::ControlModifier);
      child<QLineEdit>("goText")->setText(place);
      QTest::keyClick(child<QLineEdit>("goText"), Qt::Key_Return);
      return view_->table()->currentIndex().row();
    };
    QCOMPARE(go(QStringLiteral("42")), 41);
    QCOMPARE(go(QStringLiteral("1970-01-01T00:00:12Z")), 12);
    QCOMPARE(go(lineTimeText(TimePoint(std::chrono::seconds(77)))), 77);
    QCOMPARE(go(QStringLiteral("999999")), 99);
    QCOMPARE(go(QStringLiteral("soon")), 99);
    QVERIFY(!child<QLabel>("goMistake")->text().isEmpty());
  }

  void theOverviewCountsAllOfTheLog() {
    view_->addLines(lines(0, 1000));
    auto* overview = view_->findChild<LogOverview*>();
    view_->openFind();
    child<QLineEdit>("findText")->setText(QStringLiteral("line 12"));
    view_->model()->lines()->toggleMark(999);
    QTRY_VERIFY(view_->matches()->model()->rowCount() > 0);
    LogOverview::Counts sum;
    for (int y = 0; y < 50; ++y) {
      const LogOverview::Counts counts = overview->countsAt(y, 50);
      sum.errors += counts.errors;
      sum.matches += counts.matches;
      sum.marks += counts.marks;
    }
    QCOMPARE(sum.errors, std::size_t{100});
    QCOMPARE(sum.matches, view_->matches()->model()->accepted().size());
    QCOMPARE(sum.marks, std::size_t{1});
    QTRY_VERIFY(overview->accessibleDescription().contains(QStringLiteral("100 errors")));
    QTest::mouseClick(overview, Qt::LeftButton, {}, QPoint(3, 1));
    QVERIFY(!view_->table()->isFollowing());
    QVERIFY(topLine() < 50);
  }

  void wordsGetColoursAndStay() {
    view_->addLines(lines(0, 20));
    const QImage before = view_->table()->grab().toImage();
    view_->openFind();
    child<QLineEdit>("findText")->setText(QStringLiteral("line 1"));
    QTest::keyClick(child<QLineEdit>("findText"), Qt::Key_3, Qt::ControlModifier | Qt::ShiftModifier);
    view_->findChild<LogFindBar*>()->close();
    QVERIFY(view_->table()->grab().toImage() != before);
    const QByteArray state = view_->saveState();
    QVERIFY(state.contains("line 1"));
    LogView other;
    other.restoreState(state);
    QCOMPARE(other.saveState(), state);
    QTest::keyClick(view_->table(), Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = view_->findChild<LogHighlightersDialog*>();
    QVERIFY(dialog);
    QCOMPARE(dialog->findChild<QLineEdit*>(QStringLiteral("highlighter3"))->text(), QStringLiteral("line 1"));
    dialog->findChild<QLineEdit*>(QStringLiteral("highlighter3"))->clear();
    QVERIFY(!view_->saveState().contains("line 1"));
    dialog->close();
  }

  void saysUntilWhenTheServiceHasTheLines() {
    QVERIFY(child<QLabel>("retention")->isHidden());
    view_->setRetention(SystemClock().now() + std::chrono::hours(48));
    QVERIFY(child<QLabel>("retention")->text().contains(QStringLiteral("until")));
    view_->setRetention(SystemClock().now() - std::chrono::hours(48));
    QVERIFY(child<QLabel>("retention")->text().contains(QStringLiteral("deleted")));
    view_->setRetention(std::nullopt);
    QVERIFY(child<QLabel>("retention")->isHidden());
  }

  void savesAllAndCopiesWhatCame() {
    std::vector<LogLine> all = lines(0, 4);
    all[3].text = "\033[31mred\033[0m\tx";
    view_->addLines(all);
    view_->showOnlyRank(Rank(1));
    QSignalSpy saved(view_.get(), &LogView::saveRequested);
    for (QAction* action : view_->table()->actions())
      if (action->text() == QStringLiteral("Save all lines…")) action->trigger();
    QCOMPARE(saved.count(), 1);
    QCOMPARE(saved[0][0].toString().count(QLatin1Char('\n')), 4);
    view_->table()->showRow(1);
    QTest::keyClick(view_->table(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("\033[31mred\033[0m\tx"));
    QTest::keyClick(view_->table(), Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QGuiApplication::clipboard()->text().endsWith(QStringLiteral("red\tx")));
  }

  void clearBeginsAnew() {
    view_->addLines(lines(0, 100));
    bar()->setValue(0);
    view_->clear();
    QCOMPARE(view_->model()->rowCount(), 0);
    QVERIFY(view_->table()->isFollowing());
    QVERIFY(counts().isEmpty());
    QVERIFY(!child<QToolButton>("saveLines")->isEnabled());
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::LogViewTest)
#include "log_view_test.moc"
