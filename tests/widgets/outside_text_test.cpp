// SPDX-License-Identifier: GPL-3.0-or-later
// Text from outside is plain text wherever the window shows it: no label, no tool tip and no model of a page
// that is full of markup takes it for markup.
#include <QAbstractItemView>
#include <QAction>
#include <QLabel>
#include <QTabBar>
#include <QTest>
#include <QTextDocument>

#include "base/clock.h"
#include "setup/steps/setup_steps.h"
#include "widgets/activity/calls_panel.h"
#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/cluster/yaml/yaml_editor.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/layout/elided_label.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/text_difference_view.h"
#include "widgets/runs/run_page.h"
#include "widgets/runs/runs_page.h"
#include "widgets/setup/pass_phrase_dialog.h"
#include "widgets/setup/secret_dialog.h"
#include "widgets/setup/setup_page.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

// In front, so that no text before it keeps Qt from taking the whole for markup.
const std::string kMarkup = "<img src='x.png'><b>bold</b>";
const QString kShown = QString::fromStdString(kMarkup);
const TimePoint kNow(1'790'000'000s);

/// Markup in it would be obeyed: a tag of kMarkup that is not escaped, in a text that is taken for markup.
bool isObeyed(const QString& text) {
  return Qt::mightBeRichText(text) &&
         (text.contains(QLatin1String("<img")) || text.contains(QLatin1String("<b>bold")));
}

struct Walked {
  int labels = 0, toolTips = 0, cells = 0;
  QStringList obeyed;
  void look(const QString& text, const QString& where) {
    if (isObeyed(text)) obeyed << QStringLiteral("%1: %2").arg(where, text.left(120));
  }
};

void walkModel(const QAbstractItemModel& model, const QString& where, Walked& walked) {
  for (int column = 0; column < model.columnCount(); ++column) {
    walked.look(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString(),
                where + QLatin1String(" heading"));
    for (int row = 0; row < model.rowCount(); ++row) {
      ++walked.cells;
      walked.look(model.index(row, column).data(Qt::ToolTipRole).toString(),
                  QStringLiteral("%1, column %2").arg(where).arg(column));
    }
  }
}

void walkWidget(const QWidget& widget, Walked& walked) {
  const QString name = QLatin1String(widget.metaObject()->className());
  if (!widget.toolTip().isEmpty()) ++walked.toolTips;
  walked.look(widget.toolTip(), name + QLatin1String(" tool tip"));
  for (const QAction* action : widget.actions())
    walked.look(action->toolTip(), name + QLatin1String(" action"));
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
    ++walked.labels;
    // What is made to be rich is rich, whatever it looks like.
    if (label->textFormat() == Qt::RichText) walked.look(QLatin1String("<p>") + label->text(), name);
    if (label->textFormat() == Qt::AutoText) walked.look(label->text(), name);
    if (label->textFormat() == Qt::AutoText)
      walked.obeyed << QStringLiteral("guesses: ") + label->text().left(80);
  }
  if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
    for (int i = 0; i < tabs->count(); ++i) walked.look(tabs->tabToolTip(i), QStringLiteral("tab"));
  if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget); view && view->model())
    walkModel(*view->model(), QLatin1String(view->model()->metaObject()->className()), walked);
}

Walked walk(QWidget& top) {
  top.resize(900, 700);
  top.show();
  QCoreApplication::processEvents();
  Walked walked;
  walkWidget(top, walked);
  for (const QWidget* child : top.findChildren<QWidget*>()) walkWidget(*child, walked);
  top.hide();
  return walked;
}

void expectPlain(QWidget& top) {
  const Walked walked = walk(top);
  QVERIFY2(walked.labels + walked.toolTips + walked.cells > 0, top.metaObject()->className());
  QVERIFY2(walked.obeyed.isEmpty(), qPrintable(walked.obeyed.join(QLatin1Char('\n'))));
}

Error hostileError() {
  return {ErrorCode::NotFound,
          kMarkup,
          kMarkup,
          kMarkup,
          kMarkup,
          ServiceAnswer{kMarkup, kMarkup, 404, kMarkup, kMarkup}};
}

