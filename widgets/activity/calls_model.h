// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <deque>
#include <vector>

#include "oci/signing/call_audit.h"

namespace lockstep {

/// Calls of the services, one attempt per row, in the order in which they were made. Keeps the last `max`;
/// older rows leave at the top.
class CallsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    kTime,
    kService,
    kOperation,
    kMethod,
    kOutcome,
    kDuration,
    kAttempt,
    kRequestId,
    kColumnCount
  };
  /// What to sort a column by (numbers and times rather than their texts).
  static constexpr int kSortRole = Qt::UserRole + 1;
  static constexpr int kFailedRole = Qt::UserRole + 2;

  explicit CallsModel(std::size_t max = 5'000, QObject* parent = nullptr);

  void append(std::vector<oci::CallRecord> calls);
  void clear();
  [[nodiscard]] const oci::CallRecord* call(int row) const;
  /// An answer of 400 or above, or none.
  [[nodiscard]] static bool isFailed(const oci::CallRecord& call);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] static QString text(const oci::CallRecord& call, int column);
  [[nodiscard]] static QVariant sortKey(const oci::CallRecord& call, int column);
  void dropOldest(std::size_t incoming);

  const std::size_t max_;
  std::deque<oci::CallRecord> calls_;
};

}  // namespace lockstep
