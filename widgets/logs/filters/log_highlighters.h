// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QJsonArray>
#include <QList>
#include <QPalette>
#include <QRegularExpression>
#include <QTextCharFormat>
#include <array>

namespace lockstep {

/// Words or expressions that are marked in every line, each in a colour of its own.
struct LogHighlighters {
  static constexpr int kMost = 9;
  struct Word {
    QString text;  // empty: none
    bool isExpression = false;
    bool operator==(const Word&) const = default;
  };
  std::array<Word, kMost> words;

  bool operator==(const LogHighlighters&) const = default;
};

/// An expression that somebody typed, for what marks lines while they are drawn: one that would keep a line busy is given
/// up on.
[[nodiscard]] QRegularExpression boundedExpression(const QString& pattern,
                                                   QRegularExpression::PatternOptions options);

/// Ignores case. Invalid when the expression is malformed; an empty pattern when there is no word.
[[nodiscard]] QRegularExpression patternOf(const LogHighlighters::Word& word);

/// The ground of the word with this number, from 0. Text in the palette's colour can be read on it (4.5:1 or better), and
/// people with any colour vision tell the first five from each other.
[[nodiscard]] QColor highlightGround(int number, const QPalette& palette);
/// The line beneath a word: from the sixth on each has one of its own, since their grounds resemble those before.
[[nodiscard]] QTextCharFormat::UnderlineStyle highlightLine(int number);

[[nodiscard]] QJsonArray toJson(const LogHighlighters& highlighters);
[[nodiscard]] LogHighlighters highlightersOf(const QJsonArray& json);

}  // namespace lockstep
