// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a run, as the window says it.
#include <QClipboard>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "diagnosis/diagnosis.h"
#include "widgets/diagnosis/finding_bar.h"
#include "widgets/diagnosis/finding_texts.h"
#include "widgets/diagnosis/run_finding_card.h"
#include "widgets/runs/run_page.h"

using namespace lockstep;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(lockstep::RunFinding)

namespace {

const TimePoint kNow(1'700'000'000s);

RunFinding slowRank(int rank) {
  RunFinding finding;
  finding.kind = FindingKind::Straggler;
  finding.ranks = {Rank(rank)};
  finding.metric = metric::kForwardMs;
  finding.what = {"rank %1 is slow: %2 takes it %3 longer than the others, and all wait for it in every step",
                  {{std::to_string(rank)}, metricArgument(metric::kForwardMs), {"%1 ms"}}};
  finding.cause = {
      "it computes more slowly than the others: its GPU or its cores are slower, hot, or used by others", {}};
  finding.remedy = {"look at its GPU and at what else runs on its host, or exchange the node", {}};
  finding.evidence = {{"that is %1 of a step of %2", {{"20 %"}, {"120 ms"}}}};
  finding.unmeasured = {{"waiting for peers was not measured", {}}};
  finding.since = kNow - 3min;
  finding.step = 1812;
  finding.confidence = 0.9;
  return finding;
}

RunFinding fullDisk() {
  RunFinding finding;
  finding.kind = FindingKind::DiskRunsFull;
  finding.severity = FindingSeverity::Critical;
  finding.what = {"the disk of the node of rank %1 is %2 full", {{"0"}, {"99 %"}}};
  finding.since = kNow - 1min;
  return finding;
}

template <class Widget>
Widget* buttonNamed(QWidget* parent, const QString& text) {
  for (auto* button : parent->findChildren<Widget*>())
    if (button->text() == text) return button;
  return nullptr;
}

QStringList textsIn(const QWidget* parent) {
  QStringList texts;
  for (const auto* label : parent->findChildren<QLabel*>())
    if (!label->isHidden()) texts << label->text();
  return texts;
}

}  // namespace

class DiagnosisWidgetsTest : public QObject {
  Q_OBJECT

