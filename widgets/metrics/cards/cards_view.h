// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "metrics/metric_store.h"
#include "widgets/metrics/cards/card.h"

namespace lockstep {

class CardGrid;
class FlowLayout;
class LayoutList;

/// The cards of the layout that is shown, and what changes them. Once a run has samples, cards of which it has none are named
/// in one line below the others instead, or hidden where the layout says so.
class CardsView : public QWidget {
  Q_OBJECT
 public:
  /// `maker` as CardGrid's; `layouts` is somebody else's.
  CardsView(LayoutList* layouts, std::function<CardBody(const DashboardCard&)> maker,
            QWidget* parent = nullptr);

  void setMetrics(std::shared_ptr<const MetricStore> metrics);
  [[nodiscard]] CardGrid* grid() const { return grid_; }

  /// Shows the layout that is current, for the first time: whoever makes bodies is told of their curves and which are in sight.
  void showLayout();
  /// Asks what a new card is to show, and adds it.
  void addCard();
  /// How the curves of a card of the layout, or of all, are drawn; absent options: as all are.
  void setCurves(std::optional<int> card, const std::optional<CurveOptions>& options);
  /// The card with that body shows another quantity: the user has chosen it in there.
  void setQuantity(const QWidget* body, const std::string& name);
  /// Likewise: of a step time, whether it is of one rank over the steps.
  void setOverTime(const QWidget* body, bool overTime);

 signals:
  /// The curves of that body are drawn so.
  void curvesChanged(QWidget* body, const lockstep::CurveOptions& curves);
  /// To copy or save what it shows.
  void exportAsked(QWidget* body, lockstep::CardAction what);
  /// That body shows this card, which may not be the one that it was made for (CardGrid::showCards).
  void cardShown(QWidget* body, const lockstep::DashboardCard& card);

 private:
  void changeCard(const QWidget* body, const std::function<void(DashboardCard&)>& change);
  void showMeasured();
  void nameUnmeasured(const std::vector<int>& cards);
  void maximize(int card);
  void onAsked(int card, CardAction what);
  void editCard(int card);
  void moveCard(int from, int to);
  void sizeCard(int card, int columns, int rows);
  void removeCard(int card);

  LayoutList* layouts_;
  std::shared_ptr<const MetricStore> metrics_;
  CardGrid* grid_;
  QWidget* unmeasured_;
  FlowLayout* names_;
  std::vector<std::pair<int, QString>> named_;  // cards in the line below, with their titles
};

}  // namespace lockstep
