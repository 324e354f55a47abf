// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <optional>
#include <string_view>
#include <vector>

#include "metrics/rank_values.h"
#include "timeline/stale_ranks.h"
#include "widgets/metrics/rank_views/rank_node.h"

namespace lockstep {

/// One row per rank with its newest values: what it is and where, the quantities of rankColumnsIn() a window, and how old
/// the newest of them is.
class RankTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { RankColumn, NodeColumn, StateColumn, StepColumn, FirstMetricColumn };
  /// int; the number that a cell shows, for sorting.
  enum Role { RankRole = Qt::UserRole, SortRole };

  explicit RankTableModel(QObject* parent = nullptr);

  /// Which node each rank runs on, by what is known now; a rank that is not named keeps its row.
  void setNodes(const std::vector<RankNode>& nodes);
  void setRankState(Rank rank, const QString& state);
  /// Takes the newest values over. A rank that has samples but no node gets a row, too.
  void update(const MetricStore& store);
  /// Of which ranks nothing comes any more while others go on: they fade, and say since when.
  void setStale(const std::vector<StaleRank>& stale);
  /// What the ages are counted to.
  void setNow(TimePoint now);
  void clear();

  /// The column of that quantity; -1: it has none.
  [[nodiscard]] int columnOf(std::string_view metric) const;
  /// The last one: how old the newest sample is.
  [[nodiscard]] int ageColumn() const;
  /// False while no rank has a value for a column that is of use to few runs.
  [[nodiscard]] bool isOfUse(int column) const;
  [[nodiscard]] std::vector<Rank> ranks() const;
  /// What there is to be room for in a column, whatever its cells show now; empty: no more than for them.
  [[nodiscard]] QString widestText(int column) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    RankNode node;
    RankValues values;
    std::optional<StaleRank> stale;
  };
  Row& rowOf(Rank rank);
  [[nodiscard]] QVariant number(const Row& row, int column) const;
  [[nodiscard]] QString text(const Row& row, int column) const;
  [[nodiscard]] QString toolTip(const Row& row, int column) const;
  [[nodiscard]] QString title(int column) const;
  /// Null: the column shows no quantity.
  [[nodiscard]] const RankMetricColumn* quantityIn(int column) const;

  const std::vector<RankMetricColumn> quantities_ = rankColumnsIn(&RankMetricColumn::inWindow);
  std::vector<Row> rows_;  // by rank
  TimePoint now_{};
};

}  // namespace lockstep
