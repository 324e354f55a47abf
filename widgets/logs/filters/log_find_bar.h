// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QRegularExpression>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace lockstep {

/// Asks for a text and says where the search for it stands. Escape closes it.
class LogFindBar : public QWidget {
  Q_OBJECT
 public:
  explicit LogFindBar(QWidget* parent = nullptr);
  void open(const QString& suggestion);
  [[nodiscard]] QString text() const;
  /// The text as an expression that ignores case; an empty pattern when there is no text or the bar is
  /// closed.
  [[nodiscard]] QRegularExpression pattern() const;
  void showResult(bool found);

 public slots:
  void close();

 signals:
  void findNext();
  void findPrevious();
  void patternChanged();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QLineEdit* text_;
  QLabel* result_;
};

}  // namespace lockstep
