// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "metrics/layouts/dashboard_layout.h"
#include "timeline/stale_ranks.h"
#include "widgets/metrics/card_export.h"
#include "widgets/metrics/cards/card.h"
#include "widgets/metrics/charts/chart_spec.h"
#include "widgets/metrics/charts/frame_budget.h"
#include "widgets/metrics/rank_views/rank_node.h"

namespace lockstep {

class MetricPlot;

/// Makes what the cards of a dashboard show, and gives all of them the same samples, steps and ranks. A body that is out of
/// sight gets them when it comes into sight, so that what nobody sees costs nothing.
class CardBodies : public QObject {
  Q_OBJECT
 public:
  explicit CardBodies(QWidget* parent);

  /// The body is the caller's.
  [[nodiscard]] CardBody make(const DashboardCard& card);

  void setSamples(const std::shared_ptr<const MetricStore>& samples);
  void setNodes(const std::vector<RankNode>& nodes);
  void setEmptyText(const QString& text);
  void setView(const PlotView& view);
  /// Which ranks have no curve in charts, and which have one beside a band and are marked in all else.
  void setRanks(const std::set<Rank>& hidden, const std::set<Rank>& chosen);
  void setCurves(QWidget* body, const CurveOptions& curves);
  /// That body is to show this card, of the kind that it was made for: of a heat map perhaps another quantity, of a step time
  /// by rank or over time.
  void setCard(QWidget* body, const DashboardCard& card);
  /// The moment that all charts point at; what happened in the run; nothing later than `end` is drawn.
  void setCursor(const std::optional<ChartCursor>& cursor);
  void setMarks(const std::vector<ChartMark>& marks);
  void setEnd(std::optional<TimePoint> end);
  /// Of which ranks nothing comes any more.
  void setStale(const std::vector<StaleRank>& stale);
  void setInSight(QWidget* body, bool isInSight);
  /// Copies a body that is no chart, or asks for its file.
  void exportBody(QWidget* body, CardAction what);
  [[nodiscard]] CardExport exportOf(QWidget* body) const;
  /// Draws what is in sight now, e.g. before a picture is taken.
  void refreshNow();

 signals:
  void viewChanged(const lockstep::PlotView& view);
  void cursorMoved(const std::optional<lockstep::ChartCursor>& cursor);
  void rangeBrushed(lockstep::Step from, lockstep::Step to, lockstep::TimePoint fromTime,
                    lockstep::TimePoint toTime);
  void brushed(lockstep::Step from, lockstep::Step to, const std::vector<lockstep::Rank>& ranks);
  /// The user has chosen what a heat map shows, and it does.
  void quantityChosen(QWidget* body, const std::string& name);
  void overTimeChosen(QWidget* body, bool overTime);
  void ranksActivated(const std::vector<lockstep::Rank>& ranks);
  /// The user chooses that rank, or does not any more.
  void rankToggled(lockstep::Rank rank);
  void savePictureRequested(lockstep::MetricPlot* plot);
  void saveValuesRequested(lockstep::MetricPlot* plot);
  // Of a body that is no chart.
  void saveCardPictureRequested(const lockstep::CardExport& card);
  void saveCardValuesRequested(const lockstep::CardExport& card);

 private:
  struct Body {
    QWidget* widget;
    DashboardCard card;
    CurveOptions curves;
    bool isInSight = false;
    bool isOld = true;      // has not what is shared
    bool isChosen = false;  // a heat map shows the quantity of its card
  };
  [[nodiscard]] CardBody makeChart(const DashboardCard& card);
  [[nodiscard]] QWidget* makeHeatMap();
  [[nodiscard]] std::optional<Step> pointedStep() const;
  void showPointed(QWidget& body) const;
  [[nodiscard]] QWidget* makeTiles();
  [[nodiscard]] QWidget* makeStepTimes(bool overTime);
  void share();
  void update(Body& body);
  void updateChart(const Body& body, MetricPlot& plot);
  void updateHeatMap(Body& body);
  [[nodiscard]] Body* bodyOf(const QWidget* widget);
  [[nodiscard]] std::optional<std::pair<double, double>> steps() const;

  QWidget* parent_;
  std::vector<Body> bodies_;
  std::shared_ptr<const MetricStore> samples_;  // never null
  std::shared_ptr<FrameBudget> budget_ = std::make_shared<FrameBudget>();
  std::vector<RankNode> nodes_;
  QString emptyText_;
  PlotView view_;
  std::set<Rank> hidden_, chosen_;
  std::optional<ChartCursor> cursor_;
  std::vector<ChartMark> marks_;
  std::optional<TimePoint> end_;
  std::map<Rank, TimePoint> stale_;
};

}  // namespace lockstep