 private slots:
  void isHiddenWhileNothingIsWrong();
  void saysTheWorstAndOpensAllOfThem();
  void newNumbersStayInTheirCard();
  void mutedAndEndedOnesStandBehindTheOthers();
  void textOfALogIsShownAsItIs();
  void asksForTheTimeAndForSilence();
  void thePageShowsWhatItsBarsDoNotSay();
};

void DiagnosisWidgetsTest::isHiddenWhileNothingIsWrong() {
  FindingBar bar;
  bar.setFindings({}, {FindingKind::IdleGpu}, kNow);
  QVERIFY(bar.isHidden());
}

void DiagnosisWidgetsTest::saysTheWorstAndOpensAllOfThem() {
  FindingBar bar;
  bar.setFindings({fullDisk(), slowRank(3)}, {FindingKind::IdleGpu, FindingKind::GpuError}, kNow);
  QVERIFY(!bar.isHidden());
  QCOMPARE(bar.headline(), QStringLiteral("The disk of the node of rank 0 is 99 % full."));
  QVERIFY(buttonNamed<QToolButton>(&bar, QStringLiteral("1 more")) != nullptr);
  QVERIFY(bar.cards().empty());
  bar.setOpen(true);
  QCOMPARE(bar.cards().size(), std::size_t{2});
  const QStringList texts = textsIn(bar.cards()[1]);
  for (const char* expected :
       {"Rank 3 is slow: Forward takes it %1 ms longer than the others, and all wait for it in every step.",
        "That is 20 % of a step of 120 ms.", "Waiting for peers was not measured.", "high (90 %)",
        "Look at its GPU and at what else runs on its host, or exchange the node."})
    QVERIFY2(texts.contains(QString::fromLatin1(expected)), qPrintable(texts.join(QLatin1Char('\n'))));
  QVERIFY2(textsIn(&bar).filter(QStringLiteral("Idle GPU, GPU error")).size() == 1,
           "what was not measured is said");
  for (auto* button : bar.findChildren<QToolButton*>())
    QVERIFY2(!button->text().isEmpty() || !button->accessibleName().isEmpty(), "a button without a name");
}

void DiagnosisWidgetsTest::newNumbersStayInTheirCard() {
  FindingBar bar;
  bar.setFindings({slowRank(3)}, {}, kNow);
  bar.setOpen(true);
  RunFindingCard* card = bar.cards()[0];
  RunFinding later = slowRank(3);
  later.confidence = 0.4;
  bar.setFindings({fullDisk(), later}, {}, kNow + 3s);
  QCOMPARE(bar.cards()[1], card);
  QVERIFY(textsIn(card).contains(QStringLiteral("low (40 %)")));
  bar.setFindings({fullDisk()}, {}, kNow + 6s);
  QCOMPARE(bar.cards().size(), std::size_t{1});
}

void DiagnosisWidgetsTest::mutedAndEndedOnesStandBehindTheOthers() {
  FindingBar bar;
  RunFinding ended = slowRank(5);
  ended.end = kNow - 1min;
  bar.setFindings({fullDisk(), slowRank(3), ended}, {}, kNow);
  bar.setMuted({fullDisk().key()});
  bar.setOpen(true);
  QVERIFY(bar.headline().startsWith(QStringLiteral("Rank 3 is slow")));
  QCOMPARE(bar.cards()[0]->finding().key(), slowRank(3).key());
  QCOMPARE(bar.cards()[1]->finding().key(), fullDisk().key());
  QVERIFY(bar.cards()[2]->finding().end.has_value());
  bar.setMuted({fullDisk().key(), slowRank(3).key()});
  QCOMPARE(bar.headline(), QStringLiteral("Muted findings: 2"));
  bar.setFindings({ended}, {}, kNow);
  QCOMPARE(bar.headline(), QStringLiteral("Findings that are over: 1"));
}

void DiagnosisWidgetsTest::textOfALogIsShownAsItIs() {
  RunFinding finding;
  finding.kind = FindingKind::FirstFailure;
  finding.what = {"rank %1 failed first: %2", {{"1"}, {"<img src='x'>%1\x1b[31m"}}};
  FindingBar bar;
  bar.setFindings({finding}, {}, kNow);
  QVERIFY2(bar.headline().contains(QStringLiteral("<img src='x'>%1")), qPrintable(bar.headline()));
  QVERIFY(!bar.headline().contains(QChar(0x1b)));
  for (const auto* label : bar.findChildren<QLabel*>()) QCOMPARE(label->textFormat(), Qt::PlainText);
}

void DiagnosisWidgetsTest::asksForTheTimeAndForSilence() {
  FindingBar bar;
  bar.setFindings({slowRank(3)}, {}, kNow);
  bar.setOpen(true);
  QSignalSpy jumps(&bar, &FindingBar::jumpRequested), mutes(&bar, &FindingBar::muteRequested);
  buttonNamed<QToolButton>(bar.cards()[0], QStringLiteral("Show that time"))->click();
  QCOMPARE(jumps.count(), 1);
  buttonNamed<QToolButton>(bar.cards()[0], QStringLiteral("Mute for 8 hours"))->click();
  QCOMPARE(mutes.count(), 1);
  QCOMPARE(mutes[0][1].toBool(), true);
  bar.setMuted({slowRank(3).key()});
  buttonNamed<QToolButton>(bar.cards()[0], QStringLiteral("Tell of it again"))->click();
  QCOMPARE(mutes[1][1].toBool(), false);
}

void DiagnosisWidgetsTest::thePageShowsWhatItsBarsDoNotSay() {
  RunPage page;
  TrainingRun run;
  run.id = RunId("r-1");
  page.setRun(run);
  RunUpdate update;
  update.run = run;
  auto report = std::make_shared<DiagnosisReport>();
  report->time = kNow;
  RunFinding stall;
  stall.kind = FindingKind::Stall;
  stall.detail = "rank-behind";
  stall.what = {"rank %1 keeps %2 others waiting in collective %3, for %4", {{"1"}, {"2"}, {"3"}, {"4 s"}}};
  report->findings = {stall, slowRank(2)};
  update.diagnosis = report;
  page.apply(update);
  QVERIFY(page.findingBar()->headline().startsWith(QStringLiteral("Rank 2 is slow")));
  page.setRun({});
  QVERIFY(page.findingBar()->isHidden());
}

QTEST_MAIN(DiagnosisWidgetsTest)
#include "diagnosis_widgets_test.moc"
