// SPDX-License-Identifier: GPL-3.0-or-later
// What an installed Lockstep tells the desktop about .lockstep files.
#include <QDir>
#include <QFile>
#include <QMimeDatabase>
#include <QProcess>
#include <QSettings>
#include <QTest>
#include <QXmlStreamReader>
#include <fstream>

#include "portable/run_file_writer.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

const QString kType = QStringLiteral("application/vnd.lockstep.run");

}  // namespace

class MimeTypeTest : public QObject {
  Q_OBJECT

  TempDir dir_;
  [[nodiscard]] QString at(const QString& name) const {
    return QString::fromStdString(dir_.path().string()) + QLatin1Char('/') + name;
  }
  [[nodiscard]] QString writeRunFile(const QString& name) const {
    auto writer = RunFileWriter::create(at(name).toStdString());
    if (!writer || !writer->add("run.json", "{}") || !writer->finish()) return {};
    return at(name);
  }
  static void runs(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    QVERIFY2(process.waitForFinished(120'000),
             qPrintable(program + QLatin1Char(' ') + process.errorString()));
    const QByteArray said = process.readAllStandardOutput() + process.readAllStandardError();
    QVERIFY2(process.exitCode() == 0, said.constData());
  }
  static QString typeOf(const QString& file) { return QMimeDatabase().mimeTypeForFile(file).name(); }

 private slots:
  // As a package does it: beside the types of others, which are then gathered. Before the first question, since the list is
  // read once.
  void initTestCase() {
    runs(QStringLiteral(LOCKSTEP_CMAKE),
         {"--install", QStringLiteral(LOCKSTEP_BUILD_DIR), "--component", "lockstep", "--prefix", at("usr")});
    const QString others = QStringLiteral("mime/packages/freedesktop.org.xml");
    QVERIFY(QFile::copy(QStringLiteral("/usr/share/") + others, at("usr/share/") + others));
    runs(QStringLiteral("update-mime-database"), {at("usr/share/mime")});
    qputenv("XDG_DATA_HOME", at("none").toUtf8());
    qputenv("XDG_DATA_DIRS", at("usr/share").toUtf8());
  }

  void theTypesAreWellFormed() {
    QFile file(at("usr/share/mime/packages/io.github.lockstep.Lockstep.xml"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    while (!xml.atEnd()) xml.readNext();
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
  }

  void aRunFileIsKnownByItsName() {
    QCOMPARE(typeOf(writeRunFile(QStringLiteral("run.lockstep"))), kType);
    QCOMPARE(QMimeDatabase().mimeTypeForFile(at("not there.lockstep"), QMimeDatabase::MatchExtension).name(),
             kType);
    QVERIFY(QMimeDatabase().mimeTypeForName(kType).inherits(QStringLiteral("application/vnd.sqlite3")));
  }

  void andByItsFirstBytes() {
    QCOMPARE(typeOf(writeRunFile(QStringLiteral("mailed"))), kType);
    std::ofstream(at("other").toStdString(), std::ios::binary)
        << std::string("SQLite format 3\0", 16) << std::string(100, '\0');
    QVERIFY(typeOf(at("other")) != kType);
  }

  void theProgramOpensIt() {
    const QSettings entry(at("usr/share/applications/io.github.lockstep.Lockstep.desktop"),
                          QSettings::IniFormat);
    const QStringList types =
        entry.value(QStringLiteral("Desktop Entry/MimeType")).toString().split(QLatin1Char(';'));
    QVERIFY(types.contains(kType) ||
            entry.value(QStringLiteral("Desktop Entry/MimeType")).toStringList().contains(kType));
    QCOMPARE(entry.value(QStringLiteral("Desktop Entry/Exec")).toString(),
             QStringLiteral("lockstep-desktop %f"));
  }

  void itsEntryIsWhatMenusExpect() {
    runs(QStringLiteral("desktop-file-validate"),
         {at("usr/share/applications/io.github.lockstep.Lockstep.desktop")});
  }
};

}  // namespace lockstep

QTEST_GUILESS_MAIN(lockstep::MimeTypeTest)
#include "mime_type_test.moc"
