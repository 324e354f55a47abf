// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a run, as the window says it.
#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
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
  void asksWhereTheRanksAreAndShowsTheAnswer();
  void isAskedOnlyWhereItHelps();
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

void DiagnosisWidgetsTest::asksWhereTheRanksAreAndShowsTheAnswer() {
  FindingBar bar;
  bar.setAskable(true);
  bar.setFindings({slowRank(3), slowRank(4)}, {}, kNow);
  bar.setOpen(true);
  RunFindingCard* card = bar.cards()[0];
  auto* ask = buttonNamed<QToolButton>(card, QStringLiteral("Where is it?"));
  auto* other = buttonNamed<QToolButton>(bar.cards()[1], QStringLiteral("Where is it?"));
  QVERIFY(ask != nullptr && !ask->isHidden() && ask->isEnabled());
  QSignalSpy asked(&bar, &FindingBar::whereRequested);
  ask->click();
  QCOMPARE(asked.count(), 1);
  StackAnswer answer{{Rank(3)}, {}, true, {}};
  bar.setStacks(slowRank(3).key(), answer);
  QVERIFY(!ask->isEnabled() && !other->isEnabled());
  QVERIFY(textsIn(card).filter(QStringLiteral("10 seconds")).size() == 1);
  answer.isWaiting = false;
  StackReport report{Rank(3), "worker_2", "10.0.0.3", kNow, {}};
  report.processes.push_back(
      {812, "python3 <b>train.py</b>", "S (sleeping)", "py-spy", "backward (train.py:41)\n", {}});
  report.processes.push_back({813, "loader", {}, {}, {}, "neither py-spy nor gdb is in the image"});
  answer.reports.push_back(report);
  bar.setStacks(slowRank(3).key(), answer);
  QVERIFY(ask->isEnabled() && other->isEnabled());
  auto* text = card->findChild<QPlainTextEdit*>();
  QVERIFY(text->isReadOnly() && !text->isHidden() && !text->accessibleName().isEmpty());
  const QString expected = QStringLiteral(
      "Rank 3 on worker_2 (10.0.0.3)\nProcess 812: python3 <b>train.py</b>\n  S (sleeping)\n"
      "backward (train.py:41)\nProcess 813: loader\n  No stack: neither py-spy nor gdb is in the image\n");
  QCOMPARE(text->toPlainText(), expected);
  bar.resize(900, 400);
  bar.show();
  bar.setStacks(slowRank(3).key(), answer);
  QTRY_VERIFY2(!text->visibleRegion().isEmpty(), "what was asked for is in sight");
  buttonNamed<QToolButton>(card, QStringLiteral("Copy the stacks"))->click();
  QCOMPARE(QApplication::clipboard()->text(), expected);
  bar.setFindings({fullDisk(), slowRank(3)}, {}, kNow + 3s);  // newer numbers leave it where it is
  QCOMPARE(bar.cards()[1]->findChild<QPlainTextEdit*>()->toPlainText(), expected);
  bar.clear();
  bar.setFindings({slowRank(3)}, {}, kNow);
  bar.setOpen(true);
  QVERIFY(bar.cards()[0]->findChild<QPlainTextEdit*>()->toPlainText().isEmpty());
}

void DiagnosisWidgetsTest::isAskedOnlyWhereItHelps() {
  QVERIFY(ranksToAsk(fullDisk()).empty());
  RunFinding ended = slowRank(3);
  ended.end = kNow;
  QVERIFY(ranksToAsk(ended).empty());
  RunFinding many = slowRank(0);
  many.kind = FindingKind::Stall;
  for (int rank = 1; rank < 1000; ++rank) many.ranks.emplace_back(rank);
  QCOMPARE(ranksToAsk(many).size(), kMostAsked);
  FindingBar bar;
  bar.setFindings({slowRank(3)}, {}, kNow);
  bar.setOpen(true);
  QVERIFY2(buttonNamed<QToolButton>(bar.cards()[0], QStringLiteral("Where is it?"))->isHidden(),
           "the run is over, or lies in a file");
  bar.setAskable(true);
  QVERIFY(!buttonNamed<QToolButton>(bar.cards()[0], QStringLiteral("Where is it?"))->isHidden());
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