TrainingRun hostileRun(JobRunState state) {
  TrainingRun run;
  run.id = RunId(kMarkup);
  run.name = run.profile = run.workDir = run.failure = kMarkup;
  run.jobId = JobId(kMarkup);
  run.created = kNow;
  run.launchComplete = true;
  for (int i = 0; i < 2; ++i) {
    NodeRun node;
    node.id = JobRunId(kMarkup + std::to_string(i));
    node.displayName = kMarkup;
    node.nodeRank = i;
    node.state = state;
    run.nodes.push_back(node);
  }
  return run;
}

std::shared_ptr<RunHealth> hostileHealth(TimePoint now) {
  auto health = std::make_shared<RunHealth>();
  std::vector<RankHeartbeat> beats;
  for (int rank = 0; rank < 2; ++rank) {
    RankHeartbeat beat;
    beat.rank = Rank(rank);
    beat.word = beat.host = kMarkup;
    beat.collectives = 118 - rank;
    beat.since = now - 60s;
    beats.push_back(beat);
  }
  health->heartbeat = Heartbeat{now, beats, {Rank(1)}};
  health->heard = SystemClock().steady();
  const ReachLink closed{1, kMarkup, kMarkup, 4712, false, {}, kMarkup};
  const ReachLink open{0, kMarkup, kMarkup, 4712, true, 0.5, ""};
  health->nodes = {{0, kMarkup, kMarkup, {closed}, {}, {}}, {1, kMarkup, kMarkup, {open}, {}, {}}};
  health->unreadable = {hostileError()};
  return health;
}

RunUpdate hostileUpdate(JobRunState state) {
  RunUpdate update;
  update.run = hostileRun(state);
  update.health = hostileHealth(SystemClock().now());
  update.problems = {hostileError()};
  for (int i = 0; i < 3; ++i) {
    LogLine line;
    line.id = std::to_string(i);
    line.time = kNow;
    line.node = line.text = kMarkup;
    line.level = LogLevel::Error;
    update.lines.push_back(line);
  }
  return update;
}

StepReport hostileReport() {
  StepReport report =
      reportOf({{StepState::Blocked, kMarkup + " ocid1.subnet.oc1.iad.aaaaaaaabbbbbbbbccccccccdddddddd",
                 kMarkup, kMarkup, "code", kMarkup},
                {StepState::Ready, kMarkup, kMarkup, kMarkup}});
  ProposedFix fix;
  fix.id = fix.title = fix.before = kMarkup;
  fix.after = kMarkup + "\nmore";
  fix.calls = {kMarkup};
  report.fixes = {fix};
  report.tables = {{kMarkup, {kMarkup, "b"}, {{{kMarkup, StepState::Blocked, kMarkup}, {kMarkup}}}}};
  report.facts = {{"infrastructure.subnetId", kMarkup}, {kMarkup, kMarkup}};
  return report;
}

std::vector<AppliedChange> hostileChanges() {
  AppliedChange change;
  change.id = "c";
  change.stepId = "bucket";
  change.profile = change.title = change.kind = kMarkup;
  return {change};
}

QString hostileYaml() {
  QString text = QStringLiteral(R"(kind: distributed
spec:
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    spec:
      displayName: "@"
      projectId: "@"
      compartmentId: "@"
      subnetId: "@"
      logGroupId: "@"
      logId: "@"
      shapeName: "@"
      freeformTags: {"@": "@"}
      storageMount: [{src: "@", dest: "@"}]
      blockStorageSize: "@"
      "@": 1
  cluster:
    kind: PYTORCH
    spec:
      image: "@"
      workDir: "@"
      name: "@"
      config:
        env:
          - {name: "@", value: "@"}
          - {name: "@", value: "other"}
      main: {name: "@", replicas: 1, config: {env: [{name: "@", value: "@"}]}}
      worker: {name: "@", replicas: 2}
  runtime:
    kind: python
    spec:
      entryPoint: "@"
      args: ["@"]
)");
  return text.replace(QLatin1Char('@'), kShown);
}

ResourceChoices hostileChoices() {
  return {ResourceChoices::State::Ready, {{kShown, kShown, kShown}}, kShown};
}

