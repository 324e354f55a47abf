// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_text.h"

#include "logs/text/styled_line.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/ansi_colors.h"
#include "widgets/logs/filters/log_highlighters.h"

namespace lockstep {
namespace {

constexpr qsizetype kLongestDrawn = 4000;  // characters; all of a line is copied and saved
constexpr double kMatchTint = 0.45;
constexpr int kMaxMatches = 200;  // in one line

QTextCharFormat formatOfHighlight(const LogHighlight& highlight, const QPalette& palette) {
  QTextCharFormat format;
  // In the colour of plain text: that of an error or of a selected row cannot be read on this ground.
  format.setForeground(palette.color(QPalette::Text));
  format.setBackground(highlight.number >= 0
                           ? highlightGround(highlight.number, palette)
                           : tinted(palette.color(QPalette::Base), warningColor(palette), kMatchTint));
  if (highlight.number < 0)
    format.setFontUnderline(true);
  else if (const auto line = highlightLine(highlight.number); line != QTextCharFormat::NoUnderline)
    format.setUnderlineStyle(line);
  return format;
}

void appendRun(LogText& shown, std::string_view text, const QTextCharFormat* format) {
  const auto begin = static_cast<int>(shown.text.size());
  shown.text += toQString(text);
  const int length = static_cast<int>(shown.text.size()) - begin;
  if (format != nullptr && length > 0) shown.formats.append({begin, length, *format});
}

void mark(LogText& shown, const LogHighlight& highlight, const QPalette& palette) {
  if (highlight.pattern.pattern().isEmpty()) return;
  const QTextCharFormat format = formatOfHighlight(highlight, palette);
  auto matches = highlight.pattern.globalMatch(shown.text);
  for (int count = 0; matches.hasNext() && count < kMaxMatches; ++count) {
    const auto match = matches.next();
    if (match.capturedLength() > 0)
      shown.formats.append(
          {static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()), format});
  }
}

}  // namespace

LogText logTextOf(const QByteArray& raw, const QList<LogHighlight>& highlights, const QPalette& palette,
                  const QColor& color, bool isPlain) {
  const StyledLine line = styledLine(std::string_view(raw.constData(), static_cast<std::size_t>(raw.size())));
  const std::string_view all = line.text;
  LogText shown;
  std::size_t at = 0;
  for (const StyledRun& run : line.runs) {
    const QTextCharFormat format = formatOf(run.style, palette, color);
    appendRun(shown, all.substr(at, run.begin - at), nullptr);
    appendRun(shown, all.substr(run.begin, run.length), isPlain ? nullptr : &format);
    at = run.begin + run.length;
    if (shown.text.size() > kLongestDrawn) break;
  }
  appendRun(shown, all.substr(at, static_cast<std::size_t>(kLongestDrawn) * 4), nullptr);
  shown.text.truncate(kLongestDrawn);
  for (const LogHighlight& highlight : highlights) mark(shown, highlight, palette);
  return shown;
}

}  // namespace lockstep
