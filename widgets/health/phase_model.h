// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "health/stall.h"

namespace lockstep {

/// One row per rank of the heartbeat: what it does, for how long, and how old that news is. Ranks that hold
/// the others up are marked, and say why and what to do.
class PhaseModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    RankColumn,
    PhaseColumn,
    LastingColumn,
    StepColumn,
    CollectiveColumn,
    AgeColumn,
    HostColumn,
    ColumnCount
  };

  /// Whether the ranks still publish what they do, and whether it can be read.
  enum class News { Live, Unreadable, Ended };

  explicit PhaseModel(QObject* parent = nullptr);
  /// Null: nothing is known.
  void setHealth(std::shared_ptr<const RunHealth> health);
  /// What times are counted to. Nobody is late for news that cannot be read; the phases of a run that is over are
  /// past.
  void setNow(SteadyPoint now, News news);
  [[nodiscard]] const std::vector<Stall>& stalls() const { return stalls_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void evaluate();
  [[nodiscard]] const std::vector<RankHeartbeat>& beats() const;
  [[nodiscard]] QString text(const RankHeartbeat& beat, int column) const;
  [[nodiscard]] QString spoken(const RankHeartbeat& beat) const;
  [[nodiscard]] const Stall* stallOf(const RankHeartbeat& beat) const;

  std::shared_ptr<const RunHealth> health_;
  std::vector<Stall> stalls_;
  SteadyPoint now_{};
  News news_ = News::Live;
};

}  // namespace lockstep
