// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "runs/search/run_index.h"

namespace lockstep {

/// The runs of this machine that a search wants, one per row, sorted. Rows keep their identity over updates, so that a
/// selection stays on its run: whatever changes, rows at the beginning and at the end that are the same stay, and what lies
/// between them goes and comes as one. So a keystroke costs two signals and a look at each run.
class RunsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    kName,
    kState,
    kFindings,
    kStarted,
    kElapsed,
    kNodes,
    kResult,
    kCost,
    kTags,
    kPlace,
    kFailure,
    kColumnCount
  };
  static constexpr int kRunIdRole = Qt::UserRole + 2;

  explicit RunsModel(QObject* parent = nullptr);

  /// Newest first. Nothing happens where they are the same as before.
  void setRuns(std::vector<RunSummary> runs);
  /// One run as a follower saw it; a run that is not in the list yet comes first.
  void updateRun(const TrainingRun& run);
  /// What was found in one of them.
  void setFindings(const RunId& id, const RunFindings& findings);
  /// Which of them are shown. Archived ones only where the query names them, or with `withArchived`.
  void setQuery(RunQuery query, bool withArchived);
  /// What "elapsed" of a run that still goes on is measured to.
  void setNow(TimePoint now);

  [[nodiscard]] const RunSummary* run(int row) const;
  [[nodiscard]] std::optional<int> rowOf(const RunId& id) const;
  /// Those that no search hides, too.
  [[nodiscard]] std::size_t runCount() const { return index_->size(); }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order) override;

 private:
  using Places = std::vector<std::uint32_t>;
  [[nodiscard]] QString text(const RunSummary& run, int column) const;
  [[nodiscard]] static QVariant icon(const RunSummary& run, int column);
  [[nodiscard]] QString toolTip(const RunSummary& run, int column) const;
  using Runs = std::shared_ptr<const RunIndex>;
  void take(RunIndex index);
  void show(const Runs& next, const Places& places);
  void tellChanges(const RunIndex& before, const Places& shownBefore, std::size_t then, std::size_t now,
                   std::size_t count);
  [[nodiscard]] Places wanted(const RunIndex& index, const Places& order) const;
  [[nodiscard]] Places sorted(const RunIndex& index) const;

  Runs index_;
  Places order_;  // all runs, sorted
  Places shown_;  // of them, those that are wanted
  RunQuery query_;
  bool withArchived_ = false;
  int sortColumn_ = -1;  // as they came
  Qt::SortOrder sortOrder_ = Qt::DescendingOrder;
  TimePoint now_{};
};

}  // namespace lockstep
