// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in files in the window: opened to be looked at, also by whoever does not trust them, and written.
#include <QAction>
#include <QDropEvent>
#include <QMenu>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QUrl>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/desktop/runs/runs_controller.h"
#include "app/desktop/window/main_window.h"
#include "app/desktop/window/options.h"
#include "base/atomic_file.h"
#include "diagnosis/diagnosis.h"
#include "history/imported_runs.h"
#include "made_up_log.h"
#include "metrics/metric_writer.h"
#include "portable/open_saved_run.h"
#include "run_to_save.h"
#include "temp_dir.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/logs/log_model.h"
#include "widgets/logs/log_view.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/runs/file_bar.h"
#include "widgets/runs/run_header.h"
#include "widgets/runs/run_page.h"
#include "widgets/runs/runs_model.h"
#include "widgets/runs/runs_page.h"
#include "workdir/file_object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using testing::MadeUpRun;
constexpr int kTimeout = 60'000;
constexpr const char* kSecret = "password=correct-horse-battery";

QString messagesOn(const QWidget* page) {
  QStringList texts;
  for (const MessageBar* bar : page->findChildren<MessageBar*>())
    if (bar->hasMessage()) texts << bar->plainText();
  return texts.join(QLatin1Char('\n'));
}

QPushButton* buttonOf(const QWidget* parent, const QString& text) {
  for (QPushButton* button : parent->findChildren<QPushButton*>())
    if (button->text().remove(QLatin1Char('&')) == text) return button;
  return nullptr;
}

void cut(const fs::path& file) {
  fs::resize_file(file, fs::file_size(file) / 2);
}

// user_version of an SQLite file, big-endian.
void makeNewer(const fs::path& file) {
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(60).write("\0\0\0\7", 4);
}

bool save(const fs::path& path, const MadeUpRun& run) {
  return saveRun(run.toSave(), path, {}, {}).has_value();
}

}  // namespace

class RunFileWindowTest : public QObject {
  Q_OBJECT

  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<MainWindow> window_;
  std::unique_ptr<RunsController> controller_;

