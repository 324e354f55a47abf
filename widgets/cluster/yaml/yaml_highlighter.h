// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPalette>
#include <QSyntaxHighlighter>
#include <QTextCharFormat>

namespace lockstep {

/// Colours keys, strings, numbers and words, comments and structure of YAML, line by line, from the palette.
class YamlHighlighter : public QSyntaxHighlighter {
  Q_OBJECT
 public:
  explicit YamlHighlighter(QTextDocument* document);
  void setPalette(const QPalette& palette);

 protected:
  void highlightBlock(const QString& line) override;

 private:
  int highlightBlockScalar(const QString& line);
  int scanLine(const QString& line);
  qsizetype scanQuoted(const QString& line, qsizetype from);
  qsizetype scanPlain(const QString& line, qsizetype from, bool inFlow);

  QTextCharFormat key_, string_, number_, comment_, structure_;
};

}  // namespace lockstep
