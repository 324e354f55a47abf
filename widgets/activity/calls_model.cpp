// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/activity/calls_model.h"

#include <QLocale>
#include <algorithm>
#include <iterator>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

QString outcomeOf(const oci::CallRecord& call) {
  const QString code = toQString(call.errorCode);
  if (call.httpStatus == 0)
    return code.isEmpty() ? CallsModel::tr("no answer") : CallsModel::tr("no answer: %1").arg(code);
  const QString status = QString::number(call.httpStatus);
  return code.isEmpty() ? status : status + QLatin1Char(' ') + code;
}

QString durationOf(const oci::CallRecord& call) {
  const double ms = std::chrono::duration<double, std::milli>(call.duration).count();
  if (ms < 1000) return CallsModel::tr("%1 ms").arg(QLocale().toString(ms, 'f', ms < 10 ? 1 : 0));
  return CallsModel::tr("%1 s").arg(QLocale().toString(ms / 1000, 'f', 1));
}

}  // namespace

CallsModel::CallsModel(std::size_t max, QObject* parent) : QAbstractTableModel(parent), max_(max) {}

bool CallsModel::isFailed(const oci::CallRecord& call) {
  return call.httpStatus == 0 || call.httpStatus >= 400;
}

void CallsModel::dropOldest(std::size_t incoming) {
  if (calls_.size() + incoming <= max_) return;
  const std::size_t many = std::min(calls_.size(), calls_.size() + incoming - max_);
  if (many == 0) return;
  beginRemoveRows({}, 0, static_cast<int>(many) - 1);
  calls_.erase(calls_.begin(), calls_.begin() + static_cast<std::ptrdiff_t>(many));
  endRemoveRows();
}

void CallsModel::append(std::vector<oci::CallRecord> calls) {
  if (calls.size() > max_) calls.erase(calls.begin(), calls.end() - static_cast<std::ptrdiff_t>(max_));
  if (calls.empty()) return;
  dropOldest(calls.size());
  const int first = static_cast<int>(calls_.size());
  beginInsertRows({}, first, first + static_cast<int>(calls.size()) - 1);
  calls_.insert(calls_.end(), std::make_move_iterator(calls.begin()), std::make_move_iterator(calls.end()));
  endInsertRows();
}

void CallsModel::clear() {
  beginResetModel();
  calls_.clear();
  endResetModel();
}

const oci::CallRecord* CallsModel::call(int row) const {
  return row >= 0 && row < rowCount() ? &calls_[static_cast<std::size_t>(row)] : nullptr;
}

int CallsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(calls_.size());
}

int CallsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

QString CallsModel::text(const oci::CallRecord& call, int column) {
  switch (column) {
    case kTime:
      return toQDateTime(call.at).toLocalTime().toString(QStringLiteral("HH:mm:ss.zzz"));
    case kService:
      return toQString(call.service);
    case kOperation:
      return toQString(call.operation);
    case kMethod:
      return toQString(call.method);
    case kOutcome:
      return outcomeOf(call);
    case kDuration:
      return durationOf(call);
    case kAttempt:
      return QString::number(call.attempt);
    case kRequestId:
      return toQString(call.requestId);
    default:
      return {};
  }
}

QVariant CallsModel::sortKey(const oci::CallRecord& call, int column) {
  switch (column) {
    case kTime:
      return static_cast<qlonglong>(call.at.time_since_epoch().count());
    case kOutcome:
      return call.httpStatus == 0 ? 1000 : call.httpStatus;
    case kDuration:
      return static_cast<qlonglong>(call.duration.count());
    case kAttempt:
      return call.attempt;
    default:
      return text(call, column);
  }
}

QVariant CallsModel::data(const QModelIndex& index, int role) const {
  const oci::CallRecord* call = this->call(index.row());
  if (!call || !index.isValid()) return {};
  const bool isNumber = index.column() == kDuration || index.column() == kAttempt;
  switch (role) {
    case Qt::DisplayRole:
      return text(*call, index.column());
    case Qt::ToolTipRole:
      return plainToolTip(index.column() == kOperation ? toQString(call->host) : text(*call, index.column()));
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter) |
                                 (isNumber ? Qt::AlignRight : Qt::AlignLeft));
    case kSortRole:
      return sortKey(*call, index.column());
    case kFailedRole:
      return isFailed(*call);
    default:
      return {};
  }
}

QVariant CallsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole && (section == kDuration || section == kAttempt))
    return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | Qt::AlignRight));
  if (role != Qt::DisplayRole) return {};
  const QString names[] = {tr("Time"),    tr("Service"),  tr("Operation"), tr("Method"),
                           tr("Outcome"), tr("Duration"), tr("Attempt"),   tr("Request id")};
  return section < kColumnCount ? names[section] : QVariant();
}

}  // namespace lockstep
