// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>
#include <QString>

class QProgressBar;
class QPushButton;

namespace lockstep {

class ElidedLabel;

/// How far a file is that is being written or read. Hidden while none is.
class FileBar : public QFrame {
  Q_OBJECT
 public:
  explicit FileBar(QWidget* parent = nullptr);

  /// "Saving run.lockstep": nobody knows yet how much there is.
  void begin(const QString& what);
  /// `share` of the whole, 0 to 1; below 0: still not known.
  void setProgress(double share, const QString& details);
  void end();
  [[nodiscard]] bool isRunning() const { return !isHidden(); }

 signals:
  /// Asked for once; end() follows when it has stopped.
  void cancelRequested();
  void runningChanged(bool isRunning);

 private:
  ElidedLabel* what_;
  ElidedLabel* details_;
  QProgressBar* bar_;
  QPushButton* cancel_;
};

}  // namespace lockstep
