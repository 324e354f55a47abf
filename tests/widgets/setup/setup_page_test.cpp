// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QListView>
#include <QSignalSpy>
#include <QTest>

#include "widgets/common/theme.h"
#include "widgets/setup/setup_page.h"
#include "widgets/setup/step_details.h"
#include "widgets/setup/steps_model.h"

using namespace lockstep;

namespace {

StepReport blocked() {
  return {StepState::Blocked,
          {{StepState::Ready, "the namespace is 'n'", "GetNamespace 200", ""},
           {StepState::Blocked, "bucket 'b' does not exist", "GetBucket 404", "create it"}}};
}

}  // namespace

class SetupPageTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { applyTheme(*qApp, ThemeMode::Light); }

  void theModelKeepsTheRulesOfModels() {
    StepsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setReport("bucket", blocked());
    model.setReport("no-such-step", blocked());
    QCOMPARE(model.count(StepState::Blocked), 1);
    model.clearReports();
    QCOMPARE(model.count(StepState::Unknown), model.rowCount());
  }

  void withoutAProfileThereIsNothingToCheck() {
    SetupPage page;
    QSignalSpy asked(&page, &SetupPage::checkRequested);
    QVERIFY(!page.checkAction()->isEnabled());
    page.setProfiles({QStringLiteral("DEFAULT")}, QStringLiteral("DEFAULT"));
    QVERIFY(page.checkAction()->isEnabled());
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    page.activateWindow();
    QTest::keyClick(&page, Qt::Key_F5);
    QCOMPARE(asked.count(), 1);
  }

  void oneCheckAtATime() {
    SetupPage page;
    page.setProfiles({QStringLiteral("A")}, QStringLiteral("A"));
    page.setChecking("auth");
    page.setChecking("bucket");
    QVERIFY(page.isChecking());
    QVERIFY(!page.checkAction()->isEnabled());
    page.setReport("auth", {StepState::Ready, {}});
    page.setReport("bucket", blocked());
    QVERIFY(!page.isChecking());
    QVERIFY(page.checkAction()->isEnabled());
  }

  void findingsAreShownWithEvidenceAndRemedy() {
    SetupPage page;
    page.setProfiles({QStringLiteral("A")}, QStringLiteral("A"));
    page.setReport("bucket", blocked());
    auto* list = page.findChild<QListView*>();
    list->setCurrentIndex(list->model()->index(page.stepsModel()->rowOf("bucket"), 0));
    const QString text = page.findChild<StepDetails*>()->plainText();
    for (const char* part :
         {"bucket 'b' does not exist", "GetBucket 404", "create it", "blocked", "GetNamespace 200"})
      QVERIFY2(text.contains(QLatin1String(part)), part);
    QVERIFY(list->currentIndex().data(Qt::AccessibleTextRole).toString().contains(QLatin1String("blocked")));
  }

  void reportsOfAnotherProfileGo() {
    SetupPage page;
    page.setProfiles({QStringLiteral("A"), QStringLiteral("B")}, QStringLiteral("A"));
    page.setReport("auth", {StepState::Ready, {}});
    page.setProfiles({QStringLiteral("A"), QStringLiteral("B")}, QStringLiteral("A"));
    QCOMPARE(page.stepsModel()->count(StepState::Ready), 1);

    QSignalSpy chosen(&page, &SetupPage::profileChosen);
    auto* combo = page.findChild<QComboBox*>();
    combo->setFocus();
    QTest::keyClick(combo, Qt::Key_Down);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.front().front().toString(), QStringLiteral("B"));
    QCOMPARE(page.stepsModel()->count(StepState::Ready), 0);
  }

  void theRehearsalRegionIsOneClickAway() {
    SetupPage page;
    QSignalSpy asked(&page, &SetupPage::rehearsalRequested);
    page.rehearsalAction()->trigger();
    QCOMPARE(asked.count(), 1);
  }
};

QTEST_MAIN(SetupPageTest)
#include "setup_page_test.moc"
