// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_text.h"

#include <QApplication>
#include <QTest>

#include "widgets/common/theme/theme.h"
#include "widgets/logs/ansi_colors.h"
#include "widgets/logs/filters/log_highlighters.h"

namespace lockstep {

class LogTextTest : public QObject {
  Q_OBJECT

  static QPalette paletteOf(ThemeMode mode) {
    applyTheme(*qApp, mode);
    return QApplication::palette();
  }

 private slots:
  void everyColourThatAJobChoosesCanBeRead_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void everyColourThatAJobChoosesCanBeRead() {
    QFETCH(bool, dark);
    const QPalette palette = paletteOf(dark ? ThemeMode::Dark : ThemeMode::Light);
    const QColor text = palette.color(QPalette::Text), base = palette.color(QPalette::Base);
    std::vector<LineColor> colors{{}};
    for (std::uint32_t i = 0; i < 256; ++i) colors.push_back({LineColor::Kind::Palette, i});
    for (const std::uint32_t rgb : {0x808080U, 0xFF0000U, 0x00FF00U, 0x0000FFU, 0x7F7F00U})
      colors.push_back({LineColor::Kind::Rgb, rgb});
    for (const LineColor& front : colors)
      for (const LineColor& ground : {LineColor{}, LineColor{LineColor::Kind::Palette, 1}, front})
        for (const bool isInverse : {false, true}) {
          LineStyle style;
          style.text = front;
          style.ground = ground;
          style.isInverse = isInverse;
          style.isFaint = front.value % 2 == 0;
          const QTextCharFormat format = formatOf(style, palette, text);
          const QColor behind =
              format.hasProperty(QTextFormat::BackgroundBrush) ? format.background().color() : base;
          QVERIFY2(
              contrast(format.foreground().color(), behind) >= 4.5,
              qPrintable(QStringLiteral("%1 on %2").arg(format.foreground().color().name(), behind.name())));
        }
  }

  void textCanBeReadOnEveryHighlighterAndTheyDiffer_data() { everyColourThatAJobChoosesCanBeRead_data(); }
  void textCanBeReadOnEveryHighlighterAndTheyDiffer() {
    QFETCH(bool, dark);
    const QPalette palette = paletteOf(dark ? ThemeMode::Dark : ThemeMode::Light);
    QList<std::pair<int, int>> seen;  // hue in steps of 20 degrees, line
    for (int i = 0; i < LogHighlighters::kMost; ++i) {
      const QColor ground = highlightGround(i, palette);
      QVERIFY2(contrast(palette.color(QPalette::Text), ground) >= 4.5, qPrintable(QString::number(i)));
      const std::pair look(ground.hsvHue() / 20, static_cast<int>(highlightLine(i)));
      QVERIFY2(!seen.contains(look), qPrintable(QString::number(i)));
      QVERIFY(ground != palette.color(QPalette::Base));
      seen << look;
    }
  }

  void coloursLieWhereTheyBelongWhateverTheLettersNeed() {
    const QPalette palette = paletteOf(ThemeMode::Light);
    const LogText shown =
        logTextOf("gr\xC3\xBC\xC3\x9F \033[31mr\xF0\x9F\x98\x80t\033[0m x\a", {}, palette, Qt::black, false);
    QCOMPARE(shown.text, QString::fromUtf8("grüß r😀t x\u2407"));
    QCOMPARE(shown.formats.size(), 1);
    QCOMPARE(shown.text.mid(shown.formats[0].start, shown.formats[0].length), QString::fromUtf8("r😀t"));
    QVERIFY(logTextOf("\033[31mred\033[0m", {}, palette, Qt::black, true).formats.isEmpty());
  }

  void marksWordsOnTopOfColours() {
    const QPalette palette = paletteOf(ThemeMode::Light);
    LogHighlighters words;
    words.words[2] = {QStringLiteral("LOSS"), false};
    const QList<LogHighlight> highlights{{patternOf(words.words[2]), 2},
                                         {QRegularExpression(QStringLiteral("0.5")), -1}};
    const LogText shown = logTextOf("\033[32mloss\033[0m 0.5", highlights, palette, Qt::black, false);
    QCOMPARE(shown.formats.size(), 3);
    QCOMPARE(shown.formats[1].start, 0);
    QCOMPARE(shown.formats[1].format.background().color(), highlightGround(2, palette));
    QCOMPARE(shown.formats[2].start, 5);
  }

  void longLinesAndHardExpressionsHoldNothingUp() {
    const QPalette palette = paletteOf(ThemeMode::Light);
    const QRegularExpression hard =
        boundedExpression(QStringLiteral("(a+)+$"), QRegularExpression::NoPatternOption);
    QVERIFY(hard.isValid());
    QElapsedTimer clock;
    clock.start();
    for (const qsizetype length : {30, 300, 3000, 60'000}) {
      const LogText shown = logTextOf(QByteArray(length, 'a') + "!", {{hard, -1}}, palette, Qt::black, false);
      QVERIFY(shown.text.size() <= 4000);
    }
    QVERIFY2(clock.elapsed() < 5000, qPrintable(QString::number(clock.elapsed())));
  }

  void wordsInColoursAreKept() {
    LogHighlighters words;
    words.words[0] = {QStringLiteral("nccl"), false};
    words.words[8] = {QStringLiteral("a|b"), true};
    QCOMPARE(highlightersOf(toJson(words)), words);
    QCOMPARE(highlightersOf({}), LogHighlighters());
    QVERIFY(patternOf(words.words[1]).pattern().isEmpty());
    QVERIFY(!patternOf({QStringLiteral("(a"), true}).isValid());
    QVERIFY(patternOf({QStringLiteral("(a"), false}).isValid());
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::LogTextTest)
#include "log_text_test.moc"
