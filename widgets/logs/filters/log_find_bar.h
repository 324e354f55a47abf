// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QRegularExpression>
#include <QWidget>
#include <optional>

#include "logs/search/text_query.h"

class QLabel;

namespace lockstep {

class LogSearchField;

/// Asks for a text and says where the search for it stands. Escape closes it.
class LogFindBar : public QWidget {
  Q_OBJECT
 public:
  explicit LogFindBar(QWidget* parent = nullptr);
  void open(const QString& suggestion);
  [[nodiscard]] QString text() const;
  /// nullopt: nothing is searched for, since there is no text or the bar is closed.
  [[nodiscard]] std::optional<TextQuery> query() const;
  /// Of an expression that takes too long on some lines.
  void showTooHard(const Error& why);
  /// What is to be marked in the lines.
  [[nodiscard]] QList<QRegularExpression> patterns() const;
  /// "3 of 120"; plain.
  void showResult(const QString& result);
  /// Takes over what was typed just now.
  void applyNow();

 public slots:
  void close();

 signals:
  void findNext();
  void findPrevious();
  void searchChanged();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  LogSearchField* text_;
  QLabel* result_;
};

}  // namespace lockstep
