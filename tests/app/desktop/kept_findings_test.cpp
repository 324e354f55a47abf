// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/kept_findings.h"

#include <QSignalSpy>
#include <QTest>

#include "app/desktop/runs/run_access.h"
#include "diagnosis/muted_findings.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

RunFinding findingOf(FindingKind kind, FindingSeverity severity) {
  RunFinding finding;
  finding.kind = kind;
  finding.severity = severity;
  finding.ranks = {Rank(1)};
  return finding;
}

std::shared_ptr<const DiagnosisReport> reportOf(std::vector<RunFinding> findings) {
  auto report = std::make_shared<DiagnosisReport>();
  report->findings = std::move(findings);
  report->time = SystemClock().now();
  return report;
}

}  // namespace

class KeptFindingsTest : public QObject {
  Q_OBJECT

  std::unique_ptr<TempDir> dir_;
  const RunId id_{"cifar-aaaa"};
  const RunFinding stall_ = findingOf(FindingKind::Stall, FindingSeverity::Critical);
  const RunFinding slow_ = findingOf(FindingKind::Straggler, FindingSeverity::Warning);

  std::optional<RunFindings> stored() {
    auto store = openRunStore();
    const auto summaries = store ? (*store)->summaries() : Result<std::vector<RunSummary>>();
    return summaries && summaries->size() == 1 ? summaries->front().findings : std::nullopt;
  }

 private slots:
  void init() {
    dir_ = std::make_unique<TempDir>();
    qputenv("LOCKSTEP_HOME", QByteArray::fromStdString((dir_->path() / "home").string()));
    TrainingRun run;
    run.id = id_;
    QVERIFY((*openRunStore())->save(run));
  }

  void whatDiffersIsWrittenAndTold() {
    KeptFindings findings;
    QSignalSpy kept(&findings, &KeptFindings::kept);
    findings.take(id_, reportOf({stall_, slow_}));
    QTRY_COMPARE(kept.count(), 1);
    QCOMPARE(stored(), std::optional(RunFindings{2, "critical", {"stall", "straggler"}}));
    findings.take(id_, reportOf({stall_, slow_}));  // the same again
    findings.take(id_, reportOf({slow_}));
    QTRY_COMPARE(kept.count(), 2);
    QCOMPARE(stored(), std::optional(RunFindings{1, "warning", {"straggler"}}));
  }

  void ofManyLooksTheNewestStandsThereAtLast() {
    KeptFindings findings;
    for (int i = 0; i < 50; ++i) findings.take(id_, reportOf({i % 2 ? slow_ : stall_}));
    findings.take(id_, reportOf({}));
    QTRY_COMPARE(stored(), std::optional(RunFindings{}));
    QTest::qWait(100);
    QCOMPARE(stored(), std::optional(RunFindings{}));
  }

  void whatIsMutedDoesNotCount() {
    const TimePoint now = SystemClock().now();
    QVERIFY(muteFinding(mutedFindingsFile(), id_, stall_.key(), now + 1h, now));
    KeptFindings findings;
    findings.take(id_, reportOf({stall_, slow_}));
    QTRY_COMPARE(stored(), std::optional(RunFindings{1, "warning", {"straggler"}}));
  }

  void aRunThatTheHistoryDoesNotHaveIsNoFailure() {
    KeptFindings findings;
    QSignalSpy failed(&findings, &KeptFindings::failed), kept(&findings, &KeptFindings::kept);
    findings.take(RunId("forgotten"), reportOf({stall_}));
    findings.take(id_, reportOf({stall_}));
    QTRY_COMPARE(kept.count(), 1);
    QCOMPARE(failed.count(), 0);
  }
};

}  // namespace lockstep

QTEST_GUILESS_MAIN(lockstep::KeptFindingsTest)
#include "kept_findings_test.moc"
