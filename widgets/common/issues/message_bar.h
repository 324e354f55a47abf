// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

#include "base/error.h"
#include "base/issue.h"

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace lockstep {

/// Says what happened beside what it is about, and blocks nothing: what, why, the way out, and on request
/// what the service answered. Hidden until there is something to say. A new message replaces the old one with
/// its buttons.
class MessageBar : public QFrame {
  Q_OBJECT
 public:
  explicit MessageBar(QWidget* parent = nullptr);

  void showError(const Error& error, Severity severity = Severity::Error);
  void showMessage(Severity severity, const QString& title, const QString& text = {});
  /// A button of the present message, e.g. the fix. Connect to its clicked(); gone with the message. A
  /// mnemonic is the caller's to choose.
  QPushButton* addButton(const QString& text);

  [[nodiscard]] bool hasMessage() const { return !isHidden(); }
  /// All that the bar says, as plain text: what "Copy" puts on the clipboard.
  [[nodiscard]] QString plainText() const;

 public slots:
  /// Removes the message; closed() is not emitted.
  void clear();

 signals:
  /// The user closed the message.
  void closed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void present(Severity severity, const QString& title, const QString& cause, const QString& remedy,
               const QString& details);
  void setDetailsShown(bool shown);
  void recolor();
  void removeButtons();

  Severity severity_ = Severity::Info;
  QLabel* icon_;
  QLabel* title_;
  QLabel* cause_;
  QLabel* remedy_;
  QLabel* details_;
  QHBoxLayout* buttons_;
  QToolButton* detailsButton_;
  QToolButton* copyButton_;
  QToolButton* closeButton_;
};

}  // namespace lockstep
