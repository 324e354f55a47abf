// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/issues/issues_panel.h"
#include "widgets/common/issues/issues_view.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/layout/elided_label.h"
#include "widgets/common/layout/flow_layout.h"
#include "widgets/common/layout/folding_splitter.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/common/theme/theme.h"

using namespace lockstep;

namespace {

Issue issueAt(int line, Severity severity, const std::string& message) {
  return {severity, "some-code", message, "write it", FieldPath{"spec", "name"}, {line, 3}};
}

QColor inkOf(const QIcon& icon) {
  const QImage image = icon.pixmap(32, 32).toImage().convertToFormat(QImage::Format_ARGB32);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixelColor(x, y).alpha() == 255) return image.pixelColor(x, y);
  return {};
}

Error refusal() {
  return {ErrorCode::NotFound,
          "cannot find bucket 'b'",
          "the service knows no such bucket",
          "create it",
          "spec.workDir",
          ServiceAnswer{"Object Storage", "GetBucket", 404, "BucketNotFound", "REQ/1"}};
}

}  // namespace

class WidgetsCommonTest : public QObject {
  Q_OBJECT
 private slots:
  void init() { applyTheme(*qApp, ThemeMode::Light); }

  void theModelKeepsTheRulesOfModels() {
    IssuesModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setIssues({issueAt(1, Severity::Error, "a"), issueAt(2, Severity::Warning, "b")});
    model.setIssues({});
    model.setIssues({issueAt(4, Severity::Info, "c")});
    QCOMPARE(model.rowCount(), 1);
  }

  void issuesSayPlaceMessageAndRemedy() {
    IssuesModel model;
    model.setIssues({issueAt(7, Severity::Error, "name is missing"), issueAt(9, Severity::Warning, "odd")});
    QCOMPARE(model.index(0, IssuesModel::SeverityColumn).data().toString(), QStringLiteral("Error"));
    QCOMPARE(model.index(0, IssuesModel::PlaceColumn).data().toString(), QStringLiteral("line 7:3"));
    QCOMPARE(model.index(0, IssuesModel::MessageColumn).data().toString(),
             QStringLiteral("Name is missing. Write it"));
    QCOMPARE(model.summary(), QStringLiteral("1 error, 1 warning"));
    model.setIssues({});
    QCOMPARE(model.summary(), QStringLiteral("No problems"));
  }

  void activatingARowNamesItsIssue() {
    IssuesView view;
    view.setIssues({issueAt(1, Severity::Error, "a"), issueAt(2, Severity::Error, "b")});
    QList<Issue> activated;
    connect(&view, &IssuesView::issueActivated, this, [&](const Issue& issue) { activated << issue; });
    emit view.activated(view.model()->index(1, IssuesModel::MessageColumn));
    QCOMPARE(activated.size(), 1);
    QCOMPARE(activated.front().place.line, 2);
  }

  void anErrorIsShownWhole() {
    MessageBar bar;
    QVERIFY(!bar.hasMessage());
    bar.showError(refusal());
    QVERIFY(bar.hasMessage());
    const QString text = bar.plainText();
    for (const char* part :
         {"Cannot find bucket 'b'", "The service knows no such bucket", "Create it", "spec.workDir",
          "Object Storage GetBucket", "HTTP 404 BucketNotFound", "REQ/1", "not-found"})
      QVERIFY2(text.contains(QLatin1String(part)), part);
    QVERIFY(!bar.findChild<QLabel*>(QStringLiteral("details"))->isVisibleTo(&bar));
  }

  void theMessageCanBeClosedAndReplaced() {
    MessageBar bar;
    bar.showError(refusal());
    bar.addButton(QStringLiteral("&Fix"));
    bar.showMessage(Severity::Info, QStringLiteral("all is well"));
    for (const QPushButton* button : bar.findChildren<QPushButton*>()) QVERIFY(button->isHidden());
    QVERIFY(!bar.plainText().contains(QLatin1String("bucket")));
    QSignalSpy closed(&bar, &MessageBar::closed);
    QTest::keyClick(&bar, Qt::Key_Escape);
    QCOMPARE(closed.count(), 1);
    QVERIFY(!bar.hasMessage());
  }

  // A message bar that is shown and then meets another palette once recoloured itself without end.
  void aShownMessageOutlivesAChangeOfTheme() {
    MessageBar bar;
    bar.showError(refusal());
    bar.show();
    applyTheme(*qApp, ThemeMode::Dark);
    QCoreApplication::processEvents();
    applyTheme(*qApp, ThemeMode::Light);
    QCoreApplication::processEvents();
    QVERIFY(bar.hasMessage());
  }

