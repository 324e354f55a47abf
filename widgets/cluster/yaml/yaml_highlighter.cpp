// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/yaml/yaml_highlighter.h"

#include <QRegularExpression>

#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

// Block state: -1 plain; n >= 0 inside a block scalar (| or >) whose key is indented by n.
qsizetype indentOf(const QString& line) {
  qsizetype indent = 0;
  while (indent < line.size() && line[indent] == QLatin1Char(' ')) ++indent;
  return indent;
}

bool isBlank(const QString& line, qsizetype at) {
  return at >= line.size() || line[at].isSpace();
}

bool endsKey(const QString& line, qsizetype colon, bool inFlow) {
  return isBlank(line, colon + 1) || (inFlow && QStringLiteral(",{}[]").contains(line[colon + 1]));
}

bool isLiteral(const QString& word) {
  static const QRegularExpression kPattern(
      QStringLiteral(
          "^([-+]?(0[xX][0-9a-fA-F_]+|0b[01_]+|[0-9][0-9_]*(\\.[0-9_]*)?([eE][-+]?[0-9]+)?(:[0-5]?[0-9])*)"
          "|true|false|yes|no|on|off|null|~)$"),
      QRegularExpression::CaseInsensitiveOption);
  return kPattern.match(word).hasMatch();
}

}  // namespace

YamlHighlighter::YamlHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {}

void YamlHighlighter::setPalette(const QPalette& palette) {
  const bool dark = isDark(palette);
  key_.setForeground(accentColor(palette));
  string_.setForeground(dark ? QColor(0x8f, 0xd1, 0x9e) : QColor(0x1a, 0x6b, 0x3c));
  number_.setForeground(dark ? QColor(0xe0, 0xa9, 0x7a) : QColor(0x9a, 0x45, 0x0b));
  comment_.setForeground(mutedColor(palette));
  comment_.setFontItalic(true);
  structure_.setForeground(dark ? QColor(0xc3, 0x9b, 0xe8) : QColor(0x7b, 0x3f, 0xa8));
  rehighlight();
}

void YamlHighlighter::highlightBlock(const QString& line) {
  setCurrentBlockState(previousBlockState() >= 0 ? highlightBlockScalar(line) : scanLine(line));
}

int YamlHighlighter::highlightBlockScalar(const QString& line) {
  const bool inside = line.trimmed().isEmpty() || indentOf(line) > previousBlockState();
  if (!inside) return scanLine(line);
  setFormat(0, static_cast<int>(line.size()), string_);
  return previousBlockState();
}

int YamlHighlighter::scanLine(const QString& line) {
  int flowDepth = 0;
  for (qsizetype at = 0; at < line.size();) {
    const QChar c = line[at];
    if (c == QLatin1Char('#') && (at == 0 || line[at - 1].isSpace())) {
      setFormat(static_cast<int>(at), static_cast<int>(line.size() - at), comment_);
      return -1;
    }
    if (c.isSpace()) {
      ++at;
    } else if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
      at = scanQuoted(line, at);
    } else if (QStringLiteral("{[").contains(c)) {
      ++flowDepth;
      setFormat(static_cast<int>(at++), 1, structure_);
    } else if (QStringLiteral("}],").contains(c)) {
      if (c != QLatin1Char(',')) --flowDepth;
      setFormat(static_cast<int>(at++), 1, structure_);
    } else if (QStringLiteral("-?:").contains(c) && isBlank(line, at + 1)) {
      setFormat(static_cast<int>(at++), 1, structure_);
    } else if ((c == QLatin1Char('|') || c == QLatin1Char('>')) && flowDepth == 0) {
      setFormat(static_cast<int>(at), static_cast<int>(line.size() - at), structure_);
      return static_cast<int>(indentOf(line));
    } else {
      at = scanPlain(line, at, flowDepth > 0);
    }
  }
  return -1;
}

qsizetype YamlHighlighter::scanQuoted(const QString& line, qsizetype from) {
  const QChar quote = line[from];
  qsizetype end = from + 1;
  while (end < line.size() && line[end] != quote)
    end += quote == QLatin1Char('"') && line[end] == QLatin1Char('\\') ? 2 : 1;
  end = qMin(end + 1, line.size());
  const bool isKey = end < line.size() && line[end] == QLatin1Char(':') && endsKey(line, end, true);
  setFormat(static_cast<int>(from), static_cast<int>(end - from), isKey ? key_ : string_);
  return end;
}

qsizetype YamlHighlighter::scanPlain(const QString& line, qsizetype from, bool inFlow) {
  qsizetype end = from;
  bool isKey = false;
  for (; end < line.size(); ++end) {
    const QChar c = line[end];
    if (c == QLatin1Char('#') && line[end - 1].isSpace()) break;
    if (inFlow && QStringLiteral(",{}[]").contains(c)) break;
    if (c == QLatin1Char(':') && endsKey(line, end, inFlow)) {
      isKey = true;
      break;
    }
  }
  const QString word = line.mid(from, end - from).trimmed();
  const QTextCharFormat* format = nullptr;
  if (isKey)
    format = &key_;
  else if (QStringLiteral("&*!%").contains(line[from]) || word == QLatin1String("---"))
    format = &structure_;
  else if (isLiteral(word))
    format = &number_;
  if (format) setFormat(static_cast<int>(from), static_cast<int>(word.size()), *format);
  return qMax(end, from + 1);
}

}  // namespace lockstep
