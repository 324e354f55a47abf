// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QWidget>
#include <chrono>
#include <memory>
#include <vector>

#include "health/run_health.h"
#include "logs/log_line.h"
#include "metrics/metric_store.h"
#include "widgets/common/layout/filling.h"
#include "widgets/metrics/rank_table_model.h"

class QComboBox;
class QLabel;
class QSplitter;
class QTimer;
class QToolButton;

namespace lockstep {

class LogView;
class MetricPlot;
struct PlotView;
class RankLegend;
class RankPicker;
class RankTable;
class RunTables;
class ToolRow;

/// The live picture of one run: loss, utilisation and samples/s per rank, tables of the ranks and nodes, and
/// the log. Keeps what it is given until clear(). UI thread; no I/O, no threads of its own.
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
  void addLines(const std::vector<LogLine>& lines);
  /// All that ranks and nodes have published of themselves.
  void setHealth(const std::shared_ptr<const RunHealth>& health);
  /// A run whose state says that it is over holds nobody up.
  void setRunning(bool isRunning);
  /// How old the newest data are; negative or zero: nothing came yet.
  void setDataLag(std::chrono::nanoseconds lag);
  /// What empty places say. Ended: ages and lag are not counted on either.
  void setFilling(Filling filling);
  /// Whether what ranks publish can be read now: else nothing is said of who holds the run up.
  void setRanksKnown(bool areKnown);
  /// Draws everything now, e.g. before a picture is taken.
  void refreshNow();

  [[nodiscard]] const MetricStore& samples() const { return *samples_; }
  [[nodiscard]] LogView* logView() const { return log_; }
  [[nodiscard]] RunTables* tables() const { return tables_; }

  /// Splitters, smoothing, scale, log filters. restoreState() ignores what it does not know.
  [[nodiscard]] QByteArray saveState() const;
  void restoreState(const QByteArray& state);

  [[nodiscard]] QSize minimumSizeHint() const override { return {QWidget::minimumSizeHint().width(), 420}; }

 signals:
  /// The log's lines are to be saved to a file of the user's choice.
  void saveRequested(const QString& text);
  /// A chart's picture, or its samples in sight, likewise.
  void savePictureRequested(lockstep::MetricPlot* plot);
  void saveValuesRequested(lockstep::MetricPlot* plot);
  /// The charts show these steps now, of all ranks: what of them is coarse is worth being read.
  void stepsInSight(const lockstep::StepsInSight& sight);

 private:
  void createPlots();
  void createControls();
  void arrange();
  void arrangeColumns();
  void connectPlots();
  [[nodiscard]] QString emptyText() const;
  void setEmptyTexts();
  void applySmoothing();
  void showSamples(std::shared_ptr<const MetricStore> samples);
  void updateRanks();
  void applyRanks();
  void updateGpu();
  void tick();
  void shareView(const PlotView& view);
  void tellSteps(const PlotView& view);
  void showBrushed(Step from, Step to, const std::vector<Rank>& ranks);

  std::shared_ptr<const MetricStore> samples_;  // never null
  MetricPlot* loss_ = nullptr;
  MetricPlot* cpu_ = nullptr;
  MetricPlot* gpu_ = nullptr;
  MetricPlot* speed_ = nullptr;
  std::vector<MetricPlot*> plots_;
  RankTableModel* rankModel_ = nullptr;
  RankTable* rankTable_ = nullptr;
  RunTables* tables_ = nullptr;
  LogView* log_ = nullptr;
  ToolRow* bar_ = nullptr;
  RankLegend* legend_ = nullptr;
  RankPicker* picker_ = nullptr;  // instead of it where there are too many
  QComboBox* smoothing_ = nullptr;
  QToolButton* logScale_ = nullptr;
  QToolButton* showAll_ = nullptr;
  QLabel* lag_ = nullptr;
  QSplitter* rows_ = nullptr;
  QSplitter* columns_ = nullptr;
  QSplitter* left_ = nullptr;
  QSplitter* right_ = nullptr;
  QTimer* ticker_ = nullptr;
  Filling filling_ = Filling::Live;
};

}  // namespace lockstep
