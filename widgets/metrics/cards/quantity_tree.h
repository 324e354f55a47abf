// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStandardItemModel>
#include <vector>

#include "metrics/layouts/card_choices.h"
#include "metrics/layouts/dashboard_layout.h"

namespace lockstep {

/// All quantities that a card can show, in their groups, with a box each for whether it does, and one for whether it has the
/// axis on the right. What the run has not measured is grey and says what that means; it can be chosen, since a layout is also for other
/// runs. At most so many are chosen as a card of that kind may have.
class QuantityTree : public QStandardItemModel {
  Q_OBJECT
 public:
  enum Column { NameColumn, RightAxisColumn };
  enum Role { NameRole = Qt::UserRole + 1 };  // QByteArray: the name in the store

  explicit QuantityTree(QObject* parent = nullptr);

  void setGroups(const std::vector<QuantityGroup>& groups);
  /// What is chosen first; quantities that are in no group get one of their own.
  void setChosen(const std::vector<CardQuantity>& chosen);
  /// In the order in which they were chosen.
  [[nodiscard]] const std::vector<CardQuantity>& chosen() const { return chosen_; }
  /// With one, choosing another takes the box from the one before.
  void setMost(std::size_t most);

 signals:
  void chosenChanged();

 private:
  void addGroup(const QString& title, const std::vector<std::string>& names, bool isMeasured);
  void onChanged(QStandardItem* item);
  void choose(const std::string& name, bool isChosen);
  void showBoxes();

  std::vector<CardQuantity> chosen_;
  std::size_t most_ = DashboardLayout::kMaxQuantities;
  bool isShowing_ = false;
};

}  // namespace lockstep
