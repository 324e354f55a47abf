// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/text/plain_text.h"

#include <QTextDocument>

namespace lockstep {
namespace {

constexpr qsizetype kMaxLetters = 4000;  // no screen holds more, and laying out a megabyte takes seconds

QString bounded(const QString& text) {
  return text.size() <= kMaxLetters ? text : text.first(kMaxLetters) + QStringLiteral("…");
}

QString escaped(const QString& text) {
  return bounded(text).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"));
}

}  // namespace

QString plainToolTip(const QString& text) {
  if (!Qt::mightBeRichText(text)) return bounded(text);
  return QStringLiteral("<p>%1</p>").arg(escaped(text));
}

QString toolTipLines(const QStringList& lines, const QString& inItalics) {
  QStringList shown;
  for (const QString& line : lines)
    if (!line.isEmpty()) shown << escaped(line);
  if (!inItalics.isEmpty()) shown << QStringLiteral("<i>%1</i>").arg(escaped(inItalics));
  return shown.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(shown.join(QStringLiteral("<br>")));
}

}  // namespace lockstep
