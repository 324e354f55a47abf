// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QToolButton>
#include <memory>
#include <optional>

#include "metrics/layouts/dashboard_layout.h"

class QComboBox;
class QFrame;
class QLabel;
class QSlider;

namespace lockstep {

/// A button that opens a panel with how curves are drawn: the x axis, smoothing and how much of it, the scale; of all charts,
/// or of one of them. An x axis that the run has not measured cannot be chosen, and says why; a chart that was to have it says
/// so itself.
class CurveButton : public QToolButton {
  Q_OBJECT
 public:
  explicit CurveButton(QWidget* parent = nullptr);

  void showLayout(const DashboardLayout& layout);
  /// Offers only x axes that this run has measured; where there is no sample yet, all. Never null.
  void setMetrics(std::shared_ptr<const MetricStore> metrics);

 signals:
  /// `card`: its place in the layout; absent: all cards. No options: that card is drawn as all are.
  void chosen(std::optional<int> card, const std::optional<lockstep::CurveOptions>& options);

 private:
  void createPanel();
  void offerChoices();
  void offerMeasured();
  void openPanel();
  void showOptions();
  void choose();
  [[nodiscard]] std::optional<int> card() const;

  DashboardLayout layout_;
  std::shared_ptr<const MetricStore> metrics_;  // null: of no run
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
