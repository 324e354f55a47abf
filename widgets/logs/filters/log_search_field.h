// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>
#include <QRegularExpression>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "logs/search/text_query.h"

class QAction;
class QLabel;
class QLineEdit;

namespace lockstep {

/// Asks what has to stand in a line: words, phrases, AND, OR, NOT (TextQuery::parse), or a regular expression. A mistake is
/// said beside the field, and what was asked for before it stays in force.
class LogSearchField : public QWidget {
  Q_OBJECT
 public:
  /// `name`: the object name of the line edit.
  LogSearchField(const QString& name, const QString& placeholder, QWidget* parent = nullptr);

  [[nodiscard]] QLineEdit* edit() const { return text_; }
  [[nodiscard]] QString text() const;
  void setText(const QString& text);
  void clear();
  /// nullopt: every line is wanted.
  [[nodiscard]] const std::optional<TextQuery>& query() const { return query_; }
  /// What is to be marked in the lines that are found.
  [[nodiscard]] const QList<QRegularExpression>& patterns() const { return patterns_; }
  /// Empty: there is none.
  [[nodiscard]] QString mistake() const;
  /// Says that an expression takes too long on some lines (PatternMatcher::tooHard()), if it is one of those that are asked
  /// for here; until something else is.
  void showTooHard(const Error& why);
  /// Takes over what was typed without the pause that is waited for after a key.
  void applyNow();

  [[nodiscard]] QJsonObject saveState() const;
  void restoreState(const QJsonObject& state);

 signals:
  /// Something else is asked for now; not when it cannot be understood.
  void changed();
  void mistakeChanged(const QString& mistake);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void createField(const QString& name, const QString& placeholder);
  QAction* addOption(const QString& text, const QString& toolTip);
  void read();
  [[nodiscard]] QString compile();
  void showMistake(const QString& mistake);

  QLineEdit* text_;
  QLabel* mistake_;
  QAction* regex_ = nullptr;
  QAction* caseSensitive_ = nullptr;
  QTimer pause_;
  std::optional<TextQuery> query_;
  QList<QRegularExpression> patterns_;
};

}  // namespace lockstep
