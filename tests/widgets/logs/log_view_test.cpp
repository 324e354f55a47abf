// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "widgets/logs/log_filter_bar.h"
#include "widgets/logs/log_find_bar.h"
#include "widgets/logs/log_model.h"
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
    child<QLineEdit>("textFilter")->setText(QStringLiteral("LINE 9"));
    QTRY_COMPARE(view_->model()->rowCount(), 11);
    QCOMPARE(counts(), QStringLiteral("100 lines, 89 hidden by filter"));
    child<QLineEdit>("textFilter")->clear();
    QTRY_COMPARE(view_->model()->rowCount(), 100);
    child<QComboBox>("levelFilter")->setCurrentIndex(3);
    QCOMPARE(view_->model()->rowCount(), 10);
    child<QComboBox>("levelFilter")->setCurrentIndex(0);
    view_->showOnlyRank(Rank(1));
    QCOMPARE(view_->model()->rowCount(), 50);
    auto* menu = view_->findChild<LogFilterBar*>()->findChild<QMenu*>();
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
    QVERIFY(child<QLabel>("expressionError")->isVisible());
    QCOMPARE(view_->model()->rowCount(), 2);
    child<QLineEdit>("textFilter")->setText(QStringLiteral("line [1]$"));
    QTRY_COMPARE(view_->model()->rowCount(), 1);
    QVERIFY(!child<QLabel>("expressionError")->isVisible());
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
