// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// A rank and the node that it runs on.
struct RankNode {
  Rank rank;
  QString node;   // display name of the job run
  QString state;  // of the node, in the user's words
};

/// One row per rank with its newest values.
class RankTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    RankColumn,
    NodeColumn,
    StateColumn,
    StepColumn,
    LossColumn,
    SpeedColumn,
    CpuColumn,
    GpuColumn,
    MemoryColumn,
    AgeColumn,
    ColumnCount
  };
  /// int; the number that a cell shows, for sorting.
  enum Role { RankRole = Qt::UserRole, SortRole };

  explicit RankTableModel(QObject* parent = nullptr);

  void setNodes(const std::vector<RankNode>& nodes);
  void setRankState(Rank rank, const QString& state);
  /// Takes the newest values over. A rank that has samples but no node gets a row, too.
  void update(const MetricStore& store);
  /// What the ages are counted to.
  void setNow(TimePoint now);
  void clear();

  [[nodiscard]] bool hasGpu() const;
  [[nodiscard]] std::vector<Rank> ranks() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    RankNode node;
    std::optional<Step> step;
    std::optional<double> loss, speed, cpu, gpu, memory;
    std::optional<TimePoint> newest;
  };
  Row& rowOf(Rank rank);
  void readRow(const MetricStore& store, Row& row);
  [[nodiscard]] QVariant number(const Row& row, int column) const;
  [[nodiscard]] QString text(const Row& row, int column) const;

  std::vector<Row> rows_;  // by rank
  TimePoint now_{};
};

}  // namespace lockstep
