// SPDX-License-Identifier: GPL-3.0-or-later
// Where in their code ranks are: the window asks, and the part of the node agent that answers, answers.
#include "app/desktop/runs/stack_question.h"

#include <signal.h>

#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "app/desktop/runs/runs_controller.h"
#include "app/desktop/window/main_window.h"
#include "base/atomic_file.h"
#include "base/child_process.h"
#include "metrics/metric_writer.h"
#include "temp_dir.h"
#include "trainer/node/stacks/stack_requests.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/diagnosis/finding_bar.h"
#include "widgets/diagnosis/run_finding_card.h"
#include "widgets/runs/run_page.h"
#include "workdir/file_object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
constexpr int kTimeout = 60'000;
constexpr int kRanks = 3;

/// The process of a rank.
class Sleeper {
 public:
  Sleeper() : process_(*ChildProcess::start({{"sleep", "1000"}, currentEnvironment(), {}, -1, -1, -1})) {}
  ~Sleeper() {
    process_.signalAll(SIGKILL);
    process_.waitFor(10s);
  }
  [[nodiscard]] pid_t pid() const { return process_.pid(); }

 private:
  ChildProcess process_;
};

}  // namespace

class StackQuestionTest : public QObject {
  Q_OBJECT

  std::unique_ptr<TempDir> dir_;
  Sleeper rank_;

  [[nodiscard]] std::filesystem::path work() const { return dir_->path() / "work"; }
  [[nodiscard]] std::string uri(const std::string& job) const { return "file://" + (work() / job).string(); }
  /// A run that goes on: its rank 1 has been slow for some minutes.
  void writeRun(const std::string& job) {
    const TimePoint now = SystemClock().now();
    constexpr Step kSteps = 300;
    for (int rank = 0; rank < kRanks; ++rank) {
      MetricWriter writer(openFolder(work()), layout::metricsFolder(job), Rank(rank), kRanks);
      const double delay = rank == 1 ? 250 : 0;
      for (Step step = 0; step < kSteps; ++step)
        writer.record(step, now - (kSteps - step) * 1s,
                      {{metric::kStepMs, 1000.0},
                       {metric::kDataMs, 20.0},
                       {metric::kForwardMs, 200.0 + delay},
                       {metric::kBackwardMs, 400.0},
                       {metric::kWaitMs, 380.0 - delay}});
      QVERIFY(writer.flush(20s));
    }
  }
  TrainingRun opened(const std::string& job) {
    auto run = findOrOpenRun(uri(job), {}, {});
    return run ? *run : TrainingRun();
  }
  std::unique_ptr<node::StackRequests> nodeOf(const std::string& job) {
    auto node = std::make_unique<node::StackRequests>(
        openFolder(work()), node::StackRequests::Place{job, "worker_0", "10.0.0.3"},
        std::vector<node::StackTool>{{"echo", {"echo", "frames of", "{pid}"}, false}}, 5ms);
    node->begin({{1, rank_.pid()}});
    QTest::qWait(100);  // it has looked: what is asked from now on is new
    return node;
  }
  static StackAnswer last(const QSignalSpy& answers) {
    return answers.isEmpty() ? StackAnswer{} : answers.last()[2].value<StackAnswer>();
  }

 private slots:
  void init() {
    dir_ = std::make_unique<TempDir>();
    qputenv("LOCKSTEP_HOME", QByteArray::fromStdString((dir_->path() / "home").string()));
    qputenv("HOME", dir_->path().c_str());
  }

  void aRankIsToldWithItsStack() {
    writeRun("Undefined");
    const auto node = nodeOf("Undefined");
    StackQuestion question;
    QSignalSpy answers(&question, &StackQuestion::answered);
    question.ask(opened("Undefined"), "straggler 1", {Rank(1)}, {});
    QVERIFY(last(answers).isWaiting);
    QTRY_VERIFY_WITH_TIMEOUT(!last(answers).isWaiting, kTimeout);
    const QString text = stacksText(last(answers));
    for (const QString& expected :
         {QStringLiteral("Rank 1 on worker_0 (10.0.0.3)"), QStringLiteral("frames of %1").arg(rank_.pid()),
          QStringLiteral("sleep 1000")})
      QVERIFY2(text.contains(expected), qPrintable(text));
    QCOMPARE(stateText(last(answers)), QString());
    QCOMPARE(answers.last()[1].value<std::string>(), std::string("straggler 1"));
  }