  void meaningsAreReadableInLightAndDark() {
    for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
      applyTheme(*qApp, mode);
      const QPalette palette = QApplication::palette();
      QCOMPARE(isDark(palette), mode == ThemeMode::Dark);
      for (const QColor& ink : {okColor(palette), warningColor(palette), errorColor(palette),
                                mutedColor(palette), accentColor(palette), palette.color(QPalette::Text)})
        for (const QColor& ground :
             {palette.color(QPalette::Window), palette.color(QPalette::Base), cardColor(palette)})
          QVERIFY2(contrast(ink, ground) >= 4.5,
                   qPrintable(ink.name() + QStringLiteral(" on ") + ground.name()));
    }
  }

  void iconsTakeTheColorOfTheThemeInForce() {
    const QIcon icon = themedIcon(QStringLiteral("play"));
    QVERIFY(!icon.isNull());
    QCOMPARE(inkOf(icon), QApplication::palette().color(QPalette::WindowText));
    applyTheme(*qApp, ThemeMode::Dark);
    QCOMPARE(inkOf(icon), QApplication::palette().color(QPalette::WindowText));
    QVERIFY(themedIcon(QStringLiteral("no-such-icon")).isNull());
  }

  void everyToneHasAnIconOfItsOwn() {
    QList<QImage> seen;
    for (const BadgeTone tone : {BadgeTone::Neutral, BadgeTone::Busy, BadgeTone::Info, BadgeTone::Ok,
                                 BadgeTone::Warning, BadgeTone::Error, BadgeTone::Off}) {
      const QImage image = iconFor(tone).pixmap(24, 24).toImage().convertToFormat(QImage::Format_Alpha8);
      QVERIFY2(!seen.contains(image), "two tones look the same without colour");
      seen << image;
    }
  }

  void aCutTextIsWholeInToolTipAndForScreenReaders() {
    ElidedLabel label(QString(200, QLatin1Char('x')));
    label.resize(80, 20);
    label.show();
    QCOMPARE(label.toolTip(), label.text());
    QCOMPARE(label.accessibleName(), label.text());
    label.setText(QStringLiteral("x"));
    QVERIFY(label.toolTip().isEmpty());
  }

  void timesConvertBothWays() {
    const TimePoint time{std::chrono::milliseconds(1'700'000'000'123)};
    QCOMPARE(toQDateTime(time).toString(Qt::ISODateWithMs), QStringLiteral("2023-11-14T22:13:20.123Z"));
    QVERIFY(toTimePoint(toQDateTime(time)) == time);
  }

  void sentencesBeginWithACapitalUnlessWithAName() {
    QCOMPARE(asSentence("cannot read it"), QStringLiteral("Cannot read it"));
    QCOMPARE(asSentence("spec.name is 3"), QStringLiteral("spec.name is 3"));
    QCOMPARE(asSentence("workDir is 3"), QStringLiteral("workDir is 3"));
    QCOMPARE(asSentence(""), QString());
  }

  void problemsAreCountedFilteredAndMended() {
    IssuesPanel panel;
    panel.resize(700, 200);
    std::vector<Issue> issues{issueAt(1, Severity::Error, "one"), issueAt(2, Severity::Warning, "two"),
                              issueAt(3, Severity::Warning, "three")};
    issues[1].fix = Fix{"rename it to blockStorageSize", {}};
    panel.setIssues(issues);
    panel.show();
    QCOMPARE(panel.severityButton(Severity::Error)->text(), QStringLiteral("1 error"));
    QCOMPARE(panel.severityButton(Severity::Warning)->text(), QStringLiteral("2 warnings"));
    QVERIFY(panel.severityButton(Severity::Info)->isHidden());
    QVERIFY(panel.fixAllButton()->text().contains(QLatin1String("(1)")));
    IssuesModel* model = panel.view()->issuesModel();
    QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    panel.severityButton(Severity::Warning)->click();
    QCOMPARE(model->rowCount(), 1);
    QCOMPARE(model->count(Severity::Warning), 2);
    QCOMPARE(model->issueAt(0)->message, std::string("one"));
    panel.severityButton(Severity::Warning)->click();
    QCOMPARE(model->rowCount(), 3);
    const QModelIndex fix = model->index(1, IssuesModel::FixColumn);
    QVERIFY(fix.data().toString().contains(QLatin1String("rename it to blockStorageSize")));
    QVERIFY(fix.data(Qt::ToolTipRole).toString().contains(QLatin1String("rename it to blockStorageSize")));
    QVERIFY(!model->index(0, IssuesModel::FixColumn).data().isValid());
    QSignalSpy wanted(&panel, &IssuesPanel::fixRequested);
    QSignalSpy activated(&panel, &IssuesPanel::issueActivated);
    panel.view()->setCurrentIndex(model->index(0, 0));
    QTest::keyClick(panel.view(), Qt::Key_Period, Qt::ControlModifier);
    QCOMPARE(wanted.count(), 0);  // nothing to apply
    panel.view()->setCurrentIndex(model->index(1, 0));
    QTest::keyClick(panel.view(), Qt::Key_Period, Qt::ControlModifier);
    QCOMPARE(wanted.count(), 1);
    QTest::keyClick(panel.view(), Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
    QTest::mouseClick(panel.view()->viewport(), Qt::LeftButton, {}, panel.view()->visualRect(fix).center());
    QCOMPARE(wanted.count(), 2);
  }

  void theCurrentProblemStaysCurrent() {
    IssuesPanel panel;
    panel.setIssues({issueAt(1, Severity::Error, "one"), issueAt(2, Severity::Error, "two")});
    panel.view()->setCurrentIndex(panel.view()->issuesModel()->index(1, 0));
    panel.setIssues({issueAt(7, Severity::Error, "two")});
    QCOMPARE(panel.view()->currentIndex().row(), 0);
  }

  void theFocusOfAToolButtonCannotBeMissed() {
    QWidget window;
    QToolButton button(&window);
    button.setText(QStringLiteral("Aa"));
    button.setAutoRaise(true);
    QToolButton second(&window);
    button.setGeometry(0, 0, 40, 30);
    second.setGeometry(50, 0, 40, 30);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    button.setFocus(Qt::TabFocusReason);
    QTest::keyClick(&window, Qt::Key_Tab);
    QTest::keyClick(&window, Qt::Key_Tab, Qt::ShiftModifier);
    QTRY_VERIFY(button.hasFocus());
    const QImage picture = window.grab(button.geometry()).toImage();
    const QColor accent = accentColor(QApplication::palette());
    int ring = 0;
    for (int x = 0; x < picture.width(); ++x)
      for (int y = 0; y < 4; ++y) ring += picture.pixelColor(x, y) == accent ? 1 : 0;
    QVERIFY2(ring >= picture.width(), qPrintable(QString::number(ring)));
  }

  void aFlowGoesOnBelowAndGivesTheRestToWhatExpands() {
    QWidget box;
    auto* flow = new FlowLayout(&box);
    flow->setContentsMargins(0, 0, 0, 0);
    flow->setGaps(10, 2);
    QList<QWidget*> parts;
    for (int i = 0; i < 3; ++i) {
      auto* part = new QWidget(&box);
      part->setMinimumSize(100, 20);
      part->setSizePolicy(i == 1 ? QSizePolicy::Expanding : QSizePolicy::Fixed, QSizePolicy::Fixed);
      flow->addWidget(part);
      parts << part;
    }
    QCOMPARE(flow->minimumSize().width(), 100);
    QCOMPARE(flow->heightForWidth(320), 20);
    QCOMPARE(flow->heightForWidth(250), 42);
    QCOMPARE(flow->heightForWidth(100), 64);
    box.resize(250, 60);
    box.show();
    QCOMPARE(parts[1]->geometry(), QRect(110, 0, 140, 20));
    QCOMPARE(parts[2]->geometry(), QRect(0, 22, 100, 20));
    parts[0]->hide();
    QTRY_COMPARE(parts[2]->y(), 0);
    QCOMPARE(parts[1]->geometry(), QRect(0, 0, 140, 20));
  }

  void panesThatFindNoRoomBesideEachOtherGoBelow() {
    QWidget window;
    auto* panes = new FoldingSplitter;
    auto* column = new QVBoxLayout(&window);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(panes);
    for (int i = 0; i < 2; ++i) {
      auto* pane = new QWidget;
      pane->setMinimumSize(200, 40);
      panes->addWidget(pane);
    }
    window.resize(700, 300);
    window.show();
    panes->setSizes({480, 200});
    QVERIFY(!panes->isFolded());
    const QList<int> before = panes->sizes();
    const QByteArray state = panes->saveState();
    QVERIFY(window.minimumSizeHint().width() < 250);
    window.resize(300, 300);
    QTRY_VERIFY(panes->isFolded());
    QVERIFY(panes->widget(1)->y() > panes->widget(0)->y());
    QCOMPARE(panes->saveState(), state);
    window.resize(700, 300);
    QTRY_VERIFY(!panes->isFolded());
    QCOMPARE(panes->sizes(), before);
    window.resize(300, 300);
    QTRY_VERIFY(panes->isFolded());
    QVERIFY(panes->restoreState(state));
    QVERIFY(panes->isFolded());
  }

  void noProblemsIsSaidInReadableWords() {
    IssuesPanel panel;
    panel.setIssues({});
    panel.resize(600, 40);
    panel.show();
    const auto* calm = panel.findChild<StateBadge*>();
    QVERIFY(calm && calm->isVisible());
    QCOMPARE(calm->text(), QStringLiteral("No problems"));
    QCOMPARE(calm->tone(), BadgeTone::Ok);
    panel.setIssues({issueAt(1, Severity::Error, "one")});
    QVERIFY(!calm->isVisible());
  }

  void aFoldedListSaysWhetherItIsShown() {
    IssuesPanel panel;
    QSignalSpy shown(&panel, &IssuesPanel::listShown);
    QVERIFY(!panel.isListShown());
    panel.setIssues({issueAt(1, Severity::Error, "one")});
    QVERIFY(panel.isListShown());
    panel.setUnfolded(false);
    QVERIFY(!panel.isListShown());
    panel.setIssues({});
    QCOMPARE(shown.count(), 2);
  }
};

QTEST_MAIN(WidgetsCommonTest)
#include "widgets_common_test.moc"