  [[nodiscard]] fs::path at(const char* name) const { return dir_->path() / name; }
  [[nodiscard]] RunPage* page() const { return window_->runPage(); }
  [[nodiscard]] std::size_t samples(int rank) const {
    return page()->dashboard()->samples().sampleCount(metric::kLoss, Rank(rank));
  }
  [[nodiscard]] std::uint64_t lines() const {
    const auto log = page()->inSight().log;
    return log ? log->size() : 0;
  }
  void openUntilRead(const fs::path& file) {
    controller_->open(toQString(file.string()));
    QTRY_COMPARE_WITH_TIMEOUT(samples(2), kSamples, kTimeout);
    QTRY_VERIFY_WITH_TIMEOUT(lines() > 0, kTimeout);
    QTRY_VERIFY_WITH_TIMEOUT(page()->inSight().report, kTimeout);
  }
  /// A run in a folder of a work dir, as the page shows it, with these lines.
  TrainingRun showFolderRun(std::vector<LogLine> lines) {
    {
      MetricWriter writer(openFolder(dir_->path() / "work"), layout::metricsFolder("Undefined"), Rank(0), 1);
      writer.record(1, TimePoint(std::chrono::hours(480'000)), {{metric::kLoss, 0.5}});
    }
    TrainingRun run;
    run.id = RunId("file://" + (dir_->path() / "work/Undefined").string());
    run.backend = kFolderBackend;
    run.name = "ended";
    run.jobId = JobId("Undefined");
    run.workDir = "file://" + (dir_->path() / "work").string();
    run.trainYaml = "kind: distributed\n";
    page()->setRun(run);
    RunUpdate update;
    update.run = run;
    update.log = snapshotOf(std::move(lines));
    auto report = std::make_shared<DiagnosisReport>();
    report->findings.resize(1);
    report->findings[0].ranks = {Rank(1)};
    update.diagnosis = report;
    page()->apply(update);
    return run;
  }
  static std::vector<LogLine> manyLines(std::size_t count) {
    std::vector<LogLine> lines(count);
    for (std::size_t i = 0; i < count; ++i) {
      lines[i].time = TimePoint(std::chrono::milliseconds(i));
      lines[i].node = "main";
      lines[i].text = "step " + std::to_string(i);
    }
    return lines;
  }
  bool write(const fs::path& file) {
    QSignalSpy finished(&controller_->fileExport(), &RunFileExport::finished);
    controller_->fileExport().writeRun(toQString(file.string()));
    return (!finished.isEmpty() || finished.wait(kTimeout)) && finished[0][0].toBool();
  }
  static constexpr std::size_t kSamples = MadeUpRun::kSegments * MadeUpRun::kRowsPerSegment;

 private slots:
  void init() {
    dir_ = std::make_unique<TempDir>();
    qputenv("LOCKSTEP_HOME", QByteArray::fromStdString((dir_->path() / "home").string()));
    qputenv("HOME", dir_->path().c_str());
    window_ = std::make_unique<MainWindow>();
    controller_ = std::make_unique<RunsController>(window_.get());
  }
  void cleanup() {
    controller_.reset();
    window_.reset();
    dir_.reset();
  }

  void showsWhatTheFileHoldsAndLaunchesAndKeepsNothing() {
    const MadeUpRun run;
    QVERIFY(save(at("cifar.lockstep"), run));
    openUntilRead(at("cifar.lockstep"));
    QCOMPARE(window_->page(), Page::Run);
    QCOMPARE(page()->run().name, std::string("cifar"));
    QCOMPARE(stateOf(page()->run()), RunState::Failed);
    QCOMPARE(lines(), std::uint64_t{run.lines.size()});
    QVERIFY(page()->dashboard()->hasLog());
    QVERIFY2(messagesOn(page()).contains(QLatin1String("ended with exit code 3")),
             qPrintable(messagesOn(page())));
    for (const char* text : {"Cancel run", "Relaunch"}) {
      const QPushButton* button = buttonOf(page(), QLatin1String(text));
      QVERIFY2(!button || !button->isVisibleTo(page()), text);
    }
    QCOMPARE(window_->runsPage()->model()->runCount(), std::size_t{0});
    QVERIFY2(!fs::exists(at("home")) || fs::is_empty(at("home")), "neither history nor kept lines are made");
  }

  void aRunThatWentOnIsSilentAndOver() {
    MadeUpRun live;
    live.run.failure.clear();
    live.run.finished.reset();
    for (NodeRun& node : live.run.nodes) node.state = JobRunState::InProgress;
    QVERIFY(save(at("live.lockstep"), live));
    openUntilRead(at("live.lockstep"));
    QCOMPARE(stateOf(page()->run()), RunState::Silent);
    const QPushButton* cancel = buttonOf(page(), QStringLiteral("Cancel run"));
    QVERIFY(!cancel || !cancel->isVisibleTo(page()));
  }

  void theSameFileShowsTheSamePageAgain() {
    QVERIFY(save(at("a.lockstep"), MadeUpRun()));
    openUntilRead(at("a.lockstep"));
    window_->showPage(Page::Runs);
    QSignalSpy opened(controller_.get(), &RunsController::opened);
    controller_->open(toQString("file://" + at("a.lockstep").string()));
    QVERIFY(opened.wait(kTimeout));
    QCOMPARE(window_->page(), Page::Run);
    QCOMPARE(samples(2), kSamples);  // nothing was read anew
  }

  void anotherRunUnderTheSameNameIsShown() {
    QVERIFY(save(at("a.lockstep"), MadeUpRun()));
    openUntilRead(at("a.lockstep"));
    MadeUpRun later;
    later.run.name = "later";
    later.addLine(201, "one more");
    QVERIFY(save(at("a.lockstep"), later));
    fs::last_write_time(at("a.lockstep"), fs::file_time_type::clock::now() + std::chrono::seconds(2));
    controller_->open(toQString(at("a.lockstep").string()));
    QTRY_COMPARE_WITH_TIMEOUT(lines(), std::uint64_t{later.lines.size()}, kTimeout);
    QCOMPARE(page()->run().name, std::string("later"));
    QTRY_COMPARE_WITH_TIMEOUT(samples(2), kSamples, kTimeout);
  }

  void whatCannotBeOpenedIsSaidOnThePageOfTheRuns_data() {
    QTest::addColumn<int>("what");
    QTest::newRow("cut") << 0;
    QTest::newRow("newer") << 1;
    QTest::newRow("no run at all") << 2;
    QTest::newRow("gone") << 3;
    QTest::newRow("of somebody else") << 4;
  }
  void whatCannotBeOpenedIsSaidOnThePageOfTheRuns() {
    QFETCH(int, what);
    const fs::path file = at("b.lockstep");
    QVERIFY(save(file, MadeUpRun()));
    if (what == 0) cut(file);
    if (what == 1) makeNewer(file);
    if (what == 2) std::ofstream(file, std::ios::trunc) << "kind: distributed\n";
    if (what == 3) fs::remove(file);
    if (what == 4)
      std::ofstream(file, std::ios::trunc) << std::string("SQLite format 3\0", 16) << std::string(4080, 'x');
    window_->showPage(Page::Runs);
    QSignalSpy notFound(controller_.get(), &RunsController::notFound);
    controller_->open(toQString(file.string()));
    QVERIFY(notFound.wait(kTimeout));
    QCOMPARE(window_->page(), Page::Runs);
    QVERIFY2(messagesOn(window_->runsPage()).contains(QLatin1String("b.lockstep")),
             qPrintable(messagesOn(window_->runsPage())));
  }

  void aFileThatGoesAwayIsAProblemOfItsPage() {
    QVERIFY(save(at("a.lockstep"), MadeUpRun()));
    openUntilRead(at("a.lockstep"));
    fs::remove(at("a.lockstep"));
    emit page()->reloadRequested();
    QTRY_VERIFY_WITH_TIMEOUT(messagesOn(page()).contains(QLatin1String("a.lockstep")), kTimeout);
  }

  void aDroppedFileIsOfferedAsARun() {
    const auto drop = [this](const fs::path& path) {
      QMimeData data;
      data.setUrls({QUrl::fromLocalFile(toQString(path.string()))});
      QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
      enter.ignore();
      QCoreApplication::sendEvent(window_.get(), &enter);
      QDropEvent dropped(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
      if (enter.isAccepted()) QCoreApplication::sendEvent(window_.get(), &dropped);
      return enter.isAccepted();
    };
    QSignalSpy dropped(window_.get(), &MainWindow::runDropped);
    QVERIFY(drop(at("gone.lockstep")));  // that it is not there is said where it is opened
    QVERIFY(drop(at("LOUD.LOCKSTEP")));
    QVERIFY(!drop(at("run.zip")));
    QCOMPARE(dropped.size(), 2);
    QCOMPARE(dropped[0][0].toString(), toQString(at("gone.lockstep").string()));
  }

  void theCommandLineTakesItLikeADocument() {
    const auto runOf = [](std::string argument) {
      std::string program = "lockstep-desktop";
      std::array<char*, 3> argv{program.data(), argument.data(), nullptr};
      const auto parsed = parseCommandLine(2, argv.data());
      const auto* options = std::get_if<DesktopOptions>(&parsed);
      return options ? options->run + QLatin1Char('|') + options->openFile : QString();
    };
    QVERIFY(save(at("named otherwise"), MadeUpRun()));
    QCOMPARE(runOf("x.lockstep"), QStringLiteral("x.lockstep|"));
    QCOMPARE(runOf(at("named otherwise").string()), toQString(at("named otherwise").string() + "|"));
    QCOMPARE(runOf("train.yaml"), QStringLiteral("|train.yaml"));
  }

  void theHistoryAsksForAFile() {
    disconnect(window_->runsPage(), &RunsPage::openFileRequested, nullptr, nullptr);  // no dialogs
    QSignalSpy asked(window_->runsPage(), &RunsPage::openFileRequested);
    for (QAction* action : window_->runsPage()->actions())
      if (action->text().remove(QLatin1Char('&')) == QStringLiteral("Open run file …")) action->trigger();
    QCOMPARE(asked.size(), 1);
    QPushButton* button = buttonOf(window_->runsPage(), QStringLiteral("Open a run file …"));
    QVERIFY(button);
    button->click();
    QCOMPARE(asked.size(), 2);
  }

  void savesAllThatThePageShows() {
    QVERIFY(save(at("a.lockstep"), MadeUpRun()));
    openUntilRead(at("a.lockstep"));
    QVERIFY(write(at("copy.lockstep")));
    const auto first = openSavedRun(at("a.lockstep")), copy = openSavedRun(at("copy.lockstep"));
    QVERIFY(first && copy);
    QCOMPARE(copy->run.nodes.size(), first->run.nodes.size());
    for (std::size_t i = 0; i < copy->run.nodes.size(); ++i) {
      QCOMPARE(copy->run.nodes[i].displayName, first->run.nodes[i].displayName);
      QCOMPARE(copy->run.nodes[i].state, first->run.nodes[i].state);
      QCOMPARE(copy->run.nodes[i].finished, first->run.nodes[i].finished);
    }
    QCOMPARE(copy->run.failure, first->run.failure);
    const auto report = page()->inSight().report;
    QCOMPARE(nlohmann::json::parse(copy->findings).size(), report->findings.size());
    std::size_t count = 0;
    for (const auto source = copy->lines(); source->isBehind(); count += source->poll({})->size()) {
    }
    QCOMPARE(count, MadeUpRun().lines.size());
    openUntilRead(at("copy.lockstep"));
  }

  void saysWhatTheFileHasComeToHold() {
    std::vector<LogLine> lines = manyLines(3000);
    lines[7].text = kSecret;
    lines[9].text = std::string(300'000, 'x');  // more than is shown
    showFolderRun(lines);
    QVERIFY(write(at("f.lockstep")));
    const QString said = messagesOn(page());
    QVERIFY2(said.contains(QLatin1String("f.lockstep")), qPrintable(said));
    QVERIFY2(said.contains(QLatin1String("3,000")), qPrintable(said));
    QVERIFY2(said.contains(QLatin1String("secrets were taken out of 1")), qPrintable(said));
    QVERIFY2(said.contains(QLatin1String("train.yaml is in it")), qPrintable(said));
    QVERIFY(!page()->fileBar()->isRunning());
    const auto opened = openSavedRun(at("f.lockstep"));
    QVERIFY(opened.has_value());
    QCOMPARE(nlohmann::json::parse(opened->findings)[0]["ranks"].dump(), std::string("[1]"));
    const auto read = opened->lines()->poll({});
    QVERIFY(read.has_value());
    QCOMPARE(read->size(), std::size_t{3000});
    QVERIFY((*read)[7].text.find("battery") == std::string::npos);
    QCOMPARE((*read)[9].text.size(), std::size_t{300'000});
    const auto metrics = opened->workDir->list("Undefined/lockstep/metrics/", {}, {});
    QVERIFY(metrics && !metrics->empty());
  }

  void cancelledNothingIsLeft() {
    std::ofstream(at("old.lockstep")) << "what was there";
    showFolderRun(manyLines(200'000));
    QSignalSpy finished(&controller_->fileExport(), &RunFileExport::finished);
    controller_->fileExport().writeRun(toQString(at("old.lockstep").string()));
    QVERIFY(page()->fileBar()->isRunning());
    QPushButton* cancel = buttonOf(page()->fileBar(), QStringLiteral("Cancel"));
    QVERIFY(cancel);
    cancel->click();
    QVERIFY(!cancel->isEnabled());
    QVERIFY(finished.wait(kTimeout));
    QVERIFY(!finished[0][0].toBool());
    QVERIFY(!page()->fileBar()->isRunning());
    QVERIFY2(messagesOn(page()).contains(QLatin1String("was not written")), qPrintable(messagesOn(page())));
    QCOMPARE(*readFile(at("old.lockstep")), std::string("what was there"));
    for (const auto& entry : fs::directory_iterator(dir_->path()))
      QVERIFY2(entry.path() == at("old.lockstep") || entry.is_directory(), entry.path().c_str());
  }

  void whyItCouldNotBeSavedIsSaid() {
    showFolderRun(manyLines(10));
    QVERIFY(!write(at("missing/f.lockstep")));
    QVERIFY2(messagesOn(page()).contains(QLatin1String("missing/f.lockstep")),
             qPrintable(messagesOn(page())));
    QVERIFY(!fs::exists(at("missing")));
  }

  void ofARunWithoutLinesNoneAreSpokenOf() {
    showFolderRun({});
    QVERIFY(write(at("f.lockstep")));
    QVERIFY2(messagesOn(page()).contains(QLatin1String("without lines")), qPrintable(messagesOn(page())));
    QVERIFY2(!messagesOn(page()).contains(QLatin1String("secret in it")), qPrintable(messagesOn(page())));
  }

  void writesAPageForBrowsers() {
    QVERIFY(save(at("a.lockstep"), MadeUpRun()));
    openUntilRead(at("a.lockstep"));
    QSignalSpy finished(&controller_->fileExport(), &RunFileExport::finished);
    controller_->fileExport().writeReport(toQString(at("run.html").string()));
    QVERIFY(finished.wait(kTimeout));
    QVERIFY(finished[0][0].toBool());
    const auto text = readFile(at("run.html"));
    QVERIFY(text && text->find("cifar") != std::string::npos && text->find("<svg") != std::string::npos);
    QVERIFY2(messagesOn(page()).contains(QLatin1String("run.html")), qPrintable(messagesOn(page())));
    controller_->fileExport().writeReport(toQString(at("missing/run.html").string()));
    QVERIFY(finished.wait(kTimeout));
    QVERIFY(!finished[1][0].toBool());
  }

  void takesRunsOfOtherProgramsIntoTheHistory() {
    std::ofstream(at("metrics.csv")) << "step,loss,val_loss\n0,1.5,1.6\n1,1.25,1.5\n2,1.0,1.25\n";
    QSignalSpy finished(&controller_->import(), &RunImport::finished);
    controller_->import().take(toQString(at("metrics.csv").string()));
    QVERIFY(window_->runsPage()->fileBar()->isRunning());
    QVERIFY(finished.wait(kTimeout));
    QVERIFY2(finished[0][0].toBool(), qPrintable(messagesOn(window_->runsPage())));
    QVERIFY(!window_->runsPage()->fileBar()->isRunning());
    QVERIFY2(messagesOn(window_->runsPage()).contains(QLatin1String("Imported 1")),
             qPrintable(messagesOn(window_->runsPage())));
    QTRY_VERIFY_WITH_TIMEOUT(controller_->isLoaded(), kTimeout);
    RunsModel* history = window_->runsPage()->model();
    QTRY_COMPARE_WITH_TIMEOUT(history->runCount(), std::size_t{1}, kTimeout);
    const RunId id = history->run(0)->id;
    // It is a run of the history like others, only that nothing can be launched or cancelled of it.
    emit window_->runsPage()->openRequested(id);
    QTRY_COMPARE_WITH_TIMEOUT(samples(0), std::size_t{3}, kTimeout);
    QCOMPARE(page()->run().id.value, id.value);
    const QPushButton* relaunch = buttonOf(page(), QStringLiteral("Relaunch"));
    QVERIFY(!relaunch || !relaunch->isVisibleTo(page()));
    // Forgotten, its copy goes, too.
    const fs::path copies = importedRunsFolder();
    QVERIFY(!fs::is_empty(copies));
    emit window_->runsPage()->forgetRequested(id);
    QTRY_COMPARE_WITH_TIMEOUT(history->runCount(), std::size_t{0}, kTimeout);
    QTRY_VERIFY_WITH_TIMEOUT(fs::is_empty(copies), kTimeout);
  }

  void takesARunFileIntoTheHistory() {
    QVERIFY(save(at("a.lockstep"), MadeUpRun()));
    QSignalSpy finished(&controller_->import(), &RunImport::finished);
    controller_->import().take(toQString(at("a.lockstep").string()));
    QVERIFY(finished.wait(kTimeout));
    fs::remove(at("a.lockstep"));  // it has a copy
    const RunsModel* history = window_->runsPage()->model();
    QTRY_COMPARE_WITH_TIMEOUT(history->runCount(), std::size_t{1}, kTimeout);
    controller_->open(toQString(history->run(0)->id.value));
    QTRY_COMPARE_WITH_TIMEOUT(samples(2), kSamples, kTimeout);
    QTRY_COMPARE_WITH_TIMEOUT(lines(), std::uint64_t{MadeUpRun().lines.size()}, kTimeout);
  }

  void whatWasBeingImportedIsGoneWhenItIsCancelledOrKilled() {
    const fs::path copies = importedRunsFolder();
    fs::create_directories(copies);
    for (const char* name : {".importing-window-7", "..importing-window-7.abc"}) {
      std::ofstream(copies / name) << "of a window that was killed";
      fs::last_write_time(copies / name, fs::file_time_type::clock::now() - std::chrono::hours(25));
    }
    {
      std::ofstream table(at("long.csv"));
      table << "step,loss\n";
      for (int step = 0; step < 300'000; ++step) table << step << ",0.5\n";
    }
    QSignalSpy finished(&controller_->import(), &RunImport::finished);
    controller_->import().take(toQString(at("long.csv").string()));
    buttonOf(window_->runsPage()->fileBar(), QStringLiteral("Cancel"))->click();
    QVERIFY(finished.wait(kTimeout));
    QVERIFY(!finished[0][0].toBool());
    QVERIFY2(messagesOn(window_->runsPage()).contains(QLatin1String("cancelled")),
             qPrintable(messagesOn(window_->runsPage())));
    QCOMPARE(window_->runsPage()->model()->runCount(), std::size_t{0});
    QVERIFY(fs::is_empty(copies));
  }

  void whatCannotBeImportedIsSaid() {
    std::ofstream(at("picture.png")) << "no metrics";
    QSignalSpy finished(&controller_->import(), &RunImport::finished);
    controller_->import().take(toQString(at("picture.png").string()));
    QVERIFY(finished.wait(kTimeout));
    QVERIFY(!finished[0][0].toBool());
    QVERIFY2(messagesOn(window_->runsPage()).contains(QLatin1String("picture.png")),
             qPrintable(messagesOn(window_->runsPage())));
    QCOMPARE(window_->runsPage()->model()->runCount(), std::size_t{0});
  }

  void whileOneIsWrittenNoOtherIsOffered() {
    showFolderRun(manyLines(10));
    QToolButton* menu = nullptr;
    for (QToolButton* button : page()->findChildren<QToolButton*>())
      if (button->text() == QLatin1String("Export")) menu = button;
    QVERIFY(menu && menu->isVisibleTo(page()) && menu->menu());
    QSignalSpy asked(page(), &RunPage::saveRequested);
    disconnect(page(), &RunPage::saveRequested, &controller_->fileExport(), nullptr);
    page()->fileBar()->begin(QStringLiteral("x"));
    QVERIFY(!menu->isEnabled());
    menu->menu()->actions().constFirst()->trigger();
    QCOMPARE(asked.size(), 0);
    page()->fileBar()->setProgress(0.25, QStringLiteral("3 MB"));
    QCOMPARE(page()->fileBar()->findChild<QProgressBar*>()->value(), 250);
    page()->fileBar()->end();
    menu->menu()->actions().constFirst()->trigger();
    QCOMPARE(asked.size(), 1);
    page()->setRun({});
    QVERIFY(!menu->isVisibleTo(page()));
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::RunFileWindowTest)
#include "run_file_window_test.moc"
