// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

class QLabel;
class QLineEdit;
class QPushButton;

namespace lockstep {

/// Waiving a step wants a reason, which stands here afterwards with the way back. Hidden while nobody waives
/// anything.
class WaiverRow : public QFrame {
  Q_OBJECT
 public:
  explicit WaiverRow(QWidget* parent = nullptr);

  /// Asks for the reason.
  void ask();
  /// The step is waived for this reason; empty: it is not, and whoever is being asked stays asked.
  void setReason(const QString& reason);
  /// Another step is shown.
  void reset();
  [[nodiscard]] bool isWaived() const { return !reason_.isEmpty(); }
  [[nodiscard]] QLineEdit* reasonEdit() const { return edit_; }

 signals:
  void waived(const QString& reason);
  void dropped();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void submit();
  void refresh();

  QLabel* text_;
  QLineEdit* edit_;
  QPushButton* waive_;
  QPushButton* cancel_;
  QPushButton* drop_;
  QString reason_;
  bool isAsking_ = false;
};

}  // namespace lockstep
