// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>

class QCheckBox;
class QLineEdit;

namespace lockstep {

/// Asks for the pass phrase of an encrypted private key. What is typed is never shown.
class PassPhraseDialog : public QDialog {
  Q_OBJECT
 public:
  struct Question {
    QString keyFile, profile;
    bool isRetry = false;    // what was typed before did not open the key
    bool canBeKept = false;  // there is a keychain
    bool wasKept = false;    // the keychain's own did not open it
  };
  explicit PassPhraseDialog(const Question& question, QWidget* parent = nullptr);

  [[nodiscard]] QString passPhrase() const;
  [[nodiscard]] bool isToBeKept() const;

 private:
  QLineEdit* edit_;
  QCheckBox* keep_;
};

}  // namespace lockstep
