// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

#include "setup/step/setup_step.h"

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace lockstep {

class TextDifferenceView;

/// What a fix would change, whole: the things before and after, and the calls that do it. Applying is a
/// button of its own at the far end; a fix that grants or opens more than is needed wants to be understood
/// first. Escape closes the preview, never applies.
class FixPreview : public QFrame {
  Q_OBJECT
 public:
  explicit FixPreview(QWidget* parent = nullptr);

  void showFix(const ProposedFix& fix);
  /// While it is applied nothing can be pressed.
  void setApplying(bool isApplying);
  [[nodiscard]] QPushButton* applyButton() const { return apply_; }
  [[nodiscard]] QCheckBox* understoodBox() const { return understood_; }
  [[nodiscard]] TextDifferenceView* difference() const { return difference_; }

 signals:
  void applyRequested();
  void closed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] static QString waitingText();
  QWidget* makeWarning();
  QWidget* makeCalls();
  QWidget* makeButtons();
  void fitDifference();
  void fitCalls(int lines);
  void refresh();

  QWidget* warning_ = nullptr;
  QCheckBox* understood_ = nullptr;
  TextDifferenceView* difference_;
  QLabel* callsTitle_ = nullptr;
  QPlainTextEdit* calls_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QLabel* doing_ = nullptr;
  QPushButton* close_ = nullptr;
  QPushButton* apply_ = nullptr;
  bool isUnsafe_ = false;
  bool isWaiting_ = false;  // for a compartment that is to be made first
  bool isApplying_ = false;
};

}  // namespace lockstep
