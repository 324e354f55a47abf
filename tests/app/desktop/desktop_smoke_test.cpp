// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QImage>
#include <QProcess>
#include <QTest>

#include "metrics/metric_writer.h"
#include "run_to_save.h"
#include "temp_dir.h"
#include "workdir/file_object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

constexpr int kTimeout = 120'000;

struct Ended {
  int exitCode = -1;
  QString output, errors;
};

/// Runs the real program in an empty home of its own.
Ended runDesktop(const TempDir& home, const QStringList& arguments, bool keepPlatform = false) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  const QString folder = QString::fromStdString(home.path().string());
  environment.insert("HOME", folder);
  environment.insert("LOCKSTEP_HOME", folder + "/lockstep");
  for (const char* name :
       {"OCI_CONFIG_FILE", "OCI_CLI_CONFIG_FILE", "OCI_CLI_PROFILE", "DISPLAY", "WAYLAND_DISPLAY"}) {
    environment.remove(QLatin1String(name));
  }
  if (!keepPlatform) environment.remove("QT_QPA_PLATFORM");
  QProcess process;
  process.setProcessEnvironment(environment);
  process.start(QStringLiteral(LOCKSTEP_BIN_DIR "/lockstep-desktop"), arguments);
  if (!process.waitForFinished(kTimeout)) process.kill();
  process.waitForFinished();
  Ended ended;
  if (process.exitStatus() == QProcess::NormalExit) ended.exitCode = process.exitCode();
  ended.output = QString::fromUtf8(process.readAllStandardOutput());
  ended.errors = QString::fromUtf8(process.readAllStandardError());
  return ended;
}

QString pathIn(const TempDir& dir, const QString& name) {
  return QString::fromStdString(dir.path().string()) + "/" + name;
}

/// Whether there is anything to see: more than one colour.
bool isPicture(const QString& file, QSize size) {
  const QImage image(file);
  if (image.size() != size) return false;
  const QRgb first = image.pixel(0, 0);
  for (int y = 0; y < image.height(); y += 3) {
    for (int x = 0; x < image.width(); x += 3) {
      if (image.pixel(x, y) != first) return true;
    }
  }
  return false;
}

bool isDarkPicture(const QString& file) {
  const QImage image(file);
  long long sum = 0;
  for (int y = 0; y < image.height(); y += 5) {
    for (int x = 0; x < image.width(); x += 5) sum += qGray(image.pixel(x, y));
  }
  return sum / qMax(1, (image.width() / 5) * (image.height() / 5)) < 128;
}

}  // namespace

class DesktopSmokeTest : public QObject {
  Q_OBJECT
 private slots:
  void drawsItsPagesWithoutADisplayInAnEmptyHome() {
    const TempDir home;
    const Ended ended =
        runDesktop(home, {"--screenshot", pathIn(home, "shots"), "--theme", "light", "--size", "1000x700"});
    QVERIFY2(ended.exitCode == 0, qPrintable(ended.errors));
    for (const QString page : {"setup", "clusters", "runs"}) {
      QVERIFY2(isPicture(pathIn(home, "shots/" + page + "-light.png"), QSize(1000, 700)), qPrintable(page));
    }
    // It drew what is there and made nothing: no settings, no region, no profile.
    QVERIFY(!QDir(pathIn(home, ".oci")).exists());
    QVERIFY(!QDir(pathIn(home, "lockstep/data/rehearsal")).exists());
    QVERIFY(!QDir(pathIn(home, "lockstep/config")).exists());
  }

  void drawsOnePageInTheDark() {
    const TempDir home;
    const Ended ended =
        runDesktop(home, {"--screenshot", pathIn(home, "s"), "--theme", "dark", "--page", "clusters"});
    QVERIFY2(ended.exitCode == 0, qPrintable(ended.errors));
    QCOMPARE(QDir(pathIn(home, "s")).entryList(QDir::Files), QStringList{"clusters-dark.png"});
    QVERIFY(isDarkPicture(pathIn(home, "s/clusters-dark.png")));
    QCOMPARE(ended.output.count("clusters-dark.png"), 1);  // drawn once, not at every paint
  }

  void drawsStepsOfTheSetupPage() {
    const TempDir home;
    const Ended ended = runDesktop(home, {"--screenshot", pathIn(home, "s"), "--theme", "light", "--steps",
                                          "auth,bucket", "--previews"});
    QVERIFY2(ended.exitCode == 0, qPrintable(ended.errors));
    QVERIFY(isPicture(pathIn(home, "s/auth-light.png"), QSize(1280, 800)));
    QVERIFY(QImage(pathIn(home, "s/auth-light.png")) != QImage(pathIn(home, "s/bucket-light.png")));
    QVERIFY2(!QFile::exists(pathIn(home, "s/bucket-preview-light.png")), "without a profile it has no fix");
    QCOMPARE(runDesktop(home, {"--screenshot", pathIn(home, "s"), "--steps", "nonsense"}).exitCode, 2);
  }

