// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractListModel>
#include <vector>

#include "setup/setup_step.h"
#include "widgets/common/state_badge.h"

namespace lockstep {

[[nodiscard]] BadgeTone toneOf(StepState state);
[[nodiscard]] QString nameOf(StepState state);  // "ready", translated

/// The prerequisites that this version can check, each with its last report.
class StepsModel : public QAbstractListModel {
  Q_OBJECT
 public:
  struct Step {
    std::string id;
    QString title;
    QString purpose;
    StepReport report;
  };

  explicit StepsModel(QObject* parent = nullptr);

  /// Ids that are not known are ignored: their steps are not shown.
  void setReport(const std::string& id, StepReport report);
  /// Forgets every report, e.g. because another profile was chosen.
  void clearReports();
  [[nodiscard]] const Step& step(int row) const { return steps_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] int rowOf(const std::string& id) const;  // -1: not shown
  [[nodiscard]] int count(StepState state) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  std::vector<Step> steps_;
};

}  // namespace lockstep
