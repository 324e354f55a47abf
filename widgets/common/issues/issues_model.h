// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <QIcon>
#include <array>
#include <vector>

#include "base/issue.h"

namespace lockstep {

/// The flaws of a document as rows, in the order given, those of hidden severities left out.
class IssuesModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { SeverityColumn, PlaceColumn, MessageColumn, FixColumn, ColumnCount };

  explicit IssuesModel(QObject* parent = nullptr);

  void setIssues(std::vector<Issue> issues);
  [[nodiscard]] const std::vector<Issue>& issues() const { return issues_; }
  /// Of all issues, hidden or not.
  [[nodiscard]] int count(Severity severity) const;
  [[nodiscard]] int fixCount() const;
  /// The issue of a row; nullptr when there is no such row.
  [[nodiscard]] const Issue* issueAt(int row) const;
  void setShown(Severity severity, bool isShown);
  [[nodiscard]] bool isShown(Severity severity) const;
  /// "2 errors, 1 warning" or "No problems".
  [[nodiscard]] QString summary() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void listRows();

  std::vector<Issue> issues_;
  std::vector<std::size_t> rows_;  // which of them are shown
  std::array<bool, 3> isShown_{true, true, true};
};

[[nodiscard]] QIcon iconFor(Severity severity);
[[nodiscard]] QColor colorFor(Severity severity, const QPalette& palette);
[[nodiscard]] QString nameOf(Severity severity);  // "Error"

}  // namespace lockstep
