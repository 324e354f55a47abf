// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

#include "metrics/metric_catalogue.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

struct Entry {
  QString context, source, translation, type;
};

QList<Entry> entriesOf(const QString& file) {
  QFile in(file);
  if (!in.open(QIODevice::ReadOnly)) return {};
  QXmlStreamReader xml(&in);
  QList<Entry> entries;
  QString context;
  while (!xml.atEnd()) {
    if (!xml.readNextStartElement() && xml.isEndElement()) continue;
    if (xml.name() == QLatin1String("name")) context = xml.readElementText();
    if (xml.name() == QLatin1String("source")) entries.append({context, xml.readElementText(), {}, {}});
    if (xml.name() == QLatin1String("translation") && !entries.isEmpty()) {
      entries.last().type = xml.attributes().value("type").toString();
      entries.last().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
    }
  }
  return entries;
}

}  // namespace

class TranslationsTest : public QObject {
  Q_OBJECT
 private slots:
  void everyEntryIsFinished() {
    const QList<Entry> entries = entriesOf(QStringLiteral(LOCKSTEP_TRANSLATIONS "/lockstep_de.ts"));
    QVERIFY(entries.size() > 50);
    QStringList open;
    for (const Entry& entry : entries) {
      if (entry.translation.isEmpty() || entry.type == QLatin1String("unfinished")) {
        open << entry.context + QStringLiteral(": ") + entry.source;
      }
    }
    QVERIFY2(open.isEmpty(), qPrintable(open.join(QLatin1Char('\n'))));
  }

  // They are looked up by what the catalogue says, so no call of tr() in the sources tells that one is missing.
  void everyTextOfTheCatalogueOfMetricsIsThere() {
    QSet<QString> there;
    for (const Entry& entry : entriesOf(QStringLiteral(LOCKSTEP_TRANSLATIONS "/lockstep_de.ts")))
      if (entry.context == QLatin1String("lockstep::MetricTexts")) there << entry.source;
    QStringList missing;
    for (const MetricInfo& info : metricCatalogue())
      for (const char* text :
           {info.title, info.shortTitle, info.note, symbolInHeading(info.unit), titleOf(info.group)})
        if (*text != '\0' && !there.contains(QString::fromUtf8(text))) missing << QString::fromUtf8(text);
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
  }

  // lupdate files what a free function tr() says under the namespace, where no program looks for it.
  void everyTextIsFiledUnderAClass() {
    QStringList lost;
    for (const Entry& entry : entriesOf(QStringLiteral(LOCKSTEP_TRANSLATIONS "/lockstep_de.ts")))
      if (entry.context == QLatin1String("lockstep") || entry.context.isEmpty()) lost << entry.source;
    QVERIFY2(lost.isEmpty(), qPrintable(lost.join(QLatin1Char('\n'))));
  }

  void placeholdersAreTheSame() {
    const QRegularExpression placeholder(QStringLiteral("%[0-9n]"));
    QStringList wrong;
    for (const Entry& entry : entriesOf(QStringLiteral(LOCKSTEP_TRANSLATIONS "/lockstep_de.ts"))) {
      QSet<QString> there, here;
      for (auto it = placeholder.globalMatch(entry.source); it.hasNext();) there << it.next().captured();
      for (auto it = placeholder.globalMatch(entry.translation); it.hasNext();) here << it.next().captured();
      if (there != here) wrong << entry.source + QStringLiteral(" -> ") + entry.translation;
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
  }

  void noTextOfTheSourcesIsMissing() {
    const TempDir dir;
    const QString copy = QString::fromStdString((dir.path() / "lockstep_de.ts").string());
    QVERIFY(QFile::copy(QStringLiteral(LOCKSTEP_TRANSLATIONS "/lockstep_de.ts"), copy));
    QProcess lupdate;
    lupdate.start(
        QStringLiteral(LOCKSTEP_LUPDATE),
        {"-silent", "-no-obsolete", "-locations", "none", "-tr-function-alias", "QT_TR_NOOP+=shownAs", "-I",
         QStringLiteral(LOCKSTEP_SOURCE_DIR), QStringLiteral(LOCKSTEP_SOURCE_DIR "/widgets"),
         QStringLiteral(LOCKSTEP_SOURCE_DIR "/app/desktop"),
         QStringLiteral(LOCKSTEP_SOURCE_DIR "/core/metrics/metric_catalogue.cpp"), "-ts", copy});
    QVERIFY(lupdate.waitForFinished(120'000));
    QCOMPARE(lupdate.exitCode(), 0);
    QStringList missing;
    for (const Entry& entry : entriesOf(copy)) {
      if (entry.type == QLatin1String("unfinished"))
        missing << entry.context + QStringLiteral(": ") + entry.source;
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
  }
};

}  // namespace lockstep

QTEST_GUILESS_MAIN(lockstep::TranslationsTest)
#include "translations_test.moc"
