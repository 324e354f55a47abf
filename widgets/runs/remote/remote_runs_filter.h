// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSortFilterProxyModel>
#include <QString>

namespace lockstep {

/// Which jobs of a tenancy are shown, and in which order. The job runs of a job that is shown are shown with it.
class RemoteRunsFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit RemoteRunsFilter(QObject* parent = nullptr);

  /// Each of the words has to be found somewhere in the row of a job or of one of its job runs.
  void setText(const QString& text);
  void setOnlyRunning(bool isOnlyRunning);
  /// Empty: all of them.
  void setProject(const QString& projectId);
  void setCompartment(const QString& compartmentId);

 protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  [[nodiscard]] bool isFound(const QString& word, const QModelIndex& job) const;

  QStringList words_;
  QString projectId_, compartmentId_;
  bool isOnlyRunning_ = false;
};

}  // namespace lockstep
