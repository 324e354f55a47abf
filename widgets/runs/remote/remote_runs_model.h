// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractItemModel>
#include <map>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "launch/remote/remote_runs.h"

namespace lockstep {

/// Jobs of a tenancy, each with its job runs below it.
class RemoteRunsModel : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { kName, kState, kStarted, kJobRuns, kCompartment, kProject, kHere, kColumnCount };
  /// What to sort a column by (numbers and times rather than their texts).
  static constexpr int kSortRole = Qt::UserRole + 1;

  explicit RemoteRunsModel(QObject* parent = nullptr);

  /// `known`: the runs of this machine, by the OCID of their job.
  void setRuns(std::vector<RemoteRun> runs, std::map<std::string, RunId> known);
  /// That job is followed here from now on.
  void setKnown(const JobId& job, const RunId& run);
  void setNow(TimePoint now) { now_ = now; }

  /// The job of that row, or that the job run of that row belongs to; null: no row of this model.
  [[nodiscard]] const RemoteRun* run(const QModelIndex& index) const;
  /// The run of this machine that follows that job.
  [[nodiscard]] std::optional<RunId> knownAs(const RemoteRun& run) const;
  [[nodiscard]] const std::vector<RemoteRun>& runs() const { return runs_; }

  [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QString textOfJob(const RemoteRun& run, int column) const;
  [[nodiscard]] QString textOfJobRun(const NodeRun& node, int column) const;
  [[nodiscard]] QVariant sortKey(const RemoteRun& run, int column) const;
  [[nodiscard]] QStringList linesAbout(const RemoteRun& run, const NodeRun* node, int column) const;

  std::vector<RemoteRun> runs_;
  std::map<std::string, RunId> known_;
  TimePoint now_{};
};

}  // namespace lockstep
