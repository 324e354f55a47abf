// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "runs/training_run.h"

namespace lockstep {

/// Every run that this machine launched, one per row. Rows keep their identity over updates, so that a
/// selection stays on its run.
class RunsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kName, kState, kStarted, kElapsed, kNodes, kPlace, kFailure, kColumnCount };
  /// What to sort a column by (numbers and times rather than their texts).
  static constexpr int kSortRole = Qt::UserRole + 1;
  static constexpr int kRunIdRole = Qt::UserRole + 2;

  explicit RunsModel(QObject* parent = nullptr);

  void setRuns(std::vector<TrainingRun> runs);
  /// One run as a follower saw it; a run that is not in the list yet comes first.
  void updateRun(const TrainingRun& run);
  /// What "elapsed" of a run that still goes on is measured to.
  void setNow(TimePoint now);

  [[nodiscard]] const TrainingRun* run(int row) const;
  [[nodiscard]] std::optional<int> rowOf(const RunId& id) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QString text(const TrainingRun& run, int column) const;
  [[nodiscard]] QVariant sortKey(const TrainingRun& run, int column) const;
  void removeMissing(const std::vector<TrainingRun>& runs);
  void insertNew(const std::vector<TrainingRun>& runs);

  std::vector<TrainingRun> runs_;
  TimePoint now_{};
};

}  // namespace lockstep
