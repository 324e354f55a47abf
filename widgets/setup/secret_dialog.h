// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>

class QLineEdit;

namespace lockstep {

/// Asks for one secret, such as an auth token. What is typed is never shown.
class SecretDialog : public QDialog {
  Q_OBJECT
 public:
  /// `question`: what is asked for, "auth token of 'ns/jane' for iad.ocir.io".
  explicit SecretDialog(const QString& question, QWidget* parent = nullptr);
  [[nodiscard]] QString secret() const;

 private:
  QLineEdit* edit_;
};

}  // namespace lockstep
