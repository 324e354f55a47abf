// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_header.h"

#include <QLabel>
#include <QTest>

#include "metrics/run_progress.h"
#include "runs/training_run.h"

namespace lockstep {

using namespace std::chrono_literals;

class RunHeaderTest : public QObject {
  Q_OBJECT

  static QString shown(const RunHeader& header) {
    QStringList texts;
    for (const QLabel* label : header.findChildren<QLabel*>())
      if (label->isVisibleTo(&header)) texts << label->text();
    return texts.join(QLatin1Char('\n'));
  }

 private slots:
  void howOldTheDataOfALiveRunAreIsSaidWhileItsPastIsLookedAtToo() {
    const RunProgress progress;
    RunHeader header(&progress);
    TrainingRun run;
    run.id = RunId("a");
    run.launchComplete = true;
    run.nodes.resize(1);
    run.nodes[0].id = JobRunId("n");
    run.nodes[0].state = JobRunState::InProgress;
    run.created = TimePoint(1000s);
    header.setRun(run);
    header.setDataLag(1400ms, SteadyPoint(5s));
    header.tick(TimePoint(1060s), SteadyPoint(5s));
    QVERIFY2(shown(header).contains(QStringLiteral("1.4 s")), qPrintable(shown(header)));
    header.setPast(TimePoint(1010s));
    header.tick(TimePoint(1060s), SteadyPoint(7s));
    QVERIFY2(shown(header).contains(QStringLiteral("3.4 s")), qPrintable(shown(header)));
    run.nodes[0].state = JobRunState::Succeeded;
    header.setRun(run);
    header.tick(TimePoint(1060s), SteadyPoint(8s));
    QVERIFY2(!shown(header).contains(QStringLiteral("Data lag")), qPrintable(shown(header)));
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RunHeaderTest)
#include "run_header_test.moc"