  void whoDoesNotAnswerIsSaid() {
    writeRun("Undefined");
    const auto node = nodeOf("Undefined");
    StackQuestion question(3s);
    QSignalSpy answers(&question, &StackQuestion::answered);
    question.ask(opened("Undefined"), "stall", {Rank(1), Rank(2)}, {});
    QTRY_VERIFY_WITH_TIMEOUT(!last(answers).isWaiting, kTimeout);
    QCOMPARE(stateText(last(answers)), QStringLiteral("1 of 2 ranks have answered."));
    question.ask(opened("Undefined"), "stall", {Rank(2)}, {});
    QTRY_VERIFY_WITH_TIMEOUT(!last(answers).isWaiting, kTimeout);
    QVERIFY2(stateText(last(answers)).startsWith(QStringLiteral("No node has answered")),
             qPrintable(stateText(last(answers))));
  }

  void aWorkDirThatCannotBeWrittenIsNamed() {
    writeRun("Undefined");
    const TrainingRun run = opened("Undefined");
    QVERIFY(writeFileAtomically(work() / "Undefined/lockstep/stacks", "in the way"));
    StackQuestion question;
    QSignalSpy answers(&question, &StackQuestion::answered);
    question.ask(run, "stall", {Rank(1)}, {});
    QTRY_VERIFY_WITH_TIMEOUT(!last(answers).isWaiting, kTimeout);
    QVERIFY(last(answers).problem.has_value());
    QVERIFY2(stateText(last(answers)).contains(QStringLiteral("stacks")),
             qPrintable(stateText(last(answers))));
  }

  void theCardAsksAndShowsAndAnotherRunEndsTheQuestion() {
    writeRun("first");
    writeRun("second");
    MainWindow window;
    RunsController controller(&window);
    controller.open(toQString(uri("first")));
    FindingBar* bar = window.runPage()->findingBar();
    bar->setOpen(true);
    RunFindingCard* card = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT((card = cardOf(bar, FindingKind::Straggler)) != nullptr, kTimeout);
    QToolButton* ask = askButton(card);
    QVERIFY(ask != nullptr && !ask->isHidden());
    const auto node = nodeOf("first");
    ask->click();
    QVERIFY(!ask->isEnabled());
    const auto text = [&] { return card->findChild<QPlainTextEdit*>()->toPlainText(); };
    QTRY_VERIFY_WITH_TIMEOUT(text().contains(QStringLiteral("frames of %1").arg(rank_.pid())), kTimeout);
    QTRY_VERIFY(ask->isEnabled());

    node->end();
    ask->click();
    QVERIFY(!ask->isEnabled());
    controller.open(toQString(uri("second")));
    QTRY_VERIFY_WITH_TIMEOUT(window.runPage()->run().jobId.value == "second", kTimeout);
    QTRY_VERIFY_WITH_TIMEOUT((card = cardOf(bar, FindingKind::Straggler)) != nullptr, kTimeout);
    QVERIFY2(askButton(card)->isEnabled(), "nobody is being asked about this run");
    QVERIFY(card->findChild<QPlainTextEdit*>()->toPlainText().isEmpty());
  }

 private:
  static RunFindingCard* cardOf(FindingBar* bar, FindingKind kind) {
    bar->setOpen(true);
    for (RunFindingCard* card : bar->cards())
      if (card->finding().kind == kind && !card->finding().end) return card;
    return nullptr;
  }
  static QToolButton* askButton(RunFindingCard* card) {
    for (auto* button : card->findChildren<QToolButton*>())
      if (button->text() == QLatin1String("Where is it?")) return button;
    return nullptr;
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::StackQuestionTest)
#include "stack_question_test.moc"
