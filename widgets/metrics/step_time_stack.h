// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "metrics/grid/step_times.h"
#include "metrics/metric_store.h"
#include "widgets/metrics/rank_table_model.h"

class QComboBox;
class QLabel;
class QScrollArea;
class QSpinBox;
class QStackedLayout;

namespace lockstep {

class ElidedLabel;
class StepAreas;
class StepBars;
class StepPartKey;

/// What a step of each rank is made of, a stack for each: the means of the steps in view, or of the newest ones. Of more than
/// kMaxRanks ranks the median, the chosen and the slowest ones. Or the same of one rank over time. What was not measured is said and not drawn. What is set while it is
/// hidden costs nothing until it shows.
class StepTimeStack : public QWidget {
  Q_OBJECT
 public:
  static constexpr std::size_t kMaxRanks = 32;

  explicit StepTimeStack(QWidget* parent = nullptr);

  /// All samples of the run as they are now; null: there are none.
  void setMetrics(std::shared_ptr<const MetricStore> metrics);
  void setNodes(const std::vector<RankNode>& nodes);
  /// Those that the user has chosen on the page; each has a bar, and the first one is that over time.
  void setChosenRanks(const std::set<Rank>& ranks);
  /// Of one rank over time, or by rank.
  void setOverTime(bool overTime);
  /// What is said where there is nothing to show.
  void setEmptyText(const QString& text);
  /// The steps [from, to) that other views show: those of the choice "steps in view".
  void setView(double from, double to);
  void showAll();
  /// A line over time where something else on the page points.
  void setPointed(std::optional<Step> step);
  /// Draws now, e.g. before a picture is taken.
  void refreshNow();
  /// "Mean of the steps 1,900 to 1,999. The median and the 31 slowest of 64 ranks.": what is drawn.
  [[nodiscard]] QString summary() const;
  [[nodiscard]] StepBars* bars() const { return bars_; }
  [[nodiscard]] StepAreas* areas() const { return areas_; }
  /// Of which rank the areas are.
  [[nodiscard]] Rank rank() const;

 signals:
  /// The user asks to see that rank alone, or to choose it, or not to any more.
  void rankActivated(lockstep::Rank rank);
  void rankToggled(lockstep::Rank rank);
  /// The user has chosen it so.
  void overTimeChosen(bool overTime);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void arrange();
  void createChoices();
  void chooseRank(const std::vector<StepTimes>& times);
  void addChosen(std::vector<StepTimes>& times, const std::pair<Step, Step>& range) const;
  [[nodiscard]] bool isOverTime() const;
  void change();
  void refresh();
  void showTimes(const std::vector<StepTimes>& times);
  /// The steps that are drawn; absent: nothing is measured there.
  [[nodiscard]] std::optional<std::pair<Step, Step>> steps() const;
  [[nodiscard]] QString nodeOf(Rank rank) const;

  std::shared_ptr<const MetricStore> metrics_;
  std::vector<RankNode> nodes_;
  std::set<Rank> chosen_;
  std::optional<std::pair<double, double>> view_;  // absent: all steps
  bool isOld_ = false;
  std::size_t shown_ = 0, measured_ = 0;  // ranks
  QComboBox* span_;
  QComboBox* kind_;
  QSpinBox* rank_;
  bool isRankChosen_ = false;  // by the user; else the slowest
  QLabel* hint_;
  ElidedLabel* summary_;
  ElidedLabel* unmeasured_;  // which parts have no colour below
  StepBars* bars_;
  StepAreas* areas_;
  QScrollArea* scroll_;
  std::array<StepPartKey*, kStepParts.size()> keys_{};
  QStackedLayout* stack_ = nullptr;
};

}  // namespace lockstep
