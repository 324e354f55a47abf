// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

#include "health/health_advice.h"
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

void expectTranslated(QLatin1String context, const QStringList& texts) {
  QSet<QString> there{QString()};
  for (const Entry& entry : entriesOf(QStringLiteral(LOCKSTEP_TRANSLATIONS "/lockstep_de.ts")))
    if (entry.context == context) there << entry.source;
  QStringList missing;
  for (const QString& text : texts)
    if (!there.contains(text)) missing << text;
  QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
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

  // The texts of core are looked up by what its tables say, so no call of tr() in the sources tells that one is missing.
  void everyTextOfTheCatalogueOfMetricsIsThere() {
    QStringList texts;
    for (const MetricInfo& info : metricCatalogue())
      for (const char* text :
           {info.title, info.shortTitle, info.note, symbolInHeading(info.unit), titleOf(info.group)})
        texts << QString::fromUtf8(text);
    expectTranslated(QLatin1String("lockstep::MetricTexts"), texts);
  }
  void everyAdviceAboutTheHealthOfARunIsThere() {
    QStringList texts;
    const auto add = [&texts](const HealthAdvice& advice) {
      texts << QString::fromUtf8(advice.cause) << QString::fromUtf8(advice.remedy);
    };
    for (const auto kind : {Stall::Kind::NoHeartbeat, Stall::Kind::NobodyBehind}) {
      Stall stall;
      stall.kind = kind;
      add(adviceFor(stall));
    }
    for (int phase = 0; phase <= static_cast<int>(RankPhase::Other); ++phase) {
      Stall behind;
      behind.beat.phase = static_cast<RankPhase>(phase);
      add(adviceFor(behind));
    }
    for (const LinkState state : {LinkState::OnlyBack, LinkState::NeitherWay, LinkState::NotThisWay})
      add(adviceFor(state));
    expectTranslated(QLatin1String("lockstep::HealthTexts"), texts);
  }
  void everyPhaseOfARankIsThere() {
    QStringList texts;
    for (int phase = 0; phase < static_cast<int>(RankPhase::Other); ++phase)
      texts << QString::fromUtf8(toString(static_cast<RankPhase>(phase)));
    expectTranslated(QLatin1String("lockstep::RankPhaseTexts"), texts);
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
         QStringLiteral(LOCKSTEP_SOURCE_DIR "/core/health/health_advice.cpp"),
         QStringLiteral(LOCKSTEP_SOURCE_DIR "/core/metrics/layouts/built_in_layouts.cpp"),
         QStringLiteral(LOCKSTEP_SOURCE_DIR "/core/metrics/metric_catalogue.cpp"),
         QStringLiteral(LOCKSTEP_SOURCE_DIR "/core/workdir/rank_phase.cpp"), "-ts", copy});
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
