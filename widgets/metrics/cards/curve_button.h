// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QToolButton>
#include <optional>

#include "metrics/layouts/dashboard_layout.h"

class QComboBox;
class QFrame;
class QLabel;
class QSlider;

namespace lockstep {

/// A button that opens a panel with how curves are drawn: the x axis, smoothing and how much of it, the scale; of all charts,
/// or of one of them. A chart whose run has not measured an x axis says so itself.
class CurveButton : public QToolButton {
  Q_OBJECT
 public:
  explicit CurveButton(QWidget* parent = nullptr);

  void showLayout(const DashboardLayout& layout);

 signals:
  /// `card`: its place in the layout; absent: all cards. No options: that card is drawn as all are.
  void chosen(std::optional<int> card, const std::optional<lockstep::CurveOptions>& options);

 private:
  void createPanel();
  void offerChoices();
  void openPanel();
  void showOptions();
  void choose();
  [[nodiscard]] std::optional<int> card() const;

  DashboardLayout layout_;
  QFrame* panel_ = nullptr;
  QComboBox* target_ = nullptr;
  QComboBox* axis_ = nullptr;
  QComboBox* smoothing_ = nullptr;
  QSlider* amount_ = nullptr;
  QLabel* amountText_ = nullptr;
  QComboBox* scale_ = nullptr;
  QToolButton* asAll_ = nullptr;
};

}  // namespace lockstep
