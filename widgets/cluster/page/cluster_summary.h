// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

#include "plan/cost.h"

class QLabel;
class QToolButton;

namespace lockstep {

/// What the cluster comes to: how its number of ranks is made up, and what it costs an hour. The lines behind
/// the sum are in a tool tip and, for keyboards, in a popup of the button.
class ClusterSummary : public QFrame {
  Q_OBJECT
 public:
  explicit ClusterSummary(QWidget* parent = nullptr);

  void setSpec(const ClusterSpec& spec);
  void setPrices(const PriceTable& prices);
  [[nodiscard]] QString worldSizeText() const;
  [[nodiscard]] QString costText() const;
  /// The lines of the estimate, its date and its source.
  [[nodiscard]] QString costDetails() const { return details_; }

 private:
  void refresh();
  void showDetails();

  ClusterSpec spec_;
  PriceTable prices_;
  QString details_;
  QLabel* worldSize_;
  QToolButton* cost_;
};

}  // namespace lockstep
