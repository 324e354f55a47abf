// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/filters/log_highlighters.h"

#include <QJsonObject>

#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr double kReadable = 4.5;  // WCAG 2, level AA
constexpr double kStrongest = 0.5;
constexpr qsizetype kLongestWord = 1000;

}  // namespace

QRegularExpression boundedExpression(const QString& pattern, QRegularExpression::PatternOptions options) {
  return QRegularExpression(QLatin1String("(*LIMIT_MATCH=20000)") + pattern, options);  // as PCRE2 has it
}

QRegularExpression patternOf(const LogHighlighters::Word& word) {
  if (word.text.isEmpty()) return {};
  const auto options = QRegularExpression::CaseInsensitiveOption;
  return word.isExpression ? boundedExpression(word.text, options)
                           : QRegularExpression(QRegularExpression::escape(word.text), options);
}

QColor highlightGround(int number, const QPalette& palette) {
  const QColor color = number < 8 ? rankColor(Rank(number), palette) : mutedColor(palette);
  const QColor base = palette.color(QPalette::Base);
  QColor ground = base;
  for (double share = kStrongest; share > 0.1; share -= 0.05) {
    ground = tinted(base, color, share);
    if (contrast(palette.color(QPalette::Text), ground) >= kReadable) break;
  }
  return ground;
}

QTextCharFormat::UnderlineStyle highlightLine(int number) {
  constexpr std::array kLines{QTextCharFormat::SingleUnderline, QTextCharFormat::DashUnderline,
                              QTextCharFormat::DotLine, QTextCharFormat::WaveUnderline};
  return number < 5 ? QTextCharFormat::NoUnderline
                    : kLines[static_cast<std::size_t>(number - 5) % kLines.size()];
}

QJsonArray toJson(const LogHighlighters& highlighters) {
  QJsonArray all;
  for (const auto& word : highlighters.words)
    all.append(
        QJsonObject{{QStringLiteral("text"), word.text}, {QStringLiteral("regex"), word.isExpression}});
  return all;
}

LogHighlighters highlightersOf(const QJsonArray& json) {
  LogHighlighters highlighters;
  for (int i = 0; i < std::min<int>(LogHighlighters::kMost, static_cast<int>(json.size())); ++i) {
    const QJsonObject word = json[i].toObject();
    highlighters.words[static_cast<std::size_t>(i)] = {
        word[QStringLiteral("text")].toString().left(kLongestWord), word[QStringLiteral("regex")].toBool()};
  }
  return highlighters;
}

}  // namespace lockstep
