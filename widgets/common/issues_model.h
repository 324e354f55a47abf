// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <QIcon>
#include <vector>

#include "base/issue.h"

namespace lockstep {

/// The flaws of a document as rows, in the order given.
class IssuesModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { SeverityColumn, PlaceColumn, MessageColumn, ColumnCount };

  explicit IssuesModel(QObject* parent = nullptr);

  void setIssues(std::vector<Issue> issues);
  [[nodiscard]] const std::vector<Issue>& issues() const { return issues_; }
  [[nodiscard]] int count(Severity severity) const;
  /// "2 errors, 1 warning" or "No problems".
  [[nodiscard]] QString summary() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<Issue> issues_;
};

[[nodiscard]] QIcon iconFor(Severity severity);
[[nodiscard]] QColor colorFor(Severity severity, const QPalette& palette);
[[nodiscard]] QString nameOf(Severity severity);  // "Error"

}  // namespace lockstep