  void aRunThatIsNotThereIsNamed() {
    const TempDir home;
    const Ended ended = runDesktop(home, {"--dashboard", pathIn(home, "d.png"), "--run", "nobody"});
    QCOMPARE(ended.exitCode, 1);
    QVERIFY2(ended.errors.contains("nobody"), qPrintable(ended.errors));
    QVERIFY(!QFile::exists(pathIn(home, "d.png")));
  }

  void drawsTheDashboardOfARunFromItsFolder() {
    const TempDir home, work;
    {
      MetricWriter writer(openFolder(work.path()), layout::metricsFolder("Undefined"), Rank(0), 1);
      for (Step step = 0; step < 50; ++step)
        writer.record(step, TimePoint(std::chrono::hours(480'000) + std::chrono::seconds(step)),
                      {{metric::kLoss, 1.0 / static_cast<double>(step + 1)}});
      QVERIFY(writer.flush(std::chrono::seconds(20)));
    }
    const QString folder = pathIn(work, "Undefined");
    const Ended ended = runDesktop(home, {"--dashboard", pathIn(home, "d.png"), "--run", "file://" + folder});
    QVERIFY2(ended.exitCode == 0, qPrintable(ended.errors));
    QVERIFY(!QImage(pathIn(home, "d.png")).isNull());
    const Ended learning = runDesktop(
        home, {"--dashboard", pathIn(home, "l.png"), "--run", "file://" + folder, "--layout", "learning"});
    QVERIFY2(learning.exitCode == 0, qPrintable(learning.errors));
    QVERIFY(QImage(pathIn(home, "l.png")) != QImage(pathIn(home, "d.png")));
    const Ended unknown = runDesktop(home, {"--dashboard", pathIn(home, "u.png"), "--layout", "Unicorns"});
    QCOMPARE(unknown.exitCode, 2);
    QVERIFY2(unknown.errors.contains("there is no layout 'Unicorns'"), qPrintable(unknown.errors));
    const Ended none =
        runDesktop(home, {"--dashboard", pathIn(home, "e.png"), "--run", folder + "/lockstep"});
    QCOMPARE(none.exitCode, 1);
    QVERIFY2(none.errors.contains("there is no run in 'file://" + folder + "/lockstep'"),
             qPrintable(none.errors));
  }

  void drawsTheDashboardOfARunFile() {
    const TempDir home;
    const testing::MadeUpRun run;
    QVERIFY(saveRun(run.toSave(), pathIn(home, "a.lockstep").toStdString(), {}, {}));
    const Ended ended = runDesktop(home, {"--dashboard", pathIn(home, "d.png"), pathIn(home, "a.lockstep")});
    QVERIFY2(ended.exitCode == 0, qPrintable(ended.errors));
    QVERIFY(!QImage(pathIn(home, "d.png")).isNull());
    const Ended gone = runDesktop(home, {"--dashboard", pathIn(home, "e.png"), "--run", "gone.lockstep"});
    QCOMPARE(gone.exitCode, 1);
    QVERIFY2(gone.errors.contains("gone.lockstep"), qPrintable(gone.errors));
  }

  void aPictureThatCannotBeWrittenIsAFailure() {
    const TempDir home;
    QFile blocker(pathIn(home, "file"));
    QVERIFY(blocker.open(QIODevice::WriteOnly));
    const Ended ended = runDesktop(home, {"--screenshot", pathIn(home, "file"), "--page", "clusters"});
    QCOMPARE(ended.exitCode, 1);
    QVERIFY(ended.errors.contains("clusters-"));
  }

  void wrongUsageEndsWithTwo() {
    const TempDir home;
    QCOMPARE(runDesktop(home, {"--theme", "purple"}).exitCode, 2);
    QCOMPARE(runDesktop(home, {"--screenshot", "x", "--size", "huge"}).exitCode, 2);
    QCOMPARE(runDesktop(home, {"--help"}).exitCode, 0);
    QVERIFY(runDesktop(home, {"--version"}).output.startsWith("lockstep-desktop "));
  }

  void speaksGerman() {
    const TempDir home;
    const Ended english = runDesktop(
        home, {"--screenshot", pathIn(home, "en"), "--page", "runs", "--language", "en", "--theme", "light"});
    const Ended german = runDesktop(
        home, {"--screenshot", pathIn(home, "de"), "--page", "runs", "--language", "de", "--theme", "light"});
    QCOMPARE(english.exitCode, 0);
    QCOMPARE(german.exitCode, 0);
    QVERIFY(QImage(pathIn(home, "en/runs-light.png")) != QImage(pathIn(home, "de/runs-light.png")));
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::DesktopSmokeTest)
#include "desktop_smoke_test.moc"
