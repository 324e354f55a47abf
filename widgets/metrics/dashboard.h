// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QWidget>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "health/run_health.h"
#include "metrics/lines/printed_samples.h"
#include "metrics/metric_store.h"
#include "widgets/common/layout/filling.h"
#include "widgets/logs/log_extract.h"
#include "widgets/metrics/charts/chart_spec.h"
#include "widgets/metrics/rank_table_model.h"
#include "widgets/metrics/view_history.h"

class QSplitter;
class QStackedWidget;
class QTimer;

namespace lockstep {

struct CardExport;
class CardBodies;
class CardsView;
class DashboardTools;
class LayoutList;
class LogView;
class MetricPlot;
class RankPage;
class RankTable;
class RunTables;

/// The live picture of one run: cards of whatever is measured, tables of the ranks and nodes, and the log. Keeps what it is given until clear(). UI thread; no I/O, no threads of its own.
class Dashboard : public QWidget {
  Q_OBJECT
 public:
  explicit Dashboard(QWidget* parent = nullptr);
  ~Dashboard() override;

  /// Forgets the run; options and layout stay.
  void clear();
  void setNodes(const std::vector<RankNode>& nodes);
  void setRankState(Rank rank, const QString& state);
  /// All samples so far.
  void setSamples(std::shared_ptr<const MetricStore> samples);
  /// A newer snapshot of the log; LogView::setLog().
  void setLog(std::shared_ptr<const LogSnapshot> log);
  /// Whether the run has lines to be shown; without any the rest has their room. Default: it has.
  void setHasLog(bool hasLog);
  [[nodiscard]] bool hasLog() const { return hasLog_; }
  /// How rules have read samples from the lines of the run, where that is done; nothing: it is not.
  void setLineRules(const std::optional<std::vector<LineRuleUse>>& uses);
  /// The rules that are used for this run.
  void setLineChoice(const LineChoice& choice);
  /// All that ranks and nodes have published of themselves.
  void setHealth(const std::shared_ptr<const RunHealth>& health);
  /// A run whose state says that it is over holds nobody up.
  void setRunning(bool isRunning);
  /// What empty places say. Ended: ages are not counted on either.
  void setFilling(Filling filling);  // but for the log, which says its own
  /// The samples are those of then, and ages are counted to it; nothing: they are of now.
  void setTime(std::optional<TimePoint> time);
  /// Of which ranks nothing comes any more.
  void setStale(const std::vector<StaleRank>& stale);
  /// What all charts point at; also what the user points at, before it is told by cursorMoved().
  void setCursor(const std::optional<ChartCursor>& cursor);
  /// What happened, on all charts.
  void setMarks(const std::vector<ChartMark>& marks);
  /// Shows these steps, both included, in everything.
  void showSteps(Step from, Step to);
  /// Whether what ranks publish can be read now: else nothing is said of who holds the run up.
  void setRanksKnown(bool areKnown);
  /// Draws everything in sight now, e.g. before a picture is taken.
  void refreshNow();
  /// Shows the layout of that name, in the user's language or English, upper or lower case. False: there is none.
  bool showLayout(const QString& name);
  /// Shows a chart each of the first so many quantities that the run has.
  void showCharts(int count);
  /// Those that are to have a curve beside a band and to be marked; too many change nothing.
  void chooseRanks(const std::vector<Rank>& ranks);
  /// All of one rank, instead of the cards.
  void showRank(Rank rank);

  [[nodiscard]] const MetricStore& samples() const { return *samples_; }
  [[nodiscard]] LogView* logView() const { return log_; }
  [[nodiscard]] RunTables* tables() const { return tables_; }

  /// Layouts, splitters, log filters. restoreState() ignores what it does not know.
  [[nodiscard]] QByteArray saveState() const;
  void restoreState(const QByteArray& state);

  [[nodiscard]] QSize minimumSizeHint() const override { return {QWidget::minimumSizeHint().width(), 420}; }

 signals:
  /// The user points at a moment of a chart; absent: no more.
  void cursorMoved(const std::optional<lockstep::ChartCursor>& cursor);
  /// The user chose steps, both included, on a chart or a heat map, and there ranks; none: all.
  void brushed(lockstep::Step from, lockstep::Step to, const std::vector<lockstep::Rank>& ranks);
  /// Samples are to be read from the lines by these rules.
  void lineChoiceWanted(const lockstep::LineChoice& choice);
  /// The log's lines are to be saved to a file of the user's choice.
  void saveRequested(const lockstep::LogExtract& lines);
  /// A chart's picture, or its samples in sight, likewise.
  void savePictureRequested(lockstep::MetricPlot* plot);
  void saveValuesRequested(lockstep::MetricPlot* plot);
  void saveCardPictureRequested(const lockstep::CardExport& card);
  void saveCardValuesRequested(const lockstep::CardExport& card);
  /// The charts show these steps now, of all ranks: what of them is coarse is worth being read.
  void stepsInSight(const lockstep::StepsInSight& sight);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();
  void connectCards();
  void connectTools();
  [[nodiscard]] QString emptyText() const;
  void setEmptyTexts();
  void showSamples(std::shared_ptr<const MetricStore> samples);
  void updateRanks();
  void applyRanks();
  void tick();
  void goTo(const PlotView& view);
  void shareView(const PlotView& view);
  void tellSteps(const PlotView& view);
  void showBrushed(Step from, Step to, const std::vector<Rank>& ranks);
  void showCards();
  void setMaximized(bool isMaximized);

  std::shared_ptr<const MetricStore> samples_;  // never null
  ViewHistory history_;
  LayoutList* layouts_;
  CardBodies* bodies_;
  DashboardTools* tools_;
  CardsView* cards_;
  RankPage* rankPage_;
  QStackedWidget* left_;
  RankTableModel* rankModel_;
  RankTable* rankTable_;
  RunTables* tables_;
  LogView* log_;
  QSplitter* rows_ = nullptr;
  QSplitter* columns_ = nullptr;
  QTimer* ticker_;
  std::optional<TimePoint> time_;  // absent: now
  Filling filling_ = Filling::Live;
  bool hasLog_ = true;
  bool areColumnsPlaced_ = false;
};

}  // namespace lockstep
