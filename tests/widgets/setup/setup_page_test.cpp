// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "setup/steps/setup_steps.h"
#include "widgets/common/layout/elided_label.h"
#include "widgets/common/pickers/resource_picker.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/setup/changes_panel.h"
#include "widgets/setup/facts_card.h"
#include "widgets/setup/fix_list.h"
#include "widgets/setup/fix_preview.h"
#include "widgets/setup/fix_series_panel.h"
#include "widgets/setup/setup_header.h"
#include "widgets/setup/setup_page.h"
#include "widgets/setup/step_details.h"
#include "widgets/setup/waiver_row.h"

using namespace lockstep;

namespace {

ProposedFix fixNamed(const std::string& id, bool isUnsafe = false) {
  ProposedFix fix;
  fix.id = id;
  fix.title = "do " + id;
  fix.isUnsafe = isUnsafe;
  fix.before = "one\ntwo\n";
  fix.after = "one\nthree\n";
  fix.calls = {"UpdateThing PUT /20160918/things/ocid1.thing"};
  return fix;
}

StepReport blocked() {
  StepReport report =
      reportOf({{StepState::Ready, "the namespace is 'n'", "GetNamespace 200", ""},
                {StepState::Blocked, "bucket 'b' does not exist", "GetBucket 404", "create it"}});
  report.fixes = {fixNamed("create-bucket"), fixNamed("open-all", true)};
  return report;
}

AppliedChange changeNamed(const std::string& id, bool isTakenBack = false) {
  AppliedChange change;
  change.id = id;
  change.stepId = "bucket";
  change.profile = "DEFAULT";
  change.title = "created bucket '" + id + "'";
  change.when = toTimePoint(QDateTime::currentDateTimeUtc());
  change.isTakenBack = isTakenBack;
  return change;
}

QPushButton* buttonOf(const QWidget* widget, const QString& text) {
  for (QPushButton* button : widget->findChildren<QPushButton*>())
    if (button->text() == text && !button->isHidden()) return button;
  return nullptr;
}

}  // namespace

class SetupPageTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { applyTheme(*qApp, ThemeMode::Light); }

  void thePageOpensOnTheFirstBlockedStepUntilSomebodyChooses() {
    SetupPage page;
    page.setChecking("bucket");
    page.setChecking("network");
    page.setReport("bucket", blocked());
    QCOMPARE(page.details()->stepId(), setupStepNames().front());
    page.setReport("network", blocked());
    QCOMPARE(page.details()->stepId(), std::string("network"));
    page.showStep("limits");
    page.setReport("project", blocked());
    QCOMPARE(page.details()->stepId(), std::string("limits"));
    page.setProfiles({QStringLiteral("OTHER")}, QStringLiteral("OTHER"));
    page.setReport("bucket", blocked());
    QCOMPARE(page.details()->stepId(), std::string("bucket"));
  }

  void theNextBlockedStepIsOneClickAway() {
    SetupPage page;
    QVERIFY(page.nextButton()->isHidden());
    page.setReport("network", blocked());
    page.setReport("bucket", blocked());
    QCOMPARE(page.details()->stepId(), std::string("network"));
    QVERIFY(!page.nextButton()->isHidden());
    QVERIFY(page.nextButton()->text().contains(stepTitle("bucket")));
    page.nextButton()->click();
    QCOMPARE(page.details()->stepId(), std::string("bucket"));
    page.setReport("network", reportOf({{StepState::Ready, "all is there", "", ""}}));
    QVERIFY(page.nextButton()->isHidden());
  }

  void allThatIsPreviewedIsDoneAfterOneConfirmation() {
    SetupPage page;
    page.show();
    page.setReport("bucket", blocked());
    QVERIFY(page.allButton()->isHidden());
    page.setReport("network", blocked());
    QVERIFY(!page.allButton()->isHidden());
    QSignalSpy wanted(&page, &SetupPage::applyAllRequested);
    page.allButton()->click();
    QCOMPARE(wanted.count(), 0);
    QVERIFY(page.seriesPanel()->isVisible());
    const QString list = page.seriesPanel()->text();
    QVERIFY2(list.contains(stepTitle("network")) && list.contains(stepTitle("bucket")), qPrintable(list));
    QCOMPARE(list.count(QLatin1String("UpdateThing PUT /20160918/things/ocid1.thing")), 2);
    QVERIFY2(!list.contains(QLatin1String("open-all")), "what is unsafe is never done unasked");
    QTest::keyClick(page.seriesPanel(), Qt::Key_Escape);
    QVERIFY(!page.seriesPanel()->isVisible());
    QCOMPARE(wanted.count(), 0);
    page.allButton()->click();
    page.seriesPanel()->applyButton()->click();
    QCOMPARE(wanted.count(), 1);
    const auto fixes = wanted.at(0).at(0).value<std::vector<FixOfStep>>();
    QCOMPARE(fixes.size(), std::size_t{2});
    QCOMPARE(fixes.front().stepId, std::string("network"));
    page.setApplyingAll(QStringLiteral("1 of 2"));
    QVERIFY(!page.seriesPanel()->applyButton()->isEnabled() && !page.stepsList()->isEnabled());
    page.setApplyingAll({});
    QVERIFY(!page.seriesPanel()->isVisible() && page.stepsList()->isEnabled());
  }

  void theModelKeepsTheRulesOfModels() {
    StepsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), static_cast<int>(setupStepNames().size()));
    model.setReport("bucket", blocked());
    model.setReport("no-such-step", blocked());
    QCOMPARE(model.count(StepState::Blocked), 1);
    QVERIFY(model.fix("bucket", "create-bucket"));
    QVERIFY(!model.fix("bucket", "no-such-fix"));
    model.clearReports();
    QCOMPARE(model.count(StepState::Unknown), model.rowCount());
  }

  void everyStepHasATitleAndAPurpose() {
    for (const std::string& id : setupStepNames()) {
      QVERIFY2(stepTitle(id) != QString::fromStdString(id), id.c_str());
      QVERIFY2(!stepPurpose(id).isEmpty(), id.c_str());
    }
  }

  // Never colour alone: every state has a word and an icon of its own.
  void everyStateIsToldByWordAndIcon() {
    QSet<QString> words;
    std::vector<QImage> icons;
    for (const StepState state :
         {StepState::Unknown, StepState::Checking, StepState::Ready, StepState::Warning, StepState::Blocked,
          StepState::NotApplicable, StepState::Waived}) {
      words.insert(nameOf(state));
      const QImage icon =
          iconFor(toneOf(state)).pixmap(24, 24).toImage().convertToFormat(QImage::Format_Alpha8);
      QVERIFY(!icon.isNull());
      for (const QImage& other : icons) QVERIFY2(icon != other, qPrintable(nameOf(state)));
      icons.push_back(icon);
    }
    QCOMPARE(words.size(), 7);
  }

  // A tenancy without any profile is where the wizard begins.
  void theCheckIsThereWithoutAProfileToo() {
    SetupPage page;
    QSignalSpy asked(&page, &SetupPage::checkRequested);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    page.activateWindow();
    QTest::keyClick(&page, Qt::Key_F5);
    QCOMPARE(asked.count(), 1);
  }

  void f5ChecksWhereverTheKeyboardIsWhileThePageIsShown() {
    QWidget window;
    QHBoxLayout row(&window);
    QLineEdit elsewhere;
    SetupPage page;
    row.addWidget(&elsewhere);
    row.addWidget(&page);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    elsewhere.setFocus();
    QSignalSpy asked(&page, &SetupPage::checkRequested);
    QTest::keyClick(&elsewhere, Qt::Key_F5);
    QCOMPARE(asked.count(), 1);
    page.hide();
    QTest::keyClick(&elsewhere, Qt::Key_F5);
    QCOMPARE(asked.count(), 1);
  }

  void shiftF5ChecksTheStepThatIsShown() {
    SetupPage page;
    QSignalSpy asked(&page, &SetupPage::stepCheckRequested);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    page.activateWindow();
    page.stepsList()->setFocus();
    QTest::keyClick(page.stepsList(), Qt::Key_Down);
    QTest::keyClick(page.stepsList(), Qt::Key_F5, Qt::ShiftModifier);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked[0][0].value<std::string>(), setupStepNames()[1]);
  }

  void oneWholeCheckAtATime() {
    SetupPage page;
    page.setChecking("auth");
    page.setChecking("bucket");
    QVERIFY(page.isChecking());
    QVERIFY(!page.checkAction()->isEnabled());
    page.setReport("auth", {StepState::Ready, {}});
    page.setReport("bucket", blocked());
    QVERIFY(!page.isChecking());
    QVERIFY(page.checkAction()->isEnabled());
    page.setChecking("auth");
    page.endChecking();
    QVERIFY(!page.isChecking());
    QCOMPARE(page.stepsModel()->count(StepState::Ready), 1);  // a check that was given up forgets nothing
  }

  void theHeadCountsWhatNeedsNothingAnyMore() {
    SetupPage page;
    page.setReport("auth", {StepState::Ready, {}});
    page.setReport("hosts", {StepState::NotApplicable, {}});
    page.setReport("logging", {StepState::Waived, {}});
    page.setReport("limits", {StepState::Warning, {}});
    QCOMPARE(page.header()->countsText(), QStringLiteral("3 of %1 ready").arg(setupStepNames().size()));
    page.setChecking("limits");
    QVERIFY(page.header()->countsText().startsWith(QLatin1String("Checking")));
  }

  void findingsAreShownWithEvidenceAndRemedy() {
    SetupPage page;
    page.setReport("bucket", blocked());
    page.showStep("bucket");
    const QString text = page.details()->plainText();
    for (const char* part :
         {"bucket 'b' does not exist", "GetBucket 404", "create it", "blocked", "GetNamespace 200"})
      QVERIFY2(text.contains(QLatin1String(part)), part);
    const QString spoken = page.stepsList()->currentIndex().data(Qt::AccessibleTextRole).toString();
    QVERIFY2(spoken.contains(QLatin1String("blocked")), qPrintable(spoken));
  }

  void whatIsRememberedSaysSoAndHasNoFixes() {
    SetupPage page;
    page.setRemembered("bucket", blocked(), QDateTime::currentDateTime());
    page.showStep("bucket");
    const QModelIndex row = page.stepsList()->currentIndex();
    QVERIFY(row.data(StepsModel::StateTextRole).toString().contains(QLatin1String("last checked")));
    QVERIFY(page.stepsModel()->step(row.row()).report.fixes.empty());
    page.setReport("bucket", blocked());
    QVERIFY(!row.data(StepsModel::StateTextRole).toString().contains(QLatin1String("last checked")));
    page.setRemembered("bucket", {StepState::Ready, {}}, QDateTime::currentDateTime());
    QCOMPARE(page.stepsModel()->count(StepState::Blocked), 1);  // what was just seen counts for more
  }

  void reportsOfAnotherProfileGo() {
    SetupPage page;
    page.setProfiles({QStringLiteral("A"), QStringLiteral("B")}, QStringLiteral("A"));
    page.setReport("auth", {StepState::Ready, {}});
    page.setProfiles({QStringLiteral("A"), QStringLiteral("B")}, QStringLiteral("A"));
    QCOMPARE(page.stepsModel()->count(StepState::Ready), 1);

    QSignalSpy chosen(&page, &SetupPage::profileChosen);
    QComboBox* box = page.header()->profileBox();
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.front().front().toString(), QStringLiteral("B"));
    QCOMPARE(page.stepsModel()->count(StepState::Ready), 0);
  }

  void aProfileThatIsToBeMadeIsTyped() {
    SetupPage page;
    page.setProfiles({QStringLiteral("A")}, QStringLiteral("A"));
    QSignalSpy chosen(&page, &SetupPage::profileChosen);
    QLineEdit* line = page.header()->profileBox()->lineEdit();
    QCOMPARE(line->cursorPosition(), 0);  // a name that finds no room is cut at its end
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("NEW"));
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);  // once, although Return and leaving both end the edit
    QCOMPARE(chosen[0][0].toString(), QStringLiteral("NEW"));
  }

  void enterLeadsToTheFirstFixAndItIsAppliedFromThePreview() {
    SetupPage page;
    page.resize(1000, 700);
    page.setReport("bucket", blocked());
    page.showStep("bucket");
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QSignalSpy applied(&page, &SetupPage::applyRequested);
    page.stepsList()->setFocus();
    QTest::keyClick(page.stepsList(), Qt::Key_Return);
    FixList* fixes = page.details()->fixes();
    QCOMPARE(fixes->openFix(), std::string("create-bucket"));
    QVERIFY(fixes->preview()->isVisible());
    QCOMPARE(applied.count(), 0);
    QTest::mouseClick(fixes->preview()->applyButton(), Qt::LeftButton);
    QCOMPARE(applied.count(), 1);
    QCOMPARE(applied[0][0].value<std::string>(), std::string("bucket"));
    QCOMPARE(applied[0][1].value<std::string>(), std::string("create-bucket"));
  }

  void aPreviewIsBroughtIntoSightWithItsApplyButton() {
    SetupPage page;
    page.resize(1000, 480);
    StepReport report = blocked();
    report.findings.insert(report.findings.begin(), 6, report.findings.front());
    for (int line = 0; line < 12; ++line) report.fixes.front().after += "a further line\n";
    page.setReport("bucket", report);
    page.showStep("bucket");
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    page.details()->fixes()->open(report.fixes.front().id);
    const QPushButton* apply = page.details()->fixes()->preview()->applyButton();
    QTRY_VERIFY(apply->isVisible() && apply->visibleRegion().boundingRect() == apply->rect());
  }

  void theKeyboardGoesFromTheButtonThroughThePreviewToTheNextFix() {
    SetupPage page;
    page.resize(1000, 700);
    page.setReport("bucket", blocked());
    page.showStep("bucket");
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    FixList* fixes = page.details()->fixes();
    fixes->open("create-bucket");
    QList<QWidget*> way;
    for (QWidget* at = fixes->previewButton("create-bucket"); way.size() < 20; at = at->nextInFocusChain())
      if (at->isVisible() && at->focusPolicy() & Qt::TabFocus) way << at;
    const auto apply = way.indexOf(fixes->preview()->applyButton());
    const auto next = way.indexOf(fixes->previewButton("open-all"));
    QVERIFY(apply > 1);
    QCOMPARE(next, apply + 1);
    for (qsizetype i = 1; i < apply; ++i) QVERIFY(fixes->preview()->isAncestorOf(way[i]));
  }

  void afterAFixTheKeyboardIsAtTheSteps() {
    SetupPage page;
    page.setReport("bucket", blocked());
    page.showStep("bucket");
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    page.details()->fixes()->open("create-bucket");
    page.details()->fixes()->preview()->applyButton()->setFocus();
    page.setApplying("bucket", "create-bucket");
    page.setReport("bucket", {StepState::Ready, {}});
    page.setApplying({}, {});
    QCOMPARE(page.focusWidget(), page.stepsList());
  }

  void anUnsafeFixWantsToBeUnderstood() {
    SetupPage page;
    page.setReport("bucket", blocked());
    page.showStep("bucket");
    FixPreview* preview = page.details()->fixes()->preview();
    page.details()->fixes()->open("open-all");
    QVERIFY(!preview->applyButton()->isEnabled());
    preview->understoodBox()->setChecked(true);
    QVERIFY(preview->applyButton()->isEnabled());
    page.details()->fixes()->open("create-bucket");
    QVERIFY(preview->applyButton()->isEnabled());
    page.details()->fixes()->open("open-all");
    QVERIFY2(!preview->applyButton()->isEnabled(), "the tick is of another preview");
  }

  void anOpenPreviewOutlivesACheckThatFindsTheSame() {
    SetupPage page;
    page.setReport("bucket", blocked());
    page.showStep("bucket");
    FixList* fixes = page.details()->fixes();
    fixes->open("create-bucket");
    page.setChecking("bucket");
    page.setReport("bucket", blocked());
    QCOMPARE(fixes->openFix(), std::string("create-bucket"));
    StepReport other = blocked();
    other.fixes[0].after = "one\nfour\n";
    page.setReport("bucket", other);
    QVERIFY2(fixes->openFix().empty(), "what would be applied is not what was shown");
    page.setReport("bucket", {StepState::Ready, {}});
    QVERIFY(!fixes->previewButton("create-bucket"));
  }

  void whileAFixIsAppliedNothingElseCanBePressed() {
    SetupPage page;
    page.setReport("bucket", blocked());
    page.showStep("bucket");
    FixList* fixes = page.details()->fixes();
    fixes->open("create-bucket");
    page.setApplying("bucket", "create-bucket");
    QVERIFY(!fixes->preview()->applyButton()->isEnabled());
    QVERIFY(!fixes->previewButton("open-all")->isEnabled());
    page.setApplying({}, {});
    QVERIFY(fixes->preview()->applyButton()->isEnabled());
  }

  void waivingWantsAReasonAndCanBeDropped() {
    SetupPage page;
    page.show();
    page.showStep("limits");
    QSignalSpy waived(&page, &SetupPage::waived);
    QSignalSpy dropped(&page, &SetupPage::waiverDropped);
    WaiverRow* row = page.details()->waiver();
    row->ask();
    QTest::keyClick(row->reasonEdit(), Qt::Key_Return);
    QCOMPARE(waived.count(), 0);
    QTest::keyClicks(row->reasonEdit(), QStringLiteral("asked for already"));
    QTest::keyClick(row->reasonEdit(), Qt::Key_Return);
    QCOMPARE(waived.count(), 1);
    QCOMPARE(waived[0][0].value<std::string>(), std::string("limits"));
    QCOMPARE(waived[0][1].toString(), QStringLiteral("asked for already"));
    SetupChoices choices;
    choices.waived["limits"] = "asked for already";
    page.setChoices(choices);
    QVERIFY(row->isWaived());
    QTest::mouseClick(buttonOf(row, QStringLiteral("Check it after all")), Qt::LeftButton);
    QCOMPARE(dropped.count(), 1);
  }

  void takingBackWantsASecondClickElsewhere() {
    SetupPage page;
    page.resize(1000, 700);
    page.setChanges({changeNamed("first", true), changeNamed("second")});
    page.showChanges();
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    ChangesPanel* panel = page.changesPanel();
    QCOMPARE(panel->standingCount(), 1);
    QSignalSpy asked(&page, &SetupPage::takeBackRequested);
    QPushButton* first = buttonOf(panel, QStringLiteral("Take back …"));
    QVERIFY(first);
    const QPoint place = first->mapTo(&page, first->rect().center());
    QTest::mouseClick(first, Qt::LeftButton);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
    QCOMPARE(asked.count(), 0);
    QPushButton* yes = buttonOf(panel, QStringLiteral("Yes, take it back"));
    QVERIFY(yes);
    QVERIFY2(!QRect(yes->mapTo(&page, QPoint()), yes->size()).contains(place), "a double click would do it");
    QCOMPARE(page.focusWidget(), buttonOf(panel, QStringLiteral("Keep it")));
    QTest::mouseClick(yes, Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked[0][0].value<std::string>(), std::string("second"));
    page.setTakingBack("second");
    page.setTakingBack({});
    auto* near = qobject_cast<QPushButton*>(page.focusWidget());
    QVERIFY2(near && near->isCheckable(), "the keyboard is elsewhere");
  }

  void whatWasFoundIsOfferedToTrainYaml() {
    SetupPage page;
    StepReport report{StepState::Ready, {}};
    report.facts["infrastructure.subnetId"] = "ocid1.subnet.oc1..aaaa";
    page.setReport("network", report);
    page.showStep("network");
    QSignalSpy chosen(&page, &SetupPage::factsChosen);
    page.details()->facts()->useButton()->click();
    QCOMPARE(chosen.count(), 1);
    using Facts = std::map<std::string, std::string>;
    QCOMPARE(chosen[0][0].value<Facts>().at("infrastructure.subnetId"),
             std::string("ocid1.subnet.oc1..aaaa"));
  }

  void whatWasFoundIsShownByItsName() {
    SetupPage page;
    const QString id = QStringLiteral("ocid1.subnet.oc1..aaaa");
    StepReport report{StepState::Ready, {}};
    report.facts["infrastructure.subnetId"] = id.toStdString();
    report.names[id.toStdString()] = "training nodes";
    page.setReport("network", report);
    page.showStep("network");
    QStringList shown;
    for (const QLabel* label : page.details()->facts()->findChildren<QLabel*>()) shown << label->text();
    QVERIFY2(shown.contains(QLatin1String("training nodes")), qPrintable(shown.join(QLatin1Char('\n'))));
    bool isIdShown = false;
    for (const ElidedLabel* label : page.details()->facts()->findChildren<ElidedLabel*>())
      isIdShown |= label->text() == id;
    QVERIFY(isIdShown);
    const auto* subnet = qobject_cast<ResourcePicker*>(page.details()->form()->editorOf("subnetId"));
    QCOMPARE(subnet->lineEdit()->placeholderText(), QStringLiteral("in use: training nodes"));
  }

  // What waits for the compartment is listed with it and cannot be made alone.
  void aFixThatWaitsIsNotAppliedAlone() {
    SetupPage page;
    StepReport report = blocked();
    report.fixes = {fixNamed("create-bucket")};
    report.fixes.front().waitsFor = "create-compartment";
    page.setReport("bucket", report);
    page.showStep("bucket");
    FixList* fixes = page.details()->fixes();
    fixes->open("create-bucket");
    QVERIFY(!fixes->preview()->applyButton()->isEnabled());
    QVERIFY(fixes->preview()->applyButton()->toolTip().contains(QLatin1String("compartment")));
    QCOMPARE(page.stepsModel()->unaskedFixes().size(), std::size_t{1});
    report.fixes.front().waitsFor.clear();
    page.setReport("bucket", report);
    fixes->open("create-bucket");
    QVERIFY(fixes->preview()->applyButton()->isEnabled());
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
