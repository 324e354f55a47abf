// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>

#include "app/desktop/telling/telling_controller.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPushButton;

namespace lockstep {

class PlainLabel;

/// Asks what the user wants to be told, and how. Call open(); choice() says it once it is accepted.
class TellingDialog : public QDialog {
  Q_OBJECT
 public:
  /// `canNotify`: whether a notification service is there.
  TellingDialog(const TellingChoice& choice, bool canNotify, QWidget* parent);

  [[nodiscard]] TellingChoice choice() const;

 private:
  void check();

  QComboBox* least_;
  QCheckBox* notifies_;
  QLineEdit* command_;
  QLineEdit* webhook_;
  PlainLabel* problem_;
  QPushButton* ok_;
};

}  // namespace lockstep
