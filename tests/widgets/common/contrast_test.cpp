// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QListWidget>
#include <QRegularExpression>
#include <QTest>

#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/common/theme/theme.h"

using namespace lockstep;

namespace {

constexpr double kText = 4.5;
constexpr double kFaint = 3.0;  // disabled text, and icons

/// One rule of the application's style sheet.
struct Rule {
  QString selector;
  QMap<QString, QString> settings;
};

QList<Rule> rulesOf(const QString& sheet) {
  static const QRegularExpression kRule(QStringLiteral("([^{}]+)\\{([^{}]*)\\}"));
  QList<Rule> rules;
  for (auto found = kRule.globalMatch(sheet); found.hasNext();) {
    const auto match = found.next();
    Rule rule{match.captured(1).trimmed(), {}};
    for (const QString& setting : match.captured(2).split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
      const qsizetype colon = setting.indexOf(QLatin1Char(':'));
      rule.settings[setting.left(colon).trimmed()] = setting.mid(colon + 1).trimmed();
    }
    rules << rule;
  }
  return rules;
}

/// A colour of the sheet; invalid for what is transparent or no colour.
QColor colorNamed(const QString& text, const QPalette& palette) {
  if (text == QLatin1String("palette(text)")) return palette.color(QPalette::Text);
  if (text == QLatin1String("palette(window)")) return palette.color(QPalette::Window);
  return text == QLatin1String("transparent") ? QColor() : QColor(text);
}

/// Handles, lines and bars, which no text stands on.
bool bearsText(const QString& selector) {
  for (const char* part : {"QScrollBar", "QProgressBar", "QSplitter", "toolSeparator"})
    if (selector.contains(QLatin1String(part))) return false;
  return true;
}

QString said(const QColor& ink, const QColor& ground, const QString& where) {
  return QStringLiteral("%1 on %2 is %3: %4")
      .arg(ink.name(), ground.name())
      .arg(contrast(ink, ground), 0, 'f', 2)
      .arg(where);
}

/// The colour that a solid icon is drawn in.
QColor inkOf(const QIcon& icon, QIcon::Mode mode) {
  const QImage image = icon.pixmap(QSize(32, 32), mode).toImage().convertToFormat(QImage::Format_ARGB32);
  QColor ink;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixelColor(x, y).alpha() > ink.alpha() || !ink.isValid()) ink = image.pixelColor(x, y);
  return ink;
}

constexpr auto kGroups = {QPalette::Active, QPalette::Inactive, QPalette::Disabled};
constexpr std::pair<QPalette::ColorRole, QPalette::ColorRole> kPairs[] = {
    {QPalette::WindowText, QPalette::Window},
    {QPalette::WindowText, QPalette::Base},
    {QPalette::Text, QPalette::Base},
    {QPalette::Text, QPalette::AlternateBase},
    {QPalette::Text, QPalette::Window},
    {QPalette::ButtonText, QPalette::Button},
    {QPalette::ButtonText, QPalette::Window},
    {QPalette::HighlightedText, QPalette::Highlight},
    {QPalette::ToolTipText, QPalette::ToolTipBase},
    {QPalette::PlaceholderText, QPalette::Base},
    {QPalette::Link, QPalette::Window},
    {QPalette::Link, QPalette::Base},
    {QPalette::LinkVisited, QPalette::Base}};

}  // namespace

