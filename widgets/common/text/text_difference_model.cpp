// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "widgets/common/text/text_difference_view.h"

namespace lockstep {
namespace {

using Kind = DifferenceLine::Kind;

constexpr std::size_t kContext = 3;  // equal lines shown around a change
constexpr std::size_t kMinFold = 4;  // shorter stretches are shown

}  // namespace

TextDifferenceModel::TextDifferenceModel(QObject* parent) : QAbstractListModel(parent) {}

void TextDifferenceModel::setLines(std::vector<DifferenceLine> lines) {
  beginResetModel();
  lines_ = std::move(lines);
  rows_.clear();
  longest_.clear();
  for (const DifferenceLine& line : lines_)
    if (line.text.size() > longest_.size()) longest_ = line.text;
  for (std::size_t i = 0; i < lines_.size();) {
    std::size_t end = i;
    while (end < lines_.size() && lines_[end].kind == Kind::Equal) ++end;
    if (end == i) {
      rows_.push_back({i++, 1});
      continue;
    }
    const std::size_t from = i == 0 ? 0 : std::min(end, i + kContext);
    const std::size_t to = end == lines_.size() ? end : std::max(from, end - std::min(end, kContext));
    const bool folds = to > from && to - from >= kMinFold;
    while (i < (folds ? from : end)) rows_.push_back({i++, 1});
    if (folds) rows_.push_back({from, to - from});
    for (i = folds ? to : end; i < end; ++i) rows_.push_back({i, 1});
  }
  endResetModel();
}

int TextDifferenceModel::count(Kind kind) const {
  return static_cast<int>(std::count_if(lines_.begin(), lines_.end(),
                                        [&](const DifferenceLine& line) { return line.kind == kind; }));
}

bool TextDifferenceModel::isFold(int row) const {
  return row >= 0 && row < rowCount() && rows_[static_cast<std::size_t>(row)].count > 1;
}

void TextDifferenceModel::unfold(int row) {
  if (!isFold(row)) return;
  const Row fold = rows_[static_cast<std::size_t>(row)];
  beginRemoveRows({}, row, row);
  rows_.erase(rows_.begin() + row);
  endRemoveRows();
  beginInsertRows({}, row, row + static_cast<int>(fold.count) - 1);
  std::vector<Row> single;
  for (std::size_t i = 0; i < fold.count; ++i) single.push_back({fold.first + i, 1});
  rows_.insert(rows_.begin() + row, single.begin(), single.end());
  endInsertRows();
}

bool TextDifferenceModel::isChange(int row) const {
  const DifferenceLine* at = line(row);
  return at && at->kind != Kind::Equal;
}

int TextDifferenceModel::changeFrom(int row, bool forward) const {
  const auto begins = [&](int at) { return isChange(at) && !isChange(at - 1); };
  const int step = forward ? 1 : -1;
  for (int at = row + step; at >= 0 && at < rowCount(); at += step)
    if (begins(at)) return at;
  return -1;
}

const DifferenceLine* TextDifferenceModel::line(int row) const {
  if (row < 0 || row >= rowCount() || isFold(row)) return nullptr;
  return &lines_[rows_[static_cast<std::size_t>(row)].first];
}

int TextDifferenceModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant TextDifferenceModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  if (role == FoldRole) return static_cast<int>(row.count > 1 ? row.count : 0);
  if (row.count > 1) {
    if (role == Qt::ToolTipRole) return tr("Enter or a click shows these lines");
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole) return tr("%1 equal lines").arg(row.count);
    return {};
  }
  const DifferenceLine& line = lines_[row.first];
  if (role == KindRole) return static_cast<int>(line.kind);
  if (role == Qt::DisplayRole) return line.text;
  if (role != Qt::AccessibleTextRole) return {};
  switch (line.kind) {
    case Kind::Removed:
      return tr("removed, line %1: %2").arg(line.before).arg(line.text);
    case Kind::Added:
      return tr("added, line %1: %2").arg(line.after).arg(line.text);
    case Kind::Equal:
      break;
  }
  return tr("line %1: %2").arg(line.after).arg(line.text);
}

}  // namespace lockstep
