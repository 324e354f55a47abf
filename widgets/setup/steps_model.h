// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractListModel>
#include <QDateTime>
#include <optional>
#include <vector>

#include "setup/step/setup_step.h"
#include "widgets/setup/fix_series_panel.h"
#include "widgets/setup/step_texts.h"

namespace lockstep {

/// The prerequisites in the order of setupStepNames(), each with its last report.
class StepsModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { StateRole = Qt::UserRole, StateTextRole };  // StepState as int; "ready, last checked 14:02"

  struct Step {
    std::string id;
    QString title;
    QString purpose;
    StepReport report;  // the last one, also while the step is checked anew
    bool isChecking = false;
    std::optional<QDateTime> rememberedFrom;  // the report is of an earlier session, and has no fixes
    [[nodiscard]] StepState state() const { return isChecking ? StepState::Checking : report.state; }
  };

  explicit StepsModel(QObject* parent = nullptr);

  // Ids that are not known are ignored: their steps are not shown.
  void setChecking(const std::string& id, bool isChecking);
  /// Also ends the checking.
  void setReport(const std::string& id, StepReport report);
  /// A report of an earlier time, unless the step has one of its own.
  void setRemembered(const std::string& id, StepReport report, const QDateTime& checkedAt);
  /// Forgets every report, e.g. because another profile was chosen.
  void clearReports();

  [[nodiscard]] const Step& step(int row) const { return steps_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] int rowOf(const std::string& id) const;  // -1: not shown
  [[nodiscard]] int count(StepState state) const;
  /// How many need nothing any more: ready, not applicable or waived.
  [[nodiscard]] int settledCount() const;
  /// Facts for the designer of all steps, those of later steps over those of earlier ones.
  [[nodiscard]] std::map<std::string, std::string> facts() const;
  /// The names of all that the steps have seen, by id.
  [[nodiscard]] std::map<QString, QString> names() const;
  /// Null: the step's report has no such fix.
  [[nodiscard]] const ProposedFix* fix(const std::string& stepId, const std::string& fixId) const;

  /// What can be done unasked about steps that want something, in their order.
  [[nodiscard]] std::vector<FixOfStep> unaskedFixes() const;
  /// The first step that is blocked after this row, from the top again behind the last one; -1: none is.
  [[nodiscard]] int nextBlocked(int after) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  [[nodiscard]] Step* find(const std::string& id);
  void noteChange(const Step& step);
  [[nodiscard]] QString spoken(int row) const;

  std::vector<Step> steps_;
};

/// "14:02" of today, else "21 Nov 14:02", in the user's time zone and language.
[[nodiscard]] QString shortTime(const QDateTime& time);

}  // namespace lockstep