/// Every text of the theme can be read on the ground that it stands on (WCAG 2.1, 1.4.3 and 1.4.11).
class ContrastTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase_data() {
    QTest::addColumn<int>("mode");
    QTest::newRow("light") << static_cast<int>(ThemeMode::Light);
    QTest::newRow("dark") << static_cast<int>(ThemeMode::Dark);
  }
  void init() {
    QFETCH_GLOBAL(int, mode);
    applyTheme(*qApp, static_cast<ThemeMode>(mode));
    palette_ = QApplication::palette();
  }

  void rolesOfThePalette() {
    for (const QPalette::ColorGroup group : kGroups) {
      for (const auto& [ink, ground] : kPairs) {
        const double min = group == QPalette::Disabled ? kFaint : kText;
        const QColor on = palette_.color(group, ground);
        const QString what =
            said(palette_.color(group, ink), on, QStringLiteral("role %1, group %2").arg(ink).arg(group));
        QVERIFY2(contrast(palette_.color(group, ink), on) >= min, qPrintable(what));
      }
    }
  }

  void meaningsOnEveryGround() {
    const QColor window = palette_.color(QPalette::Window);
    const QColor base = palette_.color(QPalette::Base);
    for (const QColor& ink : meanings()) {
      QList<QColor> grounds{window, base, palette_.color(QPalette::AlternateBase), cardColor(palette_)};
      grounds << tinted(window, ink) << tinted(base, ink) << tinted(cardColor(palette_), ink);
      for (const Rule& rule :
           rulesOf(qApp->styleSheet()))  // of what is hovered, pressed or selected in a list
        if (rule.selector.contains(QLatin1String("::item")) ||
            rule.selector.contains(QLatin1String("QFrame[")))
          grounds << colorNamed(rule.settings.value(QStringLiteral("background")), palette_);
      for (const QColor& ground : grounds) {
        if (!ground.isValid()) continue;
        QVERIFY2(contrast(ink, ground) >= kText, qPrintable(said(ink, ground, QStringLiteral("a meaning"))));
      }
    }
  }

  void badges() {
    for (int tone = 0; tone <= static_cast<int>(BadgeTone::Skipped); ++tone) {
      const QColor ink = colorFor(static_cast<BadgeTone>(tone), palette_);
      const QColor ground = tinted(palette_.color(QPalette::Window), ink);
      QVERIFY2(contrast(ink, ground) >= kText, qPrintable(said(ink, ground, QString::number(tone))));
    }
  }

  void rulesOfTheStyleSheet() {
    int seen = 0;
    for (const Rule& rule : rulesOf(qApp->styleSheet())) {
      if (!bearsText(rule.selector)) continue;
      const QString named = rule.settings.value(QStringLiteral("background"));
      const QString written = rule.settings.value(QStringLiteral("color"));
      if (named.isEmpty() && written.isEmpty()) continue;
      const QColor ground = named.isEmpty() ? palette_.color(QPalette::Window) : colorNamed(named, palette_);
      const bool isPrimary = rule.selector.contains(QLatin1String("lockstepPrimary"));
      const QColor usual = isPrimary ? QColor(Qt::white) : palette_.color(QPalette::Text);
      const QColor ink = written.isEmpty() ? usual : colorNamed(written, palette_);
      if (!ground.isValid()) continue;
      ++seen;
      QVERIFY2(contrast(ink, ground) >= kText, qPrintable(said(ink, ground, rule.selector)));
    }
    QVERIFY2(seen >= 10, qPrintable(QString::number(seen)));
  }

  void theFocusIsSeen() {
    for (const QColor& ground :
         {palette_.color(QPalette::Window), palette_.color(QPalette::Base), cardColor(palette_)})
      QVERIFY(contrast(accentColor(palette_), ground) >= kFaint);
  }

  void ranksOnTheChartsAndInTheirChips() {
    for (int rank = 0; rank < 8; ++rank) {
      const QColor color = rankColor(Rank(rank), palette_);
      QVERIFY2(contrast(color, cardColor(palette_)) >= kFaint, qPrintable(color.name()));
      QVERIFY2(contrast(readableOn(color), color) >= kText, qPrintable(color.name()));
    }
  }

  void iconsInEveryState() {
    const QColor window = palette_.color(QPalette::Window);
    for (const IconColor color : {IconColor::Text, IconColor::Muted, IconColor::Accent, IconColor::Ok,
                                  IconColor::Warning, IconColor::Error, IconColor::OnTint}) {
      const QIcon icon = themedIcon(QStringLiteral("play"), color);
      QVERIFY(contrast(inkOf(icon, QIcon::Normal), window) >= kFaint);
      QVERIFY(contrast(inkOf(icon, QIcon::Disabled), window) >= kFaint);
      QCOMPARE(inkOf(icon, QIcon::Disabled).alpha(), 255);
      if (color != IconColor::OnTint)
        QVERIFY(contrast(inkOf(icon, QIcon::Selected), palette_.color(QPalette::Highlight)) >= kFaint);
    }
  }

  // As it is painted: the row's ground is only tinted, a white icon would vanish on it.
  void theIconOfTheSelectedPageIsSeen() {
    QListWidget list;
    makeSidebar(&list);
    list.setIconSize(QSize(32, 32));
    list.addItem(new QListWidgetItem(themedIcon(QStringLiteral("play"), IconColor::OnTint), QString()));
    list.resize(160, 80);
    list.setCurrentRow(0);
    list.show();
    const QRect row = list.visualItemRect(list.item(0));
    const QImage picture = list.viewport()->grab(row).toImage();
    const QColor ground = picture.pixelColor(picture.width() - 12, picture.height() / 2);
    double best = 1;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        best = std::max(best, contrast(picture.pixelColor(x, y), ground));
    QVERIFY2(best >= kFaint, qPrintable(QString::number(best)));
    QVERIFY(ground != palette_.color(QPalette::Highlight));
  }

 private:
  [[nodiscard]] QList<QColor> meanings() const {
    return {okColor(palette_),    warningColor(palette_), errorColor(palette_),
            mutedColor(palette_), accentColor(palette_),  palette_.color(QPalette::Text)};
  }
  QPalette palette_;
};

QTEST_MAIN(ContrastTest)
#include "contrast_test.moc"