constexpr ResourceKind kKinds[] = {ResourceKind::Compartment, ResourceKind::Project,  ResourceKind::Vcn,
                                   ResourceKind::Subnet,      ResourceKind::LogGroup, ResourceKind::Log,
                                   ResourceKind::Bucket,      ResourceKind::Image,    ResourceKind::Group,
                                   ResourceKind::DynamicGroup};

}  // namespace

class OutsideTextTest : public QObject {
  Q_OBJECT
 private slots:
  void theHelperKeepsPlainTextAndEscapesMarkup() {
    QCOMPARE(plainToolTip(QStringLiteral("a < b & c\nd")), QStringLiteral("a < b & c\nd"));
    QCOMPARE(plainToolTip({}), QString());
    const QString tip = plainToolTip(kShown);
    QVERIFY(tip.startsWith(QLatin1String("<p>&lt;img")));
    QTextDocument document;
    document.setHtml(tip);
    QCOMPARE(document.toPlainText(), kShown);
    QCOMPARE(plainToolTip(QString(1'000'000, QLatin1Char('x'))).size(), 4001);
    QVERIFY(!isObeyed(toolTipLines({kShown, kShown}, kShown)));
    QCOMPARE(toolTipLines({}), QString());
  }

  void aWalkFindsWhatGuesses() {  // so that the tests below mean something
    QLabel guessing(kShown);
    guessing.setToolTip(kShown);
    QCOMPARE(walk(guessing).obeyed.size(), 3);
  }

  void commonWidgets() {
    ElidedLabel label;
    label.setText(kShown.repeated(100));
    expectPlain(label);
    MessageBar bar;
    bar.showError(hostileError());
    expectPlain(bar);
    bar.showMessage(Severity::Warning, kShown, kShown);
    expectPlain(bar);
    TextDifferenceView difference;
    difference.setTexts(kShown, kShown, kShown + QStringLiteral("\nmore"), kShown);
    expectPlain(difference);
  }

  void runs() {
    RunsPage list;
    list.setRuns({summaryOf(hostileRun(JobRunState::Failed))});
    expectPlain(list);
    for (const JobRunState state : {JobRunState::InProgress, JobRunState::Failed}) {
      RunPage page;
      page.setRun(hostileRun(state));
      page.apply(hostileUpdate(state));
      page.showFollowProblem(hostileError());
      page.showError(hostileError());
      expectPlain(page);
    }
  }

  void activity() {
    oci::CallRecord call;
    call.at = kNow;
    call.method = call.service = call.operation = call.host = call.errorCode = call.requestId = kMarkup;
    CallsPanel panel;
    panel.append({call});
    expectPlain(panel);
  }

  void setup() {
    SetupPage page;
    page.setProfiles({kShown}, kShown);
    page.setProfileSummary(kShown);
    page.setLastCheck(kShown);
    for (const ResourceKind kind : kKinds) page.setResources(kind, hostileChoices());
    page.setChanges(hostileChanges());
    for (const std::string& step : setupStepNames()) {
      page.setReport(step, hostileReport());
      page.showStep(step);
      expectPlain(page);
    }
    page.showError(hostileError());
    page.showChanges();
    expectPlain(page);
  }

  void setupDialogs() {
    PassPhraseDialog passPhrase({kShown, kShown, true, true, true});
    expectPlain(passPhrase);
    SecretDialog secret(kShown);
    expectPlain(secret);
  }

  void designer() {
    DesignerPage page;
    page.setTemplates({{kShown, kShown, kShown}});
    page.setDocument(QStringLiteral("/tmp/") + kShown, hostileYaml());
    for (const ResourceKind kind : kKinds) page.setResources(kind, hostileChoices());
    page.setLaunchObstacle(kShown);
    page.showError(hostileError());
    expectPlain(page);
    for (int line = 1; line < 40; ++line) QVERIFY(!isObeyed(page.editor()->issueTextAt(line)));
    page.setLaunching(true, 1, 2, kShown);
    page.showDifference(kShown, kShown, hostileYaml(), kShown);
    expectPlain(page);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::OutsideTextTest)
#include "outside_text_test.moc"
