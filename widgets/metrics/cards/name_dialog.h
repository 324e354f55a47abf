// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <functional>

#include "base/error.h"

class QLabel;
class QLineEdit;

namespace lockstep {

/// Asks for a name, and says beside it why one cannot be had. Call open(); accepted() says that the name was taken.
class NameDialog : public QDialog {
  Q_OBJECT
 public:
  /// `take`: what is done with the name, or why it cannot be.
  NameDialog(const QString& title, const QString& name, std::function<Result<void>(const std::string&)> take,
             QWidget* parent);

  void accept() override;

 private:
  std::function<Result<void>(const std::string&)> take_;
  QLineEdit* name_;
  QLabel* mistake_;
};

}  // namespace lockstep
