// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QPalette>
#include <QRegularExpression>
#include <QTextLayout>

namespace lockstep {

/// What is marked in lines, and on which ground.
struct LogHighlight {
  QRegularExpression pattern;
  int number = -1;  // of a word in colours, from 0; -1: what is searched for
  bool operator==(const LogHighlight&) const = default;
};

/// A line as it is drawn: what there is to read, and where it looks different.
struct LogText {
  QString text;
  QList<QTextLayout::FormatRange> formats;
};

/// `raw`: as LogModel::RawRole has it. `color`: of text without a style. With `isPlain` (a selected row) the colours that the
/// job chose are left out. Long lines are cut: none is read to its end on a screen.
[[nodiscard]] LogText logTextOf(const QByteArray& raw, const QList<LogHighlight>& highlights,
                                const QPalette& palette, const QColor& color, bool isPlain);

}  // namespace lockstep
